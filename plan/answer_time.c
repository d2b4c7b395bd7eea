/* answer_time.c - prints how long a step takes: a table for people, the key "time" for tools (plan/answer.h). */
#include "plan/answer.h"

#include <stdlib.h>
#include <string.h>

static const char *const spent_names[SPENT_COUNT] = {
    [SPENT_PRODUCTS] = "products", [SPENT_VECTOR] = "arithmetic", [SPENT_MEMORY] = "memory",
    [SPENT_LAUNCH] = "launch",     [SPENT_LINK] = "links",        [SPENT_LATENCY] = "latency"};

/* What most of it is spent with. */
static Spent most_spent(const PlanPart *part)
{
    Spent most = 0;
    for (int spent = 1; spent < SPENT_COUNT; spent++)
        if (part->spent[spent] > part->spent[most])
            most = (Spent)spent;
    return most;
}

static void print_parts(Arena *arena, const PlanTime *time, FILE *out)
{
    int width = 14;
    for (int i = 0; i < time->parts.count; i++)
        width = (int)strlen(time->parts.data[i].name) > width ? (int)strlen(time->parts.data[i].name) : width;
    fprintf(out, "  %-*s %9s", width, "part", "time");
    for (int spent = 0; spent < SPENT_COUNT; spent++)
        fprintf(out, " %10s", spent_names[spent]);
    fprintf(out, "  limited by\n");
    for (int i = 0; i < time->parts.count; i++) {
        const PlanPart *part = &time->parts.data[i];
        fprintf(out, "  %-*s %9s", width, part->name, str_seconds(arena, part->seconds));
        for (int spent = 0; spent < SPENT_COUNT; spent++)
            fprintf(out, " %9.0f%%", 100 * part->spent[spent] / part->seconds);
        fprintf(out, "  %s\n", spent_names[most_spent(part)]);
    }
}

static void print_shares(Arena *arena, const PlanTime *time, FILE *out)
{
    const struct {
        const char *name;
        double seconds;
    } shares[] = {{"computing", time->computing}, {"communicating", time->communicating}, {"waiting", time->waiting}};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        fprintf(out, "  %-14s %10s %5.1f%%\n", shares[i].name, str_seconds(arena, shares[i].seconds),
                100 * shares[i].seconds / time->step);
}

static void print_basis(const Plan *plan, FILE *out)
{
    const Cluster *cluster = &plan->train->cluster;
    fprintf(out, "\ntime of a step on %s, %s within a node, %s between nodes\n", cluster->device.name,
            cluster->within.name, cluster->between.name);
}

static double tokens_per_second(const Plan *plan)
{
    return (double)plan->train->batch / plan->time.step;
}

/* Of a model that is served, a step adds a token to every sequence. */
static void print_served(Arena *arena, const Plan *plan, FILE *out)
{
    if (!plan->train->serves)
        return;
    fprintf(out, "  %-14s %10s        the prompts, all at once\n", "prefill", str_seconds(arena, plan->time.prefill));
    fprintf(out, "  %-14s %10.4g        in steps, each of which adds one to every sequence\n", "tokens / s",
            tokens_per_second(plan));
}

void answer_print_time(Arena *arena, const Plan *plan, FILE *out)
{
    const PlanTime *time = &plan->time;
    const char *device = plan->train->cluster.device.name;
    if (time->unknown != NULL) {
        fprintf(out,
                "\ntime of a step on %s: not predicted, because %s is not known\n"
                "  (lines of its cluster may say it; `placec calibrate` writes those of this machine)\n",
                device, time->unknown);
        return;
    }
    print_basis(plan, out);
    print_served(arena, plan, out);
    fprintf(out, "  %-14s %10s        %s .. %s\n", "step", str_seconds(arena, time->step),
            str_seconds(arena, time->low), str_seconds(arena, time->high));
    print_shares(arena, time, out);
    fprintf(out, "  %-14s %9.1f%%        of all devices' products, each of the model's counted once\n", "utilization",
            100 * time->utilization);
    if (time->energy_j > 0)
        fprintf(out, "  %-14s %7.3g kJ        of all devices, each at %g W\n", "energy", time->energy_j / 1e3,
                plan->train->cluster.device.watts);
    if (time->price > 0)
        fprintf(out, "  %-14s %10.3g        of all devices, each for %g an hour\n", "price", time->price,
                3600 * plan->train->cluster.device.price_per_second);
    print_parts(arena, time, out);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

static cJSON *part_json(const PlanPart *part)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "part", part->name);
    cJSON_AddNumberToObject(row, "seconds", part->seconds);
    for (int spent = 0; spent < SPENT_COUNT; spent++)
        cJSON_AddNumberToObject(row, spent_names[spent], part->spent[spent]);
    return row;
}

cJSON *answer_time_json(const Plan *plan)
{
    const PlanTime *time = &plan->time;
    if (time->unknown != NULL)
        return cJSON_CreateNull();
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "step_s", time->step);
    cJSON_AddNumberToObject(root, "low_s", time->low);
    cJSON_AddNumberToObject(root, "high_s", time->high);
    cJSON_AddNumberToObject(root, "compute_s", time->computing);
    cJSON_AddNumberToObject(root, "exposed_communication_s", time->communicating);
    cJSON_AddNumberToObject(root, "bubble_s", time->waiting);
    cJSON_AddNumberToObject(root, "mfu", time->utilization);
    if (plan->train->serves) {
        cJSON_AddNumberToObject(root, "prefill_s", time->prefill);
        cJSON_AddNumberToObject(root, "tokens_per_s", tokens_per_second(plan));
    }
    if (time->energy_j > 0)
        cJSON_AddNumberToObject(root, "energy_j", time->energy_j);
    if (time->price > 0)
        cJSON_AddNumberToObject(root, "price", time->price);
    cJSON *parts = cJSON_AddArrayToObject(root, "parts");
    for (int i = 0; i < time->parts.count; i++)
        cJSON_AddItemToArray(parts, part_json(&time->parts.data[i]));
    return root;
}
