/* parts.c - which parts a placement statement may have, by what it is about: a state or values that are stored, a
 * schedule, how values are computed, or how they are converted. Every part of the syntax has a row.
 */
#include "strategy/internal.h"

typedef enum Part {
    PART_BY,
    PART_POSITION, /* by 0 */
    PART_BY_OF,
    PART_WHOLE,
    PART_IN_PARTS,
    PART_FROM,
    PART_FOR,
    PART_TIER,
    PART_KEPT,
    PART_AT,
    PART_WHERE,
    PART_LAYERS,
    PART_CHUNKS,
    PART_COUNT
} Part;

enum {
    STORED = 1 << STATEMENT_STORED,
    SCHEDULE = 1 << STATEMENT_SCHEDULE,
    COMPUTED = 1 << STATEMENT_COMPUTED,
    CONVERTED = 1 << STATEMENT_CONVERTED
};

static const struct {
    const char *name;
    unsigned of; /* the statements that have it */
} parts[PART_COUNT] = {[PART_BY] = {"by", STORED | COMPUTED | CONVERTED},
                       [PART_POSITION] = {"by NUMBER", COMPUTED},
                       [PART_BY_OF] = {"of", COMPUTED},
                       [PART_WHOLE] = {"whole", COMPUTED},
                       [PART_IN_PARTS] = {"in parts", COMPUTED},
                       [PART_FROM] = {"from", COMPUTED | CONVERTED},
                       [PART_FOR] = {"for", CONVERTED},
                       [PART_TIER] = {"tier", STORED},
                       [PART_KEPT] = {"kept until", STORED | CONVERTED},
                       [PART_AT] = {"at", CONVERTED},
                       [PART_WHERE] = {"where present", STORED | COMPUTED | CONVERTED},
                       [PART_LAYERS] = {"layers", SCHEDULE},
                       [PART_CHUNKS] = {"chunks", SCHEDULE}};

static const struct {
    const char *what, *form;
} statements[] = {
    [STATEMENT_STORED] = {"what is stored",
                          "STATE [of LABEL[0..3], ...] MODE [over AXIS, ...] [by DIM] [to TIER] [kept "
                          "until step]"},
    [STATEMENT_SCHEDULE] = {"a schedule", "schedule NAME over AXIS [layers NUMBER, NUMBER, ...] [chunks NUMBER] [when "
                                          "CONDITION]"},
    [STATEMENT_COMPUTED] = {"what is computed",
                            "activations of LABEL computed over AXIS (by DIM [of LABEL] | whole | in "
                            "parts [of LABEL, ...]) [from LABEL, ...]"},
    [STATEMENT_CONVERTED] = {"what is converted",
                             "activations of LABEL converted over AXIS [kept until (use | pass | "
                             "step)] [at (once | use)] [by (ring | collective) [for (activations | "
                             "cotangents | gradients) [of LABEL, ...]] [from LABEL, ...]]"},
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

static Span span_of_list(const AstList *list)
{
    return list->count > 0 ? list->data[0]->span : (Span){0};
}

static Span span_of_name(AstName name)
{
    return name.text != NULL ? name.span : (Span){0};
}

/* Where the part is; unknown if it is not there. */
static Span span_of(const AstPlacement *p, Part part)
{
    bool number = p->by.text != NULL && p->by.text[0] >= '0' && p->by.text[0] <= '9';
    switch (part) {
    case PART_BY:
        return number ? (Span){0} : span_of_name(p->by);
    case PART_POSITION:
        return number ? p->by.span : (Span){0};
    case PART_BY_OF:
        return p->by_of != NULL ? p->by_of->span : (Span){0};
    case PART_WHOLE:
        return p->whole;
    case PART_IN_PARTS:
        return p->in_parts;
    case PART_FROM:
        return span_of_list(&p->from);
    case PART_FOR:
        return span_of_name(p->computing);
    case PART_TIER:
        return span_of_name(p->tier);
    case PART_KEPT:
        return span_of_name(p->kept);
    case PART_AT:
        return span_of_name(p->at);
    case PART_WHERE:
        return span_of_name(p->where);
    case PART_LAYERS:
        return span_of_list(&p->layers);
    case PART_CHUNKS:
        return p->chunks != NULL ? p->chunks->span : (Span){0};
    case PART_COUNT:
        break;
    }
    BUG("a statement of no part");
}

bool strategy_check_parts(const Evaluation *e, const Factor *factor, const AstPlacement *placement, StatementKind kind)
{
    for (int i = 0; i < PART_COUNT; i++) {
        Span span = span_of(placement, (Part)i);
        if (!span_known(span) || (parts[i].of >> kind & 1))
            continue;
        Diagnostic *d = strategy_report(e, factor, P0208, span, "%s has no '%s'", statements[kind].what, parts[i].name);
        diag_help(d, "Its form is: %s", statements[kind].form);
        for (int other = 0; other < STATEMENTS; other++)
            if (parts[i].of >> other & 1)
                diag_help(d, "It is a part of: %s", statements[other].form);
        return false;
    }
    return true;
}
