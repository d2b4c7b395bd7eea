/* view.c - where the elements of a layout are on a rank (view.h). */
#include "runtime/view.h"

#include "runtime/run.h"

#include <string.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- Places ------------------------------------------------------------------------------------------------- */

prt_place prt_place_of(const prt_context *ctx, int64_t micro)
{
    prt_place place = {.program = ctx->run->program, .micro = micro};
    memcpy(place.coordinate, ctx->coordinate, sizeof place.coordinate);
    return place;
}

prt_place prt_place_in_group(const prt_place *place, const prt_group *group, int64_t position)
{
    prt_place other = *place;
    for (int i = group->axis_count - 1; i >= 0; i--) {
        int64_t size = place->program->axes[group->axis[i]].size;
        other.coordinate[group->axis[i]] = position % size;
        position /= size;
    }
    return other;
}

prt_place prt_place_on_axis(const prt_place *place, int axis, int64_t coordinate)
{
    prt_place other = *place;
    other.coordinate[axis] = coordinate;
    return other;
}

int prt_place_rank(const prt_place *place)
{
    int64_t rank = 0;
    for (int axis = 0; axis < place->program->axis_count; axis++)
        rank = rank * place->program->axes[axis].size + place->coordinate[axis];
    return (int)rank;
}

int64_t prt_place_copy(const prt_place *place)
{
    int64_t copy = 0;
    for (int axis = 0; axis < place->program->axis_count; axis++)
        if (place->program->copies[axis])
            copy = copy * place->program->axes[axis].size + place->coordinate[axis];
    return copy;
}

int64_t prt_copies(const prt_program *program)
{
    int64_t copies = 1;
    for (int axis = 0; axis < program->axis_count; axis++)
        copies *= program->copies[axis] ? program->axes[axis].size : 1;
    return copies;
}

/* ---- Dims --------------------------------------------------------------------------------------------------- */

static int64_t parts_of_cut(const prt_place *place, int cut)
{
    return cut == PRT_MICRO ? place->program->micro : place->program->axes[cut].size;
}

/* The rank's piece of `length` elements that the dim's cuts divide. */
static prt_range piece_of(const prt_place *place, const prt_dim *dim, int64_t length)
{
    prt_range piece = {0, length};
    for (int i = 0; i < dim->cut_count; i++) {
        int cut = dim->cut[i];
        piece =
            prt_cut_again(piece, parts_of_cut(place, cut), cut == PRT_MICRO ? place->micro : place->coordinate[cut]);
    }
    return piece;
}

/* The first piece is the largest: the longer parts of every cut come first. */
static int64_t largest_piece(const prt_place *place, const prt_dim *dim)
{
    prt_place first = {.program = place->program};
    return piece_of(&first, dim, dim->size).extent;
}

static void add_part(prt_view_dim *view, int64_t first, int64_t at, int64_t count)
{
    if (count > 0)
        view->parts[view->part_count++] = (prt_part){first, at, count};
}

/* A piece of each segment, one after another. */
static prt_view_dim view_of_segments(const prt_place *place, const prt_dim *dim)
{
    prt_view_dim view = {.size = dim->size};
    int64_t begin = 0;
    for (int i = 0; i < dim->segment_count; begin += dim->segments[i++]) {
        prt_range piece = piece_of(place, dim, dim->segments[i]);
        add_part(&view, begin + piece.start, dim->halo_before + view.room, piece.extent);
        view.room += piece.extent;
    }
    return view;
}

/* A piece with its halo, as far as it is inside the dim. */
static prt_view_dim view_of_piece(const prt_place *place, const prt_dim *dim)
{
    prt_range piece = piece_of(place, dim, dim->size);
    prt_view_dim view = {.size = dim->size, .room = piece.extent};
    int64_t begin = piece.start - dim->halo_before, end = piece.start + piece.extent + dim->halo_after;
    int64_t first = most(begin, 0);
    add_part(&view, first, first - begin, least(end, dim->size) - first);
    return view;
}

prt_view_dim prt_view_of_dim(const prt_place *place, const prt_dim *dim)
{
    bool in_segments = dim->segment_count > 0 && dim->cut_count > 0;
    prt_view_dim view = in_segments ? view_of_segments(place, dim) : view_of_piece(place, dim);
    if (dim->padded)
        view.room = largest_piece(place, dim);
    view.room += dim->halo_before + dim->halo_after;
    return view;
}

/* ---- Views -------------------------------------------------------------------------------------------------- */

