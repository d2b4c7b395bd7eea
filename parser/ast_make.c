/* ast_make.c - the constructors of syntax tree nodes. */
#include "parser/ast_make.h"

#include "parser/ast_walk.h"

AstList ast_make_list(Parse *parse, AstList list, AstNode *node)
{
    vec_push(parse->ctx->arena, &list, node);
    return list;
}

AstList ast_make_join(Parse *parse, AstList first, AstList second)
{
    for (int i = 0; i < second.count; i++)
        vec_push(parse->ctx->arena, &first, second.data[i]);
    return first;
}

AstNames ast_make_names(Parse *parse, AstNames names, AstName name)
{
    vec_push(parse->ctx->arena, &names, name);
    return names;
}

/* A complete node; one that is too deep is reported and replaced by an error. */
static AstNode *finish(Parse *parse, Span span, AstNode node)
{
    node.span = span;
    ast_measure(&node);
    if (node.depth > AST_DEPTH_LIMIT) {
        parse_report_nesting(parse, span);
        return ast_make_error(parse, span);
    }
    AstNode *made = arena_make(parse->ctx->arena, AstNode);
    *made = node;
    return made;
}

AstNode *ast_make_error(Parse *parse, Span span)
{
    return finish(parse, span, (AstNode){.kind = AST_ERROR});
}

AstNode *ast_make_name(Parse *parse, AstName name)
{
    return finish(parse, name.span, (AstNode){.kind = AST_NAME, .name = name});
}

AstNode *ast_make_number(Parse *parse, Span span, Number number)
{
    return finish(parse, span, (AstNode){.kind = AST_NUMBER, .number = number});
}

AstNode *ast_make_string(Parse *parse, Span span, const char *text)
{
    return finish(parse, span, (AstNode){.kind = AST_STRING, .string = {text}});
}

AstNode *ast_make_member(Parse *parse, Span span, AstNode *object, AstName name)
{
    return finish(parse, span, (AstNode){.kind = AST_MEMBER, .member = {object, name}});
}

AstName ast_number_name(Parse *parse, const AstNode *number)
{
    const char *text = source_of(parse->ctx->sources, number->span)->text + number->span.start;
    size_t length = (size_t)(number->span.end - number->span.start);
    return (AstName){str_intern(parse->ctx->strings, text, length), number->span};
}

AstNode *ast_make_numbered(Parse *parse, Span span, AstNode *object, const AstNode *number)
{
    return ast_make_member(parse, span, object, ast_number_name(parse, number));
}

AstNode *ast_make_index(Parse *parse, Span span, AstNode *object, AstList items)
{
    return finish(parse, span, (AstNode){.kind = AST_INDEX, .index = {object, items}});
}

AstNode *ast_make_any(Parse *parse, Span span)
{
    return finish(parse, span, (AstNode){.kind = AST_ANY});
}

AstNode *ast_make_range(Parse *parse, Span span, AstNode *first, AstNode *last)
{
    return finish(parse, span, (AstNode){.kind = AST_RANGE, .range = {first, last}});
}

AstNode *ast_make_call(Parse *parse, Span span, AstNode *callee, AstList arguments)
{
    return finish(parse, span, (AstNode){.kind = AST_CALL, .call = {.callee = callee, .arguments = arguments}});
}

AstNode *ast_make_argument(Parse *parse, Span span, AstName name, AstNode *value)
{
    return finish(parse, span, (AstNode){.kind = AST_ARGUMENT, .argument = {name, value}});
}

AstNode *ast_make_negate(Parse *parse, Span span, AstNode *operand)
{
    return finish(parse, span, (AstNode){.kind = AST_NEGATE, .negate = {operand}});
}

AstNode *ast_make_binary(Parse *parse, Span span, AstOperator operator, Span operator_span, AstNode *left,
                         AstNode *right)
{
    return finish(parse, span, (AstNode){.kind = AST_BINARY, .binary = {operator, left, right, operator_span}});
}

