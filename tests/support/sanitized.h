/* SPDX-License-Identifier: MIT */
/* Sanitizers check paths of the code, not bytes, and take 3 to 15 times as long. Under them tests
 * use smaller maps, which still have several tiles, strips and odd sizes, and leave comparing bytes
 * across threads and instruction sets to the plain build. */
#ifndef TW_TESTS_SUPPORT_SANITIZED_H
#define TW_TESTS_SUPPORT_SANITIZED_H

#if defined(__has_feature)
#define TW_HAS_FEATURE(name) __has_feature(name)
#else
#define TW_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_THREAD__) || TW_HAS_FEATURE(thread_sanitizer)
enum { RACES_ONLY = 1, SANITIZED = 1 }; /* it sees only races between threads */
#elif defined(__SANITIZE_ADDRESS__) || TW_HAS_FEATURE(address_sanitizer) ||                        \
    TW_HAS_FEATURE(memory_sanitizer)
enum { RACES_ONLY = 0, SANITIZED = 1 };
#else
enum { RACES_ONLY = 0, SANITIZED = 0 };
#endif

/* A build without optimisation (preset clang) shows whether bytes depend on it: one run suffices.
 */
#ifdef __OPTIMIZE__
enum { UNOPTIMISED = 0 };
#else
enum { UNOPTIMISED = 1 };
#endif

#endif
