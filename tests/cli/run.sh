#!/bin/sh
# tests/cli/run.sh: the command line against hostile input: what cannot be read, numbers out of any range, directories that
# cannot or must not be written, full disks. Each case names the exit status and a part of the text; nothing may crash,
# hang or leave anything behind. PLACEC names the compiler.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
find_compiler
trap 'umount "$work/disk" 2> /dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2

# The program with one line replaced: edited SED-SCRIPT STATUS TEXT [VERB].
edited() {
    sed "$1" base.place > edited.place
    told "$2" "$3" "$PLACEC" "${4:-check}" edited.place
}

absent() {
    if [ ! -e "$1" ]; then
        good
    else
        bad "$1" "was left behind"
    fi
}

cat > base.place << 'END'
place 1
model line(hidden = 8) {
    input x, y : f32[batch, hidden]
    h = relu(linear(x, hidden) as one)
    loss = mean over batch, hidden of squared_error(linear(h, hidden) as two, y)
}
cluster machine { 2 devices of cpu }
mesh grid on machine { data: 2 }
train line on grid {
    strategy zero1(data)
    optimizer sgd(rate = 0.1)
    batch 8 in 2 microbatches
    steps 3
}
END

# ---- Files that are none ------------------------------------------------------------------------------------------
: > empty.place
mkdir folder.place
head -c 4096 "$PLACEC" > binary.place
head -c 20000000 /dev/zero > zeros.place
yes 'model m { x = 1 }' | head -n 100000 > many.place
printf 'place 1\nmodel m { x = \0 }' > zero.place
printf '\357\273\277place 1\r\n' > marked.place
told 0 'state consistency yes' "$PLACEC" base.place
told 1 "no 'train' or 'serve' in this file" "$PLACEC" empty.place
told 2 "cannot read 'folder.place': Is a directory" "$PLACEC" folder.place
told 2 "cannot read 'missing.place': No such file" "$PLACEC" missing.place
told 2 "cannot read '': No such file" "$PLACEC" check ''
told 1 'error[P0001]' "$PLACEC" binary.place
told 1 'a zero byte' "$PLACEC" zeros.place
told 1 'zero.place:2:15: error[P0001]: a zero byte' "$PLACEC" zero.place
told 1 'declared twice' "$PLACEC" many.place
told 1 ' more' "$PLACEC" many.place
told 1 'error[' "$PLACEC" marked.place
for file in empty binary base; do
    told 1 "$file.place:1:1: error[P0340]: expected 'place-step'" "$PLACEC" verify $file.place
done
told 2 "cannot read 'folder.place': Is a directory" "$PLACEC" verify folder.place
"$PLACEC" --dump=step base.place > whole.step
for length in 20 200 1000 2000 4000 6000; do
    head -c $length whole.step > cut.step
    told 1 'error[P0340]' "$PLACEC" verify cut.step
done
told 0 'state consistency yes' "$PLACEC" verify whole.step

# Damaged pipelines: damaged SED-SCRIPT TEXT.
root=$OLDPWD
damaged() {
    sed "$1" "$root/tests/dump/pipeline.step" > damaged.step
    told 1 "$2" "$PLACEC" verify damaged.step
}
damaged 's/micro 0\.\.6/micro 0..600000000/' 'error[P0321]: the program is too long to be followed'
damaged 's/micro 0\.\.6/micro 0..6000000000/' 'error[P0321]: a microbatch beyond 1073741824'
damaged 's/micro 0\.\.6/micro 6000000000..6000000006/' 'error[P0321]: a microbatch beyond 1073741824'
damaged 's/micro 0\.\.6/micro 0..3/' 'error[P0335]: stage 2 sends a message that is never received'
damaged 's/^table first stage 0 2 3/table first stage 0 2/' 'error[P0340]: expected a number per coordinate'
damaged 's/^table last stage 1 2 3/table last stage 0 2 3/' 'error[P0316]: no buffer stores state'
damaged 's/^table forward stage [0-9 ]*/table forward stage -1000000 0 1000000 /' 'error[P0336]: ranks wait for each other'
damaged 's/where @stage in 0\.\.0/where @stage in 5..9/' 'error[P0316]: no buffer stores state'
damaged 's/index @stage+1/index 77/' 'error[P0335]: '
damaged 's/slots 7/slots 3/' 'error[P0334]: '
damaged 's/channel 1/channel 1000000000/' 'error[P0340]: the channel must be in'
damaged 's/offset [0-9]*/offset 0/' 'error[P0333]: '
damaged 's/where @stage+1 % 3/where @stage+1 % 0/' 'error[P0340]: the modulus must be in'

