/* equivalence.c - every strategy that runs, compared with one rank and with the reference interpreter.
 *
 *     equivalence PLACEC WORK_DIRECTORY MATRIX test|all [f64|f32|bf16 [TEXT]]
 *     equivalence PLACEC WORK_DIRECTORY MATRIX test|all f64|f32|bf16 INDEX/COUNT
 *
 * For every program of the matrix (matrix.txt; of the part that scripts/test runs, or of all; with TEXT, only those
 * whose name contains it; with INDEX/COUNT, one of so many shares, by models): builds it, trains three steps, and
 * compares the losses of every step, every gradient of the last, and every state after it, with (a) the program of one
 * rank and (b) the f64 interpreter of the one-device reference. In f32 and bf16 each step is from the same states,
 * those that one rank has after the step before, and the gradients and states of each are compared. The program of one
 * rank then reads its states, and it reads them back: all must be the same numbers, so that any strategy can continue
 * any other. Communications must be as many, and as large, as planned. Prints a line per fault and ends with "N passed,
 * N failed, N skipped".
 *
 * Under contracts, the interpreter runs the reference that they state, and instead of one rank there are those that the
 * contracts name, each with its part of the batch. Copies of the one device are compared one by one. Such a program is
 * also trained one step, resumed, and must end with the same states, bit by bit. The same holds for checkpoints in
 * layouts of their own.
 *
 * Bounds. A tensor's error is max |a - b| over max |b|, or over a thousandth of the largest element of its state, if
 * that is more (the gradient of the key's bias is zero but for rounding). The programs differ by the order of sums
 * only: with S roundings of u one after another on the longest path the error is about S u (Higham 2002, section 3.1).
 * The longest sums here have some 1,500 terms (batch x context x 16): with those of the products, the norms and the
 * update after them 2,000 u, 1.2e-4 in f32, and 2.2e-13 in f64 times the growth over three steps, taken as 100.
 * check_sharpness measures that a single dropped contribution, one example of the batch, exceeds ten times the bound in
 * every gradient.
 *
 * In bf16 every stored value is rounded, with an error of up to u = 2^-8 of it; sums are held in f32. In first order
 * the errors of S values that are computed from each other add up. Independent ones that are uniform have the standard
 * deviation sqrt(S / 3) u (Higham and Mary 2019): S is about 90 from the input through three blocks to a loss and back.
 * The bound is 1.7 times that, sqrt(90) u = 0.037, and a dropped example exceeds it threefold. Updates that divide by
 * what they sum, as AdamW's, magnify the errors of small gradients without limit: programs in bf16 use momentum.
 */
#include "tests/equivalence/differences.h"
#include "tests/equivalence/matrix.h"
#include "tests/equivalence/models.h"
#include "tests/open.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { STEPS = 3, MOST_COPIES = 8 };

/* Whether each step of a precision's programs is from the states of one rank, what their errors may be, how many times
 * that a dropped example must change every gradient, and the device that they run on: those of f64 on the one whose
 * memory nothing but its row can touch. */
typedef struct Precision {
    const char *name;
    bool step_by_step;
    double bound, margin;
    const char *device;
} Precision;

static const Precision precisions[] = {
    {"f64", false, 2.2e-11, 10, "guarded"}, {"f32", true, 1.2e-4, 10, "cpu"}, {"bf16", true, 0.037, 3, "cpu"}};

static const Precision *precision_of(const Case *c)
{
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++)
        if (strcmp(precisions[i].name, c->precision) == 0)
            return &precisions[i];
    fprintf(stderr, "no precision is called '%s'\n", c->precision);
    exit(2);
}

typedef struct Tool {
    const char *placec, *directory;
    Texts texts;
    int passed, failed;
} Tool;

/* What the steps gave; where they are in one run, states and gradients are of the last alone. */
typedef struct Result {
    int copies, misplanned; /* rows of the log's traffic that are not as planned */
    double loss[STEPS][MOST_COPIES];
    SavedFile states[STEPS], gradients[STEPS];
} Result;

