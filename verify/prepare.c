/* prepare.c - checks the shapes of operators against layouts: everything that does not depend on values
 * (verify/prepare.h). */
#include "verify/prepare.h"

#include <math.h>
#include <string.h>

struct PreparedMap {
    int capacity;
    Prepared **slots; /* by address of the operator */
};

typedef struct Prepare {
    Ctx *ctx;
    Table *table;
    const Program *program;
    bool reference;
    PreparedMap *map;
} Prepare;

typedef struct Letter {
    char name;
    int64_t size;
    Cuts cuts;             /* in a product of pieces: the cuts of the piece */
    bool pieces;           /* some operands have all of it, others a piece */
    int64_t before, after; /* its halo */
    bool padded;
    int operand; /* the operand it was first found in, or -1 */
    bool in_result, in_operand;
} Letter;

typedef struct Letters {
    int count;
    Letter letter[PREPARE_MAX_LETTERS];
} Letters;

/* ---- Views -------------------------------------------------------------------------------------------------- */

/* Normal form: drops axes of size 1. */
static void cuts_add(const Decls *decls, bool reference, Cuts *cuts, int cut)
{
    int64_t size = cut == CUT_MICRO ? (reference ? 1 : decls->micro) : decls->axes.data[cut].size;
    if (size > 1 && cuts->count < (int)sizeof(cuts->axis))
        cuts->axis[cuts->count++] = cut == CUT_MICRO ? TIME_BIT : (int8_t)cut;
}

/* Normal form: keeps segments only where a dim is cut, and padding only where pieces differ in size. */
static void dims_view(const Decls *decls, bool reference, const Dim *dims, int count, View *view)
{
    view->dim_count = count;
    for (int d = 0; d < count; d++) {
        view->size[d] = dims[d].size;
        view->before[d] = dims[d].halo_before;
        view->after[d] = dims[d].halo_after;
        int64_t parts = 1;
        for (int i = 0; i < dims[d].cut_count; i++) {
            cuts_add(decls, reference, &view->dim_cuts[d], dims[d].cut[i]);
            parts *= dims[d].cut[i] == CUT_MICRO ? 1 : decls->axes.data[dims[d].cut[i]].size;
        }
        if (view->dim_cuts[d].count > 0 && dims[d].segments != NULL && dims[d].segments->count > 1)
            view->dim_cuts[d].segments = dims[d].segments;
        view->padded[d] = dims[d].padded && dims[d].size % parts != 0;
    }
}

static void member_view(const Decls *decls, bool reference, const Unit *unit, Each each, int position, View *view)
{
    Dim dims[STEP_MAX_DIMS];
    int first, count = each_dims(each, decls->tensors.data[unit->members[position]].dim_count, &first);
    unit_member_dims(decls, unit, position, dims);
    dims_view(decls, reference, dims + first, count, view);
}

static int member_position(const Unit *unit, int tensor)
{
    for (int i = 0; i < unit->member_count; i++)
        if (unit->members[i] == tensor)
            return i;
    return -1;
}

void view_make(const Program *program, const Ref *ref, bool reference, View *view)
{
    const Decls *decls = program->decls;
    const Buffer *buffer = &program->buffers.data[ref->buffer];
    memset(view, 0, sizeof *view);
    const Unit *unit = buffer->layout == LAYOUT_UNIT ? &decls->units.data[buffer->unit] : NULL;
    if (ref->member >= 0 && unit != NULL) {
        member_view(decls, reference, unit, buffer->each, member_position(unit, ref->member), view);
        return;
    }
    view->flat = unit != NULL;
    view->unit = buffer->unit;
    view->each = buffer->each;
    if (!view->flat) {
        dims_view(decls, reference, buffer->dims, buffer->dim_count, view);
        return;
    }
    for (int i = 0; i < buffer->cut_count; i++)
        cuts_add(decls, reference, &view->cuts, buffer->cut[i]);
    if (unit->member_dims == NULL || view->each == EACH_TENSOR)
        return;
    View member = {0}; /* all members are cut over the same axes; check_members handles rows and columns */
    member_view(decls, reference, unit, view->each, 0, &member);
    view->members = view_mask(&member);
}

AxisMask cuts_mask(const Cuts *cuts)
{
    AxisMask mask = 0;
    for (int i = 0; i < cuts->count; i++)
        mask |= (AxisMask)1 << cuts->axis[i];
    return mask;
}

AxisMask view_mask(const View *view)
{
    AxisMask mask = cuts_mask(&view->cuts) | view->members;
    for (int d = 0; d < view->dim_count; d++)
        mask |= cuts_mask(&view->dim_cuts[d]);
    return mask;
}

/* Compares views without halo or padding. */
bool view_equal(const View *a, const View *b)
{
    if (a->flat != b->flat || a->dim_count != b->dim_count || (a->flat && (a->unit != b->unit || a->each != b->each)) ||
        !cuts_equal(&a->cuts, &b->cuts))
        return false;
    for (int d = 0; d < a->dim_count; d++)
        if (a->size[d] != b->size[d] || !cuts_equal(&a->dim_cuts[d], &b->dim_cuts[d]))
            return false;
    return true;
}

static bool has_halo(const View *view)
{
    for (int d = 0; d < view->dim_count; d++)
        if (view->before[d] + view->after[d] > 0)
            return true;
    return false;
}

static bool is_padded(const View *view)
{
    for (int d = 0; d < view->dim_count; d++)
        if (view->padded[d])
            return true;
    return false;
}

const char *axes_text(Arena *arena, const Decls *decls, AxisMask axes)
{
    Text text = {.arena = arena};
    for (int a = 0; a <= TIME_BIT; a++)
        if (axes >> a & 1)
            text_add(&text, "%s%s", text.length > 0 ? " and " : "",
                     a == TIME_BIT ? "the microbatches" : decls->axes.data[a].name);
    return text.data != NULL ? text.data : "";
}

bool op_is_update(OpKind kind, int *gradient, int *state)
{
    static const struct {
        OpKind kind;
        int gradient, state;
    } updates[] = {
        {OP_EMA, 1, 0}, {OP_EMA_SQUARE, 1, 0}, {OP_MOMENTUM, 1, 0}, {OP_SGD, 1, 0}, {OP_DECAY_GRADIENT, 0, 1}};
    for (size_t i = 0; i < sizeof updates / sizeof *updates; i++)
        if (updates[i].kind == kind) {
            *gradient = updates[i].gradient;
            *state = updates[i].state;
            return true;
        }
    return false;
}

/* ---- Faults ------------------------------------------------------------------------------------------------- */

static const char *op_name(const Op *op)
{
    return op_info[op->kind].name;
}

static const char *ref_name(const Prepare *p, const Ref *ref)
{
    const Buffer *buffer = &p->program->buffers.data[ref->buffer];
    if (ref->member < 0)
        return buffer->name;
    return arena_printf(p->ctx->arena, "%s:%s", buffer->name, p->program->decls->tensors.data[ref->member].name);
}

static void fault_shape(Prepare *p, Prepared *prepared, const char *what)
{
    if (!prepared->bad)
        diag_report(p->ctx->diag, P0334, prepared->op->span, "the shapes of '%s' do not fit: %s", op_name(prepared->op),
                    what);
    prepared->bad = true;
}

/* What each of two ranks would hold of the dim, or the unit, that is cut over the axis. */
static void add_pieces(const Prepare *p, Diagnostic *d, const Ref *ref, AxisMask axes)
{
    const Decls *decls = p->program->decls;
    View view;
    view_make(p->program, ref, p->reference, &view);
    int axis = 0, dim = 0;
    while (!(axes >> axis & 1))
        axis++;
    if (axis >= decls->axes.count)
        return;
    while (dim < view.dim_count && !(cuts_mask(&view.dim_cuts[dim]) >> axis & 1))
        dim++;
    if (dim < view.dim_count && view.dim_cuts[dim].segments != NULL)
        return;
    int64_t size = dim < view.dim_count ? view.size[dim] : view.flat ? decls->units.data[view.unit].elements : 0;
    const char *what = dim < view.dim_count ? arena_printf(p->ctx->arena, "dim %d", dim) : "the unit";
    const char *first = arena_printf(p->ctx->arena, "%s 0", decls->axes.data[axis].name);
    const char *second = arena_printf(p->ctx->arena, "%s 1", decls->axes.data[axis].name);
    if (size < 2)
        return;
    diag_counter_example(d,
                         "2 ranks; %s has %lld elements\n%-12s has 0 to %lld\n%-12s has %lld to %lld\n"
                         "1 device     has 0 to %lld",
                         what, (long long)size, first, (long long)((size + 1) / 2 - 1), second,
                         (long long)((size + 1) / 2), (long long)(size - 1), (long long)(size - 1));
}

/* An operand is cut where the operator needs it whole. */
static void fault_cut(Prepare *p, Prepared *prepared, int operand, AxisMask axes)
{
    const Op *op = prepared->op;
    int gradient, state;
    if (prepared->bad)
        return;
    prepared->bad = true;
    const Buffer *buffer = &p->program->buffers.data[op->operand[operand].buffer];
    const char *name = ref_name(p, &op->operand[operand]), *over = axes_text(p->ctx->arena, p->program->decls, axes);
    bool is_gradient =
        (op_is_update(op->kind, &gradient, &state) && operand == gradient) || buffer->category == CATEGORY_GRADIENTS;
    Diagnostic *d;
    if (is_gradient) {
        d = diag_report(p->ctx->diag, P0308, op->span,
                        "gradient '%s' is left sharded over '%s' where '%s' reads it whole", name, over, op_name(op));
        diag_why(d, "'%s' writes the whole '%s', but a rank has only its own part of the gradient.", op_name(op),
                 ref_name(p, &op->out));
        diag_help(d, "reduce the gradient without `into shards`, or shard the optimizer over '%s' as well", over);
    } else {
        d = diag_report(p->ctx->diag, P0307, op->span, "'%s' is sharded over '%s' but used as if it were whole", name,
                        over);
        diag_why(d, "A rank holds only its own part of '%s'; '%s' here needs all of it.", name, op_name(op));
        diag_help(d, "gather it over '%s' before (`gathered` instead of `sharded`)", over);
    }
    diag_primary_label(d, "reads '%s' whole", name);
    diag_label(d, buffer->span, "sharded over '%s' here", over);
    add_pieces(p, d, &op->operand[operand], axes);
}

