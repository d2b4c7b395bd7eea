/* sim_main.c - `sim FILE.step`: does the program of this file compute what its reference's forward part means?
 *
 * Prints the verdict (oracle.h), where and with which values; the exit status is its number: 0 equal, 1 different, 2 cannot
 * be run, 3 different in the field only, 4 in reals only.
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
        fprintf(stderr, "usage: sim FILE.step [STEPS [DRAW]]\n");
        return 64;
    }
    int steps = argc > 2 ? atoi(argv[2]) : 3;
    uint64_t draw = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    char *text = read_text(argv[1]), message[512];
    if (!text || steps < 1) {
        fprintf(stderr, "sim: cannot read '%s'\n", argv[1]);
        free(text);
        return 2;
    }
    SimVerdict verdict = sim_judge(text, steps, draw, message, sizeof message);
    free(text);
    printf("%s%s%s\n", sim_verdict_name(verdict), *message ? ": " : "", message);
    return (int)verdict;
}
