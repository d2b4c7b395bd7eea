/* placement.c - placements: equality, duals, extents, text. */
#include "algebra/placement.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

Mesh mesh_of(const Decls *decls)
{
    Mesh mesh = {.axis_count = decls->axes.count};
    for (int i = 0; i < mesh.axis_count; i++)
        mesh.axis[i] = (MeshAxis){decls->axes.data[i].name, decls->axes.data[i].size};
    return mesh;
}

int64_t mesh_ranks(const Mesh *mesh)
{
    int64_t ranks = 1;
    for (int i = 0; i < mesh->axis_count; i++)
        ranks *= mesh->axis[i].size;
    return ranks;
}

Placement placement_replicated(const Mesh *mesh, int dim_count)
{
    return (Placement){.axis_count = (int8_t)mesh->axis_count, .dim_count = (int8_t)dim_count};
}

static void remove_cut(Placement *p, int axis)
{
    int dim = p->axis[axis].dim, kept = 0;
    for (int i = 0; i < p->cut_count[dim]; i++)
        if (p->cut[dim][i] != axis)
            p->cut[dim][kept++] = p->cut[dim][i];
    for (int i = kept; i < p->cut_count[dim]; i++)
        p->cut[dim][i] = 0;
    p->cut_count[dim] = (int8_t)kept;
}

void placement_set(Placement *p, int axis, OnAxis on)
{
    if (p->axis[axis].kind == PLACED_SHARDED)
        remove_cut(p, axis);
    p->axis[axis] = on;
    if (on.kind == PLACED_SHARDED)
        p->cut[on.dim][p->cut_count[on.dim]++] = (int8_t)axis;
}

void placement_set_in_order(Placement *p, int axis, OnAxis on)
{
    placement_set(p, axis, on);
    if (on.kind != PLACED_SHARDED)
        return;
    int8_t *cut = p->cut[on.dim];
    for (int i = p->cut_count[on.dim] - 1; i > 0 && cut[i - 1] > axis; i--) {
        cut[i] = cut[i - 1];
        cut[i - 1] = (int8_t)axis;
    }
}

bool placement_equal(const Placement *x, const Placement *y)
{
    if (x->flat != y->flat || x->axis_count != y->axis_count || x->dim_count != y->dim_count)
        return false;
    for (int i = 0; i < x->axis_count; i++)
        if (!on_axis_equal(x->axis[i], y->axis[i]))
            return false;
    return memcmp(x->cut, y->cut, sizeof x->cut) == 0;
}

AxisSet placement_axes_of(const Placement *p, PlacedKind kind)
{
    AxisSet set = {0};
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == (int8_t)kind)
            set.axis[set.count++] = (int8_t)i;
    return set;
}

AxisSet placement_cuts_inside(const Placement *p, int dim, int outermost)
{
    AxisSet set = {.count = p->cut_count[dim] - outermost};
    memcpy(set.axis, p->cut[dim] + outermost, (size_t)set.count);
    return set;
}

AxisSet placement_cuts(const Placement *p, int dim)
{
    return placement_cuts_inside(p, dim, 0);
}

Placement placement_layout(Placement p)
{
    for (int i = 0; i < p.axis_count; i++)
        if (p.axis[i].kind == PLACED_PARTIAL)
            p.axis[i] = on_replicated();
    return p;
}

const char *placement_fault(const Mesh *mesh, const Placement *p)
{
    int partial = -1;
    for (int i = 0; i < p->axis_count; i++) {
        OnAxis on = p->axis[i];
        if (on.kind == PLACED_SHARDED && (on.dim < 0 || on.dim >= p->dim_count))
            return "it cuts a dim that the tensor has not";
        if (on.kind == PLACED_AT && (on.coordinate < 0 || on.coordinate >= mesh->axis[i].size))
            return "it is at a coordinate beyond its axis";
        if (on.kind != PLACED_PARTIAL)
            continue;
        if (partial >= 0 && p->axis[partial].op != on.op &&
            !(partial_op_is_linear(p->axis[partial].op) && partial_op_is_linear(on.op)))
            return "it is partial by ops whose order matters";
        partial = i;
    }
    return NULL;
}

/* ---- Extents ------------------------------------------------------------------------------------------------ */

static int64_t flat_extent(const Mesh *mesh, const Placement *p, int64_t size, const int64_t *coordinates,
                           int64_t *start)
{
    int64_t parts = 1, index = 0;
    for (int i = 0; i < p->cut_count[0]; i++) {
        int axis = p->cut[0][i];
        parts *= mesh->axis[axis].size;
        index = index * mesh->axis[axis].size + coordinates[axis];
    }
    int64_t extent = (size + parts - 1) / parts;
    *start = index * extent;
    return extent;
}

