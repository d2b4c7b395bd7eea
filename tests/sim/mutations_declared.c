/* mutations_declared.c - changes of declarations: what both programs are about, and how buffers are laid out. */
#include "tests/sim/line_edits.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_PARTS = 64 };

/* ---- Words and numbers -------------------------------------------------------------------------------------- */

/* The numbers that begin within a line, but not those within names. */
static int numbers_in(char *from, const char *end, char **numbers)
{
    int count = 0;
    for (char *c = from; c < end && *c && count < MAX_PARTS; c++)
        if (isdigit((unsigned char)*c) && strchr(" [{+-.,/", c[-1]))
            numbers[count++] = c;
    return count;
}

/* One more, one less, or twice as much. */
static bool change_number_in(Lines *lines, char *line, char *from, const char *end)
{
    char *numbers[MAX_PARTS], with[32];
    int count = numbers_in(from, end, numbers);
    if (count == 0)
        return false;
    char *number = numbers[below(lines, count)];
    int64_t value = strtoll(number, NULL, 10), other = once_in(lines, 4) ? 2 * value : value + 2 * below(lines, 2) - 1;
    snprintf(with, sizeof with, "%" PRId64, other);
    return replace(line, number, strspn(number, "0123456789"), with);
}

static bool change_any_number(Lines *lines, int at)
{
    char *line = lines->text[at];
    return change_number_in(lines, line, line + strcspn(line, " "), line + strlen(line));
}

/* The name in another declaration of that word; false where there is none. */
static bool declared_name(Lines *lines, const char *word, char *name)
{
    int count = 0;
    for (int l = 0; l < lines->reference; l++)
        count += starts(lines->text[l], word);
    int which = count ? below(lines, count) : 0;
    for (int l = 0; l < lines->reference && count; l++)
        if (starts(lines->text[l], word) && which-- == 0)
            return sscanf(lines->text[l] + strlen(word), " %63s", name) == 1;
    return false;
}

/* The name after " WORD ". */
static bool change_name_after(Lines *lines, char *line, const char *word, const char *declared)
{
    char *found = strstr(line, word), name[NAME_SIZE];
    if (!found || !declared_name(lines, declared, name))
        return false;
    found += strlen(word);
    return replace(line, found, strcspn(found, " /,"), name);
}

/* One of the words that the line has becomes another of them. */
static bool change_word(Lines *lines, char *line, const char *const *words, int count)
{
    for (int w = 0; w < count; w++) {
        char *found = strstr(line, words[w]);
        size_t length = strlen(words[w]);
        if (found && (found[length] == ' ' || found[length] == '\0'))
            return replace(line, found, length, words[below(lines, count)]);
    }
    return false;
}

#define CHANGE_WORD(lines, line, words) change_word((lines), (line), (words), (int)(sizeof(words) / sizeof((words)[0])))

/* Taken out where it is there, else put at the end. */
static bool toggle(char *line, const char *word)
{
    return strstr(line, word) ? replace_word(line, word, "") : append(line, word);
}

static const char *const dtypes[] = {" f32", " f64", " bf16", " i32"};

/* ---- Lists -------------------------------------------------------------------------------------------------- */

typedef struct Parts {
    int count;
    char text[MAX_PARTS][LINE_SIZE / 2];
} Parts;

/* What stands between commas that are outside brackets; false where it is too much. */
static bool split(const char *from, Parts *parts)
{
    parts->count = 0;
    while (*from) {
        size_t length = 0;
        for (int depth = 0; from[length] && (depth > 0 || from[length] != ','); length++)
            depth += (from[length] == '[') - (from[length] == ']');
        if (parts->count == MAX_PARTS || length >= sizeof parts->text[0])
            return false;
        snprintf(parts->text[parts->count++], sizeof parts->text[0], "%.*s", (int)length, from);
        from += length;
        from += strspn(from, ", ");
    }
    return parts->count > 0;
}

