/* resolve.c - named numbers, argument lists and the messages about unknown names. */
#include "parser/resolve.h"

#include "base/change.h"
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* All names there are, up to twelve. */
static void list_known(Ctx *ctx, Diagnostic *d, const char *const *names, int count)
{
    Text list = {.arena = ctx->arena};
    for (int i = 0; i < count && i < 12; i++)
        text_add(&list, "%s'%s'", i > 0 ? ", " : "", names[i]);
    if (count > 0)
        diag_help(d, "Known here: %s%s", list.data, count > 12 ? ", ..." : ".");
}

void resolve_suggest(Ctx *ctx, Diagnostic *d, const char *name, const char *const *names, int count)
{
    if (!diag_help_unknown(d, name, names, count))
        list_known(ctx, d, names, count);
}

Diagnostic *resolve_unknown(Ctx *ctx, Span span, const char *what, const char *name, const char *const *names,
                            int count)
{
    Diagnostic *d = diag_report(ctx->diag, P0201, span, "unknown %s '%s'", what, name);
    resolve_suggest(ctx, d, name, names, count);
    return d;
}

Diagnostic *resolve_unknown_word(Ctx *ctx, Span span, const char *what, const char *word, const char *const *words,
                                 int count)
{
    Diagnostic *d = diag_report(ctx->diag, P0201, span, "unknown %s '%s'", what, word);
    if (!diag_help_unknown_word(d, word, words, count))
        list_known(ctx, d, words, count);
    return d;
}

bool resolve_dtype(Ctx *ctx, const AstNode *node, const char *what, DType *dtype)
{
    static const DType dtypes[] = {DTYPE_F32, DTYPE_F64, DTYPE_BF16};
    const char *names[3];
    for (int i = 0; i < 3; i++) {
        names[i] = dtype_name(dtypes[i]);
        if (node->kind == AST_NAME && strcmp(node->name.text, names[i]) == 0) {
            *dtype = dtypes[i];
            return true;
        }
    }
    resolve_unknown_word(ctx, node->span, what, resolve_text(ctx, node), names, 3);
    return false;
}

void resolve_duplicate(Ctx *ctx, Span span, const char *what, const char *name, Span first)
{
    Diagnostic *d = diag_report(ctx->diag, P0202, span, "%s '%s' is declared twice", what, name);
    diag_label(d, first, "first declared here");
}

Diagnostic *resolve_unsupported(Ctx *ctx, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *what = arena_vprintf(ctx->arena, format, args);
    va_end(args);
    return diag_report(ctx->diag, P0290, span, "%s not supported yet", what);
}

/* ---- Numbers ------------------------------------------------------------------------------------------------ */

const Constant *resolve_constant(const Constants *constants, const char *name)
{
    for (int i = 0; constants != NULL && i < constants->count; i++)
        if (strcmp(constants->data[i].name, name) == 0)
            return &constants->data[i];
    return NULL;
}

static bool named_number(Ctx *ctx, const Constants *constants, const AstNode *node, Constant *value)
{
    const Constant *found = resolve_constant(constants, node->name.text);
    if (found != NULL) {
        *value = *found;
        return true;
    }
    int count = constants != NULL ? constants->count : 0;
    const char **names = arena_array(ctx->arena, const char *, count + 1);
    for (int i = 0; i < count; i++)
        names[i] = constants->data[i].name;
    resolve_unknown(ctx, node->span, "number", node->name.text, names, count);
    return false;
}

static bool too_large(Ctx *ctx, const AstNode *node)
{
    diag_report(ctx->diag, P0207, node->span, "'%s' is too large a number", resolve_text(ctx, node));
    return false;
}

/* A product or quotient of what is not 0 is not 0. */
static bool check_small(Ctx *ctx, const AstNode *node, const Constant *left, double value)
{
    if (left->value == 0 || fabs(value) >= DBL_MIN)
        return true;
    diag_report(ctx->diag, P0207, node->span, "'%s' is too small a number", resolve_text(ctx, node));
    return false;
}

static bool divide(Ctx *ctx, const AstNode *node, const Constant *left, const Constant *right, Constant *value)
{
    if (right->value == 0) {
        diag_report(ctx->diag, P0207, node->span, "division by zero in '%s'", resolve_text(ctx, node));
        return false;
    }
    if (left->integer == INT64_MIN && right->integer == -1)
        return too_large(ctx, node);
    value->value = left->value / right->value;
    value->is_integer = left->is_integer && right->is_integer && left->integer % right->integer == 0;
    if (value->is_integer)
        value->integer = left->integer / right->integer;
    return check_small(ctx, node, left, value->value);
}

