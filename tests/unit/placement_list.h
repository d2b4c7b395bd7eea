/* placement_list.h - every placement of a value over a mesh, for tests that try all pairs.
 *
 *     static PlacementList list;
 *     Placement none = placement_replicated(&mesh, 2);
 *     placement_list(&mesh, "RSP", false, &none, &list);
 */
#ifndef TESTS_UNIT_PLACEMENT_LIST_H
#define TESTS_UNIT_PLACEMENT_LIST_H

#include "algebra/placement.h"

enum { PLACEMENT_LIST_MAX = 1024 };

typedef struct PlacementList {
    Placement data[PLACEMENT_LIST_MAX];
    int count;
} PlacementList;

static void placement_list_add(PlacementList *list, const Placement *p)
{
    for (int i = 0; i < list->count; i++)
        if (placement_equal(&list->data[i], p))
            return;
    if (list->count == PLACEMENT_LIST_MAX)
        BUG("too many placements");
    list->data[list->count++] = *p;
}

/* With the axes `set` placed as in *p. */
static void placement_list_from(const Mesh *mesh, const char *letters, bool in_order, unsigned set, const Placement *p,
                                PlacementList *list)
{
    static const OnAxis on[128] = {['P'] = {.kind = PLACED_PARTIAL, .op = PARTIAL_SUM},
                                   ['V'] = {.kind = PLACED_PARTIAL, .op = PARTIAL_AVG},
                                   ['X'] = {.kind = PLACED_PARTIAL, .op = PARTIAL_MAX},
                                   ['A'] = {.kind = PLACED_AT, .coordinate = 1}};
    if (set + 1 == 1U << mesh->axis_count && placement_fault(mesh, p) == NULL)
        placement_list_add(list, p);
    for (int a = 0; a < mesh->axis_count; a++)
        for (const char *at = letters; *at != '\0' && !(set >> a & 1); at++)
            for (int dim = 0; dim < (*at == 'S' ? p->dim_count : 1); dim++) {
                Placement next = *p;
                OnAxis then = *at == 'S' ? on_sharded(dim) : on[(int)*at];
                if (in_order)
                    placement_set_in_order(&next, a, then);
                else
                    placement_set(&next, a, then);
                placement_list_from(mesh, letters, in_order, set | 1U << a, &next, list);
            }
}

/* R, S (every dim), P, V, X, A: replicated, sharded, partial by sum, avg and max, at coordinate 1; with cuts nested in
 * the order of the mesh, or in every order. */
static void placement_list(const Mesh *mesh, const char *letters, bool in_order, const Placement *none,
                           PlacementList *list)
{
    list->count = 0;
    placement_list_from(mesh, letters, in_order, 0, none, list);
}

#endif