static bool join(char *line, char *from, const Parts *parts)
{
    *from = '\0';
    for (int p = 0; p < parts->count; p++)
        if ((p > 0 && !append(line, ", ")) || !append(line, parts->text[p]))
            return false;
    return parts->count > 0;
}

static void swap_parts(Parts *parts, int a, int b)
{
    char text[LINE_SIZE / 2];
    memcpy(text, parts->text[a], sizeof text);
    memcpy(parts->text[a], parts->text[b], sizeof text);
    memcpy(parts->text[b], text, sizeof text);
}

/* One left out, doubled, or exchanged with another. */
static bool change_order(Lines *lines, Parts *parts)
{
    int which = below(lines, parts->count), other = below(lines, parts->count);
    switch (below(lines, 3)) {
    case 0:
        memmove(parts->text[which], parts->text[which + 1], (size_t)(parts->count - which - 1) * sizeof parts->text[0]);
        parts->count--;
        return true;
    case 1:
        if (parts->count == MAX_PARTS)
            return false;
        memcpy(parts->text[parts->count++], parts->text[which], sizeof parts->text[0]);
        return true;
    default:
        swap_parts(parts, which, other);
        return which != other;
    }
}

/* ---- Dims and cuts ------------------------------------------------------------------------------------------ */

/* The dims in brackets. */
static bool find_dims(char *line, char **from, Parts *parts)
{
    char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL, dims[LINE_SIZE];
    if (!close || close == open + 1)
        return false;
    *from = open;
    snprintf(dims, sizeof dims, "%.*s", (int)(close - open - 1), open + 1);
    return split(dims, parts);
}

static bool put_dims(char *line, char *open, const Parts *parts)
{
    char *close = strchr(open, ']'), rest[LINE_SIZE];
    snprintf(rest, sizeof rest, "%s", close);
    return join(line, open + 1, parts) && append(line, rest);
}

/* Two dims exchanged, one left out or doubled. */
static bool change_dim_order(Lines *lines, char *line)
{
    static Parts parts;
    char *open;
    return find_dims(line, &open, &parts) && change_order(lines, &parts) && put_dims(line, open, &parts);
}

static bool change_dim(Lines *lines, char *line)
{
    char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL;
    return close && change_number_in(lines, line, open, close);
}

/* "/a/b" becomes "/b/a". */
static bool swap_cuts(Lines *lines, char *line)
{
    char *pairs[MAX_FOUND], with[2 * NAME_SIZE + 2];
    int count = 0;
    for (char *c = line; *c && count < MAX_FOUND; c++)
        if (*c == '/' && c[1 + strcspn(c + 1, "/,] ")] == '/')
            pairs[count++] = c;
    if (count == 0)
        return false;
    char *first = pairs[below(lines, count)], *second = first + 1 + strcspn(first + 1, "/");
    int first_length = (int)(second - first), second_length = 1 + (int)strcspn(second + 1, "/,] ");
    if (first_length + second_length >= (int)sizeof with)
        return false;
    snprintf(with, sizeof with, "%.*s%.*s", second_length, second, first_length, first);
    return replace(line, first, (size_t)(first_length + second_length), with);
}

/* After the size of a dim, or after another cut of it: one more axis; or one less, or another. */
static bool change_a_cut(Lines *lines, char *line)
{
    char *found[MAX_FOUND], cut[NAME_SIZE + 2];
    int count = 0;
    char *open = strchr(line, '[');
    for (char *c = open ? open : line; *c && count < MAX_FOUND; c++)
        if (*c == '/' || (isdigit((unsigned char)*c) && strchr("[ ", c[-1])))
            found[count++] = c;
    if (count == 0)
        return false;
    char *at = found[below(lines, count)];
    snprintf(cut, sizeof cut, "/%s", once_in(lines, 6) ? "micro" : lines->axes[below(lines, lines->axis_count)]);
    if (isdigit((unsigned char)*at))
        return replace(line, at + strspn(at, "0123456789"), 0, cut);
    return replace(line, at, 1 + strcspn(at + 1, "/,] +"), once_in(lines, 2) ? "" : cut);
}

