/* SPDX-License-Identifier: MIT */
/* Prints the fronts of two measures as text and JSON. */
#include "cli/compare/compare.h"

#include "base/text/text.h"
#include "study/front.h"
#include "study/levels.h"

#include <jansson.h>

/* ---- text ---- */

static void print_head(FILE *out, const struct tw_comparison *c, const struct tw_front_set *front)
{
    const struct tw_experiment *e = c->experiment;
    fputs("\nfront of ", out);
    for (int i = 0; i < 2; i++) {
        fputs(i ? " and " : "", out);
        tw_text_write(out, e->measures[e->front[i].measure].name, TW_TEXT_TERMINAL);
        fputs(e->front[i].direction > 0 ? " (up)" : " (down)", out);
    }
    if (front->level >= 0 && e->level_count > 1) {
        fputs(", ", out);
        tw_level_write(out, &e->levels[front->level], TW_TEXT_TERMINAL);
    }
    fprintf(out, ": %d of %d %s\n", (int)front->on, (int)front->count,
            front->level >= 0 ? "variants" : "trials");
}

static void print_point(FILE *out, const struct tw_comparison *c, const struct tw_front_set *front,
                        int32_t point)
{
    const struct tw_experiment *e = c->experiment;
    for (int i = 0; i < 2; i++)
        fprintf(out, "  %16.6g", tw_front_mean(c, front, point, e->front[i].measure));
    fputs("  ", out);
    if (front->level >= 0)
        tw_text_write(out, e->variants[front->points[point].at].name, TW_TEXT_TERMINAL);
    else
        fprintf(out, "trial %d", (int)front->points[point].at + 1);
    fputs(point == front->knee ? "  knee\n" : "\n", out);
}

void tw_compare_fronts_text(FILE *out, const struct tw_comparison *c)
{
    for (int32_t i = 0; i < tw_front_count(c); i++) {
        struct tw_front_set front;
        if (tw_front_of(c, i, &front, NULL) == TW_OK)
            print_head(out, c, &front);
        for (int32_t k = 0; k < front.on; k++)
            print_point(out, c, &front, k);
        tw_front_release(&front);
    }
}

/* ---- JSON ---- */

static json_t *point_json(const struct tw_comparison *c, const struct tw_front_set *front,
                          int32_t point)
{
    const struct tw_experiment *e = c->experiment;
    int32_t at = front->points[point].at, count;
    const struct tw_setting *settings = tw_front_settings(c, front, point, &count);
    json_t *object = json_object(), *params = json_object(), *means = json_object();
    if (front->level >= 0)
        json_object_set_new(object, "variant", json_string(e->variants[at].name));
    else
        json_object_set_new(object, "trial", json_integer(at));
    for (int32_t i = 0; i < count; i++)
        json_object_set_new(params, settings[i].name, json_string(settings[i].text));
    for (int i = 0; i < 2; i++)
        json_object_set_new(means, e->measures[e->front[i].measure].name,
                            json_real(tw_front_mean(c, front, point, e->front[i].measure)));
    json_object_set_new(object, "params", params);
    json_object_set_new(object, "means", means);
    json_object_set_new(object, "knee", json_boolean(point == front->knee));
    return object;
}

static json_t *front_json(const struct tw_comparison *c, const struct tw_front_set *front)
{
    const struct tw_experiment *e = c->experiment;
    json_t *object = json_object(), *measures = json_array(), *points = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(measures, json_pack("{s:s, s:s}", "measure",
                                                  e->measures[e->front[i].measure].name, "better",
                                                  e->front[i].direction > 0 ? "up" : "down"));
    for (int32_t k = 0; k < front->on; k++)
        json_array_append_new(points, point_json(c, front, k));
    json_object_set_new(object, "of", json_string(front->level >= 0 ? "variants" : "trials"));
    if (front->level >= 0) {
        int32_t run = front->level * e->level_variants, side = tw_side_of(c, run);
        json_object_set_new(object, "size", side > 0 ? json_integer(side) : json_null());
        json_object_set_new(object, "level", json_integer(front->level + 1));
    }
    json_object_set_new(object, "measures", measures);
    json_object_set_new(object, "count", json_integer(front->count));
    json_object_set_new(object, "points", points);
    return object;
}

json_t *tw_compare_fronts_json(const struct tw_comparison *c)
{
    int32_t count = tw_front_count(c);
    json_t *list = count > 0 ? json_array() : NULL;
    for (int32_t i = 0; i < count; i++) {
        struct tw_front_set front;
        if (tw_front_of(c, i, &front, NULL) == TW_OK)
            json_array_append_new(list, front_json(c, &front));
        tw_front_release(&front);
    }
    return list;
}
