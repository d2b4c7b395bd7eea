/* compatible.c - the tables of `placec explain compatibility`. */
#include "algebra/compatible.h"

#include "algebra/convert.h"
#include "algebra/signature.h"

#include <string.h>

/* ---- One tensor over two axes ------------------------------------------------------------------------------- */

static const OnAxis kinds[] = {
    {.kind = PLACED_REPLICATED},
    {.kind = PLACED_SHARDED, .dim = 0},
    {.kind = PLACED_SHARDED, .dim = 1},
    {.kind = PLACED_PARTIAL, .op = PARTIAL_SUM},
    {.kind = PLACED_PARTIAL, .op = PARTIAL_AVG},
    {.kind = PLACED_PARTIAL, .op = PARTIAL_MAX},
    {.kind = PLACED_PARTIAL, .op = PARTIAL_MIN},
    {.kind = PLACED_AT},
    {.kind = PLACED_VARYING},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static const Mesh mesh = {.axis_count = 2, .axis = {{"a", 2}, {"b", 2}}};

static Placement placed(OnAxis first, OnAxis second)
{
    Placement p = placement_replicated(&mesh, 2);
    placement_set(&p, 0, first);
    placement_set(&p, 1, second);
    return p;
}

/* The steps that replicate a tensor of 4 x 4 on every rank; a quarter of it is 4 elements. */
static const char *entry(Arena *arena, OnAxis first, OnAxis second)
{
    static const int64_t sizes[2] = {4, 4};
    Placement p = placed(first, second), whole = placement_replicated(&mesh, 2);
    Conversion c;
    if (placement_fault(&mesh, &p) != NULL)
        return "no";
    if (!convert(&mesh, sizes, &p, &whole, &convert_unlimited, &c))
        return "yes, -";
    return arena_printf(arena, "yes, %.4g", (double)c.elements / 16);
}

static void print_two_axes(Arena *arena, FILE *out)
{
    fputs("A tensor over two axes of 2: where it is over the first (rows) and the second (columns); then what the\n"
          "busiest rank moves to make it whole, in tensors (-: nothing does).\n\n",
          out);
    fprintf(out, "%-14s", "");
    for (int i = 0; i < KIND_COUNT; i++)
        fprintf(out, " %-12s", on_axis_print(arena, kinds[i], NULL));
    fputc('\n', out);
    for (int i = 0; i < KIND_COUNT; i++) {
        fprintf(out, "%-14s", on_axis_print(arena, kinds[i], NULL));
        for (int k = 0; k < KIND_COUNT; k++)
            fprintf(out, k + 1 < KIND_COUNT ? " %-12s" : " %s", entry(arena, kinds[i], kinds[k]));
        fputc('\n', out);
    }
    Placement mixed = placed(on_partial(PARTIAL_SUM), on_partial(PARTIAL_MAX));
    fprintf(out,
            "\nno: %s. The same dim over both axes is cut by the first, its parts by the second; the\n"
            "other order is another placement. One axis is named once for a tensor.\n",
            placement_fault(&mesh, &mixed));
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

/* The operands of a signature that are partial by this op, as bits; 0 if others are sharded or partial by another. */
static unsigned partial_set(const OpShape *shape, const Signature *signature, PartialOp op)
{
    unsigned set = 0;
    for (int i = 0; i < shape->operand_count; i++) {
        OnAxis on = signature->operand[i];
        if (on_axis_equal(on, on_partial(op)))
            set |= 1U << i;
        else if (on.kind != PLACED_REPLICATED)
            return 0;
    }
    return set;
}

static bool is_within_another(const OpShape *shape, const SignatureVec *list, PartialOp op, unsigned set)
{
    for (int i = 0; i < list->count; i++) {
        unsigned other = partial_set(shape, &list->data[i], op);
        if (other != set && (other & set) == set)
            return true;
    }
    return false;
}

/* "a+b, c". For avg only the largest sets are listed, since every subset of one is one, too. */
static const char *sets_of(Arena *arena, const OpShape *shape, const SignatureVec *list, PartialOp op)
{
    const char *text = "";
    for (int i = 0; i < list->count; i++) {
        unsigned set = partial_set(shape, &list->data[i], op);
        if (set == 0 || (op == PARTIAL_AVG && is_within_another(shape, list, op, set)))
            continue;
        const char *before = text[0] != '\0' ? ", " : "";
        for (int operand = 0; operand < shape->operand_count; operand++)
            if (set >> operand & 1) {
                text = arena_printf(arena, "%s%s%c", text, before, 'a' + operand);
                before = "+";
            }
    }
    return text[0] != '\0' ? text : "-";
}

static void print_operators(Arena *arena, FILE *out)
{
    fputs("\nEvery operator takes operands that are all replicated, all at one coordinate, or cut along its letters "
          "(but\n"
          "coupled ones). Operands that may be partial, alone or together, while the others are replicated (of those\n"
          "that may be averages any part may):\n\n",
          out);
    fprintf(out, "%-18s %-20s %-20s %s\n", "", "partial(sum)", "partial(avg)", "partial(max)");
    for (int kind = 0; kind < OP_COUNT; kind++) {
        OpShape shape = op_shape(arena, (OpKind)kind, "");
        SignatureVec list = signatures_of(arena, &shape, SIGNATURE_ALL & ~SIGNATURE_AT);
        if (list.count == 0 || shape.operand_count == 0)
            continue;
        fprintf(out, "%-18s %-20s %-20s %s\n", op_info[kind].name, sets_of(arena, &shape, &list, PARTIAL_SUM),
                sets_of(arena, &shape, &list, PARTIAL_AVG), sets_of(arena, &shape, &list, PARTIAL_MAX));
    }
}

void compatibility_print(FILE *out)
{
    Arena *arena = arena_new();
    print_two_axes(arena, out);
    print_operators(arena, out);
    arena_free(arena);
}
