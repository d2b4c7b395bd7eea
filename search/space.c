/* space.c - the space's tables, its lines in the program, and the text of a strategy (search/space.h). */
#include "search/space.h"

#include "base/str.h"
#include "parser/resolve.h"
#include "strategy/assign.h"

#include <math.h>
#include <string.h>

const char *const degree_names[DEGREE_COUNT] = {
#define DEGREE(ID, name) [DEGREE_##ID] = name,
#include "search/degree.def"
#undef DEGREE
};

const char *const objective_names[MOST_THROUGHPUT + 1] = {[LEAST_TIME] = "least time",
                                                          [LEAST_MEMORY] = "least memory",
                                                          [LEAST_PRICE] = "least price",
                                                          [LEAST_BOTH] = "least time and memory",
                                                          [MOST_THROUGHPUT] = "most throughput"};

static const int group_degrees[GROUP_COUNT] = {
#define GROUP(ID, degree) [GROUP_##ID] = degree,
#define OPTION(group, name, call)
#include "search/option.def"
#undef OPTION
#undef GROUP
};

static const struct {
    OptionGroup group;
    const char *name, *call;
} option_rows[] = {
#define GROUP(ID, degree)
#define OPTION(group, name, call) {GROUP_##group, name, call},
#include "search/option.def"
#undef OPTION
#undef GROUP
};

enum { OPTION_ROWS = sizeof option_rows / sizeof *option_rows, MOST_MICROBATCHES = 1 << 20 };

static const double MOST_MEMORY_BYTES = 1125899906842624.0; /* 1024 TiB */

static void set_defaults(Space *space)
{
    for (int group = 0; group < GROUP_COUNT; group++)
        space->options[group].degree = group_degrees[group];
    for (int i = 0; i < OPTION_ROWS; i++) {
        Options *options = &space->options[option_rows[i].group];
        options->option[options->count++] = (Option){.name = option_rows[i].name, .call = option_rows[i].call};
    }
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        space->degree[degree] = (Limit){.low = 1, .high = INT32_MAX};
    space->micro = (Limit){.low = 1, .high = MOST_MICROBATCHES};
}

/* ---- Lines -------------------------------------------------------------------------------------------------- */

static bool refuse_form(Ctx *ctx, const AstNode *line, const char *form)
{
    Diagnostic *d = diag_report(ctx->diag, P0206, line->span, "'%s' is not understood here", resolve_text(ctx, line));
    diag_help(d, "Its form is: %s", form);
    return false;
}

static bool read_limit(Ctx *ctx, const AstNode *line, const char *name, Limit *limit)
{
    const AstNode *number;
    bool most = ast_match(line, "at most #", &number);
    if (!most && !ast_match(line, "#", &number))
        return refuse_form(ctx, line, arena_printf(ctx->arena, "%s at most 8, or: %s 8", name, name));
    const char *what = arena_printf(ctx->arena, "the limit of '%s'", name);
    limit->given = true;
    if (!resolve_integer(ctx, NULL, number, what, 1, MOST_MICROBATCHES, &limit->high))
        return false;
    limit->low = most ? 1 : limit->high;
    return true;
}

/* The number of `at most 60 GiB`, of this measure; NULL: the line has another form. */
static const AstNode *at_most(const AstNode *line, Measure measure)
{
    const AstNode *number;
    bool good = ast_match(line, "at most #", &number) && number->kind == AST_NUMBER &&
                number->number.measure == measure && number->number.value > 0;
    return good ? number : NULL;
}

static bool read_memory(Ctx *ctx, const AstNode *line, Space *space)
{
    const AstNode *number = at_most(line, MEASURE_BYTES);
    if (number == NULL || number->number.value < 1)
        return refuse_form(ctx, line, "memory at most 60 GiB");
    if (number->number.value >= MOST_MEMORY_BYTES) {
        Diagnostic *d = diag_report(ctx->diag, P0207, number->span, "the limit of memory is out of range");
        diag_help(d, "No device has more than 1024 TiB.");
        return false;
    }
    space->memory_bytes = (int64_t)number->number.value;
    return true;
}

static bool read_time(Ctx *ctx, const AstNode *line, Space *space)
{
    const AstNode *number = at_most(line, MEASURE_SECONDS);
    if (number == NULL)
        return refuse_form(ctx, line, "time at most 500 ms");
    space->most_seconds = number->number.value;
    return true;
}

