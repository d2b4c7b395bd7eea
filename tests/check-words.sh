#!/bin/sh
# check-words.sh: the English of the documentation. No paragraph has a retired word (tests/retired-words.txt), no line of
# one is longer than 100 columns, and the files and sections that it names exist. Blocks of code, and words in `code`,
# are left alone; so are the titles of the explain pages, which are the compiler's. Ends with one line: N passed, N failed.
set -u
cd "$(dirname "$0")/.." || exit 2
texts='README.md docs' # files and folders that keep to the list
width=100
export LC_ALL=C.UTF-8
. tests/suite.sh
scratch

# result FILE: one check; it fails with what FILE has.
result() {
    if [ -s "$1" ]; then
        bad check-words "$(cat "$1")"
    else
        good
    fi
}

# The text of pages: "PAGE:LINE:KIND:TEXT", where KIND is p (a line of a paragraph or an item), h (a heading) or t (a row
# of a table). Blocks of code are left out, be it by their fence or by their indent.
text_of() {
    awk 'FNR == 1 { code = item = indented = blank = 0 }
        /^ *```/ { code = !code; blank = 0; next }
        code { next }
        /^ *$/ { blank = 1; next }
        blank && /^    / && !item { indented = 1 }
        !/^    / { indented = 0 }
        !/^ / { item = /^([-*]|[0-9]+\.) / }
        indented { next }
        { blank = 0 }
        /^<!--/ || (FNR == 1 && /^# P0/) { next }
        { kind = "p" }
        /^#/ { kind = "h" }
        /^ *\|/ { kind = "t" }
        { print FILENAME ":" FNR ":" kind ":" $0 }' "$@"
}

# Each paragraph in one line, since phrases are broken across lines: "PAGE:LINE: TEXT".
paragraphs_of() {
    awk -F: '{ text = $0; sub(/^[^:]*:[^:]*:[^:]*:/, "", text) }
        $3 != "p" || $1 != page || $2 != last + 1 || text ~ /^ *([-*]|[0-9]+\.) / {
            if (all != "") print first ":" all
            all = ""
            first = $1 ":" $2
        }
        { all = all " " text; page = $1; last = $3 == "p" ? $2 : 0 }
        END { if (all != "") print first ":" all }' "$1" | sed 's/  */ /g'
}

# "PAGE NAME" for the files that pages name: relative links, docs/PAGE.md, and paths in `code` that begin with a folder of
# the tree, but for such as docs/errors/CODE.md.
files_of() {
    grep -oE '^[^:]*:|\]\([^)#:]+\)|`[a-z]+/[A-Za-z0-9_./*-]+`|\<docs/[a-z-]+\.md' "$1" |
        awk '/:$/ { page = substr($0, 1, length($0) - 1); next }
            /^\]/ { folder = page; sub(/[^\/]*$/, "", folder); gsub(/^\]\(|\)$/, ""); print page, folder $0; next }
            { gsub(/`/, "") }
            !/^build\// && !/[A-Z][A-Z][A-Z][A-Z]/ { print page, $0 }' | sort -u
}

# "PAGE OTHER NUMBER" for the numbered sections that pages name, as `docs/OTHER.md` 2, or docs/OTHER.md, section 3.
sections_of() {
    grep -oE '^[^:]*:|docs/[a-z-]+\.md`?,? (section )?[0-9]+(\.[0-9]+)?\b' "$1" |
        sed -E 's/`?,? (section )?([0-9.]+)$/ \2/' |
        awk '/:$/ { page = substr($0, 1, length($0) - 1); next } { print page, $0 }' | sort -u
}

# shellcheck disable=SC2046,SC2086
text_of $(find $texts -name '*.md' | sort) > "$work/text"
paragraphs_of "$work/text" > "$work/paragraphs"
sed 's/`[^`]*`//g' "$work/paragraphs" > "$work/prose"

grep -v '^#' tests/retired-words.txt > "$work/retired"
while IFS='	' read -r pattern instead; do
    grep -iE -- "$pattern" "$work/prose" | while IFS=: read -r page line text; do
        printf '%s:%s: "%s": write %s\n' "$page" "$line" \
            "$(printf '%s' "$text" | grep -oiE -- "$pattern" | head -n 1)" "$instead"
    done > "$work/found"
    result "$work/found"
done < "$work/retired"

grep -E "^[^:]*:[0-9]+:p:.{$((width + 1)),}" "$work/text" | grep -E '^[^:]*:[0-9]+:p: *[^ ]+ .* ' |
    sed -E "s/^([^:]*:[0-9]+):.*/\1: a line of more than $width columns/" > "$work/found"
result "$work/found"

files_of "$work/paragraphs" > "$work/names"
while read -r page name; do
    [ -d "${name%%/*}" ] || continue
    : > "$work/found"
    # shellcheck disable=SC2086
    ls -d $name > "$work/listed" 2>&1 || echo "$page: names $name, which does not exist" > "$work/found"
    result "$work/found"
done < "$work/names"

sections_of "$work/paragraphs" > "$work/names"
while read -r page other number; do
    : > "$work/found"
    grep -qE "^##+ ${number}[. ]" "$other" || echo "$page: names section $number of $other, which does not exist" > "$work/found"
    result "$work/found"
done < "$work/names"

finish_suite
