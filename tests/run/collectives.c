/* collectives.c - a program whose step is nothing but communication, each call checked against what it must give: on
 * the axes of a mesh of A by B ranks alone, together and in the other order, of every dtype, from one element to a
 * quarter of a million, in place and not; pieces flat, of any dim, of a dim cut twice and of a fused dim; and messages,
 * several in progress at once. Numbers are small integers, so sums are exact; sums of fractions must have the same bits
 * on all ranks. */
#include "runtime/algorithms.h"
#include "runtime/view.h"
#include "tests/run/by_hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef A
#define A 1
#endif
#ifndef B
#define B 1
#endif
#ifndef LARGEST
#define LARGEST (1 << 18)
#endif

enum { GROUPS = 4, DTYPES = 4, EVENTS = 20, MOST_CALLS = 1200, MOST_LAYOUTS = 2 * MOST_CALLS };
enum { QUEUES = 13 * 7, PLACES = 4, WIDTH = 5 }; /* of experts: 13 examples' with 7 each */
enum { AT_IN = 0, AT_OUT = (LARGEST + 8) * 8, AT_END = 2 * AT_OUT };

static const prt_group groups[GROUPS] = {{1, {0}}, {1, {1}}, {2, {0, 1}}, {2, {1, 0}}};
static const prt_dtype dtypes[DTYPES] = {PRT_F32, PRT_F64, PRT_I32, PRT_BF16};
static const int64_t counts[] = {1, 3, 56, 57, 112, 113, 1000, 16387, LARGEST};

static prt_layout layouts[MOST_LAYOUTS];
static prt_call calls[MOST_CALLS];
static prt_program program;

/* ---- Numbers ------------------------------------------------------------------------------------------------ */

static void put(prt_dtype dtype, void *array, int64_t i, double value)
{
    if (dtype == PRT_F64)
        ((double *)array)[i] = value;
    else if (dtype == PRT_F32)
        ((float *)array)[i] = (float)value;
    else if (dtype == PRT_I32)
        ((int32_t *)array)[i] = (int32_t)value;
    else
        hand_put_bf16(array, i, (float)value);
}

static double get(prt_dtype dtype, const void *array, int64_t i)
{
    return dtype == PRT_F64   ? ((const double *)array)[i]
           : dtype == PRT_F32 ? (double)((const float *)array)[i]
           : dtype == PRT_I32 ? ((const int32_t *)array)[i]
                              : (double)hand_get_bf16(array, i);
}

static int64_t bytes_of(prt_dtype dtype)
{
    return dtype == PRT_F64 ? 8 : dtype == PRT_BF16 ? 2 : 4;
}

/* Elements after which what ranks hold repeats: fewer where sums of larger numbers would be rounded. */
static int64_t period = 97;

/* What the rank at this place of its group holds of element i. */
static double held(int64_t place, int64_t i)
{
    return (double)((place + 1) * (i % period + 1));
}

static void demand(prt_context *ctx, bool good, const char *what, int64_t i)
{
    if (!good)
        prt_fail(ctx, "%s is wrong at %lld", what, (long long)i);
}

/* ---- Between layouts ---------------------------------------------------------------------------------------- */

typedef void exchange_fn(prt_context *ctx, int call, int64_t micro, void *out, const void *in);

static int64_t size_of(const prt_group *group)
{
    int64_t size = 1;
    for (int i = 0; i < group->axis_count; i++)
        size *= program.axes[group->axis[i]].size;
    return size;
}

static int64_t place_of(const prt_context *ctx, const prt_group *group)
{
    int64_t place = 0;
    for (int i = 0; i < group->axis_count; i++)
        place = place * ctx->axis_size[group->axis[i]] + ctx->coordinate[group->axis[i]];
    return place;
}

