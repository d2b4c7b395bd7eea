#!/bin/sh
# ladder.sh [PLACEC] [SECONDS]: what `placec search` chooses for three models on 1 to 1,024 devices: docs/ladder.md, and its
# picture docs/ladder.svg. A search takes SECONDS (60) at most; a row that is not exact says how far it may be from it.
placec=${1:-build/debug/placec}
seconds=${2:-60}
cd "$(dirname "$0")/.." || exit 2
. bench/programs.sh
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# write_program DEVICES LAYERS HIDDEN HEADS KV INNER CONTEXT BATCH: models of the Llama kind.
write_program() {
    nodes=$((($1 + 7) / 8))
    node=$(($1 < 8 ? $1 : 8))
    {
        write_llama "$2" "$3" "$4" "$5" "$6" "$7"
        write_train llama "$nodes nodes of $node h100 within nvlink between infiniband 400 Gbit/s" "$8"
    } > "$work/program.place"
}

# One line per search: model | devices | step | memory | gap | mesh | strategy | microbatches | the next best | the fastest
# that does not fit, with what it has instead, what it does to need less memory.
row_of() {
    awk -v model="$1" -v devices="$2" '
        function text() { sub(/^[^:]*:[ \t]*"/, ""); sub(/",?$/, ""); return $0 }
        function number() { sub(/^[^:]*:[ \t]*/, ""); sub(/,$/, ""); return $0 + 0 }
        function seconds(s) { return s < 1 ? sprintf("%.0f ms", 1000 * s) : sprintf("%.3g s", s) }
        /"saved":/ { lost = 0; saved = 1 }
        /"what":/ && steps++ > 0 { saving = saving (saving == "" ? "" : "; ") text() }
        /"step_s":/ && !lost && !saved { step = number(); next }
        /"total":/ && memory == "" { memory = number() }
        /"strategy":/ { strategy = text() }
        /"microbatches":/ { micro = number() }
        /"program":/ { mesh = $0; sub(/.*mesh [a-z]* on pod \{ /, "", mesh); sub(/ \}.*/, "", mesh) }
        /"gap":/ { gap = number() }
        /"lost":/ { lost = 1 }
        /"instead":/ { instead = text() }
        lost && /"step_s":/ { time = number() }
        lost && /"fits":[ \t]*true/ && (next_best == "" || time < next_s) { next_best = instead; next_s = time }
        lost && /"fits":[ \t]*false/ && (large == "" || time < large_s) { large = instead; large_s = time }
        least == "" && match($0, /needs [0-9.]+ [GT]iB/) { least = substr($0, RSTART, RLENGTH) }
        END {
            if (strategy == "")
                printf "%s|%d|-|-|-|-|%s|-|-|-|-\n", model, devices,
                    least != "" ? "nothing fits: the least " least : "nothing found in time"
            else
                printf "%s|%d|%s|%.1f GiB|%.1f%%|%s|`%s`|%d|%s|%s|%s\n", model, devices, seconds(step), memory / 2 ^ 30, 100 * gap, mesh, strategy, micro,
                    next_best == "" ? "-" : next_best ", " seconds(next_s), large == "" ? "-" : large ", " seconds(large_s), saving == "" ? "-" : saving
        }'
}

search_model() {
    name=$1
    shift
    for devices in 1 2 4 8 16 32 64 128 256 512 1024; do
        write_program "$devices" "$@"
        "$placec" search "$work/program.place" --seconds "$seconds" --json 2>&1 | row_of "$name" "$devices" >> "$work/rows"
    done
}

search_model 7B 32 4096 32 8 14336 8192 512
search_model 70B 80 8192 64 8 28672 8192 512
search_model 405B 126 16384 128 8 53248 8192 512

{
    cat << 'END'
# The ladder: one model on 1 to 1,024 devices

What `placec search` chooses (`docs/search.md`) for models of the Llama kind with 8,192 tokens of
context, 512 examples a step, in bf16 with a master copy in f32, on nodes of eight H100 with NVLink
within and 400 Gbit/s between them. The time is what `docs/cost.md` predicts; the strategy is proved
right. `next` is the best of the strategies that change one choice of it, `too large` the fastest of
those that need more memory than there is, and the last column what is done to need less, as
`saving` and `offload` say it. Rows with a gap were stopped early, and nothing in the space is
better by more than that.

Where even the least memory is too much, more devices are the only way. Just above that, memory
decides: recomputing values, and having values and states on the host, of as few layers as it takes,
buy it with time, and the layers are divided (`tensor` within a node, `context`, `pipeline`) only as
far as is needed to fit. With more devices the states are sharded over `data`, and little or nothing
has to be recomputed: what is left to choose is which ranks talk least; from there on the batch is
divided further, until each rank has so few examples that dividing layers costs less.

`bench/ladder.sh` writes this page and its picture.

![degrees](ladder.svg)
END
    awk -F '|' '
        $1 != model {
            model = $1
            printf "\n## %s\n\n| devices | a step | memory | gap | mesh | strategy | microbatches | next | too large | to need less memory |\n", model
            print "|---|---|---|---|---|---|---|---|---|---|"
        }
        { printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 }' "$work/rows"
} > "$work/ladder.md"

awk -f bench/picture.awk -f bench/ladder.awk "$work/rows" > "$work/ladder.svg"
cp "$work/ladder.md" "$work/ladder.svg" docs/
