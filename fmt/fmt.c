/* fmt.c - writes statements: indentation, columns, the lines of broken statements; then checks its result. */
#include "fmt/fmt.h"

#include "fmt/pieces.h"
#include "parser/parser.h"

#include <string.h>

enum { INDENT = 4, LONGEST_LINE = 120, COMMENT_GAP = 2 };

typedef struct Line {
    Text text;
    int width;
    int depth;            /* depth of nested blocks */
    bool blank;           /* after an empty line */
    const Piece *comment; /* after the text */
} Line;

/* An open ( or [, and where lines inside it begin. */
typedef struct Bracket {
    int column; /* after the bracket */
    int indent; /* of its line */
    bool last;  /* nothing follows it on its line */
} Bracket;

typedef struct Writer {
    Arena *arena;
    const Pieces *pieces;
    Vec(Line) lines;
    int depth;
    int indent; /* of the current line */
    int hang;   /* where continuation lines outside brackets begin */
    Bracket open[LEXER_NESTING_LIMIT];
    int open_count;
} Writer;

/* ---- Lines -------------------------------------------------------------------------------------------------- */

static Line *current(Writer *writer)
{
    return &writer->lines.data[writer->lines.count - 1];
}

static void put_blanks(Writer *writer, int count)
{
    text_add(&current(writer)->text, "%*s", count, "");
    current(writer)->width += count;
}

static void begin_line(Writer *writer, int indent, bool blank)
{
    Line line = {.text = {.arena = writer->arena}, .depth = writer->depth, .blank = blank};
    vec_push(writer->arena, &writer->lines, line);
    writer->indent = indent;
    put_blanks(writer, indent);
}

static void put_text(Writer *writer, const char *text, int bytes, int width)
{
    text_add_bytes(&current(writer)->text, text, (size_t)bytes);
    current(writer)->width += width;
}

static void put_comment(Writer *writer, int index)
{
    if (index > 0)
        current(writer)->comment = &writer->pieces->data[index];
}

/* ---- Statements --------------------------------------------------------------------------------------------- */

static bool is_opener(TokenKind kind)
{
    return kind == TOKEN_LEFT_PAREN || kind == TOKEN_LEFT_BRACKET;
}

static bool is_closer(TokenKind kind)
{
    return kind == TOKEN_RIGHT_PAREN || kind == TOKEN_RIGHT_BRACKET;
}

/* The column at which a continuation line begins. */
static int continued_column(const Writer *writer, bool closes)
{
    if (writer->open_count == 0)
        return writer->hang;
    const Bracket *bracket = &writer->open[writer->open_count - 1];
    if (bracket->last)
        return bracket->indent + (closes ? 0 : INDENT);
    return bracket->column - closes;
}

static void note_bracket(Writer *writer, const Piece *piece)
{
    const Piece *next = piece + 1;
    if (is_opener(piece->kind))
        writer->open[writer->open_count++] =
            (Bracket){current(writer)->width, writer->indent, next->breaks || next->comment};
    else if (is_closer(piece->kind))
        writer->open_count--;
}

/* Writes a piece, after `gap` blanks unless it begins a line. */
static void put_piece(Writer *writer, const Piece *piece, int gap)
{
    if (piece->comment && !piece->breaks) {
        current(writer)->comment = piece;
        return;
    }
    if (piece->breaks)
        begin_line(writer, continued_column(writer, is_closer(piece->kind)), false);
    else
        put_blanks(writer, gap);
    put_text(writer, piece->text, piece->bytes, piece->width);
    note_bracket(writer, piece);
}

/* Sets the hanging indent when it is first known: after the statement's '=' or ':'. */
static void note_hang(Writer *writer, const Piece *piece)
{
    writer->hang = current(writer)->width;
    if (piece->kind != TOKEN_ASSIGN && piece->kind != TOKEN_COLON)
        writer->hang -= piece->width;
    else if (piece[1].breaks || piece[1].comment)
        writer->hang = writer->indent + INDENT;
    else
        writer->hang += 1;
}

static void put_pieces(Writer *writer, const Item *item)
{
    const Piece *pieces = writer->pieces->data;
    put_text(writer, pieces[item->first].text, pieces[item->first].bytes, pieces[item->first].width);
    writer->hang = writer->indent + INDENT;
    int cell = 0;
    for (int i = item->first + 1; i < item->end; i++) {
        bool begins_cell = pieces[i].cell && cell < item->cells;
        put_piece(writer, &pieces[i], begins_cell ? item->gap[cell] : !pieces[i].glued);
        if (begins_cell && cell++ == 0)
            note_hang(writer, &pieces[i]);
    }
}

/* The width of an item written on one line. */
static int one_line_width(const Pieces *pieces, const Item *item)
{
    int width = pieces_width(pieces, item->first, item->end);
    if (item->block == NULL)
        return width;
    for (int i = 0; i < item->block->count; i++)
        width += one_line_width(pieces, &item->block->data[i]) + (int)strlen("; ");
    return width + (int)strlen(" {}");
}

