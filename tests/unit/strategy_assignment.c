/* Strategies to assignments: what each asks for, unit by unit, and what is refused where. */
#include "parser/parser.h"
#include "strategy/plain.h"
#include "strategy/strategy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A model of six blocks on a mesh of 2 nodes of 4 devices; `fixed.weight` is frozen in some tests. */
static const Tensor tensors[] = {
    {.name = "x", .kind = TENSOR_INPUT, .group = -1, .dim_count = 1, .dims = {24}},
    {.name = "wte.table", .group = -1, .dim_count = 2, .dims = {16, 8}, .batch_dim = -1, .trainable = true},
    {.name = "block.norm1.gain", .group = 0, .dim_count = 1, .dims = {8}, .batch_dim = -1, .trainable = true},
    {.name = "block.mlp.up.weight", .group = 0, .dim_count = 2, .dims = {32, 8}, .batch_dim = -1, .trainable = true},
    {.name = "block.mlp.down.weight", .group = 0, .dim_count = 2, .dims = {8, 32}, .batch_dim = -1, .trainable = true},
    {.name = "norm.gain", .group = -1, .dim_count = 1, .dims = {8}, .batch_dim = -1, .trainable = true},
    {.name = "fixed.weight", .group = -1, .dim_count = 1, .dims = {8}, .batch_dim = -1, .trainable = false},
};

static Ctx *new_ctx(void)
{
    Arena *arena = arena_new();
    Ctx *ctx = arena_make(arena, Ctx);
    ctx->arena = arena;
    ctx->strings = str_table_new(arena);
    ctx->sources = sources_new(arena);
    ctx->diag = diag_new(arena, ctx->sources);
    return ctx;
}

/* A train, and what a strategy makes of it. */
typedef struct Asked {
    const Train *train;
    Assignment *assignment;
} Asked;

static Asked new_asked(Ctx *ctx, bool frozen)
{
    Train *train = arena_make(ctx->arena, Train);
    train->mesh_name = "pod";
    train->seed = 7;
    train->clip_norm = 1;
    Decls *decls = &train->decls;
    decls->micro = 3;
    vec_push(ctx->arena, &decls->axes, (Axis){.name = "node", .size = 2});
    vec_push(ctx->arena, &decls->axes, (Axis){.name = "data", .size = 4});
    vec_push(ctx->arena, &decls->groups, (Group){.name = "block", .layers = 6});
    for (size_t i = 0; i < sizeof(tensors) / sizeof(tensors[0]) - !frozen; i++)
        vec_push(ctx->arena, &decls->tensors, tensors[i]);
    return (Asked){train, arena_make(ctx->arena, Assignment)};
}

static bool evaluate(Ctx *ctx, const char *strategies, const char *settings, Asked asked)
{
    const char *text = arena_printf(ctx->arena, "%s\ntrain m on pod {\n%s\n}\n", strategies, settings);
    Ast *ast = parser_run(ctx, source_add(ctx->sources, "x.place", text, strlen(text)));
    if (diag_count(ctx->diag) > 0) {
        diag_print_text(ctx->diag, stderr, false, 20);
        fail_msg("the test's own text has a syntax error");
    }
    return strategy_evaluate(ctx, ast, asked.train, (StrategyKnown){true, true, true}, asked.assignment);
}

/* ---- An assignment as text ---------------------------------------------------------------------------------- */

static void add_axes(Text *text, const Decls *decls, const AxisSet *axes)
{
    if (axes->count == 0)
        text_add(text, "-");
    for (int i = 0; i < axes->count; i++)
        text_add(text, "%s%s", i > 0 ? "," : "", decls->axes.data[axes->axis[i]].name);
}

/* "data": sharded as stored and in use; "data>-": gathered. */
static void add_placement(Text *text, const Decls *decls, const char *name, const StatePlacement *placement)
{
    text_add(text, " %s ", name);
    add_axes(text, decls, &placement->rest);
    if (placement->rest.count != placement->use.count) {
        text_add(text, ">");
        add_axes(text, decls, &placement->use);
    }
    if (placement->keep == KEEP_STEP)
        text_add(text, "*");
}

