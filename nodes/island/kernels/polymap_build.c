/* SPDX-License-Identifier: MIT */
#include "island/kernels/polymap_build.h"

#include <string.h>

enum tw_status tw_polymap_create(struct tw_task *task, const struct tw_polymap_header *head,
                                 struct tw_polymap *map)
{
    int32_t words = tw_polymap_words(head->cells, head->corners, head->edges, head->sides);
    if (!words)
        return tw_task_fail(task, "a map of %u cells is too large", (unsigned)head->cells);
    enum tw_status status = tw_task_list(task, 0, words);
    if (status != TW_OK)
        return status;
    uint32_t *block = tw_task_output(task, 0)->data;
    struct tw_polymap_header full = *head;
    full.magic = TW_POLYMAP_MAGIC;
    memcpy(block, &full, sizeof full);
    tw_polymap_lay_out(block, map);
    return TW_OK;
}

enum { WORDS_GRAIN = 1 << 16 };

struct copy {
    const uint32_t *from;
    uint32_t *to;
};

static void copy_words(void *context, int32_t begin, int32_t end)
{
    const struct copy *copy = context;
    memcpy(copy->to + begin, copy->from + begin, (size_t)(end - begin) * sizeof *copy->to);
}

enum tw_status tw_polymap_copy(struct tw_task *task, uint32_t layers, const char *needs,
                               struct tw_polymap *map)
{
    const struct tw_value *in = tw_task_input(task, 0);
    enum tw_status status = tw_polymap_open(task, 0, layers, needs, map);
    if (status == TW_OK)
        status = tw_task_list(task, 0, in->width);
    if (status != TW_OK)
        return status;
    struct tw_value *out = tw_task_output(task, 0);
    tw_rows(task, in->width, WORDS_GRAIN, copy_words, &(struct copy){in->data, out->data});
    tw_polymap_lay_out(out->data, map);
    return TW_OK;
}

void tw_polymap_average(const struct tw_polymap *map, const float *corners, float *cells)
{
    for (int32_t i = 0; i < map->cells; i++) {
        int32_t begin = map->cell_start[i], end = map->cell_start[i + 1];
        double sum = 0;
        for (int32_t side = begin; side < end; side++)
            sum += (double)corners[map->side_corner[side]];
        cells[i] = end > begin ? (float)(sum / (end - begin)) : 0;
    }
}
