/* SPDX-License-Identifier: MIT */
/* Commands that imitate Slurm, for the tests of --on slurm. */
#ifndef TW_TESTS_SUPPORT_SLURM_H
#define TW_TESTS_SUPPORT_SLURM_H

#include "support/gate.h"
#include "support/until.h"

#include <sys/stat.h>
#include <time.h>

/* Runs its tasks at once, except those that `lose` lists, and notes its arguments. */
static const char sbatch[] =
    "#!/bin/sh\n"
    "[ -e refuse ] && { echo 'sbatch: error: invalid partition specified: nowhere' >&2; exit 1; }\n"
    "for word; do echo \"$word\" >> calls; done\n"
    "id=$(($(cat id 2> /dev/null || echo 40) + 1)); echo $id > id\n"
    "for word; do case $word in --array=*) array=${word#--array=} ;; esac; script=$word; done\n"
    "[ -e hold ] && { echo $id; exit 0; }\n"
    "[ -e other ] && sed -i 's/^expected=.*/expected=9/' \"$script\"\n"
    "[ -e others ] && sed -i 's/frequency: 2/frequency: 3/' noise.yaml\n"
    "for part in $(echo \"$array\" | tr , ' '); do\n"
    "  for task in $(seq \"${part%-*}\" \"${part#*-}\"); do\n"
    "    if [ -e lose ] && grep -qx $task lose; then continue; fi\n"
    "    log=$(dirname \"$script\")/log-$task.txt\n"
    "    (cd / && SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_JOB_ID=$id sh \"$script\") > \"$log\" "
    "2>&1\n"
    "  done\n"
    "done\n"
    "rm -f lose\n"
    "echo 'sbatch: warning: something' >&2\n"
    "echo \"$id;loop\"\n";
static const char squeue[] = "#!/bin/sh\n"
                             "echo \"$*\" >> asked\n"
                             "[ -e silent ] && { rm silent; exit 1; }\n"
                             "[ ! -e states ] || sed \"s/ID/$(cat id)/\" states\n";
static const char scancel[] = "#!/bin/sh\necho \"$*\" >> cancelled\n";

static inline void write_program(const char *name, const char *text)
{
    char path[100];
    snprintf(path, sizeof path, "bin/%s", name);
    write_text(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

/* A test in a folder with these commands in PATH. */
static inline int begin_slurm(void **state)
{
    char path[5000], here[4096];
    begin(state);
    mkdir("bin", 0777);
    write_program("sbatch", sbatch);
    write_program("squeue", squeue);
    write_program("scancel", scancel);
    assert_non_null(getcwd(here, sizeof here));
    const char *before = getenv("CLUSTER_PATH") ? getenv("CLUSTER_PATH") : getenv("PATH");
    setenv("CLUSTER_PATH", before, 1);
    snprintf(path, sizeof path, "%s/bin:%s", here, before);
    setenv("PATH", path, 1);
    return 0;
}

static inline int end_slurm(void **state)
{
    setenv("PATH", getenv("CLUSTER_PATH"), 1);
    return command_tear_down(state);
}

static inline void called_with(const char *word)
{
    char *calls = read_text("calls"), line[500];
    snprintf(line, sizeof line, "%s\n", word);
    contains(calls, line);
    free(calls);
}

static inline bool has_text(const char *name, const char *part)
{
    char *text = exists(name) ? read_text(name) : NULL;
    bool there = text && strstr(text, part);
    free(text);
    return there;
}

/* Waits until a file that another process writes contains a text. */
static inline void wait_for(const char *name, const char *part) { UNTIL(has_text(name, part)); }

#endif
