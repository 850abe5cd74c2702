/* SPDX-License-Identifier: MIT */
/* The tables of docs/realism.md are what measure.realism says of the maps of graphs/: three that
 * the page shows, and each erosion of the gallery. THALWEG_UPDATE_DOCS=1 writes them anew. */
#include "support/command.h"
#include "support/record.h"

#include <thalweg/realism.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE TW_DOCS "/realism.md"

enum { TEXT = 1 << 15, MAPS = 30 };

static char recipe[TEXT], page[TEXT], table[TEXT];
static char maps[MAPS][40];
static int count;

static void read_text(const char *path, char text[TEXT])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, TEXT - 1, file)] = 0;
    fclose(file);
}

static void add(char *text, const char *format, const char *a, const char *b)
{
    const size_t used = strlen(text);
    assert_true(snprintf(text + used, TEXT - used, format, a, b) < (int)(TEXT - used));
}

/* ---- what is measured: nodes of a recipe, without what draws them ---- */

/* Whether a node has one of the names, or a type of one of the families, as "erosion.". */
static bool is_wanted(const char *name, const char *type, const char *const *wanted)
{
    for (; *wanted; wanted++)
        if (strchr(*wanted, '.') ? strncmp(type, *wanted, strlen(*wanted)) == 0
                                 : strcmp(name, *wanted) == 0)
            return true;
    return false;
}

/* Lists the wanted nodes up to the first that draws, and cuts the recipe there. */
static void find_maps(const char *const *wanted)
{
    char name[40], type[100];
    count = 0;
    char *line = strstr(recipe, "\nnodes:\n");
    assert_non_null(line);
    for (; (line = strchr(line + 1, '\n'));) {
        if (sscanf(line, "\n %39[a-z_]: {type: %99[a-z_./]", name, type) != 2)
            continue;
        if (strstr(name, "_look")) {
            line[1] = 0;
            return;
        }
        if (is_wanted(name, type, wanted)) {
            assert_true(count < MAPS);
            strcpy(maps[count++], name);
        }
    }
}

static struct tw_result *measure_maps(const char *path, int32_t size, const char *const *wanted)
{
    struct tw_recipe *loaded = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_load_options load = {.width = size, .height = size};
    const struct tw_run_options run = {.threads = 2};
    read_text(path, recipe);
    find_maps(wanted);
    for (int i = 0; i < count; i++)
        add(recipe, "  %s_realism: {type: measure.realism, in: %s}\n", maps[i], maps[i]);
    add(recipe, "outputs:\n", "", "");
    for (int i = 0; i < count; i++)
        add(recipe, "  %s: %s_realism\n", maps[i], maps[i]);
    if (tw_recipe_parse(recipe, strlen(recipe), path, &load, &loaded, &error) ||
        tw_recipe_run(loaded, &run, &result, &error))
        fail_msg("%s: %s\n%s", path, error.message, recipe);
    tw_recipe_release(loaded);
    return result;
}

/* ---- tables ---- */

static void add_head(double cell_m)
{
    char number[40];
    const struct tw_realism_band *bands = tw_realism_bands(cell_m);
    strcpy(table, "| |");
    for (int i = 0; i < TW_REALISM_COUNT; i++)
        add(table, " %s |", bands[i].name, "");
    add(table, " inside | distance |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n", "", "");
    add(table, "| real, 5 to 95 %% |", "", "");
    for (int i = 0; i < TW_REALISM_COUNT; i++) {
        snprintf(number, sizeof number, " %.3g to %.3g |", bands[i].p5, bands[i].p95);
        add(table, "%s", number, "");
    }
    add(table, " 6 to 9 | |\n", "", "");
}

/* Numbers inside their bands are bold. */
static void add_row(const char *name, const struct tw_value *record)
{
    char text[40];
    const struct tw_realism_band *bands = tw_realism_bands(record_number(record, "cell_m"));
    add(table, "| %s |", name, "");
    for (int i = 0; i < TW_REALISM_COUNT; i++) {
        const double number = record_number(record, bands[i].name);
        const char *mark = tw_realism_verdict(&bands[i], number) == 0 ? "**" : "";
        snprintf(text, sizeof text, " %s%.3g%s |", mark, number, mark);
        add(table, "%s", text, "");
    }
    snprintf(text, sizeof text, " %.0f | %.2f |\n", record_number(record, "inside"),
             record_number(record, "distance"));
    add(table, "%s", text, "");
}

static void expect_table(const char *mark)
{
    static char whole[2 * TEXT];
    const char *update = getenv("THALWEG_UPDATE_DOCS");
    read_text(PAGE, page);
    char *from = strstr(page, mark), *end = from ? strstr(from, "<!-- end -->") : NULL;
    assert_non_null(end);
    from = strchr(from, '\n') + 1;
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)(from - page), page, table, end);
    if (update && update[0])
        command_write(PAGE, whole, strlen(whole));
    else if (strcmp(page, whole) != 0)
        fail_msg("docs/realism.md below '%s' is not:\n%s", mark, table);
}

static void check_table(const char *path, int32_t size, const char *const *wanted, const char *mark)
{
    struct tw_result *result = measure_maps(path, size, wanted);
    assert_true(count >= 3);
    add_head(record_number(tw_result_output(result, maps[0]), "cell_m"));
    for (int i = 0; i < count; i++)
        add_row(maps[i], tw_result_output(result, maps[i]));
    tw_result_release(result);
    expect_table(mark);
}

static void maps_of_the_page_have_its_numbers(void **state)
{
    static const char *const names[] = {"earth", "combed", "noise", NULL};
    (void)state;
    check_table(TW_GRAPHS "/realism.yaml", 512, names, "<!-- Numbers of graphs/realism.yaml -->");
}

static void erosions_of_the_gallery_have_its_numbers(void **state)
{
    static const char *const wanted[] = {"base", "erosion.", NULL};
    (void)state;
    check_table(TW_GRAPHS "/erosion-gallery.yaml", 256, wanted,
                "<!-- Numbers of graphs/erosion-gallery.yaml -->");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(maps_of_the_page_have_its_numbers),
                                       cmocka_unit_test(erosions_of_the_gallery_have_its_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
