#!/bin/sh
# predict.sh [--check] [PLACEC]: predicted steps, and memory, next to published ones (bench/published.txt), and errors per set.
# --check: only of the rows that were fitted or are scored, whose errors have to be within their bars; ends with one line, N passed,
# N failed, N skipped.
sets='' check=0
if [ "${1:-}" = --check ]; then
    sets='^\(fitted\|scored\) ' check=1
    shift
fi
placec=${1:-build/debug/placec}
here=$(dirname "$0")
strategies=$(cd "$here" && pwd)/published.place
program=$(mktemp /tmp/place-predict.XXXXXX)
trap 'rm -f "$program" "$program.json"' EXIT INT TERM

# devices_of NODES [DEVICE]: the cluster.
devices_of() {
    case ${2:-a100} in
    a100) echo "$1 nodes of 8 a100 within nvlink between infiniband 200 Gbit/s" ;;
    # Four links of 100 Gbit/s for eight devices.
    a100-opa) echo "$1 nodes of 8 a100 within nvlink between infiniband 50 Gbit/s" ;;
    a100-40) printf '%s\n    memory 40 GiB\n    memory at 1322 GB/s\n' "$(devices_of "$1")" ;;
    # So many devices of one node.
    a100-40x*) devices_of 1 a100-40 | sed "s/of 8/of ${2#*x}/" ;;
    # 96 GB of an older kind of memory; their power, 500 W instead of 700 W, changes nothing that is predicted.
    h100-96) printf '%s\n    memory 95 GiB\n    memory at 2040 GB/s\n' "$(devices_of "$1" h100)" ;;
    h100 | h200 | b200) echo "$1 nodes of 8 $2 within nvlink between infiniband 400 Gbit/s" ;;
    *) echo "no nodes of $2 are known" >&2; exit 2 ;;
    esac
}

# write_gpt LAYERS HIDDEN HEADS VOCAB CONTEXT: the model.
write_gpt() {
    cat << END
model net(layers = $1, hidden = $2, heads = $3, context = $5, vocab = $4) {
    input tokens, targets : int[batch, context]
    x = dropout(embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe, 0.1)
    repeat block[layers] {
        x = x + dropout(attention(layernorm(x) as norm1, heads, causal, dropout = 0.1) as attn, 0.1)
        x = x + dropout(mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp, 0.1)
    }
    logits = linear(layernorm(x) as norm, vocab, bias = none, weight = wte.table)
    loss = mean over batch, context of cross_entropy(logits, targets)
}
END
}

# write_llama LAYERS HIDDEN HEADS VOCAB CONTEXT KV_HEADS INNER FUNCTION [tied]: the model.
write_llama() {
    cat << END
model net(layers = $1, hidden = $2, heads = $3, kv_heads = $6, inner = $7, context = $5, vocab = $4) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    repeat block[layers] {
        x = x + attention(rmsnorm(x) as norm1, heads, causal, bias = none, rope = 10000, kv_heads = kv_heads) as attn
        x = x + mlp(rmsnorm(x) as norm2, inner, $8, bias = none) as mlp
    }
    logits = linear(rmsnorm(x) as norm, vocab, bias = none${9:+, weight = wte.table}) as head
    loss = mean over batch, context of cross_entropy(logits, targets)
}
END
}

# write_experts LAYERS HIDDEN HEADS VOCAB CONTEXT KV_HEADS WIDTH moe EXPERTS TOP SHARED HEAD_DIM: the model, in
# which every expert takes the same number of rows.
write_experts() {
    shared=
    [ "${11}" -eq 0 ] || shared=" + mlp(n, ${11}, swiglu, bias = none) as shared"
    cat << END
model net(layers = $1, hidden = $2, heads = $3, kv_heads = $6, width = $7, context = $5, vocab = $4, experts = $9) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    repeat block[layers] {
        x = x + attention(rmsnorm(x) as norm1, heads, causal, bias = none, rope = 10000, kv_heads = kv_heads, head_dim = ${12}) as attn
        n = rmsnorm(x) as norm2
        x = x + moe(n, experts, top = ${10}, width, swiglu, capacity = 1) as moe$shared
    }
    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head
    loss = mean over batch, context of cross_entropy(logits, targets)
}
END
}

# write_program SIZES CLUSTER MESH STRATEGY BATCH MICRO: STRATEGY may end in a contract, after a semicolon.
write_program() {
    {
        echo 'place 1'
        echo "import \"$strategies\""
        # shellcheck disable=SC2086
        case $1 in
        *moe*) write_experts $1 ;;
        *swiglu* | *relu*) write_llama $1 ;;
        *) write_gpt $1 ;;
        esac
        cat << END
cluster many { $2 }
mesh all on many { $3 }
train net on all {
    strategy ${4%%;*}
    $(case $4 in *";"*) echo "contract ${4#*;}" ;; esac)
    optimizer adam(rate = 1e-3)
    precision bf16, master f32
    data synthetic
    batch $5 in $6 microbatches
    steps 1
}
END
    } > "$program"
}

