/* SPDX-License-Identifier: MIT */
/* --format: the forms in which a call's faults are printed. The form github adds annotations, which
 * GitHub shows next to the lines of a recipe, to the text for people. */
#ifndef TW_ENGINE_CONSOLE_ANNOTATE_H
#define TW_ENGINE_CONSOLE_ANNOTATE_H

#include "console/settings.h"

#include <limits.h>

#define TW_MESSAGE_FORMATS "auto|text|github|sarif|junit"
enum tw_message_format {
    TW_FORMAT_AUTO, /* github where GITHUB_ACTIONS is true, else text */
    TW_FORMAT_TEXT,
    TW_FORMAT_GITHUB,
    TW_FORMAT_SARIF, /* this and the next replace the command's own standard output */
    TW_FORMAT_JUNIT,
};

/* Selects the form that --format names. */
void tw_annotate_choose(const struct tw_settings *settings);
/* Prints an annotation on standard error and adds a line to the step's summary, if the form is
 * github. */
void tw_annotate(bool fault, const struct tw_error *error);

/* Returns the file's path from the top of the GitHub workspace, stored in `real`, if the command
 * runs in a folder below it; else returns `file` itself. */
const char *tw_annotated_name(const char *file, char real[PATH_MAX]);

#endif
