/* space.h - the strategies that a search chooses from: a mesh of up to six axes, what is done over each, microbatches.
 *
 *     search over pod {                       // in a train, in place of `strategy`; every line may be left out
 *         least time                          // or memory; most throughput
 *         tensor at most 8                    // the same for pipeline, data, context, expert, microbatches;
 *         context 1                           // exactly
 *         without gpipe, offload              // names of option.def
 *         with placed                         // which is left out where `tensor` divides the model
 *         memory at most 60 GiB               // of one device
 *         time at most 2 s                    // of a step
 *         price at most 0.5                   // of a step on all devices, in the cluster's money
 *         devices at least 8                  // half of the cluster, a quarter and so on, too
 *     }
 */
#ifndef PLACE_SEARCH_SPACE_H
#define PLACE_SEARCH_SPACE_H

#include "parser/ast.h"
#include "reference/train.h"

typedef enum Degree {
#define DEGREE(ID, name) DEGREE_##ID,
#include "search/degree.def"
#undef DEGREE
} Degree;
enum { DEGREE_COUNT = DEGREE_TENSOR + 1, ALWAYS = DEGREE_COUNT };

typedef enum OptionGroup {
#define GROUP(ID, degree) GROUP_##ID,
#define OPTION(group, name, call)
#include "search/option.def"
#undef OPTION
#undef GROUP
} OptionGroup;
enum { GROUP_COUNT = GROUP_PLACED + 1, MOST_OPTIONS = 4 };

/* The places of options in their groups; those of STATES are the stages of ZeRO. */
enum { OPTION_ONE_F_ONE_B, OPTION_GPIPE, OPTION_INTERLEAVED };
enum { OPTION_DATA_PARALLEL, OPTION_ZERO1, OPTION_ZERO3 = 3 };
enum { OPTION_PLACED };
enum { OPTION_GATHERED, OPTION_RING };
enum { OPTION_TENSOR_PARALLEL, OPTION_SEQUENCE_PARALLEL = 2 };
enum { OPTION_KEEP, OPTION_SELECTIVE, OPTION_RECOMPUTE, OPTION_BY_VALUE };
enum { OPTION_ON_DEVICE, OPTION_OFFLOAD };
enum { OPTION_VALUES_ON_DEVICE, OPTION_VALUES_ON_HOST };

typedef struct Option {
    const char *name, *call;
    const char *excluded; /* why the space does not have it; NULL: it does */
    bool wanted;          /* by `with` */
} Option;

typedef struct Options {
    int degree; /* that it needs; ALWAYS: none */
    int count;
    Option option[MOST_OPTIONS];
} Options;

typedef struct Limit {
    int64_t low, high;
    bool given;
} Limit;

/* Labels of a block, of values that are recomputed together. */
typedef Vec(const char *) ValueLabels;
/* One that the backward pass reads. */
typedef struct KeptValue {
    const char *label;
    int values;   /* that may be recomputed before it */
    bool outside; /* the block: what layers begin with, the first of all */
} KeptValue;
enum { MOST_VALUES = 5, MOST_HOSTED = 13 };

/* Both: the front of strategies than which none is faster and smaller. Throughput: of a served model, tokens per
 * second, with as many sequences as that takes. */
typedef enum Objective { LEAST_TIME, LEAST_MEMORY, LEAST_PRICE, LEAST_BOTH, MOST_THROUGHPUT } Objective;

/* A strategy of its own that says how single operators are computed (search/pinned.h), over one axis. */
typedef struct PinnedSet {
    Degree over;
    const char *statements;
} PinnedSet;

typedef struct Space {
    Objective objective;
    bool timed;            /* the time of a step is predicted */
    int64_t memory_bytes;  /* of a device, at most; 0: nothing is known */
    double most_seconds;   /* of a step; 0: as many as it takes */
    bool slower;           /* than the train asserts: what would do is looked for */
    double most_price;     /* of a step on all devices; 0: as much as it takes */
    int64_t least_devices; /* of a part of the cluster that may be taken; 0: all of it is */
    Span least_devices_span;
    Limit degree[DEGREE_COUNT];
    Limit tensors; /* `tensor` where parameters are placed over it one by one, which needs no strategy for blocks */
    const char *why[DEGREE_COUNT]; /* of a degree that the model has no use for; NULL: it has */
    Limit micro;
    Options options[GROUP_COUNT];
    int64_t examples;         /* of a microbatch on one rank, at most: as many as one device can count */
    int64_t fewest;           /* that one device can run: `batchnorm` of vectors takes two */
    const char *why_micro;    /* there are no several microbatches; NULL: there may be */
    const Train *train;       /* on one device */
    int64_t devices, layers;  /* layers: of the repeated block; 0: there is none, or several */
    Vec(ValueLabels) values;  /* that may be recomputed, at most MOST_VALUES, the best first (search/values.h) */
    Vec(KeptValue) kept;      /* those of them that the backward pass reads, at most MOST_HOSTED, in the same order, */
    int64_t hosted;           /* of which so many, from the last on, may be on the host; */
    bool begin_hosted;        /* and of layers that recompute everything, or by an option, what they begin with */
    const char *saving_name;  /* of the strategy that recomputes values, or has them on the host */
    const char *placed_name;  /* of the strategy that places parameters one by one, */
    Vec(const char *) placed; /* and as what it was declared: Choice.placed - 1 */
    bool pinned_wanted;       /* operators are pinned, too */
    Span pinned_span;
    const char *pinned_name; /* the same of the strategy that pins operators */
    Vec(PinnedSet) pinned;   /* Choice.pinned - 1 */
} Space;