# ---- Numbers out of range -----------------------------------------------------------------------------------------
edited 's/hidden = 8/hidden = 9223372036854775807/' 1 "dim 'hidden' is 9223372036854775807"
edited 's/hidden = 8/hidden = 9223372036854775808/' 1 "dim 'hidden' must be a whole number"
edited 's/hidden = 8/hidden = 2147483647/' 1 "parameter 'one.weight' of [hidden = 2147483647, hidden = 2147483647] is too large"
edited 's/hidden = 8/hidden = 0/' 1 'It must be at least 1.'
edited 's/hidden = 8/hidden = -1/' 1 "dim 'hidden' is -1"
edited 's/hidden = 8/hidden = 1 \/ 0/' 1 'edited.place:2:'
edited 's/2 devices/1000000000 devices/; s/data: 2/data: 1000000000/' 1 'the number of devices is 1000000000'
edited 's/2 devices/0 devices/; s/data: 2/data: 0/' 1 'the number of devices is 0'
edited 's/2 devices/-2 devices/; s/data: 2/data: -2/' 1 "edited.place:7:19: error[P0101]: unexpected '-'"
edited 's/2 devices/16777216 devices/; s/data: 2/data: 16777216/' 0 'state consistency yes'
edited 's/batch 8/batch 0/' 1 'the batch is 0'
edited 's/batch 8/batch -8/' 1 "edited.place:12:11: error[P0101]: unexpected '-'"
edited 's/in 2 micro/in 0 micro/' 1 'the number of microbatches is 0'
edited 's/batch 8 in 2/batch 1099511627776 in 1099511627776/' 1 'It must be at most 1048576.'
edited 's/batch 8 in 2/batch 2097152 in 1048576/' 0 'state consistency yes' plan
edited 's/batch 8 in 2/batch 99999999999999999999 in 2/' 1 'the batch must be a whole number'
edited 's/steps 3/steps 0/' 1 'the number of steps is 0'
edited 's/0\.1/1e999/' 1 "number '1e999' is too large"
edited 's/    h = .*/    h = x; repeat block[1000000000] { h = h + linear(h, hidden) as one }/' 1 'the number of layers is 1000000000'
edited 's/    h = .*/    h = x; repeat block[0] { h = h + linear(h, hidden) as one }/' 1 'the number of layers is 0'
edited 's/    steps 3/&; assert memory per device < 0 B/' 1 'error['

# ---- Models that have little --------------------------------------------------------------------------------------
edited 's/    loss = .*/    loss = mean over batch, hidden of squared_error(x, y)/; /h = relu/d' 0 ' 0 parameters' plan
edited '/loss =/d' 1 "model 'line' has no loss"
edited '/input/d' 1 "unknown name 'x'"
edited '/^train/,$d' 1 "no 'train' or 'serve' in this file"

# ---- Words on the command line ------------------------------------------------------------------------------------
told 64 'what is missing' "$PLACEC"
told 64 "unknown verb 'chek'; did you mean 'check'?" "$PLACEC" chek base.place
told 64 "unknown option '--jsn'; did you mean '--json'?" "$PLACEC" --jsn base.place
told 64 "one file at a time; what is 'other.place'" "$PLACEC" base.place other.place
told 64 '--dump takes' "$PLACEC" --dump=everything base.place
told 64 '--error-limit takes a whole number' "$PLACEC" --error-limit=many base.place
told 64 "a value is missing after '-o'" "$PLACEC" build base.place -o
told 64 "takes no value: '--json=yes'" "$PLACEC" --json=yes base.place
told 64 "there is no diagnostic 'P9999'" "$PLACEC" explain P9999
told 64 "there is no diagnostic 'p303'; did you mean 'P0303'?" "$PLACEC" explain p303
told 64 'only `placec run` takes arguments' "$PLACEC" build base.place -- x
told 64 '`placec check` does not take '"'--check'" "$PLACEC" --check base.place
told 64 '`placec check` does not take '"'-o'" "$PLACEC" check -o out base.place
told 64 '`placec plan` does not take '"'--dump'" "$PLACEC" plan --dump=step base.place
told 64 '`placec run` does not take '"'--json'" "$PLACEC" run --json base.place
told 64 '`placec fmt` does not take '"'--json'" "$PLACEC" fmt --json base.place
told 64 '`placec explain` does not take '"'--color'" "$PLACEC" explain --color=never P0301
told 64 "one code at a time; what is 'P0302'" "$PLACEC" explain P0301 P0302
told 64 "given twice: '--dump'" "$PLACEC" --dump=ast --dump=step base.place
told 64 '--after takes derive, filled, slots, stages, buckets, narrow, tiers or offsets, not '"'place'" \
    "$PLACEC" --dump=step --after=place base.place
