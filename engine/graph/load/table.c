/* SPDX-License-Identifier: MIT */
/* Table parameters: a list whose rows are mappings by column name or lists in column order. */
#include "graph/load/load_private.h"

#include "base/text/suggest.h"
#include "node/param.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_MAX = 100000 };

static int find_column(const struct tw_column *columns, const char *name)
{
    for (int i = 0; columns[i].name; i++)
        if (strcmp(columns[i].name, name) == 0)
            return i;
    return -1;
}

static void unknown_column(struct tw_loader *loader, const struct tw_param *row,
                           const struct tw_yaml *key)
{
    struct tw_suggestion suggestion = {.unknown = key->text};
    char all[300] = "";
    for (const struct tw_column *column = row->columns; column->name; column++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", column->name);
        tw_suggest_offer(&suggestion, column->name);
    }
    tw_fault_log_add(loader->log, TW_RECIPE, key->place,
                     tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "%s has no column '%s'; there are %s", row->name, key->text, all);
}

static void set_cell(struct tw_loader *loader, struct tw_scope *scope, const struct tw_param *row,
                     int column, const struct tw_yaml *value, float *cells)
{
    char message[500];
    int length;
    if (value->kind != TW_YAML_SCALAR) {
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL, "%s.%s is %s; expected a %s",
                         row->name, row->columns[column].name, tw_yaml_kind_name(value),
                         tw_column_word(&row->columns[column], 0, &length) ? "word" : "number");
        return;
    }
    const char *text = tw_substitute(loader, scope, value);
    if (text)
        text = tw_load_world_unit(loader, row->name, row->columns[column].name,
                                  row->columns[column].unit, text, &value->place);
    if (text &&
        !tw_param_cell(&row->columns[column], text, &cells[column], message, sizeof message))
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL, "%s.%s", row->name, message);
}

static void check_required(struct tw_loader *loader, const struct tw_param *row, const bool *given,
                           const struct tw_yaml *entry)
{
    for (int i = 0; row->columns[i].name; i++)
        if (row->columns[i].required && !given[i])
            tw_fault_log_add(loader->log, TW_RECIPE, entry->place, NULL,
                             "a row of %s needs '%s' (%s)", row->name, row->columns[i].name,
                             row->columns[i].help);
}

static void read_row(struct tw_loader *loader, struct tw_scope *scope, const struct tw_param *row,
                     const struct tw_yaml *entry, float *cells)
{
    bool given[TW_COLUMNS_MAX] = {false};
    int next = 0, length;
    for (int i = 0; row->columns[i].name; i++)
        cells[i] = (float)row->columns[i].initial;
    if (entry->kind == TW_YAML_SCALAR && tw_column_word(row->columns, 0, &length)) {
        given[0] = true;
        set_cell(loader, scope, row, 0, entry, cells);
    } else if (entry->kind == TW_YAML_SCALAR) {
        tw_fault_log_add(loader->log, TW_RECIPE, entry->place, NULL,
                         "a row of %s is %s; expected a mapping or a list of numbers", row->name,
                         TW_YAML_FOUND(entry));
        return;
    }
    for (const struct tw_yaml_item *item = entry->items; item; item = item->next) {
        int column =
            entry->kind == TW_YAML_MAPPING ? find_column(row->columns, item->key->text) : next++;
        if (column < 0) {
            unknown_column(loader, row, item->key);
            continue;
        }
        if (!row->columns[column].name) {
            tw_fault_log_add(loader->log, TW_RECIPE, item->value->place, NULL,
                             "a row of %s has %d numbers; expected at most %d", row->name,
                             (int)entry->count, column);
            return;
        }
        given[column] = true;
        set_cell(loader, scope, row, column, item->value, cells);
    }
    check_required(loader, row, given, entry);
}

bool tw_load_gives_rows(const struct tw_node_type *type, const char *key,
                        const struct tw_yaml *value)
{
    const struct tw_param *row = tw_node_find_param(type, key);
    return row && row->kind == TW_KIND_TABLE && value->kind == TW_YAML_SEQUENCE;
}

void tw_load_table(struct tw_loader *loader, struct tw_scope *scope, const struct tw_param *row,
                   void *params, const struct tw_yaml *value)
{
    struct tw_table *table = (struct tw_table *)((unsigned char *)params + row->offset);
    int32_t rows = 0, columns = 0;
    if (value->kind == TW_YAML_SCALAR && row->text) {
        const char *name = tw_substitute(loader, scope, value);
        if (name)
            tw_load_cpt(loader, scope, row, name, value->place, table);
        return;
    }
    if (value->kind != TW_YAML_SEQUENCE) {
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                         "%s is %s; expected a list of rows%s", row->name, tw_yaml_kind_name(value),
                         row->text ? " or a .cpt file" : "");
        return;
    }
    for (const struct tw_yaml_item *item = value->items; item && rows <= ROWS_MAX;
         item = item->next)
        rows++;
    while (row->columns[columns].name)
        columns++;
    if (rows > ROWS_MAX) {
        tw_fault_log_add(loader->log, TW_LIMIT, value->place, NULL,
                         "%s has %d rows; expected at most %d", row->name, (int)value->count,
                         ROWS_MAX);
        return;
    }
    float *cells =
        tw_arena_alloc(&loader->recipe->arena, (size_t)rows * (size_t)columns + 1, sizeof *cells);
    if (!cells) {
        tw_fault_log_add(loader->log, TW_MEMORY, value->place, NULL, "out of memory");
        return;
    }
    *table = (struct tw_table){rows, columns, cells};
    for (const struct tw_yaml_item *item = value->items; item; item = item->next) {
        read_row(loader, scope, row, item->value, cells);
        cells += columns;
    }
}
