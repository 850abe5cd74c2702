/* SPDX-License-Identifier: MIT */
/* Reads the seeds that all variants share. A consecutive run takes no memory, whatever its length.
 */
#include "study/experiment_private.h"

#include "base/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool read_seed(struct tw_experiment_reader *reader, const struct tw_yaml *value,
                      uint64_t *seed)
{
    if (value->kind == TW_YAML_SCALAR && tw_number_parse_whole(value->text, seed))
        return true;
    TW_EXPERIMENT_FAULT(reader, value->place,
                        "a seed is %s; expected a whole number from 0 to 2^64 - 1",
                        TW_YAML_FOUND(value));
    return false;
}

static bool check_count(struct tw_experiment_reader *reader, struct tw_place place, uint64_t count)
{
    if (count >= 1 && count <= TW_SEEDS_MAX)
        return true;
    TW_EXPERIMENT_FAULT(reader, place, "there are %" PRIu64 " seeds; expected 1 to %d", count,
                        TW_SEEDS_MAX);
    return false;
}

static bool read_count(struct tw_experiment_reader *reader, const struct tw_yaml *run,
                       uint64_t *count)
{
    const struct tw_yaml *value = tw_yaml_find(run, "count");
    if (value && value->kind == TW_YAML_SCALAR && tw_number_parse_whole(value->text, count))
        return check_count(reader, value->place, *count);
    TW_EXPERIMENT_FAULT(reader, value ? value->place : run->place,
                        "a run of seeds needs count:, as in {from: 1, count: 100}");
    return false;
}

/* Reads {from: 1, count: 100}; `until` is read later, since it needs the measures */
static void read_run(struct tw_experiment_reader *reader, const struct tw_yaml *value)
{
    static const char *const known[] = {"from", "count", "until", NULL};
    uint64_t from = 1, count = 0;
    const struct tw_yaml *first = tw_yaml_find(value, "from");
    tw_expect_keys(reader->log, &reader->experiment->arena, value, "seeds", known);
    if ((first && !read_seed(reader, first, &from)) || !read_count(reader, value, &count))
        return;
    if (count - 1 > UINT64_MAX - from) {
        TW_EXPERIMENT_FAULT(reader, value->place,
                            "seeds go from %" PRIu64 " past 2^64 - 1; expected at most %" PRIu64
                            " of them",
                            from, UINT64_MAX - from + 1);
        return;
    }
    reader->experiment->first_seed = from;
    reader->experiment->seed_count = (int32_t)count;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A map that counts twice is still one sample, and would make tests find differences that do not
 * exist. `sorted` receives the list's seeds. */
static void check_distinct(struct tw_experiment_reader *reader, const struct tw_yaml *list,
                           uint64_t *sorted)
{
    int32_t count = reader->experiment->seed_count, same = 1;
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    while (same < count && sorted[same] != sorted[same - 1])
        same++;
    const struct tw_yaml *second = NULL;
    uint64_t seed;
    for (const struct tw_yaml_item *item = list->items; same < count && item; item = item->next)
        if (tw_number_parse_whole(item->value->text, &seed) && seed == sorted[same])
            second = item->value;
    if (second)
        TW_EXPERIMENT_FAULT(reader, second->place,
                            "seed %" PRIu64 " is listed twice; expected each once: the same map "
                            "again is not a further sample",
                            sorted[same]);
}

static void read_list(struct tw_experiment_reader *reader, const struct tw_yaml *list)
{
    struct tw_experiment *experiment = reader->experiment;
    if (!check_count(reader, list->place, (uint64_t)list->count))
        return;
    uint64_t *seeds = tw_arena_alloc(&experiment->arena, (size_t)list->count, sizeof *seeds);
    uint64_t *sorted = tw_arena_alloc(&experiment->arena, (size_t)list->count, sizeof *seeds);
    if (!seeds || !sorted) {
        tw_experiment_no_memory(reader);
        return;
    }
    for (const struct tw_yaml_item *item = list->items; item; item = item->next)
        if (read_seed(reader, item->value, &seeds[experiment->seed_count]))
            experiment->seed_count++;
    experiment->seeds = seeds;
    memcpy(sorted, seeds, (size_t)experiment->seed_count * sizeof *sorted);
    if (experiment->seed_count == list->count)
        check_distinct(reader, list, sorted);
}

void tw_experiment_read_seeds(struct tw_experiment_reader *reader, const struct tw_yaml *value)
{
    if (value->kind == TW_YAML_MAPPING)
        read_run(reader, value);
    else if (value->kind == TW_YAML_SEQUENCE)
        read_list(reader, value);
    else
        TW_EXPERIMENT_FAULT(reader, value->place,
                            "seeds is %s; expected a list, or a run as in {from: 1, count: 100}",
                            TW_YAML_FOUND(value));
}
