/* SPDX-License-Identifier: MIT */
/* The only place that converts parameter text to numbers and checks ranges. */
#include "node/param.h"

#include "base/text/number.h"
#include "base/text/suggest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *field_of(const struct tw_param *row, void *params)
{
    return (unsigned char *)params + row->offset;
}

static const char *label_of(const char *labels, int i, int *length)
{
    const char *at = labels;
    for (; i > 0 && at; i--) {
        at = strchr(at, '|');
        at = at ? at + 1 : NULL;
    }
    if (at)
        *length = (int)strcspn(at, "|");
    return at;
}

const char *tw_param_label(const struct tw_param *row, int i, int *length)
{
    return label_of(row->unit, i, length);
}

const char *tw_column_word(const struct tw_column *column, int i, int *length)
{
    bool words = column->unit && strchr(column->unit, '|');
    return words ? label_of(column->unit, i, length) : NULL;
}

const char *tw_cell_word(const struct tw_column *column, float cell, int *length)
{
    const bool words = tw_column_word(column, 0, length) != NULL;
    return words ? tw_column_word(column, (int)cell, length) : NULL; /* else it may be no int */
}

const struct tw_param *tw_param_find(const struct tw_param *rows, const char *name)
{
    for (; rows && rows->name; rows++)
        if (strcmp(rows->name, name) == 0)
            return rows;
    return NULL;
}

int32_t tw_param_find_column(const struct tw_param *row, const char *name)
{
    int32_t i = 0;
    while (strcmp(row->columns[i].name, name) != 0)
        i++;
    return i;
}

void tw_param_defaults(const struct tw_param *rows, void *params)
{
    char message[256];
    for (const struct tw_param *row = rows; row && row->name; row++) {
        void *field = field_of(row, params);
        switch (row->kind) {
        case TW_KIND_F32:
            *(float *)field = (float)row->initial;
            break;
        case TW_KIND_I32:
        case TW_KIND_ENUM:
            *(int32_t *)field = (int32_t)row->initial;
            break;
        case TW_KIND_BOOL:
            *(bool *)field = row->initial != 0;
            break;
        case TW_KIND_LABELS:
        case TW_KIND_LIST: {
            char items[256];
            snprintf(items, sizeof items, "%s", row->text ? row->text : "");
            char *rest = items;
            for (char *item; (item = strtok_r(rest, " ", &rest));)
                tw_param_append(row, params, item, message, sizeof message);
            break;
        }
        case TW_KIND_FILE:
        case TW_KIND_TABLE:
        case TW_KIND_FORMULA:
            break;
        }
    }
}

/* The range of a number, and its name in messages. */
struct allowed {
    const char *name, *kind;
    const char *word; /* word accepted in place of a number; NULL for none */
    double min, max;
};

/* The only range check. */
static bool read_number(const struct allowed *a, const char *text, double *number, char *message,
                        size_t size)
{
    const char *word = a->word ? a->word : "", *either = a->word ? " or " : "";
    struct tw_suggestion suggestion = {.unknown = text};
    if (!tw_number_parse(text, number)) {
        if (a->word)
            tw_suggest_offer(&suggestion, a->word);
        snprintf(message, size, "%s is '%.60s'; expected %s%sa %s from %.9g to %.9g%s%s%s", a->name,
                 text, word, either, a->kind, a->min, a->max,
                 suggestion.best ? "; did you mean '" : "", suggestion.best ? suggestion.best : "",
                 suggestion.best ? "'?" : "");
        return false;
    }
    if (*number < a->min || *number > a->max) {
        snprintf(message, size, "%s is %.60s; allowed %s%s%.9g to %.9g", a->name, text, word,
                 either, a->min, a->max);
        return false;
    }
    return true;
}

static bool number_in_range(const struct tw_param *row, const char *text, double *number,
                            char *message, size_t size)
{
    const struct allowed allowed = {row->name, row->kind == TW_KIND_I32 ? "whole number" : "number",
                                    row->word, row->min, row->max};
    if (row->word && strcmp(text, row->word) == 0) {
        *number = row->stands_for;
        return true;
    }
    return read_number(&allowed, text, number, message, size);
}

static bool set_whole(const struct tw_param *row, int32_t *field, const char *text, char *message,
                      size_t size)
{
    double number;
    if (!number_in_range(row, text, &number, message, size))
        return false;
    if (number != floor(number)) {
        snprintf(message, size, "%s is %.60s; expected %s%sa whole number from %.9g to %.9g",
                 row->name, text, row->word ? row->word : "", row->word ? " or " : "", row->min,
                 row->max);
        return false;
    }
    *field = (int32_t)number;
    return true;
}

