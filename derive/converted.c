/* converted.c - how long copies of values in other placements are kept (Converted, strategy/assign.h): which values a
 * statement names, and what holds where none does. When they are made: ahead.c.
 *
 * By default a copy is kept for all readers of the microbatch, the backward pass included; but for what layers gather
 * over axes of tensor parallelism: of that a rank keeps its shard, and the backward pass gathers it again.
 */
#include "base/change.h"
#include "derive/place.h"

/* ---- Which values ------------------------------------------------------------------------------------------- */

typedef struct FindValue {
    Facts *f;
    const Converted *request;
    int number, group; /* of the loop around the list */
    bool named;
    NameVec names; /* of all values of the subject */
} FindValue;

/* Of a pass, less than of products by name. */
static int specificity(const Converted *request)
{
    const ProductNames *products = &request->products;
    int names = products->results.count + products->from.count > 0 ? 2 : products->by_result;
    return 8 * label_specificity(request->label) + 4 * (request->group >= 0) + names;
}

/* Is the statement about this product? */
static bool names_product(const Facts *f, const Converted *request, const Op *product)
{
    const ProductNames *names = &request->products;
    if (!products_are_named(names))
        return true;
    const char *name = names->by_result && product != NULL ? derive_pin_name(f, product, names->subject) : NULL;
    bool named = product != NULL && (!names->by_result || (name != NULL && names->results.count == 0));
    for (int i = 0; i < names->results.count && name != NULL; i++)
        named |= label_names(names->results.data[i], name);
    return named && derive_reads_all(f, product, &names->from);
}

/* Do both name a product of the value? */
static bool share_product(const Facts *f, int ref, const NodeList *list, const Converted *x, const Converted *y)
{
    bool share = false;
    for (int i = 0; i < list->count && !share; i++) {
        const Op *op = node_op(list->data[i]);
        share = share_product(f, ref, &list->data[i]->body, x, y);
        bool touches = op != NULL && op_has_result(op->kind) && op->out.buffer == ref;
        for (int k = 0; op != NULL && k < op->operand_count; k++)
            touches |= op->operand[k].buffer == ref;
        share |= touches && names_product(f, x, op) && names_product(f, y, op);
    }
    return share;
}

static bool overlap(const Converted *x, const Converted *y)
{
    return x->group < 0 || y->group < 0 || (x->group == y->group && x->first <= y->last && y->first <= x->last);
}

static bool says(const Converted *request, CopyPart part)
{
    switch (part) {
    case COPY_LIFE:
        return request->has_life;
    case COPY_MOMENT:
        return request->has_moment;
    case COPY_WAY:
        return request->has_way;
    }
    BUG("a statement that says nothing");
}

static bool say_both(const Converted *x, const Converted *y)
{
    return (x->has_life && y->has_life) || (x->has_moment && y->has_moment) || (x->has_way && y->has_way);
}

/* Two statements of a value over one axis, of which neither is more specific. */
static void check_twice(FindValue *find, const char *name, int ref, const NodeList *routine)
{
    Facts *f = find->f;
    const Converted *request = find->request;
    const RefBuffer *value = &f->buffers[ref];
    for (int i = 0; i < value->converted.count && !f->failed; i++) {
        const ConvertedValue *other = &value->converted.data[i];
        if (other->request->axis != request->axis || other->specificity != specificity(request) ||
            !overlap(other->request, request) || !say_both(other->request, request) ||
            !share_product(f, ref, routine, other->request, request))
            continue;
        f->failed = true;
        Diagnostic *d = diag_report(f->ctx->diag, P0209, request->span, "two statements of copies of '%s' over '%s'",
                                    name, f->decls->axes.data[request->axis].name);
        if (!span_equal(other->request->span, request->span))
            diag_label(d, other->request->span, "the other is here");
        diag_why(d,
                 "A statement wins over another only where it names the value by a longer path, then some layers, then "
                 "products.");
        diag_help(d, "Leave one of them out.");
    }
}

static bool is_noted(const FindValue *find, const RefBuffer *value)
{
    int count = value->converted.count;
    return count > 0 && value->converted.data[count - 1].number == find->number;
}

