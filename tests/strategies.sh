# strategies.sh - the strategies of the prelude, and two small models on which all of them have something to do; sourced
# after tests/suite.sh.
#
#     $over_axes, $of_rows, $of_images    strategies over an axis: all, those of transformers, those of images
#     $no_axis                            calls of those that have none
#     model=$transformer; program MESH DEVICES STRATEGY
over_axes=$(sed -n 's/^strategy \([a-z0-9_]*\)([a-z]*: axis.*{$/\1/p' prelude/prelude.place)
of_rows=$(echo "$over_axes" | grep -v spatial)
of_images=$(echo "$over_axes" | grep -E 'data|zero|fsdp|spatial')
no_axis='recompute(block[*]) recompute(block[*].attn) offload(parameters) offload(gradients) offload(optimizer)
    offload(activations) offload_activations(block[*].mlp)'

# Sizes that 2 and 3 divide.
transformer='model net(layers = 3, hidden = 24, heads = 6, context = 12, vocab = 12) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads, causal) as attn
        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp
        x = x + moe(layernorm(x) as norm3, 6, 2, 12, swiglu, capacity = 4) as moe
    }
    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)
    loss = mean over batch, context of cross_entropy(logits, targets)
}'
images='model net(layers = 3, height = 12, width = 12) {
    input pixels : f64[batch, 6, height, width]
    input labels : int[batch]
    x = relu(convolution(pixels, 6, 3, pad = 1) as first)
    repeat block[layers] {
        x = x + relu(batchnorm(convolution(x, 6, 3, pad = 1, bias = none) as conv) as norm)
    }
    loss = mean over batch of cross_entropy(linear(flatten(max_pool(x, 2)), 6) as last, labels)
}'

# program MESH DEVICES STRATEGY
program() {
    cat <<END
place 1
$model
cluster here { $2 devices of cpu }
mesh local on here { $1 }
train net on local {
    strategy $3
    optimizer adamw(rate = 1e-3)
    precision f64
    batch 12 in 1 microbatches
    steps 1
}
END
}
