/* Operators on pieces: the statements emitted for one operator, run on every rank, against what the operator means for
 * the logical elements that this rank has. Every array is written as its dims: "6/t,4" is a 6 that axis t cuts, then a
 * 4; "6{4,2}/t" is fused, "5/t~" padded, and a leading ':' makes the array a member of a unit.
 */
#include "codegen/codegen.h"
#include "codegen/emit.h"
#include "runtime/place_rt.h"

#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ARRAYS = 3, MAX_SIZE = 16, MAX_LOCAL = 4096, GUARD = 16, AXES = 2 };

/* ---- Cases -------------------------------------------------------------------------------------------------- */

typedef struct Case {
    OpKind op;
    const char *spec, *array[ARRAYS]; /* operands, then the result */
    double immediate;
    bool accumulate, integers; /* integers: operand a consists of whole numbers */
    int over;                  /* einsum: 1 + the axis whose pieces take part one at a time */
} Case;

/* Axes t of 3 and s of 2 ranks. */
static const Case cases[] = {
    {.op = OP_EINSUM, .spec = "bth,oh->bto", .array = {"2,3,4", ":7/t,4", "2,3,7/t"}},
    {.op = OP_EINSUM, .spec = "bto,oh->bth", .array = {"2,3,7/t", ":7/t,4", "2,3,4"}},
    {.op = OP_EINSUM, .spec = "bto,bth->oh", .array = {"2,3,7/t", "2,3,4", ":7/t,4"}, .accumulate = true},
    {.op = OP_EINSUM, .spec = "bth,ndh->btnd", .array = {"2,3/s,4", ":5/t,2,4", "2,3/s,5/t,2"}},
    {.op = OP_EINSUM, .spec = "btnd,hnd->bth", .array = {"2,3,5/t,2", ":4,5/t,2", "2,3,4"}},
    {.op = OP_EINSUM, .spec = "bth,oh->bto", .array = {"2,3,4", ":6{4,2}/s,4", "2,3,6{4,2}/s"}},
    {.op = OP_EINSUM, .spec = "bth,oh->bto", .array = {"2,3,4", ":8{5,3}/t,4", "2,3,8{5,3}/t"}},
    {.op = OP_EINSUM, .spec = "abc,cd->abd", .array = {"2/s,5/t/s,3", "3,4/t", "2/s,5/t/s,4/t"}},
    {.op = OP_ADD, .spec = "bto,o->bto", .array = {"2,3,7/t", ":7/t", "2,3,7/t"}},
    {.op = OP_MUL, .spec = "bto,o->bto", .array = {"2,7/t,5/s", "5/s", "2,7/t,5/s"}, .accumulate = true},
    {.op = OP_REDUCE, .spec = "bto->o", .array = {"2,3/s,7/t", NULL, ":7/t"}, .accumulate = true},
    {.op = OP_COPY, .spec = "abc->abc", .array = {"2,7/t,3", NULL, "2,7/t~,3"}},
    {.op = OP_COPY, .spec = "abc->abc", .array = {"2,7/t~,3", NULL, "2,7/t,3"}},
    {.op = OP_COPY, .spec = "abc->abc", .array = {"2,7/t~,3", NULL, "2,7/t~,3"}},
    {.op = OP_COPY, .spec = "abc->abc", .array = {"2,6/t,3", NULL, "2,6/t~,3"}},
    {.op = OP_COPY, .spec = "ab->ab", .array = {"7/t,3/s", NULL, "7/t~,3/s~"}},
    {.op = OP_COPY, .spec = "abc->cab", .array = {"2,7/t~,3", NULL, "3,2,7/t"}},
    {.op = OP_FILL, .spec = "ab", .array = {NULL, NULL, "7/t~,3"}, .immediate = 0},
    {.op = OP_FILL, .spec = "ab", .array = {NULL, NULL, "8{5,3}/t,3"}, .immediate = 2.5},
    {.op = OP_EMBED, .spec = "bt,vh->bth", .array = {"3,4", ":7/t,3", "3,4,3"}, .integers = true},
    {.op = OP_EMBED, .spec = "bt,vh->bth", .array = {"3/s,4", "2/t,3", "3/s,4,3"}, .integers = true},
    {.op = OP_EMBED,
     .spec = "bt,vh->bth",
     .array = {"3,4", "7/t/s,5/t", "3,4,5/t"},
     .integers = true,
     .accumulate = true},
    {.op = OP_EMBED_BWD,
     .spec = "bt,bth->vh",
     .array = {"3,4", "3,4,3", ":7/t,3"},
     .integers = true,
     .accumulate = true},
    {.op = OP_EMBED_BWD, .spec = "bt,bth->vh", .array = {"3,4/s", "3,4/s,3", "2/t,3"}, .integers = true},
    {.op = OP_VIEW, .spec = "nchw->nk", .array = {"2,4/s,3,2", NULL, "2,24/s"}},
    {.op = OP_VIEW, .spec = "abc->ad", .array = {"2/s,3,2", NULL, "2/s,6"}, .accumulate = true},
    {.op = OP_SEGMENT, .spec = "btf->bto", .array = {"2,3,9{4,3,2}/t", NULL, "2,3,3/t"}, .immediate = 4},
    {.op = OP_SEGMENT,
     .spec = "bft->bot",
     .array = {"2,9{4,3,2}/t,3", NULL, "2,2/t,3"},
     .immediate = 7,
     .accumulate = true},
    {.op = OP_SEGMENT, .spec = "bft->bot", .array = {"2,9{4,3,2}/s,3", NULL, "2,4/s,3"}, .immediate = 0},
    {.op = OP_SEGMENT, .spec = "fh->oh", .array = {":9,4", NULL, "3,4"}, .immediate = 4},
    {.op = OP_SEGMENT_BWD, .spec = "bto->btf", .array = {"2,3,3/t", NULL, "2,3,9{4,3,2}/t"}, .immediate = 4},
    {.op = OP_SEGMENT_BWD,
     .spec = "bot->bft",
     .array = {"2,4/t,3", NULL, "2,9{4,3,2}/t,3"},
     .immediate = 0,
     .accumulate = true},
    {.op = OP_SEGMENT_BWD, .spec = "oh->fh", .array = {"3,4", NULL, ":9,4"}, .immediate = 4, .accumulate = true},
    {.op = OP_PLACE_SEGMENT,
     .spec = "bft,bot->bft",
     .array = {"2,9{4,3,2}/t,3", "2,2/t,3", "2,9{4,3,2}/t,3"},
     .immediate = 7},
    {.op = OP_EINSUM,
     .spec = "btnd,bsnd->bnts",
     .array = {"2,7/t,2,3", "2,7/t~,2,3", "2,2,7/t,7"},
     .over = 1,
     .accumulate = true},
    {.op = OP_EINSUM, .spec = "btnd,bsnd->bnts", .array = {"2,7/t,2,3", "2,7/t~,2,3", "2,2,7/t,7"}, .over = 1},
    {.op = OP_EINSUM, .spec = "btnd,bsnd->bnts", .array = {"2,6/t,2,3", "2,6/t,2,3", "2,2,6/t,6"}, .over = 1},
    {.op = OP_EINSUM,
     .spec = "bnts,bsnd->btnd",
     .array = {"2,2,7/t,7", "2,7/t~,2,3", "2,7/t,2,3"},
     .over = 1,
     .accumulate = true},
    {.op = OP_EINSUM, .spec = "bnts,bsnd->btnd", .array = {"2,2,7/t,7", "2,7/t~,2,3", "2,7/t,2,3"}, .over = 1},
    {.op = OP_EINSUM,
     .spec = "bnts,btnd->bsnd",
     .array = {"2,2,7/t,7", "2,7/t,2,3", "2,7/t~,2,3"},
     .over = 1,
     .accumulate = true},
    {.op = OP_EINSUM, .spec = "bnts,btnd->bsnd", .array = {"2,2,7/t,7", "2,7/t,2,3", "2,7/t~,2,3"}, .over = 1},
    {.op = OP_EINSUM,
     .spec = "btnd,bsnd->bnts",
     .array = {"2,5/s/t,2,3", "2,5/s/t~,2,3", "2,2,5/s/t,5/s"},
     .over = 1,
     .accumulate = true},
};