/* A dim of several segments, or of others. */
static bool change_segments(Lines *lines, char *line)
{
    char *open = strchr(line, '['), *brace = strchr(line, '{'), with[64], *numbers[MAX_PARTS];
    if (brace && once_in(lines, 2))
        return change_number_in(lines, line, brace, strchr(brace, '}'));
    if (brace)
        return replace(line, brace, strcspn(brace, "}") + 1, "");
    int count = open ? numbers_in(open, strchr(open, ']'), numbers) : 0;
    if (count == 0)
        return false;
    char *number = numbers[below(lines, count)];
    int size = atoi(number), first = size > 1 ? 1 + below(lines, size - 1) : 1;
    snprintf(with, sizeof with, "{%d, %d}", first, size - first);
    return replace(line, number + strspn(number, "0123456789"), 0, with);
}

static bool change_halo(Lines *lines, char *line)
{
    char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL, with[24];
    if (!close || close == open + 1)
        return false;
    snprintf(with, sizeof with, "+%d+%d", below(lines, 2), below(lines, 2));
    return replace(line, close, 0, once_in(lines, 3) ? " padded" : with);
}

/* ---- Declarations ------------------------------------------------------------------------------------------- */

/* Each changes one line; which, the word at its beginning says. */
static bool change_axis(Lines *lines, int at)
{
    return once_in(lines, 3) ? toggle(lines->text[at], " copies") : change_any_number(lines, at);
}

static bool change_table(Lines *lines, int at)
{
    char *line = lines->text[at], name[NAME_SIZE], *word = line + strcspn(line, " ") + 1;
    if (!once_in(lines, 4) || !declared_name(lines, "axis", name))
        return change_any_number(lines, at);
    word += strcspn(word, " ") + 1;
    return replace(line, word, strcspn(word, " "), name);
}

static bool change_tensor(Lines *lines, int at)
{
    static const char *const inits[] = {" init zeros", " init ones", " init normal 0.5", " init uniform 0.25"};
    static const char *const kinds[] = {" parameter", " statistic", " input"};
    char *line = lines->text[at], *init = strstr(line, " init "), *in = strstr(line, " in ");
    bool frozen = strstr(line, " frozen");
    switch (below(lines, 8)) {
    case 0:
        return change_dim_order(lines, line);
    case 1:
        return init && replace(line, init, strlen(init), PICK(lines, inits)) && (!frozen || append(line, " frozen"));
    case 2:
        return init && toggle(line, " frozen");
    case 3:
        return in ? replace(line, in, 4 + strcspn(in + 4, " "), "") : CHANGE_WORD(lines, line, dtypes);
    case 4:
        return CHANGE_WORD(lines, line, kinds);
    case 5:
        return change_any_number(lines, at);
    default:
        return change_dim(lines, line);
    }
}

static bool change_state(Lines *lines, int at)
{
    static const char *const numbers[] = {" per_parameter", " per_row", " per_column", " per_tensor", " scalar"};
    static const char *const kinds[] = {" parameters", " gradients", " optimizer", " statistics"};
    char *line = lines->text[at], *rest = line + strlen("state ");
    rest += strcspn(rest, " "); /* after its name, which may be such a word */
    switch (below(lines, 4)) {
    case 0:
        return toggle(line, " from_parameters");
    case 1:
        return CHANGE_WORD(lines, rest, dtypes);
    case 2:
        return CHANGE_WORD(lines, rest, kinds);
    default:
        return CHANGE_WORD(lines, rest, numbers);
    }
}

