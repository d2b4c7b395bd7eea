/* The generator of signatures against a list that was found by enumeration (tests/algebra/signatures.txt): families of
 * the operator table, others as operators of this test, composites as several operators one after another.
 */
#include "algebra/signature.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_VALUES = 16, MAX_ROWS = 64 };

/* A family of the list: its operands' dims as letters in the list's order; the operators that make it, one per line:
 * "value = operator(values) spec". Operands are A B C D E; the last value is the result. */
typedef struct Family {
    const char *name;
    const char *dims;     /* "mk,kn->mn" */
    const char *partial;  /* what was tried besides sum: "a" avg, "x" max */
    const char *left_out; /* letters that the list's extents do not divide, or that are the minor part of a dim */
    const char *steps;
} Family;

/* Operators that the table has not. */
typedef struct TestOp {
    const char *name;
    OpClass op_class;
    int operands;
    const char *coupled, *body;
} TestOp;

static const TestOp test_ops[] = {
    {"double", CLASS_MAP, 1, "-", "y = 2 * a"},
    {"negate", CLASS_MAP, 1, "-", "y = -a"},
    {"exp", CLASS_MAP, 1, "-", "y = exp(a)"},
    {"plus_one", CLASS_MAP, 1, "-", "y = a + 1"},
    {"divide_positive", CLASS_MAP, 2, "-", "y = a / exp(b)"},
    {"larger", CLASS_MAP, 2, "-", "y = max2(a, b)"},
    {"masked", CLASS_MAP, 2, "-", "y = where(a > 0, b, 0)"},
    {"pick", CLASS_MAP, 3, "-", "y = where(c > 0, a, b)"},
    {"rsqrt", CLASS_MAP, 1, "-", "y = rsqrt(a + 1e-5)"},
    {"mean", CLASS_ROW, 1, "-", "y = sum(a) / cols"},
    {"row_max", CLASS_ROW, 1, "-", "y = max(a)"},
    {"log_sum_exp", CLASS_ROW, 1, "a", "m = max(a); y = log(sum(exp(a - m))) + m"},
    {"cross_entropy", CLASS_ROW, 2, "a",
     "m = max(a); y = log(sum(exp(a - m))) + m - sum(where(col == b, a, 0))"},
    {"rms", CLASS_ROW, 1, "a", "y = a * rsqrt(sum(a * a) / cols + 1e-5)"},
    {"conv", CLASS_CONTRACT, 2, "a b", "y = a * b"},
};

