/* pins.c - which operators a pin names (strategy/assign.h), which of their signatures it allows, and what it says of
 * them in words.
 *
 * Operators are named by the value that they compute, and by what they compute it from: several may add to one value.
 * A pin holds in every routine. Dims have the names of rest.c; where a parameter or an input of the operator has a dim
 * of the name, that one is meant, then one of the result, then one of another operand.
 */
#include "base/change.h"
#include "derive/place.h"

#include <stdlib.h>
#include <string.h>

enum { RESULT = -1 };

/* ---- Names of values ---------------------------------------------------------------------------------------- */

static int buffer_of(const Op *op, int array)
{
    return array == RESULT ? op->out.buffer : op->operand[array].buffer;
}

/* "d_block.norm2"; of parameters and gradients the parameter's. */
static const char *full_name(const Facts *f, int buffer)
{
    const Buffer *named = &f->reference->buffers.data[buffer];
    return facts_is_of_parameter(f, buffer) ? f->decls->tensors.data[named->tensor].name
                                            : derive_name_in_step(named->name);
}

/* A cotangent has the name of its value, too. */
static const char *short_name(const char *name)
{
    return strncmp(name, "d_", 2) == 0 ? name + 2 : name;
}

/* The operands that a label names, a bit each; if it names none exactly, those whose values it names. */
static unsigned operands_named(const Facts *f, const Op *op, const char *label)
{
    unsigned full = 0, any = 0;
    for (int i = 0; i < op->operand_count; i++) {
        const char *name = full_name(f, buffer_of(op, i));
        full |= label_names(label, name) ? 1u << i : 0;
        any |= label_names(label, short_name(name)) ? 1u << i : 0;
    }
    return full != 0 ? full : any;
}

const char *derive_pin_name(const Facts *f, const Op *op, PinSubject subject)
{
    OpClass class = op_info[op->kind].op_class;
    Phase phase = f->ops[op->id].phase;
    if (!op_has_result(op->kind) || class == CLASS_SOURCE || phase == PHASE_FLAT || phase == PHASE_DROP)
        return NULL;
    const char *name = full_name(f, op->out.buffer);
    Role role = f->buffers[op->out.buffer].role;
    if (role == ROLE_GRADIENT)
        return subject == PIN_GRADIENTS ? name : NULL;
    bool cotangent = f->ops[op->id].backward && strncmp(name, "d_", 2) == 0;
    if (role != ROLE_PLAIN || subject == PIN_GRADIENTS || cotangent != (subject == PIN_COTANGENTS))
        return NULL;
    return cotangent ? name + 2 : name;
}

bool derive_reads_all(const Facts *f, const Op *op, const Labels *from)
{
    bool all = true;
    for (int i = 0; i < from->count; i++)
        all = all && operands_named(f, op, from->data[i]) != 0;
    return all;
}

/* ---- Dims --------------------------------------------------------------------------------------------------- */

/* A dim of an operator's values, and how many different ones were found. */
typedef struct FoundDim {
    int array, dim, count;
    char letter;
} FoundDim;

static void find_dim_in(const Facts *f, const Op *op, int array, const bool *called, const char *const *first,
                        const char *name, FoundDim *found)
{
    const char *letters;
    int count = derive_spec_letters(f, op, array, &letters);
    for (int dim = 0; dim < count; dim++) {
        int at = buffer_of(op, array) * STEP_MAX_DIMS + dim;
        bool is = called != NULL ? called[at] : first[at] != NULL && strcmp(first[at], name) == 0;
        if (!is || (found->count > 0 && found->letter == letters[dim]))
            continue;
        if (found->count++ == 0)
            *found = (FoundDim){array, dim, 1, letters[dim]};
    }
}

/* In the result, or in the operands that `arrays` has a bit for. */
static bool find_dim_among(const Facts *f, const Op *op, bool result, unsigned arrays, const bool *called,
                           const char *const *first, const char *name, FoundDim *found)
{
    if (result)
        find_dim_in(f, op, RESULT, called, first, name, found);
    for (int i = 0; i < op->operand_count; i++)
        if (arrays >> i & 1)
            find_dim_in(f, op, i, called, first, name, found);
    return found->count > 0;
}

