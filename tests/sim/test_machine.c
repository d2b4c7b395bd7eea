/* test_machine.c - the simulator against numbers worked out by hand. */
#include "tests/sim/oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Declarations, a reference that does nothing, and a program with these buffers and this step. */
static SimMachine *run(SimPool *pool, SimArithmetic arithmetic, const char *declarations, const char *buffers,
                       const char *step)
{
    char text[4096], message[256];
    snprintf(text, sizeof text,
             "place-step 1\nmodel hand\ncontract exact\ncompute f64\n%s\nreference {\n}\nprogram {\n%s\n"
             "routine step {\n%s\n}\n}\n",
             declarations, buffers, step);
    SimFile *file = sim_read(pool, text, message, sizeof message);
    if (!file)
        fail_msg("%s", message);
    sim_arithmetic = arithmetic;
    SimMachine *machine = sim_machine_new(pool, file, &file->program, 1);
    sim_machine_run(machine, "step", 1);
    return machine;
}

typedef struct Case {
    const char *what, *declarations, *buffers, *step;
    const char *fault;  /* part of the message, or NULL */
    double outputs[12]; /* of rank 0, then rank 1, ... */
    int count;
} Case;

#define TWO "micro 1\naxis data 2"
#define UNIT "micro 1\naxis data 2\ntensor w parameter f64 [3] init ones\nunit all = w"
#define FILLED "g = fill(; 1)\n"