/* Of every element of the value, the sum of what the members hold, or what any of them holds. */
static void expect(const prt_place *own, const prt_call *call, double *values)
{
    const prt_group *group = &groups[call->group];
    for (int64_t member = 0; member < size_of(group); member++) {
        prt_place place = prt_place_in_group(own, group, member);
        prt_walk walk;
        prt_stretch stretch;
        prt_walk_start(&walk, &place, &layouts[call->from]);
        while (prt_walk_next(&walk, &stretch))
            for (int64_t i = 0; i < stretch.count; i++) {
                int64_t element = stretch.element + i;
                bool sums = call->op == PRT_REDUCE_SCATTER || call->op == PRT_HALO_ADD;
                values[element] = sums ? values[element] + held(member, element) : held(0, element);
            }
    }
}

/* What this rank holds; what is no element is 7. */
static void fill_operand(const prt_place *own, const prt_call *call, int64_t number, void *in)
{
    prt_walk walk;
    prt_stretch stretch;
    hand_fill(call->dtype, in, prt_view_of(own, &layouts[call->from]).room, 7);
    prt_walk_start(&walk, own, &layouts[call->from]);
    while (prt_walk_next(&walk, &stretch))
        for (int64_t i = 0; i < stretch.count; i++)
            put(call->dtype, in, stretch.at + i, held(number, stretch.element + i));
}

static void check_result(prt_context *ctx, const prt_place *own, const prt_call *call, const double *values,
                         const void *out)
{
    static double expected[LARGEST];
    int64_t room = prt_view_of(own, &layouts[call->into]).room;
    prt_walk walk;
    prt_stretch stretch;
    memset(expected, 0, sizeof *expected * (size_t)room); /* padding is zero */
    prt_walk_start(&walk, own, &layouts[call->into]);
    while (prt_walk_next(&walk, &stretch))
        for (int64_t i = 0; i < stretch.count; i++)
            expected[stretch.at + i] = values[stretch.element + i];
    for (int64_t i = 0; i < room; i++)
        demand(ctx, get(call->dtype, out, i) == expected[i], "the result", i);
    demand(ctx, get(call->dtype, out, room) == 7, "what follows the result", room);
}

static void run_exchange(prt_context *ctx, int index)
{
    static double values[LARGEST];
    const prt_call *call = &calls[index];
    exchange_fn *function = call->op == PRT_REDUCE_SCATTER ? prt_reduce_scatter
                            : call->op == PRT_ALL_GATHER   ? prt_all_gather
                            : call->op == PRT_ALL_TO_ALL   ? prt_all_to_all
                            : call->op == PRT_HALO         ? prt_halo
                                                           : prt_halo_add;
    for (int64_t micro = 0; micro < program.micro; micro++) {
        prt_place own = prt_place_of(ctx, micro);
        bool sums = call->op == PRT_REDUCE_SCATTER || call->op == PRT_HALO_ADD;
        void *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = prt_at(ctx, PRT_DEVICE, AT_OUT);
        memset(values, 0, sizeof values);
        expect(&own, call, values);
        fill_operand(&own, call, sums ? place_of(ctx, &groups[call->group]) : 0, in);
        hand_fill(call->dtype, out, prt_view_of(&own, &layouts[call->into]).room + 1, 7);
        function(ctx, index, micro, out, in);
        check_result(ctx, &own, call, values, out);
    }
}

/* How many places of a queue are filled, from none to all. */
static int32_t filled_in(int64_t queue)
{
    return (int32_t)(queue * 7 % (PLACES + 1));
}

/* The counts of this rank's queues, in the order in which the layout has them. */
static void count_filled(const prt_place *own, const prt_layout *layout, int32_t *filled)
{
    prt_layout queues = *layout;
    prt_walk walk;
    prt_stretch stretch;
    queues.dim_count = 2;
    prt_walk_start(&walk, own, &queues);
    while (prt_walk_next(&walk, &stretch))
        for (int64_t i = 0; i < stretch.count; i++)
            filled[stretch.at + i] = filled_in(stretch.element + i);
}