static inline bool limit_allows(const Limit *limit, int64_t value)
{
    return limit->low <= value && value <= limit->high;
}

extern const char *const degree_names[DEGREE_COUNT];
extern const char *const objective_names[MOST_THROUGHPUT + 1]; /* "least time" */

/* Is any of them in the space? */
bool options_left(const Options *options);

/* What one strategy chooses. */
typedef struct Choice {
    int32_t degree[DEGREE_COUNT];
    int32_t micro, chunks;
    /* With OPTION_BY_VALUE how many of the space's values are recomputed, from 1 on; one more than all: everything. */
    int32_t values;
    /* With that and OPTION_RECOMPUTE in how many layers, the first ones of the largest stage, chunk by chunk; 0: in
     * all. The others recompute one of the values less, or nothing. */
    int32_t layers;
    int32_t offloaded; /* with OPTION_OFFLOAD, the layers of the largest stage whose states are on the host; 0: all
                          states */
    int32_t hosted;    /* with OPTION_VALUES_ON_HOST, of those that are kept, from the last on;
                          with other options to recompute 1: what layers begin with */
    int8_t option[GROUP_COUNT];
    int32_t placed; /* which of the space's, from 1 on; 0: all parameters are placed alike */
    int32_t pinned; /* the same of what pins operators; 0: none is */
    bool apart;     /* `tensor` is for these alone; otherwise they are over `data` */
} Choice;

/* The axis on which parameters and operators are placed one by one: `tensor`, or where the mesh has none, `data`. */
Degree space_placing(const Choice *choice);

/* Reads the lines of `search over`, NULL: there are none; reports what is wrong. */
bool space_read(Ctx *ctx, const AstNode *search, Space *space);

/* Does it ask for the time of a step, or for what follows from it? */
bool space_needs_time(const Space *space);
bool space_needs_price(const Space *space);
/* That a step may take, by both limits; INFINITY: there is none. */
double space_most_seconds(const Space *space);
/* Is a strategy that takes at least so long not in the limits? By more than rounding. */
bool space_too_slow(const Space *space, double seconds);
/* Of a step on all devices. */
double space_price(const Space *space, double seconds);

/* Is it one that the search looks at? The replicas are copies of shards, as in HSDP: of whole states they are no other
 * than more ranks along `data`. Microbatches have equally many examples on all ranks. */
bool space_has(const Space *space, const Choice *choice);

/* The layers of the stage that has most. */
int64_t space_stage_layers(const Space *space, const Choice *choice);
/* Of a stage with so many, those that save memory, if `some` of the largest do (0: all): each stage has the same number
 * of others, or all of its layers are. */
int64_t space_saving(const Space *space, const Choice *choice, int64_t some, int64_t layers);
/* Is less than the most saved, too, because memory is limited, or, where the least is wanted, time? */
bool space_saves_partly(const Space *space);
/* How many of the space's values may be recomputed; 0 where nothing is saved partly. */
int64_t space_values(const Space *space);
/* The most that Choice.values may be, with the choice's values on the host. */
int64_t space_most_values(const Space *space, const Choice *choice);
/* The options of a group that a choice may have: all of the space's, or, where its degree is 1, none, which is 0.
 * Values that are recomputed are not one but several (space_values). */
bool space_has_option(const Space *space, const Choice *choice, int group, int option);
/* The fewest values on the host. */
int64_t space_least_hosted(const Space *space);
/* How many of the values may be on the host, with what the choice recomputes. */
int64_t space_hosted(const Space *space, const Choice *choice);
/* The value that is there with so many others before it. */
const KeptValue *space_hosted_value(const Space *space, const Choice *choice, int others);
/* Sets how many are there. */
void space_host(Choice *choice, int64_t values);
/* Where the least memory is wanted and nothing is saved partly: as many on the host as may be, and the others
 * recomputed, or as many as may be where `everything` is recomputed. False: that is not in the space. */
bool space_hosts_most(const Space *space, bool everything, Choice *choice);
/* How many ways there are to recompute something in only some layers; 0 where nothing is saved partly. */
int64_t space_partly(const Space *space, const Choice *choice);
/* The same for offloading states of layers, on at most 8 stages, which are not interleaved: more have many rows. */
int64_t space_offloaded(const Space *space, const Choice *choice);

/* Ranks and microbatches that the batch is divided into. */
int64_t space_parts(const Choice *choice);
/* Examples of a microbatch on one rank. */
double space_examples(const Space *space, const Choice *choice);

/* Why a plan is none that the search can compare; NULL: it is one. */
const char *space_unpredicted(Arena *arena, const Space *space, const char *unknown);

/* "pipeline: 4, data: 8": the axes with several ranks. */
const char *space_mesh(Arena *arena, const Choice *choice);
/* The same with an outermost axis, whose ranks are copies and take all devices that are left. */
const char *space_copies(Arena *arena, const Space *space, const Choice *choice);
/* "zero1(data) * pipeline(pipeline) * recompute(block[*].mlp.active)" */
const char *space_strategy(Arena *arena, const Space *space, const Choice *choice);
/* "zero1(data) * pipeline(pipeline) * saving" */
const char *space_named(Arena *arena, const Space *space, const Choice *choice);
/* The strategies that have to be declared for that; NULL: none. */
const char *space_declared(Arena *arena, const Space *space, const Choice *choice);

#endif
