/* contract.h - relaxed contracts: what a train declares to be computed instead of what its model says.
 *
 * A contract changes the reference, the program that one device runs, and nothing else: the strategy is proved against
 * the changed reference, which is in the step program (docs/semantics.md, 2).
 *
 *     contract statistics per microbatch               batch normalisation treats each microbatch separately
 *     contract statistics per replica over data        ... and within it each replica's examples
 *     contract routing per group over context          experts have separate room for each group of rows
 *     contract masks in distribution over data         random masks are drawn by piece number and index in the piece
 *     contract stale(1)                                updates use the gradient of the previous step
 *     contract local(8) over pod                       copies of the one device, joined after every 8 steps
 *
 * contract_read adds the declaration to train->contracts; the functions of models look theirs up as they emit.
 */
#ifndef PLACE_REFERENCE_CONTRACT_H
#define PLACE_REFERENCE_CONTRACT_H

#include "parser/ast.h"
#include "reference/builder.h"

typedef enum ContractKind {
    CONTRACT_EXACT,
    CONTRACT_STATISTICS,
    CONTRACT_ROUTING,
    CONTRACT_MASKS,
    CONTRACT_STALE,
    CONTRACT_LOCAL
} ContractKind;

typedef struct Contract {
    ContractKind kind;
    const char *text; /* "statistics per replica over data" */
    AxisSet axes;
    int64_t ranks; /* along all its axes together */
    int64_t steps; /* the age of the gradients; the steps between joins of the copies */
    bool outer;    /* LOCAL: joined by a step with this momentum and rate, not by the mean */
    double momentum, rate;
    const char *dim;     /* the one divided into groups, as models call it */
    const char *needs;   /* what a model lacks if the contract does not change it */
    bool changes;        /* it changes the reference */
    Span span, dim_span; /* dim_span: where the dim is named */
} Contract;

typedef Vec(Contract) Contracts;

typedef struct Train Train; /* reference/train.h */

/* Reads one `contract` of a train. False if errors were reported. */
bool contract_read(Ctx *ctx, const AstNode *setting, Train *train);

/* The number of groups into which the contract of this kind divides a dim (by its name in the file); 1 if none is
 * declared. If there is more than one, the contract counts as needed from then on. */
int64_t contract_groups(Contracts *contracts, const Decls *decls, ContractKind kind, const char *dim);
/* The declaration, for diagnostics. */
const Contract *contract_find(const Contracts *contracts, ContractKind kind, const char *dim);

/* stale(k): the last k gradients of every parameter are states, initially zero; declared before the optimizer's states
 * start. In the step, after clipping, the oldest replaces the new gradient, which is stored. Both functions do nothing
 * if no such contract is declared. */
void contract_declare_stale(Builder *b, Contracts *contracts);
void contract_append_stale(Builder *b, const Contracts *contracts);

/* local(h): ranks along its axes become copies, and the train's batch that of one copy. False if errors were
 * reported. */
bool contract_take_copies(Ctx *ctx, Train *train);
/* The axes of copies; and sets the axes of an operator. */
AxisSet contract_copies(const Decls *decls);
void contract_set_over(Op *op, AxisSet axes);
/* Declares the states of the outer optimizer, before the optimizer's states start; appends the routine "join". Both do
 * nothing if no such contract is declared. */
void contract_declare_local(Builder *b, Contracts *contracts);
void contract_append_join(Builder *b, const Contracts *contracts);

/* The contract that the answer names: "exact", or those that changed the reference. Reports those that changed nothing
 * and, if `exact` is declared too, those that did. */
const char *contract_answer(Ctx *ctx, const Decls *decls, const Contracts *contracts);

#endif
