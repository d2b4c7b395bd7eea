/* mutations_work.c - changes of what operators do, over which ranks, in which microbatch and slot. */
#include "tests/sim/line_edits.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- What is done ------------------------------------------------------------------------------------------- */

static const char *const operations[][2] = {
    {" reduce_scatter(", " slice("},
    {" slice(", " reduce_scatter("},
    {" all_reduce(", " copy("},
    {" all_gather(", " all_reduce("},
    {" all_reduce(", " all_gather("},
    {" all_to_all(", " all_gather("},
    {" permute(", " broadcast("},
    {" broadcast(", " permute("},
    {" add(", " sub("},
    {" sub(", " add("},
    {" mul(", " add("},
    {" ema(", " ema_square("},
    {" ema_square(", " ema("},
    {" squared_error(", " mul("},
    {" reduce(", " sum_squares("},
    {" sum_squares(", " reduce("},
    {" gelu(", " tanh("},
    {" gelu_bwd(", " tanh_bwd("},
    {" tanh(", " relu("},
    {" tanh_bwd(", " relu_bwd("},
    {" relu(", " silu("},
    {" relu_bwd(", " silu_bwd("},
    {" silu(", " relu6("},
    {" silu_bwd(", " relu6_bwd("},
    {" relu6(", " gelu("},
    {" init(", " fill(; 0.5"},
    {" increment(", " copy("},
    {" sqrt(", " copy("},
    {" copy(", " relu("},
    {" cast(", " relu("},
    {" masked(", " mul("},
    {" not_equal(", " less("},
    {" less(", " less_equal("},
    {" rotary_cosine(", " rotary_sine("},
    {" rotary_sine(", " rotary_cosine("},
    {" rotate(", " rotate_bwd("},
    {" rotate_bwd(", " rotate("},
    {" conv(", " conv_input_bwd("},
    {" max_pool(", " mean_pool("},
    {" mean_pool(", " max_pool("},
    {" rsqrt(", " square_plus("},
};

bool has_operation(const Lines *lines, int at)
{
    for (size_t p = 0; p < sizeof operations / sizeof operations[0] && is_operator(lines, at); p++)
        if (strstr(lines->text[at], operations[p][0]))
            return true;
    return false;
}

bool change_operation(Lines *lines, int at)
{
    char *line = lines->text[at];
    const char *const *pair = PICK(lines, operations);
    while (!strstr(line, pair[0]))
        pair = PICK(lines, operations);
    if (!replace_word(line, pair[0], pair[1]))
        return false;
    if (strstr(line, " slice(") || strstr(line, " all_gather("))
        replace_word(line, " sum over", " over");
    else if (strstr(line, " copy("))
        return replace(line, strchr(line, ')') + 1, strlen(strchr(line, ')') + 1), "");
    else if (!has_peer(lines, at) && is_communication(lines, at) && !strstr(line, " sum over"))
        return replace_word(line, " over", " sum over");
    return true;
}

bool takes_a_sum(const Lines *lines, int at)
{
    return operator_has(lines, at, " sum over");
}

bool change_sum_to_max(Lines *lines, int at)
{
    return replace_word(lines->text[at], " sum over", " max over");
}

bool has_result(const Lines *lines, int at)
{
    const char *line = lines->text[at], *open = strchr(line, '('), *equals = strstr(line, "= ");
    return is_operator(lines, at) && equals && equals < open;
}

bool toggle_accumulate(Lines *lines, int at)
{
    char *line = lines->text[at];
    return strstr(line, " += ") ? replace_word(line, " += ", " = ") : replace_word(line, " = ", " += ");
}

static int find_numbers(char *line, char **numbers)
{
    int count = 0;
    char *from = strchr(line, ';'), *scale = strstr(line, " scale ");
    char *const ranges[][2] = {{from, from ? strchr(from, ')') : NULL},
                               {scale, scale ? scale + 7 + strcspn(scale + 7, " ") : NULL}};
    for (int r = 0; r < 2; r++)
        for (char *c = ranges[r][0]; c && c < ranges[r][1] && count < MAX_FOUND; c++)
            if (isdigit((unsigned char)*c) && (c[-1] == ' ' || c[-1] == '/' || c[-1] == '-'))
                numbers[count++] = c;
    return count;
}

bool has_number(const Lines *lines, int at)
{
    char line[LINE_SIZE], *numbers[MAX_FOUND];
    memcpy(line, lines->text[at], LINE_SIZE);
    return is_operator(lines, at) && find_numbers(line, numbers) > 0;
}

bool change_number(Lines *lines, int at)
{
    static const double factors[] = {2, 3, 0.5};
    char *line = lines->text[at], *numbers[MAX_FOUND], *end, with[40];
    char *number = numbers[below(lines, find_numbers(line, numbers))];
    double value = strtod(number, &end);
    if (strcspn(number, ".e") >= (size_t)(end - number))
        snprintf(with, sizeof with, "%" PRId64, (int64_t)value * 2 + below(lines, 3) - 1);
    else
        snprintf(with, sizeof with, "%.17g", value * PICK(lines, factors));
    return *with != '-' && replace(line, number, (size_t)(end - number), with);
}

bool has_whole_result(const Lines *lines, int at)
{
    const char *line = lines->text[at];
    return has_result(lines, at) && strcspn(line, ":[ ") == strcspn(line, " ");
}

