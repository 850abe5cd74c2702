/* SPDX-License-Identifier: MIT */
/* Prints findings as SARIF 2.1.0 (OASIS, 2020), which code scanning services and editors read. A
 * status becomes a rule, a node a logical location. */
#include "base/os/file.h"
#include "base/text/json.h"
#include "console/annotate.h"
#include "console/answer.h"
#include "console/stop.h"

#include <thalweg/thalweg.h>

#include <string.h>

static const struct {
    const char *id, *text;
} rules[] = {
#define TW_RULE(name, code, text) {#name, text},
    TW_STATUS_LIST(TW_RULE)
#undef TW_RULE
};
enum { RULES = sizeof rules / sizeof *rules };

/* Forms a rule's id from the words of its status, "invalid-recipe"; warnings have no status. */
static const char *rule_id(int rule, char *text, size_t size)
{
    snprintf(text, size, "%s", rule == TW_OK ? "warning" : rules[rule].text);
    for (char *at = text; (at = strchr(at, ' '));)
        *at = '-';
    return text;
}

static json_t *rules_json(void)
{
    json_t *list = json_array();
    char id[64];
    for (int i = 0; i < RULES; i++)
        json_array_append_new(list, json_pack("{s:s, s:{s:s}}", "id", rule_id(i, id, sizeof id),
                                              "shortDescription", "text",
                                              i == TW_OK ? "a warning" : rules[i].text));
    return list;
}

/* Formats a path as a URI reference (RFC 3986) and escapes its reserved characters. */
static json_t *uri_json(const char *path)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char uri[3 * PATH_MAX + 9], *to = uri;
    if (tw_file_is_absolute(path))
        to += sprintf(to, "file://%s", path[0] == '/' ? "" : "/");
    for (; *path; path++)
        to += sprintf(to, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    *to = 0;
    return json_string(uri);
}

static json_t *location_json(const struct tw_error *error)
{
    json_t *location = json_object();
    char real[PATH_MAX];
    if (error->file[0])
        json_object_set_new(location, "physicalLocation",
                            json_pack("{s:{s:o}}", "artifactLocation", "uri",
                                      uri_json(tw_annotated_name(error->file, real))));
    if (error->file[0] && error->line > 0)
        json_object_set_new(json_object_get(location, "physicalLocation"), "region",
                            json_pack("{s:i, s:i}", "startLine", (int)error->line, "startColumn",
                                      error->column > 0 ? (int)error->column : 1));
    if (error->path[0])
        json_object_set_new(location, "logicalLocations",
                            json_pack("[{s:o, s:s}]", "fullyQualifiedName",
                                      tw_json_text(error->path), "kind", "element"));
    return location;
}

/* Escapes brackets, since viewers turn "[words](address)" into a link (3.11.6). */
static void escape_links(const char *text, char *to)
{
    bool link = strstr(text, "](") != NULL;
    for (; *text; *to++ = *text++)
        if (link && strchr("[]\\", *text))
            *to++ = '\\';
    *to = 0;
}

static json_t *result_json(const struct tw_finding *finding)
{
    const struct tw_error *error = &finding->error;
    int rule = finding->fault ? (int)error->status : TW_OK;
    char id[64], plain[sizeof error->message + sizeof error->hint + 8], text[2 * sizeof plain];
    snprintf(plain, sizeof plain, "%s%s%s", error->message, error->hint[0] ? "; " : "",
             error->hint);
    for (char *at = plain; (at = strchr(at, '\n'));) /* plain text must be one line (3.11.3) */
        *at = ' ';
    escape_links(plain, text);
    json_t *result = json_pack("{s:s, s:i, s:s, s:{s:o}}", "ruleId", rule_id(rule, id, sizeof id),
                               "ruleIndex", rule, "level", finding->fault ? "error" : "warning",
                               "message", "text", tw_json_text(text));
    if (error->file[0] || error->path[0])
        json_object_set_new(result, "locations", json_pack("[o]", location_json(error)));
    return result;
}

static json_t *invocation_json(int code)
{
    enum { DIFFERENCE = 1, SIGNALS = 128 };
    json_t *invocation =
        json_pack("{s:b, s:i}", "executionSuccessful", code <= DIFFERENCE, "exitCode", code);
    if (code > SIGNALS)
        json_object_set_new(invocation, "exitSignalName", json_string(tw_stop_signal_name()));
    return invocation;
}

json_t *tw_sarif(const struct tw_findings *findings, int code)
{
    json_t *results = json_array();
    for (int32_t i = 0; i < findings->count; i++)
        json_array_append_new(results, result_json(&findings->at[i]));
    if (findings->incomplete || (int32_t)json_array_size(results) != findings->count) {
        json_decref(results);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:[o], s:s, s:o}]}", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                     "tool", "driver", "name", "thalweg", "version", TW_VERSION, "rules",
                     rules_json(), "invocations", invocation_json(code), "columnKind",
                     "unicodeCodePoints", "results", results);
}
