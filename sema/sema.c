/* sema.c - the semantic pass: gathers declarations, then mesh, train, model, strategy and reference in this order. */
#include "sema/sema.h"

#include "parser/parser.h"
#include "reference/autodiff.h"
#include "reference/loss_scale.h"
#include "reference/model.h"
#include "reference/state.h"
#include "sema/saved.h"
#include "sema/train.h"
#include "strategy/strategy.h"

#include <errno.h>
#include <string.h>

/* ---- Declarations, including imported ones ------------------------------------------------------------------ */

typedef struct Gathering {
    Ctx *ctx;
    Ast *all; /* what was gathered */
    bool failed;
    bool incomplete; /* an import provided less than it should: unknown names may be declared there */
} Gathering;

static void gather(Gathering *gathering, const Ast *ast, bool imported);

/* A path in an import is relative to the file that contains the import. */
static const char *import_path(Ctx *ctx, Span importer, const char *path)
{
    const char *name = source_of(ctx->sources, importer)->name;
    const char *slash = strrchr(name, '/');
    if (path[0] == '/' || slash == NULL)
        return path;
    return arena_printf(ctx->arena, "%.*s/%s", (int)(slash - name), name, path);
}

static bool is_read_already(const Ctx *ctx, const char *path)
{
    for (int i = 1; i < ctx->sources->list.count; i++)
        if (strcmp(ctx->sources->list.data[i].name, path) == 0)
            return true;
    return false;
}

static void gather_import(Gathering *gathering, const AstNode *node)
{
    Ctx *ctx = gathering->ctx;
    if (node->import.path->kind != AST_STRING)
        return;
    const char *written = node->import.path->string.text, *path = import_path(ctx, node->span, written);
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".json") == 0) {
        resolve_unsupported(ctx, node->span, "imports of model configurations are");
        gathering->failed = gathering->incomplete = true;
        return;
    }
    if (is_read_already(ctx, path))
        return;
    int errors = diag_error_count(ctx->diag);
    int source = source_read(ctx->sources, path);
    if (source == 0) {
        diag_report(ctx->diag, P0002, node->import.path->span, "cannot read '%s': %s", written, strerror(errno));
        gathering->failed = gathering->incomplete = true;
        return;
    }
    const Ast *imported = parser_run(ctx, source);
    gathering->incomplete |= diag_error_count(ctx->diag) > errors;
    gather(gathering, imported, true);
    gathering->failed |= diag_error_count(ctx->diag) > errors;
}

static const AstName *declared_name(const AstNode *node)
{
    if (node->kind == AST_MODEL)
        return &node->model.name;
    if (node->kind == AST_CLUSTER)
        return &node->cluster.name;
    if (node->kind == AST_MESH)
        return &node->mesh.name;
    if (node->kind == AST_STRATEGY)
        return &node->strategy.name;
    if (node->kind == AST_STATE)
        return &node->state.name;
    return node->kind == AST_MODE ? &node->mode.name : NULL;
}

static void check_not_declared(Gathering *gathering, const AstNode *node)
{
    const AstName *name = declared_name(node);
    for (int i = 0; name != NULL && i < gathering->all->items.count; i++) {
        const AstNode *other = gathering->all->items.data[i];
        if (other->kind != node->kind || strcmp(declared_name(other)->text, name->text) != 0)
            continue;
        resolve_duplicate(gathering->ctx, name->span, ast_kind_name(node->kind), name->text,
                          declared_name(other)->span);
        gathering->failed = true;
        return;
    }
}

static void check_version(Gathering *gathering, const AstNode *node)
{
    int64_t version;
    if (!resolve_integer(gathering->ctx, NULL, node->version.number, "the version of the language", 1, 1, &version))
        gathering->failed = true;
}

/* A line before one that was not understood may have been cut short: it counts as not understood either. */
static void distrust_lines(AstList *body)
{
    for (int i = 0; i + 1 < body->count; i++)
        if (body->data[i + 1]->kind == AST_ERROR)
            body->data[i] = body->data[i + 1];
}

