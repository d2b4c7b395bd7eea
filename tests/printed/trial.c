/* trial.c - builds and runs a program and its twin of one rank, and compares all that they leave.
 *
 * The program trains three steps, saving every state after each, and the gradients and the batch of the last. The
 * simulator takes the states after the second step and that batch, runs the third step of the dumped program on as many
 * ranks and of the reference on one, and must come to the same loss, gradient norm, rate, gradients and states. The
 * twin is the same text on axes of one rank each under data_parallel: the same losses in all steps, the same states
 * after each, the same gradients. Under contracts there is no twin.
 *
 * A difference is max |a - b| over max |b|, or over a thousandth of the largest element of the state if that is more.
 * The longest sums here have a few hundred terms of rounding 1.1e-16, and an optimizer that divides by 1e-3 makes what
 * is zero but for rounding a thousand times larger; what is wrong is wrong by a contribution, 1e-3 and more. The bound
 * is between. */
#include "tests/printed/trial.h"

#include "tests/equivalence/differences.h"
#include "tests/printed/simulate.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, PATH_SIZE = 600, TEXT_SIZE = 1 << 15 };

static const double bound = 1e-9;

/* What a run left. */
typedef struct Left {
    Handed handed[STEPS];
    double held_out;         /* the loss of eval */
    bool uneven;             /* some microbatches are shorter than others */
    int misplanned;          /* communications that were not as often, or as much, as planned */
    SavedFile states[STEPS]; /* after each step */
    SavedFile gradients, inputs;
    char trace[PATH_SIZE / 2]; /* of rank N: this, and .N */
} Left;

static void left_free(Left *left)
{
    for (int step = 0; step < STEPS; step++)
        safetensors_free(&left->states[step]);
    safetensors_free(&left->gradients);
    safetensors_free(&left->inputs);
}

/* ---- Commands ----------------------------------------------------------------------------------------------- */

