# fragments.awk - programs from the fragments on a page of docs/errors: awk -v to=DIR -f tests/fragments.awk BASE PAGE
#
# A fragment is what is in a block without a language before the page's example, up to a line that ends in a comment
# with a code, `# P0201: unknown function 'mpl'`; or all of a block that has none. Each of its lines goes into BASE where
# lines of its kind do, by its first word; a setting of the train, or an input, takes the place of the base's. Written are
# DIR/N.place and DIR/N.expect: the comment, or nothing where the fragment must be accepted. A block that leaves something
# out (`...`) cannot be run, unless it has a code.

FNR == NR { base[++base_lines] = $0; next }

/^## An example/ { exit }
/^```/ && inside { if (lines > 0 && !codes && !short) write_fragment(""); inside = 0; next }
/^```$/ { inside = 1; lines = codes = short = 0; next }
!inside { next }
{
    text = $0
    expected = ""
    if (match(text, /# P[0-9][0-9][0-9][0-9](: .*)?$/)) {
        expected = substr(text, RSTART + 2)
        text = substr(text, 1, RSTART - 1)
        codes++
    } else if (index(text, "..."))
        short = 1
    if (text !~ /^ *$/)
        line[++lines] = text
    if (expected != "") {
        write_fragment(expected)
        lines = 0
    }
}

function kind_of(text,    word)
{
    word = text
    sub(/^ */, "", word)
    if (word ~ /^(strategy|optimizer) +[a-z0-9_]+\(/ || word ~ /^(strategy|batch|clip|precision|assert|data|seed) /)
        return "train"
    if (word ~ /^(sync|parameters|gradients|optimizer|activations) /)
        return "strategy"
    if (word ~ /^(import|mesh|modle) /)
        return "declarations"
    return "model"
}

# Puts the fragment's lines into at["kind"]: a strategy with its braces is a declaration, of a train only the inside is.
function sort_lines(    i, whole, kind)
{
    split("", at)
    split("", replaced)
    for (i = 1; i <= lines; i++) {
        if (line[i] ~ /^train .*\{$/) {
            whole = "train"
            continue
        }
        if (line[i] ~ /^strategy .*\{$/)
            whole = "declarations"
        if (line[i] ~ /^}/ && whole == "train")
            continue
        kind = whole != "" ? whole : kind_of(line[i])
        at[kind] = at[kind] line[i] "\n"
        if (kind == "train" || line[i] ~ /^ *input /)
            replaced[first_word(line[i])] = line[i]
        if (line[i] ~ /^}/)
            whole = ""
    }
}

function first_word(text)
{
    sub(/^ */, "", text)
    sub(/ .*/, "", text)
    return text
}

function write_fragment(expected,    i, name, word, train)
{
    name = to "/" (++fragments)
    sort_lines()
    for (i = 1; i <= base_lines; i++) {
        word = first_word(base[i])
        if (base[i] ~ /^train /)
            train = 1
        if (base[i] ~ /^#: /)
            printf "%s", at[substr(base[i], 4)] > (name ".place")
        else if (word in replaced && (train || word == "input")) {
            if (word == "input")
                print replaced[word] > (name ".place")
        } else
            print base[i] > (name ".place")
    }
    print expected > (name ".expect")
    close(name ".place")
    close(name ".expect")
}