static const Case cases[] = {
    {"iota begins where the piece does",
     TWO,
     "buffer i i32 [5/data] activations",
     "i = iota() index 10\noutput(i) name \"i\"",
     NULL,
     {10, 11, 12, 13, 14},
     5},
    {"an all-gather puts balanced pieces together",
     TWO,
     "buffer i i32 [5/data] activations\nbuffer w i32 [5] activations",
     "i = iota() index 0\nw = all_gather(i) over data\noutput(w) name \"w\"",
     NULL,
     {0, 1, 2, 3, 4, 0, 1, 2, 3, 4},
     10},
    {"an all-reduce sums over ranks",
     TWO,
     "buffer i f64 [4/data] activations\nbuffer s f64 [] activations",
     "i = iota() index 1\ns = reduce(i) \"a->\"\noutput(s) name \"s\"\ns = all_reduce(s) sum over data\n"
     "output(s) name \"s\"\ns = all_reduce(s) max over data\noutput(s) name \"s\"",
     NULL,
     {3, 7, 10, 10, 10, 10},
     6},
    {"a reduce-scatter pads with zero",
     UNIT,
     "buffer g f64 unit all gradients\nbuffer s f64 unit all/data gradients",
     FILLED "s = reduce_scatter(g) sum over data\noutput(s) name \"s\"",
     NULL,
     {2, 2, 2, 0},
     4},
    {"a gather drops padding",
     UNIT,
     "buffer g f64 unit all gradients\nbuffer s f64 unit all/data gradients\nbuffer n f64 [] buffers",
     FILLED "s = fill(; 7)\ng = all_gather(s) over data\nn = reduce(g)\noutput(n) name \"n\"\nn = reduce(s)\n"
            "output(n) name \"n\"",
     NULL,
     {21, 21, 14, 14},
     4},
    {"a shard goes into its place",
     UNIT,
     "buffer g f64 unit all gradients\nbuffer s f64 unit all/data gradients",
     FILLED "s = slice(g) over data\ns = scale(s) scale 3/1\ng = place_shard(g, s) over data\noutput(g) name \"g\"",
     NULL,
     {3, 3, 1, 1, 1, 3},
     6},
    {"a member is a piece of its unit",
     "micro 1\naxis data 2\ntensor u parameter f64 [2] init ones\ntensor w parameter f64 [2, 2] init ones\n"
     "unit all = u, w",
     "buffer g f64 unit all gradients\nbuffer s f64 [] buffers",
     FILLED "g:w = scale(g:w) scale 5/1\ns = reduce(g:u) \"a->\"\noutput(s) name \"s\"\n"
            "g:w += fill(; 1) \"ab\"\ns = reduce(g)\noutput(s) name \"s\"",
     NULL,
     {2, 2, 26, 26},
     4},
    {"microbatches accumulate",
     "micro 3\naxis data 2\ntensor x input f64 [6] batch 0",
     "buffer c f64 [6/micro/data] activations\nbuffer s f64 [] buffers",
     "s = fill(; 0)\nloop l0 micro 0..2 {\nc = fill(; 2) \"a\"\ns += reduce(c) \"a->\"\n}\noutput(s) name \"s\"",
     NULL,
     {6, 6},
     2},
    {"local extents divide",
     TWO,
     "buffer c f64 [5/data] activations\nbuffer s f64 [] buffers",
     "c = fill(; 1) \"a\"\nc = scale(c) \"a->a\" scale 6/1 local \"a\"\ns = reduce(c) \"a->\"\noutput(c) name \"c\"",
     NULL,
     {2, 2, 2, 3, 3},
     5},
    {"slots turn round",
     TWO,
     "buffer r f64 [] slots 2 buffers",
     "r[0] = fill(; 1)\nr[1] = fill(; 2)\nloop l3 micro 0..0 {\nr[l3+3 % 2] += copy(r[l3])\n}\noutput(r[1]) name \"r\"",
     NULL,
     {3, 3},
     2},
    {"a guard chooses ranks",
     TWO,
     "buffer s f64 [] buffers",
     "s = fill(; 1)\nguard @data in 1..1 {\ns = fill(; 5)\n}\noutput(s) name \"s\"",
     NULL,
     {1, 5},
     2},
    {"a softmax row",
     TWO,
     "buffer i f64 [2] activations\nbuffer p f64 [2] activations",
     "i = iota() index 0\np = softmax(i; 0) \"a->a\"\noutput(p) name \"p\"",
     NULL,
     {0.5, 0.5, 0.5, 0.5},
     4},
    {"a causal row ends at its position",
     TWO,
     "buffer i i32 [2] activations\nbuffer s f64 [2, 2] activations",
     "i = iota() index 0\ns = fill(; 3) \"ab\"\ns = causal_softmax(s, i, i; 1) \"ts,t,s->ts\"\n"
     "guard @data in 0..0 {\noutput(s) name \"s\"\n}",
     NULL,
     {1, 0, 0.5, 0.5},
     4},
    {"an embedding adds repeated rows",
     TWO,
     "buffer i i32 [2] activations\nbuffer d f64 [2, 1] activations\nbuffer g f64 [3, 1] gradients",
     "i = iota() index 1\ni = fill(; 2) \"a\"\nd = fill(; 1.5) \"ab\"\n"
     "g = embed_bwd(i, d) \"t,th->vh\"\nguard @data in 0..0 {\noutput(g) name \"g\"\n}",
     NULL,
     {0, 0, 3},
     3},
    {"a matrix product",
     TWO,
     "buffer a f64 [2] activations\nbuffer m f64 [2, 2] activations\nbuffer b f64 [2] activations",
     "a = iota() index 1\nm = einsum(a, a) \"i,j->ij\"\nb = einsum(m, a) \"ij,j->i\"\n"
     "guard @data in 0..0 {\noutput(b) name \"b\"\n}",
     NULL,
     {5, 10},
     2},
    {"a matrix product over its operand",
     TWO,
     "buffer a f64 [2] activations\nbuffer m f64 [2, 2] activations",
     "a = iota() index 1\nm = einsum(a, a) \"i,j->ij\"\na = einsum(m, a) \"ij,j->i\"",
     "written over its operand",
     {0},
     0},
    {"a tick that is no microbatch",
     "micro 2\naxis data 2",
     "buffer c f64 [6/micro/data] activations\nbuffer s f64 [] buffers",
     "s = fill(; 0)\nloop l0 micro 0..2 {\nguard l0-@data in 0..1 {\nc = fill(; 2) \"a\"\ns += reduce(c) \"a->\"\n}\n}\n"
     "output(s) name \"s\"",
     NULL,
     {8, 4},
     2},
    {"the only microbatch, in a tick that is none and after it",
     "micro 1\naxis data 2",
     "buffer c f64 [6/micro/data] activations\nbuffer s f64 [] buffers",
     "loop l0 micro 0..1 {\nc = fill(; 2) \"a\"\n}\ns = reduce(c) \"a->\"\noutput(s) name \"s\"",
     NULL,
     {6, 6},
     2},
    {"a piece of no microbatch",
     "micro 2\naxis data 2",
     "buffer c f64 [6/micro/data] activations",
     "loop l0 micro 0..2 {\nc = fill(; 2) \"a\"\n}",
     "none is current",
     {0},
     0},
    {"placed apart",
     TWO,
     "buffer a f64 [2] activations offset 0 bytes 64\nbuffer b f32 [2] activations offset 64 bytes 64",
     "a = fill(; 3) \"a\"\nb = fill(; 4) \"a\"\nguard @data in 0..0 {\noutput(a) name \"a\"\n}",
     NULL,
     {3, 3},
     2},
    {"placed over each other",
     TWO,
     "buffer a f64 [2] activations offset 0 bytes 64\nbuffer b f32 [2] activations offset 4 bytes 64",
     "a = fill(; 3) \"a\"\nb = fill(; 4) \"a\"\noutput(a) name \"a\"",
     "before it was written",
     {0},
     0},
    {"a result over its operand",
     TWO,
     "buffer a f64 [2] activations offset 0 bytes 64\nbuffer b f64 [2] activations offset 8 bytes 64",
     "a = fill(; 3) \"a\"\nb = copy(a) \"a->a\"",
     "written over its operand",
     {0},
     0},
    {"memory that nothing wrote",
     TWO,
     "buffer s f64 [] buffers",
     "output(s) name \"s\"",
     "before it was written",
     {0},
     0},
    {"a result that is still in progress",
     TWO,
     "buffer s f64 [] buffers\nbuffer r f64 [] buffers",
     "s = fill(; 1)\nr = fill(; 0)\nr = all_reduce(s) sum over data event 0 stream 1\noutput(r) name \"r\"\nwait 0",
     "before it was written",
     {0},
     0},
    {"a result after the wait",
     TWO,
     "buffer s f64 [] buffers\nbuffer r f64 [] buffers",
     "s = fill(; 1)\nr = all_reduce(s) sum over data event 0 stream 1\nwait 0\ns = fill(; 4)\noutput(r) name \"r\"",
     NULL,
     {2, 2},
     2},
    {"a result that nobody waits for",
     TWO,
     "buffer s f64 [] buffers\nbuffer r f64 [] buffers",
     "s = fill(; 1)\nr = all_reduce(s) sum over data event 0 stream 1",
     "nobody waits",
     {0},
     0},
    {"a rank missing from a collective",
     TWO,
     "buffer s f64 [] buffers",
     "s = fill(; 1)\nguard @data in 0..0 {\ns = all_reduce(s) sum over data\n}",
     "not all ranks",
     {0},
     0},
    {"a gather of what is whole",
     UNIT,
     "buffer g f64 unit all gradients\nbuffer h f64 unit all gradients",
     FILLED "h = all_gather(g) over data",
     "do not differ by these axes",
     {0},
     0},
    {"a ring shifts",
     "micro 1\naxis data 3",
     "buffer i i32 [1] activations",
     "i = iota() index 10+@data\ni = permute(i) over data index @data+1 % 3\noutput(i) name \"i\"",
     NULL,
     {11, 12, 10},
     3},
    {"no permutation",
     TWO,
     "buffer i i32 [1] activations",
     "i = iota() index 0\ni = permute(i) over data index 0",
     "no permutation",
     {0},
     0},
    {"a broadcast",
     TWO,
     "buffer i i32 [1] activations",
     "i = iota() index 10+@data\ni = broadcast(i) over data index 1\noutput(i) name \"i\"",
     NULL,
     {11, 11},
     2},
    {"pieces of columns become pieces of rows",
     TWO,
     "buffer i f64 [3/data] activations\nbuffer o f64 [4] activations\nbuffer r f64 [3/data, 4] activations\n"
     "buffer c f64 [3, 4/data] activations",
     "i = iota() index 0\no = iota() index 1\nr = einsum(i, o) \"a,b->ab\"\nc = all_to_all(r) over data\n"
     "output(c) name \"c\"",
     NULL,
     {0, 0, 1, 2, 2, 4, 0, 0, 3, 4, 6, 8},
     12},
    {"a product with the other's piece",
     TWO,
     "buffer i f64 [4] activations\nbuffer p f64 [4/data] activations\nbuffer s f64 [] buffers",
     "i = iota() index 0\np = iota() index 10\ns = einsum(i, p) \"a,a->\" over data index @data+1 % 2\noutput(s) name \"s\"",
     NULL,
     {53, 13},
     2},
    {"a product in the place of the first piece",
     TWO,
     "buffer p f64 [4/data] activations\nbuffer s f64 [] buffers\nbuffer o f64 [4] activations",
     "p = iota() index 10\ns = fill(; 2)\no = einsum(p, s) \"a,->a\" over data index 0\noutput(o) name \"o\"",
     NULL,
     {20, 22, 0, 0, 24, 26, 0, 0},
     8},
    {"a product of pieces without one",
     TWO,
     "buffer i f64 [4] activations\nbuffer s f64 [] buffers",
     "i = iota() index 0\ns = einsum(i, i) \"a,a->\" over data index @data",
     "no letter is whole here",
     {0},
     0},
    {"stages in a row",
     "micro 1\naxis stage 3",
     "buffer i i32 [1] activations\nbuffer o i32 [1] activations",
     "i = iota() index 5\nguard @stage in 1..2 {\ni = recv() over stage index @stage-1\n}\ni = increment(i) \"a->a\"\n"
     "guard @stage in 0..1 {\nsend(i) over stage index @stage+1\n}\noutput(i) name \"i\"",
     NULL,
     {6, 7, 8},
     3},
    {"messages of a channel keep their order",
     TWO,
     "buffer i i32 [1] slots 2 activations",
     "guard @data in 0..0 {\ni[0] = iota() index 1\ni[1] = iota() index 2\n"
     "send(i[0]) over data index 1 event 0 stream 1\nsend(i[1]) over data index 1 event 1 stream 1\n"
     "send(i[1]) over data index 1 channel 1\nwait 0\nwait 1\n}\n"
     "guard @data in 1..1 {\ni[1] = recv() over data index 0 channel 1\noutput(i[1]) name \"c\"\n"
     "i[0] = recv() over data index 0\noutput(i[0]) name \"a\"\n"
     "i[0] = recv() over data index 0\noutput(i[0]) name \"b\"\n}",
     NULL,
     {2, 1, 2},
     3},
    {"sends that wait for each other",
     TWO,
     "buffer i i32 [1] activations\nbuffer o i32 [1] activations",
     "i = iota() index 5\nsend(i) over data index 1-@data\no = recv() over data index 1-@data",
     "not all ranks",
     {0},
     0},
    {"a copy after a message that comes later",
     TWO,
     "buffer i i32 [1] activations\nbuffer o i32 [1] activations\nbuffer s i32 [1] activations",
     "guard @data in 0..0 {\ni = iota() index 5\no = recv() over data index 1 event 0 stream 1\n"
     "s = copy(i) \"a->a\" event 1 stream 1\nwait 1\nsend(s) over data index 1\nwait 0\n}\n"
     "guard @data in 1..1 {\ni = iota() index 7\no = recv() over data index 0\nsend(i) over data index 0\n}\n"
     "output(o) name \"o\"",
     "not all ranks",
     {0},
     0},
    {"a copy next to a message that comes later",
     TWO,
     "buffer i i32 [1] activations\nbuffer o i32 [1] activations\nbuffer s i32 [1] activations",
     "guard @data in 0..0 {\ni = iota() index 5\no = recv() over data index 1 event 0 stream 1\n"
     "s = copy(i) \"a->a\" event 1 stream 2\nwait 1\nsend(s) over data index 1\nwait 0\n}\n"
     "guard @data in 1..1 {\ni = iota() index 7\no = recv() over data index 0\nsend(i) over data index 0\n}\n"
     "output(o) name \"o\"",
     NULL,
     {7, 5},
     2},
    {"a message that nobody receives",
     TWO,
     "buffer i i32 [1] activations",
     "i = iota() index 5\nguard @data in 0..0 {\nsend(i) over data index 1\n}",
     "not all ranks",
     {0},
     0},
    {"a table",
     "micro 1\naxis data 2\ntable first data 4 7",
     "buffer i i32 [1] activations",
     "loop l0 micro 0..0 {\ni = iota() index 2*$first+l0\n}\noutput(i) name \"i\"",
     NULL,
     {8, 14},
     2},
    {"who has a buffer",
     TWO,
     "buffer i i32 [1] activations where @data in 1..1",
     "guard @data in 1..1 {\ni = iota() index 3\noutput(i) name \"i\"\n}",
     NULL,
     {3},
     1},
    {"who has not",
     TWO,
     "buffer i i32 [1] activations where @data in 1..1",
     "i = iota() index 3",
     "does not have 'i'",
     {0},
     0},
    {"members cut by dims",
     "micro 1\naxis data 2\ntensor u parameter f64 [3] init ones\ntensor w parameter f64 [2, 3] init ones\n"
     "unit all = u, w[2, 3/data]",
     "buffer g f64 unit all gradients\nbuffer i f64 [3/data] buffers\nbuffer o f64 [2] buffers\n"
     "buffer f f64 [2, 3] buffers",
     "i = iota() index 1\no = iota() index 1\ng:w = einsum(o, i) \"a,b->ab\"\nf = all_gather(g:w) over data\n"
     "guard @data in 1..1 {\noutput(g:w) name \"w\"\noutput(f) name \"f\"\n}",
     NULL,
     {3, 6, 1, 2, 3, 2, 4, 6},
     8},
    {"letters of different sizes",
     TWO,
     "buffer a f64 [2] activations\nbuffer b f64 [3] activations",
     "a = fill(; 1) \"a\"\nb = fill(; 1) \"a\"\na = add(a, b) \"a,a->a\"",
     "'a' is 2 and 3",
     {0},
     0},
};

