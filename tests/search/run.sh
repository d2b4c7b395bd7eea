#!/bin/sh
# tests/search/run.sh: `placec search` by its answers: what it finds, writes and says when there is nothing to find. What is
# found is equal to brute force in tests/unit/search_exact.c. PLACEC names the compiler.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
find_compiler
root=$PWD
cd "$work" || exit 2

# answered STATUS TEXT: what edited.place is answered with; each text of it is searched once.
mkdir answers
answered() {
    answer=answers/$(cksum < edited.place | tr ' ' -)
    if [ ! -f "$answer" ]; then
        timeout 60 "$PLACEC" search edited.place > "$answer" 2>&1 < /dev/null
        echo $? > "$answer.status"
    fi
    # shellcheck disable=SC2016
    told "$1" "$2" sh -c 'cat "$1"; exit "$(cat "$1.status")"' sh "$answer"
}

# searched STATUS TEXT [SED-SCRIPT]: of the program below.
searched() {
    sed "${3:-}" base.place > edited.place
    answered "$1" "$2"
}

cat > base.place << 'END'
place 1
model gpt(layers = 4, hidden = 1024, heads = 8, context = 512, vocab = 4096) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads, causal) as attn
        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp
    }
    loss = mean over batch, context of cross_entropy(linear(x, vocab) as head, targets)
}
cluster pod { 2 nodes of 4 a100 }
train gpt on pod {
    search over pod {
        least time
        microbatches at most 8
    }
    optimizer adam(rate = 0.1)
    precision bf16, master f32
    batch 64
    steps 3
}
END

searched 1 'of 64 into equal microbatches' 's/microbatches at most 8/microbatches 7/'
# What a train asserts is a limit, and what it cannot be is refused.
asserted() {
    sed "s/^    steps 3/    steps 3\\n    assert $1/" base.place > edited.place
    answered "$2" "$3"
}
asserted 'memory per device < 700 MiB' 0 'at most 700 MiB of each device'
asserted 'memory per device < 700 MiB' 0 'strategy zero2(data) * saving'
searched 1 '`assert memory per device` is a limit of the search, too' \
    's/least time/without values_on_host/; s/^    steps 3/    steps 3\n    assert memory per device < 60 MiB/'
asserted 'time per step < 13 ms' 0 'at most 13 ms a step'
asserted 'time per step < 10 ms' 1 'no strategy takes at most 10 ms a step'
asserted 'time per step < 10 ms' 1 'Allow `time at most 12.2 ms`'
asserted 'traffic per device < 1 MiB' 1 'a search has no limit of what devices send'
sed 's/least time/memory at most 8589934592 GiB/' base.place > edited.place
answered 1 'the limit of memory is out of range'
sed 's/^train gpt on pod/mesh grid on pod { data: 8 }\ntrain gpt on grid/; /search over/,/^    }/d
    s/^    steps 3/    strategy zero3(data)\n    steps 3\n    assert memory per device < 500 MiB/' base.place > broken.place
told 0 'breaks an assert' "$PLACEC" plan broken.place --against zero1,data_parallel
told 0 "$(printf '"keeps_asserts":\tfalse')" "$PLACEC" plan broken.place --against zero1 --json
told 64 'does not take' "$PLACEC" plan broken.place --against zero1 --fits

# ---- What is found ------------------------------------------------------------------------------------------------
searched 0 'gap        none'
searched 0 'expert             1 rank: the model has no experts'
searched 0 'searched' 's/least time/least memory/'
searched 0 'tensor: 4' 's/least time/tensor 4/'
searched 0 'data               8 ranks' 's/least time/data 8/'
searched 0 'data               any number of ranks'
searched 0 'pipeline: 2' 's/least time/pipeline 2; without gpipe, interleaved/'
searched 0 'offload            left out by `without`' 's/least time/without offload/'
searched 0 'in 4 microbatches' 's/microbatches at most 8/microbatches 4/'
# avoids: P0365
searched 0 'found' 's/least time/memory at most 400 MiB/'
searched 0 'least price' 's/least time/least price/; s/of 4 a100/of 4 a100; price 2.5 per hour/'
searched 0 'on all of them' 's/least time/least price/; s/of 4 a100/of 4 a100; price 2.5 per hour/'
searched 1 'error[P0365]: the price of a step is not known' 's/least time/least price/'
# On a part of the cluster: the cheapest is what is found on a cluster of that size.
sed 's/least time/least price; devices at least 2/; s/of 4 a100/of 4 a100; price 2.5 per hour/' base.place > parts.place
told 0 'search over pod: 2 of 8 devices of a100, least price' "$PLACEC" search parts.place -o part.place --lock
told 0 'cluster pod { 1 node of 2 a100' cat part.place
told 0 'contract exact' "$PLACEC" check part.place
told 0 '= 2 devices' "$PLACEC" plan parts.place
told 0 '"devices":	4' "$PLACEC" search parts.place --json
"$PLACEC" search parts.place | sed -n '/^    devices/,/^$/s/^ *\([248]\)  *\([0-9.]* [mu]*s\).*/\1 \2/p' > sizes
for nodes in '2 nodes of 4' '1 node of 4' '1 node of 2'; do
    sed "s/devices at least 2//; s/2 nodes of 4/$nodes/" parts.place > size.place
    "$PLACEC" search size.place | sed -n "s/^search over pod: \([0-9]*\) .*/\1/p; s/^  found  *\([0-9.]* [mu]*s\) .*/\1/p" | paste -sd ' '
