# checks.awk - makes every check of a source of verify/ one that can be switched off, by number from `first` on; lists the
# checks in the file `list`: number, file:line, the condition.
#
#     awk -v first=0 -v list=checks.txt -f checks.awk verify/machine.c > machine.c
#
# A check is an `if` whose statement refuses, or one that leaves before a statement that does:
#
#     if (c)                    if (CHECK(n, (c)))           if (c)                if (UNLESS(n, (c)))
#         return poison(...);       return poison(...);          return;               return;
#                                                            diag_report(...);     diag_report(...);
#
# Of `a || b` that refuses each is a check, and so is each of `a && b` that leaves. To refuse is to poison, to report, to
# note a fault, or to answer false to who asked. What only words a report (functions report_... and fault_...)
# has no checks of its own. Hashes are made equal (checks.sh), so that what tells things apart is compared.

function refuses(text) {
    return text ~ /poison\(|return POISON_[^S]|\*why = POISON_|fault_[a-z_]+\(|diag_report\(|[^a-z_]report(_[a-z]+)*\(/ ||
           text ~ /&(table->)?faults->list, |return false;|, false;/
}

function controls(text) {
    return text ~ /^ *(} else |else )?(if|for|while|switch|do)[ ({]/ || text ~ /^ *else$/
}

function leaves(text) {
    return text ~ /^ *(return|continue)( [^;]*)?;/
}

function indent_of(text) {
    match(text, /^ */)
    return RLENGTH
}

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

# Does what is in line `from` and below it, as far as it is `deep` or deeper, refuse before it branches? `behind`:
# the line after it.
function block_refuses(from, deep,    l, found) {
    found = 0
    for (l = from; l <= NR && indent_of(line[l]) >= deep && line[l] !~ /^ *}/; l++) {
        if (!found && controls(line[l]))
            return 0
        found = found || refuses(line[l])
    }
    behind = l
    return found
}

# The line after a block without branches that leaves at its end; 0 where it is none.
function block_end(from, deep,    l) {
    for (l = from; l <= NR && indent_of(line[l]) >= deep && line[l] !~ /^ *}/; l++)
        if (controls(line[l]))
            return 0
    return leaves(line[l - 1]) ? l : 0
}

# The statement below line `from`, at column `deep`, ends here.
function statement_end(from,    l) {
    for (l = from; l < NR && line[l] !~ /;( *\/\*.*)?$/; l++)
        ;
    return l
}

# How the `if` whose condition ends at (end_line, end_column) refuses: "CHECK", "UNLESS", or not at all.
function kind_of(l,    deep, rest, body, last, k) {
    deep = indent_of(line[l])
    rest = substr(line[end_line], end_column + 1)
    sub(/ *\/\*.*\*\/ *$/, "", rest)
    if (rest ~ /{$/) {
        if (block_refuses(end_line + 1, deep + 4))
            return "CHECK"
        behind = block_end(end_line + 1, deep + 4)
        return behind && line[behind] ~ /^ *}$/ && block_refuses(behind + 1, deep) ? "UNLESS" : ""
    }
    if (rest !~ /^ *$/ || controls(line[end_line + 1]))
        return ""
    last = statement_end(end_line + 1)
    body = ""
    for (k = end_line + 1; k <= last; k++)
        body = body line[k]
    if (refuses(body))
        return "CHECK"
    if (leaves(body) && line[l] !~ /else if/ && block_refuses(last + 1, deep))
        return "UNLESS"
    return ""
}

# Wraps what stands between the parentheses in line l, column `from` on, and (end_line, end_column): as one check, or where
# it is a list of `operator` (|| or &&) as one each.
function wrap(l, from, kind, operator,    depth, k, i, c, first_i, last_i, out, text) {
    depth = 0
    text = ""
    for (k = l; k <= end_line; k++) {
        first_i = k == l ? from : 1
        last_i = k == end_line ? end_column - 1 : length(line[k])
        out = substr(line[k], 1, first_i - 1) (k == l ? kind "(" number ", (" : "")
        for (i = first_i; i <= last_i; i++) {
            c = substr(line[k], i, 1)
            depth += c == "(" ? 1 : c == ")" ? -1 : 0
            if (depth == 0 && operator != "" && substr(line[k], i, 2) == operator) {
                note(text, kind)
                text = ""
                out = out ")) " operator " " kind "(" number ", ("
                i++
                continue
            }
            text = text c
            out = out c
        }
        text = text " "
        line[k] = out (k == end_line ? "))" : "") substr(line[k], last_i + 1)
    }
    note(text, kind)
}

function note(text, kind) {
    gsub(/ +/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    printf "%d %s:%d %s%s\n", number, FILENAME, at, kind == "CHECK" ? "" : "unless ", text > list
    number++
}

# Is it a list of `operator` at its top, and of nothing that binds less?
function lists(l, from, operator,    depth, k, i, c, found) {
    depth = found = 0
    for (k = l; k <= end_line; k++)
        for (i = k == l ? from : 1; i <= (k == end_line ? end_column - 1 : length(line[k])); i++) {
            c = substr(line[k], i, 1)
            depth += c == "(" ? 1 : c == ")" ? -1 : 0
            if (depth != 0)
                continue
            if (c == "?" || (operator == "&&" && substr(line[k], i, 2) == "||"))
                return 0
            found = found || substr(line[k], i, 2) == operator
        }
    return found
}

{
    line[NR] = $0
}

END {
    number = first
    words = 0
    for (l = 1; l <= NR; l++) {
        if (line[l] ~ /^[A-Za-z].*\(/)
            words = line[l] ~ /[ *](report|fault)(_[a-z]+)*\(/
        if (words || !match(line[l], /^ *(} else )?if \(/) || !close_of(l, RLENGTH))
            continue
        start = RLENGTH + 1
        kind = kind_of(l)
        if (kind == "")
            continue
        at = l
        operator = kind == "CHECK" ? "||" : "&&"
        wrap(l, start, kind, lists(l, start, operator) ? operator : "")
    }
    for (l = 1; l <= NR; l++)
        print line[l]
}
