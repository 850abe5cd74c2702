/* SPDX-License-Identifier: MIT */
/* Arrays are checked and copied when they are fed: nodes then get valid data whatever the program
 * does with its own, and the call that makes a mistake reports it. */
#include "graph/feed.h"

#include "base/text/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the node ---- */

static void forecast(struct tw_forecast *forecast)
{
    const struct tw_feed *feed = forecast->params;
    forecast->lists[0] = feed->value.width;
}

#define PORTS(type, name, ...)                                                                     \
    [TW_##type] = {{"out", TW_##type, 0, "what the program gave"}, TW_PORT_END},
static const struct tw_port ports[TW_TYPE_COUNT][2] = {TW_TYPE_LIST(PORTS)};

#define DEFAULTS(type, name, ...)                                                                  \
    [TW_##type] = {{"default", TW_##type, TW_OPTIONAL, "what it holds unless it is fed"},          \
                   TW_PORT_END},
static const struct tw_port defaults[TW_TYPE_COUNT][2] = {TW_TYPE_LIST(DEFAULTS)};

#define TYPE_WITH(type, type_name, of_inputs)                                                      \
    [TW_##type] = {.name = "input." type_name,                                                     \
                   .version = 1,                                                                   \
                   .summary = "what a program feeds",                                              \
                   .inputs = of_inputs,                                                            \
                   .outputs = ports[TW_##type],                                                    \
                   .forecast = forecast,                                                           \
                   .wraps = tw_never_wraps},
#define TYPE(type, type_name, ...) TYPE_WITH(type, type_name, NULL)
#define TYPE_OR_DEFAULT(type, type_name, ...) TYPE_WITH(type, type_name, defaults[TW_##type])
static const struct tw_node_type types[TW_TYPE_COUNT] = {TW_TYPE_LIST(TYPE)};
static const struct tw_node_type types_or_default[TW_TYPE_COUNT] = {TW_TYPE_LIST(TYPE_OR_DEFAULT)};

const struct tw_node_type *tw_feed_type(enum tw_type type, bool has_default)
{
    return has_default ? &types_or_default[type] : &types[type];
}

const struct tw_node *tw_feed_missing(const struct tw_recipe *recipe, const bool *needed)
{
    for (int32_t i = 0; i < recipe->count; i++) {
        const struct tw_node *node = &recipe->nodes[i];
        bool has_default = node->input_count > 0 && node->inputs[0].node >= 0;
        if (needed[i] && node->feed && !node->feed->value.data && !has_default)
            return node;
    }
    return NULL;
}

/* ---- feeding ---- */

static enum tw_status unknown_input(const struct tw_recipe *recipe, const char *name,
                                    struct tw_error *err)
{
    struct tw_suggestion suggestion = {.unknown = name};
    for (const struct tw_feed *feed = recipe->feeds; feed; feed = feed->next)
        tw_suggest_offer(&suggestion, feed->name);
    tw_error_set(err, TW_USAGE, "the recipe has no input '%.60s' to feed", name);
    tw_suggest_to(&suggestion, err);
    if (err && !recipe->feeds)
        snprintf(err->hint, sizeof err->hint, "load it with tw_load_options.feeds");
    return TW_USAGE;
}

static enum tw_status check_size(const struct tw_recipe *recipe, const struct tw_feed *feed,
                                 const struct tw_value *value, struct tw_error *err)
{
    size_t bytes;
    bool grid = tw_type_is_grid(feed->type);
    if (grid && (value->width != recipe->width || value->height != recipe->height))
        return tw_error_set(err, TW_USAGE,
                            "input '%s' is %d x %d cells; expected %d x %d, as the recipe",
                            feed->name, (int)value->width, (int)value->height, (int)recipe->width,
                            (int)recipe->height);
    if (!grid && (value->height != 1 || !tw_field_bytes(feed->type, value->width, 1, &bytes)))
        return tw_error_set(err, TW_USAGE,
                            "input '%s' is %d x %d elements; expected a list of 0 to %zu, of "
                            "height 1",
                            feed->name, (int)value->width, (int)value->height, TW_CELLS_MAX);
    if (!value->data && tw_value_count(value) > 0)
        return tw_error_set(err, TW_USAGE, "input '%s' has no data", feed->name);
    return TW_OK;
}

/* Returns the first cell of a mask beyond 0..1, or -1. */
static int64_t first_beyond(const struct tw_value *mask)
{
    for (size_t i = 0; i < tw_value_count(mask); i++)
        if (!(tw_floats(mask)[i] >= 0 && tw_floats(mask)[i] <= 1))
            return (int64_t)i;
    return -1;
}

static enum tw_status refuse_cell(const struct tw_feed *feed, const struct tw_value *value,
                                  int64_t at, const char *expected, struct tw_error *err)
{
    char place[80];
    if (tw_type_is_grid(feed->type))
        snprintf(place, sizeof place, "at x %" PRId64 ", y %" PRId64, at % value->width,
                 at / value->width);
    else
        snprintf(place, sizeof place, "in element %" PRId64, at);
    return tw_error_set(err, TW_INPUT, "input '%s' is not valid %s; expected %s", feed->name, place,
                        expected);
}

static enum tw_status check_cells(const struct tw_feed *feed, const struct tw_value *value,
                                  struct tw_error *err)
{
    int64_t at = tw_field_first_nonfinite(value);
    if (at >= 0)
        return refuse_cell(feed, value, at, "finite numbers", err);
    at = feed->type == TW_MASK ? first_beyond(value) : -1;
    if (at >= 0)
        return refuse_cell(feed, value, at, "shares from 0 to 1", err);
    if (!tw_field_is_valid(value))
        return tw_error_set(err, TW_INPUT, "input '%s' has a name without an end", feed->name);
    return TW_OK;
}

static enum tw_status check_type(const struct tw_feed *feed, const struct tw_value *value,
                                 struct tw_error *err)
{
    bool known = (unsigned)value->type < TW_TYPE_COUNT;
    if (known && tw_type_converts(value->type, feed->type))
        return TW_OK;
    return tw_error_set(err, TW_USAGE, "input '%s' is %s; expected %s", feed->name,
                        known ? tw_type_name(value->type) : "of no known type",
                        tw_type_name(feed->type));
}

/* Drops the edge from an input's default, which then is not computed. */
static void drop_default(const struct tw_recipe *recipe, const struct tw_feed *feed)
{
    for (int32_t i = 0; i < recipe->count; i++)
        if (recipe->nodes[i].feed == feed)
            recipe->nodes[i].input_count = 0;
}

void tw_feed_clear(struct tw_feed *feed)
{
    if (feed->release)
        feed->release(feed->context, feed->value.data);
    else
        tw_field_clear(&feed->value);
    feed->value = (struct tw_value){.type = feed->type};
    feed->release = NULL;
}

void tw_feed_move(struct tw_feed *from, const struct tw_recipe *recipe, struct tw_feed *to)
{
    to->value = from->value;
    to->digest = from->digest;
    to->release = from->release;
    to->context = from->context;
    from->value = (struct tw_value){.type = from->type};
    from->release = NULL;
    drop_default(recipe, to);
}

/* Finds the input and checks that the value fits it. */
static enum tw_status find(const struct tw_recipe *recipe, const char *name,
                           const struct tw_value *value, struct tw_feed **found,
                           struct tw_error *error)
{
    struct tw_feed *feed = recipe->feeds;
    while (feed && strcmp(feed->name, name) != 0)
        feed = feed->next;
    if (!feed)
        return unknown_input(recipe, name, error);
    *found = feed;
    enum tw_status status = check_type(feed, value, error);
    if (status == TW_OK)
        status = check_size(recipe, feed, value, error);
    return status == TW_OK ? check_cells(feed, value, error) : status;
}

/* Replaces the value that was fed before. */
static void put(const struct tw_recipe *recipe, struct tw_feed *feed, struct tw_value value,
                void (*release)(void *context, void *data), void *context)
{
    tw_feed_clear(feed);
    value.type = feed->type;
    feed->value = value;
    feed->release = release;
    feed->context = context;
    feed->digest = tw_sha256_of(value.data, tw_value_count(&value) * tw_type_size(feed->type));
    drop_default(recipe, feed);
}

enum tw_status tw_recipe_feed(struct tw_recipe *recipe, const char *name,
                              const struct tw_value *value, struct tw_error *error)
{
    struct tw_feed *feed = NULL;
    struct tw_value copy = {0};
    enum tw_status status = find(recipe, name, value, &feed, error);
    if (status == TW_OK)
        status = tw_field_alloc(&copy, feed->type, value->width, value->height, error);
    if (status != TW_OK)
        return status;
    if (tw_value_count(value) > 0)
        memcpy(copy.data, value->data, tw_value_count(value) * tw_type_size(feed->type));
    put(recipe, feed, copy, NULL, NULL);
    return TW_OK;
}

enum tw_status tw_recipe_feed_borrowed(struct tw_recipe *recipe, const char *name,
                                       const struct tw_value *value,
                                       void (*release)(void *context, void *data), void *context,
                                       struct tw_error *error)
{
    struct tw_feed *feed = NULL;
    if (!release)
        return tw_error_set(error, TW_USAGE, "borrowing a value needs a function to release it");
    if (!value->data)
        return tw_error_set(error, TW_USAGE, "a borrowed value needs data");
    enum tw_status status = find(recipe, name, value, &feed, error);
    if (status == TW_OK)
        put(recipe, feed, *value, release, context);
    return status;
}
