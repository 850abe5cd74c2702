/* SPDX-License-Identifier: MIT */
/* By which paths of calls a place is reached: an act that allocates ten thousand times does so from
 * some hundred of them, and what follows a failure is mostly the same on each. */
#ifndef TW_TESTS_SUPPORT_CALL_PATHS_H
#define TW_TESTS_SUPPORT_CALL_PATHS_H

/* Forgets what was noted. */
void call_paths_begin(void);
/* Notes the calls that led here under a number. By any thread. */
void call_paths_note(long number);
/* The numbers at which a path was met first and last, ascending, each once. Returns how many there
 * are; the list is valid until the next call. */
long call_paths_list(const long **numbers);
/* How many paths there are. */
long call_paths_count(void);

#endif
