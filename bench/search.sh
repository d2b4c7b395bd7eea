#!/bin/sh
# search.sh [PLACEC]: the seconds and memory that `placec search` takes on one core for GPT-3 175B and Llama 3.1 405B on 1,024
# and 16,384 devices: of everything, and of placements and factorisations alone. ROUNDS (3) runs of each, the median one; ONLY
# is a pattern of the rows to run. For bench/results.md.
placec=${1:-build/debug/placec}
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

placements='without selective, recompute, by_value, values_on_host, offload, gpipe; memory at most 100000 GiB; microbatches 8'

# gpt3 NODES SEARCH: on A100 nodes of eight.
gpt3() {
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
cluster pod { $1 nodes of 8 a100 within nvlink between infiniband 200 Gbit/s }
train gpt on pod {
    search over pod { $2 }
    optimizer adamw(rate = 1e-4)
    clip norm 1.0
    precision bf16, master f32
    data synthetic
    batch 1536
    steps 1
}
END
}

# llama NODES CONTEXT BATCH SEARCH: on H100 nodes of eight.
llama() {
    cat << END
place 1
model llama(layers = 126, hidden = 16384, heads = 128, kv_heads = 8, inner = 53248, context = $2, vocab = 128256) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as table
    repeat block[layers] {
        x = x + attention(rmsnorm(x) as norm1, heads, causal, bias = none, rope = 500000, kv_heads = kv_heads) as attn
        x = x + mlp(rmsnorm(x) as norm2, inner, swiglu, bias = none) as mlp
    }
    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head
    loss = mean over batch, context of cross_entropy(logits, targets)
}
cluster pod { $1 nodes of 8 h100 within nvlink between infiniband 400 Gbit/s }
train llama on pod {
    search over pod { $4 }
    optimizer adamw(rate = 1e-4)
    clip norm 1.0
    precision bf16, master f32
    data synthetic
    batch $3
    steps 1
}
END
}

# seconds NAME: of the program on stdin, one row: user and system seconds of the run in the middle, MB, gap, what was found.
seconds() {
    cat > "$work/program.place"
    case $1 in ${ONLY:-*}) ;; *) return ;; esac
    for _ in $(seq "${ROUNDS:-3}"); do
        /usr/bin/time -f '%U %S %M' -o "$work/time" taskset -c 0 "$placec" search --json "$work/program.place" \
            > "$work/found.json" 2> "$work/progress" || cat "$work/progress"
        cat "$work/time"
    done | sort -n | awk -v name="$1" -v found="$work/found.json" '
        { user[NR] = $1; system_s[NR] = $2; kb[NR] = $3 }
        END {
            middle = int((NR + 1) / 2)
            while ((getline line < found) > 0) {
                if (line ~ /"gap":/ && gap == "") { gap = line; sub(/[^:]*: */, "", gap); sub(/,$/, "", gap) }
                if (line ~ /"costed":/) { programs = line; sub(/[^:]*:[ \t]*/, "", programs); sub(/,$/, "", programs) }
                if (line ~ /"step_s":/ && step == "") { step = line; sub(/[^:]*:[ \t]*/, "", step); sub(/,$/, "", step) }
            }
            printf "%-44s %6.2f s + %4.2f s %5.0f MB   gap %-8.3g %5d programs   step %.4g s\n", name, user[middle], system_s[middle],
                kb[middle] / 1000, gap, programs, step
        }'
}

gpt3 128 "$placements" | seconds 'placements, GPT-3, 1024'
gpt3 2048 "$placements" | seconds 'placements, GPT-3, 16384'
llama 128 8192 2048 "$placements" | seconds 'placements, Llama 8192 tokens, 1024'
llama 2048 131072 128 "$placements" | seconds 'placements, Llama 131072 tokens, 16384'
gpt3 128 '' | seconds 'everything, GPT-3, 1024'
gpt3 2048 '' | seconds 'everything, GPT-3, 16384'
llama 128 8192 2048 '' | seconds 'everything, Llama 8192 tokens, 1024'
llama 2048 131072 128 '' | seconds 'everything, Llama 131072 tokens, 16384'