/* The `index`-th output that a rank gave. */
static const SimOutput *output_of(const SimMachine *machine, int rank, int index)
{
    for (int o = 0; o < machine->output_count; o++)
        if (machine->outputs[o].rank == rank && index-- == 0)
            return &machine->outputs[o];
    return NULL;
}

/* Outputs in the order they were given, of each those of rank 0 first. */
static void expect_outputs(const Case *c, const SimMachine *machine)
{
    char text[64];
    int next = 0;
    for (int index = 0; index < machine->output_count; index++)
        for (int rank = 0; rank < machine->rank_count; rank++) {
            const SimOutput *output = output_of(machine, rank, index);
            for (int64_t i = 0; output && i < output->count; i++, next++)
                if (next >= c->count || !sim_equal(output->numbers[i].value, sim_decimal(c->outputs[next]).value, 0))
                    fail_msg("%s: output %d is %s", c->what, next,
                             sim_show(output->numbers[i].value, text, sizeof text));
        }
    if (next != c->count)
        fail_msg("%s: %d outputs", c->what, next);
}

static void runs_by_hand(void **state)
{
    (void)state;
    SimPool *pool = sim_pool_new();
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const Case *c = &cases[i / 2];
        if (i % 2 == SIM_FIELD && strstr(c->step, "softmax"))
            continue; /* a hash there */
        sim_pool_reset(pool);
        const SimMachine *machine = run(pool, (SimArithmetic)(i % 2), c->declarations, c->buffers, c->step);
        if (machine->failed != (c->fault != NULL))
            fail_msg("%s: %s", c->what, machine->failed ? machine->fault : "no fault");
        if (c->fault && !strstr(machine->fault, c->fault))
            fail_msg("%s: %s", c->what, machine->fault);
        if (!c->fault)
            expect_outputs(c, machine);
    }
    sim_pool_free(pool);
}

