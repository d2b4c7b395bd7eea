#!/bin/sh
# gpt_vs_ddp.sh [ROUNDS]: examples/gpt.place under data parallelism on 2 ranks against the same model in PyTorch DDP, both
# with one thread per rank, taking turns. PYTHON is a Python with PyTorch. Prints tokens/s of each round and the medians'
# ratio.
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-5}
python=${PYTHON:-python3}
build=${B:-build/debug}
steps=${STEPS:-25}
work=$build/bench
mkdir -p "$work"
sh scripts/corpus.sh "$work/text"
sed -e 's/mesh local on laptop { data: 4 }/mesh local on laptop { data: 2 }/' -e 's/4 devices/2 devices/' \
    -e "s/zero3(data)/${STRATEGY:-data_parallel}(data)/" examples/gpt.place > "$work/gpt.place"
"$build/placec" build "$work/gpt.place" -o "$work/out"

ours() {
    "$work/out/run.sh" --data "$work/text" --steps "$steps" --quiet --log "$work/log.jsonl" > /dev/null
    # The first five steps warm caches up.
    grep '"items_per_second"' "$work/log.jsonl" | sed 's/.*"items_per_second": *\([0-9.]*\).*/\1/' | tail -n +6 | sort -n |
        awk '{ v[NR] = $1 } END { printf "%.0f", v[int((NR + 1) / 2)] }'
}
theirs() {
    OMP_NUM_THREADS=1 "$python" -m torch.distributed.run --nproc-per-node 2 bench/peer_gpt.py "$work/text" \
        --steps "$steps" ${1:+$1} 2>/dev/null | awk '{ print $1 }'
}

: > "$work/rounds"
for round in $(seq "$rounds"); do
    a=$(ours)
    b=$(theirs)
    c=$(theirs --compile || true)
    echo "round $round: placec $a, DDP $b, DDP compiled ${c:-failed} tokens/s"
    echo "$a $b ${c:-0}" >> "$work/rounds"
done
median() { awk -v c="$1" '{ print $c }' "$work/rounds" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
echo "median: placec $(median 1), DDP $(median 2), DDP compiled $(median 3) tokens/s"
awk -v a="$(median 1)" -v b="$(median 2)" -v c="$(median 3)" \
    'BEGIN { printf "ratio: %.2f of DDP, %s of DDP compiled\n", a / b, c > 0 ? sprintf("%.2f", a / c) : "-" }'
