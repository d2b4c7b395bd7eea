/* mutations_names.c - changes of the buffers that operators name, and of these. */
#include "tests/sim/line_edits.h"

#include <stdlib.h>

/* ---- References and buffers --------------------------------------------------------------------------------- */

bool has_reference(const Lines *lines, int at)
{
    char line[LINE_SIZE];
    Ref refs[MAX_REFS];
    memcpy(line, lines->text[at], LINE_SIZE);
    return is_operator(lines, at) && references_of(line, refs) > 0;
}

/* Another buffer in one place of an operator, mostly one of the same layout. */
bool retarget(Lines *lines, int at)
{
    Ref refs[MAX_REFS];
    Ref ref = refs[below(lines, references_of(lines->text[at], refs))];
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

bool has_operands(const Lines *lines, int at)
{
    const char *open = strchr(lines->text[at], '('), *comma = open ? strstr(open, ", ") : NULL;
    const char *close = open ? strpbrk(open, ";)") : NULL;
    return is_operator(lines, at) && comma && close && comma < close;
}

bool swap_operands(Lines *lines, int at)
{
    char *open = strchr(lines->text[at], '('), *comma = strstr(open, ", ");
    size_t second = strcspn(comma + 2, ",;)");
    char swapped[LINE_SIZE];
    int needed =
        snprintf(swapped, sizeof swapped, "%.*s, %.*s", (int)second, comma + 2, (int)(comma - open - 1), open + 1);
    return needed < LINE_SIZE && replace(lines->text[at], open + 1, (size_t)(comma - open - 1) + 2 + second, swapped);
}

/* The letters of dims, after the parenthesis. */
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

bool has_spec(const Lines *lines, int at)
{
    char line[LINE_SIZE], *letters[MAX_LETTERS];
    memcpy(line, lines->text[at], LINE_SIZE);
    return is_operator(lines, at) && letters_of(line, letters) > 1;
}

/* A dim gets another one's letter, two exchange theirs, or one is left out. */
bool change_spec(Lines *lines, int at)
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

/* Whether the same operator is there, with another one's name. */
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

bool has_other_name(const Lines *lines, int at)
{
    size_t length;
    bool found = false;
    int end = region_end(lines, at);
    for (int l = region_first(lines, at); l < end && !found && attribute_of(lines->text[at], &length); l++)
        found = is_operator(lines, at) && names_another(lines, at, l);
    return found;
}

bool change_name(Lines *lines, int at)
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

/* A reduction of something that the operator uses, before or after it. */
bool insert_communication(Lines *lines, int at)
{
    Ref refs[MAX_REFS];
    Ref ref = refs[below(lines, references_of(lines->text[at], refs))];
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

/* How a buffer is cut, whether it lives on, how many slots it has, where it is and who has it. */
bool change_buffer(Lines *lines, int at)
{
    static bool (*const changes[])(Lines * lines, char *line) = {change_slots, change_place, change_tier,
                                                                 change_holders, change_pieces};
    char *line = lines->text[at];
    int which = below(lines, 9);
    if (which < 5)
        return changes[which](lines, line);
    return which == 5 ? replace_word(line, " persistent", "") : change_cut(lines, line);
}
