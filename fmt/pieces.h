/* pieces.h - what is to be written: the tokens and comments of a file in order, and the statements they form. */
#ifndef PLACE_FMT_PIECES_H
#define PLACE_FMT_PIECES_H

#include "lexer/lexer.h"
#include "parser/ast.h"

typedef struct Piece {
    TokenKind kind; /* TOKEN_EOF: a comment, or the end of the file */
    const char *text;
    int bytes;    /* of the text; a comment's without trailing blanks */
    int width;    /* characters */
    bool comment; /* a comment */
    bool breaks;  /* begins a line in the source */
    bool blank;   /* an empty line before it */
    bool starts;  /* a statement begins here, or its block ends */
    bool glued;   /* no blank between the piece before and this one */
    bool cell;    /* begins a column */
    AstKind row;  /* at the start of a statement: its kind, if its lines are aligned; else AST_ERROR */
} Piece;

/* The last one is the end of the file. */
typedef struct Pieces {
    Piece *data;
    int count, capacity;
} Pieces;

Pieces pieces_read(Ctx *ctx, const Ast *ast);

enum { MOST_CELLS = 3 };

typedef struct Block Block;

/* A statement, or comments on lines of their own. Pieces are given by index. */
typedef struct Item {
    int first, end;        /* up to the '{' of its block */
    Block *block;          /* NULL if it has none */
    int comment;           /* after its last line; 0: none */
    int cells;             /* columns that begin on its first line */
    int width[MOST_CELLS]; /* of the text before each column */
    int gap[MOST_CELLS];   /* blanks before each */
} Item;

struct Block {
    Item *data;
    int count, capacity;
    int comment;   /* after its '{'; 0: none */
    bool one_line; /* written on one line */
};

/* The statements of the file. */
Block *items_read(Arena *arena, const Pieces *pieces);

/* Sets `width` and `gap` so that the columns of adjacent lines are aligned. */
void items_align(const Pieces *pieces, Block *block);

/* The width of pieces [first, end) written on one line. */
int pieces_width(const Pieces *pieces, int first, int end);

#endif
