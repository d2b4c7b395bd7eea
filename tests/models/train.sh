#!/bin/sh
# train.sh PART [NAME]: every example and every model of tests/models trains on 4 ranks, and a perceptron, LeNet and BERT on 8
# under a strategy of three axes; the loss must fall. PART is what scripts/test runs, `test`, or all of it, `all`; NAME is one program. Models
# are smaller in what their parameters say, the size of an image or the number of layers; data are patterns (patterns.c),
# text of this repository, or made on the spot. Leaves the losses below B/models/losses. Wants B, the build directory.
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/debug}
WORK=$B/models
. tests/programs.sh
part=$1 only=${2:-}
cat docs/*.md >"$WORK/text"
${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -o "$WORK/make_patterns" tests/models/patterns.c -lm || exit 2
: >"$WORK/losses"

# patterns CHANNELS SIDE: the options that make a program read images of that size, of 10 classes.
patterns() {
    directory=$WORK/images-$1-$2
    [ -d "$directory" ] || { mkdir "$directory" && "$WORK/make_patterns" "$directory" "$1" "$2" 500 10; } || exit 2
    echo "--data $directory/images --labels $directory/labels"
}

# losses LOG: of every step, one a line.
losses() {
    sed -n 's/.*"event":"step".*"loss":\([-0-9.e+]*\).*/\1/p' "$1"
}

# falls FACTOR LOG: the mean loss of the last fifth of all steps is less than FACTOR of that of the first; says both.
falls() {
    losses "$2" | awk -v factor="$1" '
        { loss[NR] = $1 }
        END {
            part = int(NR / 5) > 0 ? int(NR / 5) : 1
            for (i = 1; i <= part; i++) { first += loss[i] / part; last += loss[NR + 1 - i] / part }
            printf "%d steps, loss %.3f, then %.3f\n", NR, first, last
            exit !(NR > 0 && last < factor * first)
        }'
}

# trains NAME FILE MESH FACTOR STEPS EDITS [OPTION...]: FILE on MESH, "data: 4", with what the sed script EDITS changes.
trains() {
    [ -z "$only" ] || [ "$only" = "$1" ] || return 0
    name=$1 mesh=$3 factor=$4 out=$WORK/$1
    ranks=$(echo "$mesh" | awk '{ n = 1; for (i = 2; i <= NF; i += 2) n *= $i; print n }')
    sed -E "s/^(mesh .*) \{.*/\1 { $mesh }/; s/[0-9]+ devices/$ranks devices/; s/^( *steps ).*/\1 $5/; /^ *checkpoint/d
        /^ *assert/d; $6" "$2" >"$out.place"
    shift 6
    expect "$name builds" "$B/placec" build "$out.place" -o "$out"
    expect "$name trains" timeout 600 "$out/run.sh" --quiet --log "$out/log" "$@"
    expect "$name: the loss falls" falls "$factor" "$out/log"
    echo "$name, $mesh: $(cat "$log")" | tee -a "$WORK/losses"
}

images='/^ *optimizer/s/$/\n    data images "images" labels "labels"/; /^ *data +synthetic/d'
sgd='s/momentum\(rate = 0.1\)/momentum(rate = 0.01)/; s/batch     64/batch     16/'
bytes='s/synthetic/bytes "text"/'
small() {
    printf '%s\n' "$images; $sgd; s/height = [0-9]+, width = [0-9]+/height = $1, width = $1/"
}

# ---- What scripts/test runs ------------------------------------------------------------------------------------------
# shellcheck disable=SC2046
{
    trains mlp examples/mlp.place 'data: 4' 0.9 60 ''
    trains lenet examples/lenet.place 'data: 4' 0.8 40 "$images" $(patterns 1 32)
    trains mlp-three-axes examples/mlp.place 'd: 2, e: 2, f: 2' 0.9 60 \
        's/data_parallel\(data\)/zero1(d) * zero3(e) * data_parallel(f)/'
}
if [ -z "$only" ]; then
    sed 's/rate = 0.1/rate = 0/; s/steps .*/steps 100/' "$WORK/mlp.place" >"$WORK/still.place"
    expect 'a program that learns nothing builds' "$B/placec" build "$WORK/still.place" -o "$WORK/still"
    expect 'a program that learns nothing runs' "$WORK/still/run.sh" --quiet --log "$WORK/still/log"
    refused 'a loss that stays is noticed' 1 'loss' falls 0.9 "$WORK/still/log"
fi
if [ "$part" != all ]; then
    finish_suite
    exit
fi

# ---- The whole -------------------------------------------------------------------------------------------------------
read="--data $WORK/text --sample 0"
shorter='s/context = (256|128)/context = 64/; s/warmup = 20/warmup = 5/'
narrower='s/layers = 6, hidden = 384/layers = 2, hidden = 192/; s/layers = 4, hidden = 256/layers = 2, hidden = 128/'
bert="$bytes; $shorter; $narrower; s/vocab = 256/vocab = 257/" # one hides others
# shellcheck disable=SC2086,SC2046
{
    trains gpt examples/gpt.place 'data: 4' 0.8 30 "$shorter; $narrower; s/rate = 3e-4/rate = 1e-3/" $read
    trains llama examples/llama.place 'data: 4' 0.8 30 "$shorter; $narrower; s/rate = 6e-4/rate = 2e-3/" $read
    trains bert examples/bert.place 'data: 4' 0.9 40 "$bert" --data "$WORK/text"
    trains moe examples/moe.place 'data: 4' 0.9 40 "$bytes; s/layers = 4/layers = 2/" $read
    trains images examples/images.place 'data: 4' 0.9 30 \
        's/batch +512/batch 128/; s/layers = 8, width = 1024/layers = 4, width = 256/'
    trains resnet examples/resnet.place 'data: 4' 0.8 20 "$images" $(patterns 3 32)
    trains alexnet tests/models/alexnet.place 'data: 4' 0.9 15 "$(small 64)" $(patterns 3 64)
    trains vgg16 tests/models/vgg16.place 'data: 4' 0.9 30 "$(small 32); s/rate = 0.01/rate = 0.03/" $(patterns 3 32)
    trains resnet50 tests/models/resnet50.place 'data: 4' 0.9 15 "$(small 64)" $(patterns 3 64)
    trains mobilenetv2 tests/models/mobilenetv2.place 'data: 4' 0.9 15 "$(small 64)" $(patterns 3 64)
    trains face tests/models/face.place 'data: 4' 0.9 15 "$(small 32)" $(patterns 3 32)
    trains lenet-three-axes examples/lenet.place 'data: 2, e: 2, f: 2' 0.8 40 \
        "$images; s/data_parallel\(data\)/zero1(data) * zero2(e) * zero3(f)/" $(patterns 1 32)
    trains bert-three-axes examples/bert.place 'data: 2, t: 2, s: 2' 0.9 40 \
        "$bert; s/zero2\(data\)/zero1(data) * megatron(t) * pipeline(s)/; s/batch +8/batch 8 in 2 microbatches/" \
        --data "$WORK/text"
}
finish_suite
