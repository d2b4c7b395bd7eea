/* parser.c - runs the grammar over a source: words syntax errors, attaches comments to their statements. */
#include "parser/parser.h"

#include "base/change.h"
#include "parser/ast_make.h"

#include "place_parser.h"
#include "prelude_text.h"

#include <string.h>

/* ---- Syntax errors ------------------------------------------------------------------------------------------ */

enum { MOST_EXPECTED = 5, MOST_SYNTAX_ERRORS = 1000 };

bool parse_gives_up(const Parse *parse)
{
    return parse->syntax_errors >= MOST_SYNTAX_ERRORS;
}

void parse_report_nesting(Parse *parse, Span span)
{
    Diagnostic *d = diag_report(parse->ctx->diag, P0102, span, "nested too deeply");
    diag_note(d, "At most %d brackets may be open at once, and an expression may be %d operators deep.",
              LEXER_NESTING_LIMIT, AST_DEPTH_LIMIT);
    parse->syntax_errors++;
}

/* The text of the token, shortened where it would not help the reader. */
static const char *shown_text(const Parse *parse)
{
    enum { LONGEST = 60 };
    const char *text = parse->token.text;
    size_t length = strlen(text);
    if (length <= LONGEST)
        return text;
    size_t cut = LONGEST;
    while (cut > 0 && ((unsigned char)text[cut] & 0xc0) == 0x80)
        cut--;
    return arena_printf(parse->ctx->arena, "%.*s...", (int)cut, text);
}

static void report_fault(Parse *parse, Span span)
{
    Diag *diag = parse->ctx->diag;
    const char *text = shown_text(parse);
    parse->syntax_errors++;
    switch (parse->token.fault) {
    case FAULT_CHARACTER:
        if (text[0] == '\0')
            diag_report(diag, P0001, span, "a zero byte");
        else if (strcmp(text, "\xef\xbb\xbf") == 0)
            diag_help(diag_report(diag, P0001, span, "a byte order mark"), "Save the file as UTF-8 without one.");
        else
            diag_report(diag, P0001, span, "no token starts with '%s'", text);
        return;
    case FAULT_STRING:
        diag_help(diag_report(diag, P0003, span, "unterminated string"), "A string ends with '\"' on its own line.");
        return;
    case FAULT_ESCAPE:
        diag_help(diag_report(diag, P0001, span, "unknown escape in a string"),
                  "After '\\' stands one of '\\', '\"', 'n' and 't'.");
        return;
    case FAULT_NESTING:
        parse_report_nesting(parse, span);
        return;
    case FAULT_LARGE:
        diag_help(diag_report(diag, P0001, span, "number '%s' is too large", text),
                  "The largest number is about 1.8e308.");
        return;
    case FAULT_SMALL:
        diag_help(diag_report(diag, P0001, span, "number '%s' is too small", text),
                  "The smallest number above 0 is about 2.2e-308; write 0 if that is meant.");
        return;
    }
    BUG("fault %d", (int)parse->token.fault);
}

static const char *unexpected_text(const Parse *parse)
{
    const Token *token = &parse->token;
    if (token->kind == TOKEN_EOF)
        return "end of file";
    if (token->kind == TOKEN_END)
        return "end of line";
    if (token->kind == TOKEN_STRING)
        return "string";
    return arena_printf(parse->ctx->arena, "'%s'", shown_text(parse));
}

static bool is_word_byte(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

static bool is_keyword_name(const char *name)
{
    return name[0] == '\'' && name[1] >= 'a' && name[1] <= 'z';
}

static bool is_one_of(const char *name, const char *const *group)
{
    for (; *group != NULL; group++)
        if (strcmp(name, *group) == 0)
            return true;
    return false;
}

static bool is_expected(const Expected *expected, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(expected[i].name, name) == 0)
            return true;
    return false;
}

/* Everything that can start or continue an expression is one thing to a reader. Where any name is allowed, keywords are
 * not listed: they would be read as names. Returns how many names are left. */
