/* equivalence.c - every strategy that runs, compared with one rank and with the reference interpreter.
 *
 *     equivalence PLACEC WORK_DIRECTORY [f64|f32] [MODEL]
 *
 * For {GPT with tied weights, MLP} x {data parallel, ZeRO-1, 2, 3, a mixture per layer} x {1, 2, 3, 4 ranks} x {1, 2
 * microbatches}, and uneven batches, and other models on 3 ranks: builds the program, trains three steps, and compares
 * the losses of every step, every gradient of the last, and every state after it, with (a) the program of one rank and
 * (b) the f64 interpreter of the one-device reference. Prints a line per fault and ends with "N passed, N failed, N
 * skipped".
 *
 * Bounds. A tensor's error is max |a - b| over max |b|, or over a thousandth of the largest element of its state, if
 * that is more (the gradient of the key's bias is zero but for rounding). The programs differ by the order of sums
 * only: with S roundings of u one after another on the longest path the error is about S u (Higham 2002, section 3.1).
 * The longest sums here have some 1,500 terms (batch x context x 16) and errors of three steps add up: bounds are 2,000
 * u, 2.2e-13 in f64 times the growth over the steps, taken as 100, and 1.2e-4 in f32. check_sharpness measures that a
 * single dropped contribution, one example of the batch, exceeds ten times the bound in every gradient.
 */
#include "runtime/data.h"
#include "step/interp.h"
#include "tests/equivalence/differences.h"
#include "tests/open.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { STEPS = 3, CONTEXT = 4, FEATURES = 6, CLASSES = 5, SEED = 1, TEXT_BYTES = 4000 };

typedef struct Model {
    const char *name, *text, *data;
    bool bytes;
    bool few; /* its operators are what is new: few ranks and batches do */
    bool one_microbatch;
} Model;

static const Model models[] = {
    {"gpt",
     "model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
     "        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp\n"
     "    }\n"
     "    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
     "}\n",
     "bytes", true, false, false},
    {"mlp",
     "model net(layers = 3, width = 7) {\n"
     "    input features : f32[batch, 6]\n"
     "    input labels : int[batch]\n"
     "    x = relu(linear(features, width) as first)\n"
     "    repeat block[layers] {\n"
     "        x = x + tanh(linear(x, width) as fc)\n"
     "    }\n"
     "    logits = linear(x, 5) as last\n"
     "    loss = mean over batch of cross_entropy(logits, labels)\n"
     "}\n",
     "synthetic", false, false, false},
    {"llama",
     "model net(layers = 3, hidden = 8, heads = 4, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(rmsnorm(x) as norm1, heads, causal, bias = none, rope = 100, kv_heads = 2) as attn\n"
     "        x = x + mlp(rmsnorm(x) as norm2, 12, swiglu, bias = none) as mlp\n"
     "    }\n"
     "    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
     "}\n",
     "bytes", true, true, false},
    {"encoder",
     "model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = layernorm(embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe) as start\n"
     "    repeat block[layers] {\n"
     "        x = layernorm(x + attention(x, heads, bias = none, dropout = 0.2) as attn) as norm1\n"
     "        x = layernorm(x + dropout(mlp(x, 12, silu) as mlp, 0.1)) as norm2\n"
     "    }\n"
     "    logits = linear(x, vocab, weight = wte.table) as head\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
     "}\n",
     "bytes", true, true, false},
    {"batchnorm",
     "model net(layers = 3, width = 7) {\n"
     "    input features : f32[batch, 6]\n"
     "    input labels : int[batch]\n"
     "    x = relu(batchnorm(linear(features, width, bias = none) as first) as norm)\n"
     "    repeat block[layers] {\n"
     "        x = x + tanh(batchnorm(linear(x, width, bias = none) as fc) as norm)\n"
     "    }\n"
     "    logits = linear(x, 5) as last\n"
     "    loss = mean over batch of cross_entropy(logits, labels)\n"
     "}\n",
     "synthetic", false, true, true},
    {"moe",
     "model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
     "        x = x + moe(layernorm(x) as norm2, experts = 4, top = 2, 16, gelu, capacity = 0.8) as moe\n"
     "    }\n"
     "    logits = linear(layernorm(x) as norm, vocab) as head\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets) +\n"
     "        0.1 * mean over batch of load_balance(block.moe) + 0.05 * mean over batch of router_z(block.moe)\n"
     "}\n",
     "bytes", true, true, false},
};

