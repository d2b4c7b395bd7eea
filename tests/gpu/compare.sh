#!/bin/sh
# compare.sh DIRECTORY [JOBS [STEPS]]: runs every program below DIRECTORY, JOBS at a time, each of its kernels on a GPU, too
# (runtime/device_compared.c). Nothing but the programs and their kernels.ptx is needed. A case is a kernel. The rows are
# left in DIRECTORY/kernels: launches, elements that are wrong and other bytes that changed, the largest
# deviation in units of its rounding, and of the largest launch its bytes, time and rate.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
directory=$1 jobs=${2:-4} steps=${3:-2}
rows=$directory/rows
rm -f "$rows"

# What is printed is shown only if the program failed.
find "$directory" -name program | sort >"$work/programs"
xargs -P "$jobs" -I PROGRAM sh -c '
    PLACERT_DEVICE=compared PLACERT_COMPARED=$1 timeout 300 PROGRAM --steps "$2" --quiet >"$3/$$" 2>&1 ||
        { echo "FAIL PROGRAM"; tail -n 5 "$3/$$"; echo "PROGRAM" >>"$3/failed"; }
    rm -f "$3/$$"' sh "$rows" "$steps" "$work" <"$work/programs"
programs=$(wc -l <"$work/programs") lost=0
[ ! -f "$work/failed" ] || lost=$(wc -l <"$work/failed")
[ "$lost" -eq 0 ] || bad 'programs' "$lost of $programs did not run"

awk '
    {
        launches[$1] += $3; wrong[$1] += $5; stray[$1] += $7
        if ($9 == "inf" || $9 + 0 > units[$1]) units[$1] = $9
        if ($11 > bytes[$1] || $11 == bytes[$1] && $13 < seconds[$1]) { bytes[$1] = $11; seconds[$1] = $13 }
    }
    END {
        for (k in launches)
            printf "%-60s %6d launches %4d wrong %4d stray %9.3g u %10d bytes %8.1f us %6.0f GB/s\n", k, launches[k],
                wrong[k], stray[k], units[k], bytes[k], 1e6 * seconds[k], (seconds[k] > 0 ? bytes[k] / seconds[k] / 1e9 : 0)
    }' "$rows" | sort >"$directory/kernels"
while read -r kernel launches _ wrong _ stray _ rest; do
    if [ "$wrong" -eq 0 ] && [ "$stray" -eq 0 ]; then
        good
    else
        bad "$kernel" "of $launches launches, $wrong elements wrong, $stray other bytes changed: $rest"
    fi
done <"$directory/kernels"
echo "$programs programs, $passed kernels good"
finish_suite
