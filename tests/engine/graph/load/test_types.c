/* SPDX-License-Identifier: MIT */
/* Outputs that keep the type of their inputs: resolved when a recipe is loaded. */
#include "base/os/file.h"
#include "graph/key.h"
#include "graph/plan.h"
#include "support/recipe.h"

#include <stdio.h>
#include <stdlib.h>

#define HEAD                                                                                       \
    "thalweg: 1\nsize: 16\nnodes:\n"                                                               \
    "  noise: {type: noise.midpoint}\n"                                                            \
    "  cut: {type: mask.threshold, in: noise}\n"                                                   \
    "  band: {type: mask.height, in: noise}\n"

static enum tw_type type_of(const struct tw_recipe *recipe, const char *path)
{
    return tw_output_type(recipe_node(recipe, path), 0);
}

static void masks_stay_masks(void **state)
{
    static const char *const masks[] = {
        "combine.add, a: cut, b: band",
        "combine.subtract, a: cut, b: band",
        "combine.multiply, a: cut, b: band",
        "combine.minimum, a: cut, b: band",
        "combine.maximum, a: cut, b: band",
        "combine.mix, a: cut, b: band",
        "combine.blend, a: cut, b: band, mask: cut",
        "shape.invert, in: cut",
        "shape.blur, in: cut",
        "shape.power, in: cut",
        "shape.curve, in: cut, points: [[0, 0], [1, 1]]",
        "shape.clamp, in: cut",
        "shape.perturb, in: cut, noise: noise",
        "shape.transform, in: cut",
        "shape.normalize, in: cut",
        "mask.threshold, in: cut",
    };
    static const char *const heights[] = {
        "combine.add, a: noise, b: band",
        "combine.mix, a: cut, b: noise",
        "combine.blend, a: cut, b: noise, mask: cut",
        "shape.invert, in: noise",
        "shape.blur, in: noise, mask: cut",
        "shape.remap, in: cut",
        "shape.terrace, in: cut",
    };
    size_t count = sizeof masks / sizeof *masks, others = sizeof heights / sizeof *heights;
    char text[500];
    (void)state;
    for (size_t i = 0; i < count + others; i++) {
        snprintf(text, sizeof text, HEAD "  out: {type: %s}\noutputs: {out: out}\n",
                 i < count ? masks[i] : heights[i - count]);
        struct tw_recipe *recipe = recipe_of(text);
        if (type_of(recipe, "out") != (i < count ? TW_MASK : TW_HEIGHTMAP))
            fail_msg("%s", text);
        struct tw_result *result = NULL;
        assert_int_equal(tw_recipe_run(recipe, NULL, &result, NULL), TW_OK);
        assert_int_equal(tw_result_output(result, "out")->type, i < count ? TW_MASK : TW_HEIGHTMAP);
        tw_result_release(result);
        tw_recipe_release(recipe);
    }
}

/* Users may stand before their sources, in any depth. */
static void order_is_free(void **state)
{
    enum { LINKS = 4000 };
    char *text = calloc(1, 100 * LINKS);
    (void)state;
    assert_non_null(text);
    size_t used = (size_t)snprintf(
        text, 1000, HEAD "  n0: {type: shape.blur, in: n1}\n  m0: {type: shape.blur, in: m1}\n");
    for (int i = 1; i < LINKS; i++)
        used += (size_t)sprintf(text + used,
                                "  n%d: {type: combine.add, a: n%d, b: cut}\n"
                                "  m%d: {type: combine.add, a: m%d, b: cut}\n",
                                i, i + 1, i, i + 1);
    sprintf(text + used,
            "  n%d: {type: shape.invert, in: band}\n  m%d: {type: shape.invert, in: noise}\n"
            "outputs: {n: n0, m: m0}\n",
            LINKS, LINKS);
    struct tw_recipe *recipe = recipe_of(text);
    assert_int_equal(type_of(recipe, "n0"), TW_MASK);
    assert_int_equal(type_of(recipe, "m0"), TW_HEIGHTMAP);
    assert_int_equal(type_of(recipe, "m4000"), TW_HEIGHTMAP);
    tw_recipe_release(recipe);
    free(text);
}

