#!/bin/sh
# readme.sh [--bless]: runs the `$ placec ...` lines of README.md's console blocks and compares what they print with what
# stands below them; and the README's program with the example it names. --bless writes the output into the README.
# PLACEC is the compiler. Ends with one line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/.."
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() {
    if cmp -s "$1" "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "README.md: $3 is not what it is:"
        diff "$1" "$2"
    fi
}

# The README with every console block's output made anew.
while IFS= read -r line; do
    case $line in
    '```console') inside=1 ;;
    '```') inside= ;;
    '$ placec '*)
        printf '%s\n' "$line"
        # shellcheck disable=SC2086
        "$PLACEC" ${line#\$ placec } 2>&1
        continue
        ;;
    esac
    [ -n "${inside:-}" ] && [ "$line" != '```console' ] && continue
    printf '%s\n' "$line"
done < README.md > "$work/README.md"

if [ "${1:-}" = --bless ]; then
    cp "$work/README.md" README.md
fi
check README.md "$work/README.md" 'the output of a command'
sed -n '/^```place$/,/^```$/p' README.md | sed '1d;$d' > "$work/images.place"
check "$work/images.place" examples/images.place 'the example'
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
