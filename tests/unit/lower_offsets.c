/* Where buffers come to lie, in random programs, against the rule said plainly: each question is asked of every pair
 * and of every point. Of programs without loops what is live is written out, too. */
#include "lower/offsets.h"

#include "base/random.h"
#include "lower/live.h"
#include "step/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PROGRAMS = 400, MOST_BUFFERS = 40, MOST_POINTS = 400, STAGES = 4 };

typedef struct Case {
    Ctx ctx;
    uint64_t seed, drawn;
    Text text;
    int buffers, loops, points;
    Program *program;
} Case;

static int draw(Case *c, int count)
{
    return (int)(random_uniform(c->seed, 0, 0, c->drawn++) * count);
}

/* ---- Programs ----------------------------------------------------------------------------------------------- */

/* Values are used near where they are made, but for some. */
static int draw_buffer(Case *c)
{
    int near = c->points / 3 + draw(c, 4);
    return draw(c, 5) == 0 ? draw(c, c->buffers) : near % c->buffers;
}

static void write_op(Case *c)
{
    int out = draw_buffer(c), a = draw_buffer(c), b = draw_buffer(c);
    const char *sign = draw(c, 4) == 0 ? "+=" : "=";
    c->points++;
    if (draw(c, 2))
        text_add(&c->text, "b%d %s relu(b%d) \"a->a\"\n", out, sign, a);
    else
        text_add(&c->text, "b%d %s add(b%d, b%d) \"a,a->a\"\n", out, sign, a, b);
}

static void write_list(Case *c, int count, int depth, int loop)
{
    for (int i = 0; i < count; i++) {
        int kind = depth > 0 ? draw(c, 12) : 2;
        if (kind == 0) {
            int inner = c->loops++;
            text_add(&c->text, "loop l%d layers g 0..3 {\n", inner);
            write_list(c, 1 + draw(c, 5), depth - 1, inner);
            text_add(&c->text, "}\n");
        } else if (kind == 1 && loop >= 0) {
            text_add(&c->text, "guard l%d in 0..2 {\n", loop);
            write_list(c, 1 + draw(c, 4), depth - 1, loop);
            text_add(&c->text, "}\n");
        } else {
            write_op(c);
        }
    }
}

/* What a line cannot say of a buffer that names no state is set by hand. */
static void vary_buffers(Case *c, bool apart)
{
    for (int i = 0; i < c->buffers; i++) {
        Buffer *buffer = &c->program->buffers.data[i];
        buffer->persistent = draw(c, 6) == 0;
        buffer->tier = draw(c, 8) == 0 ? TIER_HOST : TIER_DEVICE;
        buffer->held = apart && draw(c, 3) > 0;
        if (!buffer->held)
            continue;
        buffer->holder =
            (Affine){.constant = draw(c, 2), .term_count = 1, .term[0] = {.variable = -1, .coefficient = 1}};
        buffer->held_low = draw(c, STAGES);
        buffer->held_high = buffer->held_low + draw(c, 2);
    }
}

static Case *random_case(uint64_t seed, int depth, bool apart)
{
    Case *c = calloc(1, sizeof(Case));
    Ctx *ctx = &c->ctx;
    ctx->arena = c->text.arena = arena_new();
    ctx->strings = str_table_new(ctx->arena);
    ctx->sources = sources_new(ctx->arena);
    ctx->diag = diag_new(ctx->arena, ctx->sources);
    c->seed = seed;
    c->buffers = 3 + draw(c, MOST_BUFFERS - 3);
    text_add(&c->text,
             "place-step 1\nmodel m\ncontract exact\ncompute f64\nmicro 1\naxis p %d\ngroup g 4\n"
             "tensor w parameter f64 [8] in g init zeros\nstate parameters parameters per_parameter f64\n"
             "unit g in g 0..3 = w\nreference {\n}\nprogram {\n",
             STAGES);
    for (int i = 0; i < c->buffers; i++)
        text_add(&c->text, "buffer b%d f64 [%d] activations\n", i, draw(c, 3) ? 1 + draw(c, 40) : 8 + draw(c, 2));
    text_add(&c->text, "routine step {\n");
    write_list(c, 2 * c->buffers, depth, -1);
    text_add(&c->text, "}\nroutine eval {\n");
    write_list(c, 5, depth, -1);
    text_add(&c->text, "}\n}\n");
    StepFile *file = step_read(ctx, source_add(ctx->sources, "random.step", c->text.data, c->text.length));
    if (file == NULL)
        diag_print_text(ctx->diag, stderr, false, 20);
    assert_non_null(file);
    c->program = file->program;
    vary_buffers(c, apart);
    return c;
}

