/* SPDX-License-Identifier: MIT */
/* Changes the settings of a node one at a time, and connects its optional inputs. */
#ifndef TW_TESTS_SUPPORT_SETTINGS_H
#define TW_TESTS_SUPPORT_SETTINGS_H

#include "support/example.h"

#include "graph/graph.h"
#include "node/param.h"
#include "node/rule.h"

#include <stdio.h>
#include <string.h>

enum { SETTINGS_FEW = 3, SETTINGS_CELLS = 1000, SETTINGS_TEXT = 4096 };

/* The last node of a type. */
static inline struct tw_node *settings_node(struct tw_recipe *recipe,
                                            const struct tw_node_type *type)
{
    for (int32_t i = recipe->count; i-- > 0;)
        if (recipe->nodes[i].type == type)
            return &recipe->nodes[i];
    return NULL;
}

/* Doubles a value, halves it if that is too much, or replaces 0. */
static inline double settings_other(const struct tw_param *row, double now)
{
    double other = now != 0 ? 2 * now : row->kind == TW_KIND_I32 ? 29 : 0.375;
    other = other < row->min ? row->min : other > row->max ? row->max : other;
    if (other == now)
        other = now / 2 < row->min ? row->min : now / 2;
    return row->kind == TW_KIND_I32 ? (double)(int32_t)other : other;
}

static inline bool settings_has_other_word(const struct tw_param *row)
{
    return row->word && row->stands_for != row->initial;
}

/* Sets the parameter to its ith other value, finally to a word that is not its default; false once
 * there are no more. */
static inline bool settings_change(const struct tw_param *row, void *params, int i)
{
    unsigned char *field = (unsigned char *)params + row->offset;
    int length;
    switch (row->kind) {
    case TW_KIND_F32:
        *(float *)(void *)field = i == 0
                                      ? (float)settings_other(row, (double)*(float *)(void *)field)
                                      : (float)row->stands_for;
        return i < (settings_has_other_word(row) ? 2 : 1);
    case TW_KIND_I32:
        *(int32_t *)(void *)field =
            i == 0 ? (int32_t)settings_other(row, (double)*(int32_t *)(void *)field)
                   : (int32_t)row->stands_for;
        return i < (settings_has_other_word(row) ? 2 : 1);
    case TW_KIND_BOOL:
        *(bool *)(void *)field = !*(bool *)(void *)field;
        return i < 1;
    case TW_KIND_ENUM:
        *(int32_t *)(void *)field = i;
        return tw_param_label(row, i, &length) != NULL;
    default:
        return false; /* lists and files: the node's own test covers valid combinations */
    }
}

/* ---- ends of ranges ---- */

/* The ith of: the least, 0 (if between), the greatest (for counts a small one, since work grows
 * with them); false once there are no more. */
static inline bool settings_end(const struct tw_param *row, double least, double greatest, int i,
                                double *end)
{
    const bool counts = row->kind == TW_KIND_I32, between = least < 0 && greatest > 0;
    if (counts && greatest > least + SETTINGS_FEW)
        greatest = least + SETTINGS_FEW;
    *end = i == 0 ? least : i == 1 && between ? 0 : greatest;
    return i < (between ? 3 : 2);
}

/* Sets every column of a table's first row, one at a time, to its ends: with the other rows, and
 * without them. */
static inline bool settings_end_of_table(const struct tw_param *row, struct tw_table *table, int i)
{
    static float cells[SETTINGS_CELLS];
    const size_t count = (size_t)table->rows * (size_t)table->columns;
    const int column = i / 6;
    double end = 0;
    assert_true(count <= SETTINGS_CELLS);
    if (count == 0 || column == table->columns)
        return false;
    memcpy(cells, table->at, count * sizeof *cells);
    table->at = cells;
    table->rows = i % 2 ? 1 : table->rows;
    const struct tw_column *of = &row->columns[column];
    if (settings_end(row, of->min, of->max, i / 2 % 3, &end))
        cells[column] = (float)end;
    return true;
}