/* ---- Arrays ------------------------------------------------------------------------------------------------- */

typedef struct Array {
    bool member;
    int dim_count;
    Dim dims[STEP_MAX_DIMS];
    char letter[STEP_MAX_DIMS];
    int first[STEP_MAX_DIMS]; /* where its elements are among the letter's: a segment within a fused dim */
    int list_count[STEP_MAX_DIMS], list[STEP_MAX_DIMS][MAX_SIZE]; /* logical indices on this rank; -1: padding */
    double logical[MAX_LOCAL];
} Array;

static const char axis_names[] = "ts";
static const int64_t axis_sizes[AXES] = {3, 2};

static Segments *read_segments(Arena *arena, const char **at)
{
    Segments *segments = arena_make(arena, Segments);
    while (**at != '}')
        segments->size[segments->count++] = strtol(*at + 1, (char **)at, 10);
    ++*at;
    return segments;
}

static void read_array(Arena *arena, const char *text, Array *array)
{
    array->member = *text == ':';
    for (const char *at = text + array->member; *at != '\0'; at += *at == ',') {
        Dim *dim = &array->dims[array->dim_count++];
        dim->size = strtol(at, (char **)&at, 10);
        if (*at == '{')
            dim->segments = read_segments(arena, &at);
        for (; *at == '/'; at += 2)
            dim->cut[dim->cut_count++] = (int8_t)(strchr(axis_names, at[1]) - axis_names);
        dim->padded = *at == '~';
        at += dim->padded;
    }
}

