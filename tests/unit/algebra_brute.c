/* The signatures of every operator of the table, found by trying: all placements of all operands and of the result, on
 * 2 and on 3 ranks, and products of them on 2 x 3, nested on one dim too. What is found is what the generator gives, no
 * more and no less.
 *
 * A placement is tried by encoding random operands as local values, running the operator's body on every rank, and
 * decoding the local results. Two arithmetics: residues modulo 2^61 - 1, where functions are hashes of their arguments
 * and max goes by a fixed order, so that nothing holds by accident; and real numbers, where functions are monotone
 * where their names are, for placements by max and min. An operator needs a spec here (`cases`) to pass.
 */
#include "tests/sanitized.h"
#include "tests/unit/brute_placements.h"

enum { MAX_TUPLES = 1 << 17 };

/* An operator of the table, or a body that is given. */
typedef struct Case {
    OpKind op;
    const char *spec;
    OpClass op_class;
    const char *body;
} Case;

#define OPERATOR(id, spec)                                                                                             \
    {                                                                                                                  \
        OP_##id, spec, CLASS_MAP, NULL                                                                                 \
    }
#define BODY(op_class, spec, body)                                                                                     \
    {                                                                                                                  \
        OP_COPY, spec, CLASS_##op_class, body                                                                          \
    }

