/* read_tree.c - reads the tree of a routine: operators, loops, guards, waits (docs/step-program.md 3). */
#include "step/read.h"

#include "step/names.h"
#include "step/spec.h"

#include <string.h>

/* The limit of the |value| of an affine expression: loop variables stay below it, so that no evaluation overflows. */
static const int64_t most_affine = (int64_t)1 << 40;

static const char *const op_names[OP_COUNT] = {
#define OP(id, name, ...) [OP_##id] = name,
#include "step/op.def"
#undef OP
};

/* ---- Affine expressions and references ---------------------------------------------------------------------- */

/* "$first" */
static bool read_table_variable(StepReader *r, int *variable, int64_t *bound)
{
    int32_t start = r->scan.at;
    const char *name;
    if (!step_scan_identifier(&r->scan, &name, "a table"))
        return false;
    int table = step_read_find_name(&r->tables, name);
    if (table < 0)
        return step_scan_fail(&r->scan, start, "'%s' is not the name of a table", name);
    *variable = affine_table(table);
    *bound = 0;
    const IndexTable *values = &r->decls->tables.data[table];
    for (int64_t i = 0; i < r->decls->axes.data[values->axis].size; i++) {
        int64_t size = values->values[i] < 0 ? -values->values[i] : values->values[i];
        *bound = size > *bound ? size : *bound;
    }
    return true;
}

/* "l0", "@data" or "$first"; `bound` is its largest |value|. */
static bool read_variable(StepReader *r, int *variable, int64_t *bound)
{
    step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    const char *name;
    if (step_scan_take(&r->scan, '@')) {
        if (!step_scan_identifier(&r->scan, &name, "an axis"))
            return false;
        int axis = step_read_find_name(&r->axes, name);
        if (axis < 0)
            return step_scan_fail(&r->scan, start + 1, "'%s' is not the name of an axis", name);
        *variable = affine_coordinate(axis);
        *bound = r->decls->axes.data[axis].size;
        return true;
    }
    if (step_scan_take(&r->scan, '$'))
        return read_table_variable(r, variable, bound);
    int64_t id;
    if (!step_scan_take(&r->scan, 'l'))
        return step_scan_fail(&r->scan, start, "expected a number, 'l0', '@axis' or '$table'");
    if (!step_scan_integer(&r->scan, &id, 0, STEP_MOST_LOOPS - 1, "the number of a loop"))
        return false;
    for (int i = 0; i < r->loop_depth; i++) {
        if (r->loops[i].id == id) {
            *variable = (int)id;
            *bound = r->loops[i].bound;
            return true;
        }
    }
    return step_scan_fail(&r->scan, start, "no loop around this line binds 'l%lld'", (long long)id);
}

/* Adds one term, with its sign, to `affine`; `bound` grows by its largest |value|. */
static bool read_term(StepReader *r, Affine *affine, int64_t sign, double *bound)
{
    char next = step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    int64_t number = 1, variable_bound = 0;
    int variable = 0;
    if (next >= '0' && next <= '9') {
        if (!step_scan_integer(&r->scan, &number, 0, most_affine, "a number"))
            return false;
        if (!step_scan_take(&r->scan, '*')) {
            affine->constant += sign * number;
            *bound += (double)number;
            return *bound <= (double)most_affine || step_scan_fail(&r->scan, start, "a number out of range");
        }
    }
    if (!read_variable(r, &variable, &variable_bound))
        return false;
    if (affine->term_count == STEP_MAX_TERMS)
        return step_scan_fail(&r->scan, start, "more than %d variables", STEP_MAX_TERMS);
    affine->term[affine->term_count].variable = variable;
    affine->term[affine->term_count++].coefficient = sign * number;
    *bound += (double)number * (double)variable_bound;
    return *bound <= (double)most_affine || step_scan_fail(&r->scan, start, "a number out of range");
}

bool step_read_affine(StepReader *r, Affine *affine, int64_t *bound)
{
    *affine = (Affine){0};
    double largest = 0;
    int64_t sign = step_scan_take(&r->scan, '-') ? -1 : 1;
    for (;;) {
        if (!read_term(r, affine, sign, &largest))
            return false;
        if (step_scan_take(&r->scan, '+'))
            sign = 1;
        else if (step_scan_take(&r->scan, '-'))
            sign = -1;
        else
            break;
    }
    if (step_scan_take(&r->scan, '%') && !step_scan_integer(&r->scan, &affine->modulus, 1, most_affine, "the modulus"))
        return false;
    if (bound != NULL)
        *bound = affine->modulus > 0 ? affine->modulus - 1 : (int64_t)largest;
    return true;
}