static const Family families[] = {
    {"matmul A[m,k] B[k,n]", "mk,kn->mn", "a", "", "y = einsum(A,B) mk,kn->mn"},
    {"matmul A^T: A[k,m] B[k,n]", "km,kn->mn", "", "", "y = einsum(A,B) km,kn->mn"},
    {"matmul B^T: A[m,k] B[n,k]", "mk,nk->mn", "", "", "y = einsum(A,B) mk,nk->mn"},
    {"batched matmul A[b,m,k] B[b,k,n]", "bmk,bkn->bmn", "", "", "y = einsum(A,B) bmk,bkn->bmn"},
    {"broadcast matmul A[b,m,k] W[k,n]", "bmk,kn->bmn", "", "", "y = einsum(A,B) bmk,kn->bmn"},
    {"linear+bias X[b,i] W[o,i] c[o]", "bi,oi,o->bo", "ax", "", "p = einsum(A,B) bi,oi->bo\ny = add(p,C) bo,o->bo"},
    {"linear+bias3 X[b,s,i] W[o,i] c[o]", "bsi,oi,o->bso", "", "",
     "p = einsum(A,B) bsi,oi->bso\ny = add(p,C) bso,o->bso"},
    {"unary linear (scale)", "bc->bc", "ax", "", "y = double(A) bc->bc"},
    {"unary negate", "bc->bc", "ax", "", "y = negate(A) bc->bc"},
    {"unary monotone (exp)", "bc->bc", "ax", "", "y = exp(A) bc->bc"},
    {"unary nonlinear (relu)", "bc->bc", "ax", "", "y = relu(A) bc->bc"},
    {"unary nonlinear (gelu)", "bc->bc", "ax", "", "y = gelu(A) bc->bc"},
    {"unary affine (x+1)", "bc->bc", "ax", "", "y = plus_one(A) bc->bc"},
    {"add a+b", "bc,bc->bc", "ax", "", "y = add(A,B) bc,bc->bc"},
    {"sub a-b", "bc,bc->bc", "ax", "", "y = sub(A,B) bc,bc->bc"},
    {"mul a*b", "bc,bc->bc", "ax", "", "y = mul(A,B) bc,bc->bc"},
    {"div a/b", "bc,bc->bc", "ax", "", "y = divide_positive(A,B) bc,bc->bc"},
    {"max(a,b)", "bc,bc->bc", "ax", "", "y = larger(A,B) bc,bc->bc"},
    {"where(mask,a,0)", "bc,bc->bc", "ax", "", "y = masked(A,B) bc,bc->bc"},
    {"add bias x[b,c]+v[c]", "bc,c->bc", "ax", "", "y = add(A,B) bc,c->bc"},
    {"mul by row vec x[b,c]*v[c]", "bc,c->bc", "", "", "y = mul(A,B) bc,c->bc"},
    {"reduce_sum dim0 of x[a,b,c]", "abc->bc", "ax", "", "y = reduce(A) abc->bc"},
    {"reduce_mean dim0 of x[a,b,c]", "abc->bc", "ax", "", "y = mean(A) bca->bc"},
    {"reduce_max dim0 of x[a,b,c]", "abc->bc", "ax", "", "y = row_max(A) bca->bc"},
    {"sum of squares all dims x[a,b]", "ab->", "ax", "", "y = sum_squares(A) ab->"},
    {"L2 norm all dims x[a,b]", "ab->", "ax", "", "s = sum_squares(A) ab->\ny = sqrt(s) ->"},
    {"logsumexp dim1 x[a,b]", "ab->a", "ax", "", "y = log_sum_exp(A) ab->a"},
    {"softmax over dim1 of x[a,b,c]", "abc->abc", "ax", "", "y = softmax(A) acb->acb"},
    {"cross-entropy per-row logits[b,v] label[b]", "bv,b->b", "", "", "y = cross_entropy(A,B) bv,b->b"},
    {"layernorm dim2 x[b,s,h] g[h] b[h]", "bsh,h,h->bsh", "", "",
     "m = row_mean(A) bsh->bs\nr = row_rstd(A,m) bsh,bs->bs\ny = norm(A,m,r,B,C) bsh,bs,bs,h,h->bsh"},
    {"rmsnorm dim2 x[b,s,h] g[h]", "bsh,h->bsh", "", "", "r = rms(A) bsh->bsh\ny = mul(r,B) bsh,h->bsh"},
    {"batchnorm train x[N,C,L] g b", "ncl,c,c->ncl", "", "",
     "m = reduce(A) ncl->c\nd = sub(A,m) ncl,c->ncl\nv = sum_squares(d) ncl->c\nr = rsqrt(v) c->c\n"
     "y = norm(A,m,r,B,C) ncl,c,c,c,c->ncl"},
    {"batchnorm eval x[N,C,L] g b rm rv", "ncl,c,c,c,c->ncl", "", "",
     "r = rsqrt(E) c->c\ny = norm(A,D,r,B,C) ncl,c,c,c,c->ncl"},
    {"conv x[N,Ci,L] w[Co,Ci,K]", "ncl,ock->nol", "", "", "y = conv(A,B) ncl,ock->nol"},
    {"depthwise conv x[N,C,L] w[C,1,K] groups=C", "ncl,c1k->ncl", "", "", "y = conv(A,B) ncl,ck->ncl"},
    {"grouped conv groups=4 x[N,C,L] w[C,C/g,K] local groups g/n", "ngl,gik->ngl", "", "io",
     "y = conv(A,B) ngil,goik->ngol"},
    {"maxpool k=2 x[N,C,L]", "ncl->ncl", "ax", "w", "y = row_max(A) nclw->ncl"},
    {"avgpool k=2 x[N,C,L]", "ncl->ncl", "ax", "w", "y = mean(A) nclw->ncl"},
    {"global avgpool x[N,C,L]", "ncl->nc", "ax", "", "y = mean(A) ncl->nc"},
    {"attention core q,k,v [B,H,S,D] (no mask)", "bhsd,bhtd,bhte->bhse", "", "",
     "l = einsum(A,B) bhsd,bhtd->bhst\nw = softmax(l) bhst->bhst\ny = einsum(w,C) bhst,bhte->bhse"},
    {"GQA core q[B,2N,S,D] k,v[B,N,S,D]", "bnsd,bntd,bnte->bnse", "", "beg",
     "l = einsum(A,B) bngsd,bntd->bngst\nw = softmax(l) bngst->bngst\ny = einsum(w,C) bngst,bnte->bngse"},
    {"embedding ids[b,s] W[v,h] (plain local lookup)", "bs,vh->bsh", "", "", "y = embed(A,B) bs,vh->bsh"},
    /* The list's gather reads what is at an index of its own piece; ours knows the piece's place. */
    {"row gather x[T,D] idx[M]", "td,m->md", "", "t", "y = embed(B,A) m,td->md"},
    {"transpose x[a,b,c]->[c,a,b]", "abc->cab", "ax", "", "y = copy(A) abc->cab"},
    {"concat dim1 of a,b", "xj,xj->xj", "ax", "je", "i = iota() e\ny = pick(A,B,i) xj,xj,e->xje"},
};

