/* Control flow as C: loops, guards, tables and slots that are affine in coordinates, tables and outer loops, and the
 * current microbatch of a guard. The printed text is compiled and run for every rank, and compared with what the
 * expressions of the step program give. */
#include "codegen/emit.h"
#include "step/step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { STAGES = 3 };

/* The body of a routine, around which everything else is the same. A pipeline of one_f_one_b and an interleaved one in
 * small; a ring; a stage without layers ($first > $last). The batch of 7 gives microbatches of different sizes. */
static const char *const bodies[] = {
    "loop l0 micro 0..6 {\n"
    "    guard l0-$forward in 0..4 {\n"
    "        guard l0-$forward in 1..4 {\n"
    "            output(b[2*l0]) name \"loss\"\n"
    "        }\n"
    "        guard @stage in 0..0 {\n"
    "            rows = read() tensor rows index l0-$forward\n"
    "        }\n"
    "        loop l1 layers block $first..$last {\n"
    "            output(b[l1-$first+3*l0-3*$forward % 6]) name \"loss\"\n"
    "        }\n"
    "    }\n"
    "    guard l0+@stage-2 in 0..4 {\n"
    "        rows = read() tensor rows index l0+@stage-2\n"
    "        loop l2 layers block $last..$first down {\n"
    "            output(b[5-$first+l2-l0 % 7]) name \"loss\"\n"
    "        }\n"
    "    }\n"
    "}\n",
    "loop l0 steps 0..2 {\n"
    "    loop l1 steps 0..1 {\n"
    "        loop l2 micro l1+2*l0..l1+2*l0 {\n"
    "            guard l2 in 0..4 {\n"
    "                rows = read() tensor rows index l2\n"
    "                guard l0 % 2 in 1..1 {\n"
    "                    output(b[@stage+2*l1]) name \"loss\"\n"
    "                }\n"
    "            }\n"
    "            loop l3 micro l2-1..l2 {\n"
    "                guard l3 in 0..4 {\n"
    "                    rows = read() tensor rows index l3\n"
    "                }\n"
    "                guard l3-1 in 0..4 {\n"
    "                    rows = read() tensor rows index l3-1\n"
    "                    rows = read() tensor rows index l1\n"
    "                }\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n",
    "loop l0 steps 0..2 {\n"
    "    output(b[@stage-l0 % 3]) name \"loss\"\n"
    "    output(b[@stage-1-l0 % 3]) name \"loss\"\n"
    "    guard l0 in 0..1 {\n"
    "        output(b[9-2*l0+$first % 4]) name \"loss\"\n"
    "    }\n"
    "}\n",
};

static const char head[] = "place-step 1\nmodel net\ncontract exact\ncompute f64\nmicro 5\naxis stage 3\n"
                           "table forward stage 0 1 2\ntable first stage 0 4 2\ntable last stage 1 3 3\n"
                           "group block 4\ntensor rows input i32 [7] batch 0\n"
                           "reference {\n}\nprogram {\n    buffer b i32 [] slots 20 activations\n"
                           "    buffer rows i32 [7/micro] activations\n    routine step {\n";

typedef struct Parsed {
    Ctx ctx;
    StepFile *file;
    const Routine *routine;
} Parsed;

static Parsed parse(const char *body)
{
    Parsed p = {.ctx.arena = arena_new()};
    Ctx *ctx = &p.ctx;
    ctx->strings = str_table_new(ctx->arena);
    ctx->sources = sources_new(ctx->arena);
    ctx->diag = diag_new(ctx->arena, ctx->sources);
    const char *text = arena_printf(ctx->arena, "%s%s    }\n}\n", head, body);
    p.file = step_read(ctx, source_add(ctx->sources, "test.step", text, strlen(text)));
    if (p.file == NULL) {
        diag_print_text(ctx->diag, stderr, false, 20);
        fail();
    }
    p.routine = program_routine(p.file->program, ROUTINE_STEP);
    return p;
}

/* ---- What the step program says ----------------------------------------------------------------------------- */

typedef struct Walk {
    const Decls *decls;
    const Program *program;
    int64_t coordinates[STEP_MAX_AXES], loops[8];
    FILE *out;
} Walk;

static void walk_op(Walk *w, const Op *op)
{
    if (op->kind == OP_OUTPUT) {
        fprintf(w->out, "slot %ld\n", (long)affine_at(w->decls, &op->operand[0].slot, w->coordinates, w->loops));
        return;
    }
    fprintf(w->out, "microbatch %ld\n", (long)affine_at(w->decls, &op->microbatch, w->coordinates, w->loops));
}

static void walk(Walk *w, const NodeList *body);

static void walk_loop(Walk *w, const Node *node)
{
    int64_t first = affine_at(w->decls, &node->loop.first, w->coordinates, w->loops);
    int64_t last = affine_at(w->decls, &node->loop.last, w->coordinates, w->loops);
    for (int64_t i = first; node->loop.step > 0 ? i <= last : i >= last; i += node->loop.step) {
        w->loops[node->loop.id] = i;
        walk(w, &node->body);
    }
}

static void walk(Walk *w, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP)
            walk_op(w, node->op);
        if (node->kind == NODE_LOOP)
            walk_loop(w, node);
        if (node->kind == NODE_GUARD) {
            int64_t value = affine_at(w->decls, &node->guard.value, w->coordinates, w->loops);
            if (node->guard.low <= value && value <= node->guard.high)
                walk(w, &node->body);
        }
    }
}

static char *expected(const Parsed *p)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (int stage = 0; stage < STAGES; stage++) {
        Walk w = {.decls = p->file->decls, .program = p->file->program, .out = out};
        w.coordinates[0] = stage;
        walk(&w, &p->routine->body);
    }
    fclose(out);
    return text;
}

