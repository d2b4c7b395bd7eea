/* Convolutions, pooling and views: what their letters may be, and be cut. */
#include "tests/sanitized.h"
#include "tests/unit/verify_support.h"

/* A convolution on two ranks: @1 the rest of its operator, @2 places of its result, @3 the dims of the image in the
 * program, @5 an operator on the result, @4 places of that one's. */
static const char template[] =
    "place-step 1\nmodel net\ncontract exact\ncompute f64\nmicro 1\naxis data 2\n"
    "tensor x input f64 [4, 3, 6, 8] batch 0\ntensor w parameter f64 [5, 3, 3, 3] init normal 0.5\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
    "unit all = w\n"
    "reference {\n"
    "  buffer w f64 [5, 3, 3, 3] parameters persistent state parameters of w\n"
    "  buffer x f64 [4, 3, 6, 8] activations\n  buffer y f64 [4, 5, @2] activations\n"
    "  buffer z f64 [4, 5, @4] activations\n  buffer loss f64 [] activations\n"
    "  routine init {\n    w = init() tensor w seed 1\n  }\n"
    "  routine step {\n    x = read() tensor x index 0\n    y = conv(x, w@1\n    z = @5\n    loss = reduce(z) "
    "\"nopq->\"\n"
    "    output(loss) name \"loss\"\n  }\n}\n"
    "program {\n"
    "  buffer p f64 unit all parameters persistent state parameters\n"
    "  buffer x f64 [@3] activations\n  buffer y f64 [4/data, 5, @2] activations\n"
    "  buffer z f64 [4/data, 5, @4] activations\n  buffer loss f64 [] activations\n"
    "  routine init {\n    p:w = init() tensor w seed 1\n  }\n"
    "  routine step {\n    x = read() tensor x over data index 0\n    y = conv(x, p:w@1\n    z = @5\n"
    "    loss = reduce(z) \"nopq->\"\n    loss = all_reduce(loss) sum over data\n    output(loss) name \"loss\"\n  "
    "}\n}\n";

typedef struct Case {
    const char *name, *conv, *places, *input, *then_places, *then, *expected;
} Case;

#define CUT "4/data, 3, 6, 8"
#define CONV "; 1, 0) \"nchw,ocij->nopq\"", "4, 6", CUT
#define COPY "4, 6", "copy(y) \"nopq->nopq\""

static const Case cases[] = {
    {"right", CONV, COPY, ""},
    {"stride and pad", "; 2, 1) \"nchw,ocij->nopq\"", "3, 4", CUT, "3, 4", "copy(y) \"nopq->nopq\"", ""},
    {"too few places", "; 1, 0) \"nchw,ocij->nopq\"", "4, 5", CUT, "4, 5", "copy(y) \"nopq->nopq\"", "P0334"},
    {"places of another pad", "; 1, 1) \"nchw,ocij->nopq\"", "4, 6", CUT, COPY, "P0334"},
    {"no stride", "; 0, 0) \"nchw,ocij->nopq\"", "4, 6", CUT, COPY, "P0334"},
    {"half a row", "; 1, 0.5) \"nchw,ocij->nopq\"", "4, 6", CUT, COPY, "P0334"},
    {"rows of the window that are the image's", "; 1, 0) \"nchw,ochj->nopq\"", "4, 6", CUT, COPY, "P0334"},
    {"columns not last", "; 1, 0) \"nchw,ocij->npqo\"", "4, 6", CUT, COPY, "P0334"},
    {"rows cut", "; 1, 0) \"nchw,ocij->nopq\"", "4, 6", "4, 3, 6/data, 8", COPY, "P0334"},
    {"pooling", CONV, "2, 3", "max_pool(y; 2, 2, 0) \"nohw->nopq\"", ""},
    {"windows outside the image", CONV, "3, 4", "max_pool(y; 2, 3, 3) \"nohw->nopq\"", "P0334"},
    {"pooling of another number", CONV, "2, 3", "mean_pool(y; 3, 1, 0) \"nohw->nopq\"", "P0334"},
    {"channels pooled", CONV, "2, 3", "mean_pool(y; 2, 2, 0) \"nchw->nopq\"", "P0334"},
    {"view", CONV, "8, 3", "view(y) \"nohw->nopq\"", ""},
    {"view of more", CONV, "8, 4", "view(y) \"nohw->nopq\"", "P0334"},
    {"view that moves a dim", CONV, "6, 4", "view(y) \"nohw->nowh\"", "P0334"},
};

