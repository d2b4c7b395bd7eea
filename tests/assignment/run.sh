#!/bin/sh
# tests/assignment/run.sh: what `--dump=assignment` prints compiles to the step program of the original, but for comments.
# What is refused is listed below with its reason. PLACEC names the compiler.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
find_compiler
same=0 refused=0

# steps FILE: its step program without comments.
steps() {
    "$PLACEC" check "$1" --dump=step | sed 's/ *#.*//'
}

# round_trip NAME FILE [REASON]: with a reason, it is refused for that.
round_trip() {
    if "$PLACEC" check "$2" --dump=assignment > "$work/plain.place" 2> "$work/why"; then
        steps "$2" > "$work/before"
        steps "$work/plain.place" > "$work/after"
        if [ -n "$3" ]; then
            bad "$1" "it is printed, and was to be refused: $3"
        elif [ -s "$work/before" ] && cmp -s "$work/before" "$work/after"; then
            good
            same=$((same + 1))
        else
            bad "$1" 'the printed program is another'
        fi
    elif [ -n "$3" ] && grep -qF "$3" "$work/why"; then
        good
        refused=$((refused + 1))
    else
        bad "$1" "$(cat "$work/why")"
    fi
}

# gpt STRATEGY [REASON]: on two axes.
gpt() {
    cat > "$work/gpt.place" << END
place 1
model gpt(layers = 4, hidden = 32, heads = 4, context = 16, vocab = 64) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads, causal) as attn
        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp
    }
    loss = mean over batch, context of cross_entropy(linear(x, vocab) as head, targets)
}
cluster pod { 4 devices of cpu }
mesh grid on pod { a: 2, b: 2 }
$3
train gpt on grid {
    strategy $1
    optimizer adam(rate = 0.1)
    batch 16 in 4 microbatches
    steps 3
}
END
    round_trip "$1" "$work/gpt.place" "$2"
}

# What is printed keeps its imports, so it is compiled in the folder of the original.
cp examples/*.place "$work"
for file in examples/*.place; do
    round_trip "$file" "$work/${file#examples/}"
done

singles='data_parallel(b) zero1(b) zero2(b) zero3(b) ddp(b) fsdp(b) tensor_parallel(b) megatron(b,vocab=true)
megatron(b,sequence_parallel=true) context_parallel(b) ring(b) ulysses(b) recompute(block[*]) recompute(block[*].attn)
selective offload(optimizer) offload(parameters) offload_activations(block[*]) pipeline(b) pipeline(b,schedule=gpipe)
pipeline(b,schedule=interleaved,chunks=2)'
for one in $singles; do
    gpt "$one"
done
gpt 'hsdp(a, b)'
for first in 'data_parallel(a)' 'zero1(a)' 'zero2(a)' 'zero3(a)'; do
    for second in $singles; do
        gpt "$first * $second"
    done
done
gpt 'mine(a)' 'explicit syncs' 'strategy mine(d: axis) {
    activations sharded over d by batch
    sync gradients : sum over d at step
}'
gpt 'mine(a)' 'recomputation in some layers only' 'strategy mine(d: axis) {
    activations sharded over d by batch
    activations of block[0..1] materialized
}'
echo "assignment: $same compile to the same step program, $refused are refused with their reason"
finish_suite