/* Places that are not filled hold something before, and zeros after. */
static void run_filled(prt_context *ctx, int index)
{
    static double values[LARGEST];
    static int32_t before[QUEUES], after[QUEUES];
    const prt_call *call = &calls[index];
    prt_place own = prt_place_of(ctx, 0);
    void *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = prt_at(ctx, PRT_DEVICE, AT_OUT);
    memset(values, 0, sizeof values);
    expect(&own, call, values);
    for (int64_t place = 0; place < QUEUES * PLACES; place++)
        for (int64_t i = 0; i < WIDTH; i++)
            if (place % PLACES >= filled_in(place / PLACES))
                values[place * WIDTH + i] = 0;
    fill_operand(&own, call, 0, in);
    count_filled(&own, &layouts[call->from], before);
    count_filled(&own, &layouts[call->into], after);
    hand_fill(call->dtype, out, prt_view_of(&own, &layouts[call->into]).room + 1, 7);
    prt_all_to_all_filled(ctx, index, 0, out, in, before, after, 2);
    check_result(ctx, &own, call, values, out);
}

/* An all_gather of a unit, whose piece is already where it belongs. */
static void gather_in_place(prt_context *ctx, int index)
{
    const prt_call *call = &calls[index];
    static double values[LARGEST];
    prt_place own = prt_place_of(ctx, 0);
    prt_view piece = prt_view_of(&own, &layouts[call->from]);
    prt_part part = piece.dims[0].part_count > 0 ? piece.dims[0].parts[0] : (prt_part){0};
    char *out = prt_at(ctx, PRT_DEVICE, AT_OUT), *in = out + part.first * bytes_of(call->dtype);
    memset(values, 0, sizeof values);
    expect(&own, call, values);
    hand_fill(call->dtype, out, prt_view_of(&own, &layouts[call->into]).room + 1, 7);
    for (int64_t i = 0; i < part.count; i++)
        put(call->dtype, in, i, held(0, part.first + i));
    prt_all_gather(ctx, index, 0, out, part.count > 0 ? in : prt_at(ctx, PRT_DEVICE, AT_IN));
    check_result(ctx, &own, call, values, out);
}

/* ---- The same layout on all ranks ----------------------------------------------------------------------------- */

static void reduce(prt_context *ctx, int index, int64_t count, bool in_place)
{
    const prt_call *call = &calls[index];
    int64_t size = size_of(&groups[call->group]), place = place_of(ctx, &groups[call->group]);
    void *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = in_place ? in : prt_at(ctx, PRT_DEVICE, AT_OUT);
    for (int64_t i = 0; i < count; i++)
        put(call->dtype, in, i, held(place, i));
    prt_all_reduce(ctx, index, out, in, count);
    for (int64_t i = 0; i < count; i++) {
        double expected = 0;
        for (int64_t other = 0; other < size; other++)
            expected = call->reduction == PRT_SUM ? expected + held(other, i) : held(other, i);
        demand(ctx, get(call->dtype, out, i) == expected, "all_reduce", i);
    }
}

/* Fractions: the order of a sum shows in its last bits. `most` is the maximum over the same ranks. */
static void same_bits(prt_context *ctx, int index, int most, int64_t place, int64_t count)
{
    float *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = prt_at(ctx, PRT_DEVICE, AT_OUT);
    for (int64_t i = 0; i < count; i++)
        in[i] = 1.0f / (float)(i * 7 + place * place + 3);
    prt_all_reduce(ctx, index, out, in, count);
    memcpy(in, out, (size_t)count * 4);
    prt_all_reduce(ctx, most, out, in, count);
    for (int64_t i = 0; i < count; i++)
        demand(ctx, memcmp(&in[i], &out[i], 4) == 0, "the same bits of an all_reduce", i);
}