static void check(const char *name, const char *text, const char *const *piece, const char *expected)
{
    Sizes sizes = {2, 1, 1, 4};
    Answer answer = verify_template(text, sizes, piece);
    check_answer(name, &sizes, &answer, expected);
    free(answer.text);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *c = &cases[i];
        const char *piece[] = {c->conv, c->places, c->input, c->then_places, c->then};
        check(c->name, template, piece, c->expected);
    }
}

/* Statistics of every microbatch, the batch parted into [@1, @2]: @3 and @4 are these dims in the program, @5 what is
 * done with the statistics before they are read, @6 with the loss. */
static const char parted[] =
    "place-step 1\nmodel net\ncontract exact\ncompute f64\nmicro 2\naxis data 2\n"
    "tensor x input f64 [16, 3] batch 0\ntensor w parameter f64 [3] init normal 0.5\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
    "unit all = w\n"
    "reference {\n"
    "  buffer w f64 [3] parameters persistent state parameters of w\n"
    "  buffer x f64 [16, 3] activations\n  buffer y f64 [16, 3] activations\n"
    "  buffer v f64 [@1, @2, 3] activations\n  buffer s f64 [@1, 3] activations\n  buffer r f64 [@1, 3] activations\n"
    "  buffer loss f64 [] activations\n"
    "  routine init {\n    w = init() tensor w seed 1\n  }\n"
    "  routine step {\n    x = read() tensor x index 0\n    y = mul(x, w) \"nc,c->nc\"\n"
    "    v = view(y) \"nc->mbc\"\n    s = reduce(v) \"mbc->mc\"\n    r = rsqrt(s; 1) \"mc->mc\"\n"
    "    loss = reduce(r) \"mc->\"\n    output(loss) name \"loss\"\n  }\n}\n"
    "program {\n"
    "  buffer p f64 unit all parameters persistent state parameters\n"
    "  buffer x f64 [16/micro/data, 3] activations\n  buffer y f64 [16/micro/data, 3] activations\n"
    "  buffer v f64 [@1@3, @2@4, 3] activations\n  buffer s f64 [@1@3, 3] activations\n"
    "  buffer r f64 [@1@3, 3] activations\n  buffer loss f64 [] activations\n"
    "  routine init {\n    p:w = init() tensor w seed 1\n  }\n"
    "  routine step {\n    loss = fill(; 0)\n    loop l0 micro 0..1 {\n"
    "      x = read() tensor x over data index l0\n      y = mul(x, p:w) \"nc,c->nc\"\n"
    "      v = view(y) \"nc->mbc\"\n      s = reduce(v) \"mbc->mc\"\n@5"
    "      r = rsqrt(s; 1) \"mc->mc\"\n      loss += reduce(r) \"mc->\"\n    }\n@6"
    "    output(loss) name \"loss\"\n  }\n}\n";

#define SUMMED "      s = all_reduce(s) sum over data\n"

static const Case parted_cases[] = {
    {"microbatches", "2", "8", "/micro", "/data", SUMMED, ""},
    {"half of a microbatch each", "4", "4", "/micro/data", "", "", ""},
    {"sums of each rank", "2", "8", "/micro", "/data", "", "P0315"},
    {"two parts of one rank, examples cut", "4", "4", "/micro", "/data", SUMMED, "P0307"},
    {"nested the other way", "4", "4", "/data/micro", "", "", "P0307"},
    {"examples cut by microbatches", "2", "8", "/data", "/micro", "", "P0307"},
    {"parts that ranks share", "1", "16", "", "/micro/data", SUMMED, "P0315"},
};

