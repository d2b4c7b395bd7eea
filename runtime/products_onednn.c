/* products_onednn.c - products of matrices of bf16 by oneDNN, where the processor multiplies such numbers.
 *
 * Sums are f32, also with what is there already, and are rounded once where the result is bf16. Numbers below 2^-126
 * count as zeros, as the processor has it.
 *
 * A product is a primitive of oneDNN, made at the first call of a shape and kept. What it needs while it works is in
 * the workspace: blocks of the operands. Where rows of a matrix have room after them oneDNN takes another one, which
 * holds all sums of a result in bf16; if that is much, the caller asks for smaller products with results in f32
 * (bf16_cpu.c).
 */
#include "runtime/onednn.h"
#include "runtime/workspace.h"

#include <string.h>

enum { MOST_BYTES = 4 << 20, A = 0, B, C, ARRAYS };

/* All are words, so that there is nothing between them. */
typedef struct product_key {
    int64_t m, n, k;
    int64_t a_row, a_column, b_row, b_column, c_row, c_column;
    int64_t wide, adds;
} product_key;

struct prt_product {
    product_key key;
    int64_t asked; /* when last; 0: never, the place is free */
    bool good;     /* false: there is no fast way */
    bool turned;   /* C' = B' A' is computed */
    int64_t scratch_bytes;
    dnnl_primitive_t work;
    dnnl_memory_t arrays[ARRAYS], scratch;
};

static const prt_onednn *dnnl;

/* ---- Making ------------------------------------------------------------------------------------------------- */

/* The result is to be row by row, and a vector a row: oneDNN is slow with a column. */
static bool wants_turn(const product_key *k)
{
    bool by_rows = k->c_column == 1 || k->n == 1, by_columns = k->c_row == 1 || k->m == 1;
    return by_columns && (k->n == 1 || !by_rows);
}

static product_key turn(const product_key *k)
{
    return (product_key){.m = k->n,
                         .n = k->m,
                         .k = k->k,
                         .a_row = k->b_column,
                         .a_column = k->b_row,
                         .b_row = k->a_column,
                         .b_column = k->a_row,
                         .c_row = k->c_column,
                         .c_column = k->c_row,
                         .wide = k->wide,
                         .adds = k->adds};
}

static bool describe(dnnl_memory_desc_t *desc, dnnl_data_type_t type, int64_t rows, int64_t columns, int64_t row,
                     int64_t column)
{
    dnnl_dims_t dims = {rows, columns}, strides = {row, column};
    prt_onednn_mend_strides(2, dims, strides);
    return dnnl->memory_desc_init_by_strides(desc, 2, dims, type, strides) == dnnl_success;
}

static bool describe_all(const prt_product *p, dnnl_memory_desc_t desc[ARRAYS])
{
    const product_key k = p->turned ? turn(&p->key) : p->key;
    return describe(&desc[A], dnnl_bf16, k.m, k.k, k.a_row, k.a_column) &&
           describe(&desc[B], dnnl_bf16, k.k, k.n, k.b_row, k.b_column) &&
           describe(&desc[C], k.wide ? dnnl_f32 : dnnl_bf16, k.m, k.n, k.c_row, k.c_column);
}

static bool make_primitive(prt_product *p, const dnnl_memory_desc_t desc[ARRAYS])
{
    dnnl_matmul_desc_t matmul;
    dnnl_primitive_desc_t made;
    if (dnnl->matmul_desc_init(&matmul, &desc[A], &desc[B], NULL, &desc[C]) != dnnl_success)
        return false;
    dnnl_primitive_attr_t attr = prt_onednn_attributes(p->key.adds);
    bool good = dnnl->primitive_desc_create(&made, &matmul, attr, dnnl->engine, NULL) == dnnl_success;
    dnnl->primitive_attr_destroy(attr);
    if (!good)
        return false;
    p->scratch_bytes = prt_onednn_scratch(made);
    good = prt_onednn_is_fast(made) && p->scratch_bytes <= MOST_BYTES &&
           dnnl->primitive_create(&p->work, made) == dnnl_success;
    dnnl->primitive_desc_destroy(made);
    return good;
}

static bool make(prt_product *p)
{
    dnnl_memory_desc_t desc[ARRAYS];
    p->turned = wants_turn(&p->key);
    if (!describe_all(p, desc) || !make_primitive(p, desc))
        return false;
    for (int i = 0; i < ARRAYS; i++)
        if (!prt_onednn_make_memory(&p->arrays[i], &desc[i]))
            return false;
    return prt_onednn_make_scratch(&p->scratch, p->scratch_bytes);
}

/* Of what was not made there is nothing to destroy. */
static void discard(prt_product *p)
{
    for (int i = 0; i < ARRAYS; i++)
        if (p->arrays[i] != NULL)
            dnnl->memory_destroy(p->arrays[i]);
    if (p->scratch != NULL)
        dnnl->memory_destroy(p->scratch);
    if (p->work != NULL)
        dnnl->primitive_destroy(p->work);
}

/* ---- Those that were made ----------------------------------------------------------------------------------- */

/* The one with this key, or the place of the one that was not asked for longest. */
static prt_product *find_place(const product_key *key)
{
    static prt_product products[PRT_MANY_PRODUCTS];
    prt_product *oldest = products;
    for (prt_product *p = products; p < products + PRT_MANY_PRODUCTS; p++) {
        if (p->asked > 0 && memcmp(&p->key, key, sizeof *key) == 0)
            return p;
        if (p->asked < oldest->asked)
            oldest = p;
    }
    discard(oldest);
    *oldest = (prt_product){.key = *key};
    return oldest;
}

const prt_product *prt_onednn_product(const prt_gemm_shape *s, bool wide, bool adds)
{
    static int64_t questions;
    dnnl = prt_onednn_library();
    if (!dnnl->multiplies_bf16 || s->m == 0 || s->n == 0 || s->k == 0)
        return NULL;
    const product_key key = {s->m,        s->n,     s->k,        s->a_row, s->a_column, s->b_row,
                             s->b_column, s->c_row, s->c_column, wide,     adds};
    prt_product *p = find_place(&key);
    if (p->asked == 0)
        p->good = make(p);
    p->asked = ++questions;
    if (!p->good || (p->scratch_bytes > 0 && prt_workspace(p->scratch_bytes) == NULL))
        return NULL;
    return p;
}

/* ---- Running ------------------------------------------------------------------------------------------------ */

void prt_onednn_multiply(const prt_product *p, const uint16_t *a, const uint16_t *b, void *c)
{
    dnnl->memory_set_data_handle(p->arrays[A], (void *)(p->turned ? b : a));
    dnnl->memory_set_data_handle(p->arrays[B], (void *)(p->turned ? a : b));
    dnnl->memory_set_data_handle(p->arrays[C], c);
    dnnl->memory_set_data_handle(p->scratch, prt_workspace(p->scratch_bytes));
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, p->arrays[A]},
                                         {DNNL_ARG_WEIGHTS, p->arrays[B]},
                                         {DNNL_ARG_DST, p->arrays[C]},
                                         {DNNL_ARG_SCRATCHPAD, p->scratch}};
    prt_onednn_execute(p->work, 4, arguments);
}