static void gather_item(Gathering *gathering, AstNode *node, bool imported)
{
    gathering->all->damaged |= node->damaged;
    if (node->kind == AST_TRAIN)
        distrust_lines(&node->train.body);
    if (node->kind == AST_IMPORT) {
        gather_import(gathering, node);
    } else if (node->kind == AST_VERSION) {
        check_version(gathering, node);
    } else if (node->kind == AST_SEARCH && !imported) {
        resolve_unsupported(gathering->ctx, node->span, "'search' is");
        gathering->failed = true;
    } else if (node->kind == AST_ERROR) { /* perhaps the rest of the line before, or the declaration that is missed */
        gathering->failed = gathering->incomplete = true;
    } else if (!(imported && (node->kind == AST_TRAIN || node->kind == AST_SEARCH))) {
        check_not_declared(gathering, node);
        vec_push(gathering->ctx->arena, &gathering->all->items, node);
    }
}

static void gather(Gathering *gathering, const Ast *ast, bool imported)
{
    for (int i = 0; i < ast->items.count; i++)
        gather_item(gathering, ast->items.data[i], imported);
}

static const AstNode *find_train(Gathering *gathering)
{
    const AstNode *train = NULL;
    for (int i = 0; i < gathering->all->items.count; i++) {
        const AstNode *node = gathering->all->items.data[i];
        if (node->kind != AST_TRAIN)
            continue;
        if (train != NULL) {
            bool serves = node->train.serves, alike = train->train.serves == serves;
            Diagnostic *d = diag_report(gathering->ctx->diag, P0208, node->train.model.span,
                                        alike ? "a second '%s' in one file" : "a '%s' next to a '%s'",
                                        serves ? "serve" : "train", serves ? "train" : "serve");
            diag_label(d, train->train.model.span, alike ? "the first is here" : "which is here");
            if (!alike)
                diag_help(d,
                          "Put one of them into a file of its own, which imports this one: of an import the model and "
                          "the strategies are taken.");
            gathering->failed = true;
        }
        train = train ? train : node;
    }
    return train;
}

static const AstNode *find_model(Ctx *ctx, const Ast *ast, const AstName *wanted)
{
    int count = 0;
    const char **names = arena_array(ctx->arena, const char *, ast->items.count + 1);
    for (int i = 0; i < ast->items.count; i++) {
        const AstNode *node = ast->items.data[i];
        if (node->kind != AST_MODEL)
            continue;
        if (strcmp(node->model.name.text, wanted->text) == 0)
            return node;
        names[count++] = node->model.name.text;
    }
    if (!ast->damaged)
        resolve_unknown(ctx, wanted->span, "model", wanted->text, names, count);
    return NULL;
}

/* ---- The reference ------------------------------------------------------------------------------------------ */

static void draw_parameter(Builder *b, int tensor, void *data)
{
    b->span = b->decls->tensors.data[tensor].span;
    Op *op = builder_op(b, OP_INIT, "", builder_state_ref(b, BUILDER_STATE_PARAMETERS, tensor), NULL);
    op->tensor = tensor;
    op->seed.base = ((const Train *)data)->seed;
}

static void start_statistic(Builder *b, int tensor, void *data)
{
    (void)data;
    const Tensor *statistic = &b->decls->tensors.data[tensor];
    b->span = statistic->span;
    builder_fill(b, builder_state_ref(b, b->statistics, tensor), statistic->init == INIT_ONES);
}

static void hand_out(Builder *b, const char *name, Span span, Ref value)
{
    b->span = span;
    builder_op(b, OP_OUTPUT, "", ref_of(-1), &value)->output = name;
}

/* Appends the forward pass of a routine that trains nothing. */
static void append_forward(Model *model, RoutineKind routine, int64_t batch)
{
    builder_routine(model->b, routine);
    model->b->keep = false;
    model->trains = false;
    if (!model_walk(model, batch))
        BUG("the model of '%s' differs from that of 'step'", routine_name(routine));
}