static bool command(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool command(const char *format, ...)
{
    char line[8 * PATH_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return system(line) == 0;
}

/* The file as text that the caller frees; NULL where it is not there. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(length + 1);
    if (text == NULL || fread(text, 1, length, file) != length)
        exit(2);
    text[length] = '\0';
    fclose(file);
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(2);
    }
}

static void show_file(const char *path)
{
    char *text = read_text(path);
    if (text != NULL)
        printf("%.2000s", text);
    free(text);
}

/* ---- Texts -------------------------------------------------------------------------------------------------- */

/* The same program on one rank: every axis has one, and the batch is cut over the first. */
static void write_twin(const char *text, char *twin, size_t size)
{
    char axis[64] = "";
    size_t used = 0;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        int length = (int)strcspn(line, "\n");
        bool mesh = strncmp(line, "mesh ", 5) == 0, cluster = strncmp(line, "cluster ", 8) == 0;
        bool strategy = strncmp(line, "    strategy ", 13) == 0;
        if (mesh)
            sscanf(strchr(line, '{') + 1, " %63[A-Za-z0-9_]", axis);
        if (strategy)
            used += (size_t)snprintf(twin + used, size - used, "    strategy data_parallel(%s)\n", axis);
        for (int i = 0; i < length && !strategy; i++) {
            bool count = isdigit((unsigned char)line[i]) && line[i - 1] == ' ' &&
                         ((mesh && line[i - 2] == ':') || (cluster && line[i - 2] == '{'));
            twin[used++] = count ? '1' : line[i];
            while (count && isdigit((unsigned char)line[i + 1]))
                i++;
        }
        if (!strategy)
            twin[used++] = '\n';
        if (line[length] == '\0')
            break;
    }
    twin[used] = '\0';
}

static bool has_uneven_batch(const char *text)
{
    int batch = 0, microbatches = 1;
    const char *line = strstr(text, "\n    batch ");
    return line != NULL && sscanf(line, " batch %d in %d", &batch, &microbatches) == 2 && batch % microbatches != 0;
}

/* ---- Running ------------------------------------------------------------------------------------------------ */

static double number_in(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static bool read_log(const char *path, Left *left)
{
    FILE *file = fopen(path, "r");
    char line[1 << 16];
    int steps = 0;
    left->held_out = NAN;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        cJSON *object = cJSON_Parse(line);
        const char *event = cJSON_GetStringValue(cJSON_GetObjectItem(object, "event"));
        if (event != NULL && strcmp(event, "step") == 0 && steps < STEPS)
            left->handed[steps++] = (Handed){number_in(object, "loss"), number_in(object, "gradient_norm"),
                                             number_in(object, "learning_rate")};
        if (event != NULL && strcmp(event, "validation") == 0)
            left->held_out = number_in(object, "loss");
        if (event != NULL && strcmp(event, "traffic") == 0)
            left->misplanned = traffic_misplanned(cJSON_GetObjectItem(object, "rows"), left->uneven);
        cJSON_Delete(object);
    }
    if (file != NULL)
        fclose(file);
    return steps == STEPS;
}

static bool run_built(const char *directory, const char *kind, Left *left)
{
    char path[PATH_SIZE];
    snprintf(left->trace, sizeof left->trace, "%s/%s.trace", directory, kind);
    if (!command(
            "%s/%s/run.sh --quiet --check-arena --trace %s --checkpoint %s/%s --checkpoint-every 1 --log %s/%s.jsonl "
            "--save-gradients %s/%s.gradients --save-inputs %s/%s.inputs > %s/%s.log 2>&1",
            directory, kind, left->trace, directory, kind, directory, kind, directory, kind, directory, kind, directory,
            kind)) {
        printf("%s/%s does not run\n", directory, kind);
        snprintf(path, sizeof path, "%s/%s.log", directory, kind);
        show_file(path);
        return false;
    }
    snprintf(path, sizeof path, "%s/%s.jsonl", directory, kind);
    if (!read_log(path, left)) {
        printf("%s is not complete\n", path);
        return false;
    }
    for (int step = 0; step < STEPS; step++) {
        snprintf(path, sizeof path, "%s/%s/step-%08d.safetensors", directory, kind, step + 1);
        left->states[step] = safetensors_read(path);
    }
    snprintf(path, sizeof path, "%s/%s.gradients", directory, kind);
    left->gradients = safetensors_read(path);
    snprintf(path, sizeof path, "%s/%s.inputs", directory, kind);
    left->inputs = safetensors_read(path);
    return true;
}

/* "P0501" of the first error in a build's output. */
static void find_code(const char *log, char *code, size_t size)
{
    char *text = read_text(log);
    const char *at = text != NULL ? strstr(text, "error[") : NULL;
    snprintf(code, size, "%.5s", at != NULL ? at + strlen("error[") : "?");
    free(text);
}

/* ---- Comparing ---------------------------------------------------------------------------------------------- */

static int compare_number(const char *name, const char *what, const char *against, double got, double wanted)
{
    if (isnan(got) && isnan(wanted))
        return 0;
    if (fabs(got - wanted) <= bound * fmax(fabs(wanted), 1e-3))
        return 0;
    printf("%s: %s is %.17g, of %s %.17g\n", name, what, got, against, wanted);
    return 1;
}

static int compare_handed(const char *name, const char *against, const Handed *got, const Handed *wanted)
{
    return compare_number(name, "loss", against, got->loss, wanted->loss) +
           compare_number(name, "gradient norm", against, got->gradient_norm, wanted->gradient_norm) +
           compare_number(name, "learning rate", against, got->learning_rate, wanted->learning_rate);
}

/* Each has what the other has. */
static int compare_saved(const char *name, const char *against, const SavedFile *got, const SavedFile *wanted)
{
    int faults = saved_compare(name, against, got, wanted, bound);
    if (got->count == wanted->count)
        return faults;
    printf("%s: %d tensors, of %s %d\n", name, got->count, against, wanted->count);
    return faults + 1;
}

static void show_different_lines(const char *got, const char *wanted)
{
    for (int number = 1; *got != '\0' || *wanted != '\0'; number++) {
        int length = (int)strcspn(got, "\n"), other = (int)strcspn(wanted, "\n");
        if (length != other || strncmp(got, wanted, (size_t)length) != 0) {
            printf("  communication %d\n    is     %.*s\n    not    %.*s\n", number, length, got, other, wanted);
            return;
        }
        got += length + (got[length] != '\0');
        wanted += other + (wanted[other] != '\0');
    }
}

/* Every rank communicates what its simulated one does in the last step: the same, with the same ranks, in the same
 * order. */
static int compare_communications(const char *name, const Left *left, const Simulated *simulated)
{
    int faults = 0;
    for (int r = 0; r < simulated->ranks; r++) {
        char path[PATH_SIZE], last[32];
        snprintf(path, sizeof path, "%s.%d", left->trace, r);
        snprintf(last, sizeof last, "step %d\n", STEPS);
        char *text = read_text(path), *step = text != NULL ? strstr(text, last) : NULL;
        if (step == NULL || strcmp(step + strlen(last), simulated->communications[r]) != 0) {
            printf("%s: rank %d does not communicate as the simulated one\n", name, r);
            show_different_lines(step != NULL ? step + strlen(last) : "", simulated->communications[r]);
            faults++;
        }
        free(text);
    }
    return faults;
}

static int compare_simulated(const char *name, const char *step_text, bool of_reference, const Left *left)
{
    Simulated simulated;
    char message[512];
    const char *against = of_reference ? "the reference, simulated," : "the simulated ranks";
    if (!simulate_step(step_text, of_reference, STEPS, &left->states[STEPS - 2], &left->inputs, &simulated, message,
                       sizeof message)) {
        printf("%s: cannot be simulated: %s\n", name, message);
        simulated_free(&simulated);
        return 1;
    }
    int faults = compare_handed(name, against, &left->handed[STEPS - 1], &simulated.handed) +
                 compare_saved(name, against, &left->states[STEPS - 1], &simulated.states);
    if (of_reference)
        faults += compare_saved(name, against, &left->gradients, &simulated.gradients);
    else
        faults += compare_communications(name, left, &simulated);
    simulated_free(&simulated);
    return faults;
}

static int compare_traffic(const char *name, const Left *left)
{
    if (left->misplanned > 0)
        printf("%s: communications are not as planned\n", name);
    return left->misplanned;
}

static int compare_twin(const char *name, const Left *left, const Left *twin)
{
    int faults = compare_saved(name, "one rank", &left->gradients, &twin->gradients) +
                 compare_number(name, "loss of eval", "one rank", left->held_out, twin->held_out);
    faults += compare_traffic(name, left) + compare_traffic(name, twin);
    for (int step = 0; step < STEPS; step++)
        faults += compare_handed(name, "one rank", &left->handed[step], &twin->handed[step]) +
                  compare_saved(name, "one rank", &left->states[step], &twin->states[step]);
    return faults;
}

/* From what the other program saved after the second step, the third is the same. */
static int compare_resumed(const char *directory, const char *kind, const char *other, const Left *left)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.resumed", directory, kind);
    if (!command("%s/%s/run.sh --quiet --resume %s/%s/step-%08d.safetensors --save-states %s > %s/%s.log 2>&1",
                 directory, kind, directory, other, STEPS - 1, path, directory, kind)) {
        printf("%s/%s does not continue from a checkpoint\n", directory, kind);
        snprintf(path, sizeof path, "%s/%s.log", directory, kind);
        show_file(path);
        return 1;
    }
    SavedFile states = safetensors_read(path);
    int faults = compare_saved(path, "the run that was not interrupted", &states, &left->states[STEPS - 1]);
    safetensors_free(&states);
    return faults;
}

