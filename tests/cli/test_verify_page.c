/* SPDX-License-Identifier: MIT */
/* The page of forty recipes: small, with an index, differences first. */
#include "support/project.h"

#include <dirent.h>

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static size_t place_of(const char *text, const char *part)
{
    size_t at = 0;
    contains(text, part);
    while (strncmp(text + at, part, strlen(part)) != 0)
        at++;
    return at;
}

static int count_files(const char *folder)
{
    int count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing));)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

static void forty_recipes_make_a_small_page(void **state)
{
    (void)state;
    assert_int_equal(run("lock -q --size 128"), 0);
    for (int i = 0; i < LEVELS; i += 2) {
        char path[60], from[20];
        snprintf(path, sizeof path, "levels/%02d/terrain.yaml", i);
        snprintf(from, sizeof from, "talus: %d,", 1 + i);
        edit(path, from, "talus: 0.25,");
    }
    edit("levels/01/terrain.yaml", "noise.perlin", "noise.perlim");
    assert_int_equal(unlink("levels/03/terrain.yaml.lock"), 0);
    assert_int_equal(run("verify -q"), 3);
    const char *line = last_line(result.out);
    contains(line, "2 of 40 failed: levels/01/terrain.yaml:5:18, levels/03/terrain.yaml; "
                   "18 as locked, 20 differ: levels/00/terrain.yaml, ");
    contains(line, ", levels/38/terrain.yaml");
    char *page = read_text("verify/index.html");
    assert_true(strlen(page) < 2 << 20);
    assert_int_equal(count_of(page, "<h2 id="), 20); /* one that holds is a line */
    assert_int_equal(count_of(page, "as locked\n"), 18);
    assert_int_equal(count_of(page, "src=\"data:image/png;base64,"), 20 * 3);
    assert_int_equal(count_of(page, "<a href=\"terrain.yaml.height."), 3 * 1);
    size_t first = place_of(page, "href=\"#r38\""), failed = place_of(page, "levels/01/");
    assert_true(first < failed && failed < place_of(page, "levels/05/"));
    contains(page, "<td>not compared: it failed\n");
    contains(page, "<td>not compared: its lock is missing or damaged\n");
    free(page);
    assert_true(exists("verify/terrain.yaml.height.difference.png"));
    assert_int_equal(count_files("verify"), 1 + 20 * 3);
}

static void whole_pictures_are_in_the_page_of_one(void **state)
{
    (void)state;
    assert_int_equal(run("lock -q levels/04/terrain.yaml --size 256"), 0);
    edit("levels/04/terrain.yaml", "talus: 5,", "talus: 0.5,");
    assert_int_equal(run("verify -q levels/04/terrain.yaml"), 1);
    char *small = read_text("verify/index.html");
    assert_int_equal(run("verify -q levels/04/terrain.yaml --embed"), 1);
    char *whole = read_text("verify/index.html");
    assert_true(strlen(whole) > 2 * strlen(small));
    free(small);
    free(whole);
    assert_int_equal(run("verify --embed"), 2);
    contains(result.err, "--embed is for one recipe; there are 40");
}

int main(void)
{
    const struct CMUnitTest tests[] = {PROJECT_TEST(forty_recipes_make_a_small_page),
                                       PROJECT_TEST(whole_pictures_are_in_the_page_of_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