static Ref add_array(Arena *arena, Decls *decls, Program *program, const Array *array, DType dtype)
{
    Buffer buffer = {.name = "x", .dtype = dtype, .slots = 1, .dim_count = array->dim_count, .unit = -1};
    memcpy(buffer.dims, array->dims, sizeof buffer.dims);
    Ref ref = {.buffer = program->buffers.count, .member = -1};
    if (array->member) {
        Tensor tensor = {.name = "w", .dim_count = array->dim_count, .group = -1};
        for (int i = 0; i < array->dim_count; i++)
            tensor.dims[i] = array->dims[i].size;
        Tensor other = {.name = "other", .dim_count = 1, .dims = {GUARD}, .group = -1};
        ref.member = decls->tensors.count + 1;
        Unit unit = {.name = "unit", .group = -1, .member_count = 2, .members = arena_array(arena, int, 2)};
        unit.members[0] = decls->tensors.count, unit.members[1] = ref.member;
        vec_push(arena, &decls->tensors, other);
        vec_push(arena, &decls->tensors, tensor);
        unit.offsets = arena_array(arena, int64_t, 2);
        unit.member_dims = arena_array(arena, Dim, 2 * STEP_MAX_DIMS);
        unit.member_dims[0].size = GUARD;
        memcpy(&unit.member_dims[STEP_MAX_DIMS], array->dims, sizeof array->dims);
        unit_lay_out(decls, &unit);
        buffer.layout = LAYOUT_UNIT;
        buffer.unit = decls->units.count;
        vec_push(arena, &decls->units, unit);
    }
    vec_push(arena, &program->buffers, buffer);
    return ref;
}

/* ---- What a rank has: lists of indices, divided cut by cut ---------------------------------------------------- */

static int divide(int *list, int count, int64_t parts, int64_t index)
{
    int start = 0, longer = count % (int)parts;
    for (int i = 0; i < index; i++)
        start += count / (int)parts + (i < longer);
    int extent = count / (int)parts + (index < longer);
    memmove(list, list + start, sizeof *list * (size_t)extent);
    return extent;
}

static int list_segment(const Dim *dim, int first, int size, const int64_t *coordinates, int *list)
{
    int count = size;
    for (int i = 0; i < size; i++)
        list[i] = first + i;
    for (int i = 0; i < dim->cut_count; i++)
        count = divide(list, count, axis_sizes[dim->cut[i]], coordinates[dim->cut[i]]);
    return count;
}

