# expect.awk - compares the annotations of a test with the diagnostics that were printed; prints what differs.
#
# Reads the test first, then the text on stderr. Variables: path (of the test, as the diagnostics name it), status (of
# the compiler), exit_line (what the test says about it, or empty), lines (a file that
# says where each line of the test was written).

function trim(text) {
    sub(/^[ \t]+/, "", text)
    sub(/[ \t\r]+$/, "", text)
    return text
}

# Where line `number` was written: its number in the file of the case, or file and number in a base.
function origin(number) {
    return number in written ? written[number] : number
}

BEGIN {
    while ((getline line < lines) > 0)
        written[++written_count] = line
}

FNR == NR {
    last_line = FNR
}

# "error P0301: text" into the expectation `e`.
function read_expectation(e, text) {
    wanted_severity[e] = text
    sub(/ .*/, "", wanted_severity[e])
    sub(/^[a-z]+ +/, "", text)
    wanted_code[e] = text
    sub(/:.*/, "", wanted_code[e])
    sub(/^[^:]*: */, "", text)
    wanted_text[e] = text
    if (wanted_severity[e] == "error")
        errors_wanted++
}

# ---- The test ----

FNR == NR && /^# avoids: / {
    avoided = $3
    next
}

FNR == NR && /^# *\^+ [a-z]+ P[0-9]+:/ {
    e = ++expectations
    wanted_line[e] = code_line
    wanted_column[e] = index($0, "^")
    rest = substr($0, wanted_column[e])
    match(rest, /^\^+/)
    wanted_width[e] = RLENGTH
    read_expectation(e, trim(substr(rest, RLENGTH + 1)))
    next
}
# Column 1 is taken by the comment sign: `#@ 1-5 error P0101: text`.
FNR == NR && /^#@ [0-9]+-[0-9]+ [a-z]+ P[0-9]+:/ {
    e = ++expectations
    wanted_line[e] = code_line
    split($2, columns, "-")
    wanted_column[e] = columns[1]
    wanted_width[e] = columns[2] - columns[1] + 1
    sub(/^#@ [0-9-]+ /, "")
    read_expectation(e, trim($0))
    next
}
# After the last line: `#@ end error P0101: text`.
FNR == NR && /^#@ end [a-z]+ P[0-9]+:/ {
    e = ++expectations
    wanted_line[e] = "end"
    wanted_column[e] = wanted_width[e] = 1
    sub(/^#@ end /, "")
    read_expectation(e, trim($0))
    next
}
# A diagnostic without a place: `#! error P0002: text`.
FNR == NR && /^#! [a-z]+ P[0-9]+:/ {
    e = ++expectations
    wanted_line[e] = 0
    sub(/^#! /, "")
    read_expectation(e, trim($0))
    next
}
FNR == NR && /^#~ [a-z-]+:/ {
    part = ++parts
    part_of[part] = expectations
    part_line[part] = FNR
    sub(/^#~ /, "")
    part_kind[part] = $0
    sub(/:.*/, "", part_kind[part])
    sub(/^[a-z-]+: */, "")
    part_text[part] = trim($0)
    next
}
FNR == NR {
    code_line = FNR
    next
}

# ---- What was printed ----

/^[^ ].*(error|warning|perf)\[P[0-9]+\]: / {
    d = ++diagnostics
    text = $0
    match(text, /(error|warning|perf)\[P[0-9]+\]: /)
    where = substr(text, 1, RSTART - 1)
    severity_and_code = substr(text, RSTART, RLENGTH)
    got_text[d] = substr(text, RSTART + RLENGTH)
    got_severity[d] = severity_and_code
    sub(/\[.*/, "", got_severity[d])
    got_code[d] = severity_and_code
    gsub(/^[a-z]+\[|\]: $/, "", got_code[d])
    if (where == "placec: ") {
        got_line[d] = 0
    } else if (substr(where, 1, length(path) + 1) == path ":") {
        split(substr(where, length(path) + 2), position, ":")
        got_line[d] = position[1] + 0
        got_column[d] = position[2] + 0
    } else {
        got_line[d] = -1 # in another file
    }
    got_where[d] = where
    remark = ""
    next
}
d > 0 && /^ *\|[ \t.]*\^+/ && !(d in got_width) {
    carets = $0
    sub(/^ *\|[ \t.]*/, "", carets)
    match(carets, /^\^+/)
    got_width[d] = RLENGTH
    got_remarks[d, "label"] = got_remarks[d, "label"] "\n" substr(carets, RLENGTH + 1)
    next
}
d > 0 && /^ *\|[ \t.]*-+ / {
    label = $0
    sub(/^ *\|[ \t.]*-+ /, "", label)
    got_remarks[d, "label"] = got_remarks[d, "label"] "\n" label
    next
}
d > 0 && /^ *= [a-z-]+: / {
    remark = $0
    sub(/^ *= /, "", remark)
    sub(/:.*/, "", remark)
    text = $0
    sub(/^ *= [a-z-]+: /, "", text)
    got_remarks[d, remark] = got_remarks[d, remark] "\n" text
    next
}
d > 0 && remark != "" && /^          / {
    got_remarks[d, remark] = got_remarks[d, remark] " " trim($0)
    next
}
d > 0 && /internal error/ {
    print "the compiler failed: " $0
    next
}

# ---- The comparison ----

function fits(e, d) {
    if (d in taken || wanted_line[e] != got_line[d] || wanted_code[e] != got_code[d])
        return 0
    if (wanted_severity[e] != got_severity[d] || index(got_text[d], wanted_text[e]) == 0)
        return 0
    return wanted_line[e] == 0 || (wanted_column[e] == got_column[d] && wanted_width[e] == got_width[d])
}

END {
    for (e = 1; e <= expectations; e++) {
        if (wanted_line[e] == "end")
            wanted_line[e] = last_line + 1
        for (d = 1; d <= diagnostics && !fits(e, d); d++)
            ;
        if (d <= diagnostics) {
            taken[d] = 1
            found[e] = d
        } else {
            printf "line %s: no %s %s at columns %d-%d: %s\n", origin(wanted_line[e]), wanted_severity[e], wanted_code[e],
                wanted_column[e], wanted_column[e] + wanted_width[e] - 1, wanted_text[e]
        }
    }
    for (d = 1; d <= diagnostics; d++)
        if (got_code[d] == avoided)
            printf "%s is reported, which this case just avoids\n", avoided
    for (d = 1; d <= diagnostics; d++)
        if (!(d in taken))
            printf "line %s: unexpected %s%s[%s]: %s (%d wide)\n", origin(got_line[d]), got_where[d], got_severity[d],
                got_code[d], got_text[d], got_width[d]
    for (part = 1; part <= parts; part++) {
        e = part_of[part]
        if (e in found && index(got_remarks[found[e], part_kind[part]], part_text[part]) == 0)
            printf "line %s: no %s with: %s\n", origin(part_line[part]), part_kind[part], part_text[part]
    }
    wanted_status = exit_line != "" ? exit_line : errors_wanted > 0 ? 1 : 0
    if (status != wanted_status)
        printf "exit status %d instead of %d\n", status, wanted_status
}
