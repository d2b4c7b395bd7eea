/* comm.c - the communication of emitted programs: the row that connects the ranks, the groups of the mesh, and the
 * calls, each counted from its actual arguments. */
#include "runtime/launch.h"
#include "runtime/run.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Which row ---------------------------------------------------------------------------------------------- */

/* The variables that launchers set in every process's environment, and where available those with the number of
 * processes. */
bool prt_under_launcher(void)
{
    static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", NULL};
    for (int i = 0; counts[i] != NULL; i++)
        if (getenv(counts[i]) != NULL)
            return true;
    return getenv("PMIX_RANK") != NULL;
}

/* libplacert_mpi.so is named by PLACERT_MPI, or next to the program, or found by the loader. */
static void *load_mpi(char *message, size_t message_bytes)
{
    const char *named = getenv("PLACERT_MPI");
    char neighbour[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", neighbour, sizeof neighbour - 32);
    const char *slash = NULL;
    if (length > 0) {
        neighbour[length] = '\0';
        slash = strrchr(neighbour, '/');
    }
    if (slash != NULL)
        strcpy(neighbour + (slash - neighbour) + 1, "libplacert_mpi.so");
    else
        strcpy(neighbour, "libplacert_mpi.so");
    const char *names[] = {named, neighbour, "libplacert_mpi.so"};
    for (int i = 0; i < 3; i++) {
        if (names[i] == NULL || (i == 1 && access(neighbour, R_OK) != 0))
            continue;
        void *library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
        if (library != NULL)
            return library;
        snprintf(message, message_bytes, "cannot load MPI: %s", dlerror());
        if (i < 2)
            return NULL;
    }
    return NULL;
}

static prt_comm *open_mpi(char *message, size_t message_bytes)
{
    prt_comm_mpi_fn *open;
    void *library = load_mpi(message, message_bytes);
    if (library == NULL)
        return NULL;
    *(void **)&open = dlsym(library, "prt_comm_mpi");
    if (open == NULL) {
        snprintf(message, message_bytes, "libplacert_mpi.so is not of this runtime: %s", dlerror());
        return NULL;
    }
    return open(PRT_FORMAT, message, message_bytes);
}

static int64_t mesh_ranks(const prt_program *program)
{
    int64_t ranks = 1;
    for (int axis = 0; axis < program->axis_count; axis++)
        ranks *= program->axes[axis].size;
    return ranks;
}

/* Preloaded counters see only MPI's calls, so when calls are counted they must go through MPI. */
static bool wants_library(const prt_run *run)
{
    return strcmp(run->options.collectives, "library") == 0 || getenv("PLACERT_COUNT") != NULL;
}

/* The program's own ranks, or the only one. */
static prt_comm *open_here(const prt_run *run, int64_t ranks, char *message, size_t message_bytes)
{
    if (ranks == 1)
        return prt_comm_self();
    if (!wants_library(run))
        return prt_launch_ranks(run->program, ranks, run->options.threads, message, message_bytes);
    snprintf(message, message_bytes,
             "collectives of a library (--collectives library, PLACERT_COUNT) are those of MPI: start it with run.sh or"
             " 'mpirun -np %lld'",
             (long long)ranks);
    return NULL;
}

prt_comm *prt_comm_open(const prt_run *run, char *message, size_t message_bytes)
{
    const prt_program *program = run->program;
    int64_t ranks = mesh_ranks(program);
    if (!prt_under_launcher())
        return open_here(run, ranks, message, message_bytes);
    prt_comm *comm = open_mpi(message, message_bytes);
    if (comm == NULL || comm->ranks == ranks)
        return comm;
    char mesh[256] = "";
    for (int axis = 0; axis < program->axis_count; axis++)
        snprintf(mesh + strlen(mesh), sizeof mesh - strlen(mesh), "%s%s: %lld", axis > 0 ? ", " : "",
                 program->axes[axis].name, (long long)program->axes[axis].size);
    snprintf(message, message_bytes,
             "the mesh { %s } of %s has %lld devices, but %d process%s started: start it with run.sh or"
             " 'mpirun -np %lld', or change the mesh",
             mesh, program->file, (long long)ranks, comm->ranks, comm->ranks == 1 ? " was" : "es were",
             (long long)ranks);
    if (comm->rank != 0)
        sleep(10); /* rank 0 reports it and ends the job */
    return NULL;
}

/* ---- Groups ------------------------------------------------------------------------------------------------- */

/* Ranks that agree on all axes but the group's have the same colour; the place counts the group's axes in order. */
static void make_group(prt_run *run, const prt_group *group, prt_group_run *made)
{
    int64_t colour = 0, place = 0, size = 1;
    const prt_context *ctx = &run->ctx;
    for (int axis = 0; axis < run->program->axis_count; axis++) {
        bool inside = false;
        for (int i = 0; i < group->axis_count; i++)
            inside = inside || group->axis[i] == axis;
        if (!inside)
            colour = colour * ctx->axis_size[axis] + ctx->coordinate[axis];
    }
    for (int i = 0; i < group->axis_count; i++) {
        place = place * ctx->axis_size[group->axis[i]] + ctx->coordinate[group->axis[i]];
        size *= ctx->axis_size[group->axis[i]];
    }
    *made = (prt_group_run){NULL, size, place};
    if (size > 1)
        made->group = run->comm->make_group(run->comm, (int)colour, (int)place);
}

void prt_comm_start(prt_run *run)
{
    const prt_program *program = run->program;
    if (run->ctx.ranks > 1 && !wants_library(run))
        run->comm = prt_comm_share(run->comm, program->arena_bytes[PRT_DEVICE], program->group_count);
    if (run->ctx.ranks > 1 && run->comm->make_group == NULL)
        prt_stop(run, PRT_WORLD,
                 "the ranks cannot map each other's memory (ulimit -v, vm.max_map_count, or a /proc that"
                 " hides processes); run.sh --collectives library goes through MPI");
    run->groups = prt_allocate(run, (size_t)program->group_count, sizeof *run->groups);
    run->traffic = prt_allocate(run, (size_t)program->call_count, sizeof *run->traffic);
    run->events = prt_allocate(run, (size_t)program->event_count, sizeof *run->events);
    for (int i = 0; i < program->group_count; i++)
        make_group(run, &program->groups[i], &run->groups[i]);
}

void prt_comm_finish(prt_run *run)
{
    for (int i = 0; i < run->program->group_count; i++)
        if (run->groups[i].group != NULL)
            run->comm->free_group(run->comm, run->groups[i].group);
    free(run->groups);
    free(run->traffic);
    free(run->events);
    run->comm->finish(run->comm);
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

/* Begins every call: records the position, for messages and the watchdog, and counts. */
static const prt_group_run *call_begin(prt_context *ctx, int index, int64_t payload_elements)
{
    prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    ctx->at = call->source;
    if (run->in_step) {
        run->traffic[index].calls++;
        run->traffic[index].payload_bytes += payload_elements * prt_dtype_bytes(call->dtype);
    }
    if (call->dtype == PRT_BF16)
        prt_fail(ctx, "numbers of type bf16 cannot be communicated yet");
    atomic_store(&run->call_began, (int64_t)(prt_seconds() * 1000));
    return &run->groups[call->group];
}

static void call_end(prt_context *ctx)
{
    atomic_store(&ctx->run->call_began, 0);
}

static prt_event *event_of(prt_context *ctx, int index)
{
    int event = ctx->run->program->calls[index].event;
    if (event < 0)
        return NULL;
    ctx->run->events[event].started = true;
    return &ctx->run->events[event];
}

/* There must be one piece per rank of the group; otherwise the program and its tables do not match. */
static void check_pieces(prt_context *ctx, prt_pieces pieces, const prt_group_run *group)
{
    int64_t count = 1;
    for (int cut = 0; cut < PRT_MAX_CUTS && pieces.parts[cut] > 0; cut++)
        count *= pieces.parts[cut];
    if (!pieces.flat && count != group->size)
        prt_fail(ctx, "a communication between %lld ranks has %lld pieces", (long long)group->size, (long long)count);
}

/* The last, smaller piece has room for ceil(length / count) elements: zeroes the rest of that room. */
static void zero_padding(prt_context *ctx, void *out, prt_pieces pieces, const prt_group_run *group, prt_dtype dtype)
{
    int64_t room = (pieces.length + group->size - 1) / group->size, bytes = prt_dtype_bytes(dtype);
    int64_t extent = prt_piece(pieces, group->size, group->place).extent;
    if (pieces.flat && extent < room)
        ctx->run->device->fill(dtype, (char *)out + extent * bytes, room - extent, 0, 0);
}

/* An operand and a result that must not share memory. */
static void refuse_overlap(prt_context *ctx, const void *a, int64_t a_bytes, const void *b, int64_t b_bytes)
{
    uintptr_t left = (uintptr_t)a, right = (uintptr_t)b;
    if (left < right + (uintptr_t)b_bytes && right < left + (uintptr_t)a_bytes)
        prt_fail(ctx, "operand and result of a communication overlap in the arena");
}

void prt_all_reduce(prt_context *ctx, int index, void *out, const void *in, int64_t count)
{
    prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    const prt_group_run *group = call_begin(ctx, index, count);
    prt_event *event = event_of(ctx, index);
    if (in != out)
        refuse_overlap(ctx, in, count * prt_dtype_bytes(call->dtype), out, count * prt_dtype_bytes(call->dtype));
    if (group->size == 1)
        run->device->copy(out, in, count * prt_dtype_bytes(call->dtype), call->stream);
    else
        run->comm->all_reduce(group->group, out, in, count, call->dtype, call->reduction, event);
    call_end(ctx);
}

void prt_reduce_scatter(prt_context *ctx, int index, void *out, const void *in, prt_pieces pieces)
{
    prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    int64_t whole = pieces.length * pieces.inner;
    const prt_group_run *group = call_begin(ctx, index, whole);
    check_pieces(ctx, pieces, group);
    prt_event *event = event_of(ctx, index);
    int64_t piece = prt_piece(pieces, group->size, group->place).extent;
    refuse_overlap(ctx, in, whole * prt_dtype_bytes(call->dtype), out, piece * prt_dtype_bytes(call->dtype));
    if (group->size == 1)
        run->device->copy(out, in, whole * prt_dtype_bytes(call->dtype), call->stream);
    else
        run->comm->reduce_scatter(group->group, out, in, pieces, call->dtype, call->reduction, event);
    zero_padding(ctx, out, pieces, group, call->dtype);
    call_end(ctx);
}

void prt_all_gather(prt_context *ctx, int index, void *out, const void *in, prt_pieces pieces)
{
    prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    int64_t whole = pieces.length * pieces.inner;
    const prt_group_run *group = call_begin(ctx, index, whole);
    check_pieces(ctx, pieces, group);
    prt_event *event = event_of(ctx, index);
    int64_t bytes = prt_dtype_bytes(call->dtype);
    prt_range piece = prt_piece(pieces, group->size, group->place);
    if (in != (const char *)out + piece.start * bytes)
        refuse_overlap(ctx, in, piece.extent * bytes, out, whole * bytes);
    if (group->size == 1)
        run->device->copy(out, in, whole * bytes, call->stream);
    else
        run->comm->all_gather(group->group, out, in, pieces, call->dtype, event);
    call_end(ctx);
}

void prt_wait(prt_context *ctx, int event, int stream)
{
    prt_run *run = ctx->run;
    prt_event *started = &run->events[event];
    if (!started->started)
        prt_fail(ctx, "event %d is waited for but was never started", event);
    if (!started->complete)
        run->comm->wait(run->comm, started);
    started->complete = false;
    run->device->stream_wait(stream, event);
    started->started = false;
}
