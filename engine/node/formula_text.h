/* SPDX-License-Identifier: MIT */
/* The steps of a formula as text, "$0 #0.5 * $1 +", and back: what keys and lock files hold, so
 * that blanks and the way to a parameter's value do not count. */
#ifndef TW_ENGINE_NODE_FORMULA_TEXT_H
#define TW_ENGINE_NODE_FORMULA_TEXT_H

#include "base/memory/bytes.h"

#include <thalweg/formula.h>

#include <stdbool.h>

/* Appends the steps with a blank before each; false without memory. */
bool tw_formula_print(struct tw_bytes *text, const struct tw_formula *formula);
/* Reads TW_FORMULA_STEPS_MAX steps at most into `at`; `text` is cut up. False for what no formula
 * of `inputs` inputs can be: an unknown word, too few operands, too many results that wait. */
bool tw_formula_read(char *text, int32_t inputs, struct tw_formula_step *at, int32_t *count);

#endif
