/* answer.c - prints what a search found: a table for people, JSON for tools (search/search.h). */
#include "search/search.h"

#include "base/str.h"
#include "plan/answer.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const char *const spent_names[FOUND_SPENT] = {
    [FOUND_COMPUTING] = "computing", [FOUND_COMMUNICATING] = "communicating", [FOUND_WAITING] = "waiting"};

static const char *value_text(Arena *arena, const Space *space, double value)
{
    switch (space->objective) {
    case LEAST_TIME:
    case LEAST_BOTH:
    case MOST_THROUGHPUT:
        return str_seconds(arena, value);
    case LEAST_PRICE:
        return arena_printf(arena, "%.3g", value);
    case LEAST_MEMORY:
        return str_bytes(arena, (int64_t)value);
    }
    BUG("no objective %d", space->objective);
}

static double gap_of(const Answer *answer)
{
    double best = best_value(&answer->space, &answer->searched.best);
    return best > 0 ? 1 - answer->searched.bound / best : 0;
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

static const char *time_text(Arena *arena, const Found *found)
{
    return found->seconds > 0 ? str_seconds(arena, found->seconds) : "-";
}

/* How much single pins gained, and what is not known of other sets of them. */
static void print_pinned(const Answer *answer, FILE *out)
{
    const Searched *searched = &answer->searched;
    const Space *space = &answer->space;
    Arena *arena = answer->ctx->arena;
    double before = searched->unpinned.seconds, gain = before - searched->best.seconds;
    if (gain > 0)
        fprintf(out, "  pinned     %.1f%% less than the %s without pins\n", 100 * gain / before,
                str_seconds(arena, before));
    else
        fprintf(out, "  pinned     nothing: %s\n",
                searched->climbed      ? "no pin makes a step faster"
                : searched->pinned > 0 ? "none of those that were tried makes a step faster"
                                       : "there was no time to try any");
    fprintf(out, "  gap        %.1f%%: %s, other sets of pins are not tried, and none takes less than %s\n",
            100 * gap_of(answer), searched->climbed ? "no single pin gains more" : "stopped early",
            value_text(arena, space, searched->bound));
}

static void print_head(const Answer *answer, FILE *out)
{
    const Space *space = &answer->space;
    const Searched *searched = &answer->searched;
    Arena *arena = answer->ctx->arena;
    const Cluster *cluster = &space->train->cluster;
    fprintf(out, "search over %s: %lld ", cluster->name, (long long)space->devices);
    if (answer->parts.count > 0)
        fprintf(out, "of %lld ", (long long)answer->parts.data[0].devices);
    fprintf(out, "devices of %s, %s", cluster->device.name, objective_names[space->objective]);
    if (space->memory_bytes > 0)
        fprintf(out, ", at most %s of each device", str_bytes(arena, space->memory_bytes));
    if (space->most_seconds > 0)
        fprintf(out, ", at most %s a step", str_seconds(arena, space->most_seconds));
    if (space->most_price > 0)
        fprintf(out, ", for at most %.3g", space->most_price);
    fprintf(out, "\n  found      %s a step, %s a device", time_text(arena, &searched->best),
            str_bytes(arena, (int64_t)searched->best.bytes));
    if (space_needs_price(space))
        fprintf(out, ", for %.3g on all of them", space_price(space, searched->best.seconds));
    fputc('\n', out);
    if (space->pinned_wanted)
        print_pinned(answer, out);
    else if (searched->exact)
        fprintf(out, "  gap        none: by this cost model nothing in the space is better\n");
    else
        fprintf(out, "  gap        %.1f%%: %s, and nothing in the space takes less than %s\n", 100 * gap_of(answer),
                searched->few_placed ? "not all of `placed` was tried (`with placed` does)" : "stopped early",
                value_text(arena, space, searched->bound));
    fprintf(out, "  space      %.0f shape%s, %.0f strateg%s\n", searched->shapes, searched->shapes == 1 ? "" : "s",
            searched->strategies, searched->strategies == 1 ? "y" : "ies");
    fprintf(out, "  looked at  %lld layers, %lld program%s, %lld proof%s, %s\n", (long long)searched->inner,
            (long long)searched->costed, searched->costed == 1 ? "" : "s", (long long)searched->proved,
            searched->proved == 1 ? "" : "s", str_seconds(arena, searched->elapsed_s));
}

static void print_program(const Answer *answer, FILE *out)
{
    const Choice *choice = &answer->searched.best.choice;
    Arena *arena = answer->ctx->arena;
    fprintf(out, "\n  mesh %s on %s { %s }\n  strategy %s\n", answer->pattern.mesh, answer->pattern.cluster,
            space_mesh(arena, choice), space_named(arena, &answer->space, choice));
    const char *declared = space_declared(arena, &answer->space, choice);
    for (const char *line = declared; line != NULL && *line != '\0'; line += strcspn(line, "\n") + 1)
        fprintf(out, "%s%.*s\n", *line == '\n' ? "" : "  ", (int)strcspn(line, "\n"), line);
    if (choice->micro > 1)
        fprintf(out, "  batch %lld in %d microbatches\n", (long long)answer->space.train->batch, choice->micro);
    else
        fprintf(out, "  batch %lld\n", (long long)answer->space.train->batch);
}

/* What the changed strategy spends most more time with. */
static const char *slower(Arena *arena, const Found *found, const Found *best)
{
    int most = 0;
    for (int spent = 1; spent < FOUND_SPENT; spent++)
        if (found->spent[spent] - best->spent[spent] > found->spent[most] - best->spent[most])
            most = spent;
    return arena_printf(arena, "%s more %s", str_seconds(arena, found->spent[most] - best->spent[most]),
                        spent_names[most]);
}

static const char *reason(Arena *arena, const Answer *answer, const Found *found)
{
    const Found *best = &answer->searched.best;
    if (found->slow)
        return "is not within the limits";
    if (!found->fits)
        return "does not fit";
    if (answer->space.objective == LEAST_MEMORY && found->bytes > best->bytes)
        return arena_printf(arena, "%s more", str_bytes(arena, (int64_t)(found->bytes - best->bytes)));
    if (best_slower(found, best))
        return slower(arena, found, best);
    return found->bytes > best->bytes ? "no faster, and needs more memory" : "no faster";
}

static void print_lost(const Answer *answer, FILE *out)
{
    Arena *arena = answer->ctx->arena;
    int width = (int)strlen("instead");
    for (int i = 0; i < answer->lost.count; i++) {
        int length = (int)strlen(answer->lost.data[i].instead);
        width = length > width ? length : width;
    }
    fprintf(out, "\n  with one choice changed\n  %-*s %10s %10s  %s\n", width, "instead", "time", "memory",
            "why it lost");
    for (int i = 0; i < answer->lost.count; i++) {
        const Lost *lost = &answer->lost.data[i];
        fprintf(out, "  %-*s %10s %10s  %s\n", width, lost->instead, time_text(arena, &lost->found),
                str_bytes(arena, (int64_t)lost->found.bytes), reason(arena, answer, &lost->found));
    }
    if (!answer->lost_whole)
        fprintf(out, "  others were not looked at: the search was stopped\n");
}

/* What memory made it do, step by step. */
static void print_saved(const Answer *answer, FILE *out)
{
    Arena *arena = answer->ctx->arena;
    if (answer->saved.count > 0)
        fprintf(out, "\n  to need less memory, step by step\n  %10s %10s %10s %10s  step\n", "time", "memory", "saves",
                "costs");
    for (int i = 0; i < answer->saved.count; i++) {
        const Found *found = &answer->saved.data[i].found;
        const char *saves = "", *costs = "";
        if (i > 0) {
            const Found *before = &answer->saved.data[i - 1].found;
            saves = before->bytes > found->bytes ? str_bytes(arena, (int64_t)(before->bytes - found->bytes)) : "-";
            costs = found->seconds > before->seconds ? str_seconds(arena, found->seconds - before->seconds) : "-";
        }
        fprintf(out, "  %10s %10s %10s %10s  %s\n", time_text(arena, found), str_bytes(arena, (int64_t)found->bytes),
                saves, costs, answer->saved.data[i].what);
    }
}

/* "searched: mlp.active; norm1, norm2", in this order. */
static const char *values_text(const Answer *answer)
{
    const Space *space = &answer->space;
    Text text = {.arena = answer->ctx->arena};
    if (space_values(space) == 0)
        return "not searched: no limit asks for it";
    for (int v = 0; v < space->values.count; v++)
        for (int l = 0; l < space->values.data[v].count; l++)
            text_add(&text, "%s%s", l > 0 ? ", " : v > 0 ? "; " : "searched: ", space->values.data[v].data[l]);
    return text.data;
}

/* "searched: x, mlp.up", in this order. */
static const char *hosted_text(const Answer *answer)
{
    const Space *space = &answer->space;
    Text text = {.arena = answer->ctx->arena};
    if (!space_saves_partly(space) && space->objective != LEAST_MEMORY)
        return "not searched: no limit asks for it";
    for (int v = 1; v <= space->hosted; v++) {
        const KeptValue *value = &space->kept.data[space->kept.count - v];
        text_add(&text, "%s%s%s", v > 1 ? ", " : "searched: ", value->label,
                 value->outside ? " before the layers" : "");
    }
    return text.data;
}

static const char *option_text(const Answer *answer, int group, const Option *option)
{
    if (option->excluded != NULL)
        return option->excluded;
    if (group == GROUP_RECOMPUTED && option == &answer->space.options[group].option[OPTION_BY_VALUE])
        return values_text(answer);
    if (group == GROUP_HOSTED && option == &answer->space.options[group].option[OPTION_VALUES_ON_HOST])
        return hosted_text(answer);
    bool some = group == GROUP_PLACED && !option->wanted && !answer->searched.exact;
    return some ? "the first programs searched; `with placed` looks at all" : "searched";
}

/* What `tensor` is for where no strategy of the prelude divides the model over it. */
static const char *for_placed(const Answer *answer)
{
    const Space *space = &answer->space;
    if (space->options[GROUP_PLACED].option[OPTION_PLACED].excluded != NULL || space->tensors.high == 1)
        return "";
    return arena_printf(answer->ctx->arena, ", with `placed` at most %lld",
                        (long long)(space->tensors.high < space->devices ? space->tensors.high : space->devices));
}

static void print_space(const Answer *answer, FILE *out)
{
    const Space *space = &answer->space;
    fprintf(out, "\n  space\n");
    for (int degree = 0; degree < DEGREE_COUNT; degree++) {
        const Limit *limit = &space->degree[degree];
        if (space->why[degree] != NULL)
            fprintf(out, "  %-18s 1 rank%s: %s\n", degree_names[degree],
                    degree == DEGREE_TENSOR ? for_placed(answer) : "", space->why[degree]);
        else if (limit->low == limit->high)
            fprintf(out, "  %-18s %lld rank%s\n", degree_names[degree], (long long)limit->high,
                    limit->high == 1 ? "" : "s");
        else if (limit->high >= space->devices)
            fprintf(out, "  %-18s any number of ranks\n", degree_names[degree]);
        else
            fprintf(out, "  %-18s at most %lld ranks\n", degree_names[degree], (long long)limit->high);
    }
    if (space->why_micro != NULL)
        fprintf(out, "  %-18s 1: %s\n", "microbatches", space->why_micro);
    else
        fprintf(out, "  %-18s that divide the batch equally, of at most %lld example%s on a rank\n", "microbatches",
                (long long)space->examples, space->examples == 1 ? "" : "s");
    for (int group = 0; group < GROUP_COUNT; group++) {
        const Options *options = &space->options[group];
        if (options->degree != ALWAYS && space->degree[options->degree].high == 1)
            continue;
        for (int o = 0; o < options->count; o++)
            fprintf(out, "  %-18s %s\n", options->option[o].name, option_text(answer, group, &options->option[o]));
    }
}

/* What was found for each limit of memory. */
static void print_front(const Answer *answer, FILE *out)
{
    Arena *arena = answer->ctx->arena;
    if (answer->front.count == 0)
        return;
    fprintf(out, "\n  %10s %10s %6s  strategy\n", "time", "memory", "gap");
    for (int i = 0; i < answer->front.count; i++) {
        const Front *row = &answer->front.data[i];
        const char *gap = row->gap > 0 ? arena_printf(arena, "%.1f%%", 100 * row->gap) : "none";
        fprintf(out, "  %10s %10s %6s  %s on { %s } in %d\n", time_text(arena, &row->found),
                str_bytes(arena, (int64_t)row->found.bytes), gap,
                space_strategy(arena, &answer->space, &row->found.choice), space_mesh(arena, &row->found.choice),
                row->found.choice.micro);
    }
    if (!answer->front_whole)
        fprintf(out, "  stopped early: there may be strategies that need less memory (--seconds gives more time)\n");
}

/* What was found on each part of the cluster. */
static void print_parts(const Answer *answer, FILE *out)
{
    Arena *arena = answer->ctx->arena;
    double price = answer->space.train->cluster.device.price_per_second;
    if (answer->parts.count == 0)
        return;
    fprintf(out, "\n  %9s %10s %10s %10s %6s  strategy\n", "devices", "time", "price", "memory", "gap");
    for (int i = 0; i < answer->parts.count; i++) {
        const Part *part = &answer->parts.data[i];
        const Found *found = &part->found;
        if (part->error != NULL) {
            fprintf(out, "  %9lld %10s %10s %10s %6s  %s\n", (long long)part->devices, "-", "-", "-", "-", part->error);
            continue;
        }
        fprintf(out, "  %9lld %10s %10s %10s %6s  %s on { %s } in %d\n", (long long)part->devices,
                time_text(arena, found),
                price > 0 ? arena_printf(arena, "%.3g", price * (double)part->devices * found->seconds) : "-",
                str_bytes(arena, (int64_t)found->bytes),
                part->gap > 0 ? arena_printf(arena, "%.1f%%", 100 * part->gap) : "none", part->strategy, part->mesh,
                found->choice.micro);
    }
}

/* Of a served model: what was found for each number of sequences. */
static void print_batches(const Answer *answer, FILE *out)
{
    Arena *arena = answer->ctx->arena;
    if (answer->batches.count == 0)
        return;
    fprintf(out, "\n  %9s %12s %10s %10s  strategy\n", "sequences", "tokens / s", "a token", "memory");
    for (int i = 0; i < answer->batches.count; i++) {
        const Batch *batch = &answer->batches.data[i];
        double tokens = (double)batch->sequences / batch->found.seconds; /* a second */
        fprintf(out, "  %9lld %12.*f %10s %10s  %s\n", (long long)batch->sequences, tokens < 1000 ? 1 : 0, tokens,
                time_text(arena, &batch->found), str_bytes(arena, (int64_t)batch->found.bytes),
                space_strategy(arena, &answer->space, &batch->found.choice));
    }
}

void search_print(const Answer *answer, FILE *out)
{
    print_head(answer, out);
    print_program(answer, out);
    print_parts(answer, out);
    print_batches(answer, out);
    print_front(answer, out);
    print_saved(answer, out);
    print_lost(answer, out);
    print_space(answer, out);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

static void add_found(cJSON *row, const Found *found)
{
    if (found->seconds > 0)
        cJSON_AddNumberToObject(row, "step_s", found->seconds);
    else
        cJSON_AddNullToObject(row, "step_s");
    cJSON_AddNumberToObject(row, "memory_bytes", found->bytes);
    cJSON_AddBoolToObject(row, "fits", found->fits);
}

static cJSON *lost_json(const Lost *lost)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "choice", lost->choice);
    cJSON_AddStringToObject(row, "instead", lost->instead);
    add_found(row, &lost->found);
    return row;
}

