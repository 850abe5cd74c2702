/* SPDX-License-Identifier: MIT */
/* How to write a node. A node is one `const struct tw_node_type`: everything about it is declared
 * there once, and edge checks, defaults, ranges, help, docs, schema and cache keys derive from it.
 * Nodes are pure: they see parameters, inputs, outputs and the task, and never call malloc, fopen,
 * printf, time, rand, getenv or a lock. docs/new-node.md walks through one. */
#ifndef THALWEG_NODE_H
#define THALWEG_NODE_H

#include <thalweg/field.h>
#include <thalweg/formula.h>
#include <thalweg/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters ---- */

enum tw_kind {
    TW_KIND_F32,
    TW_KIND_I32,
    TW_KIND_BOOL,
    TW_KIND_ENUM,
    TW_KIND_LIST,
    TW_KIND_LABELS,
    TW_KIND_FILE,
    TW_KIND_TABLE,
    TW_KIND_FORMULA
};

/* A short list of numbers, such as Voronoi coefficients. */
struct tw_list {
    int32_t count;
    float at[16];
};

/* A short list of words, such as directions in turn: indices of the row's labels. */
struct tw_labels {
    int32_t count;
    int32_t at[16];
};

/* An input file of the node, relative to the recipe. The engine reads and decodes it. */
struct tw_file {
    char name[256]; /* "" when an optional file is not given */
};

/* Rows of numbers, such as control points: `rows` x `columns` floats, row after row. In YAML a list
 * whose entries are mappings by column name or plain lists in column order. */
struct tw_table {
    int32_t rows, columns;
    const float *at; /* owned by the recipe */
};
struct tw_column {
    const char *name;
    double initial, min, max; /* the default is used where a row does not give the column */
    bool required;
    const char *unit, *help;
};
#define TW_COLUMN_END                                                                              \
    {                                                                                              \
        .name = NULL                                                                               \
    }
#define TW_COLUMNS_MAX 16

/* One row per parameter; the macros below check the row's kind against the field's type. */
struct tw_param {
    const char *name;
    enum tw_kind kind;
    size_t offset;
    double initial, min, max; /* default and hard range; of every number, for a list; the default
                                 may be stands_for */
    const char *text; /* default of a list or labels, as in "-1 1"; of a table, the ending of
                         files that may stand for it; of TW_PARAM_EXAGGERATION, TW_TRUE_SCALE;
                         of others NULL */
    const char *unit; /* one of TW_UNIT_*, or the enum's labels, separated by '|' */
    const char *help;
    const struct tw_column *columns; /* of a table, ends with TW_COLUMN_END */
    const char *word;  /* of a number: what recipes may write instead; NULL for none */
    double stands_for; /* what the field then holds; TW_PARAM_F32_OR */
};

#define TW_UNIT_NONE ""
#define TW_UNIT_HEIGHT "height"
#define TW_UNIT_RISE_PER_SIDE "rise per map side"
#define TW_UNIT_SIDE "map sides" /* of the width */
#define TW_UNIT_SIDE_SOUTH "north-south sides"
#define TW_UNIT_SIDE_LONGER "longer sides"
#define TW_UNIT_CELLS "cells"
#define TW_UNIT_DEGREES "degrees"
#define TW_UNIT_SHARE "share"

/* The offset of a field, and a compile error when the field is not of type T. */
#define TW_FIELD_OF(S, field, T)                                                                   \
    (offsetof(S, field) + 0 * sizeof(char[_Generic(((S *)0)->field, T : 1, default : -1)]))

/* What all rows have. The fields that a row does not name are 0 or NULL. */
#define TW_PARAM_HEAD(S, field, of_kind, type, says)                                               \
    .name = #field, .kind = of_kind, .offset = TW_FIELD_OF(S, field, type), .help = says

#define TW_PARAM_F32(S, field, given, low, high, of_unit, says)                                    \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_F32, float, says), .initial = given, .min = low,           \
                                                           .max = high, .unit = of_unit            \
    }
