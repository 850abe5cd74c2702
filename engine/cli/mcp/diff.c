/* SPDX-License-Identifier: MIT */
/* The tool `diff`: what differs between two recipes, as `thalweg diff` says it. */
#include "cli/mcp/mcp.h"

#include "cli/gate/gate.h"
#include "console/answer.h"

#include <stdlib.h>
#include <string.h>

enum { PICTURES_MAX = 2, PICTURE_SIDE = 512 };

/* Adds the signed differences of the first maps. */
static json_t *add_pictures(const struct tw_mcp *mcp, const struct tw_gate_item *item,
                            json_t *result)
{
    struct tw_error error;
    char name[300];
    int drawn = 0;
    for (int32_t i = 0; result && i < item->pair_count && drawn < PICTURES_MAX; i++) {
        const struct tw_pair *pair = &item->pairs[i];
        struct tw_value image = {.data = NULL};
        if (!pair->comparable || pair->difference.differing == 0)
            continue;
        snprintf(name, sizeof name, "%.200s: red where it is higher after, blue where lower",
                 pair->name);
        if (tw_map_difference_draw(&pair->old, &pair->now, pair->difference.greatest, &image,
                                   &error) == TW_OK &&
            tw_mcp_add_picture(mcp, result, name, &image, PICTURE_SIDE, &error) == TW_OK)
            drawn++;
        tw_field_clear(&image);
    }
    return result;
}

static json_t *compare(const struct tw_mcp *mcp, struct tw_gate_item *items)
{
    int32_t computed = 0;
    const int code = tw_gate_compare(&mcp->settings, items, "before", &computed);
    if (code == 0)
        tw_gate_json(items, 1, computed, NULL);
    json_t *document = tw_answer_json(code);
    json_object_del(document, "exit_code");
    return add_pictures(mcp, items, tw_mcp_result_of(document, code != 0));
}

json_t *tw_mcp_diff(void *context, const json_t *arguments)
{
    const struct tw_mcp *mcp = context;
    struct tw_gate_item *items = calloc(2, sizeof *items);
    json_t *result = NULL;
    if (!items)
        return NULL;
    tw_answer_begin("diff", TW_ANSWER_NONE);
    items[0].file = "after";
    items[1].file = "before";
    if (tw_mcp_load(mcp, arguments, "before", "before.yaml", &items[1].recipe) &&
        tw_mcp_load(mcp, arguments, "after", "after.yaml", &items[0].recipe))
        result = compare(mcp, items);
    else
        result = tw_mcp_result(mcp, NULL);
    tw_gate_release(items, 2);
    return result;
}
