/* SPDX-License-Identifier: MIT */
#include "node/describe.h"

#include "format/format.h"
#include "node/param.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_range(double min, double max, const char *unit, char *text, size_t size)
{
    snprintf(text, size, "%.9g to %.9g%s%s", min, max, unit[0] ? " " : "", unit);
}

/* "auto or 0 to 360 degrees" */
static void print_number(const struct tw_param *row, char *text, size_t size)
{
    size_t used = row->word ? (size_t)snprintf(text, size, "%s or ", row->word) : 0;
    print_range(row->min, row->max, row->unit, text + used, size - used);
}

/* Adds ", linear", without the comma where it is the first. */
static void add_label(const char *label, int length, char *text, size_t size)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%.*s", used ? ", " : "", length, label);
}

static void print_labels(const struct tw_param *row, char *text, size_t size)
{
    int length = 0;
    const char *label;
    text[0] = 0;
    for (int i = 0; (label = tw_param_label(row, i, &length)); i++)
        add_label(label, length, text, size);
}

static void print_allowed(const struct tw_param *row, char *text, size_t size)
{
    char formats[100];
    bool list = row->kind == TW_KIND_LIST || row->kind == TW_KIND_LABELS;
    size_t used = (size_t)snprintf(text, size, "%s", list ? "list of " : "");
    switch (row->kind) {
    case TW_KIND_F32:
    case TW_KIND_I32:
        print_number(row, text, size);
        return;
    case TW_KIND_LIST:
        print_range(row->min, row->max, row->unit, text + used, size - used);
        return;
    case TW_KIND_LABELS:
    case TW_KIND_ENUM:
        print_labels(row, text + used, size - used);
        return;
    case TW_KIND_BOOL:
        snprintf(text, size, "true, false");
        return;
    case TW_KIND_FILE:
        tw_format_list_read(formats, sizeof formats);
        snprintf(text, size, "file name, %s%s", formats, row->min > 0 ? "" : "; optional");
        return;
    case TW_KIND_TABLE:
        snprintf(text, size, "list of rows%s%s%s", row->text ? ", or the name of a " : "",
                 row->text ? row->text : "", row->text ? " file" : "");
        return;
    case TW_KIND_FORMULA:
        snprintf(text, size, "a formula");
        return;
    }
}

static void describe_column(const struct tw_column *row, struct tw_described_column *column)
{
    int length = 0;
    const char *word;
    bool words = tw_column_word(row, 0, &length) != NULL;
    *column = (struct tw_described_column){.row = row,
                                           .name = row->name,
                                           .help = row->help,
                                           .unit = words || !row->unit ? "" : row->unit,
                                           .min = row->min,
                                           .max = row->max,
                                           .required = row->required};
    if (!words)
        print_range(row->min, row->max, column->unit, column->allowed, sizeof column->allowed);
    for (int i = 0; (word = tw_column_word(row, i, &length)); i++)
        add_label(word, length, column->allowed, sizeof column->allowed);
    if (!row->required)
        tw_param_print_cell(row, (float)row->initial, column->initial, sizeof column->initial);
}

static void describe_param(const struct tw_param *row, const void *defaults,
                           struct tw_described_param *param)
{
    bool labels = row->kind == TW_KIND_ENUM || row->kind == TW_KIND_LABELS;
    *param = (struct tw_described_param){.row = row,
                                         .name = row->name,
                                         .help = row->help,
                                         .unit = labels ? "" : row->unit,
                                         .required = (row->kind == TW_KIND_FILE && row->min > 0) ||
                                                     row->kind == TW_KIND_FORMULA};
    print_allowed(row, param->allowed, sizeof param->allowed);
    if (row->usual_min < row->usual_max)
        print_range(row->usual_min, row->usual_max, "", param->usual, sizeof param->usual);
    if (row->kind != TW_KIND_FILE && row->kind != TW_KIND_TABLE && row->kind != TW_KIND_FORMULA)
        tw_param_print(row, defaults, param->initial, sizeof param->initial);
    for (const struct tw_column *column = row->columns; column && column->name; column++)
        describe_column(column, &param->columns[param->column_count++]);
}

static const struct tw_described_param seed = {.name = "seed",
                                               .help = "the node's own random seed",
                                               .unit = "",
                                               .allowed = "0 to 2^64 - 1",
                                               .initial = "from the node's name"};