static int summarise(const Expected *expected, int count, const char **names)
{
    static const char *const starts[] = {"a name", "a number", "a string", "'('", "'-'", NULL};
    static const char *const goes_on[] = {"'+'",  "'-'",     "'*'",    "'/'", "'<'", "'<='", "'>'",
                                          "'>='", "'=='",    "'!='",   "'('", "'['", "'.'",  "'..'",
                                          "'as'", "'where'", "'over'", "'='", NULL};
    static const char *const reserved[] = {"'sync'", "'of'", "'over'", "'by'", NULL};
    bool any_name = is_expected(expected, count, "a name");
    bool expression = any_name && is_expected(expected, count, "a number");
    bool more = is_expected(expected, count, "'+'");
    int kept = 0;
    if (expression)
        names[kept++] = is_expected(expected, count, "'('") ? "an expression" : "a value";
    if (more)
        names[kept++] = "an operator";
    for (int i = 0; i < count; i++) {
        const char *name = expected[i].name;
        bool folded = (expression && is_one_of(name, starts)) || (more && is_one_of(name, goes_on)) ||
                      (any_name && is_keyword_name(name) && !is_one_of(name, reserved));
        if (!folded)
            names[kept++] = name;
    }
    return kept;
}

/* "a name, '{' or '('" */
static const char *enumerate(Parse *parse, const char *const *names, int count)
{
    Text text = {.arena = parse->ctx->arena};
    for (int i = 0; i < count; i++)
        text_add(&text, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", names[i]);
    return text.data;
}

/* For "parameters on host": a mode must precede the tier. */
static bool suggest_mode(Parse *parse, Diagnostic *d, Span span)
{
    static const char *const tiers[] = {"device", "host", "file", NULL};
    if (parse->token.kind != TOKEN_WORD || !is_one_of(parse->token.text, tiers))
        return false;
    const char *text = source_of(parse->ctx->sources, span)->text;
    int at = span.start;
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
        at--;
    if (at < 2 || (strncmp(text + at - 2, "on", 2) != 0 && strncmp(text + at - 2, "to", 2) != 0))
        return false;
    diag_help(d, "A mode comes before the tier: 'replicated on %s', 'sharded over AXIS on %s'.", parse->token.text,
              parse->token.text);
    return true;
}

/* Is the statement one of a strategy or a train, which have names in common with other programs' settings? */
static bool of_train(const Parse *parse)
{
    OpenBlock block;
    return lexer_open_block(parse->lexer, &block) &&
           (strcmp(block.keyword, "strategy") == 0 || strcmp(block.keyword, "train") == 0 ||
            strcmp(block.keyword, "serve") == 0);
}

/* For a word where only certain keywords are allowed: is it a misspelt one? */
static bool suggest_keyword(Parse *parse, Diagnostic *d, const Expected *expected, int count)
{
    if (parse->token.kind != TOKEN_WORD)
        return false;
    const char **words = arena_array(parse->ctx->arena, const char *, count);
    int found = 0;
    for (int i = 0; i < count; i++)
        if (is_keyword_name(expected[i].name))
            words[found++] = arena_copy(parse->ctx->arena, expected[i].name + 1, strlen(expected[i].name) - 2);
    return of_train(parse) ? diag_help_unknown_word(d, parse->token.text, words, found)
                           : diag_help_unknown(d, parse->token.text, words, found);
}

/* `sync` starts a statement in a strategy and nothing else; anywhere else the reserved word was meant as a name. */
static void note_reserved(const Parse *parse, Diagnostic *d, bool any_name)
{
    TokenKind kind = parse->token.kind;
    Token start = lexer_statement_start(parse->lexer);
    if (kind == TOKEN_SYNC && start.span.start == parse->token.span.start)
        diag_help(d, "'sync' statements belong in a strategy: move it into the one that the train uses.");
    else if (any_name && (kind == TOKEN_SYNC || kind == TOKEN_OF || kind == TOKEN_OVER || kind == TOKEN_BY))
        diag_note(d, "'sync', 'of', 'over' and 'by' are reserved: they cannot be names.");
}

/* Of a word that starts with digits, which is read as a number and a name, all of it: "1f1b". An empty span if there is
 * no such word at the token. */
static Span digits_and_letters(const Parse *parse, Span span)
{
    const Source *source = source_of(parse->ctx->sources, span);
    int32_t start = span.start, end = span.end;
    while (start > 0 && is_word_byte(source->text[start - 1]))
        start--;
    while (end < source->length && is_word_byte(source->text[end]))
        end++;
    bool digit = source->text[start] >= '0' && source->text[start] <= '9';
    bool found = digit && end - start > span.end - span.start && span.end > span.start;
    return found ? (Span){span.source, start, end} : (Span){span.source, span.start, span.start};
}

/* Reports a word that starts with digits; other programs have such names. False if there is none here. */
static bool report_digits(Parse *parse, Span span)
{
    if (parse->token.kind != TOKEN_NUMBER && parse->token.kind != TOKEN_WORD)
        return false;
    Span word = digits_and_letters(parse, span);
    if (word.end == word.start)
        return false;
    const char *text = source_of(parse->ctx->sources, span)->text + word.start;
    text = arena_copy(parse->ctx->arena, text, (size_t)(word.end - word.start));
    Diagnostic *d = diag_report(parse->ctx->diag, P0101, word, "no name starts with a digit, as '%s' does", text);
    const char *meant = diag_synonym(text);
    if (meant != NULL)
        diag_help_name(d, text, meant);
    return true;
}

static bool starts_with_word(const Parse *parse, const char *word)
{
    const char *text = lexer_statement_start(parse->lexer).text;
    return text != NULL && strcmp(text, word) == 0;
}

/* For a statement that nothing else explains: what is written here for what it starts with, or its form. */
static void help_statement(Parse *parse, Diagnostic *d)
{
    OpenBlock block;
    Token start = lexer_statement_start(parse->lexer);
    if (!lexer_open_block(parse->lexer, &block) || start.kind == TOKEN_END || parse->token.kind == TOKEN_EOF)
        return;
    const char *advice = start.text != NULL ? diag_elsewhere(start.text) : NULL;
    bool in_strategy = strcmp(block.keyword, "strategy") == 0, in_train = strcmp(block.keyword, "train") == 0;
    if (of_train(parse) && advice != NULL)
        diag_help(d, "%s", advice);
    else if (in_strategy && starts_with_word(parse, "sync"))
        diag_help(d, "Its form is: sync TARGET [of LABEL] : OPERATION [over AXIS, ...] [into shards] [by DIM] "
                     "[each microbatch] [scale NUMBER] [wait at step] [in DTYPE] [when CONDITION]");
    else if (in_strategy && parse->token.kind == TOKEN_LEFT_PAREN && !starts_with_word(parse, "parameters"))
        diag_help(d, "Strategies are called where a train or another strategy names them: "
                     "`strategy mine(d: axis) = zero1(d) * recompute(block[*])`.");
    else if (in_strategy)
        diag_help(d,
                  "Its form is: STATE [of LABEL, ...] MODE [over AXIS, ...] [by DIM] [to TIER] [kept until step] "
                  "[where present] [when CONDITION], or STATE of LABEL, ... computed over AXIS, ... (by DIM [of LABEL] "
                  "| whole | in parts [of LABEL, ...]) [from LABEL, ...] [where present] [when CONDITION], or STATE of "
                  "LABEL, ... converted over AXIS, ... [kept until (use | pass | step)] [at (once | use)] [by (ring | "
                  "collective) [for (activations | cotangents | gradients) [of LABEL, ...]] [from LABEL, ...]] [where "
                  "present] [when CONDITION]");
    else if (in_train && starts_with_word(parse, "strategy"))
        diag_help(d, "Strategies are calls joined by `*`: `strategy zero1(data) * recompute(block[*])`.");
    else if (in_train && parse->token.kind == TOKEN_COMMA)
        diag_help(d, "Brackets hold no lists of values: each is an argument, as in `beta1 = 0.9, beta2 = 0.95`.");
}

/* Shows what contains the token: the unclosed block, or the statement. */
static void label_context(Parse *parse, Diagnostic *d)
{
    OpenBlock block;
    Span bracket;
    Token start = lexer_statement_start(parse->lexer);
    if (lexer_unclosed_bracket(parse->lexer, &bracket))
        diag_label(d, bracket, "this bracket is not closed");
    else if (parse->token.kind == TOKEN_EOF && lexer_open_block(parse->lexer, &block))
        diag_label(d, block.span, "this block is not closed");
    else if (start.kind != TOKEN_END && start.span.start != parse->token.span.start)
        diag_label(d, start.span, "in this statement");
    else if (lexer_open_block(parse->lexer, &block))
        diag_label(d, block.span, "in this block");
}

static void report_unexpected(Parse *parse, Span span, const Expected *expected, int count)
{
    const char **names = arena_array(parse->ctx->arena, const char *, count);
    int kept = summarise(expected, count, names);
    const char *found = unexpected_text(parse);
    Diagnostic *d;
    if (kept > 0 && kept <= MOST_EXPECTED)
        d = diag_report(parse->ctx->diag, P0101, span, "unexpected %s, expected %s", found,
                        enumerate(parse, names, kept));
    else
        d = diag_report(parse->ctx->diag, P0101, span, "unexpected %s", found);
    label_context(parse, d);
    note_reserved(parse, d, is_expected(expected, count, "a name"));
    bool helped = suggest_keyword(parse, d, expected, count);
    helped |= suggest_mode(parse, d, span);
    if (!helped)
        help_statement(parse, d);
}

void parse_report_syntax(Parse *parse, Span span, const Expected *expected, int count)
{
    if (parse->token.kind == TOKEN_INVALID) {
        report_fault(parse, span);
    } else {
        if (!report_digits(parse, span))
            report_unexpected(parse, span, expected, count);
        parse->syntax_errors++;
    }
    lexer_recover(parse->lexer);
}

void parse_add_item(Parse *parse, AstNode *item)
{
    vec_push(parse->ctx->arena, &parse->ast->items, item);
}

/* ---- Comments ----------------------------------------------------------------------------------------------- */

static bool is_statement(AstKind kind)
{
    return kind >= AST_VERSION && kind != AST_PARAMETER && kind != AST_CLAUSE && kind != AST_MARK;
}

/* Statements sorted by where they start: outer ones before those inside them. */
static void collect_statements(Arena *arena, const AstNode *node, AstList *statements)
{
    if (is_statement(node->kind))
        vec_push(arena, statements, (AstNode *)node);
    AstNode **children = arena_array(arena, AstNode *, ast_children(node, NULL));
    int count = ast_children(node, children);
    for (int i = 0; i < count; i++)
        collect_statements(arena, children[i], statements);
}

/* The number of statements that start before the offset. */
static int statements_before(const AstList *statements, int32_t offset)
{
    int low = 0, high = statements->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (statements->data[middle]->span.start < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void attach_comments(Parse *parse)
{
    Arena *scratch = arena_new();
    AstList statements = {0};
    for (int i = 0; i < parse->ast->items.count; i++)
        collect_statements(scratch, parse->ast->items.data[i], &statements);
    const Source *source = source_of(parse->ctx->sources, (Span){parse->ast->source, 0, 0});
    const Comment *comments = lexer_comments(parse->lexer);
    for (int i = 0; i < lexer_comment_count(parse->lexer); i++) {
        Span span = comments[i].span;
        int before = statements_before(&statements, span.start);
        int owner = comments[i].trailing ? before - 1 : before;
        AstComment comment = {
            .text = str_intern(parse->ctx->strings, source->text + span.start, (size_t)(span.end - span.start)),
            .span = span,
            .trailing = comments[i].trailing,
            .owner = owner >= 0 && owner < statements.count ? statements.data[owner] : NULL,
        };
        vec_push(parse->ctx->arena, &parse->ast->comments, comment);
    }
    arena_free(scratch);
}

/* ---- Entry points ------------------------------------------------------------------------------------------- */

Ast *parser_run(Ctx *ctx, int source)
{
    Ast *ast = arena_make(ctx->arena, Ast);
    ast->sources = ctx->sources;
    ast->source = source;
    Parse parse = {.ctx = ctx, .lexer = lexer_new(ctx, source), .ast = ast};
    place_yyparse(&parse); /* its result ignores errors it recovered from: count the diagnostics instead */
    attach_comments(&parse);
    lexer_free(parse.lexer);
    return ast;
}

Ast *parser_run_prelude(Ctx *ctx)
{
    if (ctx->prelude != NULL)
        return ctx->prelude;
    return parser_run(ctx, source_add(ctx->sources, "<prelude>", prelude_text, strlen(prelude_text)));
}
