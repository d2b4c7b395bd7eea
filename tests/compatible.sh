#!/bin/sh
# compatible.sh [--bless]: makes the tables of docs/compatibility.md anew, every strategy of the prelude with every other
# over two axes and over one, by checking a small transformer with a mixture of experts under both; compares, or rewrites
# them. PLACEC is the compiler. Ends with one line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Not that of images, of which this model has none.
strategies=$(sed -n 's/^strategy \([a-z0-9_]*\)([a-z]*: axis.*/\1/p' prelude/prelude.place | grep -v spatial)

# Sizes that 2 and 3 divide.
program() {
    cat <<END
place 1
model gpt(layers = 3, hidden = 24, heads = 6, context = 12, vocab = 12) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads, causal) as attn
        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp
        x = x + moe(layernorm(x) as norm3, 6, 2, 12, swiglu, capacity = 4) as moe
    }
    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)
    loss = mean over batch, context of cross_entropy(logits, targets)
}
cluster here { $2 devices of cpu }
mesh local on here { $1 }
train gpt on local {
    strategy $3
    optimizer adamw(rate = 1e-3)
    precision f64
    batch 12 in 1 microbatches
    steps 1
}
END
}

# "proved", or the codes of what is said against it.
verdict() {
    program "$1" "$2" "$3" > "$work/pair.place"
    if "$PLACEC" check "$work/pair.place" > "$work/out" 2>&1; then
        echo proved
    else
        sed -n 's/.*error\[\(P[0-9]*\)\].*/\1/p' "$work/out" | sort -u | paste -sd ' ' -
    fi
}

# table MESH DEVICES AXIS: the row's strategy over a, the column's over AXIS.
table() {
    echo
    echo "| | $(echo $strategies | sed 's/ / | /g') |"
    echo "|---|$(for s in $strategies; do printf -- '---|'; done)"
    for first in $strategies; do
        printf '| %s |' "$first"
        for second in $strategies; do
            pair="$first(a) * $second($3)"
            [ "$3" = a ] && [ "$first" = "$second" ] && pair="$first(a)"
            printf ' %s |' "$(verdict "$1" "$2" "$pair")"
        done
        echo
    done
}

sed '/^<!-- tables -->$/q' docs/compatibility.md > "$work/page"
{
    printf '\n## Over two axes\n'
    table 'a: 2, b: 3' 6 b
    printf '\n## Over one axis (on the diagonal: alone)\n'
    table 'a: 2' 2 a
} >> "$work/page"
if [ "${1:-}" = --bless ]; then
    cp "$work/page" docs/compatibility.md
elif cmp -s docs/compatibility.md "$work/page"; then
    echo "1 passed, 0 failed, 0 skipped"
else
    diff docs/compatibility.md "$work/page"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
