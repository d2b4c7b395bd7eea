/* count_mpi.c - counts what a program really passes to MPI: libplacert_count.so, preloaded (LD_PRELOAD), intercepts MPI
 * through its profiling interface and looks at the arguments of every call between the marks of a step (MPI_Pcontrol 2
 * and 1).
 *
 * At the end every rank writes PLACERT_COUNT.RANK, a JSON object:
 *
 *     { "format_version": 1, "rank": 0, "ranks": 4, "steps": 8,
 *       "calls": [ { "op": "all_gather", "group": 4, "payload_bytes": 824, "count": 16 } ] }
 *
 * One row per operation, size of the communicator and payload (the larger of the bytes this rank sends and receives in
 * a call); `count` is over all steps. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct count_row {
    const char *op;
    int group;
    long long payload_bytes, count;
} count_row;

enum { ROW_LIMIT = 4096 };

static count_row rows[ROW_LIMIT];
static int row_count;
static long long steps, not_counted;
static bool in_step;

static void count(const char *op, MPI_Comm comm, long long payload_bytes)
{
    int group = 0;
    if (!in_step)
        return;
    PMPI_Comm_size(comm, &group);
    for (int i = 0; i < row_count; i++)
        if (rows[i].op == op && rows[i].group == group && rows[i].payload_bytes == payload_bytes) {
            rows[i].count++;
            return;
        }
    if (row_count == ROW_LIMIT)
        not_counted++;
    else
        rows[row_count++] = (count_row){op, group, payload_bytes, 1};
}

static long long bytes_of(long long elements, MPI_Datatype type)
{
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    return elements * bytes;
}

static long long larger(long long a, long long b)
{
    return a > b ? a : b;
}

/* The number of elements in all pieces. */
static long long total(const int *counts, MPI_Comm comm)
{
    long long sum = 0;
    int size = 0;
    PMPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++)
        sum += counts[i];
    return sum;
}

static int group_size(MPI_Comm comm)
{
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

int MPI_Pcontrol(const int level, ...)
{
    steps += level == 2;
    in_step = level == 2;
    return MPI_SUCCESS;
}

static const char all_reduce[] = "all_reduce", reduce_scatter[] = "reduce_scatter", all_gather[] = "all_gather";
static const char broadcast[] = "broadcast", send[] = "send", receive[] = "recv", all_to_all[] = "all_to_all";
static const char reduce[] = "reduce", gather[] = "gather", barrier[] = "barrier", permute[] = "permute";

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    count(all_reduce, comm, bytes_of(n, type));
    return PMPI_Allreduce(in, out, n, type, op, comm);
}

int MPI_Iallreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    count(all_reduce, comm, bytes_of(n, type));
    return PMPI_Iallreduce(in, out, n, type, op, comm, request);
}

int MPI_Reduce_scatter_block(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    count(reduce_scatter, comm, bytes_of((long long)n * group_size(comm), type));
    return PMPI_Reduce_scatter_block(in, out, n, type, op, comm);
}

int MPI_Reduce_scatter(const void *in, void *out, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    count(reduce_scatter, comm, bytes_of(total(counts, comm), type));
    return PMPI_Reduce_scatter(in, out, counts, type, op, comm);
}

int MPI_Ireduce_scatter(const void *in, void *out, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request *request)
{
    count(reduce_scatter, comm, bytes_of(total(counts, comm), type));
    return PMPI_Ireduce_scatter(in, out, counts, type, op, comm, request);
}

int MPI_Allgather(const void *in, int in_n, MPI_Datatype in_type, void *out, int n, MPI_Datatype type, MPI_Comm comm)
{
    count(all_gather, comm, bytes_of((long long)n * group_size(comm), type));
    return PMPI_Allgather(in, in_n, in_type, out, n, type, comm);
}

int MPI_Allgatherv(const void *in, int in_n, MPI_Datatype in_type, void *out, const int counts[], const int starts[],
                   MPI_Datatype type, MPI_Comm comm)
{
    count(all_gather, comm, bytes_of(total(counts, comm), type));
    return PMPI_Allgatherv(in, in_n, in_type, out, counts, starts, type, comm);
}

int MPI_Iallgather(const void *in, int in_n, MPI_Datatype in_type, void *out, int n, MPI_Datatype type, MPI_Comm comm,
                   MPI_Request *request)
{
    count(all_gather, comm, bytes_of((long long)n * group_size(comm), type));
    return PMPI_Iallgather(in, in_n, in_type, out, n, type, comm, request);
}