static bool append_step(Model *model, const Train *train, const Optimizer *optimizer, const DeclaredStates *states)
{
    Builder *b = model->b;
    bool scaled = optimizer->loss_scale;
    Ref scale = scaled ? loss_scale_ref(b) : ref_of(-1), finite = ref_of(-1);
    hand_out(b, "loss", model->loss_span, model->loss.ref);
    autodiff_append_terms(b, model->loss_terms.data, model->loss_terms.count, scale);
    if (scaled)
        finite = loss_scale_divide(b, optimizer->precision_span);
    int first = b->program->op_count;
    bool good = states_append_step(b, states, true);
    optimizer_append_clipping(b, optimizer);
    contract_append_stale(b, &train->contracts);
    optimizer_append_step(b, optimizer);
    good &= states_append_step(b, states, false);
    if (scaled) {
        loss_scale_guard(b, first, finite);
        loss_scale_update(b, optimizer->precision_span, finite);
        hand_out(b, "finite", optimizer->precision_span, finite);
    }
    return good;
}

/* The reference to the stored number of the step. */
static Ref step_number(const Builder *b)
{
    for (int i = 0; i < b->decls->states.count; i++)
        if (!b->decls->states.data[i].per_parameter && strcmp(b->decls->states.data[i].name, "step") == 0)
            return builder_state_ref(b, i, -1);
    BUG("no state has the number of the step");
}

/* Adds the routines around the forward pass, which is in "step" already. */
static bool complete_reference(Model *model, Train *train, const Optimizer *optimizer, DeclaredStates *states)
{
    Builder *b = model->b;
    builder_routine(b, ROUTINE_INIT);
    builder_each_parameter(b, draw_parameter, train);
    builder_each_frozen(b, draw_parameter, train);
    builder_each_statistic(b, start_statistic, NULL);
    contract_declare_stale(b, &train->contracts);
    contract_declare_local(b, &train->contracts);
    optimizer_append_init(b, optimizer);
    if (optimizer->loss_scale)
        loss_scale_append_init(b, optimizer->precision_span);
    bool good = states_append_init(b, states);
    builder_routine(b, ROUTINE_STEP);
    model_seed_masks(model, step_number(b), train->seed);
    good &= append_step(model, train, optimizer, states);
    append_forward(model, ROUTINE_EVAL, train->batch);
    hand_out(b, "loss", model->loss_span, model->loss.ref);
    append_forward(model, ROUTINE_PREDICT, 1);
    hand_out(b, model->prediction_name, model->loss_span, model->prediction.ref);
    contract_append_join(b, &train->contracts);
    builder_finish(b);
    builder_flow_segments(b);
    train->means = b->means;
    return good;
}

/* The same of a model that is served. */
static void complete_served(Model *model, Train *train)
{
    Builder *b = model->b;
    hand_out(b, model->prediction_name, model->loss_span, model->prediction.ref);
    builder_routine(b, ROUTINE_INIT);
    builder_each_frozen(b, draw_parameter, train);
    builder_each_statistic(b, start_statistic, NULL);
    builder_finish(b);
}

/* ---- Requirements on the data ------------------------------------------------------------------------------- */

/* The input that is read into the buffer of the reference; -1: none is. */
static int input_read_into(const NodeList *body, int buffer)
{
    int found = -1;
    for (int i = 0; i < body->count && found < 0; i++) {
        const Op *op = node_op(body->data[i]);
        if (op == NULL)
            found = input_read_into(&body->data[i]->body, buffer);
        else if (op->kind == OP_READ && op->out.buffer == buffer)
            found = op->tensor;
    }
    return found;
}

