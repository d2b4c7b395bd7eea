/* emit_comm.c - prints communications, and moves between layouts of one rank, as calls of the runtime. Who needs which
 * elements the runtime reads from the layouts of operand and result; the text says what differs from call to call.
 */
#include "codegen/emit.h"

#include "codegen/entry.h"
#include <inttypes.h>
#include <string.h>

/* ---- Arguments ---------------------------------------------------------------------------------------------- */

const Ref *emit_moved(const Op *op)
{
    return op->operand_count > 0 ? &op->operand[0] : &op->out;
}

static bool has_micro(Emit *e, const Ref *ref)
{
    Dim dims[STEP_MAX_DIMS];
    int count;
    bool found = false;
    if (!ref_dims(e->program, ref, &count, dims))
        return false; /* a whole slot of a unit */
    for (int i = 0; i < count; i++)
        found = found || memchr(dims[i].cut, CUT_MICRO, (size_t)dims[i].cut_count) != NULL;
    return found;
}

/* The current microbatch, if it says where the elements are. */
static const char *micro_text(Emit *e, const Ref *x, const Ref *y)
{
    return has_micro(e, x) || has_micro(e, y) ? emit_micro(e) : "0";
}

/* ---- Moves -------------------------------------------------------------------------------------------------- */

static void emit_move(Emit *e, const Op *op, const Ref *from)
{
    const char *arguments[] = {"ctx",
                               emit_dtype(ref_buffer(e->program, &op->out)->dtype),
                               emit_layout(e, from),
                               emit_layout(e, &op->out),
                               micro_text(e, from, &op->out),
                               emit_ref(e, &op->out),
                               emit_ref(e, from)};
    cw_call(e->out, runtime_entry(op->kind)->function, arguments, 7, ";");
}

