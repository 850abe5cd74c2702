/* SPDX-License-Identifier: MIT */
/* The checks of `thalweg doctor`. */
#ifndef TW_ENGINE_CLI_COMMANDS_DOCTOR_H
#define TW_ENGINE_CLI_COMMANDS_DOCTOR_H

#include "cluster/check.h"

/* One check; the table ends with a row without a name. `check` starts as {0}. */
struct tw_check_row {
    const char *name;
    void (*look)(const struct tw_settings *settings, struct tw_check *check);
};
extern const struct tw_check_row tw_check_rows[];

/* Defined in doctor_cache.c. */
void tw_check_cache(const struct tw_settings *settings, struct tw_check *check);
void tw_check_secret(const struct tw_settings *settings, struct tw_check *check);
void tw_check_locks(const struct tw_settings *settings, struct tw_check *check);
void tw_check_space(const struct tw_settings *settings, struct tw_check *check);
void tw_check_cache_size(const struct tw_settings *settings, struct tw_check *check);
void tw_check_server(const struct tw_settings *settings, struct tw_check *check);

#endif
