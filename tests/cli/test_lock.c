/* SPDX-License-Identifier: MIT */
/* `thalweg lock`: what a lock holds, when it is replaced, and what damaged ones do to `verify`. */
#include "support/gate.h"

#include <sys/stat.h>

/* ---- what it holds ---- */

static void a_lock_has_what_the_issue_names(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    char *lock = read_text("hills.yaml.lock");
    contains(lock, "thalweg-lock: 2\nengine: \"");
    contains(lock, "\"height.png\":\n    greatest: ");
    contains(lock, "\"score\":\n    sha256: \"");
    contains(lock, "size: [64, 64]\n    type: heightmap\n");
    contains(lock, "params: {");
    contains(lock, "talus: \"8\"");
    contains(lock, "version: \"");
    free(lock);
}

static void locking_again_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    char *first = read_text("hills.yaml.lock");
    write_text("hills.yaml.lock.99-0.tmp", ""); /* of one that was killed */
    assert_int_equal(run("lock hills.yaml --no-cache -j 8"), 0);
    contains(result.out, "unchanged");
    assert_false(exists("hills.yaml.lock.99-0.tmp"));
    char *second = read_text("hills.yaml.lock");
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void every_key_of_a_lock_is_sorted(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    char *lock = read_text("hills.yaml.lock"), *rest = lock, last[100] = "";
    int keys = 0;
    for (char *line; (line = strtok_r(rest, "\n", &rest));)
        if (line[0] != ' ' && strncmp(line, "thalweg-lock", 12) != 0) {
            assert_true(strcmp(last, line) < 0);
            snprintf(last, sizeof last, "%s", line);
            keys++;
        }
    assert_int_equal(keys, 6);
    free(lock);
}

static void what_was_set_has_one_order(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 8\nparams: {rough: 0.5, lift: 0}\nnodes:\n"
                               "  n: {type: noise.perlin, persistence: \"${rough}\"}\n"
                               "  r: {type: shape.remap, in: n, to: [\"${lift}\", 2]}\n"
                               "outputs: {r: r}\n";
    (void)state;
    write_text("set.yaml", text);
    assert_int_equal(run("lock set.yaml -s rough=0.25 -s lift=1"), 0);
    char *first = read_text("set.yaml.lock");
    assert_int_equal(unlink("set.yaml.lock"), 0);
    assert_int_equal(run("lock set.yaml -s lift=1 -s rough=0.25"), 0);
    char *second = read_text("set.yaml.lock");
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void a_lock_replaces_no_recipe(void **state)
{
    (void)state;
    write_recipe("hills.yaml.lock", 7, "");
    char *before = read_text("hills.yaml.lock");
    assert_true(run("lock hills.yaml hills.yaml.lock") > 1);
    contains(result.err, "'hills.yaml.lock' would overwrite a recipe of this run");
    char *after = read_text("hills.yaml.lock");
    assert_string_equal(before, after);
    assert_false(exists("hills.yaml.lock.lock"));
    free(before);
    free(after);
}

/* ---- faults of locks ---- */

static void a_missing_lock_names_the_command(void **state)
{
    (void)state;
    assert_int_equal(run("verify hills.yaml"), 3);
    contains(result.err, "hills.yaml.lock");
    contains(result.err, "'thalweg lock hills.yaml' writes one");
}

static void wrong_locks_are_refused_at_their_line(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } rows[] = {
        {"thalweg-lock: 2", "thalweg-lock: 3",
         "hills.yaml.lock:1:15: error: the lock has version '3'; this engine, "},
        {"thalweg-lock: 2", "thalweg-lock: 0", "the lock has version '0'"},
        {"thalweg-lock: 2", "thalweg-lock: [1]", "the lock has version ''"},
        {"size: [64, 64]\n    type: heightmap", "size: [64.5, 64]\n    type: heightmap",
         "expected a size"},
        {"size: [64, 64]\n    type: heightmap", "size: [63, 64]\n    type: heightmap",
         "size is [63, 64]; its SHA-256 is that of [64, 64]"},
        {"type: heightmap", "type: banana", "hills.yaml.lock:8:3: error: height.png: type is "},
        {"least: 0", "least: 9", "its SHA-256 is that of 0."},
        {"in: \"noise.out\"", "in: \"nose.out\"", "the lock has no node 'nose'"},
        {"given: {}", "given: {}\ngiven: {}", "duplicate key 'given'; the first is in line "},
        {"given: {}", "given: {size: \"64\"}", "expected a size as in"},
        {"given: {}", "given: {seed: \"-\"}", "expected a seed"},
        {"given: {}", "given: {seeds: \"1\"}", "expected seed, size or set.NAME"},
        {"given: {}", "given: {set.none: \"1\"}", ": error: 'none' is not a parameter of hills."},
        {"  \"noise\":", "  \"eroded\":", "duplicate key 'eroded'"},
        {"thalweg-lock: 2", "thalweg: 1", "this is not a lock file"},
        {"size: [64, 64]\n    type: heightmap", "size: [64]\n    type: heightmap",
         "expected a size"},
        {"greatest: ", "greatest: much", "expected a number"},
        {"sha256: \"", "sha256: \"zz", "expected a SHA-256"},
        {"nodes:", "nods:", "did you mean 'nodes'"},
        {"outputs:", "outputs: [", "hills.yaml.lock:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unlink("hills.yaml.lock");
        assert_int_equal(run("lock hills.yaml"), 0);
        edit("hills.yaml.lock", rows[i].from, rows[i].to);
        assert_int_equal(run("verify hills.yaml"), 3);
        contains(result.err, rows[i].message);
        contains(result.err, "hills.yaml.lock:");
        assert_false(exists("verify")); /* nothing is written */
    }
}

/* A recipe that has fewer or more results than its lock. */
static void results_come_and_go(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    edit("hills.yaml", "side: side}", "edge: side}");
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.out, "outputs: edge (new), side (missing)\n");
    edit("hills.yaml", "shade.png: shade,\n", "");
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.out, "exports: shade.png (missing)\n");
}