static void cuts_are_balanced(void **state)
{
    (void)state;
    int64_t start, extent;
    sim_cut(7, 3, 0, &start, &extent);
    assert_true(start == 0 && extent == 3);
    sim_cut(7, 3, 2, &start, &extent);
    assert_true(start == 5 && extent == 2);
    sim_cut(1, 3, 1, &start, &extent);
    assert_true(start == 1 && extent == 0);
}

/* y = x w, loss = sum of squares of y - t over a batch of 4, by gradient descent. */
static const char line[] = "place-step 1\nmodel line\ncontract exact\ncompute f64\nmicro 2\naxis data 2\n"
                           "tensor x input f64 [4] batch 0\ntensor t input f64 [4] batch 0\n"
                           "tensor w parameter f64 [] init normal 1\n"
                           "state parameters parameters per_parameter f64\n"
                           "state gradients gradients per_parameter f64\nunit all = w\n"
                           "reference {\nbuffer w f64 [] parameters persistent state parameters of w\n"
                           "buffer g f64 [] gradients state gradients of w\nbuffer x f64 [4] activations\n"
                           "buffer t f64 [4] activations\nbuffer y f64 [4] activations\nbuffer c f64 [4] activations\n"
                           "buffer loss f64 [] activations\nbuffer rate f64 [] buffers\n"
                           "routine init {\nw = init() tensor w seed 1\n}\nroutine step {\n"
                           "x = read() tensor x index 0\nt = read() tensor t index 0\ny = einsum(x, w) \"b,->b\"\n"
                           "c = squared_error(y, t) \"b,b->b\"\nloss = reduce(c) \"b->\"\noutput(loss) name \"loss\"\n"
                           "c = fill(; 1) \"b\"\ny = squared_error_bwd(y, t, c) \"b,b,b->b\"\n"
                           "g = fill(; 0)\ng += einsum(x, y) \"b,b->\"\nrate = fill(; 0.1)\n"
                           "w = sgd(w, g, rate) tensor w\n}\n}\n"
                           "program {\nbuffer p f64 unit all parameters persistent state parameters\n"
                           "buffer g f64 unit all gradients state gradients\nbuffer x f64 [4/micro/data] activations\n"
                           "buffer t f64 [4/micro/data] activations\nbuffer y f64 [4/micro/data] activations\n"
                           "buffer c f64 [4/micro/data] activations\nbuffer loss f64 [] activations\n"
                           "buffer rate f64 [] buffers\nroutine init {\np:w = init() tensor w seed 1\n}\n"
                           "routine step {\ng = fill(; 0)\nloss = fill(; 0)\nloop l0 micro 0..1 {\n"
                           "x = read() tensor x over data index l0\nt = read() tensor t over data index l0\n"
                           "y = einsum(x, p:w) \"b,->b\"\nc = squared_error(y, t) \"b,b->b\"\n"
                           "loss += reduce(c) \"b->\"\nc = fill(; 1) \"b\"\n"
                           "y = squared_error_bwd(y, t, c) \"b,b,b->b\"\ng:w += einsum(x, y) \"b,b->\"\n}\n"
                           "loss = all_reduce(loss) sum over data\noutput(loss) name \"loss\"\n"
                           "g = all_reduce(g) sum over data\nrate = fill(; 0.1)\np = sgd(p, g, rate) tensor w\n}\n}\n";

