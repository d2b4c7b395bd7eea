#!/bin/sh
# runtime.sh: programs written by hand (mlp.c, bigram.c) trained by the runtime on 1 to 4 ranks, and what can go wrong
# with a run. Wants B, the build directory; builds below $B/run. Ends with "N passed, N failed, N skipped".
B=${B:-build/debug}
CC=${CC:-cc}
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
work=$B/run
mkdir -p "$work"
build=$(cd "$B" && pwd)
log=$work/log
unset FAULT
PLACERT_MPI=$build/libplacert_mpi.so
export PLACERT_MPI OMPI_MCA_pml=ob1 OMPI_MCA_btl=vader,self OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

. ./tests/suite.sh

# ranks N COMMAND...: starts it by MPI, which leaks memory of its own that a sanitizer cannot tell from ours; what starts
# its own ranks is leak-checked.
ranks() {
    n=$1
    export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
    shift
    timeout 120 mpirun --oversubscribe --bind-to none -np "$n" "$@"
    ranks_status=$?
    unset ASAN_OPTIONS
    return $ranks_status
}

# started HOW N COMMAND...: by MPI, or by the program itself.
started() {
    how=$1
    shift
    case $how in
    mpi) ranks "$@" ;;
    itself) shift && timeout 120 "$@" ;;
    esac
}

compile() {
    out=$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    $CC -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Wno-missing-field-initializers -Werror -I. -O2 $SANITIZE "$@" \
        -o "$work/$out" "$source" "$B/libplacert.a" -lcjson -ldl -lpthread -lm || exit 2
}

compare=$work/compare
$CC -std=c11 -D_GNU_SOURCE -I. -O2 -o "$compare" tests/run/compare.c tests/equivalence/safetensors.c -lcjson -lm || exit 2
$CC -std=c11 -D_GNU_SOURCE -O2 -o "$work/resum" tests/run/resum.c || exit 2
for n in 1 2 3 4; do
    for stage in 1 3; do
        compile mlp_${stage}_$n tests/run/mlp.c -DRANKS=$n -DSTAGE=$stage
    done
    compile bigram_$n tests/run/bigram.c -DRANKS=$n
