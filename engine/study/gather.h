/* SPDX-License-Identifier: MIT */
/* Reads shards into a comparison, equal to that of a run on one machine: it takes seeds in order,
 * whichever machine computed them. */
#ifndef TW_ENGINE_STUDY_GATHER_H
#define TW_ENGINE_STUDY_GATHER_H

#include "study/shard.h"

/* Files of one experiment, ordered by first seed. */
struct tw_shard_list {
    struct tw_shard_file {
        char *path;
        struct tw_shard_number shard;
        struct tw_seed_range seeds;
        int32_t furthest; /* index of the file, among this and earlier ones, that ends last (the
                             first if several do) */
    } * at;
    int32_t count, capacity;
};

/* Adds the files shard-*.jsonl of a folder, if it exists. Files that are damaged or of other
 * experiments: TW_INPUT if `strict`, else skipped. Skips files that are in the list already. The
 * list starts as {0}; release it even after a failure. */
enum tw_status tw_shard_list_add(struct tw_shard_list *list, const struct tw_shard_origin *origin,
                                 const char *folder, bool strict, struct tw_error *err);
void tw_shard_list_release(struct tw_shard_list *list);
/* Of the files that have seed `number`, returns the one that ends last; NULL: none. */
const struct tw_shard_file *tw_shard_list_find(const struct tw_shard_list *list, int32_t number);
/* Returns the first seed from `number` on that no file has; `count` if all are present. */
int32_t tw_shard_list_gap(const struct tw_shard_list *list, int32_t number, int32_t count);
/* Returns the first seed from `number` on that a file has; `count` if none has one. */
int32_t tw_shard_list_next(const struct tw_shard_list *list, int32_t number, int32_t count);

/* Reads the seeds into a comparison as tw_compare_run() computes them: until intervals are narrow
 * enough, reporting failed seeds. TW_INPUT lists what is missing. */
enum tw_status tw_compare_gather(const struct tw_compare_request *request,
                                 const struct tw_shard_origin *origin,
                                 const struct tw_shard_list *list, struct tw_comparison *c,
                                 struct tw_error *err);

#endif