/* A member's dims, all written, as the tensor has them: so that they can be cut. */
static bool write_dims(const Lines *lines, char *member, size_t size)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(member, "["), member);
    for (int l = 0; l < lines->reference && !strchr(member, '['); l++) {
        const char *line = lines->text[l], *open = strchr(line, '[');
        char other[NAME_SIZE];
        if (open && sscanf(line, "tensor %63s", other) == 1 && !strcmp(name, other))
            snprintf(member, size, "%s%.*s", name, (int)(strcspn(open, "]") + 1), open);
    }
    return strchr(member, '[') != NULL;
}

static bool change_member(Lines *lines, char *member, size_t size)
{
    char name[NAME_SIZE];
    size_t length = strcspn(member, "[");
    if (strlen(member) > NAME_SIZE)
        return false;
    if (once_in(lines, 5) && declared_name(lines, "tensor", name))
        return replace(member, member, length, name);
    if (!write_dims(lines, member, size))
        return false;
    switch (below(lines, 5)) {
    case 0:
        return change_dim(lines, member);
    case 1:
        return swap_cuts(lines, member);
    case 2:
        return change_segments(lines, member);
    default:
        return change_a_cut(lines, member);
    }
}

/* Its members: which, in which order, cut how; of which layers. */
static bool change_unit(Lines *lines, int at)
{
    static Parts members;
    char *line = lines->text[at], *equals = strstr(line, " = ");
    if (!equals || (strstr(line, " in ") && once_in(lines, 5)))
        return equals && change_number_in(lines, line, line + strlen("unit"), equals);
    if (!split(equals + 3, &members))
        return false;
    int which = below(lines, members.count);
    bool changed = once_in(lines, 2) ? change_order(lines, &members)
                                     : change_member(lines, members.text[which], sizeof members.text[0]);
    return changed && join(line, equals + 3, &members);
}

/* What is where in a checkpoint, as it was written or is read. */
static bool change_map(Lines *lines, int at)
{
    static Parts runs;
    char *line = lines->text[at], *equals = strstr(line, " = "), name[NAME_SIZE];
    if (!equals || !split(equals + 3, &runs))
        return false;
    char *run = runs.text[below(lines, runs.count)], *of = strstr(run, " of ");
    switch (below(lines, 5)) {
    case 0:
        return change_any_number(lines, at);
    case 1:
        return change_name_after(lines, line, " of ", "tensor");
    case 2:
        return declared_name(lines, "state", name) &&
               replace(line, strchr(line, ' ') + 1, (size_t)(equals - strchr(line, ' ') - 1), name);
    case 3:
        return of && replace(run, of, strlen(of), " padding") && join(line, equals + 3, &runs);
    default:
        return change_order(lines, &runs) && join(line, equals + 3, &runs);
    }
}

/* What a kind of declarations is; the order of two of them, too, and how many there are. */
static bool change_declaration(Lines *lines, int at, bool (*change)(Lines *lines, int at))
{
    char line[LINE_SIZE], word[NAME_SIZE];
    memcpy(line, lines->text[at], LINE_SIZE);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " "), line);
    if (!once_in(lines, 6))
        return change(lines, at);
    if (starts(lines->text[at + 1], word) && !once_in(lines, 3)) {
        memcpy(lines->text[at], lines->text[at + 1], LINE_SIZE);
        memcpy(lines->text[at + 1], line, LINE_SIZE);
    } else if (once_in(lines, 2)) {
        remove_line(lines, at);
    } else {
        insert_line(lines, at, line);
    }
    return true;
}

