# marks.sh: for scripts that write tables into pages.

# replace_marked PAGE NAME FILE: the lines between the marks <!-- NAME --> and <!-- /NAME --> become those of a file.
replace_marked() {
    awk -v table="$3" -v begin="<!-- $2 -->" -v end="<!-- /$2 -->" '
        $0 == begin { print; while ((getline line < table) > 0) print line; inside = found = 1 }
        $0 == end { inside = 0 }
        !inside
        END { exit !found || inside }' "$1" > "$1.new" || { echo "$1 has no marks for $2"; rm "$1.new"; return 1; }
    mv "$1.new" "$1"
}
