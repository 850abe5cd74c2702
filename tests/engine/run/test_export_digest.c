/* SPDX-License-Identifier: MIT */
/* What exported files are known by: a file that is not what a run wrote is written again, whatever
 * its size, and people see the SHA-256 that they can check, where they asked for it. */
#include "support/command.h"
#include "support/recipe.h"

#include "base/os/file.h"
#include "runner/runner.h"

#include <stdio.h>

enum { SMALL = 1 << 22 }; /* bytes that are compared by SHA-256 */

static const struct tw_secret ours = {{7}}, others = {{8}};

static struct tw_export_identity identify(const struct tw_secret *secret, bool for_people)
{
    struct tw_export_identity identity;
    uint64_t length = 0;
    assert_true(tw_export_identify("file", secret, for_people, &identity, &length));
    return identity;
}

static bool are_equal(const struct tw_sha256 *a, const struct tw_sha256 *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void write_bytes(size_t length, size_t odd)
{
    static unsigned char bytes[SMALL + 70000];
    assert_true(length <= sizeof bytes);
    memset(bytes, 1, length);
    if (odd < length)
        bytes[odd] = 2;
    assert_int_equal(tw_file_write("file", bytes, length, NULL), TW_OK);
}

static void a_file_is_known_by_every_byte_and_only_with_the_secret_if_large(void **state)
{
    static const size_t lengths[] = {0, 1, SMALL, SMALL + 1, SMALL + 70000};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t length = lengths[i];
        struct tw_sha256 sum;
        uint64_t size;
        write_bytes(length, SIZE_MAX);
        assert_int_equal(tw_file_sha256("file", SMALL * 2, &sum, &size, NULL), TW_OK);
        struct tw_export_identity mine = identify(&ours, false), theirs = identify(&others, true);
        assert_true(mine.has_content && theirs.has_content && theirs.has_sha256);
        assert_true(mine.has_sha256 == (length <= SMALL));
        assert_true(are_equal(&theirs.sha256, &sum));
        assert_true(are_equal(&mine.content, &theirs.content) == (length <= SMALL));
        assert_true(are_equal(&mine.content, &sum) == (length <= SMALL));
        for (size_t at = 0; at < length; at += length / 3 + 1) {
            write_bytes(length, at);
            const struct tw_export_identity odd = identify(&ours, false);
            assert_false(are_equal(&odd.content, &mine.content));
        }
    }
}

static void without_a_cache_only_people_want_a_digest(void **state)
{
    struct tw_export_identity identity;
    uint64_t length;
    (void)state;
    write_bytes(100, SIZE_MAX);
    identity = identify(NULL, false);
    assert_false(identity.has_content || identity.has_sha256);
    identity = identify(NULL, true);
    assert_true(identity.has_sha256 && !identity.has_content);
    assert_false(tw_export_identify("none", &ours, true, &identity, &length));
}

/* ---- runs ---- */

enum { CACHED = 1, FOR_PEOPLE = 2, DRY = 4 };

static struct tw_export_summary run(int how)
{
    struct tw_recipe *recipe = recipe_of("thalweg: 1\nsize: 1030\nnodes:\n"
                                         "  land: {type: noise.perlin, octaves: 1}\n"
                                         "outputs: {land: land}\nexport: {land.npy: land}\n");
    const struct tw_run_options options = {.threads = 2,
                                           .cache_dir = how & CACHED ? "cache" : NULL};
    struct tw_run_summary report = {0};
    const struct tw_run_request request = {.options = &options,
                                           .export_folder = "out",
                                           .dry = how & DRY,
                                           .digest_files = how & FOR_PEOPLE,
                                           .report = &report};
    assert_int_equal(tw_run_execute(recipe, &request, NULL, NULL), TW_OK);
    struct tw_export_summary item = report.exports[0];
    tw_run_summary_release(&report);
    tw_recipe_release(recipe);
    return item;
}

static void expect_sum(const struct tw_export_summary *item)
{
    struct tw_sha256 sum;
    uint64_t length = 0;
    assert_int_equal(tw_file_sha256("out/land.npy", SMALL * 2, &sum, &length, NULL), TW_OK);
    assert_true(item->identity.has_sha256 && are_equal(&item->identity.sha256, &sum));
    assert_true(length > SMALL && item->bytes == length);
}

static void spoil(long at)
{
    FILE *file = fopen("out/land.npy", "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_true(fputc(byte ^ 1, file) != EOF);
    assert_int_equal(fclose(file), 0);
}

static void a_large_file_that_changed_is_written_again(void **state)
{
    static const long places[] = {0, 127, 128, SMALL - 1, SMALL, 1030 * 1030 * 4 + 127};
    (void)state;
    assert_true(run(CACHED).written);
    assert_false(run(CACHED).written);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        spoil(places[i]);
        struct tw_export_summary item = run(CACHED | FOR_PEOPLE | DRY);
        assert_false(item.written || item.identity.has_sha256);
        item = run(CACHED | FOR_PEOPLE);
        assert_true(item.written);
        expect_sum(&item);
        assert_false(run(CACHED).written);
    }
}

static void people_get_the_sum_of_files_new_and_old(void **state)
{
    (void)state;
    struct tw_export_summary item = run(FOR_PEOPLE);
    expect_sum(&item);
    assert_false(item.identity.has_content);
    item = run(CACHED | FOR_PEOPLE);
    expect_sum(&item);
    item = run(CACHED | FOR_PEOPLE);
    assert_false(item.written);
    expect_sum(&item);
    item = run(0);
    assert_true(item.written);
    assert_false(item.identity.has_sha256 || item.identity.has_content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_known_by_every_byte_and_only_with_the_secret_if_large),
        cmocka_unit_test(without_a_cache_only_people_want_a_digest),
        cmocka_unit_test(a_large_file_that_changed_is_written_again),
        cmocka_unit_test(people_get_the_sum_of_files_new_and_old),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
