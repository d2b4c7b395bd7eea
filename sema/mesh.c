/* mesh.c - reads the mesh of a train and the cluster it runs on. */
#include "sema/train.h"

#include <string.h>

static const struct {
    const char *name;
    int64_t memory_bytes; /* 0: the machine's memory */
    const char *row;
} devices[] = {
#define DEVICE(name, memory, row) {name, memory, row},
#include "sema/device.def"
#undef DEVICE
};

enum { DEVICE_COUNT = sizeof devices / sizeof *devices };

static bool read_device(Ctx *ctx, const AstNode *node, Cluster *cluster)
{
    const char *names[DEVICE_COUNT];
    for (int i = 0; i < DEVICE_COUNT; i++) {
        names[i] = devices[i].name;
        if (node->kind == AST_NAME && strcmp(node->name.text, names[i]) == 0) {
            cluster->device = names[i];
            cluster->device_memory_bytes = devices[i].memory_bytes;
            cluster->device_row = devices[i].row;
            return true;
        }
    }
    resolve_unknown(ctx, node->span, "device", resolve_text(ctx, node), names, DEVICE_COUNT);
    return false;
}

/* The line without `within` and `between`, which describe links: nothing derived here depends on them. */
static AstNode without_links(const AstNode *line)
{
    AstNode head = *line;
    for (int i = 0; i < line->setting.pieces.count; i++) {
        const AstNode *piece = line->setting.pieces.data[i];
        if (piece->kind == AST_NAME &&
            (strcmp(piece->name.text, "within") == 0 || strcmp(piece->name.text, "between") == 0)) {
            head.setting.pieces.count = i;
            break;
        }
    }
    return head;
}

static bool read_cluster_line(Ctx *ctx, const AstNode *line, Cluster *cluster)
{
    const AstNode *found[3];
    const int64_t limit = 1 << 24;
    AstNode head = without_links(line);
    int64_t nodes = 1;
    if (ast_match(&head, "# devices of #", found) || ast_match(&head, "# device of #", found))
        return resolve_integer(ctx, NULL, found[0], "the number of devices", 1, limit, &cluster->devices) &&
               read_device(ctx, found[1], cluster);
    if (ast_match(&head, "# nodes of # #", found) || ast_match(&head, "# node of # #", found)) {
        if (!resolve_integer(ctx, NULL, found[0], "the number of nodes", 1, limit, &nodes) ||
            !resolve_integer(ctx, NULL, found[1], "the number of devices in a node", 1, limit,
                             &cluster->node_devices) ||
            !read_device(ctx, found[2], cluster))
            return false;
        cluster->devices = nodes * cluster->node_devices;
        return true;
    }
    Diagnostic *d = diag_report(ctx->diag, P0206, line->span, "expected the devices of the cluster");
    diag_help(d, "Write '4 devices of cpu' or '16 nodes of 8 h100'.");
    return false;
}

static bool read_cluster(Ctx *ctx, const AstNode *node, Cluster *cluster)
{
    const AstList *body = &node->cluster.body;
    cluster->name = node->cluster.name.text;
    cluster->span = node->cluster.name.span;
    if (node->damaged)
        return false;
    if (body->count != 1) {
        diag_report(ctx->diag, P0208, cluster->span, "cluster '%s' has %d lines instead of one", cluster->name,
                    body->count);
        return false;
    }
    return read_cluster_line(ctx, body->data[0], cluster);
}

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

bool mesh_read(Ctx *ctx, const Ast *ast, const AstNode *train_node, Train *train, bool *axes_known)
{
    const AstName *name = &train_node->train.mesh;
    const AstNode *mesh = find_declaration(ctx, ast, AST_MESH, name);
    *axes_known = false;
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
    return cluster != NULL && read_cluster(ctx, cluster, &train->cluster) && good && check_size(ctx, mesh, train);
}
