/* SPDX-License-Identifier: MIT */
#include "path/kernels/segments.h"

#include <thalweg/kernel.h>

enum { FAN_BITS = 3, FAN = 1 << FAN_BITS, POLL = 1 << 16 };
/* Beyond, images would take long to find. */
static const double FARTHEST = 64;

/* Sets where each level begins; returns the number of boxes. */
static int64_t set_levels(struct tw_segments *s, int64_t count)
{
    int64_t boxes = 0;
    s->levels = 0;
    for (int64_t of_level = count; s->levels < TW_SEGMENT_LEVELS; s->levels++) {
        s->first[s->levels] = boxes;
        boxes += of_level;
        if (of_level <= FAN) {
            s->levels++;
            break;
        }
        of_level = (of_level + FAN - 1) / FAN;
    }
    return boxes;
}

bool tw_segments_lay_out(struct tw_scratch *s, int64_t points, struct tw_segments *segments)
{
    int64_t boxes = set_levels(segments, points);
    segments->at = tw_scratch_take(s, (uint64_t)points + 1, sizeof *segments->at);
    segments->boxes = tw_scratch_take(s, (uint64_t)boxes + 1, sizeof *segments->boxes);
    return tw_scratch_is_laid(s);
}

enum tw_status tw_line_point_check(struct tw_task *task, const struct tw_line_point *p)
{
    if (fabs((double)p->x) <= FARTHEST && fabs((double)p->y) <= FARTHEST && p->width <= 1)
        return TW_OK;
    return tw_task_fail(task,
                        "line %d has a point at %g, %g with a width of %g; expected coordinates "
                        "from %g to %g and a width of 1 at most, in map sides",
                        p->line, (double)p->x, (double)p->y, (double)p->width, -FARTHEST, FARTHEST);
}

/* Adds the segment from point a to b, which may be one point. */
static void add_segment(struct tw_segments *s, const struct tw_line_point *a,
                        const struct tw_line_point *b, double per_width)
{
    const double width = s->width, height = s->height;
    struct tw_segment *to = &s->at[s->count++];
    to->x = (double)a->x * width;
    to->y = (double)a->y * height;
    to->along[0] = (double)b->x * width - to->x;
    to->along[1] = (double)b->y * height - to->y;
    to->width[0] = tw_max(a->width * (float)width, 1);
    to->width[1] = tw_max(b->width * (float)width, 1);
    to->z[0] = a->z;
    to->z[1] = b->z;
    to->depth[0] = tw_max(a->depth, 0);
    to->depth[1] = tw_max(b->depth, 0);
    to->line = a->line;
    double widest = (double)tw_max(to->width[0], to->width[1]);
    double reach = per_width * widest, edge = 0.5 * widest + 0.5;
    to->reach = (float)(reach > edge ? reach : edge);
}

/* Lowers water and bed to those of the point before. */
static void let_fall(struct tw_line_point *p, const struct tw_line_point *before)
{
    p->depth = tw_max(p->depth, 0);
    float bed = tw_min(p->z - p->depth, before->z - before->depth);
    p->z = tw_min(p->z, before->z);
    p->depth = p->z - bed;
}

