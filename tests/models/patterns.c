/* patterns.c - images to learn from, in the IDX format: every class has waves of its own direction and length, and
 * every image noise.
 *
 *     patterns DIRECTORY CHANNELS SIDE IMAGES CLASSES
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void put_number(FILE *file, int64_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        fputc((int)(number >> shift & 255), file);
}

/* The type is bytes; then come the sizes of all dims. */
static FILE *create(const char *directory, const char *name, int dim_count, const int64_t *dims)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    put_number(file, 0x800 + dim_count);
    for (int i = 0; i < dim_count; i++)
        put_number(file, dims[i]);
    return file;
}

static int pixel(int64_t class, int64_t channel, double row, double column)
{
    double angle = 0.7 * (double)class, turns = 1 + (double)(class % 4), pi = acos(-1);
    double wave = sin(2 * pi * turns * (cos(angle) * row + sin(angle) * column) + (double)channel);
    return (int)(127 + 90 * wave + 38 * (2 * drand48() - 1));
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 64;
    int64_t channels = atol(argv[2]), side = atol(argv[3]), count = atol(argv[4]), classes = atol(argv[5]);
    FILE *images = create(argv[1], "images", 4, (const int64_t[]){count, channels, side, side});
    FILE *labels = create(argv[1], "labels", 1, &count);
    for (int64_t i = 0; i < count; i++) {
        int64_t class = i % classes;
        fputc((int)class, labels);
        for (int64_t at = 0; at < channels * side * side; at++)
            fputc(pixel(class, at / (side * side), (double)(at / side % side) / (double)side,
                        (double)(at % side) / (double)side),
                  images);
    }
    return fclose(images) + fclose(labels) == 0 ? 0 : 2;
}
