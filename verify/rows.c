/* rows.c - the range of the numbers that select rows of a table. */
#include "verify/rows.h"

#include "step/spec.h"

/* Why it is not known which rows are selected. */
typedef enum Doubt {
    DOUBT_NONE,
    DOUBT_PART,   /* a partial sum, or a piece that is not the rank's own */
    DOUBT_RANK,   /* ranks have different numbers */
    DOUBT_INPUT,  /* an input that the reference uses in no lookup */
    DOUBT_NUMBER, /* anything else */
    DOUBT_LARGE   /* does not fit 64 bits */
} Doubt;

typedef struct Rows {
    int64_t first, last;
    int input; /* the tensor of an input among the terms, or -1 */
} Rows;

/* The size of the operand's first dim, along which a position counts. */
static int64_t first_size(const Form *form)
{
    SpecLetters letters = spec_letters(form->spec, 0);
    return letters.count > 0 ? form->sizes[letters.at[0] - 'a'] : 1;
}

static int64_t letter_size(const Form *form, SpecLetters letters, int dim)
{
    return form->sizes[letters.at[dim] - 'a'];
}

/* A choice names one of what was compared, or none by the number after the last. */
static Doubt choice_rows(const Form *form, Rows *rows)
{
    SpecLetters compared = spec_letters(form->spec, 0);
    rows->first = 0;
    switch (op_choice(form->kind)) {
    case CHOICE_TOP:
        rows->last = letter_size(form, compared, compared.count - 1);
        return DOUBT_NONE;
    case CHOICE_QUEUE:
    case CHOICE_QUEUE_ALL:
        rows->last = letter_size(form, compared, compared.count - 2);
        return DOUBT_NONE;
    }
    BUG("a choice that is none");
}

/* `count`: how many positions there are, if the value is a position. */
static Doubt value_rows(const Table *table, const Decls *decls, const Value *value, int64_t count, Rows *rows)
{
    switch (value->kind) {
    case VALUE_ONES:
        rows->first = rows->last = 1;
        return DOUBT_NONE;
    case VALUE_POSITION:
        rows->first = 0;
        rows->last = count - 1;
        return DOUBT_NONE;
    case VALUE_COPY:
        rows->first = 0;
        rows->last = decls->axes.data[value->copy_axis].size - 1;
        return DOUBT_NONE;
    case VALUE_INPUT:
        rows->input = value->leaf.tensor;
        rows->first = 0;
        rows->last = table->input_rows[rows->input] - 1;
        return rows->last < 0 ? DOUBT_INPUT : DOUBT_NONE;
    case VALUE_OP: /* broadcast, or with permuted dims */
        if (op_info[value->op.form->kind].op_class == CLASS_CHOICE)
            return choice_rows(value->op.form, rows);
        if (value->op.form->kind != OP_COPY)
            return DOUBT_NUMBER;
        return value_rows(table, decls, value->op.operand[0], first_size(value->op.form), rows);
    case VALUE_NUMBER:
    case VALUE_STATE:
    case VALUE_INIT:
    case VALUE_SUM:
    case VALUE_BOUND:
        return DOUBT_NUMBER;
    }
    BUG("a value of kind %d", (int)value->kind);
}

static Doubt term_rows(const Table *table, const Decls *decls, const Term *term, int64_t count, Rows *rows)
{
    if (term->mask != 0)
        return DOUBT_PART;
    if (term->mono != NULL)
        return DOUBT_RANK;
    if (term->coefficient.denominator != 1)
        return DOUBT_NUMBER;
    Doubt doubt = value_rows(table, decls, term->value, count, rows);
    int64_t by = term->coefficient.numerator, first = rows->first, last = rows->last;
    if (doubt == DOUBT_NONE && (__builtin_mul_overflow(by < 0 ? last : first, by, &rows->first) ||
                                __builtin_mul_overflow(by < 0 ? first : last, by, &rows->last)))
        return DOUBT_LARGE;
    return doubt;
}

static Doubt poison_doubt(PoisonKind kind)
{
    static const Doubt doubts[] = {
#define POISON(id, doubt, ...) DOUBT_##doubt,
#include "verify/poison.def"
#undef POISON
    };
    return doubts[kind];
}