static int list_dim(const Dim *dim, const int64_t *coordinates, int *list)
{
    static const int64_t origin[AXES] = {0};
    int count = 0, first = 0, room[MAX_SIZE];
    if (dim->segments == NULL || dim->cut_count == 0)
        count = list_segment(dim, 0, (int)dim->size, coordinates, list);
    for (int i = 0; dim->cut_count > 0 && dim->segments != NULL && i < dim->segments->count; i++) {
        count += list_segment(dim, first, (int)dim->segments->size[i], coordinates, list + count);
        first += (int)dim->segments->size[i];
    }
    for (int wanted = dim->padded ? list_segment(dim, 0, (int)dim->size, origin, room) : 0; count < wanted;)
        list[count++] = -1;
    return count;
}

static int local_elements(const Array *array)
{
    int elements = 1;
    for (int i = 0; i < array->dim_count; i++)
        elements *= array->list_count[i];
    return elements;
}

/* The index in the logical array of local element `at`; -1 in padding. */
static int logical_index(const Array *array, int at)
{
    int index[STEP_MAX_DIMS], flat = 0;
    for (int i = array->dim_count - 1; i >= 0; i--) {
        index[i] = array->list[i][at % array->list_count[i]];
        at /= array->list_count[i];
    }
    for (int i = 0; i < array->dim_count; i++) {
        if (index[i] < 0)
            return -1;
        flat = flat * (int)array->dims[i].size + index[i];
    }
    return flat;
}

/* ---- Meaning ------------------------------------------------------------------------------------------------ */

typedef struct Meaning {
    const Case *c;
    Array *array; /* ARRAYS */
    int letter_count;
    char letter[STEP_MAX_DIMS * ARRAYS];
    bool there[STEP_MAX_DIMS * ARRAYS][MAX_SIZE]; /* which indices of a letter take part on this rank */
    int index[STEP_MAX_DIMS * ARRAYS];
    double expected[MAX_LOCAL];
} Meaning;

static int letter_at(Meaning *m, char letter)
{
    for (int i = 0; i < m->letter_count; i++)
        if (m->letter[i] == letter)
            return i;
    for (int i = 0; i < MAX_SIZE; i++)
        m->there[m->letter_count][i] = true;
    m->letter[m->letter_count] = letter;
    return m->letter_count++;
}

/* What takes part is what all arrays have. */
static void find_indices(Meaning *m)
{
    m->letter_count = 0;
    for (int i = 0; i < ARRAYS; i++)
        for (int d = 0; d < m->array[i].dim_count; d++) {
            bool has[MAX_SIZE] = {false};
            int at = letter_at(m, m->array[i].letter[d]);
            for (int l = 0; l < m->array[i].list_count[d]; l++) {
                int own = m->array[i].list[d][l] - m->array[i].first[d];
                if (m->array[i].list[d][l] >= 0 && own >= 0 && own < MAX_SIZE)
                    has[own] = true;
            }
            for (int l = 0; l < MAX_SIZE; l++)
                m->there[at][l] = m->there[at][l] && has[l];
        }
}

static double *element(Meaning *m, int which, double *values)
{
    const Array *array = &m->array[which];
    int flat = 0;
    for (int d = 0; d < array->dim_count; d++)
        flat = flat * (int)array->dims[d].size + m->index[letter_at(m, array->letter[d])] + array->first[d];
    return &values[flat];
}

static bool is_summed(const Case *c)
{
    return c->op == OP_EINSUM || c->op == OP_REDUCE;
}

static void one_element(Meaning *m)
{
    double a = m->array[0].dim_count > 0 ? *element(m, 0, m->array[0].logical) : 0;
    double b = m->array[1].dim_count > 0 ? *element(m, 1, m->array[1].logical) : 0;
    double y = m->c->op == OP_ADD                            ? a + b
               : m->c->op == OP_MUL || m->c->op == OP_EINSUM ? a * b
               : m->c->op == OP_FILL                         ? m->c->immediate
               : m->c->op == OP_PLACE_SEGMENT                ? b
                                                             : a;
    double *out = element(m, 2, m->expected);
    *out = is_summed(m->c) || m->c->accumulate ? *out + y : y;
}

