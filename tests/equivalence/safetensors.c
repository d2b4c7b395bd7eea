#include "tests/equivalence/safetensors.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    exit(2);
}

static char *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        give_up(path, "cannot be opened");
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    if (bytes == NULL || fread(bytes, 1, *length, file) != *length)
        give_up(path, "cannot be read");
    fclose(file);
    return bytes;
}

static double value_at(const char *bytes, const char *dtype, int64_t i)
{
    if (strcmp(dtype, "F64") == 0) {
        double value;
        memcpy(&value, bytes + 8 * i, 8);
        return value;
    }
    if (strcmp(dtype, "F32") == 0) {
        float value;
        memcpy(&value, bytes + 4 * i, 4);
        return value;
    }
    if (strcmp(dtype, "BF16") == 0) { /* the upper half of a float */
        float value = 0;
        memcpy((char *)&value + 2, bytes + 2 * i, 2);
        return value;
    }
    int32_t value;
    memcpy(&value, bytes + 4 * i, 4);
    return value;
}

static SavedTensor read_tensor(const cJSON *row, const char *data, size_t data_bytes, const char *path)
{
    const char *dtype = cJSON_GetStringValue(cJSON_GetObjectItem(row, "dtype"));
    const cJSON *range = cJSON_GetObjectItem(row, "data_offsets");
    if (dtype == NULL || cJSON_GetArraySize(range) != 2)
        give_up(path, "a tensor has no dtype or offsets");
    int64_t start = (int64_t)cJSON_GetArrayItem(range, 0)->valuedouble;
    int64_t end = (int64_t)cJSON_GetArrayItem(range, 1)->valuedouble;
    if (start < 0 || end < start || (size_t)end > data_bytes)
        give_up(path, "a tensor is outside the file");
    int64_t size = strcmp(dtype, "F64") == 0 ? 8 : strcmp(dtype, "BF16") == 0 ? 2 : 4;
    SavedTensor tensor = {strdup(row->string), malloc(sizeof(double) * (size_t)((end - start) / size + 1)),
                          (end - start) / size};
    for (int64_t i = 0; i < tensor.count; i++)
        tensor.values[i] = value_at(data + start, dtype, i);
    return tensor;
}

SavedFile safetensors_read(const char *path)
{
    size_t length;
    char *bytes = read_whole(path, &length);
    uint64_t header_bytes = 0;
    if (length < 8)
        give_up(path, "is shorter than its header");
    memcpy(&header_bytes, bytes, 8);
    if (header_bytes > length - 8)
        give_up(path, "is shorter than its header");
    cJSON *header = cJSON_ParseWithLength(bytes + 8, header_bytes);
    if (header == NULL)
        give_up(path, "has a header that is no JSON");
    SavedFile file = {calloc((size_t)cJSON_GetArraySize(header) + 1, sizeof(SavedTensor)), 0};
    const cJSON *row;
    cJSON_ArrayForEach(row, header) if (strcmp(row->string, "__metadata__") != 0) file.tensors[file.count++] =
        read_tensor(row, bytes + 8 + header_bytes, length - 8 - header_bytes, path);
    cJSON_Delete(header);
    free(bytes);
    return file;
}

void safetensors_free(SavedFile *file)
{
    for (int i = 0; i < file->count; i++) {
        free(file->tensors[i].name);
        free(file->tensors[i].values);
    }
    free(file->tensors);
    *file = (SavedFile){0};
}

const SavedTensor *safetensors_find(const SavedFile *file, const char *name)
{
    for (int i = 0; i < file->count; i++)
        if (strcmp(file->tensors[i].name, name) == 0)
            return &file->tensors[i];
    return NULL;
}
