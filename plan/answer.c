/* answer.c - prints a plan: tables for people, JSON for tools. */
#include "plan/answer.h"

#include "base/escape.h"
#include "step/names.h"

#include <stdlib.h>
#include <string.h>

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
            str_grouped(arena, plan->parameters));
}

static const char *const where[] = {[TIER_HOST] = "on the host", [TIER_FILE] = "in a file"};

static void print_amount(Arena *arena, const char *what, int64_t bytes, FILE *out)
{
    fprintf(out, "  %-14s %10s %18s B\n", what, str_bytes(arena, bytes), str_grouped(arena, bytes));
}

static void print_memory(Arena *arena, const Plan *plan, FILE *out)
{
    fprintf(out, "\nmemory per device (rank %lld, the largest)\n", (long long)plan->peak_rank);
    for (int i = 0; i < CATEGORY_COUNT; i++)
        if (plan_has(plan, (Category)i))
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
    const char *count = str_grouped(arena, call->count);
    return call->every > 1 ? arena_printf(arena, "%s in %s", count, str_grouped(arena, call->every)) : count;
}

/* What depends on the data is planned as the most that can be sent, and here as what is usual. */
static void print_balanced(Arena *arena, const Plan *plan, FILE *out)
{
    int64_t unsent = 0;
    for (int i = 0; i < plan->calls.count; i++)
        unsent += plan->calls.data[i].bytes_per_device - plan->calls.data[i].balanced_bytes;
    if (unsent > 0)
        fprintf(out, "  at most, with every place of every expert filled; %s if all experts get equally many rows\n",
                str_bytes(arena, plan->traffic_bytes_per_device - unsent));
}

