/* SPDX-License-Identifier: MIT */
/* Prints the steps of a formula as text, "$0 #0.5 * $1 +", and reads them back. Keys and lock files
 * hold this form, so that blanks, and where a parameter's value came from, make no difference. */
#ifndef TW_ENGINE_NODE_FORMULA_TEXT_H
#define TW_ENGINE_NODE_FORMULA_TEXT_H

#include "base/memory/bytes.h"

#include <thalweg/formula.h>

#include <stdbool.h>

/* Appends the steps with a blank before each; false when out of memory. */
bool tw_formula_print(struct tw_bytes *text, const struct tw_formula *formula);
/* Reads up to TW_FORMULA_STEPS_MAX steps into `at`; `text` is overwritten. False for text that no
 * formula of `inputs` inputs gives: an unknown word, too few operands, too many waiting results. */
bool tw_formula_read(char *text, int32_t inputs, struct tw_formula_step *at, int32_t *count);

#endif
