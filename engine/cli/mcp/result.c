/* SPDX-License-Identifier: MIT */
#include "cli/mcp/mcp.h"

#include "base/text/base64.h"
#include "base/text/json.h"
#include "console/answer.h"
#include "format/codec.h"
#include "report/pictures/value_picture.h"
#include "value/field.h"

#include <stdlib.h>

json_t *tw_mcp_text_result(const char *text, bool is_fault)
{
    return json_pack("{s:[{s:s, s:s}], s:b}", "content", "type", "text", "text", text, "isError",
                     (int)is_fault);
}

json_t *tw_mcp_result_of(json_t *document, bool is_fault)
{
    char *text = document ? json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_t *result = text ? tw_mcp_text_result(text, is_fault) : NULL;
    free(text);
    if (!result || json_object_set(result, "structuredContent", document) != 0) {
        json_decref(result);
        result = NULL;
    }
    json_decref(document);
    return result;
}

json_t *tw_mcp_result(const struct tw_mcp *mcp, json_t *fields)
{
    const struct tw_findings *findings = tw_findings_get();
    json_t *errors = json_array(), *warnings = json_array();
    (void)mcp;
    for (int32_t i = 0; i < findings->count; i++)
        json_array_append_new(findings->at[i].fault ? errors : warnings,
                              tw_answer_error(&findings->at[i].error));
    const bool is_fault = json_array_size(errors) > 0;
    json_t *document =
        json_pack("{s:b, s:o, s:o}", "ok", (int)!is_fault, "errors", errors, "warnings", warnings);
    if (fields && document)
        json_object_update_missing(document, fields);
    json_decref(fields);
    return tw_mcp_result_of(document, is_fault);
}

/* Draws heights of the picture's size, so that the shading suits it. */
static enum tw_status draw(const struct tw_mcp *mcp, const struct tw_value *value, int32_t side,
                           struct tw_value *image, struct tw_error *err)
{
    struct tw_value reduced = {.data = NULL}, drawn = {.data = NULL};
    const bool large = value->width > side || value->height > side;
    enum tw_status status;
    if (large && value->type == TW_HEIGHTMAP) {
        status = tw_value_reduce(value, side, &reduced, err);
        if (status == TW_OK)
            status = tw_value_draw(&reduced, &mcp->run, image, err);
    } else if (large) {
        status = tw_value_draw(value, &mcp->run, &drawn, err);
        if (status == TW_OK)
            status = tw_value_reduce(&drawn, side, image, err);
    } else {
        status = tw_value_draw(value, &mcp->run, image, err);
    }
    tw_field_clear(&reduced);
    tw_field_clear(&drawn);
    return status;
}

enum tw_status tw_mcp_add_picture(const struct tw_mcp *mcp, json_t *result, const char *name,
                                  const struct tw_value *value, int32_t side, struct tw_error *err)
{
    const struct tw_export_range any = {0, 1, true, 8};
    json_t *content = json_object_get(result, "content");
    struct tw_value image = {.data = NULL};
    struct tw_bytes png = {0};
    char *text = NULL;
    enum tw_status status = draw(mcp, value, side, &image, err);
    if (status == TW_OK)
        status = tw_png_encode(&image, &any, &png, err);
    if (status == TW_OK)
        text = tw_base64(png.at, png.length);
    if (status == TW_OK &&
        (!text ||
         json_array_append_new(content, json_pack("{s:s, s:s}", "type", "text", "text", name)) ||
         json_array_append_new(content, json_pack("{s:s, s:s, s:s}", "type", "image", "data", text,
                                                  "mimeType", "image/png"))))
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    free(text);
    free(png.at);
    tw_field_clear(&image);
    return status;
}
