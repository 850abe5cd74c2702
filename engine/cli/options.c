/* SPDX-License-Identifier: MIT */
/* The table of options, and lookups of commands, labels and environment variables. */
#include "cli/options.h"

#include "base/text/suggest.h"
#include "cli/cli.h"
#include "cluster/cluster.h"
#include "console/annotate.h"
#include "report/judge/pairs.h"
#include "study/experiment.h"
#include "study/shard.h"
#include "value/field.h"

#include <thalweg/node.h>

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field, type) TW_FIELD_OF(struct tw_settings, field, type)
#define TEXT(field) TW_OPTION_TEXT, AT(field, const char *)
#define LIST(kind, field) kind, AT(field, struct tw_option_list)
#define NUMBER(kind, field) kind, AT(field, int32_t)
#define BYTES(field) TW_OPTION_BYTES, AT(field, uint64_t)
#define FLAG(field) TW_OPTION_FLAG, AT(field, bool)
enum {
    GATE = TW_FOR_LOCK | TW_FOR_VERIFY | TW_FOR_DIFF,
    RECIPES = TW_FOR_RUN | TW_FOR_CHECK | TW_FOR_GRAPH | TW_FOR_LOCK | TW_FOR_SERVE | TW_FOR_CACHE |
              TW_FOR_LIST,
    EXPERIMENTS = TW_FOR_COMPARE | TW_FOR_JUDGE,
    RUNS = TW_FOR_RUN | EXPERIMENTS | GATE, /* run recipes and then exit */
    COMPUTES = RUNS | TW_FOR_SERVE,
    WORKS = COMPUTES | TW_FOR_MCP, /* within limits */
    TASKS = TW_FORWARDED,
    CLUSTERS = TW_FOR_COMPARE | TW_FOR_RUN | TW_FOR_VERIFY,
    READS = RECIPES | EXPERIMENTS | GATE,
    SHARES = COMPUTES | TW_FOR_CACHE | TW_FOR_DOCTOR | TW_FROM_ENVIRONMENT | TASKS,
    ANSWERS = RUNS | TW_FOR_CHECK | TW_FOR_GRAPH | TW_FOR_NODES | TW_FOR_CACHE | TW_FOR_DOCTOR |
              TW_FOR_INSPECT | TW_FOR_LIST
};

