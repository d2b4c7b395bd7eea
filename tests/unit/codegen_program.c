/* Emitted programs: they compile without a warning, are the same every time, do not grow with layers or devices; einsum
 * becomes the right gemm; what cannot be built is refused, and a build that fails leaves nothing behind. */
#include "codegen/codegen.h"
#include "codegen/emit.h"
#include "tests/lowered.h"
#include "tests/unit/compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Programs from their text ------------------------------------------------------------------------------- */

typedef struct Derived {
    Ctx ctx;
    const Train *train;
    StepFile *file;
} Derived;

static Derived compile(const char *text)
{
    Compiled compiled = compile_text(text);
    Derived d = {.ctx = compiled.ctx, .train = compiled.train};
    free(compiled.messages);
    d.file = d.train != NULL ? lowered_step(&d.ctx, d.train, compiled.assignment) : NULL;
    if (d.file == NULL) {
        diag_print_text(d.ctx.diag, stderr, false, 20);
        fail();
    }
    return d;
}

static void release(Derived *c)
{
    arena_free(c->ctx.arena);
}

static const char *gpt_text(Arena *arena, int layers, int devices, const char *strategy, const char *precision,
                            const char *batch)
{
    return arena_printf(
        arena,
        "place 1\n" GPT_MODEL("gpt", "layers = %d, hidden = 32, heads = 2, context = 16, vocab = 256",
                              "4 * hidden") "cluster laptop { %d devices of cpu }\n"
                                            "mesh local on laptop { data: %d }\n"
                                            "train gpt on local {\n"
                                            "    strategy %s\n"
                                            "    optimizer adamw(rate = 3e-4, warmup = 2, decay = 0.1)\n"
                                            "    clip norm 1.0\n"
                                            "    precision %s\n"
                                            "    data bytes \"a\\\"; rm -rf $HOME; #\"\n"
                                            "    batch %s microbatches\n"
                                            "    steps 4\n"
                                            "}\n",
        layers, devices, devices, strategy, precision, batch);
}

static Derived compile_gpt(int layers, int devices, const char *strategy, const char *precision, const char *batch)
{
    Arena *arena = arena_new();
    Derived c = compile(gpt_text(arena, layers, devices, strategy, precision, batch));
    arena_free(arena);
    return c;
}

static const char *emit(Derived *c)
{
    KernelTable kernels = {.arena = c->ctx.arena};
    assert_true(codegen_check(&c->ctx, c->train, c->file));
    return emit_program(&c->ctx, c->train, c->file, &kernels);
}

/* ---- The C -------------------------------------------------------------------------------------------------- */

