/* SPDX-License-Identifier: MIT */
/* What a declaration in `params:` says of its values: `min:`, `max:`, `usual:` and `unit:`. */
#ifndef TW_ENGINE_GRAPH_LOAD_PARAM_BOUNDS_H
#define TW_ENGINE_GRAPH_LOAD_PARAM_BOUNDS_H

#include "graph/load/load_private.h"

/* The values that a declaration allows, and its bounds as written. They are numbers, or quantities
 * of one unit, if it has bounds or an unquoted numeric default. A default that is a word in spite
 * of bounds, as in `{default: auto, min: 0, max: 360}`, may later replace a number, too. */
struct tw_param_bounds {
    bool is_number;
    const char *unit; /* `unit:`, to which values are converted; NULL for none */
    enum tw_quantity quantity;
    double low, high;
    const char *min, *max;        /* NULL for none */
    const char *word;             /* NULL for none */
    double usual_low, usual_high; /* both 0 for none */
};

/* Reads what a mapping declares; `initial` is its default. False after a fault. */
bool tw_param_bounds_read(struct tw_loader *loader, const struct tw_scope *scope,
                          const struct tw_yaml *declared, const struct tw_yaml *initial,
                          struct tw_param_bounds *bounds);
/* Converts a value to the declared unit; without one a quantity stays as it is written. NULL after
 * a fault. */
const char *tw_param_convert(struct tw_loader *loader, const struct tw_scope *scope,
                             const char *name, const char *unit, const char *text,
                             const struct tw_place *place);
/* Reports a converted value that the bounds do not allow; then false. */
bool tw_param_bounds_check(struct tw_loader *loader, const struct tw_param_bounds *bounds,
                           const char *name, const char *text, struct tw_place place);

#endif
