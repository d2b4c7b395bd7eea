#!/bin/sh
# picked.sh [CLUSTER.place]: is the strategy that `placec search` picks the fastest? For models of bench/measured, on 2 ranks of
# this machine: that strategy and those of bench/measured/others.txt are built and take turns, ROUNDS times (5), STEPS steps each
# (10, of which the first two are left out). Shown are predicted, fastest and median steps, and how much longer the picked one takes
# than the fastest of the others. CLUSTER.place is what `placec calibrate` wrote; without it this machine is calibrated first.
# With RATE the two ranks are on two hosts (hosts.sh), on a link of so many Mbit/s, and the others are those of linked.txt.
set -eu
cd "$(dirname "$0")/.."
bench=picked STEPS=${STEPS:-10}
. bench/machine.sh
others=bench/measured/others.txt
if [ -n "${RATE:-}" ]; then
    HOSTS=2 others=bench/measured/linked.txt
    . bench/hosts.sh
    shape "$RATE"
    connect "$RATE"
fi

# write_program NAME MODEL ON STRATEGY BATCH [MESH]: trained on a mesh that MESH is the line of, or on the cluster.
write_program() {
    cat > "$work/$1.place" << END
place 1
import "machine.place"
import "$(pwd)/bench/measured/models.place"
${6:-}
train $2 on $3 {
    $4
    optimizer adamw(rate = 1e-3)
    data      synthetic
    batch     $5
    steps     1000
}
END
}

# predicted NAME: seconds.
predicted() { "$placec" plan --json "$work/$1.place" | sed -n 's/.*"step_s":[[:space:]]*\([0-9.e+-]*\).*/\1/p' | head -n 1; }

for model in ${MODELS:-gpt llama tower}; do
    write_program searched "$model" machine 'search over machine { }' 16
    "$placec" search "$work/searched.place" -o "$work/run0.place" > "$work/answer"
    echo "$model: picked $(sed -n 's/^  strategy //p' "$work/answer" | head -n 1) on $(sed -n 's/^  mesh [a-z]* on machine //p' "$work/answer" | head -n 1)"
    grep -v '^#' "$others" > "$work/others"
    count=0
    while IFS='|' read -r mesh strategy micro; do
        [ "$model" != tower ] || case "$strategy" in *ulysses*|*context_parallel*|*megatron*|*sequence*) continue ;; esac
        count=$((count + 1))
        write_program "run$count" "$model" pair "strategy $strategy" "16 in $((micro)) microbatches" "mesh pair on machine { $mesh }"
        echo "$strategy, $((micro)) microbatches" | sed "s/  *, /, /; s/, 1 microbatches//" > "$work/run$count.name"
    done < "$work/others"
    echo picked > "$work/run0.name"
    rm -f "$work"/run*.steps
    for run in $(seq 0 "$count"); do
        "$placec" build "$work/run$run.place" -o "$work/run$run" > /dev/null
        predicted "run$run" > "$work/run$run.predicted"
    done
    for _ in $(seq "${ROUNDS:-5}"); do
        for run in $(seq 0 "$count"); do steps_of "run$run" >> "$work/run$run.steps"; done
    done
    for run in $(seq 0 "$count"); do
        sort -g "$work/run$run.steps" | awk -v name="$(cat "$work/run$run.name")" -v predicted="$(cat "$work/run$run.predicted")" '
            { v[NR] = $1 } END { printf "%s|%s|%s|%s\n", name, predicted, v[1], v[int((NR + 1) / 2)] }'
    done | awk -F '|' '
        {
            gsub(/^ +| +$/, "", $1)
            printf "  %-66s predicted %7.1f ms, fastest %7.1f ms, median %7.1f ms\n", $1, 1e3 * $2, 1e3 * $3, 1e3 * $4
            if (NR == 1) { fast = $3; middle = $4 }
            else { if (best == "" || $3 < best) best = $3; if (half == "" || $4 < half) half = $4 }
        }
        END { printf "  picked against the fastest other: fastest step %+.1f %%, median %+.1f %%\n", 100 * (fast / best - 1), 100 * (middle / half - 1) }'
done
