/* stages_internal.h - shared by the files of the pipeline pass.
 *
 *     stages.c        what each stage holds and when it begins; the program outside the microbatch loop
 *     stages_where.c  which stage has which layers, and what else of the model
 *     stages_kept.c   which layers have slots, where others are recomputed
 *     stages_parts.c  the parts of the microbatch loop: what runs on which stage
 *     stages_pass.c   values that pass over blocks
 *     stages_rings.c  buffers that have room for several microbatches
 *     stages_apart.c  the same for chunks of several blocks, or of layers that differ
 *     stages_micro.c  the microbatch loop: what runs when, and what is sent
 */
#ifndef PLACE_LOWER_STAGES_INTERNAL_H
#define PLACE_LOWER_STAGES_INTERNAL_H

#include "lower/stages.h"
#include "step/refs.h"
#include "strategy/staging.h"

#include <string.h>

/* Layers of a group by stage: tables, as variables of affine expressions; and the most that one stage has. */
typedef struct Layers {
    int first, last;
    int64_t most; /* in one chunk; each next chunk's layers are `every` further */
} Layers;

/* Some stages: those on which the value is in low .. high. */
typedef struct Where {
    Affine value;
    int64_t low, high;
} Where;

typedef struct StagesBuffer {
    int group;    /* whose layers its slots are; -1 none */
    int in_loops; /* the group over whose layers all loops run that refer to it; -1: others do, or none */
    int64_t low_layer, high_layer; /* of these loops */
    bool cut; /* its slots are the stage's layers: layer l, before in slot l - shift, is in slot l - range.first */
    bool all_chunks; /* of all its chunks, one after another; otherwise of the current chunk */
    Layers range;
    Layers *of_chunk; /* of values, where chunks are apart: the layers of each chunk, `most` 0 where it has none */
    int64_t shift;
    bool ring;   /* has room for several microbatches, ring_slots for each; where chunks are apart, of each chunk */
    bool uneven; /* each chunk has slots of its own number: one for each of its layers, and `more` */
    int64_t more;
    int64_t turning; /* where chunks are apart: the slots, if every second group of microbatches takes them from the end
                        on */
    bool in_turns;   /* of an interleaved schedule: they are used in turn, whatever the chunk */
    bool of_first;   /* the section before the layers made it: only one chunk has it */
    bool reads_last; /* backward reads what the stage's layers end with, for more than one microbatch in flight */
    int64_t ring_slots, depth;
    int64_t first_chunk, last_chunk; /* of a ring, where chunks are apart: those that use it */
    bool in_parts;                   /* every stage has a part of a sum */
    bool summed;                     /* over the microbatches, in the current loop */
    bool read_on;                    /* after the loop, if no other part wrote it */
} StagesBuffer;

/* Which microbatch, in which chunk, something is done for. */
typedef struct Moment {
    Affine micro;
    Affine room, turn;  /* its place in rings, and in those that are used in turn */
    int group;          /* where chunks are apart: the variable of the group of microbatches that takes turns */
    bool backward, odd; /* odd: of the second group of two */
    int chunk;          /* the variable of the stage's chunk of layers; NO_CHUNK if it has only one */
} Moment;

enum { NO_CHUNK = INT32_MIN };

typedef struct Stages {
    Ctx *ctx;
    const Assignment *assignment;
    const Program *reference;
    Program *program;
    Decls *decls;
    int axis;
    Span span;
    int64_t stages, micro, layers;
    int64_t *stage_layers;  /* per stage: its number of layers, of all blocks */
    int64_t *before;        /* per group, and for the end: the number of layers before */
    int64_t *section_stage; /* per section: the stage that runs it */
    int64_t *section_at;    /* and the position of its chunk among all chunks */
    Schedule schedule;
    int64_t chunks, every;             /* chunks of layers per stage; layers from one to the next */
    int64_t *apart_depth;              /* per first and last chunk: stages_apart_depth; 0 if not known yet */
    bool turns_back;                   /* some ring does (StagesBuffer) */
    bool apart;                        /* each loop over layers is of one chunk (staging_apart) */
    int64_t within;                    /* apart: the chunk of what is placed now; -1 if that is not known */
    int chunk;                         /* the variable of the current one, outside microbatches; or NO_CHUNK */
    int forward_delay, backward_delay; /* variables: the tick of a stage's first forward and backward */
    int warmup;                        /* interleaved: turns from a stage's first forward to its first backward */
    int64_t depth;                     /* microbatches in flight on the stage that has most; of chunks, if several */
    int64_t first_depth;               /* the same in a stage's first chunk */
    StagesBuffer *buffers;
    StageSet *unit_stages; /* per unit: the sections that use it; 0 if it belongs to layers */
    int channels;          /* in use so far */
    bool failed;
} Stages;