static void all_elements(Meaning *m)
{
    find_indices(m);
    memset(m->index, 0, sizeof m->index);
    for (int d = 0; d < m->letter_count;) {
        bool good = true;
        for (int i = 0; i < m->letter_count; i++)
            good = good && m->there[i][m->index[i]];
        if (good)
            one_element(m);
        for (d = 0; d < m->letter_count && ++m->index[d] == MAX_SIZE; d++)
            m->index[d] = 0;
    }
}

/* Rows of the table, which some ranks have: letters b t v h. */
static void look_up(Meaning *m)
{
    bool forward = m->c->op == OP_EMBED;
    Array *table = &m->array[forward ? 1 : 2], *rows = &m->array[forward ? 2 : 1], *indices = &m->array[0];
    int width = (int)table->dims[1].size, count = (int)(indices->dims[0].size * indices->dims[1].size);
    bool has[MAX_SIZE] = {false};
    for (int i = 0; i < table->list_count[0]; i++)
        has[table->list[0][i]] = true;
    for (int local = 0; local < local_elements(indices); local++) {
        int at = logical_index(indices, local), row = (int)indices->logical[at];
        assert_true(at < count);
        for (int h = 0; h < width; h++) {
            double found = row >= table->dims[0].size ? NAN : has[row] ? table->logical[row * width + h] : 0;
            if (forward && m->c->accumulate)
                m->expected[at * width + h] += found;
            else if (forward)
                m->expected[at * width + h] = found;
            else if (row < table->dims[0].size)
                m->expected[row * width + h] += rows->logical[at * width + h];
        }
    }
}

static void mean(Meaning *m)
{
    const Array *out = &m->array[2];
    bool keeps = m->c->accumulate, same = m->c->op == OP_VIEW;
    for (int i = 0; i < MAX_LOCAL; i++)
        m->expected[i] = (keeps ? out->logical[i] : 0) + (same ? m->array[0].logical[i] : 0);
    if (m->c->op == OP_PLACE_SEGMENT)
        memcpy(m->expected, m->array[0].logical, sizeof m->expected);
    if (m->c->op == OP_EMBED || m->c->op == OP_EMBED_BWD)
        look_up(m);
    else if (!same)
        all_elements(m);
}

/* ---- Emission ----------------------------------------------------------------------------------------------- */

enum { CASES = sizeof cases / sizeof *cases };

typedef struct Emitted {
    Array array[ARRAYS];
    Op op;
} Emitted;

static Decls decls_of(Arena *arena)
{
    static const char *const names[AXES] = {"t", "s"};
    Decls decls = {.micro = 1};
    for (int i = 0; i < AXES; i++)
        vec_push(arena, &decls.axes, (Axis){.name = names[i], .size = axis_sizes[i]});
    return decls;
}

/* The letters of every array; a fused dim gets that of its segment. */
static void give_letters(const Case *c, Array *array)
{
    const char *at = c->spec;
    int operands = op_info[c->op].operands;
    for (int i = 0; i <= operands; i++) {
        Array *own = &array[i == operands ? 2 : i];
        for (int d = 0; *at >= 'a' && *at <= 'z'; d++, at++) {
            own->letter[d] = *at;
            if (*at == 'f' && op_info[c->op].op_class == CLASS_VIEW) {
                own->letter[d] = 'o';
                own->first[d] = (int)c->immediate;
            }
        }
        at += *at == ',' ? 1 : *at == '-' ? 2 : 0;
    }
}

static void make_case(Arena *arena, Decls *decls, Program *program, const Case *c, Emitted *made)
{
    made->op = op_blank(c->op, (Ref){0}, (Span){0});
    made->op.spec = c->spec;
    made->op.operand_count = op_info[c->op].operands;
    made->op.accumulate = c->accumulate;
    made->op.immediate[made->op.immediate_count++] = c->immediate;
    if (c->over > 0) {
        made->op.axes = (AxisSet){1, {(int8_t)(c->over - 1)}};
        made->op.piece = affine_loop(0, 1, 0);
    }
    for (int i = 0; i < ARRAYS; i++) {
        if (c->array[i] == NULL)
            continue;
        read_array(arena, c->array[i], &made->array[i]);
        DType dtype = i == 0 && c->integers ? DTYPE_I32 : DTYPE_F64;
        *(i == 2 ? &made->op.out : &made->op.operand[i]) = add_array(arena, decls, program, &made->array[i], dtype);
    }
    give_letters(c, made->array);
}

