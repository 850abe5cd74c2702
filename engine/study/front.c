/* SPDX-License-Identifier: MIT */
/* Reads front: {score.erosion: up, seconds: down}, and finds the fronts of a comparison. */
#include "study/front.h"

#include "study/experiment_private.h"
#include "study/tuning.h"

#include <stdlib.h>
#include <string.h>

void tw_experiment_read_front(struct tw_experiment_reader *reader, const struct tw_yaml *mapping)
{
    struct tw_experiment *e = reader->experiment;
    if (!mapping || !tw_expect_kind(reader->log, mapping, TW_YAML_MAPPING, "front"))
        return;
    if (mapping->count != 2) {
        TW_EXPERIMENT_FAULT(reader, mapping->place,
                            "front: names %d measure%s; expected two, as in {score.erosion: "
                            "up, seconds: down}",
                            (int)mapping->count, mapping->count == 1 ? "" : "s");
        return;
    }
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        int32_t measure = tw_experiment_find_measure(reader, item->key);
        const char *text = item->value->kind == TW_YAML_SCALAR ? item->value->text : "";
        if (strcmp(text, "up") != 0 && strcmp(text, "down") != 0)
            TW_EXPERIMENT_FAULT(reader, item->value->place,
                                "front of %.60s is %s; expected up or down", item->key->text,
                                TW_YAML_FOUND(item->value));
        else if (measure >= 0)
            e->front[e->front_count++] = (struct tw_front_goal){measure, text[0] == 'u' ? 1 : -1};
    }
}

/* ---- finding ---- */

static int32_t count_levels(const struct tw_experiment *e)
{
    return e->variant_count > 1 ? e->level_count : 0;
}

int32_t tw_front_count(const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    return e->front_count < 2 ? 0 : count_levels(e) + (c->tuning != NULL);
}

static bool has_point(const struct tw_comparison *c, const struct tw_front_set *front, int32_t at)
{
    return front->level >= 0 || tw_trial_has_run(&c->tuning->trials[at]);
}

static double mean_at(const struct tw_comparison *c, const struct tw_front_set *front, int32_t at,
                      int32_t measure)
{
    int32_t run = front->level * c->experiment->level_variants + at;
    return front->level >= 0 ? tw_comparison_summary(c, run, measure).mean
                             : c->tuning->trials[at].means[measure];
}

enum tw_status tw_front_of(const struct tw_comparison *c, int32_t number,
                           struct tw_front_set *front, struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    *front = (struct tw_front_set){.level = number < count_levels(e) ? number : -1};
    int32_t all = front->level >= 0 ? e->level_variants : c->tuning->count;
    front->points = calloc((size_t)all + 1, sizeof *front->points);
    if (!front->points)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < all; i++)
        if (has_point(c, front, i))
            front->points[front->count++] = (struct tw_front_point){
                .x = e->front[0].direction * mean_at(c, front, i, e->front[0].measure),
                .y = e->front[1].direction * mean_at(c, front, i, e->front[1].measure),
                .at = i};
    front->on = tw_front_find(front->points, front->count);
    front->knee = tw_front_knee(front->points, front->on);
    return TW_OK;
}

void tw_front_release(struct tw_front_set *front)
{
    free(front->points);
    front->points = NULL;
}

double tw_front_mean(const struct tw_comparison *c, const struct tw_front_set *front, int32_t point,
                     int32_t measure)
{
    return mean_at(c, front, front->points[point].at, measure);
}

const struct tw_setting *tw_front_settings(const struct tw_comparison *c,
                                           const struct tw_front_set *front, int32_t point,
                                           int32_t *count)
{
    const struct tw_experiment *e = c->experiment;
    int32_t at = front->points[point].at;
    const struct tw_variant *variant = &e->variants[front->level * e->level_variants + at];
    *count = front->level >= 0 ? variant->setting_count : e->tune.param_count;
    return front->level >= 0 ? variant->settings : c->tuning->trials[at].settings;
}
