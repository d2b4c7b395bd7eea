/* output.c - what a run prints: a line per step, validation, the plan next to measured values, the sample; for people
 * on stdout and for programs in the log, one JSON object per line. */
#include "runtime/data.h"
#include "runtime/number.h"
#include "runtime/view.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- A step's outputs --------------------------------------------------------------------------------------- */

/* A number in the arena. */
static double number_of(prt_context *ctx, const char *name, prt_dtype dtype, const void *at)
{
    double room;
    if (dtype == PRT_I32)
        prt_fail(ctx, "the %s is an integer", name);
    prt_fetch(ctx->run, &room, at, prt_dtype_bytes(dtype));
    return prt_number_at(dtype, &room, 0);
}

const prt_results prt_no_results = {
    .of_step = {.loss = NAN, .gradient_norm = NAN, .learning_rate = NAN, .finite = NAN, .loss_scale = NAN}};

/* Where a result by this name is kept; NULL: it is not. */
static double *result_of(prt_report *report, const char *name)
{
    const struct {
        const char *name;
        double *result;
    } known[] = {{"loss", &report->loss},
                 {"gradient_norm", &report->gradient_norm},
                 {"learning_rate", &report->learning_rate},
                 {"finite", &report->finite}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].result;
    return NULL;
}

/* A result is not finite, and the step is not one to skip. */
static _Noreturn void end_at_wrong(prt_context *ctx)
{
    const prt_results *results = &ctx->run->results;
    ctx->at = results->wrong_at;
    if (!prt_copies_speak(ctx->run))
        prt_sleep(2); /* it is the same on all ranks of a copy, and one message is enough */
    prt_fail(ctx,
             "the %s is %s; nothing is saved of this step, the last checkpoint is untouched (a lower learning"
             " rate, or clipping, may help)",
             results->wrong, isnan(results->wrong_value) ? "not a number" : "infinite");
}

void prt_output(prt_context *ctx, const char *name, prt_dtype dtype, const void *data, int64_t count)
{
    prt_run *run = ctx->run;
    prt_results *results = &run->results;
    if (strcmp(name, "logits") == 0) {
        if (run->mode == PRT_SERVING)
            prt_serve_logits(run, dtype, data, count);
        if (run->mode == PRT_PREDICTING)
            prt_sample_logits(run, dtype, data, count);
        return;
    }
    double value = number_of(ctx, name, dtype, data);
    double *result = result_of(&results->of_step, name);
    if (result != NULL)
        *result = value;
    else if (strcmp(name, "prediction") != 0) /* nothing uses it */
        prt_fail(ctx, "nothing is done with an output '%s'", name);
    if (isfinite(value) || results->wrong != NULL)
        return;
    results->wrong = name;
    results->wrong_value = value;
    results->wrong_at = ctx->at;
    if (!run->program->skips_steps || run->mode != PRT_TRAINING)
        end_at_wrong(ctx);
}

void prt_output_judge(prt_run *run)
{
    prt_results *results = &run->results;
    bool skipped = run->program->skips_steps && results->of_step.finite == 0;
    run->steps_skipped += skipped;
    if (results->wrong != NULL && !skipped)
        end_at_wrong(&run->ctx);
    results->wrong = NULL;
}

void prt_save_gradient(prt_context *ctx, int gradient, int64_t slot, const void *data)
{
    prt_run *run = ctx->run;
    const prt_state *row = &run->program->gradients[gradient];
    if (slot < 0 || slot >= row->slots)
        prt_fail(ctx, "a gradient for slot %lld is none of those that are kept", (long long)slot);
    prt_fetch(run, run->gradients[gradient] + slot * row->slot_bytes, data, row->slot_bytes);
}

/* ---- The log ------------------------------------------------------------------------------------------------ */

static bool speaks(const prt_run *run)
{
    return run->ctx.rank == 0 && !run->options.quiet;
}