static void result_free(Result *result)
{
    for (int step = 0; step < STEPS; step++) {
        safetensors_free(&result->states[step]);
        safetensors_free(&result->gradients[step]);
    }
}

/* ---- Programs ----------------------------------------------------------------------------------------------- */

static const char *case_name(const Case *c)
{
    static char name[250];
    snprintf(name, sizeof name, "%s-%s-%s-%s-%d-microbatches-batch-%d", c->model, c->strategy, c->precision, c->mesh,
             c->micro, c->batch);
    char *to = name;
    for (const char *at = name; *at != '\0'; at++)
        if (isalnum((unsigned char)*at) || *at == '_' || (*at == '-' && to > name && to[-1] != '-'))
            *to++ = *at;
        else if (to > name && to[-1] != '-')
            *to++ = '-';
    *to = '\0';
    return name;
}

static void write_text(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(text, 1, length, file) != length || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(2);
    }
}

static char *write_program(Arena *arena, const Tool *tool, const Case *c)
{
    char *path = arena_printf(arena, "%s/%s.place", tool->directory, case_name(c));
    char *text = arena_printf(arena,
                              "place 1\n%scluster here { %d devices of cpu }\nmesh local on here { %s }\n"
                              "train net on local {\n    strategy %s\n"
                              "%s    clip norm 1.0\n    data %s\n    seed %d\n    batch %d in %d microbatches\n"
                              "    steps %d\n}\n",
                              model_text(arena, c->model), ranks_of_mesh(c->mesh), mesh_text(arena, c->mesh),
                              c->strategy, model_training(arena, c->model, c->precision),
                              model_data(arena, c->model, &tool->texts), DATA_SEED, c->batch, c->micro, STEPS);
    write_text(path, text, strlen(text));
    return path;
}

static bool run_command(Arena *arena, const char *command, const char *log)
{
    return system(arena_printf(arena, "%s > %s 2>&1", command, log)) == 0;
}

static void show_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1000];
    for (int i = 0; file != NULL && i < 30 && fgets(line, sizeof line, file) != NULL; i++)
        fputs(line, stdout);
    if (file != NULL)
        fclose(file);
}

/* The losses of a step line of the log: one, or of each copy. */
static int read_loss(const cJSON *step, double *loss)
{
    const cJSON *copies = cJSON_GetObjectItem(step, "copies");
    int count = copies != NULL ? cJSON_GetArraySize(copies) : 1;
    for (int i = 0; i < count && i < MOST_COPIES; i++) {
        const cJSON *report = copies != NULL ? cJSON_GetArrayItem(copies, i) : step;
        loss[i] = cJSON_GetNumberValue(cJSON_GetObjectItem(report, "loss"));
    }
    return count;
}

/* The losses of the log's step lines from step `first` (0 the first) to `last`, and what it says of the traffic; false
 * where a step is missing. */
static bool read_log(const char *path, const Case *c, int first, int last, Result *result)
{
    FILE *file = fopen(path, "r");
    static char line[1 << 18];
    int step = first;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        cJSON *object = cJSON_Parse(line);
        const char *event = cJSON_GetStringValue(cJSON_GetObjectItem(object, "event"));
        if (event != NULL && strcmp(event, "traffic") == 0)
            result->misplanned = traffic_misplanned(cJSON_GetObjectItem(object, "rows"), c->batch % c->micro != 0);
        if (event != NULL && strcmp(event, "step") == 0 && step <= last)
            result->copies = read_loss(object, result->loss[step++]);
        cJSON_Delete(object);
    }
    if (file != NULL)
        fclose(file);
    return step == last + 1;
}

/* Trains from step `first` to step `last`, starting with what is in the file `start` (NULL: with the initial values),
 * leaving states-N and gradients-N of the last. False, with the output shown, where that fails. */
