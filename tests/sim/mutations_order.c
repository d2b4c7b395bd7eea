/* mutations_order.c - changes of the order of operators, of waits, loops and guards. */
#include "tests/sim/line_edits.h"

#include <inttypes.h>

/* ---- Order -------------------------------------------------------------------------------------------------- */

bool any_operator(const Lines *lines, int at)
{
    return is_operator(lines, at);
}

bool drop_operator(Lines *lines, int at)
{
    remove_line(lines, at);
    return true;
}

bool duplicate_operator(Lines *lines, int at)
{
    insert_line(lines, at + 1, lines->text[at]);
    return true;
}

/* Whether one writes what the other uses: else their order cannot matter. */
bool next_depends(const Lines *lines, int at)
{
    if (!is_operator(lines, at) || !is_operator(lines, at + 1) || !strcmp(lines->text[at], lines->text[at + 1]))
        return false;
    char first[LINE_SIZE], second[LINE_SIZE];
    Ref a[MAX_REFS], b[MAX_REFS];
    memcpy(first, lines->text[at], LINE_SIZE);
    memcpy(second, lines->text[at + 1], LINE_SIZE);
    int a_count = references_of(first, a), b_count = references_of(second, b);
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < b_count; j++)
            if ((i == 0 || j == 0) && same_name(a[i], b[j]))
                return true;
    return is_communication(lines, at) && is_communication(lines, at + 1);
}

bool swap_neighbours(Lines *lines, int at)
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
bool can_move(const Lines *lines, int at)
{
    char variable[8];
    bool alone = at > 0 && *lines->text[at + 1] == '}' && sscanf(lines->text[at - 1], "loop %7s", variable) == 1;
    return is_operator(lines, at) && !(alone && strstr(lines->text[at], variable));
}

/* To somewhere near, mostly: far away its loops' variables are unknown. Out of blocks and into them, too. */
bool move_operator(Lines *lines, int at)
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
bool change_wait(Lines *lines, int at)
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

bool can_start(const Lines *lines, int at)
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

/* The variable of the innermost loop around the line; false if there is none. */
static bool loop_around(const Lines *lines, int at, char variable[8])
{
    int depth = 0;
    for (int l = at - 1; l > region_first(lines, at); l--) {
        const char *line = lines->text[l];
        depth += (*line == '}') - is_block(line);
        if (depth < 0 && sscanf(line, "loop %7s", variable) == 1)
            return true;
        if (depth < 0)
            depth = 0;
    }
    return false;
}

/* An event of its own, in a loop also one with slots, waited for a little later in the same block, or not at all. */
bool start_operator(Lines *lines, int at)
{
    int event = next_event(lines, at);
    char more[60], variable[8], slot[24] = "", waited[24] = "";
    if (loop_around(lines, at, variable) && once_in(lines, 3)) {
        snprintf(slot, sizeof slot, "[%s %% 2]", variable);
        snprintf(waited, sizeof waited, "[%s%s %% 2]", variable, once_in(lines, 2) ? "+1" : "");
    }
    snprintf(more, sizeof more, " event %d%s stream 1", event, slot);
    if (!append(lines->text[at], more))
        return false;
    int to = at + 1, depth = 0;
    for (int steps = below(lines, 10); steps > 0 && to < lines->count; steps--, to++) {
        depth += is_block(lines->text[to]) - (*lines->text[to] == '}');
        if (depth < 0)
            break;
    }
    snprintf(more, sizeof more, "wait %d%s", event, waited);
    if (depth <= 0 && !once_in(lines, 5))
        insert_line(lines, to, more);
    return true;
}

/* ---- Communicators ------------------------------------------------------------------------------------------ */

/* "communicator NAME over AXES [edges]": the name, and what is after it; false on other lines. */
static bool declares(const char *line, Ref *name, const char **rest)
{
    if (!starts(line, "communicator"))
        return false;
    name->at = (char *)line + strlen("communicator ");
    name->length = strcspn(name->at, " ");
    *rest = name->at + name->length;
    return true;
}