static cJSON *saved_json(const Saved *saved)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "what", saved->what);
    add_found(row, &saved->found);
    return row;
}

static cJSON *front_json(const Answer *answer, const Front *front)
{
    Arena *arena = answer->ctx->arena;
    const Choice *choice = &front->found.choice;
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "strategy", space_strategy(arena, &answer->space, choice));
    cJSON_AddStringToObject(row, "mesh", space_mesh(arena, choice));
    cJSON_AddNumberToObject(row, "microbatches", choice->micro);
    cJSON_AddNumberToObject(row, "step_s", front->found.seconds);
    cJSON_AddNumberToObject(row, "memory_bytes", front->found.bytes);
    cJSON_AddNumberToObject(row, "gap", front->gap);
    return row;
}

static cJSON *part_json(const Answer *answer, const Part *part)
{
    double price = answer->space.train->cluster.device.price_per_second;
    cJSON *row = cJSON_CreateObject();
    cJSON_AddNumberToObject(row, "devices", (double)part->devices);
    if (part->error != NULL) {
        cJSON_AddStringToObject(row, "error", part->error);
        return row;
    }
    cJSON_AddStringToObject(row, "strategy", part->strategy);
    cJSON_AddStringToObject(row, "mesh", part->mesh);
    cJSON_AddNumberToObject(row, "microbatches", part->found.choice.micro);
    cJSON_AddNumberToObject(row, "step_s", part->found.seconds);
    if (price > 0)
        cJSON_AddNumberToObject(row, "price", price * (double)part->devices * part->found.seconds);
    cJSON_AddNumberToObject(row, "memory_bytes", part->found.bytes);
    cJSON_AddNumberToObject(row, "gap", part->gap);
    return row;
}