/* ---- stages.c ----------------------------------------------------------------------------------------------- */

Diagnostic *stages_refuse(Stages *p, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
Affine stages_variable(int variable, int64_t constant);
Node *stages_node(Stages *p, NodeList *body, NodeKind kind, Span span);
NodeList *stages_guard(Stages *p, NodeList *body, Affine value, int64_t low, int64_t high);
/* A list guarded for the stages that run these sections. */
NodeList *stages_at(Stages *p, NodeList *body, StageSet sections);
Op *stages_op(Stages *p, NodeList *body, OpKind kind, Ref out, Span span);
/* Emits zeros into `out`. */
void stages_fill(Stages *p, NodeList *body, Ref out, Span span);
Op *stages_communicate(Stages *p, NodeList *body, OpKind kind, Ref out, const Ref *operand, Span span);
/* Is it a loop over microbatches whose body runs layers? */
bool stages_computes_layers(const Node *node);
/* Refuses layers in chunks that leave something behind for what follows the microbatches. */
void stages_refuse_left(Stages *p, const Buffer *buffer);
/* Adds the distance of a stage's chunk from its first, in layers. */
void stages_add_chunk(const Stages *p, Affine *affine, int chunk, int64_t coefficient);
void stages_place_ref(Stages *p, Ref *ref, const Moment *moment);
/* Slots, loops and microbatches of a node become the stage's, in microbatch loops instead of `micro_loop`. `moment`
 * NULL: not for a microbatch. */
void stages_place_node(Stages *p, Node *node, int micro_loop, const Moment *moment);
/* A loop over steps, or over microbatches. */
Node *stages_loop(Stages *p, NodeList *body, LoopKind kind, Affine first, Affine last);
/* The microbatches in flight of which an interleaved schedule goes through a chunk before the next. */
int64_t stages_group_room(const Stages *p);

/* ---- stages_where.c ----------------------------------------------------------------------------------------- */

/* A number for every stage, as a variable of affine expressions. */
int stages_table(Stages *p, const char *name, const int64_t *values);
const int64_t *stages_numbers(const Stages *p, int table);
/* Divides the layers: as declared, or balanced; in the first chunk if there are several. */
void stages_divide(Stages *p);
/* The chunk that has a layer of a group. */
int64_t stages_chunk_of(const Stages *p, int group, int64_t layer);
/* The layers first .. last of a group that each stage has: where they begin and end there. Apart: of one chunk. */
Layers stages_layers(Stages *p, int group, int64_t first, int64_t last);
/* The set of the last section. */
StageSet stages_last(const Stages *p);
/* The sections without those that run on the stage of an earlier one of them. */
StageSet stages_distinct(const Stages *p, StageSet sections);
Where stages_where(Stages *p, StageSet sections);

/* ---- stages_kept.c ------------------------------------------------------------------------------------------ */

/* The layer that slot 0 of a buffer of values has. */
int64_t stages_first_layer(const Stages *p, int buffer);
/* The layer of each slot of a buffer of values, if they do not follow each other; otherwise NULL. */
const int64_t *stages_layers_with_gaps(const Stages *p, int buffer);
/* Do some layers have slots and others between them none, and what is outside the layers has some, too? */
bool stages_mixes_slots(const Stages *p, int buffer);
/* Of slots that have these layers, the numbers of those that each stage has. */
Layers stages_slots(Stages *p, int group, const int64_t *layers, int64_t slots, int64_t chunk);

/* ---- stages_rings.c ----------------------------------------------------------------------------------------- */

/* Of a slot that is the stage's already. */
void stages_place_in_ring(const Stages *p, Ref *ref, const Moment *moment);
/* Turns the buffer into a ring. */
void stages_make_ring(Stages *p, int buffer, int64_t depth, bool in_turns);

/* ---- stages_apart.c ----------------------------------------------------------------------------------------- */

/* How many of the chunks first .. last of microbatches are in flight at once, at most, so that each has a slot if they
 * are used in turn; for chunks that are apart. */
int64_t stages_apart_depth(const Stages *p, int64_t first, int64_t last);
/* Finds `in_loops` of all buffers, and their layers. */
void stages_find_loops(Stages *p);
/* The slots of a ring with as many for a chunk as it needs, and where in those of one microbatch the chunk's begin. */
int64_t stages_uneven_slots(const Stages *p, const StagesBuffer *info);
int64_t stages_uneven_before(const StagesBuffer *info, int64_t chunk);
/* The slots of a ring that turns back, and where in it a chunk's begin, for all microbatches of a group. */
int64_t stages_turning_slots(const Stages *p, const StagesBuffer *info);
Affine stages_turning_place(const Stages *p, const StagesBuffer *info, const Moment *moment);

/* ---- stages_parts.c ----------------------------------------------------------------------------------------- */

/* One node of the loop's body. */
typedef struct StagesPart {
    Node *node;
    bool chain;      /* its body stands for it: loops over layers that follow each other */
    int group;       /* of these layers; -1 none */
    StageSet stages; /* the sections that it is part of; 0: all stages run it */
    bool source, backward, output;
    bool begins_sum;  /* a source: zeros of a unit, to which the parts that need it add */
    StageSet emitted; /* in the current pass: the sections for which it was emitted */
    int *needs;       /* per buffer that it reads: the source that made it; -1 none */
} StagesPart;

/* A value that the stages with layers of a group pass on. */
typedef struct Passed {
    int buffer, group;
} Passed;
typedef Vec(Passed) PassedList;

/* The loop's body, and how far it has been emitted. */
typedef struct StagesBody {
    Stages *p;
    StagesPart *part;
    int count, *forward, *back; /* per group: the two loops; -1: none */
    StageSet *has;              /* per buffer: the sections that have its value so far */
    bool *in_layers;            /* per buffer: written by the forward loop, with layers for slots */
    bool *from_backward;        /* per buffer: made by a backward part */
    int *source;                /* per buffer: the part that made it, if that is a source; else -1 */
    PassedList carried, returned;
    const Moment *moment;
    int micro_loop;
    bool again;       /* what is emitted now was emitted before */
    int section;      /* whose parts are emitted */
    bool *done;       /* per part: emitted for the current stage and moment */
    bool *everywhere; /* and for all stages */
} StagesBody;

bool stages_is_activation(const StagesBody *b, int index);
/* False if it cannot be divided into stages. */
bool stages_find_parts(StagesBody *b, const NodeList *old);
/* Gives these values alternating slots, so that the next turn of an interleaved schedule does not overwrite what is
 * still being sent. */
void stages_alternate(const StagesBody *b, const PassedList *passed);
/* Notes which chunks use a ring. `made`: the sections that compute its value. */
void stages_find_chunks(const StagesBody *b, int buffer, StageSet made);
/* Finds the values that are kept for the backward pass: they become rings. */
void stages_find_rings(Stages *p, const Routine *step);

bool stages_is_passed(const PassedList *list, int buffer, int group);

/* ---- stages_pass.c ------------------------------------------------------------------------------------------ */

/* Of what layers begin or end with, copies for those that read it elsewhere; before the program is divided. */
void stages_set_apart(Stages *p);
int stages_lowest(StageSet sections);
int stages_highest(StageSet sections);
/* Stages with layers of the group pass the value on. */
void stages_pass(const StagesBody *b, PassedList *list, int buffer, int group);
/* Has a value passed on, or back, over the blocks between those sections that have it and this one. False if it cannot
 * be. */
bool stages_pass_to(StagesBody *b, int buffer, int section);

/* ---- stages_micro.c ----------------------------------------------------------------------------------------- */

/* Emits the body of the microbatch loop `micro_loop` (-1: there is none) as stages run it. */
void stages_place_micro(Stages *p, const NodeList *old, int micro_loop, NodeList *body);

#endif
