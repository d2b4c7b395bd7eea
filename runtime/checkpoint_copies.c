/* checkpoint_copies.c - what a program reads of a file that was written with another number of copies (contract
 * `local`), or by other joins. All copies start from the states of one, which a user names where the file's differ; the
 * states of joins that the file lacks are those of a first step: the momentum is zero, as init has left it, and the
 * start is where the copies are now. */
#include "runtime/checkpoint.h"
#include "runtime/view.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char outer[] = "outer_", outer_start[] = "outer_start";

/* A name in parts: "parameters.1/head.weight". */
typedef struct parts {
    int state;        /* letters */
    int64_t copy;     /* -1: none */
    const char *rest; /* "/head.weight", or "" */
} parts;

static parts parts_of(const char *name)
{
    parts found = {.state = (int)strcspn(name, "./"), .copy = -1};
    found.rest = name + found.state;
    if (*found.rest == '.') {
        char *end;
        found.copy = strtoll(found.rest + 1, &end, 10);
        found.rest = end;
    }
    return found;
}

static bool is_outer(const char *name)
{
    return strncmp(name, outer, sizeof outer - 1) == 0;
}

static bool has(const cJSON *root, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(root, name) != NULL;
}

static int64_t count_copies(const cJSON *root)
{
    int64_t copies = 1;
    for (const cJSON *item = root->child; item != NULL; item = item->next) {
        int64_t copy = strcmp(item->string, "__metadata__") != 0 ? parts_of(item->string).copy : -1;
        copies = copy >= copies ? copy + 1 : copies;
    }
    return copies;
}

/* The name of a state's tensor in the file, of one of its copies. */
static char *name_in_file(prt_run *run, const prt_origin *origin, int64_t copy, const char *state, int letters,
                          const char *rest)
{
    size_t bytes = (size_t)letters + strlen(rest) + 32;
    char *name = prt_allocate(run, bytes, 1);
    if (origin->copies > 1)
        snprintf(name, bytes, "%.*s.%" PRId64 "%s", letters, state, copy, rest);
    else
        snprintf(name, bytes, "%.*s%s", letters, state, rest);
    return name;
}

/* Where the copies are: the master copy of a parameter, or the parameter. */
static char *place_of_copy(prt_run *run, const cJSON *root, const prt_origin *origin, int64_t copy, const char *rest)
{
    char *name = name_in_file(run, origin, copy, "master", 6, rest);
    if (has(root, name))
        return name;
    free(name);
    return name_in_file(run, origin, copy, "parameters", 10, rest);
}

static void find_source(prt_run *run, const cJSON *root, prt_origin *origin, prt_entry *entry)
{
    parts name = parts_of(entry->name);
    int64_t own = name.copy >= 0 ? name.copy : 0, copy = origin->one >= 0 ? origin->one : own;
    entry->source = name_in_file(run, origin, copy, entry->name, name.state, name.rest);
    entry->again = origin->one >= 0 && own > 0;
    if (!is_outer(entry->name) || has(root, entry->source))
        return;
    free(entry->source);
    origin->joins_start = true;
    entry->again = true;
    entry->absent = strncmp(entry->name, outer_start, sizeof outer_start - 1) != 0;
    entry->source = entry->absent ? NULL : place_of_copy(run, root, origin, copy, name.rest);
}

/* The first tensor that a copy has otherwise than copy 0, by the checksums in the header; NULL: none. */
static const char *first_difference(prt_run *run, const cJSON *root, const prt_origin *origin, bool parameters_only)
{
    const cJSON *metadata = cJSON_GetObjectItemCaseSensitive(root, "__metadata__");
    for (const cJSON *item = root->child; item != NULL; item = item->next) {
        parts name = parts_of(item->string);
        char of_first[512], of_this[512];
        bool counts =
            !parameters_only || strncmp(item->string, "parameters", 10) == 0 || strncmp(item->string, "master", 6) == 0;
        if (name.copy <= 0 || !counts)
            continue;
        char *first = name_in_file(run, origin, 0, item->string, name.state, name.rest);
        snprintf(of_first, sizeof of_first, "checksum %s", first);
        snprintf(of_this, sizeof of_this, "checksum %s", item->string);
        free(first);
        const char *a = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(metadata, of_first));
        const char *b = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(metadata, of_this));
        if (a == NULL || b == NULL || strcmp(a, b) != 0)
            return item->string;
    }
    return NULL;
}

