#!/bin/sh
# tests/serve/run.sh BUILD: a model learns the alphabet by heart; then programs that serve it must continue it, the same
# under every placement of keys and values as on one rank.
cd "$(dirname "$0")/../.." || exit 2
B=${1:?the build directory}
WORK=$B/serve
. tests/programs.sh
cd "$WORK" || exit 2
i=0
while [ $((i += 1)) -le 60 ]; do printf 'abcdefghijklmnopqrstuvwxyz'; done > alphabet.txt
printf 'abcdef\nopq\n\nghijklmnopq\nx\nyzab\n' > prompts.txt

# place NAME RANKS MESH WHAT SETTINGS...: a program with the model.
place() {
    name=$1 ranks=$2 mesh=$3 what=$4
    shift 4
    {
        cat <<'PLACE'
place 1
model gpt(layers = 2, hidden = 32, heads = 4, context = 24, vocab = 256) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads, causal) as attn
        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp
    }
    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none) as head
    loss   = mean over batch, context of cross_entropy(logits, targets)
}
strategy caches(c: axis) { activations of *.key, *.value sharded over c by context }
strategy pinned(t: axis) {
    activations of block[1].norm1 computed over t by hidden
    activations of block.mlp.up.product computed over t by hidden
    activations of norm computed over t by batch
    activations of *.scores computed over t by heads where present
}
PLACE
        printf 'cluster here { %s devices of cpu }\nmesh grid on here { %s }\n' "$ranks" "$mesh"
        printf '%s gpt on grid {\n' "$what"
        printf '    %s\n' "$@"
        echo '}'
    } > "$name.place"
    "$B/placec" build "$name.place" -o "$name" > "$log" 2>&1
}

# texts LOG: what was added to each prompt.
texts() {
    sed -n 's/.*"event":"sample".*"prompt":"\([^"]*\)","text":"\([^"]*\)".*/\1 \2/p' "$1"
}

# served NAME RANKS MESH STRATEGY [SETTING...]: builds and runs it; its texts are in NAME.texts.
served() {
    name=$1
    place "$1" "$2" "$3" serve "strategy $4" 'batch 6' 'steps 10' 'precision f64' 'prompts "prompts.txt"' 'load "saved"' \
        ${5+"$5"} ${6+"$6"} || return 1
    "$name/run.sh" --quiet --check-arena --log "$name.log" > "$log" 2>&1 || return 1
    texts "$name.log" > "$name.texts"
}

# alike NAME ...: served, and the texts are those of one rank.
alike() {
    served "$@" && cmp one.texts "$1.texts" > "$log" 2>&1
}

expect 'train' place trained 2 'data: 2' train 'strategy zero3(data)' 'optimizer adamw(rate = 0.003, warmup = 10)' 'batch 16' \
    'steps 120' 'precision f64' 'data bytes "alphabet.txt"' 'checkpoint every 1000 steps in "saved"'
expect 'training' trained/run.sh --quiet --sample 0
expect 'one rank' served one 1 'data: 1' 'data_parallel(data)'
cat > expected << 'END'
abcdef ghijklmnop
opq rstuvwxyza
ghijklmnopq rstuvwxyza
x yzabcdefgh
yzab cdefghijkl
abcdef ghijklmnop
END
expect 'the alphabet' cmp one.texts expected
expect 'by batch' alike batch 4 'data: 4' 'data_parallel(data)'
expect 'gathered' alike gathered 2 'data: 2' 'zero3(data)'
expect 'by heads' alike heads 2 't: 2' 'megatron(t, vocab = true)'
expect 'by heads, of different numbers' alike uneven 3 't: 3' 'megatron(t)'
expect 'by context' alike context 2 'c: 2' 'context_parallel(c)'
expect 'by context, in a ring' alike ring 3 'c: 3' 'ring(c)'
expect 'by context, alone' alike caches 2 'c: 2' 'caches(c)'
expect 'by layers' alike stages 2 'stage: 2' 'pipeline(stage)'
expect 'computed as pinned' alike pinned 2 't: 2' 'data_parallel(t) * pinned(t)'
expect 'by batch and heads' alike both 4 'data: 2, t: 2' 'data_parallel(data) * megatron(t)'

# Tokens that are drawn depend on the seed, the sequence and the position alone.
expect 'drawn' served drawn 1 'data: 1' 'data_parallel(data)' 'sample temperature 3' 'seed 5'
expect 'drawn otherwise than the likeliest' sh -c '! cmp -s one.texts drawn.texts'
cp drawn.texts one.texts
expect 'drawn on several ranks' alike several 4 'data: 2, t: 2' 'data_parallel(data) * megatron(t)' 'sample temperature 3' \
    'seed 5'