static void find_in(FindValue *find, const NodeList *routine, const NodeList *list, int group)
{
    Facts *f = find->f;
    const Converted *request = find->request;
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (node->kind == NODE_LOOP)
            find_in(find, routine, &node->body, node->loop.group);
        const char *name = node->kind == NODE_OP ? derive_pin_name(f, node->op, request->subject) : NULL;
        if (name == NULL)
            continue;
        vec_push(f->ctx->arena, &find->names, name);
        RefBuffer *value = &f->finding->buffers[node->op->out.buffer];
        if (!label_names(request->label, name) || (request->group >= 0 && request->group != group))
            continue;
        find->named = true;
        if (is_noted(find, value)) /* several operators add to it */
            continue;
        check_twice(find, name, node->op->out.buffer, routine);
        vec_push(f->ctx->arena, &value->converted, ((ConvertedValue){request, find->number, specificity(request)}));
    }
}

static void report_unnamed(const FindValue *find)
{
    Facts *f = find->f;
    const Converted *request = find->request;
    const char *what = request->subject == PIN_ACTIVATIONS ? "activation" : "value with a cotangent";
    f->failed = true;
    Diagnostic *d = diag_report(f->ctx->diag, P0201, request->label_span, "no %s is called '%s'", what, request->label);
    if (!derive_help_unnamed(f, d, request->label, &find->names))
        diag_help(d, "`placec FILE --dump=choices` shows what is computed, and what is converted.");
}

static bool is_idle(const Facts *f, const Converted *request)
{
    return f->decls->axes.data[request->axis].size == 1;
}

static void report_idle(const Facts *f, const Converted *request)
{
    Diagnostic *d = diag_report(f->ctx->diag, P0352, request->span, "'%s' is converted over '%s', which has one rank",
                                request->label, f->decls->axes.data[request->axis].name);
    diag_why(d, "One rank has all of it, whatever a statement says.");
    diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = request->span});
}

void derive_find_converted(Facts *f)
{
    for (int i = 0; i < f->assignment->converted.count && !f->failed; i++) {
        FindValue find = {.f = f, .request = &f->assignment->converted.data[i], .number = i};
        for (int r = 0; r < f->reference->routines.count; r++) {
            const NodeList *routine = &f->reference->routines.data[r].body;
            find_in(&find, routine, routine, -1);
        }
        if (!find.named && !find.request->optional)
            report_unnamed(&find);
        else if (is_idle(f, find.request))
            report_idle(f, find.request);
    }
}

/* ---- How long ----------------------------------------------------------------------------------------------- */

static bool holds_in(const Converted *request, int axis, int64_t layer)
{
    return request->axis == axis && (request->group < 0 || (request->first <= layer && layer <= request->last));
}

const ConvertedValue *derive_converted(const Facts *f, int ref, int axis, int64_t layer, CopyPart part,
                                       const Op *product)
{
    const RefBuffer *value = &f->buffers[ref];
    const ConvertedValue *best = NULL;
    for (int i = 0; i < value->converted.count; i++) {
        const ConvertedValue *one = &value->converted.data[i];
        const Converted *request = one->request;
        bool here = says(request, part) && holds_in(request, axis, layer) && names_product(f, request, product);
        if (here && (best == NULL || one->specificity > best->specificity))
            best = one;
    }
    return best;
}

bool derive_is_by_ring(const Facts *f, int ref, int axis, int64_t layer)
{
    const ConvertedValue *all = derive_converted(f, ref, axis, layer, COPY_WAY, NULL);
    bool by_ring = all != NULL && all->request->way == COPY_BY_RING;
    for (int i = 0; i < f->buffers[ref].converted.count; i++) {
        const Converted *request = f->buffers[ref].converted.data[i].request;
        by_ring |= request->has_way && request->way == COPY_BY_RING && products_are_named(&request->products) &&
                   holds_in(request, axis, layer);
    }
    return by_ring;
}

/* Are parameters sharded by dims over the axis, and used like that? */
static bool is_tensor_axis(const Facts *f, int axis)
{
    for (int i = 0; i < f->assignment->units.count; i++) {
        const Unit *unit = &f->assignment->units.data[i].unit;
        if (unit->member_dims == NULL || axes_contain(f->assignment->units.data[i].parameters.joined, axis))
            continue;
        for (int d = 0; d < unit->member_count * STEP_MAX_DIMS; d++)
            for (int c = 0; c < unit->member_dims[d].cut_count; c++)
                if (unit->member_dims[d].cut[c] == axis)
                    return true;
    }
    return false;
}

