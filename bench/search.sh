#!/bin/sh
# search.sh [PLACEC]: the seconds and memory that `placec search` takes on one core for GPT-3 175B and Llama 3.1 405B on 1,024
# and 16,384 devices: of everything, and of placements and factorisations alone. ROUNDS (3) runs of each, the median one; ONLY
# is a pattern of the rows to run. For bench/results.md.
placec=${1:-build/debug/placec}
cd "$(dirname "$0")/.." || exit 2
. bench/programs.sh
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

placements='without selective, recompute, by_value, values_on_host, offload, gpipe; memory at most 100000 GiB; microbatches 8'

# gpt3 NODES SEARCH: on A100 nodes of eight.
gpt3() {
    write_gpt3
    write_train gpt "$1 nodes of 8 a100 within nvlink between infiniband 200 Gbit/s" 1536 "$2"
}

# llama NODES CONTEXT BATCH SEARCH: on H100 nodes of eight.
llama() {
    write_llama 126 16384 128 8 53248 "$2"
    write_train llama "$1 nodes of 8 h100 within nvlink between infiniband 400 Gbit/s" "$3" "$4"
}

# seconds NAME: of the program on stdin, one row: user and system seconds of the run in the middle, MB, gap, what was found.
seconds() {
    cat > "$work/program.place"
    case $1 in ${ONLY:-*}) ;; *) return ;; esac
    for _ in $(seq "${ROUNDS:-3}"); do
        /usr/bin/time -f '%U %S %M' -o "$work/time" taskset -c 0 "$placec" search --json "$work/program.place" \
            > "$work/found.json" 2> "$work/progress" || cat "$work/progress"
        cat "$work/time"
    done | sort -n | awk -v name="$1" -v found="$work/found.json" '
        { user[NR] = $1; system_s[NR] = $2; kb[NR] = $3 }
        END {
            middle = int((NR + 1) / 2)
            while ((getline line < found) > 0) {
                if (line ~ /"gap":/ && gap == "") { gap = line; sub(/[^:]*: */, "", gap); sub(/,$/, "", gap) }
                if (line ~ /"costed":/) { programs = line; sub(/[^:]*:[ \t]*/, "", programs); sub(/,$/, "", programs) }
                if (line ~ /"step_s":/ && step == "") { step = line; sub(/[^:]*:[ \t]*/, "", step); sub(/,$/, "", step) }
            }
            printf "%-44s %6.2f s + %4.2f s %5.0f MB   gap %-8.3g %5d programs   step %.4g s\n", name, user[middle], system_s[middle],
                kb[middle] / 1000, gap, programs, step
        }'
}

gpt3 128 "$placements" | seconds 'placements, GPT-3, 1024'
gpt3 2048 "$placements" | seconds 'placements, GPT-3, 16384'
llama 128 8192 2048 "$placements" | seconds 'placements, Llama 8192 tokens, 1024'
llama 2048 131072 128 "$placements" | seconds 'placements, Llama 131072 tokens, 16384'
gpt3 128 '' | seconds 'everything, GPT-3, 1024'
gpt3 2048 '' | seconds 'everything, GPT-3, 16384'
llama 128 8192 2048 '' | seconds 'everything, Llama 8192 tokens, 1024'
llama 2048 131072 128 '' | seconds 'everything, Llama 131072 tokens, 16384'
