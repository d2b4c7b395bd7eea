/* emit_buffers.c - the table of the plan's buffers, by which --check-arena judges what a run wrote. */
#include "codegen/emit.h"

#include "step/refs.h"
#include <inttypes.h>
#include <string.h>

/* Where a buffer is met, and whether an operator writes slots of it as a whole. */
typedef struct Met {
    bool in_join, elsewhere, written_whole;
} Met;

typedef struct Meeting {
    Met *of; /* each buffer */
    bool join;
} Meeting;

static void meet(void *context, Op *op, Ref *ref, bool writes)
{
    (void)op;
    const Meeting *meeting = context;
    Met *met = &meeting->of[ref->buffer];
    *(meeting->join ? &met->in_join : &met->elsewhere) = true;
    met->written_whole |= writes && ref->member < 0;
}

static const Met *meet_buffers(Emit *e)
{
    Meeting meeting = {.of = arena_array(e->arena, Met, e->program->buffers.count + 1)};
    for (int i = 0; i < e->program->routines.count; i++) {
        meeting.join = e->program->routines.data[i].kind == ROUTINE_JOIN;
        refs_visit_list(&e->program->routines.data[i].body, meet, &meeting);
    }
    return meeting.of;
}

/* Of several slots one holds a largest microbatch; the others may hold smaller ones only. */
static int64_t spare_microbatch_bytes(const Emit *e, const Buffer *buffer)
{
    Buffer smaller = *buffer;
    for (int i = 0; i < buffer->dim_count; i++)
        if (memchr(buffer->dims[i].cut, CUT_MICRO, (size_t)buffer->dims[i].cut_count) != NULL)
            smaller.dims[i].size -= buffer->dims[i].size % e->decls->micro;
    smaller.slots = buffer->slots - 1;
    int64_t slot = buffer_data_bytes(e->decls, buffer) / buffer->slots;
    return smaller.slots * slot - buffer_data_bytes(e->decls, &smaller);
}

/* Nobody writes what is between aligned members, where each is written alone. */
static int64_t spare_bytes(const Emit *e, const Buffer *buffer, const Met *met)
{
    switch (buffer->layout) {
    case LAYOUT_DENSE:
        return spare_microbatch_bytes(e, buffer);
    case LAYOUT_UNIT: {
        const Unit *unit = &e->decls->units.data[buffer->unit];
        bool between = buffer->each == EACH_ELEMENT && buffer->cut_count == 0 && !met->written_whole;
        return between ? buffer->slots * (unit->elements - unit->held) * dtype_bytes(buffer->dtype) : 0;
    }
    }
    BUG("a layout that is none");
}

void emit_buffers(Emit *e)
{
    const Met *met = meet_buffers(e);
    if (!emit_begin_table(e, "prt_buffer", "buffers", e->program->buffers.count))
        return;
    for (int i = 0; i < e->program->buffers.count; i++) {
        const Buffer *buffer = &e->program->buffers.data[i];
        int64_t bytes = buffer_data_bytes(e->decls, buffer);
        Text row = {.arena = e->arena};
        text_add(&row, "{.name = %s, .tier = %s, .offset = %s, .bytes = %" PRId64, c_string(e->arena, buffer->name),
                 emit_tier(buffer->tier), e->place[i], bytes);
        int64_t spare = spare_bytes(e, buffer, &met[i]);
        if (spare > 0)
            text_add(&row, ", .spare = %" PRId64, spare);
        if (met[i].in_join && !met[i].elsewhere)
            text_add(&row, ", .of_join = true");
        if (buffer->held)
            text_add(&row, ", .held = %s", emit_held_text(e, buffer));
        cw_line(e->out, "%s},", row.data);
    }
    emit_end_table(e);
}
