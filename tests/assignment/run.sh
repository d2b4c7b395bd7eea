#!/bin/sh
# run.sh DIR [--bless]: what `--dump=assignment` prints compiles to the step program of the original, but for comments:
# of the examples, of the programs in cases, whose strategies are printed as NAME.strategy there shows (--bless rewrites
# these), of every strategy of the prelude with every other, of random programs and strategies, and of
# statements that tests/statements draws. DIR is the build directory; programs of pairs stay below DIR/assignment.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
. tests/strategies.sh
scratch
here=tests/assignment
PLACEC=$1/placec
find_compiler
trips=$1/trips
pairs=$1/assignment

# ---- Programs by hand ------------------------------------------------------------------------------------------------

# assigned FILE: the strategy that is printed for it.
assigned() {
    "$PLACEC" check "$1" --dump=assignment 2> "$log" | sed '1,/^train/d' | sed -n '/^strategy/,$p'
}

# as_shown CASE: its strategy is the one in CASE.strategy.
as_shown() {
    assigned "$here/cases/$1.place" > "$work/printed"
    if [ "${2:-}" = --bless ]; then
        cp "$work/printed" "$here/cases/$1.strategy"
    fi
    diff "$here/cases/$1.strategy" "$work/printed" > "$log" 2>&1
}

for case in "$here"/cases/*.place; do
    name=$(basename "$case" .place)
    as_shown "$name" "${2:-}"
    judge "the strategy of $case" $?
done

# A program that the proof refuses is printed, too, with its errors.
sed 's/sync loss  *: sum/sync loss : mean/' $here/cases/syncs.place > "$work/wrong.place"
assigned "$work/wrong.place" > "$work/printed"
if grep -q 'error\[P0315\]' "$log" && grep -q 'sync loss  *: mean over d, r' "$work/printed"; then
    good
else
    bad_log 'a refused program' 'not printed with its errors'
fi

# ---- Pairs of the prelude's strategies -------------------------------------------------------------------------------

variants='tensor_parallel(b,vocab=true) tensor_parallel(b,sequence_parallel=true) selective offload(optimizer,tier=file)
    offload_activations(block,tier=file) recompute(block[0..5]) pipeline(b,schedule=gpipe)
    pipeline(b,schedule=interleaved,chunks=2) hsdp(a,b)'
count=0

# pair MESH DEVICES STRATEGY: a program for trips.
pair() {
    count=$((count + 1))
    program "$1" "$2" "$3" > "$pairs/$count.place"
}

# Each of $of_rows over a, with the others over b and over a, with all that have no axis, and with variants.
transformers() {
    for first in $of_rows; do
        pair 'a: 2' 2 "$first(a)"
        for second in $of_rows; do
            pair 'a: 2, b: 3' 6 "$first(a) * $second(b)"
            pair 'a: 2' 2 "$first(a) * $second(a)"
        done
        for second in $no_axis $variants; do
            pair 'a: 2, b: 3' 6 "$first(a) * $second"
        done
    done
}

images() {
    for first in $of_images; do
        for second in $of_images; do
            pair 'a: 2, b: 3' 6 "$first(a) * $second(b)"
        done
    done
}

# A setting after the strategy on its line, and no end of the last line.
printf %s "$(sed 's/^    strategy .*/&; seed 2/' $here/cases/stages.place)" > "$work/unended.place"

rm -rf "$pairs"
mkdir -p "$pairs"
set -f
model=$(echo "$transformer" | sed 's/layers = 3/layers = 12/')
transformers
model=$images
images
set +f

# ---- Round trips -----------------------------------------------------------------------------------------------------

mkdir "$work/drawn"
for number in $(seq 100); do
    awk -v seed=1 -v number="$number" -v out="$work/drawn" -f tests/statements/draw.awk
done
later "examples and cases" "$trips" examples/*.place $here/cases/*.place "$work/unended.place"
later "pairs" "$trips" "$pairs"/*.place
later "random programs" "$trips" --programs 200 --seed 1
later "random strategies" "$trips" --strategies 60 --seed 1
later "statements" "$trips" "$work"/drawn/*.place
run_later add_suite
finish_suite
