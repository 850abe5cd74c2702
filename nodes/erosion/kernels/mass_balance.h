/* SPDX-License-Identifier: MIT */
/* What an erosion took and laid down: maps for the outputs `eroded` and `deposited`, and sums for a
 * ledger. */
#ifndef TW_NODES_EROSION_KERNELS_MASS_BALANCE_H
#define TW_NODES_EROSION_KERNELS_MASS_BALANCE_H

#include <thalweg/scratch.h>

struct tw_mass_balance {
    double eroded, deposited; /* sums over cells */
};

/* Sum of a map of the task's size, row by row. */
double tw_mass_balance_sum(const struct tw_task *task, const float *map);

/* A node's balance is three outputs on demand from `port` on: eroded, deposited and a ledger. */
/* A map of the task's size for the heights before, which tw_mass_balance_store() reads: the block
 * of `port` or scratch; *before is NULL without a mask when nothing of the balance is used. False
 * without memory. */
bool tw_mass_balance_lay_out(struct tw_scratch *s, bool masked, int port, float **before);

/* Ends a node in one pass over rows that begin `stride` cells apart in `after`: they become output
 * 0, max(before - after, 0) output `port`, max(after - before, 0) the next one; of these only what
 * is used, and `sums` only with the ledger. With a `mask`, not NULL, each cell takes that much of
 * its change first. `before` and `after` may be the blocks of any of these. */
enum tw_status tw_mass_balance_store(struct tw_task *task, const float *before, const float *after,
                                     size_t stride, const struct tw_value *mask, int port,
                                     struct tw_mass_balance *sums);

/* tw_mass_balance_store() with input 0 as `before`; the output after the two maps becomes a ledger
 * of both sums. */
enum tw_status tw_mass_balance_finish(struct tw_task *task, const float *after, size_t stride,
                                      const struct tw_value *mask, int port);

/* For kinds that change output 0 itself, which may be the block of input 0. Begin keeps what the
 * end will need of input 0: a copy in *before, NULL without a mask when nothing of the balance is
 * used. The end masks output 0 and gives the balance, ledger included. */
enum tw_status tw_mass_balance_begin(struct tw_task *task, const struct tw_value *mask, int port,
                                     float **before);
enum tw_status tw_mass_balance_end(struct tw_task *task, const float *before,
                                   const struct tw_value *mask, int port);
void tw_mass_balance_in_place_forecast(struct tw_forecast *f, bool masked, int port);

/* The scratch that storing takes. */
void tw_mass_balance_forecast(struct tw_forecast *f);

#endif
