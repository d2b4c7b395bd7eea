#!/bin/sh
# run.sh DIR COUNT SEED - statements done literally: COUNT right programs with one statement more, or one changed, drawn
# by SEED (draw.awk), and the cases by hand. What placec (DIR/placec) accepts must do what the statement says, read off
# its dump (meaning.awk), and compute what one device does (DIR/sim/sim); the rest must be refused with a position. Files
# go below DIR/statements, and stay where something is wrong. The last line is the count.
set -u
. tests/suite.sh
here=$(dirname "$0")
dir=$1 count=$2 seed=$3
placec=$dir/placec
work=$dir/statements
accepted=0 idle=0 refuted=0 refused=0 unrun=0
rm -rf "$work"
mkdir -p "$work"

fail() {
    bad "$1" "$2 ($work/$1.place)"
}

# The step programs of what is accepted, in memory-free words: they mean what is written, and run.
check_accepted() {
    if ! "$placec" --dump=step "$work/$1.base.place" > "$work/$1.base.step" 2> /dev/null ||
        ! "$placec" --dump=step "$work/$1.place" > "$work/$1.step" 2> /dev/null; then
        fail "$1" "accepted, and not dumped"
        return
    fi
    wrong=$(awk -v said="$work/$1.said" -f "$here/meaning.awk" "$work/$1.base.step" "$work/$1.step" 2>&1 | head -n 3)
    verdict=$("$dir/sim/sim" "$work/$1.step")
    status=$?
    if [ -n "$wrong" ]; then
        fail "$1" "$wrong"
    elif [ $status = 1 ] || [ $status = 3 ]; then
        fail "$1" "accepted: $verdict"
    else
        [ $status = 0 ] || unrun=$((unrun + 1))
        good
        head -n 1 "$work/$1.said" | cut -d ' ' -f 1,2 >> "$work/kinds"
        rm -f "$work/$1".*
    fi
}

# One program, NAME.place next to NAME.base.place and NAME.said.
check() {
    if ! "$placec" check "$work/$1.base.place" > "$work/answer" 2>&1; then
        fail "$1" "refused without the statement"
        return
    fi
    timeout 60 "$placec" check "$work/$1.place" > "$work/answer" 2>&1
    status=$?
    code=$(sed -n 's/^[^ ]*:[0-9]*:[0-9]*: error\[\(P[0-9]*\)\].*/\1/p' "$work/answer" | head -n 1)
    case "$status $code" in
    "0 ")
        accepted=$((accepted + 1))
        check_accepted "$1"
        return
        ;;
    "1 P0210") idle=$((idle + 1)) ;;
    "1 P03"*) refuted=$((refuted + 1)) ;;
    "1 P0"*) refused=$((refused + 1)) ;;
    *)
        fail "$1" "status $status, '$code'"
        return
        ;;
    esac
    good
    rm -f "$work/$1".*
}

for case in "$here"/cases/*.said; do
    name=$(basename "$case" .said)
    cp "$here/cases/$name.place" "$here/cases/$name.said" "$work"
    grep -v '# the statement' "$work/$name.place" > "$work/$name.base.place"
    before=$accepted
    check "$name"
    [ $accepted -gt $before ] || fail "$name" "refused"
done
number=0
while [ $number -lt "$count" ]; do
    awk -v seed="$seed" -v number=$number -v out="$work" -f "$here/draw.awk"
    check $number
    number=$((number + 1))
done
sort "$work/kinds" | uniq -c | awk '{ printf "%s%s %s %d", (NR > 1 ? ", " : "accepted: "), $2, $3, $1 } END { print "" }'
echo "accepted $accepted, P0210 $idle, refused by the proof $refuted, otherwise $refused; not run by the simulator $unrun"
[ $((unrun * 10)) -le $accepted ] || fail simulator "not run: $unrun of $accepted accepted"
finish_suite
