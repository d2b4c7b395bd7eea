/* prepare_reshape.c - reshapes and segments: what a rank has of the operand is what it needs for the result. */
#include "verify/prepare_internal.h"

#include "step/spec.h"

/* ---- Reshapes ----------------------------------------------------------------------------------------------- */

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
static void check_view(Prepare *p, Prepared *prepared, Letters *letters)
{
    int first = 0, last[2] = {letters->group[0].count, letters->group[1].count};
    while (first < last[0] && first < last[1] && letters->group[0].at[first] == letters->group[1].at[first])
        first++;
    while (last[0] > first && last[1] > first && letters->group[0].at[last[0] - 1] == letters->group[1].at[last[1] - 1])
        last[0]--, last[1]--;
    ViewSide side[2] = {{.left = 1, .elements = 1}, {.left = 1, .elements = 1}};
    bool moves = false, segments = false;
    for (int i = 0; i < 2; i++) {
        for (int d = first; d < last[i]; d++) {
            const Letter *letter = letters_find(letters, letters->group[i].at[d]);
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

/* ---- Segments ----------------------------------------------------------------------------------------------- */

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
    diag_help(d, "Fuse the dim in the model (`linear(x, fused(a, b))`): it is then cut segment by "
                 "segment.");
    add_pieces(p, d, ref, cuts_mask(&fused->cuts));
}

/* The segment is the elements from `first` on of the fused letter. Both may be cut alike if the fused one is cut by
 * segments of which this is one: then a rank's piece of the segment is what it has of it in the whole. */
static void check_segment(Prepare *p, Prepared *prepared, Letters *letters)
{
    const Op *op = prepared->op;
    char names[2];
    if (!spec_segment(op, &names[0], &names[1])) {
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

void check_views(Prepare *p, Prepared *prepared, Letters *letters)
{
    switch (op_view(prepared->op->kind)) {
    case VIEW_VIEW:
        check_view(p, prepared, letters);
        return;
    case VIEW_SEGMENT:
    case VIEW_SEGMENT_BWD:
    case VIEW_PLACE_SEGMENT:
        check_segment(p, prepared, letters);
        return;
    }
    BUG("'%s' has no shape rule", op_name(prepared->op));
}