expect 'drawn from another seed' sh -c 'drawn/run.sh --quiet --seed 6 --log other.log'
texts other.log > other.texts
expect 'which differs' sh -c '! cmp -s drawn.texts other.texts'
expect 'where two sequences have one prompt' sh -c '[ "$(sed -n 1p one.texts)" != "$(sed -n 6p one.texts)" ]'

# A text that is read at once is continued like one that was added.
printf 'abcdefghij\n' > longer.txt
expect 'a longer prompt' one/run.sh --quiet --data longer.txt --steps 6 --log longer.log
expect 'is continued alike' sh -c "grep -q '\"text\":\"klmnop\"' longer.log"

# What cannot be.
printf 'abcdefghijklmnopqrstuvw\n' > long.txt
printf '\n\n' > none.txt
refused 'too long' 2 'a prompt of 23 tokens, to which 10 are added, in a context of 24' one/run.sh --data long.txt
expect 'with fewer steps' one/run.sh --quiet --data long.txt --steps 2
refused 'no prompts' 2 'has no prompts' one/run.sh --data none.txt
refused 'no file' 2 'missing.txt' one/run.sh --data missing.txt
refused 'an option of training' 64 "option '--checkpoint' is for programs that train" one/run.sh --checkpoint x
refused 'no checkpoint' + 'nowhere' one/run.sh --resume nowhere

# Of more tokens than there are bytes.
sed 's/vocab = 256/vocab = 300/; /load "saved"/d' one.place > many.place
expect 'many tokens' "$B/placec" build many.place -o many
refused 'a warning' 0 'only the first 256 of 300 tokens are drawn' many/run.sh --steps 2

# Prompts of numbers: every token may be drawn, and is printed as a number.
printf '97 98 99 100\n \n  111 112\t113 \n' > numbers.txt
sed 's/prompts "prompts.txt"/prompts tokens "numbers.txt"/' one.place > numbers.place
expect 'numbers' "$B/placec" build numbers.place -o numbers
expect 'are read' numbers/run.sh --quiet --log numbers.log
expect 'and given' grep -q '"prompt_tokens":\[97,98,99,100\],"tokens":\[101,102,103,104,105' numbers.log
expect 'after blanks' grep -q '"prompt_tokens":\[111,112,113\],"tokens":\[114,115,116' numbers.log
sed 's/data: 1/t: 2/; s/1 devices/2 devices/; s/data_parallel(data)/megatron(t, vocab = true)/; s/precision/sample temperature 9; precision/' \
    numbers.place > divided.place
sed 's/precision/sample temperature 9; precision/' numbers.place > whole.place
expect 'numbers on two ranks' "$B/placec" build divided.place -o divided
expect 'numbers that are drawn' "$B/placec" build whole.place -o whole
expect 'two ranks' divided/run.sh --quiet --log divided.log
expect 'one' whole/run.sh --quiet --log whole.log
for run in divided whole; do sed -n 's/.*\("tokens":.*\)}/\1/p' "$run.log" > "$run.tokens"; done
expect 'alike' cmp divided.tokens whole.tokens
expect 'and there are some' test -s whole.tokens
sed 's/prompts "prompts.txt"/prompts tokens "numbers.txt"; sample temperature 50/' many.place > large.place
expect 'a large vocabulary' "$B/placec" build large.place -o large
expect 'is drawn from' large/run.sh --steps 10 --log large.log
expect 'as a whole' grep -qE '"tokens":\[[0-9,]*2(5[6-9]|[6-9][0-9])' large.log
printf '97 300\n' > high.txt
printf '97 b8\n' > letters.txt
printf '97 99999999999999999999999999999999999999999999\n' > huge.txt
refused 'a token too high' 2 "a token '300'; the tokens of this model are 0 to 299" large/run.sh --data high.txt
refused 'letters' 2 "a token 'b8'" large/run.sh --data letters.txt
refused 'a long number' 2 "a token that begins with '9999999999" large/run.sh --data huge.txt
sed 's/prompts tokens/prompts tokens u16/' large.place > form.place
refused 'a form' 1 'Its form is: prompts "prompts.txt", or: prompts tokens "prompts.txt"' "$B/placec" check form.place
seq -s ' ' 0 23 > many.txt
refused 'too many' 2 'a prompt of 24 tokens, to which 10 are added, in a context of 24' large/run.sh --data many.txt
finish_suite
