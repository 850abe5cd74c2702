/* SPDX-License-Identifier: MIT */
/* Watching files: every way of saving counts, files that are not watched do not. Another thread
 * saves while this one waits; nothing here measures time. */
#include "support/command.h"
#include "support/folder.h"
#include "support/recipe.h"
#include "support/until.h"

#include "runner/watch.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

static void file(const char *name, const char *text) { command_write(name, text, strlen(text)); }

static void replace_by_rename(void)
{
    file("a.txt.new", "second");
    assert_int_equal(rename("a.txt.new", "a.txt"), 0);
}

static void write_in_place(void) { file("a.txt", "longer than before"); }

/* As editors do that keep the old file under another name. */
static void move_away_and_write(void)
{
    assert_int_equal(rename("a.txt", "a.txt~"), 0);
    file("a.txt", "another one");
}

static void save_others_first(void)
{
    file("c.txt", "not watched");
    file("b.txt", "it is this one");
}

/* As cp -p and rsync --inplace -t do: another text of the same size and time. */
static void write_in_place_with_the_old_time(void)
{
    struct stat old;
    assert_int_equal(stat("b.txt", &old), 0);
    file("b.txt", "it is this too");
    const struct timespec times[2] = {old.st_atim, old.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, "b.txt", times, 0), 0);
}

static void allow_reading(void) { assert_int_equal(chmod("a.txt", 0640), 0); }

static volatile int stop;
static void stop_waiting(void) { __atomic_store_n(&stop, 1, __ATOMIC_RELAXED); }

static long waiter; /* a thread's number */

static void act(void *save)
{
    UNTIL(until_is_asleep(waiter)); /* most often in the wait; either order is right */
    (*(void (**)(void))save)();
}

/* `waiter` is the calling thread, which is the process's first one. */
static enum tw_status wait_while(void (*save)(void), struct tw_watch *watch, const char **changed)
{
    uv_thread_t thread;
    waiter = (long)getpid();
    assert_int_equal(uv_thread_create(&thread, act, &save), 0);
    enum tw_status status = tw_watch_wait(watch, &stop, changed);
    assert_int_equal(uv_thread_join(&thread), 0);
    return status;
}

static void every_way_of_saving_is_noticed(void **state)
{
    static void (*const ways[])(void) = {replace_by_rename,
                                         write_in_place,
                                         move_away_and_write,
                                         save_others_first,
                                         write_in_place_with_the_old_time,
                                         allow_reading};
    static const char *const expected[] = {"a.txt", "a.txt", "a.txt", "b.txt", "b.txt", "a.txt"};
    struct tw_watch *watch = NULL;
    const char *changed = NULL;
    (void)state;
    stop = 0;
    file("a.txt", "first");
    file("b.txt", "first");
    file("c.txt", "first");
    assert_int_equal(tw_watch_create(&watch, NULL), TW_OK);
    assert_int_equal(tw_watch_add(watch, "a.txt", NULL), TW_OK);
    assert_int_equal(tw_watch_add(watch, "b.txt", NULL), TW_OK);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        assert_int_equal(wait_while(ways[i], watch, &changed), TW_OK);
        assert_string_equal(changed, expected[i]);
    }
    tw_watch_release(watch);
}

static volatile int heard, quiet;

/* Saves, and then writes another file of the folder all the time, for a minute at least. */
static void save_amid_noise(void *unused)
{
    (void)unused;
    file("a.txt", "saved");
    for (int i = 0; i < 60000 && !__atomic_load_n(&heard, __ATOMIC_RELAXED); i++) {
        file("log.txt", "more");
        until_pause();
    }
    __atomic_store_n(&quiet, 1, __ATOMIC_RELAXED);
}

/* A log in the folder of a recipe must not keep it from running again. */
static void a_busy_folder_hides_no_change(void **state)
{
    struct tw_watch *watch = NULL;
    const char *changed = NULL;
    uv_thread_t thread;
    (void)state;
    stop = heard = quiet = 0;
    file("a.txt", "first");
    assert_int_equal(tw_watch_create(&watch, NULL), TW_OK);
    assert_int_equal(tw_watch_add(watch, "a.txt", NULL), TW_OK);
    assert_int_equal(uv_thread_create(&thread, save_amid_noise, NULL), 0);
    assert_int_equal(tw_watch_wait(watch, &stop, &changed), TW_OK);
    const int was_quiet = __atomic_load_n(&quiet, __ATOMIC_RELAXED);
    __atomic_store_n(&heard, 1, __ATOMIC_RELAXED);
    assert_int_equal(uv_thread_join(&thread), 0);
    assert_string_equal(changed, "a.txt");
    assert_int_equal(was_quiet, 0);
    tw_watch_release(watch);
}

