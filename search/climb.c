/* climb.c - which placements of single values make a program better (search/climb.h). */
#include "search/climb.h"

#include "base/str.h"
#include "search/pins.h"

#include <stdlib.h>
#include <string.h>

/* How much better a program has to be for one more statement. */
static const double least_gain = 1e-3;

typedef struct Climb {
    Answer *answer;
    const SearchWatch *watch;
    Pins pins;
    bool *chosen; /* per pin */
} Climb;

/* ---- The space ---------------------------------------------------------------------------------------------- */

/* NULL: it is of use. */
static const char *without_use(const Space *space, const Option *pinned)
{
    if (pinned->excluded != NULL)
        return pinned->excluded;
    if (!pinned->wanted)
        return "single values are placed `with pinned`";
    if (space->objective == LEAST_BOTH || space->objective == MOST_THROUGHPUT || space->least_devices > 0)
        return "only where one strategy is looked for";
    return space->devices == 1 ? "one device has everything" : NULL;
}

bool climb_open(Ctx *ctx, const Pattern *pattern, Space *space)
{
    Option *pinned = &space->options[GROUP_PINNED].option[OPTION_PINNED];
    space->pinned_name = pattern->pinned;
    pinned->excluded = without_use(space, pinned);
    if (pinned->excluded == NULL || !pinned->wanted)
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0365, pattern->strategy_span, "`with pinned` has nothing to look at");
    diag_why(d, "pinned: %s.", pinned->excluded);
    diag_help(d, "Leave out that line, or what stands against it.");
    return false;
}

/* ---- Programs ------------------------------------------------------------------------------------------------ */

static bool is_first_of_axis(const Climb *climb, int pin)
{
    for (int i = 0; i < pin; i++)
        if (climb->chosen[i] && climb->pins.data[i].axis == climb->pins.data[pin].axis)
            return false;
    return true;
}

/* The chosen pins as a strategy over the axes that they name. */
static PinnedText declare(const Climb *climb)
{
    Arena *arena = climb->answer->ctx->arena;
    const Space *space = &climb->answer->space;
    Text lines = {.arena = arena}, parameters = {.arena = arena}, arguments = {.arena = arena};
    for (int i = 0; i < climb->pins.count; i++) {
        const OnePin *pin = &climb->pins.data[i];
        if (!climb->chosen[i])
            continue;
        text_add(&lines, "%s", pin->statement);
        if (!is_first_of_axis(climb, i))
            continue;
        text_add(&parameters, "%s%s: axis", parameters.length > 0 ? ", " : "", pin->axis_name);
        text_add(&arguments, "%s%s", arguments.length > 0 ? ", " : "", pin->axis_name);
    }
    return (PinnedText){
        .declared = arena_printf(arena, "strategy %s(%s) {\n%s}\n", space->pinned_name, parameters.data, lines.data),
        .call = arena_printf(arena, "%s(%s)", space->pinned_name, arguments.data)};
}

/* The best strategy with the chosen pins. */
static Choice with_chosen(const Climb *climb)
{
    Answer *answer = climb->answer;
    Choice choice = answer->searched.best.choice;
    vec_push(answer->ctx->arena, &answer->space.pinned, declare(climb));
    choice.pinned = answer->space.pinned.count;
    return choice;
}

static bool is_worth_it(const Answer *answer, const Found *found)
{
    const Space *space = &answer->space;
    return found->error == NULL && found->fits &&
           best_value(space, found) < (1 - least_gain) * best_value(space, &answer->searched.best);
}

/* Is the program better with this pin, in the place of one of the same operator? Then it stays. */
static bool try_pin(Climb *climb, int pin)
{
    Answer *answer = climb->answer;
    Arena *arena = answer->ctx->arena;
    int instead = -1;
    for (int i = 0; i < climb->pins.count; i++)
        if (climb->chosen[i] && climb->pins.data[i].op == climb->pins.data[pin].op &&
            climb->pins.data[i].axis == climb->pins.data[pin].axis)
            instead = i;
    if (instead >= 0)
        climb->chosen[instead] = false;
    climb->chosen[pin] = true;
    const Choice choice = with_chosen(climb);
    const Found found = best_cost(&answer->pattern, &answer->space, &choice, arena);
    answer->pins.tried++;
    if (is_worth_it(answer, &found)) {
        best_try(arena, &answer->pattern, &answer->space, &choice, &answer->searched);
        if (answer->searched.best.choice.pinned == choice.pinned)
            return true;
    }
    climb->chosen[pin] = false;
    if (instead >= 0)
        climb->chosen[instead] = true;
    return false;
}

/* ---- The climb ----------------------------------------------------------------------------------------------- */

static int by_elements(const void *left, const void *right)
{
    const OnePin *a = left, *b = right;
    if (a->elements != b->elements)
        return a->elements < b->elements ? 1 : -1;
    return strcmp(a->statement, b->statement);
}

static void find_pins(Climb *climb)
{
    Answer *answer = climb->answer;
    Arena *arena = answer->ctx->arena;
    const Version version = best_version(arena, &answer->space, &answer->searched.best.choice);
    Costed costed;
    pattern_read(&answer->pattern, &version, &costed);
    if (costed.error == NULL)
        climb->pins = pins_find(arena, &costed);
    costed_close(&costed);
    if (climb->pins.count > 0)
        qsort(climb->pins.data, (size_t)climb->pins.count, sizeof *climb->pins.data, by_elements);
    climb->chosen = arena_array(arena, bool, climb->pins.count);
}

bool climb_run(Answer *answer, const SearchWatch *watch)
{
    Climb climb = {.answer = answer, .watch = watch};
    const Space *space = &answer->space;
    if (space->options[GROUP_PINNED].option[OPTION_PINNED].excluded != NULL)
        return false;
    answer->pins.before = answer->searched.best;
    find_pins(&climb);
    answer->pins.all = climb.pins.count;
    bool goes_on = true;
    for (int since = 0, pin = 0; since < climb.pins.count && goes_on; pin = (pin + 1) % climb.pins.count) {
        goes_on = best_goes_on(watch, space, &answer->searched);
        if (!goes_on || climb.chosen[pin])
            since++;
        else
            since = try_pin(&climb, pin) ? 0 : since + 1;
    }
    answer->pins.whole = goes_on;
    return answer->searched.best.choice.pinned > 0;
}
