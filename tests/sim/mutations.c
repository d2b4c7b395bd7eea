/* mutations.c - the kinds of changes. */
#include "tests/sim/mutations.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines -------------------------------------------------------------------------------------------------- */

static bool starts(const char *line, const char *word)
{
    size_t length = strlen(word);
    return !strncmp(line, word, length) && !isalnum((unsigned char)line[length]) && line[length] != '_';
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
            if (starts(line, "program"))
                lines->program = lines->count;
            if (starts(line, "axis") && lines->axis_count < 8)
                sscanf(line, "axis %63s", lines->axes[lines->axis_count++]);
            if (lines->program && starts(line, "buffer") && lines->name_count < MAX_NAMES)
                sscanf(line, "buffer %63s", lines->names[lines->name_count++]);
        }
        text += length;
        text += *text == '\n';
    }
    return lines->program > 0 && lines->axis_count > 0;
}

void mutate_join(const Lines *lines, char *text)
{
    size_t used = 0;
    for (int l = 0; l < lines->count; l++)
        used += (size_t)snprintf(text + used, MUTATE_TEXT_SIZE - used, "%s\n", lines->text[l]);
}

static bool is_operator(const char *line)
{
    return strchr(line, '(') && !starts(line, "loop") && !starts(line, "guard") && !starts(line, "buffer");
}

static bool is_communication(const char *line)
{
    static const char *const names[] = {"all_reduce(", "reduce_scatter(", "all_gather(", "all_to_all(",
                                        "permute(",    "broadcast(",      "send(",       "recv("};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        if (strstr(line, names[n]))
            return true;
    return false;
}

static void remove_line(Lines *lines, int at)
{
    memmove(lines->text[at], lines->text[at + 1], (size_t)(lines->count - at - 1) * LINE_SIZE);
    lines->count--;
}

static void insert_line(Lines *lines, int at, const char *line)
{
    if (lines->count == MAX_LINES)
        return;
    char copy[LINE_SIZE];
    snprintf(copy, sizeof copy, "%s", line);
    memmove(lines->text[at + 1], lines->text[at], (size_t)(lines->count - at) * LINE_SIZE);
    memcpy(lines->text[at], copy, LINE_SIZE);
    lines->count++;
}

/* Replaces `length` bytes at `from` within a line. */
static bool replace(char *line, char *from, size_t length, const char *with)
{
    char rest[LINE_SIZE];
    snprintf(rest, sizeof rest, "%s", from + length);
    size_t room = LINE_SIZE - (size_t)(from - line);
    int needed = snprintf(from, room, "%s%s", with, rest);
    return needed >= 0 && (size_t)needed < room;
}

static bool replace_word(char *line, const char *word, const char *with)
{
    char *found = strstr(line, word);
    return found && replace(line, found, strlen(word), with);
}

static int below(Lines *lines, int count)
{
    return chance_below(lines->chance, count);
}

/* A line of the program's routines that is an operator (or, where asked, a communication); -1 if there is none. */
static int random_operator(Lines *lines, bool communication)
{
    for (int tries = 0; tries < 400; tries++) {
        int at = lines->program + below(lines, lines->count - lines->program);
        if (is_operator(lines->text[at]) && (!communication || is_communication(lines->text[at])))
            return lines->at = at;
    }
    return -1;
}

/* ---- Mutations: each returns false where it does not apply -------------------------------------------------- */

static bool drop(Lines *lines)
{
    int at = random_operator(lines, below(lines, 2));
    if (at >= 0)
        remove_line(lines, at);
    return at >= 0;
}

static bool duplicate(Lines *lines)
{
    int at = random_operator(lines, below(lines, 2));
    if (at >= 0)
        insert_line(lines, at + 1, lines->text[at]);
    return at >= 0;
}

static bool swap_neighbours(Lines *lines)
{
    int at = random_operator(lines, false);
    if (at < 0 || at + 1 >= lines->count || !is_operator(lines->text[at + 1]))
        return false;
    char line[LINE_SIZE];
    memcpy(line, lines->text[at], LINE_SIZE);
    memcpy(lines->text[at], lines->text[at + 1], LINE_SIZE);
    memcpy(lines->text[at + 1], line, LINE_SIZE);
    return true;
}

static bool move(Lines *lines)
{
    int from = random_operator(lines, below(lines, 2)), to = random_operator(lines, false);
    if (from < 0 || to < 0)
        return false;
    char line[LINE_SIZE];
    memcpy(line, lines->text[from], LINE_SIZE);
    remove_line(lines, from);
    insert_line(lines, to, line);
    return true;
}

