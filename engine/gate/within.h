/* SPDX-License-Identifier: MIT */
/* Whether what differs from a lock stays within its tolerances. */
#ifndef TW_ENGINE_GATE_WITHIN_H
#define TW_ENGINE_GATE_WITHIN_H

#include "gate/item.h"

/* The tolerance of an output: what its lock says, else its project; NULL: none. */
const struct tw_tolerance *tw_within_find(const struct tw_gate_item *item, const char *output);
/* Whether each result that differs is an output within its tolerance, or follows from such. */
bool tw_within_all(const struct tw_gate_item *item);
/* Whether an output has a tolerance and differs. */
bool tw_within_asks(const struct tw_gate_item *item);
/* The pair of an output's map; NULL if its earlier values are not known. */
const struct tw_pair *tw_within_pair(const struct tw_gate_item *item, const char *output);
/* What a height of 1 is in metres, for a pair of heightmaps; else 1. */
double tw_within_metres(const struct tw_gate_item *item, const struct tw_pair *pair);
/* Gives outputs of the state after the tolerances that the lock has for them. */
void tw_within_keep(struct tw_gate_item *item);

#endif
