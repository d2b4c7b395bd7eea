#!/bin/sh
# tests/infer/run.sh: `placec infer` by its answers: the cheapest plans of models against those of docs/distpar.md, which are
# computed from the published layers; strategies of the prelude by the properties that they are; every example's sums; and
# what is refused. PLACEC names the compiler.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
find_compiler
root=$PWD
cd "$work" || exit 2

# inferred STATUS TEXT SED-SCRIPT FILE [OPTION...]: of the file, changed.
inferred() {
    status=$1 text=$2
    sed "$3" "$root/$4" > edited.place
    shift 4
    told "$status" "$text" "$PLACEC" infer edited.place "$@"
}

# ---- The published models ------------------------------------------------------------------------------------------
# Each row of the table: the layers, and what is sent and computed, for a beta between its bounds.
as_published='s/[0-9] devices of/4 devices of/; s/{ data: [0-9] }/{ data: 4 }/; s/batch  .*/batch 128/; s/strategy .*/strategy data_parallel(data)/'
rows=0
# published MODEL FILE
published() {
    awk -v model="$1" -F ' *[|] *' '$2 == model && NF == 8 { print $3, $4; print $5; print $6, $7 }' "$root/docs/distpar.md" > table
    while read -r from to && read -r layers && read -r sent computed; do
        beta=$(awk -v from="$from" -v to="$to" 'BEGIN { printf "%.6g", from == 0 ? to / 2 : sqrt(from * to) }')
        sed "$as_published; s/^\( *\)steps .*/&; cost distpar beta $beta/" "$root/$2" > edited.place
        "$PLACEC" infer edited.place | sed -n '/^cheapest/,$p' |
            awk '/^cheapest: / { sub("cheapest: ", ""); layers = $0 } /^  sent / { gsub(",", ""); sent = $2; computed = $(NF - 2) }
                END { printf "%s %.3f %.1f\n", layers, sent / 1e6, computed / 1e6 }' > found
        told 0 "$layers $sent $computed" cat found
        rows=$((rows + 1))
    done < table
}
published LeNet-5 examples/lenet.place
published AlexNet tests/models/alexnet.place
published VGG16 tests/models/vgg16.place
if [ "$rows" -eq 10 ]; then good; else bad docs/distpar.md "has $rows rows of LeNet-5, AlexNet and VGG16"; fi

# ---- Strategies ------------------------------------------------------------------------------------------------------
told 0 'as written: 5D' "$PLACEC" infer "$root/examples/lenet.place"
told 0 'as written: B 12(3C R C R) B' "$PLACEC" infer "$root/tests/models/vit.place" --axis t
told 0 'block.norm1: I to R, relabel, back by all_reduce: 19,365,888 elements' "$PLACEC" infer "$root/tests/models/vit.place" --axis t
told 0 'block.mlp: P to I, all_reduce, back by relabel: 19,365,888 elements' "$PLACEC" infer "$root/tests/models/vit.place" --axis t
told 0 'as written: 74D' "$PLACEC" infer "$root/tests/models/vit.place"
told 0 'pixels: I to S0, slice: nothing is sent' "$PLACEC" infer "$root/tests/models/vit.place" --axis t
told 0 'as written: 8D C' "$PLACEC" infer "$root/tests/models/face.place"
# The logits of a face head stay split: six numbers of each row are summed.
told 0 ' S1    I                 1,152' "$PLACEC" infer "$root/tests/models/face.place"
told 0 'as written: 54D' "$PLACEC" infer "$root/tests/models/resnet50.place"
told 0 'as written: 3D' "$PLACEC" infer "$root/examples/mlp.place"
# Statistics of its own rows cost no sums over the batch.
told 0 'norm            batchnorm          9    D  S0    S0                  576' "$PLACEC" infer "$root/examples/resnet.place"
inferred 0 'norm            batchnorm          9    D  S0    S0                  192' \
    's/^    batch .*/&\n    contract statistics per replica over data/' examples/resnet.place
