/* comm.c - the communication of emitted programs: the row that connects the ranks, the groups of the mesh, and the
 * calls, each counted from its actual arguments. */
#include "runtime/comm_shared.h"
#include "runtime/launch.h"
#include "runtime/run.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Which row ---------------------------------------------------------------------------------------------- */

/* By the variables that launchers set in the environment of every process. A step of Slurm with one task is no
 * launcher, but a shell in which the program is called (srun --pty), or a place in which it starts its own ranks. */
bool prt_under_launcher(void)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    if (getenv("OMPI_COMM_WORLD_SIZE") != NULL || getenv("MPI_LOCALNRANKS") != NULL)
        return true;
    if (tasks != NULL)
        return strcmp(tasks, "1") != 0;
    return getenv("PMI_SIZE") != NULL || getenv("PMIX_RANK") != NULL;
}

bool prt_under_hydra(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") == NULL && getenv("MPI_LOCALNRANKS") != NULL;
}

bool prt_under_srun(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") == NULL && !prt_under_hydra() && prt_under_launcher() &&
           getenv("SLURM_STEP_NUM_TASKS") != NULL;
}

/* PLACERT_MPI names the library; otherwise the loader finds it, next to the program. MPICH's launchers speak PMI, Open
 * MPI's PMIx. */
