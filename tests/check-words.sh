#!/bin/sh
# check-words.sh: the English of the documentation, and of the sources' comments and messages (tests/prose.awk). No
# paragraph has a retired word (tests/retired-words.txt), and no name one of those that the file lists for names. Of the
# documentation, no line is longer than 100 columns, and the files and sections that it names exist. Blocks of code, and
# words in `code`, are left alone; so are the titles of the explain pages, which are the compiler's. Ends with one line:
# N passed, N failed.
set -u
cd "$(dirname "$0")/.." || exit 2
texts='README.md docs' # files and folders of documentation
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

# The sources: all folders but those that are built, and what the compiler prints as C.
sources() {
    find . \( -path './.*' -o -path ./build -o -path ./tests/golden -o -path './tests/dump/*.c' \) -prune -o -type f \
        \( -name '*.[chly]' -o -name '*.def' -o -name '*.sh' -o -name '*.awk' -o -name '*.mk' -o -name Makefile \
        -o -path './scripts/*' \) -print | sed 's,^\./,,' | sort
}

in_text=W                                             # how a retired word is found in a text,
in_name='\b([A-Za-z0-9]+_)*W(_[A-Za-z0-9]+)*\b' # and in a name

# uses WORD WHERE INSTEAD FILE: where a file of "PLACE:LINE:TEXT" has a retired word; WHERE is $in_text or $in_name.
uses() {
    pattern=${2%W*}$1${2#*W}
    grep -iE -- "$pattern" "$4" | while IFS=: read -r file line text; do
        part=$(printf '%s' "$text" | grep -oiE -- "$pattern" | head -n 1)
        [ -z "$part" ] || printf '%s:%s: "%s": write %s\n' "$file" "$line" "$part" "$3"
    done
}

# retired LIST WHERE FILE: a check for each entry of a list of retired words.
retired() {
    grep -v '^#' "$1" > "$work/retired"
    while IFS='	' read -r word instead; do
        uses "$word" "$2" "$instead" "$3" > "$work/found"
        result "$work/found"
    done < "$work/retired"
}

# shellcheck disable=SC2046,SC2086
text_of $(find $texts -name '*.md' | sort) > "$work/text"
paragraphs_of "$work/text" > "$work/paragraphs"
sed 's/`[^`]*`//g' "$work/paragraphs" > "$work/prose"

# Words are found across lines, of a comment and of a literal, and in names; code is left alone.
cat > "$work/sample.c" << 'END'
/* What was of
 * yore. `of yore` is not, nor is
 *     of yore. */
static const char *in_yore = "days of " /* see */
                             "yore";
END
awk -f tests/prose.awk "$work/sample.c" | sed 's/`[^`]*`//g' > "$work/text_of_sample"
awk -v names=1 -f tests/prose.awk "$work/sample.c" > "$work/names"
{
    uses '\bof yore\b' "$in_text" old "$work/text_of_sample"
    uses yore "$in_name" past "$work/names"
} > "$work/listed"
sed "s,^,$work/sample.c:," > "$work/expected" << 'END'
1: "of yore": write old
4: "of yore": write old
4: "in_yore": write past
END
diff "$work/expected" "$work/listed" > "$work/found"
result "$work/found"

sources > "$work/sources"
xargs awk -f tests/prose.awk < "$work/sources" | sed 's/`[^`]*`//g' >> "$work/prose"
xargs awk -v names=1 -f tests/prose.awk < "$work/sources" > "$work/names"
retired tests/retired-words.txt "$in_text" "$work/prose"
retired tests/retired-names.txt "$in_name" "$work/names"

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
