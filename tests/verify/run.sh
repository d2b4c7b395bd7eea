#!/bin/sh
# Step programs by hand: tests/verify/run.sh [PART-OF-A-NAME]. Each says what the verifier must answer: `# expect: accept`,
# or the codes of its errors in the order of the file, each once. PLACEC names the compiler. The last line is the count.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
find_compiler
sh tests/verify/expand.sh "$work/programs" || exit 2
for program in "$work"/programs/*"${1:-}"*.step; do
    name=$(basename "$program" .step)
    wanted=$(sed -n 's/^# expect: //p' "$program")
    timeout 60 "$PLACEC" verify "$program" > "$log" 2>&1 < /dev/null
    status=$?
    said=$(sed -nE 's/^[^ ].*: error\[(P[0-9]+)\]: .*/\1/p' "$log" | awk '!seen[$0]++' | paste -sd ' ')
    if [ "$status: ${said:-accept}" = "$([ "$wanted" = accept ] && echo 0 || echo 1): $wanted" ]; then
        good
    else
        bad_log "$name" "expected '$wanted', got status $status and '$said'"
    fi
done
finish_suite
