/* How long pipelines stand still: the derived programs of all stages, played out with forward of a chunk of layers
 * taking one unit of time, backward two, and messages none. Narayanan et al. 2021: next to its own work every stage
 * waits as long as p - 1 chunks of a microbatch take. */
#include "plan/play.h"
#include "tests/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_STAGES = 4, MOST_DEEDS = 4096, MOST_MESSAGES = 256, MOST_CHANNELS = 4, FORWARD = 1, BACKWARD = 2 };

/* Work of so much time, or a message to or from a stage. */
typedef struct Deed {
    enum { WORK, SEND, RECEIVE } kind;
    int time, peer, channel;
} Deed;

typedef struct Stage {
    Deed deed[MOST_DEEDS];
    int count, at, now;
} Stage;

typedef struct Acted {
    const Program *program;
    int64_t coordinate[STEP_MAX_AXES], variable[256];
    Stage stage[MOST_STAGES], *at;
    int sent[MOST_STAGES][MOST_STAGES][MOST_CHANNELS][MOST_MESSAGES];
    int sent_count[MOST_STAGES][MOST_STAGES][MOST_CHANNELS], taken[MOST_STAGES][MOST_STAGES][MOST_CHANNELS];
} Acted;

static int64_t affine_value(const Acted *play, const Affine *affine)
{
    return affine_at(play->program->decls, affine, play->coordinate, play->variable);
}

static void list_deed(Acted *play, Deed deed)
{
    assert_true(play->at->count < MOST_DEEDS);
    play->at->deed[play->at->count++] = deed;
}

static void list_deeds(Acted *play, const NodeList *nodes, bool micro)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP && (node->op->kind == OP_SEND || node->op->kind == OP_RECV)) {
            int peer = (int)affine_value(play, &node->op->peer.coordinate);
            list_deed(play, (Deed){node->op->kind == OP_SEND ? SEND : RECEIVE, 0, peer, node->op->peer.channel});
        } else if (node->kind == NODE_GUARD) {
            int64_t value = affine_value(play, &node->guard.value);
            if (node->guard.low <= value && value <= node->guard.high)
                list_deeds(play, &node->body, micro);
        } else if (node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS && micro) {
            list_deed(play, (Deed){WORK, node->loop.step > 0 ? FORWARD : BACKWARD, 0, 0});
        } else if (node->kind == NODE_LOOP && node->loop.kind != LOOP_LAYERS) {
            int64_t first = affine_value(play, &node->loop.first), last = affine_value(play, &node->loop.last);
            for (int64_t v = first; v <= last; v++) {
                play->variable[node->loop.id] = v;
                list_deeds(play, &node->body, micro || node->loop.kind == LOOP_MICRO);
            }
        }
    }
}

/* Does the stage's next deed; false where it waits for a message. */
static bool do_next(Acted *play, int s)
{
    Stage *stage = &play->stage[s];
    if (stage->at == stage->count)
        return false;
    const Deed *deed = &stage->deed[stage->at];
    if (deed->kind == SEND)
        play->sent[s][deed->peer][deed->channel][play->sent_count[s][deed->peer][deed->channel]++] = stage->now;
    if (deed->kind == RECEIVE) {
        int *taken = &play->taken[deed->peer][s][deed->channel];
        if (*taken == play->sent_count[deed->peer][s][deed->channel])
            return false;
        int sent = play->sent[deed->peer][s][deed->channel][(*taken)++];
        stage->now = sent > stage->now ? sent : stage->now;
    }
    stage->now += deed->time;
    stage->at++;
    return true;
}

/* When the last stage is done with the step. */
static int play_out(const Program *program, int stages)
{
    static Acted play;
    memset(&play, 0, sizeof play);
    play.program = program;
    for (int s = 0; s < stages; s++) {
        play.coordinate[0] = s;
        play.at = &play.stage[s];
        list_deeds(&play, &program_routine(program, ROUTINE_STEP)->body, false);
    }
    int end = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int s = 0; s < stages; s++)
            while (do_next(&play, s))
                moved = true;
    }
    for (int s = 0; s < stages; s++) {
        assert_int_equal(play.stage[s].at, play.stage[s].count);
        end = play.stage[s].now > end ? play.stage[s].now : end;
    }
    return end;
}

