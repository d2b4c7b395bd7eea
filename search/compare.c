/* compare.c - costs a program and versions of it, and prints them next to each other (search/compare.h). */
#include "search/compare.h"

#include "base/str.h"
#include "parser/parser.h"
#include "plan/answer.h"
#include "search/lock.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows --------------------------------------------------------------------------------------------------- */

static void add_row(Comparison *comparison, const char *name, const Pattern *pattern, const Version *version)
{
    Compared row = {.name = name};
    pattern_cost(pattern, version, &row.costed);
    row.proved = row.costed.plan != NULL && costed_prove(&row.costed);
    vec_push(comparison->ctx->arena, &comparison->rows, row);
}

/* The program as it is; its errors are the user's. */
static bool add_own(Comparison *comparison, const char *name, Ctx *ctx, int source, Pattern *pattern)
{
    static const Version same = {0};
    const Ast *ast = parser_run(ctx, source);
    Lock lock;
    if (diag_error_count(ctx->diag) > 0 || !lock_read(ctx, source, ast, &lock))
        return false;
    lock_apply(ctx, &source, &lock);
    if (!pattern_find(ctx, source, pattern))
        return false;
    add_row(comparison, name, pattern, &same);
    const Compared *row = &comparison->rows.data[comparison->rows.count - 1];
    if (!row->proved)
        pattern_report(pattern, &same, &row->costed);
    return row->proved && lock_check(ctx, row->costed.ctx.sources, row->costed.source, &lock);
}

static const char *source_text(const Pattern *pattern, Span span)
{
    const char *text = source_of(pattern->ctx->sources, span)->text + span.start;
    return arena_copy(pattern->ctx->arena, text, (size_t)(span.end - span.start));
}

/* "zero1(data)", of "strategy  zero1(data)". */
static const char *own_strategy(const Pattern *pattern)
{
    const char *text = source_text(pattern, pattern->strategy_span) + strlen("strategy");
    return text + strspn(text, " \t");
}

/* ---- Versions ----------------------------------------------------------------------------------------------- */

/* The text up to a comma that is in no brackets; moves on to what follows it. */
static const char *next_item(Arena *arena, const char **list)
{
    int depth = 0;
    const char *start = *list + strspn(*list, " "), *end = start;
    for (; *end != '\0' && (depth > 0 || *end != ','); end++)
        depth += *end == '(' || *end == '[' ? 1 : *end == ')' || *end == ']' ? -1 : 0;
    *list = *end == ',' ? end + 1 : end;
    while (end > start && end[-1] == ' ')
        end--;
    return arena_copy(arena, start, (size_t)(end - start));
}

/* The axis over which a program divides its batch, or its first. */
static const char *batch_axis(const Costed *costed)
{
    const AxisSet *axes = &costed->assignment->batch_axes;
    return costed->file->decls->axes.data[axes->count > 0 ? axes->axis[0] : 0].name;
}

bool compare_against(Ctx *ctx, int source, const char *strategies, Comparison *comparison)
{
    Pattern pattern;
    *comparison = (Comparison){.ctx = ctx};
    if (!add_own(comparison, "", ctx, source, &pattern))
        return false;
    comparison->rows.data[0].name = own_strategy(&pattern);
    const char *axis = batch_axis(&comparison->rows.data[0].costed);
    for (const char *rest = strategies; *rest != '\0';) {
        const char *item = next_item(ctx->arena, &rest);
        bool bare = strchr(item, '(') == NULL;
        Version version = {.strategy = bare ? arena_printf(ctx->arena, "%s(%s)", item, axis) : item};
        add_row(comparison, version.strategy, &pattern, &version);
    }
    return true;
}

bool compare_line(Ctx *ctx, int source, const char *line, Comparison *comparison)
{
    Pattern pattern;
    *comparison = (Comparison){.ctx = ctx};
    if (!add_own(comparison, "as it is", ctx, source, &pattern))
        return false;
    const Version version = {.line = line};
    add_row(comparison, line, &pattern, &version);
    return true;
}

static bool is_word_byte(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        if ((at == text || !is_word_byte(at[-1])) && !is_word_byte(at[length]))
            return true;
    return false;
}

/* A strategy of this one statement, over the axes that it names, joined to the program's. */
bool compare_statement(Ctx *ctx, int source, const char *statement, Comparison *comparison)
{
    Pattern pattern;
    *comparison = (Comparison){.ctx = ctx};
    if (!add_own(comparison, "as it is", ctx, source, &pattern))
        return false;
    Text parameters = {.arena = ctx->arena}, arguments = {.arena = ctx->arena};
    const Decls *decls = comparison->rows.data[0].costed.file->decls;
    for (int i = 0; i < decls->axes.count; i++)
        if (has_word(statement, decls->axes.data[i].name)) {
            const char *comma = parameters.length > 0 ? ", " : "", *name = decls->axes.data[i].name;
            text_add(&parameters, "%s%s: axis", comma, name);
            text_add(&arguments, "%s%s", comma, name);
        }
    bool any = parameters.length > 0;
    const char *open = any ? "(" : "", *close = any ? ")" : "";
    const Version version = {.strategy = arena_printf(ctx->arena, "%s * the_statement%s%s%s", own_strategy(&pattern),
                                                      open, any ? arguments.data : "", close),
                             .declared = arena_printf(ctx->arena, "strategy the_statement%s%s%s {\n    %s\n}\n", open,
                                                      any ? parameters.data : "", close, statement)};
    add_row(comparison, statement, &pattern, &version);
    return true;
}

