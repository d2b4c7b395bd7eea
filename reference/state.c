/* state.c - declared states: their settings, and their updates as operators. */
#include "reference/state.h"

#include "parser/resolve.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Settings ----------------------------------------------------------------------------------------------- */

enum { SETTING_ONE, SETTING_DTYPE, SETTING_LIVES, SETTING_START, SETTING_UPDATE, SETTING_COUNT };

static const struct {
    const char *key, *form;
    bool required;
} settings[SETTING_COUNT] = {
    [SETTING_ONE] = {"one", "one per parameter, or: one", true},
    [SETTING_DTYPE] = {"dtype", "dtype f32", false},
    [SETTING_LIVES] = {"lives", "lives run", false},
    [SETTING_START] = {"start", "start parameters, or: start 0", false},
    [SETTING_UPDATE] = {"update", "update after optimizer : 0.999 * ema + 0.001 * parameters", true},
};

static bool refuse_form(Ctx *ctx, const AstNode *setting, int which)
{
    for (int i = 0; i < setting->setting.pieces.count; i++)
        if (setting->setting.pieces.data[i]->kind == AST_ERROR)
            return false;
    Diagnostic *d =
        diag_report(ctx->diag, P0206, setting->span, "'%s' of a state has another form", settings[which].key);
    diag_help(d, "Its form is: %s", settings[which].form);
    return false;
}

static bool read_start(Ctx *ctx, const AstNode *setting, DeclaredState *state)
{
    const Range any = {.low = -DBL_MAX, .high = DBL_MAX};
    const AstNode *found;
    if (ast_match(setting, "parameters", &found)) {
        state->from_parameters = true;
        return true;
    }
    return ast_match(setting, "#", &found)
               ? resolve_real(ctx, NULL, found, "what the state starts from", &any, &state->start)
               : refuse_form(ctx, setting, SETTING_START);
}

static bool read_setting(Ctx *ctx, const AstNode *setting, int which, DeclaredState *state)
{
    const AstNode *found[1];
    bool valued = setting->setting.value != NULL;
    if (valued != (which == SETTING_UPDATE))
        return refuse_form(ctx, setting, which);
    switch (which) {
    case SETTING_ONE:
        state->per_parameter = ast_match(setting, "per parameter", found);
        return state->per_parameter || setting->setting.pieces.count == 0 || refuse_form(ctx, setting, which);
    case SETTING_DTYPE:
        state->has_dtype = true;
        return ast_match(setting, "#", found) ? resolve_dtype(ctx, found[0], "dtype", &state->dtype)
                                              : refuse_form(ctx, setting, which);
    case SETTING_LIVES:
        if (ast_match(setting, "run", found))
            return true;
        if (!ast_match(setting, "#", found))
            return refuse_form(ctx, setting, which);
        resolve_unsupported(ctx, found[0]->span, "declared states that live shorter than the run are");
        return false;
    case SETTING_START:
        return read_start(ctx, setting, state);
    case SETTING_UPDATE:
        state->update = setting->setting.value;
        state->before_optimizer = ast_match(setting, "before optimizer", found);
        return state->before_optimizer || ast_match(setting, "after optimizer", found) ||
               refuse_form(ctx, setting, which);
    default:
        BUG("setting %d", which);
    }
}

static int find_setting(Ctx *ctx, const AstNode *setting)
{
    const char *names[SETTING_COUNT];
    const AstName *key = &setting->setting.key;
    for (int i = 0; i < SETTING_COUNT; i++) {
        names[i] = settings[i].key;
        if (key->text != NULL && strcmp(names[i], key->text) == 0)
            return i;
    }
    if (key->text == NULL)
        diag_report(ctx->diag, P0208, setting->span, "expected a setting of a state");
    else
        resolve_unknown(ctx, key->span, "setting of a state", key->text, names, SETTING_COUNT);
    return -1;
}