/* Where a buffer is in the arena, in elements, with guards around it. */
static int place_of(int buffer)
{
    return GUARD + buffer * (MAX_LOCAL / 8);
}

/* As place_rt.h says it. */
static const char plain_gemm[] =
    "void prt_gemm(prt_context *ctx, int stream, prt_dtype dtype, const prt_gemm_shape *s, const void *va, const void "
    "*vb, int "
    "beta,\n"
    "              void *vc)\n"
    "{\n"
    "    int64_t count = 1;\n"
    "    for (int d = 0; d < s->batch_dims; d++)\n"
    "        count *= s->batch[d];\n"
    "    for (int64_t flat = 0; flat < count; flat++) {\n"
    "        const double *a = va, *b = vb;\n"
    "        double *c = vc;\n"
    "        int adds = beta;\n"
    "        int64_t rest = flat;\n"
    "        for (int d = s->batch_dims - 1; d >= 0; rest /= s->batch[d--]) {\n"
    "            int64_t at = rest % s->batch[d];\n"
    "            a += at * s->a_batch[d], b += at * s->b_batch[d], c += at * s->c_batch[d];\n"
    "            adds |= at > 0 && s->c_batch[d] == 0;\n"
    "        }\n"
    "        for (int64_t i = 0; i < s->m; i++)\n"
    "            for (int64_t j = 0; j < s->n; j++) {\n"
    "                double sum = adds ? c[i * s->c_row + j * s->c_column] : 0;\n"
    "                for (int64_t p = 0; p < s->k; p++)\n"
    "                    sum += a[i * s->a_row + p * s->a_column] * b[p * s->b_row + j * s->b_column];\n"
    "                c[i * s->c_row + j * s->c_column] = sum;\n"
    "            }\n"
    "    }\n"
    "    (void)ctx, (void)stream, (void)dtype;\n"
    "}\n";

/* As place_rt.h says it, in two pieces. */
static const char plain_launch[] =
    "void prt_launch(prt_context *ctx, int kernel, int stream, const prt_arguments *arguments)\n"
    "{\n"
    "    const char *split = kernels[kernel].split;\n"
    "    int64_t end = split[0] != 0 ? arguments->extents[split[0] - 'i'] : 1, middle = split[0] != 0 ? end / 2 : 0;\n"
    "    kernels[kernel].host(arguments, middle, end);\n"
    "    if (middle > 0)\n"
    "        kernels[kernel].host(arguments, 0, middle);\n"
    "    (void)ctx, (void)stream;\n"
    "}\n";

static void write_kernels(Emit *e, FILE *file)
{
    CWriter tables = cw_new(e->arena, 0);
    const char **names = arena_array(e->arena, const char *, e->kernels.specs.count);
    int count = emit_kernel_names(e, names);
    emit_kernel_prototypes(e, &tables);
    for (int i = 0; i < count; i++)
        cw_line(&tables, "enum { %s = %d };", names[i], i);
    emit_kernel_table(e, &tables);
    fputs(tables.text.data, file);
    fputs(plain_launch, file);
}

static void write_program(Emit *e, Emitted *made, FILE *file)
{
    fputs("#include \"place_rt.h\"\nenum { AXIS_t, AXIS_s };\n", file);
    fputs(plain_gemm, file);
    CWriter body = cw_new(e->arena, 0);
    for (int i = 0; i < CASES; i++) {
        Node node = {.kind = NODE_OP, .op = &made[i].op}, *nodes[] = {&node};
        NodeList list = {.data = nodes, .count = 1};
        e->out = &body;
        e->source = -1;
        cw_open_function(&body, arena_printf(e->arena, "void case_%d(prt_context *ctx, int64_t step)", i));
        cw_line(&body, "(void)step;");
        emit_scope_body(e, &list, (EmitScope){.loop = -1});
        cw_close(&body, "");
    }
    write_kernels(e, file);
    for (int i = 0; i < e->sources.count; i++)
        fprintf(file, "enum { %s = %d };\n", e->sources.data[i].name, i);
    for (int u = 0; u < e->decls->units.count; u++)
        for (int t = 0; t < e->decls->tensors.count; t++) {
            const char *name = e->member[u * e->decls->tensors.count + t];
            if (name != NULL)
                fprintf(file, "enum { %s = %d };\n", name, (int)unit_offset(&e->decls->units.data[u], t));
        }
    for (int i = 0; i < e->program->buffers.count; i++)
        fprintf(file, "static inline %s *%s(prt_context *ctx) { return (void *)((double *)ctx->arena[0] + %d); }\n",
                emit_c_type(e->program->buffers.data[i].dtype), e->accessor[i], place_of(i));
    fputs(body.text.data, file);
}

