# machine.sh: for scripts that set `bench` and pass their arguments: $placec, a $work directory, and in it machine.place, a copy of
# the argument (what `placec calibrate` wrote), or without one what it writes now.
placec=$(pwd)/${B:-build/debug}/placec
work=$(pwd)/${B:-build/debug}/bench/$bench
mkdir -p "$work"
if [ $# -gt 0 ]; then
    cp "$1" "$work/machine.place"
else
    rm -f "$work/machine.place"
    "$placec" calibrate -o "$work/machine.place"
fi

# steps_of RUN: the seconds of $STEPS steps of a built program, of which the first two are left out.
steps_of() {
    "$work/$1/program" --steps "$STEPS" --quiet --log "$work/$1.log"
    sed -n 's/.*"step_seconds":\([0-9.e-]*\).*/\1/p' "$work/$1.log" | tail -n +3
}
