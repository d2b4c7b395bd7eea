#!/bin/sh
# derive.sh PLACEC DIR - writes the step programs that the compiler derives for two tiny models under every strategy
# into DIR, for the simulator: NAME.step. Prints what cannot be derived; the exit status is then 1.
set -u
placec=$1
out=$2
failed=0
mkdir -p "$out"

gpt='model gpt(layers = 2, hidden = 4, heads = 2, context = 3, vocab = 5) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads, causal) as attn
        x = x + mlp(layernorm(x) as norm2, hidden, gelu) as mlp
    }
    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)
    loss   = mean over batch, context of cross_entropy(logits, targets)
}'
mlp='model mlp(inputs = 3, hidden = 5, classes = 4) {
    input features : f32[batch, inputs]
    input labels   : int[batch]
    x = relu(linear(features, hidden) as first)
    x = gelu(linear(x, hidden) as second)
    logits = linear(x, classes) as head
    loss   = mean over batch of cross_entropy(logits, labels)
}'
llama='model llama(layers = 2, hidden = 8, heads = 2, context = 3, vocab = 5) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    repeat block[layers] {
        x = x + attention(rmsnorm(x) as norm1, heads, causal, rope = 10000, kv_heads = 1, bias = none) as attn
        x = x + dropout(mlp(rmsnorm(x) as norm2, 3, swiglu, bias = none) as mlp, 0.25)
    }
    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head
    loss   = mean over batch, context of cross_entropy(logits, targets) -
             0.25 * sum over batch, context of cross_entropy(2 * logits, targets) where targets < 3
}'
adapted='model adapted(layers = 2, hidden = 4, heads = 2, context = 3, vocab = 5) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden, parameters = frozen) as wte
    repeat block[layers] {
        x = x + attention(x, heads, causal, adapter = lora(rank = 2, scale = 0.5)) as attn
        x = x + linear(x, hidden, adapter = lora(rank = 3)) as fc
    }
    logits = linear(x, vocab, weight = wte.table) as head
    loss   = mean over batch, context of cross_entropy(logits, targets)
}'
vocab='strategy vocab(t: axis) {
    parameters of head.weight sharded over t by out
    parameters of wte sharded over t by vocab
}'
moe='model moe(layers = 1, hidden = 4, context = 5, vocab = 5) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    repeat block[layers] {
        x = x + moe(rmsnorm(x) as norm, 3, 2, 2, silu, capacity = 1) as moe
    }
    logits = linear(tanh(x), vocab) as head
    loss   = mean over batch, context of cross_entropy(logits, targets) +
             0.1 * mean over batch of load_balance(block.moe) + 0.05 * mean over batch of router_z(block.moe)
}'
moe_groups='model grouped(hidden = 4, context = 6, vocab = 5) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    x = x + moe(rmsnorm(x) as norm, 3, 2, 2, silu, capacity = 1) as moe
    loss = mean over batch, context of cross_entropy(linear(tanh(x), vocab) as head, targets)
}'
image='model image(size = 5, classes = 3) {
    input images : f32[batch, 2, size, size]
    input labels : int[batch]
    x = relu6(convolution(images, 4, 3, pad = 1, bias = none) as first)
    x = max_pool(convolution(x, 2, 2, groups = 2) as second, 2, stride = 1)
    x = flatten(mean_pool(x, 2, stride = 1))
    logits = linear(x, classes) as head
    loss   = mean over batch of cross_entropy(logits, labels)
}'
normed='model normed(layers = 2, classes = 3) {
    input images : f32[batch, 2, 4, 3]
    input labels : int[batch]
    x = relu(batchnorm(convolution(images, 3, 3, pad = 1, bias = none) as first) as norm)
    repeat block[layers] {
        x = x + gelu(batchnorm(convolution(x, 3, 3, pad = 1, bias = none) as conv) as norm)
    }
    logits = linear(batchnorm(global_mean(x)) as last, classes) as head
    loss   = mean over batch of cross_entropy(logits, labels)
}'
masked_layers='model layered(hidden = 4, context = 3, vocab = 5) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    repeat block[4] {
        x = x + mlp(x, 5, gelu) as mlp
    }
    loss = mean over batch, context of cross_entropy(linear(x, vocab) as head, targets) where targets < 3 +
           0.5 * mean over batch, context of cross_entropy(2 * (linear(x, vocab) as other), targets) where targets != 0
}'
masked='model masked(hidden = 4, context = 3, vocab = 5) {
    input tokens, targets : int[batch, context]
    x = tanh(embedding(tokens, vocab, hidden) as wte)
    loss = mean over batch, context of cross_entropy(linear(x, vocab) as head, targets) where targets != 0
}'
dropped='model dropped(hidden = 8, heads = 4, context = 4, vocab = 5) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    x = x + attention(x, heads, causal, kv_heads = 2, bias = none, dropout = 0.25) as attn
    x = x + dropout(attention(x, heads, bias = none, dropout = 0.25) as second, 0.5)
    loss = mean over batch, context of cross_entropy(linear(x, vocab) as head, targets)
}'
pieces='model pieces(height = 12, classes = 3) {
    input images : f32[batch, 2, height, 5]
    input labels : int[batch]
    x = gelu(batchnorm(convolution(images, 3, 3, stride = 2, pad = 1, bias = none) as first) as norm)
    repeat block[2] {
        x = x + gelu(convolution(max_pool(x, 3, stride = 1, pad = 1), 3, 3, pad = 1) as conv)
    }
    x = mean_pool(convolution(x, 2, 1) as last, 3, stride = 1, pad = 1)
    logits = linear(flatten(mean_pool(x, 2)), classes) as head
    loss   = mean over batch of cross_entropy(logits, labels)
}'
corners='model corners(height = 8, width = 12, classes = 3) {
    input images : f32[batch, 2, height, width]
    input labels : int[batch]
    x = gelu(batchnorm(convolution(images, 3, 3, stride = 2, pad = 1, bias = none) as first) as norm)
    repeat block[2] {
        x = x + gelu(convolution(max_pool(x, 3, stride = 1, pad = 1), 3, 3, pad = 1, groups = 3) as conv)
    }
    x = mean_pool(convolution(x, 2, 1) as last, 3, stride = 1, pad = 1)
    loss = mean over batch of cross_entropy(linear(global_mean(x), classes) as head, labels)
}'
mixture='strategy mixture(d: axis) {
    parameters of block[0] gathered over d
    gradients  of block[0] sharded over d
    optimizer  sharded over d
    activations sharded over d by batch
}'
halves='strategy halves(d: axis) {
    parameters of head gathered over d
    gradients  of head sharded over d
    optimizer  of head sharded over d
    activations sharded over d by batch
}'

kept='strategy kept(d: axis) {
    parameters  gathered over d kept until step
    gradients   sharded over d
    optimizer   sharded over d
    activations sharded over d by batch
}'

