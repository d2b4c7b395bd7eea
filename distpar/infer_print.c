/* infer_print.c - prints what was inferred: a table for people, JSON for tools (distpar/infer.h). */
#include "distpar/infer.h"

#include "plan/answer.h"

#include <math.h>
#include <string.h>

static const char *elements_text(const Inferred *inferred, double elements)
{
    return str_grouped(inferred->ctx->arena, llround(elements));
}

static int line_number(const Inferred *inferred, Span span)
{
    return source_position(inferred->ctx->sources, span.source, span.start).line;
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

static const char *place_text(const Inferred *inferred, const InferLine *line)
{
    Arena *arena = inferred->ctx->arena;
    if (line->group == NULL)
        return "-";
    if (line->first == line->last)
        return arena_printf(arena, "%s[%lld]", line->group, (long long)line->first);
    return arena_printf(arena, "%s[%lld..%lld]", line->group, (long long)line->first, (long long)line->last);
}

static int widest(const InferLines *lines, const char *(*text)(const InferLine *line), int least)
{
    int width = least;
    for (int i = 0; i < lines->count; i++) {
        int length = (int)strlen(text(&lines->data[i]));
        width = length > width ? length : width;
    }
    return width;
}

static const char *name_text(const InferLine *line)
{
    return line->name;
}

static void print_conversion(const Inferred *inferred, const InferConversion *conversion, FILE *out)
{
    fprintf(out, "    %s: %s to %s, %s", conversion->value, property_name(conversion->from),
            property_name(conversion->to), conversion->forward);
    if (conversion->backward != NULL)
        fprintf(out, ", back by %s", conversion->backward);
    fprintf(out, conversion->sent > 0 ? ": %s elements\n" : ": nothing is sent\n",
            elements_text(inferred, conversion->sent));
}

static void print_lines(const Inferred *inferred, const InferPlan *plan, FILE *out)
{
    int names = widest(&plan->lines, name_text, 8), places = 6;
    for (int i = 0; i < plan->lines.count; i++) {
        int length = (int)strlen(place_text(inferred, &plan->lines.data[i]));
        places = length > places ? length : places;
    }
    fprintf(out, "  %-*s  %-*s  %-14s %5s  %3s  %-5s %-6s %16s %16s\n", places, "layers", names, "operator", "computes",
            "line", "way", "input", "output", "sent", "computed");
    for (int i = 0; i < plan->lines.count; i++) {
        const InferLine *line = &plan->lines.data[i];
        fprintf(out, "  %-*s  %-*s  %-14s %5d  %3c  %-5s %-6s %16s %16s\n", places, place_text(inferred, line), names,
                line->name, line->computes, line_number(inferred, line->span), line->letter ? line->letter : '-',
                property_name(line->input), property_name(line->output), elements_text(inferred, line->sent),
                elements_text(inferred, line->computed));
        for (int c = 0; c < line->conversions.count; c++)
            print_conversion(inferred, &line->conversions.data[c], out);
    }
}

static void print_plan(const Inferred *inferred, const char *title, const InferPlan *plan, FILE *out)
{
    if (plan->why_not != NULL) {
        fprintf(out, "\n%s: no plan, because %s\n", title, plan->why_not);
        return;
    }
    DType dtype = inferred->train->decls.compute_dtype;
    fprintf(out, "\n%s: %s\n", title, plan->letters);
    print_lines(inferred, plan, out);
    fprintf(out, "  sent %s elements (%s in %s), computed %s, cost %s\n", elements_text(inferred, plan->sent),
            str_bytes(inferred->ctx->arena, llround(plan->sent * (double)dtype_bytes(dtype))), dtype_name(dtype),
            elements_text(inferred, plan->computed), elements_text(inferred, plan->cost));
}

/* The deriver may compute what the statements leave to it otherwise than the plan does. */
static void print_stated(const Inferred *inferred, FILE *out)
{
    const InferStated *stated = &inferred->stated;
    if (stated->why_not != NULL) {
        fprintf(out, "\nas a program: no plan, because %s\n", stated->why_not);
        return;
    }
    if (stated->letters == NULL)
        return;
    double more = inferred->chosen.cost > 0 ? stated->cost / inferred->chosen.cost - 1 : 0;
    fprintf(out, "\nas a program: %s, cost %s", stated->letters, elements_text(inferred, stated->cost));
    if (more > 1e-9)
        fprintf(out, ", %.3g%% more than the cheapest", 100 * more);
    fprintf(out, "\n");
}

void infer_print(const Inferred *inferred, FILE *out)
{
    const Train *train = inferred->train;
    fprintf(out, "%s on %s: %s %d, batch %lld, beta %.15g\n", train->decls.name, train->mesh_name, inferred->axis,
            inferred->devices, (long long)train->batch, inferred->beta);
    for (int i = 0; i < inferred->remarks.count; i++)
        fprintf(out, "  %s\n", inferred->remarks.data[i]);
    print_plan(inferred, "as written", &inferred->written, out);
    print_plan(inferred, "cheapest", &inferred->chosen, out);
    if (inferred->written.why_not == NULL && inferred->chosen.why_not == NULL &&
        inferred->chosen.cost < inferred->written.cost)
        fprintf(out, "\nthe cheapest costs %.3g%% less\n", 100 * (1 - inferred->chosen.cost / inferred->written.cost));
    print_stated(inferred, out);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void add_text(cJSON *object, const char *key, const char *text)
{
    if (text != NULL)
        cJSON_AddStringToObject(object, key, text);
    else
        cJSON_AddNullToObject(object, key);
}

static cJSON *conversion_json(const InferConversion *conversion)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "value", conversion->value);
    cJSON_AddStringToObject(object, "from", property_name(conversion->from));
    cJSON_AddStringToObject(object, "to", property_name(conversion->to));
    cJSON_AddStringToObject(object, "forward", conversion->forward);
    add_text(object, "backward", conversion->backward);
    cJSON_AddNumberToObject(object, "sent_elements", conversion->sent);
    return object;
}

