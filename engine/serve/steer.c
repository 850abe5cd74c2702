/* SPDX-License-Identifier: MIT */
#include "serve/steer.h"

#include "base/os/file.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "console/documents.h"
#include "graph/library.h"
#include "graph/load/patch.h"
#include "node/describe.h"
#include "node/param.h"
#include "node/slider.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that makes a row. */
struct row {
    const struct tw_yaml *root;
    const char *prefix, *path; /* the path without its prefix */
    const char *name, *about, *unit, *initial;
    const char *list;             /* default of the whole list; NULL: no item of one */
    const struct tw_param *param; /* kind, ranges and words */
    int32_t line;                 /* of the declaration or the node */
    bool fixed;
};

/* ---- one row ---- */

static const char *kind_of(const struct tw_param *param)
{
    switch (param->kind) {
    case TW_KIND_F32:
    case TW_KIND_LIST:
        return "number";
    case TW_KIND_I32:
        return "integer";
    case TW_KIND_BOOL:
        return "switch";
    case TW_KIND_ENUM:
    case TW_KIND_LABELS:
        return param->unit[0] ? "word" : "text";
    default:
        return "text";
    }
}

static json_t *options_of(const struct tw_param *param)
{
    int length = 0;
    const char *label;
    json_t *options = json_array();
    if (param->kind == TW_KIND_BOOL)
        return json_decref(options), json_pack("[s, s]", "true", "false");
    if (param->word)
        json_array_append_new(options, json_string(param->word));
    const bool words = param->kind == TW_KIND_ENUM || param->kind == TW_KIND_LABELS;
    for (int i = 0; words && param->unit[0] && (label = tw_param_label(param, i, &length)); i++)
        json_array_append_new(options, json_stringn(label, (size_t)length));
    if (json_array_size(options) > 0)
        return options;
    json_decref(options);
    return NULL;
}

/* Reads the number of "800 m"; *suffix is what follows it. NAN for a word. */
static double number_of(const char *text, const char **suffix)
{
    char digits[40];
    double number;
    const size_t length = strspn(text, "0123456789+-.eE");
    *suffix = text + length;
    snprintf(digits, sizeof digits, "%.*s", (int)(length < 39 ? length : 39), text);
    if (tw_number_parse(digits, &number))
        return number;
    *suffix = "";
    return NAN;
}

static bool is_numeric(const struct tw_param *param)
{
    return param->kind == TW_KIND_F32 || param->kind == TW_KIND_I32 || param->kind == TW_KIND_LIST;
}

static json_t *bound(double number)
{
    return fabs(number) < (double)FLT_MAX ? json_real(number) : NULL;
}

static json_t *row_json(const struct row *row)
{
    const struct tw_param *param = row->param;
    struct tw_patch_place place;
    struct tw_slider slider = {0};
    const bool there = tw_patch_find(row->root, row->path, &place);
    const char *file = there && place.scalar ? place.scalar->text : NULL, *suffix = "";
    const double number = is_numeric(param) ? number_of(file ? file : row->initial, &suffix) : NAN;
    const bool ranged = is_numeric(param);
    const bool fixed = row->fixed || !there || place.fixed;
    const bool slides = ranged && !fixed && tw_slider_of(param, number, &slider);
    char path[2 * TW_PATCH_PATH_BYTES];
    snprintf(path, sizeof path, "%s%s", row->prefix, row->path);
    return TW_DOCUMENT(
        serve_row, .path = path, .name = row->name, .kind = kind_of(param), .file = file,
        .default_ = row->initial, .min = ranged ? bound(param->min) : NULL,
        .max = ranged ? bound(param->max) : NULL, .low = slides ? json_real(slider.low) : NULL,
        .high = slides ? json_real(slider.high) : NULL, .log = slides && slider.logarithmic,
        .unit = row->unit, .suffix = suffix[0] ? tw_json_text(suffix) : NULL, .about = row->about,
        .options = options_of(param), .list = row->list ? json_string(row->list) : NULL,
        .fixed = fixed, .line = file ? place.scalar->place.line : row->line);
}

/* ---- rows of `params:` ---- */

