/* build.h - what the grammar's actions call: one constructor per kind of node, and reports of syntax errors.
 *
 * A constructor takes the span of the whole node first. Nodes deeper than AST_DEPTH_LIMIT become AST_ERROR.
 */
#ifndef PLACE_PARSER_BUILD_H
#define PLACE_PARSER_BUILD_H

#include "lexer/lexer.h"
#include "parser/ast.h"

typedef struct Parse {
    Ctx *ctx;
    Lexer *lexer;
    Ast *ast;
    Token token; /* the last token read; at a syntax error, the one not understood */
    int syntax_errors;
} Parse;

/* A token that would have been accepted where a syntax error is. */
typedef struct Expected {
    const char *name; /* "'{'", "a name" */
} Expected;

void parse_report_syntax(Parse *parse, Span span, const Expected *expected, int count);
void parse_report_nesting(Parse *parse, Span span);
/* Are there so many syntax errors that the text is hardly a Place program? */
bool parse_gives_up(const Parse *parse);
void parse_add_item(Parse *parse, AstNode *item);

AstList build_list(Parse *parse, AstList list, AstNode *node);
AstList build_join(Parse *parse, AstList first, AstList second);
AstNames build_names(Parse *parse, AstNames names, AstName name);

AstNode *build_error(Parse *parse, Span span);
AstNode *build_name(Parse *parse, AstName name);
AstNode *build_number(Parse *parse, Span span, Number number);
AstNode *build_string(Parse *parse, Span span, const char *text);
AstNode *build_member(Parse *parse, Span span, AstNode *object, AstName name);
/* `x.2`, and `x.2.2`, whose end is scanned as one number. */
AstNode *build_numbered(Parse *parse, Span span, AstNode *object, const AstNode *number);
AstNode *build_index(Parse *parse, Span span, AstNode *object, AstList items);
AstNode *build_any(Parse *parse, Span span);
AstNode *build_range(Parse *parse, Span span, AstNode *first, AstNode *last);
AstNode *build_call(Parse *parse, Span span, AstNode *callee, AstList arguments);
AstNode *build_label(Parse *parse, Span span, AstNode *call, AstName label);
AstNode *build_argument(Parse *parse, Span span, AstName name, AstNode *value);
AstNode *build_negate(Parse *parse, Span span, AstNode *operand);
AstNode *build_binary(Parse *parse, Span span, AstOperator operator, Span operator_span, AstNode *left, AstNode *right);
AstNode *build_reduction(Parse *parse, Span span, AstName operation, AstNames dims, AstNode *body, AstNode *mask);
AstNode *build_type(Parse *parse, Span span, AstName dtype, AstList dims);

AstNode *build_version(Parse *parse, Span span, AstNode *number);
AstNode *build_import(Parse *parse, Span span, AstNode *path);
AstNode *build_model(Parse *parse, Span span, AstName name, AstList parameters, AstList body);
AstNode *build_cluster(Parse *parse, Span span, AstName name, AstList body);
AstNode *build_mesh(Parse *parse, Span span, AstName name, AstName cluster, AstList axes);
AstNode *build_strategy(Parse *parse, Span span, AstName name, AstList parameters, AstList body);
AstNode *build_mode(Parse *parse, Span span, AstName name, AstName axis, AstList body);
AstNode *build_state(Parse *parse, Span span, AstName name, AstList body);
AstNode *build_train(Parse *parse, Span span, AstName model, AstList arguments, AstName mesh, AstList body);
AstNode *build_search(Parse *parse, Span span, AstNames over, AstList body);
AstNode *build_parameter(Parse *parse, Span span, AstName name, AstName type, AstNode *value);
AstNode *build_axis(Parse *parse, Span span, AstName name, AstNode *size, bool derived);

AstNode *build_input(Parse *parse, Span span, AstNames names, AstNode *type);
AstNode *build_assign(Parse *parse, Span span, AstName name, AstNode *value);
AstNode *build_repeat(Parse *parse, Span span, AstName name, AstNode *count, AstList body);
AstNode *build_sync(Parse *parse, Span span, AstName target, AstList selectors, AstList clauses);
AstNode *build_sync_segments(Parse *parse, Span span, AstName target, AstList selectors, AstList segments,
                             AstList clauses);
AstNode *build_setting(Parse *parse, Span span, AstName key, AstList pieces, AstNode *value);
AstNode *build_mark(Parse *parse, Span span, const char *text);

/* Parts that may follow in any order, each at most once; `keyword` is the word that introduces them. */
AstNode *build_placement(Parse *parse, Span span, AstName state, AstList selectors, AstName mode);
AstNode *build_placement_axes(Parse *parse, Span span, AstNode *placement, Span keyword, AstNames axes);
AstNode *build_placement_by(Parse *parse, Span span, AstNode *placement, Span keyword, AstName by);
AstNode *build_placement_tier(Parse *parse, Span span, AstNode *placement, Span keyword, AstName tier);
AstNode *build_placement_kept(Parse *parse, Span span, AstNode *placement, Span keyword, AstName until);
AstNode *build_placement_where(Parse *parse, Span span, AstNode *placement, Span keyword, AstName where);
AstNode *build_placement_when(Parse *parse, Span span, AstNode *placement, Span keyword, AstNode *when);
AstNode *build_placement_layers(Parse *parse, Span span, AstNode *placement, Span keyword, AstList layers);
AstNode *build_placement_chunks(Parse *parse, Span span, AstNode *placement, Span keyword, AstNode *chunks);

AstNode *build_clause(Parse *parse, Span span, AstName operation, AstNames axes);
AstNode *build_clause_into(Parse *parse, Span span, AstNode *clause, Span keyword, AstName into);
AstNode *build_clause_by(Parse *parse, Span span, AstNode *clause, Span keyword, AstName by);
AstNode *build_clause_dtype(Parse *parse, Span span, AstNode *clause, Span keyword, AstName dtype);
AstNode *build_clause_moment(Parse *parse, Span span, AstNode *clause, Span keyword, AstMoment moment, AstName of,
                             AstNode *index);
AstNode *build_clause_wait(Parse *parse, Span span, AstNode *clause, Span keyword, AstMoment moment, AstName of,
                           AstNode *index);
AstNode *build_clause_scale(Parse *parse, Span span, AstNode *clause, Span keyword, AstNode *scale);
AstNode *build_clause_when(Parse *parse, Span span, AstNode *clause, Span keyword, AstNode *when);
AstNode *build_clause_derive(Parse *parse, Span span, AstNode *clause, Span keyword);

#endif
