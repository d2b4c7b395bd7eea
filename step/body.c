/* body.c - parses the scalar programs of step/op.def by recursive descent, one function per rule of docs/kernels.md.
 * The texts are part of the compiler: an error in one is a BUG, reported with its column. */
#include "step/body.h"

#include "base/random.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct KernelFunction {
    const char *name;
    int arguments;
} KernelFunction;

static const KernelFunction functions[KERNEL_KIND_COUNT] = {
#define FUNCTION(kind, name, arguments) [KERNEL_##kind] = {name, arguments},
    KERNEL_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

typedef struct Sign {
    const char *text;
    KernelKind kind;
} Sign;

/* An operator that begins with another one comes before it: "<=" before "<". */
static const Sign comparisons[] = {{"<=", KERNEL_LESS_EQUAL}, {">=", KERNEL_GREATER_EQUAL}, {"==", KERNEL_EQUAL},
                                   {"<", KERNEL_LESS},        {">", KERNEL_GREATER},        {NULL, KERNEL_NUMBER}};
static const Sign sums[] = {{"+", KERNEL_ADD}, {"-", KERNEL_SUB}, {NULL, KERNEL_NUMBER}};
static const Sign products[] = {{"*", KERNEL_MUL}, {"/", KERNEL_DIV}, {NULL, KERNEL_NUMBER}};

typedef struct Word {
    const char *text;
    int length;
} Word;

typedef struct Local {
    Word name;
    int node;
} Local;

typedef struct Reader {
    Arena *arena;
    OpKind op;
    const char *body, *at;
    int operands;
    const char *immediates;
    Vec(KernelNode) nodes;
    Vec(Local) locals;
} Reader;

static int read_expression(Reader *r);

_Noreturn static void fail(const Reader *r, const char *what)
{
    BUG("operator '%s': column %d of its body '%s': %s", op_info[r->op].name, (int)(r->at - r->body) + 1, r->body,
        what);
}

static void skip_spaces(Reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool accept(Reader *r, const char *sign)
{
    skip_spaces(r);
    size_t length = strlen(sign);
    if (strncmp(r->at, sign, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void expect(Reader *r, const char *sign)
{
    if (!accept(r, sign))
        fail(r, sign[0] == ')' ? "expected ')'" : sign[0] == '(' ? "expected '('" : "another sign was expected");
}

static bool word_is(Word word, const char *text)
{
    return strlen(text) == (size_t)word.length && memcmp(word.text, text, strlen(text)) == 0;
}

static Word read_word(Reader *r)
{
    skip_spaces(r);
    const char *start = r->at;
    if (!isalpha((unsigned char)*start))
        fail(r, "expected a name");
    while (isalnum((unsigned char)*r->at) || *r->at == '_')
        r->at++;
    return (Word){start, (int)(r->at - start)};
}

static int add_node(Reader *r, KernelNode node)
{
    vec_push(r->arena, &r->nodes, node);
    return r->nodes.count - 1;
}

static int find_immediate(const Reader *r, Word word)
{
    int index = 0;
    for (const char *p = r->immediates; *p != '\0'; index++) {
        size_t length = strcspn(p, " ");
        if (length == (size_t)word.length && memcmp(p, word.text, length) == 0)
            return index;
        p += length + strspn(p + length, " ");
    }
    return -1;
}

static int find_operand(const Reader *r, Word word)
{
    int index = word.text[0] - 'a';
    return word.length == 1 && index >= 0 && index < r->operands ? index : -1;
}

static const Local *find_local(const Reader *r, Word word)
{
    for (int i = 0; i < r->locals.count; i++) {
        const Local *local = &r->locals.data[i];
        if (local->name.length == word.length && memcmp(local->name.text, word.text, (size_t)word.length) == 0)
            return local;
    }
    return NULL;
}

static int read_name(Reader *r, Word word)
{
    const Local *local = find_local(r, word);
    if (local != NULL)
        return local->node;
    int operand = find_operand(r, word);
    if (operand >= 0)
        return add_node(r, (KernelNode){.kind = KERNEL_OPERAND, .index = operand});
    int immediate = find_immediate(r, word);
    if (immediate >= 0)
        return add_node(r, (KernelNode){.kind = KERNEL_IMMEDIATE, .index = immediate});
    if (word_is(word, "scale"))
        return add_node(r, (KernelNode){.kind = KERNEL_SCALE});
    if (word_is(word, "col"))
        return add_node(r, (KernelNode){.kind = KERNEL_COL});
    if (word_is(word, "cols"))
        return add_node(r, (KernelNode){.kind = KERNEL_COLS});
    if (word_is(word, "inf"))
        return add_node(r, (KernelNode){.kind = KERNEL_NUMBER, .number = INFINITY});
    r->at = word.text;
    fail(r, "an unknown name");
}

static int read_call(Reader *r, Word word)
{
    for (KernelKind kind = 0; kind < KERNEL_KIND_COUNT; kind++) {
        if (functions[kind].name == NULL || !word_is(word, functions[kind].name))
            continue;
        KernelNode node = {.kind = kind, .argument_count = functions[kind].arguments};
        for (int i = 0; i < node.argument_count; i++) {
            if (i > 0)
                expect(r, ",");
            node.argument[i] = read_expression(r);
        }
        expect(r, ")");
        return add_node(r, node);
    }
    r->at = word.text;
    fail(r, "an unknown function");
}

static int read_primary(Reader *r)
{
    if (accept(r, "(")) {
        int node = read_expression(r);
        expect(r, ")");
        return node;
    }
    if (isdigit((unsigned char)*r->at)) {
        char *end;
        double number = strtod(r->at, &end);
        r->at = end;
        return add_node(r, (KernelNode){.kind = KERNEL_NUMBER, .number = number});
    }
    Word word = read_word(r);
    return accept(r, "(") ? read_call(r, word) : read_name(r, word);
}

static int read_unary(Reader *r)
{
    if (!accept(r, "-"))
        return read_primary(r);
    int argument = read_unary(r);
    return add_node(r, (KernelNode){.kind = KERNEL_NEGATE, .argument_count = 1, .argument = {argument}});
}

static const Sign *accept_any(Reader *r, const Sign *signs)
{
    for (; signs->text != NULL; signs++) {
        if (accept(r, signs->text))
            return signs;
    }
    return NULL;
}

/* operand (operator operand)*, grouped from the left. */
static int read_infix(Reader *r, const Sign *signs, int (*read_operand)(Reader *))
{
    int left = read_operand(r);
    for (const Sign *sign; (sign = accept_any(r, signs)) != NULL;) {
        int right = read_operand(r);
        left = add_node(r, (KernelNode){.kind = sign->kind, .argument_count = 2, .argument = {left, right}});
    }
    return left;
}

static int read_product(Reader *r)
{
    return read_infix(r, products, read_unary);
}

static int read_sum(Reader *r)
{
    return read_infix(r, sums, read_product);
}

static int read_expression(Reader *r)
{
    return read_infix(r, comparisons, read_sum);
}

static void read_statement(Reader *r)
{
    Word name = read_word(r);
    if (find_local(r, name) != NULL || find_operand(r, name) >= 0 || find_immediate(r, name) >= 0) {
        r->at = name.text;
        fail(r, "a name that already means something");
    }
    expect(r, "=");
    int node = read_expression(r);
    vec_push(r->arena, &r->locals, (Local){name, node});
}

const Kernel *kernel_parse_body(Arena *arena, OpKind op, const char *body, int operands, const char *immediates)
{
    Reader r = {.arena = arena, .op = op, .body = body, .at = body, .operands = operands, .immediates = immediates};
    do
        read_statement(&r);
    while (accept(&r, ";"));
    skip_spaces(&r);
    if (*r.at != '\0')
        fail(&r, "expected ';' or the end");
    const Local *last = &r.locals.data[r.locals.count - 1];
    if (!word_is(last->name, "y"))
        fail(&r, "the last statement must give y");

    Kernel *kernel = arena_make(arena, Kernel);
    *kernel = (Kernel){.op = op, .node_count = r.nodes.count, .nodes = r.nodes.data, .result = last->node};
    for (int i = 0; i < kernel->node_count; i++)
        kernel->row_function_count +=
            kernel_is_row_function(kernel->nodes[i].kind) || kernel->nodes[i].kind == KERNEL_ACROSS;
    return kernel;
}

const Kernel *kernel_parse(Arena *arena, OpKind op)
{
    const OpInfo *info = &op_info[op];
    if (info->body[0] == '\0')
        return NULL;
    return kernel_parse_body(arena, op, info->body, info->operands, info->immediates);
}

double kernel_apply(KernelKind kind, const double *x)
{
    switch (kind) {
    case KERNEL_ADD:
        return x[0] + x[1];
    case KERNEL_SUB:
        return x[0] - x[1];
    case KERNEL_MUL:
        return x[0] * x[1];
    case KERNEL_DIV:
        return x[0] / x[1];
    case KERNEL_NEGATE:
        return -x[0];
    case KERNEL_LESS:
        return x[0] < x[1];
    case KERNEL_LESS_EQUAL:
        return x[0] <= x[1];
    case KERNEL_GREATER:
        return x[0] > x[1];
    case KERNEL_GREATER_EQUAL:
        return x[0] >= x[1];
    case KERNEL_EQUAL:
        return x[0] == x[1];
    case KERNEL_WHERE:
        return x[0] != 0 ? x[1] : x[2];
    case KERNEL_MIN:
        return x[0] < x[1] ? x[0] : x[1];
    case KERNEL_MAX2:
        return x[0] > x[1] ? x[0] : x[1];
    case KERNEL_EXP:
        return exp(x[0]);
    case KERNEL_LOG:
        return log(x[0]);
    case KERNEL_SQRT:
        return sqrt(x[0]);
    case KERNEL_RSQRT:
        return 1 / sqrt(x[0]);
    case KERNEL_TANH:
        return tanh(x[0]);
    case KERNEL_COS:
        return cos(x[0]);
    case KERNEL_POW:
        return pow(x[0], x[1]);
    case KERNEL_MIX:
        return random_mix((uint32_t)(int64_t)x[0], (uint32_t)(int64_t)x[1]);
    case KERNEL_NUMBER:
    case KERNEL_OPERAND:
    case KERNEL_IMMEDIATE:
    case KERNEL_SCALE:
    case KERNEL_COL:
    case KERNEL_COLS:
    case KERNEL_ROW_SUM:
    case KERNEL_ROW_MAX:
    case KERNEL_ACROSS:
    case KERNEL_KIND_COUNT:
        break;
    }
    BUG("a kernel node of kind %d has no value of its own", (int)kind);
}

const char *kernel_kind_name(KernelKind kind)
{
    static const Sign *const tables[] = {comparisons, sums, products};
    if (functions[kind].name != NULL)
        return functions[kind].name;
    for (int t = 0; t < 3; t++) {
        for (const Sign *sign = tables[t]; sign->text != NULL; sign++) {
            if (sign->kind == kind)
                return sign->text;
        }
    }
    return kind == KERNEL_NEGATE ? "-" : NULL;
}
