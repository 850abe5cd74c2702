/* SPDX-License-Identifier: MIT */
/* Prints the canonical text of a node. */
#include "graph/key.h"

#include "graph/assertion.h"

#include "base/memory/byte_order.h"
#include "base/memory/bytes.h"
#include "node/formula_text.h"
#include "node/param.h"
#include "node/world.h"
#include "value/field.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 2 }; /* increase when the meaning of a line changes */

static bool append(struct tw_bytes *text, const char *word, size_t length)
{
    return tw_bytes_append(text, word, length, NULL) == TW_OK;
}

static bool add(struct tw_bytes *text, const char *name, const char *value)
{
    return append(text, name, strlen(name)) && append(text, " ", 1) &&
           append(text, value, strlen(value)) && append(text, "\n", 1);
}

static bool add_world(struct tw_bytes *text, const struct tw_recipe *recipe)
{
    char numbers[TW_WORLD_TEXT_MAX];
    tw_world_print(&recipe->world, numbers);
    return add(text, "world", numbers) &&
           (!tw_world_gives_default_side(&recipe->world) || add(text, "side", "given"));
}

static bool add_digest(struct tw_bytes *text, const char *name, const struct tw_sha256 *digest)
{
    char hex[2 * sizeof digest->at + 1];
    tw_hex(digest->at, sizeof digest->at, hex);
    return add(text, name, hex);
}

/* Adds the digest that is equal on all machines, for people to compare, and the keyed one, which
 * decides. */
static bool add_content(struct tw_bytes *text, const char *name, const struct tw_stamp *stamp)
{
    char digests[2 * sizeof stamp->digest.at + 1 + 2 * sizeof stamp->content.at + 1];
    tw_hex(stamp->digest.at, sizeof stamp->digest.at, digests);
    digests[2 * sizeof stamp->digest.at] = ' ';
    tw_hex(stamp->content.at, sizeof stamp->content.at, digests + 2 * sizeof stamp->digest.at + 1);
    return append(text, "input.", 6) && add(text, name, digests);
}

/* A table may be long: its digest represents it. */
static bool add_table(struct tw_bytes *text, const struct tw_param *row, const void *params)
{
    const struct tw_table *table =
        (const struct tw_table *)((const unsigned char *)params + row->offset);
    size_t count = (size_t)table->rows * (size_t)table->columns;
    struct tw_sha256_state state;
    unsigned char number[4];
    int length = 0;
    tw_sha256_begin(&state);
    for (size_t i = 0; i < count; i++) {
        const float cell = table->at[i];
        const char *word = tw_cell_word(&row->columns[i % (size_t)table->columns], cell, &length);
        tw_put_f32(number, cell);
        tw_sha256_add(&state, number, sizeof number);
        if (word) /* its index may become another's */
            tw_sha256_add(&state, word, (size_t)length);
    }
    struct tw_sha256 digest = tw_sha256_end(&state);
    return add_digest(text, row->name, &digest);
}

static bool add_formula(struct tw_bytes *text, const struct tw_param *row, const void *params)
{
    const struct tw_formula *formula =
        (const struct tw_formula *)((const unsigned char *)params + row->offset);
    return append(text, row->name, strlen(row->name)) && tw_formula_print(text, formula) &&
           append(text, "\n", 1);
}

static bool add_params(struct tw_bytes *text, const struct tw_node *node)
{
    char value[512];
    for (const struct tw_param *row = node->type->params; row && row->name; row++) {
        if (row->kind == TW_KIND_FILE)
            continue; /* contents count, not names */
        if (row->kind == TW_KIND_TABLE) {
            if (!add_table(text, row, node->params))
                return false;
            continue;
        }
        if (row->kind == TW_KIND_FORMULA) {
            if (!add_formula(text, row, node->params))
                return false;
            continue;
        }
        tw_param_print(row, node->params, value, sizeof value);
        if (!add(text, row->name, value))
            return false;
    }
    return true;
}

static bool add_inputs(struct tw_bytes *text, const struct tw_node *node,
                       const struct tw_stamp *const *inputs)
{
    for (int port = 0; port < node->input_count; port++) {
        if (node->inputs[port].node < 0)
            continue;
        if (!add_content(text, tw_input_port(node, port)->name, inputs[port]))
            return false;
    }
    return true;
}

char *tw_key_text(const struct tw_recipe *recipe, const struct tw_node *node,
                  const struct tw_stamp *const *inputs, const struct tw_key_file *file)
{
    struct tw_bytes text = {0};
    char number[64];
    snprintf(number, sizeof number, "%d", FORMAT);
    bool ok = add(&text, "format", number) && add(&text, "type", node->type->name);
    snprintf(number, sizeof number, "%d", (int)node->type->version);
    ok = ok && add(&text, "version", number);
    snprintf(number, sizeof number, "%d %d", (int)recipe->width, (int)recipe->height);
    ok = ok && add(&text, "size", number);
    snprintf(number, sizeof number, "%" PRIu64, node->seed_key);
    ok = ok && (!node->type->random || add(&text, "seed", number));
    ok = ok && (!node->type->physical || add_world(&text, recipe));
    ok = ok && (!node->type->bordered || add(&text, "borders", tw_borders_name(node->borders)));
    ok = ok && (!node->masks || add(&text, "gives", tw_type_name(TW_MASK)));
    ok = ok && add_params(&text, node);
    ok = ok && (!file || add_digest(&text, "file", &file->bytes));
    ok = ok && (!file || !file->layout[0] || add(&text, "file.layout", file->layout));
    if (node->assertion) {
        char assertion[400];
        tw_assertion_print(node->assertion, assertion, sizeof assertion);
        ok = ok && add(&text, "asserts", assertion);
    }
    ok = ok && (!node->feed || add_digest(&text, "fed", &node->feed->digest));
    ok = ok && add_inputs(&text, node, inputs);
    if (ok && append(&text, "", 1))
        return (char *)text.at;
    free(text.at);
    return NULL;
}
