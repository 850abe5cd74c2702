/* SPDX-License-Identifier: MIT */
/* Forecasts spilling: plays the run through, consumer after consumer, with sizes in place of
 * values. The steps are those of run/spill.c for a run that finds nothing in the cache. */
#include "graph/spill_forecast.h"

#include <stdlib.h>

enum { IN_MEMORY = 1, ON_DISK = 2 };

struct play {
    struct tw_spill_view view;
    struct tw_spill_forecast *forecast;
    uint64_t limit, used;
    uint64_t kept;                         /* bytes of the values kept for the caller so far */
    unsigned char (*places)[TW_PORTS_MAX]; /* by node: where its outputs are */
    bool *due;                             /* by consumer */
    bool starved;
};

static uint64_t size_of(const struct play *play, struct tw_source source)
{
    return play->view.plan->sizes[source.node][source.port];
}

static unsigned char *place_of(const struct play *play, struct tw_source source)
{
    return &play->places[source.node][source.port];
}

static uint64_t resident(const void *context, struct tw_source source)
{
    const struct play *play = context;
    return *place_of(play, source) & IN_MEMORY ? size_of(play, source) : 0;
}

static bool is_due(const void *context, int32_t consumer)
{
    return ((const struct play *)context)->due[consumer];
}

/* ---- writing out and reading back ---- */

static void note_step(struct play *play, struct tw_source source, int32_t before)
{
    struct tw_spill_forecast *forecast = play->forecast;
    if (forecast->step_count == forecast->step_capacity) {
        int32_t capacity = forecast->step_capacity ? 2 * forecast->step_capacity : 16;
        void *steps = realloc(forecast->steps, (size_t)capacity * sizeof *forecast->steps);
        play->starved |= !steps;
        if (!steps)
            return;
        forecast->steps = steps;
        forecast->step_capacity = capacity;
    }
    forecast->steps[forecast->step_count++] = (struct tw_spill_step){source, before};
}

static void spill(struct play *play, struct tw_source source, int32_t before)
{
    const uint64_t bytes = size_of(play, source);
    if (!(*place_of(play, source) & ON_DISK)) {
        play->forecast->value_count++;
        play->forecast->bytes += bytes;
    }
    *place_of(play, source) = ON_DISK;
    play->used -= bytes;
    note_step(play, source, before);
}

/* Moves values to disk to free that many bytes, as far as possible. */
static void make_room(struct play *play, int32_t consumer, uint64_t bytes)
{
    struct tw_source victim;
    while (!play->starved && tw_add_saturating(play->used, bytes) > play->limit &&
           tw_spill_choose(&play->view, consumer, &victim))
        spill(play, victim, consumer);
    if (tw_add_saturating(play->used, bytes) > play->forecast->peak_bytes)
        play->forecast->peak_bytes = tw_add_saturating(play->used, bytes);
}

/* Returns whether the consumer takes a value that is on disk. */
static bool is_to_read(const struct play *play, int32_t consumer, struct tw_source source)
{
    return *place_of(play, source) == ON_DISK && tw_spill_takes(&play->view, consumer, source);
}

/* Reads back together all outputs of a node that are only on disk. */
static void read_back(struct play *play, int32_t consumer, int32_t i)
{
    uint64_t bytes = 0;
    for (int port = 0; port < TW_PORTS_MAX; port++)
        if (is_to_read(play, consumer, (struct tw_source){i, port}))
            bytes += play->view.plan->sizes[i][port];
    if (bytes == 0)
        return;
    make_room(play, consumer, bytes);
    for (int port = 0; port < TW_PORTS_MAX; port++)
        if (is_to_read(play, consumer, (struct tw_source){i, port}))
            play->places[i][port] |= IN_MEMORY;
    play->used += bytes;
    play->forecast->read_bytes += bytes;
}

/* Returns the consumer's next source after node `after`; -1: there is none. */
static int32_t source_after(const struct play *play, int32_t consumer, int32_t after)
{
    const struct tw_recipe *recipe = play->view.recipe;
    const bool is_goal = consumer >= recipe->count;
    int32_t best = INT32_MAX;
    const struct tw_output *o = is_goal ? play->view.goals[consumer - recipe->count].sources : NULL;
    for (; o; o = o->next)
        if (o->source.node > after && o->source.node < best)
            best = o->source.node;
    for (int32_t edge = 0; !is_goal && edge < recipe->nodes[consumer].input_count; edge++) {
        int32_t source = recipe->nodes[consumer].inputs[edge].node;
        best = source > after && source < best ? source : best;
    }
    return best == INT32_MAX ? -1 : best;
}

/* Reads the consumer's values back; returns the bytes of all of them except kept ones. */
static uint64_t gather(struct play *play, int32_t consumer)
{
    uint64_t bytes = 0;
    for (int32_t i = -1; (i = source_after(play, consumer, i)) >= 0;) {
        read_back(play, consumer, i);
        for (int port = 0; port < TW_PORTS_MAX; port++) {
            const struct tw_source source = {i, port};
            if (tw_spill_takes(&play->view, consumer, source) &&
                !tw_spill_keeps(&play->view, source))
                bytes += size_of(play, source);
        }
    }
    return bytes;
}