told 64 "only --dump=step has use for '--after'" "$PLACEC" --dump=c --after=stages base.place
told 64 "only --dump=step has use for '--after'" "$PLACEC" --after=stages base.place
told 64 '`placec plan` does not take '"'--after'" "$PLACEC" plan --after=stages base.place
told 64 '--dump prints no JSON' "$PLACEC" --dump=step --json base.place
told 64 '`placec help` takes no arguments' "$PLACEC" help me
told 64 "what is missing: 'LINE'" "$PLACEC" whatif base.place ' '
told 64 "--seconds takes a number above 0, not '0x10'" "$PLACEC" search --seconds=0x10 base.place
told 64 '`placec calibrate` takes no arguments' "$PLACEC" calibrate base.place
told 1 '"diagnostics"' "$PLACEC" plan --json empty.place
told 2 "cannot read 'missing.place'" "$PLACEC" plan --json missing.place

# ---- Files in the one style ---------------------------------------------------------------------------------------
"$PLACEC" fmt - < base.place > styled.place
told 0 'input x, y : f32[batch, hidden]' cat styled.place
told 0 '' "$PLACEC" fmt --check styled.place
sed 's/ = /=/; s/    steps/steps/' styled.place > other.place
sed 's/steps 3/steps/; s/{ data: 2 }/{ data 2 }/' base.place > broken.place
cp other.place kept.place
told 1 other.place "$PLACEC" fmt --check styled.place other.place
told 0 '' cmp other.place kept.place
told 1 '<stdin>' sh -c "'$PLACEC' fmt --check - < other.place"
told 0 '' sh -c "'$PLACEC' fmt - < other.place | cmp - styled.place"
told 1 'broken.place:8:29: error[P0101]' "$PLACEC" fmt broken.place other.place
told 0 '' cmp other.place styled.place
told 0 '' sh -c "sed 's/steps 3/steps/; s/{ data: 2 }/{ data 2 }/' base.place | cmp - broken.place"
cp kept.place other.place && chmod 640 other.place && ln -s other.place link.place
told 0 'formatted link.place' "$PLACEC" fmt link.place
told 0 'other.place' readlink link.place
told 0 640 stat -c %a other.place
told 0 '' cmp other.place styled.place
told 0 '' sh -c "test \"\$('$PLACEC' fmt other.place link.place)\" = ''"
told 2 "cannot read 'missing.place'" "$PLACEC" fmt missing.place styled.place
told 2 "cannot read 'folder.place'" "$PLACEC" fmt folder.place
told 0 '' "$PLACEC" fmt empty.place
told 1 'error[P0001]' "$PLACEC" fmt binary.place
told 64 'what is missing: '"'FILE...'" "$PLACEC" fmt
told 0 'state consistency yes' sh -c "'$PLACEC' check - < base.place"
for left in .placec-fmt-*; do
    absent "$left"
done

# ---- Where the program is to be written -----------------------------------------------------------------------------
told 2 "cannot write in '/dev/null'" "$PLACEC" build base.place -o /dev/null
told 2 "cannot make the directory ''" "$PLACEC" build base.place -o ''
told 2 "cannot write in 'base.place': Not a directory" "$PLACEC" build base.place -o base.place
told 2 "cannot make the directory 'base.place/sub'" "$PLACEC" build base.place -o base.place/sub
mkdir foreign && echo mine > foreign/Makefile
told 2 "'foreign/Makefile' is there and was not written by placec" "$PLACEC" build base.place -o foreign
told 0 mine cat foreign/Makefile
absent foreign/program
mkdir sourced && echo mine > sourced/program.c
told 2 "'sourced/program.c' is there and was not written by placec" "$PLACEC" build base.place -o sourced
told 2 'error[P0502]' env CC=no-such-compiler "$PLACEC" build base.place -o uncompiled
absent uncompiled
told 1 'error[P0301]' "$PLACEC" build "$OLDPWD/tests/ui/placement/P0301.place" -o refused
absent refused
# shellcheck disable=SC2016
# avoids: P0502
hostile='a b;$(touch stolen)"\'
told 0 'built' "$PLACEC" build base.place -o "$hostile"
told 0 'built' "$PLACEC" build base.place -o "$hostile"
told 0 '--steps' "$hostile/run.sh" --help
absent stolen
told 0 'built' "$PLACEC" build base.place -o -dash
told 2 'which PLACE_CACHE names: Not a directory' env PLACE_CACHE=/dev/null "$PLACEC" build base.place -o uncached
absent uncached
# What the cache has is what the compiler makes without it.
for cache in '' new new; do
    told 0 'built' env PLACE_CACHE="${cache:+$PWD/$cache}" "$PLACEC" build base.place -o cached
    expect 'kernels are the same from the cache' cmp cached/kernels.o ./-dash/kernels.o
    expect 'PTX is the same from the cache' cmp cached/kernels.ptx ./-dash/kernels.ptx
