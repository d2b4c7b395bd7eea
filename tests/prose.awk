# prose.awk - the prose of sources: "FILE:LINE: TEXT", a comment or a message to a line.
#
#     awk -f tests/prose.awk FILE...
#     awk -v names=1 -f tests/prose.awk FILE...      of C, the names in the code instead: "FILE:LINE:NAME"
#
# C (also .h, .y, .l, .def) has comments and literals, of which adjacent ones are one message; all other files have comments
# after #, and what is in quotes on one line. Code is left out: what is indented in a comment, a line of one or a literal
# with a brace, and words in `code`.

function comment_ends() {
    if (comment != "" && !names) print comment_at ":" comment
    comment = ""
}

function message_ends() {
    if (message != "" && message !~ /[{}]/ && !names) print message_at ": " message
    message = ""
}

# A line of a comment. An empty one and the next item of a list begin another.
function add_comment(text) {
    sub(/^[ \t]*\*?/, "", text)
    if (text ~ /^[ \t]*$/ || text ~ /^ ?(-|@[a-z]+|[0-9]+\.) /) comment_ends()
    if (text ~ /^     / || text ~ /[{}]/ || text ~ /^[ \t]*$/) return
    if (comment == "") comment_at = FILENAME ":" FNR
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    comment = comment " " text
}

# The literal that begins at column `at`; the column after it.
function add_literal(line, at, text, c) {
    text = ""
    for (at++; at <= length(line) && (c = substr(line, at, 1)) != "\""; at++)
        if (c != "\\") text = text c
        else text = text (substr(line, ++at, 1) ~ /[nt]/ ? " " : substr(line, at, 1))
    if (message == "") message_at = FILENAME ":" FNR
    message = message text
    return at + 1
}

function print_names(code, count, words, i) {
    count = split(code, words, /[^A-Za-z0-9_]+/)
    for (i = 1; i <= count; i++) if (words[i] ~ /_|[a-z]/) print FILENAME ":" FNR ":" words[i]
}

function add_c(line, at, end, c, code) {
    code = ""
    for (at = 1; at <= length(line);) {
        c = substr(line, at, 1)
        if (open) {
            end = index(substr(line, at), "*/")
            add_comment(end == 0 ? substr(line, at) : substr(line, at, end - 1))
            if (end == 0) break
            comment_ends()
            open = 0
            at += end + 1
        } else if (substr(line, at, 2) == "/*") {
            open = 1
            at += 2
        } else if (c == "\"") {
            at = add_literal(line, at)
        } else if (c == "'") {
            for (at++; at <= length(line) && substr(line, at, 1) != "'"; at++) if (substr(line, at, 1) == "\\") at++
            at++
        } else {
            if (c !~ /[ \t]/) message_ends()
            code = code c
            at++
        }
    }
    if (names) print_names(code)
}

function add_quoted(line, quoted, text) {
    if (names) return
    while (match(line, quoted)) {
        text = substr(line, RSTART + 1, RLENGTH - 2)
        if (text !~ /[{}$^\/\\]/) print FILENAME ":" FNR ": " text
        line = substr(line, RSTART + RLENGTH)
    }
}

FNR == 1 {
    comment_ends()
    message_ends()
    open = 0
    c_source = FILENAME ~ /\.(c|h|y|l|def)$/
}
c_source {
    if (!/^[ \t]*#[ \t]*include/) add_c($0)
    next
}
/^[ \t]*#/ {
    text = $0
    sub(/^[ \t]*#+/, "", text)
    add_comment(text)
    next
}
{
    comment_ends()
    if (match($0, /[ \t]# /) && !names) print FILENAME ":" FNR ": " substr($0, RSTART + 3)
    add_quoted($0, "\"[^\"]*\"")
    add_quoted($0, "'[^']*'")
}
END {
    comment_ends()
    message_ends()
}
