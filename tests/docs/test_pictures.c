/* SPDX-License-Identifier: MIT */
/* A node's page shows what the node's example gives, where that can be seen, and next to it the map
 * that the node changes: the pictures in docs/pictures/nodes are current. THALWEG_UPDATE_DOCS=1
 * writes them anew. */
#include "support/harness.h"
#include "support/palette.h"

#include "graph/library.h"
#include "node/registry.h"
#include "report/pictures/value_picture.h"
#include "value/field.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 320, GAP = 8, TEXT = 1 << 13 };

/* ---- the recipe: the example, and what draws its output ---- */

/* The id of the example's first node of this type. */
static void find_id(const struct tw_node_type *type, char *id, size_t size)
{
    char type_line[80];
    const char *at = type->example;
    snprintf(type_line, sizeof type_line, "type: %s", type->name);
    while ((at = strstr(at, type_line)) && !strchr(",}\n", at[strlen(type_line)]))
        at += strlen(type_line);
    assert_non_null(at);
    while (at > type->example && (at[-1] != '\n' || *at == ' '))
        at--;
    snprintf(id, size, "%.*s", (int)strcspn(at, ":"), at);
}

/* Heights that are terrain are drawn as such; a measure of terrain is grey, as a mask is. */
static bool is_terrain(const struct tw_node_type *type)
{
    return type->outputs->type == TW_HEIGHTMAP && strncmp(type->name, "measure.", 8) != 0;
}

/* What a polygon map has to show is what the node put into it. */
static const char *polymap_layer(const char *type)
{
    static const char *const layers[][2] = {
        {"island.shape", "shape"},          {"island.elevation", "elevation"},
        {"island.rivers", "elevation"},     {"island.edit_raise", "elevation"},
        {"island.edit_lower", "elevation"}, {"island.edit_warm", "temperature"},
        {"island.edit_wet", "moisture"},    {"island.moisture", "moisture"},
        {"island.biomes", "biomes"}};
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
        if (strcmp(layers[i][0], type) == 0)
            return layers[i][1];
    return "polygons";
}

/* What the example's node gets as its first input. */
static void find_input(const struct tw_node_type *type, char *id, size_t size)
{
    char head[120];
    find_id(type, id, size);
    snprintf(head, sizeof head, "%s: {type: %s, %s: ", id, type->name, type->inputs->name);
    const char *at = strstr(type->example, head);
    assert_non_null(at);
    at += strlen(head);
    snprintf(id, size, "%.*s", (int)strcspn(at, ",}"), at);
}

/* With the same colours for the same heights. */
static void print_before_and_after(const struct tw_node_type *type, char *text, size_t size)
{
    static const char drawn[] = "type: render.relief, exaggeration: 0.3, low: 0, high: 1";
    char in[80], out[80];
    find_input(type, in, sizeof in);
    find_id(type, out, sizeof out);
    snprintf(text, size,
             "  drawn_in: {%s, in: %s}\n  drawn: {%s, in: %s}\n"
             "outputs: {before: drawn_in, out: drawn}\n",
             drawn, in, drawn, out);
}