static bool read_price(Ctx *ctx, const AstNode *line, Space *space)
{
    const AstNode *number = at_most(line, MEASURE_NONE);
    if (number == NULL)
        return refuse_form(ctx, line, "price at most 0.5");
    space->most_price = number->number.value;
    return true;
}

static bool read_devices(Ctx *ctx, const AstNode *line, Space *space)
{
    const AstNode *number;
    space->least_devices_span = line->span;
    if (!ast_match(line, "at least #", &number))
        return refuse_form(ctx, line, "devices at least 8");
    return resolve_integer(ctx, NULL, number, "the least number of devices", 1, INT32_MAX, &space->least_devices);
}

static bool read_objective(Ctx *ctx, const AstNode *line, Space *space)
{
    for (Objective objective = 0; objective <= MOST_THROUGHPUT; objective++) {
        const char *name = strchr(objective_names[objective], ' ');
        size_t key = (size_t)(name - objective_names[objective]);
        if (strncmp(line->setting.key.text, objective_names[objective], key) != 0 || !ast_match(line, name + 1, NULL))
            continue;
        space->objective = objective;
        return true;
    }
    return refuse_form(ctx, line, "least time, least memory, least price, least time and memory, or most throughput");
}

/* NULL: there is none of this name, which is reported. */
static Option *find_option(Ctx *ctx, const AstNode *name, Space *space)
{
    const char *known[OPTION_ROWS];
    for (int i = 0; i < OPTION_ROWS; i++) {
        known[i] = option_rows[i].name;
        Options *options = &space->options[option_rows[i].group];
        for (int o = 0; o < options->count && name->kind == AST_NAME; o++)
            if (strcmp(options->option[o].name, name->name.text) == 0)
                return &options->option[o];
    }
    resolve_unknown_word(ctx, name->span, "choice", resolve_text(ctx, name), known, OPTION_ROWS);
    return NULL;
}

static bool read_without(Ctx *ctx, const AstNode *line, Space *space)
{
    bool good = line->setting.pieces.count % 2 == 1;
    for (int i = 0; i < line->setting.pieces.count && good; i++) {
        const AstNode *piece = line->setting.pieces.data[i];
        bool mark = piece->kind == AST_MARK && strcmp(piece->mark.text, ",") == 0;
        Option *option = i % 2 == 0 ? find_option(ctx, piece, space) : NULL;
        if (i % 2 == 0 && option == NULL)
            return false;
        if (option != NULL)
            option->excluded = "left out by `without`";
        good = option != NULL || mark;
    }
    return good || refuse_form(ctx, line, "without gpipe, offload");
}

static bool is_word(const AstNode *piece, const char *word)
{
    return piece->kind == AST_NAME && strcmp(piece->name.text, word) == 0;
}

/* Everything but these is in the space unless it is left out. */
static bool read_with(Ctx *ctx, const AstNode *line, Space *space)
{
    Option *placed = &space->options[GROUP_PLACED].option[OPTION_PLACED];
    bool good = line->setting.pieces.count % 2 == 1;
    for (int i = 0; i < line->setting.pieces.count && good; i++) {
        const AstNode *piece = line->setting.pieces.data[i];
        if (i % 2 == 1)
            good = piece->kind == AST_MARK && strcmp(piece->mark.text, ",") == 0;
        else if (is_word(piece, placed->name))
            placed->wanted = true;
        else if (is_word(piece, "pinned"))
            space->pinned_wanted = true;
        else
            good = false;
    }
    space->pinned_span = line->span;
    return good || refuse_form(ctx, line, "with placed, pinned");
}

bool options_left(const Options *options)
{
    bool left = false;
    for (int o = 0; o < options->count; o++)
        left = left || options->option[o].excluded == NULL;
    return left;
}

static const char *names_text(Arena *arena, const Options *options)
{
    const char *text = arena_printf(arena, "'%s'", options->option[0].name);
    for (int o = 1; o < options->count; o++)
        text = arena_printf(arena, "%s%s'%s'", text, o + 1 < options->count ? ", " : " and ", options->option[o].name);
    return text;
}

