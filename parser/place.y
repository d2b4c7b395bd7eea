/* place.y - the grammar. docs/language.md describes it; each action is one call of a constructor (ast_make.h).
 *
 * It has no conflicts, and %expect 0 keeps it so: resolve new ones by changing rules or by precedence. After an error
 * the parser continues at the end of the statement or, in the head of a declaration, at its brace. yyparse succeeds
 * after a recovery: only the diagnostics tell whether the text is right.
 */
%code requires {
#include "parser/ast_make.h"
}

%define api.pure full
%define api.prefix {place_yy}
%define api.token.prefix {SYM_}
%define api.location.type {Span}
%define api.value.type union
%define parse.error custom
%define parse.lac full
%define lr.default-reduction consistent
%locations
%expect 0
%param {Parse *parse}

%code {
#define YYMAXDEPTH 10000

/* At the end of a statement that could not be understood. */
#define RESUME                                                                                                         \
    do {                                                                                                               \
        if (parse_gives_up(parse))                                                                                     \
            YYABORT;                                                                                                   \
        yyerrok;                                                                                                       \
    } while (0)

#define YYLLOC_DEFAULT(current, rhs, count)                                                                            \
    ((current) = (count) > 0 ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, count))                                       \
                             : (Span){YYRHSLOC(rhs, 0).source, YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end})

static int place_yylex(PLACE_YYSTYPE *value, Span *span, Parse *parse);
static void place_yyerror(const Span *span, Parse *parse, const char *text);
}

%token END "end of line" INVALID "invalid text"
%token <AstName> WORD "a name"
%token <AstNode *> NUMBER "a number" STRING "a string"
%token <AstName> SYNC "'sync'" OF "'of'" OVER "'over'" BY "'by'"
%token <AstName> PLACE "'place'" IMPORT "'import'" MODEL "'model'" CLUSTER "'cluster'" MESH "'mesh'"
%token <AstName> STRATEGY "'strategy'" MODE "'mode'" STATE "'state'" TRAIN "'train'" SERVE "'serve'" SEARCH "'search'"
%token <AstName> INPUT "'input'" REPEAT "'repeat'" AS "'as'" WHERE "'where'" ON "'on'" TO "'to'"
%token <AstName> OFFLOADED "'offloaded'" KEPT "'kept'" UNTIL "'until'" THEN "'then'" INTO "'into'" AT "'at'"
%token <AstName> LAYERS "'layers'" CHUNKS "'chunks'" SEGMENT "'segment'" WHOLE "'whole'" PARTS "'parts'" FROM "'from'"
%token <AstName> FOR "'for'"
%token <AstName> EACH "'each'" AFTER "'after'" SCALE "'scale'" WHEN "'when'" DERIVE "'derive'" THE "'the'" REST "'rest'"
%token <AstName> IN "'in'" WAIT "'wait'"
%token LEFT_PAREN "'('" RIGHT_PAREN "')'" LEFT_BRACKET "'['" RIGHT_BRACKET "']'" LEFT_BRACE "'{'" RIGHT_BRACE "'}'"
%token COMMA "','" COLON "':'" ASSIGN "'='" DOT "'.'" DOT_DOT "'..'"
%token PLUS "'+'" MINUS "'-'" STAR "'*'" SLASH "'/'"
%token LESS "'<'" LESS_EQUAL "'<='" GREATER "'>'" GREATER_EQUAL "'>='" EQUAL "'=='" NOT_EQUAL "'!='"

%type <AstNode *> item version import model cluster mesh strategy mode state train search
%type <AstList> parameters parameter_list model_block model_lines cluster_block cluster_lines mesh_block mesh_lines
%type <AstList> axes strategy_block strategy_lines settings_block settings_lines train_block train_lines
%type <AstNode *> parameter model_line type cluster_line axis strategy_line placement sync clause train_line setting
%type <AstList> arguments argument_list indices selectors clauses expressions products pieces
%type <AstNode *> argument index selector condition expression term reduction mask product factor
%type <AstNode *> simple_factor path pattern call open_sum open_product piece mark
%type <AstName> word value_word
%type <AstNames> words
%type <AstOperator> relation