static FoundDim find_position(const Facts *f, const Op *op, const char *position, const char *of)
{
    unsigned arrays = of != NULL ? operands_named(f, op, of) : 0;
    int dim = (int)strtol(position, NULL, 10), array = RESULT;
    while (arrays >> (array + 1) != 0 && !(arrays >> ++array & 1))
        continue;
    const char *letters;
    int count = derive_spec_letters(f, op, array, &letters);
    bool is = (of == NULL || arrays != 0) && dim < count;
    return is ? (FoundDim){array, dim, 1, letters[dim]} : (FoundDim){0};
}

static FoundDim find_dim(const Facts *f, const RoutineFacts *routine, const Op *op, const char *name, const char *of)
{
    if (pin_is_position(name))
        return find_position(f, op, name, of);
    FoundDim found = {0};
    const bool *called = derive_dims_called(f, &routine->dims, name);
    const char *const *first = routine->dims.first;
    unsigned all = (1u << op->operand_count) - 1, arrays = of != NULL ? operands_named(f, op, of) : all;
    if (find_dim_among(f, op, of == NULL, arrays, NULL, first, name, &found))
        return found;
    if (of == NULL && find_dim_among(f, op, true, 0, called, first, name, &found))
        return found;
    find_dim_among(f, op, false, arrays, called, first, name, &found);
    return found;
}

/* ---- What a statement would say ------------------------------------------------------------------------------ */

/* What sets an operand apart from the others: its value's name, or its own. */
static const char *operand_words(const Facts *f, const Op *op, int operand)
{
    const char *name = full_name(f, buffer_of(op, operand)), *brief = short_name(name);
    unsigned named = operands_named(f, op, brief);
    return (named & (named - 1)) == 0 ? brief : name;
}

/* The name by which a statement finds this dim and no other; `own`: only the dim's own; NULL if there is none. */
static const char *dim_name(const Facts *f, const RoutineFacts *routine, const Op *op, FoundDim dim, const char *of,
                            bool own)
{
    const DimNames *dims = &routine->dims;
    int here = buffer_of(op, dim.array) * STEP_MAX_DIMS + dim.dim;
    for (int i = 0; i < f->reference->buffers.count * STEP_MAX_DIMS; i++) {
        const char *name = dims->first[i];
        if (name == NULL || !derive_can_be_written(name) || (own ? i != here : dims->root[i] != dims->root[here]))
            continue;
        FoundDim found = find_dim(f, routine, op, name, of);
        if (found.count == 1 && found.letter == dim.letter)
            return name;
    }
    return NULL;
}

/* The dim's own name, or one that it has elsewhere, alone or of its operand; or else its position. */
static void name_dim(const Facts *f, const RoutineFacts *routine, const Op *op, FoundDim dim, Pin *pin)
{
    const char *of = dim.array == RESULT ? NULL : operand_words(f, op, dim.array);
    for (int with = 0; with < (of != NULL ? 2 : 1) && pin->dim == NULL; with++)
        for (int own = 1; own >= 0 && pin->dim == NULL; own--) {
            pin->of = with ? of : NULL;
            pin->dim = dim_name(f, routine, op, dim, pin->of, own);
        }
    if (pin->dim == NULL)
        pin->dim = arena_printf(f->ctx->arena, "%d", dim.dim);
}

static unsigned parts_of(const Signature *signature, int operands)
{
    unsigned parts = 0;
    for (int i = 0; i < operands; i++)
        parts |= signature->operand[i].kind == PLACED_PARTIAL ? 1u << i : 0;
    return parts;
}

static void name_parts(const Facts *f, const Op *op, const SignatureVec *all, unsigned parts, Pin *pin)
{
    int others = 0;
    for (int s = 0; s < all->count; s++)
        others += parts_of(&all->data[s], op->operand_count) != 0;
    for (int i = 0; i < op->operand_count && others > 1; i++)
        if (parts >> i & 1)
            vec_push(f->ctx->arena, &pin->parts, operand_words(f, op, i));
}

