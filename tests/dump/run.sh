#!/bin/sh
# Golden dumps: `placec --dump=MODE x.place` prints x.MODE, for every x.MODE that stands here. A step program must also be
# proved right from its text alone. tests/dump/run.sh [--bless] [PART-OF-A-PATH]; --bless rewrites the golden files (an
# empty one is how a new one begins). PLACEC names the compiler, VERIFY the proof alone. The last line is the count.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
find_compiler
VERIFY=${VERIFY:-build/debug/verify}
bless=0
if [ "${1:-}" = --bless ]; then
    bless=1
    shift
fi
part=${1:-}

# Runs the compiler; its output is in $work/out.
compile() {
    timeout 60 "$PLACEC" "$@" > "$work/out" 2> "$log" < /dev/null
}

for golden in tests/dump/*.ast tests/dump/*.choices tests/dump/*.step tests/dump/*.c tests/dump/*.llvm tests/dump/*.ptx; do
    [ -f "$golden" ] || continue
    case $golden in *"$part"*) ;; *) continue ;; esac
    mode=${golden##*.}
    if ! compile "--dump=$mode" "${golden%.*}.place"; then
        bad_log "$golden" "the dump failed"
        continue
    fi
    [ "$bless" -eq 1 ] && cp "$work/out" "$golden"
    if ! diff -u "$golden" "$work/out" > "$log"; then
        bad_log "$golden" "differs from what is dumped (+)"
    elif [ "$mode" = step ] && ! timeout 60 "$VERIFY" "$golden" > "$log" 2>&1; then
        bad_log "$golden" "is not proved from its text"
    else
        good
    fi
done
finish_suite
