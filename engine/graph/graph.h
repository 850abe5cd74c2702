/* SPDX-License-Identifier: MIT */
/* Facts: what a recipe says, expanded and checked. Nodes, typed edges, outputs, exports. No pixel,
 * no thread, no order of work; nothing changes after loading but what a program feeds. */
#ifndef TW_ENGINE_GRAPH_GRAPH_H
#define TW_ENGINE_GRAPH_GRAPH_H

#include "base/memory/arena.h"
#include "base/text/fault_log.h"
#include "format/format.h"
#include "format/preset.h"
#include "node/registry.h"
#include "value/field.h"

#include <thalweg/thalweg.h>

#define TW_NODES_MAX 10000
#define TW_RECIPE_DEPTH_MAX 16 /* recipes within recipes */
/* Of recipes used as nodes, each use counted. */
#define TW_USED_BYTES_MAX ((size_t)4 << 20)
#define TW_USED_YAML_NODES_MAX 400000

/* One end of an edge: output `port` of node `node`; node is -1 for an unconnected input. */
struct tw_source {
    int32_t node;
    int32_t port;
};

/* The file of a node's file parameter, as it was when the recipe was loaded; 0 x 0 without one. */
struct tw_node_file {
    struct tw_file_facts facts;
    uint64_t bytes; /* of the file */
    bool by_rows;   /* its format can be read in little memory: a row and */
    uint64_t held;  /* these bytes */
    bool searched;  /* for cells that may be no heights, all of them */
};

/* An input of the recipe that a program feeds; a node has its values as output (feed.h). */
struct tw_feed {
    const char *name;
    enum tw_type type;
    struct tw_value value;   /* owned; no data before tw_recipe_feed() */
    struct tw_sha256 digest; /* of the value's bytes */
    struct tw_feed *next;
};

/* A parameter of the recipe, as programs see it. */
struct tw_known_param {
    struct tw_recipe_param param;
    struct tw_known_param *next;
};

struct tw_node {
    const char *path; /* hills/noise */
    const struct tw_node_type *type;
    void *params;
    struct tw_source *inputs; /* one per input port, then those of a variadic one */
    int32_t input_count;
    uint64_t seed_key; /* of the node's random numbers; 0 for nodes without */
    enum tw_borders borders;
    bool masks;         /* outputs with TW_KEEPS_TYPE are masks, since the inputs are */
    const char *folder; /* of the recipe file, for file parameters */
    struct tw_node_file file;
    bool hides; /* a link leads to the file: errors say nothing of what it holds */
    struct tw_place place;
    bool is_used;               /* though nothing may depend on it: no warning says otherwise */
    const struct tw_feed *feed; /* of an input that a program feeds; NULL for others */
};

struct tw_output {
    const char *name;
    struct tw_source source;
    struct tw_output *next;
};

/* A tile of an export: which cells of the map, counted from the north-west. */
struct tw_export_tile {
    int32_t x, y, width, height;
    int32_t column, row, columns, rows; /* among the tiles, from the north-west, too */
};

/* A file. An entry of `export:` may stand for several: tiles, and what describes them. */
struct tw_export {
    const char *file;          /* relative to the output folder */
    const char *entry;         /* the name in the recipe: of a tile without its place */
    struct tw_output *sources; /* one; or several, in a format that holds them by name */
    bool several;
    const struct tw_node_type *view; /* of `as:`; NULL without */
    const struct tw_format *format;
    const struct tw_preset *preset; /* of `for:`; NULL without */
    struct tw_export_tile tile;     /* 0 wide: the file holds the whole map */
    struct tw_range range;
    void *options;                          /* the format's own */
    const struct tw_world *world;           /* the recipe's */
    const struct tw_provenance *provenance; /* the recipe's, too */
    const struct tw_export *describes;      /* a sidecar: the file that it is about */
    struct tw_place place;
    struct tw_export *next;
};

/* Options of every entry of `export:`. */
struct tw_export_options {
    bool sidecar;
};
extern const struct tw_param tw_export_options[]; /* ends with TW_PARAM_END */

/* Whether a file stands for its entry of the recipe: it is no further tile, and no sidecar. */
static inline bool tw_export_is_entry(const struct tw_export *item)
{
    return !item->describes && item->tile.column == 0 && item->tile.row == 0;
}

/* A file that is read when a recipe is loaded or run, or a symbolic link by which it is. */
struct tw_reading {
    const char *path; /* that can be opened */
    const char *node; /* path of the node that reads it; NULL: a recipe or a link */
    bool is_link;
    const struct tw_reading *next;
};

struct tw_recipe {
    struct tw_arena arena;
    const char *file;
    const struct tw_reading *readings;
    const char *about;
    int32_t width, height;
    uint64_t seed;
    struct tw_world world;
    bool gives_default_side; /* as side_m; where false, the default is not given */
    struct tw_provenance provenance;
    enum tw_borders borders;    /* of every node, too */
    const char *borders_reason; /* "since every source wraps" */
    const char *const *allow;
    struct tw_node *nodes; /* sources come before their users */
    int32_t count;
    struct tw_known_param *params, *last_param; /* in the file's order, as the next three */
    struct tw_feed *feeds;
    struct tw_output *outputs;
    struct tw_export *exports;
};

/* Says where in the recipe an error is. */
void tw_node_locate(struct tw_error *error, const struct tw_node *node);
/* Whether maps of both measure the same in metres. */
bool tw_recipe_same_world(const struct tw_recipe *a, const struct tw_recipe *b);
/* "wrap" or "closed". */
const char *tw_borders_name(enum tw_borders borders);
/* The port that edge i of a node goes into. */
const struct tw_port *tw_input_port(const struct tw_node *node, int32_t i);
/* Whether an output of one type may go into an input of the other: a mask is a heightmap, too. */
bool tw_type_converts(enum tw_type from, enum tw_type to);
/* The type that output `port` of a node has in this graph. */
enum tw_type tw_output_type(const struct tw_node *node, int32_t port);
/* Cells of a node's grid outputs: the map's, or the node's own. */
void tw_node_output_size(const struct tw_recipe *recipe, const struct tw_node *node, int32_t *width,
                         int32_t *height);
enum tw_type tw_source_type(const struct tw_recipe *recipe, struct tw_source source);

/* By node: whether the outputs and exports depend on it; sources come before their users. In the
 * recipe's arena; NULL without memory. */
const bool *tw_graph_needed(struct tw_recipe *recipe);
/* Marks, by node, what the marked nodes depend on. */
void tw_graph_mark_sources(const struct tw_recipe *recipe, bool *needed);

/* Puts nodes in an order in which sources come first (ties by place in the file) and renames
 * all edges. A cycle is reported with its members; false then, and after faults reported before,
 * which leave the order as it is. */
bool tw_graph_sort(struct tw_recipe *recipe, struct tw_fault_log *log);

#endif