#define TW_PARAM_I32(S, field, given, low, high, of_unit, says)                                    \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_I32, int32_t, says), .initial = given, .min = low,         \
                                                             .max = high, .unit = of_unit          \
    }
/* A number for which a word may stand: "auto" where the node finds it or takes another's, "none"
 * where there is nothing to give a number of. The field then holds `value`, which should lie
 * outside of the range. `given`, the default, may be either. */
#define TW_PARAM_F32_OR(S, field, stands, value, given, low, high, of_unit, says)                  \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_F32, float, says),                                         \
            .initial = given, .min = low, .max = high, .unit = of_unit, .word = stands,            \
            .stands_for = value                                                                    \
    }
#define TW_PARAM_I32_OR(S, field, stands, value, given, low, high, of_unit, says)                  \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_I32, int32_t, says),                                       \
            .initial = given, .min = low, .max = high, .unit = of_unit, .word = stands,            \
            .stands_for = value                                                                    \
    }
#define TW_PARAM_BOOL(S, field, given, says)                                                       \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_BOOL, bool, says), .initial = given, .max = 1, .unit = ""  \
    }
/* Limits of an enum or a list of words: labels, and bytes per label. */
#define TW_LABELS_MAX 32
#define TW_LABEL_BYTES_MAX 31

/* labels: "linear|cubic"; the field (int32_t) holds the index of the label */
#define TW_PARAM_ENUM(S, field, given, labels, says)                                               \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_ENUM, int32_t, says),                                      \
            .initial = given, .max = TW_LABELS_MAX - 1, .unit = labels                             \
    }
#define TW_PARAM_LIST(S, field, given, low, high, of_unit, says)                                   \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_LIST, struct tw_list, says), .text = given, .min = low,    \
                                                                     .max = high, .unit = of_unit  \
    }
/* given: the default, as in "we ew"; labels: "we|ew|ns|sn" */
#define TW_PARAM_LABELS(S, field, given, labels, says)                                             \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_LABELS, struct tw_labels, says),                           \
            .text = given, .max = TW_LABELS_MAX - 1, .unit = labels                                \
    }
/* At most one file per node. The optional kind may be left out: min is then 0. */
#define TW_PARAM_FILE(S, field, says)                                                              \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_FILE, struct tw_file, says), .min = 1, .max = 1,           \
                                                                     .unit = ""                    \
    }
#define TW_PARAM_FILE_OPTIONAL(S, field, says)                                                     \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_FILE, struct tw_file, says), .max = 1, .unit = ""          \
    }
#define TW_PARAM_TABLE(S, field, of_columns, says)                                                 \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_TABLE, struct tw_table, says), .unit = "",                 \
                                                                       .columns = of_columns       \
    }
/* A table of value, red, green and blue, which a colour ramp of GMT may stand for. */
#define TW_PARAM_RAMP(S, field, of_columns, says)                                                  \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_TABLE, struct tw_table, says), .text = ".cpt", .unit = "", \
                                                                       .columns = of_columns       \
    }
/* A formula over the node's inputs, which it calls by their names; required. The engine has parsed
 * it: formula.h. */
#define TW_PARAM_FORMULA(S, field, says)                                                           \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_FORMULA, struct tw_formula, says), .unit = ""              \
    }
/* How a node treats the border: as the recipe's world, unless the node's own parameter `border`
 * says otherwise. The field is an int32_t; tw_task_wraps() reads it. The descriptor of a node with
 * this row sets `bordered`. */
#define TW_PARAM_BORDER(S, field)                                                                  \
    TW_PARAM_ENUM(S, field, TW_BORDER_RECIPE, "recipe|wrap|closed",                                \
                  "what lies beyond the border: as the recipe says, the other side, or nothing")
/* What height 1 measures, in map sides or, with TW_UNIT_SIDE_LONGER, longer sides. `auto`, the
 * default, is the true scale of a recipe that has `world:`, which loading puts into the field;
 * without it the field is -`otherwise`, for tw_exaggeration(). The field is a float. */