static char directory[] = "/tmp/place-pieces-XXXXXX";

static void write_object(Emit *e)
{
    CodegenPaths paths;
    assert_null(codegen_find_paths(e->arena, &paths));
    const char *error = "";
    KernelCache cache;
    const KernelCode *objects = NULL;
    if (kernel_cache_open(e->arena, &cache, &error))
        objects = kernels_compile(&e->kernels, paths.llvm_library, LLVM_HOST_OBJECT, &cache, &error);
    if (objects == NULL)
        fail_msg("%s", error);
    for (int i = 0; i < kernels_code_count(&e->kernels); i++) {
        FILE *file = fopen(arena_printf(e->arena, "%s/kernel-%d.o", directory, i), "wb");
        assert_int_equal(fwrite(objects[i].bytes, 1, objects[i].length, file), objects[i].length);
        assert_int_equal(fclose(file), 0);
    }
    const char *command = arena_printf(e->arena,
                                       "cd %s && cc -std=c11 -Wall -Wextra -Werror -fPIC -shared -I'%s' -o cases.so "
                                       "cases.c kernel-*.o",
                                       directory, paths.include);
    assert_int_equal(system(command), 0);
}

static void *build(Arena *arena, Emitted *made)
{
    Ctx ctx = {.arena = arena};
    Decls *decls = arena_make(arena, Decls);
    Program *program = arena_make(arena, Program);
    *decls = decls_of(arena);
    program->decls = decls;
    for (int i = 0; i < CASES; i++)
        make_case(arena, decls, program, &cases[i], &made[i]);
    Emit e = {.ctx = &ctx,
              .arena = arena,
              .train = arena_make(arena, Train),
              .program = program,
              .decls = decls,
              .kernels = {.arena = arena},
              .names = {.arena = arena}};
    e.accessor = arena_array(arena, const char *, program->buffers.count);
    e.member = arena_array(arena, const char *, decls->units.count * decls->tensors.count);
    e.axis = (const char *[]){"AXIS_t", "AXIS_s"};
    e.variable = (const char *[]){"step"};
    FILE *file = fopen(arena_printf(arena, "%s/cases.c", directory), "w");
    assert_non_null(file);
    write_program(&e, made, file);
    assert_int_equal(fclose(file), 0);
    write_object(&e);
    void *handle = dlopen(arena_printf(arena, "%s/cases.so", directory), RTLD_NOW);
    if (handle == NULL)
        fail_msg("%s", dlerror());
    return handle;
}

/* ---- Runs --------------------------------------------------------------------------------------------------- */

typedef void Run(prt_context *ctx, int64_t step);

/* Whole numbers, so that every sum is exact. Indices: some name no row. */
static void draw(const Case *c, Array *array)
{
    static uint64_t state = 88172645463325252u;
    for (int i = 0; i < ARRAYS; i++)
        for (int e = 0; e < MAX_LOCAL; e++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            double x = (double)(state >> 60) - 8;
            array[i].logical[e] = i == 0 && c->integers ? fabs(x) : x;
        }
}

/* What a visiting array holds is the piece of another rank. */
static bool visits(const Case *c, const Array *array)
{
    for (int d = 0; d < array->dim_count && c->over > 0; d++)
        if (array->dims[d].cut_count > 0 && array->dims[d].cut[array->dims[d].cut_count - 1] == c->over - 1 &&
            array->letter[d] == 's')
            return true;
    return false;
}

