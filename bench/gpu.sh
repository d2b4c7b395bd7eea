#!/bin/sh
# gpu.sh: the rates of generated kernels on a GPU: of every kernel of a step of bench/gpu/*.place, the launch with most bytes,
# median of 15; then PyTorch's operators at the same sizes, if $PYTHON (default: python3) has it. B is the build directory.
set -eu
cd "$(dirname "$0")/.."
B=${B:-build/debug} PYTHON=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in bench/gpu/*.place; do
    name=$(basename "$file" .place)
    "$B/placec" build "$file" -o "$work/$name" >"$work/log" || { cat "$work/log"; exit 1; }
    PLACERT_DEVICE=timed PLACERT_COMPARED=$work/rows.$name "$work/$name/program" --steps 1 --quiet
    echo "== $name"
    awk '{
        seconds = $13
        printf "%-64s %11d bytes %9.1f us %6.0f GB/s\n", $1, $11, 1e6 * seconds, (seconds > 0 ? $11 / seconds / 1e9 : 0)
    }' "$work/rows.$name" | sort -k2,2nr
done
echo '== PyTorch'
"$PYTHON" bench/gpu/peers.py
