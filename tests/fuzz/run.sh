#!/bin/sh
# run.sh FOLDER SECONDS SEED...: fuzzes the parser in FOLDER; an input that fails stays there.
. tests/suite.sh
cd "$1" || exit 2
seconds=$2
shift 2
rm -rf seeds
mkdir -p seeds corpus
number=0
for seed in "$@"; do
    number=$((number + 1))
    cp "$seed" "seeds/$number-$(basename "$seed")"
done
# Little of what was freed is kept poisoned: most time would go there.
export ASAN_OPTIONS=quarantine_size_mb=4
if [ "$(cat kind)" = libfuzzer ]; then
    ./fuzz_parse -max_total_time="$seconds" -max_len=8192 -timeout=10 -verbosity=0 -print_final_stats=1 corpus seeds > log 2>&1
else
    ./fuzz_parse "$seconds" seeds/* > log 2>&1
fi
if [ $? -eq 0 ]; then
    grep -E 'inputs|number_of_executed_units' log
    good
else
    cat log
    bad fuzz_parse "the input is in $(pwd)"
fi
finish_suite
