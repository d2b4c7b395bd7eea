/* mode.h - modes are records, declared in the prelude or by the user:
 *
 *     mode gathered over a { rest sharded over a; use replicated over a made by copy kept until pass }
 *
 * Reads what such a declaration says. What a state does in the mode follows from the record alone; no name of a mode
 * means anything.
 */
#ifndef PLACE_STRATEGY_MODE_H
#define PLACE_STRATEGY_MODE_H

#include "parser/ast.h"
#include "step/step.h"

typedef enum ModePlace { MODE_REPLICATED, MODE_SHARDED, MODE_NOTHING } ModePlace;
typedef enum ModeMadeBy {
    MODE_MADE_BY_NOTHING,
    MODE_MADE_BY_COPY,
    MODE_MADE_BY_RECOMPUTATION,
    MODE_MADE_BY_REDUCTION,
    MODE_MADE_BY_ROTATION /* never whole: the pieces come by, one after another */
} ModeMadeBy;
typedef enum ModeKept { MODE_KEPT_USE, MODE_KEPT_PASS, MODE_KEPT_STEP } ModeKept;

/* Words that were not written have an unknown span. */
typedef struct Mode {
    ModePlace rest, use;
    Tier tier, use_tier;
    ModeMadeBy made_by;
    ModeKept kept; /* until the end of the pass unless said */
    Span rest_span, use_span, tier_span, use_tier_span, made_by_span, kept_span;
} Mode;

/* False where errors were reported. */
bool mode_read(Ctx *ctx, const AstNode *declaration, Mode *mode);

/* "device", "host" or "file"; reports another word. */
bool mode_read_tier(Ctx *ctx, AstName word, Tier *tier);
/* "use", "pass" or "step" as ModeKept; reports another word. */
bool mode_read_kept(Ctx *ctx, AstName word, ModeKept *kept);

/* Whether a gather-or-slice over one axis can express it: at rest sharded or replicated, used as it rests or as a
 * copied whole; `made`: activations that recomputation or rotation makes, which they can be. Otherwise *what and *span
 * say which word is in the way, and *why what it would take (or NULL). */
bool mode_is_supported(const Mode *mode, bool made, const char **what, const char **why, Span *span);

#endif
