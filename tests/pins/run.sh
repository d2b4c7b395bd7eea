#!/bin/sh
# run.sh DIR: every choice of the deriver, pinned alone and with others, in the programs of tests/pins/inputs; what verbs
# answer about pins. DIR is the build directory.
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
refused 'explain' 0 'a way to compute a value that is not possible' "$PLACEC" explain P0322
sed 's/ computed over / computed  over  /; s/ from / from   /; s/ in parts/  in   parts/' $pinned > "$work/loose.place"
expect 'fmt' "$PLACEC" fmt "$work/loose.place"
expect 'fmt, the same text' diff $pinned "$work/loose.place"

# ---- Every choice ----------------------------------------------------------------------------------------------------

for part in 0/4 1/4 2/4 3/4; do
    later "pins $part" "$1/every" tests/pins/inputs/*.place --part $part
done
mkdir "$work/proved"
later "several pins" "$1/every" tests/pins/inputs/*.place --several 100 --seed 1 --write "$work/proved"
run_later add_suite

# ---- What is proved computes what one device does ----------------------------------------------------------------------

# simulated FILE
simulated() {
    "$PLACEC" check "$1" --dump=step > "$1.step" && "$SIM" "$1.step"
}

for program in "$work"/proved/*0.place "$work"/proved/*5.place; do
    case $program in */serve.*) continue ;; esac # the simulator runs the step of a training program
    expect "$(tail -n 4 "$program")" simulated "$program"
done
finish_suite
