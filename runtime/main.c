/* main.c - a run from start to end, and what happens between steps. */
#include "runtime/checkpoint.h"
#include "runtime/data.h"
#include "runtime/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/* Vanishing gradients become denormal numbers, which are many times slower on most processors: they count as zero. */
static void flush_denormals(void)
{
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

/* For use before the ranks know each other: the launcher's first process, or a process without a launcher. */
static bool is_first(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++)
        if (getenv(ranks[i]) != NULL && strcmp(getenv(ranks[i]), "0") != 0)
            return false;
    return true;
}

/* An error before the ranks know each other: the first process reports it. */
static int refuse_to_start(const prt_program *program, int status, const char *message)
{
    if (!is_first()) {
        sleep(10);
        return status;
    }
    fprintf(stderr, "%s: error: %s\n", program->name, message);
    return status;
}

static void take_coordinates(prt_run *run)
{
    prt_context *ctx = &run->ctx;
    const prt_program *program = run->program;
    int64_t rest = ctx->rank;
    for (int axis = program->axis_count - 1; axis >= 0; axis--) {
        ctx->axis_size[axis] = program->axes[axis].size;
        ctx->coordinate[axis] = rest % program->axes[axis].size;
        rest /= program->axes[axis].size;
    }
}

/* Bytes of a row of gradients on this rank. */
static size_t gradient_bytes(const prt_state *row)
{
    return (size_t)(row->slots * row->slot_bytes);
}

/* --continue, and any rank sees something to continue from. */
static bool should_continue(const prt_run *run)
{
    int64_t found = run->options.proceed && prt_checkpoint_exists(run->options.checkpoint);
    run->comm->maximum(run->comm, &found, 1);
    return found != 0;
}

/* Prepares everything a run needs except its states. */
static void start(prt_run *run)
{
    const prt_program *program = run->program;
    char message[512] = "";
    take_coordinates(run);
    prt_error_watch(run);
    prt_peers_meet(run);
    prt_cores_bind(run);
    if (!run->device->prepare(program->compute_dtype, (int)run->options.threads, message, sizeof message))
        prt_stop(run, PRT_WORLD, "cannot load the library for matrix products: %s", message);
    prt_comm_start(run);
    prt_watchdog_start(run);
    prt_data_open(run);
    run->gradients = prt_allocate(run, (size_t)program->gradient_count, sizeof *run->gradients);
    for (int i = 0; i < program->gradient_count && run->options.save_gradients != NULL; i++)
        run->gradients[i] = prt_allocate(run, gradient_bytes(&program->gradients[i]), 1);
    run->reports = prt_allocate(run, (size_t)prt_copies(program), sizeof *run->reports);
    flush_denormals();
    run->before = prt_process_measure(run);
    prt_arena_reserve(run);
    program->init(&run->ctx);
    run->ctx.at = 0;
    if (should_continue(run)) {
        run->options.resume = run->options.checkpoint;
        run->options.resume_copy = -1; /* of the file that the user named */
    }
    if (run->options.resume != NULL)
        prt_checkpoint_resume(run);
}

static void finish(prt_run *run, int status)
{
    prt_output_finish(run);
    prt_trace_close(run);
    prt_profile_close(run);
    run->comm->barrier(run->comm); /* a rank that left would look gone to one that still ends its last communication */
    for (int i = 0; i < run->program->gradient_count; i++)
        free(run->gradients[i]);
    free(run->gradients);
    free(run->reports);
    int64_t *peers = run->peers; /* the watchdog may be reading them */
    prt_peers_part(run);
    prt_arena_release(run);
    prt_data_close(run);
    prt_error_unwatch();
    prt_comm_finish(run, status);
    free(run->hosts);
    free(peers);
}

static bool is_due(int64_t step, int64_t every)
{
    return every > 0 && step % every == 0;
}