channels='strategy channels(t: axis) {
    parameters of *.conv sharded over t by out
    parameters of *.norm sharded over t by channels
}'

name_of() {
    printf '%s\n' "$1" | sed -n '1s/^model \([a-z]*\).*/\1/p'
}

# heading MODEL MESH-AXES RANKS MORE-DECLARATIONS: the file up to its train.
heading() {
    printf 'place 1\n%s\ncluster here { %s devices of cpu }\nmesh local on here { %s }\n%s\n' "$1" "$3" "$2" "$4"
}

# dump NAME: the step program of the file.
dump() {
    if ! "$placec" --dump=step "$out/$1.place" > "$out/$1.step" 2> "$out/$1.err"; then
        echo "cannot derive $1:"
        cat "$out/$1.err"
        rm -f "$out/$1.step"
        failed=1
    fi
}

# derive NAME MODEL MESH-AXES RANKS STRATEGY OPTIMIZER BATCH [MORE-DECLARATIONS] [CLIP] [PRECISION]
derive() {
    heading "$2" "$3" "$4" "${8-}" > "$out/$1.place"
    printf 'train %s on local {\n    strategy %s\n    optimizer %s\n    %s\n    %s\n' \
        "$(name_of "$2")" "$5" "$6" "${9-}" "${10-precision f64}" >> "$out/$1.place"
    printf '    data synthetic\n    batch %s\n    steps 3\n}\n' "$7" >> "$out/$1.place"
    dump "$1"
}

# serve NAME MODEL MESH-AXES RANKS STRATEGY BATCH [MORE-DECLARATIONS]
serve() {
    heading "$2" "$3" "$4" "${7-}" > "$out/$1.place"
    printf 'serve %s on local {\n    strategy %s\n    precision f64\n    batch %s\n    steps 3\n}\n' \
        "$(name_of "$2")" "$5" "$6" >> "$out/$1.place"
    dump "$1"
}

# Not the usual epsilon: keys' biases have gradient zero but for rounding, which it would make visible.
adamw='adamw(rate = 0.01, warmup = 2, decay = 0.1, epsilon = 0.001)'
for stage in data_parallel zero1 zero2 zero3; do
    derive "gpt-$stage-2" "$gpt" 'data: 2' 2 "$stage(data)" "$adamw" '4 in 2 microbatches' '' 'clip norm 0.25'
    derive "gpt-$stage-3" "$gpt" 'data: 3' 3 "$stage(data)" "$adamw" '3 in 1 microbatches' ''
    derive "mlp-$stage-3" "$mlp" 'data: 3' 3 "$stage(data)" 'momentum(rate = 0.1, momentum = 0.5)' '12 in 2 microbatches' '' \
        'clip norm 0.25'
    derive "mlp-$stage-4" "$mlp" 'pod: 2, data: 2' 4 "$stage(data) * data_parallel(pod)" "$adamw" '8 in 2 microbatches'
    derive "mlp-$stage-uneven" "$mlp" 'data: 2' 2 "$stage(data)" 'sgd(rate = 0.1)' '7 in 1 microbatches'
done
derive llama-zero3 "$llama" 'data: 2' 2 'zero3(data)' "$adamw" '4 in 2 microbatches' '' 'clip norm 0.25'
derive llama-data_parallel "$llama" 'data: 3' 3 'data_parallel(data)' 'sgd(rate = 0.1)' '7 in 1 microbatches'
derive adapted-zero2 "$adapted" 'data: 2' 2 'zero2(data)' "$adamw" '6 in 2 microbatches' '' 'clip norm 0.25'
derive llama-vocab "$llama" 'data: 2, tensor: 2' 4 'zero1(data) * vocab(tensor)' "$adamw" '4 in 2 microbatches' "$vocab"
derive adapted-vocab "$adapted" 'tensor: 3' 3 'vocab(tensor)' 'sgd(rate = 0.1)' '3 in 1 microbatches' \
    'strategy vocab(t: axis) { parameters of block.fc.lora_up.weight sharded over t by out }'
derive adapted-sharded "$adapted" 'data: 2, tensor: 2' 4 'fsdp(data) * megatron(tensor, vocab = true)' "$adamw" '4 in 2 microbatches' '' \
    'clip norm 0.25'
derive adapted-stages "$adapted" 'stage: 2, data: 2' 4 'fsdp(data) * pipeline(stage)' "$adamw" '4 in 2 microbatches'
derive gpt-replicated-shards "$gpt" 'node: 2, data: 2' 4 'hsdp(node, data) * selective' "$adamw" '4 in 2 microbatches'
# Both sums of a hybrid in each microbatch, the second on the shards of the first; also in a pipeline.
each='strategy each(r: axis, s: axis) {
    gradients sharded over s
    optimizer sharded over s
    activations sharded over s, r by batch
    sync gradients : sum over s into shards each microbatch then mean over r each microbatch scale r
}'
derive gpt-replicated-each "$gpt" 'shard: 2, node: 2' 4 'each(node, shard)' "$adamw" '8 in 2 microbatches' "$each"
derive gpt-replicated-each-stages "$gpt" 'stage: 2, shard: 2, node: 2' 8 'each(node, shard) * pipeline(stage)' "$adamw" \
    '12 in 3 microbatches' "$each"
derive gpt-kept-again "$gpt" 'data: 2' 2 'zero1(data) * recompute(block[0]) * offload_activations(block[*].attn)' "$adamw" \
    '4 in 2 microbatches'
derive layers-kept-again "$masked_layers" 'data: 2' 2 \
    'zero1(data) * recompute(block[1..2].mlp) * offload_activations(block)' "$adamw" '4 in 2 microbatches'
derive layers-kept-apart "$masked_layers" 'data: 2, stage: 2' 4 \
    'zero1(data) * pipeline(stage) * recompute(block[1]) * offload_activations(block[0, 3].mlp)' "$adamw" '4 in 2 microbatches'
derive gpt-parameters-rest "$gpt" 'data: 2, node: 2' 4 'rest(data, node)' "$adamw" '4 in 2 microbatches' \
    'strategy rest(d: axis, n: axis) {
    activations sharded over d, n by batch
    optimizer sharded over d, n
    sync parameters of block : gather over n derive the rest
}'
derive normed-synced "$normed" 'data: 2' 2 'synced(data)' 'momentum(rate = 0.1)' '6 in 1 microbatches' \
    'strategy synced(d: axis) { activations sharded over d by batch; sync gradients : sum over d }'
derive moe-one-axis "$moe" 'data: 3' 3 'zero1(data) * expert_parallel(data)' "$adamw" '6 in 2 microbatches'
derive gpt-shards-context "$gpt" 'data: 2, context: 2, both = data * context' 4 'fsdp(both) * context_parallel(context)' \
    "$adamw" '4 in 2 microbatches'
# Terms of a loss that are sums over different axes.
derive moe-context "$moe" 'data: 2, context: 3' 6 'zero1(data) * context_parallel(context)' "$adamw" '6 in 2 microbatches'
derive moe-context-few "$moe" 'context: 3, data: 2' 6 'context_parallel(context) * fsdp(data) * recompute(block[*])' "$adamw" \
    '2 in 1 microbatches'