done > alone
told 0 '' cmp sizes alone
told 0 3 grep -c '^[248] [0-9]' sizes
rm parts.place.lock
# A model that fits on the whole alone: the other rows say so.
searched 0 'nothing fits' 's/least time/memory at most 300 MiB; devices at least 1/; s/microbatches at most 8/context 1/'
# Within a time the cheapest is on the fewest devices that are as fast, and within a price the fastest on more of them.
within() {
    sed "s/least price; devices at least 2/$1/" parts.place > edited.place
    answered "$2" "$3"
}
within 'least price; time at most 40 ms; devices at least 1' 0 'search over pod: 2 of 8 devices'
within 'least price; time at most 30 ms; devices at least 1' 0 'search over pod: 4 of 8 devices'
within 'least price; time at most 30 ms; devices at least 1' 0 'nothing is within the limits'
within 'least price; time at most 30 ms; devices at least 1' 0 'at most 30 ms a step'
within 'least price; time at most 12200 us; devices at least 1' 0 'search over pod: 8 of 8 devices'
within 'least price; time at most 12 ms; devices at least 1' 1 'no strategy takes at most 12 ms a step'
within 'least price; time at most 12 ms; devices at least 1' 1 'takes 12.1 ms; none that fits is faster'
within 'least price; time at most 12 ms; devices at least 1' 1 "Allow \`time at most 12.2 ms\`"
within 'least time; price at most 6e-5; devices at least 1' 0 'search over pod: 4 of 8 devices'
within 'least time; price at most 5.2e-5; devices at least 1' 0 'search over pod: 2 of 8 devices'
within 'least time; price at most 1e-5; devices at least 1' 1 'costs 4.95e-05; none that fits is cheaper'
within 'least time; price at most 6e-5' 1 'look at fewer devices'
within 'least price; time at most 30 ms; price at most 5.2e-5; devices at least 1' 1 'no strategy takes at most 30 ms a step for that price'
within 'least price; time at most 30 ms; price at most 5.2e-5; devices at least 1' 1 "Allow \`time at most 36.8 ms\`"
# Memory is saved as far as there is time for it.
within 'least memory; tensor 1; context 1; pipeline 1; time at most 40 ms' 0 'recompute(block[0..'
within 'least memory; time at most 40' 1 'Its form is: time at most 500 ms'
within 'least memory; price at most 4 GiB' 1 'Its form is: price at most 0.5'
within 'least memory; time at least 1 s' 1 'Its form is: time at most 500 ms'
sed 's/; price 2.5 per hour//; s/least price; devices at least 2/price at most 1/' parts.place > edited.place
answered 1 'error[P0365]: the price of a step is not known'
told 0 '"limits"' sh -c 'sed "s/devices at least 2/time at most 1 s/" parts.place > edited.place; "$0" search edited.place --json' "$PLACEC"
searched 1 "does not go with \`least time and memory\`" 's/least time/least time and memory; devices at least 2/'
searched 1 "cluster 'pod' has only 8 devices" 's/least time/devices at least 9/'
searched 1 'Ask for no more than it has' 's/least time/devices at least 9/'
searched 1 'Its form is: devices at least 8' 's/least time/devices at most 8/'
searched 1 "line 'least' is declared twice" 's/least time/least time; least memory/'
{ printf 'place 1\nimport "cluster.place"\n'; sed '/^place/d; /^cluster/d; s/least time/devices at least 2/' base.place; } > apart.place
{ echo 'place 1'; grep '^cluster' base.place; } > cluster.place
told 1 "cluster 'pod' is declared in another file" "$PLACEC" search apart.place
# Row by row a step takes longer, and needs at least 5 % less memory.
sed 's/least time/least time and memory; pipeline 1; context 1; tensor 1; without values_on_host/' base.place > front.place
"$PLACEC" search front.place --json -o fastest.place > front.json
awk '
    /"front"/ { front = 1 }
    front && /"step_s"/ { gsub(/[^0-9.e-]/, "", $2); time = $2 + 0 }
    front && /"memory_bytes"/ {
        gsub(/[^0-9.e-]/, "", $2)
        if (rows > 0 && (time <= slower || $2 + 0 > 0.95 * smaller)) wrong = 1
        rows++; slower = time; smaller = $2 + 0
    }
    END { print rows, wrong + 0 }' front.json > rows
