#!/bin/sh
# Real distributed-training bugs: tests/bugs/run.sh [ID]. PLACEC names the compiler.
#
# cases/ID.place is the corrected program (or the suspicious one that is right): it must be proved. After it stand its
# wrong neighbours, each a sed script under a line
#     # ----- source P0301 what the message must also say     the script edits the program's text
#     # ----- step P0301 ...                                  ... the text of its step program
#     # ----- source proved what the answer must say        ... of another right program: what follows edits that one
#     # ----- step proved                                     the same
# An edit must change something, and what it makes must be refused with that code and text. list.txt has every case of
# the collection; one without a file has its reason in docs/bugs.md. The last line is the count.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
find_compiler
root=$PWD expressed=0
trap 'rm -rf "$work"; rm -f "$root"/tests/bugs/cases/.*.place' EXIT

# Cases import models from their own folder.
run() { (cd "$root/tests/bugs/cases" && timeout 60 "$PLACEC" "$@") > "$work/out" 2> "$log" < /dev/null; }

# right CASE FILE: proved, and its step program too.
right() {
    if run check "$2"; then good; else bad_log "$1" "the right program is refused"; fi
    run --dump=step "$2"
    cp "$work/out" "$work/right.step"
    if run verify "$work/right.step"; then good; else bad_log "$1" "the step program of the right one is refused"; fi
}

# wrong CASE KIND CODE TEXT FILE: the edit in $work/edit makes what is refused.
wrong() {
    case $2 in
    source)
        changed=$5.wrong.place from=$5
        sed -E -f "$work/edit" "$from" > "$changed" ;;
    step)
        changed=$work/wrong.step from=$work/right.step
        sed -E -f "$work/edit" "$from" > "$changed" ;;
    esac
    if cmp -s "$from" "$changed"; then
        bad "$1" "the edit changes nothing"
    elif [ "$2 $3" = "source proved" ]; then
        mv "$changed" "$5"
        right "$1" "$5"
        if grep -qF -e "$4" "$work/out"; then good; else bad_log "$1" "does not answer: $4"; fi
    elif [ "$2" = source ]; then
        run check "$changed"
        judge_refusal "$1" "$3" "$4" $?
        same_as_step "$1" "$3" "$changed"
    elif [ "$3" = proved ]; then
        if run verify "$changed"; then good; else bad_log "$1" "the other right program is refused"; fi
        mv "$changed" "$work/right.step"
    else
        run verify "$changed"
        judge_refusal "$1" "$3" "$4" $?
    fi
    [ "$2" = source ] && rm -f "$5.wrong.place"
}

# same_as_step CASE CODE FILE: the step program alone gets the same verdict, where there is one.
same_as_step() {
    case $2 in P035*) return ;; esac # said of what is planned, not of what is proved
    run --dump=step "$3"
    [ -s "$work/out" ] || return
    cp "$work/out" "$work/wrong.step"
    run verify "$work/wrong.step"
    judge_refusal "$1" "$2" "" $?
}

judge_refusal() { # judge_refusal CASE CODE TEXT STATUS
    case $2 in P035*) wanted=0 ;; *) wanted=1 ;; esac
    if [ "$4" -ne "$wanted" ]; then
        bad_log "$1" "exit status $4, not $wanted"
    elif ! grep -qE "(error|perf)\[$2\]" "$log"; then
        bad_log "$1" "not told $2"
    elif ! grep -qF -e "$3" "$log"; then
        bad_log "$1" "does not say: $3"
    else
        good
    fi
}

run_case() {
    id=$1 file=$root/tests/bugs/cases/$1.place
    # Parts are split at their head lines; the first is the program.
    rm -f "$work"/part.*
    awk -v to="$work/part." '/^# ----- (source|step) / { n++ } { print > (to (n + 0)) }' "$file"
    program=$root/tests/bugs/cases/.$id.place
    cp "$work/part.0" "$program"
    right "$id" "$program"
    n=1
    while [ -f "$work/part.$n" ]; do
        head=$(head -n 1 "$work/part.$n")
        tail -n +2 "$work/part.$n" > "$work/edit"
        # The head's words are kind, code and text.
        # shellcheck disable=SC2086
        set -- ${head#\# ----- }
        kind=$1 code=$2
        text=${head#*"$kind $code"}
        wrong "$id" "$kind" "$code" "${text# }" "$program"
        n=$((n + 1))
    done
    rm -f "$program"
}

while read -r id verdict title; do
    [ -n "${1:-}" ] && [ "$1" != "$id" ] && continue
    if [ -f "tests/bugs/cases/$id.place" ]; then
        expressed=$((expressed + 1))
        run_case "$id"
        [ "$verdict" = accept ] || [ -f "$work/part.1" ] || bad "$id" "has no wrong program"
    elif grep -q "^| $id |" docs/bugs.md; then
        good
    else
        bad "$id" "has neither a program nor a reason in docs/bugs.md ($title)"
    fi
done < tests/bugs/list.txt
echo "$expressed cases of the collection have programs"
finish_suite
