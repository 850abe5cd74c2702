/* SPDX-License-Identifier: MIT */
/* Every recipe of docs/cookbook.md runs at its own size without a warning, what it asserts holds,
 * and the picture above it is its output `picture`. THALWEG_UPDATE_DOCS=1 writes the pictures. */
#include "support/command.h"
#include "support/harness.h"
#include "support/palette.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECIPES = 22, LINES_MAX = 20 };

static const char pictures[] = TW_DOCS "/pictures/cookbook";
static char page[1 << 17];

static int read_page(void **state)
{
    FILE *file = fopen(TW_DOCS "/cookbook.md", "r");
    command_set_up(state);
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    return fclose(file);
}

/* Copies what lies between the next `from` and the `to` behind it; returns where that ends, NULL if
 * the page has no further one. */
static const char *cut(const char *at, const char *from, const char *to, char *text, size_t size)
{
    at = strstr(at, from);
    if (!at)
        return NULL;
    at += strlen(from);
    const char *end = strstr(at, to);
    assert_non_null(end);
    assert_true((size_t)(end - at) < size);
    snprintf(text, size, "%.*s", (int)(end - at), at);
    return end;
}

/* A recipe stands below its heading and its picture. */
static const char *next_recipe(const char *at, char *name, size_t size, char *recipe, size_t room)
{
    static const char heading[] = "\n## ";
    at = strstr(at, heading);
    if (!at)
        return NULL;
    const char *next = strstr(at + strlen(heading), heading);
    at = cut(at, "](pictures/cookbook/", ".png)", name, size);
    at = at ? cut(at, "```yaml\n", "```", recipe, room) : NULL;
    if (!at || (next && at > next))
        fail_msg("docs/cookbook.md: a section has no picture or no recipe");
    return at;
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static bool is_current(const char *name, const char *recipe)
{
    static const char export[] = "export: {picture.png: picture}\n";
    static struct command_result result;
    static char text[1 << 13];
    const char *update = getenv("THALWEG_UPDATE_DOCS");
    char path[400];
    struct tw_value image;
    int length = snprintf(text, sizeof text, "%s%s", recipe, export);
    command_write("recipe.yaml", text, (size_t)length);
    command_run("run recipe.yaml -o out -q", &result);
    if (result.code != 0 || result.err[0])
        fail_msg("%s: exit code %d\n%s", name, result.code, result.err);
    assert_true(picture_read("out/picture.png", &image) && image.type == TW_IMAGE);
    snprintf(path, sizeof path, "%s/%s.png", pictures, name);
    bool current = palette_is_current(path, &image, update && update[0]);
    tw_field_clear(&image);
    return current;
}

static void recipes_run_and_give_their_pictures(void **state)
{
    char name[80], recipe[1 << 12];
    int recipes = 0, wrong = 0;
    (void)state;
    for (const char *at = page; (at = next_recipe(at, name, sizeof name, recipe, sizeof recipe));) {
        if (count_lines(recipe) > LINES_MAX)
            fail_msg("%s has more than %d lines", name, LINES_MAX);
        if (!is_current(name, recipe)) {
            print_error("%s/%s.png is not what its recipe gives\n", pictures, name);
            wrong++;
        }
        recipes++;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(recipes, RECIPES);
}

static int times_shown(const char *name)
{
    char link[400];
    int times = 0;
    int length = snprintf(link, sizeof link, "](pictures/cookbook/%s)", name);
    for (const char *at = page; (at = strstr(at, link)); at += length)
        times++;
    return times;
}

/* The table at the top shows each picture, too. */
static void every_picture_is_in_the_table_and_above_its_recipe(void **state)
{
    DIR *folder = opendir(pictures);
    int seen = 0;
    (void)state;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".png"))
            continue;
        if (times_shown(entry->d_name) != 2)
            fail_msg("docs/cookbook.md does not show %s twice", entry->d_name);
        seen++;
    }
    closedir(folder);
    assert_int_equal(seen, RECIPES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recipes_run_and_give_their_pictures),
        cmocka_unit_test(every_picture_is_in_the_table_and_above_its_recipe)};
    return cmocka_run_group_tests(tests, read_page, command_tear_down);
}
