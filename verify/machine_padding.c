/* machine_padding.c - is the padding of a unit's slot zero? What every operator leaves there. */
#include "verify/machine_internal.h"

bool *machine_padding(Machine *m, const Op *op, const Ref *ref)
{
    int64_t slot;
    Address address;
    if (m->program->buffers.data[ref->buffer].layout != LAYOUT_UNIT || ref->member >= 0 ||
        !machine_slot(m, op, ref, &slot, &address))
        return NULL;
    int at = m->slot_base[ref->buffer] + (int)slot;
    recording_touch(m, ref->buffer, -1, address, m->cell_count + at);
    recording_reads(m, m->cell_count + at);
    return &m->class->padding_zero[at];
}

bool machine_zero_padding(Machine *m, const Op *op, const Ref *ref)
{
    const bool *zero = machine_padding(m, op, ref);
    m->zero_padding[ref->buffer] |= zero != NULL && *zero;
    return zero != NULL && *zero;
}

static PaddingRule collective_padding(Collective collective)
{
    switch (collective) {
    case COLLECTIVE_PLACE_SHARD:
        return PADDING_JUNK;
    case COLLECTIVE_SLICE:
    case COLLECTIVE_REDUCE_SCATTER:
        return PADDING_SLICED;
    case COLLECTIVE_ALL_REDUCE:
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL:
    case COLLECTIVE_ALL_TO_ALL_FILLED:
    case COLLECTIVE_PERMUTE:
    case COLLECTIVE_BROADCAST:
    case COLLECTIVE_HALO:
    case COLLECTIVE_HALO_ADD:
    case COLLECTIVE_SEND:
    case COLLECTIVE_RECV:
        return PADDING_KEPT;
    }
    BUG("a collective that is none");
}

static PaddingRule source_padding(SourceKind source)
{
    switch (source) {
    case SOURCE_FILL:
        return PADDING_FILLED;
    case SOURCE_IOTA:
    case SOURCE_READ:
    case SOURCE_INIT:
        return PADDING_JUNK;
    }
    BUG("a source that is none");
}

PaddingRule padding_rule(OpKind kind)
{
    switch (op_info[kind].op_class) {
    case CLASS_MAP: /* division and logarithm do not keep zeros: only these are known to */
        return op_is_additive(kind) ? PADDING_KEPT : kind == OP_MUL ? PADDING_PRODUCT : PADDING_JUNK;
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_CHOICE:
    case CLASS_WINDOW:
    case CLASS_VIEW:
    case CLASS_SINK:
        return PADDING_JUNK;
    case CLASS_MOVE:
    case CLASS_COMM:
        return collective_padding(op_collective(kind));
    case CLASS_SOURCE:
        return source_padding(op_source(kind));
    }
    BUG("'%s' is of no class", op_info[kind].name);
}

/* Is the operands' padding zero, in the sense of the rule? */
static bool operands_padding(Machine *m, const Prepared *prepared, PaddingRule rule)
{
    const Op *op = prepared->op;
    bool zero = true, some = false, product = rule == PADDING_PRODUCT;
    for (int i = 0; i < op->operand_count; i++) {
        bool operand = machine_padding(m, op, &op->operand[i]) != NULL;
        const Buffer *buffer = &m->program->buffers.data[op->operand[i].buffer];
        bool whole = operand && rule == PADDING_SLICED && buffer->cut_count == 0 && !prepared->move->gaps;
        bool none = buffer->layout == LAYOUT_UNIT && buffer->each != EACH_ELEMENT; /* has no padding */
        zero = zero && !none && (operand ? whole || machine_zero_padding(m, op, &op->operand[i]) : product);
        some |= operand;
    }
    return zero && some;
}

void machine_write_padding(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    bool *out = machine_padding(m, op, &op->out), zero = false; /* members are written without padding */
    if (out == NULL)
        return;
    PaddingRule rule = padding_rule(op->kind);
    switch (rule) {
    case PADDING_JUNK:
        break;
    case PADDING_FILLED:
        zero = op->immediate[0] == 0;
        break;
    case PADDING_KEPT:
    case PADDING_PRODUCT:
    case PADDING_SLICED:
        zero = operands_padding(m, prepared, rule);
        break;
    }
    recording_writes(m, m->cell_count + (int)(out - m->class->padding_zero));
    *out = zero && ((!op->accumulate && m->class->guard == NULL) || *out); /* ranks left out keep their padding */
}