#define DECLARATION(word, change)                                                                                      \
    static bool is_##word(const Lines *lines, int at)                                                                  \
    {                                                                                                                  \
        return starts(lines->text[at], #word);                                                                         \
    }                                                                                                                  \
    static bool change_this_##word(Lines *lines, int at)                                                               \
    {                                                                                                                  \
        return change_declaration(lines, at, change);                                                                  \
    }

DECLARATION(axis, change_axis)
DECLARATION(micro, change_any_number)
DECLARATION(table, change_table)
DECLARATION(group, change_any_number)
DECLARATION(tensor, change_tensor)
DECLARATION(state, change_state)
DECLARATION(unit, change_unit)
DECLARATION(saved, change_map)
DECLARATION(loaded, change_map)

static bool is_map(const Lines *lines, int at)
{
    return is_saved(lines, at) || is_loaded(lines, at);
}

static bool change_this_map(Lines *lines, int at)
{
    return is_saved(lines, at) ? change_this_saved(lines, at) : change_this_loaded(lines, at);
}

/* ---- Checkpoints -------------------------------------------------------------------------------------------- */

enum { MOST_RUNS = 14 };

/* Elements of a layer, and layers, of the tensor that a declaration is of. */
static int64_t elements_of(const Lines *lines, int at, int64_t *layers)
{
    const char *line = lines->text[at], *open = strchr(line, '['), *in = strstr(line, " in ");
    char group[NAME_SIZE] = "", name[NAME_SIZE];
    int64_t elements = 1;
    while (open && *open && *open != ']' && open[1] != ']')
        elements *= strtoll(open + 1, (char **)&open, 10);
    *layers = 1;
    if (in && sscanf(in + 4, "%63s", group) == 1)
        for (int l = 0; l < lines->reference; l++)
            if (sscanf(lines->text[l], "group %63s %" SCNd64, name, layers) == 2 && !strcmp(name, group))
                break;
    return elements;
}

/* Of which tensor, layer and copy. */
typedef struct Rested {
    const char *name;
    int64_t layer, elements;
    int copy;
} Rested;

static void put_run(Parts *runs, const Rested *of, int64_t first, int64_t count)
{
    char *text = runs->text[runs->count++];
    size_t size = sizeof runs->text[0];
    int length = snprintf(text, size, "%" PRId64 " of %s %" PRId64 " %" PRId64, count, of->name, of->layer, first);
    if (of->copy > 0 && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, " copy %d", of->copy);
}

static bool add_run(Parts *runs, Chance *chance, const Rested *of)
{
    int64_t first = of->elements;
    if (first > 1 && chance_once_in(chance, 3))
        first = 1 + chance_below(chance, (int)first - 1);
    if (runs->count + 3 > MOST_RUNS)
        return false;
    put_run(runs, of, 0, first);
    if (first < of->elements)
        put_run(runs, of, first, of->elements - first);
    if (chance_once_in(chance, 4))
        snprintf(runs->text[runs->count++], sizeof runs->text[0], "%d padding", 1 + chance_below(chance, 3));
    return true;
}

static int copies_of(const Lines *lines)
{
    char name[NAME_SIZE], word[NAME_SIZE];
    int copies = 1, size;
    for (int l = 0; l < lines->reference; l++)
        if (sscanf(lines->text[l], "axis %63s %d %63s", name, &size, word) == 3)
            copies *= size;
    return copies;
}

static bool is_rested(const Lines *lines, const char *state, const char *name)
{
    char rests[3 * NAME_SIZE];
    int length = snprintf(rests, sizeof rests, " persistent state %s of %s", state, name);
    for (int l = lines->reference; l < lines->program; l++) {
        const char *found = strstr(lines->text[l], rests);
        if (found && (found[length] == ' ' || found[length] == '\0'))
            return true;
    }
    return false;
}

/* Every tensor whose parameters the reference rests. */
static bool find_runs(const Lines *lines, Chance *chance, const char *state, Parts *runs)
{
    char name[NAME_SIZE];
    runs->count = 0;
    for (int t = 0; t < lines->reference; t++) {
        int64_t layers, elements = elements_of(lines, t, &layers);
        if (sscanf(lines->text[t], "tensor %63s", name) != 1 || !is_rested(lines, state, name))
            continue;
        for (int copy = 0; copy < copies_of(lines); copy++)
            for (int64_t layer = 0; layer < layers; layer++)
                if (!add_run(runs, chance, &(Rested){name, layer, elements, copy}))
                    return false;
    }
    return runs->count > 0;
}

void mutate_save(Lines *lines, Chance *chance)
{
    static Parts runs;
    char state[NAME_SIZE] = "", text[LINE_SIZE];
    int at = 0;
    for (int l = lines->reference - 1; l > 0; l--) {
        char kind[NAME_SIZE], each[NAME_SIZE];
        if (is_map(lines, l))
            return;
        if (sscanf(lines->text[l], "state %63s %63s %63s", text, kind, each) == 3 && !strcmp(kind, "parameters") &&
            !strcmp(each, "per_parameter")) {
            memcpy(state, text, sizeof state);
            at = l;
        }
    }
    if (at == 0 || !find_runs(lines, chance, state, &runs))
        return;
    for (int r = runs.count - 1; r > 0; r--)
        swap_parts(&runs, r, chance_below(chance, r + 1));
    snprintf(text, sizeof text, "%s = ", state);
    if (!join(text, text + strlen(text), &runs) || strlen(text) > LINE_SIZE - 16)
        return;
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "loaded %.*s", LINE_SIZE - 16, text);
    insert_line(lines, lines->reference - 1, line);
    snprintf(line, sizeof line, "saved %.*s", LINE_SIZE - 16, text);
    insert_line(lines, lines->reference - 1, line);
}