static bool report_missing(Ctx *ctx, const AstNode *node, const AstNode *const *seen)
{
    bool good = true;
    for (int i = 0; i < SETTING_COUNT; i++) {
        if (!settings[i].required || seen[i] != NULL)
            continue;
        Diagnostic *d = diag_report(ctx->diag, P0208, node->state.name.span, "state '%s' does not set '%s'",
                                    node->state.name.text, settings[i].key);
        diag_help(d, "Its form is: %s", settings[i].form);
        good = false;
    }
    return good;
}

static bool check_name(Ctx *ctx, const AstName *name)
{
    static const char *const taken[] = {"parameters", "gradients", "optimizer", "activations"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(taken[i], name->text) == 0) {
            Diagnostic *d = diag_report(ctx->diag, P0202, name->span, "state '%s' is declared twice", name->text);
            diag_note(d, "Every program has it.");
            return false;
        }
    return true;
}

static bool read_state(Ctx *ctx, const AstNode *node, DeclaredState *state)
{
    const AstNode *seen[SETTING_COUNT] = {NULL};
    bool good = check_name(ctx, &node->state.name), complete = true;
    *state = (DeclaredState){.name = node->state.name, .span = node->span, .index = -1};
    for (int i = 0; i < node->state.body.count; i++) {
        const AstNode *setting = node->state.body.data[i];
        int which = setting->kind == AST_SETTING ? find_setting(ctx, setting) : -1;
        complete &= setting->kind == AST_SETTING;
        if (which < 0) {
            good = false;
        } else if (seen[which] != NULL) {
            Diagnostic *d =
                diag_report(ctx->diag, P0208, setting->setting.key.span, "'%s' is given twice", settings[which].key);
            diag_label(d, seen[which]->span, "first given here");
            good = false;
        } else {
            seen[which] = setting;
            good &= read_setting(ctx, setting, which, state);
        }
    }
    if (complete && good)
        good = report_missing(ctx, node, seen);
    if (good && state->from_parameters && !state->per_parameter) {
        diag_report(ctx->diag, P0203, seen[SETTING_START]->span, "one number cannot start as the parameters");
        good = false;
    }
    return good;
}

bool states_read(Ctx *ctx, const Ast *ast, DeclaredStates *states)
{
    bool good = true;
    for (int i = 0; i < ast->items.count; i++) {
        DeclaredState state;
        if (ast->items.data[i]->kind != AST_STATE)
            continue;
        good &= read_state(ctx, ast->items.data[i], &state);
        vec_push(ctx->arena, states, state);
    }
    return good;
}

/* ---- Initial values ----------------------------------------------------------------------------------------- */

static bool name_is_free(Builder *b, const DeclaredState *state)
{
    for (int i = 0; i < b->decls->states.count; i++) {
        const State *other = &b->decls->states.data[i];
        if (strcmp(other->name, state->name.text) != 0)
            continue;
        resolve_duplicate(b->ctx, state->name.span, "state", state->name.text, other->span);
        return false;
    }
    return true;
}

static void start_parameter(Builder *b, int tensor, void *data)
{
    const DeclaredState *state = data;
    Ref rest = builder_state_ref(b, state->index, tensor);
    if (state->from_parameters)
        builder_op(b, OP_CAST, builder_elementwise_spec(b, rest, 1, 0), rest,
                   (Ref[]){builder_state_ref(b, BUILDER_STATE_PARAMETERS, tensor)});
    else
        builder_fill(b, rest, state->start);
}

bool states_append_init(Builder *b, DeclaredStates *states)
{
    bool good = true;
    for (int i = 0; i < states->count; i++) {
        DeclaredState *state = &states->data[i];
        b->span = state->span;
        if (!name_is_free(b, state)) {
            good = false;
            continue;
        }
        state->index =
            builder_add_state(b,
                              &(State){.name = state->name.text,
                                       .kind = STATE_OPTIMIZER,
                                       .per_parameter = state->per_parameter,
                                       .dtype = state->has_dtype ? state->dtype : builder_statistics_dtype(b->decls),
                                       .from_parameters = state->from_parameters,
                                       .span = state->span},
                              -1);
        if (!state->from_parameters && !resolve_fits(b->ctx, state->span, "what the state starts from", state->start,
                                                     b->decls->states.data[state->index].dtype))
            good = false;
        if (state->per_parameter)
            builder_each_parameter(b, start_parameter, state);
        else
            builder_fill(b, builder_state_ref(b, state->index, -1), state->start);
    }
    return good;
}