# seconds_at RATE WHOLE NODES BATCH MICRO LAYERS HIDDEN HEADS VOCAB CONTEXT KV_HEADS INNER FUNCTION, or ... moe EXPERTS TOP SHARED
# HEAD_DIM: so many TFLOP/s per device as seconds. Counted are products, thrice, of experts those that a row goes to, and
# scores, of all positions (WHOLE 1) or of those that are seen (0.5).
seconds_at() {
    echo "$@" | awk '{
        rate = $1; whole = $2; devices = 8 * $3; batch = $4; layers = $6; h = $7; vocab = $9; s = $10; shared = $11 / $8; inner = $12
        weights = layers * (h * h * (2 + 2 * shared) + ($13 == "swiglu" ? 3 : 2) * h * inner) + h * vocab
        if ($13 == "moe")
            weights = layers * h * (2 * ($8 + $11) * $17 + $14 + 3 * ($15 * inner + $16)) + h * vocab
        printf "%.4f", batch * s * (6 * weights + 12 * whole * layers * h * s) / (rate * 1e12 * devices)
    }'
}

# seconds_of LAYERS HIDDEN HEADS VOCAB CONTEXT NODES BATCH MICRO RATE: published TFLOP/s per device as seconds (Narayanan et
# al. 2021, equation 3).
seconds_of() {
    awk -v layers="$1" -v h="$2" -v vocab="$4" -v s="$5" -v nodes="$6" -v batch="$7" -v rate="$9" 'BEGIN {
        printf "%.4f", 96 * batch * s * layers * h * h * (1 + s / (6 * h) + vocab / (16 * layers * h)) / (rate * 1e12 * nodes * 8)
    }'
}

# plan_row STRATEGY: plans the row that was read, with this strategy.
plan_row() {
    # shellcheck disable=SC2086
    write_program "$sizes" "$(devices_of $nodes)" "$mesh" "$1" $batches
    case $set in
    further* | overlapped*) sed -i 's/dropout(embedding\(.*\), 0.1)$/embedding\1/; s/dropout(\(.*\), 0.1)$/\1/; s/, dropout = 0.1//' "$program" ;;
    esac
    "$placec" plan --json "$program" > "$program.json" 2> /dev/null || "$placec" check "$program" >&2
}

# number KEY: the first number of this name in the plan.
number() {
    sed -n "s/.*\"$1\":[[:space:]]*\([0-9.e+-]*\).*/\1/p" "$program.json" | head -1
}

# published_seconds: of the row that was read.
published_seconds() {
    # shellcheck disable=SC2086
    case $name in
    *Narayanan*) seconds_of $sizes $nodes $batches $figure ;;
    *nanotron* | *ml-engineering* | *Mixtral* | *Qwen2* | *G8T8* | *Llama3x8*)
        seconds_at $figure ${nodes%%[a-z]*} $batches $sizes ;;
    *) echo "$figure" ;;
    esac
}

# Attention that stores no scores computes them again for the backward pass. That is what memory is predicted for.
grep -v '^#' "$here/published.txt" | grep "$sets" | while IFS='|' read -r set name sizes nodes mesh strategy batches figure _ memory; do
    plan_row "$strategy"
    printf '%s|%s|%s|%s|%s|%s|' "$set" "$name" "$(published_seconds)" "$(number step_s)" "$(number compute_s)" "$memory"
    case ${memory:+given}$strategy in
    given*recompute* | given*every_second*) number total ;;
    given*) plan_row "$strategy * selective"; number total ;;
    *) echo ;;
    esac
done | awk -F '|' -v check=$check '
    # judge(KEY, WHAT, ERROR, BAR): is the error within its bar?
    function judge(key, what, error, bar) {
        good = error <= bar
        if (!good) printf "FAIL %s: %s error %.1f %%, at most %.1f %%\n", key, what, error, bar
        good ? passed++ : missed++
    }
    # note_error(KEY, PERCENT): one more error of this kind.
    function note_error(key, error) {
        if (!(key in count)) order[++keys] = key
        if (error < 0) error = -error
        count[key]++; sum[key] += error
        if (error > most[key]) most[key] = error
    }
    BEGIN { printf "%-10s %-44s %10s %10s %8s\n", "set", "run", "published", "predicted", "error" }
    {
        gsub(/^ +| +$/, "", $1); gsub(/^ +| +$/, "", $2)
        if ($4 == "") { printf "%-10s %-44s no plan\n", $1, $2; failed = 1; next }
        error = 100 * ($4 / $3 - 1)
        computing = $1 ~ /^(further|overlapped|experts)$/ ? sprintf("  computing %.2f s", $5) : ""
        memory = $6 > 0 ? sprintf("  memory %.1f GB, predicted %.1f GB", $6, $7 / 1e9) : ""
        printf "%-10s %-44s %8.2f s %8.2f s %+7.1f%%%s%s\n", $1, $2, $3, $4, error, computing, memory
        split($2, word, " ")
        note_error($1 ", " word[1], error)
        if ($6 > 0) note_error($1 ", " word[1] ", memory", 100 * ($7 / 1e9 / $6 - 1))
    }
    END {
        for (k = 1; k <= keys; k++)
            printf "%-30s %2d runs: mean %.1f %%, most %.1f %%\n", order[k], count[order[k]], sum[order[k]] / count[order[k]], most[order[k]]
        if (!check) exit failed
        judge("fitted, Korthikanti", "largest", most["fitted, Korthikanti"], 2.5)
        judge("scored, Narayanan", "mean", sum["scored, Narayanan"] / count["scored, Narayanan"], 6)
        judge("scored, MegaScale", "mean", sum["scored, MegaScale"] / count["scored, MegaScale"], 6)
        printf "%d passed, %d failed, 0 skipped\n", passed, missed + failed
        exit failed + missed > 0
    }'
