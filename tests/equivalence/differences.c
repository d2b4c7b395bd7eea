/* differences.c - how far two saved files are from each other. */
#include "tests/equivalence/differences.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double saved_largest(const SavedTensor *tensor)
{
    double most = 0;
    for (int64_t i = 0; i < tensor->count; i++)
        most = fmax(most, fabs(tensor->values[i]));
    return most;
}

double saved_floor(const SavedFile *file, const SavedTensor *tensor)
{
    const char *slash = strchr(tensor->name, '/');
    size_t length = slash == NULL ? strlen(tensor->name) : (size_t)(slash - tensor->name);
    double most = 0;
    for (int i = 0; i < file->count; i++)
        if (strncmp(file->tensors[i].name, tensor->name, length) == 0)
            most = fmax(most, saved_largest(&file->tensors[i]));
    return most / 1000;
}

double saved_error(const SavedTensor *a, const SavedTensor *b, double least_scale)
{
    double most = 0;
    for (int64_t i = 0; i < b->count; i++) {
        double difference = fabs(a->values[i] - b->values[i]);
        if (!(difference <= most))
            most = isnan(difference) ? INFINITY : difference;
    }
    double scale = fmax(saved_largest(b), least_scale);
    return most == 0 ? 0 : most / (scale > 0 ? scale : 1);
}

/* A state of squares has twice the error of what is squared. */
static double factor_of(const SavedTensor *tensor)
{
    static const char *const squares[] = {"slow/", "adam_v/"};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        if (strncmp(tensor->name, squares[i], strlen(squares[i])) == 0)
            return 2;
    return 1;
}

int saved_compare(const char *name, const char *against, const SavedFile *got, const SavedFile *wanted, double bound)
{
    int faults = 0;
    for (int i = 0; i < wanted->count; i++) {
        const SavedTensor *want = &wanted->tensors[i], *have = safetensors_find(got, want->name);
        if (have == NULL || have->count != want->count) {
            printf("%s: %s is missing or of another size\n", name, want->name);
            faults++;
            continue;
        }
        double error = saved_error(have, want, saved_floor(wanted, want)), most = factor_of(want) * bound;
        if (error > most) {
            printf("%s: %s differs from %s by %.3g, more than %.3g\n", name, want->name, against, error, most);
            faults++;
        }
    }
    return faults;
}

static double number_in(const cJSON *object, const char *name)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(object, name));
}

int traffic_misplanned(const cJSON *rows, bool uneven)
{
    int count = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, rows)
    {
        bool as_often = number_in(row, "planned_calls") == number_in(row, "measured_calls");
        double planned = number_in(row, "planned_payload_bytes"), sent = number_in(row, "measured_payload_bytes");
        bool varies = strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(row, "op")), "all_to_all_filled") == 0;
        bool as_much = uneven || varies ? sent <= planned : sent == planned;
        count += as_often && as_much ? 0 : 1;
    }
    return count;
}