/* An editor moves a file away to write it anew; whoever deletes it does not. */
static void a_deleted_file_has_changed(void **state)
{
    struct tw_watch *watch = NULL;
    const char *changed = NULL;
    (void)state;
    stop = 0;
    file("a.txt", "first");
    assert_int_equal(tw_watch_create(&watch, NULL), TW_OK);
    assert_int_equal(tw_watch_add(watch, "a.txt", NULL), TW_OK);
    assert_int_equal(unlink("a.txt"), 0);
    assert_int_equal(tw_watch_wait(watch, &stop, &changed), TW_OK);
    assert_string_equal(changed, "a.txt");
    file("b.txt", "first"); /* that one stays away, which is no change of it */
    assert_int_equal(tw_watch_add(watch, "b.txt", NULL), TW_OK);
    file("b.txt", "and second");
    assert_int_equal(tw_watch_wait(watch, &stop, &changed), TW_OK);
    assert_string_equal(changed, "b.txt");
    file("a.txt", "first");
    assert_int_equal(tw_watch_wait(watch, &stop, &changed), TW_OK);
    assert_string_equal(changed, "a.txt");
    tw_watch_release(watch);
}

static volatile int noticed;
static void notice(void) { __atomic_store_n(&noticed, 1, __ATOMIC_RELAXED); }

/* Beside a run: what changes meanwhile is noticed once, and ends nothing when there is none. */
static void a_run_is_followed(void **state)
{
    struct tw_watch *watch = NULL;
    const char *changed = NULL;
    (void)state;
    stop = noticed = 0;
    file("a.txt", "first");
    assert_int_equal(tw_watch_create(&watch, NULL), TW_OK);
    assert_int_equal(tw_watch_add(watch, "a.txt", NULL), TW_OK);
    tw_watch_follow(watch, &stop, notice);
    assert_null(tw_watch_leave(watch));
    assert_int_equal(noticed, 0);
    tw_watch_follow(watch, &stop, notice);
    replace_by_rename();
    UNTIL(__atomic_load_n(&noticed, __ATOMIC_RELAXED));
    assert_string_equal(tw_watch_leave(watch), "a.txt");
    noticed = 0;
    tw_watch_follow(watch, &stop, notice);
    stop_waiting();
    assert_null(tw_watch_leave(watch));
    assert_int_equal(noticed, 0);
    assert_int_equal(tw_watch_wait(watch, &stop, &changed), TW_CANCELLED);
    assert_null(tw_watch_leave(watch)); /* nothing is followed */
    tw_watch_release(watch);
}

static void a_change_before_waiting_counts(void **state)
{
    struct tw_watch *watch = NULL;
    const char *changed = NULL;
    (void)state;
    stop = 0;
    file("a.txt", "first");
    assert_int_equal(tw_watch_create(&watch, NULL), TW_OK);
    assert_int_equal(tw_watch_add(watch, "a.txt", NULL), TW_OK);
    replace_by_rename();
    assert_int_equal(tw_watch_add(watch, "a.txt", NULL), TW_OK); /* keeps what it was */
    assert_int_equal(tw_watch_wait(watch, &stop, &changed), TW_OK);
    assert_string_equal(changed, "a.txt");
    assert_int_equal(wait_while(stop_waiting, watch, &changed), TW_CANCELLED);
    tw_watch_release(watch);
}

static void add(void *watch, const char *path)
{
    assert_int_equal(tw_watch_add(watch, path, NULL), TW_OK);
}

static void a_recipe_is_followed_with_all_that_it_reads(void **state)
{
    struct tw_watch *watch = NULL;
    struct tw_recipe *recipe = NULL;
    const char *changed = NULL;
    (void)state;
    stop = 0;
    file("part.yaml", "thalweg: 1\nnodes: {n: {type: source.constant}}\noutputs: {o: n}\n");
    file("whole.yaml", "thalweg: 1\nnodes: {p: {type: ./part.yaml}}\noutputs: {o: p}\n");
    file("old.yaml", "not read any more");
    assert_int_equal(tw_watch_create(&watch, NULL), TW_OK);
    assert_int_equal(tw_watch_add(watch, "old.yaml", NULL), TW_OK);
    const struct tw_load_options options = {.reads = add, .context = watch};
    tw_watch_begin(watch);
    assert_int_equal(tw_recipe_load("whole.yaml", &options, &recipe, NULL), TW_OK);
    tw_watch_end(watch);
    tw_recipe_release(recipe);
    file("old.yaml", "changed, which counts for nothing");
    file("part.yaml", "thalweg: 1\nnodes: {m: {type: source.constant}}\noutputs: {o: m}\n");
    assert_int_equal(tw_watch_wait(watch, &stop, &changed), TW_OK);
    assert_non_null(strstr(changed, "part.yaml"));
    tw_watch_release(watch);
}

static void write_map(void) { file("map.r16", "1234"); }
static void write_sidecar(void) { file("map.json", "{}"); }

