/* SPDX-License-Identifier: MIT */
/* Parameter rows at work: defaults, text to value including the only range check, and values
 * back to canonical text for keys, docs and schema. */
#ifndef TW_ENGINE_NODE_PARAM_H
#define TW_ENGINE_NODE_PARAM_H

#include <thalweg/node.h>

/* Fills the zeroed struct that `rows` describe (NULL: nothing) with every row's default. */
void tw_param_defaults(const struct tw_param *rows, void *params);
/* NULL when there is no such row. */
const struct tw_param *tw_param_find(const struct tw_param *rows, const char *name);
/* The place of a table's column, which it has. */
int32_t tw_param_find_column(const struct tw_param *row, const char *name);

/* Sets a field from a scalar's text or, for lists, from items one after the other. On failure
 * `message` says what was found and what is expected. */
bool tw_param_set(const struct tw_param *row, void *params, const char *text, char *message,
                  size_t size);
bool tw_param_append(const struct tw_param *row, void *params, const char *text, char *message,
                     size_t size);

/* Checks one number of a table. */
bool tw_param_cell(const struct tw_column *column, const char *text, float *cell, char *message,
                   size_t size);

/* Whether recipes with a world may give numbers of this unit in metres. */
bool tw_unit_takes_metres(const char *unit);
/* Canonical text of a field, equal for equal values; of a table only its shape. Returns the
 * length as snprintf does. */
int tw_param_print(const struct tw_param *row, const void *params, char *text, size_t size);

/* Label i of an enum row, and its length; NULL past the last. */
const char *tw_param_label(const struct tw_param *row, int i, int *length);

#endif