static void add_dim(prt_view *view, prt_view_dim dim)
{
    view->room *= dim.room;
    view->dims[view->dim_count++] = dim;
}

static prt_view_dim whole_dim(int64_t size)
{
    prt_view_dim dim = {.size = size, .room = size};
    add_part(&dim, 0, 0, size);
    return dim;
}

/* The dims that `each` counts: *first .. *first + the result - 1 of the tensor's. */
static int dims_counted(prt_each each, int dim_count, int *first)
{
    *first = 0;
    switch (each) {
    case PRT_ELEMENTS:
        return dim_count;
    case PRT_ROWS:
        return dim_count > 0 ? dim_count - 1 : 0;
    case PRT_COLUMNS:
        *first = dim_count > 0 ? dim_count - 1 : 0;
        return dim_count > 0 ? 1 : 0;
    case PRT_TENSORS:
        return 0;
    }
    abort();
}

prt_view prt_view_of_member(const prt_place *place, int unit, int member, prt_each each)
{
    const prt_member *described = &place->program->units[unit].members[member];
    const prt_tensor *tensor = &place->program->tensors[described->tensor];
    prt_view view = {.room = 1};
    int first, count = dims_counted(each, tensor->dim_count, &first);
    for (int i = first; i < first + count; i++)
        add_dim(&view,
                described->dims != NULL ? prt_view_of_dim(place, &described->dims[i]) : whole_dim(tensor->dims[i]));
    return view;
}

static int64_t member_room(const prt_program *program, int unit, int member, prt_each each)
{
    prt_place first = {.program = program}; /* has the largest pieces */
    return prt_view_of_member(&first, unit, member, each).room;
}

int64_t prt_member_offset(const prt_program *program, int unit, int member, prt_each each)
{
    const prt_unit *described = &program->units[unit];
    if (each == PRT_ELEMENTS)
        return member < described->member_count ? described->members[member].offset : described->elements;
    int64_t offset = 0;
    for (int i = 0; i < member; i++)
        offset += member_room(program, unit, i, each);
    return offset;
}

int64_t prt_unit_elements(const prt_program *program, int unit, prt_each each)
{
    return prt_member_offset(program, unit, program->units[unit].member_count, each);
}

static prt_view_dim view_of_unit(const prt_place *place, const prt_layout *layout)
{
    int64_t count = 1, index = 0, elements = prt_unit_elements(place->program, layout->unit, layout->each);
    for (int i = 0; i < layout->cut_count; i++) {
        int64_t size = place->program->axes[layout->cut[i]].size;
        count *= size;
        index = index * size + place->coordinate[layout->cut[i]];
    }
    prt_range piece = prt_cut_flat(elements, count, index);
    prt_view_dim view = {.size = elements, .room = (elements + count - 1) / count};
    add_part(&view, piece.start, 0, piece.extent);
    return view;
}

prt_view prt_view_of(const prt_place *place, const prt_layout *layout)
{
    prt_view view = {.room = 1};
    if (layout->unit >= 0)
        add_dim(&view, view_of_unit(place, layout));
    for (int i = 0; layout->unit < 0 && i < layout->dim_count; i++)
        add_dim(&view, prt_view_of_dim(place, &layout->dims[i]));
    return view;
}

prt_view prt_view_whole(const prt_view *view)
{
    prt_view whole = {.room = 1};
    for (int i = 0; i < view->dim_count; i++)
        add_dim(&whole, whole_dim(view->dims[i].size));
    return whole;
}

static bool is_among(const int *cut, int count, int axis)
{
    for (int i = 0; i < count; i++)
        if (cut[i] == axis)
            return true;
    return false;
}

static bool member_cut_over(const prt_program *program, const prt_member *member, prt_each each, int axis)
{
    int first, count = dims_counted(each, program->tensors[member->tensor].dim_count, &first);
    for (int i = first; member->dims != NULL && i < first + count; i++)
        if (is_among(member->dims[i].cut, member->dims[i].cut_count, axis))
            return true;
    return false;
}

bool prt_layout_cut_over(const prt_program *program, const prt_layout *layout, int member, int axis)
{
    bool cut = is_among(layout->cut, layout->cut_count, axis);
    for (int i = 0; i < layout->dim_count && member < 0; i++)
        cut = cut || is_among(layout->dims[i].cut, layout->dims[i].cut_count, axis);
    return cut ||
           (member >= 0 && member_cut_over(program, &program->units[layout->unit].members[member], layout->each, axis));
}