static void judges_programs(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to; /* in the text; every occurrence after the first `skip` */
        SimVerdict verdict;
        const char *message;
    } changes[] = {
        {"", "", SIM_EQUAL, ""},
        {"g = all_reduce(g) sum over data\n", "", SIM_DIFFERENT, "sgd reads 'g'"},
        {"loss = all_reduce(loss) sum over data\n", "", SIM_DIFFERENT, "output 'loss'"},
        {"p:w = init() tensor w seed 1", "p:w = init() tensor w seed 1+1*@data", SIM_DIFFERENT, "init 0, rank 1"},
        {"over data index l0\nt =", "index l0\nt =", SIM_DIFFERENT, ""},
        {"p = sgd(p, g, rate)", "g = sgd(p, g, rate)", SIM_DIFFERENT, "state parameters"},
        {"g += einsum(x, y)", "g += einsum(x, x)", SIM_FAULTED, "by dual numbers"},
        {"t = read() tensor t over data", "t = read() tensor u over data", SIM_FAULTED, "unknown tensor 'u'"},
    };
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
        char text[4096], message[512];
        const char *at = strstr(line, changes[c].from);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - line), line, changes[c].to, at + strlen(changes[c].from));
        SimVerdict verdict = sim_judge(text, 3, 1, message, sizeof message);
        if (verdict != changes[c].verdict || !strstr(message, changes[c].message))
            fail_msg("'%s': verdict %d, %s", changes[c].from, verdict, message);
    }
}

