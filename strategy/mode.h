/* mode.h - modes are records, declared in the prelude or by the user:
 *
 *     mode gathered over a { rest sharded over a; use replicated over a made by copy kept until pass }
 *
 * Reads such declarations. What a state does in the mode follows from the record alone; the name of a mode means
 * nothing.
 */
#ifndef PLACE_STRATEGY_MODE_H
#define PLACE_STRATEGY_MODE_H

#include "parser/ast.h"
#include "step/step.h"

typedef enum ModePlacement { MODE_REPLICATED, MODE_SHARDED, MODE_NOTHING } ModePlacement;
typedef enum ModeMadeBy {
    MODE_MADE_BY_NOTHING,
    MODE_MADE_BY_COPY,
    MODE_MADE_BY_RECOMPUTATION,
    MODE_MADE_BY_REDUCTION,
    MODE_MADE_BY_ROTATION /* never whole: the pieces arrive one after another */
} ModeMadeBy;
typedef enum ModeKept { MODE_KEPT_USE, MODE_KEPT_PASS, MODE_KEPT_STEP } ModeKept;

/* Keywords that were not written have an unknown span. */
typedef struct Mode {
    ModePlacement rest, use;
    Tier tier, use_tier;
    ModeMadeBy made_by;
    ModeKept kept; /* by default until the end of the pass */
    Span rest_span, use_span, tier_span, use_tier_span, made_by_span, kept_span;
} Mode;

/* False if errors were reported. */
bool mode_read(Ctx *ctx, const AstNode *declaration, Mode *mode);

/* "device", "host" or "file"; reports any other word. */
bool mode_read_tier(Ctx *ctx, AstName word, Tier *tier);
const char *mode_tier_name(Tier tier);
/* "use", "pass" or "step" as ModeKept; reports any other word. */
bool mode_read_kept(Ctx *ctx, AstName word, ModeKept *kept);

/* Can a gather or a slice over one axis express it: stored sharded or replicated, used as stored or as a whole copy?
 * `made`: for activations, which may also be made by recomputation or rotation. Otherwise *what and *span say which
 * word prevents it, and *why what it would take (or NULL). */
bool mode_is_supported(const Mode *mode, bool made, const char **what, const char **why, Span *span);

#endif
