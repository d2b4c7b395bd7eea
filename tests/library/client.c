/* A program outside the tree: it sees the installed header and library alone. Every answer of libplace is asked for,
 * of a right program and of wrong ones, a thousand times without growth, without memory, and with a closed stdout.
 * Ends with "N passed, N failed, N skipped". */
#include <errno.h>
#include <locale.h>
#include <malloc.h>
#include <place.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int passed, failed;

static void judge(bool good, const char *what, int line)
{
    passed += good;
    failed += !good;
    if (!good)
        printf("FAIL client.c:%d: %s\n", line, what);
}

#define CHECK(condition) judge((condition), #condition, __LINE__)

/* ---- Programs ----------------------------------------------------------------------------------------------- */

#define MODEL                                                                                                          \
    "place 1\n"                                                                                                        \
    "model line(inputs = 4) {\n"                                                                                       \
    "    input features, targets : f32[batch, inputs]\n"                                                               \
    "    prediction = linear(features, inputs) as layer\n"                                                             \
    "    loss = mean over batch, inputs of squared_error(prediction, targets)\n"                                       \
    "}\n"
#define TRAIN(strategy)                                                                                                \
    "cluster machine { 2 devices of cpu }\n"                                                                           \
    "mesh pair on machine { data: 2 }\n"                                                                               \
    "train line on pair {\n"                                                                                           \
    "    strategy " strategy "\n"                                                                                      \
    "    optimizer sgd(rate = 0.1)\n"                                                                                  \
    "    batch 8\n"                                                                                                    \
    "    steps 3\n"                                                                                                    \
    "}\n"
#define OWN(sync)                                                                                                      \
    "strategy own(d: axis) {\n"                                                                                        \
    "    activations sharded over d by batch\n"                                                                        \
    "    sync gradients : " sync " over d at step\n"                                                                   \
    "}\n"

static const char right[] = MODEL TRAIN("zero1(data)");
static const char wrong[] = MODEL OWN("mean") TRAIN("own(data)");
static const char misspelt[] = MODEL TRAIN("zero11(data)");
static const char damaged[] = MODEL "mesh pair on {\n";

static place_program program_of(const char *text)
{
    return (place_program){.name = "line.place", .text = text, .length = strlen(text)};
}

static bool has(const char *text, const char *part)
{
    return text != NULL && strstr(text, part) != NULL;
}

static bool is(const char *text, const char *wanted)
{
    return text != NULL && strcmp(text, wanted) == 0;
}

/* ---- A right program ---------------------------------------------------------------------------------------- */

static void check_right(void)
{
    place_program program = program_of(right);
    place_result *result = place_check(&program, PLACE_TEXT);
    size_t length;
    const char *text = place_result_text(result, &length);
    CHECK(place_result_status(result) == PLACE_GOOD);
    CHECK(is(text, "line.place: gradient integrity yes, state consistency yes, contract exact\n"));
    CHECK(text != NULL && length == strlen(text));
    place_verdict verdict = place_result_verdict(result);
    CHECK(verdict.gradient_integrity && verdict.state_consistency && is(verdict.contract, "exact"));
    CHECK(place_result_diagnostic_count(result) == 0 && place_result_diagnostic(result, 0) == NULL);
    CHECK(is(place_result_messages(result, PLACE_TEXT, 20), ""));
    CHECK(place_result_failure(result) == NULL);
    place_result_free(result);
    result = place_check(&program, PLACE_JSON);
    CHECK(has(place_result_text(result, NULL), "\"gradient_integrity\": true"));
    place_result_free(result);
}