static void put_one_line_block(Writer *writer, const Block *block)
{
    put_text(writer, " {", 2, 2);
    for (int i = 0; i < block->count; i++) {
        const char *before = i == 0 ? " " : "; ";
        put_text(writer, before, (int)strlen(before), (int)strlen(before));
        put_pieces(writer, &block->data[i]);
        if (block->data[i].block != NULL)
            put_one_line_block(writer, block->data[i].block);
    }
    if (block->count > 0)
        put_blanks(writer, 1);
    put_text(writer, "}", 1, 1);
}

static void put_items(Writer *writer, Block *block);

static void put_block(Writer *writer, const Item *item)
{
    Block *block = item->block;
    bool empty = block->count == 0 && block->comment == 0;
    bool fits = writer->depth * INDENT + one_line_width(writer->pieces, item) <= LONGEST_LINE;
    if (empty || (block->one_line && fits)) {
        put_one_line_block(writer, block);
        return;
    }
    put_text(writer, " {", 2, 2);
    put_comment(writer, block->comment);
    writer->depth++;
    put_items(writer, block);
    writer->depth--;
    begin_line(writer, writer->depth * INDENT, false);
    put_text(writer, "}", 1, 1);
}

static void put_items(Writer *writer, Block *block)
{
    items_align(writer->pieces, block);
    for (int i = 0; i < block->count; i++) {
        const Item *item = &block->data[i];
        begin_line(writer, writer->depth * INDENT, i > 0 && writer->pieces->data[item->first].blank);
        put_pieces(writer, item);
        if (item->block != NULL)
            put_block(writer, item);
        put_comment(writer, item->comment);
    }
}

/* ---- The text ----------------------------------------------------------------------------------------------- */

/* Comments on adjacent lines are aligned. */
static int comment_column(const Writer *writer, int first, int *end)
{
    const Line *lines = writer->lines.data;
    int column = 0;
    for (*end = first; *end < writer->lines.count; (*end)++) {
        const Line *line = &lines[*end];
        if (line->comment == NULL || line->depth != lines[first].depth || (*end > first && line->blank))
            break;
        column = line->width > column ? line->width : column;
    }
    return column + COMMENT_GAP;
}

static const char *join_lines(const Writer *writer, size_t *length)
{
    Text out = {.arena = writer->arena};
    text_add_bytes(&out, "", 0);
    int column = 0, end = 0;
    for (int i = 0; i < writer->lines.count; i++) {
        const Line *line = &writer->lines.data[i];
        if (line->comment != NULL && i >= end)
            column = comment_column(writer, i, &end);
        text_add(&out, "%s", line->blank ? "\n" : "");
        text_add_bytes(&out, line->text.data, line->text.length);
        if (line->comment != NULL) {
            text_add(&out, "%*s", column - line->width, "");
            text_add_bytes(&out, line->comment->text, (size_t)line->comment->bytes);
        }
        text_add(&out, "\n");
    }
    *length = out.length;
    return out.data;
}

/* The result must have the source's pieces, with statements and comments starting at the same pieces. */
static void compare_pieces(const Ctx *ctx, const Ast *ast, const Pieces *before, const Pieces *after)
{
    const char *name = source_of(ctx->sources, (Span){ast->source, 0, 0})->name;
    if (before->count != after->count)
        BUG("the formatter makes %d pieces of the %d of '%s'", after->count, before->count, name);
    for (int i = 0; i < before->count; i++) {
        const Piece *a = &before->data[i], *b = &after->data[i];
        bool same = a->kind == b->kind && a->comment == b->comment && (a->comment || a->starts == b->starts) &&
                    a->row == b->row && a->bytes == b->bytes && memcmp(a->text, b->text, (size_t)a->bytes) == 0;
        if (!same)
            BUG("the formatter makes '%.*s' of '%.*s' in '%s'", b->bytes, b->text, a->bytes, a->text, name);
    }
}

/* Parses the result again, in a context of its own. */
static void check_text(const Ctx *ctx, const Ast *ast, const Pieces *before, const char *text, size_t length)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    Ctx again = {.arena = arena, .strings = str_table_new(arena), .sources = sources, .diag = diag_new(arena, sources)};
    const Ast *read = parser_run(&again, source_add(sources, "formatted", text, length));
    Pieces after = pieces_read(&again, read);
    compare_pieces(ctx, ast, before, &after);
    arena_free(arena);
}

const char *fmt_text(Ctx *ctx, int source, size_t *length)
{
    int errors = diag_error_count(ctx->diag);
    const Ast *ast = parser_run(ctx, source);
    if (diag_error_count(ctx->diag) > errors)
        return NULL;
    Pieces pieces = pieces_read(ctx, ast);
    Writer *writer = arena_make(ctx->arena, Writer);
    writer->arena = ctx->arena;
    writer->pieces = &pieces;
    put_items(writer, items_read(ctx->arena, &pieces));
    const char *text = join_lines(writer, length);
    check_text(ctx, ast, &pieces, text, *length);
    return text;
}
