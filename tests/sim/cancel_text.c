/* cancel_text.c - the rules, and how they are laid out. */
#include "tests/sim/cancel_text.h"

#include "tests/sim/chance.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_AXES = 4, LETTERS = 3, MAX_DIMS = 2 };

enum { EVEN = 1, MICRO = 2, COPIES = 4 }; /* pieces of one size, microbatches, an axis of copies */

/* Lines of operators, one after another. Letters after a $ stand for what is drawn:
 *
 *   - axes: $a and $b; $n how many ranks a has, $k from 1 to n - 1, $K n - $k, $i a rank, $j another, $e one but 0;
 *     $c the axis of copies, $N how many copies there are;
 *   - $v a parameter, $W the letters of its dims, $d that of the dim that a cuts in p1 .., $D its size, $Q the others;
 *   - $f a nonlinear function, $s and $t seeds, $r the route (0 or 1);
 *   - $m the last rank or microbatch, $l the one before.
 *
 * Buffers: w1 .. w4 are laid out as the parameter, cut over none but b, maybe; p1 .. p4 as pieces of it over a, b1 ..
 * b4 padded; q1 .. q4 lack dim d; z1 .. z6 are numbers; t1 .. t4 a microbatch of t over a, t5, t6 not; u1, u2 slots of
 * a unit, o1, o2 pieces of them, r1 .. r3 and c1 .. c3 its rows and columns; a1 .. a3 slots of members cut over a, h,
 * f, j their rows, columns and tensors; n1 .. n5 pieces of an image, e1 one with a halo, k1 .. k4 windows. The result
 * is what the last line writes. */
typedef struct Rule {
    const char *name;
    const char *before; /* what both routes begin with */
    const char *illegal, *legal;
    unsigned needs; /* EVEN ... */
} Rule;

#define SOURCE "w1 = init() tensor $v seed $s\n"
#define PIECES SOURCE "p1 = slice(w1) over $a\n"
#define PLACED PIECES "w2 = fill(; 0) \"$W\"\nw2 = place_shard(w2, p1) over $a\n"
#define PART PIECES "q1 = reduce(p1) \"$W->$Q\"\n"
#define BATCH "z1 = fill(; 0)\nz2 = fill(; 0)\n"

/* Messages from rank i to rank j. */
#define TWO SOURCE "w2 = init() tensor $v seed $t\nw3 = copy(w1) \"$W->$W\"\nw4 = copy(w1) \"$W->$W\"\n"
#define SENDS(lines) "guard @$a in $i..$i {\n" lines "}\n"
#define TAKES(lines) "guard @$a in $j..$j {\n" lines "}\n"
#define TO " over $a index $j"
#define FROM " = recv() over $a index $i"
#define STARTED TAKES("w3" FROM " channel 1 event 1 stream 1\nw4" FROM " channel 2 event 2 stream 2\n")
#define WAITED TAKES("wait 1\nwait 2\n") "w4 = copy(w3) \"$W->$W\"\n"
#define PASSED(value)                                                                                                  \
    "loop l$r micro 0..$m {\nt5 = read() tensor t index l$r\nt6 = $f(t5) \"b->b\"\nz2 = reduce(t6) \"b->\"\n"          \
    "z4 = copy(z2)\n" SENDS("send(" value ")" TO "\n") TAKES("z4" FROM "\n") "z3 = copy(z2)\nz5 += copy(z4)\n}\n"      \
                                                                             "z6 = copy(z5)\n"

/* Of each copy's own batch. */
#define COPY "t1 = read() tensor t over $c, $a index 0\nz1 = reduce(t1) \"b->\"\nz2 = all_reduce(z1) sum over $a\n"
#define IN_COPY(lines) "loop l$r micro 0..0 {\n" COPY lines "}\n"

/* Windows of an image, of which each rank has rows. */
#define IMAGE                                                                                                          \
    "n1 = init() tensor v seed $s\nn5 = init() tensor v seed 9\nk1 = init() tensor kernel seed $t\n"                   \
    "k3 = init() tensor kernel seed 9\n"
#define SEEN "n3 = conv(e1, k1; 1, 1) \"rs,ij->pq\"\n"
#define IMAGE_SUM(image) "z1 = einsum(" image ", n5) \"hc,hc->\"\nz2 = all_reduce(z1) sum over $a\n"

/* Numbers of rows, columns and tensors: of a unit cut flat, of members cut by dims. */
#define RANGE "u1 = init() seed $s\nu2 = init() seed 9\no1 = slice(u1) over $a\n"
#define ROWS(numbers) "u1 = mul(u2, " numbers ")\nz1 = reduce(u1)\n"
#define MEMBERS "a1 = init() seed $s\na2 = init() seed 9\n"
#define MEMBERS_SUM(slot) "a3 = mul(a2, " slot ")\nz1 = reduce(a3)\nz2 = all_reduce(z1) sum over $a\n"

/* A mean over a rank's own rows, and how many these are. */
#define OWN                                                                                                            \
    PIECES "p2 = scale(p1) \"$W->$W\" scale 1/1 local \"$d\"\nq2 = reduce(p2) \"$W->$Q\"\np3 = fill(; 1) \"$W\"\n"     \
           "q3 = reduce(p3) \"$W->$Q\"\n"
#define WEIGHED "q4 = mul(q2, q3) \"$Q,$Q->$Q\"\nq1 = all_reduce(q4) sum over $a\n"

/* Products with pieces that go around. */
#define VISITOR PIECES "b1 = copy(p1) \"$W->$W\"\nw2 = init() tensor $v seed $t\nz1 = fill(; 0)\n"
#define VISITS(last, index, move)                                                                                      \
    "b1 = copy(p1) \"$W->$W\"\nz1 = fill(; 0)\nloop l$r steps 0.." last                                                \
    " {\nz1 += einsum(w2, b1) \"$W,$W->\" over $a index " index " % $n\nb1 = permute(b1) over $a index @$a" move       \
    " % $n\n}\nz2 = copy(z1)\n"
