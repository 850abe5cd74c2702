/* SPDX-License-Identifier: MIT */
/* Node types by the words that people know from other tools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "node/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HITS = 300 };
static struct tw_search_hit hits[HITS];
static const struct tw_registry registry = {NULL};

static int search(const char *text)
{
    char copy[200], *words[16], *rest = copy;
    int count = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word; count < 16 && (word = strtok_r(rest, " ", &rest));)
        words[count++] = word;
    return tw_search_types(&registry, words, count, hits, HITS);
}

/* The rank of a type among what the words find; -1 when it is not among them. */
static int rank_of(const char *text, const char *type)
{
    int count = search(text);
    for (int i = 0; i < count; i++)
        if (strcmp(hits[i].type->name, type) == 0)
            return i;
    return -1;
}

static void words_of_other_tools_find_ours(void **state)
{
    static const struct {
        const char *words, *type;
        int within;
    } rows[] = {
        {"snow", "mask.height", 1},
        {"snow", "render.surface", 4},
        {"snow line", "mask.height", 2},
        {"mountain", "noise.ridged", 5},
        {"mountains", "noise.ridged", 5},
        {"Mountain Gaea", "erosion.stream_power", 5},
        {"slope", "mask.slope", 3},
        {"thermal", "erosion.thermal", 1},
        {"talus", "erosion.thermal", 2},
        {"gdaldem hillshade", "render.hillshade", 2},
        {"r.watershed", "measure.flow", 1},
        {"ambient occlusion", "mask.openness", 1},
        {"river width", "mask.distance", 1},
        {"TPI", "mask.prominence", 1},
        {"dunes", "layer.sand", 1},
        {"dunes", "noise.phasor", 2},
        {"avalanche", "layer.slide", 1},
        {"trees", "island.scatter", 1},
        {"fill sinks", "shape.fill_depressions", 1},
        {"geomorphons", "measure.landforms", 1},
        {"GAMMA", "shape.power", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int rank = rank_of(rows[i].words, rows[i].type);
        if (rank < 0 || rank >= rows[i].within)
            fail_msg("'%s' has %s at %d of %d", rows[i].words, rows[i].type, rank,
                     search(rows[i].words));
    }
}

/* Of every list of every type, each entry finds the type. */
static void every_entry_finds_its_type(void **state)
{
    (void)state;
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++) {
        const char *lists[] = {(*type)->keywords, (*type)->elsewhere, (*type)->name};
        assert_non_null((*type)->keywords);
        for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
            for (const char *at = lists[l]; at && *at; at += strspn(at, ", ")) {
                char entry[120];
                size_t length = strcspn(at, ",");
                snprintf(entry, sizeof entry, "%.*s", (int)length, at);
                entry[strcspn(entry, "(")] = 0; /* a tool's name */
                if (rank_of(entry, (*type)->name) < 0)
                    fail_msg("'%s' does not find %s", entry, (*type)->name);
                at += length;
            }
    }
}

static void better_hits_come_first_and_every_word_counts(void **state)
{
    (void)state;
    int count = search("erosion");
    assert_true(count > 10);
    for (int i = 1; i < count; i++)
        assert_true(hits[i - 1].score >= hits[i].score);
    assert_true(search("erosion water") > 0 && search("erosion water") < count);
    assert_int_equal(search("xyzzy"), 0);
    assert_int_equal(search("erosion xyzzy"), 0);
    assert_int_equal(search(""), 0);
}

static void a_hit_says_what_was_found(void **state)
{
    (void)state;
    int at = rank_of("snow line", "mask.height");
    assert_int_equal(hits[at].why_length, 9);
    assert_memory_equal(hits[at].why, "snow line", 9);
    at = rank_of("thermal", "erosion.thermal");
    assert_null(hits[at].why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_other_tools_find_ours),
        cmocka_unit_test(every_entry_finds_its_type),
        cmocka_unit_test(better_hits_come_first_and_every_word_counts),
        cmocka_unit_test(a_hit_says_what_was_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