static void case_free(Case *c)
{
    arena_free(c->ctx.arena);
    free(c);
}

/* ---- The rule ----------------------------------------------------------------------------------------------- */

static bool is_live(const Liveness *live, int buffer, int point)
{
    for (int i = 0; i < live->at[buffer].count; i++)
        if (live->at[buffer].data[i].first <= point && point <= live->at[buffer].data[i].last)
            return true;
    return false;
}

static int points_of(const Liveness *live, int buffer)
{
    int count = 0;
    for (int point = 0; point < live->point_count; point++)
        count += is_live(live, buffer, point);
    return count;
}

static bool holds(const Buffer *buffer, int stage)
{
    int64_t holder = buffer->holder.constant + stage;
    return !buffer->held || (buffer->held_low <= holder && holder <= buffer->held_high);
}

/* Whether two buffers may not share bytes. */
static bool excludes(const Liveness *live, const Program *program, int a, int b)
{
    const Buffer *x = &program->buffers.data[a], *y = &program->buffers.data[b];
    bool together = !x->held || !y->held, meet = x->persistent && y->persistent;
    for (int stage = 0; stage < STAGES; stage++)
        together |= holds(x, stage) && holds(y, stage);
    for (int point = 0; point < live->point_count; point++)
        meet |= is_live(live, a, point) && is_live(live, b, point);
    return together && meet;
}

/* The lowest place from `base` on at which the buffer overlaps none of `placed` that excludes it. */
static int64_t lowest_place(const Liveness *live, const Program *program, int b, const int *placed, int count,
                            const int64_t *offsets, int64_t base)
{
    int64_t offset = base, bytes = program->buffers.data[b].bytes;
    for (int i = 0; i < count; i++) {
        int64_t begin = offsets[placed[i]], end = begin + program->buffers.data[placed[i]].bytes;
        if (begin >= offset + bytes || end <= offset || !excludes(live, program, b, placed[i]))
            continue;
        offset = end;
        i = -1; /* it may overlap those before now */
    }
    return offset;
}

static double key_of(const Liveness *live, const Program *program, int order, int b)
{
    double bytes = (double)program->buffers.data[b].bytes, points = points_of(live, b);
    return order == 0 ? bytes : order == 1 ? points : bytes * points;
}

static int list_buffers(const Program *program, Tier tier, bool persistent, int *list)
{
    int count = 0;
    for (int i = 0; i < program->buffers.count; i++)
        if (program->buffers.data[i].tier == tier && program->buffers.data[i].persistent == persistent)
            list[count++] = i;
    return count;
}

/* Places what is listed one after another; returns the end of the highest. */
static int64_t place_list(const Liveness *live, const Program *program, const int *list, int count, int64_t base,
                          int64_t *offsets)
{
    int64_t total = base;
    for (int i = 0; i < count; i++) {
        offsets[list[i]] = lowest_place(live, program, list[i], list, i, offsets, base);
        int64_t end = offsets[list[i]] + program->buffers.data[list[i]].bytes;
        total = end > total ? end : total;
    }
    return total;
}