/* A placement with the letter instead of the dim, so that it does not depend on the order of dims: "R", "Sb", "P",
 * "Pavg", "Pmax"; "-" for what is not differentiable. */
typedef char Mark[8];

typedef struct Row {
    Mark operand[STEP_MAX_OPERANDS], result;
} Row;

typedef struct Rows {
    int count;
    Row row[MAX_ROWS];
} Rows;

/* ---- What the generator gives ------------------------------------------------------------------------------- */

static void mark_of(OnAxis on, const char *letters, char *mark)
{
    static const char *const ops[] = {"P", "Pavg", "Pmax", "Pmin"};
    if (on.kind == PLACED_SHARDED)
        snprintf(mark, sizeof(Mark), "S%c", letters[on.dim]);
    else
        strcpy(mark, on.kind == PLACED_PARTIAL ? ops[on.op] : "R");
}

typedef struct Value {
    char name;
    Mark mark;
} Value;

static OpShape find_shape(Arena *arena, const char *name, const char *spec)
{
    for (size_t i = 0; i < sizeof test_ops / sizeof *test_ops; i++) {
        const TestOp *op = &test_ops[i];
        if (strcmp(op->name, name) == 0)
            return op_shape_of(op->op_class, op->coupled, kernel_parse_body(arena, OP_COPY, op->body, op->operands, ""),
                               spec, op->operands);
    }
    for (int i = 0; i < OP_COUNT; i++)
        if (strcmp(op_info[i].name, name) == 0)
            return op_shape(arena, (OpKind)i, spec);
    fail_msg("no operator '%s'", name);
    return (OpShape){0};
}

static const char *mark_named(const Value *values, int count, char name)
{
    for (int i = 0; i < count; i++)
        if (values[i].name == name)
            return values[i].mark;
    fail_msg("no value '%c'", name);
    return "";
}