#define TW_TRUE_SCALE "true scale"
#define TW_PARAM_EXAGGERATION(S, field, otherwise, unit)                                           \
    {                                                                                              \
#field, TW_KIND_F32, TW_FIELD_OF(S, field, float), -(otherwise), 0, 1000, TW_TRUE_SCALE,   \
            unit, "what height 1 measures; auto: true scale with world:, else " #otherwise, NULL,  \
            "auto", -(otherwise)                                                                   \
    }
static inline float tw_exaggeration(float field) { return field < 0 ? -field : field; }
#define TW_PARAM_END                                                                               \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* ---- ports ---- */

/* Inputs: an optional one may stay unconnected; a variadic one takes a list of references, none
 * included, and only the last may be one.
 * Outputs: one on demand has a block only when the run uses it, see tw_task_wants(); the others
 * always have one. A heightmap output with TW_KEEPS_TYPE is a mask where every connected input with
 * that flag is one; the node has at least one such input that is required. Its values then have to
 * stay within 0..1 (masks.h); the header of the output says which of the two it is.
 * TW_ANY_TYPE is for both ports of a node that chooses, see `choose` of the descriptor. */
enum tw_port_flags {
    TW_REQUIRED = 0,
    TW_OPTIONAL = 1,
    TW_VARIADIC = 2,
    TW_KEEPS_TYPE = 4,
    TW_ON_DEMAND = 8,
    TW_ANY_TYPE = 16
};

struct tw_port {
    const char *name;
    enum tw_type type;
    unsigned flags;
    const char *help;
};
#define TW_PORT_END                                                                                \
    {                                                                                              \
        .name = NULL                                                                               \
    }
#define TW_PORTS_MAX 16  /* of either side */
#define TW_INPUTS_MAX 64 /* edges into a node, a variadic input's included */

/* ---- the task: what a running node sees ---- */

struct tw_task;

/* The node's parameters, validated and complete: a pointer to the node's own params struct. */
TW_API const void *tw_task_params(const struct tw_task *task);
/* The size of the map in cells; both are at least 1. */
TW_API int32_t tw_task_width(const struct tw_task *task);
TW_API int32_t tw_task_height(const struct tw_task *task);
/* A type of TW_REACH_CELL or of a finite reach may be run on some rows: their number is then the
 * height, and these tell at which row of the map they begin, and how many that has. On a torus the
 * first row may follow the last. Else 0 and the height. */
TW_API int32_t tw_task_top(const struct tw_task *task);
TW_API int32_t tw_task_map_height(const struct tw_task *task);
/* The key of all random numbers of this node; see kernel.h. */
TW_API uint64_t tw_task_seed(const struct tw_task *task);
/* What 1.0 means: map side and height 1 in metres, and the sea's height; where the map's north-west
 * corner lies, in the projection with that EPSG code (0: nowhere). A node that reads this says
 * `physical` in its descriptor. */
struct tw_world {
    double side_m, height_m, sea_level;
    double epsg, west, north;
    bool given; /* false: the recipe has no `world:`, and the numbers are the defaults */
};
TW_API const struct tw_world *tw_task_world(const struct tw_task *task);
/* Whether the recipe's world is a torus, whose opposite borders meet, or ends at its borders. A
 * node that reads this says `bordered` in its descriptor. */
enum tw_borders { TW_BORDERS_WRAP, TW_BORDERS_CLOSED };
TW_API enum tw_borders tw_task_borders(const struct tw_task *task);
/* The values of a TW_PARAM_BORDER row. */
enum tw_border_choice { TW_BORDER_RECIPE, TW_BORDER_WRAP, TW_BORDER_CLOSED };
/* True when the map is a torus for this node: `border` is the field of its TW_PARAM_BORDER row. */
TW_API bool tw_task_wraps(const struct tw_task *task, int32_t border);
/* The widest instructions that kernels may use here; see simd.h. */
enum tw_simd { TW_SIMD_BASE, TW_SIMD_AVX2, TW_SIMD_AVX512, TW_SIMD_COUNT };
TW_API enum tw_simd tw_task_simd(const struct tw_task *task);
/* Input i in the descriptor's order; NULL for an optional input that is not connected. Those of a
 * variadic input follow from its place on, up to tw_task_input_count(). */