# Tied weights, states in shards, other axes and the default are remarked.
told 0 "'wte.table' has several readers" "$PLACEC" infer "$root/examples/gpt.place"
told 0 'states that the strategy stores in shards are no property' "$PLACEC" infer "$root/examples/gpt.place"
told 0 "the axis 'data' is ignored" "$PLACEC" infer "$root/tests/models/vit.place" --axis t
told 0 'beta is 0.1 by default; `cost distpar beta 0.1` in the train sets it' "$PLACEC" infer "$root/examples/lenet.place"
# Placements that are no property.
told 0 "as written: no plan, because the layers are divided over 'stage'" "$PLACEC" infer "$root/examples/pod.place" --axis stage
told 0 "neither by the batch nor by its columns" "$PLACEC" infer "$root/examples/llama405b.place" --axis context

# ---- Traffic ---------------------------------------------------------------------------------------------------------
# All devices together send what the plan of the proved program counts, but for what pads its units.
# traffic SED-SCRIPT FILE
traffic() {
    sed "s/ in [0-9]* microbatches//; $1" "$root/$2" > edited.place
    planned=$("$PLACEC" plan edited.place --json | awk '$1 == "\"communication_bytes_per_device\":" { print $2 + 0 }')
    "$PLACEC" infer edited.place --json | awk -v planned="$planned" '
        $1 == "\"devices\":" { devices = $2 + 0 }
        $1 == "\"sent_bytes\":" && !written { written = $2 + 0 }
        END {
            print written, planned * devices
            exit !(written > 0 && written > 0.99 * planned * devices && written < 1.01 * planned * devices)
        }' > printed
    judge "$2 ($1): sent and planned" $?
}
log=printed
traffic '' examples/lenet.place
traffic '' examples/mlp.place
traffic '' examples/resnet.place
traffic '' tests/models/face.place
traffic 's/zero3(data)/data_parallel(data)/' tests/models/vgg16.place
traffic 's/strategy .*/strategy data_parallel(data)/' tests/models/resnet50.place
traffic 's/strategy .*/strategy data_parallel(data)/' tests/models/mobilenetv2.place
traffic 's/data: 4, t: 2/t: 4/; s/8 devices/4 devices/; s/zero1(data) . //' tests/models/vit.place
log=$work/log

# ---- Sums ---------------------------------------------------------------------------------------------------------------
# The parts add up to the totals, and nothing that is written costs less than the cheapest plan.
for file in "$root"/examples/*.place "$root"/tests/models/*.place; do
    case $file in */moe.place | */serve.place) continue ;; esac
    told 0 '"format_version":	1' "$PLACEC" infer "$file" --json
    awk '{ gsub(/[",]/, ""); value = $2 }
        $1 == "as_written:" || $1 == "cheapest:" { plan = $1 }
        $1 == "beta:" { beta = value }
        $1 == "first_layer:" { first = value }
        $1 == "last_layer:" { layers = value - first + 1; mine = 1 }
        $1 == "sent_elements:" && mine { parts += layers * value; next }
        $1 == "computed_elements:" && mine { computed += layers * value; mine = 0; next }
        $1 == "conversions:" { inner = 1 }
        $1 == "sent_bytes:" { inner = 0 }
        $1 == "sent_elements:" && !mine { sent = value }
        $1 == "computed_elements:" { total = value }
        $1 == "cost:" {
            if (near(parts, sent) && near(computed, total) && near(sent + beta * total, value)) good++
            cost[plan] = value; parts = computed = 0
        }
        function near(x, y) { return x <= y * 1.0000001 && x >= y * 0.9999999 }
        END { exit !(good == 2 && cost["cheapest:"] <= cost["as_written:"] * 1.0000001) }' printed
    judge "$file" $?
done

