#!/bin/sh
# What the compiler offers, done: tests/suggest/run.sh [PART-OF-A-PATH]. Every program of tests/ui, tests/bugs, the error
# pages and the wrong examples is laid out below a directory of its own, and apply.c makes each change that is offered
# there. PLACEC names the compiler, APPLY that program. The last line is the count.
cd "$(dirname "$0")/../.." || exit 2
PLACEC=${PLACEC:-build/debug/placec} APPLY=${APPLY:-build/debug/apply}
case $PLACEC in /*) ;; *) PLACEC=$PWD/$PLACEC ;; esac
case $APPLY in /*) ;; *) APPLY=$PWD/$APPLY ;; esac
part=${1:-}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# bugs FILE DIRECTORY: the program and its wrong neighbours that are edits of the source.
bugs() {
    stem=$2/$(basename "$1" .place)
    rm -f "$work"/part.*
    awk -v to="$work/part." '/^# ----- (source|step) / { n++ } { print > (to (n + 0)) }' "$1"
    cp "$work/part.0" "$stem.0.place"
    from=$stem.0.place n=1
    while [ -f "$work/part.$n" ]; do
        read -r _ _ kind code _ < "$work/part.$n"
        if [ "$kind" = source ]; then
            tail -n +2 "$work/part.$n" | sed -E -f /dev/stdin "$from" > "$stem.$n.place"
            [ "$code" = proved ] && from=$stem.$n.place
        fi
        n=$((n + 1))
    done
}

for file in $(find tests/ui -name '*.place' ! -path '*/inputs/*' ! -path '*/bases/*' | sort); do
    to=$work/$(dirname "$file")
    mkdir -p "$to"
    if [ -d "$(dirname "$file")/inputs" ] && [ ! -d "$to/inputs" ]; then
        cp -r "$(dirname "$file")/inputs" "$to/inputs"
    fi
    awk -v to="$to/$(basename "$file" .place)" -v bases=tests/ui/bases -f tests/expand.awk "$file" || exit 2
done
mkdir -p "$work/tests/bugs" "$work/docs"
cp -r tests/models "$work/tests/models"
cp -r tests/bugs/cases "$work/tests/bugs/cases"
for file in tests/bugs/cases/*.place; do
    bugs "$file" "$work/tests/bugs/cases"
done
cp -r examples "$work/examples"
for page in docs/errors/*.md; do
    mkdir -p "$work/docs/errors"
    awk '/^```$/ && inside { exit } inside { print } /^```place$/ { inside = 1 }' "$page" \
        > "$work/docs/errors/$(basename "$page" .md).place"
done
cd "$work" || exit 2
# Import lines are relative, and so are the names in the answers.
find tests/ui tests/bugs/cases docs/errors examples/wrong -name '*.place' -size +0 ! -path '*/inputs/*' | grep -F -e "$part" | sort |
    xargs "$APPLY" "$PLACEC"
