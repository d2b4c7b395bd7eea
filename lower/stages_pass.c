/* stages_pass.c - values that pass over blocks: what one section of the model computes and a later one, or every layer
 * of a block, reads; and backward the derivative of that.
 *
 * Such a value is carried by every stage in between, or returned, whether or not its layers read it. What layers begin
 * or end with is one of the slots of a buffer that stages have parts of: before anything is divided, a copy is set
 * apart for those that read it elsewhere.
 */
#include "lower/names.h"
#include "lower/stages_internal.h"

/* ---- Copies ------------------------------------------------------------------------------------------------- */

typedef struct Copy {
    int buffer, copy;
    int64_t slot; /* of `buffer` */
    int before;   /* the node before which it is made */
} Copy;

typedef struct Apart {
    Stages *p;
    const NodeList *list;
    int *forward, *back; /* per group: the node of its first loop in each direction; -1 none */
    int node;            /* the current one */
    const Ref *wanted;   /* whose home is searched */
    int home;            /* the section that computes it; -1 none */
    bool found;          /* what a visit looks for */
    Vec(Copy) copies;
} Apart;

static void note_origin(void *context, Op *op, Ref *ref, bool writes)
{
    (void)ref, (void)writes;
    *(bool *)context |= op->origin >= 0;
}

static bool is_backward(const Node *node)
{
    bool backward = false;
    refs_visit(node, note_origin, &backward);
    return backward;
}

static bool is_value(const Stages *p, const Ref *ref)
{
    const Buffer *buffer = &p->program->buffers.data[ref->buffer];
    return buffer->layout == LAYOUT_DENSE && !buffer->persistent;
}

static void note_value(void *context, Op *op, Ref *ref, bool writes)
{
    Apart *apart = context;
    (void)op, (void)writes;
    apart->found |= is_value(apart->p, ref);
}

static bool runs_layers(Apart *apart, const Node *node)
{
    apart->found = false;
    if (node_is_layer_loop(node))
        refs_visit(node, note_value, apart);
    return apart->found;
}

/* False if the list runs no layers. */
static bool find_loops(Apart *apart)
{
    int groups = apart->p->decls->groups.count;
    bool any = false;
    apart->forward = arena_array(apart->p->ctx->arena, int, groups);
    apart->back = arena_array(apart->p->ctx->arena, int, groups);
    for (int g = 0; g < groups; g++)
        apart->forward[g] = apart->back[g] = -1;
    for (int i = 0; i < apart->list->count; i++) {
        const Node *node = apart->list->data[i];
        if (!runs_layers(apart, node))
            continue;
        int *first = node->loop.step < 0 ? &apart->back[node->loop.group] : &apart->forward[node->loop.group];
        if (*first < 0)
            *first = i;
        any = true;
    }
    return any;
}

/* The section in which a node outside the layers is. */
static int section_at(const Apart *apart, int node)
{
    bool backward = is_backward(apart->list->data[node]);
    int groups = apart->p->decls->groups.count, section = backward ? groups : 0;
    for (int g = 0; g < groups; g++)
        if (backward)
            section -= apart->back[g] >= 0 && apart->back[g] < node;
        else
            section += apart->forward[g] >= 0 && apart->forward[g] < node;
    return section;
}

/* The section that computes a slot: what is before a block, or what follows the layers of one. */
static void note_home(void *context, Op *op, Ref *ref, bool writes)
{
    Apart *apart = context;
    const Node *node = apart->list->data[apart->node];
    if (!writes || ref->buffer != apart->wanted->buffer || op->origin >= 0 || op->accumulate)
        return;
    if (affine_equal(&ref->slot, &apart->wanted->slot))
        apart->home = section_at(apart, apart->node);
    else if (node_is_layer_loop(node) && ref->slot.term_count > 0 &&
             ref->slot.constant + node->loop.last.constant == apart->wanted->slot.constant)
        apart->home = node->loop.group + 1;
}

static int home_of(Apart *apart, const Ref *ref)
{
    int node = apart->node;
    apart->wanted = ref;
    apart->home = -1;
    for (apart->node = 0; apart->node < apart->list->count; apart->node++)
        refs_visit(apart->list->data[apart->node], note_home, apart);
    apart->node = node;
    return apart->home;
}

