# picture.awk: functions that print an SVG picture, for the programs that draw those of docs/ (bench/ladder.awk,
# bench/distpar/*.awk). Coordinates are pixels from the top left corner.

# rounded NUMBER: to a tenth, without what is not needed.
function rounded(number) { return sprintf("%g", int(10 * number + (number < 0 ? -0.5 : 0.5)) / 10) }

function escaped(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    return text
}

function open_picture(width, height)
{
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n", width, height
    box(0, 0, width, height, "white")
}

function close_picture() { print "</svg>" }

function box(x, y, width, height, fill)
{
    printf "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>\n", rounded(x), rounded(y), rounded(width), rounded(height), fill
}

# anchor: start, middle or end; more: attributes, such as fill="#888".
function label(x, y, anchor, text, more)
{
    printf "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>%s</text>\n", rounded(x), rounded(y), anchor, more ? " " more : "", escaped(text)
}

function line(x1, y1, x2, y2, color, more)
{
    printf "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"%s/>\n", rounded(x1), rounded(y1), rounded(x2), rounded(y2), color, more ? " " more : ""
}

# points: "x,y x,y ...".
function curve(points, color, more)
{
    printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", points, color, more ? " " more : ""
}

function point(x, y) { return rounded(x) "," rounded(y) " " }

# A square of the color, and what it stands for.
function key(x, y, color, text)
{
    box(x, y, 12, 12, color)
    label(x + 18, y + 11, "start", text)
}

# Where a number is between `from` and `to`, which stand for `low` and `high` on a logarithmic scale.
function logarithmic(number, low, high, from, to) { return from + (to - from) * log(number / low) / log(high / low) }

function power_of_ten(power) { return power >= 0 && power <= 2 ? 10 ^ power : power == -1 || power == -2 ? sprintf("%g", 10 ^ power) : "1e" power }

# A grid of decades, with a label for each `step`-th of them: x from `low` to `high`, which are powers of ten.
function decades_across(low, high, step, left, right, top, bottom,    power, x)
{
    for (power = low; power <= high; power++) {
        x = left + (right - left) * (power - low) / (high - low)
        line(x, top, x, bottom, "#ddd")
        if ((power - low) % step == 0)
            label(x, bottom + 16, "middle", power_of_ten(power))
    }
}

function decades_up(low, high, step, left, right, top, bottom,    power, y)
{
    for (power = low; power <= high; power++) {
        y = bottom - (bottom - top) * (power - low) / (high - low)
        line(left, y, right, y, "#ddd")
        if ((power - low) % step == 0)
            label(left - 6, y + 4, "end", power_of_ten(power))
    }
}
