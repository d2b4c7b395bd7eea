#!/bin/sh
# Runs the self-describing tests: tests/ui/run.sh [--bless | --print] [PART-OF-A-PATH]. PLACEC names the compiler; --bless
# rewrites the golden files, --print shows the cases as the compiler gets them. docs/diagnostics.md has the annotations,
# tests/expand.awk what a case with a base is. A failure is one line each; the last line is the count.
cd "$(dirname "$0")/../.." || exit 2
PLACEC=${PLACEC:-build/debug/placec}
bless=0 print=0
case ${1:-} in
--bless) bless=1 && shift ;;
--print) print=1 && shift ;;
esac
part=${1:-}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# The value of a head line `# key: value` of a case.
head_line() {
    sed -n "s/^# $1: *//p" "$2" | head -n 1
}

fail() {
    failed=$((failed + 1))
    sed "s|^|FAIL $1: |" "$2"
}

# run_case FILE NAME PATH LINES: the case's text is in PATH, where its lines come from in LINES; FILE's golden is compared
# where it is the only case.
run_case() {
    needs=$(head_line needs "$3")
    if [ -n "$needs" ] && ! command -v "$needs" > /dev/null; then
        skipped=$((skipped + 1))
        echo "skip $2: needs $needs"
        return
    fi
    arguments=$(head_line args "$3")
    # The arguments are words without blanks inside.
    # shellcheck disable=SC2086
    timeout 60 $PLACEC ${arguments:-check} "$3" > "$work/stdout" 2> "$work/stderr" < /dev/null
    status=$?
    awk -f tests/ui/expect.awk -v path="$3" -v status="$status" -v exit_line="$(head_line exit "$3")" \
        -v lines="$4" "$3" "$work/stderr" > "$work/problems"
    golden=${1%.place}.stderr
    if [ "$1" = "$3" ] && [ -f "$golden" ]; then
        if [ "$bless" -eq 1 ]; then
            cp "$work/stderr" "$golden"
        elif ! cmp -s "$golden" "$work/stderr"; then
            echo "text differs from $golden" >> "$work/problems"
        fi
    fi
    if [ -s "$work/problems" ]; then
        fail "$2" "$work/problems"
    else
        passed=$((passed + 1))
    fi
}

# Cases of one file are run apart; one that is alone and complete is run where it stands, beside what it imports.
for file in $(find tests/ui -name '*.place' ! -path '*/inputs/*' ! -path '*/bases/*' | sort); do
    case $file in *"$part"*) ;; *) continue ;; esac
    stem=$work/$(basename "$file" .place)
    if ! awk -v to="$stem" -v bases=tests/ui/bases -f tests/expand.awk "$file" 2> "$work/problems"; then
        fail "$file" "$work/problems"
        continue
    fi
    if [ "$print" -eq 1 ]; then
        cat "$stem".*.place
    elif cmp -s "$file" "$stem.1.place"; then
        run_case "$file" "$file" "$file" "$stem.1.lines"
    else
        number=1
        while [ -f "$stem.$number.place" ]; do
            run_case "$file" "$file case $number" "$stem.$number.place" "$stem.$number.lines"
            number=$((number + 1))
        done
    fi
    rm -f "$stem".*
done
for base in tests/ui/bases/*.place; do
    [ -n "$part" ] && break
    name=$(basename "$base" .place)
    grep -rqE "^# base: (.* )?$name( |\$)" tests/ui && continue
    echo "no case names it" > "$work/problems"
    fail "$base" "$work/problems"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
