/* SPDX-License-Identifier: MIT */
/* --format github: besides the words for people, what GitHub's runner shows beside the lines of a
 * recipe. */
#ifndef TW_ENGINE_CLI_ANNOTATE_H
#define TW_ENGINE_CLI_ANNOTATE_H

#include "cli/options.h"

#define TW_MESSAGE_FORMATS "auto|text|github"

/* What --format says; auto is github where GITHUB_ACTIONS is true. */
void tw_annotate_choose(const struct tw_settings *settings);
/* Prints an annotation on standard error and adds a line to the step's summary; nothing unless
 * chosen. */
void tw_annotate(bool fault, const struct tw_error *error);

struct tw_gate_item;
/* What a recipe's lock says that the recipe no longer gives, at the node where that begins. */
void tw_annotate_drift(const struct tw_gate_item *item);

#endif