static void check_plan(void)
{
    place_program program = program_of(right);
    place_result *result = place_plan(&program, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_GOOD);
    CHECK(has(place_result_text(result, NULL), "line on pair: data 2 = 2 devices, 20 parameters\n"));
    place_cost cost;
    CHECK(place_result_cost(result, &cost));
    CHECK(cost.devices == 2 && cost.parameters == 20 && cost.memory_bytes > 4 * 20 && cost.flops > 0);
    /* A reduction and a gather of shards, and the loss. The bias begins at 64; each of two shards is a multiple of 8.
     */
    CHECK(cost.sent_bytes == 4 * 80 / 2 + 4 * 80 / 2 + 4);
    place_result_free(result);
    result = place_plan(&program, PLACE_JSON);
    CHECK(has(place_result_text(result, NULL), "\"format_version\""));
    place_result_free(result);
    result = place_check(&program, PLACE_TEXT);
    CHECK(place_result_cost(result, &cost));
    place_result_free(result);
}

static void check_dumps(void)
{
    place_program program = program_of(right);
    for (size_t i = 0; place_pass_name(i) != NULL; i++) {
        place_result *result = place_dump(&program, "step", place_pass_name(i));
        const char *text = place_result_text(result, NULL);
        CHECK(place_result_status(result) == PLACE_GOOD && has(text, "place-step 1\n") && has(text, "program {\n"));
        place_result *whole = place_dump(&program, "step", NULL);
        CHECK((place_pass_name(i + 1) == NULL) == is(text, place_result_text(whole, NULL)));
        /* Whoever wrote it, its text can be proved, once its buffers have their places or before. */
        place_program step = {.name = "line.step", .text = text, .length = strlen(text)};
        place_result *verified = place_verify(&step, PLACE_TEXT);
        CHECK(is(place_result_text(verified, NULL),
                 "line.step: gradient integrity yes, state consistency yes, contract exact\n"));
        place_result_free(verified);
        place_result_free(whole);
        place_result_free(result);
    }
    place_result *result = place_dump(&program, "ast", NULL);
    CHECK(place_result_status(result) == PLACE_GOOD && has(place_result_text(result, NULL), "train"));
    place_result_free(result);
    result = place_dump(&program, "c", NULL);
    CHECK(place_result_status(result) == PLACE_GOOD && has(place_result_text(result, NULL), "#include \"place_rt.h\""));
    place_result_free(result);
}

static void check_others(void)
{
    place_program program = program_of("place 1\nmesh pair on machine {data:2}\n");
    place_result *result = place_format(&program);
    CHECK(is(place_result_text(result, NULL), "place 1\nmesh pair on machine { data: 2 }\n"));
    place_result_free(result);
    result = place_explain("p303");
    CHECK(place_result_status(result) == PLACE_MISUSE);
    CHECK(is(place_result_failure(result), "there is no diagnostic 'p303'; did you mean 'P0303'?"));
    place_result_free(result);
    result = place_explain("P0303");
    CHECK(place_result_status(result) == PLACE_GOOD && has(place_result_text(result, NULL), "# P0303"));
    place_result_free(result);
    char version[40];
    snprintf(version, sizeof version, "%d.%d.%d", PLACE_VERSION_MAJOR, PLACE_VERSION_MINOR, PLACE_VERSION_PATCH);
    CHECK(is(place_version(), version));
    CHECK(is(place_dump_name(0), "ast") && place_dump_name(100) == NULL && place_pass_name((size_t)-1) == NULL);
    const char *const names[] = {"data", "tensor"};
    CHECK(is(place_nearest("dta", names, 2), "data") && place_nearest("x", names, 2) == NULL);
}

/* ---- Questions about other strategies --------------------------------------------------------------------------- */

typedef struct Ticks {
    int count, most;
} Ticks;

static int tick(void *data, const place_progress *progress)
{
    Ticks *ticks = data;
    CHECK(progress->elapsed_s >= 0 && progress->bound >= 0);
    return ++ticks->count < ticks->most;
}

