/* emit.h - private to code generation: a program on its way to C.
 *
 *   emit_c.c        the file: prototypes, accessors of buffers, routines, main
 *   emit_tree.c     loops, guards, waits
 *   emit_op.c       one operator as a statement with its comment
 *   emit_kernel.c   launches of kernels, and the table that describes them
 *   emit_patch.c    operators on numbers per row, column and tensor of a unit
 *   emit_gemm.c     einsum as a call of prt_gemm
 *   emit_window.c   convolutions and pooling as a call of prt_window
 *   emit_event.c    events, of which each slot is one in the emitted program
 *   emit_comm.c     communications, and moves between layouts
 *   emit_data.c     initial values, the batch, results, saved gradients, copies between tiers
 *   emit_extent.c   extents, places and slots as C expressions
 *   emit_layout.c   where the elements of buffers are on each rank, as rows of a table
 *   emit_buffers.c  the table of the plan's buffers
 *   emit_tables.c   the constant tables that describe the plan to the runtime
 *
 * Routines are written first, because they find out which kernels, buffers and tables the rest of the file declares.
 */
#ifndef PLACE_CODEGEN_EMIT_H
#define PLACE_CODEGEN_EMIT_H

#include "codegen/cwriter.h"
#include "codegen/gradients.h"
#include "codegen/kernels.h"
#include "reference/train.h"

/* A row that is referred to elsewhere has a name, which is a constant of the emitted program. */

/* A row of prt_program.sources. */
typedef struct EmitSource {
    int line; /* 0: none */
    const char *file, *what;
    const char *name; /* "LINE_14_all_gather_parameters_block_over_data" */
} EmitSource;

/* A set of axes: a communication group, or the axes over which a piece is numbered. */
typedef struct EmitAxes {
    int count;
    int8_t axis[STEP_MAX_AXES];
    const char *name; /* "GROUP_data" */
} EmitAxes;

/* A row of prt_program.layouts. */
typedef struct EmitLayout {
    int unit; /* or -1: dense */
    Each each;
    int cut_count; /* of the unit */
    int8_t cut[STEP_MAX_CUTS];
    int dim_count; /* dense */
    Dim dims[STEP_MAX_DIMS];
    const char *name; /* "LAYOUT_block_over_data" */
} EmitLayout;

/* A row of prt_program.calls. */
typedef struct EmitCall {
    const Op *op;
    const char *name; /* "CALL_all_gather_parameters_block" */
    const char *group, *source, *from, *into;
} EmitCall;

/* A row of prt_program.gradients. */
typedef struct EmitGradient {
    const UsedGradient *used;
    const char *name; /* "GRADIENT_block" */
} EmitGradient;

/* A prt_range at the beginning of a routine or of the microbatch loop: this rank's part of a dim. */
typedef struct EmitLocal {
    const char *name, *value, *why;
} EmitLocal;

/* A block with such variables: the routine, a loop over microbatches, or a guard that says which microbatch is current.
 */
typedef struct EmitScope {
    struct EmitScope *outer;
    const char *micro; /* the variable of the current microbatch; NULL in the routine itself */
    const char *value; /* of a guard's variable; NULL if it is the loop's own */
    bool uses_micro;   /* something in it needs the variable */
    Affine current;    /* the current microbatch, in the step program's notation */
    int loop;          /* the innermost loop over microbatches; -1: none */
    Vec(EmitLocal) locals;
} EmitScope;

typedef struct Emit {
    Ctx *ctx;
    Arena *arena;
    const Train *train;
    const StepFile *file;
    const Program *program;
    const Decls *decls;
    KernelTable kernels;
    Names names;  /* of the whole file */
    CWriter *out; /* receives statements */
    EmitScope *scope;
    const char **accessor; /* per buffer; NULL while unused */
    const char **place;    /* per buffer: "ARENA_parameters_block", its offset */
    const char **axis;     /* per axis: "AXIS_data" */
    const char **tensor;   /* per tensor: its row in parameters or inputs, "TENSOR_wte_table", "INPUT_tokens" */
    const char **unit;     /* per unit: "UNIT_block" */
    const char **table;    /* per table: "TABLE_first"; NULL while unused */
    const char **member;   /* per unit and tensor: "OFFSET_block_attn_query_weight"; NULL while unused */
    const char **variable; /* per loop id: its variable, inside the loop */
    const char *layer;     /* the variable of the innermost loop over layers; NULL outside */
    int *event;            /* per event: the number of its first slot among those of all events */
    int event_slots;       /* of all events */
    RoutineKind routine;
    int source; /* the row that ctx->at holds here; -1: unknown */
    Vec(EmitSource) sources;
    Vec(EmitAxes) groups;
    Vec(EmitLayout) layouts;
    Vec(EmitCall) calls;
    UsedGradients used;
    Vec(EmitGradient) gradients;
    bool uses_modulo;
    int gemm_count, window_count, piece_count; /* variables named so far */
} Emit;

/* The text of program.c. */
const char *emit_program(Ctx *ctx, const Train *train, const StepFile *file, KernelTable *kernels);

/* ---- emit_tree.c */
void emit_body(Emit *e, const NodeList *body);
/* The same in a scope of its own, of which everything but the variables is given. */
void emit_scope_body(Emit *e, const NodeList *body, EmitScope scope);

/* ---- emit_op.c */
void emit_op(Emit *e, const Op *op);
/* Zeros in all that a reference has room for. */
void emit_zeros(Emit *e, const Ref *ref);
/* The number of elements of what a reference names, on this rank. */
const char *emit_elements(Emit *e, const Ref *ref);

