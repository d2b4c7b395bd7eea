/* mutations.c - the kinds of changes. */
#include "tests/sim/line_edits.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_REFS = 9, MAX_LETTERS = 64, TRIES = 30 };

/* ---- Lines -------------------------------------------------------------------------------------------------- */

/* "NAME DTYPE LAYOUT ..." */
static void declare_buffer(LineNames *names, const char *rest)
{
    if (names->count == MAX_NAMES)
        return;
    char *name = names->name[names->count], *layout = names->layout[names->count++];
    sscanf(rest, "%63s", name);
    const char *type = rest + strlen(name) + 1, *dims = type + strcspn(type, " ");
    size_t length = dims[0] && dims[1] == '[' ? strcspn(dims, "]") : strlen(dims) < 6 ? 0 : strcspn(dims + 6, " ") + 6;
    snprintf(layout, NAME_SIZE, "%.*s", (int)((size_t)(dims - type) + length), type);
}

bool mutate_split(Lines *lines, const char *text)
{
    memset(lines, 0, sizeof *lines);
    while (*text) {
        while (*text == ' ' || *text == '\t')
            text++;
        size_t length = strcspn(text, "\n");
        if (length > 0 && *text != '#') {
            if (lines->count == MAX_LINES - 16 || length >= LINE_SIZE)
                return false;
            char *line = lines->text[lines->count++];
            memcpy(line, text, length);
            char *comment = strchr(line, '#');
            if (comment)
                *comment = '\0';
            if (starts(line, "reference"))
                lines->reference = lines->count;
            if (starts(line, "program"))
                lines->program = lines->count;
            if (starts(line, "axis") && lines->axis_count < 8)
                sscanf(line, "axis %63s", lines->axes[lines->axis_count++]);
            if (lines->reference && starts(line, "buffer"))
                declare_buffer(&lines->buffers[lines->program > 0], line + strlen("buffer "));
        }
        text += length;
        text += *text == '\n';
    }
    return lines->reference > 0 && lines->program > 0 && lines->axis_count > 0;
}

/* Leaves out " WORD" and the number behind it. */
static void remove_attribute(char *line, const char *word)
{
    char *found = strstr(line, word);
    if (!found)
        return;
    size_t length = strlen(word) + strspn(found + strlen(word), "0123456789");
    memmove(found, found + length, strlen(found + length) + 1);
}

void mutate_plain(Lines *lines, bool unplaced)
{
    for (int l = 0; l < lines->count; l++) {
        char *line = lines->text[l];
        for (size_t length = strlen(line); length > 0 && line[length - 1] == ' '; length--)
            line[length - 1] = '\0';
        if (starts(line, "buffer") && unplaced) {
            remove_attribute(line, " offset ");
            remove_attribute(line, " bytes ");
        } else if (!starts(line, "buffer")) {
            remove_attribute(line, " id ");
            remove_attribute(line, " origin ");
        }
    }
}

void mutate_copy(Lines *to, const Lines *from)
{
    size_t behind = offsetof(Lines, chance);
    memcpy(to, from, offsetof(Lines, text));
    memcpy(to->text, from->text, (size_t)from->count * LINE_SIZE);
    memcpy((char *)to + behind, (const char *)from + behind, sizeof(Lines) - behind);
}

void mutate_join(const Lines *lines, char *text)
{
    size_t used = 0;
    *text = '\0';
    for (int l = 0; l < lines->count && used + LINE_SIZE < MUTATE_TEXT_SIZE; l++) {
        size_t length = strlen(lines->text[l]);
        memcpy(text + used, lines->text[l], length);
        text[used + length] = '\n';
        text[used += length + 1] = '\0';
    }
}

/* ---- What a line is ----------------------------------------------------------------------------------------- */

static bool is_block(const char *line)
{
    return starts(line, "loop") || starts(line, "guard") || starts(line, "routine");
}

static bool is_operator_text(const char *line)
{
    return strchr(line, '(') && !is_block(line) && !starts(line, "buffer");
}

/* Of the program that the line is of, the reference or the other: its first line, and what comes behind the last. */
static int region_first(const Lines *lines, int at)
{
    return at >= lines->program ? lines->program : lines->reference;
}

static int region_end(const Lines *lines, int at)
{
    return at >= lines->program ? lines->count : lines->program - 1;
}

static bool is_operator(const Lines *lines, int at)
{
    return at < lines->count && is_operator_text(lines->text[at]);
}

static bool has_peer(const Lines *lines, int at)
{
    static const char *const names[] = {"permute(", "broadcast(", "send(", "recv("};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        if (strstr(lines->text[at], names[n]))
            return is_operator(lines, at);
    return false;
}

static bool is_communication(const Lines *lines, int at)
{
    static const char *const names[] = {"all_reduce(", "reduce_scatter(", "all_gather(",
                                        "all_to_all(", "halo(",           "halo_add("};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        if (strstr(lines->text[at], names[n]))
            return is_operator(lines, at);
    return has_peer(lines, at);
}

