/* Where memory or time is scarce, a search that is stopped early has an answer that is not much worse than the best
 * (search/likely.h), and says what lost. */
#include "search/search.h"

#include "tests/sanitized.h"
#include "tests/unit/compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char program[] =
    "place 1\n"
    "model gpt(layers = 4, hidden = 1024, heads = 8, context = 512, vocab = 4096) {\n"
    "    input tokens, targets : int[batch, context]\n"
    "    x = embedding(tokens, vocab, hidden) as wte\n"
    "    repeat block[layers] {\n"
    "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
    "        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp\n"
    "    }\n"
    "    loss = mean over batch, context of cross_entropy(linear(x, vocab) as head, targets)\n"
    "}\n"
    "cluster pod { 2 nodes of 4 a100; price 2 per hour }\n"
    "train gpt on pod {\n"
    "    search over pod { %s; context 1; without values_on_host }\n"
    "    optimizer adam(rate = 0.1)\n"
    "    precision bf16, master f32\n"
    "    data synthetic\n"
    "    batch 64\n"
    "    steps 3\n"
    "}\n";

/* False after so many inner programs. */
static bool tick(void *data, const Space *space, const Searched *searched)
{
    (void)space;
    const int64_t *most = data;
    return searched->inner < *most;
}

/* The seconds or bytes of what is found by then; exact: of the best of all. */
static double found_by(const char *text, int64_t inner, bool exact)
{
    Ctx ctx = {.arena = arena_new()};
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    Answer answer;
    const int source = source_add(ctx.sources, "test.place", text, strlen(text));
    const bool found = search_run(&ctx, source, tick, &inner, &answer);
    if (!found)
        diag_print_text(ctx.diag, stderr, false, 20);
    assert_true(found);
    assert_int_equal(answer.searched.exact, exact);
    const double value = best_value(&answer.space, &answer.searched.best);
    search_close(&answer);
    arena_free(ctx.arena);
    return value;
}

typedef struct Scarce {
    const char *lines;
    int64_t inner; /* after which the search is stopped; all of it takes at least twice as many */
    double most;   /* what the answer takes by then, at most, as a part of what the best does */
} Scarce;

/* Nothing usual fits into the first, or is as fast as the last; into the second something does fit that takes twice as
 * long. */
static const Scarce scarce[] = {
    {"least time; memory at most 200 MiB; tensor 1; without gpipe, interleaved", 20, 1.1},
    {"least time; memory at most 150 MiB; pipeline at most 2; without ring, ulysses", 100, 1.1},
    {"least memory; time at most 30 ms; tensor 1; without gpipe, interleaved, selective", 20, 1.4},
};

static void has_an_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < (SANITIZED ? 1 : sizeof scarce / sizeof *scarce); i++) {
        const Scarce *row = &scarce[i];
        Arena *arena = arena_new();
        const char *text = arena_printf(arena, program, row->lines);
        double best = found_by(text, INT64_MAX, true), early = found_by(text, row->inner, false);
        if (early > row->most * best || early < best)
            fail_msg("%s: %g after %lld inner programs, %g is the best", row->lines, early, (long long)row->inner,
                     best);
        arena_free(arena);
    }
}

/* Of a part of the cluster, too. */
static void says_what_lost(void **state)
{
    (void)state;
    Ctx ctx = {.arena = arena_new()};
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    const char *text = arena_printf(ctx.arena, program, "least price; memory at most 2000 MiB; devices at least 1");
    const int source = source_add(ctx.sources, "test.place", text, strlen(text));
    int64_t inner = 12;
    Answer answer;
    assert_true(search_run(&ctx, source, tick, &inner, &answer));
    assert_false(answer.searched.exact);
    assert_in_range(answer.space.devices, 1, 4);
    assert_true(answer.lost.count > 2);
    search_close(&answer);
    arena_free(ctx.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_an_answer), cmocka_unit_test(says_what_lost)};
    return cmocka_run_group_tests_name("search_likely", tests, NULL, NULL);
}
