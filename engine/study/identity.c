/* SPDX-License-Identifier: MIT */
/* Every line is "word value..."; names come last, since they may contain blanks but no line ends.
 */
#include "study/identity.h"

#include "base/memory/bytes.h"
#include "base/memory/digest.h"
#include "graph/describe.h"
#include "node/formula_text.h"

#include <inttypes.h>
#include <stdlib.h>

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
    if (ok && e->run_count > 0 && e->variants->side > 0) /* set by a level */
        ok = tw_bytes_print(text, NULL, "size %d\n", (int)e->variants->side) == TW_OK;
    ok = ok && tw_describe_nodes(text, merged);
    for (const struct tw_output *o = merged->outputs; ok && o; o = o->next)
        ok = tw_bytes_print(text, NULL, "output %d %d %s\n", (int)o->source.node,
                            (int)o->source.port, o->name) == TW_OK;
    for (int32_t v = 0; ok && status == TW_OK && v < e->run_count; v++) {
        status = tw_describe_files(text, round->parts[v], v, err);
        ok = tw_bytes_print(text, NULL, "variant %s\n", e->variants[v].name) == TW_OK;
    }
    for (int32_t m = 0; ok && m < e->measure_count; m++)
        ok = add_measure(text, round, e, m);
    return ok ? status : tw_error_set(err, TW_MEMORY, "out of memory");
}

enum tw_status tw_compare_identify(const struct tw_compare_rounds *rounds,
                                   struct tw_sha256 *identity, struct tw_error *err)
{
    struct tw_bytes text = {0};
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < rounds->count; i++)
        status = describe(&rounds->parts[i], &rounds->at[i], &text, err);
    if (status == TW_OK)
        *identity = tw_sha256_of(text.at, text.length);
    free(text.at);
    return status;
}

enum tw_status tw_compare_digest(const struct tw_recipe *recipe, char hex[TW_DIGEST_TEXT],
                                 struct tw_error *err)
{
    struct tw_bytes text = {0};
    bool ok = tw_bytes_print(&text, NULL, "size %d %d\n", (int)recipe->width,
                             (int)recipe->height) == TW_OK &&
              tw_describe_nodes(&text, recipe);
    enum tw_status status = ok ? tw_describe_files(&text, recipe, 0, err)
                               : tw_error_set(err, TW_MEMORY, "out of memory");
    if (status == TW_OK) {
        struct tw_sha256 digest = tw_sha256_of(text.at, text.length);
        tw_hex(digest.at, sizeof digest.at, hex);
    }
    free(text.at);
    return status;
}
