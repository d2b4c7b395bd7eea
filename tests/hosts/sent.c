/* sent.c - preloaded, counts what a rank sends by MPI to others: at its end it writes messages and bytes to
 * $SENT.RANK. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long long messages, bytes;

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    int width;
    PMPI_Type_size(type, &width);
    messages++;
    bytes += (long long)count * width;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Finalize(void)
{
    char path[4096];
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s.%d", getenv("SENT"), rank);
    FILE *out = fopen(path, "w");
    if (out == NULL || fprintf(out, "%lld %lld\n", messages, bytes) < 0 || fclose(out) != 0)
        fprintf(stderr, "cannot write '%s'\n", path);
    return PMPI_Finalize();
}
