/* exhaust.c - writes the programs: a fixed skeleton per setting, with moves at five moments. */
#include "tests/sim/exhaust.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Settings ----------------------------------------------------------------------------------------------- */

/* Every combination of these rows: meshes, microbatches and batches ... */
static const struct {
    int axis_sizes[2], micro, batch;
    bool local_mean;
} grounds[] = {
    {{2, 0}, 1, 6, false}, {{2, 0}, 2, 12, false}, {{3, 0}, 1, 6, false}, {{3, 0}, 2, 12, false}, {{2, 0}, 2, 12, true},
    {{3, 0}, 1, 7, true},  {{2, 0}, 2, 7, false},  {{2, 3}, 1, 6, false}, {{3, 2}, 2, 12, false}, {{2, 2}, 1, 9, true},
};

/* ... and layouts. */
static const struct {
    bool parameters, gradients, optimizer, free_loss;
} layouts[] = {
    {false, false, false, false}, {false, false, true, false}, {false, true, true, false},  {false, true, false, false},
    {true, true, true, false},    {true, false, true, false},  {false, false, false, true},
};

enum { GROUND_COUNT = sizeof grounds / sizeof grounds[0], LAYOUT_COUNT = sizeof layouts / sizeof layouts[0] };

/* The units of the model of two are laid out apart: the first as the setting says, the second replicated. */
static const int model_units[MODEL_COUNT] = {[MODEL_ONE] = 1, [MODEL_TWO] = 2, [MODEL_LAYERS] = 1};

int exhaust_setting_count(void)
{
    return MODEL_COUNT * GROUND_COUNT * LAYOUT_COUNT * 3;
}

/* The shard axes are a dimension of three, of which a mesh of one axis has only the first. */
static bool setting_of(int index, ExhaustSetting *setting)
{
    int shard = index % 3, layout = index / 3 % LAYOUT_COUNT, ground = index / 3 / LAYOUT_COUNT % GROUND_COUNT;
    *setting = (ExhaustSetting){
        .model = (ExhaustModel)(index / 3 / LAYOUT_COUNT / GROUND_COUNT),
        .axis_sizes = {grounds[ground].axis_sizes[0], grounds[ground].axis_sizes[1]},
        .micro = grounds[ground].micro,
        .batch = grounds[ground].batch,
        .shard_axes = (unsigned)shard + 1,
        .parameters = layouts[layout].parameters,
        .gradients = layouts[layout].gradients,
        .optimizer = layouts[layout].optimizer,
        .local_mean = grounds[ground].local_mean,
        .free_loss = layouts[layout].free_loss,
    };
    bool cut = setting->parameters || setting->gradients || setting->optimizer;
    return shard == 0 || (setting->axis_sizes[1] && cut);
}

/* ---- Moves -------------------------------------------------------------------------------------------------- */

/* HAND_OUT: what rank 0 has, to all; SHIFT: each gets what the next on a ring has. */
typedef enum Operation { REDUCE_ALL, REDUCE_INTO_SHARDS, GATHER, CUT, HAND_OUT, SHIFT } Operation;

typedef enum Place { FULL_GRADIENT, SHARD_GRADIENT, FULL_PARAMETER, SHARD_PARAMETER, LOSS } Place;

typedef enum Moment { AT_START, EACH_MICROBATCH, AFTER_MICROBATCH_0, AFTER_LOOP, AFTER_UPDATE, MOMENT_COUNT } Moment;

typedef struct ExhaustMove {
    Operation operation;
    Place from, to;
    int unit;
    unsigned axes;
    Moment moment;
    int layers; /* of a group: 0 all, 1 only the first, 2 only the last */
} ExhaustMove;

