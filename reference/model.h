/* model.h - from a model declaration to the forward part of a routine.
 *
 * A Model is walked once for each routine that contains the forward pass. The first walk declares inputs, groups and
 * parameters and reports errors; later walks (another batch size, other buffers) find them declared.
 *
 *     Model *model = model_new(b, node, train, batch); // binds layers = 6, hidden = 384, ...
 *     builder_routine(b, ROUTINE_STEP);
 *     if (model != NULL && model_walk(model, batch)) ... model->loss_terms, model->prediction
 */
#ifndef PLACE_REFERENCE_MODEL_H
#define PLACE_REFERENCE_MODEL_H

#include "parser/resolve.h"
#include "reference/autodiff.h"
#include "reference/contract.h"

/* A dim of a value: its extent and its name in the file ("hidden", "4 * hidden"). */
typedef struct ValueDim {
    const char *name;
    int64_t size;
    const Segments *segments; /* of a fused dim, with their names in the file; else NULL */
    const char *const *names;
} ValueDim;

/* What an expression stands for. `known` is false if an error was reported; code that uses it then stays silent. */
typedef struct Value {
    bool known;
    Ref ref;
    DType dtype;
    int dim_count;
    ValueDim dims[STEP_MAX_DIMS];
    Span span;
    bool is_input; /* exactly as it was read */
} Value;

typedef struct Variable {
    const char *name;
    Value value;
    Span span; /* of its last assignment */
} Variable;

typedef struct Label {
    const char *path; /* "block.attn" */
    Span span;
} Label;

/* The tables of rotary positions with one base. */
typedef struct Rotation {
    double base;
    Value cosine, sine; /* [rows, dims] */
} Rotation;

/* What positions count; POSITIONS_DIM + i: dim i of a random mask; POSITIONS_WORD + i: the same, drawn in pieces. */
typedef enum Positions {
    POSITIONS_ROWS,
    POSITIONS_COLUMNS,
    POSITIONS_CLASSES,
    POSITIONS_EXPERTS,
    POSITIONS_DIM,
    POSITIONS_WORD = POSITIONS_DIM + STEP_MAX_DIMS,
    POSITIONS_COUNT = POSITIONS_WORD + STEP_MAX_DIMS
} Positions;

/* The measure of the router of a layer of experts, one number per example; in a repeated block: the sum over the layers
 * so far. */
typedef struct Router {
    const char *path; /* "block.moe" */
    Value balance, z;
} Router;

/* What a walk of a served model is for. */
typedef enum Serving {
    SERVING_NOT,
    SERVING_PREFILL, /* all rows of the prompt at once */
    SERVING_DECODE   /* one row of each example, at a position of its own */
} Serving;

typedef struct Model {
    Ctx *ctx;
    Builder *b;
    const AstNode *node;           /* AST_MODEL */
    Constants constants;           /* its parameters, with this train's arguments */
    int64_t declared_batch, batch; /* of the inputs, of this walk */
    bool declares;                 /* the first walk */
    bool trains;                   /* the walk of the step, not of evaluation or prediction */
    Vec(Variable) variables;
    Vec(Label) labels;
    Vec(Router) routers;
    int group;                             /* the one that the walk is in, or -1 */
    const char *prefix;                    /* of names: "" or "block." */
    const char *target;                    /* the variable being assigned: names temporaries */
    Vec(Value) positions[POSITIONS_COUNT]; /* 0, 1, 2, ..., or words: one per extent */
    Vec(Rotation) rotations;
    Vec(Op *) masks; /* random masks, which still need the step's number and the seed */
    Contracts *contracts;
    Serving serving;
    int tokens;       /* the input that is served; -1: none yet */
    ValueDim context; /* its rows */
    Value position;   /* SERVING_DECODE: of the row, [batch, 1]; */
    Value here;       /* [batch, context]: 1 at the position, 0 elsewhere */
    bool misbound;    /* the train's arguments do not fit: defaults are used instead, and every walk fails */
    bool failed;
    /* The results. */
    Vec(LossTerm) loss_terms;
    Value loss;       /* their sum */
    Value prediction; /* what the loss compares with the target */
    const char *prediction_name;
    Span loss_span;
} Model;

/* NULL if the model's parameters are wrong, or one has no value. */
Model *model_new(Builder *b, const AstNode *model, const AstNode *train, int64_t batch);

/* Appends operators that read the inputs, the forward part and the loss for a batch of this size. False if errors were
 * reported. */
bool model_walk(Model *model, int64_t batch);

/* Gives the random masks, once these are known, the place where the step's number is stored and the train's seed. */
void model_seed_masks(Model *model, Ref step, int64_t seed);

/* Does an input or parameter of this model have a dim of this name, or does a parameter of some function, in whatever
 * model? Adds the names of this model's dims to `known`. */
bool model_names_dim(Ctx *ctx, const Decls *decls, const char *name, NameVec *known);

/* ---- Shared by the files of the model pass ------------------------------------------------------------------ */

Value model_expression(Model *model, const AstNode *node); /* model_expression.c */
Value model_call(Model *model, const AstNode *node);       /* model_call.c */
void model_loss(Model *model, const AstNode *node);        /* model_loss.c: what is assigned to 'loss' */

/* Is an expression a number of the model, rather than a tensor? */
bool model_is_number(Model *model, const AstNode *node);
/* The simplest fraction that rounds to a number; false, with a report, if there is none of 31 bits. */
bool model_fraction(Model *model, const AstNode *node, double number, Scale *scale);

/* A new temporary with these dims, as a value. */
Value model_value(Model *model, const char *name, DType dtype, int dim_count, const ValueDim *dims);
/* Is a dim the batch? It counts as of unknown size, so that it matches no other dim, whatever this train's batch is. */
bool model_is_batch(const ValueDim *dim);
bool model_dims_match(const ValueDim *x, const ValueDim *y);
/* Are sizes small enough that arithmetic on them cannot overflow? */
bool model_fits(const Model *model, int dim_count, const ValueDim *dims);
/* "[batch = 8, context = 256]" */
const char *model_shape(const Model *model, const Value *value);
Variable *model_find_variable(Model *model, const char *name);
/* The constants of the model, then its variables, for suggestions; returns the count. There is room for one more. */
int model_names(const Model *model, const char ***names);
/* x with dim `dim` split into two, its `groups` and the elements of one; and back. */
Value model_part(Model *model, const char *name, const Value *x, int dim, int64_t groups);
Value model_unite(Model *model, const char *name, const Value *x, int dim, ValueDim whole);
/* The number of groups into which a contract divides a dim, 1 if it does not; 0, with a report, if they would not be
 * equal. */
int64_t model_groups(Model *model, ContractKind kind, ValueDim dim);
/* The index of a tensor, or -1. */
int model_find_tensor(const Builder *b, const char *name);
/* Reads the batch of an input. */
void model_read(Model *model, Ref to, int tensor);
/* Reserves a label, or the name of a block, for parameters' names; false, with a report, if it is taken. */
bool model_take_label(Model *model, const char *path, Span span);
/* Marks the walk as failed, because an error was reported. */
Value model_unknown(Model *model);

/* ---- Served models: model_serve.c --------------------------------------------------------------------------- */

/* Notes what is served, if it is this input; in decoding, the dims and the tensor that are read in its place. */
void model_serve_input(Model *model, Tensor *tensor, ValueDim *dims, int *index);
/* A value of keys or values [batch, rows, heads, head dim] is kept in a cache [batch, context, heads, head dim].
 * Returns what queries see: in prefill the value itself, in decoding the cache with the value at its position. */
Value model_serve_cache(Model *model, const char *name, const Value *value);

#endif