static char directory[] = "/tmp/place-program-XXXXXX";
static const char *failure; /* of the build */

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int run(const char *format, ...)
{
    char command[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    return system(command);
}

static const char *include_directory(Arena *arena)
{
    CodegenPaths paths;
    const char *missing = codegen_find_paths(arena, &paths);
    if (missing != NULL)
        fail_msg("%s was not found", missing);
    return paths.include;
}

static void emitted_c_has_no_warnings(void **state)
{
    (void)state;
    static const char *const strategies[] = {"data_parallel(data)", "zero1(data)", "zero2(data)", "zero3(data)"};
    static const char *const batches[] = {"8 in 1", "10 in 2", "9 in 3"}; /* the last two are uneven over 4 ranks */
    for (int i = 0; i < 4; i++) {
        for (int b = 0; b < 3; b++) {
            Derived c = compile_gpt(2, 4, strategies[i], b == 1 ? "f64" : "f32", batches[b]);
            write_file("program.c", emit(&c));
            const char *include = include_directory(c.ctx.arena);
            const char *warnings = "-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only";
            assert_int_equal(run("cc %s -I'%s' %s/program.c", warnings, include, directory), 0);
            if (run("command -v clang > /dev/null 2>&1") == 0)
                assert_int_equal(run("clang %s -I'%s' %s/program.c", warnings, include, directory), 0);
            release(&c);
        }
    }
}

static void emission_is_deterministic(void **state)
{
    (void)state;
    Derived first = compile_gpt(3, 4, "zero3(data)", "f32", "8 in 2");
    Derived second = compile_gpt(3, 4, "zero3(data)", "f32", "8 in 2");
    assert_string_equal(emit(&first), emit(&second));
    release(&first);
    release(&second);
}

static size_t emitted_size(int layers, int devices)
{
    Derived c = compile_gpt(layers, devices, "zero3(data)", "f32", "4096 in 1");
    size_t size = strlen(emit(&c));
    release(&c);
    return size;
}

static void size_does_not_grow(void **state)
{
    (void)state;
    double size = (double)emitted_size(12, 4);
    assert_true((double)emitted_size(96, 4) < 1.02 * size);
    assert_true((double)emitted_size(12, 4096) < 1.02 * size);
}

static void uneven_extents_are_variables(void **state)
{
    (void)state;
    Derived even = compile_gpt(2, 4, "zero1(data)", "f32", "8 in 2");
    assert_null(strstr(emit(&even), "examples.extent"));
    release(&even);
    Derived uneven = compile_gpt(2, 4, "zero1(data)", "f32", "10 in 2");
    const char *text = emit(&uneven);
    assert_non_null(strstr(text, "const prt_range examples = prt_cut_again(prt_cut(10, 2, micro), 4, "
                                 "ctx->coordinate[AXIS_data]);"));
    assert_non_null(strstr(text, "examples.extent * 512"));
    release(&uneven);
}

/* ---- einsum ------------------------------------------------------------------------------------------------- */

enum { SIZES = 7, MAX_ELEMENTS = 4096 };

/* a .. g stand for 2, 3, ... so that a wrong stride shows. */
static int size_of(char letter)
{
    return 2 + (letter - 'a') % SIZES;
}

static int elements_of(const Letters *letters)
{
    int count = 1;
    for (int i = 0; i < letters->count; i++)
        count *= size_of(letters->letter[i]);
    return count;
}

static Ref add_buffer(Arena *arena, Program *program, const char *letters, int count)
{
    Buffer buffer = {.name = "x", .dtype = DTYPE_F64, .slots = 1, .dim_count = count};
    for (int i = 0; i < count; i++)
        buffer.dims[i].size = size_of(letters[i]);
    vec_push(arena, &program->buffers, buffer);
    return (Ref){.buffer = program->buffers.count - 1, .member = -1};
}

/* The numbers of the emitted initialiser, missing ones 0. */
typedef struct Gemm {
    long m, n, k, a_row, a_column, b_row, b_column, c_row, c_column, batch_dims;
    long batch[4], a_batch[4], b_batch[4], c_batch[4];
    int beta;
} Gemm;

static long number_after(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at != NULL ? strtol(at + strlen(name), NULL, 10) : 0;
}

static void numbers_after(const char *text, const char *name, long *numbers)
{
    const char *at = strstr(text, name);
    char *end = (char *)(at != NULL ? at + strlen(name) : "");
    for (int i = 0; i < 4 && *end != '\0' && *end != '}'; i++) {
        numbers[i] = strtol(end, &end, 10);
        end += *end == ',' ? 2 : 0;
    }
}

static Gemm read_gemm(const char *text)
{
    Gemm g = {number_after(text, ".m = "),
              number_after(text, ".n = "),
              number_after(text, ".k = "),
              number_after(text, ".a_row = "),
              number_after(text, ".a_column = "),
              number_after(text, ".b_row = "),
              number_after(text, ".b_column = "),
              number_after(text, ".c_row = "),
              number_after(text, ".c_column = "),
              number_after(text, ".batch_dims = "),
              {1, 1, 1, 1},
              {0},
              {0},
              {0},
              strstr(text, ", 1, at_") != NULL};
    numbers_after(text, ".batch = {", g.batch);
    numbers_after(text, ".a_batch = {", g.a_batch);
    numbers_after(text, ".b_batch = {", g.b_batch);
    numbers_after(text, ".c_batch = {", g.c_batch);
    return g;
}

/* One product as place_rt.h says it. */
static void one_gemm(const Gemm *g, const double *a, const double *b, int beta, double *c)
{
    for (long i = 0; i < g->m; i++) {
        for (long j = 0; j < g->n; j++) {
            double sum = 0;
            for (long p = 0; p < g->k; p++)
                sum += a[i * g->a_row + p * g->a_column] * b[p * g->b_row + j * g->b_column];
            double *at = &c[i * g->c_row + j * g->c_column];
            *at = beta ? *at + sum : sum;
        }
    }
}

static void all_gemms(const Gemm *g, const double *a, const double *b, double *c)
{
    long total = g->batch[0] * g->batch[1] * g->batch[2] * g->batch[3];
    for (long flat = 0; flat < total; flat++) {
        long rest = flat, at[3] = {0};
        bool again = false; /* a product for this part of C was done before */
        for (int d = 3; d >= 0; d--) {
            long index = rest % g->batch[d];
            rest /= g->batch[d];
            at[0] += index * g->a_batch[d];
            at[1] += index * g->b_batch[d];
            at[2] += index * g->c_batch[d];
            again = again || (index > 0 && g->c_batch[d] == 0);
        }
        one_gemm(g, a + at[0], b + at[1], g->beta || again, c + at[2]);
    }
}

static const char *const specs[] = {
    "bth,oh->bto", "bth,ndh->btnd", "btnd,bsnd->bnts", "bnts,bsnd->btnd", "bnts,btnd->bsnd",
    "bto,bth->oh", "btnd,bth->ndh", "bto,oh->bth",     "bh,h->b",         "bh,b->h",
    "b,b->",       "b,h->bh",       "ab,bc->ca",       "abc,abc->c",      "abc,d->d",
    "ab,->ab",     ",->",           "abc,cb->a",       "acb,cd->abd",
};

/* Elements by the letters of all arrays, the first innermost. */
static void naive(const Shape *shape, const double *a, const double *b, double *c)
{
    const Letters *arrays[] = {&shape->operand[0], &shape->operand[1], &shape->out};
    int index[26] = {0}, d = 0;
    while (d < 26) {
        int offset[3] = {0};
        for (int i = 0; i < 3; i++) {
            for (int l = 0; l < arrays[i]->count; l++)
                offset[i] = offset[i] * size_of(arrays[i]->letter[l]) + index[arrays[i]->letter[l] - 'a'];
        }
        c[offset[2]] += a[offset[0]] * b[offset[1]];
        for (d = 0; d < 26; d++) {
            bool used = false;
            for (int i = 0; i < 3; i++)
                used = used || letters_have(arrays[i], (char)('a' + d));
            if (used && ++index[d] < size_of((char)('a' + d)))
                break;
            index[d] = 0;
        }
    }
}

static void check_einsum(const char *spec, bool accumulate)
{
    Arena *arena = arena_new();
    Decls decls = {0};
    Program program = {.decls = &decls};
    Op op = {.kind = OP_EINSUM, .spec = spec, .operand_count = 2, .accumulate = accumulate};
    const char *at = spec;
    for (int i = 0; i < 3; i++) {
        int length = (int)strspn(at, "abcdefghijklmnopqrstuvwxyz");
        *(i < 2 ? &op.operand[i] : &op.out) = add_buffer(arena, &program, at, length);
        at += length;
        at += *at == ',' ? 1 : *at == '-' ? 2 : 0;
    }
    CWriter writer = cw_new(arena, 0);
    const char *accessors[3] = {NULL};
    EmitScope scope = {0};
    Emit e = {.arena = arena,
              .program = &program,
              .decls = &decls,
              .names = {.arena = arena},
              .out = &writer,
              .accessor = accessors,
              .scope = &scope};
    emit_einsum(&e, &op);
    Gemm g = read_gemm(writer.text.data);
    assert_int_equal(g.beta, accumulate);

    static double a[MAX_ELEMENTS], b[MAX_ELEMENTS], c[MAX_ELEMENTS], expected[MAX_ELEMENTS];
    Shape shape = shape_of_op(&program, &op);
    for (int i = 0; i < MAX_ELEMENTS; i++) {
        a[i] = (i * 7) % 11 - 5;
        b[i] = (i * 5) % 13 - 6;
        c[i] = i % 3;
        expected[i] = accumulate ? i % 3 : 0;
    }
    all_gemms(&g, a, b, c);
    naive(&shape, a, b, expected);
    for (int i = 0; i < elements_of(&shape.out); i++) {
        if (c[i] != expected[i])
            fail_msg("%s element %d: %g, not %g\n%s", spec, i, c[i], expected[i], writer.text.data);
    }
    arena_free(arena);
}

static void einsum_is_a_gemm(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        check_einsum(specs[i], false);
        check_einsum(specs[i], true);
    }
}

