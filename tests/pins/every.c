/* every.c - every choice of the deriver, pinned alone.
 *
 *     every FILE... [--part N/M] [--plan yes] [--show yes]
 *     every FILE... --several N [--seed S] [...]
 *
 * Of a program, for every operator of its step and every axis of several ranks, each of the operator's signatures is
 * put into a statement: `strategy S` becomes `strategy S * pinned(axes)`. So is, for every value, each moment until
 * which copies of it can be kept, that they are made at once, or by a ring (some for values that have no copies), and
 * for products of it alone the other way than they have. The program must then be proved, do what the statement says,
 * and be printed by its assignment as the same program; or be refused with one of a few codes. Copies that are made are
 * kept until any moment, unless the value is recomputed.
 * --plan compares the predicted time of a step with that of the program as it was. --part takes every M-th pin;
 * --several N as many random sets of two to four, some of them for one layer only. --write DIR leaves the programs that
 * are proved there.
 */
#include "base/escape.h"
#include "derive/place.h"
#include "library/compile.h"
#include "library/plain.h"
#include "strategy/plain.h"
#include "tests/pins/copies.h"
#include "tests/sim/chance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 15 };

typedef struct Options {
    int part, parts, several, files;
    uint64_t seed;
    const char *write;
    bool plan, show;
} Options;

/* A statement about a program, as text, and what it names there: how an operator is computed; or, if `copies` has the
 * name of its buffer, how long copies of a value are kept. */
typedef struct Named {
    const char *statement, *copies;
    Converted says;
    bool possible; /* copies are made, which are then kept like that */
    int op, axis;
    bool way; /* it says how the operator as a product gets the value that it reads as `array`, or gives (-1) */
    int array;
    const OnAxis *operand;
    OnAxis result;
} Named;

typedef Vec(Named) NamedVec;

enum { MOST_TOGETHER = 4 };

/* Pins that are tried together, and those of them that hold in all layers. */
typedef struct Tried {
    char statements[2048];
    int count;
    bool alone; /* one statement */
    Named named[MOST_TOGETHER];
} Tried;

typedef struct Counts {
    int tried, proved, refused, wrong, faster;
} Counts;

static bool parse_options(int argc, char **argv, Options *options)
{
    *options = (Options){.part = 0, .parts = 1};
    int a = 1;
    while (a < argc && strncmp(argv[a], "--", 2) != 0)
        a++;
    options->files = a;
    for (; a + 1 < argc; a += 2) {
        if (!strcmp(argv[a], "--part") && sscanf(argv[a + 1], "%d/%d", &options->part, &options->parts) == 2)
            continue;
        if (!strcmp(argv[a], "--several"))
            options->several = atoi(argv[a + 1]);
        else if (!strcmp(argv[a], "--seed"))
            options->seed = strtoull(argv[a + 1], NULL, 10);
        else if (!strcmp(argv[a], "--write"))
            options->write = argv[a + 1];
        else if (!strcmp(argv[a], "--plan"))
            options->plan = true;
        else if (!strcmp(argv[a], "--show"))
            options->show = true;
        else
            return false;
    }
    return a == argc && options->files > 1;
}

/* ---- All pins of a program ------------------------------------------------------------------------------------ */

static void add_copy(const Facts *f, const Op *op, const Converted *request, bool made, NamedVec *list)
{
    const RefBuffer *value = &f->buffers[op->out.buffer];
    bool again = value->again.count > 0 || value->drawn != NULL;
    Named named = {.statement = plain_converted(f->ctx->arena, f->decls, request),
                   .copies = f->reference->buffers.data[op->out.buffer].name,
                   .says = *request,
                   .possible = made && request->has_life && !(again && request->life == COPY_STEP),
                   .axis = request->axis,
                   .op = -1};
    vec_push(f->ctx->arena, list, named);
}

static bool travels_at(const OpChoice *o, int array, int axis)
{
    const Ring *ring = &o->choice.ring;
    return ring->turns && ring->axis == axis && ring->operand == array;
}

/* The choice of an operator of the step; NULL if it is in no list. */
static const OpChoice *find_choice(const ChosenList *list, int op)
{
    const OpChoice *found = NULL;
    for (int i = 0; i < list->count && found == NULL; i++) {
        const Chosen *chosen = &list->data[i];
        if (chosen->kind == CHOSEN_LAYERS)
            found = find_choice(&chosen->layers->body, op);
        if (chosen->kind == CHOSEN_OP && chosen->op->op->id == op)
            found = chosen->op;
    }
    return found;
}

