/* SPDX-License-Identifier: MIT */
/* Memory that runs out on demand, for programs linked with --wrap, as test.memory is
 * (tests/CMakeLists.txt): malloc and its like in the engine, every piece of an arena, jansson, and
 * libyaml if its archive is installed. libuv always gets memory, since it aborts without. */
#ifndef TW_TESTS_SUPPORT_STARVE_H
#define TW_TESTS_SUPPORT_STARVE_H

#include <stdbool.h>

/* Makes the `which`-th allocation from now on (1 is the next) fail; with `ever` all later ones too.
 */
void starve_begin(long which, bool ever);
/* Lets no allocation fail; notes each one's call path under its number (support/call_paths.h). */
void starve_note(void);
/* Lets allocations succeed again. True if one failed since starve_begin(). */
bool starve_end(void);
/* Number of allocations since starve_begin(). */
long starve_calls(void);

#endif