bool step_read_interval(StepReader *r, int64_t *low, int64_t *high)
{
    return step_scan_integer(&r->scan, low, -most_affine, most_affine, "the lower bound") &&
           step_scan_expect_range(&r->scan) &&
           step_scan_integer(&r->scan, high, -most_affine, most_affine, "the upper bound");
}

static bool read_ref(StepReader *r, Ref *ref)
{
    *ref = (Ref){.member = -1};
    if (!step_read_known_name(r, &r->buffers, &ref->buffer, "a buffer"))
        return false;
    if (step_scan_take(&r->scan, '[') && (!step_read_affine(r, &ref->slot, NULL) || !step_scan_expect(&r->scan, ']')))
        return false;
    if (!step_scan_take(&r->scan, ':'))
        return true;
    step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    if (!step_read_known_name(r, &r->tensors, &ref->member, "a tensor"))
        return false;
    const Buffer *buffer = &r->program->buffers.data[ref->buffer];
    if (buffer->layout != LAYOUT_UNIT || unit_offset(&r->decls->units.data[buffer->unit], ref->member) < 0)
        return step_scan_fail(&r->scan, start, "'%s' is not a member of '%s'", r->decls->tensors.data[ref->member].name,
                              buffer->name);
    return true;
}

/* ---- Attributes of operators -------------------------------------------------------------------------------- */

typedef enum Attribute {
    ATTRIBUTE_SPEC,
    ATTRIBUTE_SCALE,
    ATTRIBUTE_REDUCE,
    ATTRIBUTE_OVER,
    ATTRIBUTE_INDEX,
    ATTRIBUTE_CHANNEL,
    ATTRIBUTE_COMMUNICATOR,
    ATTRIBUTE_TENSOR,
    ATTRIBUTE_SEED,
    ATTRIBUTE_NAME,
    ATTRIBUTE_EVENT,
    ATTRIBUTE_STREAM,
    ATTRIBUTE_ORIGIN,
    ATTRIBUTE_ID,
    ATTRIBUTE_COUNT
} Attribute;

static const char *const attribute_names[ATTRIBUTE_COUNT] = {
    [ATTRIBUTE_SPEC] = "a spec",           [ATTRIBUTE_SCALE] = "'scale'",
    [ATTRIBUTE_REDUCE] = "'sum' or 'max'", [ATTRIBUTE_OVER] = "'over'",
    [ATTRIBUTE_INDEX] = "'index'",         [ATTRIBUTE_TENSOR] = "'tensor'",
    [ATTRIBUTE_SEED] = "'seed'",           [ATTRIBUTE_NAME] = "'name'",
    [ATTRIBUTE_EVENT] = "'event'",         [ATTRIBUTE_STREAM] = "'stream'",
    [ATTRIBUTE_ORIGIN] = "'origin'",       [ATTRIBUTE_ID] = "'id'",
    [ATTRIBUTE_CHANNEL] = "'channel'",     [ATTRIBUTE_COMMUNICATOR] = "'communicator'"};

/* The attributes of an operator: those it needs and those it may have. Any other would be read and ignored. */
typedef struct Uses {
    unsigned needed, allowed;
} Uses;

#define USES(attribute) (1u << ATTRIBUTE_##attribute)

/* For operators whose class does not determine their attributes: each has a row, and without one it has no text
 * form. */
