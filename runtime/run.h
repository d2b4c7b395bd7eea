/* run.h - the runtime's own state of a run, and what its files need from each other. Emitted programs never see it. */
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
    const char *data, *labels, *resume, *checkpoint, *log, *save_states, *save_gradients, *save_inputs, *collectives;
    const char *offload; /* the directory of the file tier */
    const char *trace;   /* of communications; every rank appends its number */
    const char *profile; /* the same */
    int64_t checkpoint_every;
    int64_t resume_copy; /* -1: not said */
    uint64_t seed;
    bool proceed; /* --continue */
    bool check_arena, quiet, help;
} prt_options;

/* Starts from the program's defaults. Returns false and a message if the command line is wrong. */
bool prt_options_read(prt_options *options, const prt_program *program, int argc, char **argv, char *message,
                      size_t message_bytes);
void prt_options_help(const prt_program *program, FILE *out);

/* ---- The run ------------------------------------------------------------------------------------------------ */

typedef enum prt_mode { PRT_TRAINING, PRT_EVALUATING, PRT_PREDICTING, PRT_SERVING } prt_mode;

typedef struct prt_group_run {
    prt_comm_group *group;
    int64_t size, place;
} prt_group_run;

/* What a call really moved, over all steps. */
typedef struct prt_traffic {
    int64_t calls, payload_bytes;
} prt_traffic;

/* What a copy of the one device reports of a step, or all of them together; NaN if there was none. */
typedef struct prt_report {
    double loss, gradient_norm, learning_rate, finite, loss_scale;
    int64_t skipped; /* steps of this run so far */
} prt_report;

/* A step's outputs. */
typedef struct prt_results {
    prt_report of_step;
    const char *wrong; /* the first output that is not finite, and the source row that it is from; or NULL */
    double wrong_value;
    int wrong_at;
} prt_results;

extern const prt_results prt_no_results;

/* The bytes of this process by what they are used for, from /proc/self/smaps. */
typedef struct prt_process {
    int64_t total, arena, files, heap, other;
    int64_t workspace; /* runtime/workspace.h */
    int64_t peers;     /* other ranks' arenas that were read or written here; theirs, so not in the total */
} prt_process;

typedef struct prt_data prt_data;
typedef struct prt_sampler prt_sampler;
typedef struct prt_sequences prt_sequences;
typedef struct prt_profile prt_profile;

typedef struct prt_run {
    prt_context ctx;
    const prt_program *program;
    prt_options options;
    const prt_device *device;
    prt_comm *comm;

    prt_group_run *groups;
    prt_event *events;
    prt_traffic *traffic;             /* per call of the program */
    const prt_algorithm **algorithms; /* the same */
    prt_link links[PRT_TIERS];        /* copied between tiers, over all steps */
    int file;                         /* the file tier's */
    int64_t file_bytes;               /* 0: there is none */
    prt_mode mode;
    bool in_step;
    int64_t steps_done, steps_skipped, joins_done; /* in this process */

    prt_results results;
    prt_report *reports; /* of every copy, on rank 0 */
    prt_data *data;
    int64_t eval_batch; /* the current batch of the held-out part */
    prt_sampler *sampler;
    prt_sequences *sequences; /* of a model that is served */
    prt_profile *profile;     /* NULL: none is wanted */
    double timed_from;        /* the communication in progress; 0: none is timed */
    int64_t timed_bytes;      /* its payload */

    unsigned char **inputs; /* per input: the last step's batch, if it is to be saved */
    prt_state *input_rows;  /* describe these batches, which every rank has whole */
    prt_layout *input_layouts;
    unsigned char **gradients; /* per row of program->gradients: kept by prt_save_gradient */
    prt_process before;        /* measured when only the arenas were missing */
    FILE *log, *trace;
    double started, measured_at; /* seconds, monotonic */
    int64_t measured_bytes;      /* of the process, at that time */

    _Atomic int64_t call_began; /* monotonic milliseconds; 0 if no communication is in progress */
    int *hosts;                 /* per rank, numbered as they first appear */
    int host_count;
    int64_t *peers; /* per rank: its process if that is another one on this host; else 0 */
} prt_run;

