/* Views of what is cut, by trying: three dims put under two others, both sides cut over two axes in every way. Accepted
 * is what leaves every rank the same elements on both sides, in order. */
#include "tests/unit/verify_support.h"

enum { AXES = 2, WAYS = 32 };

/* How the axes cut some dims: which dim each cuts, -1 for none; and which of the two is outside where they cut one. */
typedef struct Way {
    int dim[AXES];
    int outer;
} Way;

typedef struct View {
    int64_t ranks[AXES];
    int counts[2];
    int64_t size[2][3];
    Way way[2];
} View;

static const char *const axis_of[] = {"data", "model"};

/* The axes that cut a dim, outermost first. */
static int cuts_of(const Way *way, int dim, int axis[AXES])
{
    int count = 0;
    for (int i = 0; i < AXES; i++) {
        int a = i ^ way->outer;
        if (way->dim[a] == dim)
            axis[count++] = a;
    }
    return count;
}

/* The elements of the whole, row-major, that the rank has of one side. */
static int elements_of(const View *view, int side, const int64_t *rank, int64_t *element)
{
    int64_t start[3] = {0}, extent[3] = {1, 1, 1}, size[3] = {1, 1, 1};
    for (int d = 0; d < view->counts[side]; d++) {
        int axis[AXES];
        extent[d] = size[d] = view->size[side][d];
        for (int i = 0, count = cuts_of(&view->way[side], d, axis); i < count; i++) {
            int64_t first;
            cut_balanced(extent[d], view->ranks[axis[i]], rank[axis[i]], &first, &extent[d]);
            start[d] += first;
        }
    }
    int count = 0;
    for (int64_t x = start[0]; x < start[0] + extent[0]; x++)
        for (int64_t y = start[1]; y < start[1] + extent[1]; y++)
            for (int64_t z = start[2]; z < start[2] + extent[2]; z++)
                element[count++] = (x * size[1] + y) * size[2] + z;
    return count;
}

static bool is_right(const View *view)
{
    int64_t rank[AXES], element[2][64];
    for (rank[0] = 0; rank[0] < view->ranks[0]; rank[0]++)
        for (rank[1] = 0; rank[1] < view->ranks[1]; rank[1]++) {
            int count = elements_of(view, 0, rank, element[0]);
            if (count != elements_of(view, 1, rank, element[1]) ||
                memcmp(element[0], element[1], sizeof(int64_t) * (size_t)count) != 0)
                return false;
        }
    return true;
}

/* "[4/data, 3, 2/model]" */
static void add_dims(Text *text, const View *view, int side, bool cut)
{
    for (int d = 0; d < view->counts[side]; d++) {
        int axis[AXES];
        text_add(text, "%s%lld", d == 0 ? "[" : ", ", (long long)view->size[side][d]);
        for (int i = 0, count = cuts_of(&view->way[side], d, axis); cut && i < count; i++)
            text_add(text, "/%s", axis_of[axis[i]]);
    }
    text_add(text, "]");
}

static void add_slice(Text *text, const View *view, int side, const char *out, const char *from)
{
    text_add(text, "    %s = ", out);
    const Way *way = &view->way[side];
    if (way->dim[0] < 0 && way->dim[1] < 0) {
        text_add(text, "copy(%s) \"%.*s->%.*s\"\n", from, view->counts[side], "abc", view->counts[side], "abc");
        return;
    }
    text_add(text, "slice(%s) over", from);
    for (int i = 0, count = 0; i < AXES; i++)
        if (way->dim[i ^ way->outer] >= 0)
            text_add(text, "%s%s", count++ ? ", " : " ", axis_of[i ^ way->outer]);
    text_add(text, "\n");
}