static void add_sync(Text *text, Asked asked, const Sync *sync)
{
    static const char *const targets[] = {[SYNC_GRADIENTS] = "gradients",
                                          [SYNC_PARAMETERS] = "parameters",
                                          [SYNC_NORM] = "norm",
                                          [SYNC_COUNT] = "count",
                                          [SYNC_LOSS] = "loss",
                                          [SYNC_ACTIVATIONS] = "activations",
                                          [SYNC_COTANGENTS] = "cotangents",
                                          [SYNC_STATISTICS] = "statistics",
                                          [SYNC_STATE] = "state"};
    static const char *const operations[] = {
        [SYNC_NONE] = "none",        [SYNC_SUM] = "sum", [SYNC_MEAN] = "mean",
        [SYNC_GATHER] = "gather",    [SYNC_MAX] = "max", [SYNC_BROADCAST] = "broadcast",
        [SYNC_EXCHANGE] = "exchange"};
    text_add(text, "sync %s", targets[sync->target]);
    for (int i = 0; i < sync->unit_count; i++)
        text_add(text, "%s%s", i > 0 ? "," : " of ", asked.assignment->units.data[sync->units[i]].unit.name);
    text_add(text, " %s ", operations[sync->operation]);
    add_axes(text, &asked.train->decls, &sync->axes);
    text_add(text, "%s", sync->into_shards ? " into shards" : "");
    if (sync->moment == SYNC_EACH_MICROBATCH)
        text_add(text, " each");
    if (sync->moment == SYNC_AFTER_MICROBATCH)
        text_add(text, " after %lld", (long long)sync->microbatch);
    if (sync->scale_numerator != 1 || sync->scale_denominator != 1)
        text_add(text, " scale %lld/%lld", (long long)sync->scale_numerator, (long long)sync->scale_denominator);
    text_add(text, "\n");
}

static const char *units_text(Ctx *ctx, Asked asked)
{
    const Decls *decls = &asked.train->decls;
    Text text = {.arena = ctx->arena};
    for (int i = 0; i < asked.assignment->units.count; i++) {
        const UnitPlacement *placement = &asked.assignment->units.data[i];
        text_add(&text, "%s:", placement->unit.name);
        add_placement(&text, decls, "p", &placement->parameters);
        add_placement(&text, decls, "g", &placement->gradients);
        add_placement(&text, decls, "o", &placement->optimizer);
        text_add(&text, "\n");
    }
    for (int i = 0; i < asked.assignment->syncs.count; i++)
        add_sync(&text, asked, &asked.assignment->syncs.data[i]);
    return text.data;
}

static const char *batch_text(Ctx *ctx, Asked asked)
{
    Text text = {.arena = ctx->arena};
    text_add(&text, "batch ");
    add_axes(&text, &asked.train->decls, &asked.assignment->batch_axes);
    text_add(&text, " read ");
    add_axes(&text, &asked.train->decls, &asked.assignment->reader_axes);
    text_add(&text, " seed %lld", (long long)asked.assignment->seed.base);
    for (int i = 0; i < asked.train->decls.axes.count; i++)
        if (asked.assignment->seed.per_axis[i] != 0)
            text_add(&text, "%+lld*%s", (long long)asked.assignment->seed.per_axis[i],
                     asked.train->decls.axes.data[i].name);
    return text.data;
}

/* ---- What is accepted --------------------------------------------------------------------------------------- */