/* Sets the parameter to the ith of its ends; false once there are no more. */
static inline bool settings_set_end(const struct tw_param *row, void *params, int i)
{
    void *field = (unsigned char *)params + row->offset;
    struct tw_list *list = field;
    double end = 0;
    switch (row->kind) {
    case TW_KIND_F32:
    case TW_KIND_I32:
        if (!settings_end(row, row->min, row->max, i, &end))
            return false;
        if (row->kind == TW_KIND_F32)
            *(float *)field = (float)end;
        else
            *(int32_t *)field = (int32_t)end;
        return true;
    case TW_KIND_LIST:
        if (i / 3 >= list->count)
            return false;
        if (settings_end(row, row->min, row->max, i % 3, &end))
            list->at[i / 3] = (float)end;
        return true;
    case TW_KIND_TABLE:
        return settings_end_of_table(row, field, i);
    default:
        return false; /* words have no ends */
    }
}

/* ---- of a node ---- */

/* Changes the setting of the last node of a type; SETTINGS_UNFIT: the example's other settings do
 * not allow it. */
enum settings_fit { SETTINGS_OVER, SETTINGS_UNFIT, SETTINGS_FIT };
typedef bool settings_setter(const struct tw_param *row, void *params, int i);
static inline enum settings_fit settings_apply_by(settings_setter *set, struct tw_recipe *recipe,
                                                  const struct tw_node_type *type,
                                                  const struct tw_param *row, int i)
{
    void *params = settings_node(recipe, type)->params;
    if (!set(row, params, i))
        return SETTINGS_OVER;
    return tw_rule_check(type, params).param ? SETTINGS_UNFIT : SETTINGS_FIT;
}

static inline enum settings_fit settings_apply(struct tw_recipe *recipe,
                                               const struct tw_node_type *type,
                                               const struct tw_param *row, int i)
{
    return settings_apply_by(settings_change, recipe, type, row, i);
}

/* Connects `source` to the type's port in `example`, replacing what is there; false if the example
 * has no node of the type. */
static inline bool settings_put(const struct tw_node_type *type, const char *example,
                                const struct tw_port *port, const char *source,
                                char text[SETTINGS_TEXT])
{
    char node[100], name[100];
    snprintf(node, sizeof node, "{type: %s", type->name);
    snprintf(name, sizeof name, " %s: ", port->name);
    const char *from = strstr(example, node);
    from = from && strchr(",}", from[strlen(node)]) ? from + strlen(node) : NULL;
    if (!from)
        return false;
    const char *at = strstr(from, name), *rest = from;
    if (at && at < from + strcspn(from, "}")) {
        from = at - 1;
        rest = at + strlen(name);
        rest += *rest == '[' ? strcspn(rest, "]") + 1 : strcspn(rest, ",}");
    }
    int used = snprintf(text, SETTINGS_TEXT, "%.*s,%s%s%s", (int)(from - example), example, name,
                        source, rest);
    assert_true(used < SETTINGS_TEXT);
    return true;
}

/* The example with the input added after the node's type; NULL if it is connected already, or not
 * optional. */
static inline struct tw_recipe *settings_connect(const struct tw_node_type *type,
                                                 const struct tw_port *port, int32_t width,
                                                 int32_t height)
{
    static const struct {
        const char *nodes, *name;
    } sources[TW_TYPE_COUNT] = {
        [TW_HEIGHTMAP] = {"extra: {type: noise.perlin}", "extra"},
        [TW_MASK] = {"spare: {type: noise.perlin}\n"
                     "extra: {type: mask.height, in: spare, low: -0.2, high: 0.3}",
                     "extra"},
        [TW_LABELS] = {"extra: {type: voronoi.cells}", "extra.domain"},
    };
    char pattern[100], port_text[100], text[4096];
    struct tw_node_type changed = *type;
    snprintf(pattern, sizeof pattern, "{type: %s", type->name);
    snprintf(port_text, sizeof port_text, " %s: ", port->name);
    const char *at = strstr(type->example, pattern);
    if (!(port->flags & TW_OPTIONAL) || !sources[port->type].nodes || !at ||
        strstr(type->example, port_text))
        return NULL;
    at += strlen(pattern);
    int used = snprintf(text, sizeof text, "%.*s,%s%s%s", (int)(at - type->example), type->example,
                        port_text, sources[port->type].name, at);
    assert_true(used < (int)sizeof text);
    changed.example = text;
    return example_load_with(&changed, width, height, sources[port->type].nodes);
}

#endif
