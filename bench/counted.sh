#!/bin/sh
# counted.sh COLLECTION: how many published steps on A100, H100, H800, H200 and B200 a collection (a YAML list of runs with `id`,
# `kind` and the cluster's `gpu`) has, how many of them are scored (bench/published.txt), and how many are not, by reason
# (bench/unscored.txt). A run that is in neither file, or in both, or not in the collection, is an error.
here=$(dirname "$0")
[ -r "$1" ] || { echo "usage: counted.sh COLLECTION" >&2; exit 64; }
awk '
    # trim(TEXT): without blanks around it.
    function trim(text) { gsub(/^ +| +$/, "", text); return text }
    # note_run(): what was read of a run, if it is a step on such a device.
    function note_run() {
        if (kind ~ /^(throughput|iteration_time)$/ && device ~ /^(A100|H[128]00|B200)/) steps[run] = substr(device, 1, 4)
        kind = device = ""
    }
    /^#/ { next }
    FILENAME == ARGV[1] { if (split($0, column, "|") >= 9) scored[trim(column[9])]++; next }
    FILENAME == ARGV[2] { split($0, column, "|"); reason[trim(column[1])] = trim(column[2]); next }
    /^- id:/ { note_run(); run = $3 }
    /^  kind:/ { kind = $2 }
    /^    gpu:/ { device = $2 }
    END {
        note_run()
        for (run in steps) {
            all++
            if (run in scored) { was_scored++; by_device[steps[run]]++ }
            if (run in reason) because[reason[run] ", " steps[run]]++
            if ((run in scored) == (run in reason)) { print run ": in neither file, or in both"; wrong = 1 }
        }
        for (run in scored) if (scored[run] > 1) { print run ": scored twice"; wrong = 1 }
        for (run in scored) if (!(run in steps)) { print run ": scored, but not in the collection"; wrong = 1 }
        for (run in reason) if (!(run in steps)) { print run ": not scored, and not in the collection"; wrong = 1 }
        printf "%d steps, %d scored\n", all, was_scored
        for (device in by_device) printf "  scored, %s: %d\n", device, by_device[device] | "sort"
        for (why in because) printf "  not scored, %s: %d\n", why, because[why] | "sort"
        exit wrong
    }' "$here/published.txt" "$here/unscored.txt" "$1"
