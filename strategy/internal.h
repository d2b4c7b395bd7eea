/* internal.h - shared by the files of the strategy pass.
 *
 *     strategy.c     the whole: the train's settings of the strategy, the reader and the seed
 *     call.c         strategies joined by `*`, their calls: which axis or value each parameter gets
 *     axes.c         names of axes
 *     number.c       arithmetic in strategies: layers, microbatches, scales, seeds
 *     select.c       selectors to parameters and layers
 *     placement.c    placement statements
 *     activations.c  those of activations
 *     pins.c         those of how values are computed
 *     converted.c    those of copies in other placements
 *     parts.c        which parts each of these may have
 *     schedule.c     the schedule of a pipeline
 *     sync.c         sync statements
 *     conflicts.c    statements that contradict each other
 *     idle.c         statements that have no effect
 *     unused.c       strategies that the train does not use
 *     units.c        requests to units and their placements
 *     cost.c         what a correct strategy wastes
 *
 * Statements become requests: what is asked for one state on one axis (placements), or for one target (syncs), for a
 * selection of parameters. Requests are checked against each other, then to every parameter of every layer the most
 * specific applies, and of those the latest.
 */
#ifndef PLACE_STRATEGY_INTERNAL_H
#define PLACE_STRATEGY_INTERNAL_H

#include "strategy/mode.h"
#include "strategy/strategy.h"

/* What a statement places: one of these or, from SUBJECT_COUNT on, a state that the program declares. */
typedef enum Subject {
    SUBJECT_PARAMETERS,
    SUBJECT_GRADIENTS,
    SUBJECT_OPTIMIZER,
    SUBJECT_ACTIVATIONS,
    SUBJECT_COUNT
} Subject;

/* A parameter in the layers first .. last; 0 .. 0 outside groups. */
typedef struct Pick {
    int tensor; /* -1 for activations */
    int64_t first, last;
    int specificity; /* 0: picked because there was no selector */
} Pick;

typedef Vec(Pick) LayerRanges; /* only first and last are used */

typedef struct Selection {
    Vec(Pick) picks;
} Selection;

/* What a parameter of a strategy stands for in one call. */
typedef struct Binding {
    AstName name;
    Span span;            /* of the argument */
    int axis;             /* of the mesh; -1 if it is a value */
    const AstNode *value; /* the argument or the default */
    bool is_default;
    const struct Factor *scope; /* the strategy whose parameters the value may name; NULL: none */
} Binding;

/* One call among the factors of the strategy statement. */
typedef struct Factor {
    const AstNode *declaration;
    Span call_span;
    bool in_prelude;
    Vec(Binding) bindings;
    const struct Factor *outer; /* the strategy that is defined by this call; NULL: the train's statement */
} Factor;

/* A placement statement, read. */
typedef struct PlacementStatement {
    const Factor *factor;
    const AstPlacement *text;
    Span span; /* where the user sees it */
    Subject subject;
    Mode mode;       /* with the tier, and how long copies are kept, that the statement gives */
    AxisSet axes;    /* empty: none are named */
    AstName by;      /* as written; without text if it is not */
    const char *dim; /* the same, but NULL for `flat` */
    bool tier_alone; /* says where the state is stored, not how it is divided over axes */
    bool present;    /* `where present`: what does not exist is left out */
    bool holds;      /* its condition */
} PlacementStatement;

enum { NO_AXIS = -1 };

typedef struct Request {
    Subject subject;
    int axis;       /* NO_AXIS: the tier alone, over whatever axes the state is stored */
    bool together;  /* the axis is one of several that the statement names together */
    bool rest, use; /* sharded over the axis */
    bool travels;   /* where all pieces are needed, they are passed on */
    bool kept_for_step;
    Tier tier;       /* as stored */
    bool tier_given; /* by the statement or its mode, even if it is the device */
    const char *dim; /* sharded by a dim of this name; NULL: flat */
    Selection selection;
    Span by_span; /* of the name */
    const Factor *factor;
    Span span; /* of the statement */
} Request;

typedef struct SyncRequest {
    Sync sync;           /* without its units */
    Selection selection; /* for gradients and parameters */
} SyncRequest;