static const Case cases[] = {
    OPERATOR(FILL, "bh"),
    OPERATOR(COPY, "bh->hb"),
    OPERATOR(COPY, "h->bh"),
    OPERATOR(CAST, "bh->bh"),
    OPERATOR(ADD, "bh,bh->bh"),
    OPERATOR(ADD, "bh,h->bh"),
    OPERATOR(SUB, "bh,bh->bh"),
    OPERATOR(MUL, "bh,bh->bh"),
    OPERATOR(MUL, "bh,->bh"),
    OPERATOR(SCALE, "bh->bh"),
    OPERATOR(RECIP, "bh->bh"),
    OPERATOR(RELU, "bh->bh"),
    OPERATOR(RELU_BWD, "bh,bh->bh"),
    OPERATOR(TANH, "bh->bh"),
    OPERATOR(TANH_BWD, "bh,bh->bh"),
    OPERATOR(GELU, "bh->bh"),
    OPERATOR(GELU_BWD, "bh,bh->bh"),
    OPERATOR(SILU, "bh->bh"),
    OPERATOR(SILU_BWD, "bh,bh->bh"),
    OPERATOR(SQUARED_ERROR, "bh,bh->bh"),
    OPERATOR(SQUARED_ERROR_BWD, "bh,bh,b->bh"),
    OPERATOR(ROW_MEAN, "bh->b"),
    OPERATOR(ROW_RSTD, "bh,b->b"),
    OPERATOR(NORM, "bh,b,b,h,h->bh"),
    OPERATOR(NORM_BWD, "bh,b,b,h,bh->bh"),
    OPERATOR(NORM_GAIN_BWD, "bh,b,b,bh->h"),
    OPERATOR(ROW_RRMS, "bh->b"),
    OPERATOR(RMS_NORM, "bh,b,h->bh"),
    OPERATOR(RMS_NORM_BWD, "bh,b,h,bh->bh"),
    OPERATOR(RMS_GAIN_BWD, "bh,b,bh->h"),
    OPERATOR(SOFTMAX, "bh->bh"),
    OPERATOR(CAUSAL_SOFTMAX, "qk,q,k->qk"),
    OPERATOR(SOFTMAX_BWD, "bh,bh->bh"),
    OPERATOR(SELECT, ",bh,bh->bh"),
    OPERATOR(LOG_SUM_EXP, "bh->b"),
    OPERATOR(LOG_SUM_EXP_BWD, "bh,b->bh"),
    OPERATOR(ROTARY_COSINE, "t,h->th"),
    OPERATOR(ROTARY_SINE, "t,h->th"),
    OPERATOR(ROTATE, "th,h,h->th"),
    OPERATOR(ROTATE_BWD, "th,h,h->th"),
    OPERATOR(EINSUM, "mk,kn->mn"),
    OPERATOR(EINSUM, "bmk,bkn->bmn"),
    OPERATOR(EINSUM, "bmk,nk->bmn"),
    OPERATOR(EINSUM, "bm,bn->mn"),
    OPERATOR(EINSUM, "h,h->"),
    OPERATOR(REDUCE, "abc->bc"),
    OPERATOR(REDUCE, "ab->"),
    OPERATOR(REDUCE, "ab->ba"),
    OPERATOR(SUM_SQUARES, "ab->"),
    OPERATOR(SUM_SQUARES, "ab->b"),
    OPERATOR(EMBED, "bs,vh->bsh"),
    OPERATOR(EMBED_BWD, "bs,bsh->vh"),
    OPERATOR(TOP, "be->bk"),
    OPERATOR(QUEUE, "btk,e->bec"),
    OPERATOR(QUEUE_ALL, "tk,e->ec"),
    OPERATOR(FILLED, "bec->be"),
    OPERATOR(TAKE, "bec,bth->bech"),
    OPERATOR(TAKE, "bec,bte->bec"),
    OPERATOR(TAKE, "bec,bt->bec"),
    OPERATOR(GIVE, "bec,bech->bth"),
    OPERATOR(GIVE, "bec,bec->bte"),
    OPERATOR(COMBINE, "bec,bech,bec->bth"),
    OPERATOR(COUNT_EQUAL, "btk,e->be"),
    OPERATOR(SUM_EQUAL, "te,tk,e->t"),
    OPERATOR(SUM_EQUAL, "t,tk,e->te"),
    OPERATOR(RECIP_BWD, "bh,bh->bh"),
    OPERATOR(SQRT, "->"),
    OPERATOR(CLIP_FACTOR, "->"),
    OPERATOR(RATE, "->"),
    OPERATOR(CORRECTION, "->"),
    OPERATOR(INCREMENT, "->"),
    OPERATOR(EMA, ""),
    OPERATOR(EMA_SQUARE, ""),
    OPERATOR(ADAMW, "f,f,f,f,,->f"),
    OPERATOR(DECAY_GRADIENT, ""),
    OPERATOR(MOMENTUM, ""),
    OPERATOR(SGD, "f,f,->f"),
    OPERATOR(LESS, "bh,bh->bh"),
    OPERATOR(LESS_EQUAL, "bh,h->bh"),
    OPERATOR(EQUAL, "bh,bh->bh"),
    OPERATOR(NOT_EQUAL, "bh,bh->bh"),
    OPERATOR(MASKED, "bh,b->bh"),
    OPERATOR(INVERSE_COUNT, "->"),
    OPERATOR(RELU6, "bh->bh"),
    OPERATOR(RELU6_BWD, "bh,bh->bh"),
    OPERATOR(CONV, "nchw,ocij->noyx"),
    OPERATOR(CONV_INPUT_BWD, "noyx,ocij->nchw"),
    OPERATOR(CONV_WEIGHT_BWD, "nchw,noyx->ocij"),
    OPERATOR(MAX_POOL, "nchw->ncyx"),
    OPERATOR(MAX_POOL_BWD, "nchw,ncyx->nchw"),
    OPERATOR(MEAN_POOL, "nchw->ncyx"),
    OPERATOR(MEAN_POOL_BWD, "ncyx->nchw"),
    OPERATOR(VIEW, "bhde->bfe"),
    OPERATOR(VIEW, "bfe->bhde"),
    OPERATOR(SEGMENT, "bfe->bhe"),
    OPERATOR(SEGMENT_BWD, "bhe->bfe"),
    OPERATOR(PLACE_SEGMENT, "bfe,bhe->bfe"),
    OPERATOR(ROW_MAX, "bh->b"),
    OPERATOR(EXP_SUM, "bv,b->b"),
    OPERATOR(PICK, "bv,b,v->b"),
    OPERATOR(LOG_LOSS, "b,b,b->b"),
    OPERATOR(LOG_LOSS_BWD, "bv,b,b,v,b,b->bv"),
    OPERATOR(RSQRT, "c->c"),
    OPERATOR(RSQRT_BWD, "c,c->c"),
    OPERATOR(BLEND, "c,c->c"),
    OPERATOR(FALLING_POWER, "c->c"),
    OPERATOR(DROPOUT_MASK, "b,,,,,,->b"),
    OPERATOR(INDEX_WORD, "p,r->pr"),
    OPERATOR(ADAM_DIRECTION, "f,f,f,,->f"),
    OPERATOR(TRUST_RATIO, "r,r->r"),
    OPERATOR(LARS_RATIO, "r,r->r"),
    OPERATOR(SQUARE_PLUS, "rc->rc"),
    OPERATOR(GROWING_BETA, "->"),
    OPERATOR(EMA_BY, "r,r,->r"),
    OPERATOR(FACTORED_DIRECTION, "rc,r,c,->rc"),
    OPERATOR(OVER_ROOT, "rc,->rc"),
    OPERATOR(RELATIVE_RATE, "r,r,r,r->r"),
    OPERATOR(INVERSE_NORM, "->"),
    OPERATOR(MIX, "rc,rc->rc"),
    OPERATOR(DECAYED_SGD, "f,f,->f"),
    /* What no operator of the table has in its body. */
    BODY(MAP, "bh->bh", "y = -2 * a"),
    BODY(MAP, "bh->bh", "y = a + 1"),
    BODY(MAP, "bh,bh->bh", "y = max2(a, b)"),
    BODY(MAP, "bh,bh->bh", "y = max2(a, -b)"),
    BODY(MAP, "bh,bh->bh", "y = min(exp(a), b / 3)"),
    BODY(MAP, "bh,bh->bh", "y = a / exp(b)"),
    BODY(MAP, "bh,bh,h->bh", "y = where(c > 0, a, b)"),
    BODY(MAP, "bh,bh->bh", "y = where(a > b, a, b)"),
    BODY(MAP, "bh,bh->bh", "y = where(a > b, b, a)"),
    BODY(MAP, "bh,bh->bh", "y = a + log(a) + b"),
    BODY(MAP, "bh->bh", "y = a - 2 * log(a)"),
    BODY(ROW, "bh->bh", "y = a + across(a)"),
    BODY(ROW, "bh->bh", "y = max2(a, across(a))"),
    BODY(ROW, "bh->b", "y = max(exp(a))"),
    BODY(ROW, "bh->b", "y = sum(a * a)"),
    BODY(ROW, "bh->b", "y = sum(a) / cols"),
    BODY(ROW, "bh->b", "y = max(a * (col - 1))"),
    BODY(ROW, "bh,h->bh", "y = a * b"),
    BODY(SUM, "bh,h->", "y = max2(a, b)"),
};

