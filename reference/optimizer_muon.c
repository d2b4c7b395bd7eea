/* optimizer_muon.c - Muon: momentum whose singular values are brought near 1 matrix by matrix (five steps of a quintic
 * iteration), for parameters that are multiplied with activations; AdamW for the others.
 *
 * Which dims are rows and columns follows from the product in the forward pass that uses the parameter: letters that it
 * shares with the other operand and not with the result are inputs, those it shares with the result are outputs, and
 * those that all three have count matrices side by side (experts).
 */
#include "reference/optimizer_internal.h"

#include "step/spec.h"

#include <math.h>
#include <string.h>

typedef char Letters[STEP_MAX_DIMS + 1];

typedef struct Matrix {
    Letters all, batch; /* of the parameter, as "abc" in the order of its dims; of matrices side by side */
    Letters side;       /* rows or columns: the dims of its products with itself */
    int64_t longest;    /* the larger of rows and columns */
} Matrix;

/* ---- Which dims are what ------------------------------------------------------------------------------------ */

static void add_letter(char *letters, char letter)
{
    size_t length = strlen(letters);
    letters[length] = letter;
    letters[length + 1] = '\0';
}

/* False if its products with itself would have too many dims, or it has no rows or columns. */
static bool split_letters(const Builder *b, const Op *op, int operand, int tensor, Matrix *matrix)
{
    Letters out = "", in = "";
    int64_t rows = 1, columns = 1;
    Spec spec = spec_of(op);
    SpecLetters own = spec.operand[operand], other = spec.operand[1 - operand];
    *matrix = (Matrix){.longest = 1};
    for (int i = 0; i < own.count; i++) {
        int64_t size = b->decls->tensors.data[tensor].dims[i];
        bool comes_in = spec_dim(other, own.at[i]) >= 0, goes_out = spec_dim(spec.result, own.at[i]) >= 0;
        add_letter(matrix->all, "abcdef"[i]);
        add_letter(comes_in && goes_out ? matrix->batch : goes_out ? out : in, "abcdef"[i]);
        rows *= goes_out && !comes_in ? size : 1;
        columns *= goes_out ? 1 : size;
    }
    size_t most = (STEP_MAX_DIMS - strlen(matrix->batch)) / 2;
    bool use_rows = strlen(out) <= most && (rows <= columns || strlen(in) > most);
    strcpy(matrix->side, use_rows ? out : in);
    matrix->longest = rows > columns ? rows : columns;
    return out[0] != '\0' && in[0] != '\0' && strlen(matrix->side) <= most;
}

/* The first operator of the forward pass that reads the parameter; *operand is the index of the operand. False if it is
 * used as a lookup table somewhere. */
static bool find_product(const Builder *b, const NodeList *body, int tensor, const Op **product, int *operand)
{
    bool good = true;
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        if (body->data[i]->kind != NODE_OP) {
            good &= find_product(b, &body->data[i]->body, tensor, product, operand);
            continue;
        }
        for (int j = 0; j < op->operand_count; j++) {
            const Buffer *buffer = &b->program->buffers.data[op->operand[j].buffer];
            if (buffer->state != BUILDER_STATE_PARAMETERS || buffer->tensor != tensor)
                continue;
            good &= op->kind != OP_EMBED;
            if (*product == NULL) {
                *product = op;
                *operand = j;
            }
        }
    }
    return good;
}

static bool find_matrix(const Builder *b, int tensor, Matrix *matrix)
{
    const Op *product = NULL;
    int operand;
    return find_product(b, &program_routine(b->program, ROUTINE_STEP)->body, tensor, &product, &operand) &&
           product != NULL && product->kind == OP_EINSUM && split_letters(b, product, operand, tensor, matrix);
}

int muon_rule(const Builder *b, int tensor)
{
    Matrix matrix;
    if (!find_matrix(b, tensor, &matrix))
        return MUON_OTHER;
    return matrix.batch[0] != '\0' ? MUON_MATRICES : MUON_MATRIX;
}

/* ---- The iteration ------------------------------------------------------------------------------------------ */

/* The letters, with those of `side` replaced by others, h i j ... or p q r ... */
static const char *primed(const Builder *b, const char *letters, const char *side, char first)
{
    char *copy = arena_copy(b->ctx->arena, letters, strlen(letters));
    for (char *at = copy; *at != '\0'; at++)
        if (strchr(side, *at) != NULL)
            *at = (char)(*at - 'a' + first);
    return copy;
}

/* A temporary with one dim per letter; primed letters have the size of the original ones. */
static Ref temporary(Builder *b, const char *name, int tensor, const char *letters)
{
    int64_t dims[STEP_MAX_DIMS];
    int count = (int)strlen(letters);
    for (int i = 0; i < count; i++)
        dims[i] = b->decls->tensors.data[tensor].dims[letters[i] >= 'h' ? letters[i] - 'h' : letters[i] - 'a'];
    return builder_temporary(b, name, builder_statistics_dtype(b->decls), count, dims);
}