/* ---- Expressions -------------------------------------------------------------------------------------------- */

/* A value of an update: numerator / denominator, times what the reference holds unless it is a number. */
typedef struct Operand {
    int64_t numerator, denominator;
    bool is_number, is_scalar;
    Ref ref;
} Operand;

/* A scalar that was computed before the loops over layers: once, for all parameters. */
typedef struct Scalar {
    const AstNode *node; /* the expression, or the division by it; or NULL: `from` in a buffer, its factor applied */
    Operand from, operand;
} Scalar;

typedef struct Update {
    Builder *b;
    const DeclaredState *state;
    int tensor; /* the parameter's, or -1 */
    Ref rest;   /* where the state is stored */
    Vec(Scalar) scalars;
    bool failed;
} Update;

/* The simplest fraction that rounds to `value`; false if none has terms of nine digits. */
static bool simplest_fraction(double value, int64_t *numerator, int64_t *denominator)
{
    const double most = 1e9;
    double rest = fabs(value);
    int64_t n[2] = {0, 1}, d[2] = {1, 0};
    for (int i = 0; i < 64; i++) {
        double whole = floor(rest);
        if (whole > most || whole * (double)n[1] + (double)n[0] > most || whole * (double)d[1] + (double)d[0] > most)
            return false;
        int64_t next_n = (int64_t)whole * n[1] + n[0], next_d = (int64_t)whole * d[1] + d[0];
        n[0] = n[1], n[1] = next_n;
        d[0] = d[1], d[1] = next_d;
        if ((double)n[1] / (double)d[1] == fabs(value)) {
            *numerator = value < 0 ? -n[1] : n[1];
            *denominator = d[1];
            return true;
        }
        rest = 1 / (rest - whole);
    }
    return false;
}

static Operand fail(Update *u)
{
    u->failed = true;
    return (Operand){1, 1, .is_number = true, .is_scalar = true};
}

static Operand report(Update *u, Span span, const char *text)
{
    diag_report(u->b->ctx->diag, P0206, span, "%s", text);
    return fail(u);
}

static Operand number_operand(Update *u, const AstNode *node, double value)
{
    Operand operand = {.is_number = true, .is_scalar = true};
    if (simplest_fraction(value, &operand.numerator, &operand.denominator))
        return operand;
    diag_report(u->b->ctx->diag, P0207, node->span, "a factor with more than nine digits");
    return fail(u);
}

static Operand name_operand(Update *u, const AstNode *node)
{
    Builder *b = u->b;
    const char **names = arena_array(b->ctx->arena, const char *, b->decls->states.count + 1);
    for (int i = 0; i < b->decls->states.count; i++) {
        const State *state = &b->decls->states.data[i];
        names[i] = state->name;
        if (strcmp(state->name, node->name.text) != 0)
            continue;
        if (state->per_parameter &&
            (state->each != EACH_ELEMENT || (u->tensor >= 0 && !builder_has_state(b, i, u->tensor)))) {
            diag_report(b->ctx->diag, P0203, node->span, "'%s' does not have the shape of every parameter",
                        state->name);
            return fail(u);
        }
        if (state->per_parameter && u->tensor < 0) {
            Diagnostic *d =
                diag_report(b->ctx->diag, P0203, node->span, "'%s' is one per parameter, '%s' is one number",
                            state->name, u->state->name.text);
            diag_label(d, u->state->name.span, "declared here");
            return fail(u);
        }
        return (Operand){1, 1, false, !state->per_parameter,
                         builder_state_ref(b, i, state->per_parameter ? u->tensor : -1)};
    }
    resolve_unknown(b->ctx, node->span, "state", node->name.text, names, b->decls->states.count);
    return fail(u);
}