/* Both ways around the ring, and back to front. */
static void permute(prt_context *ctx, int index, int64_t count, bool in_place)
{
    const prt_call *call = &calls[index];
    int64_t size = size_of(&groups[call->group]), place = place_of(ctx, &groups[call->group]);
    const int64_t ways[3][2] = {{(place + 1) % size, (place + size - 1) % size},
                                {(place + size - 1) % size, (place + 1) % size},
                                {size - 1 - place, size - 1 - place}};
    for (int way = 0; way < 3; way++) {
        void *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = in_place ? in : prt_at(ctx, PRT_DEVICE, AT_OUT);
        for (int64_t i = 0; i < count; i++)
            put(call->dtype, in, i, held(place, i));
        prt_permute(ctx, index, ways[way][0], ways[way][1], out, in, count);
        for (int64_t i = 0; i < count; i++)
            demand(ctx, get(call->dtype, out, i) == held(ways[way][0], i), "permute", i);
    }
}

static void broadcast(prt_context *ctx, int index, int64_t count, bool in_place)
{
    const prt_call *call = &calls[index];
    int64_t size = size_of(&groups[call->group]), place = place_of(ctx, &groups[call->group]);
    for (int64_t from = 0; from < size; from++) {
        void *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = in_place ? in : prt_at(ctx, PRT_DEVICE, AT_OUT);
        for (int64_t i = 0; i < count; i++)
            put(call->dtype, in, i, held(place, i));
        prt_broadcast(ctx, index, from, out, in, count);
        for (int64_t i = 0; i < count; i++)
            demand(ctx, get(call->dtype, out, i) == held(from, i), "broadcast", i);
    }
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

enum { SEND, SEND_STARTED, RECV, RECV_STARTED, SEND_OTHER, RECV_OTHER, MESSAGE_CALLS };
static int message_calls[2]; /* per axis: the first; those with events have one call for each */

static int message_call(int axis, int kind, int event)
{
    return message_calls[axis] + kind * EVENTS + event;
}

/* The n-th message from a place: `count` numbers, somewhere in the arena. */
static void *message_at(prt_context *ctx, int64_t area, int n, int64_t count)
{
    return prt_at(ctx, PRT_DEVICE, area + n * count * 8);
}

static void write_message(prt_context *ctx, int64_t place, int n, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        put(PRT_F64, message_at(ctx, AT_IN, n, count), i, held(place + 10 * n, i));
}

static void check_message(prt_context *ctx, int64_t place, int n, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        demand(ctx, get(PRT_F64, message_at(ctx, AT_OUT, n, count), i) == held(place + 10 * n, i), "a message", i);
}

/* All send on in a ring before they receive; and all receive before they send, which only works if what was started
 * continues while a rank waits for another message. */
static void send_around(prt_context *ctx, int axis, int64_t count)
{
    int64_t size = ctx->axis_size[axis], place = ctx->coordinate[axis];
    int64_t next = (place + 1) % size, before = (place + size - 1) % size;
    for (int n = 0; n < EVENTS; n++) {
        write_message(ctx, place, n, count);
        prt_send(ctx, message_call(axis, SEND_STARTED, n), next, message_at(ctx, AT_IN, n, count), count);
    }
    for (int n = 0; n < EVENTS; n++) {
        prt_receive(ctx, message_call(axis, RECV, 0), before, message_at(ctx, AT_OUT, n, count), count);
        check_message(ctx, before, n, count);
    }
    for (int n = EVENTS - 1; n >= 0; n--)
        prt_wait(ctx, n, 0);
    for (int n = 0; n < EVENTS; n++)
        prt_receive(ctx, message_call(axis, RECV_STARTED, n), before, message_at(ctx, AT_OUT, n, count), count);
    for (int n = 0; n < EVENTS; n++) {
        write_message(ctx, place, n, count);
        prt_send(ctx, message_call(axis, SEND, 0), next, message_at(ctx, AT_IN, n, count), count);
    }
    for (int n = 0; n < EVENTS; n++) {
        prt_wait(ctx, n, 0);
        check_message(ctx, before, n, count);
    }
    prt_wait(ctx, 0, 0); /* on a rank that has started nothing, nothing is waited for */
}

/* From the first rank to the last; the two channels are received in the other order. */
static void send_on_channels(prt_context *ctx, int axis, int64_t count)
{
    int64_t last = ctx->axis_size[axis] - 1;
    if (ctx->coordinate[axis] == 0) {
        for (int n = 0; n < 4; n++) {
            bool other = n >= 2;
            write_message(ctx, 0, n, count);
            prt_send(ctx, message_call(axis, other ? SEND_OTHER : SEND_STARTED, n), last,
                     message_at(ctx, AT_IN, n, count), count);
        }
        for (int n = 0; n < 4; n++)
            prt_wait(ctx, n, 0);
    } else if (ctx->coordinate[axis] == last) {
        static const int order[] = {2, 3, 0, 1};
        for (int i = 0; i < 4; i++) {
            int n = order[i];
            prt_receive(ctx, message_call(axis, n >= 2 ? RECV_OTHER : RECV, 0), 0, message_at(ctx, AT_OUT, n, count),
                        count);
            check_message(ctx, 0, n, count);
        }
    }
}

/* A rank that never sends, by request of a test. */
static void misbehave(prt_context *ctx, int axis)
{
    const char *fault = getenv("FAULT");
    int64_t last = ctx->axis_size[axis] - 1;
    if (fault == NULL)
        return;
    bool late = ctx->coordinate[axis] == last;
    while (late)
        ctx->at = 1;
    if (strcmp(fault, "receive") == 0)
        prt_receive(ctx, message_call(axis, RECV, 0), last, prt_at(ctx, PRT_DEVICE, AT_OUT), 4);
    if (strcmp(fault, "send") == 0)
        prt_send(ctx, message_call(axis, SEND, 0), last, prt_at(ctx, PRT_DEVICE, AT_IN), 1 << 19);
    if (strcmp(fault, "wait") == 0)
        prt_receive(ctx, message_call(axis, RECV_STARTED, 0), last, prt_at(ctx, PRT_DEVICE, AT_OUT), 4);
    for (int index = 0; strcmp(fault, "permute") == 0 && index < program.call_count; index++)
        if (calls[index].op == PRT_PERMUTE && calls[index].group == axis)
            permute(ctx, index, 4, true);
    prt_wait(ctx, 0, 0);
}

/* ---- The step ----------------------------------------------------------------------------------------------- */

static void run_call(prt_context *ctx, int index)
{
    const prt_call *call = &calls[index];
    const int64_t amounts[] = {1, 56, 57, 16387, LARGEST - 3};
    int64_t place = place_of(ctx, &groups[call->group]);
    period = call->dtype == PRT_BF16 ? 5 : 97;
    switch (call->op) {
    case PRT_ALL_REDUCE:
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            reduce(ctx, index, counts[c], false);
            reduce(ctx, index, counts[c], true);
            if (call->dtype == PRT_F32 && call->reduction == PRT_SUM) /* the next call is the maximum */
                same_bits(ctx, index, index + 1, place, counts[c]);
        }
        return;
    case PRT_ALL_GATHER:
        if (layouts[call->from].unit >= 0)
            gather_in_place(ctx, index);
        run_exchange(ctx, index);
        return;
    case PRT_REDUCE_SCATTER:
    case PRT_ALL_TO_ALL:
    case PRT_HALO:
    case PRT_HALO_ADD:
        run_exchange(ctx, index);
        return;
    case PRT_ALL_TO_ALL_FILLED:
        run_filled(ctx, index);
        return;
    case PRT_PERMUTE:
    case PRT_BROADCAST:
        for (size_t c = 0; c < 2 * sizeof amounts / sizeof amounts[0]; c++)
            (call->op == PRT_PERMUTE ? permute : broadcast)(ctx, index, amounts[c / 2], c % 2 == 0);
        return;
    case PRT_SEND:
    case PRT_RECV:
        return;
    }
}