static int operand_count_of(const char *spec)
{
    int count = 1;
    for (; *spec != '\0' && *spec != '-'; spec++)
        count += *spec == ',';
    return count;
}

static const char *case_name(const Case *one)
{
    return one->body != NULL ? one->body : op_info[one->op].name;
}

static OpShape case_shape(Arena *arena, const Case *one)
{
    if (one->body == NULL)
        return op_shape(arena, one->op, one->spec);
    int operands = operand_count_of(one->spec);
    return op_shape_of(one->op_class, "-", kernel_parse_body(arena, OP_COPY, one->body, operands, ""), one->spec,
                       operands);
}

/* Nor have those that differ from a constant by overflow only, or follow it: numbers that are never cut. */
static bool has_no_body(OpKind kind)
{
    OpClass class = op_info[kind].op_class;
    return class == CLASS_MOVE || class == CLASS_COMM || class == CLASS_SINK || kind == OP_IOTA || kind == OP_READ ||
           kind == OP_INIT || kind == OP_FINITE || kind == OP_NEXT_SCALE || kind == OP_NEXT_COUNT;
}

/* ---- One axis ----------------------------------------------------------------------------------------------- */

static void set_extent(Letters *letters, int i, int64_t extent)
{
    letters->extent[i] = letters->whole[i] = extent;
}

