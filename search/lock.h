/* lock.h - what a search found, in a file next to the program, `gpt.place.lock`: so the program keeps its `search
 * over`, and all verbs but `search` take the strategy from there, for as long as nothing has changed in the program and
 * in what it imports (docs/search.md).
 *
 *     const char *text = lock_text(&answer);               // to be written by the caller
 *     Lock lock;
 *     if (lock_read(ctx, source, ast, &lock))              // false: errors were reported
 *         lock_apply(ctx, &source, &lock);                 // its sources have the strategy, or no lock was there
 *     ... sema_run reads the imports ...
 *     lock_check(ctx, ctx->sources, source, &lock);
 */
#ifndef PLACE_SEARCH_LOCK_H
#define PLACE_SEARCH_LOCK_H

#include "search/search.h"

typedef struct Lock {
    bool there;
    const char *name;              /* of its file */
    const char *program, *imports; /* of both, a hash of the text */
    const char *devices;           /* of the cluster, in the place of what it says; NULL: as it says */
    Version version;
    Span search; /* the lines of the program that it stands for */
} Lock;

/* As JSON, in the arena. */
const char *lock_text(const Answer *answer);

/* A program that is not to be searched, or has no lock: `there` is false. */
bool lock_read(Ctx *ctx, int source, const Ast *ast, Lock *lock);

/* Replaces ctx's sources by the same with the strategy in the place of `search over`; no line moves. */
void lock_apply(Ctx *ctx, int *source, const Lock *lock);

/* Are the imports, among these sources of a program, what they were? Otherwise that is reported. */
bool lock_check(Ctx *ctx, const Sources *sources, int source, const Lock *lock);

#endif
