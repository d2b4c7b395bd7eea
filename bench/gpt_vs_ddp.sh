#!/bin/sh
# gpt_vs_ddp.sh [ROUNDS]: examples/gpt.place under data parallelism on 2 ranks against the same model in PyTorch DDP, both
# with one thread per rank, taking turns. PYTHON lists the Pythons with PyTorch to compare with. Prints tokens/s of each
# round and the ratios of the medians. OpenBLAS 0.3.21 does not know newer AMD cores: OPENBLAS_CORETYPE=SKYLAKEX in the
# environment makes a PyTorch that uses it twice as fast where there is AVX-512.
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-5}
build=${B:-build/debug}
steps=${STEPS:-25}
work=$build/bench
mkdir -p "$work"
sh scripts/corpus.sh "$work/text"
sed -e 's/mesh local on laptop { data: 4 }/mesh local on laptop { data: 2 }/' -e 's/4 devices/2 devices/' \
    -e "s/zero3(data)/${STRATEGY:-data_parallel}(data)/" examples/gpt.place > "$work/gpt.place"
"$build/placec" build "$work/gpt.place" -o "$work/out"

ours() {
    "$work/out/run.sh" --data "$work/text" --steps "$steps" --quiet --checkpoint "$work/checkpoints" --log "$work/log.jsonl" > /dev/null
    # The first five steps warm caches up.
    grep '"items_per_second"' "$work/log.jsonl" | sed 's/.*"items_per_second": *\([0-9.]*\).*/\1/' | tail -n +6 | sort -n |
        awk '{ v[NR] = $1 } END { printf "%.0f", v[int((NR + 1) / 2)] }'
}
# theirs PYTHON [OPTION]: two ranks by hand, since torchrun of PyTorch 1.13 does not start under Python 3.11.
theirs() {
    export WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29517 OMP_NUM_THREADS=1
    RANK=1 "$1" bench/peer_gpt.py "$work/text" --steps "$steps" ${2:+$2} > /dev/null 2>&1 &
    RANK=0 "$1" bench/peer_gpt.py "$work/text" --steps "$steps" ${2:+$2} 2> /dev/null | awk '{ print $1 }'
    wait
}

: > "$work/rounds"
for round in $(seq "$rounds"); do
    line=$(ours)
    for python in ${PYTHON:-python3}; do
        eager=$(theirs "$python") compiled=$(theirs "$python" --compile)
        line="$line ${eager:-0} ${compiled:-0}"
    done
    echo "round $round: $line"
    echo "$line" >> "$work/rounds"
done
median() { awk -v c="$1" '{ print $c }' "$work/rounds" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
echo "placec: $(median 1) tokens/s, median of $rounds"
column=2
for python in ${PYTHON:-python3}; do
    version=$("$python" -c 'import torch; print(torch.__version__)' 2>/dev/null)
    for way in eager compiled; do
        awk -v a="$(median 1)" -v b="$(median $column)" -v v="$version" -v w="$way" \
            'BEGIN { printf("PyTorch %s DDP %s: %s tokens/s, placec %s times that\n", v, w, b, (b > 0 ? sprintf("%.2f", a / b) : "-")) }'
        column=$((column + 1))
    done
done
