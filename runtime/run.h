/* run.h - the runtime's own state of one run, and what its files ask of each other. Emitted programs do not see it. */
#ifndef PRT_RUN_H
#define PRT_RUN_H

#include "runtime/comm.h"
#include "runtime/device.h"
#include "runtime/place_rt.h"
#include <stdatomic.h>
#include <stdio.h>

/* Exit statuses. */
enum { PRT_GOOD = 0, PRT_WRONG = 1, PRT_WORLD = 2, PRT_USAGE = 64 };

/* ---- Command line (options.c) ------------------------------------------------------------------------------- */

typedef struct prt_options {
    int64_t steps, eval_every, sample, threads, timeout;
    const char *data, *resume, *checkpoint, *log, *save_states, *save_gradients, *save_inputs, *collectives;
    int64_t checkpoint_every;
    uint64_t seed;
    bool check_arena, quiet, help;
} prt_options;

/* Starts from the program's defaults. False and a message where the command line is wrong. */
bool prt_options_read(prt_options *options, const prt_program *program, int argc, char **argv, char *message,
                      size_t message_bytes);
void prt_options_help(const prt_program *program, FILE *out);

/* ---- The run ------------------------------------------------------------------------------------------------ */

typedef enum prt_mode { PRT_TRAINING, PRT_EVALUATING, PRT_PREDICTING } prt_mode;

typedef struct prt_group_run {
    prt_comm_group *group;
    int64_t size, place;
} prt_group_run;

/* What a call really did, over all steps. */
typedef struct prt_traffic {
    int64_t calls, payload_bytes;
} prt_traffic;

/* What a step handed out; NaN where it did not. */
typedef struct prt_results {
    double loss, gradient_norm, learning_rate;
} prt_results;

/* Bytes of this process by where they are, of /proc/self/smaps. */
typedef struct prt_process {
    int64_t total, arena, files, heap, other;
    int64_t peers; /* arenas of other ranks that were read or written here; theirs, so not in the total */
} prt_process;

typedef struct prt_data prt_data;
typedef struct prt_sampler prt_sampler;

typedef struct prt_run {
    prt_context ctx;
    const prt_program *program;
    prt_options options;
    const prt_device *device;
    prt_comm *comm;

    prt_group_run *groups;
    prt_event *events;
    prt_traffic *traffic; /* per call of the program */
    prt_mode mode;
    bool in_step;
    int64_t steps_done; /* in this process */

    prt_results results;
    prt_data *data;
    int64_t eval_batch; /* which batch of the held-out part is read */
    prt_sampler *sampler;

    unsigned char **inputs;    /* per input: the batch of the last step, where it is to be saved */
    prt_state *input_rows;     /* as whole values of rank 0 */
    unsigned char **gradients; /* per row of program->gradients: what prt_save_gradient kept */
    prt_process before;        /* when only the arenas were missing */
    FILE *log;
    double started, measured_at; /* seconds, monotonic */
    int64_t measured_bytes;      /* of the process, at that time */

    _Atomic int64_t call_began; /* monotonic milliseconds, 0 where no communication is under way */
    int64_t *peers;             /* per rank: its process, where it is another one of this host; else 0 */
} prt_run;

/* ---- error.c ------------------------------------------------------------------------------------------------ */

/* The run whose state messages name. Also installs the handlers of fatal signals. */
void prt_error_watch(prt_run *run);
/* A thread that ends the job when a communication takes longer than the option allows. */
void prt_watchdog_start(prt_run *run);
/* Something all ranks find alike: rank 0 says it. */
_Noreturn void prt_stop(prt_run *run, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Ends the job if some rank has a message (not ""); the lowest such rank says it. All ranks call it together. */
void prt_agree(prt_run *run, int status, const char *message);
/* A line on stderr from rank 0. */
void prt_warn(const prt_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
double prt_seconds(void);
/* Not ended by a signal. */
void prt_sleep(int seconds);
/* calloc that ends the job where there is no memory. Only for start and end, never in a step. */
void *prt_allocate(prt_run *run, size_t count, size_t bytes);

/* ---- peers.c ------------------------------------------------------------------------------------------------ */

/* The ranks tell each other which processes they are. */
void prt_peers_meet(prt_run *run);
/* A rank of this host whose process has ended; -1 where none is known. */
int prt_peers_gone(const prt_run *run);
/* Whether this is the lowest rank left on this host: the one that says what all find. */
bool prt_peers_speak(const prt_run *run);
/* Tells the others of this host (SIGUSR1) that the cause has been said. */
void prt_peers_hush(const prt_run *run);

/* ---- arena.c ------------------------------------------------------------------------------------------------ */

void prt_arena_reserve(prt_run *run);
void prt_arena_release(prt_run *run);
/* Whether every planned byte was written on some rank and none outside on any; says what is not so. */
bool prt_arena_check(prt_run *run, FILE *out);
prt_process prt_process_measure(const prt_run *run);

/* ---- comm.c ------------------------------------------------------------------------------------------------- */

/* Chooses the row, and sets rank and ranks; NULL and a message where that is impossible. */
prt_comm *prt_comm_open(const prt_program *program, char *message, size_t message_bytes);
void prt_comm_start(prt_run *run);
void prt_comm_finish(prt_run *run);

/* ---- output.c ----------------------------------------------------------------------------------------------- */

void prt_output_start(prt_run *run);
void prt_output_step(prt_run *run, double seconds);
void prt_output_validation(prt_run *run, double loss, int64_t batches);
void prt_output_saved(prt_run *run, const char *path, int64_t bytes, double seconds);
void prt_output_tables(prt_run *run);
void prt_output_sample(prt_run *run, const unsigned char *text, int64_t prompt, int64_t length);
void prt_output_finish(prt_run *run);

#endif
