/* SPDX-License-Identifier: MIT */
#include "cluster/compare_cluster.h"

#include "base/os/process.h"
#include "cluster/cluster.h"
#include "cluster/shard_transfer.h"

struct sharing {
    const struct tw_compare_request *request;
    struct tw_comparison *c;
    struct tw_shard_origin origin;
    struct tw_shard_list list;
    struct tw_cluster cluster;
};

/* Measures the second seed: the first one also computes what does not depend on the seed. */
static enum tw_status on_measure(void *context, double *seconds, struct tw_error *err)
{
    const struct sharing *sharing = context;
    struct tw_comparison c = {0};
    struct tw_seed_range range = {0, 1};
    struct tw_compare_request request = {
        .load = sharing->request->load, .run = sharing->request->run, .range = &range};
    enum tw_status status = tw_comparison_create(sharing->c->experiment, &c, err);
    for (int32_t i = 0; status == TW_OK && i < 2 && i < c.experiment->seed_count; i++) {
        range = (struct tw_seed_range){i, i + 1};
        double before = tw_process_seconds();
        status = tw_compare_run(&request, &c, err);
        *seconds = tw_process_seconds() - before;
        if (status == TW_NODE || status == TW_LIMIT)
            status = TW_OK; /* one failed seed does not stop the experiment */
    }
    /* A cache hit counts with the time that its computation took. */
    for (int32_t v = 0; c.seconds && v < c.experiment->run_count; v++)
        if (c.seconds[v].mean > *seconds)
            *seconds = c.seconds[v].mean;
    tw_comparison_release(&c);
    return status;
}

static enum tw_status on_look(void *context, bool *done, struct tw_error *err)
{
    struct sharing *sharing = context;
    const struct tw_cluster *cluster = &sharing->cluster;
    enum tw_status status =
        tw_shard_list_add(&sharing->list, &sharing->origin, cluster->folder, false, err);
    for (int32_t i = 1; status == TW_OK && i <= cluster->tasks; i++) {
        struct tw_seed_range own =
            tw_shard_seeds((struct tw_shard_number){i, cluster->tasks}, cluster->units);
        done[i] = tw_shard_list_gap(&sharing->list, own.from, own.to) >= own.to;
    }
    return status;
}

/* Fetches a task's shard from the server, where a node leaves it that cannot see the folder. */
static bool on_find(void *context, int32_t task)
{
    const struct sharing *sharing = context;
    const struct tw_cluster *cluster = &sharing->cluster;
    const struct tw_shard_number shard = {task, cluster->tasks};
    return cluster->settings->remote &&
           tw_compare_fetch_shard(cluster->settings->remote, &sharing->origin, shard,
                                  cluster->folder);
}

static enum tw_status share(struct sharing *sharing, struct tw_error *err)
{
    struct tw_cluster *cluster = &sharing->cluster;
    cluster->identity = sharing->origin.identity;
    enum tw_status status = tw_cluster_open(cluster, err);
    const char *const command[] = {"compare", sharing->c->experiment->file, "--out",
                                   cluster->folder, NULL};
    cluster->command = command;
    if (status == TW_OK)
        status = tw_cluster_follow(cluster, err);
    cluster->command = NULL;
    if (status == TW_IO) /* nodes may have read other files: report what their shards say */
        tw_shard_list_add(&sharing->list, &sharing->origin, cluster->folder, true, err);
    return status;
}

enum tw_status tw_compare_on_cluster(const struct tw_settings *settings,
                                     const struct tw_compare_request *request,
                                     struct tw_compare_line *line, struct tw_comparison *c,
                                     struct tw_error *err)
{
    struct sharing sharing = {.request = request,
                              .c = c,
                              .cluster = {.settings = settings,
                                          .root = settings->out,
                                          .units = c->experiment->seed_count,
                                          .measure = on_measure,
                                          .look = on_look,
                                          .find = on_find,
                                          .context = &sharing,
                                          .line = line}};
    enum tw_status status = tw_shard_prepare(request, c, &sharing.origin, err);
    if (status == TW_OK)
        status = share(&sharing, err);
    if (status == TW_OK)
        status = tw_compare_gather(request, &sharing.origin, &sharing.list, c, err);
    tw_shard_list_release(&sharing.list);
    return status;
}