static const struct {
    const char *strategies, *settings, *units;
} accepted[] = {
    {"", "strategy data_parallel(data)", "outside: p - g - o -\nblock: p - g - o -\n"},
    {"", "strategy zero1(data)", "outside: p - g - o data\nblock: p - g - o data\n"},
    {"", "strategy zero2(d = data)", "outside: p - g data o data\nblock: p - g data o data\n"},
    {"", "strategy zero3(data)", "outside: p data>- g data o data\nblock: p data>- g data o data\n"},
    /* Hybrid: shards within a node, copies across. */
    {"", "strategy data_parallel(node) * zero3(data)",
     "outside: p data>- g data o data\nblock: p data>- g data o data\n"},
    {"", "strategy zero1(node) * zero3(data)",
     "outside: p data>- g data o node,data\nblock: p data>- g data o node,data\n"},
    /* The order of axes is the mesh's. */
    {"strategy s(a: axis, b: axis) { optimizer sharded over a, b }", "strategy s(data, node)",
     "outside: p - g - o node,data\nblock: p - g - o node,data\n"},
    /* The user's strategy and mode hide the prelude's. */
    {"mode gathered over z { rest replicated over z; use replicated over z }", "strategy zero3(data)",
     "outside: p - g data o data\nblock: p - g data o data\n"},
    {"strategy zero3(d: axis) { optimizer sharded over d }", "strategy zero3(data)",
     "outside: p - g - o data\nblock: p - g - o data\n"},
    /* Modes are data. */
    {"mode half over a { rest sharded over a; use replicated over a made by copy kept until step }\n"
     "strategy s(d: axis) { parameters half over d; optimizer sharded over d by flat on device }",
     "strategy s(data)", "outside: p data>-* g - o data\nblock: p data>-* g - o data\n"},
    {"strategy s(d: axis) { parameters gathered over d kept until step }", "strategy s(data)",
     "outside: p data>-* g - o -\nblock: p data>-* g - o -\n"},
    /* One half gathered, the other used in shards. */
    {"strategy s(d: axis, n: axis) { parameters gathered over n\nparameters sharded over d }", "strategy s(data, node)",
     "outside: p node,data>data g - o -\nblock: p node,data>data g - o -\n"},
    /* Overrides: by layers, by label, whatever the order. */
    {"strategy s(d: axis) { parameters of block[0..3].mlp gathered over d }", "strategy s(data)",
     "outside: p - g - o -\nblock.0-3.norm1.gain: p - g - o -\nblock.0-3.mlp: p data>- g - o -\n"
     "block.4-5: p - g - o -\n"},
    {"strategy s(d: axis) { parameters of block[0..1] replicated over d\nparameters gathered over d }",
     "strategy s(data)", "outside: p data>- g - o -\nblock.0-1: p - g - o -\nblock.2-5: p data>- g - o -\n"},
    {"strategy s(d: axis) { parameters of block[5] gathered over d\nparameters of block.mlp sharded over d }",
     "strategy s(data)",
     "outside: p - g - o -\nblock.0-4.norm1.gain: p - g - o -\nblock.0-4.mlp: p data g - o -\n"
     "block.5.norm1.gain: p data>- g - o -\nblock.5.mlp: p data g - o -\n"},
    {"strategy s(d: axis) { parameters of block[0, 2..3, 5] gathered over d }", "strategy s(data)",
     "outside: p - g - o -\nblock.0: p data>- g - o -\nblock.1: p - g - o -\nblock.2-3: p data>- g - o -\n"
     "block.4: p - g - o -\nblock.5: p data>- g - o -\n"},
    {"strategy s(d: axis) { parameters of block[*].mlp, wte gathered over d }", "strategy s(data)",
     "outside.wte.table: p data>- g - o -\noutside.norm.gain: p - g - o -\nblock.norm1.gain: p - g - o -\n"
     "block.mlp: p data>- g - o -\n"},
    {"strategy s(d: axis) { parameters of block[0..2] gathered over d\nparameters of block[3..5] gathered over d }",
     "strategy s(data)", "outside: p - g - o -\nblock: p data>- g - o -\n"},
    {"strategy s(d: axis) { parameters of block.norm1 gathered over d\nparameters of block.mlp.up gathered over d\n"
     "parameters of block.mlp.down sharded over d }",
     "strategy s(data)", "outside: p - g - o -\nblock: p data>- g - o -\nblock.mlp.down.weight: p data g - o -\n"},
    {"strategy s(d: axis) { parameters of block.norm1, block.mlp.up gathered over d\n"
     "optimizer of block.norm1, block.mlp.down sharded over d }",
     "strategy s(data)",
     "outside: p - g - o -\nblock.norm1.gain: p data>- g - o data\nblock.mlp.up.weight: p data>- g - o -\n"
     "block.mlp.down.weight: p - g - o data\n"},
    {"strategy mlp(d: axis) { parameters of block.mlp replicated over d }", "strategy mlp(data) * zero3(data)",
     "outside: p data>- g data o data\nblock.norm1.gain: p data>- g data o data\nblock.mlp: p - g data o data\n"},
    {"strategy s(d: axis, n = 2) { parameters of block[n..n + 1] gathered over d }", "strategy s(data, n = 1)",
     "outside: p - g - o -\nblock.0: p - g - o -\nblock.1-2: p data>- g - o -\nblock.3-5: p - g - o -\n"},
    {"strategy s() { parameters replicated }", "strategy s() * zero1(data)",
     "outside: p - g - o data\nblock: p - g - o data\n"},
    /* Syncs, literally and in order. */
    {"strategy s(d: axis) { sync gradients : sum over d at step scale 1/d }", "strategy s(data)",
     "outside: p - g - o -\nblock: p - g - o -\nsync gradients of outside,block sum data scale 1/4\n"},
    {"strategy s(d: axis) { sync gradients of block[*].norm1 : mean over d each microbatch then sum over node into "
     "shards after microbatch 1 }",
     "strategy s(data)",
     "outside: p - g - o -\nblock.norm1.gain: p - g - o -\nblock.mlp: p - g - o -\n"
     "sync gradients of block.norm1.gain mean data each\n"
     "sync gradients of block.norm1.gain sum node into shards after 1\n"},
    {"strategy s(d: axis) { sync gradients of block[2] : none\nsync parameters : gather over d\nsync norm : sum over "
     "d\n"
     "sync count : none\nsync loss : mean over node, d }",
     "strategy s(data)",
     "outside: p - g - o -\nblock.0-1: p - g - o -\nblock.2: p - g - o -\nblock.3-5: p - g - o -\n"
     "sync gradients of block.2 none -\nsync parameters of outside,block.0-1,block.2,block.3-5 gather data\n"
     "sync norm sum data\nsync count none -\nsync loss mean node,data\n"},
    {"strategy s(d: axis) { sync gradients : sum over d scale -2 * (d + 1) / (microbatches * 4) }", "strategy s(data)",
     "outside: p - g - o -\nblock: p - g - o -\nsync gradients of outside,block sum data scale -5/6\n"},
    /* What another strategy says that nothing uses is no second statement. */
    {"strategy other { activations of block.mlp sharded over data by out\noptimizer sharded over data }\n"
     "strategy s(d: axis) { activations of block.mlp sharded over d by out\noptimizer sharded over d }",
     "strategy s(data)", "outside: p - g - o data\nblock: p - g - o data\n"},
    {"strategy other { optimizer sharded over data }", "strategy pipeline(data)",
     "outside: p - g - o -\nblock: p - g - o -\n"},
};

