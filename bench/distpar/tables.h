/* tables.h - the tables of docs/distpar.md, each printed by a function. */
#ifndef PLACE_BENCH_DISTPAR_TABLES_H
#define PLACE_BENCH_DISTPAR_TABLES_H

void print_vgg(void);
void print_heads(void);
void print_choices(void);
void print_betas(void);
void print_gains(void);
void print_implementations(void);
void print_primitives(void);
/* For the picture: CONVERSION|DEVICES OF A NODE|DEVICES|LOG2 OF BYTES|ALGORITHM. */
void print_map(void);
/* For the picture: BATCH|CLASSES|ELEMENTS OF DATA PARALLELISM|OF SPLIT CLASSES. */
void print_curves(void);
/* The elements that a model of bench/distpar/models.txt sends with these letters. */
void print_plan(const char *name, const char *letters, int devices, double batch);

#endif