told 0 '24 0' cat rows
told 0 '"front_whole":	true' cat front.json
sed 's/least time/least time and memory/' base.place > wide.place
told 0 'stopped early: there may be strategies that need less memory' "$PLACEC" search wide.place --seconds 2
searched 1 'Take more devices, devices with more memory, or a smaller model, context or batch.' \
    's/least time/memory at most 5 MiB; pipeline 2; tensor 4/; s/batch 64/batch 1/'
told 0 'contract exact' "$PLACEC" check fastest.place
"$PLACEC" search base.place -o found.place > printed
told 0 'contract exact' "$PLACEC" check found.place
told 0 '' "$PLACEC" fmt --check found.place
if grep -q 'search over' found.place; then bad found.place 'is still to be searched'; else good; fi
# avoids: P0211
told 0 'time of a step on a100' "$PLACEC" plan found.place
# What is searched for again is found again.
told 0 "$(grep '  strategy' printed)" "$PLACEC" search found.place

# Of one example `batchnorm` has no statistics, and no microbatch has those of the batch.
cat > statistics.place << 'END'
place 1
model m(layers = 3, hidden = 64) {
    input x, y : f32[batch, hidden]
    repeat block[layers] {
        x = linear(relu(batchnorm(linear(x, 4 * hidden) as up) as norm), hidden) as down
    }
    loss = mean over batch, hidden of squared_error(x, y)
}
cluster pod { 4 devices of a100 }
train m on pod {
    search over pod { least time }
    optimizer adam(rate = 0.1)
    precision f32
    batch 8
    steps 2
}
END
told 0 'gap        none' "$PLACEC" search statistics.place -o found.place
told 0 'contract exact' "$PLACEC" check found.place
told 0 "microbatches       1: 'batchnorm' over several microbatches is not supported yet" "$PLACEC" search statistics.place
sed 's/least time/microbatches 2/' statistics.place > edited.place
answered 1 "Nothing else is left than \`microbatches 1\`: 'batchnorm' over several microbatches"
sed 's/least time/microbatches 2/; s/steps 2/steps 2; contract statistics per microbatch/' statistics.place > edited.place
answered 0 'batch 8 in 2 microbatches'
sed 's/batch 8/batch 1/' statistics.place > edited.place
answered 1 "error[P0207]: 'batchnorm' of a single value for each channel"
# No example is a program.
sed 's/batch 8/batch 4/; s/squared_error(x, y)/squared_error(x, z)/' statistics.place > edited.place
answered 1 'z'

# The JSON has the plan's keys, and its own.
"$PLACEC" search base.place --json > found.json
for key in strategy program bound gap exact lost memory communication time verified; do
    told 0 '' grep -q "\"$key\"" found.json
done

# ---- Some of the layers -----------------------------------------------------------------------------------------------
# As few are recomputed as the memory of a device wants.
partly() {
    sed "s/least time/memory at most $1 MiB; pipeline 1; context 1; tensor 1; without selective, offload, $2/
        s/microbatches at most 8/microbatches 2/" base.place > edited.place
    answered 0 "$3"
}
partly 700 by_value 'recompute(block[0..1])'
partly 700 by_value 'recompute all'
partly 800 by_value 'recompute          searched'
# Of their values those first that take least time for their memory.
partly 700 gpipe 'activations of block[*].mlp.active materialized'
partly 700 gpipe 'activations of block[0..1].attn.weights, block[0..1].attn.scores materialized'
partly 700 gpipe 'by_value 1, and 2 in 3 layers'
partly 700 gpipe 'by_value           searched: mlp.active; attn.weights, attn.scores'
# Of each stage of a pipeline as many.
staged() {
    sed "s/least time/memory at most $1 MiB; pipeline 2; context 1; tensor 1; without selective, offload, interleaved, $2/
        s/layers = 4/layers = 8/" base.place > edited.place
    answered 0 "$3"
}
staged 700 by_value 'recompute(block[0..1, 4..5])'
staged 700 by_value 'recompute 3 of a stage'
staged 680 gpipe 'activations of block[*].mlp.active, block[*].attn.weights, block[*].attn.scores materialized'
staged 680 gpipe '* saving'
# Of interleaved stages, too: the layers of their first chunks first.
chunked() {
    sed "s/least time/memory at most $1 MiB; pipeline 2; context 1; tensor 1; without selective, offload, one_f_one_b, gpipe, by_value/
        s/layers = 4/layers = 8/" base.place > edited.place
    answered 0 "$2"
}
chunked 720 'schedule = interleaved, chunks = 2) * zero1(data) * recompute(block[0..3])'
chunked 720 'recompute 1 of a stage              31.4 ms    867 MiB  does not fit'
chunked 720 'recompute 3 of a stage'
chunked 720 'interleaved, 4 chunks'
chunked 720 'zero2 '
chunked 720 'keep '
# States are on the host, of as few layers as it takes.
hosted() {
    sed "s/least time/memory at most $1 MiB; context 1; data 1; replica 1; tensor 1; without interleaved, gpipe/
        s/2 nodes of 4 a100/1 nodes of $2 a100/; s/microbatches at most 8/microbatches at most 64/" base.place > edited.place
    answered 0 "$3"
}
hosted 900 1 'saving * offload_layers(optimizer, block[0..2])'
hosted 900 1 'activations of block[0..2].mlp.active materialized'
hosted 900 1 'offload 2 layers'
hosted 900 1 'keep everything on the device'
hosted 900 1 'offload optimizer of 3 layers'
hosted 500 2 'offload_layers(optimizer, block[0, 2])'

