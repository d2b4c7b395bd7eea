/* model_dropout.c - dropout: a random mask, and the product with it.
 *
 * An element of a mask depends on the train's seed, the mask's name, the step, the layer and the element's indices in
 * the logical tensor, and on nothing else: each of these is an operand or an immediate, so the piece of a mask that a
 * rank or a microbatch has is that piece of the single-device mask. A contract may have a dim drawn in pieces: its
 * index is then replaced by a number computed from the piece's number and the index in the piece. Evaluation and
 * prediction drop nothing.
 */
#include "reference/model_call.h"

#include "base/random.h"
#include <string.h>

enum { MASK_STEP, MASK_LAYER, MASK_FIRST_DIM, MASK_MAX_DIMS = STEP_MAX_OPERANDS - MASK_FIRST_DIM };

/* A number that is available in every layer: the layer's own, or one that is the same in all. */
static Ref number_of(Model *model, const char *name, Affine number)
{
    Value value = model_value(model, name, DTYPE_I32, 0, NULL);
    builder_op(model->b, OP_IOTA, "", value.ref, NULL)->first = number;
    return value.ref;
}

/* Copies have masks of their own: the layer numbers of the second copy follow those of the first, and so on. */
static Ref layer_number(Model *model)
{
    const Decls *decls = model->b->decls;
    const Node *loop = model->b->loop;
    Affine number = loop != NULL ? affine_loop(loop->loop.id, 1, 0) : affine_constant(0);
    AxisSet copies = contract_copies(decls);
    int64_t layers = loop != NULL ? decls->groups.data[loop->loop.group].layers : 1;
    for (int i = copies.count - 1; i >= 0; i--) {
        affine_add_term(&number, affine_coordinate(copies.axis[i]), layers);
        layers *= decls->axes.data[copies.axis[i]].size;
    }
    return number_of(model, "dropout.layer", number);
}

/* ",,a,b,,,->ab" for two dims. */
static const char *mask_spec(Model *model, const char *letters)
{
    Text text = {.arena = model->ctx->arena};
    for (int i = 1; i < STEP_MAX_OPERANDS; i++) {
        int dim = i - MASK_FIRST_DIM;
        text_add(&text, ",");
        if (dim >= 0 && dim < (int)strlen(letters))
            text_add_bytes(&text, &letters[dim], 1);
    }
    text_add(&text, "->%s", letters);
    return text.data;
}

/* Does an earlier dim have the same name? Of rows and columns only the rows are drawn in pieces. */
static bool is_named_before(const Value *x, int dim)
{
    for (int i = 0; i < dim; i++)
        if (strcmp(x->dims[i].name, x->dims[dim].name) == 0)
            return true;
    return false;
}

/* Numbers that identify the elements of a dim that is drawn in pieces, from the piece's number and the index in it. */
static Value words_of(Model *model, ValueDim dim, int64_t pieces, int which)
{
    int64_t rest = dim.size / pieces;
    const char *name = arena_printf(model->ctx->arena, "%lld", (long long)rest);
    ValueDim parts[] = {{.name = dim.name, .size = pieces}, {.name = name, .size = rest}};
    Value piece = call_positions(model, parts[0], (Positions)(POSITIONS_DIM + which));
    Value inside = call_numbers(model, "dropout.inside", parts[1]);
    Node *loop = builder_leave_loop(model->b);
    Value words = model_value(model, "dropout.words", DTYPE_F64, 2, parts);
    if (words.known && piece.known && inside.known) {
        builder_op(model->b, OP_INDEX_WORD, "p,r->pr", words.ref, (Ref[]){piece.ref, inside.ref});
        words = model_unite(model, "dropout.words", &words, 0, dim);
    }
    builder_return(model->b, loop);
    return words;
}

/* The numbers for dim `which` of a mask, once per routine. A contract says how many pieces; false, with a report, if
 * the dim is not divisible by it. */
