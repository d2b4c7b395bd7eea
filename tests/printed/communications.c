/* communications.c - writes down what simulated ranks have communicated. It asks the simulator alone: whose operand has
 * which elements of a result is compared element by element. */
#include "tests/printed/communications.h"

#include "tests/sim/perform.h"
#include "tests/sim/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_called(const SimPost *post, const char *name)
{
    return strcmp(post->issue.op->of->name, name) == 0;
}

/* What a rank has started of the same collective; NULL if it takes no part. */
static const SimPost *part_of(const SimMachine *machine, const SimPost *post, int rank)
{
    return sim_same_group(machine, post->axes, post->issue.rank, rank)
               ? sim_find_post(&machine->ranks[rank], post->axes, post->sequence)
               : NULL;
}

static int64_t on_axis(const SimMachine *machine, const SimPost *post, int rank)
{
    return machine->ranks[rank].coordinates[post->issue.op->axes[0]];
}

/* The rank that one is handed a value by, and of a permutation the one that it hands its own to. */
static void write_ends(FILE *out, const SimMachine *machine, const SimPost *post)
{
    int from = -1, to = -1;
    for (int q = 0; q < machine->rank_count; q++) {
        const SimPost *other = part_of(machine, post, q);
        if (other == NULL)
            continue;
        if (on_axis(machine, post, q) == post->issue.index)
            from = q;
        if (other->issue.index == on_axis(machine, post, post->issue.rank))
            to = q;
    }
    if (is_called(post, "permute"))
        fprintf(out, " to %d", to);
    fprintf(out, " from %d", from);
}

static void write_values(FILE *out, const SimMachine *machine, const SimPost *post)
{
    const SimView *view = post->issue.op->of->sends ? &post->issue.operands[0] : &post->issue.out;
    fprintf(out, ": %" PRId64 "x%d", view->elements, (int)view->buffer->element_bytes);
    if (post->peer >= 0)
        fprintf(out, " %s %d", post->issue.op->of->sends ? "to" : "from", post->peer);
    else if (!is_called(post, "all_reduce"))
        write_ends(out, machine, post);
    fputc('\n', out);
}

/* Does the element travel, or is its place empty? */
static bool is_filled(const SimPost *post, int64_t index)
{
    int64_t place = 0;
    return !is_called(post, "all_to_all_filled") ||
           sim_filled_at(&post->issue.out, index, &post->issue.operands[2], &place) > place;
}

/* From each rank the elements of the result that its operand has. */
static void write_pieces(FILE *out, const SimMachine *machine, const SimPost *post)
{
    const SimView *result = &post->issue.out;
    const char *before = ": ";
    for (int q = 0; q < machine->rank_count; q++) {
        const SimPost *other = part_of(machine, post, q);
        int64_t count = 0, first = 0, offset;
        for (int64_t i = 0; other != NULL && i < result->elements; i++)
            if (!sim_in_padding(result, i) && !sim_is_outside(result, i) && is_filled(post, i) &&
                sim_same_place(result, i, &other->issue.operands[0], &offset) && count++ == 0)
                first = sim_view_offset(result, i) / result->width;
        if (count == 0)
            continue;
        fprintf(out, "%s%" PRId64 "x%d to %" PRId64 " from %d", before, count, (int)result->buffer->element_bytes,
                first, q);
        before = ", ";
    }
    fputc('\n', out);
}

static void write_post(FILE *out, const SimMachine *machine, const SimPost *post)
{
    static const char *const of_pieces[] = {"reduce_scatter",    "all_gather", "all_to_all",
                                            "all_to_all_filled", "halo",       "halo_add"};
    bool pieces = false;
    for (size_t i = 0; i < sizeof of_pieces / sizeof *of_pieces; i++)
        pieces = pieces || is_called(post, of_pieces[i]);
    fprintf(out, "%s over", post->issue.op->of->name);
    for (int q = 0; q < machine->rank_count; q++)
        if (sim_same_group(machine, post->axes, post->issue.rank, q))
            fprintf(out, " %d", q);
    fprintf(out, " stream %d", post->issue.op->stream);
    if (post->peer >= 0)
        fprintf(out, " channel %d", (int)post->issue.op->channel);
    if (pieces)
        write_pieces(out, machine, post);
    else
        write_values(out, machine, post);
}

char *communications_of(const SimMachine *machine, int rank)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        exit(2);
    for (int p = 0; p < machine->ranks[rank].post_count; p++)
        write_post(out, machine, machine->ranks[rank].posts[p]);
    if (fclose(out) != 0)
        exit(2);
    return text;
}