static bool change_operation(Lines *lines)
{
    static const char *const pairs[][2] = {{" reduce_scatter(", " slice("},
                                           {" slice(", " reduce_scatter("},
                                           {" all_reduce(", " copy("},
                                           {" all_gather(", " all_reduce("},
                                           {" add(", " sub("},
                                           {" mul(", " add("},
                                           {" ema(", " ema_square("},
                                           {" squared_error(", " mul("},
                                           {" reduce(", " sum_squares("},
                                           {" sum_squares(", " reduce("},
                                           {" gelu(", " tanh("},
                                           {" gelu_bwd(", " tanh_bwd("},
                                           {" all_reduce(", " all_gather("},
                                           {" init(", " fill(; 0.5"},
                                           {" increment(", " copy("},
                                           {" sqrt(", " copy("}};
    int at = random_operator(lines, below(lines, 2)), pair = below(lines, (int)(sizeof pairs / sizeof pairs[0]));
    if (at < 0 || !replace_word(lines->text[at], pairs[pair][0], pairs[pair][1]))
        return false;
    if (strstr(lines->text[at], " slice(") || strstr(lines->text[at], " all_gather("))
        replace_word(lines->text[at], " sum over", " over");
    else if (is_communication(lines->text[at]) && !strstr(lines->text[at], " sum over"))
        replace_word(lines->text[at], " over", " sum over");
    else if (strstr(lines->text[at], " copy("))
        replace(lines->text[at], strchr(lines->text[at], ')') + 1, strlen(strchr(lines->text[at], ')') + 1), "");
    return true;
}

static void random_axes(Lines *lines, char *text, size_t size)
{
    int first = below(lines, lines->axis_count), second = below(lines, lines->axis_count + 1);
    if (second < lines->axis_count && second != first)
        snprintf(text, size, "%s, %s", lines->axes[first], lines->axes[second]);
    else
        snprintf(text, size, "%s", lines->axes[first]);
}