static int64_t nested_extent(const Mesh *mesh, const Placement *p, int dim, int64_t size, const int64_t *coordinates,
                             int64_t *start)
{
    *start = 0;
    for (int i = 0; i < p->cut_count[dim]; i++) {
        int axis = p->cut[dim][i];
        int64_t offset, extent;
        cut_balanced(size, mesh->axis[axis].size, coordinates[axis], &offset, &extent);
        *start += offset;
        size = extent;
    }
    return size;
}

int64_t placement_extent(const Mesh *mesh, const Placement *p, int dim, int64_t size, const int64_t *coordinates,
                         int64_t *start)
{
    int64_t begin, extent;
    if (p->flat)
        extent = flat_extent(mesh, p, size, coordinates, &begin);
    else
        extent = nested_extent(mesh, p, dim, size, coordinates, &begin);
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_AT && p->axis[i].coordinate != coordinates[i])
            extent = 0;
    if (start != NULL)
        *start = begin;
    return extent;
}

int64_t placement_elements_at(const Mesh *mesh, const Placement *p, const int64_t *sizes, const int64_t *coordinates)
{
    int64_t elements = 1;
    for (int i = 0; i < p->dim_count; i++)
        elements *= placement_extent(mesh, p, i, sizes[i], coordinates, NULL);
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_AT && p->axis[i].coordinate != coordinates[i])
            return 0; /* a scalar has no extent that could be 0 */
    return elements;
}

int64_t placement_elements(const Mesh *mesh, const Placement *p, const int64_t *sizes)
{
    int64_t coordinates[STEP_MAX_AXES] = {0};
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_AT)
            coordinates[i] = p->axis[i].coordinate;
    return placement_elements_at(mesh, p, sizes, coordinates);
}

