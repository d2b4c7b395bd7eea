/* train.c - the settings of a train statement: a table of keys, each with the function that reads it. */
#include "sema/train.h"
#include "base/change.h"

#include "reference/contract.h"
#include <float.h>
#include <string.h>

/* A number whose dtype is known once all settings are read. */
typedef struct Real {
    Span span;
    const char *what;
    double value;
} Real;

typedef struct Reader {
    Ctx *ctx;
    Train *train;
    Optimizer *optimizer;
    Vec(Real) reals;
    bool failed;
    bool damaged; /* a line was not understood, perhaps the one that is missing */
} Reader;

typedef void ReadSetting(Reader *reader, const AstNode *setting);

/* What has the setting. */
typedef enum Takers { TRAINS, SERVES, BOTH } Takers;

typedef struct Setting {
    const char *key;
    bool required, repeatable;
    Takers takers;
    ReadSetting *read; /* NULL: the strategy pass reads it */
    const char *form;  /* for messages */
} Setting;

/* ---- Helpers ------------------------------------------------------------------------------------------------ */

static const AstNode *piece_at(const AstNode *setting, int index)
{
    return index < setting->setting.pieces.count ? setting->setting.pieces.data[index] : NULL;
}

static bool piece_is_word(const AstNode *setting, int index, const char *word)
{
    const AstNode *piece = piece_at(setting, index);
    return piece != NULL && piece->kind == AST_NAME && strcmp(piece->name.text, word) == 0;
}

static bool has_error(const AstNode *setting)
{
    for (int i = 0; i < setting->setting.pieces.count; i++)
        if (setting->setting.pieces.data[i]->kind == AST_ERROR)
            return true;
    return false;
}

/* The setting matches none of its forms; `pattern` is the one that was probably meant. */
static void refuse_form(Reader *reader, const AstNode *setting, const char *pattern, const char *form)
{
    reader->failed = true;
    if (has_error(setting))
        return;
    const AstNode *piece = piece_at(setting, ast_mismatch(setting, pattern));
    Diagnostic *d;
    if (piece != NULL)
        d = diag_report(reader->ctx->diag, P0206, piece->span, "unexpected '%s' in '%s'",
                        resolve_text(reader->ctx, piece), setting->setting.key.text);
    else
        d = diag_report(reader->ctx->diag, P0206, setting->span, "'%s' is incomplete", setting->setting.key.text);
    diag_help(d, "Its form is: %s", form);
}

/* Limits for numbers that later stages keep in small integers, or count through one by one. */
static const int64_t most_examples = (int64_t)1 << 40, most_steps = (int64_t)1 << 40, most_microbatches = 1 << 20;

static bool read_count(Reader *reader, const AstNode *node, const char *what, int64_t most, int64_t *value)
{
    bool good = resolve_integer(reader->ctx, NULL, node, what, 1, most, value);
    reader->failed |= !good;
    return good;
}

static bool read_string(Reader *reader, const AstNode *node, const char *what, const char **text)
{
    if (node->kind == AST_STRING) {
        *text = node->string.text;
        return true;
    }
    reader->failed = true;
    if (node->kind != AST_ERROR)
        diag_report(reader->ctx->diag, P0206, node->span, "%s must be a string in quotes", what);
    return false;
}

static bool read_real(Reader *reader, const AstNode *node, const char *what, const Range *range, double *value)
{
    bool good = resolve_real(reader->ctx, NULL, node, what, range, value);
    if (good)
        vec_push(reader->ctx->arena, &reader->reals, (Real){node->span, what, *value});
    reader->failed |= !good;
    return good;
}

/* ---- Optimizer and numbers ---------------------------------------------------------------------------------- */

static const OptimizerRule *find_rule(Reader *reader, const AstNode *callee)
{
    const char *name = callee->kind == AST_NAME ? callee->name.text : resolve_text(reader->ctx, callee);
    const OptimizerRule *rule = optimizer_find(name);
    const char **names = arena_array(reader->ctx->arena, const char *, optimizer_count());
    for (int i = 0; i < optimizer_count(); i++)
        names[i] = optimizer_name(i);
    if (rule == NULL)
        resolve_unknown(reader->ctx, callee->span, "optimizer", name, names, optimizer_count());
    return rule;
}