/* `mean over b of sum over c of x where m`: the mask belongs to the nearest reduction. */
%precedence REDUCTION
%precedence WHERE
/* `mean over b of x where m < n`: so does the comparison. */
%precedence MASK
%precedence LESS LESS_EQUAL GREATER GREATER_EQUAL EQUAL NOT_EQUAL

%start file

%%

/* ---- Files and declarations --------------------------------------------------------------------------------- */

file: items | items item { parse_add_item(parse, $2); } | items error ;

items:
    %empty
  | items item END   { parse_add_item(parse, $2); }
  | items error END  { parse_add_item(parse, ast_make_error(parse, @2)); RESUME; }
  ;

item: version | import | model | cluster | mesh | strategy | mode | state | train | search ;

version: PLACE NUMBER   { $$ = ast_make_version(parse, @$, $2); } ;

import: IMPORT STRING   { $$ = ast_make_import(parse, @$, $2); } ;

model:
    MODEL word parameters model_block   { $$ = ast_make_model(parse, @$, $2, $3, $4); }
  | MODEL error model_block             { $$ = ast_make_error(parse, @$); yyerrok; }
  | MODEL error                         { $$ = ast_make_error(parse, @$); }
  ;

cluster:
    CLUSTER word cluster_block          { $$ = ast_make_cluster(parse, @$, $2, $3); }
  | CLUSTER error cluster_block         { $$ = ast_make_error(parse, @$); yyerrok; }
  | CLUSTER error                       { $$ = ast_make_error(parse, @$); }
  ;

mesh:
    MESH word ON word mesh_block        { $$ = ast_make_mesh(parse, @$, $2, $4, $5); }
  | MESH error mesh_block               { $$ = ast_make_error(parse, @$); yyerrok; }
  | MESH error                          { $$ = ast_make_error(parse, @$); }
  ;

strategy:
    STRATEGY word parameters strategy_block { $$ = ast_make_strategy(parse, @$, $2, $3, $4, NULL); }
  | STRATEGY word parameters ASSIGN expression { $$ = ast_make_strategy(parse, @$, $2, $3, (AstList){0}, $5); }
  | STRATEGY error strategy_block       { $$ = ast_make_error(parse, @$); yyerrok; }
  | STRATEGY error                      { $$ = ast_make_error(parse, @$); }
  ;

mode:
    MODE word OVER word settings_block  { $$ = ast_make_mode(parse, @$, $2, $4, $5); }
  | MODE error settings_block           { $$ = ast_make_error(parse, @$); yyerrok; }
  | MODE error                          { $$ = ast_make_error(parse, @$); }
  ;

state:
    STATE word settings_block           { $$ = ast_make_state(parse, @$, $2, $3); }
  | STATE error settings_block          { $$ = ast_make_error(parse, @$); yyerrok; }
  | STATE error                         { $$ = ast_make_error(parse, @$); }
  ;

train:
    TRAIN word ON word train_block                             { $$ = ast_make_train(parse, @$, $2, (AstList){0}, $4, $5); }
  | TRAIN word LEFT_PAREN arguments RIGHT_PAREN ON word train_block { $$ = ast_make_train(parse, @$, $2, $4, $7, $8); }
  | SERVE word ON word train_block                             { $$ = ast_make_serve(parse, @$, $2, (AstList){0}, $4, $5); }
  | SERVE word LEFT_PAREN arguments RIGHT_PAREN ON word train_block { $$ = ast_make_serve(parse, @$, $2, $4, $7, $8); }
  | TRAIN error train_block             { $$ = ast_make_error(parse, @$); yyerrok; }
  | TRAIN error                         { $$ = ast_make_error(parse, @$); }
  | SERVE error train_block             { $$ = ast_make_error(parse, @$); yyerrok; }
  | SERVE error                         { $$ = ast_make_error(parse, @$); }
  ;

search:
    SEARCH OVER words settings_block    { $$ = ast_make_search(parse, @$, $3, $4); }
  | SEARCH OVER error settings_block    { $$ = ast_make_error(parse, @$); yyerrok; }
  | SEARCH OVER error                   { $$ = ast_make_error(parse, @$); }
  ;

