/* SPDX-License-Identifier: MIT */
/* The result of a recipe as a line of a golden file: a digest and a warning, or the error. */
#ifndef TW_TESTS_SUPPORT_OUTCOME_H
#define TW_TESTS_SUPPORT_OUTCOME_H

#include "support/example.h"
#include "support/golden.h"
#include "support/sanitized.h"

#include "value/field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The digest of all outputs in hexadecimal and the last warning, or the error message. */
struct outcome {
    char text[400];
};

static inline void outcome_keep(void *context, const struct tw_error *warning)
{
    *(struct tw_error *)context = *warning;
}

static inline void outcome_run(struct tw_recipe *recipe, int32_t threads, struct outcome *outcome)
{
    struct tw_result *result = NULL;
    struct tw_error error, warning = {.status = TW_OK};
    struct tw_digest all[64];
    const struct tw_run_options options = {
        .threads = threads, .warning = outcome_keep, .context = &warning};
    int count = 0;
    if (tw_recipe_run(recipe, &options, &result, &error) != TW_OK) {
        snprintf(outcome->text, sizeof outcome->text, "%s: %s", error.path, error.message);
        return;
    }
    for (const struct tw_output *o = recipe->outputs; o; o = o->next) {
        assert_true(count < 64);
        all[count++] = tw_field_digest(tw_result_output(result, o->name));
    }
    tw_result_release(result);
    struct tw_digest digest = tw_digest_of(all, (size_t)count * sizeof all[0]);
    tw_hex(digest.at, sizeof digest.at, outcome->text);
    if (warning.message[0])
        snprintf(outcome->text + strlen(outcome->text),
                 sizeof outcome->text - strlen(outcome->text), " warns: %s", warning.message);
}

/* Runs plain code on one thread and the widest on two, which must agree. Slow builds alternate
 * between the two, since the golden lines are equal anyway. Releases the recipe. */
static inline void outcome_find(struct tw_recipe *recipe, const char *name, struct outcome *outcome)
{
    static int turn;
    const bool slow = SANITIZED || UNOPTIMISED, plain = !slow || ++turn % 2 == 0;
    struct outcome wide;
    if (plain) {
        setenv("THALWEG_SIMD", "base", 1);
        outcome_run(recipe, 1, outcome);
        unsetenv("THALWEG_SIMD");
    }
    if (!slow || !plain)
        outcome_run(recipe, 2, plain ? &wide : outcome);
    tw_recipe_release(recipe);
    if (!slow && strcmp(outcome->text, wide.text) != 0)
        fail_msg("%s: %s, but with vectors %s", name, outcome->text, wide.text);
}

static inline void outcome_print(struct golden *golden, const struct tw_node_type *type,
                                 const char *name, const char *text)
{
    char line[600];
    snprintf(line, sizeof line, "%s %d %s %s\n", type->name, (int)type->version, name, text);
    golden_line(golden, line);
}

#endif