/* A cosine begins after the warmup. */
static void check_schedule(Reader *reader, const AstNode *call)
{
    double warmup = reader->optimizer->argument[ARGUMENT_WARMUP], total = reader->optimizer->argument[ARGUMENT_TOTAL];
    if (total == 0 || total > warmup)
        return;
    Diagnostic *d = diag_report(reader->ctx->diag, P0207, call->span,
                                "a schedule that ends at step %.15g, within a warmup of %.15g", total, warmup);
    diag_help(d, "Choose 'total' above 'warmup': it counts the steps of the warmup too.");
    reader->failed = true;
}

static void refuse_last(Reader *reader, const AstNode *last)
{
    Diagnostic *d = diag_report(reader->ctx->diag, P0210, last->span, "'last' has no effect without 'total'");
    diag_why(d, "It is the part of the rate that is left at the end of a cosine, which only 'total' sets.");
    diag_help(d, "Give 'total', the step at which the cosine ends, or leave out 'last'.");
    reader->failed = true;
}

static void read_optimizer_arguments(Reader *reader, const AstNode *call)
{
    const OptimizerArgument *taken;
    ArgumentInfo arguments[OPTIMIZER_ARGUMENT_COUNT];
    const AstNode *values[OPTIMIZER_ARGUMENT_COUNT];
    Optimizer *optimizer = reader->optimizer;
    const char *name = call->call.callee->name.text;
    int count = optimizer_arguments(optimizer->rule, &taken);
    for (int i = 0; i < count; i++)
        arguments[i] = (ArgumentInfo){optimizer_argument_info[taken[i]].name, taken[i] == ARGUMENT_RATE};
    if (!resolve_arguments(reader->ctx, call->call.callee->span, name, &call->call.arguments, arguments, count,
                           values)) {
        reader->failed = true;
        return;
    }
    for (int i = 0; i < count; i++) {
        const OptimizerArgumentInfo *info = &optimizer_argument_info[taken[i]];
        const char *what = arena_printf(reader->ctx->arena, "argument '%s' of '%s'", info->name, name);
        if (values[i] != NULL)
            read_real(reader, values[i], what, &info->range, &optimizer->argument[taken[i]]);
    }
    check_schedule(reader, call);
    for (int i = 0; i < count; i++)
        if (taken[i] == ARGUMENT_LAST && values[i] != NULL && optimizer->argument[ARGUMENT_TOTAL] == 0)
            refuse_last(reader, values[i]);
    if (call->call.label.text != NULL) {
        diag_report(reader->ctx->diag, P0206, call->call.label.span, "an optimizer takes no label");
        reader->failed = true;
    }
}

static void read_optimizer(Reader *reader, const AstNode *setting)
{
    const AstNode *call;
    if (!ast_match(setting, "#", &call) || call->kind != AST_CALL) {
        refuse_form(reader, setting, "#", "optimizer adamw(rate = 3e-4)");
        return;
    }
    Optimizer *optimizer = reader->optimizer;
    optimizer->span = setting->span;
    reader->train->optimizer_span = setting->span;
    optimizer->rule = find_rule(reader, call->call.callee);
    for (int i = 0; i < OPTIMIZER_ARGUMENT_COUNT; i++)
        optimizer->argument[i] = optimizer_argument_info[i].initial;
    if (optimizer->rule == NULL) {
        reader->failed = true;
        return;
    }
    read_optimizer_arguments(reader, call);
    reader->train->optimizer_name = call->call.callee->name.text;
    reader->train->learning_rate = optimizer->argument[ARGUMENT_RATE];
}

