/* one_device.c - what a reference may not have. */
#include "tests/sim/one_device.h"

static bool names_ranks(const SimFile *file, const SimAffine *affine)
{
    for (int t = 0; t < affine->term_count; t++) {
        int index = affine->terms[t].index;
        if (affine->terms[t].kind == SIM_OF_AXIS && !file->axes[index].copies)
            return true;
        if (affine->terms[t].kind == SIM_OF_TABLE && !file->axes[file->tables[index].axis].copies)
            return true;
    }
    return false;
}

static bool op_names_ranks(const SimFile *file, const SimOp *op)
{
    bool ranks = names_ranks(file, &op->index) || names_ranks(file, &op->event_slot) || (op->has_out && names_ranks(file, &op->out.slot));
    for (int o = 0; o < op->operand_count; o++)
        ranks = ranks || names_ranks(file, &op->operands[o].slot);
    for (int a = 0; a < op->axis_count; a++)
        ranks = ranks || !file->axes[op->axes[a]].copies;
    for (int a = 0; a < file->axis_count; a++)
        ranks = ranks || (op->seed_per_axis[a] != 0 && !file->axes[a].copies);
    return ranks;
}

static bool node_names_ranks(const SimFile *file, const SimNode *node)
{
    bool ranks = names_ranks(file, &node->first) || names_ranks(file, &node->last) ||
                 (node->op && op_names_ranks(file, node->op));
    for (int i = 0; i < node->count && !ranks; i++)
        ranks = node_names_ranks(file, node->body[i]);
    return ranks;
}

/* One thing after another, and the whole batch at once. */
static bool node_overlaps(const SimNode *node)
{
    bool overlaps = node->kind == SIM_NODE_WAIT || (node->kind == SIM_NODE_LOOP && node->is_micro) ||
                    (node->op && (node->op->event >= 0 || node->op->stream != 0));
    for (int i = 0; i < node->count && !overlaps; i++)
        overlaps = node_overlaps(node->body[i]);
    return overlaps;
}

static bool is_cut(const SimDim *dims, int count)
{
    for (int d = 0; d < count; d++)
        if (dims[d].cut_count > 0)
            return true;
    return false;
}

static bool is_piece(const SimFile *file, const SimBuffer *buffer)
{
    const SimUnit *unit = buffer->unit >= 0 ? &file->units[buffer->unit] : NULL;
    bool cut = buffer->cut_count > 0 || is_cut(buffer->dims, buffer->dim_count);
    for (int m = 0; unit && m < unit->member_count; m++)
        cut = cut || is_cut(&unit->dims[m * SIM_MAX_DIMS], unit->dim_counts[m]);
    return cut;
}

/* Each state of a tensor once. */
static bool rests_twice(const SimProgram *reference, int buffer)
{
    const SimBuffer *one = &reference->buffers[buffer];
    for (int b = 0; b < buffer; b++) {
        const SimBuffer *other = &reference->buffers[b];
        if (one->persistent && other->persistent && one->state == other->state && one->tensor == other->tensor &&
            one->unit < 0 && other->unit < 0)
            return true;
    }
    return false;
}

const char *sim_not_one_device(const SimFile *file)
{
    const SimProgram *reference = &file->reference;
    for (int b = 0; b < reference->buffer_count; b++) {
        if (is_piece(file, &reference->buffers[b]))
            return "a buffer is a piece";
        if (reference->buffers[b].has_holders || reference->buffers[b].has_layers)
            return "a buffer is of some ranks";
        if (reference->buffers[b].tier > 0 || reference->buffers[b].offset >= 0)
            return "a buffer is in an arena, or on another tier";
        if (rests_twice(reference, b))
            return "a state rests twice";
    }
    for (int r = 0; r < reference->routine_count; r++)
        if (node_names_ranks(file, reference->routines[r].root))
            return "it names ranks";
    for (int r = 0; r < reference->routine_count; r++)
        if (node_overlaps(reference->routines[r].root))
            return "it has events, streams or microbatches";
    return NULL;
}