static bool find_numbers(Model *model, const Value *x, int which, Ref *numbers)
{
    ValueDim dim = x->dims[which];
    int64_t pieces = is_named_before(x, which) ? 1 : model_groups(model, CONTRACT_MASKS, dim);
    if (pieces == 0)
        return false;
    if (pieces == 1) {
        *numbers = call_positions(model, dim, (Positions)(POSITIONS_DIM + which)).ref;
        return true;
    }
    for (int i = 0; i < model->positions[POSITIONS_WORD + which].count; i++) {
        const Value *known = &model->positions[POSITIONS_WORD + which].data[i];
        *numbers = known->ref;
        if (known->dims[0].size == dim.size && strcmp(known->dims[0].name, dim.name) == 0)
            return true;
    }
    Value words = words_of(model, dim, pieces, which);
    vec_push(model->ctx->arena, &model->positions[POSITIONS_WORD + which], words);
    *numbers = words.ref;
    return true;
}

/* A mask whose elements are identified by their indices along the dims of x. */
static Value draw_mask(Model *model, const char *name, const Value *x, double rate)
{
    if (x->dim_count > MASK_MAX_DIMS)
        BUG("a random mask of %d dims", x->dim_count);
    Value mask = model_value(model, name, x->dtype, x->dim_count, x->dims);
    if (!mask.known)
        return mask;
    Ref none = number_of(model, "dropout.no_dim", affine_constant(0)), operands[STEP_MAX_OPERANDS];
    for (int i = 0; i < STEP_MAX_OPERANDS; i++) {
        int dim = i - MASK_FIRST_DIM;
        operands[i] = none; /* the step's number is not known until later */
        if (i == MASK_LAYER)
            operands[i] = layer_number(model);
        else if (dim >= 0 && dim < x->dim_count && !find_numbers(model, x, dim, &operands[i]))
            return model_unknown(model);
    }
    double immediates[] = {rate, 0};
    Op *op = builder_op_with(model->b, OP_DROPOUT_MASK, mask_spec(model, builder_letters(model->b, mask.ref)), mask.ref,
                             operands, immediates);
    vec_push(model->ctx->arena, &model->masks, op);
    return mask;
}

Value call_dropout(Model *model, const char *name, const Value *x, double rate)
{
    Builder *b = model->b;
    if (!model->trains || rate == 0)
        return *x;
    Value mask = draw_mask(model, arena_printf(model->ctx->arena, "%s.mask", name), x, rate);
    Value y = model_value(model, name, x->dtype, x->dim_count, x->dims);
    if (!mask.known || !y.known)
        return model_unknown(model);
    builder_op(b, OP_MUL, builder_elementwise_spec(b, y.ref, 2, 0), y.ref, (Ref[]){x->ref, mask.ref});
    return y;
}

bool call_rate(Model *model, const Call *call, int i, double *rate)
{
    static const Range range = {0, 1, false, true};
    *rate = 0;
    if (call->argument[i] == NULL)
        return true;
    bool good = resolve_real(model->ctx, &model->constants, call->argument[i], "the rate of dropout", &range, rate);
    model->failed |= !good;
    return good;
}

/* dropout(x, rate) */
Value emit_dropout(Model *model, Call *call)
{
    Value x = call_tensor(model, call, 0, false, 1);
    double rate;
    bool good = call_rate(model, call, 1, &rate);
    if (!good || !x.known)
        return model_unknown(model);
    return call_dropout(model, arena_printf(model->ctx->arena, "%s.dropped", call->path), &x, rate);
}

void model_seed_masks(Model *model, Ref step, int64_t seed)
{
    for (int i = 0; i < model->masks.count; i++) {
        Op *op = model->masks.data[i];
        const char *name = model->b->program->buffers.data[op->out.buffer].name;
        op->operand[MASK_STEP] = step;
        op->immediate[1] = random_words((uint64_t)seed, random_hash(name), 0, 0).word[0];
    }
}