static void add_letters(Letters *letters, const char *dims, const int64_t *extents)
{
    for (; *dims != '\0'; dims++)
        if (letter_number(letters, *dims) < 0) {
            set_extent(letters, letters->count, extents[letters->count % 2]);
            letters->number[*dims - 'a'] = (signed char)++letters->count;
        }
}

/* Letters whose extents are not free: of grids, and of a view's dims that become one. */
static void bind_letters(const Case *one, const OpShape *shape, Letters *letters)
{
    if (shape->op_class == CLASS_WINDOW) {
        WindowRoles roles = op_window_roles(one->op);
        const int arrays[3] = {roles.input, roles.window, roles.output};
        const int64_t extents[3] = {3, WINDOW, window_places(3, WINDOW, STRIDE, PAD)};
        for (int i = 0; i < 3; i++) {
            int grid[2];
            if (arrays[i] == WINDOW_NONE)
                continue;
            grid_of(shape, letters, arrays[i], grid);
            set_extent(letters, grid[0], extents[i]);
            set_extent(letters, grid[1], extents[i]);
        }
    }
    if (shape->op_class == CLASS_VIEW && one->op != OP_VIEW)
        set_extent(letters, letter_number(letters, 'f'),
                   letters->extent[letter_number(letters, 'h')] + SEGMENT_FIRST + 1);
    if (one->op == OP_VIEW) { /* f is h and d */
        int64_t h = letters->extent[letter_number(letters, 'h')], d = letters->extent[letter_number(letters, 'd')];
        set_extent(letters, letter_number(letters, 'f'), h * d);
    }
}

static Setting setting_of(Arena *arena, const Case *one, const Mesh *mesh, const int64_t *extents)
{
    Setting s = {.arena = arena, .mesh = *mesh, .ranks = (int)mesh_ranks(mesh)};
    s.shape = case_shape(arena, one);
    s.op = one->op;
    for (int rank = 0; rank < s.ranks; rank++)
        for (int i = mesh->axis_count - 1, rest = rank; i >= 0; i--) {
            s.coordinates[rank][i] = rest % mesh->axis[i].size;
            rest /= (int)mesh->axis[i].size;
        }
    for (int i = 0; i <= s.shape.operand_count; i++)
        add_letters(&s.letters, dims_of(&s, i), extents);
    bind_letters(one, &s.shape, &s.letters);
    for (int i = 0; i <= s.shape.operand_count; i++)
        for (int dim = 0; dims_of(&s, i)[dim] != '\0'; dim++)
            s.sizes[i][dim] = s.letters.extent[letter_number(&s.letters, dims_of(&s, i)[dim])];
    return s;
}

static Draw *draws_of(Arena *arena, const Setting *s)
{
    Draw *draws = arena_array(arena, Draw, 2 * DRAWS);
    for (int i = 0; i < 2 * DRAWS; i++)
        start_draw(s, &draws[i], i >= DRAWS, i % 2 == 1, 1000 + (uint64_t)i);
    return draws;
}

/* The placements on one axis of a tensor of so many dims, of the kinds that are wanted. */
static int placements_on_axis(int dim_count, unsigned wanted, OnAxis *list)
{
    int count = 0;
    list[count++] = on_replicated();
    for (int dim = 0; dim < dim_count; dim++)
        list[count++] = on_sharded(dim);
    for (int op = PARTIAL_SUM; op < (wanted & SIGNATURE_EXTREMUM ? PARTIAL_COUNT : PARTIAL_AVG); op++)
        list[count++] = on_partial((PartialOp)op);
    if (wanted & SIGNATURE_AT)
        list[count++] = on_coordinate(1);
    return count;
}

enum { MAX_ON_AXIS = STEP_MAX_DIMS + PARTIAL_COUNT + 2 };

