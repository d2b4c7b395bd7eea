#!/bin/sh
# pinned.sh [SECONDS]: what pins of single operators add to what the search finds (docs/search.md, "Operators pinned"), at
# most so long for each program (60): a row of bench/results.md each. The GPTs are those of tests/search/run.sh, with the
# usual names and with others; the others are tests/models, on eight A100.
set -eu
cd "$(dirname "$0")/.."
placec=${PLACEC:-build/debug/placec} seconds=${1:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n '/^cat > base.place/,/^END/p' tests/search/run.sh | sed '1d;$d' > "$work/base.place"
for model in vgg16 resnet50 face; do
    sed 's/of cpu/of a100/; /^mesh/d; s/ on ranks/ on box/; s/^    strategy .*/    search over box { least time }/' \
        tests/models/$model.place > "$work/$model.place"
done

# row NAME PROGRAM LINES: with these lines of its search in the place of `least time`.
row() {
    sed "s/least time/with pinned; $3/" "$work/$2.place" > "$work/edited.place"
    "$placec" search "$work/edited.place" --seconds "$seconds" 2> /dev/null |
        awk -v name="$1" '
            /^  found / { with = $2 " " $3 }
            /^  pinned .*less than/ { gain = $2; for (i = 1; i <= NF; i++) if ($i == "the") before = $(i + 1) " " $(i + 2) }
            /^  pinned .*nothing/ { gain = "0"; before = with }
            /^  gap / { gap = $2; bound = $(NF - 1) " " $NF; end = /stopped early/ ? "no" : "yes" }
            /^  looked at/ { programs = $5; took = $(NF - 1) " " $NF }
            /computed over/ { pins++ }
            END { sub(/:$/, "", gap)
                  print "| " name " | " before " | " with " | " gain " | " pins + 0 " | " bound " | " gap " | " programs " | " took " | " end " |" }'
}
own='s/ as wte/ as words/; s/ as attn/ as mixing/; s/ as head/ as classes/
     s/mlp(\(.*\), 4 \* hidden, gelu) as mlp/linear(gelu(linear(\1, 4 * hidden) as wide), hidden) as narrow/'
sed "$own" "$work/base.place" > "$work/own.place"
one='pipeline 1; context 1; replica 1; tensor 4'
echo '| program | without pins | with pins | less | pins | bound | gap | programs | search | to its end |'
echo '|---|---|---|---|---|---|---|---|---|---|'
row 'GPT' base 'pipeline 1; context 1'
row 'GPT, `tensor 4`, `tensor_parallel` alone' base "$one; without vocab, sequence_vocab, sequence_parallel"
row 'GPT with names of its own, `tensor 4`' own "$one; without sequence_vocab, sequence_parallel"
row VGG16 vgg16 'tensor 1'
row ResNet-50 resnet50 'tensor 1'
row 'face head' face 'tensor 1'
