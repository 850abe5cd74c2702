/* SPDX-License-Identifier: MIT */
/* Distinguishes the call paths that lead to a place. An act that allocates ten thousand times does
 * so from about a hundred paths, and failures on one path mostly have the same effect. */
#ifndef TW_TESTS_SUPPORT_CALL_PATHS_H
#define TW_TESTS_SUPPORT_CALL_PATHS_H

/* Forgets all notes. */
void call_paths_begin(void);
/* Notes the calls that led here under a number. Thread-safe. */
void call_paths_note(long number);
/* Lists the numbers at which each path was met first and last, ascending, without repetition.
 * Returns their count; the list is valid until the next call. */
long call_paths_list(const long **numbers);
/* Number of paths. */
long call_paths_count(void);

#endif
