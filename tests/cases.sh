# cases.sh - counts cases of commands in $passed and $failed; sourced. Their output goes to $log.
passed=0 failed=0

# judge NAME STATUS: counts a case; what it printed is shown where it failed.
judge() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'failed: %s\n' "$1"
        tail -n 15 "$log"
    fi
}

# expect NAME COMMAND...: the command succeeds.
expect() {
    title=$1
    shift
    "$@" >"$log" 2>&1
    judge "$title" $?
}

# refused NAME STATUS TEXT COMMAND...: the command ends with this status ('+' for any but 0) and says this.
refused() {
    title=$1 wanted=$2 text=$3
    shift 3
    "$@" >"$log" 2>&1
    status=$?
    { [ "$status" = "$wanted" ] || { [ "$wanted" = + ] && [ "$status" -ne 0 ]; }; } && grep -qF -e "$text" "$log"
    judge "$title (status $status)" $?
}
