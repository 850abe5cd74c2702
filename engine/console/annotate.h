/* SPDX-License-Identifier: MIT */
/* --format: the forms that a call's faults are printed in. With github what its runner shows beside
 * the lines of a recipe is printed besides the words for people. */
#ifndef TW_ENGINE_CONSOLE_ANNOTATE_H
#define TW_ENGINE_CONSOLE_ANNOTATE_H

#include "console/settings.h"

#include <limits.h>

#define TW_MESSAGE_FORMATS "auto|text|github|sarif|junit"
enum tw_message_format {
    TW_FORMAT_AUTO, /* github where GITHUB_ACTIONS is true, else text */
    TW_FORMAT_TEXT,
    TW_FORMAT_GITHUB,
    TW_FORMAT_SARIF, /* these two on standard output, instead of what the command prints */
    TW_FORMAT_JUNIT,
};

/* Takes what --format says. */
void tw_annotate_choose(const struct tw_settings *settings);
/* Prints an annotation on standard error and adds a line to the step's summary; nothing unless
 * chosen. */
void tw_annotate(bool fault, const struct tw_error *error);

/* The file as GitHub names it, from the repository's top, since a step may run in a folder below:
 * in `real`; elsewhere `file` itself. */
const char *tw_annotated_name(const char *file, char real[PATH_MAX]);

#endif
