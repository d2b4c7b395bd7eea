/* prepare_pieces.c - other ranks' pieces: whom an index names, products of pieces, and pieces of different sizes. */
#include "verify/prepare_internal.h"

#include <string.h>

/* ---- Whom an index names ------------------------------------------------------------------------------------ */

void prepare_over(Prepare *p, Prepared *prepared)
{
    const Op *op = prepared->op;
    prepared->ranks = 1;
    for (int i = 0; i < op->axes.count; i++) {
        int64_t size = p->program->decls->axes.data[op->axes.axis[i]].size;
        AxisMask bit = (AxisMask)1 << op->axes.axis[i];
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

bool peers_fit(const Decls *decls, const Op *op)
{
    const Affine *index = op_index(op);
    int axis = op->axes.axis[0];
    int64_t size = decls->axes.data[axis].size, own = 0;
    bool depends = false, permutes = index_permutes(op);
    if (index->modulus != 0 && index->modulus != size)
        return false;
    for (int i = 0; i < index->term_count; i++) {
        int variable = index->term[i].variable;
        bool table = variable < -STEP_MAX_AXES;
        if (variable >= 0 || affine_axis(decls, variable) != axis)
            depends = true;
        else if (table || !permutes)
            return false;
        else
            own += index->term[i].coefficient;
    }
    if (index->modulus == size)
        return !permutes || common_divisor(own < 0 ? -own : own, size) == 1;
    if (depends)
        return false;
    int64_t first = index->constant, last = first + own * (size - 1);
    return first >= 0 && first < size && last >= 0 && last < size && (!permutes || own == 1 || own == -1 || size == 1);
}

/* ---- Pieces ------------------------------------------------------------------------------------------------- */

int64_t cuts_parts(const Prepare *p, const Cuts *cuts)
{
    int64_t parts = 1;
    for (int i = 0; i < cuts->count; i++)
        parts *= cuts->axis[i] == TIME_BIT ? p->table->micro : p->program->decls->axes.data[cuts->axis[i]].size;
    return parts;
}

bool cuts_evenly(const Prepare *p, int64_t size, const Cuts *cuts)
{
    int64_t parts = cuts_parts(p, cuts);
    for (int i = 0; cuts->segments != NULL && i < cuts->segments->count; i++)
        if (cuts->segments->size[i] % parts != 0)
            return false;
    return size % parts == 0;
}

void prepare_pieces(Prepare *p, Prepared *prepared, const View *views, Letters *letters)
{
    const Op *op = prepared->op;
    Letter *letter = NULL;
    if (!prepared->compute->pieces.used)
        return;
    int found = 0;
    for (int i = 0; i < letters->count; i++)
        if (letters->letter[i].pieces) {
            letter = &letters->letter[i];
            found++;
        }
    if (found != 1 || (cuts_mask(&letter->cuts) & TIME_MASK) != 0) {
        fault_shape(p, prepared, "one letter is to be whole in one place and cut over its axis in another");
        prepared->compute->pieces.used = false;
        return;
    }
    if (letter->cuts.segments != NULL)
        fault_shape(p, prepared, "pieces of a fused dim");
    for (int i = 0; i <= op->operand_count; i++) {
        const char *at = memchr(letters->group[i].at, letter->name, (size_t)letters->group[i].count);
        bool visits = at != NULL && cuts_equal(&views[i].dim_cuts[at - letters->group[i].at], &letter->cuts);
        *(i < op->operand_count ? &prepared->compute->pieces.visits[i] : &prepared->compute->pieces.result_visits) =
            visits;
    }
    prepared->compute->pieces.in_parts = !prepared->compute->pieces.result_visits;
    prepared->compute->pieces.placed = letter->in_result && prepared->compute->pieces.in_parts;
}

void check_padding(Prepare *p, Prepared *prepared, const View *views, Letters *letters)
{
    const Op *op = prepared->op;
    for (int i = 0; i <= op->operand_count; i++)
        for (int d = 0; d < letters->group[i].count; d++) {
            const Letter *letter = letters_find(letters, letters->group[i].at[d]);
            bool piece = letter->pieces && cuts_equal(&views[i].dim_cuts[d], &letter->cuts);
            bool padded = views[i].padded[d], copied = op->kind == OP_COPY && letter->in_operand && letter->in_result;
            if (padded && !piece && !copied)
                fault_shape(p, prepared, arena_printf(p->ctx->arena, "'%c' is padded, and no piece", letter->name));
            if (piece && !padded && !cuts_evenly(p, letter->size, &letter->cuts))
                fault_shape(p, prepared, "its ranks have pieces of different sizes");
            if (copied && padded != letter->padded)
                prepared->compute->fitted |= cuts_mask(&letter->cuts);
        }
}