/* A choice of which nothing is left would leave no strategy at all. */
static bool check_left(Ctx *ctx, const AstNode *search, const Space *space)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        const Options *options = &space->options[group];
        if (options->degree != ALWAYS || options_left(options))
            continue;
        Diagnostic *d = diag_report(ctx->diag, P0206, search->span, "the search leaves out each of %s",
                                    names_text(ctx->arena, options));
        diag_help(d, "Keep one of them.");
        return false;
    }
    return true;
}

static bool read_line(Ctx *ctx, const AstNode *line, Space *space)
{
    static const char *const keys[] = {"least", "most",  "without", "with",        "memory",
                                       "time",  "price", "devices", "microbatches"};
    enum { KEYS = sizeof keys / sizeof *keys };
    const char *known[KEYS + DEGREE_COUNT], *key = line->setting.key.text;
    memcpy(known, keys, sizeof keys);
    memcpy(known + KEYS, degree_names, sizeof degree_names);
    if (strcmp(key, "least") == 0 || strcmp(key, "most") == 0)
        return read_objective(ctx, line, space);
    if (strcmp(key, "without") == 0)
        return read_without(ctx, line, space);
    if (strcmp(key, "with") == 0)
        return read_with(ctx, line, space);
    if (strcmp(key, "memory") == 0)
        return read_memory(ctx, line, space);
    if (strcmp(key, "time") == 0)
        return read_time(ctx, line, space);
    if (strcmp(key, "price") == 0)
        return read_price(ctx, line, space);
    if (strcmp(key, "devices") == 0)
        return read_devices(ctx, line, space);
    if (strcmp(key, "microbatches") == 0)
        return read_limit(ctx, line, key, &space->micro);
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        if (strcmp(key, degree_names[degree]) == 0)
            return read_limit(ctx, line, key, &space->degree[degree]);
    resolve_unknown_word(ctx, line->setting.key.span, "setting", key, known, KEYS + DEGREE_COUNT);
    return false;
}

/* What is searched for, and each limit, has one line; what is left out, as many as one likes. */
static const AstNode *find_same_key(const AstNode *search, int line)
{
    const char *key = search->search.body.data[line]->setting.key.text;
    for (int i = 0; i < line; i++) {
        const AstNode *before = search->search.body.data[i];
        if (before->kind == AST_SETTING && strcmp(before->setting.key.text, key) == 0 && strcmp(key, "without") != 0)
            return before;
    }
    return NULL;
}

static bool read_body(Ctx *ctx, const AstNode *search, Space *space)
{
    bool good = true;
    for (int i = 0; i < search->search.body.count; i++) {
        const AstNode *line = search->search.body.data[i];
        const AstNode *before = line->kind == AST_SETTING ? find_same_key(search, i) : NULL;
        if (before != NULL)
            resolve_duplicate(ctx, line->span, "line", line->setting.key.text, before->span);
        good = line->kind == AST_SETTING && before == NULL && read_line(ctx, line, space) && good;
    }
    return good;
}

bool space_read(Ctx *ctx, const AstNode *search, Space *space)
{
    set_defaults(space);
    bool good = search == NULL || read_body(ctx, search, space);
    return good && (search == NULL || check_left(ctx, search, space));
}

/* ---- Limits of time and price ------------------------------------------------------------------------------- */

bool space_needs_time(const Space *space)
{
    return space->objective != LEAST_MEMORY || space->most_seconds > 0 || space->most_price > 0;
}

bool space_needs_price(const Space *space)
{
    return space->objective == LEAST_PRICE || space->most_price > 0;
}

double space_price(const Space *space, double seconds)
{
    return seconds * (double)space->devices * space->train->cluster.device.price_per_second;
}

double space_most_seconds(const Space *space)
{
    double seconds = space->most_seconds > 0 ? space->most_seconds : INFINITY;
    return space->most_price > 0 ? fmin(seconds, space->most_price / space_price(space, 1)) : seconds;
}

bool space_too_slow(const Space *space, double seconds)
{
    static const double rounding = 1e-9;
    return seconds > space_most_seconds(space) * (1 + rounding);
}

/* ---- Texts -------------------------------------------------------------------------------------------------- */

int64_t space_stage_layers(const Space *space, const Choice *choice)
{
    int64_t stages = choice->degree[DEGREE_PIPELINE];
    return (space->layers + stages - 1) / stages;
}

