/* turns.c - every small program with a product of pieces around a ring: the verifier's verdict against execution.
 *
 *     turns [--limit N]
 *
 * A program takes some steps, each a product with the piece of coordinate c + k, or a permutation by k, in any order.
 * Three forms: a visitor that is contracted, one whose pieces are put in their places, and a sum that travels; on 2 and
 * 3 ranks, in pieces of one size and of different sizes. With a limit, only every so many-th program of each. The exit
 * status is 1 if a program was accepted that differs from one device, refused though it is equal, or if none was
 * accepted of a form.
 */
#include "tests/sim/matrix.h"
#include "tests/sim/stop.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 1 << 13, DRAW = 1, MOST_STEPS = 5 };

/* What a form computes on one device, and on ranks: # stands for the length of what is in pieces, ~ for the cut. */
typedef struct Form {
    const char *name, *first, *second; /* the inputs' dims */
    const char *product, *result;      /* of one device */
    const char *buffers, *before;      /* of ranks */
    const char *step, *travels;        /* a product of a piece; what is permuted */
    const char *after;
} Form;

static const Form forms[] = {
    {"a visitor", "2, #", "#", "y = einsum(a, b) \"ij,j->i\"", "2",
     "buffer piece f64 [#/r] buffers\nbuffer visit f64 [#/r~] buffers\n",
     "piece = slice(b) over r\nvisit = copy(piece) \"j->j\"\ny = fill(; 0) \"i\"\n",
     "y += einsum(a, visit) \"ij,j->i\" over r", "visit", ""},
    {"a visitor put in its place", "2", "#", "y = einsum(a, b) \"i,j->ij\"", "2, #",
     "buffer piece f64 [#/r] buffers\nbuffer visit f64 [#/r~] buffers\n",
     "piece = slice(b) over r\nvisit = copy(piece) \"j->j\"\ny = fill(; 0) \"ij\"\n",
     "y += einsum(a, visit) \"i,j->ij\" over r", "visit", ""},
    {"a sum that travels", "5, #", "5", "y = einsum(a, b) \"ij,i->j\"", "#",
     "buffer rows f64 [5/r, #] buffers\nbuffer own f64 [5/r] buffers\nbuffer sum f64 [#/r~] buffers\n"
     "buffer home f64 [#/r] buffers\n",
     "rows = slice(a) over r\nown = slice(b) over r\nsum = fill(; 0) \"j\"\n",
     "sum += einsum(rows, own) \"ij,i->j\" over r", "sum", "home = copy(sum) \"j->j\"\ny = all_gather(home) over r\n"},
};

typedef struct Setting {
    const Form *form;
    int ranks, length;
} Setting;

typedef struct Writer {
    const Setting *setting;
    char *text;
    size_t used;
} Writer;

static void put(Writer *w, const char *text)
{
    bool uneven = w->setting->length % w->setting->ranks != 0;
    for (; *text; text++)
        if (*text == '#')
            w->used += (size_t)snprintf(w->text + w->used, TEXT_SIZE - w->used, "%d", w->setting->length);
        else if (*text == '~')
            w->used += (size_t)snprintf(w->text + w->used, TEXT_SIZE - w->used, "%s", uneven ? " padded" : "");
        else
            w->text[w->used++] = *text;
    w->text[w->used] = '\0';
}

static void put_number(Writer *w, const char *before, int number, const char *after)
{
    put(w, before);
    w->used += (size_t)snprintf(w->text + w->used, TEXT_SIZE - w->used, "%d", number);
    put(w, after);
}