/* All tuples of placements of the operands on one axis, one after the other. */
typedef struct Tuple {
    const OpShape *shape;
    int count[STEP_MAX_OPERANDS], at[STEP_MAX_OPERANDS];
    OnAxis list[STEP_MAX_OPERANDS][MAX_ON_AXIS];
} Tuple;

static Tuple first_tuple(const OpShape *shape, unsigned wanted)
{
    Tuple tuple = {.shape = shape};
    for (int i = 0; i < shape->operand_count; i++)
        tuple.count[i] = placements_on_axis((int)strlen(shape->letter[i]), wanted, tuple.list[i]);
    return tuple;
}

static bool next_tuple(Tuple *tuple)
{
    for (int i = 0; i < tuple->shape->operand_count; i++) {
        if (++tuple->at[i] < tuple->count[i])
            return true;
        tuple->at[i] = 0;
    }
    return false;
}

static OnAxis tuple_operand(const Tuple *tuple, int i)
{
    return tuple->list[i][tuple->at[i]];
}

/* What the generator gives for these operands: a result of the kind; -1 coordinates are 1 here. */
static bool is_generated(const SignatureVec *list, const Tuple *tuple, OnAxis result)
{
    for (int i = 0; i < list->count; i++) {
        OnAxis on = list->data[i].result;
        bool same = on_axis_equal(on.kind == PLACED_AT ? on_coordinate(1) : on, result);
        for (int k = 0; k < tuple->shape->operand_count && same; k++) {
            on = list->data[i].operand[k];
            same = on_axis_equal(on.kind == PLACED_AT ? on_coordinate(1) : on, tuple_operand(tuple, k));
        }
        if (same)
            return true;
    }
    return false;
}

static void print_tuple(const Setting *s, const Case *one, const char *what, const Tuple *tuple, OnAxis result)
{
    print_error("%s \"%s\" on %d: %s:", case_name(one), one->spec, s->ranks, what);
    for (int i = 0; i < s->shape.operand_count; i++)
        print_error(" %s", on_axis_print(s->arena, tuple_operand(tuple, i), NULL));
    print_error(" -> %s\n", on_axis_print(s->arena, result, NULL));
}

static Placement on_one_axis(const Setting *s, OnAxis on, int dim_count)
{
    Placement p = placement_replicated(&s->mesh, dim_count);
    placement_set(&p, 0, on);
    return p;
}

/* What is replicated is also an average, an extremum, and at a coordinate. */
static void leave_out_implied(const OnAxis *on, Results *results)
{
    for (int i = 1; i < results->count && results->valid[0]; i++)
        if (on[i].kind != PLACED_SHARDED)
            results->valid[i] = false;
}

/* Valid, because the factor of the cotangent is positive: facts are about the shape of a body, not about signs. */
static bool is_by_sign(const Case *one, const Tuple *tuple)
{
    OnAxis on = one->op == OP_LOG_SUM_EXP_BWD ? tuple_operand(tuple, 1) : on_replicated();
    return on.kind == PLACED_PARTIAL && (on.op == PARTIAL_MAX || on.op == PARTIAL_MIN);
}

/* Valid, but the column `coupled` does not let the letter be cut. */
static bool is_forbidden(const Setting *s, const Case *one, const Tuple *tuple)
{
    OnAxis on = one->op == OP_ROW_MAX ? tuple_operand(tuple, 0) : on_replicated();
    return on.kind == PLACED_SHARDED && op_letter_is_coupled(&s->shape, s->shape.letter[0][on.dim]);
}