static Ref temporary(Update *u, bool scalar)
{
    const State *state = &u->b->decls->states.data[u->state->index];
    const char *name = arena_printf(u->b->ctx->arena, "%s.term", state->name);
    return scalar ? builder_temporary(u->b, name, state->dtype, 0, NULL) : builder_like(u->b, name, u->rest);
}

/* Appends an elementwise operator on whole values into `to`. */
static Op *append(Update *u, OpKind kind, Ref to, const Operand *operands, int count)
{
    unsigned scalars = 0;
    Ref refs[STEP_MAX_OPERANDS];
    for (int i = 0; i < count; i++) {
        scalars |= operands[i].is_scalar ? 1u << i : 0;
        refs[i] = operands[i].ref;
    }
    return builder_op(u->b, kind, builder_elementwise_spec(u->b, to, count, scalars), to, refs);
}

static bool operands_equal(const Operand *x, const Operand *y)
{
    return x->numerator == y->numerator && x->denominator == y->denominator && x->is_number == y->is_number &&
           (x->is_number || ref_equal(x->ref, y->ref));
}

static const Operand *find_scalar(const Update *u, const AstNode *node, const Operand *from)
{
    for (int i = 0; i < u->scalars.count; i++) {
        const Scalar *scalar = &u->scalars.data[i];
        if (scalar->node == node && (node != NULL || operands_equal(&scalar->from, from)))
            return &scalar->operand;
    }
    return NULL;
}

static Operand settle_here(Update *u, Operand operand)
{
    Operand settled = {1, 1, false, operand.is_scalar, temporary(u, operand.is_scalar)};
    if (operand.is_number)
        builder_fill(u->b, settled.ref, (double)operand.numerator / (double)operand.denominator);
    else
        append(u, OP_SCALE, settled.ref, &operand, 1)->scale = (Scale){operand.numerator, operand.denominator, ""};
    return settled;
}

/* Puts the value, with its factor applied, into a buffer. */
static Operand settle(Update *u, Operand operand)
{
    if (!operand.is_number && operand.numerator == operand.denominator)
        return operand;
    if (!operand.is_scalar)
        return settle_here(u, operand);
    const Operand *known = find_scalar(u, NULL, &operand);
    if (known != NULL)
        return *known;
    Node *loop = builder_leave_loop(u->b);
    Operand settled = settle_here(u, operand);
    builder_return(u->b, loop);
    vec_push(u->b->ctx->arena, &u->scalars, (Scalar){NULL, operand, settled});
    return settled;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    return b == 0 ? (a < 0 ? -a : a) : greatest_divisor(b, a % b);
}

/* Multiplies the factor of `x` by that of `y`; reports overflow. */
static void multiply_factor(Update *u, const AstNode *node, Operand *x, int64_t numerator, int64_t denominator)
{
    int64_t divisor1 = greatest_divisor(x->numerator, denominator),
            divisor2 = greatest_divisor(numerator, x->denominator);
    divisor1 = divisor1 > 0 ? divisor1 : 1;
    divisor2 = divisor2 > 0 ? divisor2 : 1;
    if (!__builtin_mul_overflow(x->numerator / divisor1, numerator / divisor2, &x->numerator) &&
        !__builtin_mul_overflow(x->denominator / divisor2, denominator / divisor1, &x->denominator))
        return;
    diag_report(u->b->ctx->diag, P0207, node->span, "a factor with too many digits");
    *x = fail(u);
}

static Operand multiply(Update *u, const AstNode *node, Operand x, Operand y)
{
    Operand factor = x.is_number ? x : y, other = x.is_number ? y : x;
    if (factor.is_number) {
        multiply_factor(u, node, &other, factor.numerator, factor.denominator);
        return other;
    }
    multiply_factor(u, node, &x, y.numerator, y.denominator);
    Operand product = {x.numerator, x.denominator, false, x.is_scalar && y.is_scalar, {0}};
    product.ref = temporary(u, product.is_scalar);
    append(u, OP_MUL, product.ref, (Operand[]){x, y}, 2);
    return product;
}