typedef struct Evaluation {
    Ctx *ctx;
    const Ast *ast, *prelude;
    const AstNode *train_node;
    const Train *train;
    const Decls *decls;
    Assignment *assignment;
    StrategyKnown known;
    bool unused;    /* the train does not use it: what a call would bind is open, and unsupported requests do no harm */
    bool selects;   /* selectors mean parameters of this model */
    bool contested; /* statements conflict, so that it is not known which of them apply */
    Diag *unheard;  /* collects errors that are not worth reporting */
    Vec(Request) requests;
    Vec(SyncRequest) syncs;
    Vec(const AstNode *) evaluated; /* strategies */
} Evaluation;

typedef struct Rational {
    int64_t numerator, denominator; /* in lowest terms, denominator > 0 */
    bool open;                      /* depends on something unknown */
} Rational;

/* ---- strategy.c --------------------------------------------------------------------------------------------- */

/* The place that the user sees: in a strategy of the prelude, the call of it. */
Span strategy_user_span(const Factor *factor, Span span);
/* Reports at `span`; if that is in the prelude, at the call instead, with a label on the prelude's text. `factor` is
 * NULL outside strategies. */
Diagnostic *strategy_report(const Evaluation *e, const Factor *factor, DiagCode code, Span span, const char *format,
                            ...) __attribute__((format(printf, 5, 6)));
void strategy_suggest(Diagnostic *d, const char *name, const NameVec *known);

/* A setting of the train, such as "strategy"; NULL if there is none. */
const AstNode *strategy_setting(const Evaluation *e, const char *key);

/* ---- call.c ------------------------------------------------------------------------------------------------- */

/* The strategies of an expression, with their statements. `outer`: the strategy that it defines; NULL: the train's. */
void strategy_add_factors(Evaluation *e, const Factor *outer, const AstNode *node);
/* Those that a strategy with a definition in place of a body stands for. */
void strategy_add_defined(Evaluation *e, const Factor *factor);
/* The declaration of a strategy, mode or state; NULL if there is none. The user's come before the prelude's. */
const AstNode *strategy_find_declaration(const Evaluation *e, AstKind kind, const char *name);
/* Silent if the declaration may be in text that was not understood. */
void strategy_report_undeclared(const Evaluation *e, AstKind kind, AstName name);
/* The name itself, or what a parameter with that name stands for; without text if that is not a name. */
AstName strategy_bound_name(const Factor *factor, AstName name);
/* True for a parameter of a strategy that is not called: it may stand for anything. */
bool strategy_is_open(const Factor *factor, AstName name);

/* ---- axes.c ------------------------------------------------------------------------------------------------- */

/* The mesh axis that a name stands for: an axis parameter, or the axis itself; DERIVED_AXIS + i for a derived one. -1,
 * with a report, for an unknown one. */
enum { DERIVED_AXIS = STEP_MAX_AXES, AXIS_PRODUCT = 1 << 16 };
int strategy_axis(const Evaluation *e, const Factor *factor, AstName name);
/* The same for an argument, which may be a product of names: AXIS_PRODUCT plus a bit for each axis. */
int strategy_axis_product(const Evaluation *e, const Factor *factor, const AstNode *node);
/* The axes of the mesh whose product it is. */
AxisSet strategy_axis_members(const Evaluation *e, int axis);
int64_t strategy_axis_size(const Evaluation *e, int axis);
/* Several axes, in mesh order. False if errors were reported. */
bool strategy_axes(const Evaluation *e, const Factor *factor, const AstNames *names, AxisSet *axes);
/* Does one of the names stand for this axis and others together? */
bool strategy_is_named_together(const Evaluation *e, const Factor *factor, const AstNames *names, int axis);

/* ---- placement.c -------------------------------------------------------------------------------------------- */

/* The statements of a strategy. */
void strategy_read_body(Evaluation *e, const Factor *factor);
/* Parts of statements: the dim, and `where present`; false for another word, which is reported. */
AstName strategy_read_by(const Factor *factor, const AstPlacement *placement);
bool strategy_read_where(const Evaluation *e, const Factor *factor, AstName where);
const char *strategy_subject_name(const Evaluation *e, Subject subject);
static inline Subject strategy_declared_subject(int declared)
{
    return (Subject)(SUBJECT_COUNT + declared);
}

/* ---- activations.c ------------------------------------------------------------------------------------------ */

