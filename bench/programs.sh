# programs.sh - read by other scripts: programs to search for strategies of.

# write_train MODEL CLUSTER BATCH [SEARCH]: trains the model on the cluster, in any way that SEARCH leaves.
write_train() {
    cat << END
cluster pod { $2 }
train $1 on pod {
    search over pod { ${4:-} }
    optimizer adamw(rate = 1e-4)
    clip norm 1.0
    precision bf16, master f32
    data synthetic
    batch $3
    steps 1
}
END
}

# write_llama LAYERS HIDDEN HEADS KV INNER CONTEXT: a model of the Llama kind, `llama`.
write_llama() {
    cat << END
place 1
model llama(layers = $1, hidden = $2, heads = $3, kv_heads = $4, inner = $5, context = $6, vocab = 128256) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as table
    repeat block[layers] {
        x = x + attention(rmsnorm(x) as norm1, heads, causal, bias = none, rope = 500000, kv_heads = kv_heads) as attn
        x = x + mlp(rmsnorm(x) as norm2, inner, swiglu, bias = none) as mlp
    }
    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head
    loss = mean over batch, context of cross_entropy(logits, targets)
}
END
}

# write_gpt3: the 175B model of Brown et al., `gpt`.
write_gpt3() {
    cat << END
place 1
model gpt(layers = 96, hidden = 12288, heads = 96, context = 2048, vocab = 51200) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads, causal) as attn
        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp
    }
    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)
    loss = mean over batch, context of cross_entropy(logits, targets)
}
END
}