static void *load_mpi(char *message, size_t message_bytes)
{
    bool pmi = getenv("PMI_SIZE") != NULL && getenv("PMIX_RANK") == NULL;
    const char *named = getenv("PLACERT_MPI"), *usual = pmi ? "libplacert_mpich.so" : "libplacert_mpi.so";
    void *library = dlopen(named != NULL ? named : usual, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL && named == NULL && pmi)
        library = dlopen("libplacert_mpi.so", RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL)
        snprintf(message, message_bytes, "cannot load MPI: %s", dlerror());
    return library;
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
    return open(PRT_FORMAT, prt_host_mark(), message, message_bytes);
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
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS"), *pmi = getenv("PMI_SIZE");
    if (comm->ranks == 1 && (atoll(tasks != NULL ? tasks : "1") > 1 || atoll(pmi != NULL ? pmi : "1") > 1)) {
        snprintf(message, message_bytes,
                 "%s does not know what the launcher has started: their protocols differ (Open MPI wants 'srun"
                 " --mpi=pmix' or its own mpirun, MPICH 'srun --mpi=pmi2' or its own)",
                 comm->name);
        return NULL;
    }
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

int prt_channels(const prt_program *program)
{
    int channels = 0;
    for (int i = 0; i < program->call_count; i++) {
        const prt_call *call = &program->calls[i];
        if ((call->op == PRT_SEND || call->op == PRT_RECV) && call->channel >= channels)
            channels = call->channel + 1;
    }
    return channels;
}

/* Memory within a host, and the row between hosts. */
static prt_comm *share(const prt_run *run)
{
    prt_comm *inside = prt_shared_open(run->comm, run->program, run->hosts);
    if (inside == NULL)
        return run->comm;
    if (run->host_count == 1)
        return inside;
    return prt_comm_hosts(run->comm, inside, run->program, run->hosts, run->host_count);
}

/* The plan keeps what is between the devices of a node within a node: its ranks must share a host. */
static void check_nodes(prt_run *run)
{
    int64_t node = run->program->node_ranks;
    for (int rank = 0; node > 0 && rank < run->ctx.ranks; rank++) {
        int first = (int)(rank / node * node);
        if (run->hosts[rank] != run->hosts[first])
            prt_stop(run, PRT_WORLD,
                     "the cluster of %s has nodes of %lld devices, but ranks %d and %d, of one node, are on two hosts:"
                     " start a multiple of %lld ranks on each (run.sh --hosts A:%lld,B:%lld)",
                     run->program->file, (long long)node, first, rank, (long long)node, (long long)node,
                     (long long)node);
    }
}

/* A plan is for one layout of ranks over hosts: each node of the cluster is a host, or all are on one. On others a
 * group does within a host what memory does, and between hosts what the call's algorithm does with so many. */
static void note_hosts(const prt_run *run)
{
    int64_t node = run->program->node_ranks, planned = node > 0 ? run->ctx.ranks / node : 1;
    if (run->host_count == planned || run->program->call_count == 0)
        return;
    if (planned == 1)
        prt_warn(run, "note: planned for one host, started on %d: what the plan does through memory goes between hosts",
                 run->host_count);
    else
        prt_warn(
            run,
            "note: planned for %lld hosts of %lld rank%s, started on %d: what is within a host goes through memory",
            (long long)planned, (long long)node, node == 1 ? "" : "s", run->host_count);
}

static void find_algorithms(prt_run *run)
{
    const prt_program *program = run->program;
    run->algorithms = prt_allocate(run, (size_t)program->call_count, sizeof *run->algorithms);
    for (int i = 0; i < program->call_count; i++) {
        const prt_call *call = &program->calls[i];
        run->algorithms[i] = prt_algorithm_of(call->op, call->algorithm);
        if (run->algorithms[i] == NULL)
            prt_stop(run, PRT_WRONG, "%s of %s by '%s' is not known to this runtime: build the program again",
                     prt_collective_name(call->op), call->state, call->algorithm != NULL ? call->algorithm : "");
    }
}

void prt_comm_start(prt_run *run)
{
    const prt_program *program = run->program;
    check_nodes(run);
    find_algorithms(run);
    if (run->ctx.ranks > 1 && !wants_library(run)) {
        note_hosts(run);
        run->comm = share(run);
    }
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

void prt_comm_finish(prt_run *run, int status)
{
    for (int i = 0; i < run->program->group_count; i++)
        if (run->groups[i].group != NULL)
            run->comm->free_group(run->comm, run->groups[i].group);
    free(run->groups);
    free(run->traffic);
    free(run->algorithms);
    free(run->events);
    run->comm->finish(run->comm, status);
}

const char *prt_collective_name(prt_collective op)
{
    switch (op) {
    case PRT_ALL_REDUCE:
        return "all_reduce";
    case PRT_REDUCE_SCATTER:
        return "reduce_scatter";
    case PRT_ALL_GATHER:
        return "all_gather";
    case PRT_ALL_TO_ALL:
        return "all_to_all";
    case PRT_ALL_TO_ALL_FILLED:
        return "all_to_all_filled";
    case PRT_PERMUTE:
        return "permute";
    case PRT_BROADCAST:
        return "broadcast";
    case PRT_HALO:
        return "halo";
    case PRT_HALO_ADD:
        return "halo_add";
    case PRT_SEND:
        return "send";
    case PRT_RECV:
        return "recv";
    }
    abort();
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

/* In profiles, what a rank waits for: the last one of its group, or a message that it has started. */
static const char waiting[] = "wait";

/* For the profile: how long the group waits for its last rank, and from there on the call itself. Between hosts
 * operands must be in the arena, and waiting is part of the call. */
static void time_call(prt_run *run, int index, int64_t bytes)
{
    const prt_call *call = &run->program->calls[index];
    const prt_group_run *group = &run->groups[call->group];
    double began = prt_profile_begin(run);
    int32_t one = 1;
    if (began == 0)
        return;
    if (group->size > 1 && run->host_count == 1 && call->op != PRT_SEND && call->op != PRT_RECV) {
        run->comm->all_reduce(group->group, &one, &one, 1, PRT_I32, PRT_SUM, run->algorithms[index]);
        prt_profile_call(run, began, waiting, 0, group->size);
    }
    run->timed_bytes = bytes;
    run->timed_from = prt_profile_begin(run);
}

static void call_timed(prt_run *run, int index)
{
    const prt_call *call = &run->program->calls[index];
    prt_profile_call(run, run->timed_from, prt_collective_name(call->op), run->timed_bytes,
                     run->groups[call->group].size);
    run->timed_from = 0;
}

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
    atomic_store(&run->call_began, (int64_t)(prt_seconds() * 1000));
    time_call(run, index, payload_elements * prt_dtype_bytes(call->dtype));
    return &run->groups[call->group];
}

/* The event that a call starts; `alone` if it starts none. */
static prt_event *event_of(prt_context *ctx, int index, prt_event *alone)
{
    const prt_call *call = &ctx->run->program->calls[index];
    prt_event *event = call->event >= 0 ? &ctx->run->events[call->event + ctx->slot] : alone;
    ctx->slot = 0;
    if (event->started)
        prt_fail(ctx, "event %d is started again before anything waits for it", call->event);
    *event = (prt_event){.started = true, .source = call->source};
    return event;
}

/* Ends a collective: it is complete, also if it was only to be started. */
static void call_end(prt_context *ctx, int index)
{
    prt_event alone = {0};
    event_of(ctx, index, &alone)->complete = true;
    atomic_store(&ctx->run->call_began, 0);
    call_timed(ctx->run, index);
}

/* A coordinate on the axis of the call's group. */
static int check_peer(prt_context *ctx, const prt_group_run *group, int64_t peer)
{
    if (peer < 0 || peer >= group->size)
        prt_fail(ctx, "a communication with coordinate %lld of %lld", (long long)peer, (long long)group->size);
    return (int)peer;
}

/* An operand and a result that must not share memory. */
static void refuse_overlap(prt_context *ctx, const void *a, int64_t a_bytes, const void *b, int64_t b_bytes)
{
    uintptr_t left = (uintptr_t)a, right = (uintptr_t)b;
    if (left < right + (uintptr_t)b_bytes && right < left + (uintptr_t)a_bytes)
        prt_fail(ctx, "operand and result of a communication overlap in the arena");
}

/* Communication rows are given the processor's addresses. */
static void *reach(const prt_context *ctx, const void *memory)
{
    return ctx->run->device->reach(memory);
}

/* ---- Collectives in which all have the same layout ------------------------------------------------------------ */

void prt_all_reduce(prt_context *ctx, int index, void *out, const void *in, int64_t count)
{
    prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    const prt_group_run *group = call_begin(ctx, index, count);
    int64_t bytes = count * prt_dtype_bytes(call->dtype);
    prt_trace_values(run, index, count, -1, -1);
    if (in != out)
        refuse_overlap(ctx, in, bytes, out, bytes);
    if (group->size == 1)
        run->device->copy(out, in, bytes, call->stream);
    else
        run->comm->all_reduce(group->group, reach(ctx, out), reach(ctx, in), count, call->dtype, call->reduction,
                              run->algorithms[index]);
    call_end(ctx, index);
}

void prt_permute(prt_context *ctx, int index, int64_t from, int64_t to, void *out, const void *in, int64_t count)
{
    prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    const prt_group_run *group = call_begin(ctx, index, count);
    int64_t bytes = count * prt_dtype_bytes(call->dtype);
    int source = check_peer(ctx, group, from), target = check_peer(ctx, group, to);
    prt_trace_values(run, index, count, target, source);
    if (in != out)
        refuse_overlap(ctx, in, bytes, out, bytes);
    if (group->size == 1)
        run->device->copy(out, in, bytes, call->stream);
    else
        run->comm->permute(group->group, source, target, reach(ctx, out), reach(ctx, in), count, call->dtype);
    call_end(ctx, index);
}

void prt_broadcast(prt_context *ctx, int index, int64_t from, void *out, const void *in, int64_t count)
{
    prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    const prt_group_run *group = call_begin(ctx, index, count);
    int64_t bytes = count * prt_dtype_bytes(call->dtype);
    int source = check_peer(ctx, group, from);
    prt_trace_values(run, index, count, -1, source);
    if (in != out)
        refuse_overlap(ctx, in, bytes, out, bytes);
    if (group->size == 1)
        run->device->copy(out, in, bytes, call->stream);
    else
        run->comm->hand_out(group->group, source, reach(ctx, out), reach(ctx, in), count, call->dtype,
                            run->algorithms[index]);
    call_end(ctx, index);
}

/* ---- Collectives between layouts ------------------------------------------------------------------------------ */

typedef void exchange_fn(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in);

/* What a rank has of an all_gather's result is already in its place there. */
static bool is_in_place(const prt_exchange *exchange, const void *out, const void *in)
{
    prt_overlap own = prt_exchange_between(exchange, exchange->place, exchange->place);
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    prt_block block = {0};
    bool is_block = prt_overlap_is_block(&own, &block);
    return is_block && (const char *)in + block.left * bytes == (const char *)out + block.right * bytes;
}

static void refuse_in_place(prt_context *ctx, const prt_exchange *exchange, const void *out, const void *in)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    refuse_overlap(ctx, in, prt_exchange_operand(exchange) * bytes, out, prt_exchange_result(exchange) * bytes);
}

/* Alone, a rank exchanges with itself. */
static void exchange(prt_context *ctx, int index, const prt_exchange *exchange, exchange_fn *together, void *out,
                     const void *in)
{
    const prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    prt_trace_exchange(run, index, exchange);
    prt_view result = prt_view_of(&exchange->own, exchange->into);
    if (!exchange->adds)
        prt_zero_rest(run, &result, exchange->dtype, out, call->stream);
    if (exchange->size > 1) {
        together(run->groups[call->group].group, exchange, reach(ctx, out), reach(ctx, in));
        return;
    }
    prt_exchange_own(exchange, out, in);
}

static prt_exchange exchange_of(const prt_context *ctx, int index, int64_t micro)
{
    prt_place own = prt_place_of(ctx, micro);
    prt_exchange exchange = prt_exchange_of(&own, &ctx->run->program->calls[index]);
    exchange.algorithm = ctx->run->algorithms[index];
    return exchange;
}

void prt_reduce_scatter(prt_context *ctx, int index, int64_t micro, void *out, const void *in)
{
    prt_exchange pieces = exchange_of(ctx, index, micro);
    call_begin(ctx, index, prt_exchange_operand(&pieces));
    refuse_in_place(ctx, &pieces, out, in);
    exchange(ctx, index, &pieces, ctx->run->comm->reduce_scatter, out, in);
    call_end(ctx, index);
}

void prt_all_gather(prt_context *ctx, int index, int64_t micro, void *out, const void *in)
{
    prt_exchange pieces = exchange_of(ctx, index, micro);
    call_begin(ctx, index, prt_exchange_result(&pieces));
    if (!is_in_place(&pieces, out, in))
        refuse_in_place(ctx, &pieces, out, in);
    exchange(ctx, index, &pieces, ctx->run->comm->all_gather, out, in);
    call_end(ctx, index);
}

void prt_all_to_all(prt_context *ctx, int index, int64_t micro, void *out, const void *in)
{
    prt_exchange pieces = exchange_of(ctx, index, micro);
    call_begin(ctx, index, prt_exchange_operand(&pieces));
    refuse_in_place(ctx, &pieces, out, in);
    exchange(ctx, index, &pieces, ctx->run->comm->exchange, out, in);
    call_end(ctx, index);
}

void prt_all_to_all_filled(prt_context *ctx, int index, int64_t micro, void *out, const void *in, const void *before,
                           const void *after, int dims)
{
    prt_exchange pieces = exchange_of(ctx, index, micro);
    refuse_in_place(ctx, &pieces, out, in);
    prt_exchange_filled(&pieces, reach(ctx, before), reach(ctx, after), dims);
    call_begin(ctx, index, prt_exchange_moved(&pieces));
    ctx->run->device->fill(pieces.dtype, out, prt_exchange_result(&pieces), 0, ctx->run->program->calls[index].stream);
    exchange(ctx, index, &pieces, ctx->run->comm->exchange, out, in);
    call_end(ctx, index);
}

void prt_halo(prt_context *ctx, int index, int64_t micro, void *out, const void *in)
{
    prt_exchange edges = exchange_of(ctx, index, micro);
    call_begin(ctx, index, prt_exchange_result(&edges) - prt_exchange_operand(&edges));
    refuse_in_place(ctx, &edges, out, in);
    exchange(ctx, index, &edges, ctx->run->comm->exchange, out, in);
    call_end(ctx, index);
}

void prt_halo_add(prt_context *ctx, int index, int64_t micro, void *out, const void *in)
{
    prt_exchange edges = exchange_of(ctx, index, micro);
    call_begin(ctx, index, prt_exchange_operand(&edges) - prt_exchange_result(&edges));
    refuse_in_place(ctx, &edges, out, in);
    exchange(ctx, index, &edges, ctx->run->comm->exchange_add, out, in);
    call_end(ctx, index);
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

static void complete(prt_context *ctx, prt_event *event)
{
    if (!event->complete)
        ctx->run->comm->wait(ctx->run->comm, event);
    *event = (prt_event){0};
}

static int other_rank(prt_context *ctx, const prt_group_run *group, int64_t peer)
{
    int place = check_peer(ctx, group, peer);
    if (place == group->place)
        prt_fail(ctx, "a message from coordinate %d to itself", place);
    return place;
}

void prt_send(prt_context *ctx, int index, int64_t to, const void *in, int64_t count)
{
    prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    const prt_group_run *group = call_begin(ctx, index, count);
    prt_event alone = {0}, *event = event_of(ctx, index, &alone);
    int target = other_rank(ctx, group, to);
    prt_trace_values(run, index, count, target, -1);
    run->comm->post(group->group, target, call->channel, reach(ctx, in), count, call->dtype, event);
    if (event == &alone)
        complete(ctx, event);
    atomic_store(&run->call_began, 0);
    call_timed(run, index);
}

void prt_receive(prt_context *ctx, int index, int64_t from, void *out, int64_t count)
{
    prt_run *run = ctx->run;
    const prt_call *call = &run->program->calls[index];
    const prt_group_run *group = call_begin(ctx, index, count);
    prt_event alone = {0}, *event = event_of(ctx, index, &alone);
    int source = other_rank(ctx, group, from);
    prt_trace_values(run, index, count, -1, source);
    run->comm->collect(group->group, source, call->channel, reach(ctx, out), count, call->dtype, event);
    if (event == &alone)
        complete(ctx, event);
    atomic_store(&run->call_began, 0);
    call_timed(run, index);
}

/* A message of what was started is where the rank is while it waits. */
void prt_wait(prt_context *ctx, int64_t event, int stream)
{
    prt_run *run = ctx->run;
    prt_event *started = &run->events[event];
    if (!started->started)
        return;
    int at = ctx->at;
    double began = started->complete ? 0 : prt_profile_begin(run);
    if (!started->complete) {
        ctx->at = started->source;
        atomic_store(&run->call_began, (int64_t)(prt_seconds() * 1000));
    }
    complete(ctx, started);
    prt_profile_call(run, began, waiting, 0, 2);
    atomic_store(&run->call_began, 0);
    ctx->at = at;
    run->device->stream_wait(stream, (int)event);
}
