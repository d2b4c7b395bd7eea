/* mode.c - reads mode records (see mode.h). */
#include "strategy/mode.h"

#include "base/change.h"
#include <string.h>

/* The pieces of one line of a record, read from left to right. */
typedef struct Line {
    Ctx *ctx;
    const AstNode *setting;
    AstName axis; /* of the mode */
    int at;
} Line;

static const char *const place_words[] = {"replicated", "sharded", "nothing"};
static const char *const made_by_words[] = {NULL, "copy", "recomputation", "reduction", "rotation"};
static const char *const kept_words[] = {"use", "pass", "step"};
static const char *const tier_words[] = {[TIER_DEVICE] = "device", [TIER_HOST] = "host", [TIER_FILE] = "file"};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const AstNode *piece(const Line *line)
{
    const AstList *pieces = &line->setting->setting.pieces;
    return line->at < pieces->count ? pieces->data[line->at] : NULL;
}

static const char *piece_text(const AstNode *node)
{
    if (node == NULL)
        return NULL;
    if (node->kind == AST_NAME)
        return node->name.text;
    return node->kind == AST_MARK ? node->mark.text : NULL;
}

static Span piece_span(const Line *line)
{
    const AstNode *node = piece(line);
    return node != NULL ? node->span : line->setting->span;
}

static bool take(Line *line, const char *word)
{
    const char *text = piece_text(piece(line));
    if (text == NULL || strcmp(text, word) != 0)
        return false;
    line->at++;
    return true;
}

static bool report_word(Ctx *ctx, Span span, const char *word, const char *const *words, int count)
{
    Text list = {.arena = ctx->arena};
    for (int i = 0; i < count; i++)
        if (words[i] != NULL)
            text_add(&list, "%s'%s'", list.length > 0 ? ", " : "", words[i]);
    if (word == NULL) {
        diag_report(ctx->diag, P0208, span, "expected one of %s", list.data);
        return false;
    }
    Diagnostic *d = diag_report(ctx->diag, P0201, span, "unknown word '%s' in a mode", word);
    if (!diag_help_unknown_word(d, word, words[0] != NULL ? words : words + 1, words[0] != NULL ? count : count - 1))
        diag_help(d, "Expected here: %s.", list.data);
    return false;
}

/* The next word, which must be one of `words`. */
static bool take_one_of(Line *line, const char *const *words, int count, int *index, Span *span)
{
    const char *text = piece_text(piece(line));
    *span = piece_span(line);
    for (*index = 0; *index < count; ++*index)
        if (text != NULL && words[*index] != NULL && strcmp(words[*index], text) == 0) {
            line->at++;
            return true;
        }
    return report_word(line->ctx, *span, text, words, count);
}

static bool take_axis(Line *line)
{
    const AstNode *axis = piece(line);
    if (axis == NULL || axis->kind != AST_NAME) {
        diag_report(line->ctx->diag, P0208, piece_span(line), "expected the axis of the mode after 'over'");
        return false;
    }
    line->at++;
    if (axis->name.text == line->axis.text)
        return true;
    Diagnostic *d = diag_report(line->ctx->diag, P0201, axis->span, "unknown axis '%s'", axis->name.text);
    if (span_known(line->axis.span))
        diag_label(d, line->axis.span, "the axis of the mode is declared here");
    return false;
}

/* "sharded over a on host", and for `use` also "made by copy kept until pass". */
static bool read_line(Line *line, ModePlacement *place, Span *place_span, Mode *mode, bool use)
{
    int index;
    Span tier_span;
    if (!take_one_of(line, place_words, COUNT(place_words), &index, place_span))
        return false;
    *place = (ModePlacement)index;
    if (take(line, "over") && !take_axis(line))
        return false;
    if (take(line, "on")) {
        if (!take_one_of(line, tier_words, COUNT(tier_words), &index, &tier_span))
            return false;
        *(use ? &mode->use_tier : &mode->tier) = (Tier)index;
        *(use ? &mode->use_tier_span : &mode->tier_span) = tier_span;
    }
    if (use && take(line, "made")) {
        if (!take(line, "by")) {
            diag_report(line->ctx->diag, P0208, piece_span(line), "expected 'by' after 'made'");
            return false;
        }
        if (!take_one_of(line, made_by_words, COUNT(made_by_words), &index, &mode->made_by_span))
            return false;
        mode->made_by = (ModeMadeBy)index;
    }
    if (use && take(line, "kept")) {
        if (!take(line, "until")) {
            diag_report(line->ctx->diag, P0208, piece_span(line), "expected 'until' after 'kept'");
            return false;
        }
        if (!take_one_of(line, kept_words, COUNT(kept_words), &index, &mode->kept_span))
            return false;
        mode->kept = (ModeKept)index;
    }
    if (piece(line) == NULL)
        return true;
    diag_report(line->ctx->diag, P0206, piece_span(line), "this does not belong to '%s' of a mode",
                use ? "use" : "rest");
    return false;
}