static bool run_steps(Arena *arena, const Tool *tool, const Case *c, int first, int last, const char *start,
                      Result *result)
{
    const char *out = arena_printf(arena, "%s/%s", tool->directory, case_name(c)),
               *log = arena_printf(arena, "%s.log", out);
    const char *states = arena_printf(arena, "%s/states-%d", out, last + 1);
    const char *gradients = arena_printf(arena, "%s/gradients-%d", out, last + 1);
    const char *resume = start != NULL ? arena_printf(arena, "--resume %s", start) : "";
    const char *train =
        arena_printf(arena,
                     "rm -f %s/log.jsonl && PLACERT_DEVICE=%s %s/run.sh --quiet --log %s/log.jsonl --steps "
                     "%d %s --save-states %s --save-gradients %s --check-arena",
                     out, precision_of(c)->device, out, out, last + 1, resume, states, gradients);
    if (!run_command(arena, train, log)) {
        printf("%s: does not run\n", case_name(c));
        show_file(log);
        return false;
    }
    if (!read_log(arena_printf(arena, "%s/log.jsonl", out), c, first, last, result)) {
        printf("%s: no losses in its log\n", case_name(c));
        return false;
    }
    if (result->misplanned > 0)
        printf("%s: %d kinds of communications are not as planned\n", case_name(c), result->misplanned);
    result->states[last] = safetensors_read(states);
    result->gradients[last] = safetensors_read(gradients);
    return result->misplanned == 0;
}

/* Builds and runs; false, with the output shown, where that fails, or where communications are not those planned.
 * Step by step it starts from the states of `one`, which is the case itself or has been run. */
static bool run_case(Arena *arena, const Tool *tool, const Case *c, const Case *one, Result *result)
{
    const char *program = write_program(arena, tool, c);
    const char *out = arena_printf(arena, "%s/%s", tool->directory, case_name(c));
    const char *from = arena_printf(arena, "%s/%s", tool->directory, case_name(one));
    const char *log = arena_printf(arena, "%s.log", out);
    if (!run_command(arena, arena_printf(arena, "%s build %s -o %s", tool->placec, program, out), log)) {
        printf("%s: does not build\n", case_name(c));
        show_file(log);
        return false;
    }
    if (!precision_of(c)->step_by_step)
        return run_steps(arena, tool, c, 0, STEPS - 1, NULL, result);
    bool good = true;
    for (int step = 0; step < STEPS && good; step++) {
        const char *start = step > 0 ? arena_printf(arena, "%s/states-%d", from, step) : NULL;
        good = run_steps(arena, tool, c, step, step, start, result);
    }
    return good;
}

/* ---- The reference interpreter ------------------------------------------------------------------------------ */

/* "parameters.1" for one of several copies. */
static const char *state_of_copy(Arena *arena, const char *state, int copy, int copies)
{
    return copies > 1 ? arena_printf(arena, "%s.%d", state, copy) : state;
}

static const char *saved_name(Arena *arena, const Decls *decls, const char *state, int tensor, int64_t layer)
{
    const Tensor *row = &decls->tensors.data[tensor];
    if (row->group < 0)
        return arena_printf(arena, "%s/%s", state, row->name);
    const char *group = decls->groups.data[row->group].name;
    return arena_printf(arena, "%s/%s.%lld%s", state, group, (long long)layer, row->name + strlen(group));
}

/* A state's numbers for one layer of a tensor. */
static int64_t state_numbers(const State *state, const Tensor *tensor)
{
    int first, count = each_dims(state->each, tensor->dim_count, &first);
    int64_t numbers = 1;
    for (int i = first; i < first + count; i++)
        numbers *= tensor->dims[i];
    return numbers;
}

