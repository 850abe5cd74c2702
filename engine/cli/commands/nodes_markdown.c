/* SPDX-License-Identifier: MIT */
/* Prints node types as Markdown, for the pages of docs/nodes. */
#include "cli/commands/nodes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void markdown_ports(const char *title, const struct tw_described_port *ports, int32_t count)
{
    if (count == 0)
        return;
    printf("\n## %s\n\n| name | type | |\n|---|---|---|\n", title);
    for (int32_t i = 0; i < count; i++) {
        printf("| `%s` | %s | ", ports[i].name, ports[i].type_name);
        tw_cli_put_cell(ports[i].help);
        printf("%s |\n", ports[i].note);
    }
}

static void markdown_columns(const struct tw_described_param *param)
{
    printf("\nColumns of `%s`:\n\n| name | allowed | default | |\n|---|---|---|---|\n",
           param->name);
    for (int32_t i = 0; i < param->column_count; i++) {
        const struct tw_described_column *column = &param->columns[i];
        printf("| `%s` | %s | %s | ", column->name, column->allowed,
               column->required ? "required" : column->initial);
        tw_cli_put_cell(column->help);
        puts(" |");
    }
}

static void markdown_params(const struct tw_description *description)
{
    if (description->param_count > 0)
        puts("\n## Parameters\n\n| name | allowed | usual | default | |\n|---|---|---|---|---|");
    for (int32_t i = 0; i < description->param_count; i++) {
        const struct tw_described_param *param = &description->params[i];
        printf("| `%s` | ", param->name);
        tw_cli_put_cell(param->allowed);
        printf(" | %s | %s | ", param->usual, param->initial);
        tw_cli_put_cell(param->help);
        puts(" |");
    }
    for (int32_t i = 0; i < description->param_count; i++)
        if (description->params[i].column_count > 0)
            markdown_columns(&description->params[i]);
}

/* Returns whether a node transforms its input map, so that its picture shows before and after. */
static bool changes_a_map(const struct tw_description *description)
{
    const struct tw_described_port *in = description->inputs, *out = description->outputs;
    const char *name = description->type->name;
    return (strncmp(name, "erosion.", 8) == 0 || strncmp(name, "layer.", 6) == 0 ||
            strncmp(name, "shape.", 6) == 0) &&
           description->input_count > 0 && in->type == TW_HEIGHTMAP && out->type == TW_HEIGHTMAP;
}

/* Names the page of a type: thalweg.snow for thalweg/snow. */
static const char *name_page(const struct tw_node_type *type, char page[100])
{
    snprintf(page, 100, "%s", type->name);
    char *slash = strchr(page, '/');
    if (slash)
        *slash = '.';
    return page;
}

/* Links the picture that tests/docs/test_pictures.c draws from the example, if its first output can
 * be drawn. */
static void markdown_picture(const struct tw_description *description)
{
    const struct tw_described_port *port = &description->outputs[0];
    char page[100];
    if (tw_library_is_name(description->type->name))
        printf("\n![what the example gives](../pictures/nodes/%s.png)\n",
               name_page(description->type, page));
    else if (port->type == TW_HEIGHTMAP || port->type == TW_MASK || port->type == TW_IMAGE ||
             port->type == TW_LABELS || port->type == TW_POLYMAP)
        printf("\n![%s%s%s%s](../pictures/nodes/%s.png)\n",
               changes_a_map(description) ? "before, and " : "", port->name,
               port->help[0] ? ": " : "", port->help, name_page(description->type, page));
}

enum { PAGE_COLUMNS = 170 };

/* Wraps a paragraph, before letters only: a line that starts with "-" or "1." becomes a list. */
static void markdown_paragraph(const char *text, const char *end)
{
    int column = 0;
    while (text < end) {
        int length = (int)strcspn(text, " \n");
        bool full = column + length > PAGE_COLUMNS && isalpha((unsigned char)text[0]);
        printf("%s%.*s", column == 0 ? "" : full ? "\n" : " ", length, text);
        column = full ? length : column + 1 + length;
        text += length + (text + length < end);
    }
    puts("");
}

/* Prints a detail: each line forms a paragraph, and adjacent indented lines form a block of
 * equations. */
static void markdown_detail(const char *text)
{
    bool in_block = false;
    for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
        bool equation = line[0] == ' ';
        end = line + strcspn(line, "\n");
        if (!equation || !in_block)
            puts("");
        if (equation)
            printf("%.*s\n", (int)(end - line), line);
        else
            markdown_paragraph(line, end);
        in_block = equation;
    }
}

void tw_cli_markdown_type(const struct tw_description *description)
{
    const struct tw_node_type *type = description->type;
    printf("<!-- Written by `thalweg nodes --markdown %s`; do not edit. -->\n# %s\n\n%s.\n",
           type->name, type->name, type->summary);
    if (type->detail)
        markdown_detail(type->detail);
    if (type->elsewhere)
        printf("\nKnown elsewhere as: %s.\n", type->elsewhere);
    markdown_ports("Inputs", description->inputs, description->input_count);
    markdown_ports("Outputs", description->outputs, description->output_count);
    markdown_params(description);
    const char *example = type->example ? type->example : "";
    const size_t length = strlen(example);
    printf("\n## Example\n\n```yaml\n%s%s```\n", example,
           length > 0 && example[length - 1] == '\n' ? "" : "\n");
    markdown_picture(description);
    printf("\nVersion %d; %s.", (int)type->version, description->reach);
    if (type->cite)
        printf(" Sources in [references.bib](../references.bib): %s.", type->cite);
    puts("");
}

void tw_cli_markdown_library(const struct tw_library_recipe *recipe,
                             const struct tw_description *description)
{
    tw_cli_markdown_type(description);
    printf("\n## The recipe\n\nPrinted by `thalweg library %s`, to be copied and changed.\n\n"
           "```text\n%s```\n",
           strchr(recipe->name, '/') + 1, recipe->text);
}

void tw_cli_markdown_row(const struct tw_node_type *type)
{
    char page[100];
    printf("| [%s](%s.md) | %s |\n", type->name, name_page(type, page), type->summary);
}

void tw_cli_markdown_index(const struct tw_registry *registry, const char *family)
{
    const char *last = "";
    size_t length = 0;
    int32_t position = 0;
    printf("<!-- Written by `thalweg nodes --markdown%s%s`; do not edit. -->\n# Node types\n",
           family ? " " : "", family ? family : "");
    for (const struct tw_node_type *type; (type = tw_registry_next(registry, &position));) {
        if (family && !tw_node_in_family(type, family))
            continue;
        if (strncmp(type->name, last, length + 1) != 0) {
            last = type->name;
            length = strcspn(last, ".");
            printf("\n## %.*s\n\n| type | |\n|---|---|\n", (int)length, last);
        }
        tw_cli_markdown_row(type);
    }
}