static void read_clip(Reader *reader, const AstNode *setting)
{
    const AstNode *limit;
    if (!ast_match(setting, "norm #", &limit)) {
        refuse_form(reader, setting, "norm #", "clip norm 1.0");
        return;
    }
    const Range range = {.low = 0, .high = DBL_MAX, .low_open = true};
    read_real(reader, limit, "the norm to clip to", &range, &reader->train->clip_norm);
    reader->optimizer->clip_norm = reader->train->clip_norm;
    reader->optimizer->clip_span = reader->train->clip_span = setting->span;
}

static bool read_dtype(Reader *reader, const AstNode *node, DType *dtype)
{
    bool good = resolve_dtype(reader->ctx, node, "precision", dtype);
    reader->failed |= !good;
    return good;
}

/* The parts of a precision, NULL where it has none. */
typedef struct Precision {
    const AstNode *compute, *master, *gradients;
    bool scaled;
} Precision;

static bool match_precision(const AstNode *setting, Precision *precision)
{
    static const struct {
        const char *form;
        int parts;
        bool scaled;
    } forms[] = {{"#", 1, false},
                 {"# , loss_scale dynamic", 1, true},
                 {"# , master #", 2, false},
                 {"# , master # , loss_scale dynamic", 2, true},
                 {"# , master # , gradients #", 3, false},
                 {"# , master # , gradients # , loss_scale dynamic", 3, true}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const AstNode *found[3] = {0};
        if (!ast_match(setting, forms[i].form, found))
            continue;
        *precision = (Precision){found[0], forms[i].parts > 1 ? found[1] : NULL, forms[i].parts > 2 ? found[2] : NULL,
                                 forms[i].scaled};
        return true;
    }
    return false;
}

static bool read_master(Reader *reader, const AstNode *node)
{
    DType master;
    const Decls *decls = &reader->train->decls;
    if (!read_dtype(reader, node, &master))
        return false;
    if (decls->compute_dtype == DTYPE_BF16 && master == DTYPE_F32)
        return true;
    Diagnostic *d = diag_report(reader->ctx->diag, P0204, node->span, "a master copy in %s of parameters in %s",
                                dtype_name(master), dtype_name(decls->compute_dtype));
    diag_why(d, "A master copy is the f32 original of parameters that are used in bf16.");
    reader->failed = true;
    return false;
}

/* Next to a master copy. */
static void read_gradients(Reader *reader, const AstNode *node)
{
    DType dtype;
    if (!read_dtype(reader, node, &dtype))
        return;
    if (dtype != DTYPE_BF16) {
        Diagnostic *d = diag_report(reader->ctx->diag, P0204, node->span, "gradients in %s", dtype_name(dtype));
        diag_why(d, "Next to a master copy gradients that several microbatches add to are f32; `gradients bf16` says "
                    "otherwise.");
        reader->failed = true;
        return;
    }
    reader->train->narrow_gradients = true;
}

/* What only training has. */
static bool refuse_served(Reader *reader, const AstNode *node, const char *what)
{
    if (!reader->train->serves)
        return false;
    diag_report(reader->ctx->diag, P0206, node->span, "%s of a model that is served, which has no gradients", what);
    return reader->failed = true;
}

static void read_precision(Reader *reader, const AstNode *setting)
{
    Precision found;
    Decls *decls = &reader->train->decls;
    if (!match_precision(setting, &found)) {
        refuse_form(
            reader, setting, "# , master # , gradients # , loss_scale dynamic",
            "precision f32, or: precision bf16, master f32, or: precision bf16, master f32, loss_scale dynamic");
        return;
    }
    if ((found.master != NULL || found.scaled) &&
        refuse_served(reader, setting, found.scaled ? "a loss scale" : "a master copy"))
        return;
    reader->optimizer->loss_scale = reader->train->loss_scale = found.scaled;
    reader->optimizer->precision_span = reader->train->precision_span = setting->span;
    if (!read_dtype(reader, found.compute, &decls->compute_dtype) || found.master == NULL ||
        !read_master(reader, found.master))
        return;
    reader->optimizer->master_copy = reader->train->master_copy = true;
    if (found.gradients != NULL)
        read_gradients(reader, found.gradients);
}