static bool is_wait(const Lines *lines, int at)
{
    return starts(lines->text[at], "wait");
}

static bool is_loop(const Lines *lines, int at)
{
    return starts(lines->text[at], "loop");
}

static bool is_guard(const Lines *lines, int at)
{
    return starts(lines->text[at], "guard");
}

static bool is_buffer(const Lines *lines, int at)
{
    return starts(lines->text[at], "buffer");
}

static bool has(const Lines *lines, int at, const char *word)
{
    return is_operator(lines, at) && strstr(lines->text[at], word);
}

/* The loop variables that the line may use; how many. */
static int scope(const Lines *lines, int at, char variables[][8])
{
    int depth = 0;
    char stack[32][8];
    for (int l = region_first(lines, at); l < at; l++) {
        const char *line = lines->text[l];
        if (*line == '}')
            depth -= depth > 0;
        else if (is_block(line) && depth < 32 && sscanf(line, "loop %7s", stack[depth++]) != 1)
            stack[depth - 1][0] = '\0';
    }
    int count = 0;
    for (int d = 0; d < depth && count < MAX_FOUND; d++)
        if (*stack[d])
            memcpy(variables[count++], stack[d], sizeof stack[d]);
    return count;
}

/* The names that an operator's references begin with, the result's first; how many. */
typedef struct Ref {
    char *at;
    size_t length;
} Ref;

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || (length > 0 && strchr("_.*-", text[length]) && text[length]) ||
           text[length] == '_')
        length++;
    return length;
}

static int references(char *line, Ref *refs)
{
    int count = 0;
    char *open = strchr(line, '('), *equals = strstr(line, "= ");
    if (!open)
        return 0;
    if (equals && equals < open)
        refs[count++] = (Ref){line, name_length(line)};
    for (char *at = open + 1; *at && *at != ';' && *at != ')' && count < MAX_REFS; at++) {
        refs[count++] = (Ref){at, name_length(at)};
        at += strcspn(at, ",;)");
        if (*at != ',')
            break;
    }
    return count;
}

static bool same_name(Ref a, Ref b)
{
    return a.length == b.length && !strncmp(a.at, b.at, a.length);
}

static const char *layout_of(const LineNames *names, Ref ref)
{
    for (int n = 0; n < names->count; n++)
        if (strlen(names->name[n]) == ref.length && !strncmp(names->name[n], ref.at, ref.length))
            return names->layout[n];
    return "";
}

/* ---- Order -------------------------------------------------------------------------------------------------- */

static bool any_operator(const Lines *lines, int at)
{
    return is_operator(lines, at);
}

static bool drop(Lines *lines, int at)
{
    remove_line(lines, at);
    return true;
}

static bool duplicate(Lines *lines, int at)
{
    insert_line(lines, at + 1, lines->text[at]);
    return true;
}

/* Whether one writes what the other uses: else their order cannot matter. */
static bool next_depends(const Lines *lines, int at)
{
    if (!is_operator(lines, at) || !is_operator(lines, at + 1) || !strcmp(lines->text[at], lines->text[at + 1]))
        return false;
    char first[LINE_SIZE], second[LINE_SIZE];
    Ref a[MAX_REFS], b[MAX_REFS];
    memcpy(first, lines->text[at], LINE_SIZE);
    memcpy(second, lines->text[at + 1], LINE_SIZE);
    int a_count = references(first, a), b_count = references(second, b);
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < b_count; j++)
            if ((i == 0 || j == 0) && same_name(a[i], b[j]))
                return true;
    return is_communication(lines, at) && is_communication(lines, at + 1);
}

static bool swap_neighbours(Lines *lines, int at)
{
    char line[LINE_SIZE];
    memcpy(line, lines->text[at], LINE_SIZE);
    memcpy(lines->text[at], lines->text[at + 1], LINE_SIZE);
    memcpy(lines->text[at + 1], line, LINE_SIZE);
    return strcmp(line, lines->text[at]) != 0;
}

/* Whether it is a line of a routine of the same program: another may come before it. */
static bool is_place(const Lines *lines, int of, int at)
{
    return at > region_first(lines, of) && at < region_end(lines, of) && !is_buffer(lines, at) &&
           !starts(lines->text[at], "routine");
}

/* Alone in a loop whose variable it uses it has no other place. */
static bool can_move(const Lines *lines, int at)
{
    char variable[8];
    bool alone = at > 0 && *lines->text[at + 1] == '}' && sscanf(lines->text[at - 1], "loop %7s", variable) == 1;
    return is_operator(lines, at) && !(alone && strstr(lines->text[at], variable));
}