TW_API const struct tw_value *tw_task_input(const struct tw_task *task, int i);
TW_API int tw_task_input_count(const struct tw_task *task);
/* Output i. Grids have their full size and undefined contents; lists exist after tw_task_list().
 * When the descriptor says in_place, output 0 may be the same block as input 0. An output on demand
 * that this run does not use is empty: its data is NULL. */
TW_API struct tw_value *tw_task_output(struct tw_task *task, int i);
/* Whether this run uses output i: an output of the recipe, an export or another node takes it. What
 * an output that it does not use holds at the end is dropped, and its list need not be created. The
 * other outputs must get the same bytes either way. */
TW_API bool tw_task_wants(const struct tw_task *task, int i);
/* Gives list output i `count` elements, zeroed. */
TW_API enum tw_status tw_task_list(struct tw_task *task, int i, int32_t count);
/* The decoded picture of the node's file parameter at its own size: a heightmap for grey and float
 * files, an image (RGB of 8 bits) for colour. NULL when an optional file is not given. Not for
 * nodes that say `file_rows`. */
TW_API const struct tw_value *tw_task_file(const struct tw_task *task);
/* For nodes that say `file_rows`: type and size of the file, 0 x 0 without one, and its rows, once,
 * in the file's order, which is from north to south or from south to north: floats of a heightmap
 * or RGB of an image, in bytes, or in floats where the file's facts say `deep` (integers of b bits
 * as v / (2^b - 1)). A large file then takes the memory of a few rows. What takes a row returns how
 * many rows of the map have their final heights now, from the north: a run in bands reads these
 * while the file is read; 0 while the north is missing. */
TW_API struct tw_file_facts tw_task_file_facts(const struct tw_task *task);
typedef int32_t tw_file_row_fn(void *context, int32_t y, const void *row);
TW_API enum tw_status tw_task_file_rows(struct tw_task *task, tw_file_row_fn *fn, void *context);
/* Memory for the duration of this task, 64-byte aligned, contents undefined, freed by the engine.
 * NULL when out of memory: return tw_task_no_memory(task). */
TW_API void *tw_task_scratch(struct tw_task *task, size_t count, size_t size);
/* The same for a worst case that runs never come near, from the start of the block on: `expected`
 * elements are what large ones touch, and what is forecast and counted. The rest is address space.
 */
TW_API void *tw_task_reserve(struct tw_task *task, size_t count, size_t size, size_t expected);
/* Gives back what has been taken since `then`, so that the next step finds room: a node takes no
 * more memory than its largest step, which is what it forecasts. */
struct tw_scratch_mark {
    int blocks;
    uint64_t bytes;
};
TW_API struct tw_scratch_mark tw_task_scratch_mark(const struct tw_task *task);
TW_API void tw_task_scratch_return(struct tw_task *task, struct tw_scratch_mark then);
TW_API enum tw_status tw_task_no_memory(struct tw_task *task);
/* Ends the task with a message for the user: `return tw_task_fail(task, "...")`. */
TW_API enum tw_status tw_task_fail(struct tw_task *task, const char *format, ...) TW_PRINTF(2, 3);
/* The same where the input file is at fault, not the node. */
TW_API enum tw_status tw_task_fail_file(struct tw_task *task, const char *format, ...)
    TW_PRINTF(2, 3);
/* A remark for the user that does not change the result; of several the last is reported. Like
 * tw_task_fail() and tw_task_scratch(), not from functions that run on workers. */