static void read_batch(Reader *reader, const AstNode *setting)
{
    const AstNode *found[2];
    Train *train = reader->train;
    bool cut = ast_match(setting, "# in # microbatches", found) || ast_match(setting, "# in # microbatch", found);
    if (!cut && !ast_match(setting, "#", found)) {
        refuse_form(reader, setting, "# in # microbatches", "batch 32 in 4 microbatches");
        return;
    }
    train->batch_span = setting->span;
    bool good = read_count(reader, found[0], "the batch", most_examples, &train->batch);
    if (!cut || refuse_served(reader, found[1], "microbatches"))
        return;
    good &= read_count(reader, found[1], "the number of microbatches", most_microbatches, &train->decls.micro);
    if (good && train->batch < train->decls.micro) {
        Diagnostic *d = diag_report(reader->ctx->diag, P0205, found[1]->span,
                                    "a batch of %lld does not divide into %lld microbatches", (long long)train->batch,
                                    (long long)train->decls.micro);
        diag_label(d, found[0]->span, "%lld example%s", (long long)train->batch, train->batch == 1 ? "" : "s");
        const char *least = arena_printf(reader->ctx->arena, "%lld", (long long)train->decls.micro);
        diag_help_edit(d, found[0]->span, least, "Take a batch of %s, or more.", least);
        reader->failed = true;
    }
}

static void read_steps(Reader *reader, const AstNode *setting)
{
    const AstNode *count;
    if (ast_match(setting, "#", &count))
        read_count(reader, count, "the number of steps", most_steps, &reader->train->steps);
    else
        refuse_form(reader, setting, "#", "steps 1000");
}

/* ---- Files and asserts -------------------------------------------------------------------------------------- */

/* What `data` says: its words, '#' being a path. */
typedef struct DataForm {
    DataKind kind;
    const char *words[5];
} DataForm;

static const DataForm data_forms[] = {
    {DATA_BYTES, {"bytes", "#"}},       {DATA_U16, {"tokens", "u16", "#"}},
    {DATA_U32, {"tokens", "u32", "#"}}, {DATA_IMAGES, {"images", "#", "labels", "#"}},
    {DATA_SYNTHETIC, {"synthetic"}},
};

/* How many of the form's words the setting has from its piece `at` on; `whole`: all. */
static int match_data(const AstNode *setting, int at, const DataForm *form, bool *whole)
{
    int count = 0;
    while (form->words[count] != NULL &&
           (strcmp(form->words[count], "#") == 0 ? piece_at(setting, at + count) != NULL
                                                 : piece_is_word(setting, at + count, form->words[count])))
        count++;
    *whole = form->words[count] == NULL;
    return count;
}

/* The first word that is not expected comes after those of the form that fits longest. */
static void refuse_data(Reader *reader, const AstNode *setting, int matched)
{
    reader->failed = true;
    if (has_error(setting))
        return;
    const AstNode *piece = piece_at(setting, matched);
    Diagnostic *d = piece != NULL ? diag_report(reader->ctx->diag, P0206, piece->span, "unexpected '%s' in 'data'",
                                                resolve_text(reader->ctx, piece))
                                  : diag_report(reader->ctx->diag, P0206, setting->span, "'data' is incomplete");
    diag_help(d, "Its forms are: data synthetic, data bytes \"corpus.txt\", data tokens u16 \"corpus.bin\" (or u32), "
                 "each also with 'masked' first, and data images \"images.idx\" labels \"labels.idx\"; 'read by "
                 "AXES' may follow.");
}