static void check_search(void)
{
    static const char searched[] = "place 1\n" MODEL "cluster machine { 2 devices of cpu }\n"
                                   "train line on machine {\n"
                                   "    search over machine { least memory }\n"
                                   "    optimizer sgd(rate = 0.1); batch 8; steps 3\n"
                                   "}\n";
    place_program program = program_of(searched);
    Ticks ticks = {.most = 1000000};
    size_t length;
    place_result *result = place_search(&program, PLACE_TEXT, tick, &ticks);
    CHECK(place_result_status(result) == PLACE_GOOD && ticks.count > 1);
    CHECK(has(place_result_text(result, NULL), "nothing in the space is better"));
    const char *found = place_result_program(result, &length);
    CHECK(found != NULL && strlen(found) == length && has(found, "zero3(data)"));
    place_program again = program_of(found);
    place_result *checked = place_check(&again, PLACE_TEXT);
    CHECK(place_result_status(checked) == PLACE_GOOD);
    place_result_free(checked);
    place_result_free(result);
    result = place_search(&program, PLACE_JSON, NULL, NULL);
    CHECK(has(place_result_text(result, NULL), "\"gap\""));
    place_result_free(result);
    result = place_search_lock(&program, PLACE_TEXT, NULL, NULL);
    CHECK(place_result_status(result) == PLACE_GOOD && has(place_result_lock(result, NULL), "zero3(data)"));
    place_result_free(result);
    static const char decided[] = "place 1\n" MODEL "cluster machine { 2 devices of cpu }\n"
                                  "mesh m on machine { data: 2 }\n"
                                  "train line on m {\n"
                                  "    strategy zero1(data)\n"
                                  "    optimizer sgd(rate = 0.1); batch 8; steps 3\n"
                                  "}\n";
    program = program_of(decided);
    ticks = (Ticks){.most = 1000000};
    result = place_search_lock(&program, PLACE_TEXT, tick, &ticks);
    CHECK(place_result_status(result) == PLACE_MISUSE && ticks.count == 0);
    CHECK(place_result_lock(result, NULL) == NULL && has(place_result_failure(result), "has no `search over`"));
    place_result_free(result);
    program = program_of(searched);
    ticks = (Ticks){.most = 1};
    result = place_search(&program, PLACE_TEXT, tick, &ticks);
    CHECK(ticks.count > 0);
    place_result_free(result);
    result = place_check(&program, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_ERRORS && place_result_program(result, NULL) == NULL);
    place_result_free(result);
}

static void check_comparisons(void)
{
    place_program program = program_of(right);
    place_result *result = place_compare(&program, PLACE_AGAINST, "zero2,zero9", PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_GOOD);
    CHECK(has(place_result_text(result, NULL), "\nzero2(data) ") &&
          has(place_result_text(result, NULL), "zero9(data) is not right"));
    place_result_free(result);
    result = place_compare(&program, PLACE_WHAT_IF, "batch 16", PLACE_JSON);
    CHECK(has(place_result_text(result, NULL), "\"batch 16\""));
    place_result_free(result);
    result = place_compare(&program, PLACE_WHY_NOT, "sync gradients : none", PLACE_TEXT);
    CHECK(has(place_result_text(result, NULL), "counter-example"));
    place_result_free(result);
    result = place_compare(&program, PLACE_WHY_NOT, NULL, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_MISUSE);
    place_result_free(result);
    result = place_why(&program, "layer");
    CHECK(place_result_status(result) == PLACE_GOOD && has(place_result_text(result, NULL), "einsum"));
    place_result_free(result);
    place_program other = program_of(wrong);
    result = place_diff(&program, &program, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_GOOD);
    place_result_free(result);
    result = place_diff(&program, &other, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_ERRORS && has(place_result_failure(result), "is not right"));
    place_result_free(result);
    result = place_diff(&program, NULL, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_MISUSE);
    place_result_free(result);
}

/* ---- Wrong programs ----------------------------------------------------------------------------------------- */

static const place_remark *remark_of(const place_diagnostic *d, place_remark_kind kind)
{
    for (size_t i = 0; i < d->remark_count; i++)
        if (d->remarks[i].kind == kind)
            return &d->remarks[i];
    return NULL;
}

