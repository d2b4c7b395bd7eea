/* contract.h - relaxed contracts: what a train declares to be computed in the place of what its model says.
 *
 * A contract changes the reference, the program that one device runs, and nothing else: what is proved of the strategy
 * is proved against the changed reference, which stands in the step program (docs/semantics.md, 2).
 *
 *     contract statistics per microbatch               batch normalisation takes each microbatch for itself
 *     contract statistics per replica over data        ... and in it each replica's examples
 *     contract routing per group over context          experts have room for each group of rows apart
 *     contract masks in distribution over data         random masks are drawn by the number of the piece and in it
 *     contract stale(1)                                updates take the gradient of the step before
 *     contract local(8) over pod                       copies of the one device, joined after every eighth step
 *
 * contract_read enters the declaration into train->contracts; the functions of models ask for theirs while they emit.
 */
#ifndef PLACE_REFERENCE_CONTRACT_H
#define PLACE_REFERENCE_CONTRACT_H

#include "parser/ast.h"
#include "reference/build.h"

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
    int64_t ranks; /* along its axes, together */
    int64_t steps; /* by which gradients are old; after which copies are joined */
    bool outer;    /* LOCAL: by a step with this momentum and rate, not by the mean */
    double momentum, rate;
    const char *dim;     /* that is in groups, as models call it */
    const char *needs;   /* what a model lacks that it does not change */
    bool changes;        /* something of the reference */
    Span span, dim_span; /* dim_span: where the dim is named */
} Contract;

typedef Vec(Contract) Contracts;

typedef struct Train Train; /* reference/train.h */

/* Reads one `contract` of a train. False where errors were reported. */
bool contract_read(Ctx *ctx, const AstNode *setting, Train *train);

/* The groups that the contract of this kind makes of a dim (by what the file calls it); 1 where none is declared. The
 * contract counts as needed from then on, where that is more than one. */
int64_t contract_groups(Contracts *contracts, const Decls *decls, ContractKind kind, const char *dim);
/* Where it is declared, for diagnostics. */
const Contract *contract_find(const Contracts *contracts, ContractKind kind, const char *dim);

/* stale(k): the k last gradients of every parameter rest as states, zero at first; declared before the optimizer's
 * states start. In the step, after clipping, the oldest takes the place of the new gradient, which is kept. Both do
 * nothing where no such contract is declared. */
void contract_declare_stale(Builder *b, Contracts *contracts);
void contract_append_stale(Builder *b, const Contracts *contracts);

/* local(h): ranks along its axes become copies, the train's batch one copy's. False where errors were reported. */
bool contract_take_copies(Ctx *ctx, Train *train);
/* The axes of copies, and an operator over axes. */
AxisSet contract_copies(const Decls *decls);
void contract_set_over(Op *op, AxisSet axes);
/* The states of the outer optimizer, before the optimizer's states start; the routine "join". Both do nothing where no
 * such contract is declared. */
void contract_declare_local(Builder *b, Contracts *contracts);
void contract_append_join(Builder *b, const Contracts *contracts);

/* What the answer calls them: "exact", or those that changed the reference. Reports those that changed nothing,
 * and those that did where `exact` is said, too. */
const char *contract_answer(Ctx *ctx, const Decls *decls, const Contracts *contracts);

#endif