/* A third of a sum, three times, less the sum: zero but for rounding, which is then made as large as can be seen. */
static void rounding_is_no_difference(void **state)
{
    (void)state;
    static const char text[] =
        "place-step 1\nmodel rounding\ncontract exact\ncompute f64\n" TWO "\ntensor x input f64 [4] batch 0\n"
        "reference {\nbuffer x f64 [4] activations\nbuffer s f64 [] activations\nbuffer d f64 [] activations\n"
        "routine init {\n}\nroutine step {\nx = read() tensor x index 0\ns = reduce(x) \"b->\"\nd = scale(s) \"->\" scale 1/7\n"
        "d = scale(d) \"->\" scale 7/1\nd = sub(d, s) \",->\"\nd = scale(d) \"->\" scale 1000000000000000000/1\n"
        "d = scale(d) \"->\" scale 1000000000000000000/1\noutput(d) name \"loss\"\n}\n}\n"
        "program {\nbuffer x f64 [4/data] activations\nbuffer s f64 [] activations\nbuffer d f64 [] activations\n"
        "routine init {\n}\nroutine step {\nx = read() tensor x over data index 0\ns = reduce(x) \"b->\"\ns = scale(s) \"->\" scale 1/3\n"
        "s = scale(s) \"->\" scale 3/1\ns = all_reduce(s) sum over data\nd = scale(s) \"->\" scale 1/7\n"
        "d = scale(d) \"->\" scale 7/1\nd = sub(d, s) \",->\"\nd = scale(d) \"->\" scale 1000000000000000000/1\n"
        "d = scale(d) \"->\" scale 1000000000000000000/1\noutput(d) name \"loss\"\n}\n}\n";
    char message[512];
    SimVerdict verdict = sim_judge(text, 3, 1, message, sizeof message);
    if (verdict != SIM_EQUAL || !*message) /* which says where the reals differ */
        fail_msg("verdict %d, %s", verdict, message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_by_hand),
        cmocka_unit_test(cuts_are_balanced),
        cmocka_unit_test(judges_programs),
        cmocka_unit_test(rounding_is_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
