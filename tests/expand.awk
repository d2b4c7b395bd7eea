# expand.awk - the cases of a test file as programs of their own: awk -v to=STEM -v bases=DIRECTORY -f tests/expand.awk FILE
#
# `# -----` separates cases. Case N is written to STEM.N.ENDING; for each of its lines STEM.N.lines says where it was
# written: its line number in FILE, or the file and line of a base. A case may begin with
#
#     # base: gpt data4 zero1-adamw      programs, or parts of one, in DIRECTORY. It holds for the cases after it, too, up to
#                                        the next such line (`# base: none`: whole programs follow).
#
# The program is then the case's leading comments, the bases in that order, and what the case changes. Its own declarations
# come first; each replaces the base's declaration of that kind and name. After them, in the order of the base,
#
#     #- batch 8 in 2 microbatches       removes the next such line of the base,
#     #= repeat block[4] {               keeps it,
#
# and the lines that follow either are inserted there. Lines are compared without indentation. `#-` and `#=` may stand in
# it, so that carets below `#=` have the columns of the base. A base's leading comments are left out, and `place 1` of all
# but the first.

function fail(number, message) {
    printf "%s:%d: %s\n", FILENAME, number, message > "/dev/stderr"
    failed = 1
}

function trim(line) {
    gsub(/^[ \t]+|[ \t]+$/, "", line)
    return line
}

# The kind and name of a declaration; there is one train.
function key_of(line, words) {
    gsub(/[^A-Za-z0-9_]+/, " ", line)
    split(line, words, " ")
    return words[1] == "train" ? words[1] : words[1] " " words[2]
}

# By how much a line opens more braces than it closes.
function opened(line, closing) {
    sub(/#.*/, "", line)
    closing = line
    return gsub(/\{/, "", line) - gsub(/\}/, "", closing)
}

function is_code(line) {
    return line !~ /^[ \t]*(#|$)/
}

function load_base(name, path, line, number, begun) {
    path = bases "/" name "." ending
    while ((getline line < path) > 0) {
        number++
        if (!begun && !is_code(line) || base_count > 0 && line == "place 1")
            continue
        begun = 1
        base_text[++base_count] = line
        base_place[base_count] = path ":" number
    }
    close(path)
    return begun
}

function put(line, place) {
    print line > out
    print place > lines
}

# Removes from the base what the case declares from line `first` on; returns the line after its declarations.
function declare(first, last, i, l, depth, own, key, taken) {
    for (i = first; i <= last && text[i] !~ /^#[-=]/; i++) {
        if (depth == 0 && is_code(text[i]))
            own[key_of(text[i])] = 1
        depth += opened(text[i])
    }
    depth = 0
    for (l = 1; l <= base_count; l++) {
        if (depth == 0)
            taken = key_of(base_text[l]) in own
        gone[l] = taken
        depth += opened(base_text[l])
    }
    return i
}

# The next line of the base that line `i` names with `#-` or `#=`; 0: there is none.
function find(i, l, wanted) {
    wanted = trim(substr(text[i], 3))
    for (l = cursor + 1; l <= base_count; l++)
        if (!gone[l] && trim(base_text[l]) == wanted)
            return l
    fail(i, "the base has no such line after the one before: " wanted)
    return 0
}

function expand(number, first, last, i, l, n, names, own_end, inserted, where) {
    out = to "." number "." ending
    lines = to "." number ".lines"
    printf "" > out
    printf "" > lines
    for (i = first; i <= last && text[i] ~ /^(# .*|#)?$/; i++) {
        if (text[i] ~ /^# base: /)
            base = substr(text[i], 9)
        else
            put(text[i], i)
    }
    base_count = cursor = 0
    n = base == "none" ? 0 : split(base, names, " ")
    for (l = 1; l <= n; l++)
        if (!load_base(names[l]))
            fail(first, "there is no base '" names[l] "'")
    own_end = n > 0 ? declare(i, last) : last + 1
    split("", inserted)
    for (l = own_end; l <= last; l++) {
        if (text[l] ~ /^#[-=]/) {
            if ((cursor = find(l)) == 0)
                break
            if (text[l] ~ /^#-/)
                gone[cursor] = 1
        } else {
            inserted[cursor] = inserted[cursor] " " l
        }
    }
    for (l = 1; l <= base_count; l++) {
        if (!gone[l])
            put(base_text[l], base_place[l])
        n = split(inserted[l], where, " ")
        for (number = 1; number <= n; number++)
            put(text[where[number]], where[number])
    }
    for (; i < own_end; i++)
        put(text[i], i)
    close(out)
    close(lines)
}

{ text[FNR] = $0 }

END {
    ending = FILENAME
    sub(/.*\./, "", ending)
    first = number = 1
    for (at = 1; at <= FNR; at++) {
        if (text[at] ~ /^# -----/) {
            expand(number++, first, at - 1)
            first = at + 1
        }
    }
    expand(number, first, FNR)
    exit failed
}