int64_t space_saving(const Space *space, const Choice *choice, int64_t some, int64_t layers)
{
    int64_t others = some > 0 ? space_stage_layers(space, choice) - some : 0;
    return layers > others ? layers - others : 0;
}

bool space_saves_partly(const Space *space)
{
    return space->objective == LEAST_MEMORY ? isfinite(space_most_seconds(space)) : space->memory_bytes > 0;
}

int64_t space_values(const Space *space)
{
    bool possible = space->options[GROUP_RECOMPUTED].option[OPTION_BY_VALUE].excluded == NULL;
    return space_saves_partly(space) && possible ? space->values.count : 0;
}

bool space_has_option(const Space *space, const Choice *choice, int group, int option)
{
    const Options *options = &space->options[group];
    if (options->degree != ALWAYS && choice->degree[options->degree] == 1)
        return option == 0;
    if (group == GROUP_RECOMPUTED && option == OPTION_BY_VALUE)
        return false; /* Choice.values */
    if (group == GROUP_STATES && option == OPTION_DATA_PARALLEL && choice->degree[DEGREE_REPLICA] > 1)
        return false;
    return option < options->count && options->option[option].excluded == NULL;
}

int64_t space_least_hosted(const Space *space)
{
    return space->options[GROUP_HOSTED].option[OPTION_VALUES_ON_DEVICE].excluded == NULL ? 0 : 1;
}

int64_t space_most_values(const Space *space, const Choice *choice)
{
    int64_t values = space_values(space);
    if (choice->hosted > 0 && values > 0)
        return space->kept.data[space->kept.count - choice->hosted].values;
    return values > 0 ? values + 1 : 0;
}

/* Of the last ones, that the choice does not recompute; or what layers begin with. */
static int64_t most_hosted(const Space *space, const Choice *choice)
{
    int64_t hosted = 0, again = choice->values;
    switch (choice->option[GROUP_RECOMPUTED]) {
    case OPTION_KEEP:
    case OPTION_BY_VALUE:
        while (hosted < space->hosted && again <= space->kept.data[space->kept.count - hosted - 1].values)
            hosted++;
        return hosted;
    case OPTION_SELECTIVE:
    case OPTION_RECOMPUTE:
        return space->begin_hosted && choice->layers == 0;
    }
    BUG("no recomputation %d", choice->option[GROUP_RECOMPUTED]);
}

const KeptValue *space_hosted_value(const Space *space, const Choice *choice, int others)
{
    int option = choice->option[GROUP_RECOMPUTED];
    bool last = option == OPTION_KEEP || option == OPTION_BY_VALUE;
    return &space->kept.data[last ? space->kept.count - 1 - others : 0];
}

static bool may_host(const Space *space)
{
    return space->options[GROUP_HOSTED].option[OPTION_VALUES_ON_HOST].excluded == NULL;
}

int64_t space_hosted(const Space *space, const Choice *choice)
{
    return may_host(space) && space_saves_partly(space) ? most_hosted(space, choice) : 0;
}

void space_host(Choice *choice, int64_t values)
{
    choice->hosted = (int32_t)values;
    choice->option[GROUP_HOSTED] = values > 0 ? OPTION_VALUES_ON_HOST : OPTION_VALUES_ON_DEVICE;
}

bool space_hosts_most(const Space *space, bool everything, Choice *choice)
{
    int64_t rest = space->hosted > 0 ? space->kept.data[space->kept.count - space->hosted].values : 0;
    int again = everything ? OPTION_RECOMPUTE : rest > 0 ? OPTION_BY_VALUE : OPTION_KEEP;
    if (!may_host(space) || space->objective != LEAST_MEMORY || space_saves_partly(space) ||
        space->options[GROUP_RECOMPUTED].option[again].excluded != NULL)
        return false;
    choice->option[GROUP_RECOMPUTED] = (int8_t)again;
    choice->values = again == OPTION_BY_VALUE ? (int32_t)rest : 0;
    space_host(choice, most_hosted(space, choice));
    return choice->hosted > 0;
}

static bool may_differ(const Space *space)
{
    return space_saves_partly(space) && space->layers > 0;
}

int64_t space_partly(const Space *space, const Choice *choice)
{
    return may_differ(space) ? space_stage_layers(space, choice) - 1 : 0;
}