parameters:
    %empty                                              { $$ = (AstList){0}; }
  | LEFT_PAREN RIGHT_PAREN                              { $$ = (AstList){0}; }
  | LEFT_PAREN parameter_list RIGHT_PAREN               { $$ = $2; }
  | LEFT_PAREN parameter_list COMMA RIGHT_PAREN         { $$ = $2; }
  ;

parameter_list:
    parameter                           { $$ = ast_make_list(parse, (AstList){0}, $1); }
  | parameter_list COMMA parameter      { $$ = ast_make_list(parse, $1, $3); }
  ;

parameter:
    word                                { $$ = ast_make_parameter(parse, @$, $1, (AstName){0}, NULL); }
  | word COLON word                     { $$ = ast_make_parameter(parse, @$, $1, $3, NULL); }
  | word ASSIGN condition               { $$ = ast_make_parameter(parse, @$, $1, (AstName){0}, $3); }
  | word COLON word ASSIGN condition    { $$ = ast_make_parameter(parse, @$, $1, $3, $5); }
  ;

/* ---- Models ------------------------------------------------------------------------------------------------- */

model_block:
    LEFT_BRACE model_lines RIGHT_BRACE              { $$ = $2; }
  | LEFT_BRACE model_lines model_line RIGHT_BRACE   { $$ = ast_make_list(parse, $2, $3); }
  | LEFT_BRACE model_lines error RIGHT_BRACE        { $$ = ast_make_list(parse, $2, ast_make_error(parse, @3)); }
  ;

model_lines:
    %empty                              { $$ = (AstList){0}; }
  | model_lines model_line END          { $$ = ast_make_list(parse, $1, $2); }
  | model_lines error END               { $$ = ast_make_list(parse, $1, ast_make_error(parse, @2)); RESUME; }
  ;

model_line:
    INPUT words COLON type              { $$ = ast_make_input(parse, @$, $2, $4); }
  | word ASSIGN condition               { $$ = ast_make_assign(parse, @$, $1, $3); }
  | REPEAT word LEFT_BRACKET expression RIGHT_BRACKET model_block { $$ = ast_make_repeat(parse, @$, $2, $4, $6); }
  | REPEAT error model_block            { $$ = ast_make_error(parse, @$); yyerrok; }
  | REPEAT error                        { $$ = ast_make_error(parse, @$); }
  ;

type:
    word                                            { $$ = ast_make_type(parse, @$, $1, (AstList){0}); }
  | word LEFT_BRACKET expressions RIGHT_BRACKET     { $$ = ast_make_type(parse, @$, $1, $3); }
  ;

expressions:
    expression                          { $$ = ast_make_list(parse, (AstList){0}, $1); }
  | expressions COMMA expression        { $$ = ast_make_list(parse, $1, $3); }
  ;

/* ---- Clusters and meshes ------------------------------------------------------------------------------------ */

cluster_block:
    LEFT_BRACE cluster_lines RIGHT_BRACE                { $$ = $2; }
  | LEFT_BRACE cluster_lines cluster_line RIGHT_BRACE   { $$ = ast_make_list(parse, $2, $3); }
  | LEFT_BRACE cluster_lines error RIGHT_BRACE          { $$ = ast_make_list(parse, $2, ast_make_error(parse, @3)); }
  ;

cluster_lines:
    %empty                              { $$ = (AstList){0}; }
  | cluster_lines cluster_line END      { $$ = ast_make_list(parse, $1, $2); }
  | cluster_lines error END             { $$ = ast_make_list(parse, $1, ast_make_error(parse, @2)); RESUME; }
  ;

cluster_line: pieces                    { $$ = ast_make_setting(parse, @$, (AstName){0}, $1, NULL); } ;

mesh_block:
    LEFT_BRACE mesh_lines RIGHT_BRACE           { $$ = $2; }
  | LEFT_BRACE mesh_lines axes RIGHT_BRACE      { $$ = ast_make_join(parse, $2, $3); }
  | LEFT_BRACE mesh_lines error RIGHT_BRACE     { $$ = ast_make_list(parse, $2, ast_make_error(parse, @3)); }
  ;