AstNode *ast_make_reduction(Parse *parse, Span span, AstName operation, AstNames dims, AstNode *body, AstNode *mask)
{
    return finish(parse, span, (AstNode){.kind = AST_REDUCTION, .reduction = {operation, dims, body, mask}});
}

AstNode *ast_make_type(Parse *parse, Span span, AstName dtype, AstList dims)
{
    return finish(parse, span, (AstNode){.kind = AST_TYPE, .type = {dtype, dims}});
}

AstNode *ast_make_version(Parse *parse, Span span, AstNode *number)
{
    return finish(parse, span, (AstNode){.kind = AST_VERSION, .version = {number}});
}

AstNode *ast_make_import(Parse *parse, Span span, AstNode *path)
{
    return finish(parse, span, (AstNode){.kind = AST_IMPORT, .import = {path}});
}

AstNode *ast_make_model(Parse *parse, Span span, AstName name, AstList parameters, AstList body)
{
    return finish(parse, span, (AstNode){.kind = AST_MODEL, .model = {name, parameters, body}});
}

AstNode *ast_make_cluster(Parse *parse, Span span, AstName name, AstList body)
{
    return finish(parse, span, (AstNode){.kind = AST_CLUSTER, .cluster = {name, body}});
}

AstNode *ast_make_mesh(Parse *parse, Span span, AstName name, AstName cluster, AstList axes)
{
    return finish(parse, span, (AstNode){.kind = AST_MESH, .mesh = {name, cluster, axes}});
}

AstNode *ast_make_strategy(Parse *parse, Span span, AstName name, AstList parameters, AstList body, AstNode *definition)
{
    return finish(parse, span, (AstNode){.kind = AST_STRATEGY, .strategy = {name, parameters, body, definition}});
}

AstNode *ast_make_mode(Parse *parse, Span span, AstName name, AstName axis, AstList body)
{
    return finish(parse, span, (AstNode){.kind = AST_MODE, .mode = {name, axis, body}});
}

AstNode *ast_make_state(Parse *parse, Span span, AstName name, AstList body)
{
    return finish(parse, span, (AstNode){.kind = AST_STATE, .state = {name, body}});
}

AstNode *ast_make_train(Parse *parse, Span span, AstName model, AstList arguments, AstName mesh, AstList body)
{
    return finish(parse, span, (AstNode){.kind = AST_TRAIN, .train = {false, model, mesh, arguments, body}});
}

AstNode *ast_make_serve(Parse *parse, Span span, AstName model, AstList arguments, AstName mesh, AstList body)
{
    return finish(parse, span, (AstNode){.kind = AST_TRAIN, .train = {true, model, mesh, arguments, body}});
}

AstNode *ast_make_search(Parse *parse, Span span, AstNames over, AstList body)
{
    return finish(parse, span, (AstNode){.kind = AST_SEARCH, .search = {over, body}});
}

AstNode *ast_make_parameter(Parse *parse, Span span, AstName name, AstName type, AstNode *value)
{
    return finish(parse, span, (AstNode){.kind = AST_PARAMETER, .parameter = {name, type, value}});
}

AstNode *ast_make_axis(Parse *parse, Span span, AstName name, AstNode *size, bool derived)
{
    return finish(parse, span, (AstNode){.kind = AST_AXIS, .axis = {name, size, derived}});
}

AstNode *ast_make_input(Parse *parse, Span span, AstNames names, AstNode *type)
{
    return finish(parse, span, (AstNode){.kind = AST_INPUT, .input = {names, type}});
}

AstNode *ast_make_assign(Parse *parse, Span span, AstName name, AstNode *value)
{
    return finish(parse, span, (AstNode){.kind = AST_ASSIGN, .assign = {name, value}});
}

AstNode *ast_make_repeat(Parse *parse, Span span, AstName name, AstNode *count, AstList body)
{
    return finish(parse, span, (AstNode){.kind = AST_REPEAT, .repeat = {name, count, body}});
}

AstNode *ast_make_sync(Parse *parse, Span span, AstName target, AstList selectors, AstList clauses)
{
    return finish(parse, span, (AstNode){.kind = AST_SYNC, .sync = {target, selectors, {0}, clauses}});
}

