/* SPDX-License-Identifier: MIT */
#include "report/pictures/value_picture.h"

#include "base/text/number.h"
#include "runner/runner.h"

#include <stdio.h>
#include <string.h>

bool tw_value_is_drawable(enum tw_type type)
{
    return type == TW_HEIGHTMAP || type == TW_MASK || type == TW_LABELS || type == TW_IMAGE;
}

void tw_value_range(const struct tw_value *map, float *low, float *high)
{
    const float *cells = tw_floats(map);
    *low = *high = cells[0];
    for (size_t i = 0; i < tw_value_count(map); i++) {
        *low = cells[i] < *low ? cells[i] : *low;
        *high = cells[i] > *high ? cells[i] : *high;
    }
}

/* Grey, from the least value, black, to the greatest, white. */
static void draw_mask(const struct tw_value *mask, struct tw_value *image)
{
    const float *cells = tw_floats(mask);
    float low, high;
    tw_value_range(mask, &low, &high);
    for (size_t i = 0; i < tw_value_count(mask); i++) {
        double share =
            high > low ? ((double)cells[i] - (double)low) / ((double)high - (double)low) : 0;
        memset(tw_pixels(image) + 3 * i, (int)(255 * share + 0.5), 3);
    }
}

/* Each label gets its own colour, as maps of landforms commonly use. */
static void draw_labels(const struct tw_value *labels, struct tw_value *image)
{
    static const uint8_t colours[11][3] = {{128, 128, 128}, {220, 220, 220}, {56, 0, 0},
                                           {200, 0, 0},     {255, 80, 20},   {250, 210, 60},
                                           {255, 255, 60},  {180, 230, 20},  {60, 250, 150},
                                           {0, 0, 255},     {0, 0, 56}};
    for (size_t i = 0; i < tw_value_count(labels); i++)
        memcpy(tw_pixels(image) + 3 * i, colours[(uint32_t)tw_labels(labels)[i] % 11], 3);
}

/* ---- heights ---- */

/* Draws heights as high as the node pages do, whose heights are nominally 0 to 1. */
static double exaggeration_of(const struct tw_value *map)
{
    const double relief = 0.15, most = 1000;
    float low, high;
    tw_value_range(map, &low, &high);
    double range = (double)high - (double)low;
    return range > relief / most ? relief / range : range > 0 ? most : relief;
}

static enum tw_status load_relief(const struct tw_value *map, struct tw_recipe **recipe,
                                  struct tw_error *err)
{
    const struct tw_load_options options = {.feeds = true};
    char text[300], number[40];
    tw_number_print_digits(number, sizeof number, 9, exaggeration_of(map));
    int length = snprintf(text, sizeof text,
                          "thalweg: 1\nsize: [%d, %d]\nborders: closed\ninputs: {map: heightmap}\n"
                          "nodes: {view: {type: render.relief, in: map, exaggeration: %s}}\n"
                          "outputs: {view: view}\n",
                          (int)map->width, (int)map->height, number);
    return tw_recipe_parse(text, (size_t)length, "relief.yaml", &options, recipe, err);
}

static enum tw_status draw_heights(const struct tw_value *map, const struct tw_run_options *run,
                                   struct tw_value *image, struct tw_error *err)
{
    const struct tw_run_options options = {.threads = run->threads, .cancel = run->cancel};
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    enum tw_status status = load_relief(map, &recipe, err);
    if (status == TW_OK)
        status = tw_recipe_feed(recipe, "map", map, err);
    if (status == TW_OK)
        status = tw_recipe_run(recipe, &options, &result, err);
    if (status == TW_OK) { /* moves its only output instead of copying it */
        *image = result->kept[0].value;
        result->kept[0].value = (struct tw_value){.data = NULL};
    }
    tw_result_release(result);
    tw_recipe_release(recipe);
    return status;
}

enum tw_status tw_value_draw(const struct tw_value *value, const struct tw_run_options *run,
                             struct tw_value *image, struct tw_error *err)
{
    *image = (struct tw_value){.type = TW_IMAGE};
    if (value->type == TW_IMAGE)
        return tw_field_copy(image, value, err);
    if (value->type == TW_HEIGHTMAP)
        return draw_heights(value, run, image, err);
    enum tw_status status = tw_field_alloc(image, TW_IMAGE, value->width, value->height, err);
    if (status == TW_OK && value->type == TW_LABELS)
        draw_labels(value, image);
    else if (status == TW_OK)
        draw_mask(value, image);
    return status;
}

/* ---- smaller maps ---- */

struct block {
    size_t x0, x1, y0, y1;
};

/* The cells that become one; block sides differ by one cell if sides do not divide. */
static struct block block_of(const struct tw_value *from, const struct tw_value *to, int32_t x,
                             int32_t y)
{
    size_t w = (size_t)from->width, h = (size_t)from->height;
    size_t tw = (size_t)to->width, th = (size_t)to->height;
    return (struct block){(size_t)x * w / tw, ((size_t)x + 1) * w / tw, (size_t)y * h / th,
                          ((size_t)y + 1) * h / th};
}

static double mean_of(const struct tw_value *from, const struct block *b, size_t channels, size_t c)
{
    double sum = 0;
    for (size_t y = b->y0; y < b->y1; y++)
        for (size_t x = b->x0; x < b->x1; x++)
            sum += tw_field_number(from, (y * (size_t)from->width + x) * channels + c);
    return sum / (double)((b->x1 - b->x0) * (b->y1 - b->y0));
}

enum tw_status tw_value_reduce(const struct tw_value *map, int32_t side, struct tw_value *reduced,
                               struct tw_error *err)
{
    bool image = map->type == TW_IMAGE;
    int32_t longest = map->width > map->height ? map->width : map->height;
    double scale = longest > side ? (double)side / longest : 1;
    int32_t width = (int32_t)(map->width * scale + 0.5),
            height = (int32_t)(map->height * scale + 0.5);
    enum tw_status status = tw_field_alloc(reduced, image ? TW_IMAGE : TW_HEIGHTMAP,
                                           width < 1 ? 1 : width, height < 1 ? 1 : height, err);
    size_t channels = image ? 3 : 1;
    for (int32_t y = 0; status == TW_OK && y < reduced->height; y++)
        for (int32_t x = 0; x < reduced->width; x++) {
            struct block block = block_of(map, reduced, x, y);
            size_t at = (size_t)y * (size_t)reduced->width + (size_t)x;
            for (size_t c = 0; c < channels; c++) {
                double mean = mean_of(map, &block, channels, c);
                if (image)
                    tw_pixels(reduced)[3 * at + c] = (uint8_t)(mean + 0.5);
                else
                    tw_floats(reduced)[at] = (float)mean;
            }
        }
    return status;
}