/* The least and the largest number that the combination can be, bounding each term separately. */
static Doubt combo_rows(const Table *table, const Decls *decls, const Combo *combo, int64_t count, Rows *rows)
{
    *rows = (Rows){.input = -1};
    for (int i = 0; i < combo->count; i++) {
        Rows more = {.input = rows->input};
        Doubt doubt = term_rows(table, decls, &combo->term[i], count, &more);
        rows->input = more.input;
        if (doubt != DOUBT_NONE)
            return doubt;
        if (__builtin_add_overflow(rows->first, more.first, &rows->first) ||
            __builtin_add_overflow(rows->last, more.last, &rows->last))
            return DOUBT_LARGE;
    }
    return DOUBT_NONE;
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

static void report_unknown(Ctx *ctx, const Decls *decls, const Op *op, Doubt doubt, const Rows *rows)
{
    Diagnostic *d =
        diag_report(ctx->diag, P0334, op->span, "it is not known which rows '%s' looks up", op_info[op->kind].name);
    switch (doubt) {
    case DOUBT_NONE:
        BUG("nothing to report");
    case DOUBT_PART:
        diag_why(d, "Operand a is only a part of what it should be on each rank here.");
        diag_help(d, "Put it together before it is looked up.");
        return;
    case DOUBT_RANK:
        diag_why(d, "Operand a depends on the rank's coordinates.");
        diag_help(d, "Let 'iota' write a cut dim: it begins where the rank's piece does.");
        return;
    case DOUBT_INPUT:
        diag_why(d, "The reference looks '%s' up in no table, so that it may hold any number.",
                 decls->tensors.data[rows->input].name);
        diag_help(d, "Look up what the reference does.");
        return;
    case DOUBT_NUMBER:
    case DOUBT_LARGE:
        diag_why(d, "Rows are named by positions, whole numbers, inputs that are integers, and sums of these.");
        diag_help(d, "Look up one of them.");
        return;
    }
}

/* What is used as an index, and by how much it is out of range. */
static void report_outside(Ctx *ctx, const Decls *decls, const Op *op, const Rows *rows, int64_t size)
{
    bool below = rows->first < 0;
    Diagnostic *d =
        diag_report(ctx->diag, P0334, op->span, "'%s' looks up row %lld of a table whose rows are 0 to %lld",
                    op_info[op->kind].name, (long long)(below ? rows->first : rows->last), (long long)size - 1);
    if (rows->input >= 0) {
        diag_why(d, "Of '%s' it is only known that it names rows of each table in which the reference looks it up.",
                 decls->tensors.data[rows->input].name);
        diag_help(d, "Look it up as it is, in a table with as many rows as there.");
    } else if (below)
        diag_help(d, "Let the positions begin %llu later.", 0 - (unsigned long long)rows->first);
    else
        diag_help(d, "Let the positions end %lld sooner, or give the table more rows.",
                  (long long)(rows->last - size + 1));
}

/* ---- Interface ---------------------------------------------------------------------------------------------- */

/* Does the reference look up an input exactly as it was read? Then the reader's promise covers it. */
static bool is_promise(const Decls *decls, const Combo *index, int *tensor)
{
    if (index->count != 1 || index->term[0].value->kind != VALUE_INPUT || index->term[0].mask != 0 ||
        index->term[0].mono != NULL || !rational_is(index->term[0].coefficient, 1))
        return false;
    *tensor = index->term[0].value->leaf.tensor;
    return decls->tensors.data[*tensor].dtype == DTYPE_I32;
}

/* May an index be the number of rows, which names none? */
static bool names_none(TableKind table)
{
    switch (table) {
    case TABLE_EMBED:
    case TABLE_EMBED_BWD:
        return false;
    case TABLE_TAKE:
    case TABLE_GIVE:
    case TABLE_COMBINE:
        return true;
    }
    BUG("a look-up that is none");
}

bool rows_check(Ctx *ctx, Table *table, const Decls *decls, const Prepared *prepared, const Combo *index,
                bool reference)
{
    const Form *form = prepared->compute->form;
    bool gathers = op_info[prepared->op->kind].op_class == CLASS_GATHER;
    int64_t size = form->sizes[spec_table_row(form->spec, gathers) - 'a'] + names_none(op_table(prepared->op->kind));
    int tensor;
    if (reference && index->poison == NULL && is_promise(decls, index, &tensor)) {
        int64_t *promised = &table->input_rows[tensor];
        *promised = *promised == 0 || size < *promised ? size : *promised;
        return true;
    }
    Rows rows = {.input = -1};
    Doubt doubt = index->poison != NULL ? poison_doubt(index->poison->kind)
                                        : combo_rows(table, decls, index, first_size(form), &rows);
    if (doubt != DOUBT_NONE) {
        report_unknown(ctx, decls, prepared->op, doubt, &rows);
        return false;
    }
    if (rows.first >= 0 && rows.last < size)
        return true;
    report_outside(ctx, decls, prepared->op, &rows, size);
    return false;
}

bool rows_need_more_bits(const Table *table, const Decls *decls, const Combo *combo, int64_t first_dim, int64_t *number)
{
    Rows rows;
    Doubt doubt = combo_rows(table, decls, combo, first_dim, &rows);
    *number = doubt != DOUBT_NONE ? INT64_MAX : rows.last > INT32_MAX ? rows.last : rows.first;
    return doubt == DOUBT_LARGE || (doubt == DOUBT_NONE && (rows.first < INT32_MIN || rows.last > INT32_MAX));
}