static void edges_and_messages_know_the_type(void **state)
{
    (void)state;
    tw_recipe_release(recipe_of(HEAD "  both: {type: combine.multiply, a: cut, b: band}\n"
                                     "  far: {type: mask.distance, in: both}\n"
                                     "outputs: {far: far}\n"));
    struct tw_error error = recipe_fault(HEAD "  far: {type: mask.distance, in: both}\n"
                                              "  both: {type: combine.multiply, a: cut, b: noise}\n"
                                              "outputs: {far: far}\n",
                                         "both.out gives heightmap, but far.in expects mask");
    assert_int_equal(error.line, 7);
    recipe_fault(HEAD "  flat: {type: shape.invert, in: band}\n"
                      "  bad: {type: voronoi.domain, domain: flat}\noutputs: {bad: bad}\n",
                 "flat.out gives mask, but bad.domain expects labels");
    recipe_fault(HEAD "  flat: {type: shape.invert, in: band}\n"
                      "export: {a.csv: flat}\noutputs: {a: flat}\n",
                 "flat.out is mask, which cannot be written as .csv");
}

/* One mistake is one message: what follows from a missing node or a cycle is not reported. */
static void no_fault_follows_from_another(void **state)
{
    (void)state;
    recipe_fault(HEAD "  a: {type: shape.blur, in: bant}\n"
                      "  far: {type: mask.distance, in: a}\noutputs: {far: far}\n",
                 "there is no node 'bant'");
    recipe_fault(HEAD "  a: {type: combine.add, a: b, b: cut}\n"
                      "  b: {type: shape.blur, in: a}\n"
                      "  far: {type: mask.distance, in: b}\noutputs: {far: far}\n",
                 "in a cycle: ");
}

static void recipes_used_as_nodes_pass_types_on(void **state)
{
    char folder[4096], path[4200], text[400];
    struct tw_error err;
    (void)state;
    assert_int_equal(tw_file_make_temporary_folder(folder, &err), TW_OK);
    snprintf(path, sizeof path, "%s/soft.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("thalweg: 1\ninputs: {map: heightmap}\nnodes:\n"
          "  soft: {type: shape.blur, in: map}\noutputs: {out: soft}\n",
          file);
    assert_int_equal(fclose(file), 0);
    const char *const allow[] = {folder, NULL};
    const struct tw_load_options options = {.allow = allow};
    struct tw_recipe *recipe = NULL;
    snprintf(text, sizeof text,
             HEAD "  one: {type: %s, map: cut}\n  two: {type: %s, map: noise}\n"
                  "outputs: {one: one, two: two}\n",
             path, path);
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", &options, &recipe, NULL), TW_OK);
    assert_int_equal(type_of(recipe, "one/soft"), TW_MASK);
    assert_int_equal(type_of(recipe, "two/soft"), TW_HEIGHTMAP);
    tw_recipe_release(recipe);
    tw_file_remove_folder(folder);
}

static void keys_know_the_type(void **state)
{
    struct tw_recipe *recipe = recipe_of(HEAD "  m: {type: shape.invert, in: cut}\n"
                                              "  h: {type: shape.invert, in: noise}\n"
                                              "outputs: {m: m, h: h}\n");
    const struct tw_stamp stamp = {.type = TW_MASK};
    const struct tw_stamp *const inputs[] = {&stamp, NULL};
    char *mask = tw_key_text(recipe, recipe_node(recipe, "m"), inputs, NULL);
    char *height = tw_key_text(recipe, recipe_node(recipe, "h"), inputs, NULL);
    (void)state;
    assert_non_null(strstr(mask, "gives mask\n"));
    assert_null(strstr(height, "gives"));
    free(mask);
    free(height);
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_stay_masks),
        cmocka_unit_test(order_is_free),
        cmocka_unit_test(edges_and_messages_know_the_type),
        cmocka_unit_test(no_fault_follows_from_another),
        cmocka_unit_test(recipes_used_as_nodes_pass_types_on),
        cmocka_unit_test(keys_know_the_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
