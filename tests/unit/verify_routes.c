/* Every route that the planner of conversions takes with operators of step programs is proved: a value that goes
 * through it is, put together again, what it was. A program is made for some pairs of placements at once; the operators
 * of each pair come from the planner's steps and nothing else.
 */
#include "algebra/convert.h"
#include "tests/unit/placement_list.h"
#include "tests/unit/verify_support.h"

typedef struct Writing {
    const Mesh *mesh;
    const int64_t *sizes;
    int dims;
    Text buffers, body;
    int count;      /* of buffers t0, t1 ... */
    bool forgetful; /* sums are forgotten: what is partial is taken for whole */
} Writing;

static const char *letters_of(int dims)
{
    static const char *const letters[] = {"", "b", "bh", "bhk"};
    return letters[dims];
}

static int new_buffer(Writing *w, const Placement *p)
{
    text_add(&w->buffers, "buffer t%d f64 [", w->count);
    for (int dim = 0; dim < w->dims; dim++) {
        text_add(&w->buffers, "%s%d%s", dim > 0 ? ", " : "", (int)w->sizes[dim], dim == 0 ? "/micro" : "");
        for (int i = 0; i < p->cut_count[dim]; i++)
            text_add(&w->buffers, "/%s", w->mesh->axis[p->cut[dim][i]].name);
    }
    text_add(&w->buffers, "] activations\n");
    return w->count++;
}

static void add_axes(Writing *w, AxisSet axes)
{
    for (int i = 0; i < axes.count; i++)
        text_add(&w->body, "%s%s", i > 0 ? ", " : " over ", w->mesh->axis[axes.axis[i]].name);
    text_add(&w->body, "\n");
}

static int add_step(Writing *w, ConvertKind kind, AxisSet axes, const Placement *after, int from)
{
    const char *letters = letters_of(w->dims);
    int to = new_buffer(w, after);
    text_add(&w->body, "t%d", to);
    if (kind == CONVERT_ALL_REDUCE && w->forgetful) {
        text_add(&w->body, " = copy(t%d) \"%s->%s\"\n", from, letters, letters);
    } else if (kind == CONVERT_PAD) {
        text_add(&w->body, " = fill(; 0) \"%s\"\nt%d = place_shard(t%d, t%d)", letters, to, to, from);
        add_axes(w, axes);
    } else {
        bool sums = kind == CONVERT_ALL_REDUCE || kind == CONVERT_REDUCE_SCATTER;
        text_add(&w->body, " = %s(t%d)%s", convert_kind_name(kind), from, sums ? " sum" : "");
        add_axes(w, axes);
    }
    return to;
}

/* Moves all these axes at once. */
static int add_move(Writing *w, ConvertKind kind, AxisSet axes, OnAxis on, Placement *at, int from)
{
    if (axes.count == 0)
        return from;
    for (int i = axes.count - 1; i >= 0; i--)
        placement_set(at, axes.axis[i], on_replicated());
    for (int i = 0; i < axes.count; i++)
        placement_set(at, axes.axis[i], on);
    return add_step(w, kind, axes, at, from);
}

/* The value x, which every rank has whole, as the placement says. */
static int place(Writing *w, const Placement *p)
{
    Placement at = placement_replicated(w->mesh, w->dims);
    AxisSet parts = placement_axes_of(p, PLACED_PARTIAL);
    int value = new_buffer(w, &at);
    text_add(&w->body, "t%d = copy(x) \"%s->%s\"\n", value, letters_of(w->dims), letters_of(w->dims));
    value = add_move(w, CONVERT_SLICE, parts, on_sharded(0), &at, value);
    value = add_move(w, CONVERT_PAD, parts, on_partial(PARTIAL_SUM), &at, value);
    for (int dim = 0; dim < w->dims; dim++)
        value = add_move(w, CONVERT_SLICE, placement_cuts(p, dim), on_sharded(dim), &at, value);
    return value;
}

/* The whole value again. */
static int put_together(Writing *w, const Placement *p, int value)
{
    Placement at = *p;
    value = add_move(w, CONVERT_ALL_REDUCE, placement_axes_of(p, PLACED_PARTIAL), on_replicated(), &at, value);
    for (int dim = 0; dim < w->dims; dim++)
        value = add_move(w, CONVERT_ALL_GATHER, placement_cuts(p, dim), on_replicated(), &at, value);
    return value;
}

static void add_pair(Writing *w, const Placement *from, const Placement *to, const Conversion *c)
{
    const char *letters = letters_of(w->dims);
    int value = place(w, from);
    for (int i = 0; i < c->count; i++)
        value = add_step(w, c->step[i].kind, c->step[i].axes, &c->step[i].after, value);
    value = put_together(w, to, value);
    text_add(&w->body, "y = mul(t%d, v) \"%s,%s->%s\"\nloss += reduce(y) \"%s->\"\n", value, letters, letters, letters,
             letters);
}

