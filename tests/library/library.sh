#!/bin/sh
# library.sh: libplace as it is installed. A program outside the tree sees its header and archive alone; the example of
# docs/library.md prints what the page says; nothing in the archive is writable, and only the names of the header are seen.
# Wants B, the build directory, CC and MAKE. With --bless rewrites what the page prints. Ends with "N passed, N failed,
# N skipped".
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/debug}
build=$B # as make was called: another name for it would rebuild everything
WORK=$B/library
. tests/programs.sh
prefix=$WORK/installed
flags='-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Werror'
CC=${CC:-cc}

expect 'make install' "${MAKE:-make}" --no-print-directory B="$build" PREFIX="$prefix" install
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
library=$(pkg-config --cflags --libs place)
archive=$prefix/lib/libplace.a
cp tests/library/client.c "$WORK"
mkdir "$WORK/alone" # nothing of Place is next to it, or one directory up
awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' docs/library.md >"$WORK/example.c"

# ---- The header and the archive ------------------------------------------------------------------------------------------
for standard in c99 c11; do
    echo '#include <place.h>' >"$WORK/alone.c"
    # shellcheck disable=SC2086
    expect "the header alone, $standard" $CC -std=$standard -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror \
        $(pkg-config --cflags place) -fsyntax-only "$WORK/alone.c"
done
nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >"$WORK/seen"
grep -oE '^[a-z].*\bplace_[a-z_]+\(' library/place.h | grep -v '^typedef' | grep -oE 'place_[a-z_]+\($' | tr -d '(' |
    LC_ALL=C sort >"$WORK/declared"
expect 'it declares functions' test "$(wc -l <"$WORK/declared")" -gt 15
diff "$WORK/declared" "$WORK/seen" >"$log"
judge 'the names that are seen are those of the header' $?

# writable ARCHIVE: the writable data of its objects, apart from a thread's own. Constants that hold addresses stand in
# .data.rel.ro, which is read-only once the program runs.
writable() {
    objdump -t "$1" | awk 'NF < 4 || $(NF - 1) ~ /^0+$/ { next }
        $(NF - 2) ~ /^(\.data|\.bss|\*COM\*)/ && $(NF - 2) !~ /^\.data\.rel\.ro/ { print $NF }'
}
# Sanitizers add data of their own.
if [ -z "${SANITIZE:-}" ]; then
    writable "$archive" >"$log"
    judge 'nothing in the archive is writable' "$(wc -l <"$log")"
    objdump -t "$archive" | awk 'NF >= 4 && $(NF - 2) ~ /^\.(tbss|tdata)/ && $NF !~ /^\./ { print $NF }' >"$WORK/own"
    echo innermost | diff - "$WORK/own" >"$log"
    judge 'of a thread only where a request is left' $?
    # What is writable is noticed.
    printf 'static int count; int grown[3]; int next(void); int next(void) { return ++count + grown[0]; }\n' >"$WORK/wrong.c"
    expect 'an object with a counter compiles' "$CC" -c -o "$WORK/wrong.o" "$WORK/wrong.c"
    expect 'and is noticed' test "$(writable "$WORK/wrong.o" | wc -l)" = 2
fi

# ---- Programs that use it ---------------------------------------------------------------------------------------------------
# A locale with a decimal comma; localedef warns of categories that it lacks, and writes it.
{
    printf 'comment_char %%\nescape_char /\nLC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n'
    for part in CTYPE COLLATE TIME MONETARY MESSAGES; do
        printf 'LC_%s\ncopy "POSIX"\nEND LC_%s\n' $part $part
    done
} >"$WORK/comma.txt"
localedef --no-archive -c -i "$WORK/comma.txt" -f UTF-8 "$WORK/comma" >"$log" 2>&1
expect 'a locale with a decimal comma' test -f "$WORK/comma/LC_NUMERIC"
export LOCPATH="$WORK"

# shellcheck disable=SC2086
expect 'a program outside the tree compiles' $CC $flags -D_GNU_SOURCE ${SANITIZE:-} -g -o "$WORK/alone/client" "$WORK/client.c" $library
(cd "$WORK" && alone/client) >"$log" 2>&1
add_suite client $?
cp "$WORK/alone/client" "$prefix/bin"
(cd "$WORK" && "$prefix/bin/client" "$WORK/built") >"$log" 2>&1
add_suite 'client, installed with Place' $?
expect 'what it built runs' "$WORK/built/run.sh" --steps 1
# shellcheck disable=SC2086
expect 'the example compiles' $CC $flags ${SANITIZE:-} -o "$WORK/example" "$WORK/example.c" $library

# The page's console block, with what its commands print.
awk -v run="$WORK/example" '
    /^```console$/ { on = 1; print; next }
    on && /^```$/ { on = 0 }
    on && /^\$ \.\/example/ { print; fflush(); command = $0; sub(/^\$ \.\/example/, run, command); system(command); next }
    on && !/^\$/ { next }
    { print; fflush() }' docs/library.md >"$WORK/library.md"
if [ "${1:-}" = --bless ]; then
    cp "$WORK/library.md" docs/library.md
fi
diff -u docs/library.md "$WORK/library.md" >"$log"
judge 'the example prints what its page says' $?
finish_suite