static cJSON *line_json(const Inferred *inferred, const InferLine *line)
{
    cJSON *object = cJSON_CreateObject();
    const char way[] = {line->letter, '\0'};
    cJSON_AddStringToObject(object, "name", line->name);
    cJSON_AddStringToObject(object, "computes", line->computes);
    cJSON_AddStringToObject(object, "file", source_of(inferred->ctx->sources, line->span)->name);
    cJSON_AddNumberToObject(object, "line", line_number(inferred, line->span));
    add_text(object, "group", line->group);
    cJSON_AddNumberToObject(object, "first_layer", (double)line->first);
    cJSON_AddNumberToObject(object, "last_layer", (double)line->last);
    add_text(object, "way", line->letter ? way : NULL);
    cJSON_AddStringToObject(object, "input", property_name(line->input));
    cJSON_AddStringToObject(object, "output", property_name(line->output));
    cJSON_AddNumberToObject(object, "sent_elements", line->sent);
    cJSON_AddNumberToObject(object, "computed_elements", line->computed);
    cJSON *conversions = cJSON_AddArrayToObject(object, "conversions");
    for (int i = 0; i < line->conversions.count; i++)
        cJSON_AddItemToArray(conversions, conversion_json(&line->conversions.data[i]));
    return object;
}

static cJSON *plan_json_of(const Inferred *inferred, const InferPlan *plan)
{
    cJSON *object = cJSON_CreateObject();
    add_text(object, "why_not", plan->why_not);
    if (plan->why_not != NULL)
        return object;
    cJSON_AddStringToObject(object, "ways", plan->letters);
    cJSON *lines = cJSON_AddArrayToObject(object, "operators");
    for (int i = 0; i < plan->lines.count; i++)
        cJSON_AddItemToArray(lines, line_json(inferred, &plan->lines.data[i]));
    double bytes = (double)dtype_bytes(inferred->train->decls.compute_dtype);
    cJSON_AddNumberToObject(object, "sent_elements", plan->sent);
    cJSON_AddNumberToObject(object, "sent_bytes", plan->sent * bytes);
    cJSON_AddNumberToObject(object, "computed_elements", plan->computed);
    cJSON_AddNumberToObject(object, "cost", plan->cost);
    return object;
}

static cJSON *stated_json(const InferStated *stated)
{
    cJSON *object = cJSON_CreateObject();
    add_text(object, "why_not", stated->why_not);
    if (stated->why_not != NULL)
        return object;
    cJSON_AddStringToObject(object, "ways", stated->letters);
    cJSON_AddNumberToObject(object, "cost", stated->cost);
    return object;
}

const char *infer_json(const Inferred *inferred)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "format_version", 1);
    cJSON_AddStringToObject(root, "model", inferred->train->decls.name);
    cJSON_AddStringToObject(root, "axis", inferred->axis);
    cJSON_AddNumberToObject(root, "devices", inferred->devices);
    cJSON_AddNumberToObject(root, "batch", (double)inferred->train->batch);
    cJSON_AddNumberToObject(root, "beta", inferred->beta);
    cJSON_AddBoolToObject(root, "beta_by_default", !inferred->train->has_beta);
    cJSON *remarks = cJSON_AddArrayToObject(root, "remarks");
    for (int i = 0; i < inferred->remarks.count; i++)
        cJSON_AddItemToArray(remarks, cJSON_CreateString(inferred->remarks.data[i]));
    cJSON_AddItemToObject(root, "as_written", plan_json_of(inferred, &inferred->written));
    cJSON_AddItemToObject(root, "cheapest", plan_json_of(inferred, &inferred->chosen));
    if (inferred->stated.letters != NULL || inferred->stated.why_not != NULL)
        cJSON_AddItemToObject(root, "as_program", stated_json(&inferred->stated));
    return answer_text(inferred->ctx->arena, root);
}
