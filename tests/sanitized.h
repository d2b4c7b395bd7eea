/* sanitized.h - whether the address sanitizer watches this program. It looks for faults of memory, which fewer of the
 * cases show that differ in numbers alone, and makes them take six times as long. */
#ifndef PLACE_TESTS_SANITIZED_H
#define PLACE_TESTS_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