static const Uses special_uses[OP_COUNT] = {
    [OP_FILL] = {0, USES(SPEC) | USES(TENSOR)},
    [OP_IOTA] = {USES(INDEX), USES(SPEC)},
    [OP_READ] = {USES(TENSOR) | USES(INDEX), USES(SPEC) | USES(OVER)},
    [OP_INIT] = {USES(SEED), USES(SPEC) | USES(TENSOR)},
    [OP_OUTPUT] = {USES(NAME), 0},
    [OP_SLICE] = {USES(OVER), 0},
    [OP_PLACE_SHARD] = {USES(OVER), 0},
    [OP_ALL_REDUCE] = {USES(REDUCE), USES(EVENT) | USES(COMMUNICATOR)},
    [OP_REDUCE_SCATTER] = {USES(REDUCE), USES(EVENT) | USES(COMMUNICATOR)},
    [OP_ALL_GATHER] = {USES(OVER), USES(EVENT) | USES(COMMUNICATOR)},
    [OP_ALL_TO_ALL] = {USES(OVER), USES(EVENT) | USES(COMMUNICATOR)},
    [OP_ALL_TO_ALL_FILLED] = {USES(OVER), USES(EVENT) | USES(COMMUNICATOR)},
    [OP_PERMUTE] = {USES(OVER) | USES(INDEX), USES(EVENT) | USES(COMMUNICATOR)},
    [OP_BROADCAST] = {USES(OVER) | USES(INDEX), USES(EVENT) | USES(COMMUNICATOR)},
    [OP_HALO] = {USES(OVER), USES(EVENT) | USES(COMMUNICATOR)},
    [OP_HALO_ADD] = {USES(OVER), USES(EVENT) | USES(COMMUNICATOR)},
    [OP_SEND] = {USES(OVER) | USES(INDEX), USES(CHANNEL) | USES(EVENT) | USES(COMMUNICATOR)},
    [OP_RECV] = {USES(OVER) | USES(INDEX), USES(CHANNEL) | USES(EVENT) | USES(COMMUNICATOR)},
};

static Uses class_uses(OpKind kind)
{
    switch (op_info[kind].op_class) {
    case CLASS_MAP: /* updates, and numbers of a parameter, name it */
        return (Uses){kind == OP_SCALE ? USES(SCALE) : 0,
                      USES(SPEC) | USES(TENSOR) | (kind == OP_COPY ? USES(EVENT) : 0)};
    case CLASS_CONTRACT: /* one piece at a time */
        return (Uses){0, USES(SPEC) | USES(OVER) | USES(INDEX)};
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_CHOICE:
    case CLASS_WINDOW:
    case CLASS_VIEW:
        return (Uses){0, USES(SPEC)};
    case CLASS_SOURCE:
    case CLASS_SINK:
    case CLASS_MOVE:
    case CLASS_COMM:
        return special_uses[kind];
    }
    BUG("an operator of class %d", (int)op_info[kind].op_class);
}

/* False, with a report, if the operator has no text form. */
static bool find_uses(StepReader *r, OpKind kind, int32_t op_start, Uses *uses)
{
    *uses = class_uses(kind);
    if (uses->needed == 0 && uses->allowed == 0)
        return step_scan_fail(&r->scan, op_start, "'%s' has no text form", op_info[kind].name);
    uses->allowed |= uses->needed | USES(STREAM) | USES(ORIGIN) | USES(ID);
    return true;
}

/* Index letters; with an arrow, one part per operand before it; without one, just the result's. */
static bool read_spec(StepReader *r, Op *op)
{
    int32_t start = r->scan.at;
    if (!step_scan_string(&r->scan, &op->spec))
        return false;
    Spec spec;
    if (!spec_parse(op->spec, &spec))
        return step_scan_fail(&r->scan, start, "a spec has letters, ',' and one '->' only");
    if (spec_is_empty(op) || spec.operand_count == op->operand_count)
        return true;
    if (spec.operand_count == 0)
        return step_scan_fail(&r->scan, start, "expected '->' in the spec");
    return step_scan_fail(&r->scan, start, "the spec has %d operands, the operator %d", spec.operand_count,
                          op->operand_count);
}

static bool read_scale(StepReader *r, Op *op)
{
    Scale *scale = &op->scale;
    if (!step_scan_integer(&r->scan, &scale->numerator, -most_affine, most_affine, "the numerator") ||
        !step_scan_expect(&r->scan, '/') ||
        !step_scan_integer(&r->scan, &scale->denominator, 1, most_affine, "the denominator"))
        return false;
    if (!step_scan_take_word(&r->scan, "local"))
        return true;
    step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    if (!step_scan_string(&r->scan, &scale->local_extents))
        return false;
    Spec letters;
    return (spec_parse(scale->local_extents, &letters) && letters.operand_count == 0) ||
           step_scan_fail(&r->scan, start, "expected letters of the spec");
}

