/* place.h - the compiler of Place as a library: checks, plans and dumps programs from memory to memory.
 *
 *     place_program program = {.name = "gpt.place", .text = text, .length = strlen(text)};
 *     place_result *result = place_plan(&program, PLACE_TEXT);
 *     if (place_result_status(result) == PLACE_GOOD)
 *         puts(place_result_text(result, NULL));
 *     else
 *         fputs(place_result_messages(result, PLACE_TEXT, 20), stderr);
 *     place_result_free(result);
 *
 * Each request runs every stage it needs and hands over one result, which the caller frees. All that a result points to
 * belongs to it, and lives until then; nothing in it refers to the program's text. Strings are UTF-8 and end in a NUL.
 *
 * No function prints, ends the process or keeps anything between two calls: lack of memory and faults of the compiler
 * are results too. Only place_build touches files or starts processes; only the kernels of place_build and of the dumps
 * "llvm" and "ptx" need files of an installed Place.
 *
 * The caller's locale has no effect: numbers have a decimal point, and reasons are in English.
 *
 * Any number of threads may make requests at once. One result is for one thread at a time. A request needs less than
 * half a MiB of stack.
 *
 * docs/library.md has a complete program, docs/diagnostics.md and docs/plan.md describe the texts and their JSON.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header. A program compiled with another major version than place_version() names must be compiled again. */
#define PLACE_VERSION_MAJOR 0
#define PLACE_VERSION_MINOR 1
#define PLACE_VERSION_PATCH 0

/* "0.1.0": of the library. */
const char *place_version(void);

/* ---- What is asked ------------------------------------------------------------------------------------------ */

/* Where a place_reader puts the text that it found. */
typedef struct place_import place_import;

/* Copies the text, so that the reader may free its own. */
void place_import_text(place_import *import, const char *text, size_t length);

/* Finds the text of `import "..."`: calls place_import_text and returns 0, or returns a value of errno, as ENOENT, for
 * the diagnostic. `path` is relative as in the program: next to the importing file's name. It must return. */
typedef int place_reader(void *data, const char *path, place_import *import);

typedef struct place_program {
    const char *name; /* in diagnostics; imports are next to it */
    const char *text; /* neither may be NULL */
    size_t length;
    place_reader *read; /* NULL: there is nothing to import */
    void *data;         /* handed to `read` */
} place_program;

/* PLACE_COLOR: text with the escape sequences of a terminal. */
typedef enum place_form { PLACE_TEXT, PLACE_JSON, PLACE_COLOR } place_form;

/* ---- Requests: NULL only where there is no memory even for a result ------------------------------------------- */

typedef struct place_result place_result;

/* Is the program right? The text: the verdict, in one line or as JSON. */
place_result *place_check(const place_program *program, place_form form);

/* The same question. The text: memory, traffic and time, as a table or as JSON; the table also where an `assert` of the
 * program fails. */
place_result *place_plan(const place_program *program, place_form form);

/* The same question, but for "ast", which only parses. The text: what a stage made, one of place_dump_name; of "step"
 * the program after the pass `after`, one of place_pass_name, or NULL for the last one. A step program, and the
 * assignment that it was derived from, are dumped even if the proof refused it. */
place_result *place_dump(const place_program *program, const char *stage, const char *after);

/* How far a search has come. `best` and `bound` are seconds of a step, or bytes, whichever is to be least; nothing in
 * the space is below the bound. */
typedef struct place_progress {
    double elapsed_s;
    bool found; /* there is a strategy that fits, which takes */
    double best;
    double bound;
    int64_t costed; /* strategies whose programs were made */
} place_progress;

/* Called often; 0 ends the search, which then answers with the best so far, and how far that is from the bound. */
typedef int place_tick(void *data, const place_progress *progress);

/* What strategy is best? The text: it, and why others lost (docs/search.md). `tick` may be NULL. */
place_result *place_search(const place_program *program, place_form form, place_tick *tick, void *data);
/* The same for its lock: of a program that does not say `search over` nothing would read one, which is PLACE_MISUSE. */
place_result *place_search_lock(const place_program *program, place_form form, place_tick *tick, void *data);

/* What a program is set next to. */
typedef enum place_question {
    PLACE_AGAINST, /* strategies, divided by commas: "zero1,zero2(data) * recompute(block[*])" */
    PLACE_WHAT_IF, /* itself with another line of the train: "batch 64 in 8 microbatches" */
    PLACE_WHY_NOT  /* itself with one more statement: "parameters of head sharded over t by out" */
} place_question;

/* The text: time, memory and traffic of the program and of what it is set next to, each proved, or why it is not right.
 */
place_result *place_compare(const place_program *program, place_question question, const char *what, place_form form);

/* The same of two programs. The status is PLACE_ERRORS if they cost not the same. */
place_result *place_diff(const place_program *program, const place_program *other, place_form form);

/* Where values of a name ("block.attn", "*.scores") are, what converts them and why, and what the next best choice
 * would send. The text as place_dump's of "choices". */
place_result *place_why(const place_program *program, const char *name);

/* How does every operator hold its values over an axis, and what does that send and compute, as DistPar counts: as the
 * strategy says, and at least (docs/distpar.md)? `axis` NULL: that which shards the batch. */
place_result *place_infer(const place_program *program, const char *axis, place_form form);
/* The same, and the program whose strategy is the cheapest plan, proved: place_result_program. */
place_result *place_infer_program(const place_program *program, const char *axis, place_form form);