/* The text with a help's edits made; freed by the caller. */
static char *edited(const char *text, const place_remark *help)
{
    char *changed = calloc(1, strlen(text) + 4096), *end = changed;
    size_t at = 0;
    for (size_t i = 0; i < help->edit_count; i++) {
        const place_edit *edit = &help->edits[i];
        end += sprintf(end, "%.*s%s", (int)(edit->at.start - at), text + at, edit->replacement);
        at = edit->at.end;
    }
    strcpy(end, text + at);
    return changed;
}

/* `mean` for a sum: refused by the proof, with a change that makes it right. */
static void check_wrong(void)
{
    place_program program = program_of(wrong);
    place_result *result = place_check(&program, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_ERRORS && place_result_text(result, NULL) == NULL);
    CHECK(place_result_diagnostic_count(result) == 1);
    const place_diagnostic *d = place_result_diagnostic(result, 0);
    if (d == NULL)
        return;
    CHECK(is(d->code, "P0303") && d->severity == PLACE_ERROR);
    CHECK(has(d->message, "is scaled wrongly: it is 1/2 of the single-device gradient"));
    CHECK(is(d->at.file, "line.place") && d->at.line == 9 && d->at.column == 5 && d->at.end_line == 9);
    CHECK(strncmp(wrong + d->at.start, "sync gradients", 14) == 0 && wrong[d->at.end] == '\n');
    CHECK(d->label_count > 0 && is(d->labels[0].at.file, "line.place") && d->labels[0].text[0] != '\0');
    const place_remark *why = remark_of(d, PLACE_WHY), *help = remark_of(d, PLACE_HELP);
    CHECK(why != NULL && why->edit_count == 0 && why->trial == PLACE_UNTRIED);
    CHECK(remark_of(d, PLACE_COUNTER_EXAMPLE) != NULL);
    CHECK(help != NULL && help->trial == PLACE_PROVED && help->edit_count == 1);
    if (help != NULL) {
        char *mended = edited(wrong, help);
        place_program again = program_of(mended);
        place_result *right_now = place_check(&again, PLACE_TEXT);
        CHECK(place_result_status(right_now) == PLACE_GOOD);
        place_result_free(right_now);
        free(mended);
    }
    CHECK(has(place_result_messages(result, PLACE_TEXT, 20), "line.place:9:5: error[P0303]: "));
    CHECK(has(place_result_messages(result, PLACE_COLOR, 20), "\033["));
    CHECK(has(place_result_messages(result, PLACE_JSON, 20), "\"code\":\t\"P0303\""));
    place_result_free(result);
    result = place_dump(&program, "step", NULL);
    CHECK(place_result_status(result) == PLACE_ERRORS && has(place_result_text(result, NULL), "place-step 1\n"));
    place_result_free(result);
}

static void expect_error(const char *text, const char *code, int line, const char *message)
{
    place_program program = program_of(text);
    place_result *result = place_plan(&program, PLACE_JSON);
    const place_diagnostic *d = place_result_diagnostic(result, 0);
    CHECK(place_result_status(result) == PLACE_ERRORS && place_result_text(result, NULL) == NULL);
    CHECK(d != NULL && is(d->code, code) && d->at.line == line && has(d->message, message));
    place_result_free(result);
}

static void check_errors(void)
{
    expect_error(misspelt, "P0201", 10, "'zero11'");
    expect_error(damaged, "P0101", 7, "");
    expect_error("", "P0208", 1, "no 'train'");
    place_program program = program_of(right);
    place_result *result = place_dump(&program, "nothing", NULL);
    CHECK(place_result_status(result) == PLACE_MISUSE && place_result_failure(result) != NULL);
    CHECK(is(place_result_messages(result, PLACE_TEXT, 20), ""));
    place_result_free(result);
    result = place_dump(&program, "step", "nothing");
    CHECK(place_result_status(result) == PLACE_MISUSE);
    place_result_free(result);
    result = place_dump(&program, "ast", "stages");
    CHECK(place_result_status(result) == PLACE_MISUSE);
    place_result_free(result);
    place_result_free(NULL);
    static const place_program nothing = {0};
    result = place_check(&nothing, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_MISUSE);
    place_result_free(result);
    CHECK(place_result_status(NULL) == PLACE_FAILED && is(place_result_failure(NULL), "out of memory"));
}