TW_API void tw_task_warn(struct tw_task *task, const char *format, ...) TW_PRINTF(2, 3);
/* True when the run should stop: return TW_CANCELLED soon (a quarter second at most). */
TW_API bool tw_task_cancelled(const struct tw_task *task);
/* The fraction completed, 0..1; cheap enough to call once per iteration. */
TW_API void tw_task_progress(struct tw_task *task, double share);

/* Calls fn(context, begin, end) over disjoint ranges that cover 0..count, on all workers, and
 * returns when all are done. `grain` is the least length of a range. The ranges depend on the
 * number of workers, so the result must not depend on the ranges: each writes only what no other
 * reads or writes. fn must not call tw_rows itself. */
typedef void tw_rows_fn(void *context, int32_t begin, int32_t end);
TW_API void tw_rows(struct tw_task *task, int32_t count, int32_t grain, tw_rows_fn *fn,
                    void *context);

/* For rows, or bands of them, that may be done side by side although each needs what the one before
 * it did: it follows at a distance, without a barrier. Pays where what it does between two of its
 * waits takes a microsecond. A leg calls these two: */
struct tw_relay;
enum { TW_RELAY_LEGS_MAX = 2048 };
/* Publishes that this leg has reached `step` (non-decreasing, from 0). A leg that waited for it
 * sees all writes made before this call. */
TW_API void tw_relay_reach(struct tw_relay *relay, int32_t leg, int32_t step);
/* Returns when an earlier leg has reached `step`. Cancellation does not end the wait, so a leg that
 * stops early still publishes every step that others wait for. */
TW_API void tw_relay_wait(struct tw_relay *relay, int32_t leg, int32_t step);
typedef void tw_relay_fn(void *context, struct tw_relay *relay, int32_t leg);
/* Calls fn for legs 0 to count - 1, TW_RELAY_LEGS_MAX at most, and returns when all are done. Legs
 * begin in their order, on at most `together` workers: as many as can follow each other, since
 * those that wait do nothing else. fn must not call tw_rows or tw_relay_run. */
TW_API void tw_relay_run(struct tw_task *task, int32_t count, int32_t together, tw_relay_fn *fn,
                         void *context);

/* For work in rounds, each of which needs all of the one before: calls next, which says how many
 * parts the round has, below a million, and work for each of them on all workers; next then sees
 * what they wrote. Ends when next says 0. Any number of workers takes part at any time, so that no
 * round waits for one that is busy. Pays where a round takes ten microseconds. Neither may call
 * tw_rows, tw_relay_run or this. */
typedef void tw_round_fn(void *context, int32_t part);
typedef int32_t tw_round_next_fn(void *context);
TW_API void tw_rounds_run(struct tw_task *task, tw_round_fn *work, tw_round_next_fn *next,
                          void *context);

/* For parts that are worked on side by side, but whose results have to be added up in their order,
 * as sums of floats have. Calls work for parts 0 to count - 1 on at most `slots` workers, and add
 * for each part in that order, one at a time; returns when all are added. The scratch that a part
 * needs belongs to its slot, 0 to slots - 1, which is its own until it is added. The lowest free
 * one is taken: one worker uses only slot 0. Neither may call tw_rows, tw_relay_run or this. */
typedef void tw_ordered_fn(void *context, int32_t part, int32_t slot);
enum { TW_ORDERED_SLOTS_MAX = 32 };
TW_API void tw_ordered_run(struct tw_task *task, int32_t count, int32_t slots, tw_ordered_fn *work,
                           tw_ordered_fn *add, void *context);

/* ---- the forecast: what memory a run takes, before anything is computed ---- */

struct tw_forecast {
    const void *params;
    int32_t width, height; /* of the map */
    enum tw_borders borders;
    int64_t inputs[TW_INPUTS_MAX]; /* elements of each input at most; 0 when not connected */
    int input_count;
    struct tw_file_facts file; /* of the file parameter; 0 x 0 without one */
    uint32_t used;             /* bit i: output i, as tw_task_wants() */
    /* For the node to fill in. */
    uint64_t scratch;            /* bytes from tw_task_scratch(), all blocks held at a time */
    int64_t lists[TW_PORTS_MAX]; /* elements of each list output at most */
};