static void step(prt_context *ctx)
{
    for (int axis = 0; axis < 2; axis++)
        if (ctx->axis_size[axis] > 1)
            misbehave(ctx, axis);
    for (int index = 0; index < program.call_count; index++)
        run_call(ctx, index);
    period = 97;
    for (int axis = 0; axis < 2; axis++)
        for (int64_t count = 1; ctx->axis_size[axis] > 1 && count < LARGEST / EVENTS; count = count * 17 + 1) {
            send_around(ctx, axis, count);
            send_on_channels(ctx, axis, count);
        }
}

static void init(prt_context *ctx)
{
    hand_fill(PRT_F32, prt_at(ctx, PRT_DEVICE, 0), AT_END / 4, 1);
}

/* ---- Tables ------------------------------------------------------------------------------------------------- */

static const prt_source sources[] = {{"collectives.place", 1, "all"}, {"collectives.place", 2, "a collective"}};

/* One tensor for each of the counts, and a unit for each tensor. */
enum { COUNTS = sizeof counts / sizeof counts[0] };
static prt_tensor tensors[COUNTS];
static prt_member members[COUNTS];
static prt_unit units[COUNTS];

static int add_layout(prt_layout layout)
{
    layouts[program.layout_count] = layout;
    return program.layout_count++;
}

