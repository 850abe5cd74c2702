/* SPDX-License-Identifier: MIT */
/* Sanitizers look at places of the code, not at bytes, and take 3 to 15 times as long: under them
 * tests take smaller maps, which still have several tiles, strips and odd sizes, and leave bytes
 * that do not depend on threads and instructions to the build without them. */
#ifndef TW_TESTS_SUPPORT_SANITIZED_H
#define TW_TESTS_SUPPORT_SANITIZED_H

#if defined(__has_feature)
#define TW_HAS_FEATURE(name) __has_feature(name)
#else
#define TW_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_THREAD__) || TW_HAS_FEATURE(thread_sanitizer)
enum { RACES_ONLY = 1, SANITIZED = 1 }; /* what one thread does is nothing to it */
#elif defined(__SANITIZE_ADDRESS__) || TW_HAS_FEATURE(address_sanitizer) ||                        \
    TW_HAS_FEATURE(memory_sanitizer)
enum { RACES_ONLY = 0, SANITIZED = 1 };
#else
enum { RACES_ONLY = 0, SANITIZED = 0 };
#endif

/* A compiler that optimises nothing (preset clang) shows whether bytes depend on it: once is
 * enough. */
#ifdef __OPTIMIZE__
enum { UNOPTIMISED = 0 };
#else
enum { UNOPTIMISED = 1 };
#endif

#endif
