/* stages_internal.h - what the files of the pipeline pass share.
 *
 *     stages.c        what each stage holds; the program outside of the microbatch loop
 *     stages_parts.c  the microbatch loop's parts: what runs on which stage
 *     stages_micro.c  the microbatch loop: what runs when, and what is sent
 */
#ifndef PLACE_LOWER_STAGES_INTERNAL_H
#define PLACE_LOWER_STAGES_INTERNAL_H

#include "lower/stages.h"
#include "step/refs.h"
#include "strategy/staging.h"

#include <string.h>

/* Layers by stage: tables, as variables of affine expressions; the most that one stage has. */
typedef struct Layers {
    int first, last;
    int64_t most; /* of one chunk, those of other chunks lie `every` layers further each */
} Layers;

typedef struct PipeBuffer {
    bool cut;        /* its slots are the stage's layers: slot - shift is that of `range.first` */
    bool all_chunks; /* of all its chunks, one behind the other; otherwise of the chunk at hand */
    Layers range;
    int64_t shift;
    bool ring;     /* has room for several microbatches, ring_slots for each */
    bool in_turns; /* of an interleaved schedule: they take turns, whatever chunk they are in */
    int64_t ring_slots, depth;
    bool in_parts; /* every stage has a part of a sum */
    bool summed;   /* over the microbatches, in the loop at hand */
    bool read_on;  /* behind the loop, where no other part wrote it */
} PipeBuffer;

/* What is done of which microbatch. */
typedef struct Moment {
    Affine micro;
    Affine room, turn; /* where it lies in rings, in those that take turns */
    int chunk;         /* the variable of the stage's chunk of layers; NO_CHUNK where it has one */
} Moment;

enum { NO_CHUNK = INT32_MIN };

typedef struct Pipe {
    Ctx *ctx;
    const Assignment *assignment;
    const Program *reference;
    Program *program;
    Decls *decls;
    int axis;
    Span span;
    int64_t stages, micro, layers;
    int64_t *stage_layers; /* how many every stage has */
    Schedule schedule;
    int64_t chunks, every;             /* of layers per stage; layers from one to the next */
    int chunk;                         /* the variable of that at hand, outside of microbatches; or NO_CHUNK */
    int forward_delay, backward_delay; /* variables: the tick of a stage's first forward and backward */
    int warmup;                        /* interleaved: turns from a stage's first forward to its first backward */
    int64_t depth;                     /* microbatches in flight on the stage that has most */
    PipeBuffer *buffers;
    unsigned *unit_stages; /* per unit: the stages that hold it; 0 where it is of layers */
    int channels;          /* taken */
    bool failed;
} Pipe;

/* ---- stages.c ----------------------------------------------------------------------------------------------- */

Diagnostic *pipeline_refuse(Pipe *p, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
Affine pipeline_variable(int variable, int64_t constant);
void pipeline_add_term(Affine *affine, int variable, int64_t coefficient);
Node *pipeline_node(Pipe *p, NodeList *body, NodeKind kind, Span span);
NodeList *pipeline_guard(Pipe *p, NodeList *body, Affine value, int64_t low, int64_t high);
/* A guard for these stages. */
NodeList *pipeline_at(Pipe *p, NodeList *body, unsigned stages);
Op *pipeline_op(Pipe *p, NodeList *body, OpKind kind, Ref out, Span span);
/* Zeros. */
void pipeline_fill(Pipe *p, NodeList *body, Ref out, Span span);
Op *pipeline_communicate(Pipe *p, NodeList *body, OpKind kind, Ref out, const Ref *operand, Affine index, Span span);
/* A loop over microbatches in whose body layers are run. */
bool pipeline_computes_layers(const Node *node);
/* sum += coefficient * affine */
void pipeline_add(Affine *sum, const Affine *affine, int64_t coefficient);
/* The layers of a stage's chunk begin so many layers behind those of its first. */
void pipeline_add_chunk(const Pipe *p, Affine *affine, int chunk, int64_t coefficient);
void pipeline_place_ref(Pipe *p, Ref *ref, const Moment *moment);
/* Slots, loops and microbatches of a node become the stage's, in microbatch loops instead of `micro_loop`. `moment`
 * NULL: not of a microbatch. */
void pipeline_place_node(Pipe *p, Node *node, int micro_loop, const Moment *moment);
/* A loop of steps, or of microbatches. */
Node *pipeline_loop(Pipe *p, NodeList *body, LoopKind kind, Affine first, Affine last);
/* The buffer becomes a ring. */
void pipeline_make_ring(Pipe *p, int buffer, int64_t depth, bool in_turns);

/* ---- stages_parts.c ----------------------------------------------------------------------------------------- */

/* One node of the loop's body. */
typedef struct PipePart {
    Node *node;
    unsigned stages; /* 0: all */
    bool source, backward, output;
    int *needs; /* per buffer that it reads: the source that made it; -1 none */
} PipePart;

typedef Vec(int) BufferList;

/* The loop's body, and how far it is emitted. */
typedef struct PipeBody {
    Pipe *p;
    PipePart *part;
    int count, forward, back; /* the two loops; back -1: none */
    unsigned *has;            /* per buffer: who has its value, so far */
    bool *in_layers;          /* per buffer: of layers, and the forward loop writes it */
    bool *from_backward;      /* per buffer: a backward part made it */
    int *source;              /* per buffer: the part that made it, if a source; -1 */
    BufferList carried, returned;
    const Moment *moment;
    int micro_loop;
    bool again;       /* what is emitted now was emitted before */
    bool *done;       /* per part: emitted for the stage and moment at hand */
    bool *everywhere; /* and for all stages */
} PipeBody;

bool pipeline_is_activation(const PipeBody *b, int index);
/* False where it cannot be cut into stages. */
bool pipeline_find_parts(PipeBody *b, const NodeList *old);
/* What is on its way to the next stage is not overwritten in the next turn of an interleaved schedule. */
void pipeline_alternate(Pipe *p, const BufferList *passed);
/* Which values wait for the backward: they become rings. */
void pipeline_find_rings(Pipe *p, const Routine *step);

/* ---- stages_micro.c ----------------------------------------------------------------------------------------- */

/* The body of the microbatch loop `micro_loop` (-1: there is none) as stages run it. */
void pipeline_place_micro(Pipe *p, const NodeList *old, int micro_loop, NodeList *body);

#endif
