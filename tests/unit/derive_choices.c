/* The choices of the deriver as data: the program has exactly the conversions that were chosen, with the bytes that
 * they say; deciding twice decides the same; a request without a lowering has none, and is reported. */
#include "tests/unit/compile.h"

#include "derive/choices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char program[] =
    GPT_MODEL("gpt", "layers = 2, hidden = 8, heads = 2, context = 4, vocab = 16",
              "4 * hidden") "cluster here { 4 devices of cpu }\n"
                            "mesh local on here { data: 2, tensor: 2 }\n"
                            "strategy other(t: axis) {\n"
                            "    activations of block.none sharded over t by context\n"
                            "}\n"
                            "strategy started(d: axis) {\n"
                            "    sync parameters of block : broadcast over d wait at step\n"
                            "}\n"
                            "strategy synced(d: axis) {\n"
                            "    sync gradients : sum over d after microbatch 1 derive the rest\n"
                            "}\n"
                            "train gpt(layers = %d) on local {\n"
                            "    strategy data_parallel(data) * tensor_parallel(tensor, sequence_parallel = true)%s\n"
                            "    optimizer sgd(rate = 1e-3)\n"
                            "    precision f64\n"
                            "    batch 4 in 2 microbatches\n"
                            "    steps 2\n"
                            "}\n";

static Compiled compile_layers(int layers, const char *strategy)
{
    char text[4096];
    snprintf(text, sizeof text, program, layers, strategy);
    return compile_text(text);
}

static Compiled compile_with(const char *strategy)
{
    return compile_layers(2, strategy);
}

/* ---- Counting conversions ----------------------------------------------------------------------------------- */

/* How many of each kind. */
typedef struct Count {
    int of[OP_COUNT];
} Count;

static void count_route(Count *count, const Route *route)
{
    for (int i = 0; i < route->steps.count; i++)
        count->of[route->steps.data[i].kind]++;
}

static void count_chosen(Count *count, const ChosenList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Chosen *chosen = &list->data[i];
        if (chosen->kind == CHOSEN_LAYERS)
            count_chosen(count, &chosen->layers->body);
        for (int e = 0; chosen->kind == CHOSEN_LAYERS && e < chosen->layers->entries.count; e++)
            count_route(count, &chosen->layers->entries.data[e].route);
        if (chosen->kind != CHOSEN_OP)
            continue;
        for (int o = 0; o < chosen->op->op->operand_count; o++)
            count_route(count, &chosen->op->reads[o]);
        count_route(count, &chosen->op->target);
        count_route(count, &chosen->op->result);
        count_route(count, &chosen->op->synced);
        count_route(count, &chosen->op->after);
    }
}

/* Of dense values; the program's conversions of units are of others. */
static void count_emitted(Count *count, const Program *from, const NodeList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Op *op = node_op(list->data[i]);
        count_emitted(count, from, &list->data[i]->body);
        if (op != NULL && op_has_result(op->kind) && from->buffers.data[op->out.buffer].layout == LAYOUT_DENSE)
            count->of[op->kind]++;
    }
}