int MPI_Iallgatherv(const void *in, int in_n, MPI_Datatype in_type, void *out, const int counts[], const int starts[],
                    MPI_Datatype type, MPI_Comm comm, MPI_Request *request)
{
    count(all_gather, comm, bytes_of(total(counts, comm), type));
    return PMPI_Iallgatherv(in, in_n, in_type, out, counts, starts, type, comm, request);
}

int MPI_Alltoall(const void *in, int in_n, MPI_Datatype in_type, void *out, int n, MPI_Datatype type, MPI_Comm comm)
{
    int size = group_size(comm);
    count(all_to_all, comm, larger(bytes_of((long long)in_n * size, in_type), bytes_of((long long)n * size, type)));
    return PMPI_Alltoall(in, in_n, in_type, out, n, type, comm);
}

int MPI_Alltoallv(const void *in, const int in_counts[], const int in_starts[], MPI_Datatype in_type, void *out,
                  const int counts[], const int starts[], MPI_Datatype type, MPI_Comm comm)
{
    count(all_to_all, comm, larger(bytes_of(total(in_counts, comm), in_type), bytes_of(total(counts, comm), type)));
    return PMPI_Alltoallv(in, in_counts, in_starts, in_type, out, counts, starts, type, comm);
}

int MPI_Sendrecv(const void *in, int in_n, MPI_Datatype in_type, int to, int in_tag, void *out, int n,
                 MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    count(permute, comm, larger(bytes_of(in_n, in_type), bytes_of(n, type)));
    return PMPI_Sendrecv(in, in_n, in_type, to, in_tag, out, n, type, from, tag, comm, status);
}

int MPI_Sendrecv_replace(void *data, int n, MPI_Datatype type, int to, int in_tag, int from, int tag, MPI_Comm comm,
                         MPI_Status *status)
{
    count(permute, comm, bytes_of(n, type));
    return PMPI_Sendrecv_replace(data, n, type, to, in_tag, from, tag, comm, status);
}

int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    count(broadcast, comm, bytes_of(n, type));
    return PMPI_Bcast(data, n, type, root, comm);
}

int MPI_Reduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    count(reduce, comm, bytes_of(n, type));
    return PMPI_Reduce(in, out, n, type, op, root, comm);
}

int MPI_Gather(const void *in, int in_n, MPI_Datatype in_type, void *out, int n, MPI_Datatype type, int root,
               MPI_Comm comm)
{
    count(gather, comm, bytes_of(in_n, in_type));
    return PMPI_Gather(in, in_n, in_type, out, n, type, root, comm);
}

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    count(send, comm, bytes_of(n, type));
    return PMPI_Send(data, n, type, to, tag, comm);
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    count(send, comm, bytes_of(n, type));
    return PMPI_Isend(data, n, type, to, tag, comm, request);
}

int MPI_Recv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    count(receive, comm, bytes_of(n, type));
    return PMPI_Recv(data, n, type, from, tag, comm, status);
}

int MPI_Irecv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    count(receive, comm, bytes_of(n, type));
    return PMPI_Irecv(data, n, type, from, tag, comm, request);
}

int MPI_Barrier(MPI_Comm comm)
{
    count(barrier, comm, 0);
    return PMPI_Barrier(comm);
}

static bool write_rows(FILE *out, int rank, int ranks)
{
    fprintf(out, "{\n  \"format_version\": 1, \"rank\": %d, \"ranks\": %d, \"steps\": %lld, \"not_counted\": %lld,\n",
            rank, ranks, steps, not_counted);
    fprintf(out, "  \"calls\": [");
    for (int i = 0; i < row_count; i++)
        fprintf(out, "%s\n    { \"op\": \"%s\", \"group\": %d, \"payload_bytes\": %lld, \"count\": %lld }",
                i > 0 ? "," : "", rows[i].op, rows[i].group, rows[i].payload_bytes, rows[i].count);
    fprintf(out, "\n  ]\n}\n");
    return ferror(out) == 0;
}

int MPI_Finalize(void)
{
    const char *base = getenv("PLACERT_COUNT");
    char path[4096];
    int rank = 0, ranks = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (base != NULL && snprintf(path, sizeof path, "%s.%d", base, rank) < (int)sizeof path) {
        FILE *out = fopen(path, "w");
        if (out == NULL || !write_rows(out, rank, ranks) || fclose(out) != 0)
            fprintf(stderr, "cannot write the counted calls to '%s'\n", path);
    }
    return PMPI_Finalize();
}