/* How many differences there are. */
static int compare_on_one_axis(const Case *one, int64_t n, const int64_t *extents, unsigned even, int *found)
{
    Arena *arena = arena_new();
    Mesh mesh = {.axis_count = 1, .axis = {{"a", n}}};
    Setting s = setting_of(arena, one, &mesh, extents);
    Draw *draws = draws_of(arena, &s);
    /* At a coordinate is where any operator may run: that is tried with few operands. */
    unsigned wanted = s.shape.operand_count <= 3 ? SIGNATURE_ALL : SIGNATURE_ALL & ~SIGNATURE_AT;
    if (s.shape.operand_count > 6)
        wanted = SIGNATURE_SHARDED | SIGNATURE_SUM;
    SignatureVec list = signatures_of(arena, &s.shape, wanted | even);
    OnAxis on[MAX_ON_AXIS];
    int wrong = 0, result_dims = (int)strlen(s.shape.result);
    Results results = {.count = placements_on_axis(result_dims, wanted, on)};
    for (int i = 0; i < results.count; i++)
        results.placement[i] = on_one_axis(&s, on[i], result_dims);
    Tuple tuple = first_tuple(&s.shape, wanted);
    do {
        Placement operands[STEP_MAX_OPERANDS];
        for (int i = 0; i < s.shape.operand_count; i++)
            operands[i] = on_one_axis(&s, tuple_operand(&tuple, i), (int)strlen(dims_of(&s, i)));
        try_results(&s, draws, operands, &results);
        leave_out_implied(on, &results);
        for (int i = 0; i < results.count; i++) {
            bool given = is_generated(&list, &tuple, on[i]);
            if (results.valid[i] && !given && (is_forbidden(&s, one, &tuple) || is_by_sign(one, &tuple)))
                continue;
            *found += results.valid[i];
            if (results.valid[i] != given)
                print_tuple(&s, one, given ? "not valid" : "not generated", &tuple, on[i]);
            wrong += results.valid[i] != given;
        }
    } while (next_tuple(&tuple));
    arena_free(arena);
    return wrong;
}

static void every_operator_has_a_case(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (int kind = 0; kind < OP_COUNT; kind++) {
        bool has_case = false;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            has_case = has_case || cases[i].op == (OpKind)kind;
        if (has_case == has_no_body((OpKind)kind))
            fail_msg("operator '%s' needs a representative spec in `cases`", op_info[kind].name);
        OpShape shape = {.op_class = op_info[kind].op_class, .operand_count = op_info[kind].operands, .coupled = "-"};
        if (shape.op_class == CLASS_MOVE || shape.op_class == CLASS_COMM || shape.op_class == CLASS_SINK)
            assert_int_equal(signatures_of(arena, &shape, SIGNATURE_ALL).count, 0);
    }
    arena_free(arena);
}

/* Uneven cuts: nothing that needs equal shards is found. */
static void equals_what_is_found_on_one_axis(void **state)
{
    (void)state;
    static const int64_t extents[2][2] = {{3, 5}, {4, 5}};
    int wrong = 0, found = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int n = 2; n <= (SANITIZED ? 2 : 3); n++)
            wrong += compare_on_one_axis(&cases[i], n, extents[n - 2], 0, &found);
    print_message("%d signatures\n", found);
    assert_int_equal(wrong, 0);
}

/* Where all dims are cut into equal shards, views pass cuts of their outermost changed dims. */
static void views_pass_even_cuts(void **state)
{
    (void)state;
    static const int64_t even[2][2] = {{2, 4}, {3, 3}}, uneven[2][2] = {{3, 5}, {4, 5}};
    int wrong = 0, found[2] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int n = 2; n <= 3 && cases[i].op == OP_VIEW; n++) {
            wrong += compare_on_one_axis(&cases[i], n, even[n - 2], SIGNATURE_EVEN, &found[0]);
            compare_on_one_axis(&cases[i], n, uneven[n - 2], 0, &found[1]);
        }
    assert_int_equal(wrong, 0);
    assert_int_equal(found[0] - found[1], 4); /* one for each view and number of ranks */
}

/* ---- Two axes ----------------------------------------------------------------------------------------------- */

typedef struct Pair {
    const Case *one;
    Setting s;
    Draw *draws;
    SignatureVec list;
    Tuple tuple[2];
    OnAxis result_on[MAX_RESULTS][2];
    bool result_turned[MAX_RESULTS]; /* the second axis outside the first */
    Results results;
    int wrong, found;
} Pair;

