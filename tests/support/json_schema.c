/* SPDX-License-Identifier: MIT */
#include "support/json_schema.h"

#include "support/harness.h"

#include <stdio.h>
#include <string.h>

struct check {
    const json_t *root;
    bool closed;
    char *where;
};

static bool holds(const struct check *check, const json_t *schema, const json_t *value,
                  const char *path);

static bool fail_at(const struct check *check, const char *path, const char *why)
{
    snprintf(check->where, 200, "%s: %s", path, why);
    return false;
}

static bool is_of(const char *type, const json_t *value)
{
    return (strcmp(type, "object") == 0 && json_is_object(value)) ||
           (strcmp(type, "array") == 0 && json_is_array(value)) ||
           (strcmp(type, "string") == 0 && json_is_string(value)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
           (strcmp(type, "null") == 0 && json_is_null(value)) ||
           (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
           (strcmp(type, "number") == 0 && json_is_number(value));
}

static const json_t *resolve(const struct check *check, const char *reference)
{
    static const char start[] = "#/definitions/";
    assert_memory_equal(reference, start, strlen(start));
    const json_t *found =
        json_object_get(json_object_get(check->root, "definitions"), reference + strlen(start));
    if (!found)
        fail_msg("%s leads nowhere", reference);
    return found;
}

static int count_holding(const struct check *check, const json_t *schemas, const json_t *value,
                         const char *path)
{
    int count = 0;
    for (size_t i = 0; i < json_array_size(schemas); i++)
        count += holds(check, json_array_get(schemas, i), value, path);
    return count;
}

static bool has(const json_t *list, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), value))
            return true;
    return false;
}

static bool members_hold(const struct check *check, const json_t *schema, const json_t *value,
                         const char *path)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *others = json_object_get(schema, "additionalProperties");
    const char *name;
    json_t *member;
    char inside[200];
    json_object_foreach((json_t *)value, name, member)
    {
        const json_t *known = json_object_get(properties, name);
        snprintf(inside, sizeof inside, "%.120s.%.60s", path, name);
        if (!known && !others && properties && check->closed)
            return fail_at(check, inside, "has no row");
        if ((known || others) && !holds(check, known ? known : others, member, inside))
            return false;
    }
    return true;
}

static bool required_are_there(const struct check *check, const json_t *names, const json_t *value,
                               const char *path)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (json_is_object(value) && !json_object_get(value, name))
            return fail_at(check, path, name);
    }
    return true;
}

static bool elements_hold(const struct check *check, const json_t *items, const json_t *value,
                          const char *path)
{
    char inside[200];
    for (size_t i = 0; i < json_array_size(value); i++) {
        snprintf(inside, sizeof inside, "%.150s[%zu]", path, i);
        if (!holds(check, items, json_array_get(value, i), inside))
            return false;
    }
    return true;
}

static bool keyword_holds(const struct check *check, const json_t *schema, const char *keyword,
                          const json_t *expected, const json_t *value, const char *path)
{
    if (strcmp(keyword, "$ref") == 0)
        return holds(check, resolve(check, json_string_value(expected)), value, path);
    if (strcmp(keyword, "type") == 0)
        return is_of(json_string_value(expected), value) ||
               fail_at(check, path, "has another type");
    if (strcmp(keyword, "const") == 0)
        return json_equal(expected, value) || fail_at(check, path, "is another constant");
    if (strcmp(keyword, "enum") == 0)
        return has(expected, value) || fail_at(check, path, "is none of the words");
    if (strcmp(keyword, "anyOf") == 0)
        return count_holding(check, expected, value, path) > 0;
    if (strcmp(keyword, "oneOf") == 0)
        return count_holding(check, expected, value, path) == 1;
    if (strcmp(keyword, "if") == 0) {
        const struct check open = {check->root, false,
                                   check->where}; /* the schema names only some members */
        return !holds(&open, expected, value, path) ||
               holds(check, json_object_get(schema, "then"), value, path);
    }
    if (strcmp(keyword, "required") == 0)
        return required_are_there(check, expected, value, path);
    if (strcmp(keyword, "items") == 0)
        return elements_hold(check, expected, value, path);
    if (strcmp(keyword, "minItems") == 0)
        return json_array_size(value) >= (size_t)json_integer_value(expected);
    if (strcmp(keyword, "maxItems") == 0)
        return json_array_size(value) <= (size_t)json_integer_value(expected);
    if (strcmp(keyword, "properties") == 0 || strcmp(keyword, "additionalProperties") == 0)
        return members_hold(check, schema, value, path);
    if (keyword[0] != '$' && strcmp(keyword, "title") != 0 && strcmp(keyword, "definitions") != 0 &&
        strcmp(keyword, "then") != 0 && strcmp(keyword, "description") != 0)
        fail_msg("a schema has '%s'", keyword);
    return true;
}

static bool holds(const struct check *check, const json_t *schema, const json_t *value,
                  const char *path)
{
    const char *keyword;
    json_t *expected;
    json_object_foreach((json_t *)schema, keyword, expected)
    {
        if (!keyword_holds(check, schema, keyword, expected, value, path))
            return false;
    }
    return true;
}

bool json_schema_holds(const json_t *root, const json_t *schema, const json_t *value, bool closed,
                       char *where)
{
    const struct check check = {root, closed, where};
    snprintf(where, 200, "it");
    return holds(&check, schema, value, "");
}
