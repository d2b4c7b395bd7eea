/* pieces.c - tokens and comments in order, with what the syntax tree says about the blanks between them. */
#include "fmt/pieces.h"

#include <string.h>

/* What is known about the token that begins, or ends, at a byte. */
enum {
    ENDS_TIGHT = 1,  /* followed by '(' or ':' without a blank: a call, parameters, a parameter's type, an axis' size */
    BEGINS_SIGN = 2, /* unary '-' */
    BEGINS_QUOTIENT = 4, /* '/' between two simple operands */
    ENDS_CELL = 8,       /* the next token begins a column */
    BEGINS_LABEL = 16,   /* an `as` that begins a column */
};

typedef struct Marks {
    Arena *scratch;
    unsigned char *of; /* by byte offset */
    AstKind *row;      /* by byte offset of a statement's start */
} Marks;

/* ---- What the tree knows ------------------------------------------------------------------------------------ */

static bool is_plain(const AstNode *node)
{
    if (node->kind == AST_NEGATE)
        return is_plain(node->negate.operand);
    return node->kind == AST_NAME || (node->kind == AST_NUMBER && node->number.measure == MEASURE_NONE);
}

static bool is_plain_quotient(const AstBinary *binary)
{
    return binary->operator== AST_DIVIDE && is_plain(binary->left) && is_plain(binary->right);
}

/* Labels outside arguments: returns their number; *last: the last one. */
static int count_labels(const AstNode *node, AstName *last)
{
    if (node->kind == AST_CALL) {
        *last = node->call.label;
        return node->call.label.text != NULL;
    }
    int count = 0;
    if (node->kind == AST_BINARY) {
        count = count_labels(node->binary.left, last);
        count += count_labels(node->binary.right, last);
    }
    return count;
}

static void mark_assign(Marks *marks, const AstNode *node)
{
    AstName label = {0};
    marks->of[node->assign.name.span.end] |= ENDS_CELL;
    if (count_labels(node->assign.value, &label) == 1 && label.text != NULL && label.span.end == node->span.end)
        marks->of[label.span.start] |= BEGINS_LABEL;
}

static void mark_placement(Marks *marks, const AstNode *node)
{
    const AstPlacement *placement = &node->placement;
    if (placement->selectors.count > 0)
        return;
    marks->of[placement->state.span.end] |= ENDS_CELL;
    if (placement->mode.span.end < node->span.end)
        marks->of[placement->mode.span.end] |= ENDS_CELL;
}

/* `key pieces : value`; the key is a column of its own if every line has one. */
static void mark_setting(Marks *marks, const AstNode *node, const AstNode *parent)
{
    const AstSetting *setting = &node->setting;
    bool keyed = parent->kind == AST_TRAIN || parent->kind == AST_MODE || parent->kind == AST_SEARCH;
    int count = setting->pieces.count;
    if (keyed && count > 0)
        marks->of[setting->key.span.end] |= ENDS_CELL;
    if (setting->value != NULL)
        marks->of[count > 0 ? setting->pieces.data[count - 1]->span.end : setting->key.span.end] |= ENDS_CELL;
}

static Span last_name(const AstNames *names)
{
    return names->data[names->count - 1].span;
}

static void mark_row(Marks *marks, const AstNode *node, const AstNode *parent)
{
    marks->row[node->span.start] = node->kind;
    if (node->kind == AST_INPUT)
        marks->of[last_name(&node->input.names).end] |= ENDS_CELL;
    else if (node->kind == AST_ASSIGN)
        mark_assign(marks, node);
    else if (node->kind == AST_PLACEMENT)
        mark_placement(marks, node);
    else if (node->kind == AST_SETTING)
        mark_setting(marks, node, parent);
    else if (node->sync.segments.count > 0)
        marks->of[node->sync.segments.data[node->sync.segments.count - 1]->span.end] |= ENDS_CELL;
    else if (node->sync.selectors.count > 0)
        marks->of[node->sync.selectors.data[node->sync.selectors.count - 1]->span.end] |= ENDS_CELL;
    else
        marks->of[node->sync.target.span.end] |= ENDS_CELL;
}