/* Is the input, as it is read, this operand of such an operator? */
static bool is_operand_of(const Train *train, const NodeList *body, int tensor, OpKind kind, int operand)
{
    const NodeList *step = &program_routine(train->reference, ROUTINE_STEP)->body;
    bool found = false;
    for (int i = 0; i < body->count && !found; i++) {
        const Op *op = node_op(body->data[i]);
        found = op == NULL ? is_operand_of(train, &body->data[i]->body, tensor, kind, operand)
                           : op->kind == kind && input_read_into(step, op->operand[operand].buffer) == tensor;
    }
    return found;
}

static bool is_looked_up(const Train *train, int tensor)
{
    const NodeList *step = &program_routine(train->reference, ROUTINE_STEP)->body;
    return is_operand_of(train, step, tensor, OP_EMBED, 0);
}

/* Masked data needs an input of integers that are neither looked up nor targets. */
static bool has_mask(const Train *train)
{
    const NodeList *step = &program_routine(train->reference, ROUTINE_STEP)->body;
    bool found = false;
    for (int i = 0; i < train->decls.tensors.count; i++) {
        const Tensor *tensor = &train->decls.tensors.data[i];
        bool integers = tensor->kind == TENSOR_INPUT && tensor->dtype == DTYPE_I32;
        found = found || (integers && !is_looked_up(train, i) && !is_operand_of(train, step, i, OP_PICK, 1));
    }
    return found;
}

/* The inputs that are looked up in tables: the first declared has the tokens, others say in which segment each is. */
static bool looks_up_segments(const Train *train, const Op *op)
{
    const NodeList *step = &program_routine(train->reference, ROUTINE_STEP)->body;
    int input = input_read_into(step, op->operand[0].buffer);
    for (int i = 0; i < input; i++)
        if (train->decls.tensors.data[i].kind == TENSOR_INPUT && is_looked_up(train, i))
            return true;
    return false;
}

/* Values of bytes are indices of the rows of a table, and of the classes of a cross-entropy; one more hides others. */
static bool check_vocabulary(Ctx *ctx, const Train *train, const NodeList *body)
{
    int64_t values = train->masked_data ? 257 : 256;
    bool good = true;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind != NODE_OP) {
            good &= check_vocabulary(ctx, train, &node->body);
            continue;
        }
        const Op *op = node->op;
        if ((op->kind != OP_EMBED && op->kind != OP_PICK) || (op->kind == OP_EMBED && looks_up_segments(train, op)))
            continue;
        const Buffer *buffer = &train->reference->buffers.data[op->operand[op->kind == OP_EMBED].buffer];
        int64_t entries = buffer->dims[op->kind == OP_EMBED ? 0 : buffer->dim_count - 1].size;
        if (entries >= values)
            continue;
        Diagnostic *d = diag_report(ctx->diag, P0207, op->span, "a vocabulary of %lld for %s of bytes",
                                    (long long)entries, train->masked_data ? "masked data" : "data");
        diag_why(d, train->masked_data ? "A byte is a number up to 255, and the last entry hides others."
                                       : "A byte is a number up to 255.");
        diag_label(d, train->data_span, "the data is given here");
        good = false;
    }
    return good;
}

/* The first input that the data has no numbers for; NULL: there is none. Files of tokens have integers; images are one
 * input of other numbers, *images, whose labels may be any integers. */
static const Tensor *input_without_data(const Train *train, const Tensor **images)
{
    for (int i = 0; i < train->decls.tensors.count; i++) {
        const Tensor *tensor = &train->decls.tensors.data[i];
        if (tensor->kind != TENSOR_INPUT || tensor->dtype == DTYPE_I32)
            continue;
        if (train->data_kind != DATA_IMAGES || *images != NULL)
            return tensor;
        *images = tensor;
    }
    return NULL;
}

/* The first input, other than `tokens`, that is read; NULL: there is none. */
static const Op *find_other_read(const NodeList *body, int tokens)
{
    const Op *found = NULL;
    for (int i = 0; i < body->count && found == NULL; i++) {
        const Op *op = node_op(body->data[i]);
        found = op == NULL                                    ? find_other_read(&body->data[i]->body, tokens)
                : op->kind == OP_READ && op->tensor != tokens ? op
                                                              : NULL;
    }
    return found;
}

