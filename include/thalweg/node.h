/* SPDX-License-Identifier: MIT */
/* How to write a node. A node is one `const struct tw_node_type`, which declares everything about
 * it; edge checks, defaults, ranges, help, docs, schema and cache keys derive from it. Nodes are
 * pure: they see parameters, inputs, outputs and the task, and never call malloc, fopen, printf,
 * time, rand, getenv or a lock. docs/new-node.md walks through an example. */
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

/* A short list of words, such as directions in turn, stored as indices of the row's labels. */
struct tw_labels {
    int32_t count;
    int32_t at[16];
};

/* An input file of the node, relative to the recipe. The engine reads and decodes it. */
struct tw_file {
    char name[256]; /* "" if an optional file is not given */
};

/* Rows of numbers, such as control points: `rows` x `columns` floats, row after row. YAML gives a
 * list whose entries are mappings by column name or plain lists in column order; where the first
 * column has words, an entry may be just the word. */
struct tw_table {
    int32_t rows, columns;
    const float *at; /* owned by the recipe */
};
struct tw_column {
    const char *name;
    double initial, min, max; /* `initial` replaces a value that a row leaves out; beyond the
                                 range, it tells the node that the value was left out */
    bool required;
    const char *unit; /* one of TW_UNIT_*, or the words, separated by '|', that recipes write
                         instead of their indices; `max` is then the last index */
    const char *help;
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
    double initial, min, max; /* default and hard range; for a list, of every number; the default
                                 may be stands_for */
    const char *text; /* default of a list or labels, as in "-1 1"; for a table, the suffix of files
                         that may replace it; for TW_PARAM_EXAGGERATION, TW_TRUE_SCALE; else NULL */
    const char *unit; /* one of TW_UNIT_*, or the enum's labels, separated by '|' */
    const char *help;
    const struct tw_column *columns; /* for a table; ends with TW_COLUMN_END */
    const char *word;  /* for a number: the word that recipes may write instead; NULL for none */
    double stands_for; /* what the field holds for that word; TW_PARAM_F32_OR */
    double usual_min, usual_max; /* TW_USUAL(); both 0 for none */
};

/* The usual range of a number or of a list's numbers: what authors try, for sliders and help, where
 * the hard range is far wider. It lies in the hard range and holds the default. A row has it last:
 * TW_PARAM_F32(struct params, K, 1, 0, 1e6, TW_UNIT_NONE, "...", TW_USUAL(0.1, 10)) */
#define TW_USUAL(low, high) .usual_min = low, .usual_max = high

#define TW_UNIT_NONE ""
#define TW_UNIT_HEIGHT "height"
#define TW_UNIT_RISE_PER_SIDE "rise per map side"
#define TW_UNIT_TRUE_SLOPE "rise over run" /* of a road, as it is in the world */
#define TW_UNIT_SIDE "map sides"           /* sides are map widths */
#define TW_UNIT_SIDE_SOUTH "north-south sides"
#define TW_UNIT_SIDE_LONGER "longer sides"
#define TW_UNIT_CELLS "cells"
#define TW_UNIT_DEGREES "degrees"
#define TW_UNIT_SHARE "share"

/* The offset of a field; fails to compile if the field is not of type T. */
#define TW_FIELD_OF(S, field, T)                                                                   \
    (offsetof(S, field) + 0 * sizeof(char[_Generic(((S *)0)->field, T : 1, default : -1)]))

/* The fields common to all rows: the last of the arguments are the help and TW_USUAL(). Fields that
 * a row does not name are 0 or NULL. */
#define TW_PARAM_HEAD(S, field, of_kind, type, ...)                                                \
    .name = #field, .kind = of_kind, .offset = TW_FIELD_OF(S, field, type), .help = __VA_ARGS__

#define TW_PARAM_F32(S, field, given, low, high, of_unit, ...)                                     \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_F32, float, __VA_ARGS__), .initial = given, .min = low,    \
                                                                  .max = high, .unit = of_unit     \
    }
#define TW_PARAM_I32(S, field, given, low, high, of_unit, ...)                                     \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_I32, int32_t, __VA_ARGS__), .initial = given, .min = low,  \
                                                                    .max = high, .unit = of_unit   \
    }
