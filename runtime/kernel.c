/* kernel.c - what a launch of a kernel is and costs, from the kernel's row and the launch's arguments (device.h). */
#include "runtime/comm.h"
#include "runtime/device.h"

#include <string.h>

int64_t prt_kernel_extent(const char *dims, const prt_arguments *arguments)
{
    int64_t product = 1;
    for (; *dims != '\0'; dims++)
        product *= arguments->extents[*dims - 'i'];
    return product;
}

int64_t prt_kernel_blocks(const prt_kernel *kernel, const prt_arguments *arguments, int threads)
{
    int64_t work = prt_kernel_extent(kernel->work, arguments);
    return kernel->per_thread ? (work + threads - 1) / threads : work;
}

int64_t prt_kernel_array_bytes(const prt_kernel *kernel, const prt_arguments *arguments, int array)
{
    return prt_kernel_extent(kernel->arrays[array].dims, arguments) * prt_dtype_bytes(kernel->arrays[array].dtype);
}

int64_t prt_kernel_array_span(const prt_kernel *kernel, const prt_arguments *arguments, int array)
{
    const char *dims = kernel->arrays[array].dims;
    const int8_t *rooms = kernel->rooms[array];
    if (prt_kernel_extent(dims, arguments) == 0)
        return 0;
    int64_t last = 0, stride = 1;
    for (size_t d = strlen(dims); d-- > 0;) {
        int dim = dims[d] - 'i';
        last += (arguments->extents[dim] - 1) * stride;
        stride *= arguments->extents[rooms[d] != 0 ? rooms[d] : dim];
    }
    return (last + 1) * prt_dtype_bytes(kernel->arrays[array].dtype);
}

int64_t prt_kernel_bytes(const prt_kernel *kernel, const prt_arguments *arguments)
{
    int64_t bytes = kernel->reads_result ? prt_kernel_array_bytes(kernel, arguments, 0) : 0;
    for (int i = 0; i < kernel->array_count; i++)
        bytes += prt_kernel_array_bytes(kernel, arguments, i);
    return bytes;
}

double prt_kernel_operations(const prt_kernel *kernel, const prt_arguments *arguments)
{
    return (double)kernel->operations * (double)prt_kernel_extent(kernel->space, arguments);
}