bool insert_scale(Lines *lines, int at)
{
    static const char *const scales[] = {"1/2", "2/1", "1/3", "3/1"};
    char name[NAME_SIZE], line[LINE_SIZE];
    if (sscanf(lines->text[at], "%63s", name) != 1)
        return false;
    snprintf(line, sizeof line, "%s = scale(%s) scale %s", name, name, PICK(lines, scales));
    insert_line(lines, at + 1, line);
    return true;
}

bool has_seed(const Lines *lines, int at)
{
    return operator_has(lines, at, " seed ");
}

bool change_seed(Lines *lines, int at)
{
    char *seed = strstr(lines->text[at], " seed "), with[NAME_SIZE + 20] = " seed 2";
    if (once_in(lines, 2))
        snprintf(with, sizeof with, " seed 1+1*@%s", lines->axes[below(lines, lines->axis_count)]);
    return replace(lines->text[at], seed, strlen(seed), with);
}

/* ---- Over which ranks, which microbatch, which slot --------------------------------------------------------- */

void random_axes(Lines *lines, char *text, size_t size)
{
    int first = below(lines, lines->axis_count), second = below(lines, lines->axis_count + 1);
    if (second < lines->axis_count && second != first)
        snprintf(text, size, "%s, %s", lines->axes[first], lines->axes[second]);
    else
        snprintf(text, size, "%s", lines->axes[first]);
}

bool has_other_axes(const Lines *lines, int at)
{
    return operator_has(lines, at, " over ") && lines->axis_count > 1;
}

bool change_axes(Lines *lines, int at)
{
    char *first = strstr(lines->text[at], " over ") + 6, *end = first, axes[2 * NAME_SIZE + 4];
    for (;;) { /* NAME (", " NAME)* */
        while (isalnum((unsigned char)*end) || *end == '_')
            end++;
        if (strncmp(end, ", ", 2) != 0)
            break;
        end += 2;
    }
    random_axes(lines, axes, sizeof axes);
    return replace(lines->text[at], first, (size_t)(end - first), axes);
}

bool reads_a_part(const Lines *lines, int at)
{
    return operator_has(lines, at, " read(") && strstr(lines->text[at], " over ");
}

/* The batch read over fewer axes, or over none. */
bool change_reader(Lines *lines, int at)
{
    char *over = strstr(lines->text[at], " over "), *index = strstr(over, " index");
    if (!index)
        index = over + strlen(over);
    char *comma = strchr(over, ',');
    if (comma && once_in(lines, 2))
        return replace(lines->text[at], comma, (size_t)(index - comma), "");
    return replace(lines->text[at], over, (size_t)(index - over), "");
}

/* A number, a loop's variable, or what is there shifted. */
static bool other_expression(Lines *lines, int at, char *from, size_t length)
{
    char variables[MAX_FOUND][8], with[LINE_SIZE];
    int count = variables_in_scope(lines, at, variables);
    if (!memchr(from, '%', length) && once_in(lines, 2))
        snprintf(with, sizeof with, "%.*s%s", (int)length, from, once_in(lines, 2) ? "+1" : "-1");
    else if (count > 0 && once_in(lines, 2))
        snprintf(with, sizeof with, "%s%s", variables[below(lines, count)], once_in(lines, 3) ? "+1" : "");
    else
        snprintf(with, sizeof with, "%d", below(lines, 3));
    return replace(lines->text[at], from, length, with);
}

/* Of an expression with its modulus. */
static size_t expression_length(const char *text)
{
    size_t length = strcspn(text, " ");
    return strncmp(text + length, " % ", 3) ? length : length + 3 + strcspn(text + length + 3, " ");
}

bool has_index(const Lines *lines, int at)
{
    return operator_has(lines, at, " index ") && !has_peer(lines, at);
}

bool change_index(Lines *lines, int at)
{
    char *index = strstr(lines->text[at], " index ") + 7;
    return other_expression(lines, at, index, expression_length(index));
}

bool has_slot(const Lines *lines, int at)
{
    return operator_has(lines, at, "[") || (starts(lines->text[at], "wait") && strchr(lines->text[at], '['));
}

bool change_slot(Lines *lines, int at)
{
    char *found[MAX_FOUND];
    int count = 0;
    for (char *c = lines->text[at]; *c && count < MAX_FOUND; c++)
        if (*c == '[')
            found[count++] = c + 1;
    char *slot = found[below(lines, count)];
    return other_expression(lines, at, slot, strcspn(slot, "]"));
}

/* Who sends to whom, and on which channel. */
bool change_peer(Lines *lines, int at)
{
    char *line = lines->text[at], *index = strstr(line, " index ");
    if (!index)
        return false;
    if (once_in(lines, 4) && !strstr(line, " channel ") && (strstr(line, "send(") || strstr(line, "recv(")))
        return append(line, " channel 7");
    return other_expression(lines, at, index + 7, expression_length(index + 7));
}

bool has_coordinate(const Lines *lines, int at)
{
    return strpbrk(lines->text[at], "@$") && !starts(lines->text[at], "table");
}

/* A coordinate, or a table at it, in any expression becomes that of another axis, or is shifted. */
bool change_coordinate(Lines *lines, int at)
{
    char *found = strpbrk(lines->text[at], "@$"), with[NAME_SIZE + 2];
    size_t length = 1;
    while (isalnum((unsigned char)found[length]) || found[length] == '_')
        length++;
    if (once_in(lines, 2))
        return replace(lines->text[at], found + length, 0, once_in(lines, 2) ? "+1" : "-1");
    snprintf(with, sizeof with, "@%s", lines->axes[below(lines, lines->axis_count)]);
    return replace(lines->text[at], found, length, with);
}