/* To somewhere near, mostly: far away its loops' variables are unknown. Out of blocks and into them, too. */
static bool move(Lines *lines, int at)
{
    int to = at + below(lines, 21) - 10, first = region_first(lines, at);
    while (once_in(lines, 4) && !is_place(lines, at, to))
        to = first + below(lines, region_end(lines, at) - first);
    if (!is_place(lines, at, to))
        return false;
    char line[LINE_SIZE];
    memcpy(line, lines->text[at], LINE_SIZE);
    remove_line(lines, at);
    insert_line(lines, to, line);
    return to != at;
}

/* Left out, or moved by a few lines. */
static bool change_wait(Lines *lines, int at)
{
    int to = at + below(lines, 17) - 8;
    if (once_in(lines, 4))
        return remove_line(lines, at), true;
    if (to == at || to <= region_first(lines, at) || to >= region_end(lines, at) - 1 || is_buffer(lines, to))
        return false;
    char line[LINE_SIZE];
    memcpy(line, lines->text[at], LINE_SIZE);
    remove_line(lines, at);
    insert_line(lines, to, line);
    return true;
}

static bool can_start(const Lines *lines, int at)
{
    return is_communication(lines, at) && !strstr(lines->text[at], " event ");
}

static int next_event(const Lines *lines, int at)
{
    int event = 0, used;
    for (int l = region_first(lines, at); l < region_end(lines, at); l++) {
        const char *found = strstr(lines->text[l], " event ");
        if (found && sscanf(found, " event %d", &used) == 1 && used >= event)
            event = used + 1;
    }
    return event;
}

void mutate_start_all(Lines *lines, int most)
{
    char more[40];
    int event = next_event(lines, lines->program);
    for (int l = lines->program; l < lines->count && event < most; l++) {
        if (!can_start(lines, l) || has_peer(lines, l))
            continue;
        snprintf(more, sizeof more, " event %d stream 6", event); /* of its own: it waits behind nothing */
        if (!append(lines->text[l], more))
            return;
        snprintf(more, sizeof more, "wait %d", event++);
        insert_line(lines, l + 1, more);
    }
}

/* An event of its own, waited for a little later in the same block, or not at all. */
static bool start(Lines *lines, int at)
{
    int event = next_event(lines, at);
    char more[40];
    snprintf(more, sizeof more, " event %d stream 1", event);
    if (!append(lines->text[at], more))
        return false;
    int to = at + 1, depth = 0;
    for (int steps = below(lines, 10); steps > 0 && to < lines->count; steps--, to++) {
        depth += is_block(lines->text[to]) - (*lines->text[to] == '}');
        if (depth < 0)
            break;
    }
    snprintf(more, sizeof more, "wait %d", event);
    if (depth <= 0 && !once_in(lines, 5))
        insert_line(lines, to, more);
    return true;
}

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

static bool has_operation(const Lines *lines, int at)
{
    for (size_t p = 0; p < sizeof operations / sizeof operations[0] && is_operator(lines, at); p++)
        if (strstr(lines->text[at], operations[p][0]))
            return true;
    return false;
}

static bool change_operation(Lines *lines, int at)
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

static bool sums(const Lines *lines, int at)
{
    return has(lines, at, " sum over");
}

static bool change_sum_to_max(Lines *lines, int at)
{
    return replace_word(lines->text[at], " sum over", " max over");
}

static bool has_result(const Lines *lines, int at)
{
    const char *line = lines->text[at], *open = strchr(line, '('), *equals = strstr(line, "= ");
    return is_operator(lines, at) && equals && equals < open;
}

static bool toggle_accumulate(Lines *lines, int at)
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

static bool has_number(const Lines *lines, int at)
{
    char line[LINE_SIZE], *numbers[MAX_FOUND];
    memcpy(line, lines->text[at], LINE_SIZE);
    return is_operator(lines, at) && find_numbers(line, numbers) > 0;
}

static bool change_number(Lines *lines, int at)
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

static bool has_whole_result(const Lines *lines, int at)
{
    const char *line = lines->text[at];
    return has_result(lines, at) && strcspn(line, ":[ ") == strcspn(line, " ");
}

static bool insert_scale(Lines *lines, int at)
{
    static const char *const scales[] = {"1/2", "2/1", "1/3", "3/1"};
    char name[NAME_SIZE], line[LINE_SIZE];
    if (sscanf(lines->text[at], "%63s", name) != 1)
        return false;
    snprintf(line, sizeof line, "%s = scale(%s) scale %s", name, name, PICK(lines, scales));
    insert_line(lines, at + 1, line);
    return true;
}

static bool has_seed(const Lines *lines, int at)
{
    return has(lines, at, " seed ");
}

static bool change_seed(Lines *lines, int at)
{
    char *seed = strstr(lines->text[at], " seed "), with[NAME_SIZE + 20] = " seed 2";
    if (once_in(lines, 2))
        snprintf(with, sizeof with, " seed 1+1*@%s", lines->axes[below(lines, lines->axis_count)]);
    return replace(lines->text[at], seed, strlen(seed), with);
}