/* Runs the steps from `text` on in every way that needs no conversion; adds the results to `rows`. */
static void run_steps(Arena *arena, const char *text, Value *values, int count, const Row *start, Rows *rows)
{
    if (*text == '\0') {
        Row row = *start;
        strcpy(row.result, values[count - 1].mark);
        rows->row[rows->count++] = row;
        assert_true(rows->count < MAX_ROWS);
        return;
    }
    char name[32], arguments[32], spec[32];
    int length = 0, matched = sscanf(text, "%c = %31[a-z_](%31[^)]) %31[^\n]%n", &values[count].name, name, arguments,
                                     spec, &length);
    if (matched == 2) {
        arguments[0] = '\0';
        matched = sscanf(text, "%*c = %*[a-z_]() %31[^\n]%n", spec, &length) + 3;
    }
    assert_int_equal(matched, 4);
    text += length + (text[length] == '\n');
    OpShape shape = find_shape(arena, name, spec);
    SignatureVec list = signatures_of(arena, &shape, (SIGNATURE_ALL | SIGNATURE_EVEN) & ~SIGNATURE_AT);
    for (int i = 0; i < list.count; i++) {
        bool fits = true;
        for (int k = 0; k < shape.operand_count; k++) {
            Mark mark;
            mark_of(list.data[i].operand[k], shape.letter[k], mark);
            fits = fits && strcmp(mark, mark_named(values, count, arguments[2 * k])) == 0;
        }
        if (!fits)
            continue;
        mark_of(list.data[i].result, shape.result, values[count].mark);
        run_steps(arena, text, values, count + 1, start, rows);
    }
}

static bool is_tried(const Family *family, const char *mark)
{
    if (strcmp(mark, "Pmin") == 0)
        return false;
    if (strcmp(mark, "Pavg") == 0)
        return strchr(family->partial, 'a') != NULL;
    if (strcmp(mark, "Pmax") == 0)
        return strchr(family->partial, 'x') != NULL;
    return mark[0] != 'S' || strchr(family->left_out, mark[1]) == NULL;
}

static int operand_count(const Family *family)
{
    int count = 1;
    for (const char *at = family->dims; *at != '-'; at++)
        count += *at == ',';
    return count;
}

static const char *dims_of(const Family *family, int operand)
{
    const char *at = family->dims;
    for (; operand > 0; operand--)
        at = strchr(at, ',') + 1;
    return at;
}

/* Every placement of the operands from `operand` on. */
static void try_operands(Arena *arena, const Family *family, int operand, Value *values, Row *row, Rows *rows)
{
    if (operand == operand_count(family)) {
        run_steps(arena, family->steps, values, operand, row, rows);
        return;
    }
    const char *dims = dims_of(family, operand);
    int dim_count = (int)strcspn(dims, ",-");
    for (int i = -5; i < dim_count; i++) {
        static const char *const others[] = {"R", "P", "Pavg", "Pmax", "Pmin"};
        Mark mark;
        snprintf(mark, sizeof mark, i < 0 ? "%s" : "S%.1s", i < 0 ? others[i + 5] : dims + i);
        if (!is_tried(family, mark))
            continue;
        values[operand].name = (char)('A' + operand);
        strcpy(values[operand].mark, mark);
        strcpy(row->operand[operand], mark);
        try_operands(arena, family, operand + 1, values, row, rows);
    }
}

static Rows generated(Arena *arena, const Family *family)
{
    Value values[MAX_VALUES] = {0};
    Rows all = {0}, tried = {0};
    Row row = {0};
    try_operands(arena, family, 0, values, &row, &all);
    for (int i = 0; i < all.count; i++)
        if (is_tried(family, all.row[i].result))
            tried.row[tried.count++] = all.row[i];
    return tried;
}

/* ---- What the list says ------------------------------------------------------------------------------------- */

/* "S1" with the letters of the dims to "Sk". */
static void read_mark(const char *text, const char *dims, char *mark)
{
    if (text[0] == 'S')
        snprintf(mark, sizeof(Mark), "S%c", dims[text[1] - '0']);
    else
        snprintf(mark, sizeof(Mark), "%.7s", text);
}

static const Family *find_family(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
    fail_msg("the list has a family that this test has not: %s", name);
    return NULL;
}

static const char *dual_of(const char *mark)
{
    return strcmp(mark, "R") == 0 ? "P" : strcmp(mark, "P") == 0 ? "R" : mark;
}