static const struct {
    Operation operation;
    Place from, to;
} kinds_of_moves[] = {
    {REDUCE_ALL, FULL_GRADIENT, FULL_GRADIENT},
    {REDUCE_ALL, SHARD_GRADIENT, SHARD_GRADIENT},
    {REDUCE_ALL, FULL_PARAMETER, FULL_PARAMETER},
    {REDUCE_ALL, SHARD_PARAMETER, SHARD_PARAMETER},
    {REDUCE_ALL, LOSS, LOSS},
    {REDUCE_INTO_SHARDS, FULL_GRADIENT, SHARD_GRADIENT},
    {GATHER, SHARD_GRADIENT, FULL_GRADIENT},
    {GATHER, SHARD_PARAMETER, FULL_PARAMETER},
    {CUT, FULL_GRADIENT, SHARD_GRADIENT},
    {CUT, FULL_PARAMETER, SHARD_PARAMETER},
    {HAND_OUT, FULL_GRADIENT, FULL_GRADIENT},
    {HAND_OUT, FULL_PARAMETER, FULL_PARAMETER},
    {HAND_OUT, LOSS, LOSS},
    {SHIFT, FULL_GRADIENT, FULL_GRADIENT},
    {SHIFT, SHARD_GRADIENT, SHARD_GRADIENT},
    {SHIFT, SHARD_PARAMETER, SHARD_PARAMETER},
};

typedef enum ScaleKind { SCALE_NONE, SCALE_DIVIDE, SCALE_MULTIPLY, SCALE_MICRO, SCALE_BOTH, SCALE_COUNT } ScaleKind;

typedef struct ExhaustCase {
    int16_t moves[3];
    int8_t count, scaled; /* which move is followed by a scale */
    int8_t scale;
} ExhaustCase;

static bool along_an_axis(Operation operation)
{
    return operation == HAND_OUT || operation == SHIFT;
}

/* The larger models have fewer moves: those that make no sense for any layout are left to the model of one. */
static bool worth_trying(const ExhaustSetting *setting, const ExhaustMove *move)
{
    if (setting->micro == 1 && (move->moment == EACH_MICROBATCH || move->moment == AFTER_MICROBATCH_0))
        return false;
    if (setting->model == MODEL_ONE)
        return true;
    if (along_an_axis(move->operation))
        return false;
    bool parameters = move->to == FULL_PARAMETER || move->to == SHARD_PARAMETER;
    if (move->operation == REDUCE_ALL && parameters)
        return false;
    if (move->unit == 1 && (move->operation != REDUCE_ALL || move->from == SHARD_GRADIENT))
        return false; /* the second unit is replicated */
    return move->moment != AFTER_MICROBATCH_0 && (parameters || move->moment != AT_START);
}

static void add_moves(SimPool *pool, Exhaust *exhaust, ExhaustMove move)
{
    const ExhaustSetting *setting = &exhaust->setting;
    int ranges = setting->model == MODEL_LAYERS && move.from != LOSS ? 3 : 1;
    for (int moment = 0; moment < MOMENT_COUNT; moment++)
        for (move.layers = 0; move.layers < ranges; move.layers++) {
            move.moment = (Moment)moment;
            if (!worth_trying(setting, &move))
                continue;
            exhaust->moves = sim_pool_grow(pool, exhaust->moves, exhaust->move_count, sizeof(ExhaustMove));
            exhaust->moves[exhaust->move_count++] = move;
        }
}

static void make_moves(SimPool *pool, Exhaust *exhaust)
{
    const ExhaustSetting *setting = &exhaust->setting;
    for (size_t k = 0; k < sizeof kinds_of_moves / sizeof kinds_of_moves[0]; k++)
        for (int unit = 0; unit < model_units[setting->model]; unit++)
            for (unsigned axes = 1; axes < (setting->axis_sizes[1] ? 4u : 2u); axes++) {
                ExhaustMove move = {.operation = kinds_of_moves[k].operation,
                                    .from = kinds_of_moves[k].from,
                                    .to = kinds_of_moves[k].to,
                                    .unit = unit,
                                    .axes = axes};
                if (along_an_axis(move.operation) ? axes == 3 : move.operation != REDUCE_ALL && axes != setting->shard_axes)
                    continue;
                if (move.from == LOSS && unit > 0)
                    continue;
                add_moves(pool, exhaust, move);
            }
}

