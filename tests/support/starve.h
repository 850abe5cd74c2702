/* SPDX-License-Identifier: MIT */
/* Memory that runs out on demand, for programs that are linked with --wrap as test.memory is
 * (tests/CMakeLists.txt): malloc and its like in our code, every piece of an arena, jansson, and
 * libyaml where its archive is installed. libuv is left alone: it aborts without memory. */
#ifndef TW_TESTS_SUPPORT_STARVE_H
#define TW_TESTS_SUPPORT_STARVE_H

#include <stdbool.h>

/* The `which`-th allocation from now on (1 is the next) fails; with `ever` all after it, too. */
void starve_begin(long which, bool ever);
/* None fails; the paths of calls that they come from are noted (support/call_paths.h), each
 * allocation under its number. */
void starve_note(void);
/* Memory is back. True when an allocation failed since starve_begin(). */
bool starve_end(void);
/* Allocations since starve_begin(). */
long starve_calls(void);

#endif
