/* matrix.c - both verdicts on one text, counted. */
#include "tests/sim/matrix.h"

#include "tests/sim/prove.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 5 };

/* Reasons are counted without what is particular to a program: names in quotes and numbers. */
static void general_reason(const char *reason, char *general, size_t size)
{
    size_t length = 0;
    bool quoted = false;
    for (; *reason && length + 1 < size; reason++) {
        if (*reason == '\'')
            quoted = !quoted;
        if (!quoted || *reason == '\'')
            general[length++] = *reason;
    }
    general[length] = '\0';
}

static void count_reason(Matrix *matrix, const char *reason, const char *name, const char *text)
{
    char general[sizeof matrix->reasons[0].text];
    general_reason(reason, general, sizeof general);
    for (int r = 0; r < matrix->reason_count; r++)
        if (!strcmp(matrix->reasons[r].text, general)) {
            matrix->reasons[r].count++;
            return;
        }
    if (matrix->reason_count == MATRIX_REASONS)
        return;
    int r = matrix->reason_count++;
    snprintf(matrix->reasons[r].text, sizeof matrix->reasons[r].text, "%s", general);
    snprintf(matrix->reasons[r].example, sizeof matrix->reasons[r].example, "%s", name);
    matrix->reasons[r].count = 1;
    if (matrix->show_refused)
        printf("---- refused though equal: %s\n---- %s\n%s", name, reason, text);
}

static void show(int64_t *count, const char *what, const char *name, const char *why, const char *text)
{
    if ((*count)++ < SHOWN)
        printf("---- %s: %s\n---- %s\n%s", what, name, why, text);
}

void matrix_try(Matrix *matrix, SimPool *scratch, const SimOracles *oracles, const char *text, const char *name)
{
    char message[256], reason[256];
    Proof proof = matrix->apart ? prove_apart(text, reason, sizeof reason) : prove_text(text, reason, sizeof reason);
    bool accepted = proof == PROOF_ACCEPTED;
    if (proof == PROOF_CRASHED) {
        show(&matrix->crashed, "CRASHED", name, reason, text);
        return;
    }
    sim_pool_reset(scratch);
    const SimFile *file = sim_read(scratch, text, message, sizeof message);
    matrix->unreadable += !file;
    SimVerdict verdict = file ? sim_compare_both(scratch, file, oracles, accepted, message, sizeof message)
                              : SIM_FAULTED;
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
        count_reason(matrix, reason, name, text);
    } else {
        matrix->refused_different++;
    }
}

bool matrix_failed(const Matrix *matrix)
{
    return matrix->accepted_different || matrix->lawful || matrix->confused || matrix->crashed;
}

void matrix_add(Matrix *sum, const Matrix *part)
{
    sum->accepted_equal += part->accepted_equal;
    sum->refused_different += part->refused_different;
    sum->accepted_different += part->accepted_different;
    sum->refused_equal += part->refused_equal;
    sum->unreadable += part->unreadable;
    sum->lawful += part->lawful;
    sum->confused += part->confused;
    sum->crashed += part->crashed;
    for (int p = 0; p < part->reason_count; p++) {
        int r = 0;
        while (r < sum->reason_count && strcmp(sum->reasons[r].text, part->reasons[p].text) != 0)
            r++;
        if (r == MATRIX_REASONS)
            continue;
        if (r == sum->reason_count) {
            sum->reasons[sum->reason_count++] = part->reasons[p];
            continue;
        }
        sum->reasons[r].count += part->reasons[p].count;
    }
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
    if (matrix->confused)
        printf("    the SIMULATOR is wrong about %" PRId64 "\n", matrix->confused);
    if (matrix->unreadable)
        printf("    %" PRId64 " texts that the simulator cannot read\n", matrix->unreadable);
    for (int r = 0; r < matrix->reason_count; r++)
        printf("    refused equal %8" PRId64 "  %s (%s)\n", matrix->reasons[r].count, matrix->reasons[r].text,
               matrix->reasons[r].example);
}