/* a + b, or the greatest number where that overflows. */
static inline uint64_t tw_add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Adds a block of tw_task_scratch(task, count, size), saturating. */
static inline void tw_forecast_scratch(struct tw_forecast *forecast, uint64_t count, size_t size)
{
    uint64_t bytes = size > 0 && count > UINT64_MAX / size ? UINT64_MAX : count * size;
    forecast->scratch = tw_add_saturating(forecast->scratch, bytes);
}

/* For a node that takes steps: a forecast of one of them, without scratch so far. */
static inline struct tw_forecast tw_forecast_step(const struct tw_forecast *forecast)
{
    struct tw_forecast step = *forecast;
    step.scratch = 0;
    return step;
}

/* Adds the larger of two steps, the first of which gives its blocks back before the second one. */
static inline void tw_forecast_steps(struct tw_forecast *forecast, const struct tw_forecast *first,
                                     const struct tw_forecast *second)
{
    uint64_t most = first->scratch > second->scratch ? first->scratch : second->scratch;
    tw_forecast_scratch(forecast, most, 1);
}

/* Adds `planes` blocks of the map's size. */
static inline void tw_forecast_maps(struct tw_forecast *forecast, uint64_t planes, size_t size)
{
    uint64_t cells = (uint64_t)forecast->width * (uint64_t)forecast->height;
    tw_forecast_scratch(forecast, cells * planes, size);
}

static inline bool tw_forecast_wants(const struct tw_forecast *forecast, int i)
{
    return forecast->used >> i & 1;
}

static inline bool tw_forecast_wraps(const struct tw_forecast *forecast, int32_t border)
{
    return border == TW_BORDER_RECIPE ? forecast->borders == TW_BORDERS_WRAP
                                      : border == TW_BORDER_WRAP;
}

/* ---- rules between parameters ---- */

/* A rule that does not hold: "mask.height.low is 0.5; expected at most high, 0.46". Loading adds
 * the values, and reports it where the recipe gives the parameter, else where it gives the other.
 */
struct tw_rule {
    const char *param;    /* NULL: all rules hold */
    const char *expected; /* of its value, as in "at most" */
    const char *other;    /* the parameter whose name and value end the text; NULL for none */
    const char *hint;     /* NULL for none */
    int32_t row;          /* of a table, from 1: where the column is wrong; 0: all of it */
    const char *column;   /* its name */
};
#define TW_RULES_HOLD ((struct tw_rule){.param = NULL})
#define TW_RULE(name, text) ((struct tw_rule){.param = (name), .expected = (text)})
#define TW_RULE_OF_ROW(name, at, of, text)                                                         \
    ((struct tw_rule){.param = (name), .expected = (text), .row = (at), .column = (of)})
#define TW_RULE_OF_TWO(name, text, than)                                                           \
    ((struct tw_rule){.param = (name), .expected = (text), .other = (than)})