static const OpChoice *choice_in_step(const Choices *choices, int op)
{
    for (int r = 0; r < choices->facts->reference->routines.count; r++)
        if (choices->facts->reference->routines.data[r].kind == ROUTINE_STEP)
            return find_choice(&choices->routines[r].body, op);
    return NULL;
}

/* Statements of how products get the value that `op` computes over an axis, each of one product. */
static void add_products(const Choices *choices, const NodeList *body, const Op *op, const Converted *value,
                         NamedVec *list)
{
    const Facts *f = choices->facts;
    const RoutineFacts *step = &f->routines[0];
    for (int r = 0; r < f->reference->routines.count; r++)
        if (f->reference->routines.data[r].kind == ROUTINE_STEP)
            step = &f->routines[r];
    for (int i = 0; i < body->count; i++) {
        const Op *product = node_op(body->data[i]);
        add_products(choices, &body->data[i]->body, op, value, list);
        const OpChoice *chosen = product != NULL ? choice_in_step(choices, product->id) : NULL;
        for (int k = -1; chosen != NULL && product->kind == OP_EINSUM && k < product->operand_count; k++) {
            bool travels = travels_at(chosen, k, value->axis);
            Pin pin = {0};
            if ((k < 0 ? product->out : product->operand[k]).buffer != op->out.buffer ||
                (!travels && (product->id + k) % 3 != 0) || !derive_pin_subject(f, step, product, &pin))
                continue;
            Converted way = *value;
            way.has_way = true;
            way.way = travels ? COPY_BY_COLLECTIVE : COPY_BY_RING;
            way.products = (ProductNames){.by_result = true, .subject = pin.subject, .from = pin.from};
            vec_push(f->ctx->arena, &way.products.results, pin.label);
            vec_push(f->ctx->arena, list,
                     ((Named){.statement = plain_converted(f->ctx->arena, f->decls, &way),
                              .says = way,
                              .op = product->id,
                              .axis = value->axis,
                              .way = true,
                              .array = k}));
        }
    }
}

/* A value of the step that no statement before has named: then all of its copies over an axis. */
static void add_copies(const Choices *choices, const Program *program, const Op *op, PinSubject subject, int axis,
                       NamedVec *list)
{
    const Facts *f = choices->facts;
    static const CopyLife lives[] = {COPY_USE, COPY_PASS, COPY_STEP};
    const char *buffer = f->reference->buffers.data[op->out.buffer].name;
    Converted kept = {.subject = subject, .label = derive_pin_name(f, op, subject), .group = -1, .axis = axis};
    if (kept.label == NULL)
        return;
    for (int i = 0; i < list->count; i++)
        if (list->data[i].copies != NULL && list->data[i].axis == axis && !strcmp(list->data[i].copies, buffer))
            return;
    add_products(choices, &program_routine(f->reference, ROUTINE_STEP)->body, op, &kept, list);
    bool made = copies_count(program, buffer, axis) > 0;
    int tries = made ? subject == PIN_COTANGENTS ? 2 : 3 : op->id % 4 == 0;
    Converted once = kept, way = kept;
    once.has_moment = way.has_way = kept.has_life = true;
    once.moment = COPY_AT_ONCE;
    way.way = copies_travel(program, buffer, axis) ? COPY_BY_COLLECTIVE : COPY_BY_RING;
    for (int i = 0; i < tries; i++) {
        kept.life = lives[i];
        add_copy(f, op, &kept, made, list);
    }
    if (made || op->id % 2 == 0)
        add_copy(f, op, &once, made, list);
    if (made || way.way == COPY_BY_COLLECTIVE || op->id % 4 == 0)
        add_copy(f, op, &way, made, list);
}

static void add_all_copies(const Choices *choices, const Program *program, const NodeList *body, NamedVec *list)
{
    static const PinSubject subjects[] = {PIN_ACTIVATIONS, PIN_COTANGENTS};
    const Facts *f = choices->facts;
    for (int i = 0; i < body->count; i++) {
        add_all_copies(choices, program, &body->data[i]->body, list);
        const Op *op = node_op(body->data[i]);
        for (int axis = 0; op != NULL && axis < f->decls->axes.count; axis++)
            for (int s = 0; s < 2 && f->decls->axes.data[axis].size > 1; s++)
                add_copies(choices, program, op, subjects[s], axis, list);
    }
}