/* The loss is as many times the sum of x * v as there are pairs. */
static void add_program(Text *out, const Writing *w, int pairs)
{
    const char *letters = letters_of(w->dims);
    char dims[64] = "", cut[64] = "";
    for (int dim = 0; dim < w->dims; dim++) {
        snprintf(dims + strlen(dims), sizeof dims - strlen(dims), "%s%d", dim > 0 ? ", " : "", (int)w->sizes[dim]);
        snprintf(cut + strlen(cut), sizeof cut - strlen(cut), "%s%d%s", dim > 0 ? ", " : "", (int)w->sizes[dim],
                 dim == 0 ? "/micro" : "");
    }
    text_add(out, "place-step 1\nmodel routes\ncontract exact\ncompute f64\nmicro 1\n");
    for (int a = 0; a < w->mesh->axis_count; a++)
        text_add(out, "axis %s %d\n", w->mesh->axis[a].name, (int)w->mesh->axis[a].size);
    text_add(out,
             "tensor x input f64 [%s] batch 0\ntensor v input f64 [%s] batch 0\n"
             "tensor w parameter f64 [5] init normal 0.5\nstate parameters parameters per_parameter f64\n"
             "state gradients gradients per_parameter f64\nunit all = w\n",
             dims, dims);
    text_add(out,
             "reference {\nbuffer w f64 [5] parameters persistent state parameters of w\n"
             "buffer g f64 [5] gradients state gradients of w\nbuffer x f64 [%s] activations\n"
             "buffer v f64 [%s] activations\nbuffer y f64 [%s] activations\nbuffer loss f64 [] activations\n"
             "buffer rate f64 [] buffers\nroutine init {\nw = init() tensor w seed 1\n}\nroutine step {\n"
             "x = read() tensor x index 0\nv = read() tensor v index 0\ny = mul(x, v) \"%s,%s->%s\"\n"
             "loss = reduce(y) \"%s->\"\nloss = scale(loss) scale %d/1\noutput(loss) name \"loss\"\n"
             "g = fill(; 0) \"h\"\nrate = fill(; 0.1)\nw = sgd(w, g, rate) \"h,h,->h\" tensor w\n}\n}\n",
             dims, dims, dims, letters, letters, letters, letters, pairs);
    text_add(out,
             "program {\nbuffer p f64 unit all parameters persistent state parameters\n"
             "buffer g f64 unit all gradients state gradients\nbuffer x f64 [%s] activations\n"
             "buffer v f64 [%s] activations\nbuffer y f64 [%s] activations\nbuffer loss f64 [] activations\n"
             "buffer rate f64 [] buffers\n%sroutine init {\np:w = init() tensor w seed 1\n}\nroutine step {\n"
             "g = fill(; 0)\nloss = fill(; 0)\nloop l0 micro 0..0 {\nx = read() tensor x index l0\n"
             "v = read() tensor v index l0\n%s}\noutput(loss) name \"loss\"\nrate = fill(; 0.1)\n"
             "p = sgd(p, g, rate) tensor w\n}\n}\n",
             cut, cut, cut, w->buffers.data, w->body.data);
}

enum { PAIRS_PER_PROGRAM = 40 };

/* A program of every Nth pair from `first` on, as many as it takes; the pair to continue with. */
static int check_pairs(Writing *w, const PlacementList *list, int first, int every, bool in_order)
{
    ConvertLimits limits = {.kinds = CONVERT_EMITTED, .in_order = in_order};
    Arena *arena = arena_new();
    w->buffers = w->body = (Text){.arena = arena};
    w->count = 0;
    int pairs = 0, at = first;
    for (; at < list->count * list->count && pairs < PAIRS_PER_PROGRAM; at += every) {
        const Placement *from = &list->data[at / list->count], *to = &list->data[at % list->count];
        Conversion c;
        if (!convert(w->mesh, w->sizes, from, to, &limits, &c))
            continue;
        add_pair(w, from, to, &c);
        pairs++;
    }
    Text text = {.arena = arena};
    add_program(&text, w, pairs);
    Answer answer = verify_text(text.data, text.length);
    if (answer.right == w->forgetful || (answer.codes[0] == '\0') != answer.right)
        fail_msg("pairs from %d on: %s", first, answer.text);
    free(answer.text);
    arena_free(arena);
    return at;
}

typedef struct Setting {
    int axes, dims, every;
    bool uneven, in_order;
} Setting;

static const Setting settings[] = {
    {1, 1, 1, false, true}, {1, 3, 1, true, true},   {2, 2, 1, false, true}, {2, 2, 1, true, true},
    {2, 2, 1, true, false}, {2, 3, 1, false, true},  {3, 1, 1, true, false}, {3, 2, 1, false, true},
    {3, 2, 3, true, false}, {3, 3, 11, false, true},
};

static void proves_every_route(void **state)
{
    (void)state;
    static const int64_t even[3] = {12, 12, 12}, odd[3] = {7, 5, 3};
    static PlacementList list;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const Setting *s = &settings[i];
        Mesh mesh = {.axis_count = s->axes, .axis = {{"data", 2}, {"tensor", 3}, {"context", 2}}};
        Placement none = placement_replicated(&mesh, s->dims);
        Writing w = {.mesh = &mesh, .sizes = s->uneven ? odd : even, .dims = s->dims};
        placement_list(&mesh, "RSP", s->in_order, &none, &list);
        for (int at = 0; at < list.count * list.count;)
            at = check_pairs(&w, &list, at, s->every, s->in_order);
    }
}

/* A value whose parts are not summed is not the whole: the program of such routes is refused. */
static void refuses_what_is_not_summed(void **state)
{
    (void)state;
    static const int64_t sizes[2] = {12, 12};
    static PlacementList list;
    Mesh mesh = {.axis_count = 1, .axis = {{"data", 2}}};
    Placement none = placement_replicated(&mesh, 2);
    Writing w = {.mesh = &mesh, .sizes = sizes, .dims = 2, .forgetful = true};
    placement_list(&mesh, "RP", true, &none, &list);
    check_pairs(&w, &list, 0, 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proves_every_route),
        cmocka_unit_test(refuses_what_is_not_summed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
