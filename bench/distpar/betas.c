/* betas.c - the intervals of beta of whole models, and what they say of those that DistPar reports. */
#include "bench/distpar/tables.h"

#include "bench/distpar/models.h"
#include "distpar/envelope.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INTERVALS = 128, DEVICES = 4, BATCH = 128, LARGEST_BETA = 1000 };

static bool has_letter(const Model *model, int at)
{
    ChainOperation operation = model->operators[at].operation;
    return operation == CHAIN_LINEAR || operation == CHAIN_DEPTHWISE || operation == CHAIN_EMBEDDING;
}

static void print_run(char letter, int length)
{
    if (length > 2)
        printf(" %d%c", length, letter);
    else
        for (; length > 0; length--)
            printf(" %c", letter);
}

/* The letters of convolutions, linear layers and embeddings in order, runs of more than two as 13D. */
static void print_letters(const Model *model, const ChainPlan *plan)
{
    char letter = 0;
    int length = 0;
    for (int i = 0; i < model->count; i++) {
        if (!has_letter(model, i))
            continue;
        if (plan->letter[i] != letter) {
            print_run(letter, length);
            letter = plan->letter[i];
            length = 0;
        }
        length++;
    }
    print_run(letter, length);
}

/* Into memory that the next call overwrites. */
static const BetaInterval *intervals_of(const Model *model, int *count)
{
    static BetaInterval intervals[MOST_INTERVALS];
    const Chain chain = {model->operators, model->count, DEVICES, 0, PROPERTY_ROWS};
    *count = chain_envelope(&chain, LARGEST_BETA, intervals, MOST_INTERVALS);
    if (*count == 0) {
        fprintf(stderr, "%s: no plan, or too many intervals of beta\n", model->name);
        exit(1);
    }
    return intervals;
}

static void print_intervals(const Model *model)
{
    int count;
    const BetaInterval *intervals = intervals_of(model, &count);
    for (int i = 0; i < count; i++) {
        const ElementCost *cost = &intervals[i].plan.cost;
        printf("| %s | %.3g | %.3g |", model->name, intervals[i].from, intervals[i].to);
        print_letters(model, &intervals[i].plan);
        printf(" | %.3f | %.1f |\n", cost->sent / DEVICES / 1e6, cost->computed / DEVICES / 1e6);
    }
}

/* For which beta DistPar was fastest, and by how many percent against counting communication alone. */
static const struct Reported {
    const char *model;
    double beta, gain;
} reported[] = {{"LeNet-5", 10, 7.48}, {"AlexNet", 1, 64.75}, {"VGG16", 0.1, 2.83}, {"MobileNetV2", 0.01, 8.41}};

static double cost_at(double beta, const ElementCost *cost)
{
    return cost->sent + beta * cost->computed;
}

static void print_reported(const Model *model)
{
    int count, at = 0;
    for (size_t i = 0; i < sizeof reported / sizeof *reported; i++) {
        if (strcmp(reported[i].model, model->name) != 0)
            continue;
        double beta = reported[i].beta;
        const BetaInterval *intervals = intervals_of(model, &count);
        while (intervals[at].to < beta)
            at++;
        printf("| %s | %g |", model->name, beta);
        print_letters(model, &intervals[at].plan);
        double ratio = cost_at(beta, &intervals[0].plan.cost) / cost_at(beta, &intervals[at].plan.cost);
        printf(" | %.1f %% | %.2f %% |\n", 100 * (1 - 1 / ratio), reported[i].gain);
    }
}

static FILE *open_models(void)
{
    FILE *file = fopen("bench/distpar/models.txt", "r");
    if (!file) {
        perror("bench/distpar/models.txt");
        exit(1);
    }
    return file;
}

static void print_models(void (*print)(const Model *model))
{
    static Model model;
    FILE *file = open_models();
    while (read_model(file, BATCH, &model))
        print(&model);
    fclose(file);
}

void print_betas(void)
{
    puts("| model | `beta` from | to | layers | sent, millions | computed, millions |\n|---|---|---|---|---|---|");
    print_models(print_intervals);
}

void print_gains(void)
{
    puts("| model | `beta` | layers | elements saved | reported speedup |\n|---|---|---|---|---|");
    print_models(print_reported);
}

void print_plan(const char *name, const char *letters, int devices, double batch)
{
    static Model model;
    FILE *file = open_models();
    bool found = false;
    while (!found && read_model(file, batch, &model))
        found = strcmp(model.name, name) == 0;
    fclose(file);
    const Chain chain = {model.operators, model.count, devices, 1, PROPERTY_ROWS};
    ChainPlan plan;
    if (!found || !chain_choose(&chain, letters, &plan)) {
        fprintf(stderr, "there is no model '%s' with layers '%s'\n", name, letters);
        exit(1);
    }
    printf("%.0f\n", plan.cost.sent / devices);
}
