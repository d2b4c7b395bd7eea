# suite.sh - what the runners of the suites share; sourced, with the repository's root as the current directory.
#
#     expect NAME COMMAND...                  a case: the command succeeds
#     refused NAME STATUS TEXT COMMAND...     a case: it ends with this status ('+' for any but 0) and prints this text
#     judge NAME STATUS                       a case that printed to $log, by its exit status
#     good; bad NAME MESSAGE; skip NAME WHY   a case that the runner has judged itself; bad_log shows $log, too
#     later NAME COMMAND...; run_later        `expect` on every core: the command consists of words without blanks
#     finish_suite                            the last line, which tests/all.sh adds up, and the exit status
#
# Cases are counted in $passed, $failed and $skipped. A command of a case prints to $log, which is shown where it failed.
passed=0 failed=0 skipped=0 later=0

# Makes $work, a directory that is removed when the suite ends, and $log in it.
scratch() {
    work=$(mktemp -d) || exit 2
    log=$work/log
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' INT TERM
}

# The compiler's name is absolute after this.
find_compiler() {
    case ${PLACEC:=build/debug/placec} in /*) ;; *) PLACEC=$PWD/$PLACEC ;; esac
}

good() { passed=$((passed + 1)); }

bad() {
    failed=$((failed + 1))
    printf 'FAIL %s: %s\n' "$1" "$2"
}

skip() {
    skipped=$((skipped + 1))
    printf 'skip %s: %s\n' "$1" "$2"
}

# Of a long log the first and the last lines.
show_log() {
    if [ "$(wc -l < "$log")" -le 100 ]; then
        cat "$log"
    else
        head -n 60 "$log"
        echo '...'
        tail -n 40 "$log"
    fi
}

bad_log() {
    bad "$1" "$2"
    show_log
}

judge() {
    if [ "$2" -eq 0 ]; then good; else bad_log "$1" "status $2"; fi
}

expect() {
    title=$1
    shift
    "$@" > "$log" 2>&1
    judge "$title" $?
}

# told STATUS TEXT COMMAND...: both streams together contain the text. They are left in `printed`.
told() {
    status=$1 text=$2
    shift 2
    timeout 60 "$@" > printed 2>&1 < /dev/null
    got=$?
    if [ "$got" -eq "$status" ] && { [ -z "$text" ] || grep -qF -- "$text" printed; } && ! grep -q 'internal error\|Sanitizer' printed; then
        good
    else
        bad "$*" "status $got instead of $status, or not told: $text"
        sed 's/^/    /' printed | head -n 12
    fi
}

refused() {
    title=$1 wanted=$2 text=$3
    shift 3
    "$@" > "$log" 2>&1
    status=$?
    if [ "$status" != "$wanted" ] && { [ "$wanted" != + ] || [ "$status" -eq 0 ]; }; then
        bad_log "$title" "status $status instead of $wanted"
    elif ! grep -qF -e "$text" "$log"; then
        bad_log "$title" "does not say: $text"
    else
        good
    fi
}

# later NAME COMMAND...: keeps the command for run_later, below $work.
later() {
    later=$((later + 1))
    mkdir -p "$work/later"
    echo "$1" > "$work/later/$later.name"
    shift
    echo "$@" > "$work/later/$later.command"
}

# run_later [FUNCTION]: runs what was kept, one command on each core; then calls FUNCTION NAME STATUS for each, in order, with
# what it printed in $log (judge, if none is named). Each has a TMPDIR of its own: an mpirun that ends removes the session
# folder that all in one TMPDIR share, which another one may just be using.
run_later() {
    seq "$later" | xargs -r -n 1 -P "$(nproc)" sh -c 'mkdir "$0/$1.tmp"
        TMPDIR=$0/$1.tmp sh "$0/$1.command" > "$0/$1.log" 2>&1
        echo $? > "$0/$1.status"' "$work/later"
    kept_log=$log
    for number in $(seq "$later"); do
        log=$work/later/$number.log
        "${1:-judge}" "$(cat "$work/later/$number.name")" "$(cat "$work/later/$number.status" || echo 1)"
    done
    log=$kept_log later=0
    rm -rf "$work/later"
}

# add NAME STATUS PASSED FAILED SKIPPED: adds the cases of a program that counted its own. A program that fails without a
# failed case, or has no cases, is one failure.
add() {
    added_failures=$4
    { [ "$2" -ne 0 ] || [ $(($3 + $4 + $5)) -eq 0 ]; } && [ "$4" -eq 0 ] && added_failures=1
    if [ "$added_failures" -gt 0 ]; then
        echo "FAIL $1 (status $2):"
        cat "$log"
    else
        grep -iE '^skip' "$log"
    fi
    passed=$(($passed + $3)) failed=$((failed + added_failures)) skipped=$((skipped + $5))
}

# add_suite NAME STATUS: adds what the last line of $log counts, if it ends like a suite.
add_suite() {
    read -r suite_passed _ suite_failed _ suite_skipped _ <<EOF
$(grep -xE '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped' "$log" | tail -n 1)
EOF
    add "$1" "$2" "${suite_passed:-0}" "${suite_failed:-0}" "${suite_skipped:-0}"
}

finish_suite() {
    printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}
