#!/bin/sh
# heads.sh [CLUSTER.place]: the strategies of DistPar run, and what they take is compared with what was predicted: on 2 and 4 hosts
# of one rank each (HOSTS_LIST), with links of RATE Mbit/s (50), a head of face recognition for several numbers of classes
# (CLASSES) and BATCH examples (512), and LeNet with 64. Elements are those that DistPar counts as sent; times are `placec plan`'s
# and measured ones. Programs take turns, ROUNDS times (2; once, if a step takes more than ten seconds), for as many steps each as
# take ten seconds, but 3 to 20, of which the first two are left out. A measured time is the least of the turns' medians: other work
# only slows turns down, but within one a rank that is late in one step is early in the next. CLUSTER.place is what `placec
# calibrate` wrote; without it this machine is calibrated first. The tables are written between their marks in docs/distpar.md and
# bench/results.md, with docs/distpar-runs.svg. Needs root, and make bench-distpar.
set -eu
cd "$(dirname "$0")/.."
bench=heads BATCH=${BATCH:-512} RATE=${RATE:-50} HOSTS=4
: "${DISTPAR:=build/debug/bench/distpar_tables}"
. bench/machine.sh
. bench/hosts.sh
. bench/marks.sh
shape "$RATE"

${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -o "$work/make_patterns" tests/models/patterns.c -lm
for side in 8 32; do
    mkdir -p "$work/$side"
    "$work/make_patterns" "$work/$side" 1 $side 2000 10
done

# write_program NAME MODEL STRATEGY BATCH SIDE: trained on images of SIDE x SIDE of ten classes, since nothing but the time of a
# step matters, and made up labels of many classes would take long to make.
write_program() {
    cat > "$work/$1.place" << EOF
place 1
import "machine.place"
import "$(pwd)/bench/distpar/runs.place"
mesh hosts on machine { d: $HOSTS }
train $2 on hosts {
    strategy  $3
    optimizer momentum(rate = 1e-3)
    data      images "$work/$5/images" labels "$work/$5/labels"
    batch     $4
    steps     1000
}
EOF
}

predicted() { "$placec" plan --json "$work/$1.place" | sed -n 's/.*"step_s":[[:space:]]*\([0-9.e+-]*\).*/\1/p' | head -n 1; }

median='{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'

# measure NAME...: "PREDICTED MEASURED" of each program, in seconds, on one line.
measure() {
    for run in "$@"; do
        "$placec" build "$work/$run.place" -o "$work/$run" > /dev/null
        predicted "$run" > "$work/$run.predicted"
        : > "$work/$run.medians"
    done
    STEPS=$(awk '{ steps = int(10 / $1); print (steps < 3 ? 3 : steps > 20 ? 20 : steps) }' "$work/$1.predicted")
    rounds=$(awk -v rounds="${ROUNDS:-2}" '{ print ($1 > 10 ? 1 : rounds) }' "$work/$1.predicted")
    for _ in $(seq "$rounds"); do
        for run in "$@"; do
            steps_of "$run" > "$work/$run.steps"
            sort -g "$work/$run.steps" | awk "$median" >> "$work/$run.medians"
        done
    done
    for run in "$@"; do echo "$(cat "$work/$run.predicted") $(sort -g "$work/$run.medians" | head -n 1)"; done | paste -s -d ' '
}

rm -f "$work"/heads.[0-9]* "$work"/lenet.[0-9]*
for HOSTS in ${HOSTS_LIST:-2 4}; do
    connect "$RATE"
    for classes in ${CLASSES:-100 300 500 700 1000 10000 100000}; do
        write_program data "face(classes = $classes)" 'data_parallel(d)' "$BATCH" 8
        write_program split "face(classes = $classes)" 'split_classes(d)' "$BATCH" 8
        sent=$("$DISTPAR" head "$classes" "$HOSTS" "$BATCH")
        times=$(measure data split)
        echo "$HOSTS $classes $sent $times" | tee -a "$work/heads.$HOSTS"
    done
    for case in 'DDDDD data_parallel(d)' 'DDDDC split_classes(d)' 'DDRDD split_rows(d)'; do
        write_program "${case%% *}" lenet "${case#* }" 64 32
    done
    times="$(measure DDDDD DDDDC DDRDD) "
    for letters in DDDDD DDDDC DDRDD; do
        sent=$("$DISTPAR" plan LeNet-5 $letters "$HOSTS" 64)
        echo "$HOSTS $letters $sent ${times%"${times#* * }"}" | tee -a "$work/lenet.$HOSTS"
        times=${times#* * }
    done
done

# The numbers of classes where the two are equal are between two rows, on lines in logarithms.
cat "$work"/heads.[0-9]* | awk '
    function digits(number) { return sprintf(number < 100 ? "%.3g" : "%.0f", number) }
    function pair(whole, parts, unit) {
        return sprintf(whole <= parts ? " **%s**, %s |" : " %s, **%s** |", digits(whole * unit), digits(parts * unit))
    }
    function note(column, whole, parts) {
        ratio = log(whole / parts)
        if (column in last && last[column] <= 0 && ratio > 0)
            from[column] = sprintf("%.0f", exp(log(before) + log($2 / before) * last[column] / (last[column] - ratio)))
        else if (!(column in last))
            from[column] = ratio > 0 ? "below " $2 : "-"
        last[column] = ratio
    }
    function finish() { if (hosts != "") printf "| %s | split from | %s | %s | %s |\n", hosts, from[1], from[2], from[3] }
    BEGIN { print "| hosts | classes | sent, millions: data, split | predicted, ms: data, split | measured, ms: data, split |\n|---|---|---|---|---|" }
    $1 != hosts { finish(); hosts = $1; split("", last) }
    {
        printf "| %s | %s |%s%s%s\n", $1, $2, pair($3, $4, 1e-6), pair($5, $7, 1e3), pair($6, $8, 1e3)
        note(1, $3, $4); note(2, $5, $7); note(3, $6, $8)
        before = $2
    }
    END { finish() }' > "$work/heads.table"
cat "$work"/lenet.[0-9]* | awk '
    BEGIN { print "| hosts | layers | sent, millions | predicted, ms | measured, ms |\n|---|---|---|---|---|" }
    { printf "| %s | %s | %.3f | %.3g | %.3g |\n", $1, $2, $3 / 1e6, 1e3 * $4, 1e3 * $5 }' > "$work/lenet.table"
for page in docs/distpar.md bench/results.md; do
    replace_marked $page runs "$work/heads.table"
    replace_marked $page lenet "$work/lenet.table"
done
cat "$work"/heads.[0-9]* | awk -f bench/picture.awk -f bench/distpar/runs.awk > docs/distpar-runs.svg