static enum tw_status gather_list(struct tw_task *task, const struct tw_value *list,
                                  const struct tw_segment_rule *rule, struct tw_segments *s)
{
    const struct tw_line_point *points = tw_line_points(list);
    struct tw_line_point before = {0};
    int32_t index = 0;
    for (int32_t i = 0; i < list->width; i++) {
        struct tw_line_point here = points[i];
        bool first = !i || points[i - 1].line != here.line;
        bool last = i + 1 == list->width || points[i + 1].line != here.line;
        index = first ? 0 : index + 1;
        if (i % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        if (tw_line_point_check(task, &here) != TW_OK)
            return TW_NODE;
        if (rule->falls && !first)
            let_fall(&here, &before);
        if (!first || last) {
            add_segment(s, first ? &here : &before, &here, rule->per_width);
            s->at[s->count - 1].point = first ? 0 : index - 1;
        }
        before = here;
    }
    return TW_OK;
}

static struct tw_segment_box box_of(const struct tw_segment *s)
{
    const double from[] = {s->x, s->y};
    struct tw_segment_box box;
    for (int k = 0; k < 2; k++) {
        double to = from[k] + s->along[k];
        box.low[k] = (from[k] < to ? from[k] : to) - (double)s->reach;
        box.high[k] = (from[k] < to ? to : from[k]) + (double)s->reach;
    }
    return box;
}

static void include(struct tw_segment_box *box, const struct tw_segment_box *other)
{
    for (int k = 0; k < 2; k++) {
        box->low[k] = other->low[k] < box->low[k] ? other->low[k] : box->low[k];
        box->high[k] = other->high[k] > box->high[k] ? other->high[k] : box->high[k];
    }
}

static void grow_tree(struct tw_segments *s)
{
    int64_t below = s->count;
    for (int64_t i = 0; i < s->count; i++)
        s->boxes[i] = box_of(&s->at[i]);
    for (int level = 1; level < s->levels; level++) {
        const struct tw_segment_box *from = s->boxes + s->first[level - 1];
        struct tw_segment_box *to = s->boxes + s->first[level];
        for (int64_t i = 0; i < below; i++) {
            if (i % FAN == 0)
                to[i / FAN] = from[i];
            include(&to[i / FAN], &from[i]);
        }
        below = (below + FAN - 1) / FAN;
    }
}

enum tw_status tw_segments_gather(struct tw_task *task, int port,
                                  const struct tw_segment_rule *rule, struct tw_segments *segments)
{
    enum tw_status status = TW_OK;
    segments->count = 0;
    segments->task = task;
    segments->width = tw_task_width(task);
    segments->height = tw_task_height(task);
    for (int i = port; i < tw_task_input_count(task) && status == TW_OK; i++)
        status = gather_list(task, tw_task_input(task, i), rule, segments);
    set_levels(segments, segments->count);
    if (status == TW_OK)
        grow_tree(segments);
    return status;
}

static bool touches(const struct tw_segment_box *a, const struct tw_segment_box *b)
{
    return a->low[0] <= b->high[0] && a->high[0] >= b->low[0] && a->low[1] <= b->high[1] &&
           a->high[1] >= b->low[1];
}

/* How many segments from i on a box that misses the search lets it skip; 0: segment i touches it.
 */
static int64_t skip(const struct tw_segments *s, int64_t i, const struct tw_segment_box *box)
{
    int level = 0;
    while (level + 1 < s->levels && i % ((int64_t)1 << (FAN_BITS * (level + 1))) == 0)
        level++;
    for (; level >= 0; level--)
        if (!touches(s->boxes + s->first[level] + (i >> (FAN_BITS * level)), box))
            return (int64_t)1 << (FAN_BITS * level);
    return 0;
}

/* Searches the image that lies `shift` cells away from the segments themselves. */
static void search_image(const struct tw_segments *s, const struct tw_segment_box *box,
                         const double shift[2], tw_segment_fn *fn, void *context)
{
    struct tw_segment_box here = *box;
    for (int k = 0; k < 2; k++) {
        here.low[k] -= shift[k];
        here.high[k] -= shift[k];
    }
    for (int64_t i = 0, step; i<s->count; i += step> 0 ? step : 1) {
        step = skip(s, i, &here);
        if (step > 0)
            continue;
        if (tw_task_cancelled(s->task))
            return;
        struct tw_segment moved = s->at[i];
        moved.x += shift[0];
        moved.y += shift[1];
        fn(context, &moved);
    }
}

void tw_segments_each(const struct tw_segments *segments, const struct tw_segment_box *box,
                      tw_segment_fn *fn, void *context)
{
    const double size[] = {segments->width, segments->height};
    int32_t from[2] = {0, 0}, to[2] = {0, 0};
    if (segments->count == 0)
        return;
    struct tw_segment_box all = segments->boxes[segments->first[segments->levels - 1]];
    const struct tw_segment_box *top = segments->boxes + segments->first[segments->levels - 1];
    int64_t tops = ((segments->count - 1) >> (FAN_BITS * (segments->levels - 1))) + 1;
    for (int64_t i = 1; i < tops; i++)
        include(&all, &top[i]);
    for (int k = 0; segments->wrap && k < 2; k++) {
        from[k] = tw_floor((float)((box->low[k] - all.high[k]) / size[k]));
        to[k] = tw_floor((float)((box->high[k] - all.low[k]) / size[k])) + 1;
    }
    for (int32_t y = from[1]; y <= to[1]; y++)
        for (int32_t x = from[0]; x <= to[0] && !tw_task_cancelled(segments->task); x++)
            search_image(segments, box, (const double[]){x * size[0], y * size[1]}, fn, context);
}