/* The same assignment as plain statements, whose strategy is the train's. */
static char *plain_units(const Asked *first, const char *settings, bool frozen)
{
    Ctx *ctx = new_ctx();
    Asked asked = new_asked(ctx, frozen);
    const Decls *decls = &first->train->decls;
    const char *rest = strchr(settings, '\n');
    const char *plain = plain_strategy(ctx->arena, decls, first->assignment, "plain");
    settings = arena_printf(ctx->arena, "strategy %s%s", plain_call(ctx->arena, decls, "plain"), rest ? rest : "");
    if (!evaluate(ctx, plain, settings, asked)) {
        diag_print_text(ctx->diag, stderr, false, 20);
        fail_msg("as plain statements it is refused:\n%s", plain);
    }
    char *text = strdup(units_text(ctx, asked));
    arena_free(ctx->arena);
    return text;
}

static void test_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
        Ctx *ctx = new_ctx();
        Asked asked = new_asked(ctx, false);
        if (!evaluate(ctx, accepted[i].strategies, accepted[i].settings, asked)) {
            diag_print_text(ctx->diag, stderr, false, 20);
            fail_msg("case %zu is refused", i);
        }
        const char *text = units_text(ctx, asked);
        if (strcmp(text, accepted[i].units) != 0)
            fail_msg("case %zu: expected\n%s\ngot\n%s", i, accepted[i].units, text);
        char *plain = plain_units(&asked, accepted[i].settings, false);
        if (strcmp(text, plain) != 0)
            fail_msg("case %zu: as plain statements\n%s", i, plain);
        free(plain);
        arena_free(ctx->arena);
    }
}

static const struct {
    const char *settings, *text;
} batches[] = {
    {"strategy data_parallel(data)", "batch data read data seed 7"},
    {"strategy data_parallel(data) * zero1(node)", "batch node,data read node,data seed 7"},
    {"strategy data_parallel(data)\ndata bytes \"f\" read by none", "batch data read - seed 7"},
    {"strategy data_parallel(data) * zero1(node)\ndata bytes \"f\" read by data", "batch node,data read data seed 7"},
    {"strategy data_parallel(data)\ndata bytes \"f\"\nseed 3", "batch data read data seed 3"},
    {"strategy data_parallel(data)\nseed 1 + coordinate(data)", "batch data read data seed 1+1*data"},
    {"strategy data_parallel(data)\nseed 2 * (coordinate(node) - 3) - coordinate(data) * data",
     "batch data read data seed -6+2*node-4*data"},
};

