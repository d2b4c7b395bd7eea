/* Our prototypes of NVIDIA's driver are those of its own header: compiled, not run. */
#include "runtime/cuda.h"

#include <cuda.h>

#define SAME(name, symbol, arguments)                                                                                  \
    _Static_assert(__builtin_types_compatible_p(__typeof__(symbol), __typeof__(*((prt_cuda *)NULL)->name)), #symbol);
PRT_CUDA_FUNCTIONS(SAME)

int main(void)
{
    return 0;
}
