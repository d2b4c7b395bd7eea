/* queues.c - what operators say of queues and their empty places (step/queues.h). */
#include "step/queues.h"

#include "step/spec.h"

#include <string.h>

enum { LEAST_ROOM = 2 }; /* places for each row: with fewer, too little is saved for another exchange */

bool op_is_queue(const Op *op)
{
    if (op_info[op->kind].op_class != CLASS_CHOICE)
        return false;
    switch (op_choice(op->kind)) {
    case CHOICE_QUEUE:
    case CHOICE_QUEUE_ALL:
        return true;
    case CHOICE_TOP:
        return false;
    }
    BUG("a choice that is none");
}

/* Of an example, or a group of its rows: the rows, how often they are chosen, and the places of all queues. */
typedef struct Room {
    int64_t rows, chosen, places;
} Room;

static Room room_of(const Program *program, const Op *queue)
{
    const Buffer *compared = &program->buffers.data[queue->operand[0].buffer];
    const Buffer *out = &program->buffers.data[queue->out.buffer];
    if (compared->dim_count < 2 || out->dim_count < 2)
        return (Room){0, 1, 1};
    const Dim *rows = &compared->dims[compared->dim_count - 2], *places = &out->dims[out->dim_count - 2];
    return (Room){rows[0].size, rows[0].size * rows[1].size, places[0].size * places[1].size};
}

int64_t queue_rows_with_room(const Program *program, const Op *queue)
{
    Room room = room_of(program, queue);
    return room.places >= LEAST_ROOM * room.chosen ? room.rows : 0;
}

double queue_share(const Program *program, const Op *queue)
{
    Room room = room_of(program, queue);
    return room.chosen < room.places ? (double)room.chosen / (double)room.places : 1;
}

bool op_keeps_places(const Op *op, int operand, int dims)
{
    SpecLetters from = spec_letters(op->spec, operand), to = spec_letters(op->spec, SPEC_RESULT);
    if (from.count < dims || to.count < dims || memcmp(from.at, to.at, (size_t)dims) != 0)
        return false;
    SpecLetters row = spec_letters(op->spec, 0);
    return op_info[op->kind].op_class != CLASS_ROW || spec_dim(to, row.at[row.count - 1]) >= dims;
}

bool op_is_zero_with(OpKind kind, unsigned operands)
{
    static const OpKind at_zero[] = {OP_GELU, OP_RELU, OP_RELU6, OP_SILU, OP_TANH}; /* not linear, and 0 at 0 */
    for (size_t i = 0; i < sizeof at_zero / sizeof *at_zero; i++)
        if (kind == at_zero[i])
            return operands & 1;
    for (const char *group = op_info[kind].linear; *group != '\0';) {
        size_t length = strcspn(group, " ");
        bool zero = length > 0;
        for (size_t i = 0; i < length; i++)
            zero = zero && (operands >> (group[i] - 'a') & 1);
        if (zero)
            return true;
        group += length + (group[length] == ' ');
    }
    return false;
}
