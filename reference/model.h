/* model.h - from a model declaration to the forward part of a routine.
 *
 * A Model is walked once for each routine that contains the forward pass. The first walk declares inputs, groups and
 * parameters and reports what is wrong; further ones (another batch size, other buffers) find them declared.
 *
 *     Model *model = model_new(b, node, train);       // binds layers = 6, hidden = 384, ...
 *     build_routine(b, "step", "");
 *     if (model != NULL && model_walk(model, batch, true)) ... model->loss_terms, model->prediction
 */
#ifndef PLACE_REFERENCE_MODEL_H
#define PLACE_REFERENCE_MODEL_H

#include "parser/resolve.h"
#include "reference/autodiff.h"
#include "reference/contract.h"

/* A dim of a value: its extent and what the file calls it ("hidden", "4 * hidden"). */
typedef struct ValueDim {
    const char *name;
    int64_t size;
    const Segments *segments; /* of a fused one, with what the file calls them; else NULL */
    const char *const *names;
} ValueDim;

/* What an expression stands for. `known` is false where an error was reported; whoever uses it stays silent. */
typedef struct Value {
    bool known;
    Ref ref;
    DType dtype;
    int dim_count;
    ValueDim dims[STEP_MAX_DIMS];
    Span span;
    bool is_input; /* as it was read */
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

/* What positions are of; POSITIONS_DIM + i: dim i of a random mask; POSITIONS_WORD + i: the same, drawn in pieces. */
typedef enum Positions {
    POSITIONS_ROWS,
    POSITIONS_COLUMNS,
    POSITIONS_CLASSES,
    POSITIONS_PLACES,
    POSITIONS_DIM,
    POSITIONS_WORD = POSITIONS_DIM + STEP_MAX_DIMS,
    POSITIONS_COUNT = POSITIONS_WORD + STEP_MAX_DIMS
} Positions;

/* What the router of a layer of experts is judged by, one number per example; of a repeated block: the sum over layers
 * so far. */
typedef struct Router {
    const char *path; /* "block.moe" */
    Value balance, z;
} Router;

typedef struct Model {
    Ctx *ctx;
    Builder *b;
    const AstNode *node;           /* AST_MODEL */
    Constants constants;           /* its parameters, as this train binds them */
    int64_t declared_batch, batch; /* of the inputs, of this walk */
    bool declares;                 /* the first walk */
    bool trains;                   /* the walk of the step: not of evaluation and prediction */
    Vec(Variable) variables;
    Vec(Label) labels;
    Vec(Router) routers;
    int group;                             /* that the walk is in, or -1 */
    const char *prefix;                    /* of names: "" or "block." */
    const char *target;                    /* the variable that is assigned: names temporaries */
    Vec(Value) positions[POSITIONS_COUNT]; /* 0, 1, 2, ..., or words: one per extent */
    Vec(Rotation) rotations;
    Vec(Op *) masks; /* random ones, which wait for the step's number and the seed */
    Contracts *contracts;
    bool misbound; /* the train's arguments do not fit: defaults stand for them, and every walk fails */
    bool failed;
    /* The results. */
    Vec(LossTerm) loss_terms;
    Value loss;       /* their sum */
    Value prediction; /* what the loss compares with the target */
    const char *prediction_name;
    Span loss_span;
} Model;

/* NULL where the model's parameters are wrong, or one has no value. */
Model *model_new(Builder *b, const AstNode *model, const AstNode *train, int64_t batch);

/* Appends reading the inputs, the forward part and the loss for a batch of this size. False where errors were reported.
 */
bool model_walk(Model *model, int64_t batch);

/* Tells the random masks, once these are known, where the step's number rests and the train's seed. */
void model_seed_masks(Model *model, Ref step, int64_t seed);

/* Whether an input or parameter of this model has a dim of this name, or one of some function, in whatever model. Adds
 * the names of this model's to `known`. */
bool model_names_dim(Ctx *ctx, const Decls *decls, const char *name, NameVec *known);

/* ---- Between the files of the model pass -------------------------------------------------------------------- */

Value model_expression(Model *model, const AstNode *node); /* model_expression.c */
Value model_call(Model *model, const AstNode *node);       /* model_call.c */
void model_loss(Model *model, const AstNode *node);        /* model_loss.c: what is assigned to 'loss' */

/* Whether an expression is a number of the model, not a tensor. */
bool model_is_number(Model *model, const AstNode *node);
/* The simplest fraction that rounds to a number; false, with a report, where there is none of 31 bits. */
bool model_fraction(Model *model, const AstNode *node, double number, Scale *scale);

/* A new temporary of these dims as a value. */
Value model_value(Model *model, const char *name, DType dtype, int dim_count, const ValueDim *dims);
/* Whether a dim is the batch: of unknown size, so that it fits no other dim, whatever this train's batch is. */
bool model_is_batch(const ValueDim *dim);
bool model_dims_match(const ValueDim *x, const ValueDim *y);
/* Whether sizes are far from where arithmetic on them could overflow. */
bool model_fits(const Model *model, int dim_count, const ValueDim *dims);
/* "[batch = 8, context = 256]" */
const char *model_shape(const Model *model, const Value *value);
Variable *model_find_variable(Model *model, const char *name);
/* The constants of the model, then its variables, for suggestions; the count. There is room for one more. */
int model_names(const Model *model, const char ***names);
/* x with dim `dim` as two, its `groups` and the elements of one; and back. */
Value model_part(Model *model, const char *name, const Value *x, int dim, int64_t groups);
Value model_unite(Model *model, const char *name, const Value *x, int dim, ValueDim whole);
/* The groups that a contract makes of a dim, 1 where it makes none; 0, with a report, where they were not equal. */
int64_t model_groups(Model *model, ContractKind kind, ValueDim dim);
/* The index of a tensor, or -1. */
int model_find_tensor(const Builder *b, const char *name);
/* Takes a label or the name of a block for parameters' names; false, with a report, if it is taken. */
bool model_take_label(Model *model, const char *path, Span span);
/* Marks the walk as failed: an error was reported. */
Value model_unknown(Model *model);

#endif