static void test_batch_reader_and_seed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(batches) / sizeof(batches[0]); i++) {
        Ctx *ctx = new_ctx();
        Asked asked = new_asked(ctx, false);
        assert_true(evaluate(ctx, "", batches[i].settings, asked));
        assert_string_equal(batch_text(ctx, asked), batches[i].text);
        arena_free(ctx->arena);
    }
}

static void test_units_lie_flat(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    Asked asked = new_asked(ctx, true);
    assert_true(evaluate(ctx, "strategy s(d: axis) { optimizer of block[1..2].mlp sharded over d }", "strategy s(data)",
                         asked));
    const UnitPlacement *units = asked.assignment->units.data;
    assert_int_equal(asked.assignment->units.count, 5);
    assert_int_equal(units[0].unit.elements, 136);
    assert_int_equal(units[0].unit.group, -1);
    assert_int_equal(unit_offset(&units[0].unit, 5), 128);
    assert_int_equal(unit_offset(&units[0].unit, 6), -1); /* frozen */
    assert_string_equal(units[3].unit.name, "block.1-2.mlp");
    assert_int_equal(units[3].unit.first_layer, 1);
    assert_int_equal(units[3].unit.last_layer, 2);
    assert_int_equal(units[3].unit.elements, 512);
    assert_int_equal(unit_offset(&units[3].unit, 4), 256);
    arena_free(ctx->arena);
}

/* What the prelude causes is shown at the call. */
static void test_spans_are_the_users(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    Asked asked = new_asked(ctx, false);
    assert_true(evaluate(ctx, "strategy s(d: axis) {\n  parameters gathered over d }", "strategy s(data) * zero1(node)",
                         asked));
    const UnitPlacement *unit = &asked.assignment->units.data[0];
    assert_int_equal(source_position(ctx->sources, unit->parameters.span.source, unit->parameters.span.start).line, 2);
    assert_int_equal(source_position(ctx->sources, unit->optimizer.span.source, unit->optimizer.span.start).line, 4);
    assert_int_equal(unit->optimizer.span.source, unit->parameters.span.source);
    assert_false(span_known(unit->gradients.span));
    assert_int_equal(
        source_position(ctx->sources, asked.assignment->batch_span.source, asked.assignment->batch_span.start).column,
        20);
    arena_free(ctx->arena);
}

/* ---- What is refused ---------------------------------------------------------------------------------------- */

/* Code and place of the only error, and part of the text shown. The train's settings begin two lines below the end of
 * the strategies. */
