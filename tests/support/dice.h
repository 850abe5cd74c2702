/* SPDX-License-Identifier: MIT */
/* Random parameters within the ranges that a descriptor declares, equal in every run. */
#ifndef TW_TESTS_SUPPORT_DICE_H
#define TW_TESTS_SUPPORT_DICE_H

#include <thalweg/node.h>

/* A stream of random numbers, identified by `key` and `set`; `throws` counts the numbers drawn. */
struct dice {
    uint64_t key;
    uint32_t set, throws;
};

/* 0 to 1, 1 excluded. */
double dice_share(struct dice *dice);
/* 0 to count - 1. */
int32_t dice_below(struct dice *dice, int32_t count);
/* Draws narrow ranges evenly and wide ones by magnitude; often the ends and the default. */
double dice_number(struct dice *dice, double min, double max, double initial);
/* Sets one parameter of a node of that type, avoiding values that would take hours. */
void dice_param(struct dice *dice, const struct tw_param *row, const char *type, void *params);

#endif