static void begin_step(prt_run *run)
{
    run->results = prt_no_results;
    run->comm->mark_step(run->comm, true);
    run->in_step = true;
    prt_trace_step(run);
}

static void end_step(prt_run *run)
{
    run->in_step = false;
    run->comm->mark_step(run->comm, false);
    run->ctx.at = 0;
    run->ctx.step++;
    run->steps_done++;
}

static void train_step(prt_run *run)
{
    bool last = run->ctx.step + 1 == run->options.steps;
    run->ctx.saving_gradients = run->options.save_gradients != NULL && last;
    if (run->options.save_inputs != NULL && last)
        prt_data_keep_batch(run);
    double began = prt_seconds();
    begin_step(run);
    run->program->step(&run->ctx);
    prt_output_judge(run);
    if (run->program->join != NULL && is_due(run->ctx.step + 1, run->program->join_every)) {
        run->program->join(&run->ctx);
        run->joins_done++;
    }
    end_step(run);
    prt_output_step(run, prt_seconds() - began);
}

/* On rank 0; on others it is their own copy's number. */
static double mean_of_copies(prt_run *run, double number)
{
    int64_t copies = prt_copies(run->program);
    double *numbers = prt_allocate(run, (size_t)copies, sizeof *numbers), sum = 0;
    numbers[0] = number;
    prt_copies_gather(run, &number, sizeof number, numbers);
    for (int64_t i = 0; i < copies; i++)
        sum += numbers[i];
    free(numbers);
    return run->ctx.rank == 0 ? sum / (double)copies : number;
}

static void validate(prt_run *run)
{
    if (run->program->eval == NULL)
        return;
    double sum = 0;
    int64_t batches = run->data->eval_batches;
    prt_results results = run->results;
    run->mode = PRT_EVALUATING;
    for (run->eval_batch = 0; run->eval_batch < batches; run->eval_batch++) {
        run->program->eval(&run->ctx);
        sum += run->results.of_step.loss;
    }
    run->mode = PRT_TRAINING;
    run->results = results;
    run->ctx.at = 0;
    prt_output_validation(run, mean_of_copies(run, sum / (double)batches), batches);
}

static bool should_save(const prt_run *run)
{
    const prt_options *options = &run->options;
    return options->checkpoint != NULL &&
           (run->ctx.step == options->steps || is_due(run->ctx.step, options->checkpoint_every));
}

/* Asked to stop: saves what has not been saved yet. */
static void stop_early(prt_run *run)
{
    const char *directory = run->options.checkpoint;
    long long step = run->ctx.step;
    if (run->steps_done == 0) {
        prt_warn(run, "stopped by a signal before its first step: there is nothing to save");
    } else if (directory == NULL) {
        prt_warn(run, "stopped by a signal after step %lld: nothing was saved (--checkpoint DIR saves in DIR)", step);
    } else {
        if (!should_save(run))
            prt_checkpoint_save(run);
        prt_warn(run, "stopped by a signal after step %lld: saved in '%s' (--resume continues from it)", step,
                 directory);
    }
}

static void save_results(prt_run *run)
{
    const prt_options *options = &run->options;
    if (options->save_states != NULL)
        prt_checkpoint_write(run, PRT_STATES, options->save_states);
    if (options->save_gradients != NULL && run->steps_done > 0)
        prt_checkpoint_write(run, PRT_GRADIENTS, options->save_gradients);
    if (options->save_inputs != NULL && run->steps_done > 0)
        prt_checkpoint_write(run, PRT_INPUTS, options->save_inputs);
}

/* The signal after which no other step begins; 0: none. Over MPI all ranks come to this, and one that does not is as
 * late as in a step. */
static int asked_to_stop(prt_run *run)
{
    atomic_store(&run->call_began, (int64_t)(prt_seconds() * 1000));
    int number = run->comm->stop(run->comm, run->ctx.step + 1, prt_asked_to_stop());
    atomic_store(&run->call_began, 0);
    return number;
}