/* ---- Letters ------------------------------------------------------------------------------------------------ */

static Letter *letters_find(Letters *letters, char name)
{
    for (int i = 0; i < letters->count; i++)
        if (letters->letter[i].name == name)
            return &letters->letter[i];
    return NULL;
}

/* Is `inner` `outer` with further cuts, all innermost and over exactly the axes `over`? */
static bool cuts_extend(const Cuts *outer, const Cuts *inner, AxisMask *over)
{
    if (inner->count < outer->count || (outer->count > 0 && !segments_equal(outer->segments, inner->segments)))
        return false;
    for (int i = 0; i < inner->count; i++) {
        if (i < outer->count) {
            if (outer->axis[i] != inner->axis[i])
                return false;
            continue;
        }
        AxisMask bit = (AxisMask)1 << inner->axis[i];
        if (!(*over & bit))
            return false;
        *over &= ~bit;
    }
    return true;
}

static bool cuts_differ_by(const Cuts *a, const Cuts *b, AxisMask over)
{
    const Cuts *outer = a->count < b->count ? a : b, *inner = outer == a ? b : a;
    return over != 0 && cuts_extend(outer, inner, &over) && over == 0;
}

/* An operand, or the result where `operand` is -1, cuts a letter differently from the operand that first had it. */
static void fault_unlike(Prepare *p, Prepared *prepared, const Letter *letter, const Cuts *cuts, int operand)
{
    AxisMask here = cuts_mask(cuts), before = cuts_mask(&letter->cuts);
    if (operand >= 0 && (here & ~before) != 0)
        fault_cut(p, prepared, operand, here & ~before);
    else if ((before & ~here) != 0 && letter->operand >= 0)
        fault_cut(p, prepared, letter->operand, before & ~here);
    fault_shape(p, prepared, arena_printf(p->ctx->arena, "'%c' is cut in different ways", letter->name));
}

/* Enters the letters of one group of the spec; `operand` is -1 for the result. */
static bool letters_enter(Prepare *p, Prepared *prepared, Letters *letters, const char *group, int length,
                          const View *view, int operand)
{
    if (length != view->dim_count) {
        fault_shape(p, prepared,
                    arena_printf(p->ctx->arena, "'%s' has %d dims, its spec names %d",
                                 ref_name(p, operand < 0 ? &prepared->op->out : &prepared->op->operand[operand]),
                                 view->dim_count, length));
        return false;
    }
    for (int d = 0; d < length; d++) {
        if (memchr(group, group[d], (size_t)d) != NULL) {
            fault_shape(p, prepared, "a letter twice in one operand");
            return false;
        }
        Letter *letter = letters_find(letters, group[d]);
        if (letter == NULL) {
            if (letters->count == PREPARE_MAX_LETTERS) {
                fault_shape(p, prepared, "more letters than can be");
                return false;
            }
            letter = &letters->letter[letters->count++];
            *letter = (Letter){.name = group[d],
                               .size = view->size[d],
                               .cuts = view->dim_cuts[d],
                               .before = view->before[d],
                               .after = view->after[d],
                               .padded = view->padded[d],
                               .operand = operand};
        } else if (letter->size != view->size[d]) {
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "'%c' is %lld in one place and %lld in another", group[d],
                                     (long long)letter->size, (long long)view->size[d]));
            return false;
        } else if (prepared->pieces && cuts_differ_by(&letter->cuts, &view->dim_cuts[d], prepared->over)) {
            letter->pieces = true;
            if (view->dim_cuts[d].count > letter->cuts.count)
                letter->cuts = view->dim_cuts[d];
        } else if (!cuts_equal(&letter->cuts, &view->dim_cuts[d])) {
            fault_unlike(p, prepared, letter, &view->dim_cuts[d], operand);
            return false;
        } else if (letter->before != view->before[d] || letter->after != view->after[d]) {
            fault_shape(p, prepared, arena_printf(p->ctx->arena, "'%c' has different halos", group[d]));
            return false;
        }
        if (operand < 0)
            letter->in_result = true;
        else
            letter->in_operand = true;
    }
    return true;
}

/* Splits "ab,bc->ac" into groups: one per operand and one for the result, which the reader has checked. */
static void spec_split(const char *spec, int operands, const char **group, int *length)
{
    const char *arrow = strstr(spec, "->"), *at = spec;
    if (arrow == NULL)
        BUG("a spec without a result: '%s'", spec);
    for (int i = 0; i < operands; i++) {
        const char *end = i < operands - 1 ? memchr(at, ',', (size_t)(arrow - at)) : arrow;
        if (end == NULL)
            BUG("a spec of other groups than operands: '%s'", spec);
        group[i] = at;
        length[i] = (int)(end - at);
        at = end + 1;
    }
    group[operands] = arrow + 2;
    length[operands] = (int)strlen(arrow + 2);
}

/* Normal form: letters renamed in order of first use, so that only their pattern counts. */
static Form *form_of_letters(Prepare *p, const Op *op, OpKind kind, const char **group, const int *length, int operands,
                             const Letters *letters)
{
    char text[STEP_MAX_OPERANDS * (STEP_MAX_DIMS + 1) + STEP_MAX_DIMS + 4];
    size_t at = 0;
    for (int i = 0; i <= operands; i++) {
        if (i == operands)
            text[at++] = '>';
        else if (i > 0)
            text[at++] = ',';
        for (int d = 0; d < length[i]; d++)
            for (int l = 0; l < letters->count; l++)
                if (letters->letter[l].name == group[i][d])
                    text[at++] = (char)('a' + l);
    }
    int64_t sizes[PREPARE_MAX_LETTERS];
    for (int l = 0; l < letters->count; l++)
        sizes[l] = letters->letter[l].size;
    Form key = {.kind = kind, .letter_count = letters->count, .sizes = sizes};
    key.spec = str_intern(p->table->strings, text, at);
    if (kind != OP_COPY) { /* a broadcast operand; everything else is the operator's own form */
        key.immediate_count = op->immediate_count;
        memcpy(key.immediate, op->immediate, sizeof key.immediate);
    }
    return form_intern(p->table, &key);
}

/* A product has a second form, with its operands exchanged and letters in the order of their use there. */
static void form_swap(Prepare *p, const Op *op, Form *form, const char **group, const int *length,
                      const Letters *letters)
{
    const char *other[] = {group[1], group[0], group[2]};
    int lengths[] = {length[1], length[0], length[2]};
    Letters order = {0};
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < lengths[i]; d++)
            if (letters_find(&order, other[i][d]) == NULL)
                order.letter[order.count++] = *letters_find((Letters *)letters, other[i][d]);
    Form *swapped = form_of_letters(p, op, form->kind, other, lengths, 2, &order);
    form->swapped = swapped;
    swapped->swapped = form;
    form->swapped_letter = arena_array(p->table->arena, int8_t, letters->count + 1);
    swapped->swapped_letter = arena_array(p->table->arena, int8_t, letters->count + 1);
    for (int l = 0; l < letters->count; l++) {
        int there = (int)(letters_find(&order, letters->letter[l].name) - order.letter);
        form->swapped_letter[l] = (int8_t)there;
        swapped->swapped_letter[there] = (int8_t)l;
    }
}

static Form *form_make(Prepare *p, const Op *op, OpKind kind, const char **group, const int *length, int operands,
                       const Letters *letters)
{
    Form *form = form_of_letters(p, op, kind, group, length, operands, letters);
    if ((kind == OP_MUL || kind == OP_EINSUM) && form->swapped == NULL)
        form_swap(p, op, form, group, length, letters);
    return form;
}

bool op_is_additive(OpKind kind)
{
    return kind == OP_ADD || kind == OP_SUB || kind == OP_COPY || kind == OP_CAST || kind == OP_SCALE;
}

/* The form of an operator of this kind from one group of letters to another. */
static Form *part_form(Prepare *p, const Op *op, OpKind kind, const char *group, int length, const char *result,
                       int result_length, const Letters *all)
{
    const char *groups[2] = {group, result};
    int lengths[2] = {length, result_length};
    Letters letters = {0};
    for (int i = 0; i < 2; i++)
        for (int d = 0; d < lengths[i]; d++)
            if (letters_find(&letters, groups[i][d]) == NULL)
                letters.letter[letters.count++] = *letters_find((Letters *)all, groups[i][d]);
    return form_make(p, op, kind, groups, lengths, 1, &letters);
}

/* Normal form: what has the result's letters is not broadcast. */
static Form *broadcast_make(Prepare *p, const Op *op, const char *group, int length, const char *result,
                            int result_length, const Letters *all)
{
    if (length == result_length && memcmp(group, result, (size_t)length) == 0)
        return NULL;
    return part_form(p, op, OP_COPY, group, length, result, result_length, all);
}

static void prepare_linear(Prepared *prepared)
{
    const char *groups = op_info[prepared->op->kind].linear;
    prepared->jointly = op_jointly_linear(prepared->op->kind);
    for (const char *at = groups; *at != '\0';) {
        size_t length = strcspn(at, " ");
        if (length == 1)
            prepared->linear[*at - 'a'] = true;
        at += length + (at[length] == ' ');
    }
}

static void fault_cut_letter(Prepare *p, Prepared *prepared, const Letter *letter)
{
    if (letter->operand >= 0)
        fault_cut(p, prepared, letter->operand, cuts_mask(&letter->cuts));
    fault_shape(p, prepared, arena_printf(p->ctx->arena, "'%c' is cut, and works as a whole", letter->name));
}

static void check_uncut(Prepare *p, Prepared *prepared, const Letter *letter)
{
    if (letter->cuts.count > 0)
        fault_cut_letter(p, prepared, letter);
}

/* A letter that must be whole: "a" is the last letter of operand a. A row's letter must be, too, except for a maximum,
 * which is the maximum of the parts' maxima. */
static void check_coupled(Prepare *p, Prepared *prepared, const char **group, const int *length, Letters *letters)
{
    const OpInfo *info = &op_info[prepared->op->kind];
    bool row = info->op_class == CLASS_ROW && prepared->op->kind != OP_ROW_MAX;
    if (info->coupled[0] == '-' && !row)
        return;
    int operand = row ? 0 : info->coupled[0] - 'a', index = length[operand] - 1;
    if (length[operand] == 0) {
        fault_shape(p, prepared, "an operand without the dim that it works along");
        return;
    }
    check_uncut(p, prepared, letters_find(letters, group[operand][index]));
}

/* ---- Windows and views --------------------------------------------------------------------------------------- */