/* The dim that a signature shards: of the result, or else of the first operand that has it. */
static bool sharded_dim(const Facts *f, const Op *op, const Signature *signature, FoundDim *dim)
{
    for (int array = op_has_result(op->kind) ? RESULT : 0; array < op->operand_count; array++) {
        OnAxis on = array == RESULT ? signature->result : signature->operand[array];
        const char *letters;
        if (on.kind != PLACED_SHARDED || derive_spec_letters(f, op, array, &letters) <= on.dim)
            continue;
        *dim = (FoundDim){array, on.dim, 1, letters[on.dim]};
        return true;
    }
    return false;
}

Pin derive_pin_form(const Facts *f, const RoutineFacts *routine, const Op *op, const SignatureVec *all,
                    const Signature *signature)
{
    FoundDim dim;
    unsigned parts = parts_of(signature, op->operand_count);
    bool sharded = sharded_dim(f, op, signature, &dim);
    Pin pin = {.form = sharded ? PIN_BY : parts != 0 ? PIN_PARTS : PIN_WHOLE, .group = -1, .last = INT64_MAX};
    if (sharded)
        name_dim(f, routine, op, dim, &pin);
    else
        name_parts(f, op, all, parts, &pin);
    return pin;
}

/* The operators of a list that compute values of this name and read all that is named. */
static int count_named(const Facts *f, const NodeList *list, const Pin *pin)
{
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const Op *op = node_op(list->data[i]);
        const char *name = op != NULL ? derive_pin_name(f, op, pin->subject) : NULL;
        count += count_named(f, &list->data[i]->body, pin);
        count += name != NULL && label_names(pin->label, name) && derive_reads_all(f, op, &pin->from);
    }
    return count;
}

/* What the operator alone reads, of those that compute the value: one operand, or all. */
static void name_from(const Facts *f, const RoutineFacts *routine, const Op *op, Pin *pin)
{
    const NodeList *list = &routine->routine->body;
    for (int i = 0; i < op->operand_count && count_named(f, list, pin) > 1; i++) {
        pin->from = (Labels){0};
        vec_push(f->ctx->arena, &pin->from, operand_words(f, op, i));
    }
    if (count_named(f, list, pin) == 1)
        return;
    pin->from = (Labels){0};
    for (int i = 0; i < op->operand_count; i++)
        vec_push(f->ctx->arena, &pin->from, operand_words(f, op, i));
}

bool derive_pin_subject(const Facts *f, const RoutineFacts *routine, const Op *op, Pin *pin)
{
    static const PinSubject subjects[] = {PIN_ACTIVATIONS, PIN_COTANGENTS, PIN_GRADIENTS};
    for (int i = 0; i < 3; i++) {
        pin->subject = subjects[i];
        pin->label = derive_pin_name(f, op, pin->subject);
        if (pin->label == NULL)
            continue;
        name_from(f, routine, op, pin);
        return true;
    }
    return false;
}

bool derive_pin_wanted(const Choices *choices, const Op *op, SignatureWanted *wanted, void *data, Signature *signature,
                       Pin *pin)
{
    const Facts *f = choices->facts;
    const SignatureVec all = derive_signatures(f, op).list;
    const RoutineFacts *step = NULL;
    for (int r = 0; r < f->reference->routines.count; r++)
        if (f->reference->routines.data[r].kind == ROUTINE_STEP)
            step = &f->routines[r];
    for (int s = 0; s < all.count && step != NULL; s++) {
        if (!wanted(data, &all.data[s]))
            continue;
        *signature = all.data[s];
        *pin = derive_pin_form(f, step, op, &all, signature);
        return derive_pin_subject(f, step, op, pin);
    }
    return false;
}

bool derive_pin_allows(const PinnedOp *pinned, const Op *op, const Signature *signature)
{
    unsigned parts = parts_of(signature, op->operand_count);
    bool cuts = signature->result.kind == PLACED_SHARDED;
    for (int i = 0; i < op->operand_count; i++)
        cuts |= signature->operand[i].kind == PLACED_SHARDED;
    switch (pinned->pin->form) {
    case PIN_BY:
        return place_on(pinned->array == RESULT ? signature->result : signature->operand[pinned->array]) == pinned->dim;
    case PIN_WHOLE:
        return !cuts && parts == 0;
    case PIN_PARTS:
        return parts != 0 && (pinned->parts == 0 || parts == pinned->parts);
    }
    BUG("a pin of no form");
}