AstNode *ast_make_sync_segments(Parse *parse, Span span, AstName target, AstList selectors, AstList segments,
                                AstList clauses)
{
    return finish(parse, span, (AstNode){.kind = AST_SYNC, .sync = {target, selectors, segments, clauses}});
}

AstNode *ast_make_setting(Parse *parse, Span span, AstName key, AstList pieces, AstNode *value)
{
    return finish(parse, span, (AstNode){.kind = AST_SETTING, .setting = {key, pieces, value}});
}

AstNode *ast_make_mark(Parse *parse, Span span, const char *text)
{
    return finish(parse, span, (AstNode){.kind = AST_MARK, .mark = {text}});
}

AstNode *ast_make_placement(Parse *parse, Span span, AstName state, AstList selectors, AstName mode)
{
    return finish(
        parse, span,
        (AstNode){.kind = AST_PLACEMENT, .placement = {.state = state, .selectors = selectors, .mode = mode}});
}

AstNode *ast_make_clause(Parse *parse, Span span, AstName operation, AstNames axes)
{
    return finish(parse, span, (AstNode){.kind = AST_CLAUSE, .clause = {.operation = operation, .axes = axes}});
}

AstNode *ast_make_label(Parse *parse, Span span, AstNode *call, AstName label)
{
    if (call->kind == AST_ERROR)
        return call;
    AstNode node = *call;
    node.call.label = label;
    return finish(parse, span, node);
}

/* ---- Parts that follow a placement or a clause, each at most once ------------------------------------------- */

static void report_twice(Parse *parse, const AstNode *node, Span keyword)
{
    const Source *source = source_of(parse->ctx->sources, keyword);
    Diagnostic *d = diag_report(parse->ctx->diag, P0208, keyword, "'%.*s' is given twice",
                                (int)(keyword.end - keyword.start), source->text + keyword.start);
    diag_label(d, node->span, "already given here");
}

/* A copy of the node with a part added; a repeated part is reported and ignored. An error stays an error. */
#define ADD_PART(node, present, ...)                                                                                   \
    do {                                                                                                               \
        if ((node)->kind == AST_ERROR)                                                                                 \
            return (node);                                                                                             \
        AstNode changed = *(node);                                                                                     \
        if (present)                                                                                                   \
            report_twice(parse, (node), keyword);                                                                      \
        else                                                                                                           \
            __VA_ARGS__;                                                                                               \
        return finish(parse, span, changed);                                                                           \
    } while (0)

AstNode *ast_make_placement_axes(Parse *parse, Span span, AstNode *placement, Span keyword, AstNames axes)
{
    ADD_PART(placement, placement->placement.axes.count > 0, changed.placement.axes = axes);
}

AstNode *ast_make_placement_by(Parse *parse, Span span, AstNode *placement, Span keyword, AstName by)
{
    ADD_PART(placement, placement->placement.by.text != NULL, changed.placement.by = by);
}

AstNode *ast_make_placement_by_of(Parse *parse, Span span, AstNode *placement, Span keyword, AstName by, AstNode *of)
{
    ADD_PART(placement, placement->placement.by.text != NULL, changed.placement.by = by, changed.placement.by_of = of);
}

AstNode *ast_make_placement_whole(Parse *parse, Span span, AstNode *placement, Span keyword)
{
    ADD_PART(placement, span_known(placement->placement.whole), changed.placement.whole = keyword);
}

AstNode *ast_make_placement_parts(Parse *parse, Span span, AstNode *placement, Span keyword, Span last, AstList parts)
{
    ADD_PART(placement, span_known(placement->placement.in_parts),
             changed.placement.in_parts = span_join(keyword, last), changed.placement.parts = parts);
}

AstNode *ast_make_placement_from(Parse *parse, Span span, AstNode *placement, Span keyword, AstList from)
{
    ADD_PART(placement, placement->placement.from.count > 0, changed.placement.from = from);
}