static const char *const strategies[] = {"data_parallel", "zero1", "zero2", "zero3", "mixture"};
enum { MODEL_COUNT = sizeof models / sizeof *models, STRATEGY_COUNT = 5 };

static const char mixture_text[] = "state average { one per parameter; start parameters; dtype f64\n"
                                   "    update after optimizer : 0.75 * average + 0.25 * parameters }\n"
                                   "state slow { one per parameter; dtype f64\n"
                                   "    update before optimizer : slow / 2 + gradients * gradients / (1 + step) }\n"
                                   "state doubled { one; dtype f64; update after optimizer : 2 * doubled + 1 }\n"
                                   "strategy mixture(d: axis) {\n"
                                   "    average of block[1..2] sharded over d\n"
                                   "    slow replicated\n"
                                   "    parameters of block[0] gathered over d\n"
                                   "    gradients of block[0..1] sharded over d\n"
                                   "    optimizer of block[0..1] sharded over d\n"
                                   "    activations sharded over d by batch\n"
                                   "}\n";

typedef struct Case {
    const Model *model;
    const char *strategy, *precision;
    int ranks, micro, batch;
} Case;

typedef struct Tool {
    const char *placec, *directory, *text_path;
    unsigned char text[TEXT_BYTES];
    int passed, failed;
} Tool;

/* What a run ended with. */
typedef struct Result {
    double loss[STEPS];
    SavedFile states, gradients;
} Result;

static void result_free(Result *result)
{
    safetensors_free(&result->states);
    safetensors_free(&result->gradients);
}

/* ---- Programs ----------------------------------------------------------------------------------------------- */