/* `program`: as it was derived. */
static NamedVec pins_of(const Compile *compile, const Program *program)
{
    NamedVec list = {0};
    const Facts *f = compile->choices->facts;
    const PinnedWays ways = derive_pinned_ways(f);
    for (int i = 0; i < ways.count; i++) {
        const PinnedWay *way = &ways.data[i];
        Named named = {.statement = plain_pin(f->ctx->arena, f->decls, &way->pin),
                       .op = way->op->id,
                       .axis = way->pin.axis,
                       .operand = way->signature->operand,
                       .result = way->signature->result};
        vec_push(f->ctx->arena, &list, named);
    }
    add_all_copies(compile->choices, program, &program_routine(f->reference, ROUTINE_STEP)->body, &list);
    return list;
}

/* ---- One of them ---------------------------------------------------------------------------------------------- */

/* The text with the statement as one more strategy. */
static void with_pin(const Compile *compile, const char *text, const char *statement, char *to)
{
    const char *line = strstr(text, "\n    strategy "), *end = line != NULL ? line + 1 + strcspn(line + 1, "\n") : text;
    int length = snprintf(to, LONGEST, "%.*s * pinned(", (int)(end - text), text),
        axes = compile->train->decls.axes.count;
    for (int a = 0; a < axes; a++)
        length += snprintf(to + length, LONGEST - (size_t)length, "%s%s", a > 0 ? ", " : "",
                           compile->train->decls.axes.data[a].name);
    length += snprintf(to + length, LONGEST - (size_t)length, ")%s\nstrategy pinned(", end);
    for (int a = 0; a < axes; a++)
        length += snprintf(to + length, LONGEST - (size_t)length, "%s%s: axis", a > 0 ? ", " : "",
                           compile->train->decls.axes.data[a].name);
    snprintf(to + length, LONGEST - (size_t)length, ") {\n%s}\n", statement);
}

/* Is an operand (-1: the result) where the pin says? What travels is, shard by shard. */
static bool is_there(const Choice *choice, int operand, const Named *named)
{
    const Ring *ring = &choice->ring;
    bool travels = ring->turns && ring->axis == named->axis && ring->operand == operand;
    return travels ||
           (operand < 0 ? on_axis_equal(choice->result.axis[named->axis], named->result)
                        : on_axis_equal(choice->operand[operand].axis[named->axis], named->operand[operand]));
}

static bool is_followed_in(const ChosenList *list, const Named *named, int *found)
{
    bool followed = true;
    for (int i = 0; i < list->count && followed; i++) {
        const Chosen *chosen = &list->data[i];
        if (chosen->kind == CHOSEN_LAYERS)
            followed = is_followed_in(&chosen->layers->body, named, found);
        if (chosen->kind != CHOSEN_OP || chosen->op->op->id != named->op)
            continue;
        ++*found;
        for (int k = -1; k < chosen->op->op->operand_count; k++)
            followed = followed && is_there(&chosen->op->choice, k, named);
    }
    return followed;
}

/* Is the operator computed as the pin says, wherever it is? */
static bool is_followed(const Choices *choices, const Named *named)
{
    int found = 0;
    if (named->way)
        return travels_at(choice_in_step(choices, named->op), named->array, named->axis) ==
               (named->says.way == COPY_BY_RING);
    bool followed = true;
    for (int r = 0; r < choices->facts->reference->routines.count; r++) {
        const RoutineChoices *routine = &choices->routines[r];
        followed = followed && is_followed_in(&routine->early_body, named, &found) &&
                   is_followed_in(&routine->between, named, &found) && is_followed_in(&routine->body, named, &found);
    }
    return followed && found > 0;
}

/* The predicted time of a step, in seconds; 0 if it is not known. */
static double step_s(Compile *compile)
{
    plan_find_time(&compile->ctx, compile->plan);
    return compile->plan->time.unknown == NULL ? compile->plan->time.step : 0;
}

typedef enum Verdicts { PROVED, REFUSED, WRONG } Verdicts;

typedef struct Outcome {
    Verdicts verdict;
    char text[1024]; /* of a refusal, or what is wrong */
    double step_s;
} Outcome;

/* Codes by which a pin that cannot be followed may be refused. */
static bool is_fair(const Compile *compile)
{
    static const DiagCode codes[] = {P0322, P0323, P0209, P0210, P0290, P0307};
    bool fair = false;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        fair |= diag_has(compile->ctx.diag, codes[i]);
    return fair && !compile->at_fault;
}