/* ---- Builds ------------------------------------------------------------------------------------------------- */

static bool exists(const char *directory_name, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory_name, name);
    return access(path, F_OK) == 0;
}

static void a_device_without_runtime_is_refused(void **state)
{
    (void)state;
    Derived c = compile_gpt(2, 2, "data_parallel(data)", "f32", "8 in 1");
    Train train = *c.train;
    char path[256];
    train.cluster.device.row = NULL;
    snprintf(path, sizeof path, "%s/device", directory);
    assert_int_equal(codegen_run(&c.ctx, &train, c.file, "{}", path, &failure), CODEGEN_REFUSED);
    assert_int_equal(diag_error_count(c.ctx.diag), 1);
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    diag_print_text(c.ctx.diag, out, false, 20);
    fclose(out);
    assert_non_null(strstr(text, "test.place:12:"));
    assert_non_null(strstr(text, "error[P0501]"));
    free(text);
    assert_false(exists(directory, "device"));
    release(&c);
}

/* A padded dim has the room of the largest piece, of whatever rank and microbatch; others have their own. */
static void rooms_do_not_change_with_the_microbatch(void **state)
{
    (void)state;
    Derived c = compile_gpt(2, 2, "data_parallel(data)", "f32", "8 in 2");
    int64_t extent;
    Dim dim = {.size = 7, .cut_count = 2, .cut = {CUT_MICRO, 0}};
    assert_false(dim_is_even(c.file->decls, &dim, &extent));
    dim.padded = true;
    assert_true(dim_is_even(c.file->decls, &dim, &extent));
    assert_int_equal(extent, 2);
    dim.halo_before = 1;
    assert_true(dim_is_even(c.file->decls, &dim, &extent));
    assert_int_equal(extent, 3);
    release(&c);
}

