/* SPDX-License-Identifier: MIT */
#include "graph/describe.h"

#include "base/memory/byte_order.h"
#include "base/memory/digest.h"
#include "base/os/file.h"
#include "graph/key.h"

#include <stdlib.h>
#include <string.h>

static bool add_node(struct tw_bytes *text, const struct tw_recipe *recipe, int32_t i)
{
    struct tw_stamp stamps[TW_INPUTS_MAX];
    const struct tw_stamp *inputs[TW_INPUTS_MAX];
    const struct tw_node *node = &recipe->nodes[i];
    for (int32_t k = 0; k < node->input_count; k++) {
        unsigned char place[8];
        tw_put_u32(place, (uint32_t)node->inputs[k].node);
        tw_put_u32(place + 4, (uint32_t)node->inputs[k].port);
        stamps[k] = (struct tw_stamp){.content = tw_sha256_of(place, sizeof place)};
        inputs[k] = &stamps[k];
    }
    char *key = tw_key_text(recipe, node, inputs, NULL);
    bool ok = key && tw_bytes_print(text, NULL, "node %d\n%s", (int)i, key) == TW_OK;
    free(key);
    return ok;
}

bool tw_describe_nodes(struct tw_bytes *text, const struct tw_recipe *recipe)
{
    bool ok = true;
    for (int32_t i = 0; ok && i < recipe->count; i++)
        ok = add_node(text, recipe, i);
    return ok;
}

/* Neighbouring nodes often read one file: the last file read is not read again. */
enum tw_status tw_describe_files(struct tw_bytes *text, const struct tw_recipe *recipe,
                                 int32_t number, struct tw_error *err)
{
    const char *last = "";
    char hex[2 * sizeof(struct tw_sha256) + 1] = "";
    for (const struct tw_reading *r = recipe->readings; r; r = r->next) {
        struct tw_sha256 digest;
        uint64_t length = 0;
        enum tw_status status = TW_OK;
        if (!r->node)
            continue;
        if (strcmp(r->path, last) != 0)
            status = tw_file_sha256(r->path, UINT64_MAX, &digest, &length, err);
        if (status != TW_OK)
            return status;
        if (strcmp(r->path, last) != 0)
            tw_hex(digest.at, sizeof digest.at, hex);
        last = r->path;
        status = tw_bytes_print(text, err, "file %d %s %s\n", (int)number, hex, r->node);
        if (status != TW_OK)
            return status;
    }
    return TW_OK;
}