static void emits_what_was_chosen(void **state)
{
    (void)state;
    static const OpKind kinds[] = {OP_ALL_GATHER, OP_REDUCE_SCATTER, OP_ALL_REDUCE, OP_ALL_TO_ALL, OP_SLICE};
    Compiled c = compile_with("");
    assert_non_null(c.train);
    const Choices *choices = derive_choices(&c.ctx, c.train, c.assignment);
    const StepFile *file = derive_step(&c.ctx, c.train, c.assignment);
    assert_non_null(choices);
    assert_non_null(file);
    Count chosen = {{0}}, emitted = {{0}};
    for (int r = 0; r < file->program->routines.count; r++) {
        const RoutineChoices *routine = &choices->routines[r];
        count_chosen(&chosen, &routine->body);
        for (int s = 0; s < routine->sums.count; s++)
            count_route(&chosen, &routine->sums.data[s].done);
        count_emitted(&emitted, file->program, &file->program->routines.data[r].body);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_equal(chosen.of[kinds[i]], emitted.of[kinds[i]]);
    assert_true(chosen.of[OP_ALL_GATHER] > 0 && chosen.of[OP_REDUCE_SCATTER] > 0 && chosen.of[OP_ALL_REDUCE] > 0);
    compiled_free(&c);
}

/* ---- One conversion ----------------------------------------------------------------------------------------- */

/* The operator of the step's forward pass that gives the value of this name. */
static const OpChoice *find(const Choices *choices, const ChosenList *list, const char *name)
{
    for (int i = 0; i < list->count; i++) {
        const Chosen *chosen = &list->data[i];
        const OpChoice *op = chosen->kind == CHOSEN_OP ? chosen->op : NULL;
        if (chosen->kind == CHOSEN_LAYERS)
            op = find(choices, &chosen->layers->body, name);
        else if (op != NULL && (!op_has_result(op->op->kind) ||
                                strcmp(choices->facts->reference->buffers.data[op->op->out.buffer].name, name) != 0))
            op = NULL;
        if (op != NULL)
            return op;
    }
    return NULL;
}

static const RoutineChoices *step_of(const Choices *choices)
{
    const RoutineChoices *routine = choices->routines;
    while (routine->facts->routine->kind != ROUTINE_STEP)
        routine++;
    return routine;
}

static void says_what_is_sent_and_why(void **state)
{
    (void)state;
    enum { DATA, TENSOR };
    Compiled c = compile_with("");
    const Choices *choices = derive_choices(&c.ctx, c.train, c.assignment);
    assert_non_null(choices);
    const OpChoice *up = find(choices, &step_of(choices)->body, "block.mlp.up.product");
    assert_non_null(up);
    assert_int_equal(up->reads[0].steps.count, 1); /* the norm, sharded by context, is gathered */
    assert_int_equal(up->reads[0].why, WHY_READER);
    assert_int_equal(up->reads[1].steps.count, 0); /* the weight is where its unit has it */
    assert_int_equal(up->reads[1].from, UNIT_BUFFER);
    const Step *step = &up->reads[0].steps.data[0];
    assert_int_equal(step->kind, OP_ALL_GATHER);
    assert_int_equal(step->axes.count, 1);
    assert_int_equal(step->axes.axis[0], TENSOR);
    assert_int_equal(place_at(&step->before, TENSOR), 1);
    assert_int_equal(place_at(&step->after, TENSOR), ON_WHOLE);
    assert_int_equal(place_at(&step->after, DATA), 0);
    int64_t value = 4 * 4 * 8 * 8; /* batch, context, hidden, of f64 */
    assert_int_equal((int64_t)step->bytes, value / 2 / 2);
    assert_int_equal((int64_t)up->choice.bytes, value / 2 / 2);
    assert_true(up->choice.next > up->choice.bytes);
    assert_int_equal(place_at(&up->choice.result, TENSOR), 2);
    compiled_free(&c);
}

/* ---- Pure ----------------------------------------------------------------------------------------------------- */

static char *printed(Compiled *c)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    const Choices *choices = derive_choices(&c->ctx, c->train, c->assignment);
    assert_non_null(choices);
    choices_print(choices, NULL, out);
    fclose(out);
    return text;
}

static void decides_the_same_again(void **state)
{
    (void)state;
    Compiled c = compile_with("");
    char *first = printed(&c);
    assert_non_null(derive_step(&c.ctx, c.train, c.assignment));
    char *second = printed(&c);
    assert_string_equal(first, second);
    free(first);
    free(second);
    compiled_free(&c);
}

static void has_none_for_what_is_refused(void **state)
{
    (void)state;
    Compiled c = compile_with(" * other(tensor)");
    assert_non_null(c.train);
    assert_null(derive_choices(&c.ctx, c.train, c.assignment));
    assert_true(diag_has(c.ctx.diag, P0201)); /* no activation of 'block.none' */
    compiled_free(&c);
}

/* An event has no slot for each of so many layers: nothing has to be emitted to find that. */
static void has_none_for_a_started_sync_of_many_layers(void **state)
{
    (void)state;
    Compiled c = compile_layers(65, " * started(data)");
    assert_non_null(c.train);
    assert_null(derive_choices(&c.ctx, c.train, c.assignment));
    assert_true(diag_has(c.ctx.diag, P0290));
    compiled_free(&c);
}

static void says_how_gradients_are_synced(void **state)
{
    (void)state;
    enum { DATA, TENSOR };
    Compiled c = compile_with(" * synced(data)");
    assert_non_null(c.train);
    const Choices *choices = derive_choices(&c.ctx, c.train, c.assignment);
    assert_non_null(choices);
    int rests = 0;
    for (int i = 0; i < choices->facts->decls->units.count; i++) {
        const UnitChoice *unit = &choices->unit_choices[i];
        assert_int_equal(unit->each_microbatch.count + unit->at_step.count, 0);
        assert_int_equal(unit->after_microbatch.count, 1);
        const UnitSync *sync = &unit->after_microbatch.data[0];
        double elements = (double)choices->facts->decls->units.data[i].elements;
        assert_int_equal(sync->form, FORM_ALL_REDUCE);
        assert_true(sync->axes.count == 1 && sync->axes.axis[0] == DATA);
        assert_true(sync->guarded && sync->microbatch == 1 && !sync->waits && !sync->from_shard);
        assert_true(sync->elements == elements); /* of two ranks each sends half, twice */
        for (int j = 0; j < unit->completed.count; j++, rests++) {
            assert_null(unit->completed.data[j].sync);
            assert_true(unit->completed.data[j].axes.count == 1 && unit->completed.data[j].axes.axis[0] == TENSOR);
        }
    }
    assert_true(rests > 0); /* norms see a part of the context */
    compiled_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emits_what_was_chosen),
        cmocka_unit_test(says_what_is_sent_and_why),
        cmocka_unit_test(decides_the_same_again),
        cmocka_unit_test(has_none_for_what_is_refused),
        cmocka_unit_test(has_none_for_a_started_sync_of_many_layers),
        cmocka_unit_test(says_how_gradients_are_synced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
