/* SPDX-License-Identifier: MIT */
/* Lets SIGHUP, SIGINT and SIGTERM end commands that run recipes cleanly. */
#ifndef TW_ENGINE_CONSOLE_STOP_H
#define TW_ENGINE_CONSOLE_STOP_H

#include <stdbool.h>

/* Installs the signal handlers. A second signal ends the process at once. */
void tw_stop_catch(void);
/* Returns the flag for tw_run_options.cancel, which becomes non-zero when a signal arrives. */
const volatile int *tw_stop_flag(void);
/* Sets the flag without a signal: the current run ends so that another can start. Any thread may
 * call this. */
void tw_stop_give_way(void);
/* Clears the flag for the next run; leaves it set and returns false if a signal arrived. */
bool tw_stop_go_on(void);
bool tw_stop_was_caught(void);
/* Returns 128 plus the signal's number: 129, 130 or 143. */
int tw_stop_exit_code(void);
/* Returns "SIGINT", "SIGTERM" or "SIGHUP". */
const char *tw_stop_signal_name(void);
/* Exits at once, for tw_run_request.abandon: nodes that do not poll for cancellation would compute
 * results that are never used. */
void tw_stop_abandon(void);

#endif
