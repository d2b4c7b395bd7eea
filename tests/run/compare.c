/* compare.c - compare A B TOLERANCE [FLOOR]: whether two saved files hold the same tensors, with values that differ by no
 * more than TOLERANCE of the larger magnitude in the tensor (0: the same bits), or of FLOOR of the largest in its state
 * where that is more: some tensors are zero but for rounding, as the gradient of a key's bias. Prints the first
 * difference. */
#include "tests/equivalence/safetensors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double largest(const SavedTensor *tensor)
{
    double found = 0;
    for (int64_t i = 0; i < tensor->count; i++)
        found = fmax(found, fabs(tensor->values[i]));
    return found;
}

/* The largest magnitude in the state of a tensor: what is before the slash in its name. */
static double largest_of_state(const SavedFile *file, const SavedTensor *tensor)
{
    double found = 0;
    size_t length = strcspn(tensor->name, "/") + 1;
    for (int i = 0; i < file->count; i++)
        if (strncmp(file->tensors[i].name, tensor->name, length) == 0)
            found = fmax(found, largest(&file->tensors[i]));
    return found;
}

/* NaN is never the same. */
static int compare_tensors(const SavedTensor *a, const SavedTensor *b, double bound)
{
    for (int64_t i = 0; i < a->count; i++)
        if (!(fabs(a->values[i] - b->values[i]) <= bound)) {
            printf("%s[%lld]: %.17g and %.17g\n", a->name, (long long)i, a->values[i], b->values[i]);
            return 1;
        }
    return 0;
}

static int compare_files(const SavedFile *a, const SavedFile *b, double tolerance, double floor_part)
{
    if (a->count != b->count || a->count == 0) {
        printf("%d and %d tensors\n", a->count, b->count);
        return 1;
    }
    for (int i = 0; i < a->count; i++) {
        const SavedTensor *tensor = &a->tensors[i], *other = safetensors_find(b, tensor->name);
        if (other == NULL || other->count != tensor->count) {
            printf("%s: not in both with the same size\n", tensor->name);
            return 1;
        }
        double scale = fmax(fmax(largest(tensor), largest(other)), floor_part * largest_of_state(a, tensor));
        if (compare_tensors(tensor, other, tolerance * scale))
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: compare A B TOLERANCE [FLOOR]\n");
        return 64;
    }
    SavedFile a = safetensors_read(argv[1]), b = safetensors_read(argv[2]);
    int status = compare_files(&a, &b, strtod(argv[3], NULL), argc == 5 ? strtod(argv[4], NULL) : 0);
    safetensors_free(&a);
    safetensors_free(&b);
    return status;
}