/* A number that recipes may replace by a word: "auto" if the node finds it or takes another's,
 * "none" if there is nothing to number. The field then holds `value`, which should lie outside of
 * the range. `given`, the default, may be either. */
#define TW_PARAM_F32_OR(S, field, stands, value, given, low, high, of_unit, ...)                   \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_F32, float, __VA_ARGS__),                                  \
            .initial = given, .min = low, .max = high, .unit = of_unit, .word = stands,            \
            .stands_for = value                                                                    \
    }
#define TW_PARAM_I32_OR(S, field, stands, value, given, low, high, of_unit, ...)                   \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_I32, int32_t, __VA_ARGS__),                                \
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
#define TW_PARAM_LIST(S, field, given, low, high, of_unit, ...)                                    \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_LIST, struct tw_list, __VA_ARGS__),                        \
            .text = given, .min = low, .max = high, .unit = of_unit                                \
    }
/* given: the default, as in "we ew"; labels: "we|ew|ns|sn" */
#define TW_PARAM_LABELS(S, field, given, labels, says)                                             \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_LABELS, struct tw_labels, says),                           \
            .text = given, .max = TW_LABELS_MAX - 1, .unit = labels                                \
    }
/* An input file; at most one per node. The optional kind, which may be left out, has min 0. */
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
/* A table of value, red, green and blue; recipes may name a colour ramp of GMT instead. */
#define TW_PARAM_RAMP(S, field, of_columns, says)                                                  \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_TABLE, struct tw_table, says), .text = ".cpt", .unit = "", \
                                                                       .columns = of_columns       \
    }
/* A required formula over the node's inputs, which it calls by their names. The engine has parsed
 * it: formula.h. */
#define TW_PARAM_FORMULA(S, field, says)                                                           \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_FORMULA, struct tw_formula, says), .unit = ""              \
    }
/* How a node treats the border: as the recipe's world does, unless the node's own parameter
 * `border` overrides it. The field is an int32_t; tw_task_wraps() reads it. A node with this row
 * sets `bordered` in its descriptor. */
#define TW_PARAM_BORDER(S, field)                                                                  \
    TW_PARAM_ENUM(S, field, TW_BORDER_RECIPE, "recipe|wrap|closed",                                \
                  "what lies beyond the border: as the recipe says, the other side, or nothing")
/* What height 1 measures, in map sides or, with TW_UNIT_SIDE_LONGER, in longer sides. The field is
 * a float. Its default, `auto`, is the true scale if the recipe has `world:`, which loading puts
 * into the field; otherwise the field holds -`otherwise`, for tw_exaggeration(). */
#define TW_TRUE_SCALE "true scale"
#define TW_PARAM_EXAGGERATION(S, field, otherwise, of_unit)                                        \
    {                                                                                              \
        TW_PARAM_HEAD(S, field, TW_KIND_F32, float,                                                \
                      "what height 1 measures; auto: true scale with world:, else " #otherwise,    \
                      TW_USUAL(0.02, 1)),                                                          \
            .initial = -(otherwise), .max = 1000, .text = TW_TRUE_SCALE, .unit = of_unit,          \
            .word = "auto", .stands_for = -(otherwise)                                             \
    }
static inline float tw_exaggeration(float field) { return field < 0 ? -field : field; }
#define TW_PARAM_END                                                                               \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* ---- ports ---- */

/* Inputs: an optional one may stay unconnected; a variadic one takes a list of references, possibly
 * empty, and must be the last input. An optional one may share its name with a table parameter:
 * recipes then give either a reference or rows.
 *
 * Outputs: one on demand has a block only if the run uses it (tw_task_wants()); the others always
 * have one. A heightmap output with TW_KEEPS_TYPE becomes a mask if every connected input with that
 * flag is a mask and at least one is connected. The values of such a mask must stay within 0..1
 * (masks.h); the output's header gives its actual type. TW_ANY_TYPE is for both ports of a node
 * that sets `choose` in its descriptor. */
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
#define TW_PORTS_MAX 16  /* ports per side */
#define TW_INPUTS_MAX 64 /* edges into a node, including those of a variadic input */

/* ---- the task: what a running node sees ---- */

struct tw_task;

