#!/bin/sh
# links.sh [CLUSTER.place]: how long the ranks of a step communicate between HOSTS hosts (2, of one rank each) on links of RATES
# Mbit/s (100 250), predicted and measured. The programs' only large array is one of SIZES MiB (1 4 16): a parameter whose gradient
# is added up, or what goes from one stage to the next. Measured is the fastest step of ROUNDS (3) of STEPS (10, without the first
# two), less what kernels and products take, which programs write themselves (--profile); next to it the same of the median step.
# CLUSTER.place is what `placec calibrate` wrote; without it this machine is calibrated first.
set -eu
cd "$(dirname "$0")/.."
bench=links STEPS=${STEPS:-10} HOSTS=${HOSTS:-2}
. bench/machine.sh
. bench/hosts.sh
: > "$work/rows"

# write_program STRATEGY INPUTS WIDTH BATCH
write_program() {
    cat > "$work/run.place" << END
place 1
import "machine.place"
model wide(inputs = $2, width = $3) {
    input features : f32[batch, inputs]
    input labels   : int[batch]

    x = relu(linear(features, width) as first)
    repeat block[$HOSTS] {
        x = x + rmsnorm(x) as norm
    }
    logits = linear(x, 8) as last
    loss   = mean over batch of cross_entropy(logits, labels)
}
mesh hosts on machine { d: $HOSTS }
train wide on hosts {
    strategy  $1
    optimizer sgd(rate = 1e-3)
    data      synthetic
    batch     $4
    steps     1000
}
END
}

# measure: of the first rank the fastest and the median step, less what its kernels and products take in the median.
measure() {
    "$placec" build "$work/run.place" -o "$work/run" > /dev/null
    for _ in $(seq "${ROUNDS:-3}"); do
        start run --steps "$STEPS" --log "$work/run.log" --profile "$work/run.profile"
        seconds run
    done > "$work/run.steps"
    computing=$(grep -v '"communication"' "$work/run.profile.0" | sed 's/.*"calls":\([0-9]*\),"median_s":\([^,]*\),.*/\1 \2/' |
        awk -v steps=$((STEPS - 1)) '{ sum += $1 / steps * $2 } END { print sum }')
    sort -g "$work/run.steps" | awk -v computing="$computing" '
        { v[NR] = $1 } END { print v[1] - computing, v[int((NR + 1) / 2)] - computing }'
}

# The seconds that ranks communicate, or wait for each other.
predicted() {
    "$placec" plan --json "$work/run.place" | sed -n 's/.*"\(exposed_communication_s\|bubble_s\)":[[:space:]]*\([0-9.e+-]*\).*/\2/p' |
        awk '{ sum += $1 } END { print sum }'
}

# show: a row.
show() {
    awk '{ printf "%9s %6s  %-18s %7.1f ms %7.1f ms %+7.1f%% %7.1f ms\n", $1, $2, $3, 1e3 * $4, 1e3 * $5, 100 * ($4 / $5 - 1), 1e3 * $6 }'
}

printf '%9s %6s  %-18s %10s %10s %8s %10s\n' Mbit/s MiB strategy predicted measured error median
for rate in ${RATES:-100 250}; do
    shape "$rate"
    connect "$rate"
    for size in ${SIZES:-1 4 16}; do
        for strategy in 'data_parallel(d)' 'zero1(d)' 'zero3(d)' 'pipeline(d)'; do
            case $strategy in
            pipeline*) write_program "$strategy" 8 4096 $((size * 64)) ;;
            *) write_program "$strategy" 1024 $((size * 256)) $((8 * HOSTS)) ;;
            esac
            echo "$rate $size $strategy $(predicted) $(measure)" | tee -a "$work/rows" | show
        done
    done
done
awk '
    { error = 100 * ($4 / $5 - 1); size = error < 0 ? -error : error; sum += size; most = size > most ? size : most }
    END { printf "%d runs: mean error %.1f %%, largest %.1f %%\n", NR, sum / NR, most }' "$work/rows"
