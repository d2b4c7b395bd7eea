/* straight_text.c - a pool of buffers; each operator takes some that fit it, and makes another.
 *
 * In two of three programs every operator comes twice, as drawn and as its shadow: on the shadows of its operands, with
 * now and then one choice made otherwise. What is in a buffer and its shadow is then the same, or nearly. A loop,
 * over microbatches or steps, is an operator, too: its shadow is another loop, of the shadows of what is in it.
 */
#include "tests/sim/straight_text.h"

#include "tests/sim/straight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Loops -------------------------------------------------------------------------------------------------- */

/* Which loops there are: from `low` to so many beyond the last microbatch, or steps. Of a guarded one the current
 * microbatch is the variable less a coordinate, or less 1. */
typedef struct LoopForm {
    const char *kind;
    int low, high;
    bool down, guarded;
} LoopForm;

static const LoopForm forms[] = {{"micro", 0, 0, false, false}, {"micro", 0, 0, false, false},
                                 {"micro", 0, 0, true, false},  {"micro", 1, 0, false, false},
                                 {"micro", 0, -1, true, false}, {"micro", 0, 1, false, true},
                                 {"steps", 0, 1, false, false}, {"steps", 0, 2, true, false}};
enum { FORMS = sizeof forms / sizeof forms[0] };

static void put_hand(Straight *s, const Loop *loop)
{
    straight_put(s, "l%d", loop->id);
    if (loop->axis >= 0)
        straight_put(s, "-@d%d", loop->axis);
    else if (forms[loop->form].guarded)
        straight_put(s, "-1");
}

/* The current microbatch, in words; now and then another. */
void straight_put_micro(Straight *s)
{
    const Loop *loop = straight_micro_loop(s);
    int last = s->axis_sizes[MICRO] - 1;
    bool other = straight_once_in(s, 8) && s->sizes[0] % s->axis_sizes[MICRO] == 0;
    if (!loop || (other && straight_once_in(s, 2)))
        straight_put(s, "%d", straight_once_in(s, 2) ? 0 : last);
    else if (other && !forms[loop->form].guarded)
        straight_put(s, "%d-l%d", last, loop->id);
    else
        put_hand(s, loop);
}

/* ---- Programs ----------------------------------------------------------------------------------------------- */

static void make_loop(Straight *s);

static void (*const makers[])(Straight *) = {
    make_initial, make_batch,     make_constant,    make_map,        make_map,          make_map,        make_more,
    make_scaled,  make_guarded,   make_guarded,     make_product,    make_product,      make_product,    make_slot_sum,
    make_spread,  make_member,    make_iota,        make_all_reduce, make_all_reduce,   make_all_reduce, make_pieces,
    make_pieces,  make_pieces,    make_whole,       make_whole,      make_whole,        make_exchange,   make_moved,
    make_moved,   make_placed,    make_halo,        make_halo,       make_halo,         make_halo,       make_seen,
    make_seen,    make_seen_back, make_window_back, make_segment,    make_segment_back, make_ring,       make_slot,
    make_message, make_loop,      make_loop};

static void choose_sizes(Straight *s)
{
    static const int axes[] = {2, 3, 2, 4, 1};
    s->axis_count = straight_once_in(s, 6) ? 4 : 1 + straight_below(s, 3);
    for (int a = 0, ranks = 1; a < s->axis_count; a++) {
        s->axis_sizes[a] = axes[straight_below(s, 5)];
        if (ranks * s->axis_sizes[a] > 16)
            s->axis_sizes[a] = 1 + straight_below(s, 16 / ranks);
        ranks *= s->axis_sizes[a];
    }
    for (int l = 0; l < LETTERS; l++)
        s->sizes[l] = straight_once_in(s, 3) ? 4 : 1 + straight_below(s, 7);
    s->sizes[WINDOW_ROWS] = s->sizes[WINDOW_COLUMNS] = 3;
    s->sizes[FUSED] = s->sizes[ROWS] + s->sizes[COLUMNS];
    s->axis_sizes[MICRO] = straight_once_in(s, 3) ? 1 : 2 + straight_below(s, 4);
    if (s->axis_sizes[MICRO] > 1 && !straight_once_in(s, 4))
        s->sizes[0] = s->axis_sizes[MICRO] * (straight_once_in(s, 2) ? s->axis_sizes[0] : 1 + straight_below(s, 3)) +
                      (straight_once_in(s, 3) ? straight_below(s, 3) : 0);
    s->sends = straight_once_in(s, 4);
}

/* An operator, and its shadow. */
static void make(Straight *s, void (*maker)(Straight *), bool twice)
{
    Chance before = s->chance;
    int made = s->visible = s->count;
    maker(s);
    if (!twice)
        return;
    Chance after = s->chance;
    s->chance = before;
    s->is_shadow = true;
    s->first = s->count;
    s->original = made;
    s->open_before = s->open_count;
    maker(s);
    s->is_shadow = false;
    s->chance = after;
}

/* The body of a loop once more: the loop's number, and those of loops in it, are `by` larger. */
static void put_again(Straight *s, size_t start, size_t end, int first, int by)
{
    static char body[2 * OPS];
    memcpy(body, s->ops + start, end - start);
    body[end - start] = '\0';
    for (const char *at = body; *at; at++)
        if (*at == 'l' && at[1] >= '0' && at[1] <= '9') {
            char *rest;
            int id = (int)strtol(at + 1, &rest, 10);
            straight_put(s, "l%d", id < first ? id : id + by);
            at = rest - 1;
        } else {
            straight_put(s, "%c", *at);
        }
}