static cJSON *log_begin(const prt_run *run, const char *event)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "event", event);
    cJSON_AddNumberToObject(object, "step", (double)run->ctx.step);
    cJSON_AddNumberToObject(object, "seconds", prt_seconds() - run->started);
    return object;
}

static void log_number(cJSON *object, const char *name, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
}

static void log_end(prt_run *run, cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (run->log != NULL && text != NULL && (fprintf(run->log, "%s\n", text) < 0 || fflush(run->log) != 0))
        prt_fail(&run->ctx, "cannot write the log '%s': %s", run->options.log, strerror(errno));
    cJSON_free(text);
}

void prt_output_start(prt_run *run)
{
    const prt_program *program = run->program;
    run->results = prt_no_results;
    run->started = prt_seconds();
    if (run->ctx.rank != 0)
        return;
    if (run->options.log != NULL) {
        run->log = fopen(run->options.log, run->options.resume != NULL && program->prefill == NULL ? "a" : "w");
        if (run->log == NULL)
            prt_fail(&run->ctx, "cannot write the log '%s': %s", run->options.log, strerror(errno));
    }
    cJSON *object = log_begin(run, "start");
    cJSON_AddNumberToObject(object, "format_version", 1);
    cJSON_AddStringToObject(object, "model", program->name);
    cJSON_AddStringToObject(object, "file", program->file);
    cJSON_AddStringToObject(object, "plan", program->plan_hash);
    cJSON_AddNumberToObject(object, "ranks", run->ctx.ranks);
    cJSON_AddNumberToObject(object, "steps", (double)run->options.steps);
    log_end(run, object);
    if (!speaks(run))
        return;
    printf("%s of %s on %d rank%s (%s), ", program->name, program->file, run->ctx.ranks, run->ctx.ranks == 1 ? "" : "s",
           run->comm->name);
    if (prt_copies(program) > 1)
        printf("%" PRId64 " copies of which numbers are the mean, ", prt_copies(program));
    if (run->ctx.step < run->options.steps)
        printf("steps %" PRId64 " to %" PRId64 "\n", run->ctx.step + 1, run->options.steps);
    else
        printf("nothing to do: %" PRId64 " step%s done (--steps N goes further)\n", run->ctx.step,
               run->ctx.step == 1 ? " is" : "s are");
}

/* ---- Steps -------------------------------------------------------------------------------------------------- */

