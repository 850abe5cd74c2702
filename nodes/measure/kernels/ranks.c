/* SPDX-License-Identifier: MIT */
/* Radix sort by eleven bits at a time; digits that all numbers share take no pass. */
#include "measure/kernels/ranks.h"

#include "measure/kernels/double_key.h"

enum { BITS = 11, BUCKETS = 1 << BITS, KEY_BITS = 64 };

struct record {
    uint64_t key;
    int32_t at;
};

static bool pass(const struct record *from, struct record *to, int32_t count, int shift)
{
    int32_t starts[BUCKETS + 1] = {0};
    for (int32_t i = 0; i < count; i++)
        starts[(from[i].key >> shift & (BUCKETS - 1)) + 1]++;
    if (starts[(from[0].key >> shift & (BUCKETS - 1)) + 1] == count)
        return false;
    for (int k = 0; k < BUCKETS; k++)
        starts[k + 1] += starts[k];
    for (int32_t i = 0; i < count; i++)
        to[starts[from[i].key >> shift & (BUCKETS - 1)]++] = from[i];
    return true;
}

static void number_records(const struct record *records, int32_t count, float *ranks,
                           double *sorted)
{
    uint32_t index = 0;
    for (int32_t i = 0; i < count; i++) {
        index += i > 0 && records[i].key != records[i - 1].key;
        sorted[index] = tw_key_double(records[i].key);
        ranks[records[i].at] = tw_rank_of_index(index);
    }
}

enum tw_status tw_ranks_find(struct tw_task *task, const double *numbers, int32_t count,
                             float *ranks, double *sorted)
{
    const struct tw_scratch_mark mark = tw_task_scratch_mark(task);
    struct record *records = tw_task_scratch(task, (size_t)count, sizeof *records);
    struct record *work = tw_task_scratch(task, (size_t)count, sizeof *work);
    if (!records || !work)
        return tw_task_no_memory(task);
    for (int32_t i = 0; i < count; i++)
        records[i] = (struct record){tw_double_key(numbers[i]), i};
    for (int shift = 0; shift < KEY_BITS; shift += BITS) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (!pass(records, work, count, shift))
            continue;
        struct record *other = records;
        records = work;
        work = other;
    }
    number_records(records, count, ranks, sorted);
    tw_task_scratch_return(task, mark);
    return TW_OK;
}