/* Copies the whole, unless it is already there, then the piece into its position. */
static void emit_place_shard(Emit *e, const Op *op)
{
    DType dtype = ref_buffer(e->program, &op->out)->dtype;
    if (!ref_equal(op->out, op->operand[0])) {
        const char *bytes = arena_printf(e->arena, "%s * %" PRId64, emit_elements(e, &op->out), dtype_bytes(dtype));
        const char *whole[] = {"ctx", emit_ref(e, &op->out), emit_ref(e, &op->operand[0]), bytes};
        cw_call(e->out, "prt_copy", whole, 4, ";");
    }
    emit_move(e, op, &op->operand[1]);
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

/* "CALL_all_gather_parameters_block", or outside the step "CALL_eval_all_gather_parameters_block". */
static const char *call_name(Emit *e, const Op *op)
{
    const char *what = op_info[op->kind].name, *buffer = ref_buffer(e->program, emit_moved(op))->name;
    const char *routine = routine_name(e->routine);
    bool in_step = e->routine == ROUTINE_STEP;
    const char *prefix = in_step ? "CALL_" : arena_printf(e->arena, "CALL_%s_", routine);
    size_t length = strlen(routine);
    bool says_so = strncmp(buffer, routine, length) == 0 && buffer[length] == '.';
    const char *plain = says_so ? buffer + length + 1 : buffer;
    return names_unique(&e->names, prefix, arena_printf(e->arena, "%s_%s", what, plain));
}

static const char *add_call(Emit *e, const Op *op, int source)
{
    EmitCall row = {.op = op,
                    .name = call_name(e, op),
                    .group = emit_group(e, op),
                    .source = e->sources.data[source].name,
                    .from = emit_layout(e, emit_moved(op)),
                    .into = emit_layout(e, op_has_result(op->kind) ? &op->out : &op->operand[0])};
    vec_push(e->arena, &e->calls, row);
    emit_event_slot(e, &op->event_slot);
    return row.name;
}

/* All ranks have the same layout: how much there is. */
static void emit_alike(Emit *e, const Op *op, int source)
{
    const char *arguments[] = {"ctx", add_call(e, op, source), emit_ref(e, &op->out), emit_ref(e, &op->operand[0]),
                               emit_elements(e, &op->out)};
    cw_call(e->out, runtime_entry(op->kind)->function, arguments, 5, ";");
}

/* Between two layouts. */
static void emit_exchange(Emit *e, const Op *op, int source)
{
    const char *arguments[] = {"ctx", add_call(e, op, source), micro_text(e, &op->operand[0], &op->out),
                               emit_ref(e, &op->out), emit_ref(e, &op->operand[0])};
    cw_call(e->out, runtime_entry(op->kind)->function, arguments, 5, ";");
}

/* Between two layouts, what fills places: how many do on this side, and on the other. */
static void emit_exchange_filled(Emit *e, const Op *op, int source)
{
    const char *arguments[] = {"ctx",
                               add_call(e, op, source),
                               micro_text(e, &op->operand[0], &op->out),
                               emit_ref(e, &op->out),
                               emit_ref(e, &op->operand[0]),
                               emit_ref(e, &op->operand[1]),
                               emit_ref(e, &op->operand[2]),
                               arena_printf(e->arena, "%d", ref_buffer(e->program, &op->operand[1])->dim_count)};
    cw_call(e->out, runtime_entry(op->kind)->function, arguments, 8, ";");
}

/* x with number * x = 1 (modulo size), for numbers that have one. */
static int64_t inverse(int64_t number, int64_t size)
{
    for (int64_t x = 0; x < size; x++)
        if (affine_wrap(number * x, size) == 1 % size)
            return x;
    BUG("%" PRId64 " has no inverse modulo %" PRId64, number, size);
}

/* The coordinate from which the peer's expression leads here. With c the coordinate on the axis, it is own * c + rest,
 * modulo the axis's size if it has a modulus; what leads here is (c - rest) / own, modulo the size. */
static Affine leads_here(const Decls *decls, const Affine *peer, int axis)
{
    int64_t size = decls->axes.data[axis].size, own = 0;
    for (int i = 0; i < peer->term_count; i++)
        own += peer->term[i].variable == affine_coordinate(axis) ? peer->term[i].coefficient : 0;
    int64_t back = inverse(own, size);
    if (back > size / 2)
        back -= size;
    Affine here = {.constant = -back * peer->constant, .modulus = size};
    here.term[here.term_count].variable = affine_coordinate(axis);
    here.term[here.term_count++].coefficient = back;
    for (int i = 0; i < peer->term_count; i++) {
        if (peer->term[i].variable == affine_coordinate(axis))
            continue;
        here.term[here.term_count].variable = peer->term[i].variable;
        here.term[here.term_count++].coefficient = -back * peer->term[i].coefficient;
    }
    return here;
}

static void emit_permute(Emit *e, const Op *op, int source)
{
    Affine to = leads_here(e->decls, &op->peer.coordinate, op->axes.axis[0]);
    const char *arguments[] = {"ctx",
                               add_call(e, op, source),
                               emit_affine(e, &op->peer.coordinate),
                               emit_affine(e, &to),
                               emit_ref(e, &op->out),
                               emit_ref(e, &op->operand[0]),
                               emit_elements(e, &op->out)};
    cw_call(e->out, runtime_entry(op->kind)->function, arguments, 7, ";");
}

static void emit_broadcast(Emit *e, const Op *op, int source)
{
    const char *arguments[] = {"ctx",
                               add_call(e, op, source),
                               emit_affine(e, &op->peer.coordinate),
                               emit_ref(e, &op->out),
                               emit_ref(e, &op->operand[0]),
                               emit_elements(e, &op->out)};
    cw_call(e->out, runtime_entry(op->kind)->function, arguments, 6, ";");
}

static void emit_message(Emit *e, const Op *op, int source)
{
    const Ref *moved = emit_moved(op);
    const char *arguments[] = {"ctx", add_call(e, op, source), emit_affine(e, &op->peer.coordinate), emit_ref(e, moved),
                               emit_elements(e, moved)};
    cw_call(e->out, runtime_entry(op->kind)->function, arguments, 5, ";");
}

void emit_collective(Emit *e, const Op *op, int source)
{
    if (op->accumulate && op_collective(op->kind) != COLLECTIVE_HALO_ADD)
        BUG("'%s' that adds to its result cannot be printed", op_info[op->kind].name);
    switch (op_collective(op->kind)) {
    case COLLECTIVE_SLICE:
        emit_move(e, op, &op->operand[0]);
        return;
    case COLLECTIVE_PLACE_SHARD:
        emit_place_shard(e, op);
        return;
    case COLLECTIVE_ALL_REDUCE:
        emit_alike(e, op, source);
        return;
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL:
    case COLLECTIVE_HALO:
    case COLLECTIVE_HALO_ADD:
        emit_exchange(e, op, source);
        return;
    case COLLECTIVE_ALL_TO_ALL_FILLED:
        emit_exchange_filled(e, op, source);
        return;
    case COLLECTIVE_PERMUTE:
        emit_permute(e, op, source);
        return;
    case COLLECTIVE_BROADCAST:
        emit_broadcast(e, op, source);
        return;
    case COLLECTIVE_SEND:
    case COLLECTIVE_RECV:
        emit_message(e, op, source);
        return;
    }
    BUG("'%s' cannot be printed", op_info[op->kind].name);
}
