/* dtype.c - names and sizes of dtypes (base/dtype.h). */
#include "base/dtype.h"

const char *const dtype_names[DTYPE_KINDS] = {
    [DTYPE_F32] = "f32", [DTYPE_F64] = "f64", [DTYPE_BF16] = "bf16", [DTYPE_I32] = "i32"};

int64_t dtype_bytes(DType dtype)
{
    static const int64_t bytes[DTYPE_KINDS] = {[DTYPE_F32] = 4, [DTYPE_F64] = 8, [DTYPE_BF16] = 2, [DTYPE_I32] = 4};
    return bytes[dtype];
}

const char *dtype_name(DType dtype)
{
    return dtype_names[dtype];
}