/* The first of those that ALGORITHM names that the collective has. */
static const char *algorithm_of(prt_collective op)
{
    static char names[256], *rest;
    snprintf(names, sizeof names, "%s", getenv("ALGORITHM") != NULL ? getenv("ALGORITHM") : "");
    for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest))
        if (prt_algorithm_of(op, name) != NULL)
            return strdup(name); /* kept until the end */
    return "direct";
}

static int add_call(prt_collective op, int group, prt_dtype dtype, prt_layout from, prt_layout into)
{
    calls[program.call_count] = (prt_call){.op = op,
                                           .state = "test",
                                           .group = group,
                                           .algorithm = algorithm_of(op),
                                           .dtype = dtype,
                                           .from = add_layout(from),
                                           .into = add_layout(into),
                                           .event = -1,
                                           .source = 1};
    return program.call_count++;
}

static prt_layout cut_dim(prt_layout layout, int dim, int group)
{
    for (int i = 0; i < groups[group].axis_count; i++)
        layout.dims[dim].cut[layout.dims[dim].cut_count++] = groups[group].axis[i];
    return layout;
}

static void add_units(int group)
{
    for (int c = 0; c < COUNTS; c++) {
        prt_layout whole = {.unit = c}, piece = whole;
        for (int i = 0; i < groups[group].axis_count; i++)
            piece.cut[piece.cut_count++] = groups[group].axis[i];
        for (int d = 0; d < DTYPES; d++) {
            add_call(PRT_REDUCE_SCATTER, group, dtypes[d], whole, piece);
            add_call(PRT_ALL_GATHER, group, dtypes[d], piece, whole);
        }
    }
}

static void add_dense(int group)
{
    static const int64_t segments[] = {4, 2, 8};
    prt_layout wholes[] = {
        {.unit = -1, .dim_count = 1, .dims = {{.size = 5}}},
        {.unit = -1, .dim_count = 2, .dims = {{.size = 6, .cut_count = 1, .cut = {PRT_MICRO}}, {.size = 7}}},
        {.unit = -1,
         .dim_count = 3,
         .dims = {{.size = 33}, {.size = 14, .segment_count = 3, .segments = segments}, {.size = 40}}},
        {.unit = -1, .dim_count = 3, .dims = {{.size = 12}, {.size = 9}, {.size = 5}}}};
    for (size_t w = 0; w < sizeof wholes / sizeof wholes[0]; w++)
        for (int dim = 0; dim < wholes[w].dim_count; dim++) {
            prt_dtype dtype = dtypes[(w + (size_t)dim) % DTYPES];
            prt_layout piece = cut_dim(wholes[w], dim, group);
            add_call(PRT_REDUCE_SCATTER, group, dtype, wholes[w], piece);
            add_call(PRT_ALL_GATHER, group, dtype, piece, wholes[w]);
            for (int other = 0; other < wholes[w].dim_count; other++)
                if (other != dim)
                    add_call(PRT_ALL_TO_ALL, group, dtype, piece, cut_dim(wholes[w], other, group));
        }
}

