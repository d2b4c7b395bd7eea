/* contract_stale.c - updates by gradients of earlier steps: a ring of gradients as states of the reference. */
#include "reference/contract.h"

#include <string.h>

/* The states of a train with the contract stale(steps); the first is the newest. */
typedef struct Stale {
    int first;
    int64_t steps;
} Stale;

static const char *state_name(Builder *b, int64_t steps, int64_t age)
{
    return steps == 1 ? "stale_gradient" : arena_printf(b->ctx->arena, "stale_gradient_%lld", (long long)age);
}

void contract_declare_stale(Builder *b, Contracts *contracts)
{
    const Contract *contract = contract_find(contracts, CONTRACT_STALE, NULL);
    if (contract == NULL)
        return;
    contracts->data[contract - contracts->data].changes = true;
    State state = {.kind = STATE_OPTIMIZER,
                   .per_parameter = true,
                   .dtype = b->decls->states.data[BUILDER_STATE_GRADIENTS].dtype,
                   .span = contract->span};
    for (int64_t age = 1; age <= contract->steps; age++) {
        state.name = state_name(b, contract->steps, age);
        builder_add_state(b, &state, -1);
    }
}

static void copy_to(Builder *b, Ref to, Ref from, int tensor)
{
    builder_op(b, OP_COPY, builder_elementwise_spec(b, to, 1, 0), to, &from)->tensor = tensor;
}

/* The oldest is taken out, the others age by one step, the new one is stored. */
static void turn(Builder *b, int tensor, void *data)
{
    const Stale *stale = data;
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor), taken = builder_like(b, "stale", gradient);
    int oldest = stale->first + (int)stale->steps - 1;
    copy_to(b, taken, builder_state_ref(b, oldest, tensor), tensor);
    for (int state = oldest; state > stale->first; state--)
        copy_to(b, builder_state_ref(b, state, tensor), builder_state_ref(b, state - 1, tensor), tensor);
    copy_to(b, builder_state_ref(b, stale->first, tensor), gradient, tensor);
    copy_to(b, gradient, taken, tensor);
}

void contract_append_stale(Builder *b, const Contracts *contracts)
{
    const Contract *contract = contract_find(contracts, CONTRACT_STALE, NULL);
    if (contract == NULL)
        return;
    Stale stale = {.steps = contract->steps};
    const char *newest = state_name(b, contract->steps, 1);
    while (strcmp(b->decls->states.data[stale.first].name, newest) != 0)
        stale.first++;
    Category category = b->category;
    b->category = CATEGORY_BUFFERS;
    b->span = contract->span;
    builder_each_parameter(b, turn, &stale);
    b->category = category;
}
