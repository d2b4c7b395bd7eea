/* calls.c - calls PLAN COUNTED: whether the calls that MPI received are those of the plan, call for call. PLAN is the
 * plan.json of a built program; COUNTED.RANK is what libplacert_count.so wrote for every rank. Calls are the same where
 * operation, size of the group and payload are. Prints every difference. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_LIMIT = 1024 };

typedef struct Calls {
    const char *op;
    long long group, payload_bytes, planned, counted;
} Calls;

static Calls table[CALL_LIMIT];
static int table_count;

static cJSON *read_json(const char *path)
{
    FILE *file = fopen(path, "rb");
    static char text[1 << 22];
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    cJSON *root = cJSON_ParseWithLength(text, length);
    if (root == NULL) {
        printf("%s cannot be read\n", path);
        exit(2);
    }
    return root;
}

static long long number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!cJSON_IsNumber(item)) {
        printf("no number '%s'\n", name);
        exit(2);
    }
    return (long long)item->valuedouble;
}

static Calls *find(const char *op, long long group, long long payload_bytes)
{
    for (int i = 0; i < table_count; i++)
        if (strcmp(table[i].op, op) == 0 && table[i].group == group && table[i].payload_bytes == payload_bytes)
            return &table[i];
    if (table_count == CALL_LIMIT) {
        printf("more than %d kinds of calls\n", CALL_LIMIT);
        exit(2);
    }
    table[table_count] = (Calls){.op = op, .group = group, .payload_bytes = payload_bytes};
    return &table[table_count++];
}

/* The product of the sizes of the axes in "data,tensor". */
static long long group_size(const cJSON *mesh, const char *axes)
{
    long long size = 1;
    for (const char *at = axes; *at != '\0';) {
        char axis[256];
        size_t length = strcspn(at, ",");
        snprintf(axis, sizeof axis, "%.*s", (int)length, at);
        size *= number(mesh, axis);
        at += length + (at[length] == ',');
    }
    return size;
}

static const cJSON *rows_of(const cJSON *root, const char *name)
{
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(root, name);
    if (!cJSON_IsArray(rows)) {
        printf("no list '%s'\n", name);
        exit(2);
    }
    return rows;
}

static const char *op_of(const cJSON *row)
{
    const char *op = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, "op"));
    return op != NULL ? op : "?";
}

/* In how many steps the calls of a row are made. */
static long long every(const cJSON *row)
{
    return cJSON_HasObjectItem(row, "every") ? number(row, "every") : 1;
}

/* What rank counted against the plan of one step; the number of differences. */
static int compare_rank(const cJSON *plan, const char *base, int rank)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", base, rank);
    cJSON *counted = read_json(path);
    long long steps = number(counted, "steps");
    const cJSON *mesh = cJSON_GetObjectItemCaseSensitive(plan, "mesh"), *row;
    int faults = 0;
    table_count = 0;
    cJSON_ArrayForEach(row, rows_of(plan, "communication"))
        find(op_of(row), group_size(mesh, cJSON_GetStringValue(cJSON_GetObjectItem(row, "axis"))),
             number(row, "payload_bytes"))
            ->planned += number(row, "count") * (steps / every(row));
    cJSON_ArrayForEach(row, rows_of(counted, "calls"))
        find(op_of(row), number(row, "group"), number(row, "payload_bytes"))
            ->counted += number(row, "count");
    for (int i = 0; i < table_count; i++)
        if (table[i].planned != table[i].counted) {
            printf("rank %d: %s over %lld ranks of %lld bytes: planned %lld calls in %lld steps, MPI received %lld\n",
                   rank, table[i].op, table[i].group, table[i].payload_bytes, table[i].planned, steps,
                   table[i].counted);
            faults++;
        }
    if (steps == 0 || number(counted, "not_counted") != 0 || table_count == 0) {
        printf("rank %d: %lld steps, %d kinds of calls, %lld calls not counted\n", rank, steps, table_count,
               number(counted, "not_counted"));
        faults++;
    }
    cJSON_Delete(counted);
    return faults;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: calls PLAN COUNTED\n", stderr);
        return 64;
    }
    cJSON *plan = read_json(argv[1]);
    int ranks = (int)number(plan, "devices"), faults = 0;
    for (int rank = 0; rank < ranks; rank++)
        faults += compare_rank(plan, argv[2], rank);
    cJSON_Delete(plan);
    return faults == 0 ? 0 : 1;
}
