# heads.awk: docs/distpar-heads.svg, from "BATCH|CLASSES|DATA|SPLIT", costs in elements, and then the table of heads: a panel
# for each batch, and where its two curves cross.
BEGIN {
    FS = "|"
    top = 50
    bottom = 290
    open_picture(900, 350)
    key(60, 10, "#4e79a7", "data parallel")
    key(200, 10, "#e15759", "split classes")
    label(330, 21, "start", "elements by number of classes; dashed: where splitting gets cheaper", "fill=\"#444\"")
}
function finish()
{
    if (batch == "")
        return
    curve(data, "#4e79a7")
    curve(split_curve, "#e15759")
}
$2 ~ /split from/ {
    for (panel = 0; panel < panels; panel++) {
        left = 60 + 285 * panel
        classes = $(panel + 3) + 0
        x = logarithmic(classes, 10, 1e7, left, left + 240)
        line(x, top, x, bottom, "#444", "stroke-dasharray=\"4 3\"")
        label(x + 5, top + 14, "start", classes " classes")
    }
}
NF != 4 { next }
$1 != batch {
    finish()
    batch = $1
    left = 60 + 285 * panels++
    right = left + 240
    decades_across(1, 7, 2, left, right, top, bottom)
    decades_up(4, 11, 1, left, right, top, bottom)
    label((left + right) / 2, bottom + 40, "middle", "batch " batch)
    data = split_curve = ""
}
{
    x = logarithmic($2, 10, 1e7, left, right)
    data = data point(x, logarithmic($3, 1e4, 1e11, bottom, top))
    split_curve = split_curve point(x, logarithmic($4, 1e4, 1e11, bottom, top))
}
END {
    finish()
    close_picture()
}