static const char *text_of(const struct tw_yaml *mapping, const char *key, const char *otherwise)
{
    const struct tw_yaml *value = tw_yaml_find(mapping, key);
    return value && value->kind == TW_YAML_SCALAR ? value->text : otherwise;
}

static double bound_of(const struct tw_yaml *declared, const char *key, double otherwise)
{
    const char *text = text_of(declared, key, NULL), *suffix;
    const double number = text ? number_of(text, &suffix) : NAN;
    return isnan(number) ? otherwise : number;
}

static const char *default_of(const struct tw_yaml *declared)
{
    return declared->kind == TW_YAML_SCALAR ? declared->text : text_of(declared, "default", "");
}

/* What a declaration says, as a row of a node. */
static struct tw_param declared_param(const struct tw_yaml_item *item)
{
    const struct tw_yaml *declared = item->value;
    const char *initial = default_of(declared), *suffix;
    const struct tw_yaml *usual = tw_yaml_find(declared, "usual");
    struct tw_param param = {.name = item->key->text, .kind = TW_KIND_FORMULA, .unit = ""};
    const bool bounded = tw_yaml_find(declared, "min") || tw_yaml_find(declared, "max");
    param.initial = number_of(initial, &suffix);
    if (strcmp(initial, "true") == 0 || strcmp(initial, "false") == 0)
        param.kind = TW_KIND_BOOL;
    else if (bounded || !isnan(param.initial))
        param.kind = TW_KIND_F32;
    param.min = bound_of(declared, "min", -(double)FLT_MAX);
    param.max = bound_of(declared, "max", (double)FLT_MAX);
    if (bounded && isnan(param.initial))
        param.word = initial;
    if (usual && usual->kind == TW_YAML_SEQUENCE && usual->count == 2 &&
        usual->items->value->kind == TW_YAML_SCALAR && usual->last->value->kind == TW_YAML_SCALAR) {
        const double low = number_of(usual->items->value->text, &suffix);
        const double high = number_of(usual->last->value->text, &suffix);
        param.usual_min = low < high ? low : 0;
        param.usual_max = low < high ? high : 0;
    }
    return param;
}

/* Adds a row per declaration; their paths are params.NAME, or nodes.ID.NAME for a recipe that is
 * used as the node `id`. */
static bool add_declared(json_t *rows, const struct tw_yaml *params, struct row row, const char *id)
{
    bool ok = true;
    const bool fits = params && params->kind == TW_YAML_MAPPING;
    const int32_t line = row.line;
    for (const struct tw_yaml_item *item = fits ? params->items : NULL; ok && item;
         item = item->next) {
        const struct tw_param param = declared_param(item);
        char path[TW_PATCH_PATH_BYTES];
        const int length = id ? snprintf(path, sizeof path, "nodes.%s.%s", id, param.name)
                              : snprintf(path, sizeof path, "params.%s", param.name);
        row.path = path;
        row.name = param.name;
        row.about = text_of(item->value, "about", "");
        row.unit = text_of(item->value, "unit", "");
        row.initial = default_of(item->value);
        row.param = &param;
        row.line = id ? line : item->key->place.line;
        row.fixed = length >= (int)sizeof path;
        ok = json_array_append_new(rows, row_json(&row)) == 0;
    }
    return ok;
}

json_t *tw_steer_params(const struct tw_yaml *root, const char *prefix)
{
    json_t *rows = json_array();
    const struct row row = {.root = root, .prefix = prefix};
    if (add_declared(rows, tw_yaml_find(root, "params"), row, NULL))
        return rows;
    json_decref(rows);
    return NULL;
}

/* ---- rows of nodes ---- */

/* Adds the items of a list: those that the file has, or those of the default. */
static bool add_list(json_t *rows, struct row row, const struct tw_yaml *value, const char *path)
{
    char item_path[TW_PATCH_PATH_BYTES + 8], name[TW_PATCH_PATH_BYTES], initial[40];
    const bool given = value && value->kind == TW_YAML_SEQUENCE;
    const char *at = row.initial;
    row.list = row.initial;
    row.path = item_path;
    row.initial = initial;
    if (value && !given)
        return true; /* "${...}" or one number */
    bool ok = true;
    const char *list_name = row.name;
    for (int i = 0; ok && (given ? i < value->count : *at != 0); i++) {
        const size_t length = strcspn(at, " ");
        snprintf(item_path, sizeof item_path, "%s.%d", path, i);
        snprintf(name, sizeof name, "%s.%d", list_name, i);
        snprintf(initial, sizeof initial, "%.*s", (int)length, at);
        row.name = name;
        at += length + strspn(at + length, " ");
        ok = json_array_append_new(rows, row_json(&row)) == 0;
    }
    return ok;
}