static bool combined_number(Ctx *ctx, const Constants *constants, const AstNode *node, Constant *value)
{
    Constant left, right;
    if (!resolve_number(ctx, constants, node->binary.left, &left) ||
        !resolve_number(ctx, constants, node->binary.right, &right))
        return false;
    bool overflow = false;
    value->is_integer = left.is_integer && right.is_integer;
    switch (node->binary.operator) {
    case AST_ADD:
        value->value = left.value + right.value;
        overflow = value->is_integer && __builtin_add_overflow(left.integer, right.integer, &value->integer);
        break;
    case AST_SUBTRACT:
        value->value = left.value - right.value;
        overflow = value->is_integer && __builtin_sub_overflow(left.integer, right.integer, &value->integer);
        break;
    case AST_MULTIPLY:
        value->value = left.value * right.value;
        overflow = value->is_integer && __builtin_mul_overflow(left.integer, right.integer, &value->integer);
        if (right.value != 0 && !check_small(ctx, node, &left, value->value))
            return false;
        break;
    case AST_DIVIDE:
        return divide(ctx, node, &left, &right, value);
    case AST_LESS:
    case AST_LESS_EQUAL:
    case AST_GREATER:
    case AST_GREATER_EQUAL:
    case AST_EQUAL:
    case AST_NOT_EQUAL:
        diag_report(ctx->diag, P0206, node->span, "a comparison where a number is expected");
        return false;
    }
    return overflow || !isfinite(value->value) ? too_large(ctx, node) : true;
}

bool resolve_number(Ctx *ctx, const Constants *constants, const AstNode *node, Constant *value)
{
    *value = (Constant){.name = "", .span = node->span};
    if (node->kind == AST_ERROR)
        return false;
    if (node->kind == AST_NAME)
        return named_number(ctx, constants, node, value);
    if (node->kind == AST_BINARY)
        return combined_number(ctx, constants, node, value);
    if (node->kind == AST_NEGATE) {
        if (!resolve_number(ctx, constants, node->negate.operand, value))
            return false;
        if (value->is_integer && value->integer == INT64_MIN)
            return too_large(ctx, node);
        value->value = -value->value;
        value->integer = -value->integer;
        return true;
    }
    if (node->kind != AST_NUMBER) {
        diag_report(ctx->diag, P0206, node->span, "'%s' is not a number", resolve_text(ctx, node));
        return false;
    }
    if (node->number.measure != MEASURE_NONE) {
        Diagnostic *d =
            diag_report(ctx->diag, P0206, node->span, "'%s' where a plain number is expected", node->number.text);
        size_t digits = strspn(node->number.text, "0123456789.eE+-");
        diag_help_edit(d, node->span, arena_copy(ctx->arena, node->number.text, digits), "Write it without its unit.");
        return false;
    }
    value->value = node->number.value;
    value->is_integer = node->number.is_integer;
    value->integer = node->number.integer;
    return true;
}

/* 1e9 is no integer, and neither is what does not fit into one. */
static void report_fraction(Ctx *ctx, const AstNode *node, const char *what, double value, int64_t high)
{
    if (value != floor(value))
        diag_report(ctx->diag, P0206, node->span, "%s must be a whole number, not %.15g", what, value);
    else if (value > (double)high)
        diag_report(ctx->diag, P0206, node->span, "%s must be a whole number of at most %lld, not %.15g", what,
                    (long long)high, value);
    else
        diag_report(ctx->diag, P0206, node->span, "%s must be a whole number, written without exponent: %.0f", what,
                    value);
}

bool resolve_integer(Ctx *ctx, const Constants *constants, const AstNode *node, const char *what, int64_t low,
                     int64_t high, int64_t *value)
{
    Constant number;
    if (!resolve_number(ctx, constants, node, &number))
        return false;
    if (!number.is_integer) {
        report_fraction(ctx, node, what, number.value, high);
        return false;
    }
    if (number.integer < low || number.integer > high) {
        Diagnostic *d = diag_report(ctx->diag, P0207, node->span, "%s is %lld", what, (long long)number.integer);
        if (number.integer < low)
            diag_why(d, "It must be at least %lld.", (long long)low);
        else
            diag_why(d, "It must be at most %lld.", (long long)high);
        return false;
    }
    *value = number.integer;
    return true;
}