static const char *file_name(const Ctx *ctx, int source)
{
    return source_of(ctx->sources, (Span){source, 0, 0})->name;
}

bool compare_programs(Ctx *ctx, int source, Ctx *other, int other_source, Comparison *comparison)
{
    Pattern pattern, other_pattern;
    *comparison = (Comparison){.ctx = ctx};
    bool own = add_own(comparison, file_name(ctx, source), ctx, source, &pattern);
    return add_own(comparison, file_name(other, other_source), other, other_source, &other_pattern) && own;
}

void compare_close(Comparison *comparison)
{
    for (int i = 0; i < comparison->rows.count; i++)
        costed_close(&comparison->rows.data[i].costed);
}

/* ---- Quantities --------------------------------------------------------------------------------------------- */

/* NAN-free: 0 where nothing is predicted. */
typedef struct Quantity {
    const char *name;
    double (*of)(const Plan *plan);
    const char *(*text)(Arena *arena, double value);
} Quantity;

static double step_of(const Plan *plan)
{
    return plan->time.step;
}

static double computing_of(const Plan *plan)
{
    return plan->time.computing;
}

static double communicating_of(const Plan *plan)
{
    return plan->time.communicating;
}

static double waiting_of(const Plan *plan)
{
    return plan->time.waiting;
}

static double memory_of(const Plan *plan)
{
    return (double)plan->total_bytes;
}

static double sent_of(const Plan *plan)
{
    return (double)plan->traffic_bytes_per_device;
}

static const char *seconds_text(Arena *arena, double value)
{
    return value > 0 ? str_seconds(arena, value) : "-";
}

static const char *bytes_text(Arena *arena, double value)
{
    return str_bytes(arena, (int64_t)value);
}

static const Quantity quantities[] = {
    {"step", step_of, seconds_text},
    {"computing", computing_of, seconds_text},
    {"communicating", communicating_of, seconds_text},
    {"waiting", waiting_of, seconds_text},
    {"memory", memory_of, bytes_text},
    {"sent", sent_of, bytes_text},
};

enum { QUANTITIES = sizeof quantities / sizeof *quantities };

bool compare_equal(const Comparison *comparison)
{
    const Plan *first = comparison->rows.data[0].costed.plan;
    for (int i = 1; i < comparison->rows.count; i++) {
        const Plan *plan = comparison->rows.data[i].costed.plan;
        for (int q = 0; q < QUANTITIES; q++)
            if (quantities[q].of(plan) != quantities[q].of(first))
                return false;
    }
    return true;
}

/* ---- Answers ------------------------------------------------------------------------------------------------ */

static bool fits(const Plan *plan)
{
    int64_t memory = plan->train->cluster.device.memory_bytes;
    return memory == 0 || plan->total_bytes <= memory;
}

/* How much longer a step takes, in percent; what is shown as 0 has no sign. */
static double longer_percent(const Plan *plan, const Plan *first)
{
    const double SHOWN = 0.05;
    double percent = 100 * (plan->time.step / first->time.step - 1);
    return fabs(percent) < SHOWN ? 0 : percent;
}

static void print_row(const Comparison *comparison, const Compared *row, int width, FILE *out)
{
    Arena *arena = comparison->ctx->arena;
    const Plan *first = comparison->rows.data[0].costed.plan, *plan = row->costed.plan;
    fprintf(out, "%-*s", width, row->name);
    for (int q = 0; q < QUANTITIES; q++)
        fprintf(out, " %13s", quantities[q].text(arena, quantities[q].of(plan)));
    if (plan != first && first->time.step > 0 && plan->time.step > 0) {
        double percent = longer_percent(plan, first);
        fprintf(out, percent == 0 ? "  %.1f%%" : "  %+.1f%%", percent);
    }
    fprintf(out, "%s%s\n", fits(plan) ? "" : "  does not fit", plan_keeps_asserts(plan) ? "" : "  breaks an assert");
}

/* Its errors are shown where it is no right program. */
void compare_print(const Comparison *comparison, FILE *out)
{
    int width = 8;
    for (int i = 0; i < comparison->rows.count; i++) {
        int length = (int)strlen(comparison->rows.data[i].name);
        width = length > width ? length : width;
    }
    fprintf(out, "%-*s", width, "");
    for (int q = 0; q < QUANTITIES; q++)
        fprintf(out, " %13s", quantities[q].name);
    fprintf(out, "\n");
    for (int i = 0; i < comparison->rows.count; i++)
        if (comparison->rows.data[i].proved)
            print_row(comparison, &comparison->rows.data[i], width, out);
    for (int i = 0; i < comparison->rows.count; i++) {
        const Compared *row = &comparison->rows.data[i];
        if (row->proved)
            continue;
        fprintf(out, "\n%s is not right:\n", row->name);
        diag_print_text(row->costed.ctx.diag, out, false, 1);
    }
}

static cJSON *row_json(const Compared *row)
{
    const Costed *costed = &row->costed;
    cJSON *root =
        row->proved ? answer_json(costed->ctx.arena, costed->plan, &costed->verdict) : diag_json(costed->ctx.diag);
    if (row->proved)
        cJSON_AddBoolToObject(root, "keeps_asserts", plan_keeps_asserts(costed->plan));
    cJSON_AddStringToObject(root, "name", row->name);
    return root;
}

const char *compare_json(const Comparison *comparison)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "format_version", 1);
    cJSON *rows = cJSON_AddArrayToObject(root, "programs");
    for (int i = 0; i < comparison->rows.count; i++)
        cJSON_AddItemToArray(rows, row_json(&comparison->rows.data[i]));
    return answer_text(comparison->ctx->arena, root);
}