/* One layer of a state or gradient as a tensor of a saved file. An optimizer may have a state for some tensors only. */
static void keep(Arena *arena, SavedFile *file, Interp *interp, const Decls *decls, const State *of, int tensor,
                 int copies)
{
    int64_t elements;
    const Tensor *row = &decls->tensors.data[tensor];
    const char *state = of->name, *buffer = arena_printf(arena, "%s.%s", state, row->name);
    const double *values = interp_buffer(interp, buffer, &elements);
    if (values == NULL && of->kind == STATE_OPTIMIZER)
        return;
    if (values == NULL) {
        printf("the reference has no buffer %s\n", buffer);
        exit(2);
    }
    int64_t one = state_numbers(of, row), layers = elements / one / copies;
    for (int64_t i = 0; i < copies * layers; i++) {
        const char *own = state_of_copy(arena, state, (int)(i / layers), copies);
        SavedTensor *kept = &file->tensors[file->count++];
        *kept = (SavedTensor){strdup(saved_name(arena, decls, own, tensor, i % layers)),
                              malloc(sizeof(double) * (size_t)one), one};
        memcpy(kept->values, values + i * one, sizeof(double) * (size_t)one);
    }
}

static void keep_all(Arena *arena, Interp *interp, const Decls *decls, int step, Result *result)
{
    SavedFile *states = &result->states[step], *gradients = &result->gradients[step];
    size_t most = 1;
    for (int i = 0; i < decls->tensors.count; i++) {
        int group = decls->tensors.data[i].group;
        most += (size_t)(decls->states.count * (group < 0 ? 1 : decls->groups.data[group].layers) * result->copies);
    }
    states->tensors = calloc(most, sizeof(SavedTensor));
    gradients->tensors = calloc(most, sizeof(SavedTensor));
    for (int s = 0; s < decls->states.count; s++) {
        const State *state = &decls->states.data[s];
        for (int t = 0; t < decls->tensors.count; t++) {
            TensorKind kind = state->kind == STATE_STATISTICS ? TENSOR_STATISTIC : TENSOR_PARAMETER;
            if (!state->per_parameter || decls->tensors.data[t].kind != kind)
                continue;
            keep(arena, state->kind == STATE_GRADIENTS ? gradients : states, interp, decls, state, t, result->copies);
        }
    }
}

/* Puts one layer after the other of a state of a tensor into the interpreter, as a file has them. */
static void put(Arena *arena, const SavedFile *file, Interp *interp, const Decls *decls, const State *of, int tensor,
                int copies)
{
    int64_t elements;
    const Tensor *row = &decls->tensors.data[tensor];
    double *values = interp_buffer(interp, arena_printf(arena, "%s.%s", of->name, row->name), &elements);
    if (values == NULL)
        return; /* an optimizer may have a state for some tensors only */
    int64_t one = state_numbers(of, row), layers = elements / one / copies;
    for (int64_t i = 0; i < copies * layers; i++) {
        const char *own = state_of_copy(arena, of->name, (int)(i / layers), copies);
        const SavedTensor *saved = safetensors_find(file, saved_name(arena, decls, own, tensor, i % layers));
        if (saved == NULL || saved->count != one) {
            printf("%s of %s is not in the file of one rank\n", own, row->name);
            exit(2);
        }
        memcpy(values + i * one, saved->values, sizeof(double) * (size_t)one);
    }
}

/* The step begins with the states of a file. */
static void put_all(Arena *arena, Interp *interp, const Decls *decls, const SavedFile *file, int copies)
{
    for (int s = 0; s < decls->states.count; s++) {
        const State *state = &decls->states.data[s];
        int64_t elements;
        double *scalar = state->per_parameter ? NULL : interp_buffer(interp, state->name, &elements);
        const SavedTensor *saved = safetensors_find(file, state->name);
        if (scalar != NULL && saved != NULL && saved->count == elements)
            memcpy(scalar, saved->values, sizeof *scalar * (size_t)elements);
        TensorKind kind = state->kind == STATE_STATISTICS ? TENSOR_STATISTIC : TENSOR_PARAMETER;
        for (int t = 0; t < decls->tensors.count && state->per_parameter && state->kind != STATE_GRADIENTS; t++)
            if (decls->tensors.data[t].kind == kind)
                put(arena, file, interp, decls, state, t, copies);
    }
}