static void test_parted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof parted_cases / sizeof *parted_cases; i++) {
        const Case *c = &parted_cases[i];
        bool cut = strcmp(c->input, "/micro/data") == 0;
        const char *loss = cut ? "    loss = all_reduce(loss) sum over data\n" : "";
        const char *piece[] = {c->conv, c->places, c->input, c->then_places, c->then, loss};
        Sizes sizes = {2, 1, 2, 16};
        Answer answer = verify_template(parted, sizes, piece);
        check_answer(c->name, &sizes, &answer, c->expected);
        free(answer.text);
    }
}

/* ---- Pieces with halos, by trying --------------------------------------------------------------------------- */

/* Windows over pieces of an image: rows (0) over data, columns (1) over model, each with a halo. */
typedef struct Pieces {
    int64_t size[2], ranks[2], before[2], after[2], window, stride, pad;
    int first; /* which of the two is exchanged first */
} Pieces;

static const char *const axis_of[] = {"data", "model"};

static int64_t places_of(const Pieces *p, int side)
{
    return window_places(p->size[side], p->window, p->stride, p->pad);
}

/* Whether the pieces of image and result lie under each other, and every rank's places see its own piece and the halo,
 * nothing beyond these, and all of that; of its neighbours only. */
static bool is_right(const Pieces *p, int side)
{
    int64_t size = p->size[side], ranks = p->ranks[side], places = places_of(p, side), before = 0, after = 0;
    if (ranks == 1)
        return p->before[side] + p->after[side] == 0;
    for (int64_t rank = 0; rank < ranks; rank++) {
        int64_t start, length, first, count;
        cut_balanced(size, ranks, rank, &start, &length);
        cut_balanced(places, ranks, rank, &first, &count);
        if (start != p->stride * first || length != p->stride * count || length < p->before[side] ||
            length < p->after[side])
            return false;
        for (int64_t place = first; place < first + count; place++)
            for (int64_t i = 0; i < p->window; i++) {
                int64_t row = place * p->stride - p->pad + i;
                if (row < 0 || row >= size)
                    continue;
                int64_t short_of = start - row, beyond = row + 1 - start - length;
                before = short_of > before ? short_of : before;
                after = beyond > after ? beyond : after;
            }
    }
    return before == p->before[side] && after == p->after[side];
}

/* "[2, 12/data+1+1, 6/model]": of the image, or the places; `halos`: bit per side. */
static void add_dims(Text *text, const Pieces *p, bool image, bool cut, unsigned halos)
{
    text_add(text, "[2");
    for (int side = 0; side < 2; side++) {
        text_add(text, ", %lld", (long long)(image ? p->size[side] : places_of(p, side)));
        if (cut && p->ranks[side] > 1)
            text_add(text, "/%s", axis_of[side]);
        if (cut && (halos >> side & 1) && p->before[side] + p->after[side] > 0)
            text_add(text, "+%lld+%lld", (long long)p->before[side], (long long)p->after[side]);
    }
    text_add(text, "]");
}

static void add_buffer(Text *text, const char *name, const Pieces *p, bool image, bool cut, unsigned halos)
{
    text_add(text, "  buffer %s f64 ", name);
    add_dims(text, p, image, cut, halos);
    text_add(text, " activations\n");
}

/* Exchanges, or adds, one side after the other; *name is of the buffer that has what there is. */
static void add_exchange(Text *text, const Pieces *p, const char *op, const char *const *names, const char **name)
{
    bool adds = strcmp(op, "halo_add") == 0;
    unsigned halos = adds ? 3 : 0;
    for (int i = 0; i < 2; i++) {
        int side = adds ? 1 - (i ^ p->first) : i ^ p->first;
        halos ^= 1u << side;
        if (p->before[side] + p->after[side] == 0)
            continue;
        text_add(text, "    %s = %s(%s) over %s\n", names[halos], op, *name, axis_of[side]);
        *name = names[halos];
    }
}