/* Of a node that the lock has, it can be compared with the map of that. */
static void a_new_output_is_no_edited_one(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    edit("hills.yaml", "side: side}", "side: side, again: eroded}");
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.out, "    again: a new output, whose map stays the same\n");
    contains(result.out, "  outputs: again (new)\n");
    assert_null(strstr(result.out, "SHA-256"));
}

enum { DIGITS = 64 };

/* Changes the digest of an entry of the lock; what it was and what it is. */
static void edit_digest(const char *entry, char before[DIGITS + 1], char after[DIGITS + 1])
{
    unsigned char *lock = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read("hills.yaml.lock", 1 << 20, &lock, &length, NULL), TW_OK);
    char *digits = strstr((char *)lock, entry);
    digits = digits ? strstr(digits, "sha256: \"") : NULL;
    assert_non_null(digits);
    digits += strlen("sha256: \"");
    snprintf(before, DIGITS + 1, "%s", digits);
    digits[0] = digits[0] == 'a' ? 'b' : 'a';
    snprintf(after, DIGITS + 1, "%s", digits);
    command_write("hills.yaml.lock", lock, length);
    free(lock);
}

static void an_edited_digest_is_told_from_a_change(void **state)
{
    char before[DIGITS + 1], after[DIGITS + 1];
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    edit_digest("outputs:\n  \"height\":\n", before, after);
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.out,
             "height: computed again from the lock it is as now: its SHA-256 was edited");
}

/* No map of it is computed again, and no node says why. */
static void an_edited_digest_of_an_export_is_shown(void **state)
{
    char before[DIGITS + 1], after[DIGITS + 1], line[400];
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    edit_digest("  \"height.png\":\n", before, after);
    assert_int_equal(run("verify hills.yaml"), 1);
    snprintf(line, sizeof line,
             "  exports: height.png\n    height.png: its SHA-256 is %s; expected %s\n", before,
             after);
    contains(result.out, line);
    assert_int_equal(run("verify hills.yaml -q --format github"), 1);
    snprintf(line, sizeof line,
             "::error file=hills.yaml,line=11,col=10,title=thalweg::hills.yaml differs from "
             "hills.yaml.lock, first in export height.png%%0Asha256: %s -> %s\n",
             after, before);
    contains(result.err, line);
}