/* Which of the three grids of a WINDOW operator an array is on: 0 input, 1 window, 2 output. */
static int grid_of(const Op *op, int array)
{
    WindowRoles roles = op_window_roles(op->kind);
    if (array == op->operand_count)
        array = WINDOW_RESULT;
    return array == roles.output ? 2 : array == roles.window ? 1 : 0;
}

static bool is_whole_number(double value, double least)
{
    return value >= least && value <= INT32_MAX && value == floor(value);
}

/* The rows and columns are the last two letters of each array: the same for all arrays on one grid, and no others. */
static bool find_grids(Prepare *p, Prepared *prepared, const char **group, const int *length, char grids[3][2])
{
    const Op *op = prepared->op;
    for (int i = 0; i <= op->operand_count; i++) {
        if (length[i] < 2) {
            fault_shape(p, prepared, "an operand without rows and columns");
            return false;
        }
        char *grid = grids[grid_of(op, i)];
        const char *own = group[i] + length[i] - 2;
        bool same = grid[0] == '\0' || memcmp(grid, own, 2) == 0;
        memcpy(grid, own, 2);
        for (int other = 0; other < 3; other++)
            same = same && (grids[other] == grid ||
                            (memchr(grids[other], own[0], 2) == NULL && memchr(grids[other], own[1], 2) == NULL));
        if (!same) {
            fault_shape(p, prepared, "rows and columns of one grid have the letters of another");
            return false;
        }
    }
    for (int i = 0; i <= op->operand_count; i++)
        for (int d = 0; d < length[i] - 2; d++)
            if (memchr(grids, group[i][d], 6) != NULL) {
                fault_shape(p, prepared, "rows and columns must come last");
                return false;
            }
    return true;
}

/* The number of pieces the cuts make. */
static int64_t cuts_parts(const Prepare *p, const Cuts *cuts)
{
    int64_t parts = 1;
    for (int i = 0; i < cuts->count; i++)
        parts *= cuts->axis[i] == TIME_BIT ? p->table->micro : p->program->decls->axes.data[cuts->axis[i]].size;
    return parts;
}

/* Are all pieces equally long (for a fused dim: within each segment)? */
static bool cuts_evenly(const Prepare *p, int64_t size, const Cuts *cuts)
{
    int64_t parts = cuts_parts(p, cuts);
    for (int i = 0; cuts->segments != NULL && i < cuts->segments->count; i++)
        if (cuts->segments->size[i] % parts != 0)
            return false;
    return size % parts == 0;
}

/* Where one axis cuts the rows of input and output into corresponding pieces, the places of each rank see its own piece
 * with a halo before and after: large enough for what they need, and for the part of a cotangent that goes to the
 * neighbours' rows. */
static void check_pieces(Prepare *p, Prepared *prepared, const Letter *input, const Letter *output, int64_t window,
                         int64_t stride, int64_t pad)
{
    int64_t after = window - stride - pad > 0 ? window - stride - pad : 0;
    if (input->cuts.count + output->cuts.count == 0 && input->before + input->after == 0)
        return;
    int64_t parts = cuts_parts(p, &input->cuts);
    bool aligned = input->cuts.count <= 1 && input->cuts.segments == NULL && cuts_equal(&input->cuts, &output->cuts) &&
                   input->size == stride * output->size && (stride == 1 || output->size % parts == 0) &&
                   output->before + output->after == 0 && (cuts_mask(&input->cuts) & TIME_MASK) == 0;
    if (!aligned || input->before != pad || input->after != after) {
        if (input->before + input->after == 0)
            check_uncut(p, prepared, input->cuts.count > 0 ? input : output);
        fault_shape(p, prepared, "its pieces have not the halo that its windows need");
    }
}

/* Is its window a size rather than an array? */
static bool window_pools(const Op *op)
{
    switch (op_window(op->kind)) {
    case WINDOW_CONV:
    case WINDOW_CONV_INPUT_BWD:
    case WINDOW_CONV_WEIGHT_BWD:
        return false;
    case WINDOW_MAX_POOL:
    case WINDOW_MAX_POOL_BWD:
    case WINDOW_MEAN_POOL:
    case WINDOW_MEAN_POOL_BWD:
        return true;
    }
    BUG("'%s' has no shape rule", op_name(op));
}

static void check_windows(Prepare *p, Prepared *prepared, const char **group, const int *length, Letters *letters)
{
    const Op *op = prepared->op;
    char grids[3][2] = {{0}};
    if (op_info[op->kind].op_class != CLASS_WINDOW || !find_grids(p, prepared, group, length, grids))
        return;
    bool pools = window_pools(op);
    double stride = op->immediate[op->immediate_count - 2], pad = op->immediate[op->immediate_count - 1];
    if (!is_whole_number(stride, 1) || !is_whole_number(pad, 0) || !is_whole_number(op->immediate[0], pools)) {
        fault_shape(p, prepared, "windows are counted in whole elements");
        return;
    }
    for (int i = 0; i < 2; i++) {
        const Letter *input = letters_find(letters, grids[0][i]), *output = letters_find(letters, grids[2][i]);
        int64_t window = pools ? (int64_t)op->immediate[0] : letters_find(letters, grids[1][i])->size;
        if (window_places(input->size, window, (int64_t)stride, (int64_t)pad) != output->size ||
            (pools && 2 * (int64_t)pad > window))
            fault_shape(p, prepared, "the window does not fit input and output");
        if (!pools)
            check_uncut(p, prepared, letters_find(letters, grids[1][i]));
        check_pieces(p, prepared, input, output, window, (int64_t)stride, (int64_t)pad);
    }
}

/* Which grid of a WINDOW operator the letter is on; -1: none. */
static int letter_grid(const Prepared *prepared, const char **group, const int *length, char letter)
{
    for (int i = 0; i <= prepared->op->operand_count && op_info[prepared->op->kind].op_class == CLASS_WINDOW; i++)
        if (length[i] >= 2 && memchr(group[i] + length[i] - 2, letter, 2) != NULL)
            return grid_of(prepared->op, i);
    return -1;
}

/* The result's letter on the input's grid that corresponds to this row or column letter of the output's; NULL: none. */
static const Letter *transposed_letter(const Prepared *prepared, const char **group, const int *length,
                                       const Letters *letters, char output)
{
    int count = prepared->op->operand_count, column = 0;
    if (grid_of(prepared->op, count) != 0)
        return NULL;
    for (int i = 0; i < count; i++)
        if (grid_of(prepared->op, i) == 2)
            column = group[i][length[i] - 1] == output;
    return letters_find((Letters *)letters, group[count][length[count] - 2 + column]);
}

/* The dims of one side of a reshape that change, and how far its cuts have been followed. */
typedef struct ViewSide {
    const Letter *letter[STEP_MAX_DIMS];
    int count, dim, cut;
    int64_t elements; /* of all dims */
    int64_t left;     /* how much of dim `dim` a rank has; 0: ranks have different amounts */
} ViewSide;

enum { CUT_NONE = -1, CUT_ACROSS = -2 };

/* The next axis that cuts the side, or CUT_NONE; CUT_ACROSS: a rank's elements are no contiguous range of the side. */
static int view_next_cut(ViewSide *side)
{
    while (side->dim < side->count && side->cut == side->letter[side->dim]->cuts.count) {
        int more = side->dim + 1;
        while (more < side->count && side->letter[more]->cuts.count == 0)
            more++;
        if (more == side->count)
            return CUT_NONE;
        if (side->left != 1)
            return CUT_ACROSS;
        side->left = side->letter[++side->dim]->size;
        side->cut = 0;
    }
    return side->dim < side->count ? side->letter[side->dim]->cuts.axis[side->cut++] : CUT_NONE;
}

/* Does every rank have the same elements on both sides, in order? Axis by axis, each side must be cut into equal
 * pieces, or both into pieces of the same number of items; these then are equally large, since both sides have the same
 * number of elements. A dim inside one that is cut may be cut only if a rank has a single element of the outer one. */
static bool view_cut_alike(const Prepare *p, ViewSide side[2])
{
    for (;;) {
        int axis = view_next_cut(&side[0]);
        if (axis != view_next_cut(&side[1]) || axis == CUT_ACROSS)
            return false;
        if (axis == CUT_NONE)
            return true;
        int64_t parts = axis == TIME_BIT ? p->table->micro : p->program->decls->axes.data[axis].size;
        bool evenly = side[0].left > 0 && side[1].left > 0 && side[0].left % parts == 0 && side[1].left % parts == 0;
        if (!evenly && side[0].left != side[1].left)
            return false;
        for (int i = 0; i < 2; i++)
            side[i].left = evenly ? side[i].left / parts : 0;
    }
}

/* Each side starts with all of its first dim. */
static void view_check_cuts(Prepare *p, Prepared *prepared, ViewSide side[2], bool segments)
{
    for (int i = 0; i < 2 && !prepared->bad; i++)
        if (side[i].count > 0)
            side[i].left = side[i].letter[0]->size;
    if (prepared->bad || (!segments && view_cut_alike(p, side)))
        return;
    for (int i = 0; i < 2; i++)
        for (int d = 0; d < side[i].count; d++)
            check_uncut(p, prepared, side[i].letter[d]);
}

/* The letters before and after those that change must be the same; those between must have equally many elements. */
static void check_view(Prepare *p, Prepared *prepared, const char **group, const int *length, Letters *letters)
{
    int first = 0, last[2] = {length[0], length[1]};
    while (first < last[0] && first < last[1] && group[0][first] == group[1][first])
        first++;
    while (last[0] > first && last[1] > first && group[0][last[0] - 1] == group[1][last[1] - 1])
        last[0]--, last[1]--;
    ViewSide side[2] = {{.left = 1, .elements = 1}, {.left = 1, .elements = 1}};
    bool moves = false, segments = false;
    for (int i = 0; i < 2; i++) {
        for (int d = first; d < last[i]; d++) {
            const Letter *letter = letters_find(letters, group[i][d]);
            side[i].letter[side[i].count++] = letter;
            side[i].elements *= letter->size;
            moves |= letter->in_operand && letter->in_result;
            segments |= letter->cuts.segments != NULL;
        }
    }
    if (moves)
        fault_shape(p, prepared, "a view that moves a dim");
    else if (side[0].elements != side[1].elements)
        fault_shape(p, prepared, "a view of another number of elements");
    view_check_cuts(p, prepared, side, segments);
}

