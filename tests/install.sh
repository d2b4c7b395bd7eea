#!/bin/sh
# install.sh: `make install` leaves a compiler that works by itself: it builds and runs a program in another directory, and
# nothing of what it leaves names the tree it was built in; `make help` lists every target that has a description.
# Wants B, the build directory, and MAKE. Ends with "N passed, N failed, N skipped".
cd "$(dirname "$0")/.." || exit 2
B=${B:-build/debug}
build=$B # as make was called: another name for it would rebuild everything
WORK="$B/install test"
. tests/programs.sh
prefix=$B/installed
rm -rf "$prefix"
unset PLACERT_MPI PLACE_LIBRARIES

expect 'make install' "${MAKE:-make}" --no-print-directory B="$build" PREFIX="$prefix" install
cp examples/mlp.place "$WORK"
cd "$WORK" || exit 2
expect 'the installed compiler checks' "$prefix/bin/placec" check mlp.place
expect 'the installed compiler builds and runs' "$prefix/bin/placec" run mlp.place -o out -- --steps 3
expect 'three steps are shown' test "$(grep -c '^step ' "$log")" = 3
expect 'no file of the tree it was built in is used' test "$(grep -cF "$B/lib" out/Makefile)" = 0
expect 'its Makefile cleans up' make -C out clean
expect 'and builds the program again' make -C out program
expect 'and runs' out/run.sh --steps 2
cd "$root" || exit 2
expect 'make install with DESTDIR' "${MAKE:-make}" --no-print-directory B="$build" PREFIX=/usr DESTDIR="$prefix/package" install
expect 'files are where a package wants them' test -x "$prefix/package/usr/bin/placec" -a \
    -f "$prefix/package/usr/lib/place/libplacert.a" -a -f "$prefix/package/usr/include/place/place_rt.h"
"${MAKE:-make}" --no-print-directory help >"$log.help" 2>&1
for target in all run install asan test test-unit test-ui test-run test-install clean help; do
    expect "make help names $target" grep -q "^$target " "$log.help"
done
finish_suite