/* Does every step only gather, over axes of tensor parallelism? */
static bool gathers_for_tensors(const Placer *p, const Route *route)
{
    for (int i = 0; i < route->steps.count; i++) {
        const Step *step = &route->steps.data[i];
        if (step->kind != OP_ALL_GATHER)
            return false;
        for (int a = 0; a < step->axes.count; a++)
            if (!is_tensor_axis(p->facts, step->axes.axis[a]))
                return false;
    }
    return true;
}

static void refuse_both(Placer *p, int ref, const Converted *one, const Converted *other)
{
    if (!p->failed) {
        const Axis *axes = p->facts->decls->axes.data;
        Diagnostic *d = diag_report(p->ctx.diag, P0209, one->span,
                                    "one copy of '%s' is kept until two different "
                                    "moments",
                                    placer_buffer(p, ref)->name);
        diag_label(d, other->span, "until the %s here", copy_life_name(other->life));
        diag_why(d, "It is converted over '%s' and '%s' before it is read, and what is between is not kept.",
                 axes[one->axis].name, axes[other->axis].name);
        diag_help(d, "Say the same of both axes.");
    }
    p->failed = true;
}

/* What is recomputed is converted again. */
static void check_recomputed(Placer *p, int ref, const Converted *request)
{
    const RefBuffer *value = &p->facts->buffers[ref];
    const Recomputed *again = derive_recomputed(value, p->first_layer);
    if (request->life != COPY_STEP || !p->backward || (again == NULL && value->drawn == NULL))
        return;
    if (!p->failed) {
        const char *name = placer_buffer(p, ref)->name;
        Diagnostic *d = diag_report(p->ctx.diag, P0209, request->span,
                                    "copies of '%s', which is recomputed, are not "
                                    "kept for the backward pass",
                                    name);
        if (again != NULL)
            diag_label(d, again->span, "this statement recomputes it");
        diag_why(d, "The backward pass converts what it recomputes.");
        diag_help(d, "Say 'kept until pass', or do not recompute '%s'.", name);
    }
    p->failed = true;
}

/* The statement about a step's axes; NULL if there is none. */
static const Converted *stated(Placer *p, Ref ref, const Step *step, const Converted *before)
{
    const Converted *found = before;
    int64_t layer = ref.slot.term_count > 0 ? p->first_layer : ref.slot.constant;
    for (int i = 0; i < step->axes.count; i++) {
        const ConvertedValue *one = derive_converted(p->facts, ref.buffer, step->axes.axis[i], layer, COPY_LIFE, NULL);
        if (one == NULL)
            continue;
        p->choices->converted[one->number] = true;
        if (found != NULL && found->life != one->request->life)
            refuse_both(p, ref.buffer, found, one->request);
        check_recomputed(p, ref.buffer, one->request);
        found = one->request;
    }
    return found;
}

CopyLife derive_copy_life(Placer *p, Ref ref, Route *route)
{
    for (int i = 0; i < route->steps.count; i++) {
        const Step *step = &route->steps.data[i];
        if (step->reads != step->writes) /* sums are completed in place, and then there is no copy */
            route->kept = stated(p, ref, step, route->kept);
    }
    if (route->kept != NULL)
        return route->kept->life;
    return ref.slot.term_count > 0 && gathers_for_tensors(p, route) ? COPY_PASS : COPY_STEP;
}

static void report_undone(const Facts *f, const Converted *request)
{
    const char *axis = f->decls->axes.data[request->axis].name, *label = request->label;
    bool once = request->has_moment && request->moment == COPY_AT_ONCE;
    Diagnostic *d =
        request->has_way && !request->has_life && !once
            ? diag_report(f->ctx->diag, P0210, request->span, "no product needs all of '%s' over '%s'", label, axis)
            : diag_report(f->ctx->diag, P0210, request->span, "no copy of '%s' is made over '%s'%s", label, axis,
                          once ? " in the pass that computes it" : "");
    diag_why(d, "Its readers read it as it is, or sums are completed in place, or more specific statements hold.");
    diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = request->span});
}

bool derive_check_converted(const Facts *f, const bool *done)
{
    for (int i = 0; i < f->assignment->converted.count; i++) {
        const Converted *request = &f->assignment->converted.data[i];
        if (done[i] || request->optional || is_idle(f, request))
            continue;
        report_undone(f, request);
        return false;
    }
    return true;
}
