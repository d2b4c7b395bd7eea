# vgg.awk: docs/distpar-vgg.svg, from the table of the same name: the cost of each strategy, and of it what is sent.
BEGIN {
    FS = " *\\| *"
    open_picture(640, 535)
    key(60, 10, "#4e79a7", "elements sent, millions")
    key(260, 10, "#f28e2b", "beta times elements computed")
}
$2 ~ /^[0-9]+$/ {
    y = 22 + 18 * $2
    label(50, y + 12, "end", $3, "font-family=\"monospace\"")
    box(56, y + 1, 0.66 * $5, 15, "#4e79a7")
    box(56 + 0.66 * $5, y + 1, 0.66 * ($4 - $5), 15, "#f28e2b")
    label(62 + 0.66 * $4, y + 13, "start", $4)
}
END { close_picture() }