static void say_errors(const Compile *compile, Outcome *outcome)
{
    FILE *out = fmemopen(outcome->text, sizeof outcome->text, "w");
    if (out == NULL)
        abort();
    diag_print_text(compile->ctx.diag, out, false, 1);
    fclose(out);
}

/* The program as it was derived; its compile must be closed. */
static const Program *derived(Compile *compile, const char *file, const char *text)
{
    compile_new(compile);
    compile->passes = 0;
    compile->source = source_add(compile->ctx.sources, file, text, strlen(text));
    return compile_program(compile) ? compile->file->program : NULL;
}

static bool are_copies_so(const Program *program, const Named *named)
{
    const Converted *says = &named->says;
    bool so = !says->has_life || copies_are_kept(program, named->copies, named->axis, says->life);
    so = so && (!says->has_moment || copies_are_at_once(program, named->copies, named->axis));
    return so && (!says->has_way || copies_travel(program, named->copies, named->axis) == (says->way == COPY_BY_RING));
}

/* Are copies made and kept as the statements say? */
static bool are_all_copies_so(const char *file, const char *text, const Tried *tried)
{
    Compile compile;
    const Program *program = derived(&compile, file, text);
    bool so = program != NULL;
    for (int i = 0; i < tried->count; i++)
        so = so && (tried->named[i].copies == NULL || are_copies_so(program, &tried->named[i]));
    compile_close(&compile);
    return so;
}

static void check_followed(const char *file, const char *text, const Tried *tried, Outcome *outcome)
{
    Compile compile;
    compile_new(&compile);
    compile.source = source_add(compile.ctx.sources, file, text, strlen(text));
    bool followed = compile_choices(&compile);
    for (int i = 0; i < tried->count; i++)
        followed = followed && (tried->named[i].copies != NULL || is_followed(compile.choices, &tried->named[i]));
    if (!followed || !are_all_copies_so(file, text, tried))
        *outcome = (Outcome){.verdict = WRONG, .text = "it is not followed"};
    compile_close(&compile);
}

/* `tried`: what the text pins; NULL: nothing. */
static Outcome try_text(const char *file, const char *text, const Tried *tried)
{
    static Outcome outcome; /* survives an escape */
    Compile compile;
    Escape escape;
    outcome = (Outcome){.verdict = PROVED};
    escape_begin(&escape);
    if (setjmp(escape.jump) == 0) {
        compile_new(&compile);
        compile.source = source_add(compile.ctx.sources, file, text, strlen(text));
        if (compile_check(&compile)) {
            outcome.step_s = step_s(&compile);
            plain_program(&compile);
            if (tried != NULL)
                check_followed(file, text, tried, &outcome);
        } else {
            outcome.verdict = is_fair(&compile) ? REFUSED : WRONG;
            say_errors(&compile, &outcome);
        }
        compile_close(&compile);
    }
    escape_end(&escape);
    if (outcome.verdict == REFUSED && tried != NULL && tried->alone && tried->named[0].possible)
        outcome.verdict = WRONG;
    if (escape.cause != ESCAPE_NONE) {
        outcome = (Outcome){.verdict = WRONG};
        snprintf(outcome.text, sizeof outcome.text, "%s", escape.message);
    }
    return outcome;
}

static char *read_file(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = calloc(LONGEST, 1);
    if (in == NULL || text == NULL || fread(text, 1, LONGEST - 1, in) == 0)
        abort();
    fclose(in);
    return text;
}

static Tried alone(const Named *named)
{
    Tried tried = {.count = 1, .alone = true, .named = {*named}};
    snprintf(tried.statements, sizeof tried.statements, "%s", named->statement);
    return tried;
}

/* What another pin says of one layer does not hold in all. */
static void leave_out(Tried *tried, const Named *named)
{
    int kept = 0;
    for (int i = 0; i < tried->count; i++)
        if (tried->named[i].op != named->op || tried->named[i].axis != named->axis ||
            (named->copies != NULL && strcmp(named->copies, tried->named[i].copies) != 0))
            tried->named[kept++] = tried->named[i];
    tried->count = kept;
}