derive moe-sequence "$moe" 'tensor: 2, data: 2' 4 'megatron(tensor, sequence_parallel = true) * zero2(data)' "$adamw" \
    '6 in 2 microbatches' '' 'clip norm 0.25'
derive moe-stages-losses "$(printf '%s' "$moe" | sed 's/layers = 1/layers = 3/')" 'stage: 2, context: 2' 4 \
    'pipeline(stage) * context_parallel(context)' "$adamw" '6 in 3 microbatches'
derive llama-vocab-terms "$(printf '%s' "$llama" | sed 's/^             0.25 \* sum.*/             0.25 * mean over batch, context, vocab of logits * logits/')" \
    'tensor: 3, data: 2' 6 'megatron(tensor, vocab = true) * zero1(data)' "$adamw" '4 in 2 microbatches' '' 'clip norm 0.25'
# Microbatches of which some have one example more, or ranks none of some.
for stage in data_parallel zero2 zero3; do
    derive "gpt-$stage-unequal" "$gpt" 'data: 2' 2 "$stage(data)" "$adamw" '7 in 3 microbatches' '' 'clip norm 0.25'
done
derive llama-tensor-unequal "$llama" 'data: 3, tensor: 2' 6 'zero1(data) * megatron(tensor, sequence_parallel = true)' "$adamw" \
    '5 in 2 microbatches'
derive gpt-stages-unequal "$gpt" 'stage: 2, data: 2' 4 'zero1(data) * pipeline(stage)' "$adamw" '7 in 4 microbatches'
derive moe-unequal "$moe" 'data: 2, expert: 3' 6 'zero2(data) * expert_parallel(expert)' "$adamw" '13 in 2 microbatches'
# Room for every row: what travels is counted first.
roomy=$(printf '%s' "$moe" | sed 's/3, 2, 2, silu, capacity = 1/6, 2, 2, silu/')
derive moe-room "$roomy" 'data: 3' 3 'zero1(data) * expert_parallel(data)' "$adamw" '6 in 2 microbatches'
derive moe-room-two-hops "$roomy" 'data: 2, expert: 3' 6 'zero3(data) * expert_parallel(expert)' "$adamw" '12 in 2 microbatches'
derive moe-room-again "$roomy" 'expert: 3' 3 'expert_parallel(expert) * recompute(block[*])' "$adamw" '6 in 2 microbatches'
derive moe-room-tensor "$roomy" 'expert: 3, tensor: 2' 6 'expert_parallel(expert) * megatron(tensor)' "$adamw" \
    '6 in 2 microbatches'
derive moe-room-kept "$roomy" 'expert: 3' 3 'expert_parallel(expert) * offload_activations(block[*])' "$adamw" '6 in 2 microbatches'
derive moe-room-gated "$(printf '%s' "$roomy" | sed 's/2, silu/3, swiglu/; s/layers = 1/layers = 2/')" 'expert: 3, stage: 2' 6 \
    'expert_parallel(expert) * pipeline(stage)' "$adamw" '6 in 2 microbatches'
derive masked-unequal "$masked" 'data: 3' 3 'zero3(data)' 'momentum(rate = 0.1)' '11 in 3 microbatches' '' 'clip norm 0.25'
derive image-unequal "$image" 'data: 2' 2 'zero1(data)' 'momentum(rate = 0.1)' '7 in 2 microbatches'
deep() { printf '%s' "$gpt" | sed "s/layers = 2/layers = $1/"; }
# One sync of all layers that is only started; in shards, on copies, and in a pipeline.
started='strategy all(d: axis) {
    activations sharded over d by batch
    sync gradients : sum over d after microbatch 1 wait at step
}
strategy shards(d: axis) {
    optimizer sharded over d
    activations sharded over d by batch
    sync gradients : mean over d into shards wait at step scale d
}'
derive gpt-started "$(deep 3)" 'data: 2' 2 'all(data)' "$adamw" '4 in 2 microbatches' "$started" 'clip norm 0.25'
derive gpt-started-shards "$(deep 3)" 'data: 2' 2 'shards(data)' "$adamw" '4 in 2 microbatches' "$started"
derive gpt-started-stages "$(deep 5)" 'stage: 2, data: 2' 4 'pipeline(stage) * shards(data)' "$adamw" '4 in 2 microbatches' \
    "$started"
derive gpt-started-interleaved "$(deep 4)" 'stage: 2, data: 2' 4 \
    'pipeline(stage, schedule = interleaved, chunks = 2) * shards(data)' "$adamw" '4 in 2 microbatches' "$started"
# A mean over all rows, also where these are sharded.
classes='model classes(layers = 2, hidden = 4, heads = 2, context = 5, vocab = 5, classes = 3) {
    input tokens : int[batch, context]
    input labels : int[batch]
    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads) as attn
        x = x + mlp(layernorm(x) as norm2, hidden, gelu) as mlp
    }
    logits = linear(global_mean(layernorm(x) as norm), classes) as head
    loss   = mean over batch of cross_entropy(logits, labels)
}'
derive classes-zero2 "$classes" 'data: 2' 2 'zero2(data)' "$adamw" '6 in 2 microbatches' '' 'clip norm 0.25'
derive classes-context "$classes" 'context: 2, data: 2' 4 'context_parallel(context) * fsdp(data)' "$adamw" '6 in 2 microbatches'
derive classes-sequence "$classes" 'tensor: 2' 2 'megatron(tensor, sequence_parallel = true, vocab = true)' "$adamw" \
    '5 in 2 microbatches'
derive classes-stages "$classes" 'stage: 2, data: 2' 4 'zero1(data) * pipeline(stage)' "$adamw" '6 in 3 microbatches'
# Heads of a size of their own, without a bias after them.
own="$(printf '%s' "$llama" | sed 's/bias = none) as attn/bias = qkv, head_dim = 6) as attn/')"
derive llama-heads "$own" 'data: 2, tensor: 2' 4 'zero1(data) * megatron(tensor, sequence_parallel = true)' "$adamw" \
    '4 in 2 microbatches' '' 'clip norm 0.25'
derive llama-heads-fused "$(printf '%s' "$own" | sed 's/head_dim = 6/head_dim = 6, weights = fused/')" 'data: 2, tensor: 2' 4 \
    'fsdp(data) * megatron(tensor)' "$adamw" '4 in 2 microbatches'
derive moe-zero2 "$moe" 'data: 2' 2 'zero2(data)' "$adamw" '6 in 2 microbatches'
derive image-zero1 "$image" 'data: 2' 2 'zero1(data)' 'momentum(rate = 0.1)' '6 in 2 microbatches'
derive masked-early "$masked" 'data: 3' 3 'zero3(data)' 'momentum(rate = 0.1)' '10 in 2 microbatches' '' 'clip norm 0.25'
derive masked-stages "$masked_layers" 'stage: 2, data: 2' 4 'zero1(data) * pipeline(stage) * recompute(block[*])' \
    'momentum(rate = 0.1)' '6 in 3 microbatches'