static bool report_line(Ctx *ctx, const AstNode *setting)
{
    static const char *const keys[] = {"rest", "use"};
    const char *key = setting->setting.key.text;
    if (key == NULL)
        diag_report(ctx->diag, P0208, setting->span, "expected 'rest' or 'use'");
    else
        report_word(ctx, setting->setting.key.span, key, keys, COUNT(keys));
    return false;
}

bool mode_read(Ctx *ctx, const AstNode *declaration, Mode *mode)
{
    const AstMode *record = &declaration->mode;
    *mode = (Mode){.kept = MODE_KEPT_PASS};
    bool ok = true;
    const AstNode *seen[2] = {NULL, NULL};
    for (int i = 0; i < record->body.count; i++) {
        const AstNode *setting = record->body.data[i];
        if (setting->kind != AST_SETTING) {
            ok = false;
            continue;
        }
        const char *key = setting->setting.key.text;
        bool use = key != NULL && strcmp(key, "use") == 0;
        if (key == NULL || (!use && strcmp(key, "rest") != 0)) {
            ok = report_line(ctx, setting);
            continue;
        }
        if (seen[use] != NULL) {
            Diagnostic *d = diag_report(ctx->diag, P0208, setting->setting.key.span, "'%s' is given twice", key);
            diag_label(d, seen[use]->span, "first here");
            ok = false;
        }
        seen[use] = setting;
        if (setting->setting.value != NULL) {
            diag_report(ctx->diag, P0206, setting->setting.value->span, "'%s' takes nothing after a colon", key);
            ok = false;
        }
        Line line = {ctx, setting, record->axis, 0};
        ok &= read_line(&line, use ? &mode->use : &mode->rest, use ? &mode->use_span : &mode->rest_span, mode, use);
    }
    if (ok && (seen[0] == NULL || seen[1] == NULL)) {
        diag_report(ctx->diag, P0208, record->name.span, "mode '%s' does not say '%s'", record->name.text,
                    seen[0] == NULL ? "rest" : "use");
        ok = false;
    }
    return ok;
}

bool mode_read_tier(Ctx *ctx, AstName word, Tier *tier)
{
    for (int i = 0; i < COUNT(tier_words); i++)
        if (strcmp(tier_words[i], word.text) == 0) {
            *tier = (Tier)i;
            return true;
        }
    return report_word(ctx, word.span, word.text, tier_words, COUNT(tier_words));
}

const char *mode_tier_name(Tier tier)
{
    return tier_words[tier];
}

bool mode_read_kept(Ctx *ctx, AstName word, ModeKept *kept)
{
    for (int i = 0; i < COUNT(kept_words); i++)
        if (strcmp(kept_words[i], word.text) == 0) {
            *kept = (ModeKept)i;
            return true;
        }
    return report_word(ctx, word.span, word.text, kept_words, COUNT(kept_words));
}

bool mode_is_supported(const Mode *mode, bool made, const char **what, const char **why, Span *span)
{
    bool longer = made && mode->kept != MODE_KEPT_USE && span_known(mode->kept_span);
    const struct {
        bool fails;
        const char *what;
        Span span;
        const char *why;
    } rules[] = {
        {mode->use_tier != TIER_DEVICE, "a state used elsewhere than on the device", mode->use_tier_span,
         "Operators work on what is on the device."},
        {longer, "keeping a copy of activations for more than a use", mode->kept_span, "Every use makes a new copy."},
        {mode->rest == MODE_NOTHING, "a state that is stored nowhere", mode->rest_span,
         "Parameters could be made from their master copy, but the reference stores them separately: that both are "
         "always the same would have to be proved first."},
        {mode->use == MODE_NOTHING, "a state that is used nowhere", mode->use_span, NULL},
        {mode->rest == MODE_REPLICATED && mode->use == MODE_SHARDED, "a replicated state used in shards",
         mode->use_span, NULL},
        {mode->made_by == MODE_MADE_BY_RECOMPUTATION, "a state made by recomputation", mode->made_by_span,
         "States are read from where they are stored."},
        {mode->made_by == MODE_MADE_BY_REDUCTION, "a state made by reduction", mode->made_by_span,
         "It would be stored as partial values, which are summed when they are read; only gradients are, within a "
         "step."},
        {mode->made_by == MODE_MADE_BY_ROTATION, "a state made by rotation", mode->made_by_span,
         "States are needed whole; only values that products of activations read can travel."},
        {mode->rest != mode->use && mode->kept == MODE_KEPT_USE, "a copy freed after every use", mode->kept_span,
         "A gathered copy serves a whole pass, or the step: write `kept until pass`, or `kept until step`."},
    };
    for (int i = 0; i < (made ? 2 : COUNT(rules)); i++) /* the first two hold for all subjects */
        if (rules[i].fails) {
            *what = rules[i].what;
            *why = rules[i].why;
            *span = rules[i].span;
            return false;
        }
    return true;
}
