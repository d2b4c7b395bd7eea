/* items.c - groups pieces into statements, and aligns the columns of adjacent statements. */
#include "fmt/pieces.h"

typedef struct Scan {
    Arena *arena;
    const Pieces *pieces;
    int at;
} Scan;

static const Piece *here(const Scan *scan)
{
    return &scan->pieces->data[scan->at];
}

/* ---- Statements --------------------------------------------------------------------------------------------- */

/* A comment on the same line as what was just read. */
static int take_comment(Scan *scan)
{
    return here(scan)->comment && !here(scan)->breaks ? scan->at++ : 0;
}

static void read_items(Scan *scan, Block *block);

static Block *read_block(Scan *scan)
{
    Block *block = arena_make(scan->arena, Block);
    int open = scan->at++;
    block->comment = take_comment(scan);
    read_items(scan, block);
    block->one_line = true;
    for (int i = open + 1; i <= scan->at; i++)
        block->one_line = block->one_line && !scan->pieces->data[i].breaks;
    scan->at++;
    return block;
}

static Item read_item(Scan *scan)
{
    Item item = {.first = scan->at++};
    bool comment = scan->pieces->data[item.first].comment;
    while (!comment && !here(scan)->starts && here(scan)->kind != TOKEN_LEFT_BRACE)
        scan->at++;
    item.end = scan->at;
    if (!comment && here(scan)->kind == TOKEN_LEFT_BRACE)
        item.block = read_block(scan);
    if (!comment)
        item.comment = take_comment(scan);
    return item;
}

/* Reads up to the '}' or the end of the file. */
static void read_items(Scan *scan, Block *block)
{
    while (here(scan)->comment || (here(scan)->kind != TOKEN_RIGHT_BRACE && here(scan)->kind != TOKEN_EOF)) {
        Item item = read_item(scan);
        vec_push(scan->arena, block, item);
    }
}

Block *items_read(Arena *arena, const Pieces *pieces)
{
    Scan scan = {arena, pieces, 0};
    Block *file = arena_make(arena, Block);
    read_items(&scan, file);
    return file;
}

/* ---- Columns ------------------------------------------------------------------------------------------------ */

/* The columns that start on the first line of a statement. */
static void measure_cells(const Pieces *pieces, Item *item)
{
    int start = item->first;
    for (int i = item->first + 1; i < item->end && !pieces->data[i].breaks; i++) {
        if (!pieces->data[i].cell || item->cells == MOST_CELLS)
            continue;
        item->width[item->cells] = pieces_width(pieces, start, i);
        item->gap[item->cells++] = 1;
        start = i;
    }
}

/* Sets the gaps of column k in the run of items from `first` on that have it or no column; where to continue. */
static int align_column(Block *block, int first, int end, int k)
{
    int widest = 0, next = first;
    for (; next < end && (block->data[next].cells == 0 || block->data[next].cells > k); next++)
        if (block->data[next].cells > k && block->data[next].width[k] > widest)
            widest = block->data[next].width[k];
    for (int i = first; i < next; i++)
        if (block->data[i].cells > k)
            block->data[i].gap[k] = widest - block->data[i].width[k] + 1;
    return next + 1;
}

/* The end of a run of items with the same kind of row, including comments. */
static int end_of_run(const Pieces *pieces, const Block *block, int first)
{
    AstKind row = AST_ERROR;
    for (int i = first; i < block->count; i++) {
        const Piece *piece = &pieces->data[block->data[i].first];
        bool other = row != AST_ERROR && piece->row != row && !piece->comment;
        if (i > first && (piece->blank || block->data[i - 1].block != NULL || other))
            return i;
        row = piece->comment ? row : piece->row;
    }
    return block->count;
}

void items_align(const Pieces *pieces, Block *block)
{
    for (int i = 0; i < block->count; i++)
        if (block->data[i].block == NULL)
            measure_cells(pieces, &block->data[i]);
    for (int first = 0, end; first < block->count; first = end) {
        end = end_of_run(pieces, block, first);
        for (int k = 0; k < MOST_CELLS; k++)
            for (int next = first; next < end;)
                next = align_column(block, next, end, k);
    }
}