#define VISITED VISITS("$m", "@$a-l$r", "-1")

static const Rule rules[] = {
    {"a part used as the whole", PART, "q2 = $f(q1) \"$Q->$Q\"\n",
     "q2 = all_reduce(q1) sum over $a\nq3 = $f(q2) \"$Q->$Q\"\n", 0},
    {"a function of parts, summed", PART, "q2 = $f(q1) \"$Q->$Q\"\nq3 = all_reduce(q2) sum over $a\n",
     "q2 = all_reduce(q1) sum over $a\nq3 = $f(q2) \"$Q->$Q\"\n", 0},
    {"a part summed twice", PART, "q2 = all_reduce(q1) sum over $a\nq3 = all_reduce(q2) sum over $a\n",
     "q2 = all_reduce(q1) sum over $a\n", 0},
    {"the largest part", PART, "q2 = all_reduce(q1) max over $a\n", "q2 = all_reduce(q1) sum over $a\n", 0},
    {"summed over another axis", PART, "q2 = all_reduce(q1) sum over $b\n", "q2 = all_reduce(q1) sum over $a\n", 0},
    {"a part of one rank", PART, "q2 = broadcast(q1) over $a index $i\n", "q2 = all_reduce(q1) sum over $a\n", 0},
    {"a neighbour's part", PART, "q2 = permute(q1) over $a index @$a+$k % $n\nq3 = add(q1, q2) \"$Q,$Q->$Q\"\n",
     "q2 = all_reduce(q1) sum over $a\n", 0},
    {"a part added to a whole", PART "q3 = init() tensor $q seed $t\n",
     "q2 = add(q1, q3) \"$Q,$Q->$Q\"\nq4 = all_reduce(q2) sum over $a\n",
     "q2 = all_reduce(q1) sum over $a\nq4 = add(q2, q3) \"$Q,$Q->$Q\"\n", 0},
    {"a product of two parts", PART, "q2 = mul(q1, q1) \"$Q,$Q->$Q\"\nq3 = all_reduce(q2) sum over $a\n",
     "q2 = all_reduce(q1) sum over $a\nq3 = mul(q2, q2) \"$Q,$Q->$Q\"\n", 0},
    {"the square of a part", PART, "z1 = sum_squares(q1) \"$Q->\"\nz2 = all_reduce(z1) sum over $a\n",
     "q2 = all_reduce(q1) sum over $a\nz2 = sum_squares(q2) \"$Q->\"\n", 0},
    {"a whole summed", SOURCE, "w2 = all_reduce(w1) sum over $a\n", "w2 = copy(w1) \"$W->$W\"\n", 0},
    {"a whole scattered as a sum", SOURCE, "p2 = reduce_scatter(w1) sum over $a\n", "p2 = slice(w1) over $a\n", 0},
    {"a mean for a sum", PLACED, "w3 = all_reduce(w2) sum over $a\nw4 = scale(w3) \"$W->$W\" scale 1/$n\n",
     "w4 = all_reduce(w2) sum over $a\n", 0},
    {"a piece used as the whole", PIECES, "z1 = reduce(p1) \"$W->\"\n",
     "z1 = reduce(p1) \"$W->\"\nz2 = all_reduce(z1) sum over $a\n", 0},
    {"a piece summed", PIECES, "p2 = all_reduce(p1) sum over $a\n", "p2 = copy(p1) \"$W->$W\"\n", EVEN},
    {"a neighbour's piece", PIECES, "p2 = permute(p1) over $a index @$a+$k % $n\nw3 = all_gather(p2) over $a\n",
     "w3 = all_gather(p1) over $a\n", EVEN},
    {"one rank's piece", PIECES, "p2 = broadcast(p1) over $a index $i\nw3 = all_gather(p2) over $a\n",
     "w3 = all_gather(p1) over $a\n", EVEN},
    {"pieces met by others", PIECES, "p2 = permute(p1) over $a index @$a+$k % $n\np3 = mul(p1, p2) \"$W,$W->$W\"\n",
     "p3 = mul(p1, p1) \"$W,$W->$W\"\n", EVEN},
    {"a piece put in its place, and not summed", PLACED, "w3 = $f(w2) \"$W->$W\"\n", "w3 = $f(w1) \"$W->$W\"\n", 0},
    {"a piece put in its place, and summed in a whole", PIECES "w2 = init() tensor $v seed $t\n",
     "w3 = place_shard(w2, p1) over $a\nw4 = all_reduce(w3) sum over $a\n", "w4 = copy(w1) \"$W->$W\"\n", 0},
    {"seeds that differ", "", "w1 = init() tensor $v seed $s+$k*@$a\nw2 = $f(w1) \"$W->$W\"\n",
     SOURCE "w2 = $f(w1) \"$W->$W\"\n", 0},
    {"pieces drawn with seeds that differ", "", "p1 = init() tensor $v seed $s+$k*@$a\nw2 = all_gather(p1) over $a\n",
     SOURCE "w2 = copy(w1) \"$W->$W\"\n", 0},
    {"another rank's draw", "w1 = init() tensor $v seed $s+$k*@$a\n", "w2 = broadcast(w1) over $a index 0\n",
     "w2 = broadcast(w1) over $a index $e\n", 0},
    {"written on some ranks", SOURCE "w2 = init() tensor $v seed $t\n",
     "w3 = copy(w1) \"$W->$W\"\nguard @$a in $i..$i {\nw3 = copy(w2) \"$W->$W\"\n}\n", "w3 = copy(w1) \"$W->$W\"\n", 0},
    {"guards of other ranks", SOURCE "w2 = fill(; 0) \"$W\"\nw3 = init() tensor $v seed $t\n",
     "guard @$a in $i..$i {\nw2 = copy(w1) \"$W->$W\"\n}\nw4 = mul(w2, w3) \"$W,$W->$W\"\n",
     "guard @$a in $j..$j {\nw2 = copy(w1) \"$W->$W\"\n}\nw4 = mul(w2, w3) \"$W,$W->$W\"\n", 0},
    {"a guard's upper bound", PLACED "w3 = fill(; 0) \"$W\"\n",
     "guard @$a in 0..$l {\nw3 = copy(w2) \"$W->$W\"\n}\nw4 = all_reduce(w3) sum over $a\n",
     "guard @$a in 0..$m {\nw3 = copy(w2) \"$W->$W\"\n}\nw4 = all_reduce(w3) sum over $a\n", 0},
    {"a mean of means", PIECES,
     "p2 = scale(p1) \"$W->$W\" scale 1/1 local \"$d\"\nq2 = reduce(p2) \"$W->$Q\"\n"
     "q3 = all_reduce(q2) sum over $a\nq4 = scale(q3) \"$Q->$Q\" scale 1/$n\n",
     "q2 = reduce(p1) \"$W->$Q\"\nq3 = all_reduce(q2) sum over $a\nq4 = scale(q3) \"$Q->$Q\" scale 1/$D\n", 0},
    {"the order of a cut", SOURCE "x1 = slice(w1) over $a\nx2 = slice(x1) over $b\ny1 = slice(w1) over $b\n",
     "y2 = copy(x2) \"$W->$W\"\n", "y2 = slice(y1) over $a\n", 0},
    {"segments of a cut", SOURCE, "p1 = slice(w1) over $a\ng1 = copy(p1) \"$W->$W\"\n", "g1 = slice(w1) over $a\n", 0},
    {"padding counted", "u1 = fill(; 1)\no1 = slice(u1) over $a\n",
     "o1 = fill(; 1)\nz1 = reduce(o1)\n"
     "z2 = all_reduce(z1) sum over $a\n",
     "z2 = reduce(u1)\n", 0},
    {"a slot's pieces not summed", "u1 = init() seed $s\no1 = slice(u1) over $a\n", "z1 = sum_squares(o1)\n",
     "z1 = sum_squares(u1)\n", 0},
    {"a slot's copies summed", "u1 = init() seed $s\n", "z1 = sum_squares(u1)\nz2 = all_reduce(z1) sum over $a\n",
     "z2 = sum_squares(u1)\n", 0},
    {"a slot scattered as a sum", "u1 = init() seed $s\n",
     "o1 = reduce_scatter(u1) sum over $a\nu2 = all_gather(o1) over $a\n"
     "z2 = reduce(u2)\n",
     "z2 = reduce(u1)\n", 0},
    {"another rank's range of a slot",
     "u1 = init() seed $s\no1 = slice(u1) over $a\n"
     "o2 = permute(o1) over $a index @$a+$k % $n\n",
     "o3 = slice(o2) over $b\no4 = all_gather(o3) over $b\n"
     "o2 = permute(o4) over $a index @$a+$K % $n\nu2 = all_gather(o2) over $a\nz2 = sum_squares(u2)\n",
     "o4 = permute(o2) over $a index @$a+$K % $n\nu2 = all_gather(o4) over $a\nz2 = sum_squares(u2)\n", 0},
    {"another rank's range summed",
     "u1 = init() seed $s\no1 = slice(u1) over $a\n"
     "o2 = permute(o1) over $a index @$a+$k % $n\n",
     "z2 = sum_squares(o2)\n", "z1 = sum_squares(o2)\nz2 = all_reduce(z1) sum over $a\n", 0},
    {"a microbatch left out", BATCH,
     "loop l$r micro 0..$m {\nt1 = read() tensor t over $a index l$r\nguard l$r in 0..$l {\nz1 += reduce(t1) "
     "\"b->\"\n}\n}\n"
     "z2 = all_reduce(z1) sum over $a\n",
     "loop l$r micro 0..$m {\nt1 = read() tensor t over $a index l$r\nz1 += reduce(t1) \"b->\"\n}\n"
     "z2 = all_reduce(z1) sum over $a\n",
     MICRO},
    {"one microbatch for all", BATCH,
     "loop l$r micro 0..$m {\nt1 = read() tensor t over $a index 0\nz1 += reduce(t1) \"b->\"\n}\n"
     "z2 = all_reduce(z1) sum over $a\n",
     "loop l$r micro 0..$m {\nt1 = read() tensor t over $a index l$r\nz1 += reduce(t1) \"b->\"\n}\n"
     "z2 = all_reduce(z1) sum over $a\n",
     EVEN | MICRO},
    {"a function of each microbatch's sum", BATCH,
     "loop l$r micro 0..$m {\nt1 = read() tensor t over $a index l$r\nz1 = reduce(t1) \"b->\"\nz2 += $f(z1)\n}\n"
     "z3 = all_reduce(z2) sum over $a\n",
     "loop l$r micro 0..$m {\nt1 = read() tensor t over $a index l$r\nz1 += reduce(t1) \"b->\"\n}\n"
     "z2 = all_reduce(z1) sum over $a\nz3 = $f(z2)\n",
     MICRO},
    {"summed with every microbatch", BATCH,
     "loop l$r micro 0..$m {\nt1 = read() tensor t over $a index l$r\nz1 += reduce(t1) \"b->\"\n"
     "z1 = all_reduce(z1) sum over $a\n}\nz2 = copy(z1)\n",
     "loop l$r micro 0..$m {\nt1 = read() tensor t over $a index l$r\nz1 += reduce(t1) \"b->\"\n}\n"
     "z2 = all_reduce(z1) sum over $a\n",
     MICRO},
    {"the same batch on all ranks", "loop l$r micro 0..0 {\n",
     "t1 = read() tensor t index 0\nt2 = $f(t1) \"b->b\"\nz1 = reduce(t2) \"b->\"\n}\nz2 = all_reduce(z1) sum over "
     "$a\n",
     "t1 = read() tensor t over $a index 0\nt2 = $f(t1) \"b->b\"\nz1 = reduce(t2) \"b->\"\n}\n"
     "z2 = all_reduce(z1) sum over $a\n",
     0},

    {"a message of another value", TWO, SENDS("send(w2)" TO "\n") TAKES("w3" FROM "\n"),
     SENDS("send(w1)" TO "\n") TAKES("w3" FROM "\n"), 0},
    {"messages in another order", TWO, SENDS("send(w1)" TO "\nsend(w2)" TO "\n") TAKES("w4" FROM "\nw3" FROM "\n"),
     SENDS("send(w1)" TO "\nsend(w2)" TO "\n") TAKES("w3" FROM "\nw4" FROM "\n") "w4 = copy(w3) \"$W->$W\"\n", 0},
    {"messages on each other's channels", TWO,
     STARTED SENDS("send(w1)" TO " channel 2\nsend(w2)" TO " channel 1\n") WAITED,
     STARTED SENDS("send(w2)" TO " channel 2\nsend(w1)" TO " channel 1\n") WAITED, 0},
    {"a message overwritten while it is sent", TWO,
     SENDS("send(w3)" TO " event 1 stream 1\nw3 = copy(w2) \"$W->$W\"\nwait 1\n") TAKES("w4" FROM "\n"),
     SENDS("send(w3)" TO " event 1 stream 1\nwait 1\nw3 = copy(w2) \"$W->$W\"\n") TAKES("w4" FROM "\n"), 0},
    {"a piece sent", PIECES "p2 = copy(p1) \"$W->$W\"\n",
     SENDS("send(p1)" TO "\n") TAKES("p2" FROM "\n") "w3 = all_gather(p2) over $a\n", "w3 = all_gather(p1) over $a\n",
     EVEN},
    {"a part sent", PART "q2 = copy(q1) \"$Q->$Q\"\n",
     SENDS("send(q1)" TO "\n") TAKES("q2" FROM "\n") "q3 = all_reduce(q2) sum over $a\n",
     "q3 = all_reduce(q2) sum over $a\n", 0},
    {"a part that arrives and is added", PART "q2 = copy(q1) \"$Q->$Q\"\nq3 = fill(; 0) \"$Q\"\n",
     SENDS("send(q1)" TO "\n") TAKES("q3" FROM "\n") "q4 = add(q2, q3) \"$Q,$Q->$Q\"\n",
     "q4 = all_reduce(q2) sum over $a\n", 0},
    {"a rank's own draw for what it was sent", "w1 = init() tensor $v seed $s+$k*@$a\nw2 = copy(w1) \"$W->$W\"\n",
     SENDS("send(w1)" TO "\n") TAKES("w2" FROM "\n") "w3 = broadcast(w1) over $a index $j\n",
     SENDS("send(w1)" TO "\n") TAKES("w2" FROM "\n") "w3 = broadcast(w2) over $a index $j\n", 0},
    {"the microbatch before in a message", BATCH "z3 = fill(; 0)\nz5 = fill(; 0)\n", PASSED("z3"), PASSED("z2"), MICRO},

    {"another copy's batch", "",
     "loop l$r micro 0..0 {\nt1 = read() tensor t over $a index 0\nz1 = reduce(t1) \"b->\"\n"
     "z2 = all_reduce(z1) sum over $a\n}\n",
     IN_COPY(""), COPIES},
    {"copies summed like ranks", "", IN_COPY("z3 = all_reduce(z1) sum over $a, $c\n"),
     IN_COPY("z3 = all_reduce(z1) sum over $a\n"), COPIES},
    {"a copy for the sum of copies", "", IN_COPY("z3 = scale(z2) scale $N/1\n"),
     IN_COPY("z3 = all_reduce(z2) sum over $c\n"), COPIES},
    {"the mean of copies for one of them", "", IN_COPY("z3 = all_reduce(z2) sum over $c\nz4 = scale(z3) scale 1/$N\n"),
     IN_COPY("z4 = copy(z2)\n"), COPIES},
    {"one copy's value for all", "", IN_COPY("z3 = broadcast(z2) over $c index 0\n"), IN_COPY("z3 = copy(z2)\n"),
     COPIES},
    {"a function of each copy, summed", "", IN_COPY("z3 = $f(z2)\nz4 = all_reduce(z3) sum over $c\n"),
     IN_COPY("z3 = all_reduce(z2) sum over $c\nz4 = $f(z3)\n"), COPIES},
    {"a sum of copies summed again", "", IN_COPY("z3 = all_reduce(z2) sum over $c\nz4 = all_reduce(z3) sum over $c\n"),
     IN_COPY("z4 = all_reduce(z2) sum over $c\n"), COPIES},
    {"a copy's parts summed over copies alone", "", IN_COPY("z3 = all_reduce(z1) sum over $c\n"),
     IN_COPY("z3 = all_reduce(z2) sum over $c\n"), COPIES},
    {"seeds that name the copy", "", "w1 = init() tensor $v seed $s+$k*@$c\nw2 = $f(w1) \"$W->$W\"\n",
     SOURCE "w2 = $f(w1) \"$W->$W\"\n", COPIES},
    {"a number that names the copy", "", "z1 = iota() index @$c+1\nz2 = $f(z1)\n", "z1 = iota() index 1\nz2 = $f(z1)\n",
     COPIES},
    {"the mean of the copies' states", "z1 = reduce(w) \"h->\"\n",
     "z2 = all_reduce(z1) sum over $c\nz3 = scale(z2) scale 1/$N\n", "z3 = copy(z1)\n", COPIES},
    {"another copy's state", "z1 = reduce(w) \"h->\"\n", "z2 = permute(z1) over $c index @$c+1 % $N\n",
     "z2 = copy(z1)\n", COPIES},

    {"a halo added to what is whole", IMAGE, "e1 = halo(n1) over $a\nn2 = halo_add(e1) over $a\n" IMAGE_SUM("n2"),
     "n2 = copy(n1) \"hc->hc\"\n" IMAGE_SUM("n2"), 0},
    {"a neighbour's halo", IMAGE,
     "n2 = permute(n1) over $a index @$a+$k % $n\ne1 = halo(n2) over $a\n" SEEN IMAGE_SUM("n3"),
     "e1 = halo(n1) over $a\n" SEEN IMAGE_SUM("n3"), EVEN},
    {"a halo of what some ranks wrote", IMAGE "n2 = copy(n1) \"hc->hc\"\n",
     "guard @$a in $i..$i {\nn2 = fill(; 0) \"hc\"\n}\ne1 = halo(n2) over $a\n" SEEN IMAGE_SUM("n3"),
     "e1 = halo(n2) over $a\n" SEEN IMAGE_SUM("n3"), 0},
    {"a halo of what each divided by its rows", IMAGE,
     "n2 = scale(n1) \"hc->hc\" scale 1/1 local \"h\"\ne1 = halo(n2) over $a\n" SEEN IMAGE_SUM("n3"),
     "e1 = halo(n1) over $a\n" SEEN "n2 = scale(n3) \"hc->hc\" scale 1/1 local \"h\"\n" IMAGE_SUM("n2"), 0},
    {"a window's part of its gradient", IMAGE "e1 = halo(n1) over $a\n",
     "k2 = conv_weight_bwd(e1, n5; 1, 1) \"rs,pq->ij\"\nz2 = einsum(k2, k3) \"ij,ij->\"\n",
     "k2 = conv_weight_bwd(e1, n5; 1, 1) \"rs,pq->ij\"\nk4 = all_reduce(k2) sum over $a\n"
     "z2 = einsum(k4, k3) \"ij,ij->\"\n",
     0},
    {"a halo of the gradient for the gradient's halo", IMAGE,
     "e1 = halo(n1) over $a\nn2 = conv(e1, k1; 1, 1) \"rs,ij->pq\"\n" IMAGE_SUM("n2"),
     "e1 = conv_input_bwd(n1, k1; 1, 1) \"pq,ij->rs\"\nn2 = halo_add(e1) over $a\n" IMAGE_SUM("n2"), 0},
    {"the halo's function for the function's halo", IMAGE,
     "e1 = halo(n1) over $a\nn3 = max_pool(e1; 3, 1, 1) \"rs->pq\"\nn2 = $f(n3) \"hc->hc\"\n" IMAGE_SUM("n2"),
     "n2 = $f(n1) \"hc->hc\"\ne1 = halo(n2) over $a\nn3 = max_pool(e1; 3, 1, 1) \"rs->pq\"\n" IMAGE_SUM("n3"), 0},
    {"a window that some ranks do not see through", IMAGE "n3 = fill(; 0) \"hc\"\ne1 = halo(n1) over $a\n",
     "guard @$a in $j..$j {\nn3 = conv(e1, k1; 1, 1) \"rs,ij->pq\"\n}\n" IMAGE_SUM("n3"), SEEN IMAGE_SUM("n3"), 0},

    {"rows of a rank's range not summed", RANGE, "r1 = reduce(o1)\n" ROWS("r1"),
     "r1 = reduce(o1)\nr2 = all_reduce(r1) sum over $a\n" ROWS("r2"), 0},
    {"columns of a rank's range not summed", RANGE, "c1 = sum_squares(o1)\n" ROWS("c1"),
     "c1 = sum_squares(o1)\nc2 = all_reduce(c1) sum over $a\n" ROWS("c2"), 0},
    {"a function of parts of rows", RANGE,
     "r1 = sum_squares(o1)\nr2 = $f(r1)\nr3 = all_reduce(r2) sum over $a\n" ROWS("r3"),
     "r1 = sum_squares(o1)\nr2 = all_reduce(r1) sum over $a\nr3 = $f(r2)\n" ROWS("r3"), 0},
    {"rows summed that all have", RANGE, "r1 = reduce(u1)\nr2 = all_reduce(r1) sum over $a\n" ROWS("r2"),
     "r2 = reduce(u1)\n" ROWS("r2"), 0},
    {"a range spread over by another's rows", RANGE "r1 = reduce(u1)\n",
     "o2 = permute(o1) over $a index @$a+$k % $n\no1 = mul(o2, r1)\nz1 = reduce(o1)\nz2 = all_reduce(z1) sum over $a\n",
     "o2 = mul(o1, r1)\nz1 = reduce(o2)\nz2 = all_reduce(z1) sum over $a\n", EVEN},
    {"a member's cut rows not summed", MEMBERS, "h1 = reduce(a1)\nz1 = reduce(h1)\n",
     "h1 = reduce(a1)\nh2 = all_reduce(h1) sum over $a\nz1 = reduce(h2)\n", 0},
    {"cut columns summed", MEMBERS, "f1 = reduce(a1)\nf2 = all_reduce(f1) sum over $a\n" MEMBERS_SUM("f2"),
     "f2 = reduce(a1)\n" MEMBERS_SUM("f2"), EVEN},
    {"a neighbour's columns", MEMBERS,
     "f1 = reduce(a1)\nf2 = permute(f1) over $a index @$a+$k % $n\n" MEMBERS_SUM("f2"),
     "f2 = reduce(a1)\n" MEMBERS_SUM("f2"), EVEN},
    {"one rank's columns", MEMBERS, "f1 = reduce(a1)\nf2 = broadcast(f1) over $a index $i\n" MEMBERS_SUM("f2"),
     "f2 = reduce(a1)\n" MEMBERS_SUM("f2"), EVEN},
    {"a function of parts of cut tensors' numbers", MEMBERS,
     "j1 = sum_squares(a1)\nj2 = $f(j1)\nj3 = all_reduce(j2) sum over $a\nz1 = reduce(j3)\n",
     "j1 = sum_squares(a1)\nj2 = all_reduce(j1) sum over $a\nj3 = $f(j2)\nz1 = reduce(j3)\n", 0},

    {"a mean weighed by a neighbour's count", OWN, "q3 = permute(q3) over $a index @$a+$k % $n\n" WEIGHED, WEIGHED, 0},
    {"a mean weighed by the count of all", OWN, "q3 = all_reduce(q3) sum over $a\n" WEIGHED, WEIGHED, 0},
    {"a mean weighed by its count twice", OWN, "q2 = mul(q2, q3) \"$Q,$Q->$Q\"\n" WEIGHED, WEIGHED, 0},
    {"a mean weighed by no count", OWN, "q1 = all_reduce(q2) sum over $a\n", WEIGHED, 0},

    {"a product of a rank's own piece alone", VISITOR, "z2 = einsum(w2, b1) \"$W,$W->\" over $a index @$a\n", VISITED,
     0},
    {"a step of a ring left out", VISITOR, VISITS("$l", "@$a-l$r", "-1"), VISITED, 0},
    {"a step of a ring too many", VISITOR, VISITS("$n", "@$a-l$r", "-1"), VISITED, 0},
    {"a visitor that goes the other way", VISITOR, VISITS("$m", "@$a-l$r", "+1"), VISITED, EVEN},
    {"a visitor taken for another", VISITOR, VISITS("$m", "@$a", "-1"), VISITED, EVEN},
    {"a visitor that stays", VISITOR, VISITS("$m", "@$a-l$r", "-0"), VISITED, EVEN},
    {"a ring's products summed over ranks", VISITOR, VISITED "z3 = all_reduce(z2) sum over $a\n",
     VISITED "z3 = copy(z2)\n", 0},
};

