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

/* The layer in a slot of a buffer that says which layers it has: its slots form equal runs of layers. */
static const char *layer_in_runs(Emit *e, const Buffer *buffer, const Affine *slot)
{
    Affine layer = *slot;
    if (buffer->layer_runs == 1 && slot->modulus == 0 && buffer->first_layer.modulus == 0) {
        affine_add(&layer, &buffer->first_layer, 1);
        return emit_affine(e, &layer);
    }
    return arena_printf(e->arena, "prt_layer(%s, %s, %" PRId64 ", %" PRId64 ")", emit_affine(e, slot),
                        emit_affine(e, &buffer->first_layer), buffer->slots / buffer->layer_runs, buffer->layer_every);
}

/* The layer in a reference's slot. */
static const char *layer_text(Emit *e, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(e->program, ref);
    if (buffer->has_layers)
        return layer_in_runs(e, buffer, &ref->slot);
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

void emit_init(Emit *e, const Op *op)
{
    const Buffer *buffer = ref_buffer(e->program, &op->out);
    bool whole_unit = buffer->layout == LAYOUT_UNIT && op->out.member < 0;
    const char *arguments[] = {"ctx",
                               whole_unit ? "-1" : e->tensor[op->tensor],
                               emit_layout(e, &op->out),
                               layer_text(e, &op->out),
                               seed_text(e, &op->seed),
                               emit_dtype(buffer->dtype),
                               emit_ref(e, &op->out)};
    cw_call(e->out, "prt_init", arguments, 7, ";");
}

/* The microbatch that a reader names; "0" where none cuts what it reads. */
static const char *microbatch_text(Emit *e, const Op *op)
{
    const Buffer *out = ref_buffer(e->program, &op->out);
    bool cut = false;
    for (int i = 0; i < out->dim_count; i++)
        cut = cut || memchr(out->dims[i].cut, CUT_MICRO, (size_t)out->dims[i].cut_count) != NULL;
    if (!cut)
        return "0";
    bool current = e->scope->micro != NULL && affine_equal(&e->scope->current, &op->microbatch);
    return current ? emit_micro(e) : emit_affine(e, &op->microbatch);
}

/* The result's layout says what this rank has of the microbatch. */
void emit_read(Emit *e, const Op *op)
{
    const char *arguments[] = {"ctx", e->tensor[op->tensor], emit_layout(e, &op->out), microbatch_text(e, op),
                               emit_ref(e, &op->out)};
    cw_call(e->out, "prt_read", arguments, 5, ";");
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
    const char *arguments[] = {"ctx", name, emit_affine(e, &used->stored.slot), emit_ref(e, ref)};
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
        emit_event(e, op->event, &op->event_slot),
    };
    cw_call(e->out, "prt_copy_tier", arguments, 7, ";");
}
