/* SPDX-License-Identifier: MIT */
/* Differences over two cells, and over one where a border ends the map. */
#include "shape/kernels/vector_field.h"

struct job {
    const struct tw_slope_field *field;
    const float *in;
    struct tw_vector *out;
    int32_t width, height;
    float scale; /* cells a map side */
};

/* The neighbours of cell i of `count`, one of which is i itself at a border that ends, and how many
 * cells they are apart. */
struct span {
    int32_t before, after;
    float per_cell; /* 1 over that distance; 0 on a map of one cell */
};

static struct span span_of(int32_t i, int32_t count, bool wrap)
{
    if (wrap && count > 1)
        return (struct span){tw_wrap(i - 1, count), tw_wrap(i + 1, count), 0.5f};
    int32_t before = tw_clamp_index(i - 1, count), after = tw_clamp_index(i + 1, count);
    return (struct span){before, after, after > before ? 1.0f / (float)(after - before) : 0.0f};
}

static struct tw_vector turned(struct tw_vector up, const struct tw_slope_field *field)
{
    if (field->unit)
        up = tw_unit_vector(up);
    switch (field->direction) {
    case TW_SLOPE_DESCENT:
        return (struct tw_vector){-up.x, -up.y};
    case TW_SLOPE_LEFT:
        return (struct tw_vector){up.y, -up.x};
    default:
        return up;
    }
}

static void slope_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    for (int32_t y = begin; y < end; y++) {
        struct span rows = span_of(y, job->height, job->field->wrap);
        const float *row = job->in + (size_t)y * (size_t)job->width;
        const float *north = job->in + (size_t)rows.before * (size_t)job->width;
        const float *south = job->in + (size_t)rows.after * (size_t)job->width;
        for (int32_t x = 0; x < job->width; x++) {
            struct span columns = span_of(x, job->width, job->field->wrap);
            struct tw_vector up = {(row[columns.after] - row[columns.before]) *
                                       (columns.per_cell * job->scale),
                                   (south[x] - north[x]) * (rows.per_cell * job->scale)};
            job->out[(size_t)y * (size_t)job->width + (size_t)x] = turned(up, job->field);
        }
    }
}

void tw_slope_field_run(struct tw_task *task, const struct tw_slope_field *field, const float *in,
                        struct tw_vector *out)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    struct job job = {field, in, out, width, height, (float)width};
    tw_rows(task, height, 16, slope_rows, &job);
}