/* What a statement says of one product does not hold of all: with others, these are only proved. */
static void leave_out_ways(Tried *tried)
{
    bool ways = false;
    int kept = 0;
    for (int i = 0; i < tried->count; i++)
        ways |= tried->named[i].way;
    for (int i = 0; i < tried->count; i++)
        if (!ways || !tried->named[i].says.has_way)
            tried->named[kept++] = tried->named[i];
    tried->count = kept;
}

/* Two to four pins; some of a block are of its second layer only. */
static Tried draw(const Options *options, int index, const NamedVec *pins)
{
    static const char block[] = " of block.";
    Chance chance = chance_new(options->seed, (uint64_t)index);
    const Named *layered[MOST_TOGETHER];
    Tried tried = {0};
    size_t length = 0;
    int layers = 0;
    for (int left = 2 + chance_below(&chance, MOST_TOGETHER - 1); left > 0; left--) {
        const Named *named = &pins->data[chance_below(&chance, pins->count)];
        const char *at = strstr(named->statement, block), *over = strstr(named->statement, " over ");
        bool layer = at != NULL && at < over && chance_once_in(&chance, 2);
        const char *rest = layer ? at + strlen(block) : named->statement;
        length += (size_t)snprintf(tried.statements + length, sizeof tried.statements - length, "%.*s%s%s",
                                   layer ? (int)(at - named->statement) : 0, named->statement,
                                   layer ? " of block[1]." : "", rest);
        if (layer)
            layered[layers++] = named;
        else
            tried.named[tried.count++] = *named;
    }
    while (layers > 0)
        leave_out(&tried, layered[--layers]);
    leave_out_ways(&tried);
    return tried;
}

static void count(const Options *options, const char *file, const Tried *tried, const Outcome *outcome, double before_s,
                  Counts *counts)
{
    bool faster = outcome->verdict == PROVED && outcome->step_s < before_s;
    counts->tried++;
    counts->proved += outcome->verdict == PROVED;
    counts->refused += outcome->verdict == REFUSED;
    counts->wrong += outcome->verdict == WRONG;
    counts->faster += faster;
    if (options->show || outcome->verdict == WRONG)
        printf("%s:%s%s\n", file, tried->statements, outcome->verdict == PROVED ? "proved" : outcome->text);
    if (options->plan && faster)
        printf("%s:%s%.4g s instead of %.4g s\n", file, tried->statements, outcome->step_s, before_s);
}

/* DIR/gpt.17.place */
static void write_program(const Options *options, const char *file, int index, const char *text)
{
    char path[512];
    const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
    snprintf(path, sizeof path, "%s/%.*s.%d.place", options->write, (int)strcspn(name, "."), name, index);
    FILE *out = fopen(path, "w");
    if (out == NULL || fputs(text, out) < 0 || fclose(out) != 0)
        abort();
}

static void try_file(const Options *options, const char *file, Counts *counts)
{
    static char changed[LONGEST];
    char *text = read_file(file);
    double before_s = try_text(file, text, NULL).step_s;
    Compile compile;
    compile_new(&compile);
    compile.source = source_add(compile.ctx.sources, file, text, strlen(text));
    if (!compile_choices(&compile)) {
        diag_print_text(compile.ctx.diag, stdout, false, 3);
        exit(1);
    }
    Compile whole;
    const NamedVec pins = pins_of(&compile, derived(&whole, file, text));
    int tries = options->several > 0 ? options->several : pins.count;
    for (int i = options->part; i < tries; i += options->parts) {
        const Tried tried = options->several > 0 ? draw(options, i, &pins) : alone(&pins.data[i]);
        with_pin(&compile, text, tried.statements, changed);
        const Outcome outcome = try_text(file, changed, &tried);
        count(options, file, &tried, &outcome, before_s, counts);
        if (options->write != NULL && outcome.verdict == PROVED)
            write_program(options, file, i, changed);
    }
    compile_close(&whole);
    compile_close(&compile);
    free(text);
}

int main(int argc, char **argv)
{
    Options options;
    Counts counts = {0};
    if (!parse_options(argc, argv, &options)) {
        fputs("usage: every FILE... [--several N] [--seed S] [--part N/M] [--write DIR] [--plan yes] [--show yes]\n",
              stderr);
        return 2;
    }
    for (int i = 1; i < options.files; i++)
        try_file(&options, argv[i], &counts);
    printf("%d are proved, of which %d are faster, %d are refused\n", counts.proved, counts.faster, counts.refused);
    printf("%d passed, %d failed, 0 skipped\n", counts.tried - counts.wrong, counts.wrong);
    return counts.wrong > 0;
}
