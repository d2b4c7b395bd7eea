#!/bin/sh
# Runs the self-describing tests: tests/ui/run.sh [--bless | --print] [PART-OF-A-PATH]. PLACEC names the compiler; --bless
# rewrites the golden files, --print shows the cases as the compiler gets them. docs/diagnostics.md has the annotations,
# tests/expand.awk what a case with a base is. The last line is the count.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
find_compiler
option=
case ${1:-} in
--*) option=$1 && shift ;;
esac
part=${1:-}

# The value of a head line `# key: value` of a case.
head_line() {
    sed -n "s/^# $1: *//p" "$2" | head -n 1
}

# run_case FILE NAME PATH LINES: the case's text is in PATH, and LINES says where its lines are from; FILE's golden is
# compared where it is the only case.
run_case() {
    needs=$(head_line needs "$3")
    if [ -n "$needs" ] && ! command -v "$needs" > /dev/null; then
        skip "$2" "needs $needs"
        return
    fi
    arguments=$(head_line args "$3")
    # The arguments are words without blanks inside.
    # shellcheck disable=SC2086
    timeout 60 $PLACEC ${arguments:-check} "$3" > "$work/stdout" 2> "$work/stderr" < /dev/null
    status=$?
    awk -f tests/ui/expect.awk -v path="$3" -v status="$status" -v exit_line="$(head_line exit "$3")" \
        -v lines="$4" "$3" "$work/stderr" > "$log"
    golden=${1%.place}.stderr
    if [ "$1" = "$3" ] && [ -f "$golden" ]; then
        if [ "$option" = --bless ]; then
            cp "$work/stderr" "$golden"
        elif ! cmp -s "$golden" "$work/stderr"; then
            echo "text differs from $golden" >> "$log"
        fi
    fi
    if [ -s "$log" ]; then bad_log "$2" "not what it says"; else good; fi
}

# Cases of one file are run apart; one that is alone and complete is run where it stands, next to what it imports.
run_file() {
    stem=$work/$(basename "$1" .place)
    if ! awk -v to="$stem" -v bases=tests/ui/bases -f tests/expand.awk "$1" 2> "$log"; then
        bad_log "$1" "cannot be expanded"
    elif [ "$option" = --print ]; then
        cat "$stem".*.place
    elif cmp -s "$1" "$stem.1.place"; then
        run_case "$1" "$1" "$1" "$stem.1.lines"
    else
        number=1
        while [ -f "$stem.$number.place" ]; do
            run_case "$1" "$1 case $number" "$stem.$number.place" "$stem.$number.lines"
            number=$((number + 1))
        done
    fi
}

files=$(find tests/ui tests/serve tests/pins -name '*.place' ! -path '*/inputs/*' ! -path '*/bases/*' | grep -F -e "$part" | sort)
for file in $files; do
    if [ "$file" = "$part" ] || [ "$option" = --print ]; then
        run_file "$file"
    else
        later "$file" sh tests/ui/run.sh $option "$file"
    fi
done
run_later add_suite
for base in tests/ui/bases/*.place; do
    [ -n "$part" ] && break
    name=$(basename "$base" .place)
    grep -rqE "^# base: (.* )?$name( |\$)" tests/ui || bad "$base" "no case names it"
done
finish_suite