derive masked-zero2 "$masked" 'data: 3' 3 'zero2(data)' 'momentum(rate = 0.1)' '5 in 1 microbatches'
derive normed-data_parallel "$normed" 'data: 3' 3 'data_parallel(data)' "$adamw" '7 in 1 microbatches'
derive normed-zero3 "$normed" 'data: 2' 2 'zero3(data)' 'momentum(rate = 0.1)' '5 in 1 microbatches' '' 'clip norm 0.25'
# Not the model with biases of keys: what divides gradients by their size would make their noise visible.
for optimizer in lamb lars adafactor muon; do
    derive "mlp-$optimizer" "$mlp" 'data: 3' 3 'zero1(data)' "$optimizer(rate = 0.1)" '12 in 2 microbatches' '' 'clip norm 0.25'
    derive "llama-$optimizer" "$llama" 'pod: 2, data: 2' 4 'zero2(data) * data_parallel(pod)' "$optimizer(rate = 0.01)" \
        '8 in 1 microbatches' 'state ema { one per parameter; update after optimizer : 0.9 * ema + 0.1 * parameters }'
done
for stage in zero1 fsdp; do
    derive "gpt-muon-$stage" "$gpt" 'data: 2, tensor: 2' 4 "$stage(data) * megatron(tensor, sequence_parallel = true)" \
        'muon(rate = 0.01)' '4 in 2 microbatches' '' 'clip norm 0.25'
done
derive gpt-adafactor "$gpt" 'data: 2, tensor: 2' 4 'zero1(data) * megatron(tensor, sequence_parallel = true, vocab = true)' \
    'adafactor(rate = 0.01)' '4 in 2 microbatches' '' 'clip norm 0.25'
derive mlp-adafactor-uneven "$mlp" 'tensor: 3' 3 'uneven(tensor)' 'adafactor(rate = 0.01)' '4 in 2 microbatches' \
    'strategy uneven(t: axis) {
    parameters of first.weight, second.weight sharded over t by in
    parameters of head.weight sharded over t by out
}'
derive llama-few-heads "$llama" 'tensor: 3' 3 'megatron(tensor, sequence_parallel = true)' "$adamw" '4 in 2 microbatches'
derive moe-muon-data "$moe" 'data: 3' 3 'zero3(data)' 'muon(rate = 0.01)' '6 in 2 microbatches'
derive moe-muon "$moe" 'data: 2, expert: 3' 6 'zero2(data) * expert_parallel(expert)' 'muon(rate = 0.01)' '6 in 1 microbatches'
# Copies that are joined after some steps.
outer='outer nesterov(rate = 0.5, momentum = 0.75)'
derive copies-zero1 "$mlp" 'pod: 3, data: 2' 6 'data_parallel(pod) * zero1(data)' "$adamw" '24 in 2 microbatches' '' 'clip norm 0.25
    contract local(2) over pod'
derive copies-outer "$mlp" 'pod: 2, data: 3' 6 'fsdp(data) * data_parallel(pod)' 'momentum(rate = 0.1)' '12 in 2 microbatches' \
    'state ema { one per parameter; start parameters; update after optimizer : 0.9 * ema + 0.1 * parameters }' \
    "contract local(3) over pod $outer"
derive copies-start "$mlp" 'pod: 3, data: 2' 6 'data_parallel(pod) * zero1(data) * start(pod)' "$adamw" '24 in 2 microbatches' \
    'strategy start(p: axis) { sync parameters : broadcast over p at start }' "seed 1 + coordinate(pod)
    contract local(2) over pod $outer"
derive copies-gpt "$gpt" 'pod: 3, data: 2, tensor: 2' 12 'data_parallel(pod) * zero2(data) * megatron(tensor)' "$adamw" \
    '6 in 1 microbatches' '' "clip norm 0.25
    contract local(2) over pod $outer"
derive copies-stages "$llama" 'stage: 2, pod: 3' 6 'data_parallel(pod) * pipeline(stage)' "$adamw" '12 in 2 microbatches' '' \
    'contract local(2) over pod'
derive copies-saved "$llama" 'pod: 3, data: 2' 6 'data_parallel(pod) * zero1(data)' "$adamw" '12 in 2 microbatches' '' \
    "saved optimizer by rows over 2
    loaded optimizer by rows over 2
    saved parameters flat in buckets of 40 padded to 16
    contract local(2) over pod"
derive copies-normed "$normed" 'pod: 2, node: 2, data: 2' 8 'data_parallel(pod) * data_parallel(node) * zero1(data)' \
    'lamb(rate = 0.1)' '24 in 1 microbatches' '' 'contract local(1) over pod, node'
derive mlp-offloaded "$mlp" 'data: 3' 3 'away(data)' "$adamw" '12 in 2 microbatches' 'strategy away(d: axis) {
    optimizer sharded over d offloaded to host
    ema replicated to file
    activations sharded over d by batch
}
state ema { one per parameter; start parameters; update after optimizer : 0.9 * ema + 0.1 * parameters }' 'clip norm 0.25'
away='strategy away(d: axis) {
    parameters gathered over d offloaded to host
    gradients sharded over d offloaded to host
    optimizer sharded over d offloaded to file
    activations sharded over d by batch
}
strategy whole(d: axis) {
    parameters offloaded over d
    gradients offloaded over d
    activations sharded over d by batch
}'
derive gpt-away "$gpt" 'data: 2' 2 'away(data) * recompute(block[*])' "$adamw" '2 in 1 microbatches' "$away" 'clip norm 0.25'
derive gpt-away-tensor "$gpt" 'data: 2, tensor: 2' 4 'away(data) * megatron(tensor, sequence_parallel = true)' "$adamw" \
    '4 in 2 microbatches' "$away" 'clip norm 0.25'
derive gpt-away-pipeline "$gpt" 'stage: 2, data: 2' 4 'whole(data) * pipeline(stage)' "$adamw" '6 in 3 microbatches' "$away"
# Computed again in some layers, kept in others.
derive gpt-some-again "$gpt" 'data: 2' 2 'zero3(data) * recompute(block[1])' "$adamw" '4 in 2 microbatches' '' 'clip norm 0.25'
derive gpt-some-again-tensor "$gpt" 'data: 2, tensor: 2' 4 \
    'zero1(data) * megatron(tensor, sequence_parallel = true) * recompute(block[0]) * recompute(block[*].mlp)' "$adamw" '4 in 2 microbatches'