static bool is_over_one(OpKind kind)
{
    switch (op_peers(kind)) {
    case PEERS_GROUP:
        return false;
    case PEERS_SOURCE:
    case PEERS_PERMUTED:
    case PEERS_NEIGHBOURS:
    case PEERS_MESSAGE:
        return true;
    case PEERS_NONE: /* a product of pieces; slices and readers may name several axes */
        return op_info[kind].op_class == CLASS_CONTRACT;
    }
    BUG("'%s' has peers that are none", op_info[kind].name);
}

bool step_read_over(StepReader *r, AxisSet *axes)
{
    unsigned used = 0;
    do {
        step_scan_peek(&r->scan);
        int32_t start = r->scan.at;
        int axis;
        if (!step_read_known_name(r, &r->axes, &axis, "an axis"))
            return false;
        if (used & (1u << axis))
            return step_scan_fail(&r->scan, start, "an axis named twice");
        used |= 1u << axis;
        axes->axis[axes->count++] = (int8_t)axis;
    } while (step_scan_take(&r->scan, ','));
    return true;
}

static bool read_over(StepReader *r, Op *op)
{
    return step_read_over(r, &op->axes) &&
           (!is_over_one(op->kind) || op->axes.count == 1 ||
            step_scan_fail(&r->scan, r->scan.at, "'%s' is over one axis", op_info[op->kind].name));
}

static bool read_seed(StepReader *r, Op *op)
{
    if (!step_scan_integer(&r->scan, &op->seed.base, -INT64_MAX, INT64_MAX, "the seed"))
        return false;
    while (step_scan_take(&r->scan, '+')) {
        int64_t coefficient;
        if (!step_scan_integer(&r->scan, &coefficient, -most_affine, most_affine, "a number") ||
            !step_scan_expect(&r->scan, '*') || !step_scan_expect(&r->scan, '@'))
            return false;
        const char *name;
        int32_t start = r->scan.at;
        if (!step_scan_identifier(&r->scan, &name, "an axis"))
            return false;
        int axis = step_read_find_name(&r->axes, name);
        if (axis < 0)
            return step_scan_fail(&r->scan, start, "'%s' is not the name of an axis", name);
        if (op->seed.per_axis[axis] != 0)
            return step_scan_fail(&r->scan, start, "an axis named twice");
        op->seed.per_axis[axis] = coefficient;
    }
    return true;
}

static bool read_small(StepReader *r, int *value, int64_t most, const char *what)
{
    int64_t number = 0;
    bool ok = step_scan_integer(&r->scan, &number, 0, most, what);
    *value = (int)number;
    return ok;
}

/* All that names an event agrees in the number of its slots. */
static bool agree_on_slots(StepReader *r, int event, int slots, int32_t start)
{
    while (r->event_slots.count <= event)
        vec_push(r->ctx->arena, &r->event_slots, 0);
    int *known = &r->event_slots.data[event];
    if (*known != 0 && *known != slots)
        return step_scan_fail(&r->scan, start, "event %d has %d slot%s elsewhere, %d here", event, *known,
                              *known == 1 ? "" : "s", slots);
    *known = slots;
    if (event >= r->program->event_count)
        r->program->event_count = event + 1;
    return true;
}

/* "3", or "3[l0+1 % 2]" */
static bool read_event(StepReader *r, int *event, Affine *slot)
{
    step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    *slot = (Affine){0};
    if (!read_small(r, event, STEP_MOST_EVENTS - 1, "the event"))
        return false;
    if (!step_scan_take(&r->scan, '['))
        return agree_on_slots(r, *event, 1, start);
    if (!step_read_affine(r, slot, NULL))
        return false;
    if (slot->modulus < 2 || slot->modulus > STEP_MOST_EVENT_SLOTS)
        return step_scan_fail(&r->scan, start, "the slot of an event ends in '%% N', the number of its slots, 2 to %d",
                              STEP_MOST_EVENT_SLOTS);
    return step_scan_expect(&r->scan, ']') && agree_on_slots(r, *event, (int)slot->modulus, start);
}