/* ---- emit_kernel.c */
/* Where the arrays of a kernel begin; NULL: where the operator's references do. */
typedef struct Addresses {
    const char *operand[STEP_MAX_OPERANDS], *out;
} Addresses;

/* A kernel's launch, with the operator's arrays as the shape describes them. */
void emit_kernel_of(Emit *e, const Op *op, const Shape *shape, Addresses at);
void emit_kernel_prototypes(Emit *e, CWriter *out);
/* The names of the rows, in order; returns their number. */
int emit_kernel_names(Emit *e, const char **names);
void emit_kernel_table(Emit *e, CWriter *out);

/* ---- emit_event.c */
/* Gives every event its numbers. */
void emit_number_events(Emit *e);
/* The number of an event's slot, "3 + modulo(l0, 4)". */
const char *emit_event(Emit *e, int event, const Affine *slot);
/* Says which slot of its event the next call starts. */
void emit_event_slot(Emit *e, const Affine *slot);

/* ---- emit_comm.c */
/* `source`: the row of its line. */
void emit_collective(Emit *e, const Op *op, int source);
/* What it moves: its operand, or what it receives. */
const Ref *emit_moved(const Op *op);

/* ---- emit_data.c */
void emit_init(Emit *e, const Op *op);
void emit_read(Emit *e, const Op *op);
void emit_output(Emit *e, const Op *op);
/* Before an operator that an update begins with: saves its gradient, if that is wanted. */
void emit_save_gradient(Emit *e, const Op *op);
bool emit_changes_tier(const Emit *e, const Op *op);
void emit_tier_copy(Emit *e, const Op *op);

/* ---- emit_patch.c */
/* Has the operator whole slots of a unit that have numbers for different things? */
bool emit_needs_patches(const Program *program, const Op *op);
void emit_patches(Emit *e, const Op *op);

/* ---- emit_gemm.c */
void emit_einsum(Emit *e, const Op *op);
/* A call of prt_gemm or prt_window, whose third argument is the dtype; where only the result is f32, of prt_gemm_wide
 * or prt_window_wide, which take none. */
void emit_product(Emit *e, const Op *op, const char *function, const char *const *arguments, int count);
bool emit_is_wide(const Program *program, const Op *op);

/* ---- emit_window.c */
/* Is there a call for this convolution or pooling? */
bool emit_window_fits(const Program *program, const Op *op);
void emit_window(Emit *e, const Op *op);

/* ---- emit_extent.c */

/* A product of a number and named variables. */
typedef struct Extent {
    int64_t factor;
    int count;
    const char *name[2 * STEP_MAX_DIMS];
} Extent;

Extent extent_constant(int64_t number);
Extent extent_times(Extent a, Extent b);
const char *extent_text(Emit *e, const Extent *extent);

/* On this rank and in this microbatch. */
Extent emit_dim_extent(Emit *e, const Dim *dim);
/* How far the array itself goes in a dim: what its strides count with. */
Extent emit_array_extent(Emit *e, const Ref *ref, int position);
Extent emit_letter_extent(Emit *e, const Op *op, const Shape *shape, char letter);
Extent emit_letters_extent(Emit *e, const Op *op, const Shape *shape, const Letters *letters);
/* The number of elements in what a reference names: a member, or a whole slot. */
Extent emit_ref_elements(Emit *e, const Ref *ref);
/* This rank's part of a dim: the name of a prt_range at the beginning of the scope, or of the whole dim. */
const char *emit_range(Emit *e, const Dim *dim);
/* The variable of the current microbatch; "0" if there is only one. */
const char *emit_micro(Emit *e);

/* "ctx->coordinate[AXIS_data]", or for several axes the position among all their pieces, the first axis outermost. */
const char *emit_place(Emit *e, const int8_t *axis, int axis_count);
int64_t axes_total(const Decls *decls, const int8_t *axis, int axis_count);

const char *emit_affine(Emit *e, const Affine *affine);
/* "TABLE_first", or "NULL" for a coordinate: which numbers the variable takes. */
const char *emit_index_table(Emit *e, int variable);
/* The address that a reference names: "at_full_block(ctx) + OFFSET_block_norm_gain". */
const char *emit_ref(Emit *e, const Ref *ref);
/* "OFFSET_block_norm_gain": a tensor's offset in its unit. */
const char *emit_member_offset(Emit *e, int unit, int tensor);

/* ---- emit_layout.c */
/* The name of the row for what a reference names: a slot, or a member. */
const char *emit_layout(Emit *e, const Ref *ref);
/* What is between the braces of the row, and of an array of dims. */
const char *emit_layout_row(Emit *e, const EmitLayout *row);
const char *emit_dims_text(Emit *e, const Dim *dims, int count);

/* ---- emit_tables.c */
int emit_source_row(Emit *e, Span span, const char *what);
/* The name of the group's row. */
const char *emit_group(Emit *e, const Op *op);
void emit_tables(Emit *e);
/* C has no empty arrays: a table without rows is NULL. Returns whether the table is to be written. */
bool emit_begin_table(Emit *e, const char *type, const char *name, int rows);
void emit_end_table(Emit *e);
/* "{number, low, high}" */
const char *emit_held_text(Emit *e, const Buffer *buffer);

/* "PRT_HOST" */
const char *emit_tier(Tier tier);
/* "PRT_F32", "float" */
const char *emit_dtype(DType dtype);
const char *emit_c_type(DType dtype);

/* ---- emit_buffers.c */
void emit_buffers(Emit *e);

#endif