static void add_filled(int group)
{
    prt_layout whole = {
        .unit = -1, .dim_count = 4, .dims = {{.size = 13}, {.size = 7}, {.size = PLACES}, {.size = WIDTH}}};
    for (int d = 0; d < DTYPES; d++)
        for (int dim = 0; dim < 2; dim++)
            add_call(PRT_ALL_TO_ALL_FILLED, group, dtypes[d], cut_dim(whole, dim, group),
                     cut_dim(whole, 1 - dim, group));
}

static void add_halos(int group)
{
    for (int dim = 0; dim < 3; dim++) {
        prt_layout whole = {.unit = -1, .dim_count = 3, .dims = {{.size = 13}, {.size = 11}, {.size = 12}}};
        prt_layout plain = cut_dim(whole, dim, group);
        plain.dims[(dim + 1) % 3].halo_before = 1;
        prt_layout wide = plain;
        wide.dims[dim].halo_before = 1;
        wide.dims[dim].halo_after = 2;
        add_call(PRT_HALO, group, dtypes[dim], plain, wide);
        add_call(PRT_HALO_ADD, group, dtypes[dim], wide, plain);
    }
}

static void add_messages(int axis)
{
    prt_layout scalar = {.unit = -1};
    message_calls[axis] = program.call_count;
    for (int kind = 0; kind < MESSAGE_CALLS; kind++)
        for (int event = 0; event < EVENTS; event++) {
            bool sends = kind == SEND || kind == SEND_STARTED || kind == SEND_OTHER;
            bool started = kind == SEND_STARTED || kind == RECV_STARTED || kind == SEND_OTHER;
            prt_call *call = &calls[add_call(sends ? PRT_SEND : PRT_RECV, axis, PRT_F64, scalar, scalar)];
            call->event = started ? event : -1;
            call->channel = kind == SEND_OTHER || kind == RECV_OTHER ? 1 : 0;
        }
}

static void add_calls(void)
{
    prt_layout scalar = {.unit = -1};
    for (int group = 0; group < GROUPS; group++) {
        for (int d = 0; d < DTYPES; d++) {
            add_call(PRT_ALL_REDUCE, group, dtypes[d], scalar, scalar);
            calls[add_call(PRT_ALL_REDUCE, group, dtypes[d], scalar, scalar)].reduction = PRT_MAX;
        }
        add_units(group);
        add_dense(group);
        add_filled(group);
        if (groups[group].axis_count > 1)
            continue;
        add_halos(group);
        for (int d = 0; d < DTYPES; d++) {
            add_call(PRT_PERMUTE, group, dtypes[d], scalar, scalar);
            add_call(PRT_BROADCAST, group, dtypes[d], scalar, scalar);
        }
        add_messages(group);
    }
}

static prt_program program = {
    .format = PRT_FORMAT,
    .name = "collectives",
    .file = "collectives.place",
    .plan_hash = "by hand",
    .version = "test",
    .axis_count = 2,
    .axes = {{"a", A}, {"b", B}},
    .compute_dtype = PRT_F64,
    .arena_bytes = {AT_END},
    .batch = 1,
    .micro = 2,
    .steps = 1,
    .items_per_step = 1,
    .item = "steps",
    .data = PRT_SYNTHETIC,
    .tensor_count = COUNTS,
    .unit_count = COUNTS,
    .group_count = GROUPS,
    .event_count = EVENTS,
    .source_count = 2,
    .tensors = tensors,
    .units = units,
    .groups = groups,
    .layouts = layouts,
    .calls = calls,
    .sources = sources,
    .init = init,
    .step = step,
};

int main(int argc, char **argv)
{
    for (int c = 0; c < COUNTS; c++) {
        tensors[c] = (prt_tensor){.name = "x", .layers = 1, .dtype = PRT_F32, .dim_count = 1, .dims = {counts[c]}};
        members[c] = (prt_member){.tensor = c};
        units[c] = (prt_unit){.name = "x", .member_count = 1, .members = &members[c], .elements = counts[c]};
    }
    add_calls();
    return prt_main(argc, argv, &program);
}