static bool read_attribute_value(StepReader *r, Op *op, Attribute attribute)
{
    switch (attribute) {
    case ATTRIBUTE_SPEC:
        return read_spec(r, op);
    case ATTRIBUTE_SCALE:
        return read_scale(r, op);
    case ATTRIBUTE_REDUCE:
        return step_scan_expect_word(&r->scan, "over") && read_over(r, op);
    case ATTRIBUTE_OVER:
        return read_over(r, op);
    case ATTRIBUTE_INDEX:
        return step_read_affine(r, op_index_of(op), NULL);
    case ATTRIBUTE_CHANNEL:
        return read_small(r, &op->peer.channel, STEP_MOST_CHANNELS - 1, "the channel");
    case ATTRIBUTE_COMMUNICATOR:
        return step_read_known_name(r, &r->communicators, &op->communicator, "a communicator");
    case ATTRIBUTE_TENSOR:
        return step_read_known_name(r, &r->tensors, &op->tensor, "a tensor");
    case ATTRIBUTE_SEED:
        return read_seed(r, op);
    case ATTRIBUTE_NAME:
        return step_scan_string(&r->scan, &op->output);
    case ATTRIBUTE_EVENT:
        return read_event(r, &op->event, &op->event_slot);
    case ATTRIBUTE_STREAM:
        return read_small(r, &op->stream, STEP_MOST_STREAMS - 1, "the stream");
    case ATTRIBUTE_ORIGIN:
        return read_small(r, &op->origin, STEP_MOST_IDS - 1, "the origin");
    case ATTRIBUTE_ID:
        return read_small(r, &op->id, STEP_MOST_IDS - 1, "the id");
    case ATTRIBUTE_COUNT:
        break;
    }
    BUG("attribute %d", (int)attribute);
}

/* `reduce` is set with ATTRIBUTE_REDUCE, whose words are its values. */
static bool take_attribute(StepReader *r, ReduceKind *reduce, Attribute *attribute)
{
    static const struct {
        const char *word;
        Attribute attribute;
    } words[] = {{"scale", ATTRIBUTE_SCALE},   {"sum", ATTRIBUTE_REDUCE},
                 {"max", ATTRIBUTE_REDUCE},    {"over", ATTRIBUTE_OVER},
                 {"index", ATTRIBUTE_INDEX},   {"channel", ATTRIBUTE_CHANNEL},
                 {"tensor", ATTRIBUTE_TENSOR}, {"seed", ATTRIBUTE_SEED},
                 {"name", ATTRIBUTE_NAME},     {"event", ATTRIBUTE_EVENT},
                 {"stream", ATTRIBUTE_STREAM}, {"origin", ATTRIBUTE_ORIGIN},
                 {"id", ATTRIBUTE_ID},         {"communicator", ATTRIBUTE_COMMUNICATOR}};
    if (step_scan_peek(&r->scan) == '"') {
        *attribute = ATTRIBUTE_SPEC;
        return true;
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (step_scan_take_word(&r->scan, words[i].word)) {
            *attribute = words[i].attribute;
            if (*attribute == ATTRIBUTE_REDUCE)
                *reduce = strcmp(words[i].word, "max") == 0 ? REDUCE_MAX : REDUCE_SUM;
            return true;
        }
    }
    return step_scan_fail(&r->scan, r->scan.at, "expected an attribute");
}