# Over a fast link it takes less to have on the host what takes longest to recompute.
sed 's/layers = 4, hidden = 1024/layers = 4, hidden = 4096/; s/2 nodes of 4 a100/1 nodes of 1 h100; host at 450 GB\/s/; s/batch 64/batch 16/
    s/microbatches at most 8/memory at most 14500 MiB; without offload/' base.place > linked.place
time_of() {
    sed "s/without offload/without offload, $1/" linked.place > edited.place
    "$PLACEC" search edited.place | sed -n 's/ *found *\([0-9.]*\) ms a step.*/\1/p'
}
"$PLACEC" search linked.place -o away.place > linked
told 0 'activations of block[*].mlp.active, block[*].attn.mixed materialized' cat linked
told 0 'activations of block[0..2].attn.weights, block[0..2].attn.scores, block[0..2].norm1, block[0..2].norm2 materialized' cat linked
told 0 'activations of block[*].mlp.up, block[*].attn.query, block[*].attn.key, block[*].attn.value, block[*].x offloaded' cat linked
told 0 'keep on the host x, attn.value, attn.key, attn.query, mlp.up' cat linked
told 0 'values_on_host     searched: x, attn.value, attn.key, attn.query, mlp.up, norm2, norm1, attn.weights' cat linked
told 0 'values_on_host 4 ' cat linked
told 0 'contract exact' "$PLACEC" check away.place
told 0 '' "$PLACEC" fmt --check away.place
told 0 'on the host' "$PLACEC" plan away.place
told 0 'less' awk -v with="$(time_of gpipe)" -v without="$(time_of values_on_host)" 'BEGIN { print (with < without - 1 ? "less" : with " and " without) }'
# Over a slow one it is not.
sed -i 's/450 GB/50 GB/' linked.place
told 0 'same' awk -v with="$(time_of gpipe)" -v without="$(time_of values_on_host)" 'BEGIN { print (with == without && with > 0 ? "same" : with " and " without) }'
answered 0 'values_on_host     left out by `without`'
linked() {
    sed "s/without offload/without offload, $2/; $3" linked.place > edited.place
    answered "$1" "$4"
}
linked 0 by_value '' 'by_value           left out by'
linked 0 values_on_device '' 'activations of wte offloaded'
linked 1 'values_on_device, values_on_host' '' "leaves out each of 'values_on_device' and 'values_on_host'"
linked 0 gpipe 's/least time//; s/memory at most 14500 MiB/least memory/' 'activations of wte, block[*].mlp.active, block[*].attn.mixed'
# What layers that recompute everything begin with.
linked 0 'by_value, keep' 's/14500/14400/; s/50 GB/450 GB/' 'strategy saving * recompute(block[*])'
linked 0 'by_value, keep' 's/14500/14400/; s/50 GB/450 GB/' 'activations of wte offloaded'
linked 0 'by_value, keep' 's/14500/14400/; s/50 GB/450 GB/' 'keep on the host wte'
searched 0 'values_on_host     the model has not one block' 's/layers = 4/layers = 1/'

# ---- Parameters one by one --------------------------------------------------------------------------------------------
# The last three layers of VGG16, as DistPar found.
cat > tail.place << 'END'
place 1
model tail(classes = 1000) {
    input images : f32[batch, 512, 14, 14]
    input labels : int[batch]
    x    = relu(linear(flatten(max_pool(images, 2)), 4096) as fc6)
    x    = relu(linear(x, 4096) as fc7)
    loss = mean over batch of cross_entropy(linear(x, classes) as fc8, labels)
}
strategy placed(d: axis) = data_parallel(d)
cluster pod { 4 devices of a100 }
train tail on pod {
    search over pod {
        least time
        tensor 1
    }
    optimizer momentum(rate = 0.1)
    batch     128
    steps     10
}
END
told 0 'parameters of fc6.weight, fc8.weight sharded over d by in' "$PLACEC" search tail.place -o placed.place
told 0 'parameters of fc7 sharded over d by out' "$PLACEC" search tail.place
told 0 'parameters alike' "$PLACEC" search tail.place
told 0 '"declared":	"strategy placed2(d: axis) {' "$PLACEC" search tail.place --json
told 0 'contract exact' "$PLACEC" check placed.place
told 0 '' "$PLACEC" fmt --check placed.place
told 0 'placed2(data)' "$PLACEC" plan placed.place --against zero1
# tailed STATUS TEXT SED-SCRIPT: of the same program.
tailed() {
    sed "$3" tail.place > edited.place
    answered "$1" "$2"
}
tailed 0 'placed             left out by `without`' 's/least time/without placed/'
tailed 0 'placed             only for the least time or price' 's/least time/least memory/'
tailed 0 'placed             it is for `data`, `replica` and `tensor` alone' 's/least time/without on_device/'
for use in 'least memory' 'without placed' 'context 2' 'without on_device'; do
    tailed 1 'error[P0365]: `with placed` has nothing to look at' "s/least time/with placed; $use/; s/fc8/head/"
