/* saved.c - every element of a state, on every copy, has a number of its own, which is written and read
 * (tests/sim/saved.h).
 */
#include "tests/sim/saved.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_NUMBERS = 1 << 24 };

static int64_t layers_of(const SimFile *file, const SimTensor *tensor)
{
    return tensor->group >= 0 ? file->groups[tensor->group].layers : 1;
}

/* Numbers of a tensor's elements begin here; of none after the last. */
static int64_t first_number(const SimFile *file, int tensor)
{
    int64_t number = 1;
    for (int t = 0; t < tensor; t++)
        number += layers_of(file, &file->tensors[t]) * sim_tensor_elements(&file->tensors[t]);
    return number;
}

static int64_t copies_of(const SimFile *file)
{
    int64_t copies = 1;
    for (int a = 0; a < file->axis_count; a++)
        copies *= file->axes[a].copies ? file->axes[a].size : 1;
    return copies;
}

static bool has_state(const SimFile *file, int state, int tensor)
{
    for (int b = 0; b < file->reference.buffer_count; b++) {
        const SimBuffer *buffer = &file->reference.buffers[b];
        if (buffer->persistent && buffer->state == state && buffer->tensor == tensor)
            return true;
    }
    return false;
}

/* The number of element `index` of a run; 0: padding; -1: there is no such element. */
static int64_t number_of(const SimFile *file, int state, const SimRun *run, int64_t index)
{
    if (run->tensor < 0)
        return 0;
    const SimTensor *tensor = &file->tensors[run->tensor];
    int64_t elements = sim_tensor_elements(tensor), element = run->first + index;
    if (!has_state(file, state, run->tensor) || run->layer >= layers_of(file, tensor) || element >= elements ||
        run->copy >= copies_of(file))
        return -1;
    return (first_number(file, file->tensor_count) - 1) * run->copy + first_number(file, run->tensor) +
           run->layer * elements + element;
}

static int64_t length_of(const SimMap *map)
{
    int64_t length = 0;
    for (int r = 0; r < map->run_count; r++)
        length += map->runs[r].count;
    return length;
}

static SimVerdict fault(char *message, size_t size, const char *text, const char *state)
{
    snprintf(message, size, "the checkpoint of '%s' %s", state, text);
    return SIM_FAULTED;
}

static SimVerdict read_state(SimPool *pool, const SimFile *file, const SimMap *saved, const SimMap *loaded,
                             char *message, size_t size)
{
    const char *name = file->states[loaded->state].name;
    int64_t written = length_of(saved), one = first_number(file, file->tensor_count) - 1, at = 0;
    int64_t numbers = one > MOST_NUMBERS || copies_of(file) > MOST_NUMBERS ? INT64_MAX : one * copies_of(file) + 1;
    if (written > MOST_NUMBERS || numbers > MOST_NUMBERS || length_of(loaded) > MOST_NUMBERS)
        return fault(message, size, "is too large to be simulated", name);
    int64_t *checkpoint = sim_array(pool, int64_t, written + 1), *state = sim_array(pool, int64_t, numbers + 1);
    for (int r = 0; r < saved->run_count; r++)
        for (int64_t i = 0; i < saved->runs[r].count; i++) {
            checkpoint[at] = number_of(file, saved->state, &saved->runs[r], i);
            if (checkpoint[at++] < 0)
                return fault(message, size, "has elements that the state has not", name);
        }
    at = 0;
    for (int r = 0; r < loaded->run_count; r++)
        for (int64_t i = 0; i < loaded->runs[r].count; i++, at++) {
            int64_t number = number_of(file, loaded->state, &loaded->runs[r], i);
            if (number < 0 || (number > 0 && state[number] != 0))
                return fault(message, size, "is read into elements that the state has not, or twice", name);
            if (number > 0)
                state[number] = at < written && checkpoint[at] > 0 ? checkpoint[at] : -1;
        }
    for (int64_t c = 0; c < copies_of(file); c++)
        for (int t = 0; t < file->tensor_count; t++) {
            int64_t first = c * one + first_number(file, t), end = c * one + first_number(file, t + 1);
            for (int64_t n = first; n < end && has_state(file, loaded->state, t); n++)
                if (state[n] != n) {
                    snprintf(message, size,
                             "state %s of '%s', element %" PRId64 " of all layers, copy %" PRId64
                             ", is read as another one",
                             name, file->tensors[t].name, n - first, c);
                    return SIM_DIFFERENT;
                }
        }
    return SIM_EQUAL;
}

SimVerdict sim_read_saved(SimPool *pool, const SimFile *file, char *message, size_t message_size)
{
    for (int i = 0; i < file->map_count; i++) {
        const SimMap *other = NULL;
        for (int j = 0; j < file->map_count; j++)
            if (file->maps[j].state == file->maps[i].state && file->maps[j].loaded != file->maps[i].loaded) {
                if (other)
                    return fault(message, message_size, "is read or written twice", file->states[other->state].name);
                other = &file->maps[j];
            }
        if (!other)
            return fault(message, message_size, "is not both written and read", file->states[file->maps[i].state].name);
        SimVerdict verdict =
            file->maps[i].loaded ? read_state(pool, file, other, &file->maps[i], message, message_size) : SIM_EQUAL;
        if (verdict != SIM_EQUAL)
            return verdict;
    }
    return SIM_EQUAL;
}