static void print_traffic(Arena *arena, const Plan *plan, FILE *out)
{
    fprintf(out, "\ntraffic per device and step%s\n",
            plan->classes.count > 1 ? arena_printf(arena, " (rank %lld, the busiest)", (long long)plan->busiest_rank)
                                    : "");
    if (plan->calls.count == 0) {
        fprintf(out, "  none\n");
        return;
    }
    int what = 15, over = 14, of = 14, by = 8, calls = 7;
    for (int i = 0; i < plan->calls.count; i++) {
        what = at_least(what, op_info[plan->calls.data[i].op].name);
        over = at_least(over, axis_names(arena, plan->decls, &plan->calls.data[i]));
        of = at_least(of, plan->calls.data[i].state);
        by = at_least(by, plan->calls.data[i].algorithm);
        calls = at_least(calls, calls_text(arena, &plan->calls.data[i]));
    }
    fprintf(out, "  %-*s %-*s %-*s %-*s %*s %12s %12s\n", what, "operation", over, "over", of, "of", by, "by", calls,
            "calls", "payload", "sent");
    for (int i = 0; i < plan->calls.count; i++) {
        const PlanCall *call = &plan->calls.data[i];
        fprintf(out, "  %-*s %-*s %-*s %-*s %*s %12s %12s\n", what, op_info[call->op].name, over,
                axis_names(arena, plan->decls, call), of, call->state, by, call->algorithm, calls,
                calls_text(arena, call), str_bytes(arena, call->payload_bytes),
                str_bytes(arena, call->bytes_per_device));
    }
    fprintf(out, "  %-*s %-*s %-*s %-*s %*s %12s %12s\n", what, "total", over, "", of, "", by, "", calls, "", "",
            str_bytes(arena, plan->traffic_bytes_per_device));
    if (plan->train->serves)
        fprintf(out, "  %-*s %-*s %-*s %-*s %*s %12s %12s\n", what, "prefill", over, "", of, "", by, "", calls, "", "",
                str_bytes(arena, plan->prefill_bytes_per_device));
    print_balanced(arena, plan, out);
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

/* ---- Classes of ranks --------------------------------------------------------------------------------------- */

/* Adds "stage 1..6 " and the places on the other axes, unless these are all there are. */
static void add_run(Text *text, const Axis *axis, int64_t first, int64_t last, const char *others)
{
    bool all = first == 0 && last == axis->size - 1;
    text_add(text, "%s", text->length > 0 ? ", " : "");
    if (!all)
        text_add(text, first < last ? "%s %lld..%lld" : "%s %lld", axis->name, (long long)first, (long long)last);
    text_add(text, "%s%s", !all && others[0] != '\0' ? " " : "", others);
}

/* Where the ranks of a class are, on the axes from `axis` on: of `count` places in order, one number each, the
 * coordinates that follow each other are one run if all else is the same there. */
static const char *places_text(Arena *arena, const Plan *plan, int axis, const int64_t *places, int count)
{
    const Decls *decls = plan->decls;
    while (axis < decls->axes.count && !(plan->class_axes >> axis & 1))
        axis++;
    if (axis == decls->axes.count)
        return "";
    int64_t inner = 1, first = 0, last = 0;
    for (int a = axis + 1; a < decls->axes.count; a++)
        inner *= plan->class_axes >> a & 1 ? decls->axes.data[a].size : 1;
    Text text = {.arena = arena};
    const char *run = NULL; /* the places on the other axes at first .. last */
    for (int i = 0, next = 0; i < count; i = next) {
        int64_t here = places[i] / inner, *within = arena_array(arena, int64_t, count);
        for (; next < count && places[next] / inner == here; next++)
            within[next - i] = places[next] % inner;
        const char *others = places_text(arena, plan, axis + 1, within, next - i);
        if (run != NULL && (here != last + 1 || strcmp(others, run) != 0)) {
            add_run(&text, &decls->axes.data[axis], first, last, run);
            run = NULL;
        }
        first = run == NULL ? here : first;
        last = here;
        run = others;
    }
    add_run(&text, &decls->axes.data[axis], first, last, run);
    return text.data;
}

static const char *class_text(Arena *arena, const Plan *plan, const PlanClass *class)
{
    return places_text(arena, plan, 0, class->places.data, class->places.count);
}

/* One row per class, if there are several. */
static void print_classes(Arena *arena, const Plan *plan, FILE *out)
{
    int width = 6;
    if (plan->classes.count == 1)
        return;
    for (int c = 0; c < plan->classes.count; c++)
        width = at_least(width, class_text(arena, plan, &plan->classes.data[c]));
    fprintf(out, "\nmemory and traffic per class of ranks\n  %-*s %7s", width, "where", "ranks");
    for (int i = 0; i < CATEGORY_COUNT; i++)
        if (plan_has(plan, (Category)i))
            fprintf(out, " %11s", category_names[i]);
    fprintf(out, " %11s %11s\n", "total", "sent");
    for (int c = 0; c < plan->classes.count; c++) {
        const PlanClass *class = &plan->classes.data[c];
        fprintf(out, "  %-*s %7s", width, class_text(arena, plan, class), str_grouped(arena, class->ranks));
        for (int i = 0; i < CATEGORY_COUNT; i++)
            if (plan_has(plan, (Category)i))
                fprintf(out, " %11s", str_bytes(arena, class->category_bytes[i]));
        fprintf(out, " %11s %11s\n", str_bytes(arena, class->total_bytes), str_bytes(arena, class->traffic_bytes));
    }
}

void plan_print_text(const Plan *plan, const Verdict *verdict, FILE *out)
{
    Arena *arena = arena_new();
    print_header(arena, plan, out);
    print_memory(arena, plan, out);
    print_traffic(arena, plan, out);
    print_links(arena, plan, out);
    print_classes(arena, plan, out);
    answer_print_time(arena, plan, out);
    fprintf(out, "\nverified: gradient integrity %s, state consistency %s, contract %s\n",
            verdict->gradient_integrity ? "yes" : "no", verdict->state_consistency ? "yes" : "no", verdict->contract);
    arena_free(arena);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

static cJSON *held_json(const Plan *plan, const int64_t *category_bytes, int64_t padding_bytes, int64_t total_bytes)
{
    cJSON *held = cJSON_CreateObject();
    for (int i = 0; i < CATEGORY_COUNT; i++)
        if (plan_has(plan, (Category)i))
            cJSON_AddNumberToObject(held, category_names[i], (double)category_bytes[i]);
    cJSON_AddNumberToObject(held, "padding", (double)padding_bytes);
    cJSON_AddNumberToObject(held, "total", (double)total_bytes);
    return held;
}

static cJSON *memory_json(const Plan *plan)
{
    cJSON *memory = cJSON_CreateObject();
    cJSON_AddNumberToObject(memory, "peak_rank", (double)plan->peak_rank);
    cJSON_AddItemToObject(memory, "per_device",
                          held_json(plan, plan->category_bytes, plan->padding_bytes, plan->total_bytes));
    cJSON_AddNumberToObject(memory, "host_bytes_per_device", (double)plan->tier_bytes[TIER_HOST]);
    cJSON_AddNumberToObject(memory, "file_bytes_per_device", (double)plan->tier_bytes[TIER_FILE]);
    return memory;
}

static cJSON *calls_json(Arena *arena, const Decls *decls, const PlanCalls *calls)
{
    cJSON *rows = cJSON_CreateArray();
    for (int i = 0; i < calls->count; i++) {
        const PlanCall *call = &calls->data[i];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "axis", axis_names(arena, decls, call));
        cJSON_AddStringToObject(row, "op", op_info[call->op].name);
        cJSON_AddStringToObject(row, "state", call->state);
        cJSON_AddStringToObject(row, "algorithm", call->algorithm);
        cJSON_AddNumberToObject(row, "count", (double)call->count);
        if (call->every > 1)
            cJSON_AddNumberToObject(row, "every", (double)call->every);
        cJSON_AddNumberToObject(row, "payload_bytes", (double)call->payload_bytes);
        cJSON_AddNumberToObject(row, "bytes_per_device", (double)call->bytes_per_device);
        if (call->balanced_bytes < call->bytes_per_device)
            cJSON_AddNumberToObject(row, "balanced_bytes_per_device", (double)call->balanced_bytes);
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

/* Coordinates on the axes that distinguish classes. */
static cJSON *place_json(const Plan *plan, int64_t place)
{
    cJSON *coordinates = cJSON_CreateObject();
    int64_t inner = 1;
    for (int a = 0; a < plan->decls->axes.count; a++)
        inner *= plan->class_axes >> a & 1 ? plan->decls->axes.data[a].size : 1;
    for (int a = 0; a < plan->decls->axes.count; a++) {
        const Axis *axis = &plan->decls->axes.data[a];
        if (!(plan->class_axes >> a & 1))
            continue;
        inner /= axis->size;
        cJSON_AddNumberToObject(coordinates, axis->name, (double)(place / inner % axis->size));
    }
    return coordinates;
}

static cJSON *classes_json(Arena *arena, const Plan *plan)
{
    cJSON *rows = cJSON_CreateArray();
    for (int c = 0; c < plan->classes.count; c++) {
        const PlanClass *class = &plan->classes.data[c];
        cJSON *row = cJSON_CreateObject(), *places = cJSON_CreateArray();
        for (int i = 0; i < class->places.count; i++)
            cJSON_AddItemToArray(places, place_json(plan, class->places.data[i]));
        cJSON_AddNumberToObject(row, "ranks", (double)class->ranks);
        cJSON_AddNumberToObject(row, "first_rank", (double)class->first_rank);
        cJSON_AddItemToObject(row, "coordinates", places);
        cJSON_AddItemToObject(row, "memory",
                              held_json(plan, class->category_bytes, class->padding_bytes, class->total_bytes));
        cJSON_AddItemToObject(row, "communication", calls_json(arena, plan->decls, &class->calls));
        cJSON_AddNumberToObject(row, "communication_bytes", (double)class->traffic_bytes);
        cJSON_AddNumberToObject(row, "flops", class->flops);
        cJSON_AddNumberToObject(row, "product_flops", class->product_flops);
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

cJSON *answer_json(Arena *arena, const Plan *plan, const Verdict *verdict)
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
    cJSON_AddItemToObject(root, "communication", calls_json(arena, plan->decls, &plan->calls));
    cJSON_AddNumberToObject(root, "communication_bytes_per_device", (double)plan->traffic_bytes_per_device);
    if (plan->train->serves)
        cJSON_AddNumberToObject(root, "prefill_bytes_per_device", (double)plan->prefill_bytes_per_device);
    cJSON_AddItemToObject(root, "tiers", links_json(plan));
    cJSON_AddNumberToObject(root, "flops_per_device", plan->flops_per_device);
    cJSON_AddNumberToObject(root, "product_flops_per_device", plan->product_flops_per_device);
    cJSON_AddItemToObject(root, "time", answer_time_json(plan));
    cJSON_AddItemToObject(root, "classes", classes_json(arena, plan));
    cJSON_AddItemToObject(root, "verified", verified_json(verdict));
    return root;
}

char *answer_text(Arena *arena, cJSON *root)
{
    char *printed = cJSON_Print(root);
    cJSON_Delete(root);
    if (printed == NULL)
        escape_leave(ESCAPE_MEMORY, 2, "out of memory");
    char *text = arena_printf(arena, "%s\n", printed);
    free(printed);
    return text;
}

char *plan_json(Ctx *ctx, const Plan *plan, const Verdict *verdict)
{
    return answer_text(ctx->arena, answer_json(ctx->arena, plan, verdict));
}