# ---- What is asked -----------------------------------------------------------------------------------------------------
inferred 0 'lenet on local: data 4, batch 64, beta 10' 's/steps .*/&; cost distpar beta 10/' examples/lenet.place
inferred 0 '"beta_by_default":	false' 's/steps .*/&; cost distpar beta 10/' examples/lenet.place --json
told 0 '"beta_by_default":	true' "$PLACEC" infer "$root/examples/lenet.place" --json
told 0 'data 1, batch' sh -c 'sed "s/data: 4/data: 1/; s/4 devices/1 devices/" "$0" > one.place && "$1" infer one.place' "$root/examples/lenet.place" "$PLACEC"
inferred 1 "error[P0207]: 'beta' is negative" 's/steps .*/&; cost distpar beta -1/' examples/lenet.place
inferred 1 "error[P0207]: 'beta' is -1" 's/steps .*/&; cost distpar beta 1 - 2/' examples/lenet.place
inferred 1 "error[P0201]: unknown number 'x'" 's/steps .*/&; cost distpar beta x/' examples/lenet.place
inferred 1 "error[P0206]: '\"x\"' is not a number" 's/steps .*/&; cost distpar beta "x"/' examples/lenet.place
inferred 1 'where a plain number is expected' 's/steps .*/&; cost distpar beta 1 GiB/' examples/lenet.place
inferred 1 "error[P0206]: 'cost' is incomplete" 's/steps .*/&; cost distpar/' examples/lenet.place
inferred 1 "error[P0206]: unexpected 'time' in 'cost'" 's/steps .*/&; cost time/' examples/lenet.place
inferred 1 "error[P0208]: 'cost' is given twice" 's/steps .*/&; cost distpar beta 1; cost distpar beta 2/' examples/lenet.place
cp "$root/examples/gpt.place" .
inferred 1 'A model that is served is not trained' 's/steps .*/&; cost distpar beta 1/' examples/serve.place
inferred 0 'as written' 's/steps .*/&; cost distpar beta 0/' examples/lenet.place # avoids: P0207

# ---- As a program ------------------------------------------------------------------------------------------------------
# The cheapest plan, written as a strategy, is what the deriver then does, and proved.
# stated LETTERS FILE [SED-SCRIPT]
stated() {
    sed "${3:-}" "$root/$2" > edited.place
    told 0 "as a program: $1, cost" "$PLACEC" infer edited.place -o stated.place
    told 0 'state consistency yes' "$PLACEC" check stated.place
    if "$PLACEC" infer edited.place -o stated.place | grep -q 'more than the cheapest'; then bad "$2" 'costs more as a program'; else good; fi
}
stated 'D D R B B' examples/lenet.place
stated 'D D 3R' examples/lenet.place 's/^\( *\)steps .*/&; cost distpar beta 1/'
stated '3B' examples/mlp.place
stated '10D 3B R C R' tests/models/vgg16.place
stated '13D R C R' tests/models/vgg16.place 's/^\( *\)steps .*/&; cost distpar beta 10/'
stated '7D B C' tests/models/face.place
stated '43D 11B' tests/models/resnet50.place
stated 'D D 4(4D C R) D D' examples/bert.place
stated '38B' examples/gpt.place
stated 13D examples/resnet.place 's/^    batch .*/&\n    contract statistics per replica over data/'
told 0 '"as_program"' "$PLACEC" infer "$root/examples/lenet.place" -o stated.place --json
told 0 '' "$PLACEC" fmt --check stated.place
# It trains as what was written does.
for program in "$root/examples/mlp.place" trained.place; do
    "$PLACEC" infer "$root/examples/mlp.place" -o trained.place > printed
    "$PLACEC" build "$program" -o out > printed 2>&1
    out/run.sh --quiet --steps 5 --log log > printed 2>&1
    sed -n 's/.*"loss":\([0-9.e-]*\).*/\1/p' log > "$(basename "$program").losses"
