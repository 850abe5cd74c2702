/* SPDX-License-Identifier: MIT */
/* Texts that machines hand each other by way of a server: what was stored comes back, or nothing.
 */
#include "support/command.h"
#include "support/web_server.h"

#include "base/os/file.h"
#include "cache/remote.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct web_server server;
static struct tw_remote *remote;

static int prepare(void **state)
{
    char secret[129], url[64];
    command_set_up(state);
    memset(secret, 'a', sizeof secret - 1);
    command_write("secret", secret, sizeof secret - 1);
    assert_int_equal(chmod("secret", S_IRUSR | S_IWUSR), 0);
    web_start(&server);
    snprintf(url, sizeof url, "http://127.0.0.1:%d", server.port);
    const struct tw_remote_options options = {.url = url, .secret_file = "secret", .wait = 60};
    assert_int_equal(tw_remote_open(&options, &remote, NULL), TW_OK);
    return 0;
}

static int clean_up(void **state)
{
    tw_remote_release(remote);
    web_stop(&server);
    return command_tear_down(state);
}

static struct tw_sha256 key_of(const char *name) { return tw_sha256_of(name, strlen(name)); }

static bool give(const char *name, const char *text)
{
    struct tw_sha256 key = key_of(name);
    return tw_remote_give_text(remote, &key, text, strlen(text));
}

static bool take(const char *name, const char *expected)
{
    struct tw_sha256 key = key_of(name);
    struct tw_bytes text = {0};
    bool ok = tw_remote_take_text(remote, &key, &text);
    if (ok) {
        assert_int_equal(text.length, strlen(expected));
        assert_memory_equal(text.at, expected, text.length);
    }
    free(text.at);
    return ok;
}

static void what_was_given_is_taken(void **state)
{
    (void)state;
    assert_false(take("a", ""));
    assert_true(give("a", "first"));
    assert_true(give("b", "the second"));
    assert_true(take("a", "first"));
    assert_true(give("a", "again"));
    assert_true(take("a", "again"));
    assert_true(take("b", "the second"));
    assert_true(give("nothing", ""));
    assert_true(take("nothing", ""));
}

static void what_was_not_given_is_a_miss(void **state)
{
    static const enum web_fault faults[] = {WEB_FLIPPED, WEB_SHORT,    WEB_HALF,    WEB_LONG,
                                            WEB_SWAPPED, WEB_REDIRECT, WEB_GARBAGE, WEB_HANG_UP};
    (void)state;
    assert_true(give("first", "its text"));
    assert_true(give("a", "the text"));
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        atomic_store(&server.fault, faults[i]);
        assert_false(take("a", ""));
        atomic_store(&server.fault, WEB_NONE);
        if (tw_remote_answers(remote)) /* three failures in a row end it */
            assert_true(take("a", "the text"));
    }
    web_damage(&server, "/");
    assert_false(take("a", ""));
}

static void a_long_text_is_not_sent(void **state)
{
    struct tw_sha256 key = key_of("long");
    char *text = calloc(1, TW_REMOTE_TEXT_MAX + 1);
    (void)state;
    assert_non_null(text);
    assert_false(tw_remote_give_text(remote, &key, text, TW_REMOTE_TEXT_MAX + 1));
    assert_int_equal(web_requests(&server), 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, prepare, clean_up)
        TEST(what_was_given_is_taken),
        TEST(what_was_not_given_is_a_miss),
        TEST(a_long_text_is_not_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
