#!/bin/sh
# algorithms.sh: each collective by each of its algorithms (base/algorithm.def), predicted and measured, between HOSTS hosts (4, of one
# rank each) on links of RATES Mbit/s (100 250 1000), for payloads of SIZES KiB (4 64 1024). Measured is the median of TIMES (9) calls,
# until all have it; of ROUNDS (1) rounds, in which the algorithms take turns, the least. The plan's choice is marked, and in the last column
# is how much longer it took than the fastest. LATENCY: of a message, in microseconds, as the plan is to assume it (60).
set -eu
cd "$(dirname "$0")/.."
B=${B:-build/debug} HOSTS=${HOSTS:-4} TIMES=${TIMES:-9} LATENCY=${LATENCY:-60}
work=$(pwd)/$B/bench/algorithms
mkdir -p "$work"
: > "$work/machine.place"
. bench/hosts.sh
make -s "$B/bench/algorithms_predicted" runtime
${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -O2 -DRANKS="$HOSTS" -DNODE=1 -o "$work/repeated" tests/run/repeated.c "$B/libplacert.a" -lcjson -ldl \
    -lpthread -lm
export PLACERT_MPI="$(pwd)/$B/libplacert_mpi.so"
hosts=$(seq -s, -f "$name%g" 0 $((HOSTS - 1)))

# measure CALL ALGORITHM BYTES: seconds.
measure() {
    if [ -n "${PRIORITY:-}" ]; then prefer & fi
    on_first env CALL="$1" ALGORITHM="$2" COUNT=$(($3 / 4)) TIMES="$TIMES" mpirun --allow-run-as-root --bind-to none --host "$hosts" \
        -x CALL -x ALGORITHM -x COUNT -x TIMES -x PLACERT_MPI -np "$HOSTS" "$work/repeated" --quiet 2> "$work/log" | awk '{ print $1 }'
    wait
}

printf '%6s %7s  %-15s %-13s %10s %10s %8s\n' Mbit/s KiB collective by predicted measured error
for rate in ${RATES:-100 250 1000}; do
    shape "$rate"
    for size in ${SIZES:-4 64 1024}; do
        for call in ${CALLS:-all_reduce reduce_scatter all_gather all_to_all broadcast}; do
            "$B/bench/algorithms_predicted" "$HOSTS" "$rate" "$LATENCY" "$call" $((size * 1024)) > "$work/predicted"
            : > "$work/measured"
            for _ in $(seq "${ROUNDS:-1}"); do
                while read -r algorithm seconds chosen; do
                    echo "$algorithm $seconds $(measure "$call" "$algorithm" $((size * 1024)) < /dev/null) $chosen" >> "$work/measured"
                done < "$work/predicted"
            done
            awk -v rate="$rate" -v size="$size" -v call="$call" '
                !($1 in least) { order[++count] = $1; least[$1] = $3 }
                { predicted[$1] = $2; chosen[$1] = $4; if ($3 < least[$1]) least[$1] = $3 }
                END {
                    for (i = 1; i <= count; i++) if (best == 0 || least[order[i]] < best) best = least[order[i]]
                    for (i = 1; i <= count; i++) {
                        a = order[i]
                        printf "%6d %7d  %-15s %-13s %7.2f ms %7.2f ms %+7.1f%%%s\n", rate, size, call, a, 1e3 * predicted[a], 1e3 * least[a],
                            100 * (predicted[a] / least[a] - 1), chosen[a] == "" ? "" : sprintf("  chosen, %+.1f%%", 100 * (least[a] / best - 1))
                    }
                }' "$work/measured" | tee -a "$work/rows"
        done
    done
done