static void mark_one(Marks *marks, const AstNode *node, const AstNode *parent)
{
    switch (node->kind) {
    case AST_INPUT:
    case AST_ASSIGN:
    case AST_PLACEMENT:
    case AST_SYNC:
    case AST_SETTING:
        mark_row(marks, node, parent);
        return;
    case AST_CALL:
        marks->of[node->call.callee->span.end] |= ENDS_TIGHT;
        return;
    case AST_NEGATE:
        marks->of[node->span.start] |= BEGINS_SIGN;
        return;
    case AST_BINARY:
        if (is_plain_quotient(&node->binary))
            marks->of[node->binary.operator_span.start] |= BEGINS_QUOTIENT;
        return;
    case AST_MODEL:
        marks->of[node->model.name.span.end] |= ENDS_TIGHT;
        return;
    case AST_STRATEGY:
        marks->of[node->strategy.name.span.end] |= ENDS_TIGHT;
        return;
    case AST_TRAIN:
        marks->of[node->train.model.span.end] |= ENDS_TIGHT;
        return;
    case AST_PARAMETER:
        marks->of[node->parameter.name.span.end] |= ENDS_TIGHT;
        return;
    case AST_AXIS:
        if (!node->axis.derived)
            marks->of[node->axis.name.span.end] |= ENDS_TIGHT;
        return;
    default: /* the others do not affect blanks */
        return;
    }
}

