/* builder.h - builds the one-device reference program, operator by operator.
 *
 * A Builder appends to one list at a time: a routine's body, or the body of the open layer loop. It numbers operators
 * and loops, gives every temporary a buffer of its own, and records the current span and origin in what it appends.
 * Temporaries created inside a loop while `keep` is set have one slot per layer, so that the backward pass finds them;
 * otherwise one slot.
 *
 *     Builder *b = builder_new(ctx, decls, decls->compute_dtype);
 *     builder_routine(b, ROUTINE_STEP);
 *     Ref y = builder_temporary(b, "y", decls->compute_dtype, 2, (int64_t[]){8, 16});
 *     builder_op(b, OP_EINSUM, "bh,oh->bo", y, (Ref[]){x, w});
 *     Node *loop = builder_loop(b, group, false);  ...  builder_end(b);
 *     builder_finish(b);                               // drops what is never read, renumbers the buffers
 */
#ifndef PLACE_REFERENCE_BUILDER_H
#define PLACE_REFERENCE_BUILDER_H

#include "step/step.h"

/* The first two states of every program. */
enum { BUILDER_STATE_PARAMETERS, BUILDER_STATE_GRADIENTS };

typedef struct Builder {
    Ctx *ctx;
    Decls *decls;
    Program *program;
    int routine;        /* the one that is appended to */
    const char *prefix; /* of the names of its temporaries: "", "eval.", ... */
    Node *loop;         /* the open loop over layers, or NULL */
    bool keep;
    Category category; /* of temporaries */
    int origin;        /* of appended operators; -1: none */
    int statistics;    /* the state for all statistics; -1: none yet */
    OpList means;      /* of the loss: they sum its terms, start the cotangents of these, invert a count */
    Span span;
    StrTable *buffer_names;
} Builder;

/* Declares the states "parameters" and "gradients". */
Builder *builder_new(Ctx *ctx, Decls *decls, DType gradient_dtype);

/* Starts a routine, or continues it. */
void builder_routine(Builder *b, RoutineKind kind);

/* Declares a parameter, with buffers for its value and its gradient; returns its tensor index. */
int builder_add_parameter(Builder *b, const Tensor *tensor);
int builder_add_input(Builder *b, const Tensor *tensor);

/* Where a statistic is stored; one without an index yet (-1) is declared. All statistics of a program are one state of
 * this name. */
Ref builder_statistic(Builder *b, const char *state, const Tensor *tensor, int index);

/* Declares a state and creates its persistent buffers: one per trainable parameter with one of these update rules
 * (bits; -1: any), or one scalar. Returns its index. */
int builder_add_state(Builder *b, const State *state, int update_rules);
/* The index of the state with that name; -1 if there is none. */
int builder_find_state(const Builder *b, const char *name);
/* The same for a state that must exist. */
int builder_known_state(const Builder *b, const char *name);
/* Does the parameter have this state? */
bool builder_has_state(const Builder *b, int state, int tensor);

/* Where a state of a tensor is stored (tensor -1: a scalar state); in a group, at the open loop's layer. */
Ref builder_state_ref(const Builder *b, int state, int tensor);

/* A new temporary, as the reference by which an operator writes it. Its name is made unique. */
Ref builder_temporary(Builder *b, const char *name, DType dtype, int dim_count, const int64_t *dims);
/* A new temporary number, in the dtype of statistics. */
Ref builder_scalar(Builder *b, const char *name);
/* As builder_temporary, with the dtype and dims of another buffer. */
Ref builder_like(Builder *b, const char *name, Ref ref);

/* Appends an operator with the operands that it takes, and the immediates from `immediates` (NULL if none). */
Op *builder_op(Builder *b, OpKind kind, const char *spec, Ref out, const Ref *operands);
Op *builder_op_with(Builder *b, OpKind kind, const char *spec, Ref out, const Ref *operands, const double *immediates);
Op *builder_fill(Builder *b, Ref out, double value);

/* Opens a loop over a group's layers, from the first or (down) from the last; operators are appended to it until
 * builder_end. */
Node *builder_loop(Builder *b, int group, bool down);
void builder_end(Builder *b);

/* Appends before the open loop until builder_return. NULL if no loop is open. */
Node *builder_leave_loop(Builder *b);
void builder_return(Builder *b, Node *loop);

/* Makes the loop write into a slot of another buffer what it wrote into a temporary of its own. */
void builder_rename(Node *loop, int temporary, Ref to);

/* Letters for the dims of a buffer, if nothing else names them: "ab". */
const char *builder_letters(const Builder *b, Ref ref);
/* A spec for an elementwise operator on whole buffers like `ref`: `operands` times its letters, -> its letters. An
 * operand whose bit is set in `scalars` is a scalar. */
const char *builder_elementwise_spec(Builder *b, Ref ref, int operands, unsigned scalars);

/* Calls `emit` for every trainable parameter: those outside groups, then those of each group, inside a loop over its
 * layers. */
typedef void TensorEmitter(Builder *b, int tensor, void *data);
void builder_each_parameter(Builder *b, TensorEmitter *emit, void *data);
/* For builder_each_parameter, with a scalar's Ref as data: adds the squares of the parameter's gradient to it;
 * multiplies the gradient by it. */
void builder_add_squares(Builder *b, int tensor, void *data);
void builder_multiply_gradient(Builder *b, int tensor, void *data);
/* As builder_each_parameter, for every frozen parameter and every statistic. */
void builder_each_frozen(Builder *b, TensorEmitter *emit, void *data);
void builder_each_statistic(Builder *b, TensorEmitter *emit, void *data);

/* Removes operators whose results are never read, empty loops and unused buffers, from every routine. */
void builder_finish(Builder *b);
/* Propagates the segments of parameters' fused dims along the letters of operators: to buffers and to other
 * parameters. */
void builder_flow_segments(Builder *b);

/* Losses, row statistics and scalars of updates are not narrower than f32. */
DType builder_statistics_dtype(const Decls *decls);
static inline Ref ref_of(int buffer)
{
    return (Ref){.buffer = buffer, .member = -1};
}

#endif
