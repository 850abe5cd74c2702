/* SPDX-License-Identifier: MIT */
/* Runs the server of web_server.h as a process, so that tests of failing memory and files do not
 * affect it. */
#ifndef TW_TESTS_SUPPORT_WEB_PROCESS_H
#define TW_TESTS_SUPPORT_WEB_PROCESS_H

/* Starts an empty server in place of any earlier one. For commands that use a remote cache, sets
 * the environment to its address and to a team's secret, the file `secret` in the working
 * directory. */
void web_process_start(void);
/* Stops the server and removes it from the environment. */
void web_process_stop(void);

#endif