AstNode *ast_make_placement_for(Parse *parse, Span span, AstNode *placement, Span keyword, AstName computing,
                                AstList computed)
{
    ADD_PART(placement, placement->placement.computing.text != NULL, changed.placement.computing = computing,
             changed.placement.computed = computed);
}

AstNode *ast_make_placement_tier(Parse *parse, Span span, AstNode *placement, Span keyword, AstName tier)
{
    ADD_PART(placement, placement->placement.tier.text != NULL, changed.placement.tier = tier);
}

AstNode *ast_make_placement_at(Parse *parse, Span span, AstNode *placement, Span keyword, AstName moment)
{
    ADD_PART(placement, placement->placement.at.text != NULL, changed.placement.at = moment);
}

AstNode *ast_make_placement_kept(Parse *parse, Span span, AstNode *placement, Span keyword, AstName until)
{
    ADD_PART(placement, placement->placement.kept.text != NULL, changed.placement.kept = until);
}

AstNode *ast_make_placement_where(Parse *parse, Span span, AstNode *placement, Span keyword, AstName where)
{
    ADD_PART(placement, placement->placement.where.text != NULL, changed.placement.where = where);
}

AstNode *ast_make_placement_when(Parse *parse, Span span, AstNode *placement, Span keyword, AstNode *when)
{
    ADD_PART(placement, placement->placement.when != NULL, changed.placement.when = when);
}

AstNode *ast_make_placement_layers(Parse *parse, Span span, AstNode *placement, Span keyword, AstList layers)
{
    ADD_PART(placement, placement->placement.layers.count > 0, changed.placement.layers = layers);
}

AstNode *ast_make_placement_chunks(Parse *parse, Span span, AstNode *placement, Span keyword, AstNode *chunks)
{
    ADD_PART(placement, placement->placement.chunks != NULL, changed.placement.chunks = chunks);
}

AstNode *ast_make_clause_into(Parse *parse, Span span, AstNode *clause, Span keyword, AstName into)
{
    ADD_PART(clause, clause->clause.into.text != NULL, changed.clause.into = into);
}

AstNode *ast_make_clause_by(Parse *parse, Span span, AstNode *clause, Span keyword, AstName by)
{
    ADD_PART(clause, clause->clause.by.text != NULL, changed.clause.by = by);
}

AstNode *ast_make_clause_dtype(Parse *parse, Span span, AstNode *clause, Span keyword, AstName dtype)
{
    ADD_PART(clause, clause->clause.dtype.text != NULL, changed.clause.dtype = dtype);
}

static AstTime make_time(Span keyword, AstMoment moment, AstName of, AstNode *index)
{
    return (AstTime){moment, span_join(keyword, index != NULL ? index->span : of.span), of, index};
}

AstNode *ast_make_clause_moment(Parse *parse, Span span, AstNode *clause, Span keyword, AstMoment moment, AstName of,
                                AstNode *index)
{
    ADD_PART(clause, clause->clause.time.moment != AST_MOMENT_UNSAID,
             changed.clause.time = make_time(keyword, moment, of, index));
}

AstNode *ast_make_clause_wait(Parse *parse, Span span, AstNode *clause, Span keyword, AstMoment moment, AstName of,
                              AstNode *index)
{
    ADD_PART(clause, clause->clause.wait.moment != AST_MOMENT_UNSAID,
             changed.clause.wait = make_time(keyword, moment, of, index));
}

AstNode *ast_make_clause_scale(Parse *parse, Span span, AstNode *clause, Span keyword, AstNode *scale)
{
    ADD_PART(clause, clause->clause.scale != NULL, changed.clause.scale = scale);
}

AstNode *ast_make_clause_when(Parse *parse, Span span, AstNode *clause, Span keyword, AstNode *when)
{
    ADD_PART(clause, clause->clause.when != NULL, changed.clause.when = when);
}

AstNode *ast_make_clause_derive(Parse *parse, Span span, AstNode *clause, Span keyword)
{
    ADD_PART(clause, span_known(clause->clause.derive_rest),
             changed.clause.derive_rest = (Span){keyword.source, keyword.start, span.end});
}