static char *address_of(const Emitted *made, double *memory, int which)
{
    const Ref *ref = which == 2 ? &made->op.out : &made->op.operand[which];
    return (char *)(memory + place_of(ref->buffer) + (made->array[which].member ? GUARD : 0));
}

static double read_element(const char *at, int i, bool integers)
{
    double x;
    if (integers)
        return ((const int32_t *)(const void *)at)[i];
    memcpy(&x, at + i * (int)sizeof x, sizeof x);
    return x;
}

static void write_element(char *at, int i, bool integers, double x)
{
    if (integers)
        ((int32_t *)(void *)at)[i] = (int32_t)x;
    else
        memcpy(at + i * (int)sizeof x, &x, sizeof x);
}

/* Runs a case on one rank, in a step of a ring. */
static void run_case(const Case *c, Emitted *made, Run *run, const int64_t *coordinates, int64_t step)
{
    static double memory[GUARD + (CASES * ARRAYS + 1) * (MAX_LOCAL / 8)], before[sizeof memory / sizeof *memory];
    static Meaning meaning;
    prt_context ctx = {.arena = {(unsigned char *)memory}, .coordinate = {coordinates[0], coordinates[1]}};
    draw(c, made->array);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        memory[i] = 1e30 + (double)i * 1e20;
    for (int i = 0; i < ARRAYS; i++) {
        int64_t there[AXES] = {coordinates[0], coordinates[1]};
        if (visits(c, &made->array[i]))
            there[c->over - 1] = step;
        for (int d = 0; d < made->array[i].dim_count; d++)
            made->array[i].list_count[d] = list_dim(&made->array[i].dims[d], there, made->array[i].list[d]);
        char *at = address_of(made, memory, i);
        for (int e = 0; c->array[i] != NULL && e < local_elements(&made->array[i]); e++) {
            int logical = logical_index(&made->array[i], e);
            write_element(at, e, i == 0 && c->integers, logical < 0 ? 0 : made->array[i].logical[logical]);
        }
    }
    memcpy(before, memory, sizeof memory);
    run(&ctx, step);
    meaning.c = c;
    meaning.array = made->array;
    mean(&meaning);
    char *out = address_of(made, memory, 2), *was = address_of(made, before, 2);
    for (int e = 0; e < local_elements(&made->array[2]); e++) {
        int logical = logical_index(&made->array[2], e);
        double wanted = logical < 0 ? 0 : meaning.expected[logical], got = read_element(out, e, false);
        if (got != wanted && !(isnan(got) && isnan(wanted)))
            fail_msg("%s \"%s\" (%s, %s -> %s)%s on rank (%d, %d), step %d, element %d: %g, not %g",
                     op_info[c->op].name, c->spec, c->array[0], c->array[1], c->array[2], c->accumulate ? " +=" : "",
                     (int)coordinates[0], (int)coordinates[1], (int)step, e, got, wanted);
        write_element(out, e, false, read_element(was, e, false));
    }
    if (memcmp(before, memory, sizeof memory) != 0)
        fail_msg("%s \"%s\" (%s, %s -> %s) on rank (%d, %d), step %d writes outside its result", op_info[c->op].name,
                 c->spec, c->array[0], c->array[1], c->array[2], (int)coordinates[0], (int)coordinates[1], (int)step);
}

static void operators_work_on_pieces(void **state)
{
    (void)state;
    static Emitted made[CASES];
    Arena *arena = arena_new();
    void *handle = build(arena, made);
    for (int i = 0; i < CASES; i++) {
        void *symbol = dlsym(handle, arena_printf(arena, "case_%d", i));
        Run *run;
        memcpy(&run, &symbol, sizeof run);
        int64_t at[AXES];
        for (at[0] = 0; at[0] < axis_sizes[0]; at[0]++)
            for (at[1] = 0; at[1] < axis_sizes[1]; at[1]++)
                for (int64_t step = 0; step < (cases[i].over > 0 ? axis_sizes[cases[i].over - 1] : 1); step++)
                    run_case(&cases[i], &made[i], run, at, step);
    }
    dlclose(handle);
    arena_free(arena);
}

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_work_on_pieces),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
