#!/bin/sh
# Writes files as C data. embed.sh NAME FILE: one text. embed.sh --pages NAME FILE...: {file stem, text} pairs, ended
# by a NULL pair. A text is an array of numbers that ends with a zero, with one row per line: C compilers need not
# accept string literals of more than 4095 bytes.
array() {
    echo "static const char $1[] = {"
    od -An -v -tu1 "$2" | awk '
        { for (i = 1; i <= NF; i++) { printf "%s%d,", sep, ($i > 127 ? $i - 256 : $i); sep = " "
                                      if ($i == 10) { print ""; sep = "" } } }
        END { print "\n0};" }'
}
if [ "$1" = --pages ]; then
    name=$2
    shift 2
    for file in "$@"; do
        array "${name}_$(basename "$file" .md)" "$file"
    done
    echo "static const struct { const char *name, *text; } $name[] = {"
    for file in "$@"; do
        stem=$(basename "$file" .md)
        echo "    {\"$stem\", ${name}_$stem},"
    done
    echo '    {0, 0}};'
else
    array "$1" "$2"
fi
