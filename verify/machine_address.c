/* machine_address.c - the value of an affine expression now, and how it follows the variables of loops.
 *
 * While a section is recorded (machine_replay.c), an expression is kept as a function of the variables of all loops
 * around the section, so that a replay evaluates it again: v, that of the innermost microbatch loop, and the *outer*
 * ones. Variables of loops inside the section are numbers, which conditions on the bounds of these loops fix. Whoever
 * asks for the number alone, without the function, says that it has none of these variables; if it has, what is
 * recorded is never replayed.
 */
#include "verify/machine_internal.h"

struct Outer {
    int count;
    struct {
        int variable;
        int64_t coefficient;
    } term[STEP_MAX_TERMS];
    Outer *next;
};

void addresses_start(Machine *m)
{
    m->outer = arena_array(m->table->scratch, Outer *, OUTER_BUCKETS);
}

static bool outer_same(const Outer *a, const Outer *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->term[i].variable != b->term[i].variable || a->term[i].coefficient != b->term[i].coefficient)
            return false;
    return true;
}

/* The only object with these terms; NULL: none. */
static const Outer *outer_intern(const Machine *m, const Outer *outer)
{
    if (outer->count == 0)
        return NULL;
    uint64_t hash = 0;
    for (int i = 0; i < outer->count; i++)
        hash = hash_mix(hash_mix(hash, (uint64_t)outer->term[i].variable), (uint64_t)outer->term[i].coefficient);
    Outer **bucket = &m->outer[(hash >> 32) % OUTER_BUCKETS];
    for (const Outer *known = *bucket; known != NULL; known = known->next)
        if (outer_same(known, outer))
            return known;
    Outer *new = arena_make(m->table->scratch, Outer);
    *new = *outer;
    new->next = *bucket;
    return *bucket = new;
}

/* The value of a variable that is not enclosing a recorded section; false if it is no number. */
static bool variable_value(const Machine *m, int variable, int64_t *value)
{
    *value = 0;
    if (variable < 0) {
        int axis = affine_axis(m->decls, variable);
        *value = affine_variable_at(m->decls, variable, m->class->coordinate);
        return m->decls->axes.data[axis].size == 1 || (m->enumerated >> axis & 1);
    }
    if (variable >= m->loop_count || !m->class->bound[variable])
        return false;
    *value = m->class->loop[variable];
    return true;
}

/* Is something being recorded that may be replayed where this variable has other values? */
static bool encloses_recording(const Machine *m, int variable)
{
    return m->recorder != NULL && variable >= 0 && variable < m->loop_count && m->enclosing[variable];
}

bool machine_affine(const Machine *m, const Affine *affine, int64_t *number, Address *address)
{
    bool known = true, follows = false;
    Address at = {.constant = affine->constant, .modulus = affine->modulus};
    Outer outer = {0};
    *number = affine->constant;
    for (int i = 0; i < affine->term_count; i++) {
        int variable = affine->term[i].variable;
        int64_t coefficient = affine->term[i].coefficient, value;
        known = (variable_value(m, variable, &value) || (variable < 0 && coefficient == 0)) && known;
        *number += coefficient * value;
        if (!encloses_recording(m, variable)) {
            at.constant += coefficient * value;
            continue;
        }
        follows = true;
        if (variable == m->recorded_loop) {
            at.coefficient += coefficient;
        } else {
            outer.term[outer.count].variable = variable;
            outer.term[outer.count++].coefficient = coefficient;
        }
    }
    *number = affine_wrap(*number, affine->modulus);
    at.constant = affine_wrap(at.constant, affine->modulus);
    at.outer = outer_intern(m, &outer);
    if (address == NULL && follows)
        recording_once(m);
    if (address != NULL) /* normal form, so that a cell has few different ones */
        *address = at.coefficient != 0 || at.outer != NULL ? at : address_number(*number);
    return known;
}

bool address_equal(Address a, Address b)
{
    return a.constant == b.constant && a.coefficient == b.coefficient && a.modulus == b.modulus && a.outer == b.outer;
}

bool address_varies(Address a)
{
    return a.coefficient != 0 || a.outer != NULL;
}

bool address_is_shift(Address a)
{
    return a.coefficient == 1 && a.modulus == 0 && a.outer == NULL;
}

int64_t address_at(const Machine *m, Address a, int64_t v)
{
    int64_t number = a.constant + a.coefficient * v;
    for (int i = 0; a.outer != NULL && i < a.outer->count; i++)
        number += a.outer->term[i].coefficient * m->class->loop[a.outer->term[i].variable];
    return affine_wrap(number, a.modulus);
}

int64_t address_by(const Machine *m, Address a)
{
    const Motion *motion = m->class->motion;
    int64_t rate = a.coefficient * motion->rate[m->class->micro];
    for (int i = 0; a.outer != NULL && i < a.outer->count; i++)
        rate += a.outer->term[i].coefficient * motion->rate[a.outer->term[i].variable];
    return rate * motion->period;
}
