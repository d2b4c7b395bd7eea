/* What the runtime does in a collective between hosts, round by round, against what the plan says of it: hosts pass on
 * blocks as their rounds say, with clocks, on links that take as long as the plan's. The result is complete, each
 * contribution is in it once, it takes exactly as long as predicted, and nobody sends more than that. */
#include "plan/cost.h"
#include "runtime/algorithms.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 17 };
static const double latency = 3e-6, speed = 1e9, block_bytes = 1e6;

/* Contributions by host, as bits; 0: the block is not there. */
typedef struct World {
    int hosts;
    unsigned blocks[MOST][MOST];
    double clock[MOST], sent[MOST];
} World;

static unsigned all_of(int hosts)
{
    return (1u << hosts) - 1;
}

/* What each host has at first, and must have at the end. */
static unsigned at_first(Collective op, int root, int host, int block)
{
    if (op == COLLECTIVE_ALL_GATHER)
        return host == block ? 1u << host : 0;
    if (op == COLLECTIVE_BROADCAST)
        return host == root ? 1u << root : 0;
    return 1u << host;
}

static unsigned at_last(Collective op, int hosts, int root, int block)
{
    if (op == COLLECTIVE_ALL_GATHER)
        return 1u << block;
    return op == COLLECTIVE_BROADCAST ? 1u << root : all_of(hosts);
}

/* ---- Rounds ------------------------------------------------------------------------------------------------- */

/* Both ends say the same of a message. */
static void check_ends(const World *world, const prt_turn *turns)
{
    for (int host = 0; host < world->hosts; host++) {
        const prt_turn *turn = &turns[host];
        if (turn->to != PRT_NO_HOST) {
            const prt_turn *other = &turns[turn->to];
            assert_int_equal(other->from, host);
            assert_int_equal(other->got, turn->sent);
            assert_int_equal(other->got_count, turn->sent_count);
        }
        if (turn->from != PRT_NO_HOST)
            assert_int_equal(turns[turn->from].to, host);
    }
}

static void move_blocks(World *world, const World *before, const prt_turn *turn, int host)
{
    for (int i = 0; i < turn->got_count; i++) {
        int block = (turn->got + i) % world->hosts;
        unsigned arrived = before->blocks[turn->from][block], *own = &world->blocks[host][block];
        assert_true(arrived != 0);
        if (turn->adds)
            assert_true((*own & arrived) == 0);
        *own = turn->adds ? *own | arrived : arrived;
    }
}

/* A message begins when both ends have come to it, and ends for both when it has arrived; `part`: of a block, what is
 * one rank's of the host. */
static void take_round(World *world, const prt_turn *turns, double message, double part)
{
    World before = *world;
    check_ends(world, turns);
    for (int host = 0; host < world->hosts; host++) {
        const prt_turn *turn = &turns[host];
        if (turn->to != PRT_NO_HOST) {
            double bytes = turn->sent_count * block_bytes * part;
            double left = fmax(before.clock[host], before.clock[turn->to]) + message + bytes / speed;
            world->sent[host] += bytes;
            world->clock[host] = fmax(world->clock[host], left);
            world->clock[turn->to] = fmax(world->clock[turn->to], left);
        }
        if (turn->from != PRT_NO_HOST)
            move_blocks(world, &before, turn, host);
    }
}

/* Rows of base/algorithm.def. */
typedef struct Row {
    Collective op;
    prt_collective run_op;
    const char *name, *run;
    bool shared; /* memory within nodes */
} Row;

static World run(const Row *row, int hosts, int root, double part)
{
    World world = {.hosts = hosts};
    const prt_algorithm *algorithm = prt_algorithm_of(row->run_op, row->name);
    assert_non_null(algorithm);
    for (int host = 0; host < hosts; host++)
        for (int block = 0; block < hosts; block++)
            world.blocks[host][block] = at_first(row->op, root, host, block);
    for (int phase = 0; phase < 2 && algorithm->phases[phase] != NULL; phase++)
        for (int round = 0;; round++) {
            prt_turn turns[MOST];
            int going_on = 0;
            for (int host = 0; host < hosts; host++)
                going_on += algorithm->phases[phase](hosts, host, root, round, &turns[host]);
            assert_true(going_on == 0 || going_on == hosts);
            if (going_on == 0)
                break;
            /* Of messages that are started at once, those after the first. */
            take_round(&world, turns, algorithm->at_once && round > 0 ? latency / 4 : latency, part);
        }
    return world;
}

