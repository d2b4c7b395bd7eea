/* matrix.h - which programs are compared with one rank: matrix.txt, read and expanded. */
#ifndef PLACE_TESTS_EQUIVALENCE_MATRIX_H
#define PLACE_TESTS_EQUIVALENCE_MATRIX_H

#include "base/arena.h"

#include <stdbool.h>

/* One program. A value in braces stands for several: a line of matrix.txt is as many cases as its braces multiply to.
 */
typedef struct Case {
    int line;
    bool in_tests;         /* part "test": run by scripts/test; else only by `make test-all` */
    const char *precision; /* "f64" */
    const char *model;     /* "gpt", "gpt(layers=4,heads=4)": a model of models.c, with parameters of its own */
    const char *mesh;      /* "data:2,t:2" */
    int micro, batch;
    const char *strategy; /* "zero1(data) * megatron(t)" */
} Case;

typedef struct Matrix {
    Case *cases;
    int count;
} Matrix;

/* Ends the program with a message that names the line where the file is missing or wrong. */
Matrix matrix_read(Arena *arena, const char *path);

/* The product of the mesh's sizes. */
int ranks_of_mesh(const char *mesh);
/* The mesh as a program says it, "data: 2, t: 2". */
const char *mesh_text(Arena *arena, const char *mesh);

#endif
