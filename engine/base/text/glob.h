/* SPDX-License-Identifier: MIT */
/* Patterns of paths, as a shell has them: `*`, `?` and `[a-z]` within a name, and `**` for any
 * number of folders, none included. A name that begins with a dot needs a pattern that does, too.
 */
#ifndef TW_ENGINE_BASE_TEXT_GLOB_H
#define TW_ENGINE_BASE_TEXT_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the pattern matches the whole path; both are relative and separated by '/'. */
bool tw_glob_matches(const char *pattern, const char *path);
/* Returns true if the pattern matches the path or a folder on the way to it. */
bool tw_glob_covers(const char *pattern, const char *path);
/* Returns the length of the folders that the pattern names without a wildcard, with the slash. */
size_t tw_glob_fixed(const char *pattern);
/* Returns true if the pattern has a wildcard. */
bool tw_glob_is_one(const char *pattern);

#endif
