/* SPDX-License-Identifier: MIT */
#include "cli/compare/shards.h"
#include "cli/compare/tables.h"

#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cluster/cluster.h"
#include "cluster/shard_transfer.h"
#include "console/answer.h"
#include "console/documents.h"
#include "console/output_file.h"
#include "console/stop.h"

#include <jansson.h>

int tw_compare_check_shards(const struct tw_settings *settings, const struct tw_experiment *e)
{
    bool shard = settings->shard.of > 0, away = settings->on != TW_ON_HERE;
    if (!settings->gather && settings->operand_count > 1)
        return tw_console_usage(
            "compare takes one experiment; folders of shards come with --gather");
    if (shard && settings->gather)
        return tw_console_usage("--shard and --gather exclude each other");
    int code = tw_cluster_check_options(settings, shard              ? "--shard"
                                                  : settings->gather ? "--gather"
                                                                     : NULL);
    if (code != 0)
        return code;
    if (shard && (settings->html || tw_compare_tables_option(settings) || settings->markdown ||
                  settings->times > 0))
        return tw_console_usage("--shard computes samples and no report; expected --html, --csv, "
                                "--markdown and --times with --gather");
    if ((shard || away || settings->gather) && e->run_count == 0)
        return tw_console_usage(
            "%s only tunes, one trial after the other: there is nothing to share", e->file);
    return 0;
}

/* ---- --shard ---- */

static void report(const struct tw_settings *settings, const struct tw_comparison *c,
                   const char *path)
{
    json_t *answer = TW_DOCUMENT(compare_shard, .shard = json_integer(settings->shard.at),
                                 .of = json_integer(settings->shard.of), .file = path,
                                 .computed = json_integer(c->total));
    json_object_update_new(answer, TW_DOCUMENT(compare, .failed = json_integer(c->failed)));
    tw_answer_set(answer);
    if (settings->json || settings->quiet || tw_console_is_stdout(settings->events))
        return;
    tw_text_write(stdout, path, TW_TEXT_TERMINAL);
    fputs("\n", stdout);
}

int tw_compare_run_shard(const struct tw_settings *settings,
                         const struct tw_compare_request *request, const bool *reported,
                         struct tw_comparison *c)
{
    const struct tw_shard_number shard = {settings->shard.at, settings->shard.of};
    struct tw_error error = {.status = TW_OK};
    struct tw_shard_origin origin;
    char path[4096];
    enum tw_status status = tw_shard_prepare(request, c, &origin, &error);
    if (status == TW_OK)
        status = tw_shard_compute(request, &origin, shard, settings->out, c, &error);
    if (status == TW_CANCELLED)
        return tw_stop_exit_code();
    if (status != TW_OK && !*reported)
        tw_console_error(&error);
    if (status == TW_OK && tw_shard_path(settings->out, shard, path)) {
        if (settings->remote)
            tw_compare_send_shard(settings->remote, &origin, shard, path);
        report(settings, c, path);
    }
    return tw_cluster_exit_code(settings, status);
}

/* ---- --gather ---- */

static enum tw_status list_shards(const struct tw_settings *settings, char **folders,
                                  const struct tw_shard_origin *origin, struct tw_shard_list *list,
                                  struct tw_error *err)
{
    enum tw_status status = TW_OK;
    if (!folders[0])
        return tw_shard_list_add(list, origin, settings->out, true, err);
    for (; status == TW_OK && *folders; folders++)
        status = tw_shard_list_add(list, origin, *folders, true, err);
    return status;
}

enum tw_status tw_compare_take_shards(const struct tw_settings *settings, char **folders,
                                      const struct tw_compare_request *request,
                                      struct tw_comparison *c, struct tw_error *err)
{
    struct tw_shard_list list = {0};
    struct tw_shard_origin origin;
    enum tw_status status = tw_shard_prepare(request, c, &origin, err);
    if (status == TW_OK)
        status = list_shards(settings, folders, &origin, &list, err);
    if (status == TW_OK)
        status = tw_compare_gather(request, &origin, &list, c, err);
    tw_shard_list_release(&list);
    return status;
}