static Ref mix(Builder *b, const char *name, int tensor, const char *letters, Ref x, Ref y, const double *factors)
{
    Ref to = temporary(b, name, tensor, letters);
    builder_op_with(b, OP_MIX, arena_printf(b->ctx->arena, "%s,%s->%s", letters, letters, letters), to, (Ref[]){x, y},
                    factors);
    return to;
}

/* 3.4445 x + p x, with p = -4.775 g + 2.0315 g g and g = x x, over the shorter side. */
static Ref iterate(Builder *b, const Matrix *m, int tensor, Ref x)
{
    const char *prime = primed(b, m->side, m->side, 'h'), *second = primed(b, m->side, m->side, 'p');
    const char *other = primed(b, m->all, m->side, 'h');
    const char *square = arena_printf(b->ctx->arena, "%s%s%s", m->batch, m->side, prime);
    Ref gram = temporary(b, "gram", tensor, square), gram_square = temporary(b, "gram_square", tensor, square);
    builder_op(b, OP_EINSUM, arena_printf(b->ctx->arena, "%s,%s->%s", m->all, other, square), gram, (Ref[]){x, x});
    builder_op(
        b, OP_EINSUM,
        arena_printf(b->ctx->arena, "%s,%s%s%s->%s%s%s", square, m->batch, prime, second, m->batch, m->side, second),
        gram_square, (Ref[]){gram, gram});
    Ref polynomial = mix(b, "polynomial", tensor, square, gram, gram_square, (double[]){-4.775, 2.0315});
    Ref product = temporary(b, "polynomial_product", tensor, m->all);
    builder_op(b, OP_EINSUM, arena_printf(b->ctx->arena, "%s,%s->%s", square, other, m->all), product,
               (Ref[]){polynomial, x});
    return mix(b, "orthogonal", tensor, m->all, x, product, (double[]){3.4445, 1});
}

/* Divides by its norm, so that no singular value exceeds 1. */
static Ref normalise(Builder *b, const Matrix *m, int tensor, Ref direction)
{
    Ref squares = temporary(b, "direction_squares", tensor, m->batch),
        inverse = temporary(b, "inverse_norm", tensor, m->batch);
    Ref x = temporary(b, "unit_direction", tensor, m->all);
    builder_op(b, OP_SUM_SQUARES, arena_printf(b->ctx->arena, "%s->%s", m->all, m->batch), squares, &direction);
    builder_op(b, OP_INVERSE_NORM, arena_printf(b->ctx->arena, "%s->%s", m->batch, m->batch), inverse, &squares);
    builder_op(b, OP_MUL, arena_printf(b->ctx->arena, "%s,%s->%s", m->all, m->batch, m->all), x,
               (Ref[]){direction, inverse});
    return x;
}

/* An orthogonal update is scaled to the norm of a typical AdamW update, so that both can use the same rate. */
static void update_matrix(Builder *b, const Update *update, const Matrix *m, int tensor)
{
    enum { ITERATIONS = 5 };
    const double *argument = update->optimizer->argument;
    Ref weight = builder_state_ref(b, update->updated_state, tensor);
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor);
    Ref velocity = optimizer_state(b, update, MUON_MOMENTUM, tensor);
    Ref direction = builder_like(b, "direction", velocity), length = temporary(b, "length", tensor, "");
    optimizer_emit(b, OP_MOMENTUM, velocity, 0, (Ref[]){velocity, gradient}, &argument[ARGUMENT_SPEED], tensor);
    optimizer_emit(b, OP_DECAY_GRADIENT, direction, 0, (Ref[]){gradient, velocity}, &argument[ARGUMENT_SPEED], tensor);
    Ref x = normalise(b, m, tensor, direction);
    for (int i = 0; i < ITERATIONS; i++)
        x = iterate(b, m, tensor, x);
    builder_fill(b, length, 0.2 * sqrt((double)m->longest))->tensor = tensor;
    Ref scaled = temporary(b, "orthogonal", tensor, m->all);
    builder_op(b, OP_MUL, arena_printf(b->ctx->arena, "%s,->%s", m->all, m->all), scaled, (Ref[]){x, length});
    optimizer_emit(b, OP_DECAYED_SGD, weight, 1 << 2, (Ref[]){weight, scaled, update->rate}, &argument[ARGUMENT_DECAY],
                   tensor);
}

void muon_update(Builder *b, const Update *update, int tensor)
{
    Matrix matrix;
    if (find_matrix(b, tensor, &matrix))
        update_matrix(b, update, &matrix, tensor);
    else
        optimizer_update_with_means(b, update, MUON_MEANS, tensor, update->optimizer->argument[ARGUMENT_DECAY]);
}