# Activations between the passes: of blocks, or all of them; next to recomputation; in pieces; microbatches in flight.
files='strategy files(t: axis) { activations offloaded to file }'
derive gpt-kept "$gpt" 'data: 2' 2 'zero3(data) * offload_activations(block)' "$adamw" '4 in 2 microbatches' '' 'clip norm 0.25'
derive gpt-kept-tensor "$gpt" 'data: 2, tensor: 2' 4 'zero1(data) * megatron(tensor, sequence_parallel = true) * files(tensor)' \
    "$adamw" '4 in 2 microbatches' "$files"
derive gpt-kept-ring "$gpt" 'data: 2, context: 3' 6 'zero1(data) * context_parallel(context) * around(context)' "$adamw" \
    '4 in 2 microbatches' 'strategy around(c: axis) { activations of *.key, *.value travelling over c by context to host }'
derive moe-kept "$moe" 'data: 2, expert: 3' 6 'zero2(data) * expert_parallel(expert) * files(data)' 'muon(rate = 0.01)' \
    '6 in 1 microbatches' "$files"
derive pieces-kept "$pieces" 'data: 2, rows: 3' 6 'zero3(data) * spatial_parallel(rows) * files(data)' "$adamw" \
    '4 in 2 microbatches' "$files" 'contract statistics per microbatch'
derive llama-kept-pipeline "$llama" 'stage: 2, data: 2' 4 \
    'zero1(data) * pipeline(stage) * files(data) * offload_activations(block[*].attn) * recompute(block[*].mlp)' "$adamw" \
    '6 in 3 microbatches' "$files"
derive gpt-kept-pipeline "$gpt" 'stage: 2, tensor: 2' 4 'pipeline(stage, schedule = gpipe) * megatron(tensor) * files(tensor)' \
    "$adamw" '6 in 3 microbatches' "$files"
derive masked-kept-interleaved "$(printf '%s' "$masked_layers" | sed 's/block\[4\]/block[8]/')" 'stage: 2, data: 2' 4 \
    'zero3(data) * pipeline(stage, schedule = interleaved, chunks = 2) * files(data)' "$adamw" '8 in 4 microbatches' "$files"
derive mlp-scaled "$mlp" 'data: 3' 3 'zero2(data)' "$adamw" '12 in 2 microbatches' '' '' 'precision f64, loss_scale dynamic'
derive normed-channels "$normed" 'data: 2, tensor: 3' 6 'zero1(data) * channels(tensor)' 'momentum(rate = 0.1)' \
    '5 in 1 microbatches' "$channels"
derive normed-micro "$normed" 'data: 2' 2 'zero2(data) * recompute(block[*])' 'momentum(rate = 0.1)' '12 in 3 microbatches' '' \
    'clip norm 0.25
    contract statistics per microbatch'
derive normed-channels-micro "$normed" 'data: 2, tensor: 3' 6 'zero1(data) * channels(tensor)' 'momentum(rate = 0.1)' \
    '6 in 2 microbatches' "$channels" 'contract statistics per microbatch'
derive pieces-two "$pieces" 'rows: 2' 2 'spatial_parallel(rows)' 'momentum(rate = 0.1)' '4 in 1 microbatches' '' 'clip norm 0.25'
derive pieces-three "$pieces" 'data: 2, rows: 3' 6 'zero3(data) * spatial_parallel(rows) * recompute(block[*])' "$adamw" \
    '4 in 2 microbatches' '' 'contract statistics per microbatch'
derive pieces-whole "$pieces" 'rows: 5' 5 'spatial_parallel(rows)' 'momentum(rate = 0.1)' '4 in 2 microbatches' '' \
    'contract statistics per microbatch'
derive pieces-corners "$corners" 'rows: 2, columns: 3' 6 'spatial_parallel(rows) * spatial_columns(columns)' 'momentum(rate = 0.1)' \
    '4 in 2 microbatches' '' 'contract statistics per microbatch'
derive pieces-corners-data "$corners" 'columns: 2, data: 2, rows: 2' 8 \
    'zero2(data) * spatial_parallel(rows) * spatial_columns(columns) * recompute(block[*])' "$adamw" '4 in 2 microbatches' '' \
    'contract statistics per microbatch' 'clip norm 0.25'
derive pieces-uneven "$(printf '%s' "$corners" | sed 's/stride = 2, //')" 'rows: 3, columns: 2' 6 \
    'spatial_parallel(rows) * spatial_columns(columns)' 'momentum(rate = 0.1)' '2 in 1 microbatches'
derive pieces-columns "$corners" 'columns: 3' 3 'spatial_columns(columns)' 'momentum(rate = 0.1)' '2 in 1 microbatches'
# Channels cut over another axis than rows or columns, and all of them flattened.
flat='model flat(height = 4, width = 6, classes = 3) {
    input images : f32[batch, 2, height, width]
    input labels : int[batch]
    x = relu(convolution(images, 4, 3, pad = 1) as first)
    loss = mean over batch of cross_entropy(linear(flatten(x), classes) as head, labels)
}'
derive flat-channels "$flat" 'columns: 3, tensor: 2' 6 'spatial_columns(columns) * apart(tensor)' 'momentum(rate = 0.1)' '4 in 2 microbatches' \
    'strategy apart(t: axis) { parameters of first sharded over t by out }' 'clip norm 0.25'
# Keys and values that ranks share: one sync sums the gradients of weight and bias.
derive gpt-shared-keys "$(printf '%s' "$gpt" | sed 's/causal/causal, kv_heads = 1/')" 'data: 2, tensor: 2' 4 'data_parallel(data) * shared(tensor)' \
    "$adamw" '4 in 2 microbatches' 'strategy shared(t: axis) {
    parameters of *.query, *.attn.out.weight sharded over t by group
    sync gradients of *.key, *.value : sum over t derive the rest
}' 'clip norm 0.25'
derive gpt-one "$gpt" 'data: 1' 1 'zero3(data)' "$adamw" '4 in 2 microbatches'
derive gpt-mixture "$gpt" 'data: 2' 2 'mixture(data)' "$adamw" '4 in 2 microbatches' "$mixture" 'clip norm 0.25'
derive mlp-halves "$mlp" 'data: 2' 2 'halves(data)' "$adamw" '4 in 2 microbatches' "$halves"
# Fewer classes than ranks: of none there is no largest score.
derive gpt-few-classes "$(printf '%s' "$gpt" | sed 's/vocab = 5/vocab = 2/')" 'tensor: 3' 3 'megatron(tensor, vocab = true)' "$adamw" \
    '4 in 2 microbatches'
derive gpt-vocab "$gpt" 'tensor: 3' 3 'megatron(tensor, sequence_parallel = true, vocab = true)' "$adamw" \
    '4 in 2 microbatches' '' 'clip norm 0.25'
derive llama-vocab "$llama" 'data: 2, tensor: 2' 4 'zero3(data) * megatron(tensor, vocab = true)' "$adamw" '4 in 2 microbatches'
# Gathered parameters that are cut by a dim, too; an expert axis that is part of the data axis.
derive gpt-sharded-tensor "$gpt" 'pod: 2, data: 2, tensor: 2' 8 \
    'fsdp(data) * data_parallel(pod) * megatron(tensor, sequence_parallel = true)' "$adamw" '8 in 2 microbatches' '' \
    'clip norm 0.25'
