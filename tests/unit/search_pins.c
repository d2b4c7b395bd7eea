/* Placements of single values: what `with pinned` finds is never worse than without, is what its own program costs, and
 * no pin more makes it better. PINNED_INSTANCES=N PINNED_SEED=N: as many random programs, from this one on. */
#include "search/pins.h"

#include "search/search.h"
#include "tests/unit/compile.h"
#include "tests/unit/random_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Small, on meshes on which the deriver's first choice is often not the best: what is repeated, and sums in two places.
 * The times of tiny kernels are mostly their launches; so the devices are slow. */
static const char *random_program(Arena *arena, Draw *d)
{
    const char *model =
        ONE_OF(d,
               "    input x, y : f32[batch, hidden]\n"
               "    a = relu(linear(layernorm(x) as norm, wide) as first)\n"
               "    loss = mean over batch, hidden of squared_error(x + linear(a, hidden) as second, y)\n",
               "    input tokens, targets : int[batch, context]\n"
               "    x = embedding(tokens, wide, hidden) as wte\n"
               "    repeat block[layers] {\n"
               "        x = x + attention(layernorm(x) as norm1, 4, causal) as attn\n"
               "        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp\n"
               "    }\n"
               "    loss = mean over batch, context of cross_entropy(linear(x, wide, bias = none) as head, targets)\n");
    return arena_printf(arena,
                        "place 1\nmodel m(layers = 2, hidden = %s, wide = %s, context = 16) {\n%s}\n"
                        "cluster pod { %s %s }\n"
                        "train m on pod {\n    search over pod { with %s; %s; microbatches 1 }\n"
                        "    optimizer %s(rate = 0.1)\n    data synthetic\n    precision f32\n    batch %s\n"
                        "    steps 2\n}\n",
                        ONE_OF(d, "16", "64"), ONE_OF(d, "64", "4096"), model,
                        ONE_OF(d, "1 nodes of 4", "2 nodes of 2"), measured, ONE_OF(d, "pinned", "placed, pinned"),
                        ONE_OF(d, "tensor 4; without vocab, sequence_parallel, sequence_vocab", "tensor 1", "tensor 2"),
                        ONE_OF(d, "adam", "sgd"), ONE_OF(d, "8", "32"));
}

static double gained; /* the most that pins did, of a step */
static int pinned;    /* programs that have some */

/* The found program with one pin more. */
static void check_no_better(Answer *answer, const OnePin *pin)
{
    Space *space = &answer->space;
    const Choice *best = &answer->searched.best.choice;
    Arena *arena = answer->ctx->arena;
    const Version found = best_version(arena, space, best);
    Version version = found;
    version.strategy = arena_printf(arena, "%s * another(%s)", found.strategy, pin->axis_name);
    version.declared = arena_printf(arena, "%sstrategy another(%s: axis) {\n%s}\n",
                                    found.declared != NULL ? found.declared : "", pin->axis_name, pin->statement);
    Costed costed;
    pattern_cost(&answer->pattern, &version, &costed);
    if (costed.error == NULL) /* otherwise it is not possible, or says the same twice */
        assert_true(costed.plan->time.step > answer->searched.best.seconds * (1 - 1.001e-3) ||
                    costed.plan->total_bytes > space->memory_bytes);
    costed_close(&costed);
}

static void check_found(Answer *answer)
{
    Arena *arena = answer->ctx->arena;
    const Choice *best = &answer->searched.best.choice;
    const Version found = best_version(arena, &answer->space, best);
    Costed costed;
    pattern_cost(&answer->pattern, &found, &costed);
    assert_null(costed.error);
    assert_true(costed.plan->time.step == answer->searched.best.seconds);
    assert_true(costed_prove(&costed));
    const Pins pins = pins_find(arena, &costed);
    for (int i = 0; i < pins.count; i++)
        check_no_better(answer, &pins.data[i]);
    costed_close(&costed);
}

static void check_instance(uint64_t seed)
{
    Ctx ctx = {.arena = arena_new()};
    Draw d = {seed * 2654435761u + 7};
    const char *program = random_program(ctx.arena, &d);
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    int source = source_add(ctx.sources, "test.place", program, strlen(program));
    Answer answer;
    bool good = search_run(&ctx, source, NULL, NULL, &answer);
    if (!good)
        diag_print_text(ctx.diag, stderr, false, 20);
    assert_true(good && answer.pins.whole && answer.pins.all > 0);
    const Searched *searched = &answer.searched;
    assert_true(searched->best.seconds <= answer.pins.before.seconds);
    assert_true(searched->best.choice.pinned > 0 || searched->best.seconds == answer.pins.before.seconds);
    pinned += searched->best.choice.pinned > 0;
    double gain = 1 - searched->best.seconds / answer.pins.before.seconds;
    gained = gain > gained ? gain : gained;
    check_found(&answer);
    search_close(&answer);
    arena_free(ctx.arena);
}

static void ends_where_no_pin_helps(void **state)
{
    (void)state;
    int64_t count = number_of("PINNED_INSTANCES", 5), first = number_of("PINNED_SEED", 6);
    for (int64_t seed = first; seed < first + count; seed++)
        check_instance((uint64_t)seed);
    print_message("%d of %lld programs have pins, of which one is %.1f %% faster\n", pinned, (long long)count,
                  100 * gained);
    assert_true(first != 6 || count < 5 || (pinned >= 2 && gained > 0.05));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_where_no_pin_helps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
