# betas.awk: docs/distpar-betas.svg, from the tables of betas and gains: the intervals of each model on a logarithmic axis,
# numbered as in the table, the letters where there is room; a triangle marks the beta for which DistPar was fastest.
BEGIN {
    FS = " *\\| *"
    split("#4e79a7 #f28e2b #59a14f #b07aa1 #76b7b2 #a08820 #9c755f", colors, " ")
    left = 110
    right = 910
    open_picture(930, 420)
}
NF == 8 && $3 ~ /^[0-9]/ {
    if ($2 != model) {
        model = $2
        top[model] = 20 + 60 * models++
        number = 0
        label(left - 10, top[model] + 24, "end", model)
    }
    number++
    from = $3 < 1e-5 ? left : logarithmic($3, 1e-5, 1e3, left, right)
    to = logarithmic($4, 1e-5, 1e3, left, right)
    box(from, top[model], to - from - 1, 38, colors[number])
    middle = (from + to) / 2
    if (to - from > 7 * length($5) + 8) {
        label(middle, top[model] + 16, "middle", number, "fill=\"white\"")
        label(middle, top[model] + 31, "middle", $5, "fill=\"white\"")
    } else
        label(middle, top[model] + 24, "middle", number, "fill=\"white\"")
}
NF == 7 && ($2 in top) {
    x = logarithmic($3, 1e-5, 1e3, left, right)
    printf "<path d=\"M %s %s l 5 9 l -10 0 z\"/>\n", rounded(x), rounded(top[$2] + 39)
}
END {
    for (power = -5; power <= 3; power++) {
        x = left + (right - left) * (power + 5) / 8
        line(x, 375, x, 381, "#444")
        label(x, 395, "middle", power_of_ten(power))
    }
    line(left, 375, right, 375, "#444")
    label((left + right) / 2, 412, "middle", "beta")
    close_picture()
}
