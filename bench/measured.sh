#!/bin/sh
# measured.sh [CLUSTER.place]: predicted steps next to measured ones, of 2 ranks on this machine (bench/measured/runs.txt).
# CLUSTER.place is what `placec calibrate` wrote; without it this machine is calibrated first. A run is measured ROUNDS times
# (3), STEPS steps each (12, of which the first two are left out); its time is the fastest step, since other work only slows
# steps down, and next to it the median. The load is that of /proc/loadavg before the run,
# which the runs before it are part of.
set -eu
cd "$(dirname "$0")/.."
bench=measured STEPS=${STEPS:-12}
. bench/machine.sh

# write_program NAME MODEL MESH STRATEGY BATCH OPTIMIZER
write_program() {
    cat > "$work/$1.place" << END
place 1
import "machine.place"
import "$(pwd)/bench/measured/models.place"
mesh pair on machine { $3 }
train $2 on pair {
    strategy  $4
    optimizer $6
    data      synthetic
    batch     $5
    steps     1000
}
END
}

number=0
grep -v '^#' bench/measured/runs.txt | while IFS='|' read -r name model mesh strategy batch optimizer; do
    number=$((number + 1)) file=run$number
    case " ${ONLY:-$number} " in *" $number "*) ;; *) continue ;; esac
    write_program "$file" "$model" "$mesh" "$strategy" "$batch" "$optimizer"
    predicted=$("$placec" plan --json "$work/$file.place" | sed -n 's/.*"step_s":[[:space:]]*\([0-9.e+-]*\).*/\1/p')
    "$placec" build "$work/$file.place" -o "$work/$file" > /dev/null
    load=$(cut -d ' ' -f 1 /proc/loadavg)
    measured=$(for _ in $(seq "${ROUNDS:-3}"); do steps_of "$file"; done | sort -g | awk '{ v[NR] = $1 } END { print v[1] "|" v[int((NR + 1) / 2)] }')
    printf '%s|%s|%s|%s|%s\n' "$name" "$model" "${predicted:-0}" "$measured" "$load"
done | awk -F '|' '
    BEGIN { printf "%-26s %-9s %10s %10s %8s %10s %6s\n", "strategy", "model", "predicted", "measured", "error", "median", "load" }
    {
        gsub(/^ +| +$/, "", $1); gsub(/ /, "", $2)
        error = 100 * ($3 / $4 - 1); size = error < 0 ? -error : error; sum += size
        if (size > most) most = size
        printf "%-26s %-9s %7.1f ms %7.1f ms %+7.1f%% %7.1f ms %6s\n", $1, $2, 1e3 * $3, 1e3 * $4, error, 1e3 * $5, $6
        fflush()
    }
    END { printf "%d runs: mean error %.1f %%, largest %.1f %%\n", NR, sum / NR, most }'