/* ---- Which operators ---------------------------------------------------------------------------------------- */

typedef struct FindPin {
    Facts *f;
    const RoutineFacts *routine;
    const Pin *pin;
    int number, group; /* of the loop around the list */
    bool named, found; /* there is such an operator; it can be meant */
    NameVec names;     /* of all values of the subject */
} FindPin;

static int specificity(const Pin *pin)
{
    return 8 * label_specificity(pin->label) + 4 * (pin->group >= 0) + 2 * (pin->from.count > 0) + pin->again;
}

static const char *operand_list(const Facts *f, const Op *op)
{
    Text text = {.arena = f->ctx->arena};
    for (int i = 0; i < op->operand_count; i++)
        text_add(&text, "%s'%s'", i > 0 ? ", " : "", full_name(f, buffer_of(op, i)));
    return text.data != NULL ? text.data : "nothing";
}

/* Reports what a pin says of an operator that this has not. */
static void report_unknown(FindPin *find, const Op *op, const char *what)
{
    Facts *f = find->f;
    if (f->failed)
        return;
    f->failed = true;
    Diagnostic *d = diag_report(f->ctx->diag, P0201, find->pin->span, "%s", what);
    diag_label(d, op->span, "'%s' is computed here", derive_pin_name(f, op, find->pin->subject));
    diag_note(d, "It is '%s' of %s.", op_info[op->kind].name, operand_list(f, op));
    diag_help(d, "`by 0` is the first dim of what is computed, `by 0 of VALUE` that of what it is computed from; "
                 "`where present` leaves out values without the dim.");
}

/* Must the operator have what the pin says? In other routines than the step it may look different. */
static bool must_have(const FindPin *find)
{
    return !find->pin->optional && find->routine->routine->kind == ROUTINE_STEP;
}

/* The operands that a label names; none are reported. */
static unsigned parts_named(FindPin *find, const Op *op, const char *label)
{
    unsigned named = operands_named(find->f, op, label);
    if (named == 0 && must_have(find))
        report_unknown(find, op,
                       arena_printf(find->f->ctx->arena, "'%s' is not computed from '%s'",
                                    derive_pin_name(find->f, op, find->pin->subject), label));
    return named;
}

/* What is wrong with the dim of a pin. */
static const char *dim_fault(const FindPin *find, const Op *op, int count)
{
    const Pin *pin = find->pin;
    Arena *arena = find->f->ctx->arena;
    const char *name = derive_pin_name(find->f, op, pin->subject);
    if (count > 1)
        return arena_printf(arena, "'%s' is computed from several dims called '%s'", name, pin->dim);
    const char *of = pin->of != NULL ? pin->of : name;
    return pin_is_position(pin->dim)
               ? arena_printf(arena, "'%s' has no dim %s: the first is 0", of, pin->dim)
               : arena_printf(arena, "'%s' %s no dim '%s'", of, pin->of != NULL ? "has" : "is computed from", pin->dim);
}

/* Is it clear what `in parts` alone means: is one set of operands the only one that can be in parts, if any can? */
static bool check_parts_clear(FindPin *find, const Op *op)
{
    Facts *f = find->f;
    Arena *arena = f->ctx->arena;
    OpShape shape = op_shape(arena, op->kind, derive_spec(f, op));
    SignatureVec all = signatures_of(arena, &shape, SIGNATURE_SUM);
    Text ways = {.arena = arena};
    int count = 0;
    for (int s = 0; s < all.count; s++) {
        Pin pin = derive_pin_form(f, find->routine, op, &all, &all.data[s]);
        if (pin.form == PIN_PARTS)
            text_add(&ways, "%s`%s`", count++ > 0 ? ", " : "", pin_form_print(arena, &pin));
    }
    if (count <= 1)
        return true;
    if (f->failed)
        return false;
    f->failed = true;
    Diagnostic *d = diag_report(f->ctx->diag, P0208, find->pin->span, "'%s' can be in parts of one value or another",
                                derive_pin_name(f, op, find->pin->subject));
    diag_label(d, op->span, "'%s' computes it here", op_info[op->kind].name);
    diag_help(d, "Say which: %s.", ways.data);
    return false;
}