/* Is a dumped step program right, whoever wrote it? The text as place_check's. */
place_result *place_verify(const place_program *step, place_form form);

/* The text: the program in the standard style. */
place_result *place_format(const place_program *program);

/* Writes and compiles the training program in a directory (docs/codegen.md): files, there and in the kernel cache,
 * and the C compiler as a process, which prints on stderr. The text: the plan. */
place_result *place_build(const place_program *program, const char *directory, place_form form);

/* The text: the page about a diagnostic ("P0303"), or about "compatibility" of placements. */
place_result *place_explain(const char *topic);

/* The stages that can be dumped, and the passes in their order; NULL after the last. */
const char *place_dump_name(size_t index);
const char *place_pass_name(size_t index);

/* The name that was probably meant by a misspelt one, by the rule of the diagnostics; NULL if none is close. */
const char *place_nearest(const char *name, const char *const *names, size_t count);

/* ---- Results: each function takes NULL for lack of memory ----------------------------------------------------- */

/* As the exit statuses of placec. */
typedef enum place_status {
    PLACE_GOOD = 0,   /* the request was met; for a program: it was proved right */
    PLACE_ERRORS = 1, /* the program is wrong, as the diagnostics say */
    PLACE_FAILED = 2, /* not the program's fault: no memory, a file that cannot be written (place_result_failure) */
    PLACE_FAULT = 3,  /* a fault of the compiler, to be reported: place_result_failure or a diagnostic has it */
    PLACE_MISUSE = 64 /* the request means nothing: an unknown stage, pass or topic (place_result_failure) */
} place_status;

place_status place_result_status(const place_result *result);

/* The answer; NULL if there is none. Its length in bytes goes to *length unless that is NULL. */
const char *place_result_text(const place_result *result, size_t *length);

/* After place_search: the whole program with the strategy that was found, in the standard style; NULL if none was.
 * After place_infer_program: the program with another strategy. */
const char *place_result_program(const place_result *result, size_t *length);

/* The same as a lock: as the file of the program's name with `.lock` at its end, it stands for the `search over` of the
 * program. NULL if nothing was found, or the program does not say `search over`. */
const char *place_result_lock(const place_result *result, size_t *length);

/* What went wrong apart from the program, in a sentence without a full stop; NULL: nothing. */
const char *place_result_failure(const place_result *result);

/* What was proved; false and "" if nothing was. */
typedef struct place_verdict {
    bool gradient_integrity; /* every update reads the gradient that one device would compute */
    bool state_consistency;  /* so is every persistent state, on every rank, before and after every step */
    const char *contract;    /* "exact", or the relaxation that the program declares */
} place_verdict;

place_verdict place_result_verdict(const place_result *result);

/* Per device and training step, on the rank with most; bytes are exact (docs/plan.md). */
typedef struct place_cost {
    int64_t devices, parameters; /* of the whole model */
    int64_t memory_bytes;        /* on the device */
    int64_t sent_bytes;
    double flops;
} place_cost;

/* False if there is no plan. */
bool place_result_cost(const place_result *result, place_cost *cost);

/* All diagnostics as placec prints them: errors up to a limit (text and colour), or one JSON document. The text is made
 * by each call; NULL if there is no memory for it. */
const char *place_result_messages(place_result *result, place_form form, int error_limit);

void place_result_free(place_result *result);

/* ---- Diagnostics -------------------------------------------------------------------------------------------- */

/* Lines and columns count from 1, a column is one character; offsets are bytes, the end is not included. */
typedef struct place_span {
    const char *file; /* as named by the program or an import; NULL: no position */
    int line, column, end_line, end_column;
    size_t start, end;
} place_span;

typedef struct place_label {
    const char *text;
    place_span at;
} place_label;

typedef struct place_edit {
    place_span at;
    const char *replacement;
} place_edit;

/* PLACE_HELP with edits is a change of the text that was tried: */
typedef enum place_trial {
    PLACE_UNTRIED,  /* words only, or no edits */
    PLACE_MAYBE,    /* the error is gone, and others that it hid are seen */
    PLACE_ACCEPTED, /* the error is gone, and no other came */
    PLACE_PROVED    /* the whole program is right */
} place_trial;

typedef enum place_remark_kind { PLACE_WHY, PLACE_COUNTER_EXAMPLE, PLACE_HELP, PLACE_NOTE } place_remark_kind;

typedef struct place_remark {
    place_remark_kind kind;
    const char *text; /* a sentence; of a counter-example a table */
    place_trial trial;
    const place_edit *edits; /* to be made together, in the order of the text */
    size_t edit_count;
} place_remark;

/* PLACE_PERF: the program is right and wastes something. */
typedef enum place_severity { PLACE_ERROR, PLACE_INTERNAL_ERROR, PLACE_WARNING, PLACE_PERF } place_severity;

typedef struct place_diagnostic {
    const char *code; /* "P0303" */
    place_severity severity;
    const char *message;
    place_span at;
    const char *label; /* the text under its carets; NULL: none */
    const place_label *labels;
    size_t label_count;
    const place_remark *remarks;
    size_t remark_count;
} place_diagnostic;

/* By position. */
size_t place_result_diagnostic_count(const place_result *result);
/* NULL if there are not so many. */
const place_diagnostic *place_result_diagnostic(const place_result *result, size_t index);

#ifdef __cplusplus
}
#endif

#endif
