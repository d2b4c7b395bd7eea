# primitives.awk: docs/distpar-primitives.svg, from the table of the same name: times as multiples of an all-gather's.
BEGIN {
    FS = " *\\| *"
    left = 60
    right = 460
    top = 40
    bottom = 280
    open_picture(680, 330)
    ticks = split("8 16 32 64 128 256 320", devices, " ")
    box(left, y_of(2), right - left, y_of(1) - y_of(2), "#eee")
    for (i = 1; i < ticks; i++) {
        line(x_of(devices[i]), top, x_of(devices[i]), bottom, "#ddd")
        label(x_of(devices[i]), bottom + 16, "middle", devices[i])
    }
    for (times = 1; times <= 32; times *= 2) {
        line(left, y_of(times), right, y_of(times), "#ddd")
        label(left - 6, y_of(times) + 4, "end", times)
    }
    label((left + right) / 2, bottom + 36, "middle", "devices")
    label(left, 24, "start", "time, as a multiple of an all-gather's")
}
function x_of(devices) { return logarithmic(devices, 8, 320, left, right) }
function y_of(times) { return logarithmic(times, 1, 32, bottom, top) }
$2 ~ /^[0-9]+$/ {
    scatter = scatter point(x_of($2), y_of($5))
    reduce = reduce point(x_of($2), y_of($6))
    both = both point(x_of($2), y_of($7))
}
END {
    curve(scatter, "#4e79a7")
    curve(reduce, "#e15759")
    curve(both, "#f28e2b", "stroke-dasharray=\"6 4\"")
    key(right + 20, 60, "#e15759", "all-reduce")
    key(right + 20, 80, "#f28e2b", "scatter and gather")
    key(right + 20, 100, "#4e79a7", "reduce-scatter")
    key(right + 20, 120, "#eee", "by bytes and messages")
    close_picture()
}