mesh_lines:
    %empty                              { $$ = (AstList){0}; }
  | mesh_lines axes END                 { $$ = ast_make_join(parse, $1, $2); }
  | mesh_lines error END                { $$ = ast_make_list(parse, $1, ast_make_error(parse, @2)); RESUME; }
  ;

axes:
    axis                                { $$ = ast_make_list(parse, (AstList){0}, $1); }
  | axes COMMA axis                     { $$ = ast_make_list(parse, $1, $3); }
  ;

axis:
    word COLON expression               { $$ = ast_make_axis(parse, @$, $1, $3, false); }
  | word ASSIGN expression              { $$ = ast_make_axis(parse, @$, $1, $3, true); }
  ;

/* ---- Strategies --------------------------------------------------------------------------------------------- */

strategy_block:
    LEFT_BRACE strategy_lines RIGHT_BRACE               { $$ = $2; }
  | LEFT_BRACE strategy_lines strategy_line RIGHT_BRACE { $$ = ast_make_list(parse, $2, $3); }
  | LEFT_BRACE strategy_lines error RIGHT_BRACE         { $$ = ast_make_list(parse, $2, ast_make_error(parse, @3)); }
  ;

strategy_lines:
    %empty                              { $$ = (AstList){0}; }
  | strategy_lines strategy_line END    { $$ = ast_make_list(parse, $1, $2); }
  | strategy_lines error END            { $$ = ast_make_list(parse, $1, ast_make_error(parse, @2)); RESUME; }
  ;

strategy_line: placement | sync ;

/* The state, selectors, the mode; then over which axes, by which dim, on which tier; for a schedule, which layers; of
 * what is computed, how, and from what; of what is converted, when, and for which products. */
placement:
    word word                           { $$ = ast_make_placement(parse, @$, $1, (AstList){0}, $2); }
  | word OF selectors word              { $$ = ast_make_placement(parse, @$, $1, $3, $4); }
  | placement OVER words                { $$ = ast_make_placement_axes(parse, @$, $1, @2, $3); }
  | placement BY word                   { $$ = ast_make_placement_by(parse, @$, $1, @2, $3); }
  | placement BY word OF selector       { $$ = ast_make_placement_by_of(parse, @$, $1, @2, $3, $5); }
  | placement BY NUMBER                 { $$ = ast_make_placement_by(parse, @$, $1, @2, ast_number_name(parse, $3)); }
  | placement BY NUMBER OF selector     { $$ = ast_make_placement_by_of(parse, @$, $1, @2, ast_number_name(parse, $3), $5); }
  | placement WHOLE                     { $$ = ast_make_placement_whole(parse, @$, $1, @2); }
  | placement IN PARTS                  { $$ = ast_make_placement_parts(parse, @$, $1, @2, @3, (AstList){0}); }
  | placement IN PARTS OF selectors     { $$ = ast_make_placement_parts(parse, @$, $1, @2, @3, $5); }
  | placement FROM selectors            { $$ = ast_make_placement_from(parse, @$, $1, @2, $3); }
  | placement FOR word                  { $$ = ast_make_placement_for(parse, @$, $1, @2, $3, (AstList){0}); }
  | placement FOR word OF selectors     { $$ = ast_make_placement_for(parse, @$, $1, @2, $3, $5); }
  | placement OFFLOADED TO word         { $$ = ast_make_placement_tier(parse, @$, $1, @2, $4); }
  | placement TO word                   { $$ = ast_make_placement_tier(parse, @$, $1, @2, $3); }
  | placement ON word                   { $$ = ast_make_placement_tier(parse, @$, $1, @2, $3); }
  | placement AT word                   { $$ = ast_make_placement_at(parse, @$, $1, @2, $3); }
  | placement KEPT UNTIL word           { $$ = ast_make_placement_kept(parse, @$, $1, @2, $4); }
  | placement WHERE word                { $$ = ast_make_placement_where(parse, @$, $1, @2, $3); }
  | placement WHEN mask                 { $$ = ast_make_placement_when(parse, @$, $1, @2, $3); }
  | placement LAYERS products           { $$ = ast_make_placement_layers(parse, @$, $1, @2, $3); }
  | placement CHUNKS product            { $$ = ast_make_placement_chunks(parse, @$, $1, @2, $3); }
  ;

