/* ast.c - properties of the syntax tree: names of kinds, children, and matching the pieces of a setting. */
#include "parser/ast.h"

#include "parser/ast_walk.h"

#include <string.h>

static const char *const kind_names[AST_KIND_COUNT] = {
#define AST(KIND, member, name) [AST_##KIND] = name,
#include "parser/ast.def"
#undef AST
};

static const char *const operator_texts[] = {
    [AST_ADD] = "+",    [AST_SUBTRACT] = "-",    [AST_MULTIPLY] = "*", [AST_DIVIDE] = "/",
    [AST_LESS] = "<",   [AST_LESS_EQUAL] = "<=", [AST_GREATER] = ">",  [AST_GREATER_EQUAL] = ">=",
    [AST_EQUAL] = "==", [AST_NOT_EQUAL] = "!=",
};

const char *ast_kind_name(AstKind kind)
{
    return kind_names[kind];
}

const char *ast_operator_text(AstOperator operator)
{
    return operator_texts[operator];
}

/* ---- Children ----------------------------------------------------------------------------------------------- */

typedef struct Walk {
    AstNode **children; /* NULL: only count */
    int count, depth;
    bool damaged;
} Walk;

static void visit(Walk *walk, AstNode *child)
{
    if (child == NULL)
        return;
    if (walk->children != NULL)
        walk->children[walk->count] = child;
    walk->count++;
    if (child->depth > walk->depth)
        walk->depth = child->depth;
    walk->damaged |= child->damaged;
}

static void visit_list(Walk *walk, AstList list)
{
    for (int i = 0; i < list.count; i++)
        visit(walk, list.data[i]);
}

static void visit_children(Walk *walk, const AstNode *node)
{
    switch (node->kind) {
    case AST_ERROR:
    case AST_NAME:
    case AST_NUMBER:
    case AST_STRING:
    case AST_ANY:
    case AST_MARK:
        return;
    case AST_MEMBER:
        visit(walk, node->member.object);
        return;
    case AST_INDEX:
        visit(walk, node->index.object);
        visit_list(walk, node->index.items);
        return;
    case AST_RANGE:
        visit(walk, node->range.first);
        visit(walk, node->range.last);
        return;
    case AST_CALL:
        visit(walk, node->call.callee);
        visit_list(walk, node->call.arguments);
        return;
    case AST_ARGUMENT:
        visit(walk, node->argument.value);
        return;
    case AST_NEGATE:
        visit(walk, node->negate.operand);
        return;
    case AST_BINARY:
        visit(walk, node->binary.left);
        visit(walk, node->binary.right);
        return;
    case AST_REDUCTION:
        visit(walk, node->reduction.body);
        visit(walk, node->reduction.mask);
        return;
    case AST_TYPE:
        visit_list(walk, node->type.dims);
        return;
    case AST_VERSION:
        visit(walk, node->version.number);
        return;
    case AST_IMPORT:
        visit(walk, node->import.path);
        return;
    case AST_MODEL:
        visit_list(walk, node->model.parameters);
        visit_list(walk, node->model.body);
        return;
    case AST_CLUSTER:
        visit_list(walk, node->cluster.body);
        return;
    case AST_MESH:
        visit_list(walk, node->mesh.axes);
        return;
    case AST_STRATEGY:
        visit_list(walk, node->strategy.parameters);
        visit_list(walk, node->strategy.body);
        visit(walk, node->strategy.definition);
        return;
    case AST_MODE:
        visit_list(walk, node->mode.body);
        return;
    case AST_STATE:
        visit_list(walk, node->state.body);
        return;
    case AST_TRAIN:
        visit_list(walk, node->train.arguments);
        visit_list(walk, node->train.body);
        return;
    case AST_SEARCH:
        visit_list(walk, node->search.body);
        return;
    case AST_PARAMETER:
        visit(walk, node->parameter.value);
        return;
    case AST_AXIS:
        visit(walk, node->axis.size);
        return;
    case AST_INPUT:
        visit(walk, node->input.type);
        return;
    case AST_ASSIGN:
        visit(walk, node->assign.value);
        return;
    case AST_REPEAT:
        visit(walk, node->repeat.count);
        visit_list(walk, node->repeat.body);
        return;
    case AST_PLACEMENT:
        visit_list(walk, node->placement.selectors);
        visit_list(walk, node->placement.layers);
        visit(walk, node->placement.chunks);
        visit(walk, node->placement.when);
        visit(walk, node->placement.by_of);
        visit_list(walk, node->placement.parts);
        visit_list(walk, node->placement.from);
        visit_list(walk, node->placement.computed);
        return;
    case AST_SYNC:
        visit_list(walk, node->sync.selectors);
        visit_list(walk, node->sync.segments);
        visit_list(walk, node->sync.clauses);
        return;
    case AST_CLAUSE:
        visit(walk, node->clause.time.index);
        visit(walk, node->clause.wait.index);
        visit(walk, node->clause.scale);
        visit(walk, node->clause.when);
        return;
    case AST_SETTING:
        visit_list(walk, node->setting.pieces);
        visit(walk, node->setting.value);
        return;
    case AST_KIND_COUNT:
        break;
    }
    BUG("node of kind %d", (int)node->kind);
}

int ast_children(const AstNode *node, AstNode **children)
{
    Walk walk = {.children = children};
    visit_children(&walk, node);
    return walk.count;
}

void ast_measure(AstNode *node)
{
    Walk walk = {0};
    visit_children(&walk, node);
    node->depth = walk.depth + 1;
    node->damaged = walk.damaged || node->kind == AST_ERROR;
}

/* ---- Settings ----------------------------------------------------------------------------------------------- */

/* Does the piece match this word of the pattern? */
static bool piece_fits(const AstNode *piece, const char *wanted, size_t length)
{
    if (length == 1 && wanted[0] == '#')
        return piece->kind != AST_MARK;
    const char *text = piece->kind == AST_NAME ? piece->name.text : piece->kind == AST_MARK ? piece->mark.text : NULL;
    return text != NULL && strlen(text) == length && memcmp(text, wanted, length) == 0;
}

/* Matches piece by piece; returns the index of the first that does not match, -1 if all do. */
static int match_pieces(const AstList *pieces, const char *pattern, const AstNode **found)
{
    int index = 0;
    for (const char *at = pattern + strspn(pattern, " "); *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (index == pieces->count || !piece_fits(pieces->data[index], at, length))
            return index;
        if (*at == '#' && found != NULL)
            *found++ = pieces->data[index];
        at += length;
        index++;
    }
    return index == pieces->count ? -1 : index;
}

bool ast_match(const AstNode *setting, const char *pattern, const AstNode **found)
{
    return match_pieces(&setting->setting.pieces, pattern, found) < 0;
}

int ast_mismatch(const AstNode *setting, const char *pattern)
{
    return match_pieces(&setting->setting.pieces, pattern, NULL);
}
