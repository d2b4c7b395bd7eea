#!/bin/sh
# Writes files as C data. embed.sh NAME FILE: one string. embed.sh --pages NAME FILE...: {file stem, text} pairs,
# closed by a NULL pair. Lines become string literals, so that the result can be read.
quote() {
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' -e 's/$/\\n"/' "$1"
}
if [ "$1" = --pages ]; then
    name=$2
    shift 2
    echo "static const struct { const char *name, *text; } $name[] = {"
    for file in "$@"; do
        echo "{\"$(basename "$file" .md)\","
        quote "$file"
        echo '},'
    done
    echo '{0, 0}};'
else
    echo "static const char $1[] ="
    quote "$2"
    echo '    "";'
fi
