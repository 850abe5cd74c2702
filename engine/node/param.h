/* SPDX-License-Identifier: MIT */
/* Applies parameter rows: sets defaults, converts text to values with the only range check, and
 * prints values as canonical text for keys, docs and schema. */
#ifndef TW_ENGINE_NODE_PARAM_H
#define TW_ENGINE_NODE_PARAM_H

#include <thalweg/node.h>

/* Sets the zeroed struct that `rows` describe to every row's default; `rows` may be NULL. */
void tw_param_defaults(const struct tw_param *rows, void *params);
/* Returns the row called `name`, or NULL. */
const struct tw_param *tw_param_find(const struct tw_param *rows, const char *name);
/* Returns the index of a table's column, which must exist. */
int32_t tw_param_find_column(const struct tw_param *row, const char *name);

/* Sets a field from a scalar's text or, for lists, from one item after the other. On failure
 * `message` has what was found and what is expected. */
bool tw_param_set(const struct tw_param *row, void *params, const char *text, char *message,
                  size_t size);
bool tw_param_append(const struct tw_param *row, void *params, const char *text, char *message,
                     size_t size);

/* Returns word i of a table's column and its length; NULL past the last, or if it has numbers. */
const char *tw_column_word(const struct tw_column *column, int i, int *length);
/* Returns the word that a cell stands for; NULL if its column has numbers. */
const char *tw_cell_word(const struct tw_column *column, float cell, int *length);
/* Prints a cell of a table as tw_param_cell() reads it; "" for one that a row left out. */
void tw_param_print_cell(const struct tw_column *column, float cell, char *text, size_t size);
/* Reads one cell of a table, a number or a word. */
bool tw_param_cell(const struct tw_column *column, const char *text, float *cell, char *message,
                   size_t size);

/* Returns whether recipes with a world may give numbers of this unit in metres, or in degrees. */
bool tw_unit_takes_metres(const char *unit);
bool tw_unit_takes_degrees(const char *unit);
/* Prints a field as canonical text, equal for equal values; for a table only its shape. Returns the
 * length as snprintf does. */
int tw_param_print(const struct tw_param *row, const void *params, char *text, size_t size);

/* Returns label i of an enum row, and its length; NULL past the last. */
const char *tw_param_label(const struct tw_param *row, int i, int *length);

#endif
