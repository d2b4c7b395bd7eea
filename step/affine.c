/* affine.c - affine expressions (step/affine.h). */
#include "step/step.h"

#include <inttypes.h>

/* ---- Values ------------------------------------------------------------------------------------------------- */

int64_t affine_variable_at(const Decls *decls, int variable, const int64_t *coordinates)
{
    int index = -1 - variable;
    if (index < STEP_MAX_AXES)
        return coordinates[index];
    const IndexTable *table = &decls->tables.data[index - STEP_MAX_AXES];
    return table->values[coordinates[table->axis]];
}

int64_t affine_at(const Decls *decls, const Affine *affine, const int64_t *coordinates, const int64_t *loops)
{
    int64_t value = affine->constant;
    for (int i = 0; i < affine->term_count; i++) {
        int variable = affine->term[i].variable;
        if ((variable < 0 ? coordinates : loops) == NULL)
            BUG("an affine expression of %s", variable < 0 ? "coordinates" : "loops");
        value += affine->term[i].coefficient *
                 (variable < 0 ? affine_variable_at(decls, variable, coordinates) : loops[variable]);
    }
    return affine_wrap(value, affine->modulus);
}

/* ---- What it depends on ------------------------------------------------------------------------------------- */

bool affine_equal(const Affine *x, const Affine *y)
{
    if (x->constant != y->constant || x->term_count != y->term_count || x->modulus != y->modulus)
        return false;
    for (int i = 0; i < x->term_count; i++)
        if (x->term[i].variable != y->term[i].variable || x->term[i].coefficient != y->term[i].coefficient)
            return false;
    return true;
}

bool affine_is_constant(const Affine *affine)
{
    return affine->term_count == 0 && affine->modulus == 0;
}

bool affine_is_loop_plus(const Affine *affine, int loop)
{
    return affine->term_count == 1 && affine->modulus == 0 && affine->term[0].variable == loop &&
           affine->term[0].coefficient == 1;
}

bool affine_uses(const Affine *affine, int variable)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable == variable)
            return true;
    return false;
}

int64_t affine_coefficient(const Affine *affine, int variable)
{
    int64_t coefficient = 0;
    for (int i = 0; i < affine->term_count; i++)
        coefficient += affine->term[i].variable == variable ? affine->term[i].coefficient : 0;
    return coefficient;
}

int affine_axis(const Decls *decls, int variable)
{
    int index = -1 - variable;
    return index < STEP_MAX_AXES ? index : decls->tables.data[index - STEP_MAX_AXES].axis;
}

AxisMask affine_axes(const Decls *decls, const Affine *affine)
{
    AxisMask axes = 0;
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable < 0)
            axes |= (AxisMask)1 << affine_axis(decls, affine->term[i].variable);
    return axes;
}

/* ---- Combined ----------------------------------------------------------------------------------------------- */

void affine_add_term(Affine *affine, int variable, int64_t coefficient)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable == variable) {
            affine->term[i].coefficient += coefficient;
            if (affine->term[i].coefficient == 0)
                affine->term[i] = affine->term[--affine->term_count];
            return;
        }
    if (affine->term_count == STEP_MAX_TERMS)
        BUG("an affine expression of too many variables");
    affine->term[affine->term_count].variable = variable;
    affine->term[affine->term_count++].coefficient = coefficient;
}

void affine_add(Affine *sum, const Affine *affine, int64_t coefficient)
{
    sum->constant += coefficient * affine->constant;
    for (int i = 0; i < affine->term_count; i++)
        affine_add_term(sum, affine->term[i].variable, coefficient * affine->term[i].coefficient);
}

void affine_replace(Affine *affine, int variable, const Affine *by)
{
    for (int i = 0; i < affine->term_count; i++) {
        if (affine->term[i].variable != variable)
            continue;
        int64_t coefficient = affine->term[i].coefficient;
        affine->term[i] = affine->term[--affine->term_count];
        affine_add(affine, by, coefficient);
        return;
    }
}

void affine_rename(Affine *affine, int from, int to)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable == from)
            affine->term[i].variable = to;
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

static void print_variable(const Decls *decls, int variable, FILE *out)
{
    if (variable >= 0)
        fprintf(out, "l%d", variable);
    else if (-1 - variable < STEP_MAX_AXES)
        fprintf(out, "@%s", decls->axes.data[-1 - variable].name);
    else
        fprintf(out, "$%s", decls->tables.data[-1 - variable - STEP_MAX_AXES].name);
}

/* The constant comes last, unless the first term is subtracted from it: "l0+1", "5-l0". */
void affine_print(const Decls *decls, const Affine *affine, FILE *out)
{
    bool started = false, constant_first = true;
    for (int i = 0; i < affine->term_count && constant_first; i++) {
        if (affine->term[i].coefficient < 0)
            break;
        constant_first = affine->term[i].coefficient == 0;
    }
    if (constant_first) {
        fprintf(out, "%" PRId64, affine->constant);
        started = true;
    }
    for (int i = 0; i < affine->term_count; i++) {
        int64_t coefficient = affine->term[i].coefficient;
        if (coefficient == 0)
            continue;
        if (coefficient < 0 || started)
            fputc(coefficient < 0 ? '-' : '+', out);
        if (coefficient != 1 && coefficient != -1)
            fprintf(out, "%" PRId64 "*", coefficient < 0 ? -coefficient : coefficient);
        print_variable(decls, affine->term[i].variable, out);
        started = true;
    }
    if (!constant_first && affine->constant != 0)
        fprintf(out, "%+" PRId64, affine->constant);
    if (affine->modulus != 0)
        fprintf(out, " %% %" PRId64, affine->modulus);
}
