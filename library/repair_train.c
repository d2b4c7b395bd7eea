/* repair_train.c - changes of lines of the train (library/repair.h). */
#include "library/repair_internal.h"

#include <string.h>

/* ---- Lines of the train ----------------------------------------------------------------------------------------- */

/* `read by data`: the names after `by`, up to the end of the line. */
void repair_read(Maker *m)
{
    const AstNode *line = wording_setting(m->wording, "data");
    for (int i = 0; line != NULL && i + 1 < line->setting.pieces.count; i++) {
        const AstNode *mark = line->setting.pieces.data[i];
        if (mark->kind != AST_MARK || strcmp(mark->mark.text, "by") != 0)
            continue;
        Span names = span_join(line->setting.pieces.data[i + 1]->span, line->span);
        const char *known = wording_text(m->wording, names);
        bool none = strcmp(known, "none") == 0;
        const char *axes = TEXT("%s%s%s", none ? "" : known, none ? "" : ", ", m->repair->axes);
        repair_one(m, TEXT("Let '%s' choose what is read, too.", m->repair->axes), repair_replace(names, axes));
        repair_one(m, "Leave it out: the axes that cut the batch then choose what is read.",
                   repair_replace(wording_back(m->wording, (Span){names.source, mark->span.start, names.end}, 1), ""));
    }
}

static bool names_coordinate(const AstNode *node)
{
    if (node->kind == AST_CALL)
        return node->call.callee->kind == AST_NAME && strcmp(node->call.callee->name.text, "coordinate") == 0;
    return node->kind == AST_BINARY && (names_coordinate(node->binary.left) || names_coordinate(node->binary.right));
}

/* Every sum in the seed, without the side that uses a coordinate. */
static void make_seed_sum(Maker *m, const AstNode *node)
{
    if (node->kind != AST_BINARY)
        return;
    const AstBinary *sum = &node->binary;
    if (sum->operator== AST_ADD && names_coordinate(sum->right))
        repair_one(m, "Let it be the same on all of them.",
                   repair_replace((Span){node->span.source, sum->left->span.end, sum->right->span.end}, ""));
    if (sum->operator== AST_ADD && names_coordinate(sum->left))
        repair_one(m, "Let it be the same on all of them.",
                   repair_replace((Span){node->span.source, sum->left->span.start, sum->right->span.start}, ""));
    make_seed_sum(m, sum->left);
    make_seed_sum(m, sum->right);
}

void repair_seed(Maker *m)
{
    const AstNode *line = wording_setting(m->wording, "seed");
    for (int i = 0; line != NULL && i < line->setting.pieces.count; i++)
        make_seed_sum(m, line->setting.pieces.data[i]);
}

void repair_batch(Maker *m)
{
    const AstNode *line = wording_setting(m->wording, "batch"), *found[2];
    const char *count = TEXT("%lld", (long long)m->repair->numerator);
    if (line != NULL && (ast_match(line, "#", found) || ast_match(line, "# in # microbatches", found)))
        repair_one(m, TEXT("Take a batch of %s.", count), repair_replace(found[0]->span, count));
}

void repair_microbatches(Maker *m)
{
    const AstNode *line = wording_setting(m->wording, "batch"), *found[2];
    long long count = m->repair->numerator;
    if (line != NULL && ast_match(line, "# in # microbatches", found))
        repair_one(m, TEXT("Take %lld microbatch%s.", count, count == 1 ? "" : "es"),
                   repair_replace(found[1]->span, TEXT("%lld", count)));
}

/* Adds a line that the train lacks, with one of its mesh's axes in place of `data`. */
void repair_line(Maker *m)
{
    const char *line = m->repair->target, *data = strstr(line, "(data)");
    if (m->wording->train == NULL)
        return;
    repair_one(m, TEXT("Say `%s`.", line), wording_with(m->wording, m->wording->train, line));
    const AstNode *mesh = m->wording->mesh;
    for (int i = 0; mesh != NULL && data != NULL && i < mesh->mesh.axes.count; i++) {
        if (mesh->mesh.axes.data[i]->kind != AST_AXIS)
            continue;
        line = TEXT("%.*s(%s)", (int)(data - m->repair->target), m->repair->target,
                    mesh->mesh.axes.data[i]->axis.name.text);
        repair_one(m, TEXT("Say `%s`.", line), wording_with(m->wording, m->wording->train, line));
    }
}