done
tailed 0 'placed             searched' 's/least time/with placed/'
# Over `tensor`, where every rank reads all examples.
tailed 0 'strategy placed2(t: axis)' 's/tensor 1/tensor 4/'
tailed 0 'tensor             1 rank, with `placed` at most 4: ' '/tensor 1/d'
# Of a GPT by other names, Megatron's placement, as with the prelude's `tensor_parallel` of one by the usual names.
sed 's/least time/tensor 4; pipeline 1; context 1; replica 1; without sequence_parallel, sequence_vocab/
    s/mlp(\(.*\), 4 \* hidden, gelu) as mlp/linear(gelu(linear(\1, 4 * hidden) as up), hidden) as down/' base.place > usual.place
sed 's/as up/as wide/; s/as down/as narrow/; s/as head/as classes/; s/as attn/as mixing/; s/tensor 4;/tensor 4; with placed;/' \
    usual.place > other.place
"$PLACEC" search usual.place | sed -n 's/ *found *\(.* a step\).*/\1/p' > usual-time
"$PLACEC" search other.place -o megatron.place > other
told 0 "found      $(cat usual-time)" cat other
told 0 'parameters of block.wide, classes sharded over t by out' cat other
told 0 'parameters of block.narrow.weight sharded over t by in' cat other
told 0 'block.mixing.value, block.mixing.out.weight sharded over t by heads' cat other
told 0 'zero2(data) * placed(tensor)' cat other
told 0 'tensor_parallel ' cat other
# Without `with placed` where the prelude has nothing to divide.
sed '/attention/d; s/mlp(\(.*\), 4 \* hidden, gelu) as mlp/linear(gelu(linear(\1, 4 * hidden) as wide), hidden) as narrow/
    s/least time/pipeline 1; context 1/' base.place > narrow.place
told 0 'placed             searched' "$PLACEC" search narrow.place
sed 's/context = 512/context = 2048/; s/context 1/context 1; tensor 4/; s/batch 64/batch 8/' narrow.place > long.place
told 0 '    activations sharded over t by context' "$PLACEC" search long.place -o sequence.place
told 0 'contract exact' "$PLACEC" check sequence.place
told 0 'contract exact' "$PLACEC" check megatron.place
tailed 1 'Its form is: with placed, pinned' 's/least time/with zero1/'

# ---- Operators pinned --------------------------------------------------------------------------------------------------
# `tensor_parallel` without its options computes the head, and each block's sums, on every rank: by batch is faster.
sed 's/least time/with pinned; pipeline 1; context 1; replica 1; tensor 4; without vocab, sequence_vocab, sequence_parallel/
    s/layers = 4/layers = 2/' base.place > head.place
"$PLACEC" search head.place -o by_batch.place --lock > head
told 0 'tensor_parallel(tensor) * pinned(tensor)' cat head
told 0 'strategy pinned(tensor: axis) {' cat head
told 0 'activations of block.attn computed over tensor by batch' cat head
told 0 'less than the' cat head
told 0 'other sets of pins are not tried' cat head
# By shapes alone the gap is 49 %.
told 0 '' awk '/^  gap / { gap = $2 + 0 } END { exit !(gap > 0 && gap < 20) }' head
told 0 'no operator pinned' cat head
told 0 'contract exact' "$PLACEC" check by_batch.place
told 0 '' "$PLACEC" fmt --check by_batch.place
told 0 'contract exact' "$PLACEC" check head.place
rm head.place.lock
told 0 '"unpinned_step_s":' "$PLACEC" search head.place --json
told 0 "$(sed -n 's/ *found *\(.* a step\).*/\1/p' head | sed 's/ a step//')" "$PLACEC" plan by_batch.place
for use in 'least memory' 'least time and memory'; do
    sed "s/with pinned/with pinned; $use/" head.place > edited.place
    answered 1 'error[P0365]: `with pinned` has nothing to look at'