/* False if the operator has no such dim, or operand. */
static bool resolve(FindPin *find, const Op *op, PinnedOp *pinned)
{
    Facts *f = find->f;
    const Pin *pin = find->pin;
    for (int i = 0; i < pin->parts.count; i++) {
        unsigned named = parts_named(find, op, pin->parts.data[i]);
        pinned->parts |= named;
        if (named == 0)
            return false;
    }
    if (pin->form == PIN_PARTS && pin->parts.count == 0)
        return check_parts_clear(find, op);
    if (pin->form != PIN_BY)
        return true;
    if (pin->of != NULL && parts_named(find, op, pin->of) == 0)
        return false;
    FoundDim found = find_dim(f, find->routine, op, pin->dim, pin->of);
    pinned->array = found.array;
    pinned->dim = found.dim;
    pinned->batch =
        found.count > 0 &&
        derive_dims_called(f, &find->routine->dims, "batch")[buffer_of(op, found.array) * STEP_MAX_DIMS + found.dim];
    if ((found.count > 1 && find->routine->routine->kind == ROUTINE_STEP) || (found.count == 0 && must_have(find)))
        report_unknown(find, op, dim_fault(find, op, found.count));
    return found.count == 1;
}

static bool overlap(const Pin *x, const Pin *y)
{
    return x->group < 0 || y->group < 0 || (x->group == y->group && x->first <= y->last && y->first <= x->last);
}

/* Two pins of an operator over one axis, of which neither is more specific. */
static void check_twice(FindPin *find, const Op *op, const PinnedOp *pinned)
{
    Facts *f = find->f;
    const RefOp *info = &f->ops[op->id];
    for (int i = 0; i < info->pins.count && !f->failed; i++) {
        const PinnedOp *other = &info->pins.data[i];
        if (other->pin->axis != pinned->pin->axis || other->specificity != pinned->specificity ||
            !overlap(other->pin, pinned->pin))
            continue;
        f->failed = true;
        Diagnostic *d =
            diag_report(f->ctx->diag, P0209, pinned->pin->span, "two statements of how '%s' is computed over '%s'",
                        derive_pin_name(f, op, pinned->pin->subject), f->decls->axes.data[pinned->pin->axis].name);
        if (!span_equal(other->pin->span, pinned->pin->span))
            diag_label(d, other->pin->span, "the other is here");
        diag_why(d, "A statement wins over another only where it names the value by a longer path, then some layers, "
                    "then what the value is computed from.");
        diag_help(d, "Leave one of them out, or name in it what the value is computed from: `from LABEL`.");
    }
}

static void find_in(FindPin *find, const NodeList *list, int group)
{
    Facts *f = find->f;
    const Pin *pin = find->pin;
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (node->kind == NODE_LOOP)
            find_in(find, &node->body, node->loop.group);
        const char *name = node->kind == NODE_OP ? derive_pin_name(f, node->op, pin->subject) : NULL;
        if (name == NULL)
            continue;
        vec_push(f->ctx->arena, &find->names, name);
        if (!label_names(pin->label, name) || !derive_reads_all(f, node->op, &pin->from) ||
            (pin->group >= 0 && pin->group != group))
            continue;
        PinnedOp pinned = {.pin = pin, .number = find->number, .specificity = specificity(pin)};
        find->named = true;
        if (!resolve(find, node->op, &pinned))
            continue;
        find->found = true;
        check_twice(find, node->op, &pinned);
        vec_push(f->ctx->arena, &f->finding->ops[node->op->id].pins, pinned);
    }
}

/* All names; for a pattern, with '*' in place of all labels but the last. */
static NameVec like_label(const Facts *f, const char *label, const NameVec *all)
{
    NameVec names = {0};
    for (int i = 0; i < all->count; i++) {
        const char *name = all->data[i], *dot = strrchr(name, '.');
        bool pattern = strncmp(label, "*.", 2) == 0 && dot != NULL;
        vec_push(f->ctx->arena, &names, pattern ? arena_printf(f->ctx->arena, "*%s", dot) : name);
    }
    return names;
}

