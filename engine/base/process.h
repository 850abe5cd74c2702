/* SPDX-License-Identifier: MIT */
/* The process itself: what it is given by its parent and what may end it. */
#ifndef TW_ENGINE_BASE_PROCESS_H
#define TW_ENGINE_BASE_PROCESS_H

#include <stdbool.h>
#include <stdio.h>

/* Once, before anything else in main(): writing to a closed pipe or beyond a limit becomes an error
 * of the call. */
void tw_process_start(void);
/* Calls `handler` with the number of a signal that asks the process to stop. */
void tw_process_on_stop(void (*handler)(int number));
/* Differs between processes that run at the same time. */
long tw_process_id(void);
bool tw_process_is_terminal(FILE *stream);

#endif