int64_t space_offloaded(const Space *space, const Choice *choice)
{
    enum { MOST_STAGES = 8 }; /* of each, some layers have units of their own: more take seconds to derive */
    const Option *options = space->options[GROUP_OFFLOADED].option;
    bool possible = options[OPTION_ON_DEVICE].excluded == NULL && options[OPTION_OFFLOAD].excluded == NULL &&
                    choice->degree[DEGREE_PIPELINE] <= MOST_STAGES && choice->chunks == 1;
    return possible && may_differ(space) ? space_stage_layers(space, choice) : 0;
}

int64_t space_parts(const Choice *choice)
{
    return (int64_t)choice->degree[DEGREE_REPLICA] * choice->degree[DEGREE_DATA] * choice->degree[DEGREE_EXPERT] *
           choice->micro;
}

double space_examples(const Space *space, const Choice *choice)
{
    return (double)space->train->batch / (double)space_parts(choice);
}

bool space_has(const Space *space, const Choice *choice)
{
    for (int degree = 0; degree < DEGREE_COUNT; degree++) {
        bool apart = choice->apart && degree == DEGREE_TENSOR;
        if (!limit_allows(apart ? &space->tensors : &space->degree[degree], choice->degree[degree]))
            return false;
    }
    bool copies = choice->degree[DEGREE_REPLICA] > 1;
    bool shards = choice->degree[DEGREE_DATA] > 1 && choice->option[GROUP_STATES] != OPTION_DATA_PARALLEL;
    int64_t parts = space_parts(choice), batch = space->train->batch;
    return (!copies || shards) && batch % parts == 0 && batch / parts <= space->examples &&
           choice->micro >= space->micro.low && choice->micro <= space->micro.high;
}

const char *space_unpredicted(Arena *arena, const Space *space, const char *unknown)
{
    if (unknown == NULL || !space_needs_time(space))
        return NULL;
    return arena_printf(arena, "its time is not predicted, because %s is not known", unknown);
}

/* "" if all are 1. */
static const char *space_axes(Arena *arena, const Choice *choice)
{
    Text text = {.arena = arena};
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        if (choice->degree[degree] > 1)
            text_add(&text, "%s%s: %d", text.length > 0 ? ", " : "", degree_names[degree], choice->degree[degree]);
    return text.length > 0 ? text.data : "";
}

const char *space_mesh(Arena *arena, const Choice *choice)
{
    const char *axes = space_axes(arena, choice);
    return axes[0] != '\0' ? axes : "data: 1";
}

const char *space_copies(Arena *arena, const Space *space, const Choice *choice)
{
    int64_t copies = space->devices;
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        copies /= choice->degree[degree];
    const char *axes = space_axes(arena, choice);
    return arena_printf(arena, "copy: %lld%s%s%s", (long long)copies, axes[0] == '\0' ? ", data: 1" : "",
                        axes[0] != '\0' ? ", " : "", axes);
}

/* Of a chunk of a stage, of which those before it have `before` layers: how many save memory. */
static int64_t chunk_saving(const Space *space, const Choice *choice, int64_t some, int64_t before, int64_t layers)
{
    int64_t chunks = choice->chunks, saving = space_saving(space, choice, some, layers * chunks);
    int64_t rest = saving > before ? saving - before : 0;
    return rest < layers ? rest : layers;
}

static void add_run(Text *text, int64_t begin, int64_t end)
{
    text_add(text, "%s%lld", begin > 0 ? ", " : "", (long long)begin);
    if (end - begin > 1)
        text_add(text, "..%lld", (long long)(end - 1));
}

/* "0..1, 4..5": the first layers of each stage, if the largest has so many, chunk by chunk; "*": all. First come the
 * first chunks of all stages, then the second ones. */
static void add_layers(Text *text, const Space *space, const Choice *choice, int64_t some)
{
    int64_t stages = choice->degree[DEGREE_PIPELINE], parts = stages * choice->chunks, begin = 0, end = 0;
    if (some == 0) {
        text_add(text, "*");
        return;
    }
    for (int64_t part = 0; part < parts; part++) {
        int64_t first, layers;
        cut_balanced(space->layers, parts, part, &first, &layers);
        int64_t saving = chunk_saving(space, choice, some, part / stages * layers, layers);
        if (saving > 0 && first > end) {
            add_run(text, begin, end);
            begin = first;
        }
        end = saving > 0 ? first + saving : end;
    }
    add_run(text, begin, end);
}