done
# A build that takes a kernel from the cache notes that it was used; it takes all of them, and adds none.
find new/kernels -type f | sort > kept
expect 'kernels are kept' test -s kept
xargs touch -d '20 days ago' < kept
told 0 'built' env PLACE_CACHE="$PWD/new" "$PLACEC" build base.place -o cached
find new/kernels -type f -mtime -10 | sort > taken
expect 'all kernels are taken from the cache' cmp kept taken
told 0 'Makefile' ls ./-dash

# ---- Answers that cannot be written ---------------------------------------------------------------------------------
if [ -w /dev/full ]; then
    for words in --version --help help 'explain P0301' 'check base.place' 'plan base.place' '--dump=c base.place'; do
        told 2 'placec: cannot write the answer' sh -c "'$PLACEC' $words > /dev/full"
    done
else
    skip 'full answers' 'no /dev/full'
fi
mkdir disk
if mount -t tmpfs -o size=60k tmpfs disk 2> /dev/null; then
    told 2 'No space left on device' "$PLACEC" build base.place -o disk/out
    absent disk/out
    { cat kept.place && yes '# a comment' | head -c 40000; } > disk/long.place
    cp disk/long.place long.place
    told 2 "cannot write 'disk/long.place': No space left on device" "$PLACEC" fmt disk/long.place
    told 0 '' cmp disk/long.place long.place
    told 0 long.place ls -A disk
    umount disk
else
    skip 'a full disk' 'cannot mount one'
fi

# ---- What a measured machine can do ----------------------------------------------------------------------------------
# able LINES STATUS TEXT: with these lines in the cluster.
able() {
    edited "s|2 devices of cpu|2 devices of cpu; $1|" "$2" "$3"
}
able 'cache 1 GB/s at 90 GB/s' 1 'the size of a cache must be a positive number with its unit'
able 'cache 1 MiB at 90 GB' 1 'the speed of a cache must be a positive number with its unit'
able 'cache 2 MiB at 90 GB/s; cache 2 MiB at 40 GB/s' 1 'a cache must be larger than the one before it'
able 'cache 1 MiB at 9 GB/s; cache 2 MiB at 8 GB/s; cache 3 MiB at 7 GB/s; cache 4 MiB at 6 GB/s' 1 'a device has at most 3 caches'
able 'half depth 16 B' 1 'the depth of products at half their speed must be a positive number'
able 'half edge 0' 1 'the edge of products at half their speed must be a positive number'
able 'launch 2 us; launch 3 us' 1 "declared twice"
able 'cache 1 MiB at 9 GB/s; cache 2 MiB at 8 GB/s; cache 3 MiB at 7 GB/s; half depth 16; half edge 4' 0 exact
able 'product launch 300 ns; functions at 3 GFLOP/s; shared at 5 GB/s' 0 exact

# ---- Measuring this machine -----------------------------------------------------------------------------------------
# What cannot be written is refused before anything is measured, and what is there stays as it is.
told 2 "'kept.place' exists, and is left as it is" "$PLACEC" calibrate -o kept.place
ln -s nowhere.place dangling.place
told 2 "'dangling.place' exists, and is left as it is" "$PLACEC" calibrate -o dangling.place
told 2 "'folder.place' exists, and is left as it is" "$PLACEC" calibrate -o folder.place
told 2 "cannot write 'none/machine.place': No such file or directory" "$PLACEC" calibrate -o none/machine.place
told 2 "cannot write 'base.place/machine.place': Not a directory" "$PLACEC" calibrate -o base.place/machine.place
told 2 "cannot write ''" "$PLACEC" calibrate -o ''
told 2 'cannot make a directory' env TMPDIR=none "$PLACEC" calibrate -o machine.place
absent machine.place
mkdir temporary
# A program that cannot be run, and one who does not wait: nothing is left.
told 2 'cannot build a program to measure' env TMPDIR="$work/temporary" CC=no-such-compiler "$PLACEC" calibrate -o machine.place
told 124 '' env TMPDIR="$work/temporary" timeout 2 "$PLACEC" calibrate -o machine.place
told 0 '' rmdir temporary
absent machine.place
# Its file is a program in the standard style, can be imported, and predicts a time.
if timeout 300 "$PLACEC" calibrate -o machine.place > printed 2>&1; then
    good
else
    bad 'calibrate' "$(cat printed)"
fi
told 0 '' "$PLACEC" fmt --check machine.place
ranks=$(sed -n 's/^    \([0-9]*\) devices\{0,1\} of cpu.*/\1/p' machine.place)
sed "s/^cluster machine.*/import \"machine.place\"/; s/data: 2/data: $ranks/; s/batch 8/batch $((4 * ranks))/" base.place > measured.place
told 0 'step ' "$PLACEC" plan measured.place
told 0 '' grep -q '^    memory [0-9]* MiB' machine.place
for line in 'products f32' 'memory at' cache arithmetic functions launch host; do
    told 0 "    $line " cat machine.place
done

finish_suite