/* Returns the node's own params struct, validated and complete. */
TW_API const void *tw_task_params(const struct tw_task *task);
/* Return the size of the map in cells; both are at least 1. */
TW_API int32_t tw_task_width(const struct tw_task *task);
TW_API int32_t tw_task_height(const struct tw_task *task);
/* Return the row of the map at which this run begins, and how many rows the map has. The engine may
 * run a type of TW_REACH_CELL or of finite reach on some rows only: tw_task_height() then counts
 * those, and on a torus the first may come after the last. Otherwise 0 and the height. */
TW_API int32_t tw_task_top(const struct tw_task *task);
TW_API int32_t tw_task_map_height(const struct tw_task *task);
/* Returns the key of all random numbers of this node; see kernel.h. */
TW_API uint64_t tw_task_seed(const struct tw_task *task);
/* What a recipe gives of its world: a `world:` at all; in it `side_m`. */
enum { TW_WORLD_PRESENT = 1 << 0, TW_WORLD_SIDE_M = 1 << 1 };
/* What 1.0 measures: map side and height 1 in metres; the sea's height; and where the map's
 * north-west corner lies in the projection of that EPSG code (0: nowhere). A node that reads this
 * sets `physical` in its descriptor. */
struct tw_world {
    double side_m, height_m, sea_level;
    double epsg, west, north;
    uint32_t given; /* TW_WORLD_PRESENT and others; 0: all numbers are the defaults */
};
TW_API const struct tw_world *tw_task_world(const struct tw_task *task);
/* Whether the recipe's world is a torus, whose opposite borders meet, or ends at its borders. A
 * node that reads this sets `bordered` in its descriptor. */
enum tw_borders { TW_BORDERS_WRAP, TW_BORDERS_CLOSED };
TW_API enum tw_borders tw_task_borders(const struct tw_task *task);
/* The values of a TW_PARAM_BORDER row. */
enum tw_border_choice { TW_BORDER_RECIPE, TW_BORDER_WRAP, TW_BORDER_CLOSED };
/* Returns true if the map is a torus for this node; `border` is its TW_PARAM_BORDER field. */
TW_API bool tw_task_wraps(const struct tw_task *task, int32_t border);
/* The widest instruction set that kernels may use; see simd.h. */
enum tw_simd { TW_SIMD_BASE, TW_SIMD_AVX2, TW_SIMD_AVX512, TW_SIMD_COUNT };
TW_API enum tw_simd tw_task_simd(const struct tw_task *task);
/* Returns input i in the descriptor's order, or NULL for an optional input that is not connected.
 * Inputs of a variadic port occupy its index and those after it, up to tw_task_input_count(). */
TW_API const struct tw_value *tw_task_input(const struct tw_task *task, int i);
TW_API int tw_task_input_count(const struct tw_task *task);
/* Returns output i. Grids have their full size and undefined contents; lists exist after
 * tw_task_list(). With in_place set in the descriptor, output 0 may share the block of input 0. An
 * output on demand that this run does not use has NULL data. */
TW_API struct tw_value *tw_task_output(struct tw_task *task, int i);
/* Returns whether this run uses output i: the recipe, an export or another node takes it. The
 * engine drops the contents of unused outputs, whose lists need not be created. Used outputs must
 * get identical bytes either way. */
TW_API bool tw_task_wants(const struct tw_task *task, int i);
/* Gives list output i `count` elements, zeroed. */
TW_API enum tw_status tw_task_list(struct tw_task *task, int i, int32_t count);
/* Returns the decoded picture of the node's file parameter at its own size: a heightmap for grey
 * and float files, an image (RGB of 8 bits) for colour; NULL if an optional file is not given.
 * Nodes with `file_rows` must not call it. */
TW_API const struct tw_value *tw_task_file(const struct tw_task *task);
/* For nodes with `file_rows`: the type and size of the file, 0 x 0 without one, and its rows,
 * delivered once, in the file's order, which runs north to south or south to north. A row holds
 * floats of a heightmap or RGB of an image, in bytes, or in floats if the facts have `deep`
 * (integers of b bits as v / (2^b - 1)). A large file thus takes the memory of a few rows. The
 * callback returns how many rows of the map, from the north, are final: a run in row bands uses
 * these while the file is still read. It returns 0 as long as the north is missing. */
TW_API struct tw_file_facts tw_task_file_facts(const struct tw_task *task);
typedef int32_t tw_file_row_fn(void *context, int32_t y, const void *row);
TW_API enum tw_status tw_task_file_rows(struct tw_task *task, tw_file_row_fn *fn, void *context);
/* Returns memory for the duration of this task: 64-byte aligned, undefined contents, freed by the
 * engine. NULL if out of memory: then return tw_task_no_memory(task). */
