/* safetensors.h - reads a saved state file the plain way, for comparing (the runtime has a reader of its own).
 * Format: https://huggingface.co/docs/safetensors, an 8-byte little-endian length, a JSON header, the tensors. */
#ifndef PLACE_TESTS_SAFETENSORS_H
#define PLACE_TESTS_SAFETENSORS_H

#include <stdint.h>

typedef struct SavedTensor {
    char *name;
    double *values;
    int64_t count;
} SavedTensor;

typedef struct SavedFile {
    SavedTensor *tensors;
    int count;
} SavedFile;

/* Ends the program with a message where the file cannot be read. F32, F64 and I32 tensors. */
SavedFile safetensors_read(const char *path);
void safetensors_free(SavedFile *file);
const SavedTensor *safetensors_find(const SavedFile *file, const char *name);

#endif
