/* SPDX-License-Identifier: MIT */
#include "project/project.h"

#include "value/field.h"

#include <jansson.h>

static json_t *text(const char *about)
{
    return json_pack("{s:s, s:i, s:s}", "type", "string", "minLength", 1, "description", about);
}

static json_t *globs(const char *about)
{
    return json_pack("{s:s, s:{s:s, s:i}, s:s}", "type", "array", "items", "type", "string",
                     "minLength", 1, "description", about);
}

static json_t *object(json_t *properties, const char *about)
{
    return json_pack("{s:s, s:o, s:b, s:s}", "type", "object", "properties", properties,
                     "additionalProperties", 0, "description", about);
}

static json_t *mapping(json_t *values, const char *about)
{
    return json_pack("{s:s, s:o, s:s}", "type", "object", "additionalProperties", values,
                     "description", about);
}

static json_t *size(void)
{
    return json_pack("{s:[{s:s, s:i, s:i}, {s:s, s:s}], s:s}", "anyOf", "type", "integer",
                     "minimum", 1, "maximum", TW_SIDE_MAX, "type", "string", "pattern",
                     "^[0-9]+(x[0-9]+)?$", "description",
                     "cells, as in 1024 or 1024x512, instead of the recipes' own; --size wins");
}

static json_t *out(void)
{
    return text("folder for exports, below the project's; {folder} is the recipe's folder, "
                "{recipe} its name, {output} the output of each export; -o wins");
}

static json_t *limit(const char *about)
{
    return json_pack("{s:[{s:s, s:i}, {s:s, s:s}], s:s}", "anyOf", "type", "number", "minimum", 0,
                     "type", "string", "pattern", "^[0-9.eE+-]+( *m)?$", "description", about);
}

static json_t *tolerance(void)
{
    return object(json_pack("{s:o, s:o}", "most",
                            limit("greatest difference of a cell, as in 0.5 m"), "mean",
                            limit("mean difference of all cells, as in 0.01 m")),
                  "how far an output may be from its lock");
}

static json_t *properties(void)
{
    json_t *preset =
        object(json_pack("{s:o, s:o}", "size", size(), "out", out()), "taken with --preset NAME");
    json_t *cache =
        object(json_pack("{s:o, s:o, s:o}", "dir", text("folder of the cache, below the project's"),
                         "size",
                         json_pack("{s:[s, s], s:s}", "type", "integer", "string", "description",
                                   "limit, as in 8G"),
                         "url", text("a cache server, used where --cache-secret-file is given")),
               "where results are kept");
    return json_pack("{s:{s:i}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "thalweg-project",
                     "const", 1, "about", text("what the project is"), "recipes",
                     globs("patterns of recipes, as in levels/**/terrain.yaml"), "exclude",
                     globs("patterns of recipes and folders to leave out"), "out", out(), "size",
                     size(), "presets", mapping(preset, "sizes and folders by name"), "cache",
                     cache, "tolerances", mapping(tolerance(), "by output"), "locked",
                     globs("patterns of recipes that have a lock; without it, all recipes"));
}

struct json_t *tw_project_schema(void)
{
    return json_pack("{s:s, s:s, s:s, s:[s, s], s:o, s:b}", "$schema",
                     "http://json-schema.org/draft-07/schema#", "title", "Thalweg project", "type",
                     "object", "required", "thalweg-project", "recipes", "properties", properties(),
                     "additionalProperties", 0);
}