/* For each number of sequences. */
static void add_batches(const Answer *answer, cJSON *root)
{
    if (answer->batches.count == 0)
        return;
    Arena *arena = answer->ctx->arena;
    cJSON *batches = cJSON_AddArrayToObject(root, "batches");
    for (int i = 0; i < answer->batches.count; i++) {
        const Batch *batch = &answer->batches.data[i];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddNumberToObject(row, "batch", (double)batch->sequences);
        cJSON_AddNumberToObject(row, "tokens_per_s", (double)batch->sequences / batch->found.seconds);
        cJSON_AddStringToObject(row, "strategy", space_strategy(arena, &answer->space, &batch->found.choice));
        cJSON_AddStringToObject(row, "mesh", space_mesh(arena, &batch->found.choice));
        cJSON_AddNumberToObject(row, "step_s", batch->found.seconds);
        cJSON_AddNumberToObject(row, "memory_bytes", batch->found.bytes);
        cJSON_AddItemToArray(batches, row);
    }
}

static void add_parts(const Answer *answer, cJSON *root)
{
    if (answer->parts.count == 0)
        return;
    cJSON *parts = cJSON_AddArrayToObject(root, "parts");
    for (int i = 0; i < answer->parts.count; i++)
        cJSON_AddItemToArray(parts, part_json(answer, &answer->parts.data[i]));
}

