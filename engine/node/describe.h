/* SPDX-License-Identifier: MIT */
/* Describes a node type in words. `thalweg nodes`, docs/nodes, the JSON catalogue and the JSON
 * Schema are all made from this one walk over a descriptor. */
#ifndef TW_ENGINE_NODE_DESCRIBE_H
#define TW_ENGINE_NODE_DESCRIBE_H

#include "node/registry.h"

/* A column of a table, or a row of a parameter list. */
struct tw_described_column {
    const struct tw_column *row;
    const char *name, *help;
    const char *unit; /* "" for none, and if `allowed` lists words */
    double min, max;
    bool required;
    char allowed[300]; /* "0 to 1 map sides", "rock, snow" */
    char initial[32];  /* default as recipes write it; "" if there is none */
};

struct tw_described_param {
    const struct tw_param *row; /* NULL for `seed`, which every random type takes */
    const char *name, *help;
    const char *unit; /* "" for none, and if `allowed` lists labels */
    bool required;
    char allowed[16 +
                 TW_LABELS_MAX * (TW_LABEL_BYTES_MAX + 2)]; /* "0 to 1 share", "linear, cubic" */
    char usual[80];    /* "0.1 to 10", "30 deg to 60 deg"; "" for none */
    char initial[300]; /* default as recipes write it; "" for none */
    struct tw_described_column columns[TW_COLUMNS_MAX];
    int32_t column_count;
};

struct tw_described_port {
    const char *name, *help;
    enum tw_type type;
    const char *type_name; /* "any" if every type is accepted */
    bool required, variadic;
    bool keeps_type; /* an output that becomes a mask if all such inputs are masks */
    char note[128];  /* " (optional)", "; a mask if a and b are"; "" for none */
};

struct tw_description {
    const struct tw_node_type *type;
    struct tw_described_port inputs[TW_PORTS_MAX], outputs[TW_PORTS_MAX];
    struct tw_described_param *params; /* `seed` comes last */
    int32_t input_count, output_count, param_count;
    char reach[128]; /* "a cell depends on no other cell" */
};

/* Describes a whole node type, for tw_description_release(). False when out of memory. */
bool tw_describe(const struct tw_node_type *type, struct tw_description *description);
/* Describes one of the rows of a struct of `size` bytes, such as an option of a file format. False
 * when out of memory. */
bool tw_describe_param(const struct tw_param *rows, size_t size, const struct tw_param *row,
                       struct tw_described_param *param);
void tw_description_release(struct tw_description *description);

#endif
