#!/bin/sh
# check-codes.sh [--bless]: every diagnostic code has a page, a test that shows it, one that just avoids it and a place
# that reports it, and nothing else is called one. Each page's example is run: it must report this code, and print what
# the page says. So are the fragments before it. --bless writes what they print into the pages. PLACEC names the compiler.
cd "$(dirname "$0")/.." || exit 2
. tests/suite.sh
scratch
find_compiler
root=$PWD
mkdir "$work/bin" && ln -s "$PLACEC" "$work/bin/placec"

must() { # must MESSAGE COMMAND...: the message says what is wrong if the command fails
    message=$1
    shift
    if "$@" > /dev/null 2>&1; then good; else bad check-codes "$message"; fi
}

# By an annotated program, by a step program, or, where neither can, by the command line.
is_shown() {
    grep -rqE "^#.*(error|perf) $1:" tests/ui tests/pins || grep -qE "^# expect: .*\<$1\>" tests/verify/*.step ||
        grep -qF "error[$1]" tests/cli/run.sh tests/search/run.sh tests/infer/run.sh
}

# The lines of the first block of a kind on a page, and what is before the page's console block.
block() {
    awk -v fence="^\`\`\`($1)\$" '/^```$/ && inside { exit } inside { print } $0 ~ fence { inside = 1 }' "$2"
}
before_console() {
    sed '/^```console$/,$d' "$1"
}

run_example() {
    code=$1 page=$2
    rm -rf "$work/here" && mkdir "$work/here"
    block place "$page" > "$work/here/example.place"
    block step "$page" > "$work/here/example.step"
    block console "$page" > "$work/console"
    command=$(sed -n '1s/^\$ //p' "$work/console")
    {
        printf '$ %s\n' "$command"
        (cd "$work/here" && PATH=$work/bin:$PATH timeout 60 sh -c "$command" 2>&1 < /dev/null)
    } > "$work/printed"
    must "$page: its example does not report $code" grep -qE "(error|perf)\[$code\]" "$work/printed"
    if [ "$bless" = --bless ]; then
        { before_console "$page" && echo '```console' && cat "$work/printed" && echo '```'; } > "$work/page"
        cp "$work/page" "$page"
    else
        must "$page: its example prints something else; --bless rewrites it" cmp "$work/console" "$work/printed"
    fi
}

# The fragments before it, each put into a program (tests/fragments.awk): the comment of each is a code, and what the
# diagnostic says, up to a semicolon. One without is accepted.
run_fragments() {
    page=$1
    rm -rf "$work/fragments" && mkdir "$work/fragments"
    awk -v to="$work/fragments" -f tests/fragments.awk tests/fragments.place "$page"
    command=$(block console "$page" | sed -n '1s/^\$ //p')
    for program in "$work"/fragments/*.place; do
        [ -f "$program" ] || continue
        name=$(basename "$program" .place)
        expected=$(cat "$work/fragments/$name.expect")
        code=${expected%%:*}
        text=$(printf '%s' "$expected" | sed 's/^P[0-9]*:* *//; s/;.*//')
        (cd "$work/fragments" && PATH=$work/bin:$PATH timeout 60 sh -c "$(echo "$command" | sed "s/example.place/$name.place/")") \
            > "$work/printed" 2>&1 < /dev/null
        status=$?
        if [ -z "$expected" ]; then
            must "$page: its fragment $name is refused" test "$status" -eq 0
        else
            grep -F "[$code]" "$work/printed" > "$work/told"
            must "$page: its fragment $name does not get '$expected'" grep -qF -- "$text" "$work/told"
        fi
    done
}

bless=${1:-}
stages=$(sed -n 's/^STAGES *:= *//p' Makefile)
codes=$(sed -n 's/^DIAG(\(P[0-9]*\),.*/\1/p' base/diag.def)
for code in $codes; do
    page=docs/errors/$code.md
    title=$(sed -n "s/^DIAG($code, [A-Z]*, \"\(.*\)\")\$/\1/p" base/diag.def)
    must "$page does not begin with its code and title" grep -qxF "# $code: $title" "$page"
    must "no test shows $code" is_shown "$code"
    must "no test just avoids $code (# avoids: $code)" grep -rqE "^# avoids: .*\<$code\>" tests/ui tests/pins tests/verify tests/cli tests/search tests/infer
    must "nothing reports $code" grep -rqw "$code" ${stages#base } --include=*.[chly]
    [ -f "$page" ] && run_example "$code" "$page" && run_fragments "$page"
done
for name in $(grep -rohwE 'P0[0-9]{3}' $stages runtime docs README.md | sort -u); do
    must "$name is written somewhere and is no code" grep -q "^DIAG($name," base/diag.def
done
for page in docs/errors/*; do
    must "$page is of no code" test -n "$(echo "$codes" | grep -x "$(basename "$page" .md)")"
done
cd "$root" || exit 2
finish_suite
