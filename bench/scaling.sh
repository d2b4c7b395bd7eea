#!/bin/sh
# scaling.sh: size of the emitted C, and the compiler's time and memory, for examples/gpt.place with 12 and 96 layers on 4 and
# 4,096 devices. Medians of 9 runs of whole processes.
set -eu
cd "$(dirname "$0")/.."
build=${B:-build/debug}
work=$build/bench
mkdir -p "$work"

# median COMMAND...: seconds and KiB.
median() {
    for _ in 1 2 3 4 5 6 7 8 9; do
        /usr/bin/time -f '%e %M' "$@" 2>&1 > "$work/out.txt" | tail -n 1
    done | sort -n | sed -n 5p
}

printf '%7s %8s %15s %12s %12s %12s\n' layers devices 'program.c, B' 'check, s' 'check, KiB' 'build, s'
for devices in 4 4096; do
    for layers in 12 96; do
        file=$work/gpt-$layers-$devices.place
        sed -e "s/layers = 6/layers = $layers/" -e "s/data: 4 }/data: $devices }/" -e "s/{ 4 devices/{ $devices devices/" \
            -e 's/batch  *8 in 1/batch 4096 in 1/' -e 's/< 1 GiB/< 100000 GiB/' examples/gpt.place > "$file"
        bytes=$("$build/placec" --dump=c "$file" | wc -c)
        # shellcheck disable=SC2046
        set -- $(median "$build/placec" check "$file") $(median "$build/placec" build "$file" -o "$work/scaling")
        printf '%7s %8s %15s %12s %12s %12s\n' "$layers" "$devices" "$bytes" "$1" "$2" "$3"
    done
done