/* The state as a checkpoint has it in a layout of its own: one tensor instead of its others. */
static void lay_out(Arena *arena, SavedFile *file, const Decls *decls, const SavedMap *map, int copies)
{
    const char *state = decls->states.data[map->state].name;
    int64_t count = 0, at = 0;
    for (int i = 0; i < map->runs.count; i++)
        count += map->runs.data[i].count;
    double *values = calloc((size_t)count, sizeof *values);
    for (int i = 0; i < map->runs.count; at += map->runs.data[i++].count) {
        const SavedRun *run = &map->runs.data[i];
        if (run->tensor < 0)
            continue;
        const char *own = state_of_copy(arena, state, (int)run->copy, copies);
        const SavedTensor *from = safetensors_find(file, saved_name(arena, decls, own, run->tensor, run->layer));
        memcpy(values + at, from->values + run->first, sizeof *values * (size_t)run->count);
    }
    int kept = 0;
    for (int i = 0; i < file->count; i++) {
        const char *end = file->tensors[i].name + strlen(state);
        bool is_of = strncmp(file->tensors[i].name, state, strlen(state)) == 0 && (*end == '/' || *end == '.');
        if (!is_of)
            file->tensors[kept++] = file->tensors[i];
    }
    file->tensors[kept++] = (SavedTensor){strdup(state), values, count};
    file->count = kept;
}

/* Trains `steps` on the first `examples` of each batch of `batch`; each after the first begins with the states of
 * `starts` after the one before, if there is one. What is kept is of each of these steps, or of the last. */
static void interpret(Arena *arena, const Tool *tool, const Case *c, int examples, int steps, const Result *starts,
                      Result *result)
{
    Case whole = *c;
    whole.batch = examples;
    Compile compile;
    compile_open(&compile, write_program(arena, tool, &whole));
    if (!compile_check(&compile)) {
        diag_print_text(compile.ctx.diag, stdout, false, 20);
        exit(2);
    }
    const Decls *decls = compile.file->decls;
    Interp *interp = interp_new(arena, compile.train->reference);
    const Routine *join = program_routine(compile.train->reference, ROUTINE_JOIN);
    interp_run(interp, ROUTINE_INIT);
    for (int step = 0; step < steps; step++) {
        if (starts != NULL && step > 0)
            put_all(arena, interp, decls, &starts->states[step - 1], result->copies);
        model_feed(arena, decls, &tool->texts, interp, step, c->batch, examples);
        interp_run(interp, ROUTINE_STEP);
        if (join != NULL && (step + 1) % join->every == 0)
            interp_run(interp, ROUTINE_JOIN);
        int64_t copies;
        const double *loss = interp_output(interp, "loss", &copies);
        result->copies = (int)copies;
        memcpy(result->loss[step], loss, sizeof *loss * (size_t)copies);
        if (starts != NULL || step == steps - 1)
            keep_all(arena, interp, decls, step, result);
    }
    for (int i = 0; i < decls->maps.count; i++)
        if (!decls->maps.data[i].loaded)
            lay_out(arena, &result->states[steps - 1], decls, &decls->maps.data[i], result->copies);
    compile_close(&compile);
}

/* ---- Comparing ---------------------------------------------------------------------------------------------- */

static int compare(const Case *c, const char *against, const Result *got, const Result *wanted, double bound)
{
    const char *name = case_name(c);
    int faults = got->copies == wanted->copies ? 0 : 1;
    for (int i = 0; i < STEPS * wanted->copies; i++) {
        int step = i / wanted->copies, copy = i % wanted->copies;
        double loss = got->loss[step][copy], of_other = wanted->loss[step][copy];
        if (!(fabs(loss - of_other) <= bound * fabs(of_other))) {
            printf("%s: loss of step %d, copy %d, is %.17g, of %s %.17g\n", name, step + 1, copy, loss, against,
                   of_other);
            faults++;
        }
    }
    for (int step = 0; step < STEPS; step++)
        faults += saved_compare(name, against, &got->gradients[step], &wanted->gradients[step], bound) +
                  saved_compare(name, against, &got->states[step], &wanted->states[step], bound);
    return faults;
}

/* What dropping one example changes, at least, in any gradient of the first step: sum over all minus sum over all but
 * the last. A gradient that is zero but for rounding has nothing to drop. The optimizer clips: directions are compared.
 */
