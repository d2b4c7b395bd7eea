/* profile.c - reads what a program's runtime wrote (calibrate/profile.h). */
#include "calibrate/profile.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static bool read_row(const cJSON *object, ProfileRow *row)
{
    const char *call = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "call"));
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "name"));
    const cJSON *item, *shape = cJSON_GetObjectItemCaseSensitive(object, "shape");
    int count = 0;
    *row = (ProfileRow){.bytes = number(object, "bytes"),
                        .operations = number(object, "operations"),
                        .seconds = number(object, "median_s")};
    if (call == NULL || name == NULL || isnan(row->bytes + row->operations + row->seconds))
        return false;
    snprintf(row->call, sizeof row->call, "%s", call);
    snprintf(row->name, sizeof row->name, "%s", name);
    cJSON_ArrayForEach(item, shape) if (count < PROFILE_NUMBERS) row->shape[count++] = item->valuedouble;
    return true;
}

bool profile_read(const char *path, Profile *profile)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool good = file != NULL;
    profile->count = 0;
    while (good && profile->count < PROFILE_ROWS && getline(&line, &room, file) > 0) {
        cJSON *object = cJSON_Parse(line);
        good = object != NULL && read_row(object, &profile->rows[profile->count++]);
        errno = good ? errno : EBADMSG;
        cJSON_Delete(object);
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return good;
}

static bool is_same(const ProfileRow *a, const ProfileRow *b)
{
    return strcmp(a->call, b->call) == 0 && strcmp(a->name, b->name) == 0 &&
           memcmp(a->shape, b->shape, sizeof a->shape) == 0;
}

void profile_merge(Profile *into, const Profile *other)
{
    for (int i = 0; i < other->count; i++) {
        int at = 0;
        while (at < into->count && !is_same(&into->rows[at], &other->rows[i]))
            at++;
        if (at == into->count && at < PROFILE_ROWS)
            into->rows[into->count++] = other->rows[i];
        else if (at < PROFILE_ROWS)
            into->rows[at].seconds = fmin(into->rows[at].seconds, other->rows[i].seconds);
    }
}