TW_API void *tw_task_scratch(struct tw_task *task, size_t count, size_t size);
/* Returns scratch as tw_task_scratch() does, for a worst case that runs never approach. Nodes fill
 * it from its start; `expected` is how many elements large runs touch, and is what the forecast and
 * the memory limit count. The rest costs address space only. */
TW_API void *tw_task_reserve(struct tw_task *task, size_t count, size_t size, size_t expected);
/* Releases the scratch taken since the mark `then`, so that the next step can reuse it: a node
 * takes no more memory than its largest step, which is what it forecasts. */
struct tw_scratch_mark {
    int blocks;
    uint64_t bytes;
};
TW_API struct tw_scratch_mark tw_task_scratch_mark(const struct tw_task *task);
TW_API void tw_task_scratch_return(struct tw_task *task, struct tw_scratch_mark then);
TW_API enum tw_status tw_task_no_memory(struct tw_task *task);
/* Ends the task with a message for the user: `return tw_task_fail(task, "...")`. */
TW_API enum tw_status tw_task_fail(struct tw_task *task, const char *format, ...) TW_PRINTF(2, 3);
/* Ends the task with a message that blames the input file instead of the node. */
TW_API enum tw_status tw_task_fail_file(struct tw_task *task, const char *format, ...)
    TW_PRINTF(2, 3);
/* Reports a remark that does not change the result; of several only the last is kept. Must not be
 * called by functions that run on workers, nor must tw_task_fail() and tw_task_scratch(). */
TW_API void tw_task_warn(struct tw_task *task, const char *format, ...) TW_PRINTF(2, 3);
/* Returns true if the run should stop: then return TW_CANCELLED within a quarter second. */
TW_API bool tw_task_cancelled(const struct tw_task *task);
/* Reports the fraction completed, 0..1; cheap enough to call once per iteration. */
TW_API void tw_task_progress(struct tw_task *task, double share);

/* Calls fn(context, begin, end) over disjoint ranges that cover 0..count, on all workers, and
 * returns when all are done. Ranges are at least `grain` long. They depend on the number of
 * workers, so the result must not depend on them: each call writes only what no other reads or
 * writes. fn must not call tw_rows itself. */
typedef void tw_rows_fn(void *context, int32_t begin, int32_t end);
TW_API void tw_rows(struct tw_task *task, int32_t count, int32_t grain, tw_rows_fn *fn,
                    void *context);

/* Runs rows, or bands of rows, side by side although each needs results of the one before: it
 * follows that one at a distance, without a barrier. Worthwhile if the work between two waits takes
 * a microsecond. A leg calls tw_relay_reach() and tw_relay_wait(). */
struct tw_relay;
enum { TW_RELAY_LEGS_MAX = 2048 };
/* Publishes that this leg has reached `step`, which never decreases, from 0. A leg that waited for
 * it sees all writes made before this call. */
TW_API void tw_relay_reach(struct tw_relay *relay, int32_t leg, int32_t step);
/* Waits until an earlier leg has reached `step`. Cancellation does not end the wait, so a leg that
 * stops early must still publish every step that others wait for. */
TW_API void tw_relay_wait(struct tw_relay *relay, int32_t leg, int32_t step);
typedef void tw_relay_fn(void *context, struct tw_relay *relay, int32_t leg);
/* Calls fn for legs 0 to count - 1, at most TW_RELAY_LEGS_MAX, and returns when all are done. Legs
 * start in order, on at most `together` workers; choose as many as can follow each other, since a
 * waiting worker does nothing else. fn must not call tw_rows or tw_relay_run. */
TW_API void tw_relay_run(struct tw_task *task, int32_t count, int32_t together, tw_relay_fn *fn,
                         void *context);

/* Runs work in rounds, each of which needs all of the one before. Calls next, which returns how
 * many parts the round has (below a million), then work for each part on all workers; the following
 * next sees what they wrote. Ends when next returns 0. Workers may join at any time, so no round
 * waits for one that is busy. Worthwhile if a round takes ten microseconds. Neither function may
 * call tw_rows, tw_relay_run or tw_rounds_run. */