/* That the fields of `p`, named as their parameters, are in this order. */
#define TW_RULE_AT_MOST(p, low, high)                                                              \
    ((p)->low > (p)->high ? TW_RULE_OF_TWO(#low, "at most", #high) : TW_RULES_HOLD)
#define TW_RULE_BELOW(p, low, high)                                                                \
    ((p)->low >= (p)->high ? TW_RULE_OF_TWO(#low, "less than", #high) : TW_RULES_HOLD)

/* ---- the descriptor ---- */

/* How far away, in rows and columns, the cells of the inputs may lie that an output cell follows
 * from: a number of cells, 1 or more; the same cell alone; or the whole map, which is what a type
 * that does not say is taken for. A type of TW_REACH_CELL may be run on some rows of the
 * map; see tw_task_top(). */
#define TW_REACH_ALL 0
#define TW_REACH_CELL (-1)

/* How the cells of a file without a header lie. */
struct tw_file_layout {
    int32_t width, height; /* 0: as its sidecar says */
    bool flip;             /* rows from south to north; else as its sidecar says */
    bool big_endian;       /* the greatest byte of a number first */
};

struct tw_node_type {
    const char *name;             /* family.kind, also the file's name */
    int32_t version;              /* rises whenever output bytes change */
    const char *summary;          /* 72 characters at most, no full stop */
    const char *detail;           /* paragraphs for the docs page; may be NULL */
    const char *cite;             /* keys of docs/references.bib separated by blanks; may be NULL */
    const char *keywords;         /* what users may search for, separated by ", "; may be NULL */
    const char *elsewhere;        /* its likes in other tools, as in "Slope (Gaea), r.slope.aspect
                                     (GRASS)"; may be NULL */
    const struct tw_port *inputs; /* ends with TW_PORT_END; NULL for none */
    const struct tw_port *outputs; /* the first is the default one */
    const struct tw_param *params; /* ends with TW_PARAM_END; NULL for none */
    size_t params_size;            /* sizeof(struct params), 0 for none */
    const char *example;           /* a YAML fragment: lines of a `nodes:` mapping */
    bool random;                   /* takes `seed:` */
    bool physical;                 /* reads tw_task_world() */
    bool bordered;                 /* reads tw_task_borders() or tw_task_wraps() */
    bool file_rows;                /* reads its file by tw_task_file_rows() */
    bool file_colours; /* of a file with both colours and heights it reads the colours */
    bool file_streams; /* reads its file so, and rows that it says are done are never written again
                        */
    bool in_place;     /* output 0 may reuse the block of input 0 */
    int32_t reach;     /* see above; of all parameters */
    /* The same where parameters and the map's size decide. NULL: `reach`. */
    int32_t (*reach_of)(const void *params, int32_t width, int32_t height);
    /* Rules between parameters, never ranges; NULL for none. The first that does not hold. */
    struct tw_rule (*check)(const void *params);
    enum tw_status (*run)(struct tw_task *task);
    /* TW_OK when the node can use such a file on a map of this size, else tw_error_set(err,
     * TW_INPUT, ...). Called before the file is decoded. NULL: any file. */
    enum tw_status (*check_file)(const void *params, const struct tw_file_facts *file,
                                 int32_t width, int32_t height, struct tw_error *err);
    /* What the node's parameters say of a file without a header. NULL: only a sidecar can. A node
     * that has it reads heights: of any file a sidecar says what levels of 0 and 1 stand for. */
    struct tw_file_layout (*file_layout)(const void *params);
    /* What a run takes in addition to its inputs and grids: at least as much, and at most a tenth
     * more. NULL: no scratch and no list. */
    void (*forecast)(struct tw_forecast *forecast);
    /* The size of all grid outputs where it is not the map's, which is what width and height hold
     * before: pictures and surfaces have one of their own. Both at least 1, together at most 2^28
     * cells. NULL: as large as the map. */
    void (*output_size)(const void *params, int32_t *width, int32_t *height);
    /* False when opposite borders of the outputs do not meet on a map of this size even where those
     * of the inputs do, as with a file or with noise that does not tile; decides the default of the
     * recipe's `borders`. NULL: they meet. */
    bool (*wraps)(const void *params, int32_t width, int32_t height);
    /* For a node that stands for one of its inputs: the index of that input, 0 or more, which the
     * first parameter says. Its only input is variadic. Loading connects the node's users to what
     * that input names, so the node never runs (`run` may be NULL), and what only the other inputs
     * need is not computed. NULL: an ordinary node. */
    int32_t (*choose)(const void *params);
};

/* `wraps` of a node whose outputs never do. */
static inline bool tw_never_wraps(const void *params, int32_t width, int32_t height)
{
    (void)params, (void)width, (void)height;
    return false;
}

#ifdef __cplusplus
}
#endif
#endif