static const struct {
    const char *strategies, *settings, *place, *says;
} refused[] = {
    {"", "strategy zero4(data)", "3:10: error[P0201]", "Did you mean 'zero1'?"},
    {"", "strategy pipeline(data, stages = 2)", "3:25: error[P0201]", "no parameter 'stages'"},
    {"", "strategy pipeline(data, schedule = never)", "3:36: error[P0201]", "unknown schedule 'never'"},
    {"", "strategy pipeline(data, schedule = 3)", "3:36: error[P0206]", "expected the name of a schedule"},
    {"", "strategy pipeline(data) * pipeline(node)", "3:27: error[P0209]", "a second pipeline"},
    {"strategy s(d: axis) { optimizer of norm replicated over d\noptimizer sharded over d\nschedule gpipe over d }\n",
     "strategy s(data)", "2:1: error[P0209]", "the axis of a pipeline"},
    {"strategy s { activations of block.mlp materialized\nactivations of block[0..5] materialized }\n", "strategy s",
     "2:1: error[P0209]", "'block' includes everything below it"},
    {"strategy s(d: axis) { schedule gpipe }\n", "strategy s(data)", "1:23: error[P0208]", "over one axis"},
    {"", "strategy zero1(dta)", "3:16: error[P0201]", "Did you mean 'data'?"},
    {"", "strategy zero1()", "3:10: error[P0206]", "the argument 'd' of 'zero1' is missing"},
    {"", "strategy zero1", "3:10: error[P0206]", "missing"},
    {"", "strategy zero1(4)", "3:16: error[P0206]", "expected a mesh axis"},
    {"", "strategy zero1(data, node)", "3:22: error[P0206]", "1 parameter only"},
    {"", "strategy zero1(data, d = node)", "3:22: error[P0206]", "given twice"},
    {"", "strategy zero1(axis = node)", "3:16: error[P0201]", "has no parameter 'axis'"},
    {"", "strategy zero1(data) + zero1(node)", "3:10: error[P0206]", "joined by '*'"},
    {"", "strategy 3", "3:10: error[P0206]", "joined by '*'"},
    {"", "strategy zero1(data) * zero2(data)", "3:24: error[P0209]", "already placed here"},
    {"strategy s(a: axis, b: axis) { optimizer sharded over a }", "strategy s(data, data)", "3:18: error[P0209]",
     "already given for 'a'"},
    {"strategy s(a: axis) {\noptimizer sharded over a, a }", "strategy s(data)", "2:27: error[P0209]", "first here"},
    {"strategy s(a: axis) {\noptimizer sharded over a\noptimizer replicated over a }", "strategy s(data)",
     "3:1: error[P0209]", "this statement has no effect"},
    {"strategy s(a: axis) {\noptimizer of block[0..3] sharded over a\noptimizer of block[0..1], block[2..5] replicated "
     "over a }",
     "strategy s(data)", "3:1: error[P0209]", "no effect"},
    {"strategy s(a: axis, b: axis) {\nparameters gathered over a kept until step\nparameters gathered over b }",
     "strategy s(node, data)", "3:1: error[P0209]", "two different moments"},
    {"strategy s(d: axis) {\nweights sharded over d }", "strategy s(data)", "2:1: error[P0201]", "unknown state"},
    {"strategy s(d: axis) {\noptimiser sharded over d }", "strategy s(data)", "2:1: error[P0201]",
     "Did you mean 'optimizer'?"},
    {"strategy s(d: axis) {\noptimizer shardd over d }", "strategy s(data)", "2:11: error[P0201]",
     "Did you mean 'sharded'?"},
    {"strategy s(d: axis) {\noptimizer sharded over e }", "strategy s(data)", "2:24: error[P0201]", "unknown axis 'e'"},
    {"strategy s(d: axis) {\noptimizer sharded }", "strategy s(data)", "2:11: error[P0208]", "needs 'over'"},
    {"strategy s(d: axis) {\noptimizer sharded over d by rows }", "strategy s(data)", "2:29: error[P0290]",
     "sharded by 'rows'"},
    {"strategy s(d: axis) {\nparameters materialized over d }", "strategy s(data)", "2:12: error[P0290]",
     "the reference stores them separately"},
    {"strategy s(d: axis) {\nparameters gathered over d kept until use }", "strategy s(data)", "2:39: error[P0290]",
     "freed after every use"},
    {"strategy s(d: axis) {\nparameters gathered over d kept until later }", "strategy s(data)", "2:39: error[P0201]",
     "'use', 'pass', 'step'"},
    {"strategy s(d: axis) {\nactivations sharded over d }", "strategy s(data)", "2:13: error[P0208]", "by batch"},
    {"strategy s(d: axis) {\nactivations of block replicated over d by hidden }", "strategy s(data)",
     "2:16: error[P0290]", "some activations in any way but sharded"},
    {"strategy s(d: axis) {\nactivations gathered over d by batch }", "strategy s(data)", "2:13: error[P0290]",
     "'gathered' activations"},
    {"strategy s(d: axis) {\nactivations of block sharded over d by batch }", "strategy s(data)", "2:16: error[P0290]",
     "some activations"},
    {"strategy s(d: axis) {\nparameters of block[0..6] gathered over d }", "strategy s(data)", "2:24: error[P0207]",
     "layers are 0 to 5"},
    {"strategy s(d: axis) {\nparameters of block[3..2] gathered over d }", "strategy s(data)", "2:21: error[P0207]",
     "has no layers"},
    {"strategy s(d: axis) {\nparameters of block.mlp[1] gathered over d }", "strategy s(data)", "2:15: error[P0206]",
     "'mlp' is not a repeated block"},
    {"strategy s(d: axis) {\nparameters of block[1].mpl gathered over d }", "strategy s(data)", "2:15: error[P0201]",
     "Did you mean 'block.mlp'?"},
    {"strategy s(d: axis) {\nparameters of x gathered over d }", "strategy s(data)", "2:15: error[P0201]", "'x'"},
    {"strategy s(d: axis) {\nparameters of block[1/2] gathered over d }", "strategy s(data)", "2:21: error[P0207]",
     "not 1/2"},
    {"strategy s(d: axis) {\nparameters of block[1/0] gathered over d }", "strategy s(data)", "2:21: error[P0207]",
     "out of range"},
    {"strategy s(d: axis) {\nsync gradient : sum over d }", "strategy s(data)", "2:6: error[P0201]",
     "Did you mean 'gradients'?"},
    {"strategy s(d: axis) {\nsync activations : sum over d }", "strategy s(data)", "2:6: error[P0208]",
     "'activations' needs 'of'"},
    {"strategy s(d: axis) {\nsync buffers : sum over d }", "strategy s(data)", "2:6: error[P0290]", "'buffers'"},
    {"strategy s(d: axis) {\nsync gradients : summ over d }", "strategy s(data)", "2:18: error[P0201]",
     "Did you mean 'sum'?"},
    {"strategy s(d: axis) {\nsync gradients : max over d }", "strategy s(data)", "2:18: error[P0290]", "'max'"},
    {"strategy s(d: axis) {\nsync gradients : gather over d }", "strategy s(data)", "2:18: error[P0290]",
     "'gather' of 'gradients'"},
    {"strategy s(d: axis) {\nsync norm : max over d }", "strategy s(data)", "2:13: error[P0290]", "'max' of 'norm'"},
    {"strategy s(d: axis) {\nsync gradients : sum }", "strategy s(data)", "2:18: error[P0208]", "needs 'over'"},
    {"strategy s(d: axis) {\nsync gradients : none over d }", "strategy s(data)", "2:18: error[P0208]", "no axes"},
    {"strategy s(d: axis) {\nsync gradients : sum over d into pieces }", "strategy s(data)", "2:34: error[P0201]",
     "'shards'"},
    {"strategy s(d: axis) {\nsync loss : sum over d into shards }", "strategy s(data)", "2:29: error[P0290]", "shards"},
    {"strategy s(d: axis) {\nsync loss of block : sum over d }", "strategy s(data)", "2:14: error[P0206]",
     "no parameters to select"},
    {"strategy s(d: axis) {\nsync gradients : sum over d at end }", "strategy s(data)", "2:32: error[P0201]", "'step'"},
    {"strategy s(d: axis) {\nsync gradients : sum over d after microbatch 3 }", "strategy s(data)",
     "2:46: error[P0207]", "0 to 2"},
    {"strategy s(d: axis) {\nsync loss : sum over d each microbatch }", "strategy s(data)", "2:24: error[P0290]",
     "within a step"},
    {"strategy s(d: axis) {\nsync parameters : gather over d scale 2 }", "strategy s(data)", "2:39: error[P0290]",
     "scale"},
    {"strategy s(d: axis) {\nsync gradients : sum over d when 1 }", "strategy s(data)", "2:34: error[P0206]",
     "a relation"},
    {"strategy s(d: axis) {\nsync norm : sum over d derive the rest }", "strategy s(data)", "2:24: error[P0290]",
     "'derive the rest'"},
    {"strategy s(d: axis) {\nsync gradients : sum over d scale 1/dd }", "strategy s(data)", "2:37: error[P0201]",
     "unknown name 'dd'"},
    {"mode m over a { rest shardd over a; use replicated over a }", "strategy zero1(data)", "1:22: error[P0201]",
     "Did you mean 'sharded'?"},
    {"mode m over a { rest sharded over b; use replicated over a }", "strategy zero1(data)", "1:35: error[P0201]",
     "unknown axis 'b'"},
    {"mode m over a { rest sharded over a }", "strategy zero1(data)", "1:6: error[P0208]", "does not say 'use'"},
    {"mode m over a { rest sharded over a; rest sharded over a; use sharded over a }", "strategy zero1(data)",
     "1:38: error[P0208]", "given twice"},
    {"mode m over a { rest sharded over a; use replicated over a made by magic }", "strategy zero1(data)",
     "1:68: error[P0201]", "'copy'"},
    {"mode m over a { rest sharded over a kept until pass; use replicated over a }", "strategy zero1(data)",
     "1:37: error[P0206]", "does not belong"},
    {"mode m over a { rest replicated over a; use sharded over a }\nstrategy s(d: axis) { parameters m over d }",
     "strategy s(data)", "2:34: error[P0290]", "used in shards"},
    {"", "strategy zero1(data)\ndata bytes \"f\" read by dta", "4:24: error[P0201]", "Did you mean 'data'?"},
    {"", "strategy zero1(data)\ndata bytes \"f\" read by", "4:16: error[P0208]", "'none'"},
    {"", "strategy zero1(data)\nseed coordinate(3)", "4:6: error[P0206]", "takes one mesh axis"},
    {"", "strategy zero1(data)\nseed coordinate(data) * coordinate(data)", "4:6: error[P0206]", "multiples"},
    {"", "strategy zero1(data)\nseed 0.5", "4:6: error[P0206]", "whole number"},
    {"", "strategy zero1(data)\nseed 4 9", "4:1: error[P0206]", "one expression"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        Ctx *ctx = new_ctx();
        Asked asked = new_asked(ctx, false);
        assert_false(evaluate(ctx, refused[i].strategies, refused[i].settings, asked));
        char *printed = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&printed, &length);
        diag_print_text(ctx->diag, out, false, 20);
        fclose(out);
        char place[64];
        snprintf(place, sizeof(place), "x.place:%s: ", refused[i].place);
        if (strncmp(printed, place, strlen(place)) != 0 || strstr(printed, refused[i].says) == NULL ||
            diag_error_count(ctx->diag) != 1)
            fail_msg("case %zu: expected only '%s...%s', got\n%s", i, place, refused[i].says, printed);
        free(printed);
        arena_free(ctx->arena);
    }
}

