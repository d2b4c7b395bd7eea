/* signature.c - placements of references, read off their layouts. */
#include "tests/sim/signature.h"

#include <stdio.h>
#include <string.h>

typedef struct Seen {
    bool kept, lacking, flat, microbatch;
} Seen;

/* The dims of a reference; NULL: a flat unit. */
static const SimDim *dims_of(const SimFile *file, const SimBuffer *buffer, int member, int *count)
{
    *count = buffer->dim_count;
    if (buffer->unit < 0)
        return buffer->dims;
    const SimUnit *unit = &file->units[buffer->unit];
    for (int m = 0; m < unit->member_count && member >= 0; m++)
        if (unit->members[m] == member) {
            *count = unit->dim_counts[m];
            return &unit->dims[m * SIM_MAX_DIMS];
        }
    return NULL;
}

static bool cuts(const SimFile *file, int cut)
{
    return cut == SIM_CUT_MICRO ? file->micro > 1 : file->axes[cut].size > 1;
}

static void look_at_dims(const SimFile *file, const SimDim *dims, int count, const char *letters, const char *result,
                         Seen *seen)
{
    for (int d = 0; d < count; d++)
        for (int c = 0; c < dims[d].cut_count; c++) {
            if (!cuts(file, dims[d].cuts[c]))
                continue;
            if (dims[d].cuts[c] == SIM_CUT_MICRO)
                seen->microbatch = true;
            else if (!letters || strchr(result, letters[d]))
                seen->kept = true;
            else
                seen->lacking = true;
        }
}

/* The cuts of a unit's members are in its slots, too. */
static void look_at_unit(const SimFile *file, const SimBuffer *buffer, Seen *seen)
{
    const SimUnit *unit = &file->units[buffer->unit];
    for (int c = 0; c < buffer->cut_count; c++)
        seen->flat = seen->flat || cuts(file, buffer->cuts[c]);
    for (int m = 0; m < unit->member_count; m++)
        look_at_dims(file, &unit->dims[m * SIM_MAX_DIMS], unit->dim_counts[m], NULL, "", seen);
}

static size_t write_seen(Seen seen, char *text, size_t size)
{
    bool whole = !seen.kept && !seen.lacking && !seen.flat;
    return (size_t)snprintf(text, size, "%s%s%s%s%s", whole ? "R" : "", seen.kept ? "S" : "", seen.lacking ? "K" : "",
                            seen.flat ? "F" : "", seen.microbatch ? "m" : "");
}

/* `letters`: those of the reference, NULL where the operator has none. */
static size_t write_reference(const SimFile *file, const SimProgram *program, const SimRef *ref, const char *letters,
                              const char *result, char *text, size_t size)
{
    Seen seen = {false, false, false, false};
    const SimBuffer *buffer = &program->buffers[ref->buffer];
    int count;
    const SimDim *dims = dims_of(file, buffer, ref->member, &count);
    if (dims)
        look_at_dims(file, dims, count, letters, result, &seen);
    else
        look_at_unit(file, buffer, &seen);
    return write_seen(seen, text, size);
}

const char *signature_of(const SimFile *file, const SimProgram *program, const SimOp *op, char *text, size_t size)
{
    const char *arrow = strstr(op->spec, "->"), *letters = arrow ? op->spec : NULL;
    size_t used = 0;
    *text = '\0';
    for (int o = 0; o < op->operand_count && used + 8 < size; o++) {
        used += (size_t)snprintf(text + used, size - used, "%s", o ? "," : "");
        used += write_reference(file, program, &op->operands[o], letters, arrow ? arrow + 2 : "", text + used, size - used);
        if (letters)
            letters += strcspn(letters, ",-") + 1;
    }
    if (op->has_out && used + 8 < size) {
        used += (size_t)snprintf(text + used, size - used, "->");
        write_reference(file, program, &op->out, NULL, "", text + used, size - used);
    }
    return text;
}

const char *signature_of_buffer(const SimFile *file, const SimBuffer *buffer, char *text, size_t size)
{
    Seen seen = {false, false, false, false};
    if (buffer->unit >= 0)
        look_at_unit(file, buffer, &seen);
    else
        look_at_dims(file, buffer->dims, buffer->dim_count, NULL, "", &seen);
    write_seen(seen, text, size);
    return text;
}

int signature_modes(const SimFile *file, const SimProgram *program, const char *modes[MAX_MODES])
{
    static const char *const kinds[] = {"parameters cut", "gradients cut", "optimizer cut", "statistics cut"};
    bool flat[4] = {false}, dims = false, stages = false, tiers = false;
    for (int b = 0; b < program->buffer_count; b++) {
        const SimBuffer *buffer = &program->buffers[b];
        stages = stages || buffer->has_layers || buffer->has_holders;
        tiers = tiers || buffer->tier > 0;
        if (buffer->state < 0 || !buffer->rests)
            continue;
        Seen seen = {false, false, false, false};
        if (buffer->unit >= 0)
            look_at_unit(file, buffer, &seen);
        else
            look_at_dims(file, buffer->dims, buffer->dim_count, NULL, "", &seen);
        flat[file->states[buffer->state].kind] = flat[file->states[buffer->state].kind] || seen.flat;
        dims = dims || seen.kept;
    }
    int count = 0;
    for (int k = 0; k < 4; k++)
        if (flat[k])
            modes[count++] = kinds[k];
    if (dims)
        modes[count++] = "cut by dims";
    if (stages)
        modes[count++] = "stages";
    if (tiers)
        modes[count++] = "tiers";
    if (count == 0)
        modes[count++] = "replicated";
    return count;
}