typedef void tw_round_fn(void *context, int32_t part);
typedef int32_t tw_round_next_fn(void *context);
TW_API void tw_rounds_run(struct tw_task *task, tw_round_fn *work, tw_round_next_fn *next,
                          void *context);

/* Works on parts side by side and adds their results in order, as sums of floats need. Calls work
 * for parts 0 to count - 1 on at most `slots` workers, and add for each part in that order, one at
 * a time; returns when all are added. A part owns its slot, 0 to slots - 1, and the scratch the
 * caller keeps for that slot, until it is added. Parts take the lowest free slot, so one worker
 * uses only slot 0. Neither function may call tw_rows, tw_relay_run or tw_ordered_run. */
typedef void tw_ordered_fn(void *context, int32_t part, int32_t slot);
enum { TW_ORDERED_SLOTS_MAX = 32 };
TW_API void tw_ordered_run(struct tw_task *task, int32_t count, int32_t slots, tw_ordered_fn *work,
                           tw_ordered_fn *add, void *context);

/* ---- the forecast: memory that a run takes, known before anything is computed ---- */

struct tw_forecast {
    const void *params;
    int32_t width, height; /* size of the map */
    enum tw_borders borders;
    int64_t inputs[TW_INPUTS_MAX]; /* at most so many elements each; 0: not connected */
    int input_count;
    struct tw_file_facts file; /* facts of the file parameter; 0 x 0 without one */
    uint32_t used;             /* bit i: the run uses output i, as tw_task_wants() returns */
    /* For the node to fill in. */
    uint64_t scratch; /* bytes from tw_task_scratch(): the most that are held at a time */
    int64_t lists[TW_PORTS_MAX]; /* maximum number of elements of each list output */
};

/* Returns a + b, or UINT64_MAX on overflow. */
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

/* Starts the forecast of one step of the node, with no scratch yet. */
static inline struct tw_forecast tw_forecast_step(const struct tw_forecast *forecast)
{
    struct tw_forecast step = *forecast;
    step.scratch = 0;
    return step;
}

/* Adds the larger of two steps; the first releases its blocks before the second starts. */
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

/* A broken rule, as in "mask.height.low is 0.5; expected at most high, 0.46". Loading adds the
 * values, and reports the rule at `param` if the recipe gives it, else at `other`. */
struct tw_rule {
    const char *param;    /* NULL: no rule is broken */
    const char *expected; /* of the value, as in "at most" */
    const char *other;    /* the parameter whose name and value end the text; NULL for none */
    const char *hint;     /* NULL for none */
    int32_t row;          /* row of a table, from 1, whose column is wrong; 0: the whole table */
    const char *column;   /* name of that column */
};
#define TW_RULES_HOLD ((struct tw_rule){.param = NULL})
#define TW_RULE(name, text) ((struct tw_rule){.param = (name), .expected = (text)})
#define TW_RULE_OF_ROW(name, at, of, text)                                                         \
    ((struct tw_rule){.param = (name), .expected = (text), .row = (at), .column = (of)})
#define TW_RULE_OF_TWO(name, text, than)                                                           \
    ((struct tw_rule){.param = (name), .expected = (text), .other = (than)})
