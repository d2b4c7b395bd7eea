#!/bin/sh
# check-headers.sh FOLDER...: every header compiles alone.
. tests/suite.sh
for folder in "$@"; do
    for header in "$folder"/*.h; do
        [ -e "$header" ] || continue
        # shellcheck disable=SC2086
        if printf '#include "%s"\ntypedef int not_empty;\n' "$header" | ${CC:-cc} $FLAGS -x c -fsyntax-only - ; then
            good
        else
            bad "$header" "does not compile alone"
        fi
    done
done
finish_suite
