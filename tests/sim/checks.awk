# checks.awk - makes every check of a source of verify/ one that can be switched off: `if (c)` before a statement that
# refuses becomes `if (CHECK(n, (c)))`. Counts on from `first`; lists the checks in the file `list`.
#
#     awk -v first=0 -v list=checks.txt -f checks.awk verify/machine.c > machine.c

{ line[NR] = $0 }

# Where the parenthesis that opens at `at` in the lines from `from` on closes: `end_line`, `end_column`.
function close_of(from, at,    depth, l, i, c) {
    depth = 0
    for (l = from; l <= NR && l < from + 8; l++) {
        for (i = l == from ? at : 1; i <= length(line[l]); i++) {
            c = substr(line[l], i, 1)
            depth += c == "(" ? 1 : c == ")" ? -1 : 0
            if (depth == 0) {
                end_line = l
                end_column = i
                return 1
            }
        }
    }
    return 0
}

# Whether what the condition guards refuses: within its statement, or the first lines of its block.
function refuses(from,    l) {
    for (l = from; l <= NR && l <= from + 5; l++) {
        if (line[l] ~ /poison\(|fault_shape\(|fault_cut\(|diag_report\(|return false;/)
            return 1
        if (l > from && line[l] ~ /[;}]$/ && line[from] !~ /{$/)
            return 0
        if (line[l] ~ /^ *}/)
            return 0
    }
    return 0
}

END {
    number = first
    for (l = 1; l <= NR; l++) {
        if (!match(line[l], /^ *(} else )?if \(/) || !close_of(l, RLENGTH))
            continue
        rest = substr(line[end_line], end_column + 1)
        if (!(rest ~ /{$/ ? refuses(end_line) : refuses(end_line + (rest ~ /^ *$/ ? 1 : 0))))
            continue
        start = RLENGTH
        text = substr(line[l], start + 1)
        for (k = l + 1; k <= end_line; k++)
            text = text " " line[k]
        gsub(/ +/, " ", text)
        printf "%d %s:%d %s\n", number, FILENAME, l, text > list
        line[end_line] = substr(line[end_line], 1, end_column) "))" rest
        line[l] = substr(line[l], 1, start - 1) "(CHECK(" number ", (" substr(line[l], start + 1)
        number++
    }
    for (l = 1; l <= NR; l++)
        print line[l]
}
