/* algorithms.c - how long the plan says that a collective takes between hosts of one rank, by each algorithm that there
 * is for it. A line is the algorithm, its seconds, and "chosen" if the plan would take it:
 *
 *     algorithms HOSTS MBIT_PER_SECOND LATENCY_US CALL BYTES
 */
#include "plan/cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    Collective op;
    const char *name;
    bool shared;
} rows[] = {
#define ALGORITHM(id, way, name, cost, run) {COLLECTIVE_##id, name, #way[0] == 'H'},
#include "base/algorithm.def"
#undef ALGORITHM
};

int main(int argc, char **argv)
{
    static const Link memory = {.name = "memory", .bytes_per_second = 1e10, .reached = 1, .shared = true};
    Device processor;
    Link wire;
    if (argc != 6 || !hardware_device("cpu", &processor) || !hardware_link(&processor, "ethernet", &wire))
        return 64;
    int64_t hosts = atoll(argv[1]);
    wire.bytes_per_second = atof(argv[2]) * 1e6 / 8;
    wire.latency_seconds = atof(argv[3]) * 1e-6;
    CostGroup group = {hosts, 1, hosts, &memory, &wire};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].shared || strcmp(op_info[rows[i].op].name, argv[4]) != 0)
            continue;
        double bytes = atof(argv[5]);
        OpCost cost = cost_collective_by(rows[i].op, bytes, &group, rows[i].name);
        bool chosen = strcmp(cost_collective(rows[i].op, bytes, &group).algorithm, rows[i].name) == 0;
        printf("%s %.9f%s\n", rows[i].name, cost.seconds, chosen ? " chosen" : "");
    }
    return 0;
}
