/* SPDX-License-Identifier: MIT */
#include "console/documents.h"

#include "base/text/json.h"

#include <string.h>

#define REQUIRED(tag, name, kind, type, help) FIELD(tag, name, #name, kind, type, help)
#define OPTIONAL(tag, name, kind, type, help) FIELD(tag, name, #name "?", kind, type, help)
#define FIELD(tag, member, name, kind, type, help)                                                 \
    {name, type, help, TW_DOCUMENT_##kind, offsetof(struct tw_##tag##_fields, member)},
#define END                                                                                        \
    {                                                                                              \
        NULL, NULL, NULL, TW_DOCUMENT_JSON, 0                                                      \
    }
#define ROWS(tag, LIST)                                                                            \
    const struct tw_document_field tw_##tag##_fields[] = {LIST(REQUIRED, OPTIONAL, tag) END};

TW_DOCUMENT_LISTS(ROWS)
#define OF(tag, LIST) LIST(REQUIRED, OPTIONAL, tag)
/* clang-format off */
static const struct tw_document_field usage[] = {END};
static const struct tw_document_field serve_view[] = {
    OF(serve_view, TW_SERVE_VIEW_FIELDS)
    OF(serve_facts, TW_SERVE_FACTS_FIELDS)
    END};
static const struct tw_document_field compare[] = {
    OF(compare, TW_COMPARE_FIELDS)
    OF(compare_shard, TW_COMPARE_SHARD_FIELDS)
    END};
static const struct tw_document_field inspect_file[] = {
    OF(inspect_file, TW_INSPECT_FILE_FIELDS)
    OF(inspect_place, TW_INSPECT_PLACE_FIELDS)
    OF(inspect_beside, TW_INSPECT_BESIDE_FIELDS)
    OF(inspect_range, TW_INSPECT_RANGE_FIELDS)
    END};

const struct tw_document_part tw_document_parts[] = {
    {"thalweg.run/2", "", tw_run_fields},
    {"thalweg.serve/2", "`/state.json` of `thalweg serve`, whatever became of the last run",
     tw_serve_fields},
    {"thalweg.check/1", "", tw_check_fields},
    {"thalweg.list/1", "", tw_list_fields},
    {"thalweg.graph/1", "", tw_graph_fields},
    {"thalweg.nodes/1", "", tw_nodes_fields},
    {"thalweg.lock/1", "[the gate](gate.md)", tw_gate_fields},
    {"thalweg.verify/1", "as `lock`", tw_gate_fields},
    {"thalweg.diff/1", "of two recipes, as `lock`", tw_gate_fields},
    {"thalweg.map-diff/1", "`diff` of two maps", tw_map_diff_fields},
    {"thalweg.compare/2", "[experiments](experiments.md)", compare},
    {"thalweg.judge/1", "", tw_judge_fields},
    {"thalweg.inspect/1", "", tw_inspect_fields},
    {"thalweg.cache/1", "", tw_cache_fields},
    {"thalweg.doctor/1", "", tw_doctor_fields},
    {"thalweg.usage/1", "a mistake in the command's name", usage},
    {"finding", "an error or a warning", tw_finding_fields},
    {"run-recipe", "", tw_run_recipe_fields},
    {"run-export", "", tw_run_export_fields},
    {"number-to-type", "", tw_number_to_type_fields},
    {"run-node", "", tw_run_node_fields},
    {"serve-world", "", tw_serve_world_fields},
    {"serve-variant", "", tw_serve_variant_fields},
    {"serve-row", "a value to set", tw_serve_row_fields},
    {"serve-node", "", tw_serve_node_fields},
    {"serve-input", "", tw_serve_input_fields},
    {"serve-output", "", tw_serve_output_fields},
    {"serve-view", "", serve_view},
    {"serve-record", "", tw_serve_record_fields},
    {"spilled", "", tw_spilled_fields},
    {"remote", "", tw_remote_fields},
    {"check-recipe", "", tw_check_recipe_fields},
    {"list-recipe", "", tw_list_recipe_fields},
    {"graph-node", "", tw_graph_node_fields},
    {"graph-source", "", tw_graph_source_fields},
    {"graph-export", "", tw_graph_export_fields},
    {"gate-recipe", "", tw_gate_recipe_fields},
    {"gate-node", "", tw_gate_node_fields},
    {"cause", "what decides a node, before and after", tw_cause_fields},
    {"gate-result", "", tw_gate_result_fields},
    {"gate-map", "", tw_gate_map_fields},
    {"record-field", "", tw_record_field_fields},
    {"inspect-file", "", inspect_file},
    {"inspect-sidecar", "", tw_inspect_sidecar_fields},
    {"georeference", "", tw_georeference_fields},
    {"heights", "", tw_heights_fields},
    {"cache-tier", "", tw_cache_tier_fields},
    {"doctor-check", "", tw_doctor_check_fields},
    {NULL, NULL, NULL},
};
/* clang-format on */

/* ---- writing ---- */

json_t *tw_document_text(const char *text) { return text ? tw_json_text(text) : json_null(); }

json_t *tw_document_size(int32_t width, int32_t height)
{
    return json_pack("[i, i]", (int)width, (int)height);
}

static bool ends_with_mark(const char *text) { return text[strlen(text) - 1] == '?'; }

static json_t *json_of(const struct tw_document_field *field, const void *at)
{
    const char *text;
    switch (field->kind) {
    case TW_DOCUMENT_TEXT:
        text = *(const char *const *)at;
        return text || ends_with_mark(field->type) ? tw_document_text(text) : NULL;
    case TW_DOCUMENT_INTEGER:
        return json_integer(*(const int64_t *)at);
    case TW_DOCUMENT_NUMBER:
        return json_real(*(const double *)at);
    case TW_DOCUMENT_BOOLEAN:
        return json_boolean(*(const bool *)at);
    case TW_DOCUMENT_JSON:
        break;
    }
    return *(json_t *const *)at;
}

size_t tw_document_name_length(const struct tw_document_field *field)
{
    size_t length = strlen(field->name);
    length -= field->name[length - 1] == '?';
    return length - (field->name[length - 1] == '_');
}

json_t *tw_document_object(const struct tw_document_field *fields, const void *values)
{
    json_t *object = json_object();
    bool whole = true;
    for (; fields->name; fields++) {
        json_t *value = json_of(fields, (const unsigned char *)values + fields->offset);
        const bool optional = ends_with_mark(fields->name);
        if (value || !optional)
            whole &= json_object_setn_new(object, fields->name, tw_document_name_length(fields),
                                          value) == 0;
    }
    if (whole)
        return object;
    json_decref(object);
    return NULL;
}