static bool read_attributes(StepReader *r, Op *op, int32_t op_start)
{
    const char *op_name = op_info[op->kind].name;
    unsigned seen = 0;
    Uses uses;
    if (!find_uses(r, op->kind, op_start, &uses))
        return false;
    for (;;) {
        char next = step_scan_peek(&r->scan);
        if (next == '\0' || next == '\n' || next == '#')
            break;
        int32_t start = r->scan.at;
        Attribute attribute = ATTRIBUTE_COUNT;
        ReduceKind reduce = REDUCE_SUM;
        if (!take_attribute(r, &reduce, &attribute))
            return false;
        if (!(uses.allowed & (1u << attribute)))
            return step_scan_fail(&r->scan, start, "%s does not belong to '%s'", attribute_names[attribute], op_name);
        if (seen & (1u << attribute))
            return step_scan_fail(&r->scan, start, "%s is given twice", attribute_names[attribute]);
        seen |= 1u << attribute;
        if (attribute == ATTRIBUTE_REDUCE)
            op->reduce = reduce;
        if (!read_attribute_value(r, op, attribute))
            return false;
    }
    for (Attribute attribute = 0; attribute < ATTRIBUTE_COUNT; attribute++)
        if ((uses.needed & ~seen) & (1u << attribute))
            return step_scan_fail(&r->scan, op_start, "'%s' needs %s", op_name, attribute_names[attribute]);
    if (op->kind == OP_EINSUM && !(seen & USES(OVER)) != !(seen & USES(INDEX)))
        return step_scan_fail(&r->scan, op_start, "'%s' needs both of 'over' and 'index', or none", op_name);
    return true;
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

static int count_words(const char *text)
{
    int count = 0;
    for (const char *c = text; *c != '\0'; c++)
        count += *c != ' ' && (c == text || c[-1] == ' ');
    return count;
}

static bool read_arguments(StepReader *r, Op *op, int32_t op_start)
{
    const OpInfo *info = &op_info[op->kind];
    if (!step_scan_expect(&r->scan, '('))
        return false;
    while (step_scan_peek(&r->scan) != ';' && step_scan_peek(&r->scan) != ')') {
        if (op->operand_count == info->operands)
            return step_scan_fail(&r->scan, r->scan.at, "'%s' has %d operands", info->name, info->operands);
        if ((op->operand_count > 0 && !step_scan_expect(&r->scan, ',')) ||
            !read_ref(r, &op->operand[op->operand_count]))
            return false;
        op->operand_count++;
    }
    int immediates = count_words(info->immediates);
    if (step_scan_take(&r->scan, ';')) {
        do {
            if (op->immediate_count == immediates)
                return step_scan_fail(&r->scan, r->scan.at, "'%s' has %d numbers", info->name, immediates);
            if (!step_scan_float(&r->scan, &op->immediate[op->immediate_count++]))
                return false;
        } while (step_scan_take(&r->scan, ','));
    }
    if (!step_scan_expect(&r->scan, ')'))
        return false;
    if (op->operand_count != info->operands || op->immediate_count != immediates)
        return step_scan_fail(&r->scan, op_start, "'%s' has %d operands and %d numbers", info->name, info->operands,
                              immediates);
    return true;
}

/* "loss +=": present unless the operator, whose name is followed by '(', is a sink. */
static bool read_result(StepReader *r, Ref *out, bool *accumulate, bool *has_result)
{
    int32_t start = r->scan.at;
    const char *name;
    if (!step_scan_name(&r->scan, &name, "an operator, 'loop', 'guard' or 'wait'"))
        return false;
    *has_result = step_scan_peek(&r->scan) != '(';
    r->scan.at = start;
    if (!*has_result)
        return true;
    if (!read_ref(r, out))
        return false;
    *accumulate = step_scan_take(&r->scan, '+');
    return step_scan_expect(&r->scan, '=');
}

/* Can the thing that the reference names belong to this parameter? */
static bool ref_is_of(const StepReader *r, const Ref *ref, int tensor)
{
    const Buffer *buffer = &r->program->buffers.data[ref->buffer];
    if (buffer->layout == LAYOUT_UNIT && ref->member < 0)
        return unit_offset(&r->decls->units.data[buffer->unit], tensor) >= 0;
    int own = ref->member >= 0 ? ref->member : buffer->tensor;
    return own < 0 || own == tensor;
}

/* Only inputs are read, and only parameters are initialised or updated, each with buffers of its own. Without a tensor
 * an `init` draws every member of a whole unit; with one it draws that member alone. */
static bool check_tensor(StepReader *r, const Op *op, int32_t op_start)
{
    const char *name = op_info[op->kind].name;
    bool whole_unit = r->program->buffers.data[op->out.buffer].layout == LAYOUT_UNIT && op->out.member < 0;
    if (op->tensor < 0)
        return op->kind != OP_INIT || whole_unit || step_scan_fail(&r->scan, op_start, "'init' needs 'tensor'");
    const Tensor *tensor = &r->decls->tensors.data[op->tensor];
    TensorKind kind = op->kind == OP_READ ? TENSOR_INPUT : TENSOR_PARAMETER;
    if (tensor->kind != kind)
        return step_scan_fail(&r->scan, op_start, "'%s' of '%s', which is %s %s", name, tensor->name,
                              tensor->kind == TENSOR_INPUT ? "an" : "a", tensor_kind_names[tensor->kind]);
    bool says = op->kind == OP_READ || op->kind == OP_INIT; /* what the value is; of others, whose it is */
    bool own = says || ref_is_of(r, &op->out, op->tensor);
    for (int i = 0; i < op->operand_count; i++)
        own = own && ref_is_of(r, &op->operand[i], op->tensor);
    return own || step_scan_fail(&r->scan, op_start, "'%s' of '%s', with what is not its own", name, tensor->name);
}

/* A program that declares communicators names one at each communication: what it forgot is not guessed. */
static bool check_communicator(StepReader *r, const Op *op, int32_t op_start)
{
    const char *name = op_info[op->kind].name;
    if (op_info[op->kind].op_class != CLASS_COMM || r->program->communicators.count == 0)
        return true;
    if (op->communicator < 0)
        return step_scan_fail(&r->scan, op_start, "'%s' names no communicator, in a program that declares them", name);
    const Communicator *communicator = &r->program->communicators.data[op->communicator];
    if (!axes_same(communicator->axes, op->axes))
        return step_scan_fail(&r->scan, op_start, "'%s' is over other axes than its communicator '%s'", name,
                              communicator->name);
    return !communicator->edges || op_is_message(op->kind) ||
           step_scan_fail(&r->scan, op_start, "'%s' needs a group of ranks: '%s' is for messages along edges", name,
                          communicator->name);
}

static bool take_id(StepReader *r, Op *op, int32_t op_start)
{
    if (op->id < 0)
        op->id = r->next_id;
    if (op->id >= STEP_MOST_IDS)
        return step_scan_fail(&r->scan, op_start, "more than %d operators", STEP_MOST_IDS);
    if (r->id_seen[op->id])
        return step_scan_fail(&r->scan, op_start, "two operators with id %d", op->id);
    r->id_seen[op->id] = true;
    r->next_id = op->id + 1;
    if (op->id >= r->program->op_count)
        r->program->op_count = op->id + 1;
    return true;
}

static bool read_op(StepReader *r, Node *node)
{
    int32_t start = r->scan.at;
    Ref out = {.member = -1};
    bool has_result, accumulate = false;
    if (!read_result(r, &out, &accumulate, &has_result))
        return false;
    step_scan_peek(&r->scan);
    int32_t op_start = r->scan.at;
    int kind;
    if (!step_scan_choice(&r->scan, &kind, op_names, OP_COUNT, "an operator"))
        return false;
    Op *op = arena_make(r->ctx->arena, Op);
    *op = op_blank((OpKind)kind, out, (Span){0});
    op->accumulate = accumulate;
    op->id = -1;
    if (has_result != op_has_result(op->kind))
        return step_scan_fail(&r->scan, op_start, has_result ? "'%s' has no result" : "the result of '%s' goes nowhere",
                              op_info[kind].name);
    if (!read_arguments(r, op, op_start) || !read_attributes(r, op, op_start) || !check_tensor(r, op, op_start) ||
        !check_communicator(r, op, op_start) || !take_id(r, op, op_start))
        return false;
    op->span = step_read_span(r, start);
    node->kind = NODE_OP;
    node->span = op->span;
    node->op = op;
    return true;
}

/* ---- The tree ----------------------------------------------------------------------------------------------- */

/* The header of a block cannot be read, so what is inside cannot be distinguished from what follows. */
static bool stop(StepReader *r)
{
    r->stopped = true;
    return false;
}

static bool read_body(StepReader *r, Node *node, int32_t start)
{
    if (!step_scan_expect(&r->scan, '{'))
        return stop(r);
    node->span = step_read_span(r, start);
    if (r->depth == STEP_MOST_NESTING) {
        step_scan_fail(&r->scan, start, "nested deeper than %d", STEP_MOST_NESTING);
        return stop(r);
    }
    r->depth++;
    bool ok = step_read_block(r, &node->body, start);
    r->depth--;
    return ok;
}

static bool read_loop_header(StepReader *r, Node *node, int32_t start, int64_t *bound)
{
    int64_t id, first_bound, last_bound;
    if (!step_scan_expect(&r->scan, 'l') ||
        !step_scan_integer(&r->scan, &id, 0, STEP_MOST_LOOPS - 1, "the number of the loop"))
        return false;
    if (r->loop_seen[id])
        return step_scan_fail(&r->scan, start, "two loops bind 'l%lld'", (long long)id);
    r->loop_seen[id] = true;
    node->loop.id = (int)id;
    if (step_scan_take_word(&r->scan, "layers")) {
        node->loop.kind = LOOP_LAYERS;
        if (!step_read_known_name(r, &r->groups, &node->loop.group, "a group"))
            return false;
    } else if (step_scan_take_word(&r->scan, "steps")) {
        node->loop.kind = LOOP_STEPS;
    } else {
        node->loop.kind = LOOP_MICRO;
        if (!step_scan_expect_word(&r->scan, "micro"))
            return false;
    }
    if (!step_read_affine(r, &node->loop.first, &first_bound) || !step_scan_expect_range(&r->scan) ||
        !step_read_affine(r, &node->loop.last, &last_bound))
        return false;
    node->loop.step = step_scan_take_word(&r->scan, "down") ? -1 : 1;
    *bound = first_bound > last_bound ? first_bound : last_bound;
    if (node->loop.id >= r->program->loop_count)
        r->program->loop_count = node->loop.id + 1;
    return true;
}

static bool read_loop(StepReader *r, Node *node, int32_t start)
{
    int64_t bound = 0;
    node->kind = NODE_LOOP;
    if (!read_loop_header(r, node, start, &bound))
        return stop(r);
    if (r->loop_depth < STEP_MOST_NESTING) {
        r->loops[r->loop_depth].id = node->loop.id;
        r->loops[r->loop_depth].bound = bound;
    }
    r->loop_depth++;
    bool ok = read_body(r, node, start);
    r->loop_depth--;
    return ok;
}

static bool read_guard(StepReader *r, Node *node, int32_t start)
{
    node->kind = NODE_GUARD;
    if (!step_read_affine(r, &node->guard.value, NULL) || !step_scan_expect_word(&r->scan, "in") ||
        !step_read_interval(r, &node->guard.low, &node->guard.high))
        return stop(r);
    return read_body(r, node, start);
}

static bool read_wait(StepReader *r, Node *node, int32_t start)
{
    node->kind = NODE_WAIT;
    if (!read_event(r, &node->wait.event, &node->wait.slot) ||
        (step_scan_take_word(&r->scan, "stream") &&
         !read_small(r, &node->wait.stream, STEP_MOST_STREAMS - 1, "the stream")))
        return false;
    node->span = step_read_span(r, start);
    return true;
}

/* Takes a keyword, unless it is the name of a buffer that is being assigned. */
static bool take_keyword(StepReader *r, const char *word)
{
    int32_t start = r->scan.at;
    if (!step_scan_take_word(&r->scan, word))
        return false;
    char next = step_scan_peek(&r->scan);
    bool keyword = next != '=' && next != '+' && next != '[' && next != ':';
    if (!keyword)
        r->scan.at = start;
    return keyword;
}

static bool read_node(StepReader *r, Node *node)
{
    int32_t start = r->scan.at;
    if (take_keyword(r, "loop"))
        return read_loop(r, node, start);
    if (take_keyword(r, "guard"))
        return read_guard(r, node, start);
    if (take_keyword(r, "wait"))
        return read_wait(r, node, start) && step_scan_line_end(&r->scan);
    return read_op(r, node) && step_scan_line_end(&r->scan);
}

bool step_read_block(StepReader *r, NodeList *nodes, int32_t opened)
{
    if (!step_scan_line_end(&r->scan))
        return stop(r);
    for (;;) {
        if (!step_scan_next_line(&r->scan)) {
            int line = source_position(r->ctx->sources, r->scan.source, opened).line;
            step_scan_fail(&r->scan, r->scan.at, "expected '}' to close the block that line %d opens", line);
            return stop(r);
        }
        if (step_scan_take(&r->scan, '}'))
            return step_scan_line_end(&r->scan) || step_read_recover(r);
        Node *node = arena_make(r->ctx->arena, Node);
        if (read_node(r, node))
            vec_push(r->ctx->arena, nodes, node);
        else if (!step_read_recover(r))
            return false;
    }
}
