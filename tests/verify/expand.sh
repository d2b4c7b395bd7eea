#!/bin/sh
# expand.sh DIR: the programs of tests/verify, as tests/expand.awk makes them, as DIR/NAME.step.
cd "$(dirname "$0")/../.." || exit 2
rm -rf "$1"
mkdir -p "$1"
for file in tests/verify/*.step; do
    name=$(basename "$file" .step)
    awk -v to="$1/$name" -v bases=tests/verify -f tests/expand.awk "$file" || exit 1
    mv "$1/$name.1.step" "$1/$name.step"
    rm "$1/$name.1.lines"
done
