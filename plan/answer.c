/* answer.c - prints a plan: tables for people, JSON for tools. */
#include "plan/plan.h"
#include "step/names.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* "1,234,567" */
static const char *grouped(Arena *arena, int64_t number)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
    Text text = {.arena = arena};
    for (int i = 0; i < length; i++)
        text_add(&text, "%s%c", i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-' ? "," : "", digits[i]);
    return text.data;
}

static const char *axis_names(Arena *arena, const Decls *decls, const PlanCall *call)
{
    Text text = {.arena = arena};
    for (int i = 0; i < call->axis_count; i++)
        text_add(&text, "%s%s", i > 0 ? "," : "", decls->axes.data[call->axis[i]].name);
    return text.data;
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

static void print_header(Arena *arena, const Plan *plan, FILE *out)
{
    fprintf(out, "%s on %s:", plan->decls->name, plan->train->mesh_name);
    for (int i = 0; i < plan->decls->axes.count; i++)
        fprintf(out, "%s %s %lld", i > 0 ? " x" : "", plan->decls->axes.data[i].name,
                (long long)plan->decls->axes.data[i].size);
    fprintf(out, " = %lld device%s, %s parameters\n", (long long)plan->devices, plan->devices == 1 ? "" : "s",
            grouped(arena, plan->parameters));
}

static const char *const where[] = {[TIER_HOST] = "on the host", [TIER_FILE] = "in a file"};

static void print_amount(Arena *arena, const char *what, int64_t bytes, FILE *out)
{
    fprintf(out, "  %-14s %10s %18s B\n", what, str_bytes(arena, bytes), grouped(arena, bytes));
}

static void print_memory(Arena *arena, const Plan *plan, FILE *out)
{
    fprintf(out, "\nmemory per device (rank %lld, the largest)\n", (long long)plan->peak_rank);
    for (int i = 0; i < CATEGORY_COUNT; i++)
        print_amount(arena, category_names[i], plan->category_bytes[i], out);
    print_amount(arena, "padding", plan->padding_bytes, out);
    print_amount(arena, "total", plan->total_bytes, out);
    for (Tier tier = TIER_HOST; tier <= TIER_FILE; tier++)
        if (plan->tier_bytes[tier] > 0)
            print_amount(arena, where[tier], plan->tier_bytes[tier], out);
}

static int at_least(int width, const char *text)
{
    int length = (int)strlen(text);
    return length > width ? length : width;
}

/* "2", or "2 in 100" for calls every 100 steps. */
static const char *calls_text(Arena *arena, const PlanCall *call)
{
    const char *count = grouped(arena, call->count);
    return call->every > 1 ? arena_printf(arena, "%s in %s", count, grouped(arena, call->every)) : count;
}

static void print_traffic(Arena *arena, const Plan *plan, FILE *out)
{
    fprintf(out, "\ntraffic per device and step%s\n",
            plan->ranks_differ ? arena_printf(arena, " (rank %lld, the busiest)", (long long)plan->busiest_rank) : "");
    if (plan->calls.count == 0) {
        fprintf(out, "  none\n");
        return;
    }
    int over = 14, of = 14, calls = 7;
    for (int i = 0; i < plan->calls.count; i++) {
        over = at_least(over, axis_names(arena, plan->decls, &plan->calls.data[i]));
        of = at_least(of, plan->calls.data[i].state);
        calls = at_least(calls, calls_text(arena, &plan->calls.data[i]));
    }
    fprintf(out, "  %-15s %-*s %-*s %*s %12s %12s\n", "operation", over, "over", of, "of", calls, "calls", "payload",
            "sent");
    for (int i = 0; i < plan->calls.count; i++) {
        const PlanCall *call = &plan->calls.data[i];
        fprintf(out, "  %-15s %-*s %-*s %*s %12s %12s\n", op_info[call->op].name, over,
                axis_names(arena, plan->decls, call), of, call->state, calls, calls_text(arena, call),
                str_bytes(arena, call->payload_bytes), str_bytes(arena, call->bytes_per_device));
    }
    fprintf(out, "  %-15s %-*s %-*s %*s %12s %12s\n", "total", over, "", of, "", calls, "", "",
            str_bytes(arena, plan->traffic_bytes_per_device));
}

/* Prints nothing if every buffer is on the device. */
static void print_links(Arena *arena, const Plan *plan, FILE *out)
{
    for (Tier tier = TIER_HOST; tier <= TIER_FILE; tier++) {
        const PlanLink *link = &plan->links[tier];
        if (link->to_device_bytes + link->from_device_bytes > 0)
            fprintf(out, "  %-15s %s to the device, %s back\n", where[tier], str_bytes(arena, link->to_device_bytes),
                    str_bytes(arena, link->from_device_bytes));
    }
}

void plan_print_text(const Plan *plan, const Verdict *verdict, FILE *out)
{
    Arena *arena = arena_new();
    print_header(arena, plan, out);
    print_memory(arena, plan, out);
    print_traffic(arena, plan, out);
    print_links(arena, plan, out);
    fprintf(out, "\nverified: gradient integrity %s, state consistency %s, contract %s\n",
            verdict->gradient_integrity ? "yes" : "no", verdict->state_consistency ? "yes" : "no", verdict->contract);
    arena_free(arena);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

static cJSON *memory_json(const Plan *plan)
{
    cJSON *memory = cJSON_CreateObject();
    cJSON_AddNumberToObject(memory, "peak_rank", (double)plan->peak_rank);
    cJSON *rank = cJSON_AddObjectToObject(memory, "per_device");
    for (int i = 0; i < CATEGORY_COUNT; i++)
        cJSON_AddNumberToObject(rank, category_names[i], (double)plan->category_bytes[i]);
    cJSON_AddNumberToObject(rank, "padding", (double)plan->padding_bytes);
    cJSON_AddNumberToObject(rank, "total", (double)plan->total_bytes);
    cJSON_AddNumberToObject(memory, "host_bytes_per_device", (double)plan->tier_bytes[TIER_HOST]);
    cJSON_AddNumberToObject(memory, "file_bytes_per_device", (double)plan->tier_bytes[TIER_FILE]);
    return memory;
}

static cJSON *traffic_json(Arena *arena, const Plan *plan)
{
    cJSON *rows = cJSON_CreateArray();
    for (int i = 0; i < plan->calls.count; i++) {
        const PlanCall *call = &plan->calls.data[i];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "axis", axis_names(arena, plan->decls, call));
        cJSON_AddStringToObject(row, "op", op_info[call->op].name);
        cJSON_AddStringToObject(row, "state", call->state);
        cJSON_AddNumberToObject(row, "count", (double)call->count);
        if (call->every > 1)
            cJSON_AddNumberToObject(row, "every", (double)call->every);
        cJSON_AddNumberToObject(row, "payload_bytes", (double)call->payload_bytes);
        cJSON_AddNumberToObject(row, "bytes_per_device", (double)call->bytes_per_device);
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

static cJSON *links_json(const Plan *plan)
{
    cJSON *links = cJSON_CreateObject();
    for (Tier tier = TIER_HOST; tier <= TIER_FILE; tier++) {
        cJSON *link = cJSON_AddObjectToObject(links, tier_names[tier]);
        cJSON_AddNumberToObject(link, "to_device_bytes", (double)plan->links[tier].to_device_bytes);
        cJSON_AddNumberToObject(link, "from_device_bytes", (double)plan->links[tier].from_device_bytes);
    }
    return links;
}

static cJSON *verified_json(const Verdict *verdict)
{
    cJSON *verified = cJSON_CreateObject();
    cJSON_AddBoolToObject(verified, "gradient_integrity", verdict->gradient_integrity);
    cJSON_AddBoolToObject(verified, "state_consistency", verdict->state_consistency);
    cJSON_AddStringToObject(verified, "contract", verdict->contract);
    cJSON *assumed = cJSON_AddArrayToObject(verified, "assumed");
    for (int i = 0; i < verdict->assumed.count; i++)
        cJSON_AddItemToArray(assumed, cJSON_CreateString(verdict->assumed.data[i]));
    return verified;
}

char *plan_json(Ctx *ctx, const Plan *plan, const Verdict *verdict)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "format_version", 1);
    cJSON_AddNumberToObject(root, "devices", (double)plan->devices);
    cJSON *mesh = cJSON_AddObjectToObject(root, "mesh");
    for (int i = 0; i < plan->decls->axes.count; i++)
        cJSON_AddNumberToObject(mesh, plan->decls->axes.data[i].name, (double)plan->decls->axes.data[i].size);
    cJSON_AddNumberToObject(root, "parameters", (double)plan->parameters);
    cJSON_AddItemToObject(root, "memory", memory_json(plan));
    cJSON_AddNumberToObject(root, "busiest_rank", (double)plan->busiest_rank);
    cJSON_AddItemToObject(root, "communication", traffic_json(ctx->arena, plan));
    cJSON_AddNumberToObject(root, "communication_bytes_per_device", (double)plan->traffic_bytes_per_device);
    cJSON_AddItemToObject(root, "tiers", links_json(plan));
    cJSON_AddNumberToObject(root, "flops_per_device", plan->flops_per_device);
    cJSON_AddNumberToObject(root, "product_flops_per_device", plan->product_flops_per_device);
    cJSON_AddNullToObject(root, "time");
    cJSON_AddItemToObject(root, "verified", verified_json(verdict));
    char *printed = cJSON_Print(root);
    char *text = arena_printf(ctx->arena, "%s\n", printed);
    free(printed);
    cJSON_Delete(root);
    return text;
}