static void mark_tree(Marks *marks, const AstNode *node, const AstNode *parent)
{
    mark_one(marks, node, parent);
    AstNode **children = arena_array(marks->scratch, AstNode *, ast_children(node, NULL));
    int count = ast_children(node, children);
    for (int i = 0; i < count; i++)
        mark_tree(marks, children[i], node);
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

typedef struct Reader {
    Ctx *ctx;
    const Source *source;
    const Marks *marks;
    Pieces pieces;
    Vec(Span) spans; /* of the pieces */
    bool starts;     /* the next token begins a statement */
} Reader;

/* Line breaks between two bytes; 2 if there is an empty line. */
static int count_breaks(const Source *source, int32_t from, int32_t to)
{
    int breaks = 0, most = 0;
    for (int32_t at = from; at < to; at++) {
        breaks = source->text[at] == '\n' ? breaks + 1 : source->text[at] == ';' ? breaks > 0 : breaks;
        most = breaks > most ? breaks : most;
    }
    return most < 2 ? most : 2;
}

static int count_characters(const char *text, int bytes)
{
    int count = 0;
    for (int i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static void add_piece(Reader *reader, TokenKind kind, bool comment, Span span)
{
    int count = reader->pieces.count;
    int breaks = count_breaks(reader->source, count > 0 ? reader->spans.data[count - 1].end : 0, span.start);
    Piece piece = {
        .kind = kind,
        .text = reader->source->text + span.start,
        .bytes = span.end - span.start,
        .comment = comment,
        .breaks = breaks > 0 || count == 0,
        .blank = breaks > 1 && count > 0,
        .starts = reader->starts,
        .row = reader->starts && !comment ? reader->marks->row[span.start] : AST_ERROR,
    };
    while (comment && strchr(" \t\r\f", piece.text[piece.bytes - 1]) != NULL)
        piece.bytes--;
    piece.width = count_characters(piece.text, piece.bytes);
    vec_push(reader->ctx->arena, &reader->pieces, piece);
    vec_push(reader->ctx->arena, &reader->spans, span);
}

static void read_pieces(Reader *reader, Lexer *lexer)
{
    Token token;
    int comments = 0;
    reader->starts = true;
    do {
        lexer_next(lexer, &token);
        for (; comments < lexer_comment_count(lexer); comments++)
            add_piece(reader, TOKEN_EOF, true, lexer_comments(lexer)[comments].span);
        if (token.kind == TOKEN_RIGHT_BRACE || token.kind == TOKEN_EOF)
            reader->starts = true;
        if (token.kind != TOKEN_END)
            add_piece(reader, token.kind, false, token.span);
        reader->starts = token.kind == TOKEN_END || token.kind == TOKEN_LEFT_BRACE;
    } while (token.kind != TOKEN_EOF);
}

/* ---- Blanks and columns ------------------------------------------------------------------------------------- */

static bool is_operand(TokenKind kind)
{
    return kind == TOKEN_NUMBER || kind == TOKEN_WORD || token_is_contextual(kind);
}

/* `1/t`; but in `8 a/b` blanks stay, since a number takes a unit, and `a/b` could be one. */
static bool is_close_quotient(const Reader *reader, int slash)
{
    const Piece *pieces = reader->pieces.data;
    return (reader->marks->of[reader->spans.data[slash].start] & BEGINS_QUOTIENT) != 0 &&
           is_operand(pieces[slash - 1].kind) &&
           (is_operand(pieces[slash + 1].kind) || pieces[slash + 1].kind == TOKEN_MINUS) &&
           pieces[slash - 2].kind != TOKEN_NUMBER;
}

static bool is_glued(const Reader *reader, int index)
{
    static const bool before[TOKEN_KIND_COUNT] = {
        [TOKEN_RIGHT_PAREN] = true, [TOKEN_RIGHT_BRACKET] = true, [TOKEN_LEFT_BRACKET] = true,
        [TOKEN_COMMA] = true,       [TOKEN_DOT] = true,           [TOKEN_DOT_DOT] = true};
    static const bool after[TOKEN_KIND_COUNT] = {
        [TOKEN_LEFT_PAREN] = true, [TOKEN_LEFT_BRACKET] = true, [TOKEN_DOT] = true, [TOKEN_DOT_DOT] = true};
    const Piece *piece = &reader->pieces.data[index];
    if (index == 0 || piece->comment || piece->starts)
        return false;
    Span last = reader->spans.data[index - 1];
    unsigned char at_end = reader->marks->of[last.end], at_start = reader->marks->of[last.start];
    bool tight = (at_end & ENDS_TIGHT) != 0 && (piece->kind == TOKEN_LEFT_PAREN || piece->kind == TOKEN_COLON);
    bool sign = (at_start & BEGINS_SIGN) != 0 && piece[-1].kind == TOKEN_MINUS;
    bool quotient = (piece->kind == TOKEN_SLASH && is_close_quotient(reader, index)) ||
                    (piece[-1].kind == TOKEN_SLASH && is_close_quotient(reader, index - 1));
    return before[piece->kind] || after[piece[-1].kind] || tight || sign || quotient;
}

static void set_blanks(Reader *reader)
{
    const unsigned char *marks = reader->marks->of;
    Piece *pieces = reader->pieces.data;
    for (int i = 0; i < reader->pieces.count; i++) {
        pieces[i].glued = is_glued(reader, i);
        if (pieces[i].comment)
            continue;
        Span span = reader->spans.data[i];
        if ((marks[span.end] & ENDS_CELL) != 0 && i + 1 < reader->pieces.count)
            pieces[i + 1].cell = !pieces[i + 1].starts;
        if ((marks[span.start] & BEGINS_LABEL) != 0)
            pieces[i - 1].cell = true;
    }
}

Pieces pieces_read(Ctx *ctx, const Ast *ast)
{
    const Source *source = source_of(ctx->sources, (Span){ast->source, 0, 0});
    size_t bytes = (size_t)source->length + 1;
    Arena *scratch = arena_new();
    Marks marks = {scratch, arena_alloc(scratch, bytes), arena_array(scratch, AstKind, bytes)};
    for (int i = 0; i < ast->items.count; i++)
        mark_tree(&marks, ast->items.data[i], NULL);
    Reader reader = {.ctx = ctx, .source = source, .marks = &marks};
    Lexer *lexer = lexer_new(ctx, ast->source);
    read_pieces(&reader, lexer);
    lexer_free(lexer);
    set_blanks(&reader);
    arena_free(scratch);
    return reader.pieces;
}

int pieces_width(const Pieces *pieces, int first, int end)
{
    int width = 0;
    for (int i = first; i < end; i++)
        width += pieces->data[i].width + (i > first && !pieces->data[i].glued);
    return width;
}
