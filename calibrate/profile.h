/* profile.h - how long the calls of a program took, as its runtime wrote it (runtime/profile.c). */
#ifndef PLACE_CALIBRATE_PROFILE_H
#define PLACE_CALIBRATE_PROFILE_H

#include <stdbool.h>

enum { PROFILE_ROWS = 512, PROFILE_NUMBERS = 8, PROFILE_NAME = 64 };

typedef struct ProfileRow {
    char call[16], name[PROFILE_NAME]; /* "kernel", its entry */
    double shape[PROFILE_NUMBERS];
    double bytes, operations, seconds; /* of one call */
} ProfileRow;

typedef struct Profile {
    int count;
    ProfileRow rows[PROFILE_ROWS];
} Profile;

/* False with errno set if the file cannot be read, or is none. */
bool profile_read(const char *path, Profile *profile);

/* Keeps the faster one of each call in `into`: other work only makes a call slower. */
void profile_merge(Profile *into, const Profile *other);

#endif