/* ---- Buffers and moments ------------------------------------------------------------------------------------ */

bool fits_layout(const Lines *lines, int at)
{
    return starts(lines->text[at], "buffer");
}

/* Sizes, order of dims, order of axes in a cut, segments, halos; whose state it is, in which dtype, of which layers. */
bool change_layout(Lines *lines, int at)
{
    static const char *const numbers[] = {" rows", " columns", " tensors"};
    char *line = lines->text[at], *layers = strstr(line, " layers ");
    switch (below(lines, 10)) {
    case 0:
        return swap_cuts(lines, line);
    case 1:
        return change_dim(lines, line);
    case 2:
        return change_dim_order(lines, line);
    case 3:
        return change_segments(lines, line);
    case 4:
        return change_halo(lines, line);
    case 5:
        return CHANGE_WORD(lines, line, dtypes);
    case 6:
        return change_name_after(lines, line, " state ", "state");
    case 7:
        return change_name_after(lines, line, " of ", "tensor");
    case 8:
        return CHANGE_WORD(lines, line, numbers) || change_name_after(lines, line, " unit ", "unit");
    default:
        return layers ? change_number_in(lines, line, layers, line + strlen(line)) : change_a_cut(lines, line);
    }
}

static bool is_moment(const Lines *lines, int at)
{
    return starts(lines->text[at], "routine") && strstr(lines->text[at], " every ");
}

/* Every N steps, of the reference or of the program: never, or after every so many others. */
static bool change_moment(Lines *lines, int at)
{
    enum { MOST_STEPS = 6 };
    char *line = lines->text[at], *every = strstr(line, " every "), with[24] = " ";
    if (!once_in(lines, 5))
        snprintf(with, sizeof with, " every %d ", 1 + below(lines, MOST_STEPS));
    return replace(line, every, strcspn(every, "{"), with);
}

const Mutation declared_mutations[] = {
    {"axis", DECLARED, is_axis, change_this_axis},       {"micro", DECLARED, is_micro, change_this_micro},
    {"table", DECLARED, is_table, change_this_table},    {"group", DECLARED, is_group, change_this_group},
    {"tensor", DECLARED, is_tensor, change_this_tensor}, {"state", DECLARED, is_state, change_this_state},
    {"unit", DECLARED, is_unit, change_this_unit},       {"checkpoint", DECLARED, is_map, change_this_map},
    {"layout", IN_PROGRAM, fits_layout, change_layout},  {"moment", IN_BOTH, is_moment, change_moment},
};

const int declared_mutation_count = sizeof declared_mutations / sizeof declared_mutations[0];
