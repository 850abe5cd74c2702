/* SPDX-License-Identifier: MIT */
/* Kills other commands than `run`, one after the other, at random moments or as soon as they write.
 * What they write is whole or not there; the same command goes on from there, writes the bytes that
 * it writes undisturbed, and leaves no temporary file.
 *
 *   kill_commands [--count N] [--seed N] [--only TEXT]     of commands with that text in them
 *
 * CI kills 14; anyone may kill more. */
#include "trust/killing.h"

#include "support/command.h"
#include "support/folder.h"
#include "support/harness.h"
#include "support/sample.h"
#include "support/sample_formats.h"
#include "support/web_process.h"

#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 3 };

struct trial {
    const char *command;      /* that is killed, and then goes on */
    const char *folder;       /* where it writes; no temporary file stays there, but in a cache */
    const char *files[FILES]; /* that it writes */
    void (*prepare)(void);
    void (*check)(void); /* after the next one */
};

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

static void expect_success(const char *command)
{
    killing_expect_success(command_start(command), command);
}

static void run_into(const char *command, const char *folder)
{
    char text[300];
    snprintf(text, sizeof text, "%s %s", command, folder);
    expect_success(text);
}

/* ---- files ---- */

static void copy_of(const char *file, char path[300])
{
    snprintf(path, 300, "undisturbed/%s", file);
    for (char *at = path + strlen("undisturbed/"); *at; at++)
        if (*at == '/')
            *at = '_';
}

/* Pages and shards have times, and an end that says that they are whole. */
static bool is_whole(const char *file, const char *text, const char *undisturbed)
{
    if (strstr(file, ".html"))
        return strcmp(text + strlen(text) - strlen("</html>\n"), "</html>\n") == 0;
    const char *end = strstr(file, ".jsonl") ? strstr(text, "\n{\"end\":") : NULL;
    return end ? strchr(end + 1, '\n') != NULL : strcmp(text, undisturbed) == 0;
}

/* False when the file is not there. */
static bool check_file(const char *file)
{
    char path[300];
    unsigned char *found = NULL, *undisturbed = NULL;
    size_t length = 0;
    if (access(file, F_OK) != 0)
        return false;
    copy_of(file, path);
    assert_int_equal(tw_file_read(file, 1 << 24, &found, &length, NULL), TW_OK);
    assert_true(length > strlen("</html>\n"));
    assert_int_equal(tw_file_read(path, 1 << 24, &undisturbed, &length, NULL), TW_OK);
    if (!is_whole(file, (const char *)found, (const char *)undisturbed))
        fail_msg("%s is not whole", file);
    free(found);
    free(undisturbed);
    return true;
}

static void check_files(const struct trial *trial, bool all)
{
    for (int i = 0; i < FILES && trial->files[i]; i++)
        if (!check_file(trial->files[i]) && all)
            fail_msg("%s does not write %s", trial->command, trial->files[i]);
}

static void remove_files(const struct trial *trial)
{
    for (int i = 0; i < FILES && trial->files[i]; i++)
        folder_remove(trial->files[i]);
}

/* ---- trials ---- */

static void start_with_another_cache(void)
{
    if (dice_below(&killing_dice, 3) == 0)
        folder_remove("cache");
}

static void check_shards(void)
{
    expect_success("compare experiment.yaml --gather shards other -q --csv gathered.csv");
    assert_true(check_file("gathered.csv"));
}

static void start_with_new_files(void) { folder_remove("out"); }
static void check_assets(void) { sample_check(false, false); }

/* Quick nodes, whose actions share files of the cache: others for each salt, beside those before,
 * so that packs are merged, too. */
static void start_with_other_packs(void)
{
    if (dice_below(&killing_dice, 30) == 0)
        folder_remove("quick");
    folder_remove("out");
    sample_formats_write_packs((int)dice_below(&killing_dice, SAMPLE_SALTS));
}

static void start_with_an_empty_server(void) { web_process_start(); }

/* Another machine gets the right files from the server. */
static void check_server(void)
{
    folder_remove("elsewhere");
    run_into("run recipe.yaml -q --cache-dir elsewhere -o", "out");
    sample_check(true, false);
    folder_remove("elsewhere");
    web_process_stop();
}

static void start_with_a_full_server(void)
{
    web_process_start();
    expect_success("cache push recipe.yaml --cache-dir full");
    folder_remove("elsewhere");
}

/* Without the server: what was pulled is right. */
static void check_pulled(void)
{
    web_process_stop();
    run_into("run recipe.yaml -q --cache-dir elsewhere -o", "out");
    sample_check(true, false);
    (void)killing_sweep("elsewhere");
}

static void start_with_a_full_cache(void)
{
    run_into("run recipe.yaml -q --cache-dir cache -o", "out");
}

static void check_cache(void)
{
    start_with_a_full_cache();
    sample_check(true, false);
}

