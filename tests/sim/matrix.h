/* matrix.h - verdict of the verifier against execution: the confusion matrix of an experiment.
 *
 * A program that the verifier accepts and that cannot be run, or differs from one device, is a failure; its text is
 * printed. So is one that it accepts and that differs for some functions, though not for the real ones: no such law is
 * known to it. One that is refused though it computes the same is counted by the verifier's reason.
 */
#ifndef PLACE_SIM_MATRIX_H
#define PLACE_SIM_MATRIX_H

#include "tests/sim/oracle.h"

/* Reals show that functions are what they are called: one step does. */
enum { MATRIX_REASONS = 64, MATRIX_STEPS = 3, MATRIX_REAL_STEPS = 1, MATRIX_DRAW = 1 };

typedef struct MatrixReasons {
    int64_t total;
    int count;
    struct {
        char text[96];
        int64_t count;
        char example[96]; /* which program, in the experiment's words */
    } of[MATRIX_REASONS];
} MatrixReasons;

typedef struct Matrix {
    int64_t accepted_equal, refused_different, accepted_different, refused_equal;
    int64_t faulted;    /* of those that differ: they cannot be run */
    int64_t lawful;     /* accepted, and different in the field only: which law? */
    int64_t confused;   /* different in reals only: the simulator is wrong */
    int64_t unreadable; /* by the simulator, and so counted as different */
    int64_t crashed;    /* the compiler did: counted nowhere else */
    int64_t surprising; /* refused, though `right` */
    bool right;         /* what is tried next has no mistake in it */
    bool apart;         /* the compiler may crash: ask it in a process of its own */
    /* Why programs were refused: though equal; though different without a counter-example or a named rule. */
    MatrixReasons equal, unexplained;
    char reason[96]; /* of the last refusal that was counted */
    bool show_refused; /* print the text of the first program of each reason */
} Matrix;

bool matrix_failed(const Matrix *matrix);

/* Verifies and runs one program. `name` says which it is. `oracles` are of a file with the same declarations and
 * reference; NULL: its own, which need not be a gradient's, but must be one device's program. */
void matrix_try(Matrix *matrix, SimPool *scratch, const SimOracles *oracles, const char *text, const char *name);

void matrix_add(Matrix *sum, const Matrix *part);
void matrix_print(const Matrix *matrix, const char *title);

#endif