done
# On one device there is nothing to pin.
sed 's/least time/with pinned/; s/2 nodes of 4/1 nodes of 1/' base.place > one.place
told 0 'pinned     nothing' "$PLACEC" search one.place

searched 0 'placed             `tensor` divides the blocks of this model' 's/least time/pipeline 1; context 1/'
told 0 'placed             no parameter has a dim with something for every rank' sh -c '
    sed "s/512, 14, 14/1, 2, 2/; s/4096/1/; s/4096/1/; s/1000/1/" tail.place > small.place; "$0" search small.place' "$PLACEC"
told 0 'stopped early' "$PLACEC" search tail.place --seconds 0.06
# Most of a step is starting things: of many placements the bound is below the best.
cat > deep.place << 'END'
place 1
model deep(hidden = 64) {
    input x, y : f32[batch, hidden]
    x = relu(linear(x, hidden) as a)
    x = relu(linear(x, hidden) as b)
    x = relu(linear(x, hidden) as c)
    x = relu(linear(x, hidden) as d)
    loss = mean over batch, hidden of squared_error(linear(x, hidden) as e, y)
}
cluster pod { 2 devices of a100 }
train deep on pod {
    search over pod {
        microbatches 1
    }
    optimizer adam(rate = 0.1)
    batch 256
    steps 3
}
END
told 0 'placed             the first programs searched; `with placed` looks at all' "$PLACEC" search deep.place
sed 's/microbatches 1/microbatches 1; with placed/' deep.place > whole.place
told 0 'gap        none' "$PLACEC" search whole.place

# ---- Locks ------------------------------------------------------------------------------------------------------------
mkdir locked
sed 's/^cluster.*/import "pod.place"/' base.place > locked/gpt.place
{ echo 'place 1'; grep '^cluster' base.place; } > locked/pod.place
told 1 'error[P0211]: the strategy is still to be found' "$PLACEC" plan locked/gpt.place
told 0 'gap        none' "$PLACEC" search locked/gpt.place --lock -o locked/found.place
# avoids: P0211
told 0 'contract exact' "$PLACEC" check locked/gpt.place
for verb in plan --dump=step; do
    "$PLACEC" $verb locked/gpt.place | sed 's/ *#.*//' > of-lock
    "$PLACEC" $verb locked/found.place | sed 's/ *#.*//' > of-found
    if [ -s of-lock ] && cmp -s of-lock of-found; then good; else bad "$verb" "$(diff of-lock of-found | head -5)"; fi
done
told 0 '' "$PLACEC" diff locked/gpt.place locked/found.place
told 0 'batch 128' "$PLACEC" whatif locked/gpt.place 'batch 128 in 2 microbatches'
told 0 '' "$PLACEC" fmt --check locked/found.place
told 0 'gap        none' "$PLACEC" search locked/gpt.place
# What comes after the search is still in its line.
printf '    contract statistics per microbatch\n}\n' > more
sed '$d' locked/gpt.place | cat - more > locked/contract.place
told 0 '' "$PLACEC" search locked/contract.place --lock
told 0 "contract.place:$(wc -l < locked/gpt.place | tr -d ' '):5: perf" "$PLACEC" check locked/contract.place
# Another text, other imports, other locks.
cp locked/gpt.place.lock kept
echo '{}' >> locked/gpt.place.lock
told 1 "'locked/gpt.place.lock' is no lock that this placec wrote." "$PLACEC" check locked/gpt.place
cp kept locked/gpt.place.lock
sed 's/steps 3/steps 4/' locked/gpt.place > locked/longer.place
cp kept locked/longer.place.lock
told 1 "'locked/longer.place.lock' was found for another text of the program." "$PLACEC" check locked/longer.place
sed -i 's/2 nodes of 4/4 nodes of 2/' locked/pod.place
told 1 "'locked/gpt.place.lock' was found with other imports." "$PLACEC" check locked/gpt.place
told 1 'was found with other imports.' "$PLACEC" whatif locked/gpt.place 'batch 128'
sed -i 's/4 nodes of 2/2 nodes of 4/' locked/pod.place
for edit in 's/"version":.1/"version": 2/' '/"mesh"/d' 's/"batch":.64/"batch": "many"/' '1d' 's/"batch":.64/"batch": -1/'; do
    sed "$edit" kept > locked/gpt.place.lock
    told 1 "'locked/gpt.place.lock' is no lock that this placec wrote." "$PLACEC" check locked/gpt.place
done
sed 's/"strategy":.*/"strategy": "zero9(data)",/' kept > locked/gpt.place.lock
told 1 "unknown strategy 'zero9'" "$PLACEC" check locked/gpt.place
rm locked/gpt.place.lock && mkdir locked/gpt.place.lock
told 1 "'locked/gpt.place.lock' cannot be read" "$PLACEC" check locked/gpt.place
told 2 "cannot write 'locked/gpt.place.lock'" "$PLACEC" search locked/gpt.place --lock
told 64 'has no `search over`, so nothing would read its lock' "$PLACEC" search found.place --lock
told 64 'does not take' "$PLACEC" check base.place --lock
told 64 'a program from standard input is in no file' sh -c '"$0" search - --lock < base.place' "$PLACEC"
if [ -e ./-.lock ]; then bad lock 'of standard input'; else good; fi