/* ---- The play that plans make ------------------------------------------------------------------------------- */

/* All of a loop's time is its first operator's; chunks have two layers. */
static void give_times(const NodeList *nodes, bool micro, double *seconds)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS && micro)
            seconds[node->body.data[0]->op->id] = (node->loop.step > 0 ? FORWARD : BACKWARD) / 2.0;
        else
            give_times(&node->body, micro || (node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO), seconds);
    }
}

static double planned(const Compile *compile)
{
    const Program *program = compile->file->program;
    const Routine *step = program_routine(program, ROUTINE_STEP);
    double *seconds = calloc((size_t)program->op_count, sizeof *seconds);
    give_times(&step->body, false, seconds);
    Play of_plan;
    assert_true(play_run(&compile->train->cluster, program, step, seconds, seconds, &of_plan));
    free(seconds);
    assert_true(of_plan.busiest.computing + of_plan.busiest.waiting <= of_plan.end + 1e-9);
    return of_plan.end;
}

static void test_bubbles(void **state)
{
    (void)state;
    static const struct {
        const char *schedule;
        int stages, chunks, micro;
    } cases[] = {
        {"gpipe", 3, 1, 5},       {"one_f_one_b", 2, 1, 6}, {"one_f_one_b", 3, 1, 2}, {"one_f_one_b", 4, 1, 8},
        {"interleaved", 2, 2, 2}, {"interleaved", 2, 3, 6}, {"interleaved", 3, 2, 6}, {"interleaved", 4, 2, 12},
        {"interleaved", 2, 2, 5}, {"interleaved", 4, 2, 5}, {"interleaved", 3, 3, 7}, {"interleaved", 4, 3, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[] = "/tmp/place-bubble-XXXXXX";
        FILE *file = fdopen(mkstemp(path), "w");
        fprintf(file,
                "place 1\nmodel line(hidden = 2) {\n    input x, y : f32[batch, hidden]\n    repeat block[%d] {\n"
                "        x = x + linear(x, hidden) as one\n    }\n"
                "    loss = mean over batch, hidden of squared_error(x, y)\n}\n"
                "cluster here { %d devices of cpu }\nmesh line on here { s: %d }\ntrain line on line {\n"
                "    strategy pipeline(s, schedule = %s, chunks = %d)\n    optimizer sgd(rate = 0.1)\n"
                "    data synthetic\n    batch %d in %d microbatches\n    steps 1\n}\n",
                2 * cases[i].stages * cases[i].chunks, cases[i].stages, cases[i].stages, cases[i].schedule,
                cases[i].chunks, cases[i].micro, cases[i].micro);
        fclose(file);
        Compile compile;
        compile_open(&compile, path);
        unlink(path);
        if (!compile_check(&compile))
            diag_print_text(compile.ctx.diag, stderr, false, 20);
        assert_int_equal(diag_error_count(compile.ctx.diag), 0);
        int lacking = (cases[i].stages - cases[i].micro % cases[i].stages) % cases[i].stages;
        int work = cases[i].micro * cases[i].chunks + cases[i].stages - 1;
        int more = cases[i].chunks > 1 ? lacking * (cases[i].chunks - 1) : 0; /* turns without a microbatch, at most */
        int played = play_out(compile.file->program, cases[i].stages);
        assert_in_range(played, work * (FORWARD + BACKWARD), (work + more) * (FORWARD + BACKWARD));
        if (planned(&compile) != played)
            fail_msg("%s, %d stages, %d microbatches: %g, planned %d", cases[i].schedule, cases[i].stages,
                     cases[i].micro, planned(&compile), played);
        compile_close(&compile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bubbles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