/* ---- One program -------------------------------------------------------------------------------------------- */

/* Another program than was printed, made by its own Makefile. */
static bool damage(const Trial *trial, const char *directory)
{
    return trial->damage == NULL ||
           command("cp %s/ranks/program.c %s/was.c && sed -i '%s' %s/ranks/program.c && "
                   "! cmp -s %s/was.c %s/ranks/program.c && make -s -C %s/ranks > %s/build.log 2>&1",
                   directory, directory, trial->damage, directory, directory, directory, directory, directory);
}

/* `twin`: there is one. */
static int compare_all(const Trial *trial, const char *directory, const char *text, bool has_twin)
{
    char path[PATH_SIZE];
    Left left = {.uneven = has_uneven_batch(text)}, twin = {.uneven = left.uneven};
    snprintf(path, sizeof path, "%s/program.step", directory);
    char *step_text = read_text(path);
    int faults =
        step_text == NULL || !run_built(directory, "ranks", &left) || (has_twin && !run_built(directory, "one", &twin));
    if (faults == 0) {
        faults += compare_simulated(trial->name, step_text, false, &left);
        faults += compare_simulated(trial->name, step_text, true, &left);
        faults += has_twin ? compare_twin(trial->name, &left, &twin) : compare_traffic(trial->name, &left);
    }
    if (faults == 0 && trial->resumes && has_twin)
        faults += compare_resumed(directory, "ranks", "one", &left) + compare_resumed(directory, "one", "ranks", &twin);
    left_free(&left);
    left_free(&twin);
    free(step_text);
    return faults;
}

TrialResult trial_run(Trial *trial, const char *text)
{
    static char twin[TEXT_SIZE];
    char directory[PATH_SIZE / 2], path[PATH_SIZE];
    snprintf(directory, sizeof directory, "%s/%s", trial->directory, trial->name);
    command("mkdir -p %s", directory);
    snprintf(path, sizeof path, "%s/ranks.place", directory);
    write_text(path, text);
    write_twin(text, twin, sizeof twin);
    snprintf(path, sizeof path, "%s/one.place", directory);
    write_text(path, twin);
    if (!command("%s build %s/ranks.place -o %s/ranks > %s/build.log 2>&1", trial->placec, directory, directory,
                 directory)) {
        snprintf(path, sizeof path, "%s/build.log", directory);
        find_code(path, trial->code, sizeof trial->code);
        command("rm -rf %s", directory);
        return TRIAL_REFUSED;
    }
    bool has_twin = strstr(text, " contract ") == NULL; /* which say what ranks along their axes do */
    int faults =
        !command("%s --dump=step %s/ranks.place > %s/program.step 2> /dev/null", trial->placec, directory, directory) ||
        (has_twin && !command("%s build %s/one.place -o %s/one > %s/build.log 2>&1", trial->placec, directory,
                              directory, directory));
    if (faults != 0)
        printf("%s: its twin of one rank is not built\n", trial->name);
    else if (!damage(trial, directory))
        printf("%s: '%s' changes nothing, or what does not compile\n", trial->name, trial->damage);
    else
        faults = compare_all(trial, directory, text, has_twin);
    fflush(stdout);
    if (faults == 0 || trial->damage != NULL)
        command("rm -rf %s", directory);
    return faults == 0 ? TRIAL_EQUAL : TRIAL_DIFFERENT;
}