/* `data ... read by AXES` ends in a part that the strategy pass reads. */
static void read_data(Reader *reader, const AstNode *setting)
{
    Train *train = reader->train;
    train->data_span = setting->span;
    train->masked_data = piece_is_word(setting, 0, "masked");
    int first = train->masked_data ? 1 : 0, longest = 0;
    const DataForm *found = NULL;
    for (size_t i = 0; i < sizeof data_forms / sizeof data_forms[0]; i++) {
        bool whole;
        int matched = match_data(setting, first, &data_forms[i], &whole);
        longest = matched > longest ? matched : longest;
        found = whole ? &data_forms[i] : found;
    }
    bool more = found != NULL && piece_at(setting, first + longest) != NULL;
    if (found == NULL || (more && !piece_is_word(setting, first + longest, "read"))) {
        refuse_data(reader, setting, first + longest);
        return;
    }
    if (train->masked_data && found->kind == DATA_IMAGES) {
        refuse_data(reader, setting, first);
        return;
    }
    train->data_kind = found->kind;
    const char **paths[] = {&train->data_path, &train->labels_path};
    int path = 0;
    for (int i = 0; i < longest; i++)
        if (strcmp(found->words[i], "#") == 0) {
            const char *what = path == 0 ? "the path of the data" : "the path of the labels";
            read_string(reader, piece_at(setting, first + i), what, paths[path]);
            path++;
        }
}

static void read_checkpoint(Reader *reader, const AstNode *setting)
{
    const AstNode *found[2];
    Train *train = reader->train;
    if (!ast_match(setting, "every # steps in #", found)) {
        refuse_form(reader, setting, "every # steps in #", "checkpoint every 50 steps in \"model.ckpt\"");
        return;
    }
    read_count(reader, found[0], "the number of steps between checkpoints", most_steps, &train->checkpoint_every);
    read_string(reader, found[1], "the path of the checkpoint", &train->checkpoint_path);
}

/* The one piece of a setting, a path. */
static void read_path(Reader *reader, const AstNode *setting, const char *form, const char *what, const char **path)
{
    const AstNode *piece;
    if (ast_match(setting, "#", &piece))
        read_string(reader, piece, what, path);
    else
        refuse_form(reader, setting, "#", form);
}

/* A prompt on each line: bytes, like those that models of bytes are trained on, or the numbers of tokens. */
static void read_prompts(Reader *reader, const AstNode *setting)
{
    const AstNode *path;
    Train *train = reader->train;
    bool numbers = ast_match(setting, "tokens #", &path);
    train->data_span = setting->span;
    train->data_kind = numbers ? DATA_NUMBERS : DATA_BYTES;
    if (numbers || ast_match(setting, "#", &path))
        read_string(reader, path, "the path of the prompts", &train->data_path);
    else
        refuse_form(reader, setting, "tokens #", "prompts \"prompts.txt\", or: prompts tokens \"prompts.txt\"");
}

static void read_load(Reader *reader, const AstNode *setting)
{
    read_path(reader, setting, "load \"model.ckpt\"", "the path of the checkpoint", &reader->train->load_path);
}

static void read_sample(Reader *reader, const AstNode *setting)
{
    const Range range = {.low = 0, .high = DBL_MAX, .low_open = true};
    const AstNode *found;
    if (ast_match(setting, "temperature #", &found))
        read_real(reader, found, "the temperature", &range, &reader->train->temperature);
    else if (!ast_match(setting, "greedy", &found))
        refuse_form(reader, setting, "greedy", "sample greedy, or: sample temperature 0.8");
}

/* A whole number of bytes, or any positive number of seconds. */
static bool read_limit(Reader *reader, const AstNode *node, Measure measure, Assert *claim)
{
    const Number *number = &node->number;
    bool bytes = measure == MEASURE_BYTES;
    if (node->kind == AST_NUMBER && number->measure == measure && (bytes ? number->is_integer : number->value > 0)) {
        claim->limit_bytes = number->integer;
        claim->limit_seconds = number->value;
        return true;
    }
    Diagnostic *d = diag_report(reader->ctx->diag, P0206, node->span, "the limit must be a number of %s",
                                bytes ? "bytes" : "seconds");
    diag_help(d, bytes ? "Write a whole number with a unit, such as 512 MiB."
                       : "Write a number with a unit, such as 2 s.");
    reader->failed = true;
    return false;
}

