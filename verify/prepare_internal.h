/* prepare_internal.h - between the files that check shapes: one for each kind of operator, prepare_letters.c and
 * prepare_faults.c for all of them. */
#ifndef PLACE_VERIFY_PREPARE_INTERNAL_H
#define PLACE_VERIFY_PREPARE_INTERNAL_H

#include "step/spec.h"
#include "verify/prepare.h"

typedef struct Prepare {
    Ctx *ctx;
    Table *table;
    const Program *program;
    bool reference;
    PreparedMap *map;
} Prepare;

typedef struct Letter {
    char name;
    int64_t size;
    Cuts cuts;             /* in a product of pieces: the cuts of the piece */
    bool pieces;           /* some operands have all of it, others a piece */
    int64_t before, after; /* its halo */
    bool padded;
    int operand; /* the operand it was first found in, or -1 */
    bool in_result, in_operand;
} Letter;

/* A spec: the letters of every operand and of the result, and what is known of each letter. */
typedef struct Letters {
    SpecLetters group[STEP_MAX_OPERANDS + 1]; /* of the operands, then of the result */
    AxisMask over;                            /* in a product of pieces: the axes of the pieces */
    int count;
    Letter letter[PREPARE_MAX_LETTERS];
} Letters;

/* ---- prepare_faults.c --------------------------------------------------------------------------------------- */

const char *op_name(const Op *op);
const char *ref_name(const Prepare *p, const Ref *ref);
void fault_shape(Prepare *p, Prepared *prepared, const char *what);
/* What each of two ranks would hold of the dim, or the unit, that is cut over the axis. */
void add_pieces(const Prepare *p, Diagnostic *d, const Ref *ref, AxisMask axes);
/* An operand is cut where the operator needs it whole. */
void fault_cut(Prepare *p, Prepared *prepared, int operand, AxisMask axes);
/* An operand, or the result where `operand` is -1, cuts a letter differently from the operand that first had it. */
void fault_letter(Prepare *p, Prepared *prepared, const Letter *letter, const Cuts *cuts, int operand);
void fault_cut_letter(Prepare *p, Prepared *prepared, const Letter *letter);
void check_uncut(Prepare *p, Prepared *prepared, const Letter *letter);

/* ---- prepare_letters.c -------------------------------------------------------------------------------------- */

static inline Letter *letters_find(Letters *letters, char name)
{
    for (int i = 0; i < letters->count; i++)
        if (letters->letter[i].name == name)
            return &letters->letter[i];
    return NULL;
}

/* Enters the letters of group `index`, an operand's or the result's. */
bool letters_enter(Prepare *p, Prepared *prepared, Letters *letters, int index, const View *view);
Form *form_make(Prepare *p, const Op *op, OpKind kind, int operands, const Letters *letters);
/* The form of an operator of this kind from one group of letters to another. */
Form *part_form(Prepare *p, const Op *op, OpKind kind, const Letters *all, int from, int into);
Form *broadcast_make(Prepare *p, const Op *op, const Letters *all, int operand);

/* ---- prepare_windows.c -------------------------------------------------------------------------------------- */

bool is_whole_number(double value, double least);
/* Which grid of a WINDOW operator the letter is on; -1: none. */
int letter_grid(const Prepared *prepared, const Letters *letters, char letter);
/* The result's letter on the input's grid that corresponds to this row or column letter of the output's; NULL: none. */
const Letter *transposed_letter(const Prepared *prepared, const Letters *letters, char output);
/* Is its window a size rather than an array? */
bool window_pools(const Op *op);
void check_windows(Prepare *p, Prepared *prepared, Letters *letters);

/* ---- prepare_reshape.c -------------------------------------------------------------------------------------- */

void check_views(Prepare *p, Prepared *prepared, Letters *letters);

/* ---- prepare_pieces.c --------------------------------------------------------------------------------------- */

/* The axes it names, each once, which the reader has checked. */
void prepare_over(Prepare *p, Prepared *prepared);
/* Is the peer that `index` names a coordinate of the axis on every rank: for permute each exactly once, for broadcast
 * the same on all? It may depend on loops and other axes if a modulus keeps it in range. */
bool peers_fit(const Decls *decls, const Op *op);
/* The number of pieces the cuts make. */
int64_t cuts_parts(const Prepare *p, const Cuts *cuts);
/* Are all pieces equally long (for a fused dim: within each segment)? */
bool cuts_evenly(const Prepare *p, int64_t size, const Cuts *cuts);
/* The letter of which only a piece takes part: some operands have all of it, some only the piece. */
void prepare_pieces(Prepare *p, Prepared *prepared, const View *views, Letters *letters);
/* What may be padded: copies, which take or place the rank's own piece, and products of pieces, whose visiting pieces
 * are padded where they differ in size. Nothing else. */
void check_padding(Prepare *p, Prepared *prepared, const View *views, Letters *letters);

/* ---- prepare_dense.c ---------------------------------------------------------------------------------------- */

/* If a row may be cut (its maximum is that of the parts), every rank must have some of it: an empty part has no
 * maximum. */
void check_rows(Prepare *p, Prepared *prepared, const View *view);
void prepare_linear(Computing *compute, OpKind kind);
void prepare_dense(Prepare *p, Prepared *prepared, const View *views);

/* ---- prepare_flat.c ----------------------------------------------------------------------------------------- */

/* Do some ranks have pieces of its members smaller than the room for them? */
bool unit_is_uneven(const Decls *decls, const Unit *unit);
/* Does the range of the slot's last rank extend past the unit's end? */
bool has_padding(const Prepare *p, const Unit *unit, const View *view);
void prepare_flat(Prepare *p, Prepared *prepared, const View *views);

/* ---- prepare_collective.c ----------------------------------------------------------------------------------- */

void prepare_communication(Prepare *p, Prepared *prepared, const View *views);

/* ---- prepare_source.c --------------------------------------------------------------------------------------- */

void prepare_source(Prepare *p, Prepared *prepared, const View *views);
void prepare_sink(Prepare *p, Prepared *prepared, const View *views);

#endif