/* "P, S1  (d_out S1)": the duals of the operands and of the result. */
static void check_duals(const char *text, const Family *family, const Row *row)
{
    for (int i = 0; i < operand_count(family); i++) {
        char word[8];
        Mark mark;
        assert_int_equal(sscanf(text, "%7[^, ]", word), 1);
        text += strlen(word);
        text += strspn(text, ", ");
        read_mark(word, dims_of(family, i), mark);
        if (strcmp(mark, "-") != 0)
            assert_string_equal(mark, dual_of(row->operand[i]));
    }
    char word[8];
    Mark mark;
    assert_int_equal(sscanf(text, "(d_out %7[^)]", word), 1);
    read_mark(word, strchr(family->dims, '>') + 1, mark);
    assert_string_equal(mark, dual_of(row->result));
}

static Row read_row(const char *line, const Family *family, int *duals)
{
    Row row = {0};
    const char *at = line;
    for (int i = 0; i < operand_count(family); i++) {
        char word[8];
        at += strspn(at, ", ");
        assert_int_equal(sscanf(at, "%7[^, ]", word), 1);
        at += strlen(word);
        read_mark(word, dims_of(family, i), row.operand[i]);
    }
    char word[8];
    at = strstr(at, "->");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "-> %7s", word), 1);
    read_mark(word, strchr(family->dims, '>') + 1, row.result);
    const char *d_in = strstr(at, "d_in: ");
    if (d_in != NULL) {
        check_duals(d_in + 6, family, &row);
        ++*duals;
    }
    return row;
}

static bool row_equal(const Row *x, const Row *y)
{
    for (int i = 0; i < STEP_MAX_OPERANDS; i++)
        if (strcmp(x->operand[i], y->operand[i]) != 0)
            return false;
    return strcmp(x->result, y->result) == 0;
}

/* Rows of `x` that `y` has not are printed; how many. */
static int print_missing(const Family *family, const char *what, const Rows *x, const Rows *y)
{
    int missing = 0;
    for (int i = 0; i < x->count; i++) {
        bool found = false;
        for (int k = 0; k < y->count; k++)
            found = found || row_equal(&x->row[i], &y->row[k]);
        if (found)
            continue;
        missing++;
        print_error("%s: %s:", family->name, what);
        for (int k = 0; k < operand_count(family); k++)
            print_error(" %s", x->row[i].operand[k]);
        print_error(" -> %s\n", x->row[i].result);
    }
    return missing;
}

static int compare(Arena *arena, const Family *family, const Rows *listed)
{
    Rows own = generated(arena, family);
    return print_missing(family, "not generated", listed, &own) + print_missing(family, "not listed", &own, listed);
}

static void gives_the_list(void **state)
{
    (void)state;
    FILE *file = fopen("tests/algebra/signatures.txt", "r");
    assert_non_null(file);
    Arena *arena = arena_new();
    char line[256];
    const Family *family = NULL;
    Rows listed = {0};
    int family_count = 0, row_count = 0, dual_count = 0, wrong = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '=') {
            if (family != NULL)
                wrong += compare(arena, family, &listed);
            *strstr(line, "  (") = '\0';
            family = find_family(line + 3);
            listed.count = 0;
            family_count++;
        } else if (line[0] == ' ') {
            listed.row[listed.count++] = read_row(line, family, &dual_count);
            row_count++;
        }
    }
    wrong += compare(arena, family, &listed);
    fclose(file);
    arena_free(arena);
    assert_int_equal(wrong, 0);
    assert_int_equal(family_count, sizeof families / sizeof *families);
    assert_int_equal(family_count, 45);
    assert_int_equal(row_count, 250);
    assert_int_equal(dual_count, 185);
}

/* Every group of the operator table's column `linear` is found from the body. */
static void finds_what_the_table_says(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (int i = 0; i < OP_COUNT; i++) {
        const Kernel *kernel = kernel_parse(arena, (OpKind)i);
        unsigned of = 0;
        for (const char *at = op_info[i].linear; kernel != NULL; at++) {
            if (*at >= 'a') {
                of |= 1U << (*at - 'a');
                continue;
            }
            if (of != 0 && fact_linearity(kernel, of) != LINEARITY_LINEAR)
                fail_msg("'%s' is not seen to be linear in %s", op_info[i].name, op_info[i].linear);
            of = 0;
            if (*at == '\0')
                break;
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_the_list), cmocka_unit_test(finds_what_the_table_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
