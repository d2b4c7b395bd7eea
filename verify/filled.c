/* filled.c - values that are zero in the empty places of queues (verify/filled.h).
 *
 * A queue names its rows in its first places, and in the others the number of rows, which is none. `take` gives 0
 * there. What is linear in such a value, or is 0 where all its operands are, is 0 there too, as long as it works on
 * each place alone.
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/filled.h"

#include "step/spec.h"

#include <string.h>

enum { MOST_LOOKED_AT = 1000 };

/* Where the dims of the queues are in a value. */
typedef struct Places {
    int count, dim[STEP_MAX_DIMS];
} Places;

typedef struct Search {
    const Value *queues;
    int left; /* values that may still be looked at */
} Search;

static bool is_queue(const Value *value)
{
    if (value->kind != VALUE_OP || op_info[value->op.form->kind].op_class != CLASS_CHOICE)
        return false;
    switch (op_choice(value->op.form->kind)) {
    case CHOICE_QUEUE:
    case CHOICE_QUEUE_ALL:
        return true;
    case CHOICE_TOP:
        return false;
    }
    BUG("a choice that is none");
}

/* How many rows there are to name: what is compared has them before its last dim. */
static int64_t rows_named(const Value *queues)
{
    SpecLetters compared = spec_letters(queues->op.form->spec, 0);
    return queues->op.form->sizes[compared.at[compared.count - 2] - 'a'];
}

/* Does it sum over places alone? */
static bool sums_places(const Form *form)
{
    SpecLetters all = spec_letters(form->spec, 0), kept = spec_letters(form->spec, SPEC_RESULT);
    return all.count == kept.count + 1 && memcmp(all.at, kept.at, (size_t)kept.count) == 0;
}

const Value *filled_queues(const Combo *counts)
{
    if (counts->count != 1 || counts->turn.count > 0)
        return NULL;
    const Term *term = &counts->term[0];
    const Value *value = term->value;
    if (term->mask != 0 || term->mono != NULL || !rational_is(term->coefficient, 1) || value->kind != VALUE_OP ||
        value->op.form->kind != OP_FILLED || !sums_places(value->op.form))
        return NULL;
    const Value *queues = value->op.operand[0];
    return is_queue(queues) && value->op.form->immediate[0] == (double)rows_named(queues) ? queues : NULL;
}

/* The same places in an operand; false if it does not have them all. */
static bool places_in(const Form *form, int operand, const Places *result, Places *places)
{
    SpecLetters to = spec_letters(form->spec, SPEC_RESULT), from = spec_letters(form->spec, operand);
    places->count = result->count;
    for (int i = 0; i < result->count; i++) {
        places->dim[i] = spec_dim(from, to.at[result->dim[i]]);
        if (places->dim[i] < 0)
            return false;
    }
    return true;
}

/* Rows of a table that the queues name, of a table with as many rows as they choose from. */
static bool is_taken(const Search *search, const Value *value, const Places *places)
{
    const Form *form = value->op.form;
    if (form->kind != OP_TAKE || value->op.operand[0] != search->queues)
        return false;
    SpecLetters index = spec_letters(form->spec, 0), taken = spec_letters(form->spec, SPEC_RESULT);
    for (int i = 0; i < places->count; i++)
        if (spec_dim(index, taken.at[places->dim[i]]) != i)
            return false;
    return form->sizes[spec_table_row(form->spec, true) - 'a'] == rows_named(search->queues);
}

/* Does the operator work on each place alone? A row must not run through several. */
static bool keeps_places(const Form *form, const Places *places)
{
    SpecLetters result = spec_letters(form->spec, SPEC_RESULT), row = spec_letters(form->spec, 0);
    switch (op_info[form->kind].op_class) {
    case CLASS_MAP:
    case CLASS_SUM:
    case CLASS_CONTRACT:
        return true;
    case CLASS_ROW:
        for (int i = 0; i < places->count; i++)
            if (result.at[places->dim[i]] == row.at[row.count - 1])
                return false;
        return true;
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_CHOICE:
    case CLASS_WINDOW:
    case CLASS_VIEW:
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        return false;
    }
    BUG("an operator of no class");
}

static bool is_empty(Search *search, const Value *value, const Places *places);

static bool operand_is_empty(Search *search, const Value *value, const Places *places, int operand)
{
    Places within;
    return places_in(value->op.form, operand, places, &within) && is_empty(search, value->op.operand[operand], &within);
}

/* It is jointly linear in operands that are all zero there. */
static bool is_linear_in_empty(Search *search, const Value *value, const Places *places)
{
    for (const char *group = op_info[value->op.form->kind].linear; *group != '\0';) {
        size_t length = strcspn(group, " ");
        bool empty = true;
        for (size_t i = 0; empty && i < length; i++)
            empty = operand_is_empty(search, value, places, group[i] - 'a');
        if (empty)
            return true;
        group += length + (group[length] == ' ');
    }
    return false;
}

/* Not linear, and 0 where its operand is. */
static bool is_zero_at_zero(Search *search, const Value *value, const Places *places)
{
    static const OpKind known[] = {OP_GELU, OP_RELU, OP_RELU6, OP_SILU, OP_TANH};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (value->op.form->kind == known[i])
            return operand_is_empty(search, value, places, 0);
    return false;
}

/* Is it zero in every empty place? */
static bool is_empty(Search *search, const Value *value, const Places *places)
{
    if (search->left-- <= 0)
        return false;
    switch (value->kind) {
    case VALUE_SUM:
        for (int i = 0; i < value->sum.count; i++)
            if (!is_empty(search, value_sum_term(value, i).value, places))
                return false;
        return true;
    case VALUE_OP:
        if (is_taken(search, value, places))
            return true;
        return keeps_places(value->op.form, places) &&
               (is_linear_in_empty(search, value, places) || is_zero_at_zero(search, value, places));
    case VALUE_ONES:
    case VALUE_NUMBER:
    case VALUE_POSITION:
    case VALUE_COPY:
    case VALUE_INPUT:
    case VALUE_STATE:
    case VALUE_INIT:
    case VALUE_BOUND:
        return false;
    }
    BUG("a value of kind %d", (int)value->kind);
}

bool filled_only(const Value *value, const Value *queues)
{
    Search search = {queues, MOST_LOOKED_AT};
    Places places = {.count = spec_letters(queues->op.form->spec, SPEC_RESULT).count};
    for (int i = 0; i < places.count; i++)
        places.dim[i] = i;
    return is_empty(&search, value, &places);
}
