/* ast_make.h - what the grammar's actions call: one constructor per kind of node, and reports of syntax errors.
 *
 * A constructor takes the span of the whole node first. Nodes deeper than AST_DEPTH_LIMIT become AST_ERROR.
 */
#ifndef PLACE_PARSER_AST_MAKE_H
#define PLACE_PARSER_AST_MAKE_H

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

AstList ast_make_list(Parse *parse, AstList list, AstNode *node);
AstList ast_make_join(Parse *parse, AstList first, AstList second);
AstNames ast_make_names(Parse *parse, AstNames names, AstName name);

AstNode *ast_make_error(Parse *parse, Span span);
AstNode *ast_make_name(Parse *parse, AstName name);
AstNode *ast_make_number(Parse *parse, Span span, Number number);
AstNode *ast_make_string(Parse *parse, Span span, const char *text);
AstNode *ast_make_member(Parse *parse, Span span, AstNode *object, AstName name);
/* `x.2`, and `x.2.2`, whose end is scanned as one number. */
/* A number as a name: its digits. */
AstName ast_number_name(Parse *parse, const AstNode *number);
AstNode *ast_make_numbered(Parse *parse, Span span, AstNode *object, const AstNode *number);
AstNode *ast_make_index(Parse *parse, Span span, AstNode *object, AstList items);
AstNode *ast_make_any(Parse *parse, Span span);
AstNode *ast_make_range(Parse *parse, Span span, AstNode *first, AstNode *last);
AstNode *ast_make_call(Parse *parse, Span span, AstNode *callee, AstList arguments);
AstNode *ast_make_label(Parse *parse, Span span, AstNode *call, AstName label);
AstNode *ast_make_argument(Parse *parse, Span span, AstName name, AstNode *value);
AstNode *ast_make_negate(Parse *parse, Span span, AstNode *operand);
AstNode *ast_make_binary(Parse *parse, Span span, AstOperator operator, Span operator_span, AstNode *left,
                         AstNode *right);
AstNode *ast_make_reduction(Parse *parse, Span span, AstName operation, AstNames dims, AstNode *body, AstNode *mask);
AstNode *ast_make_type(Parse *parse, Span span, AstName dtype, AstList dims);

AstNode *ast_make_version(Parse *parse, Span span, AstNode *number);
AstNode *ast_make_import(Parse *parse, Span span, AstNode *path);
AstNode *ast_make_model(Parse *parse, Span span, AstName name, AstList parameters, AstList body);
AstNode *ast_make_cluster(Parse *parse, Span span, AstName name, AstList body);
AstNode *ast_make_mesh(Parse *parse, Span span, AstName name, AstName cluster, AstList axes);
AstNode *ast_make_strategy(Parse *parse, Span span, AstName name, AstList parameters, AstList body,
                           AstNode *definition);
AstNode *ast_make_mode(Parse *parse, Span span, AstName name, AstName axis, AstList body);
AstNode *ast_make_state(Parse *parse, Span span, AstName name, AstList body);
AstNode *ast_make_train(Parse *parse, Span span, AstName model, AstList arguments, AstName mesh, AstList body);
AstNode *ast_make_serve(Parse *parse, Span span, AstName model, AstList arguments, AstName mesh, AstList body);
AstNode *ast_make_search(Parse *parse, Span span, AstNames over, AstList body);
AstNode *ast_make_parameter(Parse *parse, Span span, AstName name, AstName type, AstNode *value);
AstNode *ast_make_axis(Parse *parse, Span span, AstName name, AstNode *size, bool derived);

AstNode *ast_make_input(Parse *parse, Span span, AstNames names, AstNode *type);
AstNode *ast_make_assign(Parse *parse, Span span, AstName name, AstNode *value);
AstNode *ast_make_repeat(Parse *parse, Span span, AstName name, AstNode *count, AstList body);
AstNode *ast_make_sync(Parse *parse, Span span, AstName target, AstList selectors, AstList clauses);
AstNode *ast_make_sync_segments(Parse *parse, Span span, AstName target, AstList selectors, AstList segments,
                                AstList clauses);
AstNode *ast_make_setting(Parse *parse, Span span, AstName key, AstList pieces, AstNode *value);
AstNode *ast_make_mark(Parse *parse, Span span, const char *text);

/* Parts that may follow in any order, each at most once; `keyword` is the word that introduces them. */
AstNode *ast_make_placement(Parse *parse, Span span, AstName state, AstList selectors, AstName mode);
AstNode *ast_make_placement_axes(Parse *parse, Span span, AstNode *placement, Span keyword, AstNames axes);
AstNode *ast_make_placement_by(Parse *parse, Span span, AstNode *placement, Span keyword, AstName by);
AstNode *ast_make_placement_by_of(Parse *parse, Span span, AstNode *placement, Span keyword, AstName by, AstNode *of);
AstNode *ast_make_placement_whole(Parse *parse, Span span, AstNode *placement, Span keyword);
/* `last`: of the word `parts`. */
AstNode *ast_make_placement_parts(Parse *parse, Span span, AstNode *placement, Span keyword, Span last, AstList parts);
AstNode *ast_make_placement_from(Parse *parse, Span span, AstNode *placement, Span keyword, AstList from);
AstNode *ast_make_placement_for(Parse *parse, Span span, AstNode *placement, Span keyword, AstName computing,
                                AstList computed);
AstNode *ast_make_placement_tier(Parse *parse, Span span, AstNode *placement, Span keyword, AstName tier);
AstNode *ast_make_placement_at(Parse *parse, Span span, AstNode *placement, Span keyword, AstName moment);
AstNode *ast_make_placement_kept(Parse *parse, Span span, AstNode *placement, Span keyword, AstName until);
AstNode *ast_make_placement_where(Parse *parse, Span span, AstNode *placement, Span keyword, AstName where);
AstNode *ast_make_placement_when(Parse *parse, Span span, AstNode *placement, Span keyword, AstNode *when);
AstNode *ast_make_placement_layers(Parse *parse, Span span, AstNode *placement, Span keyword, AstList layers);
AstNode *ast_make_placement_chunks(Parse *parse, Span span, AstNode *placement, Span keyword, AstNode *chunks);

AstNode *ast_make_clause(Parse *parse, Span span, AstName operation, AstNames axes);
AstNode *ast_make_clause_into(Parse *parse, Span span, AstNode *clause, Span keyword, AstName into);
AstNode *ast_make_clause_by(Parse *parse, Span span, AstNode *clause, Span keyword, AstName by);
AstNode *ast_make_clause_dtype(Parse *parse, Span span, AstNode *clause, Span keyword, AstName dtype);
AstNode *ast_make_clause_moment(Parse *parse, Span span, AstNode *clause, Span keyword, AstMoment moment, AstName of,
                                AstNode *index);
AstNode *ast_make_clause_wait(Parse *parse, Span span, AstNode *clause, Span keyword, AstMoment moment, AstName of,
                              AstNode *index);
AstNode *ast_make_clause_scale(Parse *parse, Span span, AstNode *clause, Span keyword, AstNode *scale);
AstNode *ast_make_clause_when(Parse *parse, Span span, AstNode *clause, Span keyword, AstNode *when);
AstNode *ast_make_clause_derive(Parse *parse, Span span, AstNode *clause, Span keyword);

#endif