/* ---- Overlaps ----------------------------------------------------------------------------------------------- */

static void match_dim(const prt_view_dim *left, const prt_view_dim *right, prt_overlap_dim *dim)
{
    for (int i = 0; i < left->part_count; i++)
        for (int j = 0; j < right->part_count; j++) {
            const prt_part *l = &left->parts[i], *r = &right->parts[j];
            int64_t first = most(l->first, r->first);
            int64_t count = least(l->first + l->count, r->first + r->count) - first;
            if (count <= 0)
                continue;
            prt_match match = {l->at + first - l->first, r->at + first - r->first, count};
            prt_match *before = dim->match_count > 0 ? &dim->matches[dim->match_count - 1] : NULL;
            if (before != NULL && before->left + before->count == match.left &&
                before->right + before->count == match.right)
                before->count += count;
            else
                dim->matches[dim->match_count++] = match;
        }
}

/* Puts the dim around those that are already there, innermost first. If these fill both views without a gap, it
 * continues them. */
static void surround(prt_overlap *overlap, prt_overlap_dim dim, bool filled)
{
    if (!filled) {
        overlap->dims[overlap->dim_count++] = dim;
        return;
    }
    for (int i = 0; i < dim.match_count; i++) {
        prt_match *match = &dim.matches[i];
        *match = (prt_match){match->left * dim.left_step, match->right * dim.right_step, match->count * dim.left_step};
    }
    dim.left_step = dim.right_step = 1;
    overlap->dims[overlap->dim_count - 1] = dim;
}

static int64_t matched(const prt_overlap_dim *dim)
{
    int64_t count = 0;
    for (int i = 0; i < dim->match_count; i++)
        count += dim->matches[i].count;
    return count;
}

static void turn_around(prt_overlap *overlap)
{
    for (int i = 0, j = overlap->dim_count - 1; i < j; i++, j--) {
        prt_overlap_dim dim = overlap->dims[i];
        overlap->dims[i] = overlap->dims[j];
        overlap->dims[j] = dim;
    }
}

prt_overlap prt_overlap_of(const prt_view *left, const prt_view *right)
{
    prt_overlap overlap = {.elements = 1};
    prt_overlap_dim element = {.left_step = 1, .right_step = 1, .match_count = 1, .matches = {{0, 0, 1}}};
    int64_t left_step = 1, right_step = 1;
    bool filled = true;
    overlap.dims[overlap.dim_count++] = element;
    for (int i = left->dim_count - 1; i >= 0; i--) {
        const prt_view_dim *l = &left->dims[i], *r = &right->dims[i];
        prt_overlap_dim dim = {.left_step = left_step, .right_step = right_step};
        match_dim(l, r, &dim);
        overlap.elements *= matched(&dim);
        surround(&overlap, dim, filled);
        filled = filled && dim.match_count == 1 && dim.matches[0].count == l->room && l->room == r->room;
        left_step *= l->room;
        right_step *= r->room;
    }
    if (overlap.dim_count == 1) {
        element.left_step = left_step;
        element.right_step = right_step;
        overlap.dims[overlap.dim_count++] = element;
    }
    turn_around(&overlap);
    return overlap;
}

prt_blocks prt_blocks_of(const prt_overlap *overlap)
{
    return (prt_blocks){.overlap = overlap, .ended = overlap->elements == 0};
}

/* To the next position of a dim: of the last two, which a block takes at once, to the next match. */
static bool advance(prt_blocks *blocks, int d)
{
    const prt_overlap_dim *dim = &blocks->overlap->dims[d];
    bool at_once = d >= blocks->overlap->dim_count - 2;
    if (!at_once && ++blocks->at[d] < dim->matches[blocks->match[d]].count)
        return true;
    blocks->at[d] = 0;
    if (++blocks->match[d] < dim->match_count)
        return true;
    blocks->match[d] = 0;
    return false;
}

static bool next_block(prt_blocks *blocks, prt_block *block)
{
    if (blocks->ended)
        return false;
    const prt_overlap *overlap = blocks->overlap;
    int last = overlap->dim_count - 1;
    *block = (prt_block){.count = 1, .rows = 1};
    for (int d = 0; d <= last; d++) {
        const prt_overlap_dim *dim = &overlap->dims[d];
        const prt_match *match = &dim->matches[blocks->match[d]];
        block->left += (match->left + blocks->at[d]) * dim->left_step;
        block->right += (match->right + blocks->at[d]) * dim->right_step;
    }
    block->count = overlap->dims[last].matches[blocks->match[last]].count;
    block->rows = overlap->dims[last - 1].matches[blocks->match[last - 1]].count;
    block->left_step = overlap->dims[last - 1].left_step;
    block->right_step = overlap->dims[last - 1].right_step;
    int d = last;
    while (d >= 0 && !advance(blocks, d))
        d--;
    blocks->ended = d < 0;
    return true;
}

