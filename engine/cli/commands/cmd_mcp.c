/* SPDX-License-Identifier: MIT */
/* thalweg mcp: serves the Model Context Protocol on standard input and output, for programs that
 * write recipes. It reads files below one folder and writes none. */
#include "base/os/process.h"
#include "cache/memo.h"
#include "cli/cli.h"
#include "cli/mcp/mcp.h"
#include "cli/options.h"
#include "console/answer.h"
#include "console/stop.h"

#include <stdio.h>
#include <uv.h>

#define KEPT_BYTES ((uint64_t)1 << 30) /* of earlier runs */

#define RECIPE                                                                                      \
    "{\"type\": \"string\", \"description\": \"a recipe as YAML text, or the path of a .yaml file " \
    "below the server's folder\"}"
#define SETTINGS                                                                                       \
    "\"set\": {\"type\": \"object\", \"description\": \"parameters of params:, as in {\\\"talus\\\": " \
    "12}\"}, \"size\": {\"description\": \"cells a side, or [width, height], instead of the "          \
    "recipe's\", \"anyOf\": [{\"type\": \"integer\"}, {\"type\": \"array\", \"items\": {\"type\": "    \
    "\"integer\"}}]}, \"seed\": {\"description\": \"instead of the recipe's\", \"anyOf\": "            \
    "[{\"type\": \"integer\"}, {\"type\": \"string\"}]}"
#define OBJECT(required, properties)                                                               \
    "{\"type\": \"object\", \"properties\": {" properties "}, \"required\": [" required "], "      \
    "\"additionalProperties\": false}"

static const struct tw_mcp_tool tools[] = {
    {"nodes", "Find node types",
     "Without a query lists every node type and library recipe with one line each. With words "
     "(snow, river, \"Thermal Gaea\") finds types that have them all. With a type's exact name "
     "(erosion.thermal, thalweg/snow) gives its page: ports, parameters with allowed and usual "
     "ranges and defaults, equations, an example.",
     OBJECT("", "\"query\": {\"type\": \"string\", \"description\": \"words, or a type's name\"}, "
                "\"search\": {\"type\": \"string\", \"description\": \"only words\"}, "
                "\"page\": {\"type\": \"string\", \"description\": \"only a type's name\"}"),
     tw_mcp_nodes},
    {"check", "Check a recipe",
     "Reports every fault of a recipe with line, column and hint; without faults its size, "
     "outputs and parameters. Computes nothing: milliseconds.",
     OBJECT("\"recipe\"", "\"recipe\": " RECIPE ", " SETTINGS), tw_mcp_check},
    {"run", "Run a recipe",
     "Computes a recipe's outputs: type, size, range, SHA-256, the numbers of records, the "
     "slowest nodes, and pictures (relief of heights, grey masks, colours of labels). Writes no "
     "file. Begin with size 256; unchanged nodes are kept between calls.",
     OBJECT("\"recipe\"",
            "\"recipe\": " RECIPE ", " SETTINGS
            ", \"only\": {\"type\": \"string\", \"description\": \"compute only this output\"}, "
            "\"pictures\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, "
            "\"description\": \"outputs to draw, at most 16; [] for none; without it the first "
            "four that can be drawn\"}, \"picture_size\": {\"type\": \"integer\", \"minimum\": 16, "
            "\"maximum\": 1024, \"description\": \"longer side in pixels, 512 if not given\"}"),
     tw_mcp_run},
    {"diff", "Compare two recipes",
     "Says which nodes two recipes do not share and why, which outputs differ, by how much, and "
     "draws where.",
     OBJECT("\"before\", \"after\"", "\"before\": " RECIPE ", \"after\": " RECIPE ", " SETTINGS),
     tw_mcp_diff},
    {"compare", "Run an experiment",
     "Runs variants of a recipe over several seeds and tests which measures differ. The "
     "experiment names its recipe by a path below the server's folder.",
     OBJECT("\"experiment\"",
            "\"experiment\": {\"type\": \"string\", \"description\": \"an experiment (beginning "
            "with thalweg-experiment: 1) as YAML text, or the path of a .yaml file below the "
            "server's folder\"}, \"seeds\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": "
            "1000, \"description\": \"how many, instead of the file's\"}"),
     tw_mcp_compare},
    {"realism", "Measure realism",
     "Nine numbers of a heightmap beside the bands in which those of real mountain ranges lie: "
     "which are below, inside, above. Needs 128 cells a side and, to be comparable, world: with "
     "60 to 270 m a cell.",
     OBJECT("\"recipe\"", "\"recipe\": " RECIPE ", " SETTINGS
                          ", \"output\": {\"type\": \"string\", \"description\": \"a heightmap; "
                          "without it the first\"}"),
     tw_mcp_realism},
    {.name = NULL},
};

static const char instructions[] =
    "Thalweg makes terrain from recipes: YAML files whose nodes pass maps of heights along named "
    "edges. Read the resource thalweg://guide first. Then: find types with `nodes`, read the page "
    "of each that you use, write the recipe as text, `check` it until it has no faults, `run` it "
    "at size 256 and look at the pictures, change it, and compare states with `diff`. Nothing is "
    "written: hand the text of the recipe to the user.";

/* Faults of earlier calls are forgotten, and a cancellation that came too late. */
static void begin(void *context)
{
    (void)context;
    tw_answer_begin("mcp", TW_ANSWER_NONE);
    (void)tw_stop_go_on();
}

static void cancel(void *context)
{
    (void)context;
    tw_stop_give_way();
}

static int serve(struct tw_mcp *mcp)
{
    const struct tw_mcp_host host = {.tools = tools,
                                     .instructions = instructions,
                                     .resources = tw_mcp_resources,
                                     .templates = tw_mcp_templates,
                                     .read = tw_mcp_read,
                                     .begin = begin,
                                     .cancel = cancel,
                                     .context = mcp};
    if (tw_mcp_serve(&host, &mcp->server))
        return 0;
    if (ferror(stdout))
        tw_process_end_unread();
    fputs("thalweg: cannot serve: standard output, memory or threads failed\n", stderr);
    return tw_status_exit_code(TW_IO);
}

int tw_cmd_mcp(const struct tw_settings *settings, char **operands)
{
    struct tw_mcp mcp = {.settings = *settings};
    struct tw_error error = {.status = TW_OK};
    if (settings->operand_count > 0 && uv_chdir(operands[0]) != 0)
        return tw_console_usage("there is no folder '%s'", operands[0]);
    mcp.settings.untrusted = mcp.settings.no_cache = true;
    mcp.settings.json = mcp.settings.quiet = true;
    tw_console_begin(true);
    mcp.run = tw_console_run_options(&mcp.settings);
    if (tw_memo_create(KEPT_BYTES, &mcp.memo, &error) != TW_OK)
        return tw_console_error(&error);
    const int code = serve(&mcp);
    tw_memo_release(mcp.memo);
    return code;
}
