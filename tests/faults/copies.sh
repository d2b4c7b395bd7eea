# copies.sh - checkpoints resumed with another number of copies (contract `local`), or by other joins; sourced by faults.sh.
# contract NAME COPIES OPTIMIZER CONTRACT: builds the perceptron with it; none without one.
contract() {
    write_program mlp data_parallel "$2" 1 f64 4 | sed "s/optimizer .*/optimizer $3/; s/^    seed 1/&\n    $4/" >"$WORK/$1.place"
    "$B/placec" build "$WORK/$1.place" -o "$WORK/$1" >"$log" 2>&1
}
adam='adamw(rate = 1e-2, warmup = 2, decay = 0.1, epsilon = 1e-3)'
outer='outer nesterov(rate = 0.7, momentum = 0.9)'
expect 'copies: one builds' contract plain 2 "$adam" ''
expect 'copies: two with joins build' contract outer2 2 "$adam" "contract local(2) over data $outer"
expect 'copies: two with plain joins build' contract mean2 2 "$adam" 'contract local(2) over data'
expect 'copies: three with joins build' contract outer3 3 "$adam" "contract local(2) over data $outer"
expect 'copies: one without moments builds' contract sgd1 2 'sgd(rate = 1e-2)' ''
expect 'copies: two without moments build' contract sgd2 2 'sgd(rate = 1e-2)' 'contract local(2) over data'

# saves PROGRAM FILE STEPS OPTION...: its states after so many steps.
saves() {
    of=$1 file=$WORK/copies.$2 upto=$3
    shift 3
    "$WORK/$of/run.sh" --quiet --steps "$upto" --save-states "$file" "$@" 2>"$WORK/copies.said"
    saved_with=$?
    cat "$WORK/copies.said"
    return $saved_with
}
# same A B: two of these files have the same bits.
same() { "$compare" "$WORK/copies.$1" "$WORK/copies.$2" 0; }

# Before the first step one's states are what each of several starts from: the joins', too.
for many in outer2 outer3 mean2; do
    expect "one to $many: its own start" saves $many $many.own 0
    expect "one to $many: one's start" saves plain plain.start 0
    expect "one to $many: resumes" saves $many $many.from 0 --resume "$WORK/copies.plain.start"
    expect "one to $many: says so" grep -q 'copies start from the states of the checkpoint, which has those of one$' "$WORK/copies.said"
    expect "one to $many: the start that it would have" same $many.own $many.from
    expect "one to $many: four steps of its own" saves $many $many.own4 4
    expect "one to $many: four steps from there" saves $many $many.from4 4 --resume "$WORK/copies.plain.start"
    expect "one to $many: the states of its own four" same $many.own4 $many.from4
done
expect 'one to two: trained' saves plain trained 3
expect 'one to two: resumes' saves outer2 spread 3 --resume "$WORK/copies.trained"
expect 'one to two: the joins start' grep -q 'the joins start as at the first step, with a momentum of zero$' "$WORK/copies.said"
expect 'two to one: the second copy' saves plain back 3 --resume "$WORK/copies.spread"
expect 'two to one: copies that are equal are one' same trained back
expect 'two to three: equal copies' saves outer3 three 3 --resume "$WORK/copies.spread"
expect 'two to three: every copy has the states of one' saves plain third 3 --resume "$WORK/copies.three" --resume-copy 2
expect 'two to three: and they are those' same trained third

# Copies that differ.
saves outer2 apart 3
saves outer2 joined 4
refused 'two to one, between joins' 1 "so they are not one state (--resume-copy N starts from copy N; a program of 2 copies continues all)" \
    saves plain none 3 --resume "$WORK/copies.apart"
refused 'two to one, at a join: the moments differ' 1 "'adam_" saves plain none 4 --resume "$WORK/copies.joined"
refused 'two to three, between joins' 1 'and the program trains 3' saves outer3 none 3 --resume "$WORK/copies.apart"
for copy in 0 1; do
    expect "copy $copy of two" saves plain copy$copy 3 --resume "$WORK/copies.apart" --resume-copy $copy
    expect "copy $copy of two: said" grep -q "starts from copy $copy of the checkpoint's 2$" "$WORK/copies.said"
    expect "copy $copy of two: its joins are dropped" grep -q 'the outer states of the checkpoint are dropped' "$WORK/copies.said"
    expect "copy $copy of two: as all of two" saves mean2 both$copy 3 --resume "$WORK/copies.copy$copy"
    expect "copy $copy of two: and back" saves plain again$copy 3 --resume "$WORK/copies.both$copy"
    expect "copy $copy of two: the same" same copy$copy again$copy
done
refused 'the copies differ' 1 ':' same copy0 copy1
refused 'a copy that the file does not have' 1 'the file has copies 0 to 1' saves plain none 3 --resume "$WORK/copies.apart" \
    --resume-copy 2
refused 'a copy of no file' 64 'name a checkpoint with --resume PATH' "$WORK/plain/program" --resume-copy 0
expect 'two with plain joins: between them' saves mean2 uneven 3
refused 'joins without a common start' 1 'between two joins' saves outer2 none 3 --resume "$WORK/copies.uneven"
expect 'without moments, at a join: two' saves sgd2 sgd.joined 4
expect 'without moments, at a join: one continues' saves sgd1 sgd.one 4 --resume "$WORK/copies.sgd.joined"
saves sgd2 sgd.apart 3
refused 'without moments, between joins' 1 'so they are not one state' saves sgd1 none 3 --resume "$WORK/copies.sgd.apart"
