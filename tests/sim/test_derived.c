/* Derived programs on simulated ranks: every placement computes what one device computes; an explicit sync does what it
 * says, so that the wrong ones differ and the right ones do not. The verifier accepts exactly those that do not differ.
 */
#include "tests/lowered.h"
#include "tests/sim/oracle.h"
#include "tests/sim/prove.h"
#include "tests/unit/derive_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void judge(Case *c, SimVerdict expected, const char *what)
{
    StepFile *file = lowered_step(c->ctx, &c->train, &c->assignment);
    if (file == NULL)
        diag_print_text(c->ctx->diag, stderr, false, 20);
    assert_non_null(file);
    char message[512] = "";
    Refusal refusal;
    const char *text = case_text(c, file);
    SimVerdict verdict = sim_judge(text, 2, 1, message, sizeof message);
    if (verdict != expected)
        fail_msg("%s: verdict %d, expected %d: %s", what, verdict, expected, message);
    bool accepted = prove_text(text, &refusal) == PROOF_ACCEPTED;
    if (accepted != (expected == SIM_EQUAL))
        fail_msg("%s: %s by the verifier: %s%s", what, accepted ? "accepted" : "refused", refusal.text, message);
    arena_free(c->ctx->arena);
}

/* Uneven on purpose: 7 examples over 3 ranks and up to 3 microbatches, 12 elements over 5 ranks. */
static void test_placements_on_one_axis(void **state)
{
    (void)state;
    static const char *const parts[] = {"", "0"};
    for (int bits = 0; bits < 16; bits++)
        for (int micro = 1; micro <= 3; micro++) {
            CaseModel model = {.batch = 10,
                               .width = 3,
                               .layers = 2,
                               .micro = micro,
                               .outside = true,
                               .clip = (bits & 8) != 0,
                               .axes = micro == 2 ? "axis d 5\n" : "axis d 3\n"};
            Case *c = case_new(&model);
            case_place_all(c, parts[bits & 1], parts[bits >> 1 & 1], parts[bits >> 2 & 1]);
            judge(c, SIM_EQUAL, model.axes);
        }
}

static void test_placements_on_two_axes(void **state)
{
    (void)state;
    static const char *const parts[] = {"", "0", "1", "01", "10"};
    static const char *const batches[] = {"01", "1", "0"};
    for (int i = 0; i < 125; i++) {
        CaseModel model = {.batch = 7,
                           .width = 3,
                           .layers = 2,
                           .micro = 1 + i % 2,
                           .outside = true,
                           .clip = true,
                           .axes = "axis d 2\naxis e 3\n"};
        Case *c = case_new(&model);
        c->assignment.batch_axes = c->assignment.reader_axes = case_axes(batches[i % 3]);
        case_place_all(c, parts[i % 5], parts[i / 5 % 5], parts[i / 25]);
        judge(c, SIM_EQUAL, "two axes");
    }
}

static void test_mixtures(void **state)
{
    (void)state;
    static const char *const parts[] = {"", "0"};
    for (int bits = 0; bits < 64; bits += 3) {
        CaseModel model = {.batch = 8,
                           .width = 3,
                           .layers = 4,
                           .micro = 1 + bits % 2,
                           .outside = true,
                           .clip = true,
                           .axes = "axis d 2\n",
                           .units = "unit first.w in block 0..1 = w\nunit last.w in block 2..3 = w\n"
                                    "unit b in block 0..3 = b\nunit outside = head\n"};
        Case *c = case_new(&model);
        case_place(c, 0, parts[bits & 1], parts[bits >> 1 & 1], parts[bits >> 2 & 1]);
        case_place(c, 1, parts[bits >> 3 & 1], parts[bits >> 4 & 1], parts[bits >> 5 & 1]);
        case_place(c, 2, parts[bits >> 2 & 1], parts[bits >> 3 & 1], parts[bits & 1]);
        c->assignment.units.data[0].parameters.keep = bits & 2 ? KEEP_STEP : KEEP_PASS;
        judge(c, SIM_EQUAL, "mixture");
    }
}

/* One sync of gradients over d (of 2, K = 2) and whether it is right. Batch 8: every rank has 2 examples at a time. */
typedef struct SyncCase {
    const char *what, *gradients, *optimizer;
    SyncOperation operation;
    SyncMoment moment;
    int microbatch;
    bool into_shards;
    int denominator;
    bool local_count;
    SimVerdict verdict;
} SyncCase;