/* The fused dim is cut, but not so that each rank's piece contains its piece of this segment. */
static void fault_segment(Prepare *p, Prepared *prepared, const Letter *fused, const Letter *segment, int64_t first)
{
    const Op *op = prepared->op;
    Diagnostic *d;
    const Ref *ref = fused->operand >= 0 ? &op->operand[fused->operand] : &op->out;
    const char *name = ref_name(p, ref);
    if (prepared->bad)
        return;
    prepared->bad = true;
    d = diag_report(p->ctx->diag, P0317, op->span, "'%s' is cut over '%s' across its segments", name,
                    axes_text(p->ctx->arena, p->program->decls, cuts_mask(&fused->cuts)));
    diag_why(d,
             "A dim of %lld elements holds several things one after the other, of which '%s' means elements %lld to "
             "%lld. A rank has its piece of these only where each of the things is cut by itself.",
             (long long)fused->size, op_name(op), (long long)first, (long long)(first + segment->size - 1));
    diag_label(d, p->program->buffers.data[ref->buffer].span, "cut here");
    diag_help(d, "Say in the model what the dim is made of (`linear(x, fused(a, b))`): it is then cut segment by "
                 "segment.");
    add_pieces(p, d, ref, cuts_mask(&fused->cuts));
}

/* The segment is the elements from `first` on of the fused letter. Both may be cut alike if the fused one is cut by
 * segments of which this is one: then a rank's piece of the segment is what it has of it in the whole. */
static void check_segment(Prepare *p, Prepared *prepared, Letters *letters)
{
    const Op *op = prepared->op;
    char names[2];
    if (!op_segment_letters(op, &names[0], &names[1])) {
        fault_shape(p, prepared, "operand and result have the same letters but for one");
        return;
    }
    const Letter *fused = letters_find(letters, names[0]), *segment = letters_find(letters, names[1]);
    Cuts cuts = fused->cuts;
    cuts.segments = NULL;
    if (!is_whole_number(op->immediate[0], 0) || op->immediate[0] > (double)(fused->size - segment->size)) {
        fault_shape(p, prepared, "the segment is outside the dim");
        return;
    }
    int64_t first = (int64_t)op->immediate[0];
    if (fused->cuts.count == 0)
        check_uncut(p, prepared, segment);
    else if (segment_find(fused->cuts.segments, first, segment->size) < 0)
        fault_segment(p, prepared, fused, segment, first);
    else if (!cuts_equal(&cuts, &segment->cuts))
        fault_cut_letter(p, prepared, fused->operand >= 0 || segment->cuts.count == 0 ? fused : segment);
}

static void check_views(Prepare *p, Prepared *prepared, const char **group, const int *length, Letters *letters)
{
    switch (op_view(prepared->op->kind)) {
    case VIEW_VIEW:
        check_view(p, prepared, group, length, letters);
        return;
    case VIEW_SEGMENT:
    case VIEW_SEGMENT_BWD:
    case VIEW_PLACE_SEGMENT:
        check_segment(p, prepared, letters);
        return;
    }
    BUG("'%s' has no shape rule", op_name(prepared->op));
}