products:
    product                             { $$ = ast_make_list(parse, (AstList){0}, $1); }
  | products COMMA product              { $$ = ast_make_list(parse, $1, $3); }
  ;

selectors:
    selector                            { $$ = ast_make_list(parse, (AstList){0}, $1); }
  | selectors COMMA selector            { $$ = ast_make_list(parse, $1, $3); }
  ;

selector: path | pattern ;

/* After any labels. */
pattern:
    STAR DOT word                       { $$ = ast_make_member(parse, @$, ast_make_any(parse, @1), $3); }
  | pattern DOT word                    { $$ = ast_make_member(parse, @$, $1, $3); }
  | pattern DOT NUMBER                  { $$ = ast_make_numbered(parse, @$, $1, $3); }
  ;

sync:
    SYNC word COLON clauses                 { $$ = ast_make_sync(parse, @$, $2, (AstList){0}, $4); }
  | SYNC word OF selectors COLON clauses    { $$ = ast_make_sync(parse, @$, $2, $4, $6); }
  | SYNC word OF selectors SEGMENT products COLON clauses
                                            { $$ = ast_make_sync_segments(parse, @$, $2, $4, $6, $8); }
  ;

clauses:
    clause                              { $$ = ast_make_list(parse, (AstList){0}, $1); }
  | clauses THEN clause                 { $$ = ast_make_list(parse, $1, $3); }
  ;

clause:
    word                                { $$ = ast_make_clause(parse, @$, $1, (AstNames){0}); }
  | word OVER words                     { $$ = ast_make_clause(parse, @$, $1, $3); }
  | clause INTO word                    { $$ = ast_make_clause_into(parse, @$, $1, @2, $3); }
  | clause BY word                      { $$ = ast_make_clause_by(parse, @$, $1, @2, $3); }
  | clause IN word                      { $$ = ast_make_clause_dtype(parse, @$, $1, @2, $3); }
  | clause AT word                      { $$ = ast_make_clause_moment(parse, @$, $1, @2, AST_MOMENT_AT, $3, NULL); }
  | clause EACH word                    { $$ = ast_make_clause_moment(parse, @$, $1, @2, AST_MOMENT_EACH, $3, NULL); }
  | clause AFTER word expression        { $$ = ast_make_clause_moment(parse, @$, $1, @2, AST_MOMENT_AFTER, $3, $4); }
  | clause WAIT AT word                 { $$ = ast_make_clause_wait(parse, @$, $1, @2, AST_MOMENT_AT, $4, NULL); }
  | clause WAIT AFTER word expression   { $$ = ast_make_clause_wait(parse, @$, $1, @2, AST_MOMENT_AFTER, $4, $5); }
  | clause SCALE expression             { $$ = ast_make_clause_scale(parse, @$, $1, @2, $3); }
  | clause WHEN condition               { $$ = ast_make_clause_when(parse, @$, $1, @2, $3); }
  | clause DERIVE THE REST              { $$ = ast_make_clause_derive(parse, @$, $1, @2); }
  ;

/* ---- Settings: a keyword and pieces whose meaning is decided in sema ---------------------------------------- */

settings_block:
    LEFT_BRACE settings_lines RIGHT_BRACE           { $$ = $2; }
  | LEFT_BRACE settings_lines setting RIGHT_BRACE   { $$ = ast_make_list(parse, $2, $3); }
  | LEFT_BRACE settings_lines error RIGHT_BRACE     { $$ = ast_make_list(parse, $2, ast_make_error(parse, @3)); }
  ;

settings_lines:
    %empty                              { $$ = (AstList){0}; }
  | settings_lines setting END          { $$ = ast_make_list(parse, $1, $2); }
  | settings_lines error END            { $$ = ast_make_list(parse, $1, ast_make_error(parse, @2)); RESUME; }
  ;

train_block:
    LEFT_BRACE train_lines RIGHT_BRACE              { $$ = $2; }
  | LEFT_BRACE train_lines train_line RIGHT_BRACE   { $$ = ast_make_list(parse, $2, $3); }
  | LEFT_BRACE train_lines error RIGHT_BRACE        { $$ = ast_make_list(parse, $2, ast_make_error(parse, @3)); }
  ;

