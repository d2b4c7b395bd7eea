/* mutations.c - the kinds of changes, and what a line is. */
#include "tests/sim/line_edits.h"

enum { TRIES = 30 };

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

/* Leaves out " WORD" and the number after it. */
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
    size_t after = offsetof(Lines, chance);
    memcpy(to, from, offsetof(Lines, text));
    memcpy(to->text, from->text, (size_t)from->count * LINE_SIZE);
    memcpy((char *)to + after, (const char *)from + after, sizeof(Lines) - after);
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

bool is_block(const char *line)
{
    return starts(line, "loop") || starts(line, "guard") || starts(line, "routine");
}

static bool is_operator_text(const char *line)
{
    return strchr(line, '(') && !is_block(line) && !starts(line, "buffer");
}

/* Of the program that the line is of, the reference or the other: its first line, and what comes after the last. */
int region_first(const Lines *lines, int at)
{
    return at >= lines->program ? lines->program : lines->reference;
}

int region_end(const Lines *lines, int at)
{
    return at >= lines->program ? lines->count : lines->program - 1;
}

bool is_operator(const Lines *lines, int at)
{
    return at < lines->count && is_operator_text(lines->text[at]);
}

bool has_peer(const Lines *lines, int at)
{
    static const char *const names[] = {"permute(", "broadcast(", "send(", "recv("};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        if (strstr(lines->text[at], names[n]))
            return is_operator(lines, at);
    return false;
}

bool is_communication(const Lines *lines, int at)
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

bool is_buffer(const Lines *lines, int at)
{
    return starts(lines->text[at], "buffer");
}

bool operator_has(const Lines *lines, int at, const char *word)
{
    return is_operator(lines, at) && strstr(lines->text[at], word);
}

/* The loop variables that the line may use; how many. */
int variables_in_scope(const Lines *lines, int at, char variables[][8])
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

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || (length > 0 && strchr("_.*-", text[length]) && text[length]) ||
           text[length] == '_')
        length++;
    return length;
}

/* The names that an operator's references begin with, the result's first; how many. */
int references_of(char *line, Ref *refs)
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

bool same_name(Ref a, Ref b)
{
    return a.length == b.length && !strncmp(a.at, b.at, a.length);
}

const char *layout_of(const LineNames *names, Ref ref)
{
    for (int n = 0; n < names->count; n++)
        if (strlen(names->name[n]) == ref.length && !strncmp(names->name[n], ref.at, ref.length))
            return names->layout[n];
    return "";
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
    return operator_has(lines, at, " read(") && !strstr(lines->text[at], " over ");
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

GROUP(order, {any_operator, drop_operator}, {any_operator, duplicate_operator}, {next_depends, swap_neighbours},
      {can_move, move_operator})
GROUP(work, {has_operation, change_operation}, {has_number, change_number}, {has_whole_result, insert_scale},
      {has_result, toggle_accumulate}, {has_operands, swap_operands}, {has_spec, change_spec},
      {has_reference, retarget})
GROUP(names, {has_seed, change_seed}, {has_other_name, change_name}, {has_slot, change_slot}, {has_index, change_index})
GROUP(blocks, {is_loop, change_loop}, {is_guard, change_guard}, {any_operator, wrap_in_guard})
GROUP(layouts, {is_buffer, change_buffer}, {is_buffer, change_layout})
GROUP(ranks, {has_reference, insert_communication}, {has_other_axes, change_axes}, {reads_whole, read_a_part})
GROUP(race, {can_start_any, start_operator}, {is_wait, change_wait})

/* ---- Kinds -------------------------------------------------------------------------------------------------- */

static const Mutation mutations[] = {
    {"drop", IN_PROGRAM, any_operator, drop_operator},
    {"duplicate", IN_PROGRAM, any_operator, duplicate_operator},
    {"swap neighbours", IN_PROGRAM, next_depends, swap_neighbours},
    {"move", IN_PROGRAM, can_move, move_operator},
    {"operation", IN_PROGRAM, has_operation, change_operation},
    {"axes", IN_PROGRAM, has_other_axes, change_axes},
    {"reader", IN_PROGRAM, reads_a_part, change_reader},
    {"microbatch", IN_PROGRAM, has_index, change_index},
    {"sum to max", IN_PROGRAM, takes_a_sum, change_sum_to_max},
    {"number", IN_PROGRAM, has_number, change_number},
    {"scale", IN_PROGRAM, has_whole_result, insert_scale},
    {"accumulate", IN_PROGRAM, has_result, toggle_accumulate},
    {"slot", IN_PROGRAM, has_slot, change_slot},
    {"seed", IN_PROGRAM, has_seed, change_seed},
    {"retarget", IN_PROGRAM, has_reference, retarget},
    {"wait", IN_PROGRAM, is_wait, change_wait},
    {"start", IN_PROGRAM, can_start, start_operator},
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
    {"communicator", IN_PROGRAM, names_communicator, change_communicator},
    {"merged communicators", IN_PROGRAM, is_communicator, merge_communicators},
    {"order of issue", IN_PROGRAM, can_issue_later, swap_issues},
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
    const char *line = lines->text[at], *open = is_operator(lines, at) ? strchr(line, '(') : NULL,
               *start_operator = open;
    while (start_operator && start_operator > line &&
           (isalnum((unsigned char)start_operator[-1]) || start_operator[-1] == '_'))
        start_operator--;
    if (open)
        snprintf(name, size, "%.*s", (int)(open - start_operator), start_operator);
    else
        snprintf(name, size, "%.*s", (int)strcspn(line, " "), line);
    return name;
}