static bool add_param(json_t *rows, struct row row, const struct tw_described_param *described,
                      const struct tw_yaml *node, const char *path)
{
    static const struct tw_param seed = {
        .name = "seed", .kind = TW_KIND_I32, .unit = "", .max = 9007199254740991.0};
    const struct tw_yaml *value = tw_yaml_find(node, described->name);
    row.path = path;
    row.name = described->name;
    row.about = described->help;
    row.unit = described->unit;
    row.initial = described->initial;
    row.param = described->row ? described->row : &seed;
    const enum tw_kind kind = row.param->kind;
    if (kind == TW_KIND_LIST || kind == TW_KIND_LABELS)
        return add_list(rows, row, value, path);
    const bool text = kind == TW_KIND_FILE || kind == TW_KIND_FORMULA || kind == TW_KIND_TABLE;
    if (text && (!value || value->kind != TW_YAML_SCALAR))
        return true;
    row.fixed = text;
    return json_array_append_new(rows, row_json(&row)) == 0;
}

static bool add_type(json_t *rows, struct row row, const struct tw_node_type *type, const char *id,
                     const struct tw_yaml *node)
{
    struct tw_description description;
    bool ok = tw_describe(type, &description);
    for (int32_t i = 0; ok && i < description.param_count; i++) {
        char path[TW_PATCH_PATH_BYTES];
        const struct tw_described_param *param = &description.params[i];
        if (snprintf(path, sizeof path, "nodes.%s.%s", id, param->name) < (int)sizeof path)
            ok = add_param(rows, row, param, node, path);
    }
    tw_description_release(&description);
    return ok;
}

/* Adds what a recipe that is used as a node declares: one of the library, or a file. */
static bool add_recipe(json_t *rows, const struct row *row, const char *type, const char *folder,
                       const char *id)
{
    const struct tw_library_recipe *shipped = tw_library_named(type);
    struct tw_arena arena = {0};
    struct tw_fault_log log = {.sink = NULL};
    char path[4096];
    unsigned char *data = NULL;
    size_t length = 0;
    bool there = shipped != NULL;
    if (!there && !tw_library_is_name(type))
        there = tw_file_resolve(folder, type, NULL, path, NULL) == TW_OK &&
                tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, NULL) == TW_OK;
    const struct tw_yaml *used =
        !there ? NULL
               : tw_yaml_parse(&arena, &log, type, shipped ? shipped->text : (const char *)data,
                               shipped ? shipped->length : length);
    const bool ok = !used || add_declared(rows, tw_yaml_find(used, "params"), *row, id);
    tw_arena_release(&arena);
    free(data);
    return ok;
}

json_t *tw_steer_node(const struct tw_yaml *root, const char *folder, const char *id,
                      const char *prefix)
{
    static const struct tw_registry registry = {NULL};
    const struct tw_yaml *node = tw_yaml_find(tw_yaml_find(root, "nodes"), id);
    const char *name = text_of(node, "type", NULL);
    const struct tw_node_type *type = name ? tw_registry_find(&registry, name) : NULL;
    json_t *rows = json_array();
    bool ok = rows != NULL;
    if (!node || !name)
        return rows;
    const struct row row = {.root = root, .prefix = prefix, .line = node->place.line};
    if (ok && type)
        ok = add_type(rows, row, type, id, node);
    else if (ok)
        ok = add_recipe(rows, &row, name, folder, id);
    if (ok)
        return rows;
    json_decref(rows);
    return NULL;
}

void tw_steer_set_values(json_t *rows, const json_t *pending)
{
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        const char *path = json_string_value(json_object_get(row, "path"));
        json_t *value = json_object_get(pending, path);
        if (!value)
            value = json_object_get(row, "file");
        if (!json_is_string(value))
            value = json_object_get(row, "default");
        json_object_set(row, "value", value);
    }
}