static const struct trial trials[] = {
    {"compare experiment.yaml -q --json --csv out.csv --html page.html --cache-dir cache",
     ".",
     {"out.csv", "page.html"},
     start_with_another_cache,
     NULL},
    {"compare experiment.yaml -q --shard 1/2 -o shards --cache-dir cache",
     "shards",
     {"shards/shard-1-of-2.jsonl"},
     start_with_another_cache,
     check_shards},
    {"compare experiment.yaml -q --gather both --csv gathered.csv --html gathered.html",
     ".",
     {"gathered.csv", "gathered.html"},
     NULL,
     NULL},
    {"judge experiment.yaml -q --html judge.html --pairs 2 --cache-dir cache",
     ".",
     {"judge.html"},
     start_with_another_cache,
     NULL},
    {"lock recipe.yaml -q --cache-dir cache",
     ".",
     {"recipe.yaml.lock"},
     start_with_another_cache,
     NULL},
    {"verify locked.yaml -q --cache-dir cache", ".", {NULL}, start_with_another_cache, NULL},
    {"verify locked.yaml -q --update --yes --cache-dir cache",
     ".",
     {NULL},
     start_with_another_cache,
     NULL},
    {"run assets.yaml -q -o out/assets --no-cache",
     "out",
     {NULL},
     start_with_new_files,
     check_assets},
    {"run bands.yaml -q -o out/bands --no-cache --bands=5",
     "out",
     {NULL},
     start_with_new_files,
     check_assets},
    {"run packs.yaml -q -o out/packs --cache-dir quick",
     "quick",
     {NULL},
     start_with_other_packs,
     check_assets},
    {"cache push recipe.yaml --cache-dir full",
     "full",
     {NULL},
     start_with_an_empty_server,
     check_server},
    {"cache pull recipe.yaml --cache-dir elsewhere",
     "elsewhere",
     {NULL},
     start_with_a_full_server,
     check_pulled},
    {"cache gc --max-size 2K --cache-dir cache",
     "cache",
     {NULL},
     start_with_a_full_cache,
     check_cache},
    {"cache clear --cache-dir cache", "cache", {NULL}, start_with_a_full_cache, check_cache},
};
enum { TRIALS = sizeof trials / sizeof *trials };

static double seconds[TRIALS]; /* that each takes undisturbed */
static int chosen[TRIALS], chosen_count;

static void choose(int argc, char **argv)
{
    const char *text = "";
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--only") == 0)
            text = argv[i + 1];
    for (int t = 0; t < TRIALS; t++)
        if (strstr(trials[t].command, text))
            chosen[chosen_count++] = t;
    if (chosen_count == 0)
        fail_msg("no command has %s in it", text);
}

/* ---- what is undisturbed ---- */

static void write_recipes(void)
{
    sample_write();
    write_text("assets.yaml", "thalweg: 1\nsize: 65\nworld: {side_m: 100, height_m: 20}\n"
                              "nodes:\n  h: {type: noise.perlin}\n"
                              "  m: {type: mask.height, in: h, low: 0.5}\n"
                              "export:\n"
                              "  part.r16: {from: h, tiles: {cells: 33, share_edge: true}, "
                              "sidecar: true}\n"
                              "  g.exr: {from: h, for: godot}\n"
                              "  h.tif: h\n  h.obj: h\n  h.glb: h\n  s.png: [m, m]\n");
    write_text("bands.yaml", "thalweg: 1\nsize: [170, 110]\nnodes:\n  h: {type: noise.perlin}\n"
                             "  i: {type: shape.invert, in: h}\n"
                             "  m: {type: mask.slope, in: i}\n"
                             "export: {h.npy: i, m.r16: m, n.r32: h}\n");
    run_into("run assets.yaml -q --no-cache -o", "expected/assets");
    run_into("run bands.yaml -q --no-cache -o", "expected/bands");
    sample_formats_write_packs(0);
    run_into("run packs.yaml -q --no-cache -o", "expected/packs");
    run_into("run recipe.yaml -q --cache-dir full -o", "expected");
    expect_success("compare experiment.yaml -q --no-cache --shard 2/2 -o other");
    expect_success("compare experiment.yaml -q --no-cache --shard 1/2 -o both");
    expect_success("compare experiment.yaml -q --no-cache --shard 2/2 -o both");
    assert_int_equal(link("recipe.yaml", "locked.yaml"), 0);
    expect_success("lock locked.yaml -q --no-cache");
}

/* Keeps the files that the trial writes, and how long it takes. */
static void measure(int t)
{
    char path[300];
    killing_dice.throws = 0;
    if (trials[t].prepare)
        trials[t].prepare();
    double begin = killing_now();
    expect_success(trials[t].command);
    seconds[t] = killing_now() - begin;
    for (int i = 0; i < FILES && trials[t].files[i]; i++) {
        copy_of(trials[t].files[i], path);
        assert_int_equal(rename(trials[t].files[i], path), 0);
    }
}

static bool kill_one(int t)
{
    const struct trial *trial = &trials[t];
    remove_files(trial);
    if (trial->prepare)
        trial->prepare();
    bool hit = killing_kill(command_start(trial->command), trial->folder, 1.1 * seconds[t]);
    check_files(trial, false);
    expect_success(trial->command);
    check_files(trial, true);
    if (trial->check)
        trial->check();
    return hit;
}

/* None beside the files of commands; those of caches once they are old. */
static void expect_no_temporary_files(void)
{
    static const char *const caches[] = {"cache", "full", "quick"};
    for (int i = 0; i < 3; i++)
        (void)killing_sweep(caches[i]);
    if (sample_count_temporary(".") > 0)
        fail_msg("temporary files stay beside what was written");
}

int main(int argc, char **argv)
{
    long hits = 0;
    killing_begin(argc, argv, TRIALS, "kill_commands");
    choose(argc, argv);
    unsetenv("CI");
    command_enter();
    mkdir("undisturbed", 0777);
    write_recipes();
    for (int i = 0; i < chosen_count; i++)
        measure(chosen[i]);
    while (killing_next()) {
        hits += kill_one(chosen[(killing_done - 1) % chosen_count]);
        if (killing_done % 20 == 0)
            expect_no_temporary_files();
    }
    expect_no_temporary_files();
    command_leave();
    printf("%ld kills, %ld of them before the command had ended\n", killing_done - 1, hits);
    return hits > (killing_done - 1) / 4 ? 0 : 1; /* fewer say nothing */
}
