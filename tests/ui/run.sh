#!/bin/sh
# Runs the self-describing tests: tests/ui/run.sh [--bless] [PART-OF-A-PATH]. PLACEC names the compiler; --bless rewrites
# the golden files. docs/diagnostics.md has the annotations. A failure is one line each; the last line is the count.
cd "$(dirname "$0")/../.." || exit 2
PLACEC=${PLACEC:-build/debug/placec}
bless=0
if [ "${1:-}" = --bless ]; then
    bless=1
    shift
fi
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

# run_case FILE NAME PATH: the case's text is in PATH; FILE's golden is compared where it is the only case.
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
        "$3" "$work/stderr" > "$work/problems"
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

# Cases of one file are run apart, each with its lines where they stand in the file.
for file in $(find tests/ui -name '*.place' ! -path '*/inputs/*' | sort); do
    case $file in *"$part"*) ;; *) continue ;; esac
    count=$(($(grep -c '^# -----' "$file") + 1))
    if [ "$count" -eq 1 ]; then
        run_case "$file" "$file" "$file"
        continue
    fi
    number=1
    while [ "$number" -le "$count" ]; do
        path=$work/$(basename "$file")
        awk -v wanted="$number" 'BEGIN { number = 1 } /^# -----/ { number++; print ""; next }
            { print number == wanted ? $0 : "" }' "$file" > "$path"
        run_case "$file" "$file case $number" "$path"
        number=$((number + 1))
    done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
