#!/bin/sh
# run.sh B: kernels.ptx on a GPU, where there is one: every kernel against naive loops, and the programs of the matrix of
# tests/equivalence that scripts/test runs, each of their kernels compared with the processor's. Without one, that our
# prototypes of the driver are NVIDIA's, where its header is installed, and that a GPU that computes nothing is noticed.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
B=$1
header=${CUDA_HOME:-/usr/local/cuda}/include

if [ -f "$header/cuda.h" ]; then
    expect 'the prototypes are those of cuda.h' "${CC:-cc}" -std=c11 -I. -I"$header" -c -o "$work/prototypes.o" \
        tests/gpu/prototypes.c
else
    skip 'the prototypes are those of cuda.h' "there is no $header/cuda.h"
fi

# ---- A GPU that computes nothing ------------------------------------------------------------------------------------
idle() { LD_LIBRARY_PATH=$work "$@"; }
expect 'a driver of an idle GPU builds' "${CC:-cc}" -std=c11 -D_GNU_SOURCE -I. -Wall -Wextra -Werror -O1 -fPIC -shared \
    -o "$work/libcuda.so.1" tests/gpu/idle.c
expect 'a program builds' "$B/placec" build examples/mlp.place -o "$work/idle/mlp"
refused 'kernels of programs that are not computed' 1 'FAIL kernel_gelu_f32: of ' idle sh tests/gpu/compare.sh "$work/idle"
refused 'no kernel is taken for good' 1 ' 0 kernels good' idle sh tests/gpu/compare.sh "$work/idle"
refused 'kernels of the tests that are not computed' + '5 FAILED' idle env PLACE_KERNELS=gpu "$B/unit/codegen_kernels"
sed -i 's/sm_90/sm_10/' "$work/idle/mlp/kernels.ptx"
refused 'kernels.ptx that the driver refuses' + 'CUDA: kernels.ptx: error 1' \
    idle env PLACERT_DEVICE=compared "$work/idle/mlp/program" --steps 1
rm "$work/idle/mlp/kernels.ptx"
refused 'a program without its kernels.ptx' + 'kernels.ptx: No such file' \
    idle env PLACERT_DEVICE=compared "$work/idle/mlp/program" --steps 1

# ---- The GPU --------------------------------------------------------------------------------------------------------
if ! [ -e /dev/nvidia0 ]; then
    refused 'a program without a driver' + 'libcuda.so.1' env PLACERT_DEVICE=compared "$work/idle/mlp/program" --steps 1
    skip 'kernels on a GPU' 'there is none'
    finish_suite
    exit
fi
expect 'every kernel against naive loops' env PLACE_KERNELS=gpu "$B/unit/codegen_kernels"
mkdir "$work/programs"
for precision in f32 bf16 f64; do
    expect "programs in $precision" "$B/equivalence" "$B/placec" "$work/programs" tests/equivalence/matrix.txt test \
        "$precision"
done
expect 'every kernel of every program' sh tests/gpu/compare.sh "$work/programs"
tail -n 1 "$log"
finish_suite