/* The buffer of the copy of a slot, which is made where the section that computes it ends. */
static int copy_of(Apart *apart, const Ref *ref, int home)
{
    Stages *p = apart->p;
    for (int i = 0; i < apart->copies.count; i++)
        if (apart->copies.data[i].buffer == ref->buffer && apart->copies.data[i].slot == ref->slot.constant)
            return apart->copies.data[i].copy;
    Buffer apart_buffer = p->program->buffers.data[ref->buffer];
    apart_buffer.name = lower_name(p->ctx->arena, p->program, apart_buffer.name, "apart");
    apart_buffer.slots = 1;
    apart_buffer.passed_on = false;
    vec_push(p->ctx->arena, &p->program->buffers, apart_buffer);
    Copy copy = {ref->buffer, p->program->buffers.count - 1, ref->slot.constant, apart->forward[home]};
    vec_push(p->ctx->arena, &apart->copies, copy);
    return copy.copy;
}

static void read_copy(void *context, Op *op, Ref *ref, bool writes)
{
    Apart *apart = context;
    Stages *p = apart->p;
    (void)op;
    if (writes || ref->slot.term_count > 0 || !is_value(p, ref) || p->program->buffers.data[ref->buffer].slots == 1)
        return;
    const Node *node = apart->list->data[apart->node];
    int home = home_of(apart, ref);
    bool elsewhere = node_is_layer_loop(node) ? home <= node->loop.group : section_at(apart, apart->node) != home;
    if (home < 0 || home == p->decls->groups.count || !elsewhere)
        return;
    ref->buffer = copy_of(apart, ref, home);
    ref->slot = affine_constant(0);
}

static void make_copies(Apart *apart, NodeList *list)
{
    Stages *p = apart->p;
    NodeList old = *list;
    *list = (NodeList){0};
    for (int i = 0; i < old.count; i++) {
        for (int j = 0; j < apart->copies.count; j++) {
            const Copy *copy = &apart->copies.data[j];
            if (copy->before != i)
                continue;
            const Buffer *buffer = &p->program->buffers.data[copy->copy];
            Op *op = stages_op(p, list, OP_COPY, (Ref){.buffer = copy->copy, .member = -1}, buffer->span);
            op->operand[op->operand_count++] =
                (Ref){.buffer = copy->buffer, .member = -1, .slot = affine_constant(copy->slot)};
        }
        vec_push(p->ctx->arena, list, old.data[i]);
    }
}

static void set_apart(Stages *p, NodeList *list)
{
    Apart apart = {.p = p, .list = list};
    if (!find_loops(&apart))
        return;
    for (apart.node = 0; apart.node < list->count; apart.node++)
        refs_visit(list->data[apart.node], read_copy, &apart);
    make_copies(&apart, list);
}

void stages_set_apart(Stages *p)
{
    for (int i = 0; i < p->program->routines.count; i++) {
        NodeList *body = &p->program->routines.data[i].body;
        set_apart(p, body);
        for (int j = 0; j < body->count; j++)
            if (stages_computes_layers(body->data[j]))
                set_apart(p, &body->data[j]->body);
    }
}

/* ---- Passing on --------------------------------------------------------------------------------------------- */

int stages_lowest(StageSet sections)
{
    int section = 0;
    while (!(sections >> section & 1))
        section++;
    return section;
}

int stages_highest(StageSet sections)
{
    int section = stages_lowest(sections);
    while (sections >> (section + 1) != 0)
        section++;
    return section;
}

void stages_pass(const StagesBody *b, PassedList *list, int buffer, int group)
{
    if (!stages_is_passed(list, buffer, group))
        vec_push(b->p->ctx->arena, list, ((Passed){buffer, group}));
}

bool stages_pass_to(StagesBody *b, int buffer, int section)
{
    StageSet *has = &b->has[buffer], sections = *has & (stages_last(b->p) * 2 - 1);
    if (sections == 0 || sections != *has)
        return false;
    if (*has >> section & 1)
        return true;
    bool onward = section > stages_highest(sections);
    if (b->p->buffers[buffer].cut || onward == b->from_backward[buffer])
        return false;
    for (int g = stages_highest(sections); onward && g < section; g++) {
        stages_pass(b, &b->carried, buffer, g);
        *has |= 1u << (g + 1);
    }
    for (int g = stages_lowest(sections) - 1; !onward && g >= section; g--) {
        stages_pass(b, &b->returned, buffer, g);
        *has |= 1u << g;
    }
    return true;
}