bool placement_even(const Mesh *mesh, const Placement *p, int dim, int64_t size)
{
    for (int i = 0; i < p->cut_count[dim]; i++) {
        int64_t parts = mesh->axis[p->cut[dim][i]].size;
        if (size % parts != 0)
            return false;
        size /= parts;
    }
    return true;
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

static const char *const op_names[PARTIAL_COUNT] = {"sum", "avg", "max", "min"};

const char *partial_op_name(PartialOp op)
{
    return op_names[op];
}

const char *on_axis_print(Arena *arena, OnAxis on, const char *const *dim_names)
{
    switch ((PlacedKind)on.kind) {
    case PLACED_REPLICATED:
        return "replicated";
    case PLACED_SHARDED:
        return dim_names != NULL ? arena_printf(arena, "sharded(%s)", dim_names[on.dim])
                                 : arena_printf(arena, "sharded(%d)", on.dim);
    case PLACED_PARTIAL:
        return arena_printf(arena, "partial(%s)", op_names[on.op]);
    case PLACED_AT:
        return on.coordinate < 0 ? "at(same)" : arena_printf(arena, "at(%lld)", (long long)on.coordinate);
    case PLACED_VARYING:
        return "varying";
    }
    BUG("a placement that is none");
}

/* Are all axes that cut the dim outside this one in `done`? */
static bool is_next(const Placement *p, int axis, unsigned done)
{
    if (p->axis[axis].kind != PLACED_SHARDED)
        return true;
    int dim = p->axis[axis].dim;
    for (int i = 0; p->cut[dim][i] != axis; i++)
        if (!(done >> p->cut[dim][i] & 1))
            return false;
    return true;
}

const char *placement_print(Arena *arena, const Mesh *mesh, const Placement *p, const char *const *dim_names)
{
    static const char *const flat_name[] = {"flat"};
    const char *text = "";
    unsigned done = 0;
    for (int printed = 0; printed < p->axis_count; printed++) {
        int axis = 0;
        while (done >> axis & 1 || !is_next(p, axis, done))
            axis++;
        done |= 1U << axis;
        if (p->axis[axis].kind != PLACED_REPLICATED)
            text = arena_printf(arena, "%s%s%s: %s", text, text[0] != '\0' ? ", " : "", mesh->axis[axis].name,
                                on_axis_print(arena, p->axis[axis], p->flat ? flat_name : dim_names));
    }
    return text[0] != '\0' ? text : "replicated";
}

typedef struct Reading {
    Arena *arena;
    const char *at;
} Reading;

static const char *take_word(Reading *text)
{
    text->at += strspn(text->at, " ");
    size_t length = 0;
    while (isalnum((unsigned char)text->at[length]) || text->at[length] == '_')
        length++;
    const char *word = arena_copy(text->arena, text->at, length);
    text->at += length;
    text->at += strspn(text->at, " ");
    return word;
}

static bool take(Reading *text, char sign)
{
    if (*text->at != sign)
        return false;
    text->at++;
    return true;
}

static int find_dim(const char *word, const char *const *dim_names, int dim_count)
{
    if (word[0] == '\0')
        return -1;
    for (int i = 0; i < dim_count && dim_names != NULL; i++)
        if (strcmp(dim_names[i], word) == 0)
            return i;
    char *end;
    long number = strtol(word, &end, 10);
    return dim_names == NULL && *end == '\0' && number >= 0 && number < dim_count ? (int)number : -1;
}

/* Reads the argument in parentheses of `kind`. */
static const char *read_argument(const char *word, const char *argument, const char *const *dim_names, int dim_count,
                                 OnAxis *on)
{
    if (strcmp(word, "sharded") == 0) {
        int dim = find_dim(argument, dim_names, dim_count);
        *on = on_sharded(dim);
        return dim < 0 ? "unknown dim" : NULL;
    }
    if (strcmp(word, "partial") == 0) {
        for (int i = 0; i < PARTIAL_COUNT; i++)
            if (strcmp(argument, op_names[i]) == 0) {
                *on = on_partial((PartialOp)i);
                return NULL;
            }
        return "unknown partial op";
    }
    if (strcmp(word, "at") == 0) {
        char *end;
        long number = strtol(argument, &end, 10);
        *on = on_coordinate(number < 0 || number > INT32_MAX ? INT32_MAX : (int32_t)number);
        return argument[0] == '\0' || *end != '\0' ? "a coordinate is a number" : NULL;
    }
    return "unknown placement";
}

static const char *read_on_axis(Reading *text, const char *const *dim_names, int dim_count, OnAxis *on)
{
    const char *word = take_word(text);
    if (strcmp(word, "replicated") == 0 || strcmp(word, "varying") == 0) {
        *on = (OnAxis){.kind = word[0] == 'r' ? PLACED_REPLICATED : PLACED_VARYING};
        return NULL;
    }
    if (!take(text, '('))
        return "unknown placement";
    const char *fault = read_argument(word, take_word(text), dim_names, dim_count, on);
    if (fault == NULL && !take(text, ')'))
        fault = "')' is missing";
    return fault;
}

/* The finest axes of a name. */
static DerivedAxis find_axes(const Mesh *mesh, const char *name)
{
    for (int i = 0; i < mesh->axis_count; i++)
        if (strcmp(mesh->axis[i].name, name) == 0)
            return (DerivedAxis){name, 1, {(int8_t)i}};
    for (int i = 0; i < mesh->derived_count; i++)
        if (strcmp(mesh->derived[i].name, name) == 0)
            return mesh->derived[i];
    return (DerivedAxis){name, 0, {0}};
}

/* Coordinate k of a derived axis, on the finest axis number `which`. */
static OnAxis on_finest(const Mesh *mesh, const DerivedAxis *axes, int which, OnAxis on)
{
    if (on.kind != PLACED_AT || axes->count == 1)
        return on;
    int64_t inner = 1;
    for (int i = which + 1; i < axes->count; i++)
        inner *= mesh->axis[axes->axis[i]].size;
    int64_t index = on.coordinate / inner;
    return on_coordinate((int32_t)(which > 0 ? index % mesh->axis[axes->axis[which]].size : index));
}

static const char *read_entry(Reading *text, const Mesh *mesh, const char *const *dim_names, int dim_count,
                              unsigned *named, Placement *p)
{
    DerivedAxis axes = find_axes(mesh, take_word(text));
    if (axes.count == 0)
        return "unknown axis";
    if (!take(text, ':'))
        return "':' is missing";
    OnAxis on;
    const char *fault = read_on_axis(text, dim_names, dim_count, &on);
    if (fault != NULL)
        return fault;
    for (int i = 0; i < axes.count; i++) {
        if (*named >> axes.axis[i] & 1)
            return "an axis is named twice";
        *named |= 1U << axes.axis[i];
        placement_set(p, axes.axis[i], on_finest(mesh, &axes, i, on));
    }
    return NULL;
}

const char *placement_read(Arena *arena, const Mesh *mesh, const char *text, const char *const *dim_names,
                           int dim_count, Placement *p)
{
    Reading reader = {arena, text};
    unsigned named = 0;
    *p = placement_replicated(mesh, dim_count);
    p->flat = dim_count == 1 && dim_names != NULL && strcmp(dim_names[0], "flat") == 0;
    if (strcmp(text, "replicated") == 0)
        return NULL;
    do {
        const char *fault = read_entry(&reader, mesh, dim_names, dim_count, &named, p);
        if (fault != NULL)
            return fault;
    } while (take(&reader, ','));
    return reader.at[strspn(reader.at, " ")] != '\0' ? "text after the end" : placement_fault(mesh, p);
}
