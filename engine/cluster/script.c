/* SPDX-License-Identifier: MIT */
#include "cluster/script.h"

#include "base/os/file.h"
#include "base/text/shell_word.h"
#include "base/text/stream.h"

#include <stdio.h>
#include <stdlib.h>

void tw_batch_mark_name(int32_t task, int32_t tasks, char name[64])
{
    snprintf(name, 64, "failed-%d-of-%d", (int)task, (int)tasks);
}

void tw_batch_done_name(int32_t task, int32_t tasks, char name[64])
{
    snprintf(name, 64, "done-%d-of-%d", (int)task, (int)tasks);
}

bool tw_batch_read_mark(const char *folder, const char *name, int *code)
{
    char path[4096];
    unsigned char *text = NULL;
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (tw_file_read(path, 64, &text, &length, NULL) != TW_OK)
        return false;
    *code = atoi((const char *)text);
    free(text);
    return true;
}

static void set(FILE *out, const char *variable, const char *value)
{
    fprintf(out, "%s=", variable);
    tw_shell_word_write(out, value);
    fputs("\n", out);
}

/* Writes a mark under another name and renames it, so that readers never see half a mark. */
static void print_done(FILE *out, const struct tw_batch_script *script)
{
    if (!script->marks_done)
        return;
    fprintf(out,
            "    case $1 in\n"
            "    0 | 1 | 4)\n"
            "        done=$results/done-$task-of-%d\n"
            "        echo \"$1\" > \"$done.$$\" && mv \"$done.$$\" \"$done\"\n"
            "        exit\n"
            "        ;;\n"
            "    esac\n",
            (int)script->tasks);
}

/* A task that a signal ends leaves no mark: Slurm reports the reason. */
static void print_head(FILE *out, const struct tw_batch_script *script)
{
    fputs("#!/bin/sh\n"
          "# Written by thalweg. A task of an array; running it again does no harm.\n"
          "task=$SLURM_ARRAY_TASK_ID\n",
          out);
    set(out, "results", script->results);
    set(out, "folder", script->folder);
    set(out, "program", script->program);
    set(out, "expected", script->version);
    fputs("finish() { # EXIT CODE\n", out);
    print_done(out, script);
    fprintf(out,
            "    if [ \"$1\" = 75 ] && [ \"${SLURM_RESTART_COUNT:-0}\" -lt 3 ]; then\n"
            "        scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$task\" && sleep 60 # ended there\n"
            "    fi\n"
            "    if [ \"$1\" != 0 ] && [ \"$1\" -lt 128 ]; then\n"
            "        echo \"$1\" > \"$results/failed-$task-of-%d\"\n"
            "    fi\n"
            "    exit \"$1\"\n"
            "}\n",
            (int)script->tasks);
}

/* Stops a task on a node that differs from this machine before it computes anything. */
static void print_checks(FILE *out)
{
    fputs("mkdir -p \"$results\"\n" /* on the node's own disk if it shares no folder */
          "cd \"$folder\" || finish 75\n"
          "version=$(\"$program\" --version)\n"
          "if [ \"$version\" != \"$expected\" ]; then\n"
          "    echo \"on $(hostname) there is '$version'; expected $expected\"\n"
          "    finish 3\n"
          "fi\n"
          "if ! found=$(\"$program\" doctor --no-cache 2> /dev/null); then\n"
          "    echo \"thalweg doctor on $(hostname): $(echo \"$found\" | grep '^failed')\"\n"
          "    finish 3\n"
          "fi\n",
          out);
}

static void print_command(FILE *out, const char *const *words)
{
    fputs("\"$program\"", out);
    for (; *words; words++) {
        fputs(" ", out);
        tw_shell_word_write(out, *words);
    }
}

static void print_task(FILE *out, const void *what)
{
    const struct tw_batch_script *script = what;
    print_head(out, script);
    print_checks(out);
    print_command(out, script->command);
    fprintf(out,
            " --shard \"$task/%d\" -j \"${SLURM_CPUS_PER_TASK:-1}\" -q\n"
            "finish $?\n",
            (int)script->tasks);
}

static void print_probe(FILE *out, const void *what)
{
    const struct tw_batch_probe *probe = what;
    fputs("#!/bin/sh\n# Written by thalweg doctor. It looks at a node and changes nothing.\n", out);
    set(out, "folder", probe->folder);
    set(out, "program", probe->program);
    set(out, "report", probe->report);
    set(out, "witness", probe->witness);
    fputs("cd \"$folder\" || exit 3\n"
          "mkdir -p \"${report%/*}\"\n" /* on the node's own disk if it shares no folder */
          "{\n"
          "    date +%s\n"
          "    hostname\n"
          "    \"$program\" --version || echo none\n"
          "    if [ -e \"$witness\" ]; then echo shared; else echo apart; fi\n"
          "    ",
          out);
    print_command(out, probe->command);
    fputs("\n} > \"$report.part\" 2> /dev/null\nmv \"$report.part\" \"$report\"\n", out);
}

static enum tw_status print(void (*writer)(FILE *out, const void *what), const void *what,
                            struct tw_bytes *text, struct tw_error *err)
{
    char *at = NULL;
    size_t length = 0;
    FILE *out = tw_stream_open(&at, &length);
    if (!out)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    writer(out, what);
    enum tw_status status = tw_stream_close(out) == 0
                                ? tw_bytes_append(text, at, length, err)
                                : tw_error_set(err, TW_MEMORY, "out of memory");
    free(at);
    return status;
}

enum tw_status tw_batch_script_print(const struct tw_batch_script *script, struct tw_bytes *text,
                                     struct tw_error *err)
{
    return print(print_task, script, text, err);
}

enum tw_status tw_batch_probe_print(const struct tw_batch_probe *probe, struct tw_bytes *text,
                                    struct tw_error *err)
{
    return print(print_probe, probe, text, err);
}
