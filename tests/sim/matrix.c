/* matrix.c - both verdicts on one text, counted. */
#include "tests/sim/matrix.h"

#include "tests/sim/prove.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 20, OTHER_DRAWS = 4 };

/* Reasons that name no rule are counted without what is particular to a program: names in quotes and numbers. */
static void general_reason(const char *reason, char *general, size_t size)
{
    size_t length = 0;
    bool quoted = false;
    for (; *reason && length + 1 < size; reason++) {
        if (*reason == '\'')
            quoted = !quoted;
        if ((!quoted || *reason == '\'') && !isdigit((unsigned char)*reason))
            general[length++] = *reason;
        else if (length < 5)
            general[length++] = *reason; /* the code */
    }
    general[length] = '\0';
}

/* False where the reason is a new one. */
static bool count_reason(MatrixReasons *reasons, const char *text, int64_t count, const char *example)
{
    int r = 0;
    reasons->total += count;
    while (r < reasons->count && strcmp(reasons->of[r].text, text) != 0)
        r++;
    if (r == MATRIX_REASONS)
        return true;
    reasons->of[r].count += count;
    if (r < reasons->count)
        return true;
    reasons->count++;
    snprintf(reasons->of[r].text, sizeof reasons->of[r].text, "%s", text);
    snprintf(reasons->of[r].example, sizeof reasons->of[r].example, "%s", example);
    return false;
}

/* What the eager checks refuse (memory, order, shapes, the text itself) names the place; other refusals show numbers,
 * or name the rule by which a right program could be refused. */
static bool is_explained(const Refusal *refusal)
{
    return refusal->witness || *refusal->rule || !strncmp(refusal->text, "P033", 4) ||
           !strncmp(refusal->text, "P034", 4);
}

/* The rule of docs/semantics.md (section 6) that a code stands for where its message names none. */
static const char *rule_of(const char *text)
{
    static const struct {
        const char *codes, *rule;
    } rules[] = {
        {"P0330 P0331 P0332 P0333 P0335 P0336", "memory and order"},
        {"P0307 P0308 P0334", "layouts"},
        {"P0311 P0313", "values of the rank"},
        {"P0301 P0302 P0303 P0304 P0305 P0306 P0309", "data"},
        {"P0315 P0316 P0320", "laws of products"},
        {"P0340 P0341 P0342 P0343", "form"},
    };
    char code[6];
    snprintf(code, sizeof code, "%.5s", text);
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++)
        if (strstr(rules[r].codes, code))
            return rules[r].rule;
    return "";
}

static void count_refusal(Matrix *matrix, MatrixReasons *reasons, const Refusal *refusal, const char *name,
                          const char *text)
{
    char general[96];
    const char *rule = rule_of(refusal->text);
    if (*refusal->rule)
        snprintf(general, sizeof general, "rule '%s'", refusal->rule);
    else if (reasons == &matrix->equal && *rule)
        snprintf(general, sizeof general, "rule '%s' (%.5s)", rule, refusal->text);
    else
        general_reason(refusal->text, general, sizeof general);
    snprintf(matrix->reason, sizeof matrix->reason, "%s", general);
    if (!count_reason(reasons, general, 1, name) && matrix->show_refused)
        printf("---- refused: %s\n---- %s\n%s", name, refusal->text, text);
}

static void show(int64_t *count, const char *what, const char *name, const char *why, const char *text)
{
    if ((*count)++ < SHOWN)
        printf("---- %s: %s\n---- %s\n%s", what, name, why, text);
}

/* Data may hide a difference: what is refused and looks equal is run with others. */
static SimVerdict with_other_data(SimPool *scratch, const SimFile *file, SimVerdict verdict, char *message, size_t size)
{
    for (uint64_t draw = 101; draw <= 100 + OTHER_DRAWS && verdict == SIM_EQUAL; draw++) {
        sim_arithmetic = SIM_FIELD;
        const SimOracle *oracle = sim_oracle_new(scratch, file, MATRIX_STEPS, draw, message, size);
        if (oracle)
            verdict = sim_compare(scratch, file, oracle, draw, message, size);
    }
    return verdict;
}

/* Without oracles, against the file's own reference. */
static SimVerdict execute(SimPool *scratch, SimFile *file, const SimOracles *oracles, bool accepted, char *message,
                          size_t size)
{
    SimOracles own;
    if (!file)
        return SIM_FAULTED;
    if (!oracles) {
        file->changed = true;
        if (!sim_oracles_new(&own, scratch, file, MATRIX_STEPS, MATRIX_REAL_STEPS, MATRIX_DRAW, message, size))
            return SIM_FAULTED;
    }
    SimVerdict verdict = sim_compare_both(scratch, file, oracles ? oracles : &own, accepted, message, size);
    return accepted ? verdict : with_other_data(scratch, file, verdict, message, size);
}