typedef struct Cancel {
    Chance chance;
    const Rule *rule;
    char *text;
    size_t size, used;
    int axis_count, axis_sizes[MAX_AXES], a, b;
    int sizes[LETTERS], micro;
    int tensor, cut, outer; /* the dim that a cuts, that b cuts besides, or -1 */
    int k, i, j, l, e, seed, other;
    int route;  /* 0, 1 */
    int copies; /* how many there are */
    const char *function;
} Cancel;

int cancel_rule_count(void)
{
    return sizeof rules / sizeof rules[0];
}

const char *cancel_rule_name(int rule)
{
    return rules[rule].name;
}

static int below(Cancel *c, int count)
{
    return chance_below(&c->chance, count);
}

static void put(Cancel *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(Cancel *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = c->used < c->size ? vsnprintf(c->text + c->used, c->size - c->used, format, args) : 0;
    va_end(args);
    c->used += length > 0 ? (size_t)length : 0;
}

/* ---- What is drawn ------------------------------------------------------------------------------------------ */

/* Parameters, by their dims: w [h], v [h, c]; y [c] is what is left of v. */
static const struct {
    const char *name, *letters;
} tensors[] = {{"w", "h"}, {"v", "hc"}};

static void choose_axes(Cancel *c)
{
    static const int sizes[] = {2, 3, 4, 2, 1};
    int ranks = 1;
    c->axis_count = 2 + below(c, 2) + (below(c, 5) == 0);
    for (int a = 0; a < c->axis_count; a++) {
        int size = sizes[below(c, a == 0 ? 4 : 5)];
        c->axis_sizes[a] = ranks * size <= 12 ? size : 1;
        ranks *= c->axis_sizes[a];
    }
    /* The current axis has ranks, and is not always the first. */
    int to = below(c, c->axis_count), size = c->axis_sizes[0];
    c->axis_sizes[0] = c->axis_sizes[to];
    c->axis_sizes[to] = size;
    c->a = to;
    c->b = (to + 1 + below(c, c->axis_count - 1)) % c->axis_count;
}

static void choose_sizes(Cancel *c)
{
    int n = c->axis_sizes[c->a];
    for (int l = 0; l < LETTERS; l++)
        c->sizes[l] = c->rule->needs & EVEN ? n * (1 + below(c, 2)) : n + below(c, 5);
    c->micro = c->rule->needs & MICRO ? 2 + below(c, 2) : 1;
    c->sizes[0] = c->rule->needs & EVEN ? c->micro * n * (1 + below(c, 2)) : c->micro * n + below(c, 4);
    c->tensor = below(c, 2);
    c->cut = c->tensor ? below(c, 2) : 0;
    c->outer = c->axis_sizes[c->b] > 1 && c->tensor && below(c, 3) == 0 ? 1 - c->cut : -1;
}

/* Whether both axes cut one dim. */
static bool is_of_orders(const Cancel *c)
{
    return strstr(c->rule->legal, "y2") != NULL;
}

static void choose(Cancel *c)
{
    static const char *const functions[] = {"gelu", "tanh", "relu", "silu"};
    choose_axes(c);
    choose_sizes(c);
    if (is_of_orders(c))
        c->outer = -1;
    int n = c->axis_sizes[c->a];
    c->k = n > 1 ? 1 + below(c, n - 1) : 1;
    c->i = below(c, n);
    c->j = n > 1 ? (c->i + 1 + below(c, n - 1)) % n : 0;
    c->e = n > 1 ? 1 + below(c, n - 1) : 0;
    c->l = (c->rule->needs & MICRO ? c->micro : n) - 2;
    c->seed = 2 + below(c, 3);
    c->other = 6 + below(c, 3);
    c->function = functions[below(c, 4)];
    c->copies = 2 + below(c, 2);
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

static char letter_at(const Cancel *c, int dim)
{
    return tensors[c->tensor].letters[dim];
}

static int size_of(const Cancel *c, char letter)
{
    return c->sizes[letter == 'b' ? 0 : letter == 'h' ? 1 : 2];
}

static void put_mark(Cancel *c, char mark)
{
    static const char *const left[] = {"one", "y", "w"}; /* without both dims, without h, without c */
    int n = c->axis_sizes[c->a];
    switch (mark) {
    case 'a':
    case 'b':
        put(c, "d%d", mark == 'a' ? c->a : c->b);
        break;
    case 'c':
        put(c, "copy");
        break;
    case 'v':
        put(c, "%s", tensors[c->tensor].name);
        break;
    case 'W':
        put(c, "%s", tensors[c->tensor].letters);
        break;
    case 'Q':
        for (int d = 0; d <= c->tensor; d++)
            if (d != c->cut)
                put(c, "%c", letter_at(c, d));
        break;
    case 'q':
        put(c, "%s", left[c->tensor ? 1 + c->cut : 0]);
        break;
    case 'd':
        put(c, "%c", letter_at(c, c->cut));
        break;
    case 'f':
        put(c, "%s", c->function);
        break;
    default:
        put(c, "%d",
            mark == 'n'   ? n
            : mark == 'N' ? c->copies
            : mark == 'D' ? size_of(c, letter_at(c, c->cut))
            : mark == 'k' ? c->k
            : mark == 'K' ? n - c->k
            : mark == 'i' ? c->i
            : mark == 'j' ? c->j
            : mark == 'l' ? c->l
            : mark == 'e' ? c->e
            : mark == 'r' ? c->route
            : mark == 'm' ? (c->rule->needs & MICRO ? c->micro : n) - 1
            : mark == 's' ? c->seed
                          : c->other);
    }
}

static void put_template(Cancel *c, const char *template)
{
    for (; *template; template ++)
        if (*template == '$')
            put_mark(c, *++template);
        else
            put(c, "%c", *template);
}

/* The dims of the parameter: `cuts` are after that of b, `skip` is left out. */
static void put_dims(Cancel *c, const char *cuts, int skip, const char *segments)
{
    put(c, "[");
    for (int d = 0, shown = 0; d <= c->tensor; d++) {
        if (d == skip)
            continue;
        put(c, "%s%d", shown++ ? ", " : "", size_of(c, letter_at(c, d)));
        if (d == c->cut)
            put(c, "%s", segments);
        if (d == c->outer)
            put(c, "/d%d", c->b);
        if (d == c->cut)
            put(c, "%s", cuts);
    }
    put(c, "]");
}

static void put_array(Cancel *c, const char *name, const char *cuts, int skip, const char *segments)
{
    put(c, "buffer %s f64 ", name);
    put_dims(c, cuts, skip, segments);
    put(c, " buffers\n");
}

/* The dim cut over both axes, in either order. */
static void put_orders(Cancel *c)
{
    char one[16], both[32], turned[32], other[16];
    snprintf(one, sizeof one, "/d%d", c->a);
    snprintf(other, sizeof other, "/d%d", c->b);
    snprintf(both, sizeof both, "/d%d/d%d", c->a, c->b);
    snprintf(turned, sizeof turned, "/d%d/d%d", c->b, c->a);
    put_array(c, "x1", one, -1, "");
    put_array(c, "x2", both, -1, "");
    put_array(c, "y1", other, -1, "");
    put_array(c, "y2", turned, -1, "");
    put_array(c, "ym", turned, -1, "");
}

static void put_images(Cancel *c)
{
    for (int i = 1; i <= 5; i++)
        put(c, "buffer n%d f64 [%d/d%d, %d] buffers\nbuffer k%d f64 [3, 3] buffers\n", i, c->sizes[1], c->a,
            c->sizes[2], i);
    put(c, "buffer e1 f64 [%d/d%d+1+1, %d] buffers\n", c->sizes[1], c->a, c->sizes[2]);
}

static void put_numbers(Cancel *c)
{
    static const struct {
        char name;
        const char *layout;
    } numbers[] = {{'r', "all rows"}, {'c', "all columns"}, {'a', "cut"},
                   {'h', "cut rows"}, {'f', "cut columns"}, {'j', "cut tensors"}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        for (int number = 1; number <= 3; number++)
            put(c, "buffer %c%d f64 unit %s buffers\n", numbers[i].name, number, numbers[i].layout);
}

static void put_buffers(Cancel *c)
{
    char cut[16], padded[32], segments[32], name[8];
    int size = size_of(c, letter_at(c, c->cut)), first = 1 + size / 3;
    snprintf(cut, sizeof cut, "/d%d", c->a);
    snprintf(segments, sizeof segments, "{%d, %d}", first, size - first);
    for (int i = 1; i <= 5; i++) {
        char number = "1234m"[i - 1]; /* m: what the result is multiplied by */
        snprintf(name, sizeof name, "w%c", number);
        put_array(c, name, "", -1, "");
        *name = 'p';
        put_array(c, name, cut, -1, "");
        *name = 'q';
        put_array(c, name, "", c->cut, "");
        *name = 'g';
        put_array(c, name, cut, -1, segments);
        *name = 'b';
        snprintf(padded, sizeof padded, "/d%d padded", c->a);
        put_array(c, name, padded, -1, "");
        put(c, "buffer z%c f64 [] buffers\nbuffer t%c f64 [%d/micro/d%d] activations\n", number, number, c->sizes[0],
            c->a);
    }
    if (is_of_orders(c))
        put_orders(c);
    put(c,
        "buffer u1 f64 unit all buffers\nbuffer u2 f64 unit all buffers\n"
        "buffer o1 f64 unit all/d%d buffers\nbuffer o2 f64 unit all/d%d buffers\n"
        "buffer o3 f64 unit all/d%d/d%d buffers\nbuffer o4 f64 unit all/d%d buffers\nbuffer illegal f64 [] "
        "buffers\nbuffer legal f64 [] buffers\n",
        c->a, c->a, c->a, c->b, c->a);
    put(c,
        "buffer z5 f64 [] buffers\nbuffer z6 f64 [] buffers\n"
        "buffer t5 f64 [%d/micro] activations\nbuffer t6 f64 [%d/micro] activations\n",
        c->sizes[0], c->sizes[0]);
    put_images(c);
    put_numbers(c);
}

/* What the last line writes; of a product of pieces, sums over what cuts it. */
static void put_sum(Cancel *c, const char *result, const char *lines)
{
    const char *last = lines + strlen(lines) - 1;
    while (last > lines && last[-1] != '\n')
        last--;
    while (*last == '}' || *last == ' ')
        for (last--; last > lines && last[-1] != '\n'; last--)
            ;
    char kind = *last, number = last[1];
    if (kind == 'z') {
        put(c, "%s = copy(z%c)\n", result, number);
        return;
    }
    put_template(c, kind == 'q' && c->tensor == 0 ? "qm = fill(; 3)\n" : "");
    if (kind != 'q' || c->tensor)
        put_template(c, (char[]){kind, 'm', '\0'}),
            put_template(c, kind == 'q' ? " = init() tensor $q seed 9\n" : " = init() tensor $v seed 9\n");
    put(c, "%s = einsum(%c%c, %cm) \"", result, kind, number, kind);
    put_template(c, kind == 'q' ? "$Q,$Q->\"\n" : "$W,$W->\"\n");
    bool over_a = strchr("pgxy", kind), over_b = c->outer >= 0 || strchr("xy", kind);
    if (over_a || over_b)
        put(c, "%s = all_reduce(%s) sum over ", result, result);
    if (over_a)
        put(c, "d%d%s", c->a, over_b ? ", " : "\n");
    if (over_b)
        put(c, "d%d\n", c->b);
}

static const char *const read_whole = "x = read() tensor x index 0\ng = reduce(x) \"bh->h\"\n";
static const char *const read_parts = "g = fill(; 0) \"h\"\nloop l9 micro 0..%d {\nx = read() tensor x index l9\n"
                                      "g += reduce(x) \"bh->h\"\n}\n";
static const char *const step = "loss = einsum(w, g) \"h,h->\"\noutput(loss) name \"loss\"\nrate = fill(; 0.125)\n";
static const char *const update = "w = sgd(w, g, rate) \"h,h,->h\" tensor w\n}\n}\n";

static void put_arrays(Cancel *c, const char *micro)
{
    put(c,
        "buffer w f64 [%d] parameters persistent state parameters of w\n"
        "buffer g f64 [%d] gradients state gradients of w\nbuffer x f64 [%d%s, %d] activations\n"
        "buffer loss f64 [] activations\nbuffer rate f64 [] buffers\n",
        c->sizes[1], c->sizes[1], c->sizes[0], micro, c->sizes[1]);
}

static void put_route(Cancel *c, const char *result, bool legal)
{
    const Rule *rule = c->rule;
    put_template(c, rule->before);
    put_template(c, legal ? rule->legal : rule->illegal);
    put_sum(c, result, legal ? rule->legal : rule->illegal);
}

void cancel_text(int rule, uint64_t seed, uint64_t index, bool legal, char *text, size_t size)
{
    Cancel cancel = {.chance = chance_new(seed * 1009 + (uint64_t)rule, index), .rule = &rules[rule], .text = text};
    Cancel *c = &cancel;
    c->size = size;
    choose(c);
    put(c, "place-step 1\nmodel cancel\ncontract %s\ncompute f64\nmicro %d\n",
        c->rule->needs & COPIES ? "\"local(2) over copy\"" : "exact", c->micro);
    for (int a = 0; a < c->axis_count; a++)
        put(c, "axis d%d %d\n", a, c->axis_sizes[a]);
    if (c->rule->needs & COPIES)
        put(c, "axis copy %d copies\n", c->copies);
    put(c, "tensor x input f64 [%d, %d] batch 0\ntensor t input f64 [%d] batch 0\n", c->sizes[0], c->sizes[1],
        c->sizes[0]);
    put(c, "tensor w parameter f64 [%d] init normal 0.5\n", c->sizes[1]);
    put(c, "tensor kernel parameter f64 [3, 3] init normal 0.5 frozen\n");
    put(c, "tensor v parameter f64 [%d, %d] init normal 0.5 frozen\n", c->sizes[1], c->sizes[2]);
    put(c, "tensor y parameter f64 [%d] init normal 0.5 frozen\ntensor one parameter f64 [] init normal 0.5 frozen\n",
        c->sizes[2]);
    put(c, "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
           "unit all = v, y\n");
    put(c, "unit cut = v[%d, %d/d%d], y[%d/d%d]\nreference {\n", c->sizes[1], c->sizes[2], c->a, c->sizes[2], c->a);
    put_arrays(c, "");
    put(c, "routine init {\nw = init() tensor w seed 1\n}\nroutine step {\n%s%s%s", read_whole, step, update);
    put(c, "program {\n");
    put_arrays(c, "/micro");
    put_buffers(c);
    put(c, "routine init {\nw = init() tensor w seed 1\n}\nroutine step {\n");
    put(c, read_parts, c->micro - 1);
    put(c, "%s", step);
    put_route(c, "illegal", legal);
    c->route = 1;
    put_route(c, "legal", true);
    put(c, "g = add(g, illegal) \"h,->h\"\ng = sub(g, legal) \"h,->h\"\n%s", update);
}