bool derive_help_unnamed(const Facts *f, Diagnostic *d, const char *label, const NameVec *all)
{
    NameVec names = like_label(f, label, all);
    return diag_help_unknown(d, label, names.data, names.count) || derive_note_below(f, d, label, all);
}

static void report_unnamed(const FindPin *find)
{
    static const char *const words[] = {
        [PIN_ACTIVATIONS] = "activation", [PIN_COTANGENTS] = "value with a cotangent", [PIN_GRADIENTS] = "parameter"};
    Facts *f = find->f;
    const Pin *pin = find->pin;
    f->failed = true;
    bool known = false;
    for (int i = 0; i < find->names.count; i++)
        known |= label_names(pin->label, find->names.data[i]);
    if (known) {
        Diagnostic *d = diag_report(f->ctx->diag, P0201, pin->label_span,
                                    "'%s' is not computed from this, or not in "
                                    "these layers",
                                    pin->label);
        diag_help(d, "`placec why FILE %s` shows what it is computed from.", pin->label);
        return;
    }
    Diagnostic *d =
        diag_report(f->ctx->diag, P0201, pin->label_span, "no %s is called '%s'", words[pin->subject], pin->label);
    if (!derive_help_unnamed(f, d, pin->label, &find->names))
        diag_help(d, "`placec FILE --dump=choices` shows what is computed, and from what.");
}

/* Over an axis of one rank nothing is divided. */
static bool is_idle(const Facts *f, const Pin *pin)
{
    return f->decls->axes.data[pin->axis].size == 1;
}

static void report_idle(const Facts *f, const Pin *pin)
{
    Diagnostic *d = diag_report(f->ctx->diag, P0352, pin->span, "'%s' is computed over '%s', which has one rank",
                                pin->label, f->decls->axes.data[pin->axis].name);
    diag_why(d, "One rank computes everything, whatever a statement says.");
    diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = pin->span});
}

void derive_find_pins(Facts *f)
{
    for (int i = 0; i < f->assignment->pins.count && !f->failed; i++) {
        FindPin find = {.f = f, .pin = &f->assignment->pins.data[i], .number = i};
        for (int r = 0; r < f->reference->routines.count; r++) {
            find.routine = &f->routines[r];
            find_in(&find, &f->reference->routines.data[r].body, -1);
        }
        if (!find.named && !find.pin->optional)
            report_unnamed(&find);
        else if (is_idle(f, find.pin))
            report_idle(f, find.pin);
    }
}

/* ---- Which pin ---------------------------------------------------------------------------------------------- */

const PinnedOp *derive_pinned(const Facts *f, const RoutineFacts *routine, const Op *op, int axis, int64_t layer,
                              bool again)
{
    const RefOp *info = &f->ops[op->id];
    const PinnedOp *best = NULL;
    for (int i = 0; i < info->pins.count; i++) {
        const PinnedOp *pinned = &info->pins.data[i];
        const Pin *pin = pinned->pin;
        bool here = pin->axis == axis && (again || !pin->again) && !is_idle(f, pin) &&
                    (pin->group < 0 || (pin->first <= layer && layer <= pin->last));
        if (here && (routine->cut || !pinned->batch) && /* nothing shards a batch of one example */
            (best == NULL || pinned->specificity > best->specificity))
            best = pinned;
    }
    return best;
}

bool derive_check_pinned(const Facts *f, const bool *done)
{
    for (int i = 0; i < f->assignment->pins.count; i++) {
        const Pin *pin = &f->assignment->pins.data[i];
        if (done[i] || pin->optional || is_idle(f, pin))
            continue;
        Diagnostic *d = diag_report(f->ctx->diag, P0210, pin->span,
                                    pin->again ? "nothing of '%s' is recomputed"
                                               : "nothing of '%s' is computed like "
                                                 "that",
                                    pin->label);
        diag_why(d, pin->again ? "The backward pass reads the value as the forward pass has kept it."
                               : "Other statements that are more specific say how it is computed.");
        diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = pin->span});
        return false;
    }
    return true;
}