/* What a recipe does not load for: its file, then that file's sidecar. */
static void what_is_missing_is_waited_for(void **state)
{
    static const char text[] = "thalweg: 1\nnodes: {m: {type: source.heightmap, file: map.r16}}\n"
                               "outputs: {o: m}\n";
    static void (*const ways[])(void) = {write_map, write_sidecar};
    static const char *const expected[] = {"map.r16", "map.json"};
    struct tw_watch *watch = NULL;
    struct tw_recipe *recipe = NULL;
    const char *changed = NULL;
    (void)state;
    stop = 0;
    assert_int_equal(tw_watch_create(&watch, NULL), TW_OK);
    const struct tw_load_options options = {.reads = add, .context = watch};
    for (int i = 0; i < 2; i++) {
        tw_watch_begin(watch);
        assert_int_equal(tw_recipe_parse(text, strlen(text), "m.yaml", &options, &recipe, NULL),
                         TW_INPUT);
        assert_int_equal(wait_while(ways[i], watch, &changed), TW_OK);
        assert_non_null(strstr(changed, expected[i]));
    }
    tw_watch_release(watch);
}

/* Looks at files, by the engine (--wrap=uv_fs_stat). */
static atomic_int looks;

int __real_uv_fs_stat(uv_loop_t *loop, uv_fs_t *request, const char *path, uv_fs_cb then);
int __wrap_uv_fs_stat(uv_loop_t *loop, uv_fs_t *request, const char *path, uv_fs_cb then);
int __wrap_uv_fs_stat(uv_loop_t *loop, uv_fs_t *request, const char *path, uv_fs_cb then)
{
    atomic_fetch_add(&looks, 1);
    return __real_uv_fs_stat(loop, request, path, then);
}

/* The file comes when the folder's events are over: all that they lead to is one look. */
static void make_folder_and_write(void *unused)
{
    (void)unused;
    UNTIL(until_is_asleep((long)getpid()));
    folder_remove("deep");
    assert_int_equal(mkdir("deep", 0777), 0);
    int before = atomic_load(&looks);
    UNTIL(atomic_load(&looks) >= before + 2);
    file("deep/a.txt", "another one");
}

static enum tw_status wait_for_folder(struct tw_watch *watch, const char **changed)
{
    uv_thread_t thread;
    stop = 0;
    assert_int_equal(uv_thread_create(&thread, make_folder_and_write, NULL), 0);
    enum tw_status status = tw_watch_wait(watch, &stop, changed);
    assert_int_equal(uv_thread_join(&thread), 0);
    return status;
}

/* First one that is not there, then, as by a checkout, another in its place. */
static void a_folder_may_be_made_anew(void **state)
{
    struct tw_watch *watch = NULL;
    struct tw_error error;
    const char *changed = NULL;
    (void)state;
    assert_int_equal(tw_watch_create(&watch, NULL), TW_OK);
    assert_int_equal(tw_watch_add(watch, "deep/a.txt", &error), TW_IO);
    assert_non_null(strstr(error.message, "cannot watch the folder deep"));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(wait_for_folder(watch, &changed), TW_OK);
        assert_string_equal(changed, "deep/a.txt");
        tw_watch_add(watch, "deep/a.txt", NULL);
    }
    tw_watch_release(watch);
}

static void add_a_tile(void) { file("land_1_0.txt", "tile"); }

static void move_a_tile_in(void)
{
    file("new.txt", "tile");
    assert_int_equal(rename("new.txt", "land_2_0.txt"), 0);
}

static void remove_a_tile(void) { assert_int_equal(unlink("land_0_0.txt"), 0); }

/* Files of other names, and hidden ones of programs that copy, are none. */
static void add_others_first(void)
{
    file(".land_3_0.txt", "part of a tile");
    file("land_3_0.txt~", "tile");
    file("land_3_0.txt", "tile");
}

static void a_pattern_is_followed_by_its_files(void **state)
{
    static void (*const ways[])(void) = {add_a_tile, move_a_tile_in, remove_a_tile,
                                         add_others_first};
    struct tw_watch *watch = NULL;
    const char *changed = NULL;
    (void)state;
    stop = 0;
    file("land_0_0.txt", "tile");
    assert_int_equal(tw_watch_create(&watch, NULL), TW_OK);
    assert_int_equal(tw_watch_add(watch, "land_*.txt", NULL), TW_OK);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        assert_int_equal(wait_while(ways[i], watch, &changed), TW_OK);
        assert_string_equal(changed, "land_*.txt");
    }
    tw_watch_release(watch);
}

int main(void)
{
    (void)alarm(300); /* a change that is never heard fails the test */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_of_saving_is_noticed),
        cmocka_unit_test(a_busy_folder_hides_no_change),
        cmocka_unit_test(a_deleted_file_has_changed),
        cmocka_unit_test(a_run_is_followed),
        cmocka_unit_test(a_change_before_waiting_counts),
        cmocka_unit_test(a_recipe_is_followed_with_all_that_it_reads),
        cmocka_unit_test(what_is_missing_is_waited_for),
        cmocka_unit_test(a_folder_may_be_made_anew),
        cmocka_unit_test(a_pattern_is_followed_by_its_files),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