/* The largest first, then those that live longest, then by both: the first way of those that take least. */
static int64_t place_plainly(const Liveness *live, const Program *program, Tier tier, int64_t *offsets)
{
    int list[MOST_BUFFERS];
    int count = list_buffers(program, tier, true, list);
    int64_t base = place_list(live, program, list, count, 0, offsets), best = INT64_MAX;
    for (int order = 0; order < 3; order++) {
        int64_t tried[MOST_BUFFERS];
        count = list_buffers(program, tier, false, list);
        for (int i = 1; i < count; i++)
            for (int j = i; j > 0 && key_of(live, program, order, list[j]) > key_of(live, program, order, list[j - 1]);
                 j--) {
                int other = list[j];
                list[j] = list[j - 1];
                list[j - 1] = other;
            }
        int64_t total = place_list(live, program, list, count, base, tried);
        for (int i = 0; i < count && total < best; i++)
            offsets[list[i]] = tried[list[i]];
        best = total < best ? total : best;
    }
    return best;
}

static void assert_placed(Case *c)
{
    Program *program = c->program;
    offsets_place(&c->ctx, program);
    const Liveness *live = live_find(&c->ctx, program);
    for (Tier tier = TIER_DEVICE; tier <= TIER_FILE; tier++) {
        int64_t offsets[MOST_BUFFERS], total = place_plainly(live, program, tier, offsets);
        assert_int_equal(program->arena_bytes[tier], total);
        assert_true(offsets_lower_bound(&c->ctx, program, tier) <= total);
        for (int i = 0; i < program->buffers.count; i++)
            if (program->buffers.data[i].tier == tier)
                assert_int_equal(program->buffers.data[i].offset, offsets[i]);
    }
}

static void test_random_programs(void **state)
{
    (void)state;
    int above = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        Case *c = random_case((uint64_t)i, i % 3, i % 2);
        assert_placed(c);
        above += c->program->arena_bytes[TIER_DEVICE] > offsets_lower_bound(&c->ctx, c->program, TIER_DEVICE);
        case_free(c);
    }
    assert_in_range(above, 1, PROGRAMS - 1); /* where the bound is not reached the orders are all tried */
}

/* ---- What is live ------------------------------------------------------------------------------------------- */

static bool reads(const Op *op, int buffer)
{
    bool found = op->accumulate && op->out.buffer == buffer;
    for (int i = 0; i < op->operand_count; i++)
        found |= op->operand[i].buffer == buffer;
    return found;
}

/* It is used there, or was before, and is read later before it is written as a whole. */
static bool is_needed(const NodeList *body, int buffer, int at)
{
    bool before = false;
    for (int i = 0; i <= at; i++)
        before |= reads(body->data[i]->op, buffer) || body->data[i]->op->out.buffer == buffer;
    if (reads(body->data[at]->op, buffer) || body->data[at]->op->out.buffer == buffer)
        return true;
    for (int i = at + 1; before && i < body->count; i++) {
        if (reads(body->data[i]->op, buffer))
            return true;
        if (body->data[i]->op->out.buffer == buffer)
            return false;
    }
    return false;
}

static void assert_live(const Liveness *live, const Program *program)
{
    for (int b = 0; b < program->buffers.count; b++) {
        for (int r = 0, point = 0; r < program->routines.count; r++)
            for (int i = 0; i < program->routines.data[r].body.count; i++, point++)
                assert_int_equal(is_live(live, b, point), is_needed(&program->routines.data[r].body, b, i));
        for (int i = 1; i < live->at[b].count; i++)
            assert_true(live->at[b].data[i].first > live->at[b].data[i - 1].last + 1);
    }
}

static void test_live(void **state)
{
    (void)state;
    for (int i = 0; i < PROGRAMS / 4; i++) {
        Case *c = random_case((uint64_t)i, 0, false);
        assert_live(live_find(&c->ctx, c->program), c->program);
        case_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs), cmocka_unit_test(test_live)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