/* Requires low <= high of two fields of `p` that are named as their parameters. */
#define TW_RULE_AT_MOST(p, low, high)                                                              \
    ((p)->low > (p)->high ? TW_RULE_OF_TWO(#low, "at most", #high) : TW_RULES_HOLD)
#define TW_RULE_BELOW(p, low, high)                                                                \
    ((p)->low >= (p)->high ? TW_RULE_OF_TWO(#low, "less than", #high) : TW_RULES_HOLD)

/* ---- the descriptor ---- */

/* How far away, in rows and columns, an output cell's input cells may lie: a number of cells (1 or
 * more), the same cell only, or the whole map, which is the default. The engine may run a type of
 * TW_REACH_CELL on some rows of the map; see tw_task_top(). */
#define TW_REACH_ALL 0
#define TW_REACH_CELL (-1)

/* Layout of the cells of a file without a header. */
struct tw_file_layout {
    int32_t width, height; /* 0: taken from the sidecar */
    bool flip;             /* rows run south to north; false: the sidecar decides */
    bool big_endian;       /* the most significant byte comes first */
    bool is_signed;        /* numbers are signed, and heights as they are */
    int32_t band;          /* of a file of several, from 1; 0: not given */
    bool counts;           /* unsigned integers are heights, not shares of the greatest */
    bool gaps;             /* a parameter names the value of cells without a height */
    int32_t overlap;  /* cells that tiles placed by their names share with a neighbour; -1: auto */
    bool south_first; /* of tiles placed by their names, the least y is the southernmost */
};

struct tw_node_type {
    const char *name;      /* family.kind, also the file's name */
    int32_t version;       /* rises whenever output bytes change */
    const char *summary;   /* 72 characters at most, no full stop */
    const char *detail;    /* paragraphs for the docs page; may be NULL */
    const char *cite;      /* keys of docs/references.bib separated by blanks; may be NULL */
    const char *keywords;  /* search terms of users, separated by ", "; may be NULL */
    const char *elsewhere; /* counterparts in other tools, as in "Slope (Gaea), r.slope.aspect
                              (GRASS)"; may be NULL */
    const struct tw_port *inputs;  /* ends with TW_PORT_END; NULL for none */
    const struct tw_port *outputs; /* the first is the default one */
    const struct tw_param *params; /* ends with TW_PARAM_END; NULL for none */
    size_t params_size;            /* sizeof(struct params); 0 for none */
    const char *example;           /* a YAML fragment: lines of a `nodes:` mapping */
    bool random;                   /* takes `seed:` */
    bool physical;                 /* reads tw_task_world() */
    bool bordered;                 /* reads tw_task_borders() or tw_task_wraps() */
    bool file_rows;                /* reads its file by tw_task_file_rows() */
    bool file_colours; /* of a file with both colours and heights it reads the colours */
    bool file_gaps;    /* takes cells without a height, which its file's rows have as NaN */
    bool file_streams; /* has file_rows, and never rewrites rows that it has reported as final */
    bool in_place;     /* output 0 may reuse the block of input 0 */
    int32_t reach;     /* TW_REACH_*, for all values of the parameters */
    /* Reach that depends on the parameters and the map's size. NULL: `reach` holds. */
    int32_t (*reach_of)(const void *params, int32_t width, int32_t height);
    /* Checks rules between parameters, but no ranges, and returns the first broken one. NULL: no
     * rules. */
    struct tw_rule (*check)(const void *params);
    enum tw_status (*run)(struct tw_task *task);
    /* Returns TW_OK if the node can use such a file on a map of this size, else tw_error_set(err,
     * TW_INPUT, ...). Called before the file is decoded. NULL: accepts any file. */
    enum tw_status (*check_file)(const void *params, const struct tw_file_facts *file,
                                 int32_t width, int32_t height, struct tw_error *err);
    /* Returns the layout that the node's parameters give a file without a header. NULL: only a
     * sidecar can give it. Such a node reads heights: a sidecar of any file says what the levels 0
     * and 1 mean. */
    struct tw_file_layout (*file_layout)(const void *params);
    /* Forecasts memory beyond inputs and grids: at least what a run takes, and at most a tenth
     * more. NULL: the node takes no scratch and has no list output. */
    void (*forecast)(struct tw_forecast *forecast);
    /* Sets the size of all grid outputs if it is not the map's, which width and height hold at
     * first: pictures and surfaces have sizes of their own. Both at least 1, at most 2^28 cells.
     * NULL: the map's size. */
    void (*output_size)(const void *params, int32_t *width, int32_t *height);
    /* Returns false if opposite borders of the outputs do not meet on a map of this size even when
     * those of the inputs do, as with a file or with noise that does not tile. Decides the default
     * of the recipe's `borders`. NULL: they meet. */
    bool (*wraps)(const void *params, int32_t width, int32_t height);
    /* For a node that merely selects one of its inputs: returns that input's index, 0 or more,
     * given by the first parameter. The node's only input is variadic. Loading connects its users
     * straight to the selected input, so the node never runs (`run` may be NULL) and the engine
     * does not compute nodes that only the other inputs need. NULL: an ordinary node. */
    int32_t (*choose)(const void *params);
};

/* `wraps` of a node whose outputs never wrap. */
static inline bool tw_never_wraps(const void *params, int32_t width, int32_t height)
{
    (void)params, (void)width, (void)height;
    return false;
}

#ifdef __cplusplus
}
#endif
#endif