static void read_assert(Reader *reader, const AstNode *setting)
{
    static const struct {
        const char *word, *pattern;
        AssertQuantity quantity;
        Measure measure;
    } forms[] = {{"memory", "memory per device < #", ASSERT_MEMORY_PER_DEVICE, MEASURE_BYTES},
                 {"traffic", "traffic per device < #", ASSERT_TRAFFIC_PER_DEVICE, MEASURE_BYTES},
                 {"time", "time per step < #", ASSERT_TIME_PER_STEP, MEASURE_SECONDS}};
    const char *pattern = forms[0].pattern;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const AstNode *limit;
        Assert claim = {.quantity = forms[i].quantity, .span = setting->span};
        if (piece_is_word(setting, 0, forms[i].word))
            pattern = forms[i].pattern;
        if (!ast_match(setting, forms[i].pattern, &limit))
            continue;
        if (read_limit(reader, limit, forms[i].measure, &claim))
            vec_push(reader->ctx->arena, &reader->train->asserts, claim);
        return;
    }
    refuse_form(reader, setting, pattern,
                "assert memory per device < 1 GiB, assert traffic per device < 1 GiB, or assert time per step < 2 s");
}

static void read_contract(Reader *reader, const AstNode *setting)
{
    reader->failed |= !contract_read(reader->ctx, setting, reader->train);
}

/* Is it "WORD - ...", which is one piece? */
static bool is_negative(const AstNode *piece, const char *word)
{
    if (piece == NULL || piece->kind != AST_BINARY || piece->binary.operator!= AST_SUBTRACT)
        return false;
    const AstNode *left = piece->binary.left;
    return left->kind == AST_NAME && strcmp(left->name.text, word) == 0;
}

/* `cost distpar beta 0.1`: what an element that is computed costs, next to one that is sent. */
static void read_cost(Reader *reader, const AstNode *setting)
{
    const Range range = {.low = 0, .high = DBL_MAX};
    const AstNode *beta, *piece = piece_at(setting, 1);
    if (is_negative(piece, "beta")) {
        Diagnostic *d = diag_report(reader->ctx->diag, P0207, piece->span, "'beta' is negative");
        diag_why(d, "It is what an element that is computed costs, next to one that is sent: at least 0.");
        reader->failed = true;
        return;
    }
    if (!ast_match(setting, "distpar beta #", &beta)) {
        refuse_form(reader, setting, "distpar beta #", "cost distpar beta 0.1");
        return;
    }
    read_real(reader, beta, "'beta'", &range, &reader->train->beta);
    reader->train->has_beta = true;
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

static const Setting settings[] = {
    {"strategy", true, false, BOTH, NULL, "strategy zero3(data)"},
    {"optimizer", true, false, TRAINS, read_optimizer, "optimizer adamw(rate = 3e-4)"},
    {"batch", true, false, BOTH, read_batch, "batch 32 in 4 microbatches"},
    {"steps", true, false, BOTH, read_steps, "steps 1000"},
    {"clip", false, false, TRAINS, read_clip, NULL},
    {"precision", false, false, BOTH, read_precision, NULL},
    {"data", false, false, TRAINS, read_data, NULL},
    {"checkpoint", false, false, TRAINS, read_checkpoint, NULL},
    {"seed", false, false, BOTH, NULL, NULL},
    {"saved", false, true, TRAINS, NULL, NULL}, /* read by sema/saved.c once the states are known */
    {"loaded", false, true, TRAINS, NULL, NULL},
    {"assert", false, true, BOTH, read_assert, NULL},
    {"prompts", false, false, SERVES, read_prompts, NULL},
    {"load", false, false, SERVES, read_load, NULL},
    {"sample", false, false, SERVES, read_sample, NULL},
    {"contract", false, true, TRAINS, read_contract, NULL},
    {"cost", false, false, TRAINS, read_cost, NULL},
};

enum { SETTING_COUNT = sizeof settings / sizeof *settings };

static bool takes(const Reader *reader, int setting)
{
    return settings[setting].takers == BOTH || settings[setting].takers == (reader->train->serves ? SERVES : TRAINS);
}

static int find_setting(Reader *reader, const AstName *key)
{
    const char *names[SETTING_COUNT];
    int count = 0;
    bool elsewhere = false;
    for (int i = 0; i < SETTING_COUNT; i++) {
        bool same = strcmp(settings[i].key, key->text) == 0;
        if (takes(reader, i))
            names[count++] = settings[i].key;
        if (takes(reader, i) && same)
            return i;
        elsewhere = elsewhere || same;
    }
    Diagnostic *d = resolve_unknown_word(reader->ctx, key->span, "setting", key->text, names, count);
    if (elsewhere)
        diag_why(d, reader->train->serves ? "A model that is served is not trained."
                                          : "A model that is trained is not served: that is `serve`.");
    reader->failed = reader->damaged = true;
    return -1;
}

static void read_setting(Reader *reader, const AstNode *node, const AstNode **seen)
{
    int index = find_setting(reader, &node->setting.key);
    if (index < 0)
        return;
    if (seen[index] != NULL && !settings[index].repeatable) {
        Diagnostic *d =
            diag_report(reader->ctx->diag, P0208, node->setting.key.span, "'%s' is given twice", settings[index].key);
        diag_label(d, seen[index]->span, "first given here");
        diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = node->span});
        reader->failed = true;
        return;
    }
    seen[index] = node;
    if (node->setting.value != NULL) {
        diag_report(reader->ctx->diag, P0206, node->setting.value->span, "'%s' takes nothing after a colon",
                    settings[index].key);
        reader->failed = true;
        return;
    }
    if (settings[index].read != NULL)
        settings[index].read(reader, node);
}