/* Operators on the input's grid and the places': ^ stands for the input, with its halos. */
typedef struct WindowOp {
    const char *op, *spec;
    bool gives_image, gives_window, pools;
} WindowOp;

static const WindowOp window_ops[] = {
    {"conv(^, k", "chw,cij->cpq", false, false, false},
    {"conv_input_bwd(y, k", "cpq,cij->chw", true, false, false},
    {"conv_weight_bwd(^, y", "chw,cpq->cij", false, true, false},
    {"max_pool(^", "chw->cpq", false, false, true},
    {"max_pool_bwd(^, y", "chw,cpq->chw", true, false, true},
    {"mean_pool_bwd(y", "cpq->chw", true, false, true},
};

static void add_op(Text *text, const WindowOp *op, const Pieces *p, const char *result, const char *image)
{
    text_add(text, "    %s = ", result);
    for (const char *at = op->op; *at != '\0'; at++)
        text_add(text, "%.*s", *at == '^' ? (int)strlen(image) : 1, *at == '^' ? image : at);
    text_add(text, op->pools ? "; %lld, " : "; ", (long long)p->window);
    text_add(text, "%lld, %lld) \"%s\"\n", (long long)p->stride, (long long)p->pad, op->spec);
}

static void add_program(Text *text, const WindowOp *op, const Pieces *p, bool cut)
{
    static const char *const read[] = {"x", "x1", "x2", "x3"}, *const given[] = {"z", "z1", "z2", "z3"};
    const char *image = "x", *result = op->gives_window ? "g" : op->gives_image && cut ? "z3" : "z";
    text_add(text, "%s {\n  buffer w f64 [2] parameters persistent state parameters of w\n",
             cut ? "program" : "reference");
    for (unsigned halos = 0; halos < (cut ? 4u : 1u); halos++) {
        add_buffer(text, read[halos], p, true, cut, halos);
        add_buffer(text, given[halos], p, op->gives_image, cut, op->gives_image ? halos : 0);
    }
    add_buffer(text, "y", p, false, cut, 0);
    text_add(text, "  buffer k f64 [2, %lld, %lld] activations\n  buffer g f64 [2, %lld, %lld] activations\n",
             (long long)p->window, (long long)p->window, (long long)p->window, (long long)p->window);
    text_add(text, "  buffer loss f64 [] activations\n  routine init {\n    w = init() tensor w seed 1\n  }\n"
                   "  routine step {\n    x = read() tensor x index 0\n    y = read() tensor y index 0\n"
                   "    k = read() tensor k index 0\n");
    if (cut)
        add_exchange(text, p, "halo", read, &image);
    add_op(text, op, p, result, image);
    if (cut && op->gives_image) { /* a halo of nothing is none */
        unsigned halos = (p->before[0] + p->after[0] > 0 ? 1u : 0) | (p->before[1] + p->after[1] > 0 ? 2u : 0);
        if (halos == 0)
            text_add(text, "    z = copy(z3) \"abc->abc\"\n");
        add_exchange(text, p, "halo_add", given, &result);
    }
    const char *sum = p->ranks[1] > 1 ? "data, model" : "data";
    if (cut && op->gives_window)
        text_add(text, "    g = all_reduce(g) sum over %s\n", sum);
    text_add(text, "    loss = sum_squares(%s) \"abc->\"\n", op->gives_window ? "g" : "z");
    if (cut && !op->gives_window)
        text_add(text, "    loss = all_reduce(loss) sum over %s\n", sum);
    text_add(text, "    output(loss) name \"loss\"\n  }\n}\n");
}

