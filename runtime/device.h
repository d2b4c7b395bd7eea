/* device.h - the device table: memory, streams, events, contractions and windows of the device that computes.
 *
 * A row is one implementation, a table of functions. It is chosen when the program starts. There is the CPU's
 * (device_cpu.c), on which every operation is complete on return, so streams and events cost nothing, and two for tests
 * (device_guarded.c, device_compared.c). Pointers are the row's own, which nothing but its functions may follow; `copy`
 * also takes those of the host. What a row must promise is in docs/codegen.md.
 */
#ifndef PRT_DEVICE_H
#define PRT_DEVICE_H

#include "runtime/place_rt.h"

typedef struct prt_device prt_device;

struct prt_device {
    const char *name;

    /* Loads what contractions of this dtype need; on failure returns false and a message. Called once, before memory is
     * measured. */
    bool (*prepare)(prt_dtype dtype, int threads, char *message, size_t message_bytes);

    void *(*reserve)(prt_tier tier, int64_t bytes); /* page-aligned; NULL if there is no memory */
    void (*release)(prt_tier tier, void *memory, int64_t bytes);
    /* The device's address of memory that the communication row has made for the arena; NULL if it cannot use it. It
     * stays until the process ends. */
    void *(*adopt)(prt_tier tier, void *memory, int64_t bytes);
    /* The processor's address of memory of the device, for communication rows, which read and write it themselves. */
    void *(*reach)(const void *memory);

    void (*launch)(const prt_kernel *kernel, const prt_arguments *arguments, int stream);
    void (*fill)(prt_dtype dtype, void *out, int64_t count, double value, int stream);
    void (*copy)(void *out, const void *in, int64_t bytes, int stream); /* between any tiers; ranges may overlap */
    /* `wide`: of bf16, with a result in f32. */
    void (*gemm)(prt_dtype dtype, bool wide, const prt_gemm_shape *shape, const void *a, const void *b, int beta,
                 void *c, int stream);
    /* The same; False: no memory for its workspace. */
    bool (*window)(prt_dtype dtype, bool wide, prt_window_op op, const prt_window_shape *shape, const void *a,
                   const void *b, int beta, void *c, int stream);

    void (*event_record)(int event, int stream);
    void (*stream_wait)(int stream, int event);
    void (*synchronize)(int stream);
};

/* The product of the extents of a kernel's dims that have these letters. */
int64_t prt_kernel_extent(const char *dims, const prt_arguments *arguments);
/* Blocks of `threads` that have one unit of work each, or one per thread. */
int64_t prt_kernel_blocks(const prt_kernel *kernel, const prt_arguments *arguments, int threads);
/* Of the elements of an array that its dims name. */
int64_t prt_kernel_array_bytes(const prt_kernel *kernel, const prt_arguments *arguments, int array);
/* From the first of these elements to the last: further apart where the array has room. */
int64_t prt_kernel_array_span(const prt_kernel *kernel, const prt_arguments *arguments, int array);
/* Read and written, and operations done, by one launch. */
int64_t prt_kernel_bytes(const prt_kernel *kernel, const prt_arguments *arguments);
double prt_kernel_operations(const prt_kernel *kernel, const prt_arguments *arguments);

const prt_device *prt_device_cpu(void);
const prt_device *prt_device_guarded(void);  /* device_guarded.c: for tests */
const prt_device *prt_device_compared(void); /* device_compared.c: for tests of kernels.ptx */
const prt_device *prt_device_timed(void);    /* there, too: for their rates */
/* bf16_cpu.c; `wide`: C is f32. */
void prt_cpu_gemm_bf16(const prt_gemm_shape *shape, const uint16_t *a, const uint16_t *b, int beta, void *c, bool wide);
/* windows_cpu.c; the second of f32 and f64 only, without oneDNN. */
bool prt_cpu_window(prt_dtype dtype, bool wide, prt_window_op op, const prt_window_shape *shape, const void *a,
                    const void *b, int beta, void *c, int stream);
void prt_cpu_window_panels(prt_dtype dtype, prt_window_op op, const prt_window_shape *shape, const void *a,
                           const void *b, int beta, void *c);
bool prt_cpu_window_bf16(prt_window_op op, const prt_window_shape *shape, const uint16_t *a, const uint16_t *b,
                         int beta, void *c, bool wide); /* windows_bf16.c */

#endif
