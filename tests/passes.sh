#!/bin/sh
# passes.sh DIR - every program after every pass: what `--dump=step --after=PASS` prints is proved by the proof alone
# (tests/verify/verify_main.c) and computes on simulated ranks what one device does, so that the pass that breaks a
# program is named. The programs are the examples, which are simulated where they are small enough, and those that
# tests/sim/derive.sh makes, all simulated: after the last pass; after one in eight of the others, unless the last one's
# is wrong, or PASSES=all. Every pass must change some program. PLACEC, VERIFY and SIM name the programs; DIR gets what
# is dumped. The last line is the count.
cd "$(dirname "$0")/.." || exit 2
PLACEC=${PLACEC:-build/debug/placec}
VERIFY=${VERIFY:-build/debug/verify}
SIM=${SIM:-build/debug/sim/sim}
out=$1
export PLACEC VERIFY SIM

# follow FILE NAME simulated|proved NUMBER PASS...: a line "ok" or "FAIL ..." for each pass, "changed PASS" where one
# changes the program. A program that a pass leaves as it was is not judged twice.
follow() {
    file=$1 name=$2 how=$3 number=$4 before=
    shift 4
    for last in "$@"; do :; done
    for pass in "$@"; do
        number=$((number + 1))
        dumped=$out/$name.$pass.step
        if ! "$PLACEC" --dump=step --after="$pass" "$file" > "$dumped" 2> "$out/$name.log"; then
            echo "FAIL $file after $pass: refused"
            head -n 30 "$out/$name.log"
            continue
        fi
        new=yes
        if [ -n "$before" ]; then
            if cmp -s "$before" "$dumped"; then new=no; else echo "changed $pass"; fi
            rm -f "$before"
        fi
        [ $new = no ] || simulated=no
        before=$dumped
        if [ $new = yes ] && ! "$VERIFY" "$dumped" > "$out/$name.log" 2>&1; then
            echo "FAIL $file after $pass: not proved from its text"
            head -n 30 "$out/$name.log"
        elif [ "$how $simulated" = 'simulated no' ] && is_chosen; then
            simulated=yes
            simulate "$@"
        else
            echo ok
        fi
    done
    "$PLACEC" --dump=step "$file" 2> /dev/null | cmp -s - "$before" || echo "FAIL $file: the last pass's is not the program"
    rm -f "$before" "$out/$name.log"
}

# is_chosen: whether to simulate the program after $pass.
is_chosen() {
    [ "$pass" = "$last" ] || { [ $new = yes ] && { [ "${PASSES:-}" = all ] || [ $((number % 8)) -eq 0 ]; }; }
}

# simulate PASS...: $dumped, which $pass left; where the last one's is wrong, that after each pass.
simulate() {
    if "$SIM" "$dumped" > "$out/$name.log" 2>&1; then
        echo ok
        return
    fi
    echo "FAIL $file after $pass: the simulator says $(head -n 1 "$out/$name.log")"
    if [ "$pass" = "$last" ] && [ "${PASSES:-}" != all ]; then
        PASSES=all sh tests/passes.sh "$out" --follow "$file" "$name.all" simulated 0 "$@" | grep '^FAIL'
    fi
}

if [ "${2:-}" = --follow ]; then
    shift 2
    follow "$@"
    exit
fi

rm -rf "$out"
mkdir -p "$out/derived"
# What an unknown one is answered with names them all.
passes=$("$PLACEC" --dump=step --after=. examples/mlp.place 2>&1 | sed -n "s/.*--after takes \(.*\), not '.*/\1/p" | sed 's/,//g; s/ or / /')
sh tests/sim/derive.sh "$PLACEC" "$out/derived" > "$out/log" || sed 's/^/FAIL /' "$out/log" > "$out/results"
number=0
{
    for file in examples/*.place; do
        how=proved
        [ "$file" = examples/mlp.place ] && how=simulated # the one that is small enough
        echo "$file $(basename "$file" .place) $how 0 $passes"
    done
    for file in "$out"/derived/*.place; do
        number=$((number + 1))
        echo "$file derived-$(basename "$file" .place) simulated $number $passes"
    done
} | xargs -P "$(nproc)" -L 1 sh "tests/$(basename "$0")" "$out" --follow >> "$out/results"
for pass in $passes; do
    [ "$pass" = derive ] || grep -qx "changed $pass" "$out/results" || echo "FAIL $pass changes no program" >> "$out/results"
done
[ -n "$passes" ] || echo "FAIL placec names no passes" >> "$out/results"
grep -vxE 'ok|changed [a-z]*' "$out/results"
passed=$(grep -cx ok "$out/results") failed=$(grep -c '^FAIL' "$out/results")
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