static double dropped_contribution(Arena *arena, const Tool *tool, const Case *c)
{
    Result whole = {0}, less = {0};
    interpret(arena, tool, c, c->batch, 1, NULL, &whole);
    interpret(arena, tool, c, c->batch - 1, 1, NULL, &less);
    const SavedFile *gradients = &whole.gradients[0];
    double least = INFINITY;
    for (int i = 0; i < gradients->count; i++) {
        SavedTensor *a = &gradients->tensors[i], *b = &less.gradients[0].tensors[i];
        if (saved_largest(a) < saved_floor(gradients, a))
            continue;
        for (int64_t k = 0; k < b->count; k++)
            b->values[k] *= (double)(c->batch - 1) / c->batch;
        least = fmin(least, saved_error(b, a, 0));
    }
    result_free(&whole);
    result_free(&less);
    return least;
}

static int check_sharpness(Arena *arena, const Tool *tool, const Case *c)
{
    double bound = precision_of(c)->bound;
    double dropped = dropped_contribution(arena, tool, c);
    printf("%s %s batch %d: bound %.3g, a dropped example changes every gradient by %.3g or more\n", c->model,
           c->precision, c->batch, bound, dropped);
    return dropped > precision_of(c)->margin * bound ? 0 : 1;
}

/* ---- Another strategy continues ----------------------------------------------------------------------------- */

/* What a program has after reading all states of another and training the steps that are left: "DIR/NAME". */
static const char *read_states(Arena *arena, const char *out, const char *states, const char *name)
{
    const char *log = arena_printf(arena, "%s.log", out);
    const char *run = arena_printf(arena, "%s/run.sh --quiet --steps %d --resume %s --save-states %s/%s", out, STEPS,
                                   states, out, name);
    if (run_command(arena, run, log))
        return arena_printf(arena, "%s/%s", out, name);
    printf("%s does not continue:\n", states);
    show_file(log);
    return NULL;
}

/* Every number of every tensor in one file is that of the other. */
static int compare_saved(const char *name, const char *what, const char *got, const char *wanted)
{
    SavedFile a = safetensors_read(got), b = safetensors_read(wanted);
    int faults = a.count == b.count ? 0 : 1;
    for (int i = 0; i < b.count; i++) {
        const SavedTensor *found = safetensors_find(&a, b.tensors[i].name);
        bool same = found != NULL && found->count == b.tensors[i].count &&
                    memcmp(found->values, b.tensors[i].values, sizeof(double) * (size_t)found->count) == 0;
        if (!same)
            printf("%s: %s of %s differs\n", name, b.tensors[i].name, what);
        faults += !same;
    }
    safetensors_free(&a);
    safetensors_free(&b);
    return faults;
}

/* The program of one rank reads the states of this strategy, and the strategy reads them back. */
static int check_states_travel(Arena *arena, const Tool *tool, const Case *c, const Case *one)
{
    const char *here = arena_printf(arena, "%s/%s", tool->directory, case_name(c));
    const char *there = arena_printf(arena, "%s/%s", tool->directory, case_name(one));
    const char *name = arena_printf(arena, "%s", case_name(c)),
               *states = arena_printf(arena, "%s/states-%d", here, STEPS);
    const char *taken = read_states(arena, there, states, "taken");
    const char *back = taken != NULL ? read_states(arena, here, taken, "back") : NULL;
    if (back == NULL)
        return 1;
    return compare_saved(name, "the states on one rank", taken, states) +
           compare_saved(name, "the states that came back", back, states);
}

/* Settings of its train that follow the strategy: contracts, layouts of checkpoints. */
static bool has_settings(const Case *c)
{
    return strchr(c->strategy, ';') != NULL;
}

