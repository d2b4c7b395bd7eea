#!/bin/sh
# run.sh DIR: every choice of the deriver, pinned alone and with others, in the programs of tests/pins/inputs; what verbs
# answer about pins; what copies cost. DIR is the build directory.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
PLACEC=$1/placec SIM=$1/sim/sim
find_compiler
gpt=tests/pins/inputs/gpt.place
pinned=tests/assignment/cases/pins.place

# ---- Verbs -----------------------------------------------------------------------------------------------------------

# says NAME TEXT COMMAND...: what it prints has the text.
says() {
    title=$1 text=$2
    shift 2
    "$@" > "$log" 2>&1 < /dev/null
    grep -qF -- "$text" "$log"
    judge "$title" $?
}

says 'why of what is pinned' 'over u it is computed by heads: asked for here (tests/assignment/cases/pins.place:20)' \
    "$PLACEC" why $pinned block.attn.mixed
says 'why-not of a pin' 'activations of *.scores computed over t by context of block.attn.query  ' \
    "$PLACEC" why-not $gpt 'activations of *.scores computed over t by context of block.attn.query'
says 'why-not of what is not possible' "'block.attn.scores' is computed from no dim 'vocab'" \
    "$PLACEC" why-not $gpt 'activations of *.scores computed over t by vocab'
says 'why of a copy' 'block.norm1: this copy is kept until the use: asked for here (tests/assignment/cases/copies.place:' \
    "$PLACEC" why tests/assignment/cases/copies.place block.attn
says 'why-not of a copy' 'activations of block.norm2 converted over t kept until step  ' \
    "$PLACEC" why-not $gpt 'activations of block.norm2 converted over t kept until step'
says 'why-not of no copy' "no copy of 'block.norm2' is made over 'd'" \
    "$PLACEC" why-not $gpt 'activations of block.norm2 converted over d kept until step'
refused 'explain' 0 'a way to compute a value that is not possible' "$PLACEC" explain P0322
sed 's/ computed over / computed  over  /; s/ from / from   /; s/ in parts/  in   parts/' $pinned > "$work/loose.place"
expect 'fmt' "$PLACEC" fmt "$work/loose.place"
expect 'fmt, the same text' diff $pinned "$work/loose.place"

# ---- What copies cost ------------------------------------------------------------------------------------------------

# A microbatch has 4 examples of 64 rows of 64 numbers: 64 KiB, of which a rank has half and is sent half, in each of 2
# microbatches and each layer.
half=32768

# kept LAYERS STATEMENT: a program with it.
kept() {
    sed "s/layers = 4/layers = $1/" tests/pins/measured/inputs/kept.place |
        awk -v statement="$2" '/^    strategy / { print $0 " * copies(t)"; next } { print }
            END { print "strategy copies(t: axis) {\n    " statement "\n}" }' > "$work/kept.place"
}

# activations; sent VALUE: of the program's plan, in bytes.
activations() { "$PLACEC" plan "$work/kept.place" --json | awk '/"activations":/ { print $2 + 0; exit }'; }
sent() {
    "$PLACEC" plan "$work/kept.place" --json | awk -v state="\"$1" '
        /"communication":/ && ++lists > 1 { exit } # the rest are those of classes of ranks
        /"state":/ { is = index($2, state) == 1 }
        is && /"bytes_per_device":/ { sum += $2 }
        END { print sum + 0 }'
}

# Kept for the step, every layer has the whole, and needs no shard; the backward pass sends nothing.
for layers in 4 8; do
    for until in pass step; do
        kept $layers "activations of block.norm2 converted over t kept until $until"
        eval "memory_$until=$(activations) sent_$until=$(sent block.norm2.gathered)"
    done
    # shellcheck disable=SC2154
    expect "the memory of $layers copies" test $((memory_step - memory_pass)) -eq $((layers * half))
    expect "the gathers of $layers copies" test "$sent_pass $sent_step" = "$((4 * layers * half)) $((2 * layers * half))"
done

# Three products read the first norm forward, and three gradients backward.
kept 4 'activations of block.norm1 converted over t kept until use'
expect 'a gather for every reader' test "$(sent block.norm1.gathered)" -eq $((6 * 2 * 4 * half))

# A value that all layers read is gathered in each, or at once, before them.
memory='memory = linear(x, hidden) as memory'
for at in use once; do
    kept 4 "parameters of *.look sharded over t by out\n    activations of memory converted over t at $at"
    sed "s/^    repeat/    $memory\n&/; s/^        x = x + mlp/        x = x + relu(linear(memory, hidden) as look)\n&/" \
        "$work/kept.place" > "$work/memory.place"
    mv "$work/memory.place" "$work/kept.place"
    eval "sent_$at=$(sent memory.gathered)"
done
# shellcheck disable=SC2154
expect 'a gather before layers' test "$sent_use $sent_once" = "$((4 * 2 * half)) $((2 * half))"

# Of 1024 B a rank has a quarter, and for the first reader it sends 256 B. The next one needs all: from that copy 512 B
# are sent, from the shards it would be 768 B.
cp tests/pins/measured/inputs/two.place "$work/kept.place"
expect 'from a copy over one axis' test "$(sent one.gathered)" -eq 768

# What layers pass on is converted for a later reader at its use, or as the first thing of each layer.
first_of_layers() { "$PLACEC" "$1" --dump=choices | awk '$1 == "step" && $2 == "block[0..1]" { print $3, $4; exit }'; }
for at in use once; do
    sed "s/at use/at $at/" tests/pins/measured/inputs/passed.place > "$work/passed.$at.place"
    expect "passed on, at $at" "$PLACEC" check "$work/passed.$at.place"
done
expect 'the first of layers, at use' test "$(first_of_layers "$work/passed.use.place")" = 'relu abc->abc'
expect 'the first of layers, at once' test "$(first_of_layers "$work/passed.once.place")" = 'at once'

# A ring sends what a collective does, shard by shard.
kept 4 'activations of block[0].mlp.product converted over t by ring'
expect 'a sum that travels in one layer' test "$(sent block.mlp.product)" -eq $((2 * 4 * half))
says 'it travels' 'permute         t              block.mlp.product            message        2     32.0 KiB     64.0 KiB' \
    "$PLACEC" plan "$work/kept.place"

# Kept in half of the layers.
kept 4 'activations of block[1..2].norm2 converted over t kept until step'
expect 'gathers of some layers' test "$(sent block.norm2.gathered)" -eq $((2 * (2 + 2 * 2) * half))

# ---- Every choice ----------------------------------------------------------------------------------------------------

mkdir "$work/alone" "$work/proved"
for part in ${PINS:-0/7 2/7 3/7 5/7}; do # all: 0/2 1/2
    later "pins $part" "$1/every" tests/pins/inputs/*.place --part $part --write "$work/alone"
done
later "several pins" "$1/every" tests/pins/inputs/*.place --several 100 --seed 1 --write "$work/proved"
run_later add_suite

# ---- What is proved computes what one device does ----------------------------------------------------------------------

# simulated FILE
simulated() {
    "$PLACEC" check "$1" --dump=step > "$1.step" && "$SIM" "$1.step"
}

of_copies=$(grep -l ' converted ' "$work"/alone/*0.place "$work"/alone/*5.place)
for program in "$work"/proved/*0.place "$work"/proved/*5.place $of_copies; do
    case $program in */serve.*) continue ;; esac # the simulator runs the step of a training program
    expect "$(tail -n 4 "$program")" simulated "$program"
done
finish_suite