/* ---- Imports ------------------------------------------------------------------------------------------------ */

typedef struct Shelf {
    const char *path, *text;
    int asked, error;
} Shelf;

static int read_shelf(void *data, const char *path, place_import *import)
{
    Shelf *shelf = data;
    shelf->asked++;
    if (shelf->error != 0 || strcmp(path, shelf->path) != 0)
        return shelf->error != 0 ? shelf->error : ENOENT;
    char *copy = strdup(shelf->text);
    place_import_text(import, "nothing of this", 15); /* the last one counts */
    place_import_text(import, copy, strlen(copy));
    memset(copy, 'x', strlen(copy)); /* the library has its own */
    free(copy);
    return 0;
}

static void check_imports(void)
{
    static const char text[] = "place 1\nimport \"model.place\"\n" TRAIN("zero2(data)");
    Shelf shelf = {.path = "programs/model.place", .text = MODEL};
    place_program program = {"programs/line.place", text, strlen(text), read_shelf, &shelf};
    place_result *result = place_check(&program, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_GOOD && shelf.asked == 1);
    place_result_free(result);
    shelf.text = "place 1\nmodel line(inputs = 4) {\n    input x : f32[batch, inpust]\n}\n";
    result = place_check(&program, PLACE_TEXT);
    const place_diagnostic *d = place_result_diagnostic(result, 0);
    CHECK(d != NULL && is(d->at.file, "programs/model.place") && d->at.line == 3 && is(d->code, "P0201"));
    place_result_free(result);
    shelf.path = "elsewhere.place";
    result = place_check(&program, PLACE_TEXT);
    d = place_result_diagnostic(result, 0);
    CHECK(d != NULL && is(d->code, "P0002") && has(d->message, "cannot read 'model.place': No such file"));
    CHECK(place_result_messages(result, PLACE_TEXT, 20) != NULL);
    place_result_free(result);
    shelf.error = EACCES;
    result = place_check(&program, PLACE_TEXT);
    d = place_result_diagnostic(result, 0);
    CHECK(d != NULL && has(d->message, "Permission denied"));
    place_result_free(result);
    program.read = NULL;
    result = place_check(&program, PLACE_TEXT);
    d = place_result_diagnostic(result, 0);
    CHECK(d != NULL && is(d->code, "P0002") && has(d->message, "No such file"));
    place_result_free(result);
}

/* ---- Locales ------------------------------------------------------------------------------------------------ */

