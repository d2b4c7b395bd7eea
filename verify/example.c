/* example.c - numbers that show the fault where no run of the program on a small mesh is needed. */
#include "verify/example.h"

enum { FORMULA_DEPTH = 3, FORMULA_TERMS = 4, WEIGHTS_SHOWN = 4 };

/* ---- Operators on two ranks --------------------------------------------------------------------------------- */

/* "With 2 ranks along an axis ..."; NULL if two numbers do not show the fault. */
static const char *two_ranks(PoisonKind kind)
{
    static const char *const texts[] = {
#define POISON(id, doubt, text, example) example,
#include "verify/poison.def"
#undef POISON
    };
    return texts[kind];
}

static const Term *weighted_term(const Combo *combo)
{
    for (int i = 0; combo != NULL && combo->poison == NULL && i < combo->count; i++)
        if (combo->term[i].mono != NULL)
            return &combo->term[i];
    return NULL;
}

/* The weights given by the ranks along the first axis they depend on. */
static const char *weights_text(Arena *arena, const Decls *decls, const Term *term)
{
    int axis = 0;
    int64_t coordinate[STEP_MAX_AXES] = {0};
    while (!(term->mono->axes >> axis & 1))
        axis++;
    Text text = {.arena = arena};
    text_add(&text, "Its weight is ");
    for (; coordinate[axis] < decls->axes.data[axis].size && coordinate[axis] < WEIGHTS_SHOWN; coordinate[axis]++) {
        Rational weight = rational_multiply(term->coefficient, mono_at(decls, term->mono, coordinate));
        text_add(&text, "%s%lld", coordinate[axis] > 0 ? ", " : "", (long long)weight.numerator);
        if (weight.denominator != 1)
            text_add(&text, "/%lld", (long long)weight.denominator);
        text_add(&text, " on %s %lld", decls->axes.data[axis].name, (long long)coordinate[axis]);
    }
    text_add(&text, "%s.", decls->axes.data[axis].size > WEIGHTS_SHOWN ? ", ..." : "");
    return text.data;
}

const char *example_of_poison(Arena *arena, const Decls *decls, const Poison *poison)
{
    const Term *weighted = poison->kind == POISON_VARYING ? weighted_term(poison->cause) : NULL;
    const char *text = two_ranks(poison->kind);
    AxisMask axes = poison->axes & MESH_MASK;
    if (weighted != NULL)
        return weights_text(arena, decls, weighted);
    if (text == NULL || axes == 0)
        return NULL;
    return arena_printf(arena, "With 2 ranks along '%s' %s", axes_text(arena, decls, axes & (~axes + 1)), text);
}

const char *example_of_shard(Arena *arena, const char *axis)
{
    return arena_printf(arena,
                        "2 ranks; their parts of two elements of the gradient: 1, 3 and 5, 7\n"
                        "%-12s gradient 6, 3\n%-12s gradient 5, 10\n1 device     gradient 6, 10",
                        arena_printf(arena, "%s 0", axis), arena_printf(arena, "%s 1", axis));
}

/* ---- Formulas ----------------------------------------------------------------------------------------------- */

static void add_value(Text *text, const Decls *decls, const Value *value, int depth);

static void add_leaf(Text *text, const Decls *decls, const Value *value)
{
    int tensor = value->leaf.tensor;
    const char *name = tensor >= 0                  ? decls->tensors.data[tensor].name
                       : value->kind == VALUE_STATE ? decls->states.data[value->leaf.state].name
                                                    : "it";
    bool layers = tensor >= 0 && value->kind != VALUE_INPUT && decls->tensors.data[tensor].group >= 0;
    const char *which = value->kind == VALUE_INIT ? "the first " : value->leaf.repeated != 0 ? "repeated " : "";
    bool other =
        value->kind == VALUE_STATE && tensor >= 0 && decls->states.data[value->leaf.state].kind != STATE_PARAMETERS;
    if (other)
        text_add(text, "%s of ", decls->states.data[value->leaf.state].name);
    text_add(text, "%s%s", which, name);
    if (layers)
        text_add(text, " (layer %lld)", (long long)value->leaf.layer);
}

static void add_sum(Text *text, const Decls *decls, const Value *value, int depth)
{
    text_add(text, "(");
    for (int i = 0; i < value->sum.count && i < FORMULA_TERMS; i++) {
        Term term = value_sum_term(value, i);
        text_add(text, "%s", i > 0 ? " + " : "");
        if (!rational_is(term.coefficient, 1) && term.coefficient.denominator == 1)
            text_add(text, "%lld ", (long long)term.coefficient.numerator);
        else if (!rational_is(term.coefficient, 1))
            text_add(text, "%lld/%lld ", (long long)term.coefficient.numerator,
                     (long long)term.coefficient.denominator);
        add_value(text, decls, term.value, depth - 1);
    }
    text_add(text, value->sum.count > FORMULA_TERMS ? " + ...)" : ")");
}

static void add_value(Text *text, const Decls *decls, const Value *value, int depth)
{
    switch (value->kind) {
    case VALUE_ONES:
        text_add(text, "1");
        return;
    case VALUE_NUMBER:
        text_add(text, "%g", value->number);
        return;
    case VALUE_POSITION:
        text_add(text, "positions");
        return;
    case VALUE_COPY:
        text_add(text, "the copy's number");
        return;
    case VALUE_INPUT:
    case VALUE_STATE:
    case VALUE_INIT:
        add_leaf(text, decls, value);
        return;
    case VALUE_SUM:
        if (depth > 0)
            add_sum(text, decls, value, depth);
        else
            text_add(text, "a sum");
        return;
    case VALUE_BOUND:
        text_add(text, "a sum of ranks' different weights");
        return;
    case VALUE_OP:
        text_add(text, "%s(", op_info[value->op.form->kind].name);
        for (int i = 0; depth > 0 && i < value->op.count; i++) {
            text_add(text, "%s", i > 0 ? ", " : "");
            add_value(text, decls, value->op.operand[i], depth - 1);
        }
        text_add(text, depth > 0 ? ")" : "...)");
        return;
    }
    BUG("value kind %d", value->kind);
}

const char *example_formula(Arena *arena, const Decls *decls, const Value *value)
{
    Text text = {.arena = arena};
    add_value(&text, decls, value, FORMULA_DEPTH);
    return text.data;
}