/* The filled places of the next queue of the block; none if there are none. */
static prt_block filled_block(const prt_filled *filled, const prt_block *whole, int64_t queue)
{
    int64_t in_row = whole->count / filled->queue, row = queue / in_row, at = queue % in_row * filled->queue;
    prt_block block = {
        whole->left + row * whole->left_step + at, whole->right + row * whole->right_step + at, 0, 1, 0, 0};
    block.count = filled->counts[(filled->right ? block.right : block.left) / filled->queue] * filled->place;
    block.count = least(most(block.count, 0), filled->queue);
    block.left_step = block.right_step = block.count;
    return block;
}

bool prt_blocks_next(prt_blocks *blocks, prt_block *block)
{
    if (blocks->overlap == NULL || blocks->overlap->filled.counts == NULL)
        return next_block(blocks, block);
    const prt_filled *filled = &blocks->overlap->filled;
    do {
        if (blocks->queues * filled->queue == blocks->whole.count * blocks->whole.rows) {
            if (!next_block(blocks, &blocks->whole))
                return false;
            blocks->queues = 0;
        }
        *block = filled_block(filled, &blocks->whole, blocks->queues++);
    } while (block->count == 0);
    return true;
}

void prt_overlap_keep(prt_overlap *overlap, const prt_filled *filled)
{
    overlap->filled = *filled;
    int64_t elements = 0;
    prt_block block;
    for (prt_blocks blocks = prt_blocks_of(overlap); prt_blocks_next(&blocks, &block);)
        elements += block.count;
    overlap->elements = elements;
}

/* ---- Runs of logical elements ------------------------------------------------------------------------------- */

/* The next view to walk over: a dense value has one, a unit one per member. False if there is none. */
static bool next_view(prt_walk *walk)
{
    const prt_layout *layout = walk->layout;
    prt_view view;
    walk->member++;
    if (layout->unit < 0) {
        if (walk->member > 0)
            return false;
        view = prt_view_of(&walk->place, layout);
    } else {
        if (walk->member >= walk->place.program->units[layout->unit].member_count)
            return false;
        view = prt_view_of_member(&walk->place, layout->unit, walk->member, layout->each);
        walk->offset = prt_member_offset(walk->place.program, layout->unit, walk->member, layout->each);
    }
    prt_view whole = prt_view_whole(&view);
    walk->overlap = prt_overlap_of(&view, &whole);
    walk->blocks = prt_blocks_of(&walk->overlap);
    return true;
}

void prt_walk_start(prt_walk *walk, const prt_place *place, const prt_layout *layout)
{
    *walk = (prt_walk){.layout = layout, .place = *place, .member = -1, .blocks = {.ended = true}};
    prt_view view = prt_view_of(place, layout);
    walk->flat = (prt_part){0, 0, view.room};
    if (layout->unit >= 0)
        walk->flat = view.dims[0].part_count > 0 ? view.dims[0].parts[0] : (prt_part){0};
}

/* The next row, wherever it is. */
static bool next_row(prt_walk *walk, prt_stretch *stretch)
{
    walk->row++;
    while (walk->row >= walk->block.rows) {
        if (prt_blocks_next(&walk->blocks, &walk->block))
            walk->row = 0;
        else if (!next_view(walk))
            return false;
    }
    *stretch = (prt_stretch){walk->layout->unit >= 0 ? walk->member : -1,
                             walk->block.right + walk->row * walk->block.right_step,
                             walk->offset + walk->block.left + walk->row * walk->block.left_step, walk->block.count};
    return true;
}

bool prt_walk_next(prt_walk *walk, prt_stretch *stretch)
{
    while (next_row(walk, stretch)) {
        int64_t from = most(stretch->at, walk->flat.first);
        int64_t count = least(stretch->at + stretch->count, walk->flat.first + walk->flat.count) - from;
        if (count <= 0)
            continue;
        stretch->element += from - stretch->at;
        stretch->at = from - walk->flat.first;
        stretch->count = count;
        return true;
    }
    return false;
}
