/* SPDX-License-Identifier: MIT */
/* How SIGHUP, SIGINT and SIGTERM end the commands that run recipes. */
#ifndef TW_ENGINE_CONSOLE_STOP_H
#define TW_ENGINE_CONSOLE_STOP_H

#include <stdbool.h>

/* Starts to catch them. A second signal ends the process at once. */
void tw_stop_catch(void);
/* For tw_run_options.cancel: non-zero once one came. */
const volatile int *tw_stop_flag(void);
/* Sets the flag as a signal does: the run at work gives way to another one. From any thread. */
void tw_stop_give_way(void);
/* Clears it for the other one, unless a signal came: then returns false. */
bool tw_stop_go_on(void);
bool tw_stop_was_caught(void);
/* 129, 130 or 143. */
int tw_stop_exit_code(void);
/* "SIGINT", "SIGTERM" or "SIGHUP". */
const char *tw_stop_signal_name(void);
/* For tw_run_request.abandon: nodes that do not notice compute into memory nobody will read. */
void tw_stop_abandon(void);

#endif
