/* dtype.h - the types of numbers: what the language, the step program and the runtime's tensors have. */
#ifndef PLACE_BASE_DTYPE_H
#define PLACE_BASE_DTYPE_H

#include <stdint.h>

typedef enum DType { DTYPE_F32, DTYPE_F64, DTYPE_BF16, DTYPE_I32 } DType;

enum { DTYPE_KINDS = DTYPE_I32 + 1 };
extern const char *const dtype_names[DTYPE_KINDS]; /* "f32" */

int64_t dtype_bytes(DType dtype);
const char *dtype_name(DType dtype);

#endif
