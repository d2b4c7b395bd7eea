# ladder.awk: docs/ladder.svg, from the rows that bench/ladder.sh makes: a bar for each search, of how many times each axis
# doubles the ranks.
BEGIN {
    FS = "|"
    split("tensor expert context data replica pipeline", names, " ")
    split("#4e79a7 #b07aa1 #f28e2b #59a14f #8cd17d #e15759", colors, " ")
    open_picture(760, 610)
    for (i = 1; i <= 6; i++)
        key(110 * i - 40, 10, colors[i], names[i])
}
{
    if ($1 != model) {
        model = $1
        panel++
        column = 0
        base = 30 + 190 * panel
        label(10, base - 70, "start", model, "font-size=\"14\"")
    }
    x = 70 + 60 * column++
    y = base - 20
    label(x + 18, base - 4, "middle", $2)
    if ($3 == "-") {
        label(x + 18, y - 4, "middle", "too small", "fill=\"#888\"")
        next
    }
    for (i = 1; i <= 6; i++) {
        if (!match($6, names[i] ": [0-9]+"))
            continue
        size = substr($6, RSTART + length(names[i]) + 2, RLENGTH - length(names[i]) - 2)
        height = 15 * log(size) / log(2)
        y -= height
        if (height > 0) {
            box(x, y, 36, height, colors[i])
            label(x + 18, y + height / 2 + 4, "middle", size, "fill=\"white\"")
        }
    }
}
END { close_picture() }
