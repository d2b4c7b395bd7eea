/* verify_linear.h - the template of a linear model with a parameter that is used (w) and one that is not (v).
 *
 * @1 what a microbatch does with its contribution, @2 the step's reductions, @3 the update, @4 the weight of an
 * example,
 * @5 the axes that read, @6 the seed of w, @7 more buffers of the program.
 */
#ifndef PLACE_TESTS_VERIFY_LINEAR_H
#define PLACE_TESTS_VERIFY_LINEAR_H

#include "tests/unit/verify_support.h"

static const char linear[] =
    "place-step 1\nmodel line\ncontract exact\ncompute f64\nmicro @K\naxis data @n\naxis model @m\n"
    "tensor x input f64 [@B, 3] batch 0\n"
    "tensor t input f64 [@B] batch 0\n"
    "tensor w parameter f64 [3] init normal 0.5\n"
    "tensor v parameter f64 [2] init zeros\n"
    "state parameters parameters per_parameter f64\n"
    "state gradients gradients per_parameter f64\n"
    "unit outside = w, v\n"
    "reference {\n"
    "  buffer w f64 [3] parameters persistent state parameters of w\n"
    "  buffer v f64 [2] parameters persistent state parameters of v\n"
    "  buffer gw f64 [3] gradients state gradients of w\n"
    "  buffer gv f64 [2] gradients state gradients of v\n"
    "  buffer x f64 [@B, 3] activations\n  buffer t f64 [@B] activations\n  buffer y f64 [@B] activations\n"
    "  buffer e f64 [@B] activations\n  buffer c f64 [@B] activations\n  buffer dy f64 [@B] activations\n"
    "  buffer loss f64 [] activations\n  buffer rate f64 [] buffers\n"
    "  routine init {\n    w = init() tensor w seed 1\n    v = init() tensor v seed 1\n  }\n"
    "  routine step {\n"
    "    x = read() tensor x index 0\n    t = read() tensor t index 0\n"
    "    y = einsum(x, w) \"bh,h->b\"\n"
    "    e = squared_error(y, t) \"b,b->b\"\n"
    "    loss = reduce(e) \"b->\"\n    loss = scale(loss) \"->\" scale 1/@B\n    output(loss) name \"loss\"\n"
    "    c = fill(; 1)\n    c = scale(c) \"b->b\" scale 1/@B\n"
    "    dy = squared_error_bwd(y, t, c) \"b,b,b->b\"\n"
    "    gw = fill(; 0)\n    gw += einsum(x, dy) \"bh,b->h\"\n    gv = fill(; 0)\n"
    "    rate = fill(; 0.1)\n"
    "    w = sgd(w, gw, rate) \"h,h,->h\" tensor w\n    v = sgd(v, gv, rate) \"h,h,->h\" tensor v\n"
    "  }\n}\n"
    "program {\n"
    "  buffer p f64 unit outside parameters persistent state parameters\n"
    "  buffer g f64 unit outside gradients state gradients\n"
    "  buffer part f64 unit outside gradients state gradients\n"
    "  buffer gs f64 unit outside/data buffers\n  buffer ps f64 unit outside/data buffers\n"
    "  buffer piece f64 unit outside/data buffers\n"
    "  buffer x f64 [@B/micro/data, 3] activations\n  buffer t f64 [@B/micro/data] activations\n"
    "  buffer y f64 [@B/micro/data] activations\n  buffer e f64 [@B/micro/data] activations\n"
    "  buffer c f64 [@B/micro/data] activations\n  buffer dy f64 [@B/micro/data] activations\n"
    "  buffer loss f64 [] activations\n  buffer rate f64 [] buffers\n"
    "@7"
    "  routine init {\n    p:w = init() tensor w seed @6\n    p:v = init() tensor v seed 1\n  }\n"
    "  routine step {\n"
    "    g = fill(; 0)\n    gs = fill(; 0)\n    loss = fill(; 0)\n"
    "    loop l0 micro 0..@L {\n"
    "      x = read() tensor x @5 index l0\n      t = read() tensor t @5 index l0\n"
    "      y = einsum(x, p:w) \"bh,h->b\"\n"
    "      e = squared_error(y, t) \"b,b->b\"\n      loss += reduce(e) \"b->\"\n"
    "      c = fill(; 1)\n      c = scale(c) \"b->b\" @4\n"
    "      dy = squared_error_bwd(y, t, c) \"b,b,b->b\"\n"
    "@1"
    "    }\n"
    "    loss = scale(loss) \"->\" scale 1/@B\n"
    "    loss = all_reduce(loss) sum over data\n    output(loss) name \"loss\"\n"
    "    rate = fill(; 0.1)\n"
    "@2"
    "@3"
    "  }\n}\n";

#define PLAIN "      g:w += einsum(x, dy) \"bh,b->h\"\n"
#define ALL_REDUCE "    g = all_reduce(g) sum over data\n"
#define WHOLE_UPDATE "    p = sgd(p, g, rate) tensor w\n"
#define SHARD_UPDATE "    ps = slice(p) over data\n    ps = sgd(ps, gs, rate) tensor w\n"
#define GATHER "    p = all_gather(ps) over data\n"
#define EACH(text) "      part = fill(; 0)\n      part:w = einsum(x, dy) \"bh,b->h\"\n" text

#endif
