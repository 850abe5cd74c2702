/* SPDX-License-Identifier: MIT */
/* thalweg nodes: the catalogue as a manual, for the terminal or as the Markdown of docs/nodes. All
 * words come from the descriptors. */
#include "cli/cli.h"
#include "field/field.h"
#include "node/param.h"
#include "node/registry.h"

#include <stdlib.h>
#include <string.h>

/* ---- what both forms say ---- */

/* The default as recipes write it; "" where there is none. */
static void print_default(const struct tw_node_type *type, const struct tw_param *row, char *text,
                          size_t size)
{
    void *params = calloc(1, type->params_size + 1);
    text[0] = 0;
    if (params && row->kind != TW_KIND_FILE && row->kind != TW_KIND_TABLE) {
        tw_param_defaults(type, params);
        tw_param_print(row, params, text, size);
    }
    free(params);
}

/* What is allowed. */
static void print_range(const struct tw_param *row, char *text, size_t size)
{
    switch (row->kind) {
    case TW_KIND_F32:
    case TW_KIND_I32:
    case TW_KIND_LIST:
        snprintf(text, size, "%s%.9g to %.9g%s%s", row->kind == TW_KIND_LIST ? "list of " : "",
                 row->min, row->max, row->unit[0] ? " " : "", row->unit);
        return;
    case TW_KIND_BOOL:
        snprintf(text, size, "true, false");
        return;
    case TW_KIND_LABELS:
    case TW_KIND_ENUM:
        snprintf(text, size, "%s", row->kind == TW_KIND_LABELS ? "list of" : "");
        for (int i = 0, length; tw_param_label(row, i, &length); i++) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%.*s",
                     i      ? ", "
                     : used ? " "
                            : "",
                     length, tw_param_label(row, i, &length));
        }
        return;
    case TW_KIND_FILE:
        snprintf(text, size, "file name%s", row->min > 0 ? "" : ", optional");
        return;
    case TW_KIND_TABLE:
        snprintf(text, size, "list of rows");
        return;
    }
}

static const char *port_note(const struct tw_port *port)
{
    return port->flags & TW_VARIADIC ? " (a list)" : port->flags & TW_OPTIONAL ? " (optional)" : "";
}

static const char *reach_text(const struct tw_node_type *type, char text[64])
{
    if (type->reach == TW_REACH_ALL)
        return "a cell may depend on the whole map";
    if (type->reach == 0)
        return "a cell depends on no other cell";
    snprintf(text, 64, "a cell depends on cells up to %d away", (int)type->reach);
    return text;
}

/* ---- terminal ---- */

static void print_ports(const char *title, const struct tw_port *ports)
{
    if (ports && ports->name)
        printf("\n%s\n", title);
    for (; ports && ports->name; ports++)
        printf("  %-12s %-10s %s%s\n", ports->name, tw_type_name(ports->type), ports->help,
               port_note(ports));
}

static void print_param(const struct tw_node_type *type, const struct tw_param *row)
{
    char initial[300], range[300];
    print_default(type, row, initial, sizeof initial);
    print_range(row, range, sizeof range);
    printf("  %-18s %s\n  %-18s %s%s%s\n", row->name, row->help, "", range,
           initial[0] ? "; default " : "", initial);
    for (const struct tw_column *column = row->columns; column && column->name; column++)
        printf("  %-18s   %s: %s, %.9g to %.9g%s\n", "", column->name, column->help, column->min,
               column->max, column->required ? ", required" : "");
}

static void print_type(const struct tw_node_type *type)
{
    char text[64];
    printf("%s: %s\n", type->name, type->summary);
    if (type->detail)
        printf("\n%s\n", type->detail);
    print_ports("inputs", type->inputs);
    print_ports("outputs", type->outputs);
    if (type->params || type->random)
        puts("\nparameters");
    for (const struct tw_param *row = type->params; row && row->name; row++)
        print_param(type, row);
    if (type->random)
        printf("  %-18s the node's own random seed; default: from its name\n", "seed");
    printf("\nexample\n%s\n\nversion %d; %s", type->example ? type->example : "",
           (int)type->version, reach_text(type, text));
    printf("%s%s\n", type->cite ? "; sources: " : "", type->cite ? type->cite : "");
}

/* ---- Markdown ---- */

/* '|' would end a table's cell. */
static void put_cell(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' ? "\\|" : "%c", *text);
}