/* The header; a loop in two parts begins, or continues, at `low`. */
static void open_loop(Straight *s, const Loop *loop, int low, int high)
{
    const LoopForm *form = &forms[loop->form];
    straight_put(s, "loop l%d %s %d..%d%s {\n", loop->id, form->kind, form->down ? high : low, form->down ? low : high,
                 form->down ? " down" : "");
    if (!form->guarded)
        return;
    straight_put(s, "guard ");
    put_hand(s, loop);
    straight_put(s, " in 0..%d {\n", s->axis_sizes[MICRO] - 1);
}

static void make_inside(Straight *s, bool twice)
{
    s->visible = straight_count_before(s);
    void (*maker)(Straight *) = makers[straight_below(s, (int)(sizeof makers / sizeof makers[0]))];
    if (s->is_shadow)
        maker(s);
    else
        make(s, maker, twice);
}

static void make_loop(Straight *s)
{
    int form = straight_below(s, FORMS), last = s->axis_sizes[MICRO] - 1;
    bool is_micro = !strcmp(forms[form].kind, "micro"), twice = !straight_once_in(s, 3);
    form = is_micro && last == 0 ? 0 : form;
    if (s->open_count == MAX_OPEN || (is_micro && straight_micro_loop(s)) || s->ops_used > sizeof s->ops / 2)
        return;
    Loop *loop = &s->open[s->open_count++];
    *loop = (Loop){.id = s->loop_count++, .form = form, .is_micro = is_micro, .axis = -1, .start = s->ops_used};
    if (s->open_count == 1)
        s->outside = straight_count_before(s);
    if (forms[form].guarded && straight_once_in(s, 3))
        loop->axis = straight_below(s, s->axis_count);
    int low = forms[form].low, high = forms[form].high + (is_micro ? last : 0);
    if (loop->axis >= 0)
        high = last + s->axis_sizes[loop->axis] - 1;
    bool parted = !forms[form].low && !forms[form].high && is_micro && last > 0 && straight_once_in(s, 3);
    int part = parted ? straight_below(s, last) : high;
    open_loop(s, loop, low, part);
    loop->body = s->ops_used;
    if (is_micro)
        make_batch(s);
    s->visible = straight_count_before(s);
    for (int names = straight_below(s, 4); names > 0; names--)
        make_slot(s);
    for (int left = 3 + straight_below(s, 9); left > 0 && s->ops_used < sizeof s->ops / 2; left--)
        make_inside(s, twice);
    straight_put(s, forms[form].guarded ? "}\n}\n" : "}\n");
    if (parted) {
        size_t end = s->ops_used;
        int by = s->loop_count - loop->id;
        Loop rest = *loop;
        rest.id += by;
        open_loop(s, &rest, part + 1, high);
        put_again(s, loop->body, end, loop->id, by);
        s->loop_count += by;
    }
    s->open_count--;
}

/* The reference is nothing but what a file needs. */
static const char around[] = "reference {\n"
                             "buffer rw f64 [%d] parameters persistent state parameters of w\n"
                             "routine init {\nrw = init() tensor w seed 1\n}\nroutine step {\n}\n}\n"
                             "program {\n"
                             "buffer rw f64 [%d] parameters persistent state parameters of w\n%s"
                             "routine init {\nrw = init() tensor w seed 1\n}\nroutine step {\n%s}\n}\n";

void straight_text(uint64_t seed, uint64_t index, char *text, size_t size)
{
    static Straight s;
    memset(&s, 0, sizeof s);
    s.chance = chance_new(seed, index);
    choose_sizes(&s);
    s.other = chance_new(~seed, index);
    bool twice = !straight_once_in(&s, 3);
    make(&s, make_initial, twice);
    make(&s, make_batch, twice);
    for (int sources = straight_below(&s, 3); sources > 0; sources--)
        make(&s, straight_once_in(&s, 2) ? make_initial : make_batch, twice);
    for (int left = 20 + straight_below(&s, twice ? 30 : 60); left > 0 && s.ops_used < sizeof s.ops - 300; left--)
        make(&s, makers[straight_below(&s, (int)(sizeof makers / sizeof makers[0]))], twice);
    int used =
        snprintf(text, size, "place-step 1\nmodel pairs\ncontract exact\ncompute f64\nmicro %d\n", s.axis_sizes[MICRO]);
    for (int a = 0; a < s.axis_count; a++)
        used += snprintf(text + used, size - (size_t)used, "axis d%d %d\n", a, s.axis_sizes[a]);
    used += snprintf(text + used, size - (size_t)used,
                     "tensor x input f64 [%d, %d] batch 0\ntensor t input f64 [%d] batch 0\n"
                     "tensor r input f64 [%d]\n"
                     "tensor w parameter f64 [%d] init normal 0.5\ntensor v parameter f64 [%d, %d] init normal 0.5\n"
                     "tensor u parameter f64 [%d] init normal 0.5\ntensor k parameter f64 [3, 3] init normal 0.5\n"
                     "tensor f parameter f64 [%d] init normal 0.5\nstate parameters parameters per_parameter f64\n"
                     "unit u0 = v, u\nunit u1 = w, v\nunit u2 = w[%d/d0], v[%d/d0, %d]\n",
                     s.sizes[0], s.sizes[1], s.sizes[0], s.sizes[1], s.sizes[1], s.sizes[1], s.sizes[2], s.sizes[2],
                     s.sizes[FUSED], s.sizes[ROWS], s.sizes[ROWS], s.sizes[COLUMNS]);
    snprintf(text + used, size - (size_t)used, around, s.sizes[1], s.sizes[1], s.buffers, s.ops);
}