derive llama-sharded-tensor "$llama" 'data: 2, tensor: 2' 4 'fsdp(data) * tensor_parallel(tensor) * recompute(block[*])' "$adamw" \
    '4 in 2 microbatches' '' 'clip norm 0.25'
rows='strategy rows(d: axis) {
    parameters gathered over d by out where present
    parameters of *.table gathered over d by hidden where present
    activations sharded over d by batch
}'
derive gpt-rows "$gpt" 'data: 2, tensor: 2' 4 'rows(data) * megatron(tensor, sequence_parallel = true)' "$adamw" '4 in 2 microbatches' \
    "$rows" 'clip norm 0.25'
derive llama-rows "$llama" 'pod: 2, data: 3' 6 'rows(data) * data_parallel(pod) * recompute(block[*])' "$adamw" \
    '12 in 2 microbatches' "$rows"
derive gpt-rows-stages "$gpt" 'stage: 2, data: 2' 4 'rows(data) * pipeline(stage)' "$adamw" '4 in 2 microbatches' \
    'strategy rows(d: axis) {
    parameters of block gathered over d by out where present
    activations sharded over d by batch
}'
derive moe-sharded-hybrid "$moe" 'pod: 2, data: 2, expert: 3' 12 'fsdp(data) * data_parallel(pod) * expert_parallel(expert)' \
    "$adamw" '12 in 1 microbatches' '' 'clip norm 0.25'
for stage in zero1 fsdp; do
    derive "moe-$stage-product" "$moe" 'expert_data: 2, expert: 3; data = expert_data * expert' 6 \
        "$stage(data) * expert_parallel(expert)" "$adamw" '12 in 2 microbatches' '' 'clip norm 0.25'
done
derive gpt-ring "$gpt" 'data: 2, context: 3' 6 'zero1(data) * ring(context)' "$adamw" '4 in 2 microbatches' '' 'clip norm 0.25'
derive llama-ring "$llama" 'context: 3, tensor: 2' 6 \
    'ring(context) * tensor_parallel(tensor, sequence_parallel = true) * recompute(block[*])' "$adamw" '4 in 2 microbatches'
derive gpt-ring-uneven "$gpt" 'context: 2, data: 2' 4 'zero2(data) * ring(context)' "$adamw" '6 in 3 microbatches' '' 'clip norm 0.25'
derive gpt-ring-empty "$gpt" 'context: 5' 5 'ring(context) * recompute(block[*])' "$adamw" '4 in 2 microbatches'
derive llama-ring-uneven "$llama" 'context: 2, tensor: 2' 4 'ring(context) * tensor_parallel(tensor)' "$adamw" '4 in 2 microbatches'
derive llama-ring-stages "$llama" 'stage: 2, context: 3' 6 'ring(context) * pipeline(stage)' "$adamw" '6 in 3 microbatches'
derive gpt-again "$gpt" 'data: 2' 2 'zero3(data) * recompute(block[*])' "$adamw" '4 in 2 microbatches' '' 'clip norm 0.25'
derive gpt-again-tensor "$gpt" 'data: 2, tensor: 2' 4 \
    'zero1(data) * megatron(tensor, sequence_parallel = true) * recompute(block[*].attn)' "$adamw" '4 in 2 microbatches'
derive normed-again "$normed" 'data: 2' 2 'zero3(data) * recompute(block[*])' 'momentum(rate = 0.1)' '5 in 1 microbatches'
derive llama-again "$llama" 'data: 2' 2 'zero2(data) * recompute(block[*])' "$adamw" '4 in 2 microbatches'
derive moe-again "$moe" 'data: 2' 2 'zero2(data) * recompute(block[*])' "$adamw" '6 in 2 microbatches'
derive gpt-pipeline "$gpt" 'stage: 2, data: 2' 4 'zero1(data) * pipeline(stage) * recompute(block[*].mlp)' "$adamw" \
    '6 in 3 microbatches' '' 'clip norm 0.25'
derive kept-pipeline "$gpt" 'stage: 2, data: 2' 4 'kept(data) * pipeline(stage)' "$adamw" '4 in 2 microbatches' "$kept"
derive llama-pipeline "$llama" 'stage: 2, tensor: 2' 4 \
    'megatron(tensor, sequence_parallel = true) * pipeline(stage, schedule = gpipe)' 'lamb(rate = 0.01)' '3 in 3 microbatches'
derive masked-chosen "$masked_layers" 'data: 2, stage: 2' 4 'zero2(data) * chosen(stage)' "$adamw" '6 in 3 microbatches' \
    'strategy chosen(s: axis) { schedule one_f_one_b over s layers 1, 3 }' 'clip norm 0.25'
derive gpt-written "$gpt" 'data: 2, tensor: 2' 4 'zero1(data) * megatron(tensor) * written(data, tensor)' "$adamw" \
    '4 in 2 microbatches' 'strategy written(d: axis, t: axis) {
    sync activations of block.mlp.product, block.attn.product : sum over t into shards by context then gather over t
    sync cotangents of *.norm1, *.norm2 : sum over t
    sync gradients of *.norm1 : sum over d
    sync parameters : broadcast over d at start
}' 'seed 3 + 5 * coordinate(data)'
derive mlp-started "$mlp" 'pod: 2, data: 2' 4 'started(pod, data)' "$adamw" '12 in 3 microbatches' \
    'strategy started(p: axis, d: axis) {
    optimizer of second sharded over d
    activations sharded over p, d by batch
    sync gradients of first : mean over p, d after microbatch 2 wait at step scale 4
    sync gradients of second : sum over d into shards after microbatch 2 wait at step derive the rest
    sync gradients of head : sum over p after microbatch 2 wait at step then sum over d at step wait at step
    sync parameters of first : mean over p, d
    sync optimizer of second : mean over p
    sync optimizer of head : broadcast over p, d
    sync parameters of head : broadcast over d
}' 'clip norm 0.25'
derive gpt-waits "$gpt" 'data: 2, tensor: 2' 4 'zero1(data) * megatron(tensor) * started(data, tensor)' "$adamw" \
    '4 in 2 microbatches' 'strategy started(d: axis, t: axis) {
    sync cotangents of *.norm1, *.norm2 : mean over t wait at use scale t
    sync activations of block.mlp.product : sum over t into shards by context wait at use then gather over t wait at use
    sync parameters of wte : gather over d wait at step
    sync parameters of block[1].attn : gather over d wait at step
    sync optimizer of wpe : mean over t wait at step
}' 'clip norm 0.25'
derive gpt-exchanged "$gpt" 'data: 2, context: 2' 4 'zero1(data) * ulysses(context) * written(context)' "$adamw" \
    '4 in 2 microbatches' 'strategy written(c: axis) {
    sync activations of block.attn.query, block.attn.key, block.attn.value : exchange over c by heads
    sync activations of block.attn.mixed : exchange over c by context
    sync cotangents of block.attn.mixed : exchange over c by heads
}'
derive mlp-wide "$mlp" 'pod: 2, data: 2' 4 'wide(pod, data)' "$adamw" '12 in 2 microbatches' \
    'strategy wide(p: axis, d: axis) {
    optimizer of second sharded over d
    activations sharded over p, d by batch
    sync gradients of first : mean over p, d after microbatch 1 in f64 wait at step scale 4
    sync gradients of second : sum over d into shards in f64 then sum over p in f64 at step
}' 'clip norm 0.25' 'precision f32'
derive normed-written "$normed" 'node: 2, data: 2' 4 'written(node, data)' 'momentum(rate = 0.1)' '7 in 1 microbatches' \
    'strategy written(n: axis, d: axis) {
    activations sharded over n, d by batch
    sync activations of *.mean.sum : sum over n then sum over d
    sync statistics of block : broadcast over d then mean over n
}'
derive gpt-written-again "$gpt" 'data: 2, tensor: 2' 4 \
    'zero3(data) * megatron(tensor) * recompute(block[*]) * pieces(tensor)' "$adamw" '4 in 2 microbatches' \
    'strategy pieces(t: axis) {
    sync activations of block.mlp.product, block.attn.product : sum over t into shards by context
    sync cotangents of *.norm2 : mean over t scale t
}'
derive masked-interleaved "$(printf '%s' "$masked_layers" | sed 's/block\[4\]/block[8]/')" 'stage: 2, data: 2' 4 \
    'zero3(data) * pipeline(stage, schedule = interleaved, chunks = 2) * recompute(block[*])' "$adamw" \
    '8 in 4 microbatches' '' 'clip norm 0.25'