/* Prompts have nothing but tokens. */
static bool check_inputs_served(Ctx *ctx, const Train *train, int tokens)
{
    const Op *other = find_other_read(&program_routine(train->reference, ROUTINE_PREFILL)->body, tokens);
    if (other == NULL)
        return true;
    const Tensor *tensor = &train->decls.tensors.data[other->tensor];
    Diagnostic *d =
        diag_report(ctx->diag, P0204, tensor->span, "'%s' is an input of a model that is served", tensor->name);
    diag_why(d, "Prompts have only tokens, '%s', and there is nothing else to read where tokens are added.",
             train->decls.tensors.data[tokens].name);
    return false;
}

static bool check_data(Ctx *ctx, const Train *train)
{
    static const char *const what[] = {[DATA_SYNTHETIC] = "synthetic data",
                                       [DATA_BYTES] = "bytes",
                                       [DATA_U16] = "tokens",
                                       [DATA_U32] = "tokens",
                                       [DATA_IMAGES] = "images",
                                       [DATA_NUMBERS] = "numbers"};
    if (train->masked_data && !has_mask(train)) {
        Diagnostic *d = diag_report(ctx->diag, P0204, train->data_span,
                                    "masked data for a model that does not ask which tokens are to be found");
        diag_help(d, "Give it an input for that, 'masked : int[batch, context]', and 'where masked != 0' in its loss.");
        return false;
    }
    if (train->data_kind == DATA_SYNTHETIC)
        return true;
    const Tensor *images = NULL, *tensor = input_without_data(train, &images);
    if (train->data_kind == DATA_IMAGES && images == NULL) {
        diag_report(ctx->diag, P0204, train->data_span, "images for a model whose inputs are all integers");
        return false;
    }
    if (tensor != NULL) {
        Diagnostic *d = diag_report(ctx->diag, P0204, train->data_span, "%s for the input '%s' of dtype %s",
                                    what[train->data_kind], tensor->name, dtype_name(tensor->dtype));
        diag_label(d, tensor->span, "declared here");
        return false;
    }
    return train->data_kind != DATA_BYTES ||
           check_vocabulary(ctx, train, &program_routine(train->reference, ROUTINE_STEP)->body);
}

/* ---- The pass ----------------------------------------------------------------------------------------------- */

static Train *train_new(Ctx *ctx, const AstNode *node)
{
    Train *train = arena_make(ctx->arena, Train);
    train->decls.name = node->train.model.text;
    train->decls.micro = 1;
    train->decls.compute_dtype = DTYPE_F32;
    train->decls.contract = "exact";
    train->file_name = source_of(ctx->sources, node->span)->name;
    train->serves = node->train.serves;
    train->span = node->train.model.span;
    return train;
}

/* With a master copy what several microbatches add up is f32. */
static DType gradient_dtype(const Train *train)
{
    bool wide = train->master_copy && train->decls.micro > 1 && !train->narrow_gradients;
    return wide ? DTYPE_F32 : train->decls.compute_dtype;
}

/* A prompt has at least one token, and the last token that is drawn is not read. */
static bool check_room(Ctx *ctx, const AstNode *node, const Train *train, const Model *model)
{
    if (train->steps <= model->context.size)
        return true;
    Span span = node->train.model.span;
    for (int i = 0; i < node->train.body.count; i++) {
        const AstNode *line = node->train.body.data[i];
        bool steps =
            line->kind == AST_SETTING && line->setting.key.text != NULL && strcmp(line->setting.key.text, "steps") == 0;
        span = steps ? line->span : span;
    }
    Diagnostic *d = diag_report(ctx->diag, P0207, span, "%lld steps, and room for %lld tokens", (long long)train->steps,
                                (long long)model->context.size);
    diag_why(d, "Each step adds a token to every sequence, and the model sees no more than '%s'.", model->context.name);
    return false;
}

