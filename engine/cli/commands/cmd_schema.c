/* SPDX-License-Identifier: MIT */
/* thalweg schema: prints the JSON Schema of recipes, of project files, of sidecars, or of the
 * documents that commands print, or snippets of recipes for editors. */
#include "base/text/json.h"
#include "cli/cli.h"
#include "console/documents.h"
#include "format/sidecar.h"
#include "graph/snippets.h"
#include "project/project.h"

#include <string.h>

static int print(json_t *root)
{
    struct tw_bytes text = {0};
    bool whole = tw_json_print(root, JSON_INDENT(2), &text, NULL) == TW_OK &&
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
    const char *what = operands[0] ? operands[0] : settings->sidecar ? "sidecar" : "recipes";
    const bool documents = strcmp(what, "documents") == 0;
    if (settings->markdown && !documents)
        return tw_console_usage("--markdown is for 'schema documents'");
    if (settings->sidecar && strcmp(what, "sidecar") != 0)
        return tw_console_usage("--sidecar is for 'schema' alone, or 'schema sidecar'");
    if (strcmp(what, "sidecar") == 0)
        return print(tw_sidecar_schema());
    if (documents)
        return print_documents(settings);
    if (strcmp(what, "project") == 0)
        return print(tw_project_schema());
    if (strcmp(what, "snippets") == 0)
        return print(tw_snippets_json());
    return tw_console_print_json(tw_schema_json(NULL));
}