const struct tw_option tw_options[TW_OPTION_ROWS_MAX] = {
    {'o', "out", "DIR", TEXT(out), "out", 0, TW_FOR_RUN, "folder for exports"},
    {'o', "out", "DIR", TEXT(out), "verify", 0, TW_FOR_VERIFY,
     "folder for the page and pictures of what differs"},
    {0, "update", "NODE", TW_OPTION_MAYBE, AT(update, const char *), NULL, 0, TW_FOR_VERIFY,
     "take the new state into the lock; with a node, only when nothing else has changed"},
    {0, "since", "REV", TEXT(since), NULL, 0, TW_FOR_RUN | TW_FOR_VERIFY | TW_FOR_LIST,
     "take only recipes whose own file, recipes that they use or inputs differ, in the work tree, "
     "from where it left git's revision REV, as in origin/main"},
    {0, "inputs", NULL, FLAG(inputs), NULL, 0, TW_FOR_LIST, "also name the files that each reads"},
    {0, "depfile", "FILE", TEXT(depfile), NULL, 0, TW_FOR_RUN | TW_ABOUT_REPORTS,
     "write which exports follow from which files, as Make, Ninja and CMake read it; - is standard "
     "output and replaces the list of exports"},
    {0, "checkout", "COMMAND", TW_OPTION_WORDS, AT(checkout, const char *), NULL, 0,
     TW_FOR_RUN | TW_FOR_LOCK | TW_FOR_VERIFY,
     "run this for each read-only file that would change, to make it writable, as in 'p4 edit "
     "{file}'; its words are split at blanks, and no shell reads them. Without it such a file is "
     "left alone"},
    {0, "embed", NULL, FLAG(embed), NULL, 0, TW_FOR_VERIFY | TW_FOR_DIFF,
     "put whole pictures into the page of one recipe, instead of small ones that lead to files"},
    {0, "upgrade", NULL, FLAG(upgrade), NULL, 0, TW_FOR_LOCK,
     "lock anew what a new version of a node changed, and show it; refuse if anything else has"},
    {0, "before", "DIR", TEXT(before), NULL, 0, TW_FOR_VERIFY | TW_FOR_LOCK,
     "folder with earlier float exports, as run wrote them, from which tolerances are judged if the "
     "earlier values cannot be computed"},
    {0, "preset", "NAME", TEXT(preset), NULL, 0, TW_FOR_RUN | TW_FOR_CHECK | TW_FOR_LIST | TASKS,
     "take size and folder of a preset of the project"},
    {0, "yes", NULL, FLAG(yes), NULL, 0, TW_FOR_LOCK | TW_FOR_VERIFY,
     "replace locks although CI is set"},
    {0, "tolerance", "T", TW_OPTION_NUMBER, AT(tolerance, double), NULL, 0, TW_FOR_DIFF,
     "maps that differ by at most T in every cell are equal"},
    {0, "picture", "FILE", TEXT(picture), NULL, 0, TW_FOR_DIFF,
     "write the signed difference of two maps as a picture"},
    {0, "picture", "FILE", TEXT(picture), NULL, 0, TW_FOR_INSPECT,
     "draw the map, stretched to its own range, as a hillshade"},
    {'o', "out", "DIR", TEXT(out), NULL, 0, TW_FOR_DIFF,
     "write a page and pictures of what differs between two recipes"},
    {'s', "set", "NAME=VALUE", LIST(TW_OPTION_PAIRS, set), NULL, 0, RECIPES | TASKS,
     "set a parameter of the recipe"},
    {0, "seed", "N", TW_OPTION_SEED, AT(seed, struct tw_option_seed), NULL, 0, RECIPES | TASKS,
     "instead of the recipe's seed"},
    {0, "size", "N|WxH", TW_OPTION_CELLS, AT(size, struct tw_option_cells), NULL, TW_SIDE_MAX,
     RECIPES | EXPERIMENTS | TASKS, "instead of the file's size, in cells"},
    {0, "size", "N|WxH", TW_OPTION_CELLS, AT(size, struct tw_option_cells), NULL, TW_SIDE_MAX,
     TW_FOR_INSPECT, "of a .r16, .raw or .r32 without a sidecar, in cells"},
    {0, "endian", "little|big", NUMBER(TW_OPTION_CHOICE, endian), "little", 0, TW_FOR_INSPECT,
     "which byte of a number comes first in a .r16, .raw or .r32, the least or the greatest"},
    {0, "signed", NULL, FLAG(is_signed), NULL, 0, TW_FOR_INSPECT,
     "the numbers of a .r16 or .raw have a sign, and are heights as they are"},
    {0, "band", "N", NUMBER(TW_OPTION_COUNT, band), NULL, 65535, TW_FOR_INSPECT,
     "which map of a .tif or .bil that holds several, from 1"},
    {0, "range", "LOW:HIGH", TW_OPTION_RANGE, AT(range, struct tw_option_range), NULL, 0,
     TW_FOR_INSPECT, "the heights that the levels of an integer file stand for"},
    {0, "seeds", "N", NUMBER(TW_OPTION_COUNT, seeds), NULL, TW_SEEDS_MAX, TW_FOR_COMPARE | TASKS,
     "N seeds, the first of them or more, instead of the file's count"},
    {0, "times", "N", NUMBER(TW_OPTION_COUNT, times), NULL, TW_TIMES_MAX, TW_FOR_COMPARE,
     "run each variant N times by itself, interleaved and without cache, and show how long"},
    {0, "shard", "I/N", TW_OPTION_SHARD, AT(shard, struct tw_option_shard), NULL, TW_SHARDS_MAX,
     TW_FOR_COMPARE | TW_ABOUT_MACHINES,
     "compute only this part of the seeds, into a file of --out, for --gather"},
    {0, "shard", "I/N", TW_OPTION_SHARD, AT(shard, struct tw_option_shard), NULL, TW_SHARDS_MAX,
     TW_FOR_RUN | TW_FOR_VERIFY | TW_ABOUT_MACHINES, "take recipe I and each N-th after it only"},
    {'o', "out", "DIR", TEXT(out), "shards", 0, TW_FOR_COMPARE, "folder for the files of shards"},
    {0, "gather", NULL, FLAG(gather), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_MACHINES,
     "compute nothing: read the files of all shards in the folders DIR..., without them in --out"},
    {0, "ask", NULL, FLAG(ask), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_MACHINES,
     "run nothing: print parameters with their ranges, measures and seeds as a line of JSON"},
    {0, "tell", NULL, FLAG(tell), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_MACHINES,
     "evaluate the points that lines of JSON on standard input give, and answer each with a line"},
    {0, "on", "here|slurm", NUMBER(TW_OPTION_CHOICE, on), "here", 0,
     TW_FOR_COMPARE | TW_ABOUT_MACHINES,
     "with slurm: compute the seeds as an array of tasks, by way of --out, which all nodes see"},
    {0, "on", "here|slurm", NUMBER(TW_OPTION_CHOICE, on), "here", 0,
     TW_FOR_RUN | TW_FOR_VERIFY | TW_ABOUT_MACHINES,
     "with slurm: compute the recipes as an array of tasks, by way of the cache"},
    {0, "on", "here|slurm", NUMBER(TW_OPTION_CHOICE, on), "here", 0,
     TW_FOR_DOCTOR | TW_ABOUT_MACHINES,
     "with slurm: send a task that looks at its node, and compare that with this machine"},
    {0, "batch", "DIR", TEXT(batch), "shards", 0,
     TW_FOR_RUN | TW_FOR_VERIFY | TW_FOR_DOCTOR | TW_ABOUT_MACHINES,
     "with --on slurm: folder for the scripts, marks and logs of tasks, which all nodes see"},
    {0, "sbatch", "OPTION", LIST(TW_OPTION_LIST, sbatch), NULL, 0,
     CLUSTERS | TW_FOR_DOCTOR | TW_ABOUT_MACHINES,
     "an option for sbatch, as in --sbatch --partition=short; may be repeated"},
    {0, "tasks", "N", NUMBER(TW_OPTION_COUNT, tasks), NULL, TW_CLUSTER_TASKS_MAX,
     CLUSTERS | TW_ABOUT_MACHINES,
     "with --on slurm: that many tasks, without it so many that each takes 20 seconds"},
    {0, "probe", "SECONDS", TW_OPTION_NUMBER, AT(probe, double), "30", 0,
     CLUSTERS | TW_ABOUT_MACHINES,
     "with --on slurm: how long work may wait for a task that looks at a node before any is sent; "
     "0 sends no such task"},
    {0, "report-as", "NAME", TEXT(report_as), NULL, 0, TW_FOR_DOCTOR | TW_ABOUT_MACHINES,
     "leave what is found on the server of --cache-url, where 'doctor --on slurm' looks for it"},
    {0, "poll", "SECONDS", TW_OPTION_NUMBER, AT(poll, double), NULL, 0,
     CLUSTERS | TW_FOR_DOCTOR | TW_ABOUT_MACHINES,
     "ask Slurm that often, without it every 0.5 to 8 seconds"},
    {0, "no-exports", NULL, FLAG(no_exports), NULL, 0, TW_FOR_RUN,
     "only fill the cache with what outputs and exports need"},
    {0, "only", "OUTPUT", TEXT(only), NULL, 0, TW_FOR_RUN | TASKS,
     "compute and write only this output"},
    {0, "only", "OUTPUT", TEXT(only), NULL, 0, TW_FOR_SERVE, "compute and show only this output"},
    {0, "port", "N", NUMBER(TW_OPTION_COUNT, port), NULL, 65535, TW_FOR_SERVE,
     "port of 127.0.0.1 to listen at, without it 8425, or a free one where that is taken"},
    {0, "against", "NAME=VALUE", LIST(TW_OPTION_PAIRS, against), NULL, 0, TW_FOR_SERVE,
     "show the recipe beside itself with this parameter; may be repeated"},
    {0, "against", "FILE", TEXT(earlier), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_REPORTS,
     "say which means changed since this answer of an earlier --json"},
    {0, "variants", "A,B", TEXT(variants), NULL, 0, TW_FOR_SERVE,
     "show two variants of an experiment, which is given instead of a recipe"},
    {0, "read-only", NULL, FLAG(read_only), NULL, 0, TW_FOR_SERVE,
     "let the page set no value and write no file"},
    {0, "allow-path", "DIR", LIST(TW_OPTION_LIST, allow_path), NULL, 0,
     READS | TASKS | TW_ABOUT_LIMITS, "let recipes read files below DIR, too"},
    {'j', "threads", "N", NUMBER(TW_OPTION_COUNT, threads), NULL, 64,
     WORKS | TW_FOR_DOCTOR | TW_ABOUT_LIMITS,
     "worker threads, without it one per processor; the bytes do not depend on it"},
    {0, "max-memory", "SIZE", BYTES(max_memory), NULL, 0,
     WORKS | TW_FOR_DOCTOR | TASKS | TW_ABOUT_LIMITS,
     "stay below it with values, scratch and decoded files, or refuse to run: 800M, 4G"},
    {0, "bands", "ROWS", TW_OPTION_MAYBE, AT(bands, const char *), NULL, 0,
     TW_FOR_RUN | TW_ABOUT_LIMITS,
     "compute and write so many rows at a time, from disk to disk; without ROWS a suitable number. "
     "What is too large for the memory limit is run this way unasked, where the recipe allows it"},
    {0, "max-time", "SECONDS", NUMBER(TW_OPTION_COUNT, max_time), NULL, 1000000,
     WORKS | TASKS | TW_ABOUT_LIMITS, "fail when a run takes longer"},
    {0, "untrusted", NULL, FLAG(untrusted), NULL, 0, READS | TASKS | TW_ABOUT_LIMITS,
     "tight limits on size, nodes, memory, time and paths, for recipes from elsewhere"},
    {0, "cache-dir", "DIR", TEXT(cache_dir), NULL, 0,
     COMPUTES | TW_FOR_CACHE | TW_FOR_DOCTOR | TASKS | TW_ABOUT_CACHE,
     "cache folder, without it $XDG_CACHE_HOME/thalweg or ~/.cache/thalweg"},
    {0, "cache-size", "SIZE", BYTES(cache_size), "8G", 0,
     COMPUTES | TW_FOR_DOCTOR | TASKS | TW_ABOUT_CACHE, "size limit of the cache folder"},
    {0, "max-size", "SIZE", BYTES(max_size), "8G", 0, TW_FOR_CACHE | TW_ABOUT_CACHE,
     "what gc leaves, as in 800M"},
    {0, "no-cache", NULL, FLAG(no_cache), NULL, 0,
     COMPUTES | TW_FOR_DOCTOR | TASKS | TW_ABOUT_CACHE, "compute everything, remember nothing"},
    {0, "cache-url", "URL", TEXT(cache_url), NULL, 0, SHARES | TW_ABOUT_CACHE,
     "a cache on a web server, shared by a team: asked after the folder, sent what is computed"},
    {0, "cache-mode", "readwrite|read|off", NUMBER(TW_OPTION_CHOICE, cache_mode), "readwrite", 0,
     SHARES | TW_ABOUT_CACHE, "whether results are taken from --cache-url and sent there"},
    {0, "cache-secret-file", "FILE", TEXT(cache_secret_file), NULL, 0, SHARES | TW_ABOUT_CACHE,
     "the team's secret for --cache-url: 128 hexadecimal digits in a file of its owner only"},
    {0, "cache-token-file", "FILE", TEXT(cache_token_file), NULL, 0, SHARES | TW_ABOUT_CACHE,
     "what the server of --cache-url asks for, in a file of its owner only"},
    {0, "cache-wait", "SECONDS", TW_OPTION_NUMBER, AT(cache_wait, double), "2", 0,
     COMPUTES | TW_FROM_ENVIRONMENT | TASKS | TW_ABOUT_CACHE,
     "by how much --cache-url may make a run longer at most"},
    {0, "explain", NULL, FLAG(explain), NULL, 0, TW_FOR_RUN | TW_ABOUT_REPORTS,
     "say for every node: hit, or which part of its key changed from what to what"},
    {0, "dry-run", NULL, FLAG(dry_run), NULL, 0, TW_FOR_RUN,
     "say for every node whether it would be computed; compute and write nothing"},
    {0, "watch", NULL, FLAG(watch), NULL, 0, TW_FOR_RUN,
     "run again whenever the recipe or a file that it reads changes, until stopped"},
    {0, "trace", "FILE", TEXT(trace), NULL, 0, TW_FOR_RUN | TW_ABOUT_REPORTS,
     "write what ran when and on which thread, for chrome://tracing or Perfetto; - is standard "
     "output and replaces the list of exports"},
    {0, "events", "FILE", TEXT(events), NULL, 0,
     TW_FOR_RUN | TW_FOR_COMPARE | TW_FOR_LOCK | TW_FOR_VERIFY | TW_ABOUT_REPORTS,
     "write what happens as it happens, one JSON object a line; - is standard output and replaces "
     "what the command prints there"},
    {0, "json", NULL, FLAG(json), NULL, 0, ANSWERS | TW_ABOUT_REPORTS,
     "print one JSON object on standard output instead, even after errors (docs/json.md)"},
    {0, "csv", "FILE", TEXT(csv), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_REPORTS,
     "write every sample, a row per run; - is standard output and replaces the table"},
    {0, "csv-long", "FILE", TEXT(csv_long), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_REPORTS,
     "write every sample, a row per run and measure; - as for --csv"},
    {0, "json-lines", "FILE", TEXT(json_lines), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_REPORTS,
     "write what --csv-long does, an object a line; - as for --csv"},
    {0, "csv-front", "FILE", TEXT(csv_front), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_REPORTS,
     "write the means of the two measures of front:, a row per variant or trial; - as for --csv"},
    {0, "html", "FILE", TEXT(html), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_REPORTS,
     "write one self-contained page with charts and pictures; - as for --csv"},
    {0, "html", "FILE", TEXT(html), "judge.html", 0, TW_FOR_JUDGE,
     "the page to choose on; - is standard output"},
    {0, "pairs", "N", NUMBER(TW_OPTION_COUNT, pairs), "100", TW_JUDGE_PAIRS_MAX, TW_FOR_JUDGE,
     "pairs of pictures on the page, as far as there are different ones"},
    {0, "level", "N", NUMBER(TW_OPTION_COUNT, level), NULL, TW_VARIANTS_MAX, TW_FOR_JUDGE,
     "of the levels of sizes: and crossed:, from 1, instead of the last"},
    {0, "draw", "N", TW_OPTION_SEED, AT(draw, struct tw_option_seed), "1", 0, TW_FOR_JUDGE,
     "another number draws other pairs, orders and sides"},
    {0, "answers", "FILE", LIST(TW_OPTION_LIST, answers), NULL, 0, TW_FOR_JUDGE,
     "instead of writing a page, rank the variants by these answers; may be repeated"},
    {0, "picture-seed", "N", TW_OPTION_SEED, AT(picture_seed, struct tw_option_seed), NULL, 0,
     TW_FOR_COMPARE | TW_ABOUT_REPORTS, "show this seed on the page, too, measured or not"},
    {0, "picture", "FILE", TEXT(picture), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_REPORTS,
     "draw the baseline beside the best other variant, as PNG, to which --markdown refers"},
    {0, "markdown", NULL, FLAG(markdown), NULL, 0, TW_FOR_COMPARE | TW_ABOUT_REPORTS,
     "print verdict and table as Markdown, at most 40 lines, for summaries and pull requests"},
    {0, "format", "dot|mermaid", NUMBER(TW_OPTION_CHOICE, format), "dot", 0, TW_FOR_GRAPH,
     "language of the graph"},
    {0, "format", TW_MESSAGE_FORMATS, NUMBER(TW_OPTION_CHOICE, message_format), "auto", 0,
     TW_FOR_CHECK | RUNS | TW_FOR_DOCTOR | TW_ABOUT_REPORTS,
     "of errors: github adds annotations, as auto does where GITHUB_ACTIONS is true; sarif and "
     "junit replace the results on standard output"},
    {0, "markdown", NULL, FLAG(markdown), NULL, 0, TW_FOR_NODES,
     "print Markdown, the pages of docs/nodes"},
    {0, "markdown", NULL, FLAG(markdown), NULL, 0, TW_FOR_SCHEMA,
     "print documents as the tables of docs/json.md"},
    {0, "sidecar", NULL, FLAG(sidecar), NULL, 0, TW_FOR_SCHEMA,
     "print the schema of the .json beside an export, as 'schema sidecar' does"},
    {0, "markdown", NULL, FLAG(markdown), NULL, 0, TW_FOR_MAN,
     "print the options as Markdown, the tables of docs/cli.md"},
    {'q', "quiet", NULL, FLAG(quiet), NULL, 0, COMPUTES | TW_ABOUT_REPORTS,
     "print errors and warnings only, no progress"},
    {'h', "help", NULL, FLAG(help), NULL, 0, TW_FOR_ALL, "print this text"},
    {.name = NULL},
};