void matrix_try(Matrix *matrix, SimPool *scratch, const SimOracles *oracles, const char *text, const char *name)
{
    char message[256];
    Refusal refusal;
    Proof proof = matrix->apart ? prove_apart(text, &refusal) : prove_text(text, &refusal);
    bool accepted = proof == PROOF_ACCEPTED;
    if (proof == PROOF_CRASHED) {
        show(&matrix->crashed, "CRASHED", name, refusal.text, text);
        return;
    }
    if (!accepted && matrix->right)
        show(&matrix->surprising, "REFUSED, NO MISTAKE", name, refusal.text, text);
    sim_pool_reset(scratch);
    SimFile *file = sim_read(scratch, text, message, sizeof message);
    matrix->unreadable += !file;
    SimVerdict verdict = execute(scratch, file, oracles, accepted, message, sizeof message);
    if (verdict == SIM_CONFUSED) {
        show(&matrix->confused, "EQUAL IN THE FIELD, NOT IN REALS", name, message, text);
    } else if (accepted && verdict == SIM_EQUAL) {
        matrix->accepted_equal++;
    } else if (accepted && verdict == SIM_LAWFUL) {
        show(&matrix->lawful, "ACCEPTED, DIFFERENT IN THE FIELD", name, message, text);
    } else if (accepted) {
        show(&matrix->accepted_different, "ACCEPTED, DIFFERENT", name, message, text);
    } else if (verdict == SIM_EQUAL) {
        matrix->refused_equal++;
        count_refusal(matrix, &matrix->equal, &refusal, name, text);
    } else {
        matrix->refused_different++;
        matrix->faulted += verdict == SIM_FAULTED;
        if (!is_explained(&refusal))
            count_refusal(matrix, &matrix->unexplained, &refusal, name, text);
    }
}

bool matrix_failed(const Matrix *matrix)
{
    return matrix->accepted_different || matrix->lawful || matrix->confused || matrix->crashed || matrix->surprising;
}

void matrix_add(Matrix *sum, const Matrix *part)
{
    sum->accepted_equal += part->accepted_equal;
    sum->refused_different += part->refused_different;
    sum->accepted_different += part->accepted_different;
    sum->refused_equal += part->refused_equal;
    sum->unreadable += part->unreadable;
    sum->faulted += part->faulted;
    sum->lawful += part->lawful;
    sum->confused += part->confused;
    sum->crashed += part->crashed;
    sum->surprising += part->surprising;
    for (int r = 0; r < part->equal.count; r++)
        count_reason(&sum->equal, part->equal.of[r].text, part->equal.of[r].count, part->equal.of[r].example);
    for (int r = 0; r < part->unexplained.count; r++)
        count_reason(&sum->unexplained, part->unexplained.of[r].text, part->unexplained.of[r].count,
                     part->unexplained.of[r].example);
}

static void print_reasons(const MatrixReasons *reasons, const char *title)
{
    for (int r = 0; r < reasons->count; r++)
        printf("    %s %8" PRId64 "  %s (%s)\n", title, reasons->of[r].count, reasons->of[r].text,
               reasons->of[r].example);
}

void matrix_print(const Matrix *matrix, const char *title)
{
    printf("%s: accepted equal %" PRId64 ", refused different %" PRId64 ", accepted DIFFERENT %" PRId64
           ", refused equal %" PRId64 "\n",
           title, matrix->accepted_equal, matrix->refused_different, matrix->accepted_different, matrix->refused_equal);
    if (matrix->crashed)
        printf("    the compiler CRASHED on %" PRId64 "\n", matrix->crashed);
    if (matrix->lawful)
        printf("    accepted, different in the field ONLY %" PRId64 "\n", matrix->lawful);
    if (matrix->surprising)
        printf("    without a mistake, and REFUSED %" PRId64 "\n", matrix->surprising);
    if (matrix->confused)
        printf("    the SIMULATOR is wrong about %" PRId64 "\n", matrix->confused);
    if (matrix->unreadable)
        printf("    %" PRId64 " texts that the simulator cannot read\n", matrix->unreadable);
    print_reasons(&matrix->equal, "refused equal     ");
    print_reasons(&matrix->unexplained, "refused no witness");
}