static void markdown_ports(const char *title, const struct tw_port *ports)
{
    if (!ports || !ports->name)
        return;
    printf("\n## %s\n\n| name | type | |\n|---|---|---|\n", title);
    for (; ports->name; ports++) {
        printf("| `%s` | %s | ", ports->name, tw_type_name(ports->type));
        put_cell(ports->help);
        printf("%s |\n", port_note(ports));
    }
}

static void markdown_columns(const struct tw_param *row)
{
    printf("\nColumns of `%s`:\n\n| name | allowed | default | |\n|---|---|---|---|\n", row->name);
    for (const struct tw_column *column = row->columns; column->name; column++) {
        printf("| `%s` | %.9g to %.9g%s%s | ", column->name, column->min, column->max,
               column->unit && column->unit[0] ? " " : "", column->unit ? column->unit : "");
        if (column->required)
            printf("required | ");
        else
            printf("%.9g | ", column->initial);
        put_cell(column->help);
        puts(" |");
    }
}

static void markdown_params(const struct tw_node_type *type)
{
    char initial[300], range[300];
    if (!type->params && !type->random)
        return;
    puts("\n## Parameters\n\n| name | allowed | default | |\n|---|---|---|---|");
    for (const struct tw_param *row = type->params; row && row->name; row++) {
        print_default(type, row, initial, sizeof initial);
        print_range(row, range, sizeof range);
        printf("| `%s` | ", row->name);
        put_cell(range);
        printf(" | %s | ", initial);
        put_cell(row->help);
        puts(" |");
    }
    if (type->random)
        puts("| `seed` | 0 to 2^64 - 1 | from the node's name | the node's own random seed |");
    for (const struct tw_param *row = type->params; row && row->name; row++)
        if (row->columns)
            markdown_columns(row);
}

/* tests/docs/test_pictures.c draws what the example gives, where that can be seen. */
static void markdown_picture(const struct tw_node_type *type)
{
    const struct tw_port *port = type->outputs;
    if (port->type == TW_HEIGHTMAP || port->type == TW_MASK || port->type == TW_IMAGE ||
        port->type == TW_POLYMAP)
        printf("\n![%s: %s](../pictures/nodes/%s.png)\n", port->name, port->help, type->name);
}

static void markdown_type(const struct tw_node_type *type)
{
    char text[64];
    printf("<!-- Written by `thalweg nodes --markdown %s`; do not edit. -->\n# %s\n\n%s.\n",
           type->name, type->name, type->summary);
    if (type->detail)
        printf("\n%s\n", type->detail);
    markdown_ports("Inputs", type->inputs);
    markdown_ports("Outputs", type->outputs);
    markdown_params(type);
    printf("\n## Example\n\n```yaml\n%s\n```\n", type->example);
    markdown_picture(type);
    printf("\nVersion %d; %s.", (int)type->version, reach_text(type, text));
    if (type->cite)
        printf(" Sources in [references.bib](../references.bib): %s.", type->cite);
    puts("");
}

static void markdown_index(void)
{
    const char *family = "";
    size_t length = 0;
    puts("<!-- Written by `thalweg nodes --markdown`; do not edit. -->\n# Node types");
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++) {
        const char *name = (*type)->name;
        if (strncmp(name, family, length + 1) != 0) {
            family = name;
            length = strcspn(name, ".");
            printf("\n## %.*s\n\n| type | |\n|---|---|\n", (int)length, name);
        }
        printf("| [%s](%s.md) | %s |\n", name, name, (*type)->summary);
    }
}

/* ---- the command ---- */

static int list_types(bool markdown)
{
    if (markdown)
        return markdown_index(), 0;
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++)
        printf("%-24s %s\n", (*type)->name, (*type)->summary);
    return 0;
}

int tw_cmd_nodes(const struct tw_settings *settings, char **operands)
{
    const struct tw_registry registry = {NULL};
    if (settings->operand_count == 0)
        return list_types(settings->markdown);
    const struct tw_node_type *type = tw_registry_find(&registry, operands[0]);
    const char *near = tw_registry_suggest(&registry, operands[0]);
    if (!type)
        return near ? tw_cli_usage("there is no node type '%s'; did you mean '%s'?", operands[0],
                                   near)
                    : tw_cli_usage("there is no node type '%s'", operands[0]);
    (settings->markdown ? markdown_type : print_type)(type);
    return 0;
}