static bool has_map(const prt_contents *contents)
{
    for (int i = 0; i < contents->entry_count; i++)
        if (contents->entries[i].map != NULL)
            return true;
    return false;
}

/* Whose states the copies of this program take. */
static bool choose_copy(prt_run *run, const cJSON *root, prt_origin *origin, char *message, size_t bytes)
{
    int64_t copies = prt_copies(run->program), wanted = run->options.resume_copy;
    const char *other;
    if (wanted >= origin->copies) {
        snprintf(message, bytes, "--resume-copy %" PRId64 ": the file has copies 0 to %" PRId64, wanted,
                 origin->copies - 1);
        return false;
    }
    origin->one = wanted >= 0 ? wanted : origin->copies != copies ? 0 : -1;
    other = wanted < 0 && origin->one >= 0 ? first_difference(run, root, origin, false) : NULL;
    if (other == NULL)
        return true;
    snprintf(message, bytes,
             "has %" PRId64 " copies (contract local), and the program trains %" PRId64
             ": '%.200s' is not that of copy 0,"
             " so they are not one state (--resume-copy N starts from copy N; a program of %" PRId64
             " copies continues all)",
             origin->copies, copies, other, origin->copies);
    return false;
}

bool prt_origin_find(prt_run *run, const cJSON *root, prt_contents *contents, char *message, size_t bytes)
{
    prt_origin *origin = &contents->origin;
    *origin = (prt_origin){.copies = count_copies(root), .one = -1};
    if (!choose_copy(run, root, origin, message, bytes))
        return false;
    if (origin->one >= 0 && has_map(contents)) {
        snprintf(message, bytes,
                 "is to be read as %s copies, but the program's 'saved' lines have all copies' elements together: build"
                 " it without them, save, and resume that",
                 origin->copies != prt_copies(run->program) ? "another number of" : "one of its");
        return false;
    }
    for (int i = 0; i < contents->entry_count; i++)
        if (contents->entries[i].map == NULL)
            find_source(run, root, origin, &contents->entries[i]);
    const char *other = origin->joins_start && origin->one < 0 ? first_difference(run, root, origin, true) : NULL;
    if (other == NULL)
        return true;
    snprintf(message, bytes,
             "has no outer states, and its copies are between two joins: '%.200s' is not that of copy 0, so that the"
             " first join would have no common start (--resume-copy N starts from copy N)",
             other);
    return false;
}

bool prt_origin_drops(const prt_run *run, prt_origin *origin, const char *name)
{
    bool kept = false;
    if (origin->one >= 0 && origin->copies > 1 && parts_of(name).copy != origin->one)
        return true;
    for (int i = 0; i < run->program->state_count; i++)
        kept = kept || is_outer(run->program->states[i].state);
    if (kept || !is_outer(name))
        return false;
    origin->joins_dropped = true;
    return true;
}

void prt_origin_say(const prt_run *run, const prt_origin *origin)
{
    int64_t copies = prt_copies(run->program);
    if (origin->one >= 0 && copies > 1)
        prt_warn(run, "all %" PRId64 " copies start from the states of %s", copies,
                 origin->copies > 1 ? "one of the checkpoint's copies" : "the checkpoint, which has those of one");
    else if (origin->one >= 0 && origin->copies > 1)
        prt_warn(run, "starts from copy %" PRId64 " of the checkpoint's %" PRId64, origin->one, origin->copies);
    if (origin->joins_start)
        prt_warn(run,
                 "the checkpoint has no outer states: the joins start as at the first step, with a momentum of zero");
    if (origin->joins_dropped)
        prt_warn(run, "the outer states of the checkpoint are dropped: this program's joins have none");
}
