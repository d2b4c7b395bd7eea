/* compare.c - compare A B TOLERANCE: whether two saved files hold the same tensors, with values that differ by no more
 * than TOLERANCE of the larger magnitude in the tensor (0: the same bits). Prints the first difference. */
#include "tests/equivalence/safetensors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double largest(const SavedTensor *tensor)
{
    double found = 0;
    for (int64_t i = 0; i < tensor->count; i++)
        found = fmax(found, fabs(tensor->values[i]));
    return found;
}

/* NaN is never the same. */
static int compare_tensors(const SavedTensor *a, const SavedTensor *b, double tolerance)
{
    double bound = tolerance * fmax(largest(a), largest(b));
    for (int64_t i = 0; i < a->count; i++)
        if (!(fabs(a->values[i] - b->values[i]) <= bound)) {
            printf("%s[%lld]: %.17g and %.17g\n", a->name, (long long)i, a->values[i], b->values[i]);
            return 1;
        }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: compare A B TOLERANCE\n");
        return 64;
    }
    SavedFile a = saved_read(argv[1]), b = saved_read(argv[2]);
    int status = a.count != b.count || a.count == 0;
    if (status)
        printf("%d and %d tensors\n", a.count, b.count);
    for (int i = 0; i < a.count && status == 0; i++) {
        const SavedTensor *other = saved_find(&b, a.tensors[i].name);
        if (other == NULL || other->count != a.tensors[i].count) {
            printf("%s: not in both with the same size\n", a.tensors[i].name);
            status = 1;
        } else {
            status = compare_tensors(&a.tensors[i], other, strtod(argv[3], NULL));
        }
    }
    saved_free(&a);
    saved_free(&b);
    return status;
}
