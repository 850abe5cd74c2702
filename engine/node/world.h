/* SPDX-License-Identifier: MIT */
/* The numbers of a recipe's `world:`, one row each. Loading, keys, locks and the JSON Schema follow
 * from the rows. */
#ifndef TW_ENGINE_NODE_WORLD_H
#define TW_ENGINE_NODE_WORLD_H

#include <thalweg/node.h>

struct tw_world_row {
    const char *name;
    size_t offset; /* offset of a double in struct tw_world */
    double initial, min, max;
    bool whole;
    const char *help;
};

extern const struct tw_world_row tw_world_rows[]; /* ends with a row without a name */

struct tw_world tw_world_initial(void);
double *tw_world_number(struct tw_world *world, const struct tw_world_row *row);
double tw_world_value(const struct tw_world *world, const struct tw_world_row *row);
/* Returns whether the recipe gives `side_m` and as long as the default: only then do the numbers
 * not tell that it is given. */
bool tw_world_gives_default_side(const struct tw_world *world);
bool tw_world_equal(const struct tw_world *a, const struct tw_world *b);
/* Returns whether all numbers have their defaults. */
bool tw_world_is_initial(const struct tw_world *world);
/* Prints all numbers in the order of the rows, as in "4096 600 0", then " given" if the recipe
 * gives them. */
#define TW_WORLD_TEXT_MAX 200
void tw_world_print(const struct tw_world *world, char text[TW_WORLD_TEXT_MAX]);

#endif
