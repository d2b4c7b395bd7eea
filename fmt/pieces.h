/* pieces.h - what is written: the tokens and comments of a file in their order, and the statements they make. */
#ifndef PLACE_FMT_PIECES_H
#define PLACE_FMT_PIECES_H

#include "lexer/lexer.h"
#include "parser/ast.h"

typedef struct Piece {
    TokenKind kind; /* TOKEN_EOF: a comment, or the end of the file */
    const char *text;
    int bytes;    /* of text; a comment's without blanks at its end */
    int width;    /* characters */
    bool comment; /* a comment */
    bool breaks;  /* begins a line in the source */
    bool blank;   /* an empty line before it */
    bool starts;  /* a statement begins here, or its block ends */
    bool glued;   /* no blank between the piece before and this one */
    bool cell;    /* begins a column */
    AstKind row;  /* where a statement begins: its kind, if its lines are aligned; else AST_ERROR */
} Piece;

/* The last one is the end of the file. */
typedef struct Pieces {
    Piece *data;
    int count, capacity;
} Pieces;

Pieces pieces_read(Ctx *ctx, const Ast *ast);

enum { MOST_CELLS = 3 };

typedef struct Block Block;

/* A statement, or comments that stand by themselves. Pieces are indices. */
typedef struct Item {
    int first, end;        /* up to the '{' of its block */
    Block *block;          /* NULL: it has none */
    int comment;           /* behind its last line; 0: none */
    int cells;             /* columns that begin on its first line */
    int width[MOST_CELLS]; /* of what stands before each */
    int gap[MOST_CELLS];   /* blanks before each */
} Item;

struct Block {
    Item *data;
    int count, capacity;
    int comment;   /* behind its '{'; 0: none */
    bool one_line; /* written on one line */
};

/* The statements of the file. */
Block *items_read(Arena *arena, const Pieces *pieces);

/* Sets `width` and `gap` so that the columns of lines that stand together begin at one place. */
void items_align(const Pieces *pieces, Block *block);

/* Characters of pieces [first, end) on one line. */
int pieces_width(const Pieces *pieces, int first, int end);

#endif