/* Half a lock is one; anything else that has the name stays. */
static void a_lock_replaces_locks_only(void **state)
{
    (void)state;
    write_text("hills.yaml.lock", "bread\nmilk\n");
    assert_int_equal(run("lock hills.yaml"), 3);
    contains(result.err, "hills.yaml.lock is not a lock, and would be overwritten");
    assert_int_equal(run("verify hills.yaml"), 3);
    contains(result.err, "this is not a lock file");
    char *after = read_text("hills.yaml.lock");
    assert_string_equal(after, "bread\nmilk\n");
    write_text("hills.yaml.lock", "thalweg-lock: 1\nnodes: {\"");
    assert_int_equal(run("lock hills.yaml"), 0);
    write_text("hills.yaml.lock", "");
    assert_int_equal(run("verify hills.yaml"), 3);
    contains(result.err, "hills.yaml.lock:1:1: error: the file is empty");
    assert_int_equal(run("lock hills.yaml"), 0);
    assert_int_equal(run("verify hills.yaml"), 0);
    free(after);
}

static void a_lock_needs_a_place(void **state)
{
    (void)state;
    assert_int_equal(mkdir("hills.yaml.lock", 0777), 0);
    assert_int_equal(run("lock hills.yaml"), 4);
    contains(result.err, "cannot write hills.yaml.lock: Is a directory");
    assert_int_equal(run("verify hills.yaml"), 3);
    contains(result.err, "cannot read hills.yaml.lock: not a regular file");
}

/* A lock may be cut anywhere: never a crash, never a verdict of "same". */
static void half_a_lock_is_no_lock(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    char *lock = read_text("hills.yaml.lock");
    size_t length = strlen(lock);
    for (size_t cut = 0; cut + 2 < length; cut += 61) {
        command_write("hills.yaml.lock", lock, cut);
        int code = run("verify hills.yaml");
        assert_true(code == 3 || code == 1);
    }
    free(lock);
}

/* Facts that were edited by hand change no verdict: results decide. What cannot be built again is
 * said. */
static void edited_facts_never_crash(void **state)
{
    static const char *const rows[][2] = {
        {"type: \"erosion.thermal\"", "type: \"erosion.none\""},
        {"version: \"", "version: \"9"},
        {"in: \"noise.out\"", "in: \"noise.none\""},
        {"in: \"noise.out\"", "in: \"score.record\""},
        {"in: \"noise.out\"", "in: \"eroded.out\""},
        {"talus: \"8\"", "talus: \"-8\""},
        {"width: \"64\"", "width: \"100000000\""},
        {"seed: \"", "seed: \"x"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_recipe("hills.yaml", 8, "");
        unlink("hills.yaml.lock");
        assert_int_equal(run("lock hills.yaml"), 0);
        edit("hills.yaml.lock", rows[i][0], rows[i][1]);
        assert_int_equal(run("verify hills.yaml"), 0);
        write_recipe("hills.yaml", 6, "");
        assert_int_equal(run("verify hills.yaml"), 1);
        contains(result.out, "cannot be computed");
        char *page = read_text("verify/index.html");
        contains(page, "<code>git worktree add ../earlier COMMIT</code>");
        contains(page, "<code>thalweg verify hills.yaml --before ../earlier/out</code>");
        free(page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(a_lock_has_what_the_issue_names),
        GATE_TEST(locking_again_changes_nothing),
        GATE_TEST(every_key_of_a_lock_is_sorted),
        GATE_TEST(what_was_set_has_one_order),
        GATE_TEST(a_lock_replaces_no_recipe),
        GATE_TEST(a_missing_lock_names_the_command),
        GATE_TEST(wrong_locks_are_refused_at_their_line),
        GATE_TEST(results_come_and_go),
        GATE_TEST(a_new_output_is_no_edited_one),
        GATE_TEST(an_edited_digest_is_told_from_a_change),
        GATE_TEST(an_edited_digest_of_an_export_is_shown),
        GATE_TEST(a_lock_replaces_locks_only),
        GATE_TEST(a_lock_needs_a_place),
        GATE_TEST(half_a_lock_is_no_lock),
        GATE_TEST(edited_facts_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
