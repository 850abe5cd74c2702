/* SPDX-License-Identifier: MIT */
/* What `thalweg doctor` looks at. */
#ifndef TW_ENGINE_CLI_COMMANDS_DOCTOR_H
#define TW_ENGINE_CLI_COMMANDS_DOCTOR_H

#include "cluster/check.h"

/* A row of the table, which ends with one without a name. `check` is {0} when it is looked at. */
struct tw_check_row {
    const char *name;
    void (*look)(const struct tw_settings *settings, struct tw_check *check);
};
extern const struct tw_check_row tw_check_rows[];

/* doctor_cache.c */
void tw_check_cache(const struct tw_settings *settings, struct tw_check *check);
void tw_check_secret(const struct tw_settings *settings, struct tw_check *check);
void tw_check_locks(const struct tw_settings *settings, struct tw_check *check);
void tw_check_space(const struct tw_settings *settings, struct tw_check *check);
void tw_check_cache_size(const struct tw_settings *settings, struct tw_check *check);
void tw_check_server(const struct tw_settings *settings, struct tw_check *check);

#endif
