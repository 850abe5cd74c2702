/* SPDX-License-Identifier: MIT */
/* The files that `compare` writes of a finished comparison: page, front, picture. */
#ifndef TW_ENGINE_CLI_COMPARE_OUTPUTS_H
#define TW_ENGINE_CLI_COMPARE_OUTPUTS_H

#include "console/output_file.h"
#include "console/settings.h"
#include "study/comparison.h"

struct tw_compare_outputs {
    const struct tw_settings *settings;
    struct tw_load_options load;
    const struct tw_run_options *run;
    struct tw_overwrite_guard *guard;
};

/* Writes what the options ask for. `drawn` receives the status of the first seed whose pictures
 * failed, which has been reported. */
enum tw_status tw_compare_write_outputs(const struct tw_compare_outputs *outputs,
                                        const struct tw_comparison *comparison,
                                        enum tw_status *drawn, struct tw_error *err);

#endif
