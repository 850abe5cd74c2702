/* SPDX-License-Identifier: MIT */
/* Every line is "word value..."; names come last, since they may have blanks but no line ends. */
#include "compare/identity.h"

#include "base/byte_order.h"
#include "base/bytes.h"
#include "base/file.h"
#include "graph/key.h"
#include "node/formula_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A node as the cache names it, with the place of its inputs instead of their content. */
static bool add_node(struct tw_bytes *text, const struct tw_recipe *merged, int32_t i)
{
    struct tw_stamp stamps[TW_INPUTS_MAX];
    const struct tw_stamp *inputs[TW_INPUTS_MAX];
    const struct tw_node *node = &merged->nodes[i];
    for (int32_t k = 0; k < node->input_count; k++) {
        unsigned char place[8];
        tw_put_u32(place, (uint32_t)node->inputs[k].node);
        tw_put_u32(place + 4, (uint32_t)node->inputs[k].port);
        stamps[k] = (struct tw_stamp){.content = tw_sha256_of(place, sizeof place)};
        inputs[k] = &stamps[k];
    }
    char *key = tw_key_text(merged, node, inputs, NULL);
    bool ok = key && tw_bytes_print(text, NULL, "node %d\n%s", (int)i, key) == TW_OK;
    free(key);
    return ok;
}

/* Variants often read the same file: one that was the last is not read again. */
static enum tw_status add_files(struct tw_bytes *text, const struct tw_recipe *part, int32_t v,
                                struct tw_error *err)
{
    const char *last = "";
    char hex[2 * sizeof(struct tw_sha256) + 1] = "";
    for (const struct tw_reading *r = part->readings; r; r = r->next) {
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
        status = tw_bytes_print(text, err, "file %d %s %s\n", (int)v, hex, r->node);
        if (status != TW_OK)
            return status;
    }
    return TW_OK;
}

static bool add_measure(struct tw_bytes *text, const struct tw_compare_round *round,
                        const struct tw_experiment *e, int32_t m)
{
    const struct tw_measure *measure = &e->measures[m];
    bool ok = true;
    if (measure->formula) {
        const struct tw_formula formula = {.count = measure->formula->count,
                                           .at = measure->formula->steps};
        ok = tw_bytes_print(text, NULL, "formula") == TW_OK && tw_formula_print(text, &formula) &&
             tw_bytes_print(text, NULL, "\n") == TW_OK;
    } else if (measure->output) {
        ok = tw_bytes_print(text, NULL, "field %s\noutput %s\n", measure->field, measure->output) ==
             TW_OK;
    }
    for (int32_t v = 0; ok && measure->output && v < e->run_count; v++) {
        size_t cell = (size_t)v * (size_t)e->measure_count + (size_t)m;
        ok = tw_bytes_print(text, NULL, "record %d\n", (int)round->record_of[cell]) == TW_OK;
    }
    return ok && tw_bytes_print(text, NULL, "measure %s\n", measure->name) == TW_OK;
}

static enum tw_status describe(const struct tw_experiment *e, const struct tw_compare_round *round,
                               struct tw_bytes *text, struct tw_error *err)
{
    const struct tw_recipe *merged = round->merged;
    enum tw_status status = TW_OK;
    bool ok = tw_bytes_print(text, NULL, "thalweg %s\nseed %" PRIu64 "\n", TW_VERSION,
                             tw_experiment_seed(e, 0)) == TW_OK;
    for (int32_t i = 0; ok && i < merged->count; i++)
        ok = add_node(text, merged, i);
    for (const struct tw_output *o = merged->outputs; ok && o; o = o->next)
        ok = tw_bytes_print(text, NULL, "output %d %d %s\n", (int)o->source.node,
                            (int)o->source.port, o->name) == TW_OK;
    for (int32_t v = 0; ok && status == TW_OK && v < e->run_count; v++) {
        status = add_files(text, round->parts[v], v, err);
        ok = tw_bytes_print(text, NULL, "variant %s\n", e->variants[v].name) == TW_OK;
    }
    for (int32_t m = 0; ok && m < e->measure_count; m++)
        ok = add_measure(text, round, e, m);
    return ok ? status : tw_error_set(err, TW_MEMORY, "out of memory");
}

enum tw_status tw_compare_identify(const struct tw_experiment *e,
                                   const struct tw_compare_round *round, struct tw_sha256 *identity,
                                   struct tw_error *err)
{
    struct tw_bytes text = {0};
    enum tw_status status = describe(e, round, &text, err);
    if (status == TW_OK)
        *identity = tw_sha256_of(text.at, text.length);
    free(text.at);
    return status;
}
