# runs.awk: docs/distpar-runs.svg, from the rows of bench/heads.sh, "HOSTS CLASSES ELEMENTS ELEMENTS PREDICTED MEASURED PREDICTED
# MEASURED", data parallel and then split classes, in seconds: predicted as lines, measured as dots.
BEGIN {
    top = 50
    bottom = 290
    open_picture(740, 350)
    key(60, 10, "#4e79a7", "data parallel")
    key(200, 10, "#e15759", "split classes")
    label(330, 21, "start", "ms of a step by classes; lines: predicted, dots: measured", "fill=\"#444\"")
}
function finish()
{
    if (hosts == "")
        return
    curve(whole, "#4e79a7")
    curve(parts, "#e15759")
}
function dot(x, y, color) { printf "<circle cx=\"%s\" cy=\"%s\" r=\"4\" fill=\"%s\"/>\n", rounded(x), rounded(y), color }
function y_of(seconds) { return logarithmic(1e3 * seconds, 10, 1e5, bottom, top) }
$1 != hosts {
    finish()
    hosts = $1
    left = 60 + 345 * panels++
    right = left + 300
    decades_across(2, 5, 1, left, right, top, bottom)
    decades_up(1, 5, 1, left, right, top, bottom)
    label((left + right) / 2, bottom + 40, "middle", hosts " hosts")
    whole = parts = ""
}
{
    x = logarithmic($2, 100, 1e5, left, right)
    whole = whole point(x, y_of($5))
    parts = parts point(x, y_of($7))
    dot(x, y_of($6), "#4e79a7")
    dot(x, y_of($8), "#e15759")
}
END {
    finish()
    close_picture()
}