/* Nothing but their parameters is placed, in units apart from what is trained; where every rank has them, in none. */
static void test_frozen_parameters_lie_apart(void **state)
{
    static const struct {
        const char *strategies, *strategy;
        int units, cut; /* with the frozen one; over how many axes it is cut */
    } cases[] = {
        {"", "strategy zero2(data)", 0, 0},
        {"", "strategy zero3(data)", 1, 1},
        {"strategy keep(d: axis) { parameters of fixed replicated over d }", "strategy zero3(data) * keep(data)", 0, 0},
        {"strategy away { parameters of fixed offloaded to host }", "strategy zero2(data) * away", 1, 0},
        {"strategy start(d: axis) { sync parameters of fixed : broadcast over d at start }",
         "strategy zero2(data) * start(data)", 1, 0},
        {"", "strategy zero3(data) * zero3(node)", 1, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Ctx *ctx = new_ctx();
        Asked asked = new_asked(ctx, true);
        int units = 0;
        assert_true(evaluate(ctx, cases[i].strategies, cases[i].strategy, asked));
        for (int u = 0; u < asked.assignment->units.count; u++) {
            const Unit *unit = &asked.assignment->units.data[u].unit;
            const UnitPlacement *placement = &asked.assignment->units.data[u];
            if (asked.train->decls.tensors.data[unit->members[0]].trainable)
                continue;
            units++;
            assert_int_equal(unit->member_count, 1);
            assert_int_equal(placement->parameters.rest.count, cases[i].cut);
            assert_int_equal(placement->optimizer.rest.count + placement->gradients.rest.count, 0);
        }
        assert_int_equal(units, cases[i].units);
        char *plain = plain_units(&asked, cases[i].strategy, true);
        assert_string_equal(units_text(ctx, asked), plain);
        free(plain);
        arena_free(ctx->arena);
    }
}

static void test_several_errors_are_reported(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    Asked asked = new_asked(ctx, false);
    assert_false(evaluate(ctx, "strategy s(d: axis) {\nweights sharded over d\noptimizer cut over d\nsync nrm : none }",
                          "strategy s(data) * zeroo(node)\nseed now", asked));
    assert_int_equal(diag_error_count(ctx->diag), 5);
    arena_free(ctx->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_batch_reader_and_seed),
        cmocka_unit_test(test_units_lie_flat),
        cmocka_unit_test(test_spans_are_the_users),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_frozen_parameters_lie_apart),
        cmocka_unit_test(test_several_errors_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