static bool set_bool(const struct tw_param *row, bool *field, const char *text, char *message,
                     size_t size)
{
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *field = text[0] == 't';
        return true;
    }
    snprintf(message, size, "%s is '%.60s'; expected true or false", row->name, text);
    return false;
}

/* Finds the text among labels that '|' separates. */
static bool find_label(const char *name, const char *of, int32_t *field, const char *text,
                       char *message, size_t size)
{
    struct tw_suggestion suggestion = {.unknown = text};
    char labels[TW_LABELS_MAX][TW_LABEL_BYTES_MAX + 1];
    int length = 0;
    const char *label;
    for (int i = 0; i < TW_LABELS_MAX && (label = label_of(of, i, &length)); i++) {
        snprintf(labels[i], sizeof labels[i], "%.*s", length, label);
        if (strcmp(labels[i], text) == 0) {
            *field = i;
            return true;
        }
        tw_suggest_offer(&suggestion, labels[i]);
    }
    int used =
        snprintf(message, size, "%s is '%.60s'; expected one of %s", name, text, suggestion.known);
    if (suggestion.more && (size_t)used < size)
        used += snprintf(message + used, size - (size_t)used, " and %d more", suggestion.more);
    if (suggestion.best && (size_t)used < size)
        snprintf(message + used, size - (size_t)used, "; did you mean '%s'?", suggestion.best);
    return false;
}

static bool set_enum(const struct tw_param *row, int32_t *field, const char *text, char *message,
                     size_t size)
{
    return find_label(row->name, row->unit, field, text, message, size);
}

bool tw_param_cell(const struct tw_column *column, const char *text, float *cell, char *message,
                   size_t size)
{
    double number;
    int32_t word = 0;
    int length;
    const struct allowed allowed = {column->name, "number", NULL, column->min, column->max};
    bool words = tw_column_word(column, 0, &length) != NULL;
    if (words ? !find_label(column->name, column->unit, &word, text, message, size)
              : !read_number(&allowed, text, &number, message, size))
        return false;
    *cell = words ? (float)word : (float)number;
    return true;
}

void tw_param_print_cell(const struct tw_column *column, float cell, char *text, size_t size)
{
    int length = 0;
    const char *word = tw_cell_word(column, cell, &length);
    text[0] = 0;
    if (cell == (float)column->initial && (cell < (float)column->min || cell > (float)column->max))
        return;
    if (word)
        snprintf(text, size, "%.*s", length, word);
    else
        tw_number_print_float(text, size, cell);
}

static bool set_file(const struct tw_param *row, struct tw_file *field, const char *text,
                     char *message, size_t size)
{
    if (text[0] == 0 || strlen(text) >= sizeof field->name) {
        snprintf(message, size, "%s is a name of %zu bytes; expected 1 to %zu bytes", row->name,
                 strlen(text), sizeof field->name - 1);
        return false;
    }
    memcpy(field->name, text, strlen(text) + 1);
    return true;
}

static bool append_label(const struct tw_param *row, struct tw_labels *labels, const char *text,
                         char *message, size_t size)
{
    int32_t label;
    if (!set_enum(row, &label, text, message, size))
        return false;
    if (labels->count == (int32_t)(sizeof labels->at / sizeof labels->at[0])) {
        snprintf(message, size, "%s is too long; expected at most %d words", row->name,
                 (int)labels->count);
        return false;
    }
    labels->at[labels->count++] = label;
    return true;
}

/* Reads words separated by blanks, as in "we ew". */
static bool set_labels(const struct tw_param *row, struct tw_labels *labels, const char *text,
                       char *message, size_t size)
{
    struct tw_labels found = {.count = 0};
    char word[2 * TW_LABEL_BYTES_MAX]; /* longer words match no label, nor do their beginnings */
    for (size_t length; *(text += strspn(text, " ")); text += length) {
        length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (!append_label(row, &found, word, message, size))
            return false;
    }
    if (found.count == 0) {
        snprintf(message, size, "%s is empty; expected at least one word", row->name);
        return false;
    }
    *labels = found;
    return true;
}