static void add_program(Text *text, const View *view, bool cut)
{
    static const char *const name[] = {"x", "v"};
    text_add(text, "%s {\n  buffer w f64 ", cut ? "program" : "reference");
    add_dims(text, view, 0, false);
    text_add(text, " parameters persistent state parameters of w\n");
    for (int side = 0; side < 2; side++) {
        text_add(text, "  buffer %s f64 ", name[side]);
        add_dims(text, view, side, cut);
        text_add(text, " activations\n  buffer whole_%s f64 ", name[side]);
        add_dims(text, view, side, false);
        text_add(text, " activations\n");
    }
    text_add(text, "  buffer y f64 ");
    add_dims(text, view, 1, cut);
    text_add(text, " activations\n  buffer loss f64 [] activations\n  routine init {\n    w = init() tensor w seed 1\n"
                   "  }\n  routine step {\n    whole_v = read() tensor t index 0\n");
    if (cut) {
        add_slice(text, view, 0, "x", "w");
        add_slice(text, view, 1, "y", "whole_v");
    }
    text_add(text, "    v = view(%s) \"abc->%s\"\n", cut ? "x" : "w", view->counts[1] == 1 ? "d" : "de");
    const char *dims = view->counts[1] == 1 ? "a,a->" : "ab,ab->";
    text_add(text, "    loss = einsum(v, %s) \"%s\"\n", cut ? "y" : "whole_v", dims);
    const Way *way = &view->way[1];
    if (cut && (way->dim[0] >= 0 || way->dim[1] >= 0))
        text_add(text, "    loss = all_reduce(loss) sum over %s%s%s\n", way->dim[0] >= 0 ? "data" : "",
                 way->dim[0] >= 0 && way->dim[1] >= 0 ? ", " : "", way->dim[1] >= 0 ? "model" : "");
    text_add(text, "    output(loss) name \"loss\"\n  }\n}\n");
}

/* Whether it is accepted; then it is right. */
static bool try_view(const View *view)
{
    Arena *arena = arena_new();
    Text text = {.arena = arena};
    text_add(&text, "place-step 1\nmodel net\ncontract exact\ncompute f64\nmicro 1\naxis data %lld\naxis model %lld\n",
             (long long)view->ranks[0], (long long)view->ranks[1]);
    text_add(&text, "tensor t input f64 ");
    add_dims(&text, view, 1, false);
    text_add(&text, "\ntensor w parameter f64 ");
    add_dims(&text, view, 0, false);
    text_add(&text, " init normal 0.5\nstate parameters parameters per_parameter f64\n");
    add_program(&text, view, false);
    add_program(&text, view, true);
    Answer answer = verify_text(text.data, text.length);
    bool refused = strcmp(answer.codes, "P0307") == 0 || strcmp(answer.codes, "P0334") == 0;
    if (answer.right ? !is_right(view) : !refused)
        fail_msg("%s\n%s", answer.text, text.data);
    free(answer.text);
    arena_free(arena);
    return answer.right;
}

/* Every way to cut so many dims. */
static int all_ways(int dims, Way *way)
{
    int count = 0;
    for (int first = -1; first < dims; first++)
        for (int second = -1; second < dims; second++)
            for (int outer = 0; outer < (first >= 0 && first == second ? 2 : 1); outer++)
                way[count++] = (Way){{first, second}, outer};
    return count;
}

static void test_views(void **state)
{
    (void)state;
    static const View shapes[] = {
        {.ranks = {2, 2}, .counts = {3, 1}, .size = {{4, 3, 2}, {24}}},
        {.ranks = {2, 3}, .counts = {3, 1}, .size = {{2, 3, 4}, {24}}},
        {.ranks = {2, 2}, .counts = {3, 2}, .size = {{2, 2, 6}, {4, 6}}},
        {.ranks = {2, 3}, .counts = {3, 2}, .size = {{3, 4, 5}, {6, 10}}},
        {.ranks = {2, 2}, .counts = {3, 2}, .size = {{5, 2, 3}, {5, 6}}},
        {.ranks = {2, 3}, .counts = {3, 2}, .size = {{2, 5, 3}, {10, 3}}},
        {.ranks = {3, 2}, .counts = {3, 2}, .size = {{5, 4, 1}, {5, 4}}},
    };
    int accepted = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        Way way[2][WAYS];
        View view = shapes[s];
        int counts[] = {all_ways(view.counts[0], way[0]), all_ways(view.counts[1], way[1])};
        for (int i = 0; i < counts[0] * counts[1]; i++) {
            view.way[0] = way[0][i % counts[0]];
            view.way[1] = way[1][i / counts[0]];
            accepted += try_view(&view);
        }
    }
    /* Of inner dims cut alike below others, cut or not, none is: they would be called by one letter. */
    assert_int_equal(accepted, 29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_views)};
    return cmocka_run_group_tests_name("verify_views", tests, NULL, NULL);
}