static const SyncCase sync_cases[] = {
    {"sum", "", "", SYNC_SUM, SYNC_AT_STEP, 0, false, 1, false, SIM_EQUAL},
    {"never", "", "", SYNC_NONE, SYNC_AT_STEP, 0, false, 1, false, SIM_DIFFERENT},
    {"mean for sum", "", "", SYNC_MEAN, SYNC_AT_STEP, 0, false, 1, false, SIM_DIFFERENT},
    {"sum of halves", "", "", SYNC_SUM, SYNC_AT_STEP, 0, false, 2, false, SIM_DIFFERENT},
    {"mean of local means", "", "", SYNC_MEAN, SYNC_AT_STEP, 0, false, 1, true, SIM_EQUAL},
    {"sum of local means", "", "", SYNC_SUM, SYNC_AT_STEP, 0, false, 1, true, SIM_DIFFERENT},
    {"half the sum of local means", "", "", SYNC_SUM, SYNC_AT_STEP, 0, false, 2, true, SIM_EQUAL},
    {"sum each time", "", "", SYNC_SUM, SYNC_EACH_MICROBATCH, 0, false, 1, false, SIM_DIFFERENT},
    {"mean each time of local means", "", "", SYNC_MEAN, SYNC_EACH_MICROBATCH, 0, false, 1, true, SIM_EQUAL},
    {"before the last", "", "", SYNC_SUM, SYNC_AFTER_MICROBATCH, 0, false, 1, false, SIM_DIFFERENT},
    {"after the last", "", "", SYNC_SUM, SYNC_AFTER_MICROBATCH, 1, false, 1, false, SIM_EQUAL},
    {"into shards", "", "0", SYNC_SUM, SYNC_AT_STEP, 0, true, 1, false, SIM_EQUAL},
    {"whole for a sharded reader", "", "0", SYNC_SUM, SYNC_AT_STEP, 0, false, 1, false, SIM_EQUAL},
    {"shards for a whole reader", "", "", SYNC_SUM, SYNC_AT_STEP, 0, true, 1, false, SIM_DIFFERENT},
    {"into shards each time", "0", "0", SYNC_SUM, SYNC_EACH_MICROBATCH, 0, true, 1, false, SIM_EQUAL},
    {"from the accumulator into shards each time", "", "0", SYNC_SUM, SYNC_EACH_MICROBATCH, 0, true, 1, false,
     SIM_EQUAL},
    {"into shards before the last", "", "0", SYNC_SUM, SYNC_AFTER_MICROBATCH, 0, true, 1, false, SIM_DIFFERENT},
};

static void test_gradient_syncs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(sync_cases) / sizeof(sync_cases[0]); i++) {
        const SyncCase *s = &sync_cases[i];
        CaseModel model = {.batch = 8, .width = 3, .layers = 2, .micro = 2, .outside = true, .axes = "axis d 2\n"};
        Case *c = case_new(&model);
        case_place_all(c, "", s->gradients, s->optimizer);
        if (s->local_count) {
            case_sync(c, SYNC_COUNT, SYNC_NONE, "");
            case_sync(c, SYNC_LOSS, SYNC_MEAN, "0");
        }
        Sync *sync = case_sync(c, SYNC_GRADIENTS, s->operation, s->operation == SYNC_NONE ? "" : "0");
        sync->moment = s->moment;
        sync->microbatch = s->microbatch;
        sync->into_shards = s->into_shards;
        sync->scale_denominator = s->denominator;
        judge(c, s->verdict, s->what);
    }
}

static Case *small_case(bool clip, const char *axes)
{
    CaseModel model = {.batch = 8, .width = 3, .layers = 2, .micro = 1, .outside = true, .clip = clip, .axes = axes};
    return case_new(&model);
}

static void test_several_syncs(void **state)
{
    (void)state;
    Case *c = small_case(false, "axis d 2\n");
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "0");
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "0");
    judge(c, SIM_DIFFERENT, "reduced twice");
    c = small_case(false, "axis d 2\naxis e 2\n");
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "0");
    judge(c, SIM_DIFFERENT, "over one axis of two");
    c = small_case(false, "axis d 2\naxis e 2\n");
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "0");
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "1");
    judge(c, SIM_EQUAL, "over one axis, then the other");
    c = small_case(false, "axis d 2\naxis e 2\n");
    case_place_all(c, "0", "", "0");
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "0")->into_shards = true;
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "1");
    judge(c, SIM_EQUAL, "into shards, then over the other axis");
    c = small_case(false, "axis d 2\n");
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "0")->into_shards = true;
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "0")->into_shards = true;
    judge(c, SIM_DIFFERENT, "into shards twice");
}

static void test_other_syncs(void **state)
{
    (void)state;
    Case *c = small_case(false, "axis d 2\n");
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_PARAMETERS, SYNC_GATHER, "0");
    judge(c, SIM_EQUAL, "parameters gathered");
    c = small_case(false, "axis d 2\n");
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_PARAMETERS, SYNC_NONE, "");
    judge(c, SIM_DIFFERENT, "parameters not gathered");
    c = small_case(true, "axis d 2\n");
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_NORM, SYNC_SUM, "0");
    judge(c, SIM_EQUAL, "norm of shards summed");
    c = small_case(true, "axis d 2\n");
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_NORM, SYNC_NONE, "");
    judge(c, SIM_DIFFERENT, "norm of local values");
    c = small_case(true, "axis d 2\n");
    case_sync(c, SYNC_NORM, SYNC_SUM, "0");
    judge(c, SIM_DIFFERENT, "norm that counts copies");
    c = small_case(false, "axis d 2\n");
    case_sync(c, SYNC_LOSS, SYNC_NONE, "");
    judge(c, SIM_DIFFERENT, "loss of local examples");
}

static void test_readers_counts_and_seeds(void **state)
{
    (void)state;
    Case *c = small_case(false, "axis d 2\n");
    c->assignment.reader_axes = case_axes("");
    judge(c, SIM_DIFFERENT, "every rank reads the same part");
    c = small_case(false, "axis d 2\n");
    c->assignment.seed.per_axis[0] = 1;
    judge(c, SIM_DIFFERENT, "copies from different seeds");
    c = small_case(false, "axis d 3\n"); /* 8 examples over 3 ranks */
    case_sync(c, SYNC_COUNT, SYNC_NONE, "");
    case_sync(c, SYNC_LOSS, SYNC_MEAN, "0");
    case_sync(c, SYNC_GRADIENTS, SYNC_MEAN, "0");
    judge(c, SIM_DIFFERENT, "means of unequal counts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placements_on_one_axis),
        cmocka_unit_test(test_placements_on_two_axes),
        cmocka_unit_test(test_mixtures),
        cmocka_unit_test(test_gradient_syncs),
        cmocka_unit_test(test_several_syncs),
        cmocka_unit_test(test_other_syncs),
        cmocka_unit_test(test_readers_counts_and_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