bool tw_param_set(const struct tw_param *row, void *params, const char *text, char *message,
                  size_t size)
{
    void *field = field_of(row, params);
    double number;
    switch (row->kind) {
    case TW_KIND_F32:
        if (!number_in_range(row, text, &number, message, size))
            return false;
        *(float *)field = (float)number;
        return true;
    case TW_KIND_I32:
        return set_whole(row, field, text, message, size);
    case TW_KIND_BOOL:
        return set_bool(row, field, text, message, size);
    case TW_KIND_ENUM:
        return set_enum(row, field, text, message, size);
    case TW_KIND_FILE:
        return set_file(row, field, text, message, size);
    case TW_KIND_LABELS:
        return set_labels(row, field, text, message, size);
    case TW_KIND_LIST:
    case TW_KIND_TABLE:
    case TW_KIND_FORMULA: /* graph/load/formula.c */
        break;
    }
    snprintf(message, size, "%s is '%.60s'; expected a list of numbers", row->name, text);
    return false;
}

bool tw_param_append(const struct tw_param *row, void *params, const char *text, char *message,
                     size_t size)
{
    struct tw_list *list = field_of(row, params);
    double number;
    if (row->kind == TW_KIND_LABELS)
        return append_label(row, field_of(row, params), text, message, size);
    if (!number_in_range(row, text, &number, message, size))
        return false;
    if (list->count == (int32_t)(sizeof list->at / sizeof list->at[0])) {
        snprintf(message, size, "%s is too long; expected at most %d numbers", row->name,
                 (int)list->count);
        return false;
    }
    list->at[list->count++] = (float)number;
    return true;
}

static int print_labels(const struct tw_param *row, const struct tw_labels *labels, char *text,
                        size_t size)
{
    int used = 0;
    for (int32_t i = 0; i < labels->count && (size_t)used < size; i++) {
        int length = 0;
        const char *label = tw_param_label(row, labels->at[i], &length);
        used += snprintf(text + used, size - (size_t)used, "%s%.*s", i ? " " : "", length,
                         label ? label : "");
    }
    return used;
}

static int print_list(const struct tw_list *list, char *text, size_t size)
{
    int used = 0;
    for (int32_t i = 0; i < list->count && (size_t)used + 2 < size; i++) {
        if (i > 0)
            text[used++] = ' ';
        used += tw_number_print_float(text + used, size - (size_t)used, list->at[i]);
    }
    return used;
}

bool tw_unit_takes_degrees(const char *unit)
{
    return strcmp(unit, TW_UNIT_RISE_PER_SIDE) == 0 || strcmp(unit, TW_UNIT_TRUE_SLOPE) == 0;
}

bool tw_unit_takes_metres(const char *unit)
{
    static const char *const units[] = {TW_UNIT_SIDE, TW_UNIT_SIDE_SOUTH, TW_UNIT_SIDE_LONGER,
                                        TW_UNIT_HEIGHT};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i]) == 0)
            return true;
    return false;
}

/* Returns whether recipes write this number as the row's word. */
static bool is_word(const struct tw_param *row, const void *params)
{
    const void *field = (const unsigned char *)params + row->offset;
    if (!row->word)
        return false;
    return row->kind == TW_KIND_F32 ? *(const float *)field == (float)row->stands_for
                                    : *(const int32_t *)field == (int32_t)row->stands_for;
}

int tw_param_print(const struct tw_param *row, const void *params, char *text, size_t size)
{
    const void *field = (const unsigned char *)params + row->offset;
    int length = 0;
    const char *label;
    text[0] = 0;
    if (is_word(row, params))
        return snprintf(text, size, "%s", row->word);
    switch (row->kind) {
    case TW_KIND_F32:
        return tw_number_print_float(text, size, *(const float *)field);
    case TW_KIND_I32:
        return snprintf(text, size, "%" PRId32, *(const int32_t *)field);
    case TW_KIND_BOOL:
        return snprintf(text, size, "%s", *(const bool *)field ? "true" : "false");
    case TW_KIND_ENUM:
        label = tw_param_label(row, *(const int32_t *)field, &length);
        return snprintf(text, size, "%.*s", length, label ? label : "");
    case TW_KIND_LIST:
        return print_list(field, text, size);
    case TW_KIND_LABELS:
        return print_labels(row, field, text, size);
    case TW_KIND_FILE:
        return snprintf(text, size, "%s", ((const struct tw_file *)field)->name);
    case TW_KIND_TABLE:
        return snprintf(text, size, "%d rows", (int)((const struct tw_table *)field)->rows);
    case TW_KIND_FORMULA: {
        const char *formula = ((const struct tw_formula *)field)->text;
        return snprintf(text, size, "%s", formula ? formula : "");
    }
    }
    return 0;
}