/* "; a mask if a and b are" */
static void describe_kept_type(struct tw_description *description)
{
    char names[100] = "";
    int32_t left = 0;
    for (int32_t i = 0; i < description->input_count; i++)
        left += description->inputs[i].keeps_type;
    bool one = left == 1;
    for (int32_t i = 0; i < description->input_count; i++) {
        size_t used = strlen(names);
        if (description->inputs[i].keeps_type)
            snprintf(names + used, sizeof names - used, "%s%s", description->inputs[i].name,
                     --left > 1  ? ", "
                     : left == 1 ? " and "
                                 : "");
    }
    for (int32_t i = 0; i < description->output_count; i++)
        if (description->outputs[i].keeps_type)
            snprintf(description->outputs[i].note, sizeof description->outputs[i].note,
                     "; a mask if %s %s", names, one ? "is" : "are");
}

static int32_t describe_ports(const struct tw_port *rows, struct tw_described_port *ports)
{
    int32_t count = 0;
    for (; rows && rows[count].name; count++) {
        ports[count] = (struct tw_described_port){
            .name = rows[count].name,
            .help = rows[count].help,
            .type = rows[count].type,
            .type_name = rows[count].flags & TW_ANY_TYPE ? "any" : tw_type_name(rows[count].type),
            .required = !(rows[count].flags & (TW_OPTIONAL | TW_VARIADIC)),
            .variadic = (rows[count].flags & TW_VARIADIC) != 0,
            .keeps_type = (rows[count].flags & TW_KEEPS_TYPE) != 0};
        snprintf(ports[count].note, sizeof ports[count].note, "%s",
                 ports[count].variadic   ? " (a list)"
                 : ports[count].required ? ""
                                         : " (optional)");
    }
    return count;
}

/* Map size used to state a reach that is a fraction of the map. */
enum { TYPICAL_SIZE = 1024 };

static void describe_reach(const struct tw_node_type *type, const void *defaults, char *text,
                           size_t size)
{
    int32_t reach = tw_node_reach(type, defaults, TYPICAL_SIZE, TYPICAL_SIZE);
    bool grid = false;
    for (const struct tw_port *port = type->outputs; port && port->name; port++)
        grid |= tw_type_is_grid(port->type);
    if (!grid)
        snprintf(text, size, "its outputs are not grids");
    else if (reach == TW_REACH_ALL)
        snprintf(text, size, "a cell may depend on the whole map");
    else if (reach == TW_REACH_CELL)
        snprintf(text, size, "a cell depends on no other cell");
    else if (type->reach_of)
        snprintf(text, size,
                 "a cell depends on cells as far away as parameters say: by default up to "
                 "%d away on a map %d wide",
                 (int)reach, (int)TYPICAL_SIZE);
    else
        snprintf(text, size, "a cell depends on cells up to %d away", (int)reach);
}

bool tw_describe(const struct tw_node_type *type, struct tw_description *description)
{
    size_t rows = 1;
    for (const struct tw_param *row = type->params; row && row->name; row++)
        rows++;
    void *defaults = calloc(1, type->params_size + 1);
    *description = (struct tw_description){.type = type};
    description->params = calloc(rows, sizeof *description->params);
    bool ok = defaults && description->params;
    if (ok) {
        tw_param_defaults(type->params, defaults);
        description->input_count = describe_ports(type->inputs, description->inputs);
        description->output_count = describe_ports(type->outputs, description->outputs);
        describe_kept_type(description);
        for (const struct tw_param *row = type->params; row && row->name; row++)
            describe_param(row, defaults, &description->params[description->param_count++]);
        if (type->random)
            description->params[description->param_count++] = seed;
        describe_reach(type, defaults, description->reach, sizeof description->reach);
    } else {
        tw_description_release(description);
    }
    free(defaults);
    return ok;
}

bool tw_describe_param(const struct tw_param *rows, size_t size, const struct tw_param *row,
                       struct tw_described_param *param)
{
    void *defaults = calloc(1, size + 1);
    if (!defaults)
        return false;
    tw_param_defaults(rows, defaults);
    describe_param(row, defaults, param);
    free(defaults);
    return true;
}

void tw_description_release(struct tw_description *description)
{
    free(description->params);
    description->params = NULL;
    description->param_count = 0;
}