/* Only a model that predicts the next of its tokens can be served. */
static bool check_served(Ctx *ctx, const Model *model)
{
    Diagnostic *d = NULL;
    if (model->tokens < 0)
        d = diag_report(ctx->diag, P0204, model->node->model.name.span, "'%s' is served, and has no input of tokens",
                        model->node->model.name.text);
    else if (model->prediction_name == NULL || strcmp(model->prediction_name, "logits") != 0)
        d = diag_report(ctx->diag, P0204, model->loss_span, "'%s' is served, and its loss compares no logits",
                        model->node->model.name.text);
    if (d != NULL)
        diag_why(d, "What is served reads integers [batch, rows], and draws the next from the logits that its "
                    "`cross_entropy` compares with the targets.");
    return d == NULL;
}

/* The model's forward pass, in "step", or, if it is served, in "prefill" and "step"; NULL if errors were reported. */
static Model *read_model(Ctx *ctx, const Ast *ast, const AstNode *node, Train *train)
{
    const AstNode *declaration = find_model(ctx, ast, &node->train.model);
    if (declaration == NULL || declaration->damaged)
        return NULL;
    Builder *b = builder_new(ctx, &train->decls, gradient_dtype(train));
    builder_routine(b, ROUTINE_INIT);
    builder_routine(b, train->serves ? ROUTINE_PREFILL : ROUTINE_STEP);
    b->keep = !train->serves;
    /* If the batch is not known, the model is still worth checking. */
    int64_t batch = train->batch > 0 ? train->batch : 1;
    Model *model = model_new(b, declaration, node, batch);
    if (model == NULL)
        return NULL;
    model->contracts = &train->contracts;
    model->serving = train->serves ? SERVING_PREFILL : SERVING_NOT;
    model->trains = !train->serves;
    if (!model_walk(model, batch) ||
        (train->serves && (!check_served(ctx, model) || !check_room(ctx, node, train, model))))
        return NULL;
    if (train->serves) {
        builder_routine(b, ROUTINE_STEP);
        model->serving = SERVING_DECODE;
        if (!model_walk(model, batch))
            BUG("one row of the model differs from all rows");
    }
    builder_flow_segments(b);
    return model;
}

static bool has_defaults(const AstList *parameters)
{
    for (int i = 0; i < parameters->count; i++)
        if (parameters->data[i]->kind != AST_PARAMETER || parameters->data[i]->parameter.value == NULL)
            return false;
    return true;
}

/* Checks a model that the train does not use as if it were used without arguments, if all of its parameters have
 * defaults. What is not supported yet is not reported. */
static void check_unused_model(Ctx *ctx, const Ast *ast, const AstNode *declaration, const AstNode *node,
                               const Train *train)
{
    Ctx apart = *ctx;
    apart.diag = diag_new(ctx->arena, ctx->sources);
    AstNode plain = *node;
    plain.train.model = declaration->model.name;
    memset(&plain.train.arguments, 0, sizeof plain.train.arguments);
    Train *unused = train_new(&apart, &plain);
    unused->decls.compute_dtype = train->decls.compute_dtype;
    unused->batch = train->batch;
    if (find_model(&apart, ast, &plain.train.model) == declaration)
        read_model(&apart, ast, &plain, unused);
    if (!diag_has(apart.diag, P0290))
        diag_adopt(ctx->diag, apart.diag);
}

static void check_unused_models(Ctx *ctx, const Ast *ast, const AstNode *node, const Train *train)
{
    for (int i = 0; i < ast->items.count; i++) {
        const AstNode *declaration = ast->items.data[i];
        if (declaration->kind != AST_MODEL || declaration->damaged || declaration->model.name.text == NULL ||
            declaration->span.source != node->span.source || !has_defaults(&declaration->model.parameters) ||
            (node->train.model.text != NULL && strcmp(declaration->model.name.text, node->train.model.text) == 0))
            continue;
        check_unused_model(ctx, ast, declaration, node, train);
    }
}

