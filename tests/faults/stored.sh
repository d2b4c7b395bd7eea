# stored.sh - faults of what is stored: on the host, in a file, in a checkpoint; sourced by faults.sh, after tests/programs.sh.
expect 'states on the host and in a file: builds' build offloaded mlp \
    'zero3(data) * offload(parameters, tier = file) * offload(optimizer)' 2 2 f64 4
offloaded=$WORK/offloaded/run.sh
mkdir "$WORK/tier"
expect 'states on the host and in a file: trains' "$offloaded" --offload "$WORK/tier" --checkpoint "$WORK/offloaded.ckpt" \
    --steps 2 --log "$WORK/offloaded.log" --check-arena
expect 'the file of the file tier is gone' test -z "$(ls -A "$WORK/tier")"
for tier in host file; do
    for way in to from; do
        expect "as much is copied $way the $tier as was planned" test \
            "$(number tiers "planned_${way}_device_bytes" "$WORK/offloaded.log")" = \
            "$(number tiers "measured_${way}_device_bytes" "$WORK/offloaded.log")"
    done
done
expect 'states in a file are saved: another strategy continues' "$WORK/mlp-f64-zero1-3/run.sh" --resume "$WORK/offloaded.ckpt" \
    --save-states "$WORK/elsewhere"
expect 'and so does this one' "$offloaded" --offload "$WORK/tier" --resume "$WORK/offloaded.ckpt" --save-states "$WORK/here"
expect 'with the same states' "$compare" "$WORK/elsewhere" "$WORK/here" 2.2e-11 1e-3
refused 'a directory that is not there' 2 "cannot make the file for what is offloaded in '$WORK/nowhere': No such file or directory (--offload DIR names another directory)" \
    "$offloaded" --offload "$WORK/nowhere"
expect 'the same on one rank builds' build offloaded-1 mlp 'zero3(data) * offload(optimizer, tier = file)' 1 2 f64 4
# shellcheck disable=SC2016
refused 'no room for the file' 2 "GiB in '$WORK/tier' for what is offloaded to a file: File too large (--offload DIR names another directory)" \
    sh -c 'ulimit -f 1 && exec "$@"' sh "$WORK/offloaded-1/run.sh" --offload "$WORK/tier" \
    --quiet
refused 'a directory for a program without a file' 64 "option '--offload' is for programs that offload something to a file" \
    "$WORK/mlp-f64-zero1-3/run.sh" --offload "$WORK/tier"

# cut_file: trains, cuts off the file of a rank, which has no name but that of its descriptor, and ends with the job's status.
cut_file() {
    timeout 60 "$offloaded" --offload "$WORK/tier" --steps 100000000 --quiet &
    job=$!
    for _ in $(seq 100); do
        for process in $(pgrep -P "$job" && pgrep -P "$(pgrep -P "$job" | head -n 1)"); do
            for file in "/proc/$process/fd"/*; do
                case $(readlink "$file") in
                *.place-offload-*) : >"$file" && found=yes ;;
                esac
            done
        done
        [ "${found:-}" = yes ] && break
        sleep 0.1
    done
    wait $job
}
refused 'a file that is cut off' 2 "that holds what is offloaded: it is shorter than it was" cut_file

# ---- One bit of a checkpoint ----------------------------------------------------------------------------------------

# flip FILE POSITION: the lowest bit of a byte.
flip() {
    byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    # shellcheck disable=SC2059
    printf "\\$(printf %03o $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
saved=$WORK/offloaded.ckpt/step-00000002.safetensors
length=$(od -An -tu4 -N 4 "$saved" | tr -d ' ')
size=$(wc -c <"$saved")
place_of() { grep -abo -m 1 -e "$1" "$saved" | head -n 1 | cut -d : -f 1; }
for position in 0 4 8 $(($(place_of '"steps":') + 9)) $(($(place_of '"checksum":') + 3)) $(($(place_of '"checksum":') + 14)) \
    $(($(place_of '"seed":') + 8)) $((length / 2)) $((length + 7)) $((length + 8)) $(((size + length) / 2)) $((size - 1)); do
    cp "$saved" "$WORK/flipped.safetensors"
    flip "$WORK/flipped.safetensors" "$position"
    refused "bit flipped in byte $position of a checkpoint" 1 "checkpoint '$WORK/flipped.safetensors': " \
        "$WORK/offloaded-1/run.sh" --offload "$WORK/tier" --resume "$WORK/flipped.safetensors"
done
cp "$saved" "$WORK/longer.safetensors"
printf 'more' >>"$WORK/longer.safetensors"
refused 'bytes after the last tensor of a checkpoint' 1 'after its header' "$WORK/offloaded-1/run.sh" --offload "$WORK/tier" \
    --resume "$WORK/longer.safetensors"
expect 'the checkpoint itself is right' "$WORK/offloaded-1/run.sh" --offload "$WORK/tier" --resume "$saved"

# ---- Layouts of checkpoints ------------------------------------------------------------------------------------------
# laid NAME ROWS: a program whose parameters are saved by rows over so many ranks.
laid() {
    build "$1" mlp "zero1(data); saved parameters by rows over $2; saved optimizer flat in buckets of 50 padded to 16" 2 2 f64 4
}
expect 'a checkpoint in layouts of its own: builds' laid laid-2 2
expect 'with other layouts: builds' laid laid-3 3
expect 'a checkpoint in layouts of its own is written' "$WORK/laid-2/run.sh" --steps 2 --checkpoint "$WORK/laid.ckpt"
laid=$WORK/laid.ckpt/step-00000002.safetensors
expect 'and read' "$WORK/laid-2/run.sh" --resume "$laid" --checkpoint "$WORK/laid.ckpt"
refused 'by a program that saves in another layout of the same length' 1 \
    "tensor 'parameters': it was not saved in the layout that the program's 'saved' line gives" \
    "$WORK/laid-3/run.sh" --resume "$laid"
refused 'by a program that saves by name' 1 'the program has it, the file does not' "$WORK/mlp-f64-zero1-3/run.sh" --resume "$laid"
cp "$laid" "$WORK/flipped.safetensors"
flip "$WORK/flipped.safetensors" $(($(wc -c <"$laid") - 20)) # padding, or the element before it
refused 'with a bit of a tensor flipped' 1 'the file is damaged' "$WORK/laid-2/run.sh" --resume "$WORK/flipped.safetensors"