static void check_result(const World *world, Collective op, int root)
{
    for (int host = 0; host < world->hosts; host++)
        for (int block = 0; block < world->hosts; block++)
            if (op != COLLECTIVE_REDUCE_SCATTER || host == block)
                assert_int_equal(world->blocks[host][block], at_last(op, world->hosts, root, block));
}

/* ---- Against the plan --------------------------------------------------------------------------------------- */

static const Link memory = {"memory", 1e30, 1, 0, true}, nvlink = {"nvlink", 1e30, 1, 0, false};

static CostGroup group_of(int hosts, int within, bool shared)
{
    static const Link wire = {"ethernet", speed, 1, latency, false};
    return (CostGroup){(int64_t)hosts * within, within, hosts, shared ? &memory : &nvlink, &wire};
}

static double latest(const double *values, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, values[i]);
    return most;
}

/* The ranks of a node each do the same with a part. */
static void check_time(const Row *row, int hosts, int within, int root)
{
    const char *op = op_info[row->op].name;
    CostGroup group = group_of(hosts, within, row->shared);
    World world = run(row, hosts, root, 1.0 / within);
    OpCost cost = cost_collective_by(row->op, hosts * block_bytes, &group, row->name);
    double seconds = latest(world.clock, hosts), sent = latest(world.sent, hosts) / speed;
    check_result(&world, row->op, root);
    if (fabs(seconds / cost.seconds - 1) > 1e-9)
        fail_msg("%s by %s, %d hosts of %d: %g s, predicted %g", op, row->name, hosts, within, seconds, cost.seconds);
    if (sent > cost.spent[SPENT_LINK] * (1 + 1e-9))
        fail_msg("%s by %s, %d hosts of %d: sends more than predicted", op, row->name, hosts, within);
}

static const Row rows[] = {
#define ALGORITHM(id, way, name, cost, run) {COLLECTIVE_##id, PRT_##id, name, #run, #way[0] == 'H'},
#include "base/algorithm.def"
#undef ALGORITHM
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* In the table of the plan and of the runtime; of memory there is nothing to pass on. */
static bool has_rounds(const Row *row)
{
    return strcmp(row->name, "direct") != 0 && prt_algorithm_of(row->run_op, row->name)->phases[0] != NULL;
}

static void takes_as_long_as_planned(void **state)
{
    (void)state;
    int checked = 0;
    for (int i = 0; i < ROW_COUNT; i++) {
        const Row *row = &rows[i];
        if (!has_rounds(row))
            continue;
        checked++;
        for (int hosts = 2; hosts < MOST; hosts++)
            for (int root = 0; root < (row->op == COLLECTIVE_BROADCAST ? hosts : 1); root++)
                for (int within = 1; within <= (row->shared ? 3 : 1); within++)
                    check_time(row, hosts, within, root);
    }
    assert_int_equal(checked, 24);
}

/* Rows of one name are one algorithm, in whatever way it is used. */
static void knows_all_rows(void **state)
{
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        assert_non_null(prt_algorithm_of(rows[i].run_op, rows[i].name));
        for (int other = 0; other < ROW_COUNT; other++)
            if (rows[other].op == rows[i].op && strcmp(rows[other].name, rows[i].name) == 0)
                assert_string_equal(rows[other].run, rows[i].run);
    }
    assert_null(prt_algorithm_of(PRT_ALL_REDUCE, "bruck"));
    assert_null(prt_algorithm_of(PRT_ALL_REDUCE, "circle"));
    assert_null(prt_algorithm_of(PRT_ALL_REDUCE, ""));
    assert_null(prt_algorithm_of(PRT_ALL_REDUCE, NULL));
}

/* ---- Exchanges ---------------------------------------------------------------------------------------------- */

