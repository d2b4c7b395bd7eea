/* resum FILE - gives a checkpoint whose header was changed the checksum that fits it, so that what else is wrong with
 * the header is what a resume reports. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r+b") : NULL;
    uint64_t length, hash = 0xCBF29CE484222325u;
    if (file == NULL || fread(&length, sizeof length, 1, file) != 1)
        return 2;
    char *header = calloc(length + 1, 1), digits[17];
    char *own = fread(header, length, 1, file) == 1 ? strstr(header, "\"checksum\":\"") : NULL;
    if (own == NULL)
        return 2;
    own += strlen("\"checksum\":\"");
    memset(own, '0', 16);
    hash = (hash ^ length) * 0x100000001B3u;
    for (uint64_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)header[i]) * 0x100000001B3u;
    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    memcpy(own, digits, 16);
    bool good = fseek(file, sizeof length, SEEK_SET) == 0 && fwrite(header, length, 1, file) == 1;
    free(header);
    return fclose(file) == 0 && good ? 0 : 2;
}
