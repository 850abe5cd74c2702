/* SPDX-License-Identifier: MIT */
/* thalweg schema: prints the JSON Schema of recipes, of project files, or of the documents that
 * commands print. */
#include "base/text/json.h"
#include "cli/cli.h"
#include "console/documents.h"
#include "project/project.h"

#include <string.h>

static int print(json_t *schema)
{
    struct tw_bytes text = {0};
    bool whole = tw_json_print(schema, JSON_INDENT(2), &text, NULL) == TW_OK &&
                 tw_bytes_append(&text, "", 1, NULL) == TW_OK;
    return tw_console_print_json(whole ? (char *)text.at : NULL);
}

static int print_documents(const struct tw_settings *settings)
{
    if (settings->markdown)
        return tw_documents_markdown(stdout), 0;
    return print(tw_documents_schema());
}

int tw_cmd_schema(const struct tw_settings *settings, char **operands)
{
    bool documents = operands[0] && strcmp(operands[0], "documents") == 0;
    if (documents)
        return print_documents(settings);
    if (settings->markdown)
        return tw_console_usage("--markdown is for 'schema documents'");
    if (operands[0] && strcmp(operands[0], "project") == 0)
        return print(tw_project_schema());
    return tw_console_print_json(tw_schema_json(NULL));
}
