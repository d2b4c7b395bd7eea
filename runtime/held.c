/* held.c - which ranks have a state, and which layers its slots are (held.h). */
#include "runtime/held.h"

int64_t prt_number_at(const prt_place *place, const prt_number *number)
{
    int64_t value = number->constant;
    for (int i = 0; i < number->term_count; i++) {
        const prt_term *term = &number->terms[i];
        int64_t coordinate = place->coordinate[term->axis];
        value += term->factor * (term->table != NULL ? term->table[coordinate] : coordinate);
    }
    int64_t modulus = number->modulus;
    return modulus > 0 ? (value % modulus + modulus) % modulus : value;
}

bool prt_held_at(const prt_place *place, const prt_held *held)
{
    int64_t value = prt_number_at(place, &held->number);
    return value >= held->low && value <= held->high;
}

int64_t prt_slot_of_layer(const prt_place *place, const prt_state *state, int64_t layer)
{
    const prt_layers *layers = &state->layers;
    int64_t first = prt_number_at(place, &layers->first), last = prt_number_at(place, &layers->last);
    int64_t room = state->slots / (layers->repeats + 1); /* of each run */
    if (!prt_held_at(place, &state->held))
        return -1;
    for (int64_t run = 0; run <= layers->repeats; run++) {
        int64_t within = layer - first - run * layers->every;
        if (within >= 0 && within <= last - first)
            return run * room + within;
    }
    return -1;
}

static bool depends_on(const prt_number *number, int axis)
{
    for (int i = 0; i < number->term_count; i++)
        if (number->terms[i].axis == axis)
            return true;
    return false;
}

/* Along an axis, what other ranks have of a value that this one has: other elements; the same; or the same, if they
 * have the layer at all. */
typedef enum along { ALONG_DIFFERS, ALONG_SAME, ALONG_ASK } along;

static along along_axis(const prt_place *place, const prt_state *state, const prt_layout *layout, int member, int axis)
{
    const prt_layers *layers = &state->layers;
    if (place->program->copies[axis] || prt_layout_cut_over(place->program, layout, member, axis))
        return ALONG_DIFFERS;
    bool asks =
        depends_on(&state->held.number, axis) || depends_on(&layers->first, axis) || depends_on(&layers->last, axis);
    return asks ? ALONG_ASK : ALONG_SAME;
}

/* The next rank before `end` that differs from it only on these axes, in the order of ranks; false: there is none. */
static bool next_before(prt_place *place, const prt_place *end, const bool *asked)
{
    for (int axis = place->program->axis_count - 1; axis >= 0; axis--) {
        if (!asked[axis])
            continue;
        if (++place->coordinate[axis] < place->program->axes[axis].size)
            return prt_place_rank(place) < prt_place_rank(end);
        place->coordinate[axis] = 0;
    }
    return false;
}

bool prt_owned_at(const prt_place *place, const prt_state *state, const prt_layout *layout, int member, int64_t layer)
{
    bool asked[PRT_MAX_AXES] = {false};
    prt_place other = *place;
    for (int axis = 0; axis < place->program->axis_count; axis++) {
        along kind = along_axis(place, state, layout, member, axis);
        if (kind == ALONG_SAME && place->coordinate[axis] != 0)
            return false;
        asked[axis] = kind == ALONG_ASK;
        other.coordinate[axis] = asked[axis] ? 0 : place->coordinate[axis];
    }
    bool before = prt_place_rank(&other) < prt_place_rank(place);
    for (; before; before = next_before(&other, place, asked))
        if (prt_slot_of_layer(&other, state, layer) >= 0)
            return false;
    return true;
}
