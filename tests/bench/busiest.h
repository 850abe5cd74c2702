/* SPDX-License-Identifier: MIT */
/* Processor time of the busiest thread: what a run takes when every thread has a processor of its
 * own. Other load on the machine prolongs the clock's time, and the sum over threads hides that one
 * of them does all the work; this shows neither. A thread that sleeps until another is done has no
 * part in it; that matters only where threads wait for each other in turn, which row jobs, whose
 * owner never sleeps while there is work, do not.
 * Linux only. One measurement at a time. */
#ifndef TW_TESTS_BENCH_BUSIEST_H
#define TW_TESTS_BENCH_BUSIEST_H

/* Every thread's clock counts from now. */
void busiest_start(void);
/* Milliseconds of the thread that has used most since. */
double busiest_read(void);

#endif
