/* texts.c - random programs as files: texts DIRECTORY COUNT SEED.
 *
 * Of four, two are what tests/sim/random_text writes, with its mistakes in synchronisation; one has a slip of the pen
 * more: a letter that is lost, doubled or swapped in one of its words; and one has a line twice, or not at all.
 */
#include "tests/sim/random_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 1 << 16 };

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* In the n-th word of some letters, from a place in the text on. */
static void slip(Chance *chance, char *text)
{
    size_t length = strlen(text), at = (size_t)chance_below(chance, (int)length);
    while (at + 2 < length && !(is_letter(text[at]) && is_letter(text[at + 1]) && is_letter(text[at + 2])))
        at++;
    if (at + 2 >= length || length + 2 > TEXT_BYTES)
        return;
    char letter = text[at + 1];
    switch (chance_below(chance, 3)) {
    case 0:
        memmove(text + at + 1, text + at + 2, length - at - 1);
        return;
    case 1:
        memmove(text + at + 1, text + at, length - at + 1);
        return;
    case 2:
        text[at + 1] = text[at + 2];
        text[at + 2] = letter;
        return;
    }
}

/* A line of a strategy or of the train, twice or left out. */
static void change_line(Chance *chance, char *text)
{
    char *line[400];
    int count = 0;
    for (char *at = text; (at = strstr(at, "\n    ")) != NULL && count < 400; at++)
        if (strpbrk(at + 1, "{}\n")[0] == '\n')
            line[count++] = at + 1;
    if (count == 0)
        return;
    char *chosen = line[chance_below(chance, count)];
    size_t length = strcspn(chosen, "\n") + 1, rest = strlen(chosen);
    if (chance_once_in(chance, 2))
        memmove(chosen, chosen + length, rest - length + 1);
    else if (strlen(text) + length < TEXT_BYTES)
        memmove(chosen + length, chosen, rest + 1);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s DIRECTORY COUNT SEED\n", argv[0]);
        return 64;
    }
    uint64_t seed = strtoull(argv[3], NULL, 10);
    static char text[TEXT_BYTES];
    for (int i = 0; i < atoi(argv[2]); i++) {
        RandomProgram what;
        char path[4096];
        Chance chance = chance_new(seed, (uint64_t)i);
        random_text(seed, (uint64_t)i, text, sizeof text / 2, &what);
        if (i % 4 == 2)
            slip(&chance, text);
        else if (i % 4 == 3)
            change_line(&chance, text);
        snprintf(path, sizeof path, "%s/%d.place", argv[1], i);
        FILE *file = fopen(path, "wb");
        if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
            perror(path);
            return 2;
        }
    }
    return 0;
}