static const char *net_text(Arena *arena, const char *mesh, const char *strategy, const char *term, const char *batch)
{
    return arena_printf(arena,
                        "place 1\n"
                        "model net(layers = 2, width = 5) {\n"
                        "    input features : f32[batch, 6]\n"
                        "    input labels : int[batch]\n"
                        "    x = relu(linear(features, width) as first)\n"
                        "    repeat block[layers] {\n"
                        "        x = x + tanh(linear(x, width) as fc)\n"
                        "    }\n"
                        "    logits = linear(x, 5) as last\n"
                        "    loss = mean over batch of cross_entropy(logits, labels)%s\n"
                        "}\n"
                        "cluster machine { 4 devices of cpu }\n"
                        "mesh grid on machine { %s }\n"
                        "train net on grid {\n"
                        "    strategy %s\n"
                        "    optimizer sgd(rate = 0.01)\n"
                        "    data synthetic\n"
                        "    batch %s microbatches\n"
                        "    steps 3\n"
                        "}\n",
                        term, mesh, strategy, batch);
}

/* Over two axes a dim is cut over the one, then over the other, also where a communication puts it together. */
static void pieces_nest_as_in_the_layout(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Derived c =
        compile(net_text(arena, "a: 2, b: 2", "data_parallel(a) * data_parallel(b)", " where labels > 2", "2 in 1"));
    const char *text = emit(&c);
    assert_non_null(strstr(text, "prt_all_gather(ctx, CALL_all_gather_loss_mask, micro, "));
    assert_non_null(strstr(text, ".dims = {{.size = 2, .cut_count = 3, .cut = {PRT_MICRO, AXIS_a, AXIS_b}}}"));
    release(&c);
    arena_free(arena);
}

/* A number that names rows of two tables is one of the smaller, in whichever order they are looked up. */
static void inputs_stay_in_every_table(void **state)
{
    (void)state;
    static const int rows[][2] = {{11, 30}, {30, 11}};
    for (int i = 0; i < 2; i++) {
        Arena *arena = arena_new();
        Derived c = compile(
            arena_printf(arena,
                         "place 1\n"
                         "model two(context = 4) {\n"
                         "    input tokens, targets : int[batch, context]\n"
                         "    x = embedding(tokens, %d, 8) as one + embedding(tokens, %d, 8) as other\n"
                         "    loss = mean over batch, context of cross_entropy(linear(x, 40) as head, targets)\n"
                         "}\n"
                         "cluster machine { 2 devices of cpu }\n"
                         "mesh grid on machine { data: 2 }\n"
                         "train two on grid {\n"
                         "    strategy data_parallel(data)\n"
                         "    optimizer sgd(rate = 0.01)\n"
                         "    data synthetic\n"
                         "    batch 4 in 1 microbatches\n"
                         "    steps 3\n"
                         "}\n",
                         rows[i][0], rows[i][1]));
        assert_non_null(strstr(emit(&c), "{\"tokens\", PRT_I32, PRT_TOKENS, 11, 2, {4, 4}}"));
        release(&c);
        arena_free(arena);
    }
}