/* The axes it names, each once, which the reader has checked. */
static void prepare_over(Prepare *p, Prepared *prepared)
{
    const Op *op = prepared->op;
    prepared->ranks = 1;
    for (int i = 0; i < op->axis_count; i++) {
        int64_t size = p->program->decls->axes.data[op->axis[i]].size;
        AxisMask bit = (AxisMask)1 << op->axis[i];
        prepared->over |= size > 1 ? bit : 0;
        prepared->ranks *= size;
    }
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Must `index` name a different coordinate on every rank, rather than the same one? */
static bool index_permutes(const Op *op)
{
    switch (op_peers(op->kind)) {
    case PEERS_PERMUTED:
    case PEERS_NONE: /* a product of pieces (op_in_pieces) */
        return true;
    case PEERS_SOURCE:
        return false;
    case PEERS_GROUP:
    case PEERS_NEIGHBOURS:
    case PEERS_MESSAGE:
        break;
    }
    BUG("'%s' has no index that all its ranks share", op_name(op));
}

/* Is the peer that `index` names a coordinate of the axis on every rank: for permute each exactly once, for broadcast
 * the same on all? It may depend on loops and other axes if a modulus keeps it in range. */
static bool peers_fit(const Decls *decls, const Op *op)
{
    int axis = op->axis[0];
    int64_t size = decls->axes.data[axis].size, own = 0;
    bool depends = false, permutes = index_permutes(op);
    if (op->index.modulus != 0 && op->index.modulus != size)
        return false;
    for (int i = 0; i < op->index.term_count; i++) {
        int variable = op->index.term[i].variable;
        bool table = variable < -STEP_MAX_AXES;
        if (variable >= 0 || affine_axis(decls, variable) != axis)
            depends = true;
        else if (table || !permutes)
            return false;
        else
            own += op->index.term[i].coefficient;
    }
    if (op->index.modulus == size)
        return !permutes || common_divisor(own < 0 ? -own : own, size) == 1;
    if (depends)
        return false;
    int64_t first = op->index.constant, last = first + own * (size - 1);
    return first >= 0 && first < size && last >= 0 && last < size && (!permutes || own == 1 || own == -1 || size == 1);
}

static int result_dim(const char **group, const int *length, const Op *op, char letter)
{
    const char *result = group[op->operand_count];
    return (int)((const char *)memchr(result, letter, (size_t)length[op->operand_count]) - result);
}

/* The letter of which only a piece takes part: some operands have all of it, some only the piece. */
static void prepare_pieces(Prepare *p, Prepared *prepared, const View *views, const char **group, const int *length,
                           Letters *letters)
{
    const Op *op = prepared->op;
    Letter *letter = NULL;
    if (!prepared->pieces)
        return;
    int found = 0;
    for (int i = 0; i < letters->count; i++)
        if (letters->letter[i].pieces) {
            letter = &letters->letter[i];
            found++;
        }
    if (found != 1 || (cuts_mask(&letter->cuts) & TIME_MASK) != 0) {
        fault_shape(p, prepared, "one letter is to be whole in one place and cut over its axis in another");
        prepared->pieces = false;
        return;
    }
    if (letter->cuts.segments != NULL)
        fault_shape(p, prepared, "pieces of a fused dim");
    for (int i = 0; i <= op->operand_count; i++) {
        const char *at = memchr(group[i], letter->name, (size_t)length[i]);
        bool visits = at != NULL && cuts_equal(&views[i].dim_cuts[at - group[i]], &letter->cuts);
        *(i < op->operand_count ? &prepared->visits[i] : &prepared->result_visits) = visits;
    }
    prepared->in_parts = !prepared->result_visits;
    prepared->placed = letter->in_result && prepared->in_parts;
}

/* What may be padded: copies, which take or place the rank's own piece, and products of pieces, whose visiting pieces
 * are padded where they differ in size. Nothing else. */
static void check_padding(Prepare *p, Prepared *prepared, const View *views, const char **group, const int *length,
                          Letters *letters)
{
    const Op *op = prepared->op;
    for (int i = 0; i <= op->operand_count; i++)
        for (int d = 0; d < length[i]; d++) {
            const Letter *letter = letters_find(letters, group[i][d]);
            bool piece = letter->pieces && cuts_equal(&views[i].dim_cuts[d], &letter->cuts);
            bool padded = views[i].padded[d], copied = op->kind == OP_COPY && letter->in_operand && letter->in_result;
            if (padded && !piece && !copied)
                fault_shape(p, prepared, arena_printf(p->ctx->arena, "'%c' is padded, and no piece", letter->name));
            if (piece && !padded && !cuts_evenly(p, letter->size, &letter->cuts))
                fault_shape(p, prepared, "its ranks have pieces of different sizes");
            if (copied && padded != letter->padded)
                prepared->fitted |= cuts_mask(&letter->cuts);
        }
}

/* Does the operator sum, or take the maximum, over a letter that the result lacks? `grid`: its letter_grid. */
static bool letter_sums(const Prepared *prepared, const char **group, const int *length, const Letters *letters,
                        char letter, int grid)
{
    const Letter *transposed;
    switch (op_info[prepared->op->kind].op_class) {
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_SCATTER:
        return true;
    case CLASS_MAP:
    case CLASS_VIEW:
        return false;
    case CLASS_ROW:
        return prepared->op->kind == OP_ROW_MAX && length[0] > 0 && group[0][length[0] - 1] == letter;
    case CLASS_GATHER: /* the table's rows */
        return length[1] > 0 && group[1][0] == letter;
    case CLASS_WINDOW:
        if (grid != 2)
            return grid < 0 && !window_pools(prepared->op);
        transposed = transposed_letter(prepared, group, length, letters, letter);
        return transposed == NULL || transposed->before + transposed->after > 0;
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        break;
    }
    BUG("'%s' has no letters", op_name(prepared->op));
}

/* The rows of a table are its first dim, selected by a number: no other operand or result has that letter. */
static void check_table(Prepare *p, Prepared *prepared, const char **group, const int *length)
{
    bool gathers = op_info[prepared->op->kind].op_class == CLASS_GATHER;
    int table = gathers ? 1 : 2;
    bool along = length[table] == 0;
    for (int i = 0; i <= 2 && !along; i++)
        along = i != table && memchr(group[i], group[table][0], (size_t)length[i]) != NULL;
    if (along)
        fault_shape(p, prepared, "the table's rows have a letter of their own, its first");
}

static void check_letters(Prepare *p, Prepared *prepared, const char **group, const int *length, Letters *letters)
{
    OpClass class = op_info[prepared->op->kind].op_class;
    prepared->part = arena_array(p->table->arena, DecompPart, letters->count + 1);
    if (class == CLASS_GATHER || class == CLASS_SCATTER)
        check_table(p, prepared, group, length);
    for (int i = 0; i < letters->count; i++) {
        const Letter *letter = &letters->letter[i];
        AxisMask mask = cuts_mask(&letter->cuts);
        bool row_letter = class == CLASS_ROW && length[0] > 0 && group[0][length[0] - 1] == letter->name;
        int grid = letter_grid(prepared, group, length, letter->name);
        bool on_grid = grid >= 0 || class == CLASS_VIEW;
        if (letter->in_result && letter->before + letter->after > 0)
            continue; /* a result with a halo is partial: it is summed over the places that contribute */
        if (letter->pieces && prepared->placed)
            mask &= ~prepared->over;
        if (letter->in_result) {
            prepared->passed |= mask; /* no axis cuts two dims of a buffer */
            if (letter->pieces && prepared->placed)
                prepared->part[prepared->part_count++] =
                    (DecompPart){.index = DECOMP_PLACE_DIM - result_dim(group, length, prepared->op, letter->name),
                                 .cuts = letter->cuts};
            if (!letter->in_operand && class != CLASS_MAP && class != CLASS_SCATTER && !on_grid)
                fault_shape(p, prepared, "a letter of the result that no operand has");
        } else if (letter_sums(prepared, group, length, letters, letter->name, grid)) {
            if ((prepared->summed & mask) != 0)
                fault_shape(p, prepared, "an axis cuts two dims");
            prepared->summed |= mask;
            if (mask != 0)
                prepared->part[prepared->part_count++] = (DecompPart){.index = i, .cuts = letter->cuts};
        } else if (!row_letter && !on_grid) {
            fault_shape(p, prepared, "a letter that the result lacks");
        }
    }
    /* Letters visited a piece at a time may share their axis with another letter. */
    AxisMask twice = prepared->passed & prepared->summed & ~(prepared->pieces ? prepared->over : 0);
    if (twice != 0 || (prepared->placed && (prepared->summed & prepared->over) != 0))
        fault_shape(p, prepared, "an axis cuts two dims");
}

static void prepare_locals(Prepare *p, Prepared *prepared, Letters *letters)
{
    const Op *op = prepared->op;
    if (op->kind != OP_SCALE || op->scale.local_extents == NULL)
        return;
    for (const char *at = op->scale.local_extents; *at != '\0'; at++) {
        const Letter *letter = letters_find(letters, *at);
        if (letter == NULL || !letter->in_operand || letter->cuts.segments != NULL ||
            prepared->local_count == PREPARE_MAX_LETTERS) {
            fault_shape(p, prepared, "a local extent of a letter that it does not have");
            return;
        }
        prepared->local_size[prepared->local_count] = letter->size;
        prepared->local_cuts[prepared->local_count++] = letter->cuts;
    }
}

/* If every operand is an array without letters, all operands and the result have the same dims, or none; a sum goes
 * over everything. */
static bool spec_of_equal_dims(Prepare *p, Prepared *prepared, const View *views, const char **group, int *length)
{
    static const char names[] = "abcdef";
    int count = prepared->op->operand_count, dims = views[count].dim_count;
    bool reduces = prepared->op->kind == OP_REDUCE || prepared->op->kind == OP_SUM_SQUARES;
    if ((!reduces && op_info[prepared->op->kind].op_class != CLASS_MAP) || (reduces && dims != 0)) {
        fault_shape(p, prepared, "it needs a spec");
        return false;
    }
    for (int i = 0; i < count && reduces; i++)
        dims = views[i].dim_count > dims ? views[i].dim_count : dims;
    for (int i = 0; i <= count; i++) {
        if (views[i].dim_count != 0 && views[i].dim_count != dims) {
            fault_shape(p, prepared, "operands without a spec must have the same dims, or none");
            return false;
        }
        group[i] = names;
        length[i] = views[i].dim_count;
    }
    return true;
}

static void prepare_dense(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const char *group[STEP_MAX_OPERANDS + 1];
    int length[STEP_MAX_OPERANDS + 1], count = op->operand_count;
    if (op->spec == NULL || op->spec[0] == '\0') {
        if (!spec_of_equal_dims(p, prepared, views, group, length))
            return;
    } else {
        spec_split(op->spec, count, group, length);
    }
    Letters letters = {0};
    if (op_in_pieces(op)) {
        prepare_over(p, prepared);
        prepared->pieces = prepared->over != 0;
        if (!peers_fit(p->program->decls, op))
            fault_shape(p, prepared, "its index names no coordinate of the axis, or one twice");
    }
    for (int i = 0; i <= count; i++)
        if (!letters_enter(p, prepared, &letters, group[i], length[i], &views[i], i < count ? i : -1))
            return;
    prepare_pieces(p, prepared, views, group, length, &letters);
    check_padding(p, prepared, views, group, length, &letters);
    check_letters(p, prepared, group, length, &letters);
    check_coupled(p, prepared, group, length, &letters);
    check_windows(p, prepared, group, length, &letters);
    if (op_info[op->kind].op_class == CLASS_VIEW)
        check_views(p, prepared, group, length, &letters);
    prepare_locals(p, prepared, &letters);
    prepared->form = form_make(p, op, op->kind, group, length, count, &letters);
    if (op->kind == OP_PLACE_SEGMENT) {
        prepared->broadcast[0] = part_form(p, op, OP_SEGMENT, group[0], length[0], group[1], length[1], &letters);
        prepared->broadcast[1] = part_form(p, op, OP_SEGMENT_BWD, group[1], length[1], group[0], length[0], &letters);
    }
    if (op_is_additive(op->kind))
        for (int i = 0; i < count; i++)
            prepared->broadcast[i] = broadcast_make(p, op, group[i], length[i], group[count], length[count], &letters);
}

/* ---- Flat operators: element by element over a unit's slot, or over its numbers per member, row or column ----- */

/* The letters of a view on a member with `dims` dims. */
static const char *member_letters(const View *view, int dims, int *length)
{
    static const char names[] = "abcdef";
    int first = 0;
    *length = view->flat ? each_dims(view->each, dims, &first) : 0;
    return names + first;
}

/* The operator's form on one member, with that member's own dims; from operand `operand` on, `operands` of them. */
static Form *member_form(Prepare *p, const Op *op, OpKind kind, const View *views, int operands, int operand,
                         const Tensor *tensor)
{
    const char *group[STEP_MAX_OPERANDS + 1];
    int length[STEP_MAX_OPERANDS + 1];
    Letters letters = {0};
    for (int i = 0; i <= operands; i++) {
        const View *view = i < operands ? &views[operand + i] : &views[op->operand_count];
        group[i] = member_letters(view, tensor->dim_count, &length[i]);
        for (int d = 0; d < length[i]; d++)
            if (letters_find(&letters, group[i][d]) == NULL)
                letters.letter[letters.count++] =
                    (Letter){.name = group[i][d], .size = tensor->dims[group[i][d] - 'a']};
    }
    return form_make(p, op, kind, group, length, operands, &letters);
}

static bool same_letters(const View *x, const View *y, int dims)
{
    int length, other;
    const char *letters = member_letters(x, dims, &length), *others = member_letters(y, dims, &other);
    return length == other && (length == 0 || letters == others);
}

static bool op_is_elementwise(OpKind kind)
{
    OpClass class = op_info[kind].op_class;
    return class == CLASS_MAP || kind == OP_REDUCE || kind == OP_SUM_SQUARES;
}

/* The flat slots of its unit are cut differently; `cut`: the view that is cut, that of operand `operand`, or NULL. */
static void fault_unlike_flat(Prepare *p, Prepared *prepared, const View *cut, int operand)
{
    if (cut != NULL)
        fault_cut(p, prepared, operand, cuts_mask(&cut->cuts));
    fault_shape(p, prepared, "slots that are cut in different ways");
}

/* All flat views must be of one unit, and those of elements cut alike. No other view of a unit is cut. */
static bool check_flat_views(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const View *flat = NULL, *elements = NULL, *cut = NULL;
    int cut_operand = -1;
    for (int i = 0; i <= op->operand_count; i++) {
        if (!views[i].flat && views[i].dim_count > 0) {
            fault_shape(p, prepared, "a flat slot and an array in one operator");
            return false;
        }
        if (!views[i].flat)
            continue;
        if (flat == NULL)
            flat = &views[i];
        if (flat->unit != views[i].unit) {
            fault_shape(p, prepared, "slots of two units");
            return false;
        }
        if (elements == NULL && views[i].each == EACH_ELEMENT)
            elements = &views[i];
        if (views[i].cuts.count > 0 && i < op->operand_count && cut == NULL)
            cut = &views[i], cut_operand = i;
    }
    for (int i = 0; i <= op->operand_count; i++) {
        if (views[i].flat && views[i].each == EACH_ELEMENT && !cuts_equal(&views[i].cuts, &elements->cuts)) {
            fault_unlike_flat(p, prepared, cut, cut_operand);
            return false;
        }
    }
    return true;
}

/* Do some ranks have pieces of its members smaller than the room for them? */
static bool unit_has_gaps(const Decls *decls, const Unit *unit)
{
    Dim dims[STEP_MAX_DIMS];
    for (int i = 0; i < unit->member_count && unit->member_dims != NULL; i++) {
        unit_member_dims(decls, unit, i, dims);
        for (int d = 0; d < decls->tensors.data[unit->members[i]].dim_count; d++) {
            const Segments *segments = dims[d].segments;
            int64_t parts = 1;
            for (int j = 0; j < dims[d].cut_count; j++)
                parts *= decls->axes.data[dims[d].cut[j]].size;
            for (int j = 0; segments != NULL && j < segments->count; j++)
                if (segments->size[j] % parts != 0)
                    return true;
            if (dims[d].size % parts != 0)
                return true;
        }
    }
    return false;
}

/* Is every index of `part` one of `whole`? One number per tensor broadcasts over everything, one per row or column over
 * elements. */
static bool view_within(const View *part, const View *whole)
{
    if (!part->flat || part->each == EACH_TENSOR)
        return true;
    return whole->flat && (part->each == whole->each || whole->each == EACH_ELEMENT);
}

/* A map broadcasts its operands over its result; a sum reduces what the result lacks. */
static bool check_spread(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const View *out = &views[op->operand_count];
    bool sums = op_info[op->kind].op_class == CLASS_SUM;
    for (int i = 0; i < op->operand_count; i++) {
        const View *operand = &views[i];
        if (!sums && !view_within(operand, out))
            fault_shape(p, prepared,
                        out->flat ? "its result lacks an index of an operand" : "its result is no flat slot");
        if (sums && (!view_within(out, operand) || (out->flat && out->each == operand->each)))
            fault_shape(p, prepared,
                        out->flat && out->each == EACH_ELEMENT ? "a sum over a flat slot is a number"
                                                               : "its result is no part of what it sums");
    }
    return !prepared->bad;
}

/* Does the range of the slot's last rank extend past the unit's end? */
static bool has_padding(const Prepare *p, const Unit *unit, const View *view)
{
    int64_t parts = 1;
    for (int i = 0; i < view->cuts.count; i++)
        parts *= p->program->decls->axes.data[view->cuts.axis[i]].size;
    return view->flat && unit->elements % parts != 0;
}

static void prepare_flat(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    int count = op->operand_count;
    if (!op_is_elementwise(op->kind)) {
        fault_shape(p, prepared, "it does not work element by element on a flat slot");
        return;
    }
    if (op->spec != NULL && op->spec[strspn(op->spec, ",->")] != '\0') {
        fault_shape(p, prepared, "a flat slot has no letters");
        return;
    }
    if (op->kind == OP_SCALE && op->scale.local_extents != NULL && op->scale.local_extents[0] != '\0') {
        fault_shape(p, prepared, "a local extent of a letter that it does not have");
        return;
    }
    if (!check_flat_views(p, prepared, views) || !check_spread(p, prepared, views))
        return;
    const View *flat = NULL, *out = &views[count];
    for (int i = 0; i <= count; i++)
        if (views[i].flat && (flat == NULL || views[i].each == EACH_ELEMENT))
            flat = &views[i];
    const Unit *unit = &p->program->decls->units.data[flat->unit];
    bool sums = op_info[op->kind].op_class == CLASS_SUM;
    prepared->flat = true;
    prepared->unit = flat->unit;
    prepared->member_count = unit->member_count;
    for (int i = 0; i <= count; i++)
        prepared->by_range |= flat->cuts.count > 0 && views[i].flat && views[i].each != EACH_ELEMENT;
    prepared->sums_members = sums && !out->flat;
    prepared->sums_padding = prepared->sums_members && flat->each == EACH_ELEMENT &&
                             (has_padding(p, unit, flat) || unit_has_gaps(p->program->decls, unit));
    prepared->part = arena_array(p->table->arena, DecompPart, 1);
    if (sums && out->flat)
        prepared->passed = out->members; /* each member's numbers are cut as the member is */
    if (sums && (view_mask(flat) & ~prepared->passed) != 0) {
        prepared->summed = view_mask(flat) & ~prepared->passed;
        prepared->part[prepared->part_count++] = (DecompPart){.index = DECOMP_UNIT - flat->unit, .cuts = flat->cuts};
    } else if (!sums) {
        prepared->passed = view_mask(flat);
    }
    prepared->member_form = arena_array(p->table->arena, Form *, unit->member_count);
    prepared->member_broadcast = arena_array(p->table->arena, Form *, unit->member_count * count);
    for (int m = 0; m < unit->member_count; m++) {
        const Tensor *tensor = &p->program->decls->tensors.data[unit->members[m]];
        prepared->member_form[m] = member_form(p, op, op->kind, views, count, 0, tensor);
        for (int i = 0; i < count; i++)
            if (op_is_additive(op->kind) && !same_letters(&views[i], out, tensor->dim_count))
                prepared->member_broadcast[m * count + i] = member_form(p, op, OP_COPY, views, 1, i, tensor);
    }
}

/* ---- Communication and slices ------------------------------------------------------------------------------- */

/* Flat cuts nest only if the inner cut divides the ranges of the outer one evenly. */
static bool flat_cuts_nest(const Decls *decls, const View *whole, const View *cut)
{
    if (whole->cuts.count == 0)
        return true;
    int64_t outer = 1, parts = 1, elements = decls->units.data[whole->unit].elements;
    for (int i = 0; i < cut->cuts.count; i++) {
        int64_t size = decls->axes.data[cut->cuts.axis[i]].size;
        parts *= size;
        outer *= i < whole->cuts.count ? size : 1;
    }
    int64_t range = (elements + outer - 1) / outer, piece = (elements + parts - 1) / parts;
    return piece * (parts / outer) == range;
}

static bool views_extend(const Decls *decls, const View *whole, const View *cut, AxisMask over)
{
    if (whole->flat != cut->flat || whole->each != cut->each || whole->dim_count != cut->dim_count)
        return false;
    if (whole->flat)
        return whole->unit == cut->unit && cuts_extend(&whole->cuts, &cut->cuts, &over) && over == 0 &&
               flat_cuts_nest(decls, whole, cut);
    for (int d = 0; d < whole->dim_count; d++)
        if (whole->size[d] != cut->size[d] || !cuts_extend(&whole->dim_cuts[d], &cut->dim_cuts[d], &over))
            return false;
    return over == 0;
}

/* How the pieces of `cut`, each in its position and zero elsewhere, add up to the whole. */
static void prepare_places(Prepare *p, Prepared *prepared, const View *whole, const View *cut)
{
    prepared->part = arena_array(p->table->arena, DecompPart, STEP_MAX_DIMS);
    if (cut->flat) {
        prepared->part[prepared->part_count++] =
            (DecompPart){.index = DECOMP_PLACE_UNIT - cut->unit, .cuts = cut->cuts};
        return;
    }
    for (int d = 0; d < cut->dim_count; d++)
        if (cut->dim_cuts[d].count > whole->dim_cuts[d].count)
            prepared->part[prepared->part_count++] =
                (DecompPart){.index = DECOMP_PLACE_DIM - d, .cuts = cut->dim_cuts[d]};
}

/* Every rank keeps its layout: all_reduce, and collectives that only pass values on. */
static void prepare_alike(Prepare *p, Prepared *prepared, const View *operand, const View *out)
{
    const Decls *decls = p->program->decls;
    if (!views_extend(decls, operand, out, 0))
        fault_shape(p, prepared, "operand and result have different layouts");
    for (int dim = 0; dim < out->dim_count; dim++) {
        if (operand->padded[dim] != out->padded[dim])
            fault_shape(p, prepared, "one side is padded and the other is not");
        if ((cuts_mask(&out->dim_cuts[dim]) & prepared->over) != 0 && !out->padded[dim] &&
            !cuts_evenly(p, out->size[dim], &out->dim_cuts[dim]))
            fault_shape(p, prepared, "its ranks have pieces of different sizes");
    }
}

/* The dim of `more` whose cuts are those of `less` followed by `over`, if all other dims are cut alike in both; -1 if
 * there is none. `except` is ignored. */
static int extended_dim(const View *less, const View *more, AxisMask over, int except)
{
    int found = -1;
    for (int d = 0; d < less->dim_count; d++) {
        AxisMask rest = over;
        if (d == except || cuts_equal(&less->dim_cuts[d], &more->dim_cuts[d]))
            continue;
        if (found >= 0 || !cuts_extend(&less->dim_cuts[d], &more->dim_cuts[d], &rest) || rest != 0)
            return -1;
        found = d;
    }
    return found;
}

/* Cut innermost over these axes, in one dim before and in another after. Axes of size 1 move nothing. */
static void prepare_all_to_all(Prepare *p, Prepared *prepared, const View *operand, const View *out)
{
    bool fits = !out->flat && !operand->flat && out->dim_count == operand->dim_count;
    for (int d = 0; fits && d < out->dim_count; d++)
        fits = out->size[d] == operand->size[d];
    int to = -1, from = -1;
    for (int d = 0; fits && prepared->over != 0 && d < out->dim_count; d++) {
        if (operand->dim_cuts[d].count > out->dim_cuts[d].count)
            from = d;
        if (operand->dim_cuts[d].count < out->dim_cuts[d].count)
            to = d;
    }
    if (fits && prepared->over == 0)
        fits = views_extend(p->program->decls, operand, out, 0);
    else if (fits)
        fits = from >= 0 && to >= 0 && extended_dim(operand, out, prepared->over, from) == to &&
               extended_dim(out, operand, prepared->over, to) == from;
    if (!fits)
        fault_shape(p, prepared, "it moves a cut from one dim to another, innermost in both");
}

/* One dim, cut by this axis alone, into pieces at least as large as the halo. If another dim has a halo, both sides
 * have it, and so do the elements that the axis's ranks exchange. */
static void prepare_halo(Prepare *p, Prepared *prepared, const View *plain, const View *wide)
{
    int halos = 0;
    bool fits = prepared->op->axis_count == 1 && !plain->flat && !wide->flat && plain->dim_count == wide->dim_count;
    for (int d = 0; fits && d < wide->dim_count; d++) {
        fits = plain->size[d] == wide->size[d] && cuts_equal(&plain->dim_cuts[d], &wide->dim_cuts[d]);
        if (wide->before[d] == plain->before[d] && wide->after[d] == plain->after[d])
            continue;
        int64_t piece = wide->size[d] / prepared->ranks; /* the smallest */
        fits = fits && halos++ == 0 && plain->before[d] + plain->after[d] == 0 &&
               cuts_mask(&wide->dim_cuts[d]) == prepared->over && wide->dim_cuts[d].segments == NULL &&
               piece >= wide->before[d] && piece >= wide->after[d];
    }
    fits = fits && halos == 1;
    if (!fits)
        fault_shape(p, prepared, "one side is the other, with a halo in the dim that the axis cuts");
}

/* What is sent and what is received has the same dtype: a sum of numbers of different dtypes is undefined. */
static void check_dtypes(Prepare *p, Prepared *prepared)
{
    const Op *op = prepared->op;
    if (prepared->bad || op_info[op->kind].op_class != CLASS_COMM || op->operand_count == 0 || !op_has_result(op->kind))
        return;
    const Buffer *from = &p->program->buffers.data[op->operand[0].buffer];
    const Buffer *into = &p->program->buffers.data[op->out.buffer];
    if (from->dtype == into->dtype)
        return;
    prepared->bad = true;
    Diagnostic *d = diag_report(p->ctx->diag, P0319, op->span, "'%s' of '%s', which is %s, into '%s', which is %s",
                                op_name(op), ref_name(p, &op->operand[0]), dtype_name(from->dtype),
                                ref_name(p, &op->out), dtype_name(into->dtype));
    diag_why(d, "One collective sends and sums numbers of one dtype. Of another one the bytes mean other numbers.");
    diag_help(d, "cast before it");
}

/* The references of a collective as its shape rule sees them. */
typedef struct Sides {
    const View *a, *out;
    const View *whole, *piece; /* as named in step/collective.def */
} Sides;

static const View *view_of_side(Side side, const View *views, const View *out)
{
    switch (side) {
    case SIDE_A:
        return &views[0];
    case SIDE_B:
        return &views[1];
    case SIDE_OUT:
        return out;
    }
    BUG("a side that is none");
}

/* One side is the other, cut further over the axes. Gathering copies makes no sense as a dense value, but that is a
 * fault of values, not of shapes. */
static void shape_pieces(Prepare *p, Prepared *prepared, const Sides *sides)
{
    const Decls *decls = p->program->decls;
    if (!views_extend(decls, sides->whole, sides->piece, prepared->over))
        fault_shape(p, prepared,
                    arena_printf(p->ctx->arena, "the layout of one side must be the other's, cut over '%s'",
                                 axes_text(p->ctx->arena, decls, prepared->over)));
    prepare_places(p, prepared, sides->whole, sides->piece);
}

static void shape_place(Prepare *p, Prepared *prepared, const Sides *sides)
{
    if (!views_extend(p->program->decls, sides->whole, sides->out, 0))
        fault_shape(p, prepared, "operand and result have different layouts");
    shape_pieces(p, prepared, sides);
}

static void shape_alike(Prepare *p, Prepared *prepared, const Sides *sides)
{
    prepare_alike(p, prepared, sides->a, sides->out);
}

static void shape_handed_on(Prepare *p, Prepared *prepared, const Sides *sides)
{
    if (!peers_fit(p->program->decls, prepared->op))
        fault_shape(p, prepared, "its index names no coordinate of the axis, or one twice");
    prepare_alike(p, prepared, sides->a, sides->out);
}

static void shape_all_to_all(Prepare *p, Prepared *prepared, const Sides *sides)
{
    prepare_all_to_all(p, prepared, sides->a, sides->out);
}

static void shape_halo(Prepare *p, Prepared *prepared, const Sides *sides)
{
    prepare_halo(p, prepared, sides->a, sides->out);
}

static void shape_halo_add(Prepare *p, Prepared *prepared, const Sides *sides)
{
    prepare_halo(p, prepared, sides->out, sides->a);
}

/* One place runs only one side of the message; the places compare both (machine_place.c). */
static void shape_message(Prepare *p, Prepared *prepared, const Sides *sides)
{
    (void)p, (void)prepared, (void)sides;
}

static void check_collective(Prepare *p, Prepared *prepared, const Sides *sides)
{
    switch (op_collective(prepared->op->kind)) {
#define COLLECTIVE(id, whole, piece, sums, peers, transfer, shape, ...)                                                \
    case COLLECTIVE_##id:                                                                                              \
        shape_##shape(p, prepared, sides);                                                                             \
        return;
#include "step/collective.def"
#undef COLLECTIVE
    }
    BUG("'%s' has no shape rule", op_name(prepared->op));
}

static void prepare_communication(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const CollectiveInfo *info = collective_info(op_collective(op->kind));
    const View *out = op_has_result(op->kind) ? &views[op->operand_count] : &views[0];
    const Unit *unit = out->flat ? &p->program->decls->units.data[out->unit] : NULL;
    Sides sides = {&views[0], out, view_of_side(info->whole, views, out), view_of_side(info->piece, views, out)};
    prepare_over(p, prepared);
    check_dtypes(p, prepared);
    prepared->flat = out->flat;
    prepared->unit = out->unit;
    prepared->member_count = unit != NULL ? unit->member_count : 0;
    prepared->gaps = unit != NULL && unit_has_gaps(p->program->decls, unit);
    prepared->pads = unit != NULL && (has_padding(p, unit, &views[0]) || has_padding(p, unit, out));
    prepared->passed = view_mask(out);
    check_collective(p, prepared, &sides);
}

/* ---- Sources ------------------------------------------------------------------------------------------------ */

/* Axes of copies that the reader does not name: each copy then reads what the first copy along them reads. */
static AxisMask copies_not_read(const Prepare *p, const Op *op)
{
    AxisMask left = 0;
    for (int a = 0; a < p->program->decls->axes.count; a++)
        left |= p->program->decls->axes.data[a].size > 1 ? p->table->copies & (AxisMask)1 << a : 0;
    for (int i = 0; i < op->axis_count; i++)
        left &= ~((AxisMask)1 << op->axis[i]);
    return left;
}

/* What is not read in pieces has index 0, and what has no batch is the same on all ranks. */
static bool check_index(Prepare *p, Prepared *prepared, const Tensor *tensor, bool in_pieces)
{
    const Op *op = prepared->op;
    bool first = op->index.term_count == 0 && op->index.constant == 0;
    if (!in_pieces && !first)
        fault_shape(p, prepared,
                    arena_printf(p->ctx->arena, "'%s' is read here in one piece, whose index is 0", tensor->name));
    for (int i = 0; i < op->axis_count && tensor->batch_dim < 0; i++)
        if (!p->program->decls->axes.data[op->axis[i]].copies)
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "'%s' has no batch that ranks could share", tensor->name));
    return !prepared->bad;
}