static void put_arrays(Writer *w)
{
    const Form *form = w->setting->form;
    const char *const parts[] = {
        "buffer w f64 [",
        form->result,
        "] parameters persistent state parameters of w\nbuffer a f64 [",
        form->first,
        "] activations\nbuffer b f64 [",
        form->second,
        "] activations\nbuffer y f64 [",
        form->result,
        "] gradients state gradients of w\nbuffer loss f64 [] activations\nbuffer rate f64 [] buffers\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        put(w, parts[i]);
}

/* What comes before the product, and after it: the sum of w y, whose gradient is y. */
static const char start[] = "routine init {\nw = init() tensor w seed 1\n}\nroutine step {\n"
                            "a = read() tensor a index 0\nb = read() tensor b index 0\n";

static void put_update(Writer *w)
{
    bool matrix = strchr(w->setting->form->result, ',') != NULL;
    put(w, matrix ? "loss = einsum(w, y) \"ij,ij->\"\n" : "loss = einsum(w, y) \"i,i->\"\n");
    put(w, "output(loss) name \"loss\"\nrate = fill(; 0.125)\nw = sgd(w, y, rate) ");
    put(w, matrix ? "\"ij,ij,->ij\" tensor w\n}\n}\n" : "\"i,i,->i\" tensor w\n}\n}\n");
}

/* Step number `step` of 0 .. 2 ranks - 2: products of pieces k, then permutations by k > 0. */
static void put_step(Writer *w, int step)
{
    const Form *form = w->setting->form;
    int ranks = w->setting->ranks, by = step < ranks ? step : step - ranks + 1;
    if (step >= ranks) {
        put(w, form->travels);
        put(w, " = permute(");
        put(w, form->travels);
        put(w, ") over r");
    } else {
        put(w, form->step);
    }
    if (by == 0)
        put(w, " index @r\n");
    else {
        put_number(w, " index @r+", by, "");
        put_number(w, " % ", ranks, "\n");
    }
}

/* Program `index` of those with so many steps. */
static void write_program(Writer *w, int steps, int64_t index)
{
    const Setting *setting = w->setting;
    const Form *form = setting->form;
    int kinds = 2 * setting->ranks - 1;
    w->used = 0;
    put_number(w, "place-step 1\nmodel turns\ncontract exact\ncompute f64\nmicro 1\naxis r ", setting->ranks, "\n");
    const char *const parts[] = {"tensor a input f64 [",        form->first,  "]\ntensor b input f64 [", form->second,
                                 "]\ntensor w parameter f64 [", form->result, "] init normal 0.5\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        put(w, parts[i]);
    put(w, "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\nreference {\n");
    put_arrays(w);
    put(w, start);
    put(w, form->product);
    put(w, "\n");
    put_update(w);
    put(w, "program {\n");
    put_arrays(w);
    put(w, form->buffers);
    put(w, start);
    put(w, form->before);
    for (int i = 0; i < steps; i++, index /= kinds)
        put_step(w, (int)(index % kinds));
    put(w, form->after);
    put_update(w);
}

/* False where the reference does not run: our mistake. */
static bool try_setting(const Setting *setting, int64_t limit, SimPool *pool, SimPool *scratch, Matrix *matrix)
{
    static char text[TEXT_SIZE];
    char message[256], name[96];
    Writer writer = {setting, text, 0};
    SimOracles oracles;
    sim_pool_reset(pool);
    write_program(&writer, 0, 0);
    const SimFile *file = sim_read(pool, text, message, sizeof message);
    if (!file ||
        !sim_oracles_new(&oracles, pool, file, MATRIX_STEPS, MATRIX_REAL_STEPS, DRAW, message, sizeof message)) {
        printf("%s: %s\n", setting->form->name, message);
        return false;
    }
    int64_t count = 1;
    for (int steps = 0; steps <= MOST_STEPS; steps++, count *= 2 * setting->ranks - 1)
        for (int64_t i = 0; i < count && !stop_wanted(); i += count / limit + 1) {
            write_program(&writer, steps, i);
            snprintf(name, sizeof name, "%s, %d of %d ranks, %d steps, %" PRId64, setting->form->name, setting->length,
                     setting->ranks, steps, i);
            matrix_try(matrix, scratch, &oracles, text, name);
        }
    return true;
}

int main(int argc, char **argv)
{
    int64_t limit = INT64_MAX;
    if (argc == 3 && !strcmp(argv[1], "--limit"))
        limit = atoll(argv[2]);
    if ((argc != 1 && argc != 3) || limit < 1) {
        fprintf(stderr, "usage: turns [--limit N]\n");
        return 64;
    }
    SimPool *pool = sim_pool_new(), *scratch = sim_pool_new();
    Matrix sum = {0};
    bool right = true;
    stop_on_signals();
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        Matrix matrix = {0};
        for (int ranks = 2; ranks <= 3; ranks++)
            for (int length = ranks; length < 2 * ranks; length += ranks - 1) {
                Setting setting = {&forms[f], ranks, length};
                right = try_setting(&setting, limit, pool, scratch, &matrix) && right;
            }
        matrix_print(&matrix, forms[f].name);
        right = right && (limit < INT64_MAX || matrix.accepted_equal > 0);
        matrix_add(&sum, &matrix);
    }
    sim_pool_free(pool);
    sim_pool_free(scratch);
    right = right && !matrix_failed(&sum) && sum.unreadable == 0 && sum.refused_equal == 0;
    return right ? 0 : 1;
}