/* The repeated block whose values or parameters the label names; -1 none. */
int strategy_group_of_label(const Evaluation *e, const char *label);
/* Activations that are sharded by a dim other than the batch: some values or all. */
void strategy_add_cut(Evaluation *e, const PlacementStatement *s, const Request *request);
void strategy_add_recomputed(Evaluation *e, const PlacementStatement *s);
/* The tier on which activations are stored between the passes. */
void strategy_add_tiers(Evaluation *e, const PlacementStatement *s);

/* ---- pins.c ------------------------------------------------------------------------------------------------- */

/* Does the statement say how something is computed? */
bool strategy_is_pin(const Evaluation *e, const AstPlacement *placement);
/* Adds the words that stand in place of a mode. */
void strategy_add_pin_words(const Evaluation *e, NameVec *known);
/* Reports what is only computed, and stored nowhere, in another statement; false if the name is of something else. */
bool strategy_report_unstored(const Evaluation *e, const Factor *factor, AstName state);
void strategy_add_pin(Evaluation *e, const Factor *factor, const AstNode *node);
const char *strategy_pin_subject(PinSubject subject);
bool strategy_read_pin_subject(const Evaluation *e, const Factor *factor, AstName name, PinSubject *subject);
/* The layers of a group that a label names; no ranges: all layers. */
typedef struct InLayers {
    LayerRanges ranges;
    int group;
} InLayers;

/* One of these ranges; all layers by number are as none (group -1). */
typedef struct LayersOf {
    int group;
    int64_t first, last;
} LayersOf;

int strategy_range_count(const InLayers *layers);
LayersOf strategy_range(const Evaluation *e, const InLayers *layers, int index);
/* A label, and the layers that it names, if it names any; NULL if errors were reported. */
const char *strategy_read_label(const Evaluation *e, const Factor *factor, const AstNode *selector, InLayers *layers);
/* `layers` NULL: none may be named. */
bool strategy_read_labels(const Evaluation *e, const Factor *factor, const AstList *selectors, InLayers *layers,
                          Labels *labels);

/* ---- parts.c ------------------------------------------------------------------------------------------------ */

/* What a placement statement is about. */
typedef enum StatementKind {
    STATEMENT_STORED,
    STATEMENT_SCHEDULE,
    STATEMENT_COMPUTED,
    STATEMENT_CONVERTED
} StatementKind;

/* Reports a part that such a statement does not have; then false. */
bool strategy_check_parts(const Evaluation *e, const Factor *factor, const AstPlacement *placement, StatementKind kind);

/* ---- converted.c -------------------------------------------------------------------------------------------- */

/* Does the statement say what becomes of copies in other placements? */
bool strategy_is_converted(const Evaluation *e, const AstPlacement *placement);
void strategy_add_converted_word(const Evaluation *e, NameVec *known);
void strategy_add_converted(Evaluation *e, const Factor *factor, const AstNode *node);

/* ---- conflicts.c -------------------------------------------------------------------------------------------- */

void strategy_check_conflicts(const Evaluation *e);

/* ---- number.c ----------------------------------------------------------------------------------------------- */

/* The value of an expression of numbers, axes (their sizes), `microbatches` and parameters of the strategy. */
bool strategy_number(const Evaluation *e, const Factor *factor, const AstNode *node, Rational *value);
/* The same if it must be a whole number; also false, silently, if it is open. */
bool strategy_integer(const Evaluation *e, const Factor *factor, const AstNode *node, int64_t *value);
bool strategy_is_truth(const AstNode *node); /* `true` or `false` */
/* `true`, `false`, a parameter that is one of them, or a comparison of numbers; also false if it is open. */
bool strategy_condition(const Evaluation *e, const Factor *factor, const AstNode *node, bool *value);
/* Does a statement or clause apply: is `when` NULL, or does it hold? False if that is open or was reported. */
bool strategy_holds(const Evaluation *e, const Factor *factor, const AstNode *when, bool *holds);
/* 1 + 2 * coordinate(data). */
bool strategy_seed(const Evaluation *e, const AstNode *node, Seed *seed);

/* ---- select.c ----------------------------------------------------------------------------------------------- */

/* What selectors name; all parameters if there are none. If something may be missing (`optional`), a selector that
 * names nothing is not an error. False if errors were reported. */