static Operand inverse(Update *u, const AstNode *node, Operand x)
{
    Operand result = {x.denominator, x.numerator, x.is_number, x.is_scalar, x.ref};
    if (x.numerator == 0)
        return report(u, node->span, "a division by 0");
    if (result.denominator < 0) {
        result.numerator = -result.numerator;
        result.denominator = -result.denominator;
    }
    if (x.is_number)
        return result;
    const Operand *known = x.is_scalar ? find_scalar(u, node, NULL) : NULL;
    if (known != NULL)
        return *known;
    Node *loop = x.is_scalar ? builder_leave_loop(u->b) : u->b->loop;
    result.ref = temporary(u, x.is_scalar);
    append(u, OP_RECIP, result.ref, &x, 1);
    builder_return(u->b, loop);
    if (x.is_scalar)
        vec_push(u->b->ctx->arena, &u->scalars, (Scalar){.node = node, .operand = result});
    return result;
}

static Operand add(Update *u, Operand x, Operand y, OpKind kind)
{
    Operand operands[2] = {settle(u, x), settle(u, y)};
    Operand sum = {1, 1, false, x.is_scalar && y.is_scalar, {0}};
    sum.ref = temporary(u, sum.is_scalar);
    append(u, kind, sum.ref, operands, 2);
    return sum;
}

static bool is_scalar(const Update *u, const AstNode *node)
{
    if (node->kind == AST_NEGATE)
        return is_scalar(u, node->negate.operand);
    if (node->kind == AST_BINARY)
        return is_scalar(u, node->binary.left) && is_scalar(u, node->binary.right);
    for (int i = 0; node->kind == AST_NAME && i < u->b->decls->states.count; i++)
        if (strcmp(u->b->decls->states.data[i].name, node->name.text) == 0)
            return !u->b->decls->states.data[i].per_parameter;
    return node->kind == AST_NUMBER;
}

static Operand evaluate(Update *u, const AstNode *node);

static Operand evaluate_binary(Update *u, const AstNode *node)
{
    Operand x = evaluate(u, node->binary.left), y = evaluate(u, node->binary.right);
    switch (node->binary.operator) {
    case AST_MULTIPLY:
        return multiply(u, node, x, y);
    case AST_DIVIDE:
        return multiply(u, node, x, inverse(u, node, y));
    case AST_ADD:
        return add(u, x, y, OP_ADD);
    case AST_SUBTRACT:
        return add(u, x, y, OP_SUB);
    case AST_LESS: /* updates have no comparisons: see list_terms */
    case AST_LESS_EQUAL:
    case AST_GREATER:
    case AST_GREATER_EQUAL:
    case AST_EQUAL:
    case AST_NOT_EQUAL:
        break;
    }
    BUG("an update that compares");
}

static Operand evaluate_scalar(Update *u, const AstNode *node)
{
    const Operand *known = find_scalar(u, node, NULL);
    if (known != NULL)
        return *known;
    Node *loop = builder_leave_loop(u->b);
    Operand operand = evaluate_binary(u, node);
    builder_return(u->b, loop);
    vec_push(u->b->ctx->arena, &u->scalars, (Scalar){.node = node, .operand = operand});
    return operand;
}

static Operand evaluate(Update *u, const AstNode *node)
{
    if (node->kind == AST_NUMBER && node->number.measure == MEASURE_NONE)
        return number_operand(u, node, node->number.value);
    if (node->kind == AST_NAME)
        return name_operand(u, node);
    if (node->kind == AST_NEGATE) {
        Operand operand = evaluate(u, node->negate.operand);
        operand.numerator = -operand.numerator;
        return operand;
    }
    if (node->kind == AST_BINARY && node->binary.operator<= AST_DIVIDE)
        return is_scalar(u, node) ? evaluate_scalar(u, node) : evaluate_binary(u, node);
    if (node->kind == AST_ERROR)
        return fail(u);
    return report(u, node->span, "an update consists of states, numbers and + - * /");
}