/* In a locale with a decimal comma, which the test makes, the same program has the same answers, byte for byte. */
static void check_locale(void)
{
    if (getenv("LOCPATH") == NULL)
        return;
    place_program program = program_of(right);
    place_result *before = place_dump(&program, "step", NULL), *plan = place_plan(&program, PLACE_JSON);
    char text[16];
    CHECK(setlocale(LC_ALL, "comma") != NULL);
    snprintf(text, sizeof text, "%.1f", 1.5);
    CHECK(is(text, "1,5"));
    place_result *after = place_dump(&program, "step", NULL), *plan_after = place_plan(&program, PLACE_JSON);
    CHECK(is(place_result_text(after, NULL), place_result_text(before, NULL)));
    CHECK(has(place_result_text(after, NULL), "0.1"));
    CHECK(is(place_result_text(plan_after, NULL), place_result_text(plan, NULL)));
    snprintf(text, sizeof text, "%.1f", 1.5);
    CHECK(is(text, "1,5")); /* it is the caller's again */
    setlocale(LC_ALL, "C");
    place_result_free(before);
    place_result_free(after);
    place_result_free(plan);
    place_result_free(plan_after);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

/* They are made where the caller is installed with Place; elsewhere that is an error, and nothing is written. */
static void check_kernels(const char *directory)
{
    bool installed = directory != NULL;
    place_program program = program_of(right);
    place_result *result = place_dump(&program, "llvm", NULL);
    const place_diagnostic *d = place_result_diagnostic(result, 0);
    CHECK(place_result_status(result) == (installed ? PLACE_GOOD : PLACE_ERRORS));
    CHECK(installed == has(place_result_text(result, NULL), "define "));
    CHECK(installed || (d != NULL && is(d->code, "P0502")));
    place_result_free(result);
    result = place_build(&program, installed ? directory : "never", PLACE_TEXT);
    CHECK(place_result_status(result) == (installed ? PLACE_GOOD : PLACE_FAILED));
    CHECK(installed == has(place_result_text(result, NULL), "memory per device"));
    place_result_free(result);
    result = place_build(&program, "/proc/nothing", PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_FAILED);
    CHECK(!installed || has(place_result_failure(result), "cannot make the directory '/proc/nothing'"));
    place_result_free(result);
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* Bytes that the process has allocated and not freed; 0 under a sanitizer, which finds leaks by itself. */
static size_t allocated(void)
{
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

static void check_growth(void)
{
    size_t before = 0;
    for (int i = 0; i < 1000; i++) {
        place_program program = program_of(i % 3 == 0 ? right : i % 3 == 1 ? wrong : misspelt);
        place_result *result = i % 2 == 0 ? place_check(&program, PLACE_JSON) : place_dump(&program, "step", NULL);
        place_result_messages(result, PLACE_TEXT, 20);
        place_result_free(result);
        if (i == 499) /* the allocator keeps some blocks for later */
            before = allocated();
    }
    CHECK(allocated() <= before);
}

/* Without memory a request fails, and the next one, with memory, does not. */
static void check_no_memory(void)
{
#ifndef __SANITIZE_ADDRESS__ /* it reserves address space without end */
    static const char large[] =
        "place 1\n"
        "model wide(inputs = 4, layers = 400) {\n"
        "    input x, y : f32[batch, inputs]\n"
        "    z = linear(x, inputs) as first\n"
        "    repeat block[layers] { z = z + relu(linear(z, inputs) as fc) }\n"
        "    loss = mean over batch, inputs of squared_error(z, y)\n"
        "}\n"
        "cluster machine { 2 devices of cpu }\n"
        "mesh pair on machine { data: 2 }\n"
        "train wide on pair { strategy zero1(data); optimizer sgd(rate = 0.1); batch 8; steps 3 }\n";
    place_program program = program_of(large);
    struct rlimit old, low;
    int failures = 0;
    getrlimit(RLIMIT_AS, &old);
    place_result *result = place_plan(&program, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_GOOD);
    place_result_free(result);
    malloc_trim(0);
    for (rlim_t more = 0; more < 2 << 20; more += 64 << 10) {
        FILE *file = fopen("/proc/self/statm", "r");
        unsigned long pages = 0;
        if (file == NULL || fscanf(file, "%lu", &pages) != 1)
            return;
        fclose(file);
        low = old;
        low.rlim_cur = pages * 4096 + more;
        setrlimit(RLIMIT_AS, &low);
        result = place_plan(&program, PLACE_TEXT);
        setrlimit(RLIMIT_AS, &old);
        place_status status = place_result_status(result);
        failures += status == PLACE_FAILED && is(place_result_failure(result), "out of memory");
        CHECK(status == PLACE_FAILED || status == PLACE_GOOD);
        place_result_free(result);
        malloc_trim(0);
    }
    CHECK(failures > 0);
    result = place_plan(&program, PLACE_TEXT);
    CHECK(place_result_status(result) == PLACE_GOOD);
    place_result_free(result);
#endif
}

/* The argument: where to build, if this program is installed with Place. */
int main(int argc, char **argv)
{
    check_right();
    check_plan();
    check_dumps();
    check_others();
    check_search();
    check_comparisons();
    check_wrong();
    check_errors();
    check_imports();
    check_locale();
    check_growth();
    check_no_memory();
    check_kernels(argc > 1 ? argv[1] : NULL);
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