# Values that are only on their way: backward reads them with their halo, or not at all.
derive pieces-interleaved 'model deep(height = 6, classes = 2) {
    input images : f32[batch, 2, height, 3]
    input labels : int[batch]
    x = gelu(convolution(images, 2, 1) as first)
    repeat block[4] {
        x = x + silu(convolution(x, 2, 3, pad = 1) as conv)
    }
    logits = linear(flatten(max_pool(x, 3, stride = 1, pad = 1)), classes) as head
    loss   = mean over batch of cross_entropy(logits, labels)
}' 'rows: 3, stage: 2' 6 'spatial_parallel(rows) * pipeline(stage, schedule = interleaved, chunks = 2)' \
    'momentum(rate = 0.1)' '8 in 4 microbatches'
# Statistics that the first stage computes of the only microbatch, and all stages keep.
derive normed-pipeline 'model begun(inputs = 3, hidden = 4, classes = 3) {
    input features : f32[batch, inputs]
    input labels   : int[batch]
    x = relu(batchnorm(linear(features, hidden) as first) as normal)
    repeat block[2] {
        x = x + tanh(linear(x, hidden) as dense)
    }
    logits = linear(x, classes) as head
    loss   = mean over batch of cross_entropy(logits, labels)
}' 'stage: 2, data: 3' 6 'pipeline(stage) * zero1(data)' "$adamw" '5 in 1 microbatches'
# Copies of running statistics, which training makes again in some layers, and evaluation in all.
derive normed-again 'model normed(inputs = 3, hidden = 4, classes = 3) {
    input features : f32[batch, inputs]
    input labels   : int[batch]
    x = relu(linear(features, hidden) as first)
    repeat block[3] {
        x = x + linear(relu(batchnorm(linear(x, hidden, bias = none) as up) as norm), hidden) as down
    }
    logits = linear(x, classes) as head
    loss   = mean over batch of cross_entropy(logits, labels)
}' 'tensor: 2' 2 'tensor_parallel(tensor) * recompute(block[0..1].norm)' "$adamw" '4 in 1 microbatches'
# What the last stage gathers of its input, every layer gathers of its own.
derive gathered-pipeline 'model deep(inputs = 3, hidden = 3, classes = 3) {
    input features : f32[batch, inputs]
    input labels   : int[batch]
    x = relu(linear(features, hidden) as first)
    repeat block[2] {
        x = x + silu(linear(x, hidden) as dense)
    }
    logits = linear(x, classes) as head
    loss   = mean over batch of cross_entropy(logits, labels)
}' 'stage: 2, data: 2' 4 'pipeline(stage) * apart(data)' "$adamw" '2 in 1 microbatches' 'strategy apart(d: axis) {
    parameters gathered over d by out where present
    activations sharded over d by batch
}'
derive gpt-interleaved "$(printf '%s' "$gpt" | sed 's/layers = 2/layers = 6/')" 'stage: 3, tensor: 2' 6 \
    'megatron(tensor, sequence_parallel = true) * pipeline(stage, schedule = interleaved, chunks = 2)' \
    'lamb(rate = 0.01)' '6 in 6 microbatches' '' 'clip norm 0.25'
derive gpt-interleaved-uneven "$(printf '%s' "$gpt" | sed 's/layers = 2/layers = 6/')" 'stage: 2, data: 2' 4 \
    'zero1(data) * pipeline(stage, schedule = interleaved, chunks = 2)' "$adamw" '8 in 4 microbatches' '' 'clip norm 0.25'
derive masked-interleaved-chosen "$(printf '%s' "$masked_layers" | sed 's/block\[4\]/block[8]/')" 'data: 2, stage: 2' 4 \
    'zero3(data) * chosen(stage) * recompute(block[*])' 'momentum(rate = 0.1)' '8 in 4 microbatches' \
    'strategy chosen(s: axis) { schedule interleaved over s chunks 2 layers 1, 3 }'
# A last group of microbatches that lacks some, also the only one; stages without layers, which pass on what they
# receive, or have what comes before the layers, or after them, to themselves.
for micro in 1 3 5; do
    derive "gpt-interleaved-$micro" "$(deep 4)" 'stage: 2' 2 'pipeline(stage, schedule = interleaved, chunks = 2)' "$adamw" \
        "$micro in $micro microbatches" '' 'clip norm 0.25'
done
derive llama-interleaved-lacking "$(printf '%s' "$llama" | sed 's/layers = 2/layers = 6/')" 'stage: 3, data: 2' 6 \
    'fsdp(data) * pipeline(stage, schedule = interleaved, chunks = 2) * recompute(block[*].mlp)' "$adamw" '8 in 4 microbatches'
for schedule in gpipe one_f_one_b; do
    derive "gpt-many-stages-$schedule" "$(deep 1)" 'stage: 3, data: 2' 6 "zero1(data) * pipeline(stage, schedule = $schedule)" \
        "$adamw" '6 in 3 microbatches' '' 'clip norm 0.25'
    derive "llama-outer-stages-$schedule" "$llama" 'stage: 4' 4 'outer(stage)' "$adamw" '4 in 4 microbatches' \
        "strategy outer(s: axis) { schedule $schedule over s layers 0, 1, 1, 0 }"