static void add_scales(SimPool *pool, Exhaust *exhaust, ExhaustCase base)
{
    for (int scaled = -1; scaled < base.count; scaled++)
        for (int scale = scaled < 0 ? SCALE_NONE : SCALE_DIVIDE; scale < (scaled < 0 ? 1 : SCALE_COUNT); scale++) {
            if (scale >= SCALE_MICRO && exhaust->setting.micro == 1)
                continue;
            if (scale == SCALE_BOTH && !exhaust->setting.local_mean)
                continue;
            base.scaled = (int8_t)scaled;
            base.scale = (int8_t)scale;
            exhaust->cases = sim_pool_grow(pool, exhaust->cases, (int)exhaust->count, sizeof(ExhaustCase));
            exhaust->cases[exhaust->count++] = base;
        }
}

/* Whether three moves read what was never written, or leave unwritten what the update reads: one and two moves show
 * that often enough. Of the model of two only the first unit is looked at. */
static bool surely_unwritten(const Exhaust *exhaust, const ExhaustCase *the_case)
{
    const ExhaustSetting *setting = &exhaust->setting;
    bool written[] = {[FULL_GRADIENT] = false,
                      [SHARD_GRADIENT] = false,
                      [FULL_PARAMETER] = !setting->parameters,
                      [SHARD_PARAMETER] = setting->parameters,
                      [LOSS] = false};
    bool updated = false;
    for (int m = 0; m <= the_case->count; m++) {
        const ExhaustMove *move = m < the_case->count ? &exhaust->moves[the_case->moves[m]] : NULL;
        if (!move || move->moment > AT_START) {
            written[FULL_GRADIENT] = written[LOSS] = true;
            written[SHARD_GRADIENT] = written[SHARD_GRADIENT] || setting->gradients;
            if (!written[FULL_PARAMETER])
                return true;
        }
        if (!updated && (!move || move->moment > AFTER_LOOP)) {
            updated = true;
            if (setting->optimizer && (!written[SHARD_GRADIENT] || !written[SHARD_PARAMETER]))
                return true;
        }
        if (!move || move->unit == 1)
            continue;
        if (!written[move->from])
            return true;
        written[move->to] = true;
    }
    return false;
}

/* Moves at different moments do not depend on the order they are listed in: moments never go back. */
static void make_cases(SimPool *pool, Exhaust *exhaust, ExhaustCase base)
{
    if (base.count < 3 || !surely_unwritten(exhaust, &base))
        add_scales(pool, exhaust, base);
    if (base.count == 3)
        return;
    for (int m = 0; m < exhaust->move_count; m++) {
        if (base.count > 0 && exhaust->moves[m].moment < exhaust->moves[base.moves[base.count - 1]].moment)
            continue;
        ExhaustCase longer = base;
        longer.moves[longer.count++] = (int16_t)m;
        make_cases(pool, exhaust, longer);
    }
}

Exhaust *exhaust_new(SimPool *pool, int setting)
{
    Exhaust *exhaust = sim_new(pool, Exhaust);
    if (setting_of(setting, &exhaust->setting)) {
        make_moves(pool, exhaust);
        make_cases(pool, exhaust, (ExhaustCase){0});
    }
    return exhaust;
}