/* Notes the minimum for the consumer: its sources, its results, and the values kept already. */
static void note_needed(struct play *play, int32_t consumer, uint64_t sources, uint64_t own)
{
    const uint64_t bytes = tw_add_saturating(play->kept + sources, own);
    if (bytes <= play->forecast->needed_bytes)
        return;
    play->forecast->needed_bytes = bytes;
    play->forecast->needed_node = consumer < play->view.recipe->count ? consumer : -1;
}

/* ---- consumers ---- */

static void release(struct play *play, struct tw_source source)
{
    unsigned char *place = place_of(play, source);
    if (*place == 0 || tw_spill_next_use(&play->view, source) < INT32_MAX)
        return;
    if (*place & IN_MEMORY)
        play->used -= size_of(play, source);
    *place = 0;
}

static void deliver(struct play *play, int32_t g)
{
    play->due[play->view.recipe->count + g] = false;
    for (const struct tw_output *o = play->view.goals[g].sources; o; o = o->next)
        release(play, o->source);
}

static bool is_deliverable(const struct play *play, int32_t g)
{
    const struct tw_spill_goal *goal = &play->view.goals[g];
    if (!play->due[play->view.recipe->count + g] || goal->keeps)
        return false;
    for (const struct tw_output *o = goal->sources; o; o = o->next)
        if (!(*place_of(play, o->source) & IN_MEMORY))
            return false;
    return true;
}

/* Files are written as soon as their values exist. */
static void deliver_complete(struct play *play)
{
    for (int32_t g = 0; g < play->view.goal_count; g++)
        if (is_deliverable(play, g))
            deliver(play, g);
}

static void deliver_late(struct play *play, int32_t g)
{
    const int32_t consumer = play->view.recipe->count + g;
    if (!play->due[consumer] || play->view.goals[g].keeps)
        return;
    note_needed(play, consumer, gather(play, consumer), 0);
    deliver_complete(play);
}

static void take_outputs(struct play *play, int32_t i)
{
    for (int port = 0; port < TW_PORTS_MAX; port++) {
        const struct tw_source source = {i, port};
        if (tw_spill_next_use(&play->view, source) == INT32_MAX)
            continue;
        *place_of(play, source) = IN_MEMORY;
        play->used += size_of(play, source);
        play->kept += tw_spill_keeps(&play->view, source) ? size_of(play, source) : 0;
    }
}

static void compute(struct play *play, int32_t i)
{
    const struct tw_node *node = &play->view.recipe->nodes[i];
    const struct tw_need *need = &play->view.plan->needs[i];
    const uint64_t own = tw_add_saturating(need->values, need->scratch);
    note_needed(play, i, gather(play, i), own);
    make_room(play, i, own);
    take_outputs(play, i);
    play->due[i] = false;
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (node->inputs[edge].node >= 0)
            release(play, node->inputs[edge]);
    deliver_complete(play);
}

static void play_through(struct play *play)
{
    const struct tw_spill_view *view = &play->view;
    for (int32_t i = 0; i < view->recipe->count; i++)
        play->due[i] = view->plan->needed[i];
    for (int32_t g = 0; g < view->goal_count; g++)
        play->due[view->recipe->count + g] = true;
    for (int32_t i = 0; i < view->recipe->count && !play->starved; i++)
        if (view->plan->needed[i])
            compute(play, i);
    for (int32_t g = 0; g < view->goal_count && !play->starved; g++)
        deliver_late(play, g);
}

enum tw_status tw_spill_plan(const struct tw_recipe *recipe, const struct tw_plan *plan,
                             const struct tw_spill_goal *goals, int32_t goal_count, uint64_t limit,
                             struct tw_spill_forecast *forecast, struct tw_error *err)
{
    struct play play = {.view = {.recipe = recipe,
                                 .plan = plan,
                                 .goals = goals,
                                 .goal_count = goal_count,
                                 .resident = resident,
                                 .due = is_due},
                        .forecast = forecast,
                        .limit = limit};
    play.view.context = &play;
    *forecast = (struct tw_spill_forecast){.needed_node = -1};
    play.places = calloc((size_t)recipe->count + 1, sizeof *play.places);
    play.due = calloc((size_t)recipe->count + (size_t)goal_count + 1, sizeof *play.due);
    play.starved = !play.places || !play.due;
    if (!play.starved)
        play_through(&play);
    free(play.places);
    free(play.due);
    if (!play.starved)
        return TW_OK;
    tw_spill_forecast_release(forecast);
    return tw_error_set(err, TW_MEMORY, "out of memory");
}

void tw_spill_forecast_release(struct tw_spill_forecast *forecast)
{
    free(forecast->steps);
    *forecast = (struct tw_spill_forecast){.needed_node = -1};
}
