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

# start RUN OPTION...: a built program.
start() {
    run=$1
    shift
    "$work/$run/program" --quiet "$@"
}

# seconds RUN: of the steps that it has logged, but for the first two.
seconds() {
    sed -n 's/.*"step_seconds":\([0-9.e-]*\).*/\1/p' "$work/$1.log" | tail -n +3
}

# steps_of RUN: the same of $STEPS steps of a built program, which it runs.
steps_of() {
    start "$1" --steps "$STEPS" --log "$work/$1.log"
    seconds "$1"
}
