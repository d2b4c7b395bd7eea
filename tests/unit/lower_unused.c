/* Slots that nothing uses, in programs by hand: which go, and where references to the others point then. */
#include "lower/unused.h"

#include "step/read.h"
#include "step/refs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char head[] = "place-step 1\nmodel m\ncontract exact\ncompute f64\nmicro 1\naxis d 2\ngroup g 6\n"
                           "tensor w parameter f64 [8] in g init zeros\nstate parameters parameters per_parameter f64\n"
                           "unit g in g 0..5 = w\nreference {\n}\nprogram {\n"
                           "buffer p f64 unit g slots 6 parameters persistent state parameters\n"
                           "buffer x f64 [8] slots 6 activations\nbuffer y f64 [8] buffers\nroutine step {\n";

enum { PERSISTENT, SLOTTED };

typedef struct Listing {
    const Program *program;
    FILE *out;
} Listing;

static void list_slot(void *context, Op *op, Ref *ref, bool writes)
{
    const Listing *listing = context;
    (void)op, (void)writes;
    if (listing->program->buffers.data[ref->buffer].slots == 1)
        return;
    fprintf(listing->out, " ");
    affine_print(listing->program->decls, &ref->slot, listing->out);
}

/* How many slots x has after the pass, and what references to slots are. */
static void assert_becomes(const char *body, int64_t slots, const char *references)
{
    Ctx ctx = {.arena = arena_new()};
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    const char *text = arena_printf(ctx.arena, "%s%s}\n}\n", head, body);
    StepFile *file = step_read(&ctx, source_add(ctx.sources, "hand.step", text, strlen(text)));
    if (file == NULL)
        diag_print_text(ctx.diag, stderr, false, 20);
    assert_non_null(file);
    Program *program = file->program;
    unused_drop_slots(&ctx, program);
    assert_int_equal(program->buffers.data[PERSISTENT].slots, 6);
    assert_int_equal(program->buffers.data[SLOTTED].slots, slots);
    char *listed = NULL;
    size_t length = 0;
    Listing listing = {program, open_memstream(&listed, &length)};
    refs_visit_program(program, list_slot, &listing);
    fclose(listing.out);
    assert_string_equal(listed, references);
    free(listed);
    arena_free(ctx.arena);
}

/* Layers 0, 3 and 4 keep it; the others recompute theirs. */
static void test_slots_between_go(void **state)
{
    (void)state;
    assert_becomes("x[0] = fill(; 1) \"a\"\n"
                   "loop l0 layers g 3..4 {\nx[l0] = fill(; 2) \"a\"\n}\n"
                   "loop l1 layers g 4..3 down {\ny = relu(x[l1]) \"a->a\"\n}\n"
                   "y = relu(x[0]) \"a->a\"\n",
                   3, " 0 l0-2 l1-2 0");
    assert_becomes("loop l0 layers g 0..1 {\nx[l0+4] = fill(; 2) \"a\"\ny = relu(x[5-l0]) \"a->a\"\n}\n", 2,
                   " l0 1-l0");
}

/* The last slot is used, and with it all below that the expression may name. */
static void test_other_references_keep_slots(void **state)
{
    (void)state;
    assert_becomes("loop l0 layers g 0..1 {\nloop l1 layers g 0..1 {\nx[l0+l1+3] = fill(; 2) \"a\"\n}\n}\n", 6,
                   " l0+l1+3");
    assert_becomes("loop l0 layers g 0..2 {\nx[2*l0+1] = fill(; 2) \"a\"\n}\n", 6, " 2*l0+1");
    assert_becomes("loop l0 layers g 3..4 {\nx[l0+1 % 6] = fill(; 2) \"a\"\n}\n", 6, " l0+1 % 6");
    assert_becomes("loop l0 layers g 0..1 {\nloop l1 layers g 0..1 {\nx[l0+l1+1] = fill(; 2) \"a\"\n}\n}\n", 4,
                   " l0+l1+1");
}

static void test_states_keep_slots(void **state)
{
    (void)state;
    assert_becomes("loop l0 layers g 3..4 {\ny = relu(p[l0]:w) \"a->a\"\n}\nx[0] = fill(; 1) \"a\"\n", 1, " l0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slots_between_go),
                                       cmocka_unit_test(test_other_references_keep_slots),
                                       cmocka_unit_test(test_states_keep_slots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