/* ---- What the C does ---------------------------------------------------------------------------------------- */

static const char stubs[] =
    "#include <stdint.h>\n#include <stdio.h>\n"
    "typedef struct { int64_t coordinate[8]; int at; } prt_context;\n"
    "typedef struct { int64_t start, extent; } prt_range;\n"
    "enum { AXIS_stage };\n"
    "static const int64_t TABLE_forward[] = {0, 1, 2}, TABLE_first[] = {0, 4, 2}, TABLE_last[] = {1, 3, 3};\n"
    "static inline prt_range prt_cut(int64_t length, int64_t count, int64_t i)\n"
    "{ int64_t b = length / count, r = length % count;\n"
    "  return (prt_range){i * b + (i < r ? i : r), b + (i < r)}; }\n"
    "static inline int64_t modulo(int64_t a, int64_t m) { return (a % m + m) % m; }\n"
    "static int32_t slots[20];\n"
    "enum { PRT_I32, INPUT_rows, LAYOUT_7_over_micro };\n"
    "static int32_t *at_b(const prt_context *ctx, int64_t slot) { (void)ctx; return slots + slot; }\n"
    "static int32_t *at_rows(const prt_context *ctx) { (void)ctx; return slots; }\n"
    "static void prt_output(const prt_context *ctx, const char *name, int dtype, const int32_t *at, int64_t count)\n"
    "{ (void)ctx, (void)name, (void)dtype, (void)count; printf(\"slot %ld\\n\", (long)(at - slots)); }\n"
    "static void prt_read(const prt_context *ctx, int input, int layout, int64_t micro, int32_t *out)\n"
    "{ (void)ctx, (void)input, (void)layout, (void)out; printf(\"microbatch %ld\\n\", (long)micro); }\n";

static const char *emit(Parsed *p)
{
    Arena *arena = p->ctx.arena;
    const Decls *decls = p->file->decls;
    static const Train train = {.batch = 7};
    const char *axis[] = {"AXIS_stage"}, *tensor[] = {"INPUT_rows"};
    CWriter writer = cw_new(arena, 0);
    Emit e = {.ctx = &p->ctx,
              .arena = arena,
              .train = &train,
              .program = p->file->program,
              .decls = decls,
              .kernels = {.arena = arena},
              .names = {.arena = arena},
              .out = &writer,
              .axis = axis,
              .tensor = tensor,
              .accessor = arena_array(arena, const char *, 2),
              .table = arena_array(arena, const char *, 3),
              .variable = arena_array(arena, const char *, p->file->program->loop_count + 1),
              .routine = ROUTINE_STEP,
              .source = -1};
    emit_scope_body(&e, &p->routine->body, (EmitScope){.loop = -1});
    Text text = {.arena = arena};
    text_add(&text, "%s", stubs);
    for (int i = 0; i < e.sources.count; i++)
        text_add(&text, "enum { %s = %d };\n", e.sources.data[i].name, i);
    text_add(&text, "static void step(prt_context *ctx)\n{\n%s}\n", writer.text.data);
    text_add(&text, "int main(void)\n{\n    for (int i = 0; i < 3; i++)\n"
                    "        step(&(prt_context){.coordinate = {i}});\n    return 0;\n}\n");
    return text.data;
}

static char directory[] = "/tmp/place-control-XXXXXX";

/* What the compiled text prints. */
static char *run_text(const char *text)
{
    char command[400];
    snprintf(command, sizeof command, "%s/control.c", directory);
    FILE *file = fopen(command, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    snprintf(command, sizeof command,
             "cc -std=c11 -Wall -Wextra -Wshadow -Wno-unused-function -Wno-unused-const-variable -Werror -o %s/control "
             "%s/control.c && %s/control",
             directory, directory, directory);
    FILE *pipe = popen(command, "r");
    char *got, line[100];
    size_t length;
    FILE *out = open_memstream(&got, &length);
    while (fgets(line, sizeof line, pipe) != NULL)
        fputs(line, out);
    fclose(out);
    if (pclose(pipe) != 0)
        fail_msg("does not compile or run:\n%s", text);
    return got;
}

static void c_does_what_the_step_program_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        Parsed p = parse(bodies[i]);
        const char *text = emit(&p);
        char *got = run_text(text), *wanted = expected(&p);
        if (strcmp(got, wanted) != 0)
            fail_msg("body %d gives\n%snot\n%s\n%s", (int)i, got, wanted, text);
        assert_true(strlen(got) > 50);
        free(got);
        free(wanted);
        arena_free(p.ctx.arena);
    }
}

/* A loop with such guards counts ticks; each guard's microbatch is a variable where something needs it. */
static void a_guards_microbatch_has_a_name(void **state)
{
    (void)state;
    Parsed p = parse(bodies[0]);
    const char *text = emit(&p);
    assert_non_null(strstr(text, "for (int64_t tick = 0; tick < 7; tick++)"));
    assert_non_null(strstr(text, "const int64_t micro = tick - TABLE_forward[ctx->coordinate[AXIS_stage]];"));
    assert_non_null(strstr(text, "const int64_t micro = tick + ctx->coordinate[AXIS_stage] - 2;"));
    assert_null(strstr(text, "micro2"));
    arena_free(p.ctx.arena);
    p = parse(bodies[1]);
    text = emit(&p);
    assert_non_null(strstr(text, "for (int64_t tick = micro - 1; tick <= micro; tick++)"));
    assert_non_null(strstr(text, "const int64_t micro2 = tick - 1;"));
    arena_free(p.ctx.arena);
}

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c_does_what_the_step_program_says),
        cmocka_unit_test(a_guards_microbatch_has_a_name),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
