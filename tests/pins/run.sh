#!/bin/sh
# run.sh DIR: every choice of the deriver, pinned alone, in the programs of tests/pins/inputs. DIR is the build directory.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
for part in 0/4 1/4 2/4 3/4; do
    later "pins $part" "$1/every" tests/pins/inputs/*.place --part $part
done
run_later add_suite
finish_suite