train_lines:
    %empty                              { $$ = (AstList){0}; }
  | train_lines train_line END          { $$ = ast_make_list(parse, $1, $2); }
  | train_lines error END               { $$ = ast_make_list(parse, $1, ast_make_error(parse, @2)); RESUME; }
  ;

train_line: setting | search ;

setting:
    word                                { $$ = ast_make_setting(parse, @$, $1, (AstList){0}, NULL); }
  | word pieces                         { $$ = ast_make_setting(parse, @$, $1, $2, NULL); }
  | word COLON condition                { $$ = ast_make_setting(parse, @$, $1, (AstList){0}, $3); }
  | word pieces COLON condition         { $$ = ast_make_setting(parse, @$, $1, $2, $4); }
  ;

/* Pieces are juxtaposed, so none may begin with '-' or '(': the previous one would continue. Of the marks only `of` may
 * come first: `search over` is a statement of its own. */
pieces:
    piece                               { $$ = ast_make_list(parse, (AstList){0}, $1); }
  | OF                                  { $$ = ast_make_list(parse, (AstList){0}, ast_make_mark(parse, @1, $1.text)); }
  | pieces piece                        { $$ = ast_make_list(parse, $1, $2); }
  | pieces mark                         { $$ = ast_make_list(parse, $1, $2); }
  ;

piece: open_sum ;

mark:
    OVER                                { $$ = ast_make_mark(parse, @$, $1.text); }
  | OF                                  { $$ = ast_make_mark(parse, @$, $1.text); }
  | BY                                  { $$ = ast_make_mark(parse, @$, $1.text); }
  | COMMA                               { $$ = ast_make_mark(parse, @$, ","); }
  | relation                            { $$ = ast_make_mark(parse, @$, ast_operator_text($1)); }
  ;

open_sum:
    open_product
  | open_sum PLUS product               { $$ = ast_make_binary(parse, @$, AST_ADD, @2, $1, $3); }
  | open_sum MINUS product              { $$ = ast_make_binary(parse, @$, AST_SUBTRACT, @2, $1, $3); }
  ;

open_product:
    simple_factor
  | open_product STAR factor            { $$ = ast_make_binary(parse, @$, AST_MULTIPLY, @2, $1, $3); }
  | open_product SLASH factor           { $$ = ast_make_binary(parse, @$, AST_DIVIDE, @2, $1, $3); }
  ;

/* ---- Expressions -------------------------------------------------------------------------------------------- */

condition:
    expression
  | expression relation expression      { $$ = ast_make_binary(parse, @$, $2, @2, $1, $3); }
  ;

relation:
    LESS                                { $$ = AST_LESS; }
  | LESS_EQUAL                          { $$ = AST_LESS_EQUAL; }
  | GREATER                             { $$ = AST_GREATER; }
  | GREATER_EQUAL                       { $$ = AST_GREATER_EQUAL; }
  | EQUAL                               { $$ = AST_EQUAL; }
  | NOT_EQUAL                           { $$ = AST_NOT_EQUAL; }
  ;

expression:
    term
  | expression PLUS term                { $$ = ast_make_binary(parse, @$, AST_ADD, @2, $1, $3); }
  | expression MINUS term               { $$ = ast_make_binary(parse, @$, AST_SUBTRACT, @2, $1, $3); }
  ;

/* As in mathematics, a reduction applies to the product after it, and ends before + and -. */
term:
    product
  | reduction
  | product STAR reduction              { $$ = ast_make_binary(parse, @$, AST_MULTIPLY, @2, $1, $3); }
  ;

reduction:
    value_word OVER words OF term %prec REDUCTION   { $$ = ast_make_reduction(parse, @$, $1, $3, $5, NULL); }
  | value_word OVER words OF term WHERE mask        { $$ = ast_make_reduction(parse, @$, $1, $3, $5, $7); }
  ;

mask:
    product %prec MASK
  | product relation product            { $$ = ast_make_binary(parse, @$, $2, @2, $1, $3); }
  ;

product:
    factor
  | product STAR factor                 { $$ = ast_make_binary(parse, @$, AST_MULTIPLY, @2, $1, $3); }
  | product SLASH factor                { $$ = ast_make_binary(parse, @$, AST_DIVIDE, @2, $1, $3); }
  ;

