/* narrow.c - reduces buffers that pass a value from layer to layer to two slots (lower/narrow.h). */
#include "lower/narrow.h"

#include "step/refs.h"

typedef struct Narrow {
    int buffer;
    bool ring; /* some slot is already modulo something */
} Narrow;

static void find_ring(void *context, Op *op, Ref *ref, bool writes)
{
    Narrow *narrow = context;
    (void)op, (void)writes;
    narrow->ring |= ref->buffer == narrow->buffer && ref->slot.modulus != 0;
}

static void take_modulo_two(void *context, Op *op, Ref *ref, bool writes)
{
    const Narrow *narrow = context;
    (void)op, (void)writes;
    if (ref->buffer == narrow->buffer && ref->slot.term_count == 0)
        ref->slot.constant %= 2;
    else if (ref->buffer == narrow->buffer)
        ref->slot.modulus = 2;
}

bool narrow_run(Ctx *ctx, const Assignment *assignment, StepFile *file)
{
    (void)ctx, (void)assignment;
    for (int i = 0; i < file->program->buffers.count; i++) {
        Narrow narrow = {.buffer = i};
        Buffer *buffer = &file->program->buffers.data[i];
        if (!buffer->passed_on)
            continue;
        buffer->passed_on = false;
        refs_visit_program(file->program, find_ring, &narrow);
        if (buffer->slots <= 2 || narrow.ring)
            continue;
        refs_visit_program(file->program, take_modulo_two, &narrow);
        buffer->slots = 2;
    }
    return true;
}