/* ---- error.c ------------------------------------------------------------------------------------------------ */

/* Sets the run whose state messages name. Also installs the handlers of fatal signals. */
void prt_error_watch(prt_run *run);
/* The message about a rank whose process was killed. */
void prt_gone_text(int rank, char *text, size_t bytes);
/* Starts a thread that ends the job when a communication takes longer than the option allows. */
void prt_watchdog_start(prt_run *run);
/* Signals of less than so many seconds are one request: a job that is cancelled gets several. */
#define PRT_ONE_REQUEST 1.0
/* The signal that has asked this rank to stop after its step; 0: none. */
int prt_asked_to_stop(void);
/* Answers requests to stop; part of prt_error_watch. Under a launcher also called before the ranks know each other. */
void prt_watch_requests(void);
/* From here on SIGTERM ends the process without a message. */
void prt_error_unwatch(void);
/* For what all ranks find alike: rank 0 reports it. */
_Noreturn void prt_stop(prt_run *run, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Ends the job if any rank has a message (not ""); the lowest such rank prints it. Called by all ranks together. */
void prt_agree(prt_run *run, int status, const char *message);
/* Prints a line on stderr from rank 0. */
void prt_warn(const prt_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
double prt_seconds(void);
/* Sleeps on when a signal arrives. */
void prt_sleep(int seconds);
/* calloc that ends the job if there is no memory. Only for start and end, never in a step. */
void *prt_allocate(prt_run *run, size_t count, size_t bytes);

/* ---- peers.c ------------------------------------------------------------------------------------------------ */

/* Positive, and different on every host unless by coincidence. */
int64_t prt_host_mark(void);
/* Exchanges the hosts and process ids of all ranks. */
void prt_peers_meet(prt_run *run);
/* From here on the others may end. */
void prt_peers_part(prt_run *run);
/* A rank on this host whose process has ended; -1 if none is known. */
int prt_peers_gone(const prt_run *run);
/* Has another rank on this host run since the last call, or is it waiting for a device? True if that is unknown. */
bool prt_peers_move(const prt_run *run, int rank);
/* Is this the lowest rank left on this host, which reports what all ranks find? */
bool prt_peers_speak(const prt_run *run);
/* Tells the others on this host (SIGUSR1) that the cause has been reported. */
void prt_peers_hush(const prt_run *run);

/* ---- trace.c ------------------------------------------------------------------------------------------------ */

/* Of all ranks together, or not at all. Without --trace these do nothing. */
void prt_trace_open(prt_run *run);
void prt_trace_close(prt_run *run);
/* Begins the step after those that are done. */
void prt_trace_step(const prt_run *run);
/* A communication of so many elements of one layout, to and from places in its group; -1: it has none. */
void prt_trace_values(const prt_run *run, int index, int64_t count, int64_t to, int64_t from);
/* One between layouts. */
void prt_trace_exchange(const prt_run *run, int index, const prt_exchange *exchange);

/* ---- profile.c ---------------------------------------------------------------------------------------------- */

/* Of all ranks together, or not at all. */
void prt_profile_open(prt_run *run);
void prt_profile_close(prt_run *run);
/* When a call begins, for its end; 0: it is not timed, and ends without effect. */
double prt_profile_begin(const prt_run *run);
void prt_profile_kernel(prt_run *run, double began, const prt_kernel *kernel, const prt_arguments *arguments);
void prt_profile_product(prt_run *run, double began, prt_dtype dtype, const prt_gemm_shape *shape);
/* Whatever else: "slice", "all_reduce" over so many ranks. */
void prt_profile_call(prt_run *run, double began, const char *name, int64_t bytes, int64_t ranks);

/* ---- cores.c ------------------------------------------------------------------------------------------------- */

/* Gives each rank of a host processors of its own, if there are enough. Called by all ranks together. */
void prt_cores_bind(prt_run *run);

/* ---- arena.c ------------------------------------------------------------------------------------------------ */

void prt_arena_reserve(prt_run *run);
void prt_arena_release(prt_run *run);
/* Was every planned byte written on some rank, and none outside on any? Prints what was not. */
bool prt_arena_check(prt_run *run, FILE *out);
prt_process prt_process_measure(const prt_run *run);

/* ---- tiers.c ------------------------------------------------------------------------------------------------ */

/* All ranks call it together. */
void prt_file_reserve(prt_run *run, int64_t bytes);
void prt_file_release(prt_run *run);
/* Between any place in an arena and memory of the runtime. */
void prt_fetch(prt_run *run, void *memory, const void *at, int64_t bytes);
void prt_store(prt_run *run, void *at, const void *memory, int64_t bytes);

/* ---- ops.c -------------------------------------------------------------------------------------------------- */

/* The elements of an overlap from the left array into the right one. */
void prt_move(const prt_run *run, const prt_overlap *overlap, prt_dtype dtype, void *right, const void *left,
              int stream);
/* Zeros in what a view has room for and no elements: padding, and outside the whole. Comes before elements are put
 * there. */
void prt_zero_rest(const prt_run *run, const prt_view *view, prt_dtype dtype, void *array, int stream);

/* ---- comm.c ------------------------------------------------------------------------------------------------- */

/* Chooses the row, and sets rank and ranks; NULL and a message if that is impossible. Where the program starts its own
 * ranks, it returns in each of them. */
prt_comm *prt_comm_open(const prt_run *run, char *message, size_t message_bytes);
/* Has a launcher started this process (mpirun, srun)? */
bool prt_under_launcher(void);
/* Has srun, or the mpirun of MPICH? They signal in ways of their own (error.c). */
bool prt_under_srun(void);
bool prt_under_hydra(void);
void prt_comm_start(prt_run *run);
void prt_comm_finish(prt_run *run, int status);

/* ---- copies.c ----------------------------------------------------------------------------------------------- */

/* Is this the first rank of its copy, which reports what all ranks of the copy find? */
bool prt_copies_speak(const prt_run *run);
/* All ranks call it together; rank 0 gets what the first rank of every copy has, one copy after another. */
void prt_copies_gather(prt_run *run, const void *own, int64_t bytes, void *all);

/* ---- planned.c ---------------------------------------------------------------------------------------------- */

/* The class of ranks that a rank is of: an index into prt_program.classes. */
int prt_class_of(const prt_run *run, int rank);
const prt_class *prt_class_at(const prt_run *run, int rank);
/* How often this rank is to make the call in a step, or a join. */
int64_t prt_planned_calls(const prt_run *run, const prt_call *call);
/* The memory that the rank's class takes of the arenas that are in memory. */
int64_t prt_planned_arena(const prt_run *run, int rank);
/* What each rank measured of its arenas, by rank; the caller frees it. Called by all ranks together. */
int64_t *prt_gather_arenas(prt_run *run, int64_t measured);
/* Ends the job if any rank has made other calls than its class is planned to make. Called by all ranks together. */
void prt_planned_check(prt_run *run);

/* ---- output.c ----------------------------------------------------------------------------------------------- */

void prt_output_start(prt_run *run);
/* After a step: counts it if it was skipped; otherwise ends the job if an output was not finite. */
void prt_output_judge(prt_run *run);
void prt_output_step(prt_run *run, double seconds);
void prt_output_validation(prt_run *run, double loss, int64_t batches);
void prt_output_saved(prt_run *run, const char *path, int64_t bytes, double seconds);
void prt_output_tables(prt_run *run);
void prt_output_sample(prt_run *run, const unsigned char *text, int64_t prompt, int64_t length);
/* The same where tokens are no bytes: as numbers. */
void prt_output_tokens(prt_run *run, const int32_t *tokens, int64_t prompt, int64_t length);
/* How fast tokens were added. */
void prt_output_served(prt_run *run, double prefill_seconds, double step_seconds);
void prt_output_finish(prt_run *run);

#endif