done
told 0 '6 alike' awk 'NR == FNR { loss[FNR] = $1; next } { apart = $1 / loss[FNR] - 1; alike += apart < 1e-5 && apart > -1e-5 } END { print alike, "alike" }' \
    mlp.place.losses trained.place.losses

# ---- What is refused -----------------------------------------------------------------------------------------------------
told 1 "the mesh 'local' has no axis 'q'; it has 'data'" "$PLACEC" infer "$root/examples/lenet.place" --axis q
inferred 1 "several axes shard the batch; --axis takes one of 'data', 't'" 's/megatron(t)/data_parallel(t)/' tests/models/vit.place
inferred 1 "no axis shards the batch; --axis takes one of 'data', 't'" 's/zero1(data) \* //' tests/models/vit.place
inferred 0 'as written: 74B' 's/zero1(data) \* //' tests/models/vit.place --axis data
inferred 1 "along 'data' are copies, each of which trains by itself" 's/steps .*/&\n    contract local(10) over data/; s/in 2 microbatches//' \
    examples/lenet.place
told 1 "'gpt' is served; DistPar costs a step of training" "$PLACEC" infer "$root/examples/serve.place"
told 1 "error[P0366]: DistPar has no property for 'top' of this model" "$PLACEC" infer "$root/examples/moe.place"
# Values that are all read at the end: of seventeen, and of eight.
sums=$(seq -f 'a%g' 17 | paste -sd + - | sed 's/+/ + /g')
{
    printf 'place 1\nmodel dense(hidden = 8) {\n    input x, y : f32[batch, hidden]\n'
    seq 17 | sed 's/.*/    a& = linear(x, hidden) as l&/'
    printf '    loss = mean over batch, hidden of squared_error(%s, y)\n}\n' "$sums"
    sed -n '/^cluster/,$p' "$root/examples/mlp.place" | sed 's/train mlp/train dense/'
} > dense.place
told 1 'no plan, because too many values are still to be read at one place of the model' "$PLACEC" infer dense.place
sed 's/^    a\(9\|1[0-7]\) .*//; s/ + a\(9\|1[0-7]\)//g' dense.place > sparse.place
told 0 'cheapest: ' "$PLACEC" infer sparse.place
# avoids: P0366
told 0 'block.attn.weights' "$PLACEC" infer "$root/examples/gpt.place"
inferred 1 "no 'train' or 'serve' in this file" '/^train/,$d' examples/lenet.place
inferred 1 'error[P0211]: the strategy is still to be found' 's/strategy .*/search over laptop { least memory }/; s/ on local {/ on laptop {/' \
    examples/lenet.place
cat "$root/examples/lenet.place" > twice.place
sed -n '/^train/,$p' "$root/examples/lenet.place" >> twice.place
told 1 'error[P0' "$PLACEC" infer twice.place
told 1 'error[P0101]' "$PLACEC" infer "$root/README.md"
told 2 "cannot read 'missing.place'" "$PLACEC" infer missing.place
told 1 "the cheapest plan is over 't' alone, and the mesh has 'data', too" "$PLACEC" infer "$root/tests/models/vit.place" --axis t -o none.place
told 1 "the cheapest plan is no right program: 'head.product' cannot be computed by batch over 'data'" \
    sh -c 'sed "s/^ *steps .*/&; cost distpar beta 1/" "$1" > tied.place; "$0" infer tied.place -o none.place' "$PLACEC" "$root/examples/bert.place"
told 0 '' test ! -e none.place
told 64 'is the program itself' "$PLACEC" infer stated.place -o stated.place
told 2 "cannot write 'absent/found.place'" "$PLACEC" infer stated.place -o absent/found.place
told 64 'what is missing' "$PLACEC" infer
told 64 "does not take '--axis'" "$PLACEC" plan "$root/examples/lenet.place" --axis data
told 64 "a value is missing after '--axis'" "$PLACEC" infer "$root/examples/lenet.place" --axis
finish_suite
