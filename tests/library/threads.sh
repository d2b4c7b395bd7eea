#!/bin/sh
# threads.sh: tests/library/threads.c under the thread sanitizer, on programs of every kind: sharded, staged, on another tier,
# recomputed, passed around. And that a race would be noticed. Wants B, the build directory of the program. Ends with
# "N passed, N failed, N skipped".
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch

# program STRATEGY: a small GPT under it.
program() {
    cat <<PLACE
place 1
model net(layers = 2, hidden = 8, heads = 2, context = 4, vocab = 16) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads, causal) as attn
        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp
    }
    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)
    loss = mean over batch, context of cross_entropy(logits, targets)
}
cluster machine { 4 devices of cpu }
mesh grid on machine { data: 2, t: 2 }
train net on grid {
    strategy $1
    optimizer adamw(rate = 0.1)
    data synthetic
    batch 16 in 4 microbatches
    steps 3
}
PLACE
}

# The first is derived two hundred times: it is the smallest.
set -- tests/dump/zero3.place
while read -r strategy; do
    program "$strategy" >"$work/$#.place"
    set -- "$@" "$work/$#.place"
done <<'STRATEGIES'
zero1(data) * offload(optimizer)
zero3(data) * recompute(block[*])
data_parallel(data) * ring(t)
data_parallel(data) * megatron(t, vocab = true) * offload_activations(block[*])
zero2(data) * ulysses(t)
zero1(data) * pipeline(t)
data_parallel(data) * tensor_parallel(t, sequence_parallel = true)
STRATEGIES
"$B/threads" "$@" >"$log" 2>&1
add_suite threads $?
refused 'a race is noticed' 66 'data race' "$B/threads" --race
finish_suite
