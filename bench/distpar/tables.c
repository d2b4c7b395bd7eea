/* tables.c - the tables of docs/distpar.md: VGG16's last three layers, and a face recognition head. */
#include "bench/distpar/tables.h"

#include "distpar/distpar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void print_vgg(void)
{
    const double batch = 128, a = 25088 * batch, b = 4096 * batch, c = 1000 * batch;
    const ChainOperator operators[] = {
        {CHAIN_MAP, batch, a, a, 0},  {CHAIN_LINEAR, batch, a, b, 102764544},
        {CHAIN_MAP, batch, b, b, 0},  {CHAIN_LINEAR, batch, b, b, 16781312},
        {CHAIN_MAP, batch, b, b, 0},  {CHAIN_LINEAR, batch, b, c, 4097000},
        {CHAIN_LOSS, batch, c, 0, 0},
    };
    const Chain chain = {operators, 7, 4, 0.1, PROPERTY_ROWS};
    static RankedChain ranked[MOST_RANKED];
    int count = chain_rank(&chain, ranked);
    if (count == 0)
        exit(1);
    puts("| rank | layers | cost, millions | sent, millions |\n|---|---|---|---|");
    for (int i = 0; i < count; i++)
        printf("| %d | %s | %.1f | %.1f |\n", i + 1, ranked[i].letters, chain_cost(&chain, &ranked[i].cost) / 1e6,
               ranked[i].cost.sent / chain.devices / 1e6);
}

/* letters NULL: the layer is free. */
static ChainPlan head_plan(double batch, double classes, int devices, double beta, const char *letters)
{
    const ChainOperator head[] = {{CHAIN_LINEAR, batch, 512 * batch, classes * batch, 512 * classes},
                                  {CHAIN_LOSS, batch, classes * batch, 0, 0}};
    const Chain chain = {head, 2, devices, beta, PROPERTY_ROWS};
    ChainPlan plan;
    if (!chain_choose(&chain, letters, &plan))
        exit(1);
    return plan;
}

/* Sent and computed, beta 1. */
static double head_cost(double batch, double classes, const char *letters)
{
    const Chain chain = {.devices = 8, .beta = 1};
    ChainPlan plan = head_plan(batch, classes, chain.devices, chain.beta, letters);
    return chain_cost(&chain, &plan.cost);
}

static double switch_classes(double batch)
{
    double classes = 8;
    while (head_cost(batch, classes, "C") >= head_cost(batch, classes, "D"))
        classes++;
    return classes;
}

void print_heads(void)
{
    static const double batches[] = {64, 512, 1024};
    puts("| classes | batch 64: data, split | batch 512: data, split | batch 1024: data, split |\n|---|---|---|---|");
    for (double classes = 100; classes <= 1e7; classes *= 10) {
        printf("| %.0f |", classes);
        for (int i = 0; i < 3; i++) {
            double data = head_cost(batches[i], classes, "D"), split = head_cost(batches[i], classes, "C");
            printf(data <= split ? " **%.1f**, %.1f |" : " %.1f, **%.1f** |", data / 1e6, split / 1e6);
        }
        puts("");
    }
    fputs("| split from |", stdout);
    for (int i = 0; i < 3; i++)
        printf(" %.0f |", switch_classes(batches[i]));
    puts("");
}

static char free_letter(double batch, double classes, double beta)
{
    return head_plan(batch, classes, 8, beta, NULL).letter[0];
}

/* The letters that are chosen up to 10 million classes, and the number of classes from which each is. */
static void print_letters_chosen(double batch, double beta)
{
    char letter = free_letter(batch, 1, beta);
    printf(" %c", letter);
    for (double low = 1; low < 1e7; low = floor(1.02 * low) + 1) {
        double high = floor(1.02 * low) + 1, from = low;
        if (free_letter(batch, high, beta) == letter)
            continue;
        while (high - from > 1) {
            double middle = floor((from + high) / 2);
            if (free_letter(batch, middle, beta) == letter)
                from = middle;
            else
                high = middle;
        }
        letter = free_letter(batch, high, beta);
        printf(", %c from %.0f", letter, high);
    }
    fputs(" |", stdout);
}

void print_choices(void)
{
    static const double batches[] = {64, 512, 1024}, betas[] = {10, 1, 0.1, 0.01, 0};
    puts("| `beta` | batch 64 | batch 512 | batch 1024 |\n|---|---|---|---|");
    for (int b = 0; b < 5; b++) {
        printf("| %g |", betas[b]);
        for (int i = 0; i < 3; i++)
            print_letters_chosen(batches[i], betas[b]);
        puts("");
    }
}

/* A fortieth of a decade apart, from 10 classes to 10 million. */
void print_curves(void)
{
    static const double batches[] = {64, 512, 1024};
    for (int i = 0; i < 3; i++)
        for (int step = 40; step <= 280; step++) {
            double classes = floor(pow(10, step / 40.0));
            printf("%.0f|%.0f|%.0f|%.0f\n", batches[i], classes, head_cost(batches[i], classes, "D"),
                   head_cost(batches[i], classes, "C"));
        }
}

/* "DATA SPLIT": the elements that the head sends. */
static void print_head(double classes, int devices, double batch)
{
    printf("%.0f %.0f\n", head_plan(batch, classes, devices, 0, "D").cost.sent / devices,
           head_plan(batch, classes, devices, 0, "C").cost.sent / devices);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } tables[] = {
        {"vgg", print_vgg},
        {"heads", print_heads},
        {"choices", print_choices},
        {"betas", print_betas},
        {"gains", print_gains},
        {"implementations", print_implementations},
        {"primitives", print_primitives},
        {"map", print_map},
        {"curves", print_curves},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (count == 2 && strcmp(arguments[1], tables[i].name) == 0) {
            tables[i].print();
            return 0;
        }
    if (count == 5 && strcmp(arguments[1], "head") == 0) {
        print_head(atof(arguments[2]), atoi(arguments[3]), atof(arguments[4]));
        return 0;
    }
    if (count == 6 && strcmp(arguments[1], "plan") == 0) {
        print_plan(arguments[2], arguments[3], atoi(arguments[4]), atof(arguments[5]));
        return 0;
    }
    fputs("usage: distpar_tables vgg|heads|choices|betas|gains|implementations|primitives|map|curves\n"
          "       distpar_tables head CLASSES DEVICES BATCH\n"
          "       distpar_tables plan MODEL LETTERS DEVICES BATCH\n",
          stderr);
    return 2;
}
