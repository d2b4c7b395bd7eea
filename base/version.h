/* version.h - the version of Place, for the compiler and the runtime. */
#ifndef PLACE_BASE_VERSION_H
#define PLACE_BASE_VERSION_H

#define PLACE_VERSION "0.1.0"

#endif