/* Another communicator, drawn from those over the same axes; false if it is the only one. */
static bool draw_other(Lines *lines, Ref name, Ref *other)
{
    Ref here, found;
    const char *rest, *axes = NULL;
    for (int l = lines->program; l < lines->count; l++)
        if (declares(lines->text[l], &here, &rest) && same_name(here, name))
            axes = rest;
    int count = 0;
    for (int l = lines->program; l < lines->count && axes; l++) {
        if (!declares(lines->text[l], &found, &rest) || same_name(found, name))
            continue;
        size_t length = strlen(axes) - (strstr(axes, " edges") ? strlen(" edges") : 0);
        bool same = !strncmp(rest, axes, length) && (!rest[length] || !strcmp(rest + length, " edges"));
        if (same && once_in(lines, ++count))
            *other = found;
    }
    return count > 0;
}

bool names_communicator(const Lines *lines, int at)
{
    return operator_has(lines, at, " communicator ");
}

bool change_communicator(Lines *lines, int at)
{
    char *from = strstr(lines->text[at], " communicator ") + strlen(" communicator "), with[LINE_SIZE];
    Ref name = {from, strcspn(from, " ")}, other;
    if (!draw_other(lines, name, &other))
        return false;
    snprintf(with, sizeof with, "%.*s", (int)other.length, other.at);
    return replace(lines->text[at], from, name.length, with);
}

bool is_communicator(const Lines *lines, int at)
{
    return starts(lines->text[at], "communicator");
}

/* One for all ranks along the axis in place of one for each edge, or another one in its place everywhere. */
bool merge_communicators(Lines *lines, int at)
{
    Ref name, other;
    const char *rest;
    char *edges = strstr(lines->text[at], " edges"), own[LINE_SIZE], with[LINE_SIZE];
    if (edges && once_in(lines, 2)) {
        *edges = '\0';
        return true;
    }
    if (!declares(lines->text[at], &name, &rest) || !draw_other(lines, name, &other))
        return false;
    snprintf(own, sizeof own, "%.*s", (int)name.length, name.at);
    snprintf(with, sizeof with, "%.*s", (int)other.length, other.at);
    for (int l = lines->program; l < lines->count; l++) {
        char *from = is_operator(lines, l) ? strstr(lines->text[l], " communicator ") : NULL;
        from = from ? from + strlen(" communicator ") : NULL;
        if (from && strcspn(from, " ") == strlen(own) && !strncmp(from, own, strlen(own)) &&
            !replace(lines->text[l], from, strlen(own), with))
            return false;
    }
    remove_line(lines, at);
    return true;
}

/* The next communication in the same block; -1: none. */
static int next_issued(const Lines *lines, int at)
{
    for (int l = at + 1; l < lines->count && !is_block(lines->text[l]) && *lines->text[l] != '}'; l++)
        if (is_communication(lines, l))
            return l;
    return -1;
}

bool can_issue_later(const Lines *lines, int at)
{
    return is_communication(lines, at) && next_issued(lines, at) >= 0;
}

/* Two communications change places. */
bool swap_issues(Lines *lines, int at)
{
    char line[LINE_SIZE];
    int to = next_issued(lines, at);
    memcpy(line, lines->text[at], LINE_SIZE);
    memcpy(lines->text[at], lines->text[to], LINE_SIZE);
    memcpy(lines->text[to], line, LINE_SIZE);
    return strcmp(line, lines->text[at]) != 0;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------- */

/* Other bounds, one iteration, or the other direction. */
bool change_loop(Lines *lines, int at)
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

bool change_guard(Lines *lines, int at)
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

bool wrap_in_guard(Lines *lines, int at)
{
    char guard[LINE_SIZE], variables[MAX_FOUND][8];
    int count = variables_in_scope(lines, at, variables), low = below(lines, 2);
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