/* Each part is checked even if others are wrong, as far as it does not depend on them. */
static bool run_train(Ctx *ctx, const Ast *ast, const AstNode *node, Train *train, Assignment *assignment)
{
    Optimizer optimizer = {0};
    DeclaredStates states = {0};
    StrategyKnown known;
    bool good = mesh_read(ctx, ast, node, train, &known.axes);
    good &= known.settings = train_read(ctx, node, train, &optimizer) && contract_take_copies(ctx, train);
    good &= states_read(ctx, ast, &states);
    Model *model = read_model(ctx, ast, node, train);
    known.model = model != NULL;
    if (model != NULL && optimizer.rule != NULL)
        optimizer_classify(model->b, &optimizer);
    train->reference = model != NULL ? model->b->program : NULL; /* its forward part, so far */
    bool placed = strategy_evaluate(ctx, ast, train, known, assignment);
    train->seed = assignment->seed.base; /* which the reference draws from */
    check_unused_models(ctx, ast, node, train);
    if (!good || model == NULL)
        return false;
    if (train->serves) {
        complete_served(model, train);
        const NodeList *step = &program_routine(train->reference, ROUTINE_STEP)->body;
        good = train->data_kind != DATA_BYTES || check_vocabulary(ctx, train, step);
        return check_inputs_served(ctx, train, model->tokens) && good && placed;
    }
    good = complete_reference(model, train, &optimizer, &states);
    good &= saved_read(ctx, node, train, &assignment->maps);
    train->decls.contract = contract_answer(ctx, &train->decls, &train->contracts);
    return check_data(ctx, train) && good && placed;
}

bool sema_run(Ctx *ctx, const Ast *ast, const Train **train, const Assignment **assignment)
{
    const Ast *all;
    return sema_run_all(ctx, ast, &all, train, assignment);
}

bool sema_run_all(Ctx *ctx, const Ast *ast, const Ast **all, const Train **train, const Assignment **assignment)
{
    Gathering gathering = {.ctx = ctx, .all = arena_make(ctx->arena, Ast)};
    gathering.all->source = ast->source;
    gather(&gathering, ast, false);
    *all = gathering.all;
    const AstNode *node = find_train(&gathering);
    if (gathering.incomplete)
        return false;
    if (node == NULL) {
        Span start = {ast->source, 0, 0};
        if (!gathering.failed && diag_error_count(ctx->diag) == 0)
            diag_report(ctx->diag, P0208, start, "no 'train' or 'serve' in this file");
        return false;
    }
    Train *read = train_new(ctx, node);
    Assignment *placed = arena_make(ctx->arena, Assignment);
    bool good = run_train(ctx, gathering.all, node, read, placed);
    *train = read;
    *assignment = placed;
    return good && !gathering.failed && diag_error_count(ctx->diag) == 0;
}

/* ---- Another mesh and strategy ------------------------------------------------------------------------------- */

bool sema_run_again(Ctx *ctx, const Ast *all, const Train *read, const Train **train, const Assignment **assignment)
{
    const AstNode *node = NULL;
    for (int i = 0; i < all->items.count && node == NULL; i++)
        node = all->items.data[i]->kind == AST_TRAIN ? all->items.data[i] : NULL;
    Train *again = arena_make(ctx->arena, Train);
    Program *reference = arena_make(ctx->arena, Program);
    Assignment *placed = arena_make(ctx->arena, Assignment);
    StrategyKnown known = {.settings = true, .model = true};
    *again = *read;
    *reference = *read->reference;
    reference->decls = &again->decls;
    again->reference = reference;
    memset(&again->decls.axes, 0, sizeof again->decls.axes);
    memset(&again->derived_axes, 0, sizeof again->derived_axes);
    bool good = mesh_read(ctx, all, node, again, &known.axes);
    good &= strategy_evaluate(ctx, all, again, known, placed);
    good = good && saved_read(ctx, node, again, &placed->maps);
    *train = again;
    *assignment = placed;
    return good && diag_error_count(ctx->diag) == 0;
}
