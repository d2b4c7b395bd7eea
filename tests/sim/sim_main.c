/* sim_main.c - `sim FILE.step`: does the program of this file compute what its reference's forward part means?
 *
 * Prints `equal` or `different: where, values` or `cannot run: why`; the exit status is 0, 1 or 2.
 */
#include "tests/sim/oracle.h"

#include <stdio.h>
#include <stdlib.h>

/* The whole file as a string that the caller frees; NULL if it cannot be read. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t capacity = 1 << 16, length = 0;
    char *text = malloc(capacity);
    while (text) {
        length += fread(text + length, 1, capacity - length - 1, file);
        if (length + 1 < capacity)
            break;
        char *larger = realloc(text, capacity *= 2);
        if (!larger)
            free(text);
        text = larger;
    }
    if (text)
        text[length] = '\0';
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: sim FILE.step [STEPS [DRAWS]]\n");
        return 64;
    }
    int steps = argc > 2 ? atoi(argv[2]) : 2, draws = argc > 3 ? atoi(argv[3]) : 2;
    char *text = read_text(argv[1]), message[512];
    if (!text || steps < 1 || draws < 1) {
        fprintf(stderr, "sim: cannot read '%s'\n", argv[1]);
        free(text);
        return 2;
    }
    SimVerdict verdict = sim_judge(text, steps, draws, message, sizeof message);
    free(text);
    switch (verdict) {
    case SIM_EQUAL:
        printf("equal\n");
        return 0;
    case SIM_DIFFERENT:
        printf("different: %s\n", message);
        return 1;
    case SIM_FAULTED:
        printf("cannot run: %s\n", message);
        return 2;
    }
    return 2;
}