/* "DIR/NAME" after training up to step `steps` in one run; NULL where it does not run. */
static const char *train_at_once(Arena *arena, const char *out, int steps, const char *name)
{
    const char *log = arena_printf(arena, "%s.log", out);
    const char *run = arena_printf(arena, "%s/run.sh --quiet --steps %d --save-states %s/%s", out, steps, out, name);
    if (run_command(arena, run, log))
        return arena_printf(arena, "%s/%s", out, name);
    show_file(log);
    return NULL;
}

/* Trained one step and resumed, also between two joins, it ends with the states of the run that was not interrupted. */
static int check_resumed(Arena *arena, const Tool *tool, const Case *c)
{
    const char *out = arena_printf(arena, "%s/%s", tool->directory, case_name(c));
    const char *name = arena_printf(arena, "%s", case_name(c));
    if (!has_settings(c))
        return 0;
    const char *first = train_at_once(arena, out, 1, "first"), *whole = train_at_once(arena, out, STEPS, "whole");
    const char *resumed = first != NULL ? read_states(arena, out, first, "resumed") : NULL;
    if (whole == NULL || resumed == NULL)
        return 1;
    return compare_saved(name, "the states of a resumed run", resumed, whole);
}

/* ---- The matrix --------------------------------------------------------------------------------------------- */

/* One rank and the interpreter, which all cases of a model, precision and batch are compared with, or, of these, all of
 * the same contracts. */
typedef struct Base {
    Case one;
    double bound;
    Result one_rank, reference;
    bool good; /* one rank ran, and agrees with the interpreter */
} Base;

typedef struct Bases {
    Arena *arena; /* of what their cases say */
    Base *data;
    int count;
} Bases;

static void finish_case(Tool *tool, const Case *c, int faults)
{
    if (faults == 0) {
        tool->passed++;
    } else {
        tool->failed++;
        printf("FAILED line %d: %s\n", c->line, case_name(c));
    }
    fflush(stdout);
}

/* Only the axes that contracts name are left: they say what is computed. So do microbatches under some contracts. */
static Case on_named_axes(Arena *arena, const Case *c)
{
    Case one = *c;
    const char *settings = strchr(c->strategy, ';'), *mesh = "", *strategy = "";
    for (const char *at = c->mesh; *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        const char *axis = arena_printf(arena, "%.*s", (int)strcspn(at, ":"), at);
        if (strstr(settings, arena_printf(arena, " over %s", axis)) == NULL &&
            strstr(settings, arena_printf(arena, ", %s", axis)) == NULL)
            continue;
        const char *comma = *mesh != '\0' ? "," : "", *times = *mesh != '\0' ? " * " : "";
        mesh = arena_printf(arena, "%s%s%.*s", mesh, comma, (int)strcspn(at, ","), at);
        strategy = arena_printf(arena, "%s%sdata_parallel(%s)", strategy, times, axis);
    }
    one.mesh = *mesh != '\0' ? mesh : "data:1";
    one.strategy = arena_printf(arena, "%s%s", *strategy != '\0' ? strategy : "data_parallel(data)", settings);
    return one;
}

static Case on_one_rank(Arena *arena, const Case *c)
{
    if (has_settings(c))
        return on_named_axes(arena, c);
    Case one = *c;
    one.mesh = "data:1";
    one.strategy = "data_parallel(data)";
    one.micro = 1;
    return one;
}

static bool same_case(const Case *a, const Case *b)
{
    return strcmp(a->model, b->model) == 0 && strcmp(a->precision, b->precision) == 0 && a->batch == b->batch &&
           strcmp(a->mesh, b->mesh) == 0 && strcmp(a->strategy, b->strategy) == 0 && a->micro == b->micro;
}

static void make_base(Tool *tool, const Case *one, Base *base)
{
    Arena *arena = arena_new();
    *base = (Base){.one = *one, .bound = precision_of(one)->bound};
    int faults = has_settings(one) ? 0 : check_sharpness(arena, tool, one);
    base->good = run_case(arena, tool, one, one, &base->one_rank);
    if (base->good)
        interpret(arena, tool, one, one->batch, STEPS, precision_of(one)->step_by_step ? &base->one_rank : NULL,
                  &base->reference);
    faults += base->good ? compare(one, "the interpreter", &base->one_rank, &base->reference, base->bound) : 1;
    finish_case(tool, one, faults);
    arena_free(arena);
}

