# programs.sh - what the suites of generated programs share; sourced. Wants B, the build directory, and WORK, where programs
# go; both are made absolute. Cases are counted by suite.sh.
root=$(pwd)
B=$(cd "$B" && pwd)
rm -rf "$WORK"
mkdir -p "$WORK"
WORK=$(cd "$WORK" && pwd)
log=$WORK/log
unset PLACERT_COUNT LD_PRELOAD
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=vader,self OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

. ./tests/suite.sh

model_gpt() {
    cat <<'PLACE'
model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe
    repeat block[layers] {
        x = x + attention(layernorm(x) as norm1, heads, causal) as attn
        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp
    }
    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)
    loss = mean over batch, context of cross_entropy(logits, targets)
}
PLACE
}

model_mlp() {
    cat <<'PLACE'
model net(layers = 3, width = 7) {
    input features : f32[batch, 6]
    input labels : int[batch]
    x = relu(linear(features, width) as first)
    repeat block[layers] {
        x = x + tanh(linear(x, width) as fc)
    }
    logits = linear(x, 5) as last
    loss = mean over batch of cross_entropy(logits, labels)
}
PLACE
}

# data_of MODEL: its `data` setting.
data_of() {
    case $1 in
    gpt) printf 'bytes "%s"\n' "$root/docs/language.md" ;;
    *) echo synthetic ;;
    esac
}

# STRATEGY: a name, applied to `data`, or an expression.
# write_program MODEL STRATEGY RANKS MICROBATCHES PRECISION STEPS [RATE]: the text of a program, on stdout.
write_program() {
    echo 'place 1'
    "model_$1"
    if [ "$2" = mixture ]; then
        cat <<'PLACE'
strategy mixture(d: axis) {
    parameters of block[0] gathered over d
    gradients of block[0..1] sharded over d
    optimizer of block[0..1] sharded over d
    activations sharded over d by batch
}
PLACE
    fi
    cat <<PLACE
cluster here { $3 devices of cpu }
mesh local on here { data: $3 }
train net on local {
    strategy $(case $2 in *\(*) echo "$2" ;; *) echo "$2(data)" ;; esac)
    optimizer adamw(rate = ${7:-1e-2}, warmup = 2, decay = 0.1, epsilon = 1e-3)
    clip norm 1.0
    precision $5
    data $(data_of "$1")
    seed 1
    batch 24 in $4 microbatches
    steps $6
}
PLACE
}

# build NAME PROGRAM-ARGUMENTS...: write_program, and the built program in $WORK/NAME.
build() {
    name=$1
    shift
    write_program "$@" >"$WORK/$name.place"
    "$B/placec" build "$WORK/$name.place" -o "$WORK/$name" >"$log" 2>&1
}

# number EVENT KEY LOG: a number of the last line of an event in a log of JSON lines.
number() {
    sed -n "s/.*\"event\":\"$1\".*\"$2\":\(-*[0-9.e+-]*\).*/\1/p" "$3" | tail -n 1
}
