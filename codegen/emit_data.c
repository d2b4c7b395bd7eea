/* emit_data.c - what passes between a program and the outside: initial values, the batch, results, saved gradients, and
 * what is stored on the host or in a file. */
#include "codegen/emit.h"

#include <inttypes.h>
#include <string.h>

static const char *layer_from(Emit *e, const Affine *slot, int64_t first)
{
    Affine layer = *slot;
    if (slot->modulus != 0 && first != 0)
        return arena_printf(e->arena, "%s + %" PRId64, emit_affine(e, slot), first);
    layer.constant += first;
    return emit_affine(e, &layer);
}

/* The layer in a reference's slot. */
static const char *layer_text(Emit *e, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(e->program, ref);
    return layer_from(e, &ref->slot,
                      buffer->layout == LAYOUT_UNIT ? e->decls->units.data[buffer->unit].first_layer : 0);
}

static const char *seed_text(Emit *e, const Seed *seed)
{
    Text text = {.arena = e->arena};
    text_add(&text, "%" PRId64, seed->base);
    for (int i = 0; i < e->decls->axes.count; i++) {
        if (seed->per_axis[i] != 0)
            text_add(&text, " + %" PRId64 " * (uint64_t)%s", seed->per_axis[i], emit_place(e, &(int8_t){(int8_t)i}, 1));
    }
    return text.data;
}

static void emit_init_unit(Emit *e, const Op *op)
{
    const Buffer *buffer = ref_buffer(e->program, &op->out);
    const char *arguments[] = {"ctx",
                               e->unit[buffer->unit],
                               layer_text(e, &op->out),
                               seed_text(e, &op->seed),
                               emit_dtype(buffer->dtype),
                               emit_ref(e, &op->out),
                               arena_printf(e->arena, "%" PRId64, axes_total(e->decls, buffer->cut, buffer->cut_count)),
                               emit_place(e, buffer->cut, buffer->cut_count)};
    cw_call(e->out, "prt_init_unit", arguments, 8, ";");
}

void emit_init(Emit *e, const Op *op)
{
    const Buffer *buffer = ref_buffer(e->program, &op->out);
    if (buffer->layout == LAYOUT_UNIT && op->out.member < 0) {
        emit_init_unit(e, op);
        return;
    }
    const char *arguments[] = {"ctx",
                               e->tensor[op->tensor],
                               layer_text(e, &op->out),
                               seed_text(e, &op->seed),
                               emit_dtype(buffer->dtype),
                               emit_ref(e, &op->out),
                               "0",
                               emit_elements(e, &op->out)};
    cw_call(e->out, "prt_init_tensor", arguments, 8, ";");
}

/* Reads this rank's part of the batch. The result's batch dim gives the batch's length and whether microbatches cut it;
 * the operator gives the axes. */
void emit_read(Emit *e, const Op *op)
{
    const Dim *batch = &ref_buffer(e->program, &op->out)->dims[0];
    Dim part = {.size = batch->size};
    if (memchr(batch->cut, CUT_MICRO, (size_t)batch->cut_count) != NULL)
        part.cut[part.cut_count++] = CUT_MICRO;
    for (int i = 0; i < op->axes.count; i++)
        part.cut[part.cut_count++] = op->axes.axis[i];
    const char *arguments[] = {"ctx", e->tensor[op->tensor], emit_range_of(e, &part, &op->microbatch),
                               emit_ref(e, &op->out)};
    cw_call(e->out, "prt_read", arguments, 4, ";");
}

void emit_output(Emit *e, const Op *op)
{
    const Ref *ref = &op->operand[0];
    const char *arguments[] = {"ctx", c_string(e->arena, op->output), emit_dtype(ref_buffer(e->program, ref)->dtype),
                               emit_ref(e, ref), emit_elements(e, ref)};
    cw_call(e->out, "prt_output", arguments, 5, ";");
}

static const UsedGradient *gradient_of(const Emit *e, const Op *op)
{
    for (int i = 0; i < e->used.count; i++)
        if (e->used.data[i].op == op)
            return &e->used.data[i];
    return NULL;
}

void emit_save_gradient(Emit *e, const Op *op)
{
    const UsedGradient *used = gradient_of(e, op);
    if (used == NULL)
        return;
    const Ref *ref = &op->operand[used->operand];
    const Buffer *buffer = ref_buffer(e->program, ref);
    const char *wanted = used->tensor >= 0               ? e->decls->tensors.data[used->tensor].name
                         : buffer->layout == LAYOUT_UNIT ? e->decls->units.data[buffer->unit].name
                                                         : buffer->name;
    const char *name = names_unique(&e->names, "GRADIENT_", wanted);
    vec_push(e->arena, &e->gradients, (EmitGradient){used, name});
    cw_line(e->out, "if (ctx->saving_gradients)");
    const char *arguments[] = {"ctx", name, layer_from(e, &used->slot, used->first_layer), emit_ref(e, ref)};
    e->out->indent++;
    cw_call(e->out, "prt_save_gradient", arguments, 4, ";");
    e->out->indent--;
}

/* ---- Tiers -------------------------------------------------------------------------------------------------- */

bool emit_changes_tier(const Emit *e, const Op *op)
{
    return op->kind == OP_COPY &&
           ref_buffer(e->program, &op->out)->tier != ref_buffer(e->program, &op->operand[0])->tier;
}

void emit_tier_copy(Emit *e, const Op *op)
{
    const Buffer *out = ref_buffer(e->program, &op->out), *in = ref_buffer(e->program, &op->operand[0]);
    const char *arguments[] = {
        "ctx",
        emit_tier(out->tier),
        emit_ref(e, &op->out),
        emit_tier(in->tier),
        emit_ref(e, &op->operand[0]),
        arena_printf(e->arena, "%s * %" PRId64, emit_elements(e, &op->out), dtype_bytes(out->dtype)),
        arena_printf(e->arena, "%d", op->event),
    };
    cw_call(e->out, "prt_copy_tier", arguments, 7, ";");
}