void exhaust_describe(const Exhaust *exhaust, char *text, size_t size)
{
    static const char *const models[MODEL_COUNT] = {"one", "two", "layers"};
    const ExhaustSetting *s = &exhaust->setting;
    snprintf(text, size, "%s, mesh %dx%d, K %d, batch %d, cut%s%s%s%s over %u%s%s", models[s->model], s->axis_sizes[0],
             s->axis_sizes[1], s->micro, s->batch, s->parameters ? " parameters" : "", s->gradients ? " gradients" : "",
             s->optimizer ? " optimizer" : "", s->parameters || s->gradients || s->optimizer ? "" : " nothing",
             s->shard_axes, s->local_mean ? ", local means" : "", s->free_loss ? ", loss free" : "");
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

typedef struct Writer {
    char *text;
    size_t length, size;
    const Exhaust *exhaust;
    const ExhaustSetting *setting;
    const ExhaustCase *the_case;
    int loops;
} Writer;

static void put(Writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(Writer *writer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = writer->size > writer->length ? writer->size - writer->length : 0;
    int needed = vsnprintf(room ? writer->text + writer->length : NULL, room, format, args);
    va_end(args);
    writer->length += needed > 0 ? (size_t)needed : 0;
}

/* "data", "pod" or "data, pod" (with the separator given). */
static const char *axes_text(unsigned axes, const char *separator, char text[24])
{
    snprintf(text, 24, "%s%s%s", axes & 1 ? "data" : "", axes == 3 ? separator : "", axes & 2 ? "pod" : "");
    return text;
}

static const char *batch_cut(const Writer *writer)
{
    return writer->setting->axis_sizes[1] ? "micro/data/pod" : "micro/data";
}

static const char *all_axes(const Writer *writer)
{
    return writer->setting->axis_sizes[1] ? "data, pod" : "data";
}

static int axes_size(const ExhaustSetting *setting, unsigned axes)
{
    return (axes & 1 ? setting->axis_sizes[0] : 1) * (axes & 2 ? setting->axis_sizes[1] : 1);
}

/* What the two models call the parameters of a unit: member tensors, and the unit. */
typedef struct ModelUnit {
    const char *tensor, *dims, *unit, *group;
    int slots;
} ModelUnit;

static ModelUnit unit_of(ExhaustModel model, int unit)
{
    static const ModelUnit one = {"w", "[3]", "all", "", 1};
    static const ModelUnit two[] = {{"u", "[3, 2]", "first", "", 1}, {"w", "[2]", "second", "", 1}};
    static const ModelUnit layers = {"w", "[3, 3]", "block", " in block", 2};
    return model == MODEL_ONE ? one : model == MODEL_TWO ? two[unit] : layers;
}

static void put_declarations(Writer *writer)
{
    const ExhaustSetting *s = writer->setting;
    put(writer, "place-step 1\nmodel small\ncontract exact\ncompute f64\nmicro %d\naxis data %d\n", s->micro,
        s->axis_sizes[0]);
    if (s->axis_sizes[1])
        put(writer, "axis pod %d\n", s->axis_sizes[1]);
    if (s->model == MODEL_LAYERS)
        put(writer, "group block 2\n");
    put(writer, "tensor x input f64 [%d, 3] batch 0\ntensor t input f64 [%d] batch 0\n", s->batch, s->batch);
    for (int unit = 0; unit < model_units[s->model]; unit++) {
        ModelUnit u = unit_of(s->model, unit);
        put(writer, "tensor %s parameter f64 %s%s init normal 0.5\n", u.tensor, u.dims, u.group);
    }
    put(writer, "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
                "state momentum optimizer per_parameter f64\n");
    for (int unit = 0; unit < model_units[s->model]; unit++) {
        ModelUnit u = unit_of(s->model, unit);
        put(writer, "unit %s%s = %s\n", u.unit, s->model == MODEL_LAYERS ? " in block 0..1" : "", u.tensor);
    }
}

/* Buffers of activations; `cut` is how the batch is cut, "" in the reference. */
static void put_activations(Writer *writer, const char *cut)
{
    const ExhaustSetting *s = writer->setting;
    const char *slash = *cut ? "/" : "";
    put(writer, "buffer x f64 [%d%s%s, 3] activations\n", s->batch, slash, cut);
    for (const char *name = "tyced"; *name; name++)
        put(writer, "buffer %c f64 [%d%s%s] activations\n", *name, s->batch, slash, cut);
    if (s->model == MODEL_TWO)
        put(writer, "buffer h f64 [%d%s%s, 2] activations\nbuffer dh f64 [%d%s%s, 2] activations\n", s->batch, slash,
            cut, s->batch, slash, cut);
    if (s->model == MODEL_LAYERS)
        put(writer, "buffer h f64 [%d%s%s, 3] slots 3 activations\nbuffer dh f64 [%d%s%s, 3] slots 3 activations\n",
            s->batch, slash, cut, s->batch, slash, cut);
    put(writer, "buffer loss f64 [] activations\nbuffer rate f64 [] buffers\n");
}

/* Forward and backward of one (micro)batch; parameters and gradients are P, G and, in the model of two, P1, G1. */
static void put_model(Writer *writer, bool reference)
{
    const ExhaustSetting *s = writer->setting;
    const char *member_w = reference ? "" : ":w", *member_u = reference ? "" : ":u";
    switch (s->model) {
    case MODEL_ONE:
        put(writer, "y = einsum(x, p0%s) \"bh,h->b\"\n", member_w);
        break;
    case MODEL_TWO:
        put(writer, "h = einsum(x, p0%s) \"bi,ih->bh\"\ny = einsum(h, p1%s) \"bh,h->b\"\n", member_u, member_w);
        break;
    case MODEL_LAYERS:
        put(writer,
            "h[0] = copy(x) \"bi->bi\"\nloop l1 layers block 0..1 {\n"
            "h[l1+1] = einsum(h[l1], p0[l1]%s) \"bi,io->bo\"\n}\ny = reduce(h[2]) \"bh->b\"\n",
            member_w);
        break;
    case MODEL_COUNT:
        break;
    }
    put(writer, "e = squared_error(y, t) \"b,b->b\"\nloss += reduce(e) \"b->\"\n");
    if (s->local_mean && !reference)
        put(writer, "c = fill(; 1) \"b\"\nc = scale(c) \"b->b\" scale 1/1 local \"b\"\n");
    else
        put(writer, "c = fill(; %.17g) \"b\"\n", 1.0 / s->batch);
    put(writer, "d = squared_error_bwd(y, t, c) \"b,b,b->b\"\n");
    switch (s->model) {
    case MODEL_ONE:
        put(writer, "g0%s += einsum(x, d) \"bh,b->h\"\n", member_w);
        break;
    case MODEL_TWO:
        put(writer,
            "g1%s += einsum(h, d) \"bh,b->h\"\ndh = einsum(d, p1%s) \"b,h->bh\"\n"
            "g0%s += einsum(x, dh) \"bi,bh->ih\"\n",
            member_w, member_w, member_u);
        break;
    case MODEL_LAYERS:
        put(writer,
            "dh[2] = copy(d) \"b->bh\"\nloop l2 layers block 1..0 down {\n"
            "g0[l2]%s += einsum(h[l2], dh[l2+1]) \"bi,bo->io\"\n"
            "dh[l2] = einsum(dh[l2+1], p0[l2]%s) \"bo,io->bi\"\n}\n",
            member_w, member_w);
        break;
    case MODEL_COUNT:
        break;
    }
}

/* Opens a loop over all layers of the group (or some: 1 the first, 2 the last); returns the slot to use in it. */
static const char *open_layers(Writer *writer, int layers, char slot[16])
{
    slot[0] = '\0';
    if (writer->setting->model != MODEL_LAYERS)
        return slot;
    int loop = writer->loops++;
    put(writer, "loop l%d layers block %d..%d {\n", loop, layers == 2, layers != 1);
    snprintf(slot, 16, "[l%d]", loop);
    return slot;
}

static void close_layers(Writer *writer)
{
    if (writer->setting->model == MODEL_LAYERS)
        put(writer, "}\n");
}

static void put_fill(Writer *writer, const char *name, int unit, const char *spec)
{
    char slot[16];
    open_layers(writer, 0, slot);
    put(writer, "%s%d%s = fill(; 0)%s\n", name, unit, slot, spec);
    close_layers(writer);
}

static void put_reference(Writer *writer)
{
    const ExhaustSetting *s = writer->setting;
    static const char *const specs[MODEL_COUNT][2] = {
        [MODEL_ONE] = {"a", NULL}, [MODEL_TWO] = {"ab", "a"}, [MODEL_LAYERS] = {"ab", NULL}};
    int units = model_units[s->model];
    put(writer, "reference {\n");
    writer->loops = 3;
    for (int unit = 0; unit < units; unit++) {
        ModelUnit u = unit_of(s->model, unit);
        put(writer, "buffer p%d f64 %s slots %d parameters persistent state parameters of %s\n", unit, u.dims, u.slots,
            u.tensor);
        put(writer, "buffer m%d f64 %s slots %d optimizer persistent state momentum of %s\n", unit, u.dims, u.slots,
            u.tensor);
        put(writer, "buffer g%d f64 %s slots %d gradients state gradients of %s\n", unit, u.dims, u.slots, u.tensor);
    }
    put_activations(writer, "");
    put(writer, "routine init {\n");
    for (int unit = 0; unit < units; unit++) {
        char slot[16], spec[8];
        snprintf(spec, sizeof spec, " \"%s\"", specs[s->model][unit]);
        open_layers(writer, 0, slot);
        put(writer, "p%d%s = init() tensor %s seed 1\n", unit, slot, unit_of(s->model, unit).tensor);
        close_layers(writer);
        put_fill(writer, "m", unit, spec);
    }
    put(writer, "}\nroutine step {\nx = read() tensor x index 0\nt = read() tensor t index 0\nloss = fill(; 0)\n");
    for (int unit = 0; unit < units; unit++) {
        char spec[8];
        snprintf(spec, sizeof spec, " \"%s\"", specs[s->model][unit]);
        put_fill(writer, "g", unit, spec);
    }
    put_model(writer, true);
    put(writer, "loss = scale(loss) scale 1/%d\noutput(loss) name \"loss\"\nrate = fill(; 0.25)\n", s->batch);
    for (int unit = 0; unit < units; unit++) {
        char slot[16];
        const char *l = specs[s->model][unit], *tensor = unit_of(s->model, unit).tensor;
        open_layers(writer, 0, slot);
        put(writer, "m%d%s = momentum(m%d%s, g%d%s; 0.5) \"%s,%s->%s\" tensor %s\n", unit, slot, unit, slot, unit, slot,
            l, l, l, tensor);
        put(writer, "p%d%s = sgd(p%d%s, m%d%s, rate) \"%s,%s,->%s\" tensor %s\n", unit, slot, unit, slot, unit, slot, l,
            l, l, tensor);
        close_layers(writer);
    }
    put(writer, "}\n}\n");
}

/* The second unit of the model of two is replicated whatever the setting says. */
static bool cut_parameters(const Writer *writer, int unit)
{
    return unit == 0 && writer->setting->parameters;
}

static bool cut_gradients(const Writer *writer, int unit)
{
    return unit == 0 && writer->setting->gradients;
}

static bool cut_optimizer(const Writer *writer, int unit)
{
    return unit == 0 && writer->setting->optimizer;
}

static void put_unit_buffers(Writer *writer, int unit)
{
    ModelUnit u = unit_of(writer->setting->model, unit);
    char axes[24];
    axes_text(writer->setting->shard_axes, "/", axes);
    bool parameters = cut_parameters(writer, unit), optimizer = cut_optimizer(writer, unit);
    put(writer, "buffer p%d f64 unit %s slots %d %s\n", unit, u.unit, u.slots,
        parameters ? "buffers" : "parameters persistent state parameters");
    put(writer, "buffer ps%d f64 unit %s/%s slots %d %s\n", unit, u.unit, axes, u.slots,
        parameters ? "parameters persistent state parameters" : "buffers");
    put(writer, "buffer g%d f64 unit %s slots %d gradients state gradients\n", unit, u.unit, u.slots);
    put(writer, "buffer gs%d f64 unit %s/%s slots %d gradients state gradients\n", unit, u.unit, axes, u.slots);
    put(writer, "buffer m%d f64 unit %s%s%s slots %d optimizer persistent state momentum\n", unit, u.unit,
        optimizer ? "/" : "", optimizer ? axes : "", u.slots);
}

static const char *place_name(Place place)
{
    switch (place) {
    case FULL_GRADIENT:
        return "g";
    case SHARD_GRADIENT:
        return "gs";
    case FULL_PARAMETER:
        return "p";
    case SHARD_PARAMETER:
        return "ps";
    case LOSS:
        return "loss";
    }
    return "";
}

static void put_move_scale(Writer *writer, const ExhaustMove *move, const char *to)
{
    int size = axes_size(writer->setting, move->axes);
    switch ((ScaleKind)writer->the_case->scale) {
    case SCALE_DIVIDE:
        put(writer, "%s = scale(%s) scale 1/%d\n", to, to, size);
        return;
    case SCALE_MULTIPLY:
        put(writer, "%s = scale(%s) scale %d/1\n", to, to, size);
        return;
    case SCALE_MICRO:
        put(writer, "%s = scale(%s) scale 1/%d\n", to, to, writer->setting->micro);
        return;
    case SCALE_BOTH:
        put(writer, "%s = scale(%s) scale 1/%d\n", to, to, size * writer->setting->micro);
        return;
    case SCALE_NONE:
    case SCALE_COUNT:
        return;
    }
}

static void put_move(Writer *writer, const ExhaustMove *move, bool scaled)
{
    static const char *const operations[] = {
        [REDUCE_ALL] = "all_reduce", [REDUCE_INTO_SHARDS] = "reduce_scatter", [GATHER] = "all_gather", [CUT] = "slice",
        [HAND_OUT] = "broadcast",  [SHIFT] = "permute"};
    char slot[16] = "", axes[24], from[32], to[32];
    bool in_unit = move->from != LOSS;
    if (in_unit)
        open_layers(writer, move->layers, slot);
    const char *unit = !in_unit ? "" : move->unit == 0 ? "0" : "1";
    snprintf(from, sizeof from, "%s%s%s", place_name(move->from), unit, slot);
    snprintf(to, sizeof to, "%s%s%s", place_name(move->to), unit, slot);
    /* A cut accumulator is added to, microbatch by microbatch. */
    bool inside = move->moment == EACH_MICROBATCH || move->moment == AFTER_MICROBATCH_0;
    bool adds =
        inside && cut_gradients(writer, move->unit) && move->from == FULL_GRADIENT && move->to == SHARD_GRADIENT;
    bool sums = move->operation == REDUCE_ALL || move->operation == REDUCE_INTO_SHARDS;
    if (scaled && adds) /* what is added is scaled, not the sum so far */
        put_move_scale(writer, move, from);
    put(writer, "%s %s= %s(%s) %sover %s", to, adds ? "+" : "", operations[move->operation], from, sums ? "sum " : "",
        axes_text(move->axes, ", ", axes));
    if (move->operation == HAND_OUT)
        put(writer, " index 0");
    else if (move->operation == SHIFT)
        put(writer, " index @%s+1 %% %d", axes, axes_size(writer->setting, move->axes));
    put(writer, "\n");
    if (scaled && !adds)
        put_move_scale(writer, move, to);
    if (in_unit)
        close_layers(writer);
}

static void put_moves(Writer *writer, Moment moment)
{
    for (int m = 0; m < writer->the_case->count; m++) {
        const ExhaustMove *move = &writer->exhaust->moves[writer->the_case->moves[m]];
        if (move->moment != moment)
            continue;
        if (moment == AFTER_MICROBATCH_0)
            put(writer, "guard l0 in 0..0 {\n");
        put_move(writer, move, writer->the_case->scaled == m);
        if (moment == AFTER_MICROBATCH_0)
            put(writer, "}\n");
    }
}

static void put_unit_update(Writer *writer, int unit)
{
    char slot[16];
    const char *tensor = unit_of(writer->setting->model, unit).tensor, *shard = cut_optimizer(writer, unit) ? "s" : "";
    open_layers(writer, 0, slot);
    put(writer, "m%d%s = momentum(m%d%s, g%s%d%s; 0.5) tensor %s\n", unit, slot, unit, slot, shard, unit, slot, tensor);
    put(writer, "p%s%d%s = sgd(p%s%d%s, m%d%s, rate) tensor %s\n", shard, unit, slot, shard, unit, slot, unit, slot,
        tensor);
    close_layers(writer);
}

static void put_init(Writer *writer)
{
    put(writer, "routine init {\n");
    for (int unit = 0; unit < model_units[writer->setting->model]; unit++) {
        const char *tensor = unit_of(writer->setting->model, unit).tensor;
        char slot[16];
        open_layers(writer, 0, slot);
        if (cut_parameters(writer, unit))
            put(writer, "ps%d%s = init() tensor %s seed 1\n", unit, slot, tensor);
        else
            put(writer, "p%d%s:%s = init() tensor %s seed 1\n", unit, slot, tensor, tensor);
        close_layers(writer);
        put_fill(writer, "m", unit, "");
    }
    put(writer, "}\n");
}

static void put_program(Writer *writer)
{
    const ExhaustSetting *s = writer->setting;
    int units = model_units[s->model];
    put(writer, "program {\n");
    writer->loops = 3;
    for (int unit = 0; unit < units; unit++)
        put_unit_buffers(writer, unit);
    put_activations(writer, batch_cut(writer));
    put_init(writer);
    put(writer, "routine step {\n");
    put_moves(writer, AT_START);
    put(writer, "loss = fill(; 0)\n");
    for (int unit = 0; unit < units; unit++)
        put_fill(writer, cut_gradients(writer, unit) ? "gs" : "g", unit, "");
    put(writer, "loop l0 micro 0..%d {\n", s->micro - 1);
    for (int unit = 0; unit < units; unit++)
        if (cut_gradients(writer, unit))
            put_fill(writer, "g", unit, "");
    put(writer, "x = read() tensor x over %s index l0\nt = read() tensor t over %s index l0\n", all_axes(writer),
        all_axes(writer));
    put_model(writer, false);
    put_moves(writer, EACH_MICROBATCH);
    put_moves(writer, AFTER_MICROBATCH_0);
    put(writer, "}\n");
    put_moves(writer, AFTER_LOOP);
    put(writer, "loss = scale(loss) scale 1/%d\n", s->batch);
    if (!s->free_loss)
        put(writer, "loss = all_reduce(loss) sum over %s\n", all_axes(writer));
    put(writer, "output(loss) name \"loss\"\nrate = fill(; 0.25)\n");
    for (int unit = 0; unit < units; unit++)
        put_unit_update(writer, unit);
    put_moves(writer, AFTER_UPDATE);
    put(writer, "}\n}\n");
}

size_t exhaust_text(const Exhaust *exhaust, int64_t index, char *text, size_t size)
{
    Writer writer = {.text = text,
                     .size = size,
                     .exhaust = exhaust,
                     .setting = &exhaust->setting,
                     .the_case = &exhaust->cases[index]};
    put_declarations(&writer);
    put_reference(&writer);
    put_program(&writer);
    return writer.length < size ? writer.length : 0;
}
