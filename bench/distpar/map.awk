# map.awk: docs/distpar-map.svg, from "CONVERSION|DEVICES OF A NODE|DEVICES|LOG2 OF BYTES|ALGORITHM": a panel for each
# conversion and node, devices across, sizes up, and a color for each algorithm.
BEGIN {
    FS = "|"
    count = split("ring doubling halving gather rabenseifner bruck pairwise", names, " ")
    split("#e15759 #4e79a7 #76b7b2 #f28e2b #59a14f #edc948 #b07aa1", colors, " ")
    open_picture(920, 482)
    for (i = 1; i <= count; i++) {
        color[names[i]] = colors[i]
        key(120 * i - 60, 10, colors[i], names[i])
    }
}
# A run of sizes with one algorithm, in a column of devices.
function finish_run()
{
    if (algorithm != "")
        box(x, y_of(last + 1), 13, 6 * (last + 1 - first), color[algorithm])
}
function y_of(power) { return top + 6 * (37 - power) }
$1 != conversion || $2 != node {
    finish_run()
    algorithm = ""
    if ($1 != conversion)
        column++
    conversion = $1
    node = $2
    left = 60 + 172 * (column - 1)
    top = node == 1 ? 60 : 283
    label(left + 65, top - 8, "middle", conversion)
    for (power = 10; power <= 30; power += 10)
        label(left - 4, y_of(power) + 4, "end", substr("KMG", power / 10, 1) "iB")
    for (power = 1; power <= 10; power += 3)
        label(left + 13 * power - 6, top + 177, "middle", 2 ^ power)
}
{
    if ($3 != devices || $5 != algorithm) {
        finish_run()
        first = $4
        devices = $3
        algorithm = $5
        x = left + 13 * (log(devices) / log(2) - 1)
    }
    last = $4
}
END {
    finish_run()
    label(460, 254, "middle", "devices, one in a node")
    label(460, 477, "middle", "devices, eight in a node")
    close_picture()
}
