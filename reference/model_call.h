/* model_call.h - private to the functions of models: a call being evaluated, and what the functions share.
 *
 *   model_call.c        arguments, parameters, the table of functions, dispatch
 *   model_dense.c       linear, mlp, activations, normalisations, embedding, positions
 *   model_fused.c       fused sizes, and their segments
 *   model_adapter.c     adapters of linear functions
 *   model_attention.c   attention
 *   model_moe.c         moe, load_balance, router_z
 *   model_conv.c        convolution, max_pool, mean_pool, global_mean, flatten, batchnorm
 *   model_rows.c        sequence, class_token, row
 *   model_dropout.c     dropout
 *   model_loss.c        cross_entropy, squared_error
 *
 * Weights are [out, in]. In index letters b t u w are the leading dims (batch first), h is the input dim, o the output
 * dim, n the heads, d the dims of one head, s the positions attended to, v the entries of a vocabulary.
 *
 * An emitter reports errors and returns model_unknown.
 */
#ifndef PLACE_REFERENCE_MODEL_CALL_H
#define PLACE_REFERENCE_MODEL_CALL_H

#include "reference/model.h"

enum { CALL_MAX_ARGUMENTS = 10 };

typedef struct Function Function;

/* A call being evaluated. */
typedef struct Call {
    const AstNode *node;
    const Function *function;
    const AstNode *argument[CALL_MAX_ARGUMENTS];
    bool frozen;      /* its parameters are not trained */
    const char *path; /* of its label, "block.attn"; without one, of the variable being assigned */
} Call;

typedef Value Emit(Model *model, Call *call);

struct Function {
    const char *name;
    bool has_parameters; /* and so needs a label */
    int argument_count;
    ArgumentInfo arguments[CALL_MAX_ARGUMENTS];
    Emit *emit;
    bool by_row; /* each row of the result depends on that row alone, or, of attention, on it and earlier ones; or it
                    has no rows, so that no row can depend on it */
};

/* How a parameter is initialised. */
typedef struct Start {
    InitKind kind;
    double scale;
} Start;

extern const Start START_ZEROS, START_ONES, START_NORMAL;

/* Projections back into a residual stream start smaller, so that the sum over all layers keeps its size. */
Start call_start_residual(const Model *model);

/* "block.attn.query" for a role of the call's label. */
const char *call_name(Model *model, const Call *call, const char *role);
/* "bt" for the two leading dims, and so on; and a spec with them in place of every '*'. */
const char *call_leading(Model *model, int count);
const char *call_spec(Model *model, const char *format, const char *lead);

/* An argument that is a tensor of real numbers (or int), with at least `min_dims` dims. */
Value call_tensor(Model *model, const Call *call, int i, bool is_int, int min_dims);
/* The same for a function along the last dim, which must not be the batch: the result would depend on its size. */
Value call_row(Model *model, const Call *call, int i, int min_dims);
/* An argument that is an image: four dims, the batch first and only there. */
Value call_image(Model *model, const Call *call);
/* A whole number of at least 1. */
bool call_size(Model *model, const Call *call, int i, ValueDim *dim);
/* The same, or fused(A, B, ...): several sizes in one dim, one after another. */
bool call_fused_size(Model *model, const Call *call, int i, ValueDim *dim);
/* A dim that fuses these. */
ValueDim call_fused_dim(Model *model, const ValueDim *dims, int count);
/* Segment `index` of the fused dim `dim` of a value. */
Value call_segment(Model *model, const char *name, const Value *x, int dim, int index);
/* An optional argument that may only be `word`. */
bool call_word(Model *model, const Call *call, int i, const char *word, bool *present);
bool call_is_word(const AstNode *node, const char *word);

/* The parameter `role` of a call: declared by the first walk, found by the others. */
Ref call_parameter(Model *model, const Call *call, const char *role, Start start, int dim_count, const ValueDim *dims);

/* A new value with the dims of `like` except its last, then `last` (none if NULL). */
Value call_result(Model *model, const char *name, DType dtype, const Value *like, const ValueDim *last);
ValueDim call_last_dim(const Value *value);
/* The numbers 0, 1, 2, ... along a dim, computed outside loops. */
Value call_numbers(Model *model, const char *name, ValueDim dim);
/* The same, once per routine; dims that may be sharded differently have positions of their own. */
Value call_positions(Model *model, ValueDim dim, Positions which);
/* CALLED(called, ITEM): ITEM and a comma if models call an operator by a name, the column `called` of step/op.def. */
#define CALLED_NO ,
#define CALLED(called, ...) OP_CHOOSE(CALLED_##called, OP_SKIP, OP_LIST, ~)(__VA_ARGS__)

/* An argument that names an activation or, if `gated` is not NULL, one whose result is multiplied with a second
 * projection ("swiglu": *kind is then silu). And an activation's result. */
bool call_activation(Model *model, const Call *call, int i, OpKind *kind, bool *gated);
Value call_activate(Model *model, const char *name, OpKind kind, const Value *x);

/* x, or in training x times a random mask: 0 with probability `rate`, else 1 / (1 - rate). */
Value call_dropout(Model *model, const char *name, const Value *x, double rate);
/* An optional rate of dropout, 0 by default. */
bool call_rate(Model *model, const Call *call, int i, double *rate);

/* A product of two small matrices in addition to a frozen one: adapter = lora(rank, scale). */
typedef struct Adapter {
    ValueDim rank; /* of size 0: no adapter */
    Scale scale;
} Adapter;

/* Reads an optional adapter, which freezes the parameters of the call. */
bool call_adapter(Model *model, Call *call, int i, Adapter *adapter);
/* y + scale * up(down(x)), where y is a linear function of x and `letters` are its dims after the leading ones; up
 * starts as zero. The matrices are ROLE.lora_down.weight and ROLE.lora_up.weight. */
Value call_adapt(Model *model, const Call *call, const Adapter *adapter, const char *role, const Value *x,
                 const Value *y, const char *letters);

/* ---- The functions ------------------------------------------------------------------------------------------ */

/* model_dense.c */
Emit emit_linear, emit_mlp, emit_activation, emit_layernorm, emit_rmsnorm, emit_embedding, emit_positions;
Emit emit_attention; /* model_attention.c */
Emit emit_segment;   /* model_fused.c */
/* model_conv.c */
Emit emit_convolution, emit_max_pool, emit_mean_pool, emit_global_mean, emit_flatten, emit_batchnorm;
Emit emit_sequence, emit_class_token, emit_row;  /* model_rows.c */
Emit emit_moe, emit_load_balance, emit_router_z; /* model_moe.c */
Emit emit_dropout;                               /* model_dropout.c */
Emit emit_cross_entropy, emit_squared_error;     /* model_loss.c */

#endif
