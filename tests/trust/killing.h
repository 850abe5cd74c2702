/* SPDX-License-Identifier: MIT */
/* Commands that are killed at random moments, or as soon as they write. */
#ifndef TW_TESTS_TRUST_KILLING_H
#define TW_TESTS_TRUST_KILLING_H

#include "support/dice.h"

/* Reads --count and --seed; a failure names the kill and the seed. */
void killing_begin(int argc, char **argv, long count, const char *program);
/* True as long as kills are left: a further one begins, with dice of its own. */
bool killing_next(void);
extern struct dice killing_dice;
extern long killing_done;

double killing_now(void); /* seconds */
/* Fails when the process ends with another code than 0; `what` it was. */
void killing_expect_success(int process, const char *what);
/* Kills it at a random moment of the next `longest` seconds, or as soon as a further temporary file
 * is below `folder`. True when it was still going on. */
bool killing_kill(int process, const char *folder, double longest);
/* Temporary files of a cache go once they are old. Returns how many there were. */
int killing_sweep(const char *cache);

#endif