/* What goes a distance is passed on once for each of its bits, and comes to where it must. */
static void passes_on_indirectly(void **state)
{
    (void)state;
    for (int hosts = 2; hosts < MOST; hosts++) {
        int at[MOST], sent = 0, rounds = 0;
        prt_turn turn;
        memset(at, 0, sizeof at);
        for (; prt_bruck(hosts, 0, 0, rounds, &turn); rounds++)
            for (int distance = 1; distance < hosts; distance++)
                if (distance >> rounds & 1) {
                    prt_bruck(hosts, at[distance], 0, rounds, &turn);
                    at[distance] = turn.to;
                    sent++;
                }
        for (int distance = 1; distance < hosts; distance++)
            assert_int_equal(at[distance], distance);
        CostGroup group = group_of(hosts, 1, false);
        OpCost cost = cost_collective_by(COLLECTIVE_ALL_TO_ALL, hosts * block_bytes, &group, "bruck");
        assert_true(fabs((rounds * latency + sent * block_bytes / speed) / cost.seconds - 1) < 1e-9);
    }
}

/* ---- The order of sums -------------------------------------------------------------------------------------- */

typedef struct Sums {
    char text[MOST][MOST][200]; /* by host and block */
    bool summed[MOST][MOST];    /* of a scatter: this host's own is in it */
} Sums;

static void add_text(char *sum, const char *left, const char *right)
{
    char text[200];
    snprintf(text, sizeof text, "(%.90s+%.90s)", left, right);
    strcpy(sum, text);
}

/* As comm_hosts.c adds up what arrives. */
static void add_up(const char *name, prt_collective op, int hosts, Sums *sums)
{
    const prt_algorithm *algorithm = prt_algorithm_of(op, name);
    for (int host = 0; host < hosts; host++)
        for (int block = 0; block < hosts; block++)
            snprintf(sums->text[host][block], sizeof sums->text[host][block], "%d", host);
    for (int phase = 0; phase < 2 && algorithm->phases[phase] != NULL; phase++)
        for (int round = 0;; round++) {
            static Sums before;
            prt_turn turn = {0};
            bool going_on = false;
            before = *sums;
            for (int host = 0; host < hosts; host++) {
                going_on = algorithm->phases[phase](hosts, host, 0, round, &turn);
                for (int i = 0; going_on && turn.from != PRT_NO_HOST && i < turn.got_count; i++) {
                    int block = (turn.got + i) % hosts;
                    char *own = sums->text[host][block], *arrived = before.text[turn.from][block];
                    bool first =
                        op == PRT_REDUCE_SCATTER ? !sums->summed[host][block] : turn.shared && turn.from < host;
                    if (turn.adds)
                        add_text(own, first ? arrived : own, first ? own : arrived);
                    else
                        strcpy(own, arrived);
                    sums->summed[host][block] = true;
                }
            }
            if (!going_on)
                return;
        }
}

static void adds_in_order(void **state)
{
    (void)state;
    static Sums sums;
    add_up("ring", PRT_REDUCE_SCATTER, 4, memset(&sums, 0, sizeof sums));
    assert_string_equal(sums.text[0][0], "(((1+2)+3)+0)");
    assert_string_equal(sums.text[2][2], "(((3+0)+1)+2)");
    add_up("halving", PRT_REDUCE_SCATTER, 4, memset(&sums, 0, sizeof sums));
    assert_string_equal(sums.text[0][0], "((2+0)+(1+3))");
    for (int hosts = 2; hosts < MOST; hosts++) {
        add_up("doubling", PRT_ALL_REDUCE, hosts, memset(&sums, 0, sizeof sums));
        for (int host = 0; host < hosts; host++)
            assert_string_equal(sums.text[host][0], sums.text[0][0]);
        if (hosts == 4)
            assert_string_equal(sums.text[0][0], "((0+1)+(2+3))");
        if (hosts == 3)
            assert_string_equal(sums.text[0][0], "((0+2)+1)");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_as_long_as_planned),
        cmocka_unit_test(knows_all_rows),
        cmocka_unit_test(passes_on_indirectly),
        cmocka_unit_test(adds_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