/* ---- Updates ------------------------------------------------------------------------------------------------ */

/* One term of the outermost sum, with its sign. */
typedef struct SumTerm {
    const AstNode *node;
    bool negative;
} SumTerm;
typedef Vec(SumTerm) SumTerms;

static void list_terms(Update *u, const AstNode *node, bool negative, SumTerms *terms)
{
    bool sum = node->kind == AST_BINARY && (node->binary.operator== AST_ADD || node->binary.operator== AST_SUBTRACT);
    if (!sum) {
        vec_push(u->b->ctx->arena, terms, (SumTerm){node, negative});
        return;
    }
    list_terms(u, node->binary.left, negative, terms);
    list_terms(u, node->binary.right, negative != (node->binary.operator== AST_SUBTRACT), terms);
}

static bool mentions(const AstNode *node, const char *name)
{
    if (node->kind == AST_NAME)
        return strcmp(node->name.text, name) == 0;
    if (node->kind == AST_NEGATE)
        return mentions(node->negate.operand, name);
    return node->kind == AST_BINARY && (mentions(node->binary.left, name) || mentions(node->binary.right, name));
}

/* Adds an operand to (or, for the first term, assigns it to) the place where the state is stored. */
static void store(Update *u, Operand operand, bool accumulate)
{
    Op *op;
    if (operand.is_number) {
        op = builder_fill(u->b, u->rest, (double)operand.numerator / (double)operand.denominator);
    } else {
        bool scaled = operand.numerator != operand.denominator;
        if (!accumulate && !scaled && ref_equal(operand.ref, u->rest))
            return;
        op = append(u, scaled ? OP_SCALE : OP_COPY, u->rest, &operand, 1);
        if (scaled)
            op->scale = (Scale){operand.numerator, operand.denominator, ""};
    }
    op->accumulate = accumulate;
    op->tensor = u->tensor;
}

/* If at most one term mentions the state, terms are added to the state itself, without a temporary: that term comes
 * first. */
static void append_update(Update *u)
{
    SumTerms terms = {0};
    list_terms(u, u->state->update, false, &terms);
    int own = -1, mentioning = 0;
    for (int i = 0; i < terms.count; i++)
        if (mentions(terms.data[i].node, u->state->name.text)) {
            own = i;
            mentioning++;
        }
    if (mentioning > 1) {
        store(u, settle(u, evaluate(u, u->state->update)), false);
        return;
    }
    bool stored = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < terms.count; i++) {
            if ((i == own) != (pass == 0))
                continue;
            Operand operand = evaluate(u, terms.data[i].node);
            if (terms.data[i].negative)
                operand.numerator = -operand.numerator;
            if (!u->failed)
                store(u, operand, stored);
            stored = true;
        }
}

static void update_parameter(Builder *b, int tensor, void *data)
{
    Update *u = data;
    u->tensor = tensor;
    u->rest = builder_state_ref(b, u->state->index, tensor);
    if (!u->failed) /* only once, not for every parameter */
        append_update(u);
}

bool states_append_step(Builder *b, const DeclaredStates *states, bool before_optimizer)
{
    bool good = true;
    Category category = b->category;
    b->category = CATEGORY_BUFFERS;
    for (int i = 0; i < states->count; i++) {
        const DeclaredState *state = &states->data[i];
        Update update = {.b = b, .state = state};
        if (state->before_optimizer != before_optimizer || state->index < 0)
            continue;
        b->span = state->span;
        if (state->per_parameter)
            builder_each_parameter(b, update_parameter, &update);
        else
            update_parameter(b, -1, &update);
        good &= !update.failed;
    }
    b->category = category;
    return good;
}
