/* mesh.c - reads the mesh of a train. */
#include "sema/train.h"

#include <string.h>

static const AstName *name_of(const AstNode *item, AstKind kind)
{
    if (item->kind != kind)
        return NULL;
    return kind == AST_MESH ? &item->mesh.name : &item->cluster.name;
}

/* The declaration of this kind and name; reports and returns NULL if there is none. */
static const AstNode *find_declaration(Ctx *ctx, const Ast *ast, AstKind kind, const AstName *wanted)
{
    int count = 0;
    const char **names = arena_array(ctx->arena, const char *, ast->items.count + 1);
    for (int i = 0; i < ast->items.count; i++) {
        const AstName *name = name_of(ast->items.data[i], kind);
        if (name == NULL)
            continue;
        if (strcmp(name->text, wanted->text) == 0)
            return ast->items.data[i];
        names[count++] = name->text;
    }
    if (!ast->damaged)
        resolve_unknown(ctx, wanted->span, ast_kind_name(kind), wanted->text, names, count);
    return NULL;
}

static bool check_name(Ctx *ctx, const AstAxis *axis, const Train *train)
{
    const char *name = axis->name.text;
    if (strcmp(name, "micro") == 0) {
        Diagnostic *d = diag_report(ctx->diag, P0202, axis->name.span, "an axis cannot be called 'micro'");
        diag_why(d, "In step programs this name stands for the loop over microbatches.");
        return false;
    }
    for (int i = 0; i < train->decls.axes.count; i++)
        if (strcmp(train->decls.axes.data[i].name, name) == 0) {
            resolve_duplicate(ctx, axis->name.span, "axis", name, train->decls.axes.data[i].span);
            return false;
        }
    for (int i = 0; i < train->derived_axes.count; i++)
        if (strcmp(train->derived_axes.data[i].name, name) == 0) {
            resolve_duplicate(ctx, axis->name.span, "axis", name, train->derived_axes.data[i].span);
            return false;
        }
    return true;
}

/* The factors: earlier axes, each once. */
static bool read_factors(Ctx *ctx, const AstNode *node, const Decls *decls, bool *named)
{
    if (node->kind == AST_BINARY) {
        AstOperator op = node->binary.operator;
        if (op == AST_MULTIPLY)
            return read_factors(ctx, node->binary.left, decls, named) &&
                   read_factors(ctx, node->binary.right, decls, named);
    }
    if (node->kind != AST_NAME) {
        if (node->kind != AST_ERROR)
            diag_report(ctx->diag, P0206, node->span, "expected axes of this mesh, joined by '*'");
        return false;
    }
    const char **names = arena_array(ctx->arena, const char *, decls->axes.count + 1);
    for (int i = 0; i < decls->axes.count; i++) {
        names[i] = decls->axes.data[i].name;
        if (strcmp(names[i], node->name.text) != 0)
            continue;
        if (named[i])
            diag_report(ctx->diag, P0209, node->span, "the axis '%s' is named twice", names[i]);
        bool first = !named[i];
        named[i] = true;
        return first;
    }
    resolve_unknown(ctx, node->span, "axis", node->name.text, names, decls->axes.count);
    return false;
}

static bool read_derived_axis(Ctx *ctx, const AstAxis *axis, Train *train)
{
    bool named[STEP_MAX_AXES] = {false};
    if (!check_name(ctx, axis, train) || !read_factors(ctx, axis->size, &train->decls, named))
        return false;
    AxisProduct read = {.name = axis->name.text, .span = axis->name.span};
    for (int i = 0; i < train->decls.axes.count; i++)
        if (named[i])
            read.axes.axis[read.axes.count++] = (int8_t)i;
    vec_push(ctx->arena, &train->derived_axes, read);
    return true;
}

static bool read_axis(Ctx *ctx, const AstAxis *axis, Train *train)
{
    const char *name = axis->name.text;
    Decls *decls = &train->decls;
    if (!check_name(ctx, axis, train))
        return false;
    if (decls->axes.count == STEP_MAX_AXES) {
        diag_report(ctx->diag, P0207, axis->name.span, "a mesh of more than %d axes", STEP_MAX_AXES);
        return false;
    }
    Axis read = {.name = name, .span = axis->name.span};
    if (!resolve_integer(ctx, NULL, axis->size, arena_printf(ctx->arena, "the size of axis '%s'", name), 1, 1 << 24,
                         &read.size))
        return false;
    vec_push(ctx->arena, &decls->axes, read);
    return true;
}

static bool check_size(Ctx *ctx, const AstNode *mesh, const Train *train)
{
    int64_t devices_used = 1;
    Text product = {.arena = ctx->arena};
    for (int i = 0; i < train->decls.axes.count; i++) {
        const Axis *axis = &train->decls.axes.data[i];
        if (__builtin_mul_overflow(devices_used, axis->size, &devices_used))
            devices_used = INT64_MAX;
        text_add(&product, "%s%lld", i > 0 ? " * " : "", (long long)axis->size);
    }
    if (devices_used == train->cluster.devices)
        return true;
    Diagnostic *d = diag_report(
        ctx->diag, P0205, mesh->mesh.name.span, "mesh '%s' has %s%s%lld devices, cluster '%s' has %lld",
        mesh->mesh.name.text, train->decls.axes.count > 1 ? product.data : "", train->decls.axes.count > 1 ? " = " : "",
        (long long)devices_used, train->cluster.name, (long long)train->cluster.devices);
    diag_label(d, train->cluster.span, "declared here");
    return false;
}

static bool is_searched(const AstNode *train)
{
    bool found = false;
    for (int i = 0; i < train->train.body.count; i++)
        found = found || train->train.body.data[i]->kind == AST_SEARCH;
    return found;
}

static bool names_cluster(const Ast *ast, const AstName *name)
{
    bool found = false;
    for (int i = 0; i < ast->items.count; i++) {
        const AstName *declared = name_of(ast->items.data[i], AST_CLUSTER);
        found = found || (declared != NULL && strcmp(declared->text, name->text) == 0);
    }
    return found;
}

bool mesh_read(Ctx *ctx, const Ast *ast, const AstNode *train_node, Train *train, bool *axes_known)
{
    const AstName *name = &train_node->train.mesh;
    *axes_known = false;
    if (is_searched(train_node) && names_cluster(ast, name)) /* its mesh is to be found, too */
        return false;
    const AstNode *mesh = find_declaration(ctx, ast, AST_MESH, name);
    if (mesh == NULL)
        return false;
    train->mesh_name = name->text;
    bool good = true;
    for (int i = 0; i < mesh->mesh.axes.count; i++) {
        const AstNode *axis = mesh->mesh.axes.data[i];
        bool derived = axis->kind == AST_AXIS && axis->axis.derived;
        good &= axis->kind == AST_AXIS &&
                (derived ? read_derived_axis(ctx, &axis->axis, train) : read_axis(ctx, &axis->axis, train));
    }
    if (mesh->mesh.axes.count == 0) {
        diag_report(ctx->diag, P0208, mesh->mesh.name.span, "mesh '%s' has no axes", mesh->mesh.name.text);
        good = false;
    }
    *axes_known = good;
    const AstNode *cluster = find_declaration(ctx, ast, AST_CLUSTER, &mesh->mesh.cluster);
    return cluster != NULL && cluster_read(ctx, cluster, &train->cluster) && good && check_size(ctx, mesh, train);
}