static void print_recipe(const struct tw_node_type *type, bool before, char *text)
{
    char id[80];
    int used = snprintf(text, TEXT, "thalweg: 1\nsize: %d\nseed: 1\nnodes:\n", SIDE);
    find_id(type, id, sizeof id);
    for (const char *line = type->example; *line;) {
        int length = (int)strcspn(line, "\n");
        used += snprintf(text + used, (size_t)(TEXT - used), "  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
    char *rest = text + used;
    size_t left = (size_t)(TEXT - used);
    if (before)
        print_before_and_after(type, rest, left);
    else if (is_terrain(type))
        snprintf(rest, left, "  drawn: {type: render.relief, in: %s}\noutputs: {out: drawn}\n", id);
    else if (type->outputs->type == TW_POLYMAP)
        snprintf(rest, left,
                 "  drawn: {type: render.polymap, in: %s, layer: %s}\noutputs: {out: drawn}\n", id,
                 polymap_layer(type->name));
    else
        snprintf(rest, left, "outputs: {out: %s}\n", id);
}

/* ---- the picture: an image, in few colours to keep the file small ---- */

static struct tw_value new_image(int32_t width, int32_t height)
{
    struct tw_value image = {.type = TW_IMAGE};
    assert_int_equal(tw_field_alloc(&image, TW_IMAGE, width, height, NULL), TW_OK);
    return image;
}

/* The two next to each other, on white. */
static struct tw_value join(const struct tw_value *left, const struct tw_value *right)
{
    struct tw_value image = new_image(left->width + GAP + right->width, right->height);
    size_t row = 3 * (size_t)image.width, shift = 3 * (size_t)(left->width + GAP);
    memset(image.data, 255, 3 * tw_value_count(&image));
    for (int32_t y = 0; y < image.height; y++) {
        uint8_t *to = tw_pixels(&image) + (size_t)y * row;
        memcpy(to, tw_pixels(left) + 3 * (size_t)y * (size_t)left->width, 3 * (size_t)left->width);
        memcpy(to + shift, tw_pixels(right) + 3 * (size_t)y * (size_t)right->width,
               3 * (size_t)right->width);
    }
    return image;
}

static struct tw_value draw_output(const struct tw_value *out)
{
    const struct tw_run_options run = {.threads = 2};
    struct tw_value shown = *out, image;
    if (out->type == TW_HEIGHTMAP) /* terrain was drawn by the recipe */
        shown.type = TW_MASK;
    assert_int_equal(tw_value_draw(&shown, &run, &image, NULL), TW_OK);
    return image;
}

static struct tw_value draw(const struct tw_node_type *type, bool with_before)
{
    static char text[TEXT];
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_load_options load = {0};
    const struct tw_run_options options = {.threads = 2};
    print_recipe(type, with_before, text);
    if (tw_recipe_parse(text, strlen(text), TW_GRAPHS "/example.yaml", &load, &recipe, &error) ||
        tw_recipe_run(recipe, &options, &result, &error))
        fail_msg("%s: %s: %s", type->name, error.path, error.message);
    const struct tw_value *out = tw_result_output(result, "out");
    struct tw_value image =
        with_before ? join(tw_result_output(result, "before"), out) : draw_output(out);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return image;
}

/* Examples of the library draw themselves: an output `picture`, and `before` if they compare. */
static struct tw_value draw_library(const struct tw_library_recipe *library)
{
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_load_options load = {.width = SIDE};
    const struct tw_run_options options = {.threads = 2};
    if (tw_recipe_parse(library->example, strlen(library->example), "example.yaml", &load, &recipe,
                        &error) ||
        tw_recipe_run(recipe, &options, &result, &error))
        fail_msg("%s: %s: %s", library->name, error.path, error.message);
    const struct tw_value *out = tw_result_output(result, "picture");
    const struct tw_value *before = tw_result_output(result, "before");
    if (!out)
        fail_msg("the example of %s has no output `picture`", library->name);
    struct tw_value image = before ? join(before, out) : draw_output(out);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return image;
}

/* ---- the test ---- */

enum shown { NOTHING, OUTPUT, BEFORE_AND_OUTPUT };

static enum shown shown_on_page(const struct tw_node_type *type)
{
    static char page[1 << 16];
    char path[400], link[120];
    snprintf(path, sizeof path, "%s/nodes/%s.md", TW_DOCS, type->name);
    snprintf(link, sizeof link, "(../pictures/nodes/%s.png)", type->name);
    FILE *file = fopen(path, "r");
    page[file ? fread(page, 1, sizeof page - 1, file) : 0] = 0;
    if (file)
        fclose(file);
    if (!strstr(page, link))
        return NOTHING;
    return strstr(page, "\n![before, and ") ? BEFORE_AND_OUTPUT : OUTPUT;
}

static void pictures_of_examples_are_current(void **state)
{
    const char *update = getenv("THALWEG_UPDATE_DOCS");
    int wrong = 0, seen = 0;
    (void)state;
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++) {
        char path[400];
        enum shown shown = shown_on_page(*type);
        if (shown == NOTHING)
            continue;
        struct tw_value image = draw(*type, shown == BEFORE_AND_OUTPUT);
        snprintf(path, sizeof path, "%s/pictures/nodes/%s.png", TW_DOCS, (*type)->name);
        if (!palette_is_current(path, &image, update && update[0])) {
            print_error("%s is not what the example gives\n", path);
            wrong++;
        }
        tw_field_clear(&image);
        seen++;
    }
    assert_int_equal(wrong, 0);
    assert_true(seen > 40);
}

static void pictures_of_the_library_are_current(void **state)
{
    const char *update = getenv("THALWEG_UPDATE_DOCS");
    int wrong = 0;
    (void)state;
    for (const struct tw_library_recipe *library = tw_library_table; library->name; library++) {
        char path[400];
        struct tw_value image = draw_library(library);
        snprintf(path, sizeof path, "%s/pictures/nodes/thalweg.%s.png", TW_DOCS,
                 strchr(library->name, '/') + 1);
        if (!palette_is_current(path, &image, update && update[0])) {
            print_error("%s is not what the example gives\n", path);
            wrong++;
        }
        tw_field_clear(&image);
    }
    assert_int_equal(wrong, 0);
}

/* No picture for a node that is gone or gives nothing to look at. */
static void no_picture_is_left_over(void **state)
{
    const struct tw_registry registry = {NULL};
    DIR *folder = opendir(TW_DOCS "/pictures/nodes");
    (void)state;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[300];
        char *end = strstr(strcpy(name, entry->d_name), ".png");
        if (!end)
            continue;
        *end = 0;
        const struct tw_node_type *type = tw_registry_find(&registry, name);
        bool in_library = strncmp(name, "thalweg.", 8) == 0 && tw_library_named(name + 8);
        if (!in_library && (!type || shown_on_page(type) == NOTHING))
            fail_msg("docs/pictures/nodes/%s.png: no page shows it", name);
    }
    closedir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pictures_of_examples_are_current),
                                       cmocka_unit_test(pictures_of_the_library_are_current),
                                       cmocka_unit_test(no_picture_is_left_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