bool strategy_select(const Evaluation *e, const Factor *factor, const AstList *selectors, bool optional,
                     Selection *selection);
/* The text of a selector without layers, "*.scores"; NULL if errors were reported. */
const char *strategy_label(const Evaluation *e, const Factor *factor, const AstNode *selector);
/* The same for values of some layers; *ranges are these, empty for all. */
const char *strategy_label_in_layers(const Evaluation *e, const Factor *factor, const AstNode *selector,
                                     LayerRanges *ranges);
/* Reports a name that no dim has, neither in this model nor in parameters that other models may have. */
bool strategy_check_dim(const Evaluation *e, const Factor *factor, AstName dim);
/* Keeps the parameters that have a dim of this name; reports the others, or leaves them out. */
bool strategy_select_dim(const Evaluation *e, const Factor *factor, AstName dim, bool optional, Selection *selection);
int strategy_dim_of(const Evaluation *e, int tensor, const char *dim);
/* How specifically it names a parameter in a layer; -1 if it does not. */
int selection_specificity(const Selection *selection, int tensor, int64_t layer);
/* Do both name some parameter and layer? */
bool selections_overlap(const Selection *x, const Selection *y);
/* The same, equally specifically. */
bool selections_clash(const Selection *x, const Selection *y);
/* Does it name everything that `hidden`, of an earlier or a later statement of one strategy, names: at least as
 * specifically, or more specifically? */
bool selection_hides_earlier(const Selection *selection, const Selection *hidden);
bool selection_hides_later(const Selection *selection, const Selection *hidden);

/* ---- schedule.c --------------------------------------------------------------------------------------------- */

/* `schedule NAME over AXIS`: a pipeline. */
void strategy_add_schedule(Evaluation *e, const Factor *factor, const AstNode *node);
const char *strategy_schedule_name(Schedule schedule);

/* ---- sync.c ------------------------------------------------------------------------------------------------- */

void strategy_add_sync(Evaluation *e, const Factor *factor, const AstNode *sync);
/* The words of a sync: its target, its operation, and when what is only started is waited for; NULL if it never is. */
const char *strategy_sync_target(const Assignment *assignment, const Sync *sync);
const char *strategy_operation_name(SyncOperation operation);
const char *strategy_sync_wait(SyncTarget target);

/* ---- idle.c ------------------------------------------------------------------------------------------------- */

/* Reports P0210; false. */
bool strategy_report_idle(const Evaluation *e, const Factor *factor, Span span, const char *what, const char *why,
                          const char *help);
/* Does what a placement asks for have an effect: how long copies are kept, `where present`, the gradients and states of
 * the selected parameters, the state's parts? False if an error was reported. */
bool strategy_check_copies(const Evaluation *e, const PlacementStatement *s);
bool strategy_check_present(const Evaluation *e, const PlacementStatement *s);
bool strategy_check_frozen(const Evaluation *e, const PlacementStatement *s, const Selection *selection);
bool strategy_check_state(const Evaluation *e, const PlacementStatement *s);
/* Reports a call, or an argument of it, that has no effect; `asks`: for each statement, whether it asks for
 * anything. */
void strategy_check_asked(const Evaluation *e, const Factor *factor, const bool *asks);
/* Does the program declare the state as a single number, `one`, rather than one per parameter? */
bool strategy_is_one_number(const Evaluation *e, const char *name);

/* ---- unused.c ----------------------------------------------------------------------------------------------- */

/* Checks the parameters of all strategies of the file, and the bodies of those that were not evaluated. */
void strategy_check_declarations(const Evaluation *e);

/* ---- cost.c ------------------------------------------------------------------------------------------------- */

/* Is the batch sharded over the axis, or does each copy along it have a batch of its own? */
bool strategy_cuts_batch(const Assignment *assignment, int axis);
/* Needs assignment->batch_axes. */
void strategy_report_costs(const Evaluation *e);

/* ---- units.c ------------------------------------------------------------------------------------------------ */

/* The request that applies; NULL if none does. Tensor -1 for activations. */
const Request *strategy_winner(const Evaluation *e, Subject subject, int axis, int tensor, int64_t layer);
/* Makes assignment->units and assignment->syncs. */
void strategy_make_units(Evaluation *e);

#endif