static const Base *find_base(Tool *tool, Bases *bases, const Case *one)
{
    for (int i = 0; i < bases->count; i++)
        if (same_case(&bases->data[i].one, one))
            return &bases->data[i];
    make_base(tool, one, &bases->data[bases->count]);
    return &bases->data[bases->count++];
}

static void check_case(Tool *tool, Bases *bases, const Case *c)
{
    const Case one = on_one_rank(bases->arena, c);
    const Base *base = find_base(tool, bases, &one);
    Arena *arena = arena_new();
    Result result = {0};
    int faults = base->good && run_case(arena, tool, c, &one, &result) ? 0 : 1;
    if (faults == 0)
        faults = compare(c, "one rank", &result, &base->one_rank, base->bound) +
                 compare(c, "the interpreter", &result, &base->reference, base->bound) +
                 check_states_travel(arena, tool, c, &one) + check_resumed(arena, tool, c);
    finish_case(tool, c, faults);
    result_free(&result);
    arena_free(arena);
}

static bool is_chosen(const Case *c, char **wanted, int wanted_count)
{
    return (c->in_tests || strcmp(wanted[0], "all") == 0) &&
           (wanted_count < 2 || strcmp(wanted[1], c->precision) == 0) &&
           (wanted_count < 3 || strstr(case_name(c), wanted[2]) != NULL);
}

/* One of several shares of the cases. All that are compared with one program of one rank are in the same. */
typedef struct Share {
    int index, count;
    Vec(Case) ones; /* of all cases that were met, in this order: they take turns */
} Share;

static bool is_in_share(Arena *arena, Share *share, const Case *c)
{
    const Case one = on_one_rank(arena, c);
    int i = 0;
    while (i < share->ones.count && !same_case(&share->ones.data[i], &one))
        i++;
    if (i == share->ones.count)
        vec_push(arena, &share->ones, one);
    return i % share->count == share->index;
}

static void make_texts(Tool *tool)
{
    const char *path = realpath(tool->directory, NULL);
    static char full[4200];
    snprintf(full, sizeof full, "%s/text", path);
    tool->texts.path = full;
    for (int i = 0; i < TEXT_BYTES; i++)
        tool->texts.bytes[i] = (unsigned char)("the quick brown fox jumps over a lazy dog, "[(i * i / 7 + i) % 43]);
    write_text(full, (const char *)tool->texts.bytes, TEXT_BYTES);
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fputs("usage: equivalence PLACEC WORK_DIRECTORY MATRIX test|all [f64|f32|bf16 [TEXT|INDEX/COUNT]]\n", stderr);
        return 64;
    }
    Tool tool = {.placec = argv[1], .directory = argv[2]};
    mkdir(tool.directory, 0777);
    make_texts(&tool);
    Arena *arena = arena_new();
    Matrix matrix = matrix_read(arena, argv[3]);
    Share share = {.count = 1};
    int chosen_by = argc > 6 && sscanf(argv[6], "%d/%d", &share.index, &share.count) == 2 ? 2 : argc - 4;
    Bases bases = {.arena = arena, .data = arena_array(arena, Base, matrix.count + 1)};
    for (int i = 0; i < matrix.count; i++) {
        const Case *c = &matrix.cases[i];
        if (model_text(arena, c->model) == NULL) {
            fprintf(stderr, "%s:%d: there is no model '%s'\n", argv[3], c->line, c->model);
            return 2;
        }
        if (is_chosen(c, &argv[4], chosen_by) && is_in_share(arena, &share, c))
            check_case(&tool, &bases, c);
    }
    for (int i = 0; i < bases.count; i++) {
        result_free(&bases.data[i].one_rank);
        result_free(&bases.data[i].reference);
    }
    arena_free(arena);
    printf("%d passed, %d failed, 0 skipped\n", tool.passed, tool.failed);
    return tool.failed == 0 ? 0 : 1;
}