bool resolve_real(Ctx *ctx, const Constants *constants, const AstNode *node, const char *what, const Range *range,
                  double *value)
{
    Constant number;
    if (!resolve_number(ctx, constants, node, &number))
        return false;
    *value = number.value;
    bool too_low = range->low_open ? *value <= range->low : *value < range->low;
    bool too_high = range->high_open ? *value >= range->high : *value > range->high;
    if (!too_low && !too_high)
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0207, node->span, "%s is %.15g", what, *value);
    if (too_low)
        diag_why(d, "It must be %s %.15g.", range->low_open ? "above" : "at least", range->low);
    else
        diag_why(d, "It must be %s %.15g.", range->high_open ? "below" : "at most", range->high);
    return false;
}

bool resolve_fits(Ctx *ctx, Span span, const char *what, double value, DType dtype)
{
    bool small = value != 0 && fabs(value) < FLT_MIN;
    bool large = fabs(value) > FLT_MAX;
    if (dtype == DTYPE_F64 || (!small && !large))
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0207, span, "%s is %.15g, too %s for %s", what, value,
                                small ? "small" : "large", dtype_name(dtype));
    diag_why(d, "In %s it would be %s.", dtype_name(dtype), small ? "0" : "infinite");
    diag_help(d, "The numbers of %s are from about 1.2e-38 to 3.4e38; those of f64 go further.", dtype_name(dtype));
    return false;
}

/* ---- Arguments ---------------------------------------------------------------------------------------------- */

static int find_argument(const ArgumentInfo *arguments, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(arguments[i].name, name) == 0)
            return i;
    return -1;
}

static void report_unknown_argument(Ctx *ctx, const char *callee, const AstName *name, const ArgumentInfo *arguments,
                                    int count)
{
    const char **names = arena_array(ctx->arena, const char *, count + 1);
    for (int i = 0; i < count; i++)
        names[i] = arguments[i].name;
    Diagnostic *d = diag_report(ctx->diag, P0206, name->span, "'%s' has no argument '%s'", callee, name->text);
    resolve_suggest(ctx, d, name->text, names, count);
}

static bool report_missing(Ctx *ctx, Span call, const char *callee, const ArgumentInfo *arguments, int count,
                           const AstNode *const *values)
{
    bool complete = true;
    for (int i = 0; i < count; i++)
        if (arguments[i].required && values[i] == NULL) {
            diag_report(ctx->diag, P0206, call, "'%s' needs the argument '%s'", callee, arguments[i].name);
            complete = false;
        }
    return complete;
}

bool resolve_arguments(Ctx *ctx, Span call, const char *callee, const AstList *written, const ArgumentInfo *arguments,
                       int count, const AstNode **values)
{
    bool good = true;
    memset(values, 0, sizeof *values * (size_t)count);
    for (int i = 0; i < written->count; i++) {
        const AstNode *node = written->data[i];
        bool named = node->kind == AST_ARGUMENT;
        int index = named ? find_argument(arguments, count, node->argument.name.text) : i;
        if (node->kind == AST_ERROR || (named && node->argument.value->kind == AST_ERROR)) {
            good = false;
        } else if (index < 0) {
            report_unknown_argument(ctx, callee, &node->argument.name, arguments, count);
            good = false;
        } else if (index >= count) {
            diag_report(ctx->diag, P0206, node->span, "'%s' takes %d argument%s, this is number %d", callee, count,
                        count == 1 ? "" : "s", i + 1);
            good = false;
        } else if (values[index] != NULL) {
            Diagnostic *d = diag_report(ctx->diag, P0206, node->span, "argument '%s' of '%s' is given twice",
                                        arguments[index].name, callee);
            diag_label(d, values[index]->span, "first given here");
            good = false;
        } else {
            values[index] = named ? node->argument.value : node;
        }
    }
    return good && report_missing(ctx, call, callee, arguments, count, values);
}

/* ---- Texts -------------------------------------------------------------------------------------------------- */

const char *resolve_text(Ctx *ctx, const AstNode *node)
{
    if (!span_known(node->span))
        return "";
    const Source *source = source_of(ctx->sources, node->span);
    return arena_copy(ctx->arena, source->text + node->span.start, (size_t)(node->span.end - node->span.start));
}

const char *resolve_path(Ctx *ctx, const AstNode *node)
{
    if (node->kind == AST_NAME)
        return node->name.text;
    if (node->kind != AST_MEMBER)
        return NULL;
    const char *object = resolve_path(ctx, node->member.object);
    return object ? arena_printf(ctx->arena, "%s.%s", object, node->member.name.text) : NULL;
}