done
derive gpt-many-stages-interleaved "$(deep 2)" 'stage: 2, data: 2' 4 \
    'fsdp(data) * pipeline(stage, schedule = interleaved, chunks = 2)' "$adamw" '6 in 3 microbatches'
derive llama-middle-stage "$llama" 'stage: 3, tensor: 2' 6 \
    'middle(stage) * megatron(tensor, sequence_parallel = true) * recompute(block[*])' "$adamw" '8 in 4 microbatches' \
    'strategy middle(s: axis) { schedule one_f_one_b over s layers 1, 0, 1 }'
# Stages with layers that differ: some are recomputed, or gathered, or kept elsewhere.
for schedule in gpipe one_f_one_b; do
    derive "gpt-stages-some-again-$schedule" "$(deep 4)" 'stage: 2, data: 2' 4 \
        "zero1(data) * pipeline(stage, schedule = $schedule) * recompute(block[1..2])" "$adamw" '6 in 3 microbatches' '' \
        'clip norm 0.25'
    derive "llama-stages-some-again-$schedule" "$(printf '%s' "$llama" | sed 's/layers = 2/layers = 5/')" \
        'stage: 3, tensor: 2' 6 "megatron(tensor, sequence_parallel = true) * pipeline(stage, schedule = $schedule) *
        recompute(block[0..2].mlp) * recompute(block[4])" "$adamw" '8 in 4 microbatches'
done
for layers in 2 8; do
    derive "gpt-chunks-some-again-$layers" "$(deep "$layers")" 'stage: 2, data: 2' 4 \
        "zero1(data) * pipeline(stage, schedule = interleaved, chunks = 2) * recompute(block[1..$((layers / 2))])" "$adamw" \
        '6 in 3 microbatches' '' 'clip norm 0.25'
done
derive layers-stages-unlike "$masked_layers" 'stage: 2, data: 2' 4 'unlike(data) * pipeline(stage) * recompute(block[3])' \
    'momentum(rate = 0.1)' '6 in 3 microbatches' 'strategy unlike(d: axis) {
    parameters of block[0..1] gathered over d
    gradients of block[0..1] sharded over d
    optimizer sharded over d
    optimizer of block[2] sharded over d to host
    activations sharded over d by batch
}'
# Fused weights are cut segment by segment.
fused() { printf '%s' "$1" | sed 's/causal\(.*\)) as attn/causal\1, weights = fused) as attn/; s/swiglu/swiglu, weights = fused/'; }
derive gpt-fused "$(fused "$gpt")" 'data: 2, tensor: 2' 4 'zero3(data) * megatron(tensor, sequence_parallel = true)' "$adamw" \
    '4 in 2 microbatches' '' 'clip norm 0.25'
derive llama-fused "$(fused "$llama" | sed 's/kv_heads = 1/kv_heads = 2/')" 'data: 2, tensor: 2' 4 \
    'zero1(data) * tensor_parallel(tensor) * recompute(block[*])' "$adamw" '4 in 2 microbatches'
derive llama-fused-stages "$(fused "$llama" | sed 's/kv_heads = 1/kv_heads = 2/')" 'stage: 2, tensor: 2' 4 \
    'megatron(tensor, sequence_parallel = true) * pipeline(stage)' 'lamb(rate = 0.01)' '6 in 3 microbatches'
# Relaxed contracts: the reference is another program.
for k in 1 3; do
    derive "normed-replicas-$k" "$normed" 'data: 2' 2 'zero3(data)' 'momentum(rate = 0.1)' "12 in $k microbatches" '' \
        'contract statistics per replica over data'
done
derive normed-pods "$normed" 'pod: 2, data: 3' 6 'zero1(data) * data_parallel(pod)' "$adamw" '12 in 1 microbatches' '' \
    'contract statistics per replica over pod'
derive moe-groups "$moe_groups" 'data: 2, context: 2' 4 'zero2(data) * context_parallel(context)' "$adamw" \
    '6 in 3 microbatches' '' 'contract routing per group over context'
derive dropped-masks "$dropped" 'data: 2, context: 2, heads: 2' 8 \
    'zero1(data) * context_parallel(context) * tensor_parallel(heads)' 'momentum(rate = 0.1)' '8 in 2 microbatches' '' \
    'contract masks in distribution over data
    contract masks in distribution over context by context
    contract masks in distribution over heads by heads'
derive llama-masks "$llama" 'data: 2, context: 3' 6 'zero3(data) * context_parallel(context)' "$adamw" \
    '8 in 2 microbatches' '' 'contract masks in distribution over data
    contract masks in distribution over context by context'
for k in 1 3; do
    derive "mlp-stale-$k" "$mlp" 'data: 3' 3 "zero$k(data)" "$adamw" '12 in 2 microbatches' '' "contract stale($k)" \
        'clip norm 0.25'
done
derive mlp-stale-scaled "$mlp" 'data: 3' 3 'zero2(data)' 'lamb(rate = 0.1)' '12 in 2 microbatches' '' 'contract stale(2)' \
    'precision f64, loss_scale dynamic'
derive gpt-stale "$gpt" 'stage: 2, data: 2' 4 'zero1(data) * pipeline(stage)' "$adamw" '6 in 3 microbatches' '' \
    'contract stale(1)'
derive mlp-product "$mlp" 'pod: 2, node: 2; data = pod * node' 4 'zero2(data)' "$adamw" '8 in 2 microbatches'
# Served models: caches over the batch, heads, the context, layers, and several of them.
serve served-batch "$gpt" 'data: 3' 3 'data_parallel(data)' 5
serve served-gathered "$gpt" 'data: 2' 2 'fsdp(data)' 2
serve served-heads "$llama" 'tensor: 2' 2 'megatron(tensor, vocab = true)' 2
serve served-sequence "$gpt" 'tensor: 2' 2 'megatron(tensor, sequence_parallel = true)' 1
serve served-fused "$(fused "$llama" | sed 's/kv_heads = 1/kv_heads = 2/')" 'tensor: 2' 2 'megatron(tensor)' 2
serve served-context "$llama" 'context: 2' 2 'context_parallel(context)' 2
serve served-ring "$gpt" 'context: 3' 3 'ring(context)' 2
serve served-ulysses "$gpt" 'context: 2' 2 'ulysses(context)' 2
serve served-caches "$gpt" 'c: 2' 2 'caches(c)' 2 \
    'strategy caches(c: axis) { activations of *.key, *.value sharded over c by context }'
served_moe=$(printf '%s\n' "$moe" | sed 's/, capacity = 1//')
serve served-experts "$served_moe" 'expert: 3' 3 'expert_parallel(expert)' 6
serve served-stages "$gpt" 'stage: 2' 2 'pipeline(stage)' 2
serve served-all "$gpt" 'stage: 2, data: 2, tensor: 2' 8 'data_parallel(data) * megatron(tensor) * pipeline(stage)' 4
exit $failed