static cJSON *limits_json(const Space *space)
{
    cJSON *limits = cJSON_CreateObject();
    if (space->memory_bytes > 0)
        cJSON_AddNumberToObject(limits, "memory_bytes", (double)space->memory_bytes);
    if (space->most_seconds > 0)
        cJSON_AddNumberToObject(limits, "step_s", space->most_seconds);
    if (space->most_price > 0)
        cJSON_AddNumberToObject(limits, "price", space->most_price);
    return limits;
}

static void add_search(const Answer *answer, cJSON *root)
{
    const Searched *searched = &answer->searched;
    const Choice *choice = &searched->best.choice;
    Arena *arena = answer->ctx->arena;
    cJSON_AddStringToObject(root, "objective", objective_names[answer->space.objective]);
    cJSON_AddItemToObject(root, "limits", limits_json(&answer->space));
    cJSON_AddStringToObject(root, "strategy", space_named(arena, &answer->space, choice));
    const char *declared = space_declared(arena, &answer->space, choice);
    if (declared != NULL)
        cJSON_AddStringToObject(root, "declared", declared);
    cJSON_AddNumberToObject(root, "batch", (double)answer->space.train->batch);
    cJSON_AddNumberToObject(root, "microbatches", choice->micro);
    cJSON_AddStringToObject(root, "program", answer->program);
    cJSON_AddNumberToObject(root, "bound", searched->bound);
    cJSON_AddNumberToObject(root, "gap", gap_of(answer));
    cJSON_AddBoolToObject(root, "exact", searched->exact);
    if (answer->space.pinned_wanted)
        cJSON_AddNumberToObject(root, "unpinned_step_s", searched->unpinned.seconds);
    cJSON_AddNumberToObject(root, "strategies", searched->strategies);
    cJSON_AddNumberToObject(root, "costed", (double)searched->costed);
    cJSON_AddBoolToObject(root, "lost_whole", answer->lost_whole);
    cJSON *lost = cJSON_AddArrayToObject(root, "lost");
    for (int i = 0; i < answer->lost.count; i++)
        cJSON_AddItemToArray(lost, lost_json(&answer->lost.data[i]));
    add_batches(answer, root);
    add_parts(answer, root);
    cJSON *saved = cJSON_AddArrayToObject(root, "saved");
    for (int i = 0; i < answer->saved.count; i++)
        cJSON_AddItemToArray(saved, saved_json(&answer->saved.data[i]));
    if (answer->front.count == 0)
        return;
    cJSON *front = cJSON_AddArrayToObject(root, "front");
    for (int i = 0; i < answer->front.count; i++)
        cJSON_AddItemToArray(front, front_json(answer, &answer->front.data[i]));
    cJSON_AddBoolToObject(root, "front_whole", answer->front_whole);
}

const char *search_json(const Answer *answer)
{
    const Costed *found = &answer->searched.program;
    cJSON *root = answer_json(answer->ctx->arena, found->plan, &found->verdict);
    add_search(answer, root);
    return answer_text(answer->ctx->arena, root);
}