# ---- What is not ----------------------------------------------------------------------------------------------------
told 1 'error[P0211]: the strategy is still to be found' "$PLACEC" check base.place
told 1 'error[P0211]' "$PLACEC" build base.place -o out
searched 1 'error[P0365]: no strategy fits into 20.0 MiB of each device' 's/least time/memory at most 20 MiB; pipeline 1; context 1/'
searched 1 'Half of the batch, or half of that, is still too much' 's/least time/memory at most 20 MiB; pipeline 1; context 1/'
searched 1 'With `batch 32` a strategy fits: `' 's/least time/memory at most 100 MiB; pipeline 1; context 1; without values_on_host/'
searched 1 'error[P0365]: the space has no strategy' 's/batch 64/batch 63/; s/least time/tensor 1; context 1; pipeline 1/'
searched 1 'error[P0365]: the time of a step on cpu is not predicted' 's/8 a100/8 cpu/; s/4 a100/4 cpu/'
searched 1 'Not known is the speed of products in f32.' 's/4 a100/4 v100/; s/precision.*/precision f32/'
searched 1 'without limits of time and price needs no time' 's/4 a100/4 cpu/; s/least time/least memory; time at most 1 s/'
told 1 'error[P0365]: the search ended after' "$PLACEC" search "$root/examples/llama405b.place" --seconds 0.000001
# Where little fits, there is an answer long before the search ends.
told 0 'gap        ' "$PLACEC" search "$root/examples/llama405b.place" --seconds 3
# What is not known of some links and devices: strategies that use them have no time.
sed 's/cluster.*/cluster pod { 2 nodes of 2 cpu; memory 24 GiB; memory at 12 GB\/s; products bf16 at 100 GFLOP\/s; arithmetic at 20 GFLOP\/s; launch 2 us }/' \
    base.place > desk.place
told 1 'because the link between nodes is not known' "$PLACEC" search desk.place
sed 's/2 nodes of 2 cpu/4 devices of cpu/' desk.place > one.place
told 0 'because the link to the host is not known' "$PLACEC" search one.place
sed 's/least time/without on_device/' one.place > host.place
told 1 'Nothing else is left than `offload`' "$PLACEC" search host.place
searched 1 'Nothing else is left than `expert 1`: the model has no experts' 's/least time/expert 2/'
searched 1 'error[P0201]' 's/least time/last time/'
searched 1 'Its form is: least time, least memory, least price, least time and memory, or most throughput' 's/least time/least money/'
searched 1 'Its form is: tensor at most 8, or: tensor 8' 's/least time/tensor below 8/'
searched 1 'the limit of '"'tensor'" 's/least time/tensor at most 0/'
searched 1 'Its form is: memory at most 60 GiB' 's/least time/memory at most 60/'
searched 1 'Did you mean '"'gpipe'" 's/least time/without gpip/'
searched 1 "leaves out each of 'on_device' and 'offload'" 's/least time/without on_device, offload/'
searched 1 "leaves out each of 'keep', 'selective', 'recompute' and 'by_value'" \
    's/least time/without keep, selective, recompute, by_value/'
searched 1 "the search is over 'rack', but the train is on 'pod'" 's/over pod/over rack/'
searched 1 'a search is over one cluster' 's/over pod/over pod, rack/'
searched 1 "unknown cluster 'rack'" 's/over pod/over rack/; s/on pod/on rack/'
searched 1 'the train has a strategy and a search' 's/batch 64/batch 64; strategy data_parallel(data)/'
searched 1 'the train does not set its batch' '/batch 64/d'
searched 1 'unknown' 's/attention(/atention(/'
searched 1 'error' 's/batch 64/batch many/'
printf 'place 1\n' > none.place
told 1 "there is no 'train'" "$PLACEC" search none.place
told 2 'cannot read' "$PLACEC" search absent.place
told 64 'is the program itself' "$PLACEC" search base.place -o base.place
told 2 "cannot write 'absent/found.place'" "$PLACEC" search base.place -o absent/found.place
told 64 '--seconds takes a number above 0' "$PLACEC" search base.place --seconds none
told 64 'does not take' "$PLACEC" check base.place --seconds 5

# ---- Other questions -------------------------------------------------------------------------------------------------
sed 's/^train gpt on pod {/mesh grid on pod { data: 2, t: 4 }\
train gpt on grid {/; s/batch 64/batch 64 in 2 microbatches/
    /search over/i\
    strategy zero1(data) * tensor_parallel(t)
    /search over/,/}/d' base.place > plain.place
sed 's/zero1/zero2/' plain.place > other.place

