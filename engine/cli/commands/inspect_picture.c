/* SPDX-License-Identifier: MIT */
/* Draws a file's heights as render.hillshade does in recipes: runs a recipe of two nodes on a copy
 * in a temporary folder. */
#include "base/os/file.h"
#include "cli/commands/inspect.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Copies a map and rescales it so that its lowest cell becomes 0 and its highest 1, in any unit. */
static enum tw_status stretch(const struct tw_value *value, struct tw_value *map,
                              struct tw_error *err)
{
    enum tw_status status = tw_field_copy(map, value, err);
    if (status != TW_OK)
        return status;
    const size_t count = tw_value_count(map);
    float *cells = tw_floats(map), low = cells[0], high = cells[0];
    for (size_t i = 0; i < count; i++) {
        low = cells[i] < low ? cells[i] : low;
        high = cells[i] > high ? cells[i] : high;
    }
    for (size_t i = 0; i < count; i++)
        cells[i] = high > low
                       ? (float)(((double)cells[i] - (double)low) / ((double)high - (double)low))
                       : 0;
    return TW_OK;
}

static enum tw_status write_map(const struct tw_value *value, const char *folder,
                                struct tw_error *err)
{
    struct tw_value map = {.type = TW_HEIGHTMAP};
    struct tw_bytes npy = {0};
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/map.npy", folder);
    enum tw_status status = stretch(value, &map, err);
    if (status == TW_OK)
        status = tw_npy_encode(&map, &npy, err);
    if (status == TW_OK)
        status = tw_file_write(path, npy.at, npy.length, err);
    tw_field_clear(&map);
    free(npy.at);
    return status;
}

static enum tw_status shade(const struct tw_value *value, const char *folder,
                            struct tw_result **result, struct tw_error *err)
{
    char text[PATH_MAX + 400];
    const char *allow[] = {folder, NULL};
    const struct tw_load_options options = {.allow = allow};
    const struct tw_run_options run = {.threads = 0};
    struct tw_recipe *recipe = NULL;
    int length = snprintf(text, sizeof text,
                          "thalweg: 1\nsize: [%d, %d]\nnodes:\n"
                          "  map: {type: source.heightmap, file: '%s/map.npy'}\n"
                          "  view: {type: render.hillshade, in: map}\noutputs: {view: view}\n",
                          (int)value->width, (int)value->height, folder);
    enum tw_status status =
        tw_recipe_parse(text, (size_t)length, "inspect.yaml", &options, &recipe, err);
    if (status == TW_OK)
        status = tw_recipe_run(recipe, &run, result, err);
    tw_recipe_release(recipe);
    return status;
}

enum tw_status tw_inspect_draw(const struct tw_value *value, struct tw_bytes *png,
                               struct tw_error *err)
{
    const struct tw_export_range any = {0, 1, true, 8};
    struct tw_result *result = NULL;
    char folder[PATH_MAX];
    if (value->type == TW_IMAGE)
        return tw_png_encode(value, &any, png, err);
    enum tw_status status = tw_file_make_temporary_folder(folder, err);
    if (status != TW_OK)
        return status;
    status = write_map(value, folder, err);
    if (status == TW_OK)
        status = shade(value, folder, &result, err);
    if (status == TW_OK)
        status = tw_png_encode(tw_result_output(result, "view"), &any, png, err);
    tw_result_release(result);
    tw_file_remove_folder(folder);
    return status;
}