static bool change_axes(Lines *lines)
{
    int at = random_operator(lines, false);
    char *over = at >= 0 ? strstr(lines->text[at], " over ") : NULL;
    if (!over)
        return false;
    char *first = over + 6, *end = first, axes[2 * NAME_SIZE + 4];
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

/* The batch read over fewer axes, or over none. */
static bool change_reader(Lines *lines)
{
    int at = random_operator(lines, false);
    char *over = at >= 0 && strstr(lines->text[at], " read(") ? strstr(lines->text[at], " over ") : NULL;
    char *index = over ? strstr(over, " index") : NULL;
    if (!index)
        return false;
    char *comma = strchr(over, ',');
    if (comma && below(lines, 2))
        return replace(lines->text[at], comma, (size_t)(index - comma), "");
    return replace(lines->text[at], over, (size_t)(index - over), "");
}

static bool change_microbatch(Lines *lines)
{
    static const char *const indices[] = {" index 0", " index 1", " index l0+1 % 2", " index l0"};
    int at = random_operator(lines, false);
    char *index = at >= 0 ? strstr(lines->text[at], " index ") : NULL;
    return index && replace(lines->text[at], index, strlen(index), indices[below(lines, 4)]);
}

static bool change_sum_to_max(Lines *lines)
{
    int at = random_operator(lines, true);
    return at >= 0 && replace_word(lines->text[at], " sum over", " max over");
}

/* One of the numbers of a line, by a factor of small integers. */
static bool change_number(Lines *lines)
{
    int at = random_operator(lines, false);
    if (at < 0)
        return false;
    char *numbers[16];
    int count = 0;
    for (char *c = lines->text[at]; *c && count < 16; c++)
        if (isdigit((unsigned char)*c) && c > lines->text[at] && (c[-1] == ' ' || c[-1] == '/'))
            numbers[count++] = c;
    if (count == 0)
        return false;
    char *number = numbers[below(lines, count)], *end;
    double value = strtod(number, &end);
    static const double factors[] = {2, 3, 0.5};
    char with[40];
    bool integer = strcspn(number, ".e") >= (size_t)(end - number);
    if (integer)
        snprintf(with, sizeof with, "%" PRId64, (int64_t)value * 2 + below(lines, 3) - 1);
    else
        snprintf(with, sizeof with, "%.17g", value * factors[below(lines, 3)]);
    return with[0] != '-' && replace(lines->text[at], number, (size_t)(end - number), with);
}

static bool insert_scale(Lines *lines)
{
    int at = random_operator(lines, below(lines, 3) > 0);
    char name[NAME_SIZE], line[LINE_SIZE];
    if (at < 0 || sscanf(lines->text[at], "%63s", name) != 1 || strchr(name, '(') || strchr(name, ':'))
        return false;
    static const char *const scales[] = {"1/2", "2/1", "1/3", "1/1"};
    snprintf(line, sizeof line, "%s = scale(%s) scale %s", name, name, scales[below(lines, 4)]);
    insert_line(lines, at + 1, line);
    return true;
}

static bool toggle_accumulate(Lines *lines)
{
    int at = random_operator(lines, false);
    if (at < 0)
        return false;
    return strstr(lines->text[at], " += ") ? replace_word(lines->text[at], " += ", " = ")
                                           : replace_word(lines->text[at], " = ", " += ");
}

static bool change_slot(Lines *lines)
{
    static const char *const slots[] = {"[0]", "[1]", "[l0]", "[l1]", "[l2]", "[l1+1]", "[l2+1]", "[l1+1 % 2]"};
    int at = random_operator(lines, false);
    char *found[8];
    int count = 0;
    for (char *c = at >= 0 ? lines->text[at] : ""; *c && count < 8; c++)
        if (*c == '[')
            found[count++] = c;
    if (count == 0)
        return false;
    char *slot = found[below(lines, count)], *close = strchr(slot, ']');
    return close && replace(lines->text[at], slot, (size_t)(close - slot) + 1, slots[below(lines, 8)]);
}

static bool change_seed(Lines *lines)
{
    int at = random_operator(lines, false);
    char *seed = at >= 0 ? strstr(lines->text[at], " seed ") : NULL;
    char with[NAME_SIZE + 20];
    snprintf(with, sizeof with, " seed 1+1*@%s", lines->axes[below(lines, lines->axis_count)]);
    return seed && replace(lines->text[at], seed, strlen(seed), below(lines, 2) ? with : " seed 2");
}

/* Another buffer in one place of an operator. */
static bool retarget(Lines *lines)
{
    int at = random_operator(lines, below(lines, 2));
    if (at < 0)
        return false;
    char *found[8];
    size_t lengths[8];
    int count = 0;
    for (char *c = lines->text[at]; *c && *c != ';' && *c != ')' && count < 8;) {
        size_t length = 0;
        while (isalnum((unsigned char)c[length]) || c[length] == '_' || c[length] == '.')
            length++;
        bool name_here = length > 0 && isalpha((unsigned char)*c) && c[length] != '(' &&
                         (c == lines->text[at] || c[-1] == '(' || c[-1] == ' ');
        if (name_here) {
            found[count] = c;
            lengths[count++] = length;
        }
        c += length ? length : 1;
    }
    if (count == 0 || lines->name_count == 0)
        return false;
    int which = below(lines, count);
    return replace(lines->text[at], found[which], lengths[which], lines->names[below(lines, lines->name_count)]);
}

static bool start_without_wait(Lines *lines)
{
    int at = random_operator(lines, true);
    if (at < 0 || strstr(lines->text[at], " event "))
        return false;
    strncat(lines->text[at], " event 0 stream 1", LINE_SIZE - strlen(lines->text[at]) - 1);
    int later = at + 1 + below(lines, 6);
    if (below(lines, 4) > 0 && later < lines->count)
        insert_line(lines, later, "wait 0");
    return true;
}

static bool drop_wait(Lines *lines)
{
    for (int tries = 0; tries < 100; tries++) {
        int at = lines->program + below(lines, lines->count - lines->program);
        if (!starts(lines->text[at], "wait"))
            continue;
        remove_line(lines, at);
        return true;
    }
    return false;
}

static bool change_loop(Lines *lines)
{
    static const char *const bounds[] = {" 0..0", " 1..1", " 0..1", " 1..0 down", " 0..1 down", " 0..2"};
    for (int tries = 0; tries < 100; tries++) {
        int at = lines->program + below(lines, lines->count - lines->program);
        char *dots = starts(lines->text[at], "loop") ? strstr(lines->text[at], "..") : NULL;
        if (!dots)
            continue;
        while (dots > lines->text[at] && *dots != ' ')
            dots--;
        char *brace = strstr(dots, " {");
        return brace && replace(lines->text[at], dots, (size_t)(brace - dots), bounds[below(lines, 6)]);
    }
    return false;
}

static bool wrap_in_guard(Lines *lines)
{
    int at = random_operator(lines, below(lines, 2));
    if (at < 0)
        return false;
    char guard[LINE_SIZE];
    if (below(lines, 2))
        snprintf(guard, sizeof guard, "guard @%s in 0..0 {", lines->axes[below(lines, lines->axis_count)]);
    else
        snprintf(guard, sizeof guard, "guard l0 in %d..%d {", below(lines, 2), 1);
    insert_line(lines, at + 1, "}");
    insert_line(lines, at, guard);
    return true;
}

static bool swap_operands(Lines *lines)
{
    int at = random_operator(lines, false);
    char *open = at >= 0 ? strchr(lines->text[at], '(') : NULL, *comma = open ? strstr(open, ", ") : NULL;
    if (!comma)
        return false;
    size_t second = strcspn(comma + 2, ",;)");
    char swapped[LINE_SIZE];
    int needed =
        snprintf(swapped, sizeof swapped, "%.*s, %.*s", (int)second, comma + 2, (int)(comma - open - 1), open + 1);
    return needed < LINE_SIZE && replace(lines->text[at], open + 1, (size_t)(comma - open - 1) + 2 + second, swapped);
}

static bool insert_communication(Lines *lines)
{
    int at = random_operator(lines, false);
    if (at < 0 || lines->name_count == 0)
        return false;
    const char *name = lines->names[below(lines, lines->name_count)];
    char axes[2 * NAME_SIZE + 4], line[LINE_SIZE];
    random_axes(lines, axes, sizeof axes);
    snprintf(line, sizeof line, "%s = all_reduce(%s) %s over %s", name, name, below(lines, 4) ? "sum" : "max", axes);
    insert_line(lines, at, line);
    return true;
}

/* How a buffer is cut, or whether it lives on. */
static bool change_buffer(Lines *lines)
{
    for (int tries = 0; tries < 200; tries++) {
        int at = lines->program + below(lines, lines->count - lines->program);
        char *line = lines->text[at], cut[NAME_SIZE + 2];
        if (!starts(line, "buffer"))
            continue;
        snprintf(cut, sizeof cut, "/%s", lines->axes[below(lines, lines->axis_count)]);
        switch (below(lines, 4)) {
        case 0:
            return replace_word(line, cut, "");
        case 1:
            return replace_word(line, "/micro", "");
        case 2:
            return replace_word(line, " persistent", "");
        default:
            return replace_word(line, " slots 2", " slots 3");
        }
    }
    return false;
}

/* Who sends to whom, and on which channel. */
static bool change_peer(Lines *lines)
{
    static const char *const peers[] = {" index 0", " index 1", "+1", "-1"};
    int at = random_operator(lines, true);
    char *over = at >= 0 ? strstr(lines->text[at], " over ") : NULL, *index = over ? strstr(over, " index ") : NULL;
    if (!index)
        return false;
    if (below(lines, 4) == 0) {
        strncat(lines->text[at], " channel 7", LINE_SIZE - strlen(lines->text[at]) - 1);
        return true;
    }
    size_t length = strcspn(index + 7, " ") + 7;
    const char *peer = peers[below(lines, 4)];
    return *peer == ' ' ? replace(lines->text[at], index, length, peer) : replace(lines->text[at], index + length, 0, peer);
}

/* A coordinate, or a table at it, in any expression becomes that of another axis, or is shifted. */
static bool change_coordinate(Lines *lines)
{
    for (int tries = 0; tries < 200; tries++) {
        int at = lines->program + below(lines, lines->count - lines->program);
        char *found = strpbrk(lines->text[at], "@$"), with[NAME_SIZE + 2];
        if (!found)
            continue;
        size_t length = 1;
        while (isalnum((unsigned char)found[length]) || found[length] == '_')
            length++;
        lines->at = at;
        if (below(lines, 2))
            return replace(lines->text[at], found + length, 0, below(lines, 2) ? "+1" : "-1");
        snprintf(with, sizeof with, "@%s", lines->axes[below(lines, lines->axis_count)]);
        return replace(lines->text[at], found, length, with);
    }
    return false;
}

static const struct {
    const char *name;
    bool (*apply)(Lines *lines);
} mutations[] = {
    {"drop", drop},
    {"duplicate", duplicate},
    {"swap neighbours", swap_neighbours},
    {"move", move},
    {"operation", change_operation},
    {"axes", change_axes},
    {"reader", change_reader},
    {"microbatch", change_microbatch},
    {"sum to max", change_sum_to_max},
    {"number", change_number},
    {"scale", insert_scale},
    {"accumulate", toggle_accumulate},
    {"slot", change_slot},
    {"seed", change_seed},
    {"retarget", retarget},
    {"drop wait", drop_wait},
    {"start", start_without_wait},
    {"loop", change_loop},
    {"guard", wrap_in_guard},
    {"operands", swap_operands},
    {"communicate", insert_communication},
    {"buffer", change_buffer},
    {"peer", change_peer},
    {"coordinate", change_coordinate},
};

int mutate_kind_count(void)
{
    return sizeof mutations / sizeof mutations[0];
}

const char *mutate_kind_name(int kind)
{
    return mutations[kind].name;
}

bool mutate_apply(Lines *lines, int kind, Chance *chance)
{
    lines->chance = chance;
    for (int tries = 0; tries < 200; tries++)
        if (mutations[kind].apply(lines))
            return true;
    return false;
}

const char *mutate_operator(const Lines *lines, char *name, size_t size)
{
    const char *open = lines->at < lines->count ? strchr(lines->text[lines->at], '(') : NULL, *start = open;
    while (start && start > lines->text[lines->at] && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
        start--;
    snprintf(name, size, "%.*s", open ? (int)(open - start) : 1, open ? start : "-");
    return name;
}