/* What an update uses may be in one slot for all layers: the layer is that of the gradient it was made from. */
static void every_layers_gradient_is_saved(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Derived c = compile(net_text(arena, "a: 4", "zero1(a)", "", "8 in 2"));
    const char *text = emit(&c);
    assert_non_null(strstr(text, "prt_save_gradient(ctx, GRADIENT_block, layer, at_gradient_shard_block(ctx));"));
    for (int i = 0; i < c.file->program->buffers.count; i++) /* nothing says any more what is a gradient */
        if (!strncmp(c.file->program->buffers.data[i].name, "gradient", strlen("gradient")))
            c.file->program->buffers.data[i].state = -1;
    assert_false(codegen_check(&c.ctx, c.train, c.file));
    release(&c);
    arena_free(arena);
}

/* Builds into directories whose names a shell would fall over, then again by the Makefile that was written. */
static void a_build_is_complete(void **state)
{
    (void)state;
    Derived c = compile_gpt(2, 2, "zero3(data)", "f32", "8 in 1");
    char path[256];
    snprintf(path, sizeof path, "%s/new/a\"; touch pwned; #$(touch pwned) 'x'", directory);
    assert_int_equal(codegen_run(&c.ctx, c.train, c.file, "{}", path, &failure), CODEGEN_DONE);
    static const char *const files[] = {"program.c",  "kernels.o",    "kernels.ptx",      "Makefile",
                                        "run.sh",     "job.sbatch",   "plan.json",        "program",
                                        "place_rt.h", "libplacert.a", "libplacert_mpi.so"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_true(exists(path, files[i]));
    assert_int_equal(chdir(path), 0);
    assert_int_equal(run("rm program && make -s --no-print-directory && ./program --help > help && sh -n run.sh && sh "
                         "-n job.sbatch"),
                     0);
    assert_int_equal(chdir("/"), 0);
    assert_false(exists(path, "pwned"));
    assert_false(exists(directory, "pwned"));
    assert_int_equal(run("test $(ls -A '%s/new' | wc -l) -eq 1", directory), 0);
    release(&c);
}

static void a_failed_build_changes_nothing(void **state)
{
    (void)state;
    Derived c = compile_gpt(2, 2, "zero3(data)", "f32", "8 in 1");
    char path[256];
    snprintf(path, sizeof path, "%s/kept", directory);
    assert_int_equal(mkdir(path, 0777), 0);
    write_file("kept/program.c", "mine\n");
    setenv("CC", "false", 1);
    assert_int_equal(codegen_run(&c.ctx, c.train, c.file, "{}", path, &failure), CODEGEN_FAILED);
    assert_non_null(strstr(failure, "program.c' is there and was not written by placec"));
    assert_int_equal(run("test \"$(ls -A %s)\" = program.c && test \"$(cat %s/program.c)\" = mine", path, path), 0);
    snprintf(path, sizeof path, "%s/never", directory);
    assert_int_equal(codegen_run(&c.ctx, c.train, c.file, "{}", path, &failure), CODEGEN_FAILED);
    assert_string_equal(failure, "'false' did not compile the program");
    assert_false(exists(directory, "never"));
    setenv("CC", "/nowhere/cc", 1);
    assert_int_equal(codegen_run(&c.ctx, c.train, c.file, "{}", path, &failure), CODEGEN_FAILED);
    assert_int_equal(diag_error_count(c.ctx.diag), 1); /* P0502 */
    unsetenv("CC");
    assert_int_equal(codegen_run(&c.ctx, c.train, c.file, "{}", "/proc/nothing/here", &failure), CODEGEN_FAILED);
    release(&c);
}

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    (void)state;
    return run("rm -r %s", directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emitted_c_has_no_warnings),
        cmocka_unit_test(emission_is_deterministic),
        cmocka_unit_test(size_does_not_grow),
        cmocka_unit_test(uneven_extents_are_variables),
        cmocka_unit_test(einsum_is_a_gemm),
        cmocka_unit_test(a_device_without_runtime_is_refused),
        cmocka_unit_test(rooms_do_not_change_with_the_microbatch),
        cmocka_unit_test(pieces_nest_as_in_the_layout),
        cmocka_unit_test(inputs_stay_in_every_table),
        cmocka_unit_test(every_layers_gradient_is_saved),
        cmocka_unit_test(a_build_is_complete),
        cmocka_unit_test(a_failed_build_changes_nothing),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
