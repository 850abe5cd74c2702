/* SPDX-License-Identifier: MIT */
/* Facts: the contents of a recipe, expanded and checked. Nodes, typed edges, outputs, exports, but
 * no pixels, threads or order of work. After loading nothing changes except what a program
 * feeds. */
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
/* Bytes of recipes used as nodes, counting every use. */
#define TW_USED_BYTES_MAX ((size_t)4 << 20)
#define TW_USED_YAML_NODES_MAX 400000

/* One end of an edge: output `port` of node `node`; node is -1 for an unconnected input. */
struct tw_source {
    int32_t node;
    int32_t port;
};

/* The file of a node's file parameter, as of loading; 0 x 0 without one. */
struct tw_node_file {
    struct tw_file_facts facts;
    uint64_t bytes; /* size of the file */
    bool by_rows;   /* can be read in little memory: a row and */
    uint64_t held;  /* so many bytes */
    bool searched;  /* all cells were searched for voids */
};

/* An input of the recipe that a program feeds; a node outputs its value (feed.h). */
struct tw_feed {
    const char *name;
    enum tw_type type;
    struct tw_value value; /* no data before tw_recipe_feed(); owned, or borrowed until */
    void (*release)(void *context, void *data); /* is called; NULL: owned */
    void *context;
    struct tw_sha256 digest; /* of the value's bytes */
    struct tw_feed *next;
};

/* A parameter of the recipe, as programs see it. */
struct tw_known_param {
    struct tw_recipe_param param;
    struct tw_known_param *next;
};

struct tw_node {
    const char *path; /* path in the recipe, as in hills/noise */
    const struct tw_node_type *type;
    void *params;
    struct tw_source *inputs; /* one per input port, then those of a variadic port */
    int32_t input_count;
    uint64_t seed_key; /* key of the node's random numbers; 0 for nodes without */
    enum tw_borders borders;
    bool masks;         /* outputs with TW_KEEPS_TYPE are masks, because the inputs are */
    const char *folder; /* folder of the recipe file, for file parameters */
    struct tw_node_file file;
    bool hides; /* the file was reached through a link: errors quote none of it */
    struct tw_place place;
    bool is_used;                         /* suppresses the warning that nothing depends on it */
    const struct tw_feed *feed;           /* input that a program feeds; NULL for other nodes */
    const struct tw_assertion *assertion; /* what the node judges; NULL for other nodes */
    const char *library; /* "thalweg/snow 1", the recipe of the library and its version; or NULL */
};

struct tw_output {
    const char *name;
    struct tw_source source;
    struct tw_output *next;
    int32_t part; /* of an export: the part of its format, from 1; 0: content */
};

/* A tile of an export: its cells of the map, counted from the north-west. */
struct tw_export_tile {
    int32_t x, y, width, height;
    int32_t column, row, columns, rows; /* position among the tiles, also from the north-west */
};

/* A file to write. An entry of `export:` may produce several: tiles, and sidecars. */
struct tw_export {
    const char *file;          /* relative to the output folder */
    const char *entry;         /* the entry's file name in the recipe, even for a tile */
    struct tw_output *sources; /* one; or several, for a format that holds them by name */
    bool several;
    int32_t first, taken;            /* of several sources, those this file holds; taken 0: all */
    const struct tw_node_type *view; /* type of `as:`; NULL without */
    const struct tw_format *format;
    const struct tw_preset *preset; /* preset of `for:`; NULL without */
    struct tw_export_tile tile;     /* width 0: the file holds the whole map */
    struct tw_range range;
    void *options;                          /* options of the format */
    const struct tw_world *world;           /* the recipe's */
    const struct tw_provenance *provenance; /* the recipe's */
    const struct tw_export *describes;      /* the file that this one lies beside; else NULL */
    struct tw_place place;
    struct tw_export *next;
};

/* Options common to all entries of `export:`. */
struct tw_export_options {
    bool sidecar;
};
extern const struct tw_param tw_export_options[]; /* ends with TW_PARAM_END */

/* Returns whether a file represents its entry of the recipe, being neither a further tile nor a
 * sidecar or picture that lies beside it. */
static inline bool tw_export_is_entry(const struct tw_export *item)
{
    return !item->describes && item->tile.column == 0 && item->tile.row == 0;
}

/* Returns whether the file is a `.json` that describes another. */
bool tw_export_is_sidecar(const struct tw_export *item);

/* A file read when a recipe is loaded or run, or a symbolic link on the way to one. */
struct tw_reading {
    const char *path; /* path to open */
    const char *node; /* path of the node that reads it; NULL: a recipe or a link */
    bool is_link;
    const struct tw_reading *next;
};

/* What a recipe was loaded from, to load it again with other parameters; in its arena. */
struct tw_origin {
    const char *text;
    size_t length;
    const char *real_path;          /* NULL for a text */
    struct tw_load_options options; /* copied, without the program's functions */
};

struct tw_recipe {
    struct tw_arena arena;
    struct tw_origin origin;
    const char *file;
    const struct tw_reading *readings;
    const char *about;
    int32_t width, height;
    uint64_t seed;
    struct tw_world world;
    struct tw_provenance provenance;
    enum tw_borders borders;    /* also of every node */
    const char *borders_reason; /* as in "since every source wraps" */
    const char *const *allow;
    struct tw_node *nodes; /* sources precede their users */
    int32_t count;
    struct tw_known_param *params, *last_param; /* in the file's order, as the next three */
    struct tw_feed *feeds;
    struct tw_output *outputs;
    struct tw_export *exports;
    struct tw_output *assertions; /* nodes that judge outputs; named as in score.game */
};

/* Adds the node's place in the recipe to an error. */
void tw_node_locate(struct tw_error *error, const struct tw_node *node);
/* Returns "wrap" or "closed". */
const char *tw_borders_name(enum tw_borders borders);
/* Returns the port that edge i of a node leads to. */
const struct tw_port *tw_input_port(const struct tw_node *node, int32_t i);
/* Returns whether an output of type `from` fits an input of type `to`: a mask also fits a
 * heightmap. */
bool tw_type_converts(enum tw_type from, enum tw_type to);
/* Returns the type of output `port` of a node in this graph. */
enum tw_type tw_output_type(const struct tw_node *node, int32_t port);
/* Gets the size of a node's grid outputs: the map's, or the node's own. */
void tw_node_output_size(const struct tw_recipe *recipe, const struct tw_node *node, int32_t *width,
                         int32_t *height);
enum tw_type tw_source_type(const struct tw_recipe *recipe, struct tw_source source);

/* Returns, by node, whether outputs or exports depend on it; requires sorted nodes. In the recipe's
 * arena; NULL when out of memory. */
const bool *tw_graph_needed(struct tw_recipe *recipe);
/* Marks all nodes that marked nodes depend on. */
void tw_graph_mark_sources(const struct tw_recipe *recipe, bool *needed);

/* Renumbers sorted nodes by `tier`, lowest first; a source gets the lowest tier of its users.
 * rank[i] becomes the new index of node i. False when out of memory. */
bool tw_graph_arrange(struct tw_recipe *recipe, int32_t *tier, int32_t *rank);
/* Sorts nodes so that sources come first (ties by place in the file) and renumbers all edges.
 * Reports a cycle with its members and returns false; after earlier faults returns false and keeps
 * the order. */
bool tw_graph_sort(struct tw_recipe *recipe, struct tw_fault_log *log);

#endif