static void add_call(Text *text, const char *call, const Space *space, const Choice *choice, const char *group)
{
    text_add(text, "%s", text->length > 0 ? " * " : "");
    for (const char *at = call; *at != '\0'; at++) {
        if (*at == '#')
            text_add(text, "%d", choice->chunks);
        else if (*at == '*')
            add_layers(text, space, choice, choice->layers);
        else if (*at == '@')
            text_add(text, "%s", group);
        else
            text_add(text, "%c", *at);
    }
}

/* A value that is recomputed, or on the host. */
typedef struct SavedValue {
    const char *label; /* in the block; "": all of it */
    int64_t some;      /* layers; 0: all */
    bool hosted, outside;
} SavedValue;
typedef Vec(SavedValue) SavedValues;

/* Does it name what another label names, too? */
static bool is_above(const char *label, const char *other)
{
    return strcmp(label, other) != 0 && label_matches(label, other);
}

/* Is it one of those that a label before or after it names in all layers, too? */
static bool is_named_above(const Space *space, const char *label, int64_t values)
{
    for (int64_t v = 0; v < values; v++)
        for (int l = 0; l < space->values.data[v].count; l++)
            if (is_above(space->values.data[v].data[l], label))
                return true;
    return false;
}

static bool is_hosted_above(const Space *space, const Choice *choice, const KeptValue *kept)
{
    for (int v = 0; v < choice->hosted; v++) {
        const KeptValue *other = space_hosted_value(space, choice, v);
        if (other->outside == kept->outside && is_above(other->label, kept->label))
            return true;
    }
    return false;
}

/* The last of those that are recomputed in some layers only; those before it in all. */
static SavedValues saved_values(Arena *arena, const Space *space, const Choice *choice)
{
    SavedValues saved = {0};
    bool again = choice->option[GROUP_RECOMPUTED] == OPTION_BY_VALUE;
    int64_t values = again ? choice->values : 0, whole = choice->layers > 0 ? values - 1 : values;
    for (int64_t v = 0; v < values && v < space->values.count; v++) {
        const ValueLabels *labels = &space->values.data[v];
        for (int l = 0; l < labels->count; l++)
            if (!is_named_above(space, labels->data[l], v < whole ? whole : values))
                vec_push(arena, &saved, ((SavedValue){labels->data[l], v < whole ? 0 : choice->layers, false, false}));
    }
    if (values > space->values.count)
        vec_push(arena, &saved, ((SavedValue){"", choice->layers, false, false}));
    for (int v = choice->hosted - 1; v >= 0; v--) {
        const KeptValue *kept = space_hosted_value(space, choice, v);
        if (!is_hosted_above(space, choice, kept))
            vec_push(arena, &saved, ((SavedValue){kept->label, 0, true, kept->outside}));
    }
    return saved;
}

/* "block[0..1].mlp.active" */
static void add_value(Text *text, const Space *space, const Choice *choice, const SavedValue *value)
{
    if (value->outside) {
        text_add(text, "%s", value->label);
        return;
    }
    text_add(text, "%s[", space->train->decls.groups.data[0].name);
    add_layers(text, space, choice, value->some);
    text_add(text, value->label[0] != '\0' ? "].%s" : "]%s", value->label);
}

/* Each by a strategy of the prelude. */
static void add_values(Text *text, const Space *space, const Choice *choice)
{
    const SavedValues saved = saved_values(text->arena, space, choice);
    for (int i = 0; i < saved.count; i++) {
        text_add(text, "%s%s(", text->length > 0 ? " * " : "",
                 saved.data[i].hosted ? "offload_activations" : "recompute");
        add_value(text, space, choice, &saved.data[i]);
        text_add(text, ")");
    }
}

/* All by one of its own, whose statements name those of the same layers together. NULL: nothing is saved by value. */
static const char *saving_declared(Arena *arena, const Space *space, const Choice *choice)
{
    const SavedValues saved = saved_values(arena, space, choice);
    Text text = {.arena = arena};
    if (saved.count == 0)
        return NULL;
    text_add(&text, "strategy %s {\n", space->saving_name);
    for (int i = 0; i < saved.count; i++) {
        const SavedValue *value = &saved.data[i];
        bool begins = i == 0 || value[-1].some != value->some || value[-1].hosted != value->hosted;
        bool ends = i + 1 == saved.count || value[1].some != value->some || value[1].hosted != value->hosted;
        text_add(&text, begins ? "    activations of " : ", ");
        add_value(&text, space, choice, value);
        text_add(&text, "%s", !ends ? "" : value->hosted ? " offloaded\n" : " materialized\n");
    }
    text_add(&text, "}\n");
    return text.data;
}

