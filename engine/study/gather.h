/* SPDX-License-Identifier: MIT */
/* From shards to a comparison, equal to that of a run on one machine: seeds are taken in order,
 * whoever computed them. */
#ifndef TW_ENGINE_STUDY_GATHER_H
#define TW_ENGINE_STUDY_GATHER_H

#include "study/shard.h"

/* Files of one experiment, in the order of their first seeds. */
struct tw_shard_list {
    struct tw_shard_file {
        char *path;
        struct tw_shard_number shard;
        struct tw_seed_range seeds;
        int32_t furthest; /* of this file and those before it, the first that goes on furthest */
    } * at;
    int32_t count, capacity;
};

/* Adds the files shard-*.jsonl of a folder, which may not exist. Other experiments', damaged ones:
 * TW_INPUT when `strict`, else left out. Files that are in the list are not read again. The list
 * starts as {0}; release it after a failure, too. */
enum tw_status tw_shard_list_add(struct tw_shard_list *list, const struct tw_shard_origin *origin,
                                 const char *folder, bool strict, struct tw_error *err);
void tw_shard_list_release(struct tw_shard_list *list);
/* The file that has seed `number` and goes on furthest; NULL when none has it. */
const struct tw_shard_file *tw_shard_list_find(const struct tw_shard_list *list, int32_t number);
/* The first seed from `number` on that no file has; `count` when all are there. */
int32_t tw_shard_list_gap(const struct tw_shard_list *list, int32_t number, int32_t count);
/* The first seed from `number` on that a file has; `count` when none is there. */
int32_t tw_shard_list_next(const struct tw_shard_list *list, int32_t number, int32_t count);

/* Reads the seeds into a comparison as tw_compare_run() computes them: until intervals are narrow
 * enough, with failed seeds reported. TW_INPUT names what is missing. */
enum tw_status tw_compare_gather(const struct tw_compare_request *request,
                                 const struct tw_shard_origin *origin,
                                 const struct tw_shard_list *list, struct tw_comparison *c,
                                 struct tw_error *err);

#endif