/* On both axes; where both cut one dim, in that order or turned. */
static Placement on_two_axes(const Setting *s, OnAxis first, OnAxis second, bool turned, int dim_count)
{
    Placement p = placement_replicated(&s->mesh, dim_count);
    placement_set(&p, turned ? 1 : 0, turned ? second : first);
    placement_set(&p, turned ? 0 : 1, turned ? first : second);
    return p;
}

static bool cut_one_dim(OnAxis x, OnAxis y)
{
    return x.kind == PLACED_SHARDED && on_axis_equal(x, y);
}

static void list_results(Pair *pair)
{
    OnAxis on[MAX_ON_AXIS];
    int dims = (int)strlen(pair->s.shape.result), count = placements_on_axis(dims, SIGNATURE_SUM, on);
    Results *results = &pair->results;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            for (int turned = 0; turned <= (cut_one_dim(on[i], on[k]) ? 1 : 0); turned++) {
                assert_true(results->count < MAX_RESULTS);
                results->placement[results->count] = on_two_axes(&pair->s, on[i], on[k], turned, dims);
                pair->result_on[results->count][0] = on[i];
                pair->result_on[results->count][1] = on[k];
                pair->result_turned[results->count++] = turned;
            }
}

/* Operands that both axes cut along one dim are turned where `turns` has their bit. */
static void try_pair(Pair *pair, unsigned turns, unsigned both)
{
    Placement operands[STEP_MAX_OPERANDS];
    const Setting *s = &pair->s;
    for (int i = 0; i < s->shape.operand_count; i++)
        operands[i] = on_two_axes(s, tuple_operand(&pair->tuple[0], i), tuple_operand(&pair->tuple[1], i),
                                  turns >> i & 1, (int)strlen(dims_of(s, i)));
    try_results(s, pair->draws, operands, &pair->results);
    for (int i = 0; i < pair->results.count; i++) {
        OnAxis first = pair->result_on[i][0], second = pair->result_on[i][1];
        bool given = is_generated(&pair->list, &pair->tuple[0], first) &&
                     is_generated(&pair->list, &pair->tuple[1], second) && (turns == 0 || turns == both);
        if (both != 0 && cut_one_dim(first, second))
            given = given && pair->result_turned[i] == (turns != 0);
        pair->found += pair->results.valid[i];
        if (pair->results.valid[i] == given)
            continue;
        pair->wrong++;
        print_tuple(s, pair->one, given ? "not valid, first axis" : "not generated, first axis", &pair->tuple[0],
                    first);
        print_tuple(s, pair->one, pair->result_turned[i] ? "  turned second" : "  second", &pair->tuple[1], second);
    }
}

static bool has_signature(const Pair *pair, int axis)
{
    for (int i = 0; i < pair->results.count; i++)
        if (is_generated(&pair->list, &pair->tuple[axis], pair->result_on[i][axis]))
            return true;
    return false;
}

static void try_turns(Pair *pair)
{
    unsigned both = 0;
    for (int i = 0; i < pair->s.shape.operand_count; i++)
        if (cut_one_dim(tuple_operand(&pair->tuple[0], i), tuple_operand(&pair->tuple[1], i)))
            both |= 1U << i;
    for (unsigned turns = 0; turns <= both; turns++)
        if ((turns & both) == turns)
            try_pair(pair, turns, both);
}

static Pair *pair_of(Arena *arena, const Case *one, unsigned wanted)
{
    static const int64_t extents[2] = {5, 5}; /* nested over 2 x 3: 1 1 1, 1 1 0 */
    Mesh mesh = {.axis_count = 2, .axis = {{"a", 2}, {"b", 3}}};
    Pair *pair = arena_make(arena, Pair);
    pair->one = one;
    pair->s = setting_of(arena, one, &mesh, extents);
    pair->draws = draws_of(arena, &pair->s);
    pair->list = signatures_of(arena, &pair->s.shape, wanted);
    return pair;
}