/* ---- Over which ranks, which microbatch, which slot --------------------------------------------------------- */

static void random_axes(Lines *lines, char *text, size_t size)
{
    int first = below(lines, lines->axis_count), second = below(lines, lines->axis_count + 1);
    if (second < lines->axis_count && second != first)
        snprintf(text, size, "%s, %s", lines->axes[first], lines->axes[second]);
    else
        snprintf(text, size, "%s", lines->axes[first]);
}

static bool has_other_axes(const Lines *lines, int at)
{
    return has(lines, at, " over ") && lines->axis_count > 1;
}

static bool change_axes(Lines *lines, int at)
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

static bool reads_a_part(const Lines *lines, int at)
{
    return has(lines, at, " read(") && strstr(lines->text[at], " over ");
}

/* The batch read over fewer axes, or over none. */
static bool change_reader(Lines *lines, int at)
{
    char *over = strstr(lines->text[at], " over "), *index = strstr(over, " index");
    if (!index)
        index = over + strlen(over);
    char *comma = strchr(over, ',');
    if (comma && once_in(lines, 2))
        return replace(lines->text[at], comma, (size_t)(index - comma), "");
    return replace(lines->text[at], over, (size_t)(index - over), "");
}

/* A number, a loop's variable, or what stands there shifted. */
static bool other_expression(Lines *lines, int at, char *from, size_t length)
{
    char variables[MAX_FOUND][8], with[LINE_SIZE];
    int count = scope(lines, at, variables);
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

static bool has_index(const Lines *lines, int at)
{
    return has(lines, at, " index ") && !has_peer(lines, at);
}

static bool change_index(Lines *lines, int at)
{
    char *index = strstr(lines->text[at], " index ") + 7;
    return other_expression(lines, at, index, expression_length(index));
}

static bool has_slot(const Lines *lines, int at)
{
    return has(lines, at, "[");
}

static bool change_slot(Lines *lines, int at)
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
static bool change_peer(Lines *lines, int at)
{
    char *line = lines->text[at], *index = strstr(line, " index ");
    if (!index)
        return false;
    if (once_in(lines, 4) && !strstr(line, " channel ") && (strstr(line, "send(") || strstr(line, "recv(")))
        return append(line, " channel 7");
    return other_expression(lines, at, index + 7, expression_length(index + 7));
}

static bool has_coordinate(const Lines *lines, int at)
{
    return strpbrk(lines->text[at], "@$") && !starts(lines->text[at], "table");
}

/* A coordinate, or a table at it, in any expression becomes that of another axis, or is shifted. */
static bool change_coordinate(Lines *lines, int at)
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

/* ---- Blocks ------------------------------------------------------------------------------------------------- */

/* Other bounds, one iteration, or the other direction. */
static bool change_loop(Lines *lines, int at)
{
    static const char *const shifts[][2] = {{"+1", ""}, {"", "-1"}, {"", "+1"}, {"-1", ""}};
    char *line = lines->text[at], *dots = strstr(line, ".."), *brace = strstr(line, " {"), *from = dots;
    while (from && from > line && from[-1] != ' ')
        from--;
    if (!dots || !brace || strchr(line, '%') || strlen(line) > LINE_SIZE / 2)
        return false;
    char *down = strstr(dots, " down"), with[2 * LINE_SIZE];
    int first = (int)(dots - from), last = (int)((down ? down : brace) - dots - 2), which = below(lines, 6);
    const char *direction = down ? " down" : "";
    if (which < 4)
        snprintf(with, sizeof with, "%.*s%s..%.*s%s%s", first, from, shifts[which][0], last, dots + 2, shifts[which][1],
                 direction);
    else if (which == 4)
        snprintf(with, sizeof with, "%.*s..%.*s%s", first, from, first, from, direction);
    else
        snprintf(with, sizeof with, "%.*s..%.*s%s", last, dots + 2, first, from, down ? "" : " down");
    return replace(line, from, (size_t)(brace - from), with);
}

static bool change_guard(Lines *lines, int at)
{
    char *line = lines->text[at], *in = strstr(line, " in "), *brace = strstr(line, " {"), with[64];
    int64_t low, high;
    if (!in || !brace || sscanf(in, " in %" SCNd64 "..%" SCNd64, &low, &high) != 2)
        return false;
    int which = below(lines, 4);
    low += which == 0 ? 1 : which == 1 ? -1 : 0;
    high += which == 2 ? 1 : which == 3 ? -1 : 0;
    snprintf(with, sizeof with, " in %" PRId64 "..%" PRId64, low, high);
    return replace(line, in, (size_t)(brace - in), with);
}

static bool wrap_in_guard(Lines *lines, int at)
{
    char guard[LINE_SIZE], variables[MAX_FOUND][8];
    int count = scope(lines, at, variables), low = below(lines, 2);
    if (count > 0 && once_in(lines, 2))
        snprintf(guard, sizeof guard, "guard %s in %d..%d {", variables[below(lines, count)], low,
                 low + below(lines, 2));
    else
        snprintf(guard, sizeof guard, "guard @%s in %d..%d {", lines->axes[below(lines, lines->axis_count)], low,
                 low + below(lines, 2));
    insert_line(lines, at + 1, "}");
    insert_line(lines, at, guard);
    return true;
}

/* ---- References and buffers --------------------------------------------------------------------------------- */

static bool has_reference(const Lines *lines, int at)
{
    char line[LINE_SIZE];
    Ref refs[MAX_REFS];
    memcpy(line, lines->text[at], LINE_SIZE);
    return is_operator(lines, at) && references(line, refs) > 0;
}

/* Another buffer in one place of an operator, mostly one of the same layout. */
static bool retarget(Lines *lines, int at)
{
    Ref refs[MAX_REFS];
    Ref ref = refs[below(lines, references(lines->text[at], refs))];
    const LineNames *names = &lines->buffers[at >= lines->program];
    const char *layout = layout_of(names, ref), *name = names->name[below(lines, names->count)];
    int same = 0;
    for (int n = 0; n < names->count; n++)
        same += !strcmp(names->layout[n], layout);
    if (same > 1 && !once_in(lines, 5))
        for (int n = 0, which = below(lines, same); n < names->count; n++)
            if (!strcmp(names->layout[n], layout) && which-- == 0)
                name = names->name[n];
    return replace(lines->text[at], ref.at, ref.length, name);
}

static bool has_operands(const Lines *lines, int at)
{
    const char *open = strchr(lines->text[at], '('), *comma = open ? strstr(open, ", ") : NULL;
    const char *close = open ? strpbrk(open, ";)") : NULL;
    return is_operator(lines, at) && comma && close && comma < close;
}

static bool swap_operands(Lines *lines, int at)
{
    char *open = strchr(lines->text[at], '('), *comma = strstr(open, ", ");
    size_t second = strcspn(comma + 2, ",;)");
    char swapped[LINE_SIZE];
    int needed =
        snprintf(swapped, sizeof swapped, "%.*s, %.*s", (int)second, comma + 2, (int)(comma - open - 1), open + 1);
    return needed < LINE_SIZE && replace(lines->text[at], open + 1, (size_t)(comma - open - 1) + 2 + second, swapped);
}

/* The letters of dims, behind the parenthesis. */
static char *spec_of(char *line)
{
    char *found = strstr(line, ") \"");
    return found ? found + 3 : NULL;
}

static int letters_of(char *line, char **letters)
{
    int count = 0;
    for (char *c = spec_of(line); c && *c && *c != '"' && count < MAX_LETTERS; c++)
        if (islower((unsigned char)*c))
            letters[count++] = c;
    return count;
}

static bool has_spec(const Lines *lines, int at)
{
    char line[LINE_SIZE], *letters[MAX_LETTERS];
    memcpy(line, lines->text[at], LINE_SIZE);
    return is_operator(lines, at) && letters_of(line, letters) > 1;
}

/* A dim gets another one's letter, two exchange theirs, or one is left out. */
static bool change_spec(Lines *lines, int at)
{
    char *letters[MAX_LETTERS], letter;
    int count = letters_of(lines->text[at], letters), first = below(lines, count), second = below(lines, count);
    if (once_in(lines, 6))
        return replace(lines->text[at], letters[first], 1, "");
    letter = *letters[first];
    *letters[first] = *letters[second];
    if (once_in(lines, 2))
        *letters[second] = letter;
    return true;
}

/* The tensor that is read or drawn, the name of an output: " tensor NAME" or " name NAME". That of an update is its
 * operands'. */
static const char *attribute_of(const char *line, size_t *length)
{
    bool says = strstr(line, " = read(") || strstr(line, " = init(");
    const char *found = strstr(line, says ? " tensor " : " name ");
    size_t word = found ? 1 + strcspn(found + 1, " ") : 0;
    *length = found ? word + 1 + strcspn(found + word + 1, " ") : 0;
    return found;
}

/* Whether the same operator stands there, with another one's name. */
static bool names_another(const Lines *lines, int at, int other)
{
    char mine[24], theirs[24];
    size_t length, other_length;
    const char *name = attribute_of(lines->text[at], &length),
               *another = attribute_of(lines->text[other], &other_length);
    return name && another && is_operator(lines, other) &&
           !strcmp(mutate_operator(lines, at, mine, sizeof mine),
                   mutate_operator(lines, other, theirs, sizeof theirs)) &&
           (length != other_length || strncmp(name, another, length) != 0);
}

static bool has_other_name(const Lines *lines, int at)
{
    size_t length;
    bool found = false;
    int end = region_end(lines, at);
    for (int l = region_first(lines, at); l < end && !found && attribute_of(lines->text[at], &length); l++)
        found = is_operator(lines, at) && names_another(lines, at, l);
    return found;
}

static bool change_name(Lines *lines, int at)
{
    size_t length, other_length;
    int first = region_first(lines, at), end = region_end(lines, at), other = first + below(lines, end - first);
    while (!names_another(lines, at, other))
        other = other + 1 < end ? other + 1 : first;
    const char *theirs = attribute_of(lines->text[other], &other_length);
    char *line = lines->text[at], with[LINE_SIZE];
    snprintf(with, sizeof with, "%.*s", (int)other_length, theirs);
    const char *mine = attribute_of(line, &length);
    return replace(line, line + (mine - line), length, with);
}

/* A reduction of something that the operator uses, before or behind it. */
static bool insert_communication(Lines *lines, int at)
{
    Ref refs[MAX_REFS];
    Ref ref = refs[below(lines, references(lines->text[at], refs))];
    const char *slot = ref.at[ref.length] == '[' ? strchr(ref.at, ']') : NULL;
    char axes[2 * NAME_SIZE + 4], line[LINE_SIZE], name[LINE_SIZE];
    snprintf(name, sizeof name, "%.*s", slot ? (int)(slot - ref.at) + 1 : (int)ref.length, ref.at);
    random_axes(lines, axes, sizeof axes);
    if ((size_t)snprintf(line, sizeof line, "%s = all_reduce(%s) %s over %s", name, name,
                         once_in(lines, 4) ? "max" : "sum", axes) >= sizeof line)
        return false;
    insert_line(lines, at + below(lines, 2), line);
    return true;
}

/* The cut of a dim, of a unit: "/axis" put in, taken out, exchanged. */
static bool change_cut(Lines *lines, char *line)
{
    char cut[NAME_SIZE + 2], *found[MAX_FOUND];
    int count = 0;
    for (char *c = line; *c && count < MAX_FOUND; c++)
        if (*c == '/')
            found[count++] = c;
    snprintf(cut, sizeof cut, "/%s", lines->axes[below(lines, lines->axis_count)]);
    if (count == 0 || once_in(lines, 4)) {
        char *end = strpbrk(line, "]");
        if (strstr(line, " unit ")) {
            end = strstr(line, " unit ") + 6;
            end += strcspn(end, " ");
        }
        return end && end[-1] != '[' && replace(line, end, 0, cut);
    }
    char *at = found[below(lines, count)];
    return replace(line, at, 1 + strcspn(at + 1, "/,] "), once_in(lines, 2) ? "" : cut);
}

static bool change_slots(Lines *lines, char *line)
{
    char *slots = strstr(line, " slots "), with[32];
    if (!slots)
        return false;
    snprintf(with, sizeof with, " slots %d", atoi(slots + 7) + (once_in(lines, 2) ? 1 : -1));
    return replace(line, slots, 7 + strspn(slots + 7, "0123456789"), with);
}

/* The place of another buffer in its arena. */
static bool change_place(Lines *lines, char *line)
{
    char *place = strstr(line, " offset ");
    const char *other = lines->text[lines->program + below(lines, lines->count - lines->program)];
    const char *theirs = starts(other, "buffer") ? strstr(other, " offset ") : NULL;
    char with[32];
    if (!place || !theirs)
        return false;
    snprintf(with, sizeof with, "%.*s", (int)(8 + strspn(theirs + 8, "0123456789")), theirs);
    return replace(line, place, 8 + strspn(place + 8, "0123456789"), with);
}

/* On another tier: of those that are written " on TIER", or none. */
static bool change_tier(Lines *lines, char *line)
{
    static const char *const tiers[] = {" on host", " on file", ""};
    for (int t = 0; t < 2; t++)
        if (strstr(line, tiers[t]))
            return replace_word(line, tiers[t], PICK(lines, tiers));
    return false;
}

/* Which ranks, or which run of layers, have the buffer. */
static bool change_holders(Lines *lines, char *line)
{
    char *dots = strstr(line, ".."), *to = dots ? dots + 2 + strcspn(dots + 2, " ") : NULL;
    if (!dots || !(strstr(line, " where ") || strstr(line, " layers ")))
        return false;
    return replace(line, once_in(lines, 2) ? dots : to, 0, once_in(lines, 2) ? "+1" : "-1");
}

/* Room for the largest piece of the first dim that axes alone cut. */
static bool pad(char *line)
{
    for (char *cut = strchr(line, '/'); cut; cut = strchr(cut, '/')) {
        size_t length = strcspn(cut, ",]"), micro = strcspn(cut, "m");
        if (cut[length] && (micro > length || strncmp(cut + micro, "micro", 5) != 0))
            return replace(line, cut + length, 0, " padded");
        cut += length;
    }
    return false;
}

/* Other segments of a fused dim, or none; another halo; room for the largest piece, or not. */
static bool change_pieces(Lines *lines, char *line)
{
    char *end = strchr(line, ']'), *open = strchr(line, '{'), *halo = strchr(line, '+'), with[64];
    int first, second, length;
    if (strstr(line, " padded"))
        return replace_word(line, " padded", "");
    if (open && once_in(lines, 2) && sscanf(open, "{%d, %d%n", &first, &second, &length) == 2) {
        snprintf(with, sizeof with, "{%d, %d", first + 1, second - 1);
        return replace(line, open, (size_t)length, with);
    }
    if (open)
        return replace(line, open, strcspn(open, "}") + 1, "");
    if (halo && end && halo < end) {
        snprintf(with, sizeof with, "+%d", atoi(halo + 1) + (once_in(lines, 2) ? 1 : -1));
        return replace(line, halo, 1 + strspn(halo + 1, "0123456789"), with);
    }
    return pad(line);
}

/* How a buffer is cut, whether it lives on, how many slots it has, where it lies and who has it. */
static bool change_buffer(Lines *lines, int at)
{
    static bool (*const changes[])(Lines * lines, char *line) = {change_slots, change_place, change_tier,
                                                                 change_holders, change_pieces};
    char *line = lines->text[at];
    int which = below(lines, 9);
    if (which < 5)
        return changes[which](lines, line);
    return which == 5 ? replace_word(line, " persistent", "") : change_cut(lines, line);
}

/* ---- The reference ------------------------------------------------------------------------------------------ */

/* A started operator, whatever it is. */
static bool can_start_any(const Lines *lines, int at)
{
    return has_result(lines, at) && !strstr(lines->text[at], " event ");
}

/* "read() tensor x index 0" of a part of the batch. */
static bool reads_whole(const Lines *lines, int at)
{
    return has(lines, at, " read(") && !strstr(lines->text[at], " over ");
}

static bool read_a_part(Lines *lines, int at)
{
    char axes[2 * NAME_SIZE + 4], over[2 * NAME_SIZE + 20];
    random_axes(lines, axes, sizeof axes);
    snprintf(over, sizeof over, " over %s index", axes);
    return replace_word(lines->text[at], " index", over);
}

/* Each an array of changes of which one that fits is drawn. */
#define GROUP(name, ...)                                                                                               \
    static const LineChange name##_changes[] = {__VA_ARGS__};                                                          \
    static bool fits_##name(const Lines *lines, int at)                                                                \
    {                                                                                                                  \
        return fits_one(name##_changes, sizeof name##_changes / sizeof name##_changes[0], lines, at);                  \
    }                                                                                                                  \
    static bool change_reference_##name(Lines *lines, int at)                                                          \
    {                                                                                                                  \
        return change_one(name##_changes, sizeof name##_changes / sizeof name##_changes[0], lines, at);                \
    }

static bool fits_one(const LineChange *changes, size_t count, const Lines *lines, int at)
{
    for (size_t c = 0; c < count; c++)
        if (changes[c].fits(lines, at))
            return true;
    return false;
}

static bool change_one(const LineChange *changes, size_t count, Lines *lines, int at)
{
    const LineChange *change = &changes[below(lines, (int)count)];
    return change->fits(lines, at) && change->change(lines, at);
}

GROUP(order, {any_operator, drop}, {any_operator, duplicate}, {next_depends, swap_neighbours}, {can_move, move})
GROUP(work, {has_operation, change_operation}, {has_number, change_number}, {has_whole_result, insert_scale},
      {has_result, toggle_accumulate}, {has_operands, swap_operands}, {has_spec, change_spec},
      {has_reference, retarget})
GROUP(names, {has_seed, change_seed}, {has_other_name, change_name}, {has_slot, change_slot}, {has_index, change_index})
GROUP(blocks, {is_loop, change_loop}, {is_guard, change_guard}, {any_operator, wrap_in_guard})
GROUP(layouts, {is_buffer, change_buffer}, {is_buffer, change_layout})
GROUP(ranks, {has_reference, insert_communication}, {has_other_axes, change_axes}, {reads_whole, read_a_part})
GROUP(race, {can_start_any, start}, {is_wait, change_wait})

/* ---- Kinds -------------------------------------------------------------------------------------------------- */

static const Mutation mutations[] = {
    {"drop", IN_PROGRAM, any_operator, drop},
    {"duplicate", IN_PROGRAM, any_operator, duplicate},
    {"swap neighbours", IN_PROGRAM, next_depends, swap_neighbours},
    {"move", IN_PROGRAM, can_move, move},
    {"operation", IN_PROGRAM, has_operation, change_operation},
    {"axes", IN_PROGRAM, has_other_axes, change_axes},
    {"reader", IN_PROGRAM, reads_a_part, change_reader},
    {"microbatch", IN_PROGRAM, has_index, change_index},
    {"sum to max", IN_PROGRAM, sums, change_sum_to_max},
    {"number", IN_PROGRAM, has_number, change_number},
    {"scale", IN_PROGRAM, has_whole_result, insert_scale},
    {"accumulate", IN_PROGRAM, has_result, toggle_accumulate},
    {"slot", IN_PROGRAM, has_slot, change_slot},
    {"seed", IN_PROGRAM, has_seed, change_seed},
    {"retarget", IN_PROGRAM, has_reference, retarget},
    {"wait", IN_PROGRAM, is_wait, change_wait},
    {"start", IN_PROGRAM, can_start, start},
    {"loop", IN_PROGRAM, is_loop, change_loop},
    {"guard", IN_PROGRAM, any_operator, wrap_in_guard},
    {"guard bounds", IN_PROGRAM, is_guard, change_guard},
    {"operands", IN_PROGRAM, has_operands, swap_operands},
    {"communicate", IN_PROGRAM, has_reference, insert_communication},
    {"buffer", IN_PROGRAM, is_buffer, change_buffer},
    {"peer", IN_PROGRAM, has_peer, change_peer},
    {"coordinate", IN_PROGRAM, has_coordinate, change_coordinate},
    {"spec", IN_PROGRAM, has_spec, change_spec},
    {"name", IN_PROGRAM, has_other_name, change_name},
    {"reference order", IN_REFERENCE, fits_order, change_reference_order},
    {"reference work", IN_REFERENCE, fits_work, change_reference_work},
    {"reference names", IN_REFERENCE, fits_names, change_reference_names},
    {"reference block", IN_REFERENCE, fits_blocks, change_reference_blocks},
    {"reference layout", IN_REFERENCE, fits_layouts, change_reference_layouts},
    {"reference ranks", IN_REFERENCE, fits_ranks, change_reference_ranks},
    {"reference race", IN_REFERENCE, fits_race, change_reference_race},
};

enum { OWN_KINDS = sizeof mutations / sizeof mutations[0] };

static const Mutation *mutation_at(int kind)
{
    return kind < OWN_KINDS ? &mutations[kind] : &declared_mutations[kind - OWN_KINDS];
}

bool mutate_same_beginning(const Lines *before, const Lines *after)
{
    bool same = before->program == after->program;
    for (int l = 0; l < before->program && same; l++)
        same = !strcmp(before->text[l], after->text[l]);
    return same;
}

int mutate_kind_count(void)
{
    return OWN_KINDS + declared_mutation_count;
}

const char *mutate_kind_name(int kind)
{
    return mutation_at(kind)->name;
}

static bool is_where(const Lines *lines, const Mutation *mutation, int at)
{
    switch (mutation->where) {
    case IN_PROGRAM:
        return at >= lines->program;
    case IN_REFERENCE:
        return at >= lines->reference && at < lines->program - 1;
    case DECLARED:
        return at < lines->reference;
    case IN_BOTH:
        return at >= lines->reference;
    }
    return false;
}

bool mutate_fits(const Lines *lines, int kind, int at)
{
    const Mutation *mutation = mutation_at(kind);
    return at < lines->count && is_where(lines, mutation, at) && mutation->fits(lines, at);
}

bool mutate_line(Lines *lines, int kind, int at, Chance *chance)
{
    char before[LINE_SIZE];
    int count = lines->count;
    lines->chance = chance;
    lines->at = at;
    memcpy(before, lines->text[at], LINE_SIZE);
    for (int tries = 0; tries < TRIES; tries++) {
        if (mutation_at(kind)->change(lines, at) && (lines->count != count || strcmp(lines->text[at], before) != 0))
            return true;
        if (lines->count == count)
            memcpy(lines->text[at], before, LINE_SIZE);
    }
    return false;
}

bool mutate_apply(Lines *lines, int kind, Chance *chance)
{
    int fitting = 0, at = 0;
    for (int l = 0; l < lines->count; l++)
        fitting += mutate_fits(lines, kind, l);
    if (fitting == 0)
        return false;
    for (int which = chance_below(chance, fitting); which >= 0; at++)
        which -= mutate_fits(lines, kind, at);
    return mutate_line(lines, kind, at - 1, chance);
}

const char *mutate_operator(const Lines *lines, int at, char *name, size_t size)
{
    const char *line = lines->text[at], *open = is_operator(lines, at) ? strchr(line, '(') : NULL, *start = open;
    while (start && start > line && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
        start--;
    if (open)
        snprintf(name, size, "%.*s", (int)(open - start), start);
    else
        snprintf(name, size, "%.*s", (int)strcspn(line, " "), line);
    return name;
}