/* Whether what the verifier says is what trying says. */
static void try_pieces(const WindowOp *op, const Pieces *p, int *accepted)
{
    if (places_of(p, 0) < 1 || places_of(p, 1) < 1 || (op->pools && 2 * p->pad > p->window))
        return;
    Arena *arena = arena_new();
    Text text = {.arena = arena};
    text_add(&text, "place-step 1\nmodel net\ncontract exact\ncompute f64\nmicro 1\naxis data %lld\naxis model %lld\n",
             (long long)p->ranks[0], (long long)p->ranks[1]);
    for (int image = 0; image < 2; image++) {
        text_add(&text, "tensor %s input f64 ", image ? "x" : "y");
        add_dims(&text, p, image, false, 0);
        text_add(&text, "\n");
    }
    text_add(&text,
             "tensor k input f64 [2, %lld, %lld]\ntensor w parameter f64 [2] init normal 0.5\n"
             "state parameters parameters per_parameter f64\n",
             (long long)p->window, (long long)p->window);
    add_program(&text, op, p, false);
    add_program(&text, op, p, true);
    Answer answer = verify_text(text.data, text.length);
    bool right = is_right(p, 0) && is_right(p, 1);
    if (answer.right != right)
        fail_msg("%s\n%s", text.data, answer.text);
    *accepted += right;
    free(answer.text);
    arena_free(arena);
}

/* Whether pieces of the image can be those of the result. */
static bool fits_under(const Pieces *p, int side)
{
    return p->size[side] == p->stride * places_of(p, side);
}

/* All halos of up to 3 rows of images of up to 12 (of up to 1 where pieces cannot fit), all windows of up to 5, strides
 * of up to 3. */
static void test_rows(void **state)
{
    (void)state;
    int accepted = 0;
    Pieces p = {.size = {0, 2}, .ranks = {0, 1}};
    for (p.ranks[0] = 2; p.ranks[0] <= 3; p.ranks[0]++)
        for (p.size[0] = 4; p.size[0] <= 12; p.size[0] += p.size[0] < 6 && !SANITIZED ? 1 : 3)
            for (p.window = 1; p.window <= 5; p.window += SANITIZED ? 2 : 1)
                for (p.stride = 1; p.stride <= 3; p.stride++)
                    for (p.pad = p.window / 2; p.pad >= (p.window - 1) / 2 && p.pad >= 0; p.pad--)
                        for (int most = fits_under(&p, 0) ? 4 : 2, halo = 0; halo < most * most; halo++) {
                            p.before[0] = halo / most;
                            p.after[0] = halo % most;
                            for (size_t i = 0; i < sizeof window_ops / sizeof *window_ops; i++)
                                try_pieces(&window_ops[i], &p, &accepted);
                        }
    assert_in_range(accepted, 100, 1000);
}

/* Rows and columns on a mesh of 2 x 3, in either order. */
static void test_rows_and_columns(void **state)
{
    (void)state;
    int accepted = 0;
    Pieces p = {.size = {4, 6}, .ranks = {2, 3}};
    for (p.first = 0; p.first < 2; p.first++)
        for (p.window = 1; p.window <= 5; p.window += SANITIZED ? 2 : 1)
            for (p.stride = 1; p.stride <= 2; p.stride++)
                for (int halo = 0; halo < 81; halo += SANITIZED ? 4 : 1) {
                    p.pad = (p.window - 1) / 2;
                    if (!fits_under(&p, 0))
                        break;
                    p.before[0] = halo % 3;
                    p.after[0] = halo / 3 % 3;
                    p.before[1] = halo / 9 % 3;
                    p.after[1] = halo / 27;
                    for (size_t i = 0; i < sizeof window_ops / sizeof *window_ops; i++)
                        try_pieces(&window_ops[i], &p, &accepted);
                }
    assert_in_range(accepted, 20, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_parted),
                                       cmocka_unit_test(test_rows), cmocka_unit_test(test_rows_and_columns)};
    return cmocka_run_group_tests_name("verify_windows", tests, NULL, NULL);
}