factor:
    simple_factor
  | MINUS factor                        { $$ = ast_make_negate(parse, @$, $2); }
  | LEFT_PAREN condition RIGHT_PAREN    { $$ = $2; }
  ;

simple_factor:
    NUMBER
  | STRING
  | path
  | call
  | call AS word                        { $$ = ast_make_label(parse, @$, $1, $3); }
  ;

path:
    value_word                                  { $$ = ast_make_name(parse, $1); }
  | path DOT word                               { $$ = ast_make_member(parse, @$, $1, $3); }
  | path DOT NUMBER                             { $$ = ast_make_numbered(parse, @$, $1, $3); }
  | path LEFT_BRACKET indices RIGHT_BRACKET     { $$ = ast_make_index(parse, @$, $1, $3); }
  ;

call: path LEFT_PAREN arguments RIGHT_PAREN     { $$ = ast_make_call(parse, @$, $1, $3); } ;

arguments:
    %empty                              { $$ = (AstList){0}; }
  | argument_list
  | argument_list COMMA
  ;

argument_list:
    argument                            { $$ = ast_make_list(parse, (AstList){0}, $1); }
  | argument_list COMMA argument        { $$ = ast_make_list(parse, $1, $3); }
  ;

argument:
    condition
  | word ASSIGN condition               { $$ = ast_make_argument(parse, @$, $1, $3); }
  ;

indices:
    index                               { $$ = ast_make_list(parse, (AstList){0}, $1); }
  | indices COMMA index                 { $$ = ast_make_list(parse, $1, $3); }
  ;

index:
    expression
  | expression DOT_DOT expression       { $$ = ast_make_range(parse, @$, $1, $3); }
  | STAR                                { $$ = ast_make_any(parse, @$); }
  ;

words:
    word                                { $$ = ast_make_names(parse, (AstNames){0}, $1); }
  | words COMMA word                    { $$ = ast_make_names(parse, $1, $3); }
  ;

/* Every word except the four reserved ones is a name. `as` and `where` follow expressions, so they cannot start one. */
word: value_word | AS | WHERE ;

value_word:
    WORD | PLACE | IMPORT | MODEL | CLUSTER | MESH | STRATEGY | MODE | STATE | TRAIN | SERVE | SEARCH | INPUT | REPEAT | ON
  | TO | OFFLOADED | KEPT | UNTIL | THEN | INTO | AT | EACH | AFTER | SCALE | WHEN | DERIVE | THE | REST
  | LAYERS | CHUNKS | SEGMENT
  | IN | WAIT | WHOLE | PARTS | FROM | FOR
  ;

%%

/* The next token, in the grammar's numbering. */
static int place_yylex(PLACE_YYSTYPE *value, Span *span, Parse *parse)
{
    static const int symbols[TOKEN_KIND_COUNT] = {
#define TOKEN(KIND, text) [TOKEN_##KIND] = SYM_##KIND,
#define SYM_EOF SYM_YYEOF
#include "lexer/token.def"
#undef TOKEN
#undef SYM_EOF
    };
    Token *token = &parse->token;
    lexer_next(parse->lexer, token);
    *span = token->span;
    if (token->kind == TOKEN_NUMBER)
        value->SYM_NUMBER = ast_make_number(parse, token->span, token->number);
    else if (token->kind == TOKEN_STRING)
        value->SYM_STRING = ast_make_string(parse, token->span, token->text);
    else
        value->SYM_WORD = (AstName){token->text, token->span}; /* unused unless it is a name */
    return symbols[token->kind];
}

/* Called when the parser's stack overflows. */
static void place_yyerror(const Span *span, Parse *parse, const char *text)
{
    (void)text;
    parse_report_nesting(parse, *span);
}

static int yyreport_syntax_error(const yypcontext_t *context, Parse *parse)
{
    yysymbol_kind_t symbols[YYNTOKENS];
    Expected expected[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
    for (int i = 0; i < count; i++)
        expected[i] = (Expected){yysymbol_name(symbols[i])};
    parse_report_syntax(parse, *yypcontext_location(context), expected, count);
    return 0;
}