done
for mesh in 1x1 2x1 1x3 2x2; do
    compile collectives_$mesh tests/run/collectives.c -DA=${mesh%x*} -DB=${mesh#*x}
done
cd "$work" || exit 2
rm -rf ./*.safetensors ./*.ckpt count.* ./*.log.json
compare=./compare
log=log

# ---- Collectives --------------------------------------------------------------------------------------------------------
for mesh in 1x1 2x1 1x3 2x2; do
    for how in shared library; do
        expect "collectives on $mesh, $how" ranks $((${mesh%x*} * ${mesh#*x})) ./collectives_$mesh --collectives $how
    done
    expect "collectives on $mesh, ranks of its own" timeout 120 ./collectives_$mesh
done

# ---- The same numbers whatever the number of ranks and the stage ---------------------------------------------------------
expect 'one rank trains' ./mlp_1_1 --save-states one.safetensors --save-gradients gradients.safetensors --check-arena
for n in 1 2 3 4; do
    for stage in 1 3; do
        name="stage $stage on $n ranks"
        expect "$name trains" ranks $n -x LD_PRELOAD="$build/libplacert_count.so" -x PLACERT_COUNT=count ./mlp_${stage}_$n \
            --save-states states.safetensors --save-gradients g.safetensors --check-arena
        expect "$name: states" $compare one.safetensors states.safetensors 1e-13
        expect "$name: gradients" $compare gradients.safetensors g.safetensors 1e-12
        expect "$name, of its own: trains" timeout 120 ./mlp_${stage}_$n --save-states s2.safetensors \
            --save-gradients g2.safetensors --check-arena
        expect "$name, of its own: states" $compare one.safetensors s2.safetensors 1e-13
        expect "$name, of its own: gradients" $compare gradients.safetensors g2.safetensors 1e-12
        gathers=$((stage == 3 ? 16 : 8))
        [ $n = 1 ] && continue
        expect "$name: gathers counted" grep -q "all_gather\", \"group\": $n, \"payload_bytes\": 824, \"count\": $gathers }" count.0
        expect "$name: reductions counted" grep -q "reduce_scatter\", \"group\": $n, \"payload_bytes\": 824, \"count\": 8 }" count.0
        expect "$name: scalars counted" grep -q "all_reduce\", \"group\": $n, \"payload_bytes\": 8, \"count\": 16 }" count.0
    done
done
expect 'by MPI, through shared memory' ranks 3 ./mlp_3_3 --save-states again.safetensors
./mlp_3_3 --save-states again2.safetensors >/dev/null 2>&1
expect 'and by itself: the same, bit by bit' $compare again.safetensors again2.safetensors 0

corpus=bigram.txt
cat "$root"/docs/step-program.md "$root"/runtime/*.c >$corpus
expect 'text, one rank' ./bigram_1 --data $corpus --save-states text1.safetensors --save-gradients tg1.safetensors --check-arena \
    --save-inputs ti1.safetensors
./bigram_1 --data $corpus --quiet --log one.log.json
for n in 2 3 4; do
    expect "text, $n ranks" timeout 120 ./bigram_$n --data $corpus --save-states text.safetensors --save-gradients tg.safetensors \
        --check-arena --log text.log.json --save-inputs ti.safetensors
    expect "text, $n ranks: states" $compare text1.safetensors text.safetensors 1e-4
    expect "text, $n ranks: gradients" $compare tg1.safetensors tg.safetensors 1e-4
    expect "text, $n ranks: the batch" $compare ti1.safetensors ti.safetensors 0
    sample() { sed -n 's/.*"event":"sample".*"text":"\(.*\)"}/\1/p' "$1"; }
    expect "text, $n ranks: the sample" test "$(sample one.log.json)" = "$(sample text.log.json)"
done

# ---- What is communicated, written down ---------------------------------------------------------------------------------
mkdir traces
expect 'traces' ./mlp_3_2 --steps 2 --trace traces/own
expect 'traces by MPI' ranks 2 ./mlp_3_2 --steps 2 --trace traces/mpi
for rank in 0 1; do
    expect "rank $rank: the same by MPI" cmp traces/own.$rank traces/mpi.$rank
    expect "rank $rank: two steps" test "$(grep -c '^step [12]$' traces/own.$rank)" = 2
    expect "rank $rank: gathers" test "$(grep -c '^all_gather over 0 1 stream 0: .* from 1$' traces/own.$rank)" -gt 2
done
ln -s /dev/full traces/full.0
refused 'a trace on a full disk' 2 "rank 0 of 2, after step 1: cannot write the trace 'traces/full.0': No space left" \
    ./mlp_3_2 --steps 1 --trace traces/full
refused 'a trace that cannot be written' 2 "rank 0 of 2: cannot write the trace 'none/own.0': No such file" \
    ./mlp_3_2 --trace none/own

# ---- How long calls take ----------------------------------------------------------------------------------------------
rm -rf profiles
mkdir profiles
expect 'profiles' ./mlp_3_2 --steps 5 --profile profiles/own
expect 'profiles by MPI' ranks 2 ./mlp_3_2 --steps 5 --profile profiles/mpi
for row in own.0 own.1 mpi.0 mpi.1; do
    expect "$row: every kind of call" test "$(grep -o '^{"call":"[a-z]*"' profiles/$row | sort -u | wc -l)" -ge 3
    expect "$row: its group met before" grep -q '"name":"wait","shape":\[0,2\]' profiles/$row
    expect "$row: without the first step" test "$(sed -n 's/.*"name":"reduce_scatter".*"calls":\([0-9]*\).*/\1/p' profiles/$row | awk '{ bad += $1 % 4 } END { print (NR > 0 && bad == 0) }')" = 1
    expect "$row: the least is no more than the median" awk -F '"median_s":|,"least_s":|}' '{ bad += $3 + 0 > $2 + 0 || $3 + 0 <= 0 } END { exit bad > 0 }' profiles/$row
done
expect 'of a single step there is none' ./mlp_3_2 --steps 1 --profile profiles/none
expect 'of a single step there is none: empty' test ! -s profiles/none.0
ln -s /dev/full profiles/full.0
refused 'a profile on a full disk' 2 "cannot write the profile 'profiles/full.0': No space left" \
    ./mlp_3_2 --steps 3 --profile profiles/full
refused 'a profile that cannot be written' 2 "rank 0 of 2: cannot write the profile 'none/own.0': No such file" \
    ./mlp_3_2 --profile none/own

# ---- On a device whose memory only its own row can touch ----------------------------------------------------------------
# guarded COMMAND...: there.
guarded() {
    PLACERT_DEVICE=guarded "$@"
}
for n in 1 3; do
    expect "guarded, $n ranks" guarded timeout 120 ./bigram_$n --data $corpus --save-states text.safetensors \
        --save-gradients tg.safetensors --check-arena --log text.log.json --save-inputs ti.safetensors
    expect "guarded, $n ranks: states" $compare text1.safetensors text.safetensors 1e-4
    expect "guarded, $n ranks: gradients" $compare tg1.safetensors tg.safetensors 1e-4
    expect "guarded, $n ranks: the batch" $compare ti1.safetensors ti.safetensors 0
    expect "guarded, $n ranks: the sample" test "$(sample one.log.json)" = "$(sample text.log.json)"
done
expect 'guarded: saves' guarded ./bigram_2 --data $corpus --steps 30 --checkpoint guarded.ckpt
expect 'guarded: resumes' guarded ./bigram_3 --data $corpus --resume guarded.ckpt --save-states text.safetensors
expect 'guarded, resumed: states' $compare text1.safetensors text.safetensors 1e-4
expect 'guarded, by MPI' guarded ranks 3 ./bigram_3 --data $corpus --collectives library --save-states text.safetensors
expect 'guarded, by MPI: states' $compare text1.safetensors text.safetensors 1e-4
refused 'memory of the device touched by the program' 2 \
    'rank 0 of 1, step 1, bigram.place:7 (all_reduce): byte 524300 of the arena of the device was touched otherwise than' \
    guarded env FAULT=touch ./bigram_1 --data $corpus
expect 'which memory of the processor may be' env FAULT=touch ./bigram_1 --data $corpus --steps 2
refused 'a kernel on more than the arena has' 2 'fill: array 0 is not in the arena' \
    guarded env FAULT=beyond ./bigram_1 --data $corpus
refused 'a program that computes by itself' 2 'of the arena of the device was touched otherwise than by its row' \
    guarded ./mlp_1_1
refused 'a device that there is not' 64 'PLACERT_DEVICE names no device' env PLACERT_DEVICE=none ./mlp_1_1

number() { sed -n "s/.*\"event\":\"memory\".*\"$1\":\(-*[0-9]*\).*/\1/p" text.log.json; }
expect 'the arena measured is the arena planned, to a page' \
    test $(($(number arena_measured) - $(number arena_planned))) -ge 0 -a $(($(number arena_measured) - $(number arena_planned))) -lt 4096
expect 'the items of memory add up to the process' test "$(number process)" -eq \
    $(($(number before_arena) + $(number arena_measured) + $(number files_grown) + $(number heap_grown) + $(number workspace) + $(number other_grown)))

# ---- Checkpoints -------------------------------------------------------------------------------------------------------------
expect 'saves' ./mlp_3_3 --checkpoint half.ckpt --checkpoint-every 2 --steps 4
expect 'saves when due' test -f half.ckpt/step-00000002.safetensors
for target in 1_1 1_2 3_4 3_1; do
    n=${target#*_}
    expect "resumes as $target" ./mlp_$target --resume half.ckpt --save-states resumed.safetensors
    expect "resumes as $target: states" $compare one.safetensors resumed.safetensors 1e-13
done
good=half.ckpt/step-00000004.safetensors
size=$(wc -c <$good)
head -c $((size - 100)) $good >cut.safetensors
refused 'a truncated checkpoint' 1 'truncated' ./mlp_1_1 --resume cut.safetensors
head -c 5 $good >cut.safetensors
refused 'a checkpoint of 5 bytes' 1 'too few' ./mlp_1_1 --resume cut.safetensors
head -c 300 $good >cut.safetensors
refused 'a checkpoint that ends in its header' 1 'its header has' ./mlp_1_1 --resume cut.safetensors
{ head -c $((size - 100)) $good && printf 'x' && tail -c 99 $good; } >flipped.safetensors
refused 'a changed byte' 1 'the file is damaged' ./mlp_1_1 --resume flipped.safetensors
sed 's/"F64"/"F32"/' $good >changed.safetensors
refused 'a changed header' 1 "the header's checksum is" ./mlp_1_1 --resume changed.safetensors
# resumed FILE: resumes from it once its header has the checksum that fits.
resumed() { ./resum "$1" && ./mlp_1_1 --resume "$1"; }
sed 's/"F64"/"F32"/' $good >other.safetensors
refused 'another dtype' 1 "tensor 'parameters/layer1.weight': the program expects F64, the file has F32" \
    resumed other.safetensors
sed 's/\[10,6\]/[6,10]/' $good >other.safetensors
refused 'another shape' 1 'expects the shape [10, 6], the file has [6, 10]' resumed other.safetensors
sed 's/momentum\/layer2.bias"/momentum\/layer3.bias"/g' $good >other.safetensors
refused 'a missing tensor' 1 "tensor 'momentum/layer2.bias': the program has it" resumed other.safetensors
sed 's/"dtype"/"dtypo"/' $good >other.safetensors
refused 'a broken header' 1 'are missing from the header' resumed other.safetensors
refused 'a checkpoint of another model' 1 "tensor 'parameters/layer1.weight'" ./mlp_1_1 --resume text1.safetensors
refused 'a file that is no checkpoint' 1 'is not a checkpoint: not a file in the safetensors layout (--resume PATH wants' \
    ./mlp_1_1 --resume $corpus
refused 'no checkpoint' 1 'No such file' ./mlp_1_1 --resume nowhere.safetensors
mkdir -p empty.ckpt
refused 'an empty directory' 1 'holds no file' ./mlp_1_1 --resume empty.ckpt
refused 'all ranks refuse' 1 'truncated' ./mlp_3_2 --resume "$(head -c $((size - 100)) $good >cut.safetensors; echo cut.safetensors)"
refused 'a place that cannot be written' 2 'cannot create' ./mlp_1_1 --save-states nowhere/x.safetensors
if [ -w /dev/full ]; then
    refused 'a full disk' 2 'No space left' ./mlp_1_1 --log /dev/full
fi
mkdir -p kept.ckpt && cp $good kept.ckpt/ && mkdir -p kept.ckpt/step-00000008.safetensors.writing
refused 'a save that fails' 2 'what was saved before is untouched' ./mlp_1_1 --resume kept.ckpt --checkpoint kept.ckpt
expect 'what was saved before is untouched' cmp $good kept.ckpt/step-00000004.safetensors

# ---- Checkpoints of an earlier run in the same directory, and nothing left to do -----------------------------------------
# says TEXT TIMES COMMAND...: the command succeeds, and this many of its lines have the text.
says() {
    text=$1 times=$2
    shift 2
    "$@" && [ "$(grep -cF -e "$text" $log)" -eq "$times" ]
}
expect 'six steps' ./mlp_1_1 --checkpoint old.ckpt --checkpoint-every 3 --steps 6
expect 'nothing is left to do' says 'nothing to do: 6 steps are done' 1 ./mlp_1_1 --resume old.ckpt --steps 2
expect 'no steps' says 'nothing to do: 0 steps are done' 1 ./mlp_1_1 --steps 0
expect 'a fresh run where one was: a warning' says "warning: 'old.ckpt' holds checkpoints of an earlier run, up to step 6" 1 \
    ./mlp_1_1 --checkpoint old.ckpt --steps 2
touch -d '1 hour ago' old.ckpt/step-0000000[36].safetensors
expect 'what was written last is resumed' says 'resumed after step 2 from old.ckpt/step-00000002.safetensors' 1 \
    ./mlp_1_2 --resume old.ckpt --steps 4
expect 'what was written last is resumed: a warning' says "warning: 'old.ckpt' holds step 6, too" 1 \
    ./mlp_1_2 --resume old.ckpt --checkpoint old.ckpt --steps 4
touch -d '1 hour ago' old.ckpt/*
expect 'of what was written at once, the one of more steps is resumed' says 'resumed after step 6 from' 1 \
    ./mlp_1_1 --resume old.ckpt --steps 6
expect 'a fresh directory: no warning' says warning 0 ./mlp_1_1 --checkpoint new.ckpt --steps 2
expect 'the same run continues: no warning' says warning 0 ./mlp_1_1 --resume new.ckpt --checkpoint new.ckpt --steps 4

full() {
    (
        ulimit -f 1
        "$@"
    )
}
cp $good kept.safetensors
refused 'a file that may not grow' 2 'File too large; what was saved before is untouched' \
    full ./bigram_1 --data $corpus --steps 1 --save-states kept.safetensors
expect 'a file that may not grow: what was saved before is untouched' cmp $good kept.safetensors
expect 'a file that may not grow: nothing is left over' test ! -e kept.safetensors.writing

# ---- Faults --------------------------------------------------------------------------------------------------------------------
# fault HOW FAULT N COMMAND...: started with the fault, ended within a minute.
fault() {
    case $1 in
    mpi) shift && FAULT=$1 && n=$2 && shift 2 &&
        FAULT=$FAULT ASAN_OPTIONS=detect_leaks=0 timeout 60 mpirun --oversubscribe -np "$n" "$@" ;;
    itself) FAULT=$2 && shift 3 && FAULT=$FAULT ASAN_OPTIONS=detect_leaks=0 timeout 60 "$@" ;;
    esac
}
# once NAME: what was just refused was reported once.
once() {
    expect "$1: it is reported once" test "$(grep -c 'error: ' $log)" = 1
}
for how in mpi itself; do
    refused "a NaN, $how" 2 'error: rank 0 of 2, step 3, mlp.place:9' fault $how nan 2 ./mlp_1_2
    refused "a NaN names its cause, $how" 2 'not a number' fault $how nan 2 ./mlp_1_2
    refused "a crash names rank, step and line, $how" 2 \
        "mlp: error: rank 1 of 2, step 3, mlp.place:4 (linear 'layer1'): memory access outside the arena" \
        fault $how crash 2 ./mlp_3_2
    once "a crash, $how"
    refused "a rank that hangs, $how" 2 \
        'rank 0 of 2, step 3, mlp.place:9 (all_reduce loss): the communication has not completed in 1 s: rank 1 has not' \
        fault $how hang 2 ./mlp_1_2 --timeout 1
    once "a rank that hangs, $how"
done
refused "a rank that ends by itself" 3 "mlp: error: rank 1 of 2: its process ended by itself, with status 3" \
    fault itself exit 2 ./mlp_1_2
once "a rank that ends by itself"
refused 'a crash on one rank alone' 2 'rank 0 of 1, step 3, mlp.place:4' env FAULT=crash ./mlp_1_1
for how in shared library; do
    for fault in receive wait send; do
        refused "a message that never comes, $how, $fault" + \
            'rank 0 of 2, step 1, collectives.place:2 (a collective): the communication has not completed in 1 s: rank 1 has' \
            env FAULT=$fault timeout 60 mpirun --oversubscribe -np 2 ./collectives_2x1 --collectives $how --timeout 1
    done
done
refused 'a permute that a rank never enters' + 'rank 0 of 2, step 1, collectives.place:2 (a collective): the communication has not completed in 1 s: rank 1 has' \
    env FAULT=permute timeout 60 mpirun --oversubscribe -np 2 ./collectives_2x1 --timeout 1
refused 'too few ranks' + 'has 4 devices, but 2 processes were started' ranks 2 ./mlp_1_4
refused "a library's collectives without it" 2 'are those of MPI' ./mlp_1_4 --collectives library
refused 'no data' 2 'cannot read the data file' ./bigram_2 --data nowhere.txt
refused 'too little data' 2 'has 9 bytes' ./bigram_1 --data "$(printf 'too short' >short.txt; echo short.txt)"
refused 'unknown option' 64 "did you mean '--steps'" ./mlp_1_1 --step 3
refused 'an option without its value' 64 "wants a value" ./mlp_1_1 --steps
refused 'an option with a bad value' 64 "wants a whole number" ./mlp_1_1 --steps=ten
expect 'help' ./mlp_1_1 --help
for how in mpi itself; do
    expect "help on several ranks, $how: once" says --save-states 1 started $how 3 ./mlp_1_3 --help
done
refused 'more threads than processors' 64 'at most' ./mlp_1_1 --threads 9999
refused 'a file for synthetic data' 64 'the data of this one is synthetic: leave the option out' ./mlp_1_1 --data $corpus
refused 'text of a program without text' 64 "'--sample' is for programs that train on text" ./mlp_1_1 --sample 5
expect 'no text of a program without text' ./mlp_1_1 --sample 0
refused 'checkpoints without a place' 64 'name a directory with --checkpoint DIR' ./mlp_1_1 --checkpoint-every 2
expect 'text where there is some' ./bigram_1 --data $corpus --sample 5
# said NAME: of what was just refused on several ranks, one line is left.
said() {
    expect "$1: nothing else is printed" test "$(wc -l <$log)" = 1
}
for how in mpi itself; do
    refused "a wrong option on several ranks, $how" 64 "did you mean '--steps'" started $how 2 ./mlp_1_2 --quiet --step 3
    said "a wrong option on several ranks, $how"
    refused "a file that is no checkpoint, on several ranks, $how" 1 'is not a checkpoint' \
        started $how 2 ./mlp_1_2 --quiet --resume $corpus
    said "a file that is no checkpoint, on several ranks, $how"
done

finish_suite