# rows N: of the last table.
rows() {
    if [ "$(grep -cE ' (ms|s|us) ' printed)" -eq "$1" ]; then good; else bad rows "not $1 in: $(cat printed)"; fi
}

told 0 'zero2(data)' "$PLACEC" plan plain.place --against 'zero2, zero3(data) * tensor_parallel(t), data_parallel'
rows 4
told 0 "zero9(data) is not right:" "$PLACEC" plan plain.place --against zero9,zero2
told 0 "Did you mean 'zero1'?" "$PLACEC" plan plain.place --against zero9
told 0 '"diagnostics"' "$PLACEC" plan plain.place --against zero9 --json
told 0 'batch 64 in 8 microbatches' "$PLACEC" whatif plain.place 'batch 64 in 8 microbatches'
told 0 '  0.0%' "$PLACEC" whatif plain.place 'steps 9'
rows 2
told 0 'clip norm 1.0' "$PLACEC" whatif plain.place 'clip norm 1.0'
rows 2
told 0 'is not right:' "$PLACEC" whatif plain.place 'batch many'
told 0 'activations sharded over t by context' "$PLACEC" why-not plain.place 'activations sharded over t by context'
rows 2
# A statement that makes it wrong is answered with why.
told 0 'counter-example' "$PLACEC" why-not plain.place 'sync gradients : none'
told 0 'these placements send' "$PLACEC" why plain.place block.attn
told 0 'gelu_bwd' "$PLACEC" why plain.place '*.mlp'
told 1 "no value is called 'block.nothing'" "$PLACEC" why plain.place block.nothing
told 1 'other.place' "$PLACEC" diff plain.place other.place
rows 2
told 0 'plain.place' "$PLACEC" diff plain.place plain.place
told 1 "'base.place' is not right" "$PLACEC" diff plain.place base.place
told 1 'error[P0211]' "$PLACEC" whatif base.place 'batch 32'
told 64 "what is missing: 'LINE'" "$PLACEC" whatif plain.place
told 64 'one question at a time' "$PLACEC" why plain.place block block
told 2 "cannot read 'absent.place'" "$PLACEC" diff plain.place absent.place
told 0 'contract exact' "$PLACEC" check plain.place --fits
told 1 'placec: the program does not fit' "$PLACEC" check "$root/tests/search/large.place" --fits
told 0 'perf[P0363]' "$PLACEC" check "$root/tests/search/large.place"

# ---- Served models ---------------------------------------------------------------------------------------------------
# One token for a few sequences is fastest where all ranks share the work; more sequences have ranks of their own.
sed 's/^train/serve/; /optimizer/d; s/, master f32//; s/4096/51200/; s/2 nodes of 4/1 nodes of 4/; s/hidden = 1024/hidden = 4096/' base.place > served.place
sed -i 's/microbatches at most 8//; s/batch 64/batch 4/' served.place
told 0 'tensor: 4' "$PLACEC" search served.place -o found.place
told 0 'contract exact' "$PLACEC" check found.place
told 0 'there are no gradients and no optimizer' "$PLACEC" search served.place
sed 's/least time/least time; microbatches 2/' served.place > parted.place
told 1 'the search is for 2 microbatches, but a step of a served model has one' "$PLACEC" search parted.place
sed 's/least time/most throughput/' served.place > through.place
told 0 'tokens / s' "$PLACEC" search through.place
told 0 '"tokens_per_s":' "$PLACEC" search through.place --json
told 0 'data_parallel(data)' "$PLACEC" search through.place
sed 's/cluster.*/cluster pod { 4 devices of cpu; memory at 12 GB\/s; products bf16 at 100 GFLOP\/s; arithmetic at 20 GFLOP\/s; launch 2 us }/' \
    through.place > endless.place
told 1 'error[P0365]: how much memory a device has is not known' "$PLACEC" search endless.place
sed 's/most throughput/most throughput; memory at most 20 GiB/' endless.place > ends.place
told 0 'tokens / s' "$PLACEC" search ends.place
searched 1 'throughput is what a model is served for' 's/least time/most throughput/'

# ---- Interrupted -----------------------------------------------------------------------------------------------------
# The best so far is kept, with the gap that is left.
sed 's/2 nodes/2048 nodes/; s/layers = 4/layers = 96/; s/hidden = 1024/hidden = 12288/; s/batch 64/batch 1536/; s/heads = 8/heads = 96/; s/least time/least memory/' base.place > long.place
grep -q 'least memory' long.place || bad interrupted 'the search is not for memory, which takes a minute'
"$PLACEC" search long.place -o best.place > printed 2>&1 &
searching=$!
sleep 3
kill -INT "$searching"
wait "$searching"
status=$?
if [ "$status" -eq 130 ]; then good; else bad interrupted "status $status"; fi
told 0 'contract exact' "$PLACEC" check best.place

finish_suite
