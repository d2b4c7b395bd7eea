#!/bin/sh
# check-size.sh: nothing grows until nobody reads it whole. No source file has more than 800 lines and no test file more than
# 1,000, no function more than 60 (tests/functions.awk), no folder of the compiler or the runtime more than a fifth of their C,
# and the programs of tests/ui less than 8,000 lines. Ends with one line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/.." || exit 2
. tests/suite.sh
scratch

# at_most NAME COUNT MOST WHAT: a check.
at_most() {
    if [ "$2" -le "$3" ]; then good; else bad check-size "$1 has $2 $4, more than $3"; fi
}

# Sources, without what the compiler prints as C.
find . \( -path './.*' -o -path ./build -o -path ./tests/golden -o -path './tests/dump/*.c' \) -prune -o -type f \
    \( -name '*.[chly]' -o -name '*.def' -o -name '*.sh' -o -name '*.awk' \) -print | sed 's,^\./,,' | sort > "$work/files"
xargs wc -l < "$work/files" | grep -v ' total$' > "$work/lines"

while read -r lines file; do
    case $file in tests/*) at_most "$file" "$lines" 1000 lines ;; *) at_most "$file" "$lines" 800 lines ;; esac
done < "$work/lines"

# A function of 62 lines with a condition is found; without one it is a table.
{ printf 'int f(int a)\n{\n    if (a)\n        return 1;\n' && seq -f '    a += %g;' 56 && printf '    return a;\n}\n'; } > "$work/long.c"
sed 's/if (a)/switch (a)/' "$work/long.c" > "$work/flat.c"
awk -v most=60 -f tests/functions.awk "$work/long.c" "$work/flat.c" > "$work/long"
if [ "$(cat "$work/long")" = "$work/long.c:1: f has 62 lines" ]; then good; else bad check-size "long functions are not found"; fi
grep '\.[chly]$' "$work/files" | xargs awk -v most=60 -f tests/functions.awk > "$work/long"
if [ -s "$work/long" ]; then bad check-size "$(cat "$work/long")"; else good; fi

awk '$2 !~ /^tests\// && $2 ~ /\// && $2 ~ /\.([chly]|def)$/ { folder = $2; sub(/\/.*/, "", folder); lines[folder] += $1; all += $1 }
    END { for (folder in lines) printf "%s %d\n", folder, 1000 * lines[folder] / all }' "$work/lines" > "$work/folders"
while read -r folder share; do
    at_most "$folder/" "$share" 200 'of 1,000 lines of C'
done < "$work/folders"

at_most tests/ui "$(find tests/ui -name '*.place' -exec cat {} + | wc -l)" 7999 lines
finish_suite
