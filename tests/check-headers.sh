#!/bin/sh
# check-headers.sh FOLDER...: every header compiles alone.
passed=0 failed=0
for folder in "$@"; do
    for header in "$folder"/*.h; do
        [ -e "$header" ] || continue
        # shellcheck disable=SC2086
        if printf '#include "%s"\ntypedef int not_empty;\n' "$header" | ${CC:-cc} $FLAGS -x c -fsyntax-only - ; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
        fi
    done
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