static void prepare_read(Prepare *p, Prepared *prepared, const View *out)
{
    const Op *op = prepared->op;
    const Decls *decls = p->program->decls;
    const Tensor *tensor = &decls->tensors.data[op->tensor];
    bool fits = !out->flat && out->dim_count == tensor->dim_count;
    for (int d = 0; d < tensor->dim_count && fits; d++)
        fits = d == tensor->batch_dim ||
               (out->size[d] == tensor->dims[d] && (cuts_mask(&out->dim_cuts[d]) & TIME_MASK) == 0);
    if (!fits) {
        fault_shape(p, prepared,
                    arena_printf(p->ctx->arena, "the result does not have the dims of '%s'", tensor->name));
        return;
    }
    const Cuts *cuts = tensor->batch_dim >= 0 ? &out->dim_cuts[tensor->batch_dim] : &(Cuts){0};
    /* A batch of another size than the training batch (predict) is read in one piece. */
    prepared->batch = tensor->batch_dim >= 0 ? out->size[tensor->batch_dim] : 0;
    bool in_pieces = tensor->batch_dim >= 0 && prepared->batch == tensor->dims[tensor->batch_dim];
    if (!check_index(p, prepared, tensor, in_pieces))
        return;
    Cuts read = {0};
    if (in_pieces && !p->reference && decls->micro > 1)
        read.axis[read.count++] = TIME_BIT;
    for (int i = 0; i < op->axis_count && tensor->batch_dim >= 0; i++)
        if (!decls->axes.data[op->axis[i]].copies)
            cuts_add(decls, p->reference, &read, op->axis[i]);
    /* The axes that the reader does not name are those whose ranks read the same examples. */
    int at = 0;
    for (int i = 0; i < cuts->count; i++)
        if (at < read.count && cuts->axis[i] == read.axis[at])
            at++;
        else if (cuts->axis[i] != TIME_BIT)
            prepared->repeated |= (AxisMask)1 << cuts->axis[i];
        else
            at = read.count + 1;
    if (at != read.count) {
        fault_shape(p, prepared, "the result is not cut as the batch is read");
        return;
    }
    if (prepared->repeated != 0) /* with repeats, the order of the cuts would change which batch is meant */
        prepared->reading = decomp_intern(p->table, &(DecompPart){.cuts = *cuts}, 1);
    prepared->repeated |= copies_not_read(p, op);
    int64_t parts = p->reference ? 1 : decls->micro;
    for (int i = 0; i < cuts->count; i++)
        parts *= cuts->axis[i] == TIME_BIT ? 1 : decls->axes.data[cuts->axis[i]].size;
    if ((prepared->repeated & ~p->table->copies) != 0 && prepared->batch % parts != 0)
        fault_shape(p, prepared, "ranks that read the same examples need parts of equal size");
}

