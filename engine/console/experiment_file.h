/* SPDX-License-Identifier: MIT */
/* The experiment that the command line names. */
#ifndef TW_ENGINE_CONSOLE_EXPERIMENT_FILE_H
#define TW_ENGINE_CONSOLE_EXPERIMENT_FILE_H

#include "console/settings.h"
#include "study/experiment.h"

/* Loads an experiment, which may name recipes in the folder of the nearest project file or
 * repository and below, but not with --untrusted. The recipes themselves read what `load` allows.
 */
enum tw_status tw_console_experiment_load(const struct tw_settings *settings, const char *path,
                                          const struct tw_load_options *load,
                                          struct tw_experiment **experiment, struct tw_error *err);

#endif