/* "1:02:03", "2:03" or "3 s". */
static void duration_text(double seconds, char *text, size_t bytes)
{
    long long whole = (long long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(text, bytes, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
    else if (whole >= 60)
        snprintf(text, bytes, "%lld:%02lld", whole / 60, whole % 60);
    else
        snprintf(text, bytes, "%lld s", whole);
}

/* The process's memory in bytes, measured every few seconds. */
static int64_t process_bytes(prt_run *run)
{
    double now = prt_seconds();
    if (run->measured_bytes == 0 || now - run->measured_at > 5) {
        run->measured_bytes = prt_process_measure(run).total;
        run->measured_at = now;
    }
    return run->measured_bytes;
}

/* The state of this name; a program with such steps has it on every rank. */
static double loss_scale(prt_run *run)
{
    for (int i = 0; i < run->program->state_count; i++) {
        const prt_state *state = &run->program->states[i];
        if (strcmp(state->state, "loss_scale") == 0)
            return number_of(&run->ctx, state->state, state->dtype, run->ctx.arena[state->tier] + state->offset);
    }
    return NAN;
}

static double seconds_left(const prt_run *run)
{
    double steps = (double)(run->options.steps - run->ctx.step), done = (double)run->steps_done;
    return steps * (prt_seconds() - run->started) / (done > 0 ? done : 1);
}

/* What this copy reports of its step. */
static prt_report own_report(prt_run *run)
{
    prt_report report = run->results.of_step;
    report.loss_scale = run->program->skips_steps ? loss_scale(run) : NAN;
    report.skipped = run->steps_skipped;
    return report;
}

/* Of several copies, the means of what they report, and how many steps they have skipped together. */
static prt_report report_of_all(const prt_report *reports, int64_t copies)
{
    prt_report all = reports[0];
    for (int64_t i = 1; i < copies; i++) {
        all.loss += reports[i].loss;
        all.gradient_norm += reports[i].gradient_norm;
        all.learning_rate += reports[i].learning_rate;
        all.finite += reports[i].finite;
        all.loss_scale += reports[i].loss_scale;
        all.skipped += reports[i].skipped;
    }
    all.loss /= (double)copies;
    all.gradient_norm /= (double)copies;
    all.learning_rate /= (double)copies;
    all.finite /= (double)copies;
    all.loss_scale /= (double)copies;
    return all;
}

static void log_report(const prt_run *run, cJSON *object, const prt_report *report)
{
    log_number(object, "loss", report->loss);
    log_number(object, "gradient_norm", report->gradient_norm);
    log_number(object, "learning_rate", report->learning_rate);
    if (!run->program->skips_steps)
        return;
    log_number(object, "loss_scale", report->loss_scale);
    cJSON_AddNumberToObject(object, "skipped", (double)report->skipped);
}

static void log_step(prt_run *run, const prt_report *all, const prt_report *reports, int64_t copies, double seconds)
{
    cJSON *object = log_begin(run, "step");
    log_report(run, object, all);
    log_number(object, "items_per_second", (double)run->program->items_per_step / seconds);
    log_number(object, "step_seconds", seconds);
    cJSON_AddNumberToObject(object, "memory_bytes", (double)process_bytes(run));
    log_number(object, "seconds_left", seconds_left(run));
    cJSON *list = copies > 1 ? cJSON_AddArrayToObject(object, "copies") : NULL;
    for (int64_t i = 0; list != NULL && i < copies; i++) {
        cJSON *one = cJSON_CreateObject();
        log_report(run, one, &reports[i]);
        cJSON_AddItemToArray(list, one);
    }
    log_end(run, object);
}

static void print_step(prt_run *run, const prt_report *report, double seconds)
{
    const prt_program *program = run->program;
    char time[32];
    duration_text(seconds_left(run), time, sizeof time);
    printf("step %*" PRId64 "/%" PRId64, run->options.steps > 999 ? 6 : 3, run->ctx.step, run->options.steps);
    if (isfinite(report->loss))
        printf("  loss %.4f", report->loss);
    if (isfinite(report->gradient_norm))
        printf("  gradient norm %.3g", report->gradient_norm);
    if (isfinite(report->learning_rate))
        printf("  rate %.2e", report->learning_rate);
    if (report->finite < 1)
        printf("  skipped%s: the gradient is not finite, the loss scale now %g",
               report->finite > 0 ? " by some copies" : "", report->loss_scale);
    printf("  %.0f %s/s  %.2f GiB/rank  %s left\n", (double)program->items_per_step / seconds, program->item,
           (double)process_bytes(run) / (1 << 30), time);
    fflush(stdout);
}

void prt_output_step(prt_run *run, double seconds)
{
    int64_t copies = prt_copies(run->program);
    const prt_report own = own_report(run);
    prt_copies_gather(run, &own, sizeof own, run->reports);
    if (run->ctx.rank != 0)
        return;
    const prt_report all = report_of_all(run->reports, copies);
    if (run->log != NULL)
        log_step(run, &all, run->reports, copies, seconds);
    if (speaks(run))
        print_step(run, &all, seconds);
}

void prt_output_validation(prt_run *run, double loss, int64_t batches)
{
    if (run->ctx.rank != 0)
        return;
    cJSON *object = log_begin(run, "validation");
    log_number(object, "loss", loss);
    cJSON_AddNumberToObject(object, "batches", (double)batches);
    log_end(run, object);
    if (speaks(run))
        printf("validation after step %" PRId64 ": loss %.4f on held-out data (%" PRId64 " batch%s)\n", run->ctx.step,
               loss, batches, batches == 1 ? "" : "es");
    fflush(stdout);
}

void prt_output_saved(prt_run *run, const char *path, int64_t bytes, double seconds)
{
    cJSON *object = log_begin(run, "saved");
    cJSON_AddStringToObject(object, "path", path);
    cJSON_AddNumberToObject(object, "bytes", (double)bytes);
    log_end(run, object);
    if (speaks(run))
        printf("saved %s (%.1f MiB, %.2f s)\n", path, (double)bytes / (1 << 20), seconds);
    fflush(stdout);
}

/* ---- The plan next to what was measured --------------------------------------------------------------------- */

static double mebibytes(int64_t bytes)
{
    return (double)bytes / (1 << 20);
}

enum { GRADIENTS = 1, OPTIMIZER = 2, CACHE = 5 };
static const char *const categories[PRT_CATEGORIES] = {"parameters", "gradients", "optimizer", "activations",
                                                       "buffers",    "cache",     "padding"};

/* A model that is served keeps keys and values, in place of what trains it. */
static bool has_category(const prt_run *run, int category)
{
    bool serves = run->program->prefill != NULL;
    return category == CACHE ? serves : !serves || (category != GRADIENTS && category != OPTIMIZER);
}

static void log_memory(prt_run *run, const prt_process *now, const int64_t *arenas)
{
    const prt_program *program = run->program;
    cJSON *object = log_begin(run, "memory"), *rows = cJSON_AddObjectToObject(object, "planned");
    for (int i = 0; i < PRT_CATEGORIES; i++)
        if (has_category(run, i))
            cJSON_AddNumberToObject(rows, categories[i], (double)prt_class_at(run, run->ctx.rank)->memory[i]);
    if (program->arena_bytes[PRT_HOST] > 0)
        cJSON_AddNumberToObject(object, "host_planned", (double)program->arena_bytes[PRT_HOST]);
    if (program->arena_bytes[PRT_FILE] > 0)
        cJSON_AddNumberToObject(object, "file_planned", (double)program->arena_bytes[PRT_FILE]);
    cJSON_AddNumberToObject(object, "arena_planned", (double)prt_planned_arena(run, 0));
    cJSON_AddNumberToObject(object, "arena_measured", (double)now->arena);
    cJSON_AddNumberToObject(object, "before_arena", (double)run->before.total);
    cJSON_AddNumberToObject(object, "files_grown", (double)(now->files - run->before.files));
    cJSON_AddNumberToObject(object, "heap_grown", (double)(now->heap - run->before.heap));
    cJSON_AddNumberToObject(object, "workspace", (double)now->workspace);
    cJSON_AddNumberToObject(object, "other_grown", (double)(now->other - run->before.other));
    cJSON_AddNumberToObject(object, "process", (double)now->total);
    cJSON_AddNumberToObject(object, "peers", (double)now->peers);
    cJSON *ranks = cJSON_AddArrayToObject(object, "ranks");
    for (int rank = 0; rank < run->ctx.ranks; rank++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddNumberToObject(row, "arena_planned", (double)prt_planned_arena(run, rank));
        cJSON_AddNumberToObject(row, "arena_measured", (double)arenas[rank]);
        cJSON_AddItemToArray(ranks, row);
    }
    log_end(run, object);
}

/* The arenas of other ranks that hold something else than rank 0: one row for those that are planned alike. */
static void print_other_classes(const prt_run *run, const int64_t *arenas)
{
    for (int class = 0; class < run->program->class_count; class ++) {
        int64_t most = 0;
        int first = -1, count = 0;
        for (int rank = run->ctx.ranks - 1; rank >= 0; rank--) {
            if (prt_class_of(run, rank) != class)
                continue;
            first = rank;
            count++;
            most = arenas[rank] > most ? arenas[rank] : most;
        }
        if (first <= 0)
            continue;
        char what[64];
        snprintf(what, sizeof what, count > 1 ? "arena of rank %d, and of %d like it" : "arena of rank %d", first,
                 count - 1);
        printf("  %-40s %10.2f %10.2f\n", what, mebibytes(prt_planned_arena(run, first)), mebibytes(most));
    }
}

static void print_memory(const prt_run *run, const prt_process *now, const int64_t *arenas)
{
    const prt_program *program = run->program;
    printf("\nmemory of rank 0, MiB                         planned   measured\n");
    for (int i = 0; i < PRT_CATEGORIES; i++)
        if (has_category(run, i))
            printf("  %-40s %10.2f\n", categories[i], mebibytes(prt_class_at(run, run->ctx.rank)->memory[i]));
    if (program->arena_bytes[PRT_HOST] > 0)
        printf("  %-40s %10.2f\n", "offloaded to the host", mebibytes(program->arena_bytes[PRT_HOST]));
    printf("  %-40s %10.2f %10.2f\n", "arena", mebibytes(prt_planned_arena(run, 0)), mebibytes(now->arena));
    printf("  %-40s %10s %10.2f\n", "libraries, before the arena", "", mebibytes(run->before.total));
    printf("  %-40s %10s %10.2f\n", "grown since: code and mapped files", "",
           mebibytes(now->files - run->before.files));
    printf("  %-40s %10s %10.2f\n", "grown since: heap", "", mebibytes(now->heap - run->before.heap));
    printf("  %-40s %10s %10.2f\n", "grown since: workspace", "", mebibytes(now->workspace));
    printf("  %-40s %10s %10.2f\n", "grown since: other memory of libraries", "",
           mebibytes(now->other - run->before.other));
    printf("  %-40s %10s %10.2f\n", "process", "", mebibytes(now->total));
    if (program->arena_bytes[PRT_FILE] > 0)
        printf("  %-40s %10.2f %10.2f\n", "offloaded to a file, not in memory",
               mebibytes(program->arena_bytes[PRT_FILE]), mebibytes(run->file_bytes));
    print_other_classes(run, arenas);
}

static void memory_table(prt_run *run)
{
    prt_process now = prt_process_measure(run);
    int64_t *arenas = prt_gather_arenas(run, now.arena);
    if (run->ctx.rank == 0)
        log_memory(run, &now, arenas);
    if (speaks(run))
        print_memory(run, &now, arenas);
    free(arenas);
}

/* What was copied between the device and other tiers. */
static void tiers_table(prt_run *run)
{
    static const char *const names[] = {[PRT_DEVICE] = NULL, [PRT_HOST] = "host", [PRT_FILE] = "file"};
    const prt_program *program = run->program;
    double steps = (double)run->steps_done;
    bool any = program->arena_bytes[PRT_HOST] + program->arena_bytes[PRT_FILE] > 0 && run->steps_done > 0;
    if (!any)
        return;
    cJSON *object = log_begin(run, "tiers");
    if (speaks(run))
        printf("\ncopied per step, MiB              planned   measured\n");
    for (int tier = PRT_HOST; tier < PRT_TIERS; tier++) {
        if (program->arena_bytes[tier] == 0)
            continue;
        const prt_link *planned = &prt_class_at(run, run->ctx.rank)->links[tier], *moved = &run->links[tier];
        cJSON *row = cJSON_AddObjectToObject(object, names[tier]);
        cJSON_AddNumberToObject(row, "planned_to_device_bytes", (double)planned->to_device_bytes);
        cJSON_AddNumberToObject(row, "measured_to_device_bytes", (double)moved->to_device_bytes / steps);
        cJSON_AddNumberToObject(row, "planned_from_device_bytes", (double)planned->from_device_bytes);
        cJSON_AddNumberToObject(row, "measured_from_device_bytes", (double)moved->from_device_bytes / steps);
        if (!speaks(run))
            continue;
        printf("  from the %-20s %10.4f %10.4f\n", names[tier], mebibytes(planned->to_device_bytes),
               (double)moved->to_device_bytes / steps / (1 << 20));
        printf("  to the %-22s %10.4f %10.4f\n", names[tier], mebibytes(planned->from_device_bytes),
               (double)moved->from_device_bytes / steps / (1 << 20));
    }
    log_end(run, object);
}

static void axes_text(const prt_program *program, const prt_group *group, char *text, size_t bytes)
{
    text[0] = '\0';
    for (int i = 0; i < group->axis_count; i++)
        snprintf(text + strlen(text), bytes - strlen(text), "%s%s", i > 0 ? "," : "",
                 program->axes[group->axis[i]].name);
}

/* Calls of the same operation, state and group share a row, those of joins another. */
static bool same_row(const prt_call *a, const prt_call *b)
{
    return a->op == b->op && a->group == b->group && a->every == b->every && strcmp(a->state, b->state) == 0;
}

/* As wide as the longest, so that columns stay below each other. */
typedef struct columns {
    int op, state, axes;
} columns;

static columns column_widths(const prt_program *program)
{
    columns widths = {14, 12, 8};
    for (int i = 0; i < program->call_count; i++) {
        char axes[128];
        axes_text(program, &program->groups[program->calls[i].group], axes, sizeof axes);
        int state_length = (int)strlen(program->calls[i].state), axes_length = (int)strlen(axes);
        int op_length = (int)strlen(prt_collective_name(program->calls[i].op));
        widths.op = op_length > widths.op ? op_length : widths.op;
        widths.state = state_length > widths.state ? state_length : widths.state;
        widths.axes = axes_length > widths.axes ? axes_length : widths.axes;
    }
    return widths;
}

static void traffic_row(prt_run *run, int first, columns widths, cJSON *rows)
{
    const prt_program *program = run->program;
    const prt_call *call = &program->calls[first];
    int64_t planned_calls = 0, planned_bytes = 0, calls = 0, bytes = 0;
    for (int i = first; i < program->call_count; i++)
        if (same_row(&program->calls[i], call)) {
            int64_t planned = prt_planned_calls(run, &program->calls[i]);
            planned_calls += planned;
            planned_bytes += planned * program->calls[i].payload_bytes;
            calls += run->traffic[i].calls;
            bytes += run->traffic[i].payload_bytes;
        }
    if (planned_calls == 0 && calls == 0)
        return;
    char axes[128];
    double times = (double)(call->every > 0 ? run->joins_done : run->steps_done);
    if (times == 0)
        return;
    axes_text(program, &program->groups[call->group], axes, sizeof axes);
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "op", prt_collective_name(call->op));
    cJSON_AddStringToObject(row, "state", call->state);
    cJSON_AddStringToObject(row, "axes", axes);
    cJSON_AddNumberToObject(row, "planned_calls", (double)planned_calls);
    cJSON_AddNumberToObject(row, "measured_calls", (double)calls / times);
    cJSON_AddNumberToObject(row, "planned_payload_bytes", (double)planned_bytes);
    cJSON_AddNumberToObject(row, "measured_payload_bytes", (double)bytes / times);
    if (call->every > 0)
        cJSON_AddNumberToObject(row, "every", (double)call->every);
    cJSON_AddItemToArray(rows, row);
    if (!speaks(run))
        return;
    printf("  %-*s %-*s %-*s %7" PRId64 " %8.10g %13.4f %13.4f", widths.op, prt_collective_name(call->op), widths.state,
           call->state, widths.axes, axes, planned_calls, (double)calls / times, mebibytes(planned_bytes),
           (double)bytes / times / (1 << 20));
    if (call->every > 0)
        printf("  in %" PRId64 " steps", call->every);
    putchar('\n');
}

static void traffic_table(prt_run *run)
{
    const prt_program *program = run->program;
    if (program->call_count == 0 || run->steps_done == 0)
        return;
    cJSON *object = log_begin(run, "traffic"), *rows = cJSON_AddArrayToObject(object, "rows");
    columns widths = column_widths(program);
    if (speaks(run))
        printf("\n%-*scalls            payload, MiB\n"
               "  %-*s %-*s %-*s planned measured       planned      measured\n",
               7 + widths.op + widths.state + widths.axes, "traffic per step", widths.op, "operation", widths.state,
               "state", widths.axes, "over");
    for (int i = 0; i < program->call_count; i++) {
        bool listed = false;
        for (int j = 0; j < i && !listed; j++)
            listed = same_row(&program->calls[j], &program->calls[i]);
        if (!listed)
            traffic_row(run, i, widths, rows);
    }
    log_end(run, object);
}

void prt_output_tables(prt_run *run)
{
    memory_table(run);
    if (run->ctx.rank != 0)
        return;
    traffic_table(run);
    tiers_table(run);
    fflush(stdout);
}

/* ---- The sample --------------------------------------------------------------------------------------------- */

/* Text safe to print on a terminal, with \xHH for other bytes; the caller frees it. */
static char *escaped_text(prt_run *run, const unsigned char *text, int64_t length)
{
    enum { LONGEST = 4 };
    size_t bytes = (size_t)length * LONGEST + 1, at = 0;
    char *escaped = prt_allocate(run, bytes, 1);
    for (int64_t i = 0; i < length; i++)
        if (text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~'))
            escaped[at++] = (char)text[i];
        else
            at += (size_t)snprintf(escaped + at, bytes - at, "\\x%02x", text[i]);
    return escaped;
}

void prt_output_sample(prt_run *run, const unsigned char *text, int64_t prompt, int64_t length)
{
    if (run->ctx.rank != 0)
        return;
    char *given = escaped_text(run, text, prompt), *written = escaped_text(run, text + prompt, length - prompt);
    cJSON *object = log_begin(run, "sample");
    cJSON_AddStringToObject(object, "prompt", given);
    cJSON_AddStringToObject(object, "text", written);
    log_end(run, object);
    if (speaks(run))
        printf("\nsample, after the prompt '%s':\n%s\n", given, written);
    fflush(stdout);
    free(given);
    free(written);
}

static void log_tokens(cJSON *object, const char *name, const int32_t *tokens, int64_t count)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    for (int64_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(tokens[i]));
}

static void print_tokens(const int32_t *tokens, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        printf("%s%" PRId32, i > 0 ? " " : "", tokens[i]);
}

void prt_output_tokens(prt_run *run, const int32_t *tokens, int64_t prompt, int64_t length)
{
    if (run->ctx.rank != 0)
        return;
    cJSON *object = log_begin(run, "sample");
    log_tokens(object, "prompt_tokens", tokens, prompt);
    log_tokens(object, "tokens", tokens + prompt, length - prompt);
    log_end(run, object);
    if (speaks(run)) {
        printf("\nsample, after the prompt ");
        print_tokens(tokens, prompt);
        printf(":\n");
        print_tokens(tokens + prompt, length - prompt);
        printf("\n");
    }
    fflush(stdout);
}

void prt_output_served(prt_run *run, double prefill_seconds, double step_seconds)
{
    double steps = (double)run->steps_done, tokens = steps * (double)run->program->batch;
    if (run->ctx.rank != 0)
        return;
    cJSON *object = log_begin(run, "served");
    log_number(object, "prefill_seconds", prefill_seconds);
    log_number(object, "step_seconds", step_seconds / steps);
    log_number(object, "tokens_per_second", tokens / step_seconds);
    log_end(run, object);
    if (speaks(run) && steps > 0)
        printf("prompts read in %.4g s; %" PRId64 " steps of %.4g s, %.0f tokens/s\n", prefill_seconds, run->steps_done,
               step_seconds / steps, tokens / step_seconds);
    fflush(stdout);
}

void prt_output_finish(prt_run *run)
{
    if (run->log != NULL && fclose(run->log) != 0)
        prt_fail(&run->ctx, "cannot write the log '%s': %s", run->options.log, strerror(errno));
    run->log = NULL;
}