/* The position of an element in a dim gives its index only where the dim is cut into plain ranges. */
static bool has_segments(const View *view)
{
    for (int d = 0; d < view->dim_count; d++)
        if (view->dim_cuts[d].segments != NULL)
            return true;
    return false;
}

/* The spec of an operator without operands names the result's dims. */
static void check_source_spec(Prepare *p, Prepared *prepared, const View *out)
{
    const char *spec = prepared->op->spec, *arrow = spec != NULL ? strstr(spec, "->") : NULL;
    const char *group = arrow != NULL ? arrow + 2 : spec;
    Letters letters = {0};
    if (group != NULL && group[0] != '\0')
        letters_enter(p, prepared, &letters, group, (int)strlen(group), out, -1);
}

static void prepare_init(Prepare *p, Prepared *prepared, const View *out)
{
    const Op *op = prepared->op;
    const Decls *decls = p->program->decls;
    if ((prepared->passed & TIME_MASK) != 0)
        fault_shape(p, prepared, "the microbatches do not cut parameters");
    else if (out->flat && out->each != EACH_ELEMENT)
        fault_shape(p, prepared, "numbers of rows, columns and tensors have no initial values of their own");
    else if (out->flat && op->tensor >= 0 && unit_offset(&decls->units.data[out->unit], op->tensor) < 0)
        fault_shape(p, prepared, "the tensor is no member of the unit");
    else if (op->out.member >= 0 && op->out.member != op->tensor)
        fault_shape(p, prepared, "a member is drawn with the values of another");
    else if (!out->flat) {
        const Tensor *tensor = &decls->tensors.data[op->tensor];
        bool fits = out->dim_count == tensor->dim_count;
        for (int d = 0; d < tensor->dim_count && fits; d++)
            fits = out->size[d] == tensor->dims[d];
        if (!fits)
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "the result does not have the dims of '%s'", tensor->name));
    }
}

/* For results that hold positions along a dim. */
static bool check_ranges(Prepare *p, Prepared *prepared, const View *out)
{
    if (has_segments(out))
        fault_shape(p, prepared, "the pieces of a fused dim are no ranges");
    return !has_segments(out);
}

static void prepare_source(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const View *out = &views[op->operand_count];
    check_source_spec(p, prepared, out);
    prepared->flat = out->flat;
    prepared->unit = out->unit;
    prepared->member_count = out->flat ? p->program->decls->units.data[out->unit].member_count : 0;
    prepared->passed = view_mask(out);
    switch (op_source(op->kind)) {
    case SOURCE_FILL:
        return;
    case SOURCE_IOTA:
        if (check_ranges(p, prepared, out) && (out->flat || out->dim_count > 1))
            fault_shape(p, prepared, "positions are an array of one dim, or one number");
        return;
    case SOURCE_READ:
        if (check_ranges(p, prepared, out))
            prepare_read(p, prepared, out);
        return;
    case SOURCE_INIT:
        prepare_init(p, prepared, out);
        return;
    }
    BUG("'%s' has no shape rule", op_name(op));
}

/* ---- Every operator ----------------------------------------------------------------------------------------- */