static void add_offloaded(Text *text, const Space *space, const Choice *choice)
{
    text_add(text, "%soffload_layers(optimizer, %s[", text->length > 0 ? " * " : "",
             space->train->decls.groups.data[0].name);
    add_layers(text, space, choice, choice->offloaded);
    text_add(text, "])");
}

/* NULL: nothing is placed on its own. */
static const char *placed_declared(const Space *space, const Choice *choice)
{
    bool used = choice->placed > 0 && choice->degree[choice->apart ? DEGREE_TENSOR : DEGREE_DATA] > 1;
    return used ? space->placed.data[choice->placed - 1] : NULL;
}

Degree space_placing(const Choice *choice)
{
    return choice->degree[DEGREE_TENSOR] > 1 ? DEGREE_TENSOR : DEGREE_DATA;
}

/* NULL: no operator is pinned, or those that are not over the axis of this mesh. */
static const PinnedSet *pinned_set(const Space *space, const Choice *choice)
{
    const PinnedSet *set = choice->pinned > 0 ? &space->pinned.data[choice->pinned - 1] : NULL;
    return set != NULL && set->over == space_placing(choice) && choice->degree[set->over] > 1 ? set : NULL;
}

/* `named`: with strategies of its own for what has one. */
static const char *strategy_text(Arena *arena, const Space *space, const Choice *choice, bool named)
{
    Text text = {.arena = arena};
    for (int group = 0; group < GROUP_COUNT; group++) {
        const Options *options = &space->options[group];
        const char *call = options->option[choice->option[group]].call;
        bool some = group == GROUP_OFFLOADED && choice->option[group] == OPTION_OFFLOAD && choice->offloaded > 0;
        if (group == GROUP_RECOMPUTED && named && saving_declared(arena, space, choice) != NULL)
            text_add(&text, "%s%s", text.length > 0 ? " * " : "", space->saving_name);
        if (group == GROUP_RECOMPUTED && !named)
            add_values(&text, space, choice);
        if (some)
            add_offloaded(&text, space, choice);
        if (some || call[0] == '\0' || (group == GROUP_TENSORS && choice->apart) ||
            (options->degree != ALWAYS && choice->degree[options->degree] == 1))
            continue;
        bool each = strchr(call, '@') != NULL;
        for (int g = 0; g < (each ? space->train->decls.groups.count : 1); g++)
            add_call(&text, call, space, choice, each ? space->train->decls.groups.data[g].name : "");
    }
    if (placed_declared(space, choice) != NULL)
        text_add(&text, "%s%s(%s)", text.length > 0 ? " * " : "", space->placed_name,
                 degree_names[choice->apart ? DEGREE_TENSOR : DEGREE_DATA]);
    const PinnedSet *set = pinned_set(space, choice);
    if (set != NULL)
        text_add(&text, "%s%s(%s)", text.length > 0 ? " * " : "", space->pinned_name, degree_names[set->over]);
    return text.length > 0 ? text.data : "data_parallel(data)";
}

const char *space_strategy(Arena *arena, const Space *space, const Choice *choice)
{
    return strategy_text(arena, space, choice, false);
}

const char *space_named(Arena *arena, const Space *space, const Choice *choice)
{
    return strategy_text(arena, space, choice, true);
}

static const char *pinned_declared(Arena *arena, const Space *space, const Choice *choice)
{
    const PinnedSet *set = pinned_set(space, choice);
    return set == NULL ? NULL
                       : arena_printf(arena, "strategy %s(%s: axis) {\n%s}\n", space->pinned_name,
                                      degree_names[set->over], set->statements);
}

const char *space_declared(Arena *arena, const Space *space, const Choice *choice)
{
    const char *const own[] = {saving_declared(arena, space, choice), placed_declared(space, choice),
                               pinned_declared(arena, space, choice)};
    const char *all = NULL;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i] != NULL)
            all = all != NULL ? arena_printf(arena, "%s\n%s", all, own[i]) : own[i];
    return all;
}