static const char *case_name(const Case *c)
{
    static char name[200];
    snprintf(name, sizeof name, "%s-%s-%s-%d-ranks-%d-microbatches-batch-%d", c->model->name, c->strategy, c->precision,
             c->ranks, c->micro, c->batch);
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
    char *text = arena_printf(
        arena,
        "place 1\n%s%scluster here { %d devices of cpu }\nmesh local on here { data: %d }\n"
        "train net on local {\n    strategy %s(data)\n"
        "    optimizer adamw(rate = 1e-2, warmup = 2, decay = 0.1, epsilon = 1e-3)\n    clip norm 1.0\n"
        "    precision %s\n    data %s%s\n    seed %d\n    batch %d in %d microbatches\n"
        "    steps %d\n}\n",
        c->model->text, strcmp(c->strategy, "mixture") == 0 ? mixture_text : "", c->ranks, c->ranks, c->strategy,
        c->precision, c->model->data, c->model->bytes ? arena_printf(arena, " \"%s\"", tool->text_path) : "", SEED,
        c->batch, c->micro, STEPS);
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

/* The losses of the log's step lines; false where one is missing. */
static bool read_losses(const char *path, double *loss)
{
    FILE *file = fopen(path, "r");
    char line[4000];
    int steps = 0;
    while (file != NULL && steps < STEPS && fgets(line, sizeof line, file) != NULL) {
        cJSON *object = cJSON_Parse(line);
        const char *event = cJSON_GetStringValue(cJSON_GetObjectItem(object, "event"));
        if (event != NULL && strcmp(event, "step") == 0)
            loss[steps++] = cJSON_GetNumberValue(cJSON_GetObjectItem(object, "loss"));
        cJSON_Delete(object);
    }
    if (file != NULL)
        fclose(file);
    return steps == STEPS;
}

/* Builds and runs; false, with the output shown, where that fails. */
static bool run_case(Arena *arena, const Tool *tool, const Case *c, Result *result)
{
    const char *program = write_program(arena, tool, c);
    const char *out = arena_printf(arena, "%s/%s", tool->directory, case_name(c));
    const char *log = arena_printf(arena, "%s.log", out);
    const char *build = arena_printf(arena, "%s build %s -o %s", tool->placec, program, out);
    const char *train = arena_printf(arena,
                                     "%s/run.sh --quiet --log %s/log.jsonl --save-states "
                                     "%s/states --save-gradients %s/gradients --check-arena",
                                     out, out, out, out);
    if (!run_command(arena, build, log) || !run_command(arena, train, log)) {
        printf("%s: does not build or run\n", case_name(c));
        show_file(log);
        return false;
    }
    if (!read_losses(arena_printf(arena, "%s/log.jsonl", out), result->loss)) {
        printf("%s: no losses in its log\n", case_name(c));
        return false;
    }
    result->states = safetensors_read(arena_printf(arena, "%s/states", out));
    result->gradients = safetensors_read(arena_printf(arena, "%s/gradients", out));
    return true;
}

/* ---- The reference interpreter ------------------------------------------------------------------------------ */

/* The same examples as the runtime's data.h gives, by the same stateless functions. */
static void feed_bytes(Arena *arena, const Tool *tool, Interp *interp, int step, int batch, int examples)
{
    int64_t training = TEXT_BYTES - TEXT_BYTES / PRT_HELD_OUT_PART;
    double *tokens = arena_array(arena, double, examples *CONTEXT);
    double *targets = arena_array(arena, double, examples *CONTEXT);
    for (int e = 0; e < examples; e++) {
        int64_t window = prt_data_window(SEED, (int64_t)step * batch + e, training - CONTEXT);
        for (int t = 0; t < CONTEXT; t++) {
            tokens[e * CONTEXT + t] = tool->text[window + t];
            targets[e * CONTEXT + t] = tool->text[window + t + 1];
        }
    }
    interp_input(interp, "tokens", tokens, examples * CONTEXT);
    interp_input(interp, "targets", targets, examples * CONTEXT);
}

/* The input is declared f32: the program sees the features rounded, labels are made from what they were before. */
static void feed_features(Arena *arena, Interp *interp, int step, int batch, int examples)
{
    double *features = arena_array(arena, double, examples *FEATURES);
    double *labels = arena_array(arena, double, examples);
    for (int e = 0; e < examples; e++) {
        double best = -INFINITY;
        for (int j = 0; j < FEATURES; j++)
            features[e * FEATURES + j] = prt_data_feature(SEED, "features", (int64_t)step * batch + e, FEATURES, j);
        for (int output = 0; output < CLASSES; output++) {
            double product = 0;
            for (int j = 0; j < FEATURES; j++)
                product += prt_data_direction(output, j) * features[e * FEATURES + j];
            double score = tanh(product / sqrt(FEATURES));
            if (score > best) {
                best = score;
                labels[e] = output;
            }
        }
        for (int j = 0; j < FEATURES; j++)
            features[e * FEATURES + j] = (float)features[e * FEATURES + j];
    }
    interp_input(interp, "features", features, examples * FEATURES);
    interp_input(interp, "labels", labels, examples);
}

static const char *saved_name(Arena *arena, const Decls *decls, const char *state, int tensor, int64_t layer)
{
    const Tensor *row = &decls->tensors.data[tensor];
    if (row->group < 0)
        return arena_printf(arena, "%s/%s", state, row->name);
    const char *group = decls->groups.data[row->group].name;
    return arena_printf(arena, "%s/%s.%lld%s", state, group, (long long)layer, row->name + strlen(group));
}

/* One layer of a state or gradient as a tensor of a saved file. */
static void keep(Arena *arena, SavedFile *file, Interp *interp, const Decls *decls, const char *state, int tensor)
{
    int64_t elements;
    const Tensor *row = &decls->tensors.data[tensor];
    const char *buffer = arena_printf(arena, "%s.%s", state, row->name);
    const double *values = interp_buffer(interp, buffer, &elements);
    if (values == NULL) {
        printf("the reference has no buffer %s\n", buffer);
        exit(2);
    }
    int64_t one = tensor_elements(row);
    for (int64_t layer = 0; layer < elements / one; layer++) {
        SavedTensor *kept = &file->tensors[file->count++];
        *kept = (SavedTensor){strdup(saved_name(arena, decls, state, tensor, layer)),
                              malloc(sizeof(double) * (size_t)one), one};
        memcpy(kept->values, values + layer * one, sizeof(double) * (size_t)one);
    }
}

static void keep_all(Arena *arena, Interp *interp, const Decls *decls, Result *result)
{
    size_t most = 1;
    for (int i = 0; i < decls->tensors.count; i++)
        most += (size_t)(decls->states.count * (int)(decls->tensors.data[i].group < 0 ? 1 : 3));
    result->states.tensors = calloc(most, sizeof(SavedTensor));
    result->gradients.tensors = calloc(most, sizeof(SavedTensor));
    for (int s = 0; s < decls->states.count; s++) {
        const State *state = &decls->states.data[s];
        for (int t = 0; t < decls->tensors.count; t++) {
            TensorKind kind = state->kind == STATE_STATISTICS ? TENSOR_STATISTIC : TENSOR_PARAMETER;
            if (!state->per_parameter || decls->tensors.data[t].kind != kind)
                continue;
            SavedFile *file = state->kind == STATE_GRADIENTS ? &result->gradients : &result->states;
            keep(arena, file, interp, decls, state->name, t);
        }
    }
}

/* Trains `steps` on the first `examples` of each batch of `batch`. */
static void interpret(Arena *arena, const Tool *tool, const Case *c, int examples, int steps, Result *result)
{
    Case whole = *c;
    whole.batch = examples;
    Compile compile;
    compile_open(&compile, write_program(arena, tool, &whole));
    if (!compile_check(&compile)) {
        diag_print_text(compile.ctx.diag, stdout, false, 20);
        exit(2);
    }
    Interp *interp = interp_new(arena, compile.train->reference);
    interp_run(interp, ROUTINE_INIT);
    for (int step = 0; step < steps; step++) {
        if (c->model->bytes)
            feed_bytes(arena, tool, interp, step, c->batch, examples);
        else
            feed_features(arena, interp, step, c->batch, examples);
        interp_run(interp, ROUTINE_STEP);
        result->loss[step] = interp_output(interp, "loss", NULL)[0];
    }
    keep_all(arena, interp, compile.file->decls, result);
    compile_close(&compile);
}

/* ---- Comparing ---------------------------------------------------------------------------------------------- */

static int compare(const Case *c, const char *against, const Result *got, const Result *wanted, double bound)
{
    int faults = 0;
    const char *name = case_name(c);
    for (int step = 0; step < STEPS; step++) {
        double error = fabs(got->loss[step] - wanted->loss[step]) / fabs(wanted->loss[step]);
        if (!(error <= bound)) {
            printf("%s: loss of step %d is %.17g, of %s %.17g\n", name, step + 1, got->loss[step], against,
                   wanted->loss[step]);
            faults++;
        }
    }
    faults += saved_compare(name, against, &got->gradients, &wanted->gradients, bound);
    return faults + saved_compare(name, against, &got->states, &wanted->states, bound);
}

/* What dropping one example changes, at least, in any gradient of the first step: sum over all minus sum over all but
 * the last. A gradient that is zero but for rounding has nothing to drop. The optimizer clips: directions are compared.
 */
static double dropped_contribution(Arena *arena, const Tool *tool, const Case *c)
{
    Result whole = {0}, less = {0};
    interpret(arena, tool, c, c->batch, 1, &whole);
    interpret(arena, tool, c, c->batch - 1, 1, &less);
    double least = INFINITY;
    for (int i = 0; i < whole.gradients.count; i++) {
        SavedTensor *a = &whole.gradients.tensors[i], *b = &less.gradients.tensors[i];
        if (saved_largest(a) < saved_floor(&whole.gradients, a))
            continue;
        for (int64_t k = 0; k < b->count; k++)
            b->values[k] *= (double)(c->batch - 1) / c->batch;
        least = fmin(least, saved_error(b, a, 0));
    }
    result_free(&whole);
    result_free(&less);
    return least;
}

static int check_sharpness(Arena *arena, const Tool *tool, const Case *c, double bound)
{
    double dropped = dropped_contribution(arena, tool, c);
    printf("%s %s batch %d: bound %.3g, a dropped example changes every gradient by %.3g or more\n", c->model->name,
           c->precision, c->batch, bound, dropped);
    return dropped > 10 * bound ? 0 : 1;
}

/* ---- The matrix --------------------------------------------------------------------------------------------- */

static void finish_case(Tool *tool, const Case *c, int faults)
{
    if (faults == 0) {
        tool->passed++;
    } else {
        tool->failed++;
        printf("FAILED %s\n", case_name(c));
    }
    fflush(stdout);
}

static void check_group(Tool *tool, const Model *model, const char *precision, int batch, const int *ranks,
                        int rank_count, const int *micros, int micro_count)
{
    Arena *arena = arena_new();
    Case one = {model, "data_parallel", precision, 1, 1, batch};
    Result base = {0}, reference = {0};
    bool f32 = strcmp(precision, "f32") == 0;
    interpret(arena, tool, &one, batch, STEPS, &reference);
    double bound = f32 ? 1.2e-4 : 2.2e-11;
    bool good = run_case(arena, tool, &one, &base);
    int faults = check_sharpness(arena, tool, &one, bound);
    finish_case(tool, &one, faults + (good ? compare(&one, "the interpreter", &base, &reference, bound) : 1));
    for (int s = 0; good && s < STRATEGY_COUNT; s++) {
        for (int r = 0; r < rank_count; r++) {
            for (int m = 0; m < micro_count; m++) {
                Case c = {model, strategies[s], precision, ranks[r], micros[m], batch};
                Result result = {0};
                faults = run_case(arena, tool, &c, &result) ? 0 : 1;
                if (faults == 0)
                    faults = compare(&c, "one rank", &result, &base, bound) +
                             compare(&c, "the interpreter", &result, &reference, bound);
                finish_case(tool, &c, faults);
                result_free(&result);
            }
        }
    }
    result_free(&base);
    result_free(&reference);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: equivalence PLACEC WORK_DIRECTORY [f64|f32] [MODEL]\n", stderr);
        return 64;
    }
    Tool tool = {.placec = argv[1], .directory = argv[2]};
    mkdir(tool.directory, 0777);
    char path[4096];
    snprintf(path, sizeof path, "%s/text", tool.directory);
    tool.text_path = realpath(tool.directory, NULL);
    char full[4200];
    snprintf(full, sizeof full, "%s/text", tool.text_path);
    tool.text_path = full;
    for (int i = 0; i < TEXT_BYTES; i++)
        tool.text[i] = (unsigned char)("the quick brown fox jumps over a lazy dog, "[(i * i / 7 + i) % 43]);
    write_text(path, (const char *)tool.text, TEXT_BYTES);

    static const int ranks[] = {1, 2, 3, 4}, micros[] = {1, 2}, uneven_ranks[] = {3, 4}, one_micro[] = {1};
    for (int m = 0; m < MODEL_COUNT; m++) {
        for (int p = 0; p < 2; p++) {
            const char *precision = p == 0 ? "f64" : "f32";
            bool chosen =
                (argc < 4 || strcmp(argv[3], precision) == 0) && (argc < 5 || strcmp(argv[4], models[m].name) == 0);
            if (!chosen)
                continue;
            if (models[m].few) {
                check_group(&tool, &models[m], precision, 10, uneven_ranks, 1, micros,
                            models[m].one_microbatch ? 1 : 2);
                continue;
            }
            check_group(&tool, &models[m], precision, 24, ranks, 4, micros, 2);
            check_group(&tool, &models[m], precision, 10, uneven_ranks, 2, micros, 2);
            check_group(&tool, &models[m], precision, 2, uneven_ranks, 2, one_micro, 1); /* ranks without examples */
        }
    }
    printf("%d passed, %d failed, 0 skipped\n", tool.passed, tool.failed);
    return tool.failed == 0 ? 0 : 1;
}