/* A member is seen of a slot that is cut; `operand` is -1 for the result. */
static void fault_member(Prepare *p, Prepared *prepared, int operand, const Cuts *cuts)
{
    if (operand >= 0)
        fault_cut(p, prepared, operand, cuts_mask(cuts));
    fault_shape(p, prepared, "a member of a cut unit cannot be written");
}

/* Members can be seen only of units that have them, and in slots that no flat cut divides. */
static bool check_ref(Prepare *p, Prepared *prepared, const Ref *ref, int operand)
{
    const Buffer *buffer = &p->program->buffers.data[ref->buffer];
    if (ref->member < 0)
        return true;
    const Decls *decls = p->program->decls;
    Cuts cuts = {0};
    for (int i = 0; i < buffer->cut_count; i++)
        cuts_add(decls, p->reference, &cuts, buffer->cut[i]);
    if (cuts.count == 0)
        return true;
    fault_member(p, prepared, operand, &cuts);
    return false;
}

/* Do the same axes cut the rows, or columns, of all members? */
static bool numbers_cut_alike(const Prepare *p, const View *view)
{
    const Unit *unit = &p->program->decls->units.data[view->unit];
    for (int m = 0; unit->member_dims != NULL && m < unit->member_count; m++) {
        View member = {0};
        if (view->each != EACH_ROW && view->each != EACH_COLUMN)
            break;
        member_view(p->program->decls, p->reference, unit, view->each, m, &member);
        if (view_mask(&member) != view->members)
            return false;
    }
    return true;
}

/* A flat slot is cut as its members are, which is one cut only if all are cut alike. Members that are not must be
 * addressed one by one; only a fill does not depend on the cut. */
static bool check_members(Prepare *p, Prepared *prepared, const View *view)
{
    if (!view->flat || prepared->op->kind == OP_FILL || numbers_cut_alike(p, view))
        return true;
    fault_shape(p, prepared, "rows or columns of members that are cut over different axes");
    return false;
}

/* The proof treats a cast as the identity because it only rounds: nothing else may become an integer. */
static void check_integers(Prepare *p, Prepared *prepared)
{
    const Op *op = prepared->op;
    OpClass class = op_info[op->kind].op_class;
    if (!op_has_result(op->kind))
        return;
    bool integer = p->program->buffers.data[op->out.buffer].dtype == DTYPE_I32, fits = true;
    if (op->kind == OP_READ) {
        fits = op->tensor < 0 || (p->program->decls->tensors.data[op->tensor].dtype == DTYPE_I32) == integer;
    } else if (integer && op->kind == OP_FILL) {
        double value = op->immediate[0];
        fits = value >= INT32_MIN && value <= INT32_MAX && value == floor(value);
    } else if (integer && op->kind != OP_IOTA) {
        fits = class == CLASS_MOVE || class == CLASS_COMM || op->kind == OP_COPY || op->kind == OP_CAST ||
               op->kind == OP_ADD || op->kind == OP_SUB;
        for (int i = 0; i < op->operand_count; i++)
            fits = fits && p->program->buffers.data[op->operand[i].buffer].dtype == DTYPE_I32;
    }
    if (class == CLASS_GATHER || class == CLASS_SCATTER) /* indices */
        fits = fits && p->program->buffers.data[op->operand[0].buffer].dtype == DTYPE_I32;
    if (!fits)
        fault_shape(p, prepared, "integers and other numbers");
}

/* Do the microbatches cut a dim into pieces of different sizes? */
static bool view_is_uneven(const Prepare *p, const View *view)
{
    for (int d = 0; d < view->dim_count; d++) {
        const Cuts *cuts = &view->dim_cuts[d];
        bool first = cuts->count > 0 && cuts->axis[0] == TIME_BIT;
        int64_t parts = first ? p->table->micro : cuts_parts(p, cuts);
        if ((cuts_mask(cuts) & TIME_MASK) != 0 && view->size[d] % parts != 0)
            return true;
    }
    return false;
}

static bool buffer_has_micro(const Buffer *buffer)
{
    for (int d = 0; d < buffer->dim_count && buffer->layout == LAYOUT_DENSE; d++)
        for (int i = 0; i < buffer->dims[d].cut_count; i++)
            if (buffer->dims[d].cut[i] == CUT_MICRO)
                return true;
    return false;
}

/* If a row may be cut (its maximum is that of the parts), every rank must have some of it: an empty part has no
 * maximum. */
static void check_rows(Prepare *p, Prepared *prepared, const View *view)
{
    int row = view->dim_count - 1;
    const Segments *segments = row >= 0 ? view->dim_cuts[row].segments : NULL;
    int64_t most = row >= 0 && segments == NULL ? view->size[row] : 0;
    for (int i = 0; segments != NULL && i < segments->count; i++)
        most = segments->size[i] > most ? segments->size[i] : most;
    if (row < 0)
        fault_shape(p, prepared, "an operand without the dim that it works along");
    else if (most < cuts_parts(p, &view->dim_cuts[row]))
        fault_shape(p, prepared, "a row of which some ranks have no element");
}

/* Zeros, copies, collectives that only pass pieces on, and products of pieces. */
static bool takes_padding(const Op *op)
{
    return op->kind == OP_COPY || op->kind == OP_PERMUTE || op_in_pieces(op) ||
           (op->kind == OP_FILL && op->immediate[0] == 0);
}

static void prepare_sink(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    switch (op_sink(op->kind)) {
    case SINK_OUTPUT:
        if (views[0].flat)
            fault_shape(p, prepared, "an output is an array: of a unit's slot, a member");
        else if (view_mask(&views[0]) != 0)
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "'%s' is cut over '%s', an output is whole",
                                     ref_name(p, &op->operand[0]),
                                     axes_text(p->ctx->arena, p->program->decls, view_mask(&views[0]))));
        return;
    }
    BUG("'%s' has no shape rule", op_name(op));
}

static Prepared *prepare_op(Prepare *p, const Op *op)
{
    Prepared *prepared = arena_make(p->table->arena, Prepared);
    prepared->op = op;
    const OpInfo *info = &op_info[op->kind];
    View views[STEP_MAX_OPERANDS + 1];
    bool any_flat = false;
    for (int i = 0; i <= op->operand_count; i++) {
        if (i == op->operand_count && !op_has_result(op->kind)) {
            memset(&views[i], 0, sizeof views[i]);
            break;
        }
        const Ref *ref = i < op->operand_count ? &op->operand[i] : &op->out;
        if (!check_ref(p, prepared, ref, i < op->operand_count ? i : -1))
            return prepared;
        if (p->program->buffers.data[ref->buffer].tier != TIER_DEVICE && op->kind != OP_COPY && op->kind != OP_INIT) {
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "'%s' is on another tier, and can only be started and copied",
                                     ref_name(p, ref)));
            return prepared;
        }
        view_make(p->program, ref, p->reference, &views[i]);
        if (!check_members(p, prepared, &views[i]))
            return prepared;
        bool wide = info->op_class == CLASS_WINDOW || op->kind == OP_HALO || op->kind == OP_HALO_ADD ||
                    op->kind == OP_COPY; /* to and from another tier */
        if (has_halo(&views[i]) && !wide) {
            fault_shape(
                p, prepared,
                arena_printf(p->ctx->arena, "'%s' has a halo, and only windows work on that", ref_name(p, ref)));
            return prepared;
        }
        if (is_padded(&views[i]) && !takes_padding(op)) {
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "'%s' is padded, and works with other ranks' pieces only",
                                     ref_name(p, ref)));
            return prepared;
        }
        if (i < op->operand_count)
            prepared->operand_cuts[i] = view_mask(&views[i]);
        any_flat |= views[i].flat;
        prepared->uneven |= view_is_uneven(p, &views[i]);
        prepared->micro |= !p->reference && buffer_has_micro(&p->program->buffers.data[ref->buffer]);
    }
    prepare_linear(prepared);
    check_integers(p, prepared);
    switch (info->op_class) {
    case CLASS_SINK:
        prepare_sink(p, prepared, views);
        break;
    case CLASS_SOURCE:
        prepare_source(p, prepared, views);
        break;
    case CLASS_MOVE:
    case CLASS_COMM:
        prepare_communication(p, prepared, views);
        break;
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_WINDOW:
    case CLASS_VIEW:
        if (any_flat)
            prepare_flat(p, prepared, views);
        else
            prepare_dense(p, prepared, views);
        if (info->op_class == CLASS_ROW && !any_flat)
            check_rows(p, prepared, &views[0]);
        break;
    }
    return prepared;
}

static int hash_address(const PreparedMap *map, const Op *op)
{
    return (int)(((uint64_t)(uintptr_t)op >> 4) * 0x9e3779b97f4a7c15u >> 40) & (map->capacity - 1);
}

static void prepare_nodes(Prepare *p, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP) {
            int slot = hash_address(p->map, node->op);
            while (p->map->slots[slot] != NULL)
                slot = (slot + 1) & (p->map->capacity - 1);
            p->map->slots[slot] = prepare_op(p, node->op);
        } else if (node->kind != NODE_WAIT) {
            prepare_nodes(p, &node->body);
        }
    }
}

static int count_ops(const NodeList *nodes)
{
    int count = 0;
    for (int i = 0; i < nodes->count; i++)
        count += nodes->data[i]->kind == NODE_OP ? 1 : count_ops(&nodes->data[i]->body);
    return count;
}

PreparedMap *prepare_program(Ctx *ctx, Table *table, const Program *program, bool reference)
{
    int count = 0;
    for (int i = 0; i < program->routines.count; i++)
        count += count_ops(&program->routines.data[i].body);
    PreparedMap *map = arena_make(table->arena, PreparedMap);
    map->capacity = 16;
    while (map->capacity < 2 * count)
        map->capacity *= 2;
    map->slots = arena_array(table->arena, Prepared *, map->capacity);
    Prepare prepare = {.ctx = ctx, .table = table, .program = program, .reference = reference, .map = map};
    for (int i = 0; i < program->routines.count; i++)
        prepare_nodes(&prepare, &program->routines.data[i].body);
    return map;
}

const Prepared *prepared_find(const PreparedMap *map, const Op *op)
{
    int slot = hash_address(map, op);
    while (map->slots[slot] != NULL && map->slots[slot]->op != op)
        slot = (slot + 1) & (map->capacity - 1);
    if (map->slots[slot] == NULL)
        BUG("an operator that was never prepared");
    return map->slots[slot];
}