static void report_missing(Reader *reader, const AstNode *node, const AstNode *const *seen)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        if (!settings[i].required || seen[i] != NULL || !takes(reader, i))
            continue;
        Diagnostic *d = diag_report(reader->ctx->diag, P0208, node->train.model.span, "'%s %s' does not set its %s",
                                    node->train.serves ? "serve" : "train", node->train.model.text, settings[i].key);
        diag_repair(d, (Repair){.kind = REPAIR_ADD_LINE,
                                .target = settings[i].form,
                                .otherwise = arena_printf(reader->ctx->arena, "Its form is: %s", settings[i].form)});
        reader->failed = true;
    }
}

static void refuse_search(Ctx *ctx, const AstNode *line)
{
    Diagnostic *d = diag_report(ctx->diag, P0211, line->span, "the strategy is still to be found");
    diag_help(d, "`placec search FILE -o FOUND.place` writes a program with the best, `--lock` keeps it in FILE.lock.");
}

bool train_read(Ctx *ctx, const AstNode *node, Train *train, Optimizer *optimizer)
{
    Reader reader = {.ctx = ctx, .train = train, .optimizer = optimizer};
    const AstNode *seen[SETTING_COUNT] = {NULL};
    train->seed = 1;
    for (int i = 0; i < node->train.body.count; i++) {
        const AstNode *line = node->train.body.data[i];
        if (line->kind == AST_SETTING) {
            read_setting(&reader, line, seen);
        } else if (line->kind == AST_SEARCH) {
            refuse_search(ctx, line);
            seen[0] = line;
            reader.failed = true;
        } else {
            reader.failed = reader.damaged = true;
        }
    }
    DType dtype = train->decls.compute_dtype == DTYPE_F64 ? DTYPE_F64 : DTYPE_F32;
    for (int i = 0; i < reader.reals.count; i++)
        reader.failed |=
            !resolve_fits(ctx, reader.reals.data[i].span, reader.reals.data[i].what, reader.reals.data[i].value, dtype);
    if (!reader.damaged)
        report_missing(&reader, node, seen);
    return !reader.failed;
}
