/* SPDX-License-Identifier: MIT */
/* The server of web_server.h in a process of its own, whose memory and files fail in no test. */
#ifndef TW_TESTS_SUPPORT_WEB_PROCESS_H
#define TW_TESTS_SUPPORT_WEB_PROCESS_H

/* Empty, instead of the one before. The environment names it and a team's secret, the file `secret`
 * of the working directory, to commands that use a remote cache. */
void web_process_start(void);
/* The environment names none. */
void web_process_stop(void);

#endif