bool tw_option_applies(const struct tw_option *option, const struct tw_command *command)
{
    return !command || option->commands == TW_FOR_ALL || (option->commands & command->bit) != 0;
}

const struct tw_command *tw_command_find(const char *name)
{
    const struct tw_command *command = tw_commands;
    while (command->name && strcmp(command->name, name) != 0)
        command++;
    return command->name ? command : NULL;
}

int tw_cli_no_command(const char *name)
{
    struct tw_suggestion suggestion = {.unknown = name};
    for (const struct tw_command *command = tw_commands; command->name; command++)
        tw_suggest_offer(&suggestion, command->name);
    return suggestion.best ? tw_console_usage("there is no command '%s'; did you mean '%s'?", name,
                                              suggestion.best)
                           : tw_console_usage("there is no command '%s'; see thalweg --help", name);
}

const char *tw_option_label(const char *labels, int i, int *length)
{
    labels += labels[0] == '[';
    for (; i > 0 && labels; i--) {
        labels = strchr(labels, '|');
        labels = labels ? labels + 1 : NULL;
    }
    if (labels)
        *length = (int)strcspn(labels, "| ]");
    return labels;
}

void tw_option_variable(const struct tw_option *option, char *text, size_t size)
{
    int length = snprintf(text, size, "THALWEG_%s", option->name);
    for (int i = 0; i < length && text[i]; i++)
        text[i] = (char)(text[i] == '-' ? '_' : toupper((unsigned char)text[i]));
}