/* One in every so many operators is tried on two axes, and of its pairs of signatures one in so many, or in
 * PAIRS_EVERY=N. */
enum { TRIED_EVERY = SANITIZED ? 24 : 1 };

static int pairs_every(void)
{
    const char *asked = getenv("PAIRS_EVERY");
    int every = asked != NULL ? atoi(asked) : 0;
    return every > 0 ? every : SANITIZED ? 5 : 3;
}

/* Pairs of tuples; of operators with many operands those where one of the two has a signature. */
static void equals_what_is_found_on_two_axes(void **state)
{
    (void)state;
    const int every = pairs_every();
    int wrong = 0, found = 0, pairs = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += TRIED_EVERY) {
        Arena *arena = arena_new();
        Pair *pair = pair_of(arena, &cases[i], SIGNATURE_SHARDED | SIGNATURE_SUM);
        list_results(pair);
        pair->tuple[0] = first_tuple(&pair->s.shape, SIGNATURE_SUM);
        do {
            bool first = pair->s.shape.operand_count <= 2 || has_signature(pair, 0);
            pair->tuple[1] = first_tuple(&pair->s.shape, SIGNATURE_SUM);
            do {
                if ((first || has_signature(pair, 1)) && pairs++ % every == 0)
                    try_turns(pair);
            } while (next_tuple(&pair->tuple[1]));
        } while (next_tuple(&pair->tuple[0]));
        wrong += pair->wrong;
        found += pair->found;
        arena_free(arena);
    }
    print_message("%d products\n", found);
    assert_int_equal(wrong, 0);
}

static OnAxis at_one(OnAxis on)
{
    return on.kind == PLACED_AT ? on_coordinate(1) : on;
}

/* Averages, extrema, values at one coordinate: every product of two signatures that is a placement holds. */
static int try_product(const Pair *pair, const Signature *first, const Signature *second, int *tried)
{
    const Setting *s = &pair->s;
    Placement operands[STEP_MAX_OPERANDS];
    Results results = {.count = 1};
    bool fault = false;
    for (int i = 0; i < s->shape.operand_count; i++) {
        operands[i] =
            on_two_axes(s, at_one(first->operand[i]), at_one(second->operand[i]), false, (int)strlen(dims_of(s, i)));
        fault = fault || placement_fault(&s->mesh, &operands[i]) != NULL;
    }
    results.placement[0] =
        on_two_axes(s, at_one(first->result), at_one(second->result), false, (int)strlen(s->shape.result));
    if (fault || placement_fault(&s->mesh, &results.placement[0]) != NULL)
        return 0;
    try_results(s, pair->draws, operands, &results);
    ++*tried;
    if (!results.valid[0])
        print_error("%s \"%s\": no product of\n  %s\n  %s\n", case_name(pair->one), pair->one->spec,
                    signature_print(s->arena, &s->shape, first), signature_print(s->arena, &s->shape, second));
    return !results.valid[0];
}

static void products_of_all_kinds_hold(void **state)
{
    (void)state;
    const int every = pairs_every();
    int wrong = 0, tried = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += TRIED_EVERY) {
        Arena *arena = arena_new();
        bool few = operand_count_of(cases[i].spec) <= 3;
        Pair *pair = pair_of(arena, &cases[i], few ? SIGNATURE_ALL : SIGNATURE_ALL & ~SIGNATURE_AT);
        for (int first = 0; first < pair->list.count; first++)
            for (int second = first % every; second < pair->list.count; second += every)
                wrong += try_product(pair, &pair->list.data[first], &pair->list.data[second], &tried);
        arena_free(arena);
    }
    print_message("%d products\n", tried);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_has_a_case),  cmocka_unit_test(equals_what_is_found_on_one_axis),
        cmocka_unit_test(views_pass_even_cuts),       cmocka_unit_test(equals_what_is_found_on_two_axes),
        cmocka_unit_test(products_of_all_kinds_hold),
    };
    cmocka_set_test_filter(getenv("TEST")); /* one alone (tests/closed.sh) */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