/* Returns the signal that has stopped it; 0: none. */
static int train(prt_run *run)
{
    const prt_options *options = &run->options;
    int number = 0;
    prt_checkpoint_prepare(run);
    prt_output_start(run);
    prt_trace_open(run);
    prt_profile_open(run);
    while ((number = asked_to_stop(run)) == 0 && run->ctx.step < options->steps) {
        train_step(run);
        if (should_save(run))
            prt_checkpoint_save(run);
        if (run->ctx.step < options->steps && is_due(run->ctx.step, options->eval_every))
            validate(run);
    }
    if (number == 0)
        save_results(run);
    else
        stop_early(run);
    return number;
}

/* The same for a model that is served. */
static int serve(prt_run *run)
{
    int number = 0;
    prt_serve_open(run);
    prt_output_start(run);
    prt_trace_open(run);
    prt_serve_prefill(run);
    while ((number = asked_to_stop(run)) == 0 && run->ctx.step < run->options.steps) {
        double began = prt_seconds();
        begin_step(run);
        run->program->step(&run->ctx);
        end_step(run);
        prt_serve_add(run, prt_seconds() - began);
    }
    prt_serve_close(run);
    return number;
}

static int run_program(prt_run *run)
{
    int status = PRT_GOOD;
    start(run);
    int number = run->program->prefill != NULL ? serve(run) : train(run);
    if (number != 0) {
        finish(run, 128 + number);
        return 128 + number;
    }
    validate(run);
    prt_output_tables(run);
    prt_planned_check(run);
    prt_sample(run);
    if (run->options.check_arena) {
        prt_predict_once(run);
        if (!prt_arena_check(run, stdout))
            status = PRT_WRONG;
    }
    finish(run, status);
    return status;
}

/* PLACERT_DEVICE is for tests. NULL: there is no such row. */
static const prt_device *choose_device(void)
{
    static const struct {
        const char *name;
        const prt_device *(*row)(void);
    } rows[] = {{"cpu", prt_device_cpu},
                {"guarded", prt_device_guarded},
                {"compared", prt_device_compared},
                {"timed", prt_device_timed}};
    const char *wanted = getenv("PLACERT_DEVICE");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(wanted != NULL ? wanted : "cpu", rows[i].name) == 0)
            return rows[i].row();
    return NULL;
}

int prt_main(int argc, char **argv, const prt_program *program)
{
    static prt_run run;
    char message[1024] = "", usage[1024] = "";
    if (program->format != PRT_FORMAT) {
        snprintf(message, sizeof message, "the program has format %d, libplacert.a %d: build the program again",
                 program->format, PRT_FORMAT);
        return refuse_to_start(program, PRT_WORLD, message);
    }
    bool good = prt_options_read(&run.options, program, argc, argv, usage, sizeof usage);
    if (good && run.options.help) {
        if (is_first())
            prt_options_help(program, stdout);
        return PRT_GOOD;
    }
    run.program = program;
    run.device = choose_device();
    if (run.device == NULL)
        return refuse_to_start(
            program, PRT_USAGE,
            "PLACERT_DEVICE names no device: it may be cpu, or for tests guarded, compared or timed");
    if (!good && !prt_under_launcher())
        return refuse_to_start(program, PRT_USAGE, usage);
    if (prt_under_launcher())
        prt_watch_requests(); /* a launcher forwards signals at once */
    run.comm = prt_comm_open(&run, message, sizeof message);
    if (run.comm == NULL)
        return good ? refuse_to_start(program, PRT_WORLD, message) : refuse_to_start(program, PRT_USAGE, usage);
    run.ctx.run = &run;
    run.ctx.rank = run.comm->rank;
    run.ctx.ranks = run.comm->ranks;
    if (!good) /* reported by one rank, which ends the job without a message from the launcher */
        prt_stop(&run, PRT_USAGE, "%s", usage);
    return run_program(&run);
}
