/* SPDX-License-Identifier: MIT */
#include "serve/values.h"

#include "base/text/json.h"
#include "graph/load/patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 64, VALUE_BYTES_MAX = 40, WANTS_MAX = 64 };

static bool refuse(char why[200], const char *format, const char *name)
{
    snprintf(why, 200, format, name);
    return false;
}

/* ---- scalars ---- */

static bool is_word(const char *text)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    if (!text[0] || !strchr(first, text[0]))
        return false;
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-")] ==
           0;
}

static size_t digits_at(const char *text) { return strspn(text, "0123456789"); }

/* The length of a number at the start of the text; 0: there is none. */
static size_t number_length(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    const size_t whole = digits_at(at);
    at += whole;
    const size_t part = *at == '.' ? digits_at(at + 1) : 0;
    if (whole + part == 0)
        return 0;
    at += *at == '.' ? 1 + part : 0;
    if (*at == 'e' || *at == 'E') {
        const size_t sign = at[1] == '-' || at[1] == '+';
        const size_t power = digits_at(at + 1 + sign);
        if (power == 0)
            return 0;
        at += 1 + sign + power;
    }
    return (size_t)(at - text);
}

bool tw_serve_is_scalar(const char *text)
{
    if (strlen(text) > VALUE_BYTES_MAX)
        return false;
    const size_t length = number_length(text);
    const char *unit = text + length;
    return length == 0 ? is_word(text)
                       : !*unit || strcmp(unit, " m") == 0 || strcmp(unit, " deg") == 0;
}

/* ---- requests ---- */

static bool is_texts(const json_t *object, bool nulls)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object) || json_object_size(object) > VALUES_MAX)
        return false;
    json_object_foreach((json_t *)object, key,
                        value) if (!json_is_string(value) &&
                                   !(nulls && json_is_null(value))) return false;
    return true;
}

static bool is_list_of_texts(const json_t *list)
{
    size_t i;
    json_t *item;
    if (!json_is_array(list) || json_array_size(list) > WANTS_MAX)
        return false;
    json_array_foreach(list, i, item) if (!json_is_string(item)) return false;
    return true;
}

bool tw_serve_request_read(const struct tw_bytes *body, struct tw_serve_request *request,
                           char why[200])
{
    json_t *root = NULL;
    *request = (struct tw_serve_request){.values = NULL};
    if (tw_json_load(body->length ? (const char *)body->at : "", body->length,
                     JSON_REJECT_DUPLICATES, &root, NULL) != TW_OK ||
        !json_is_object(root)) {
        json_decref(root);
        return refuse(why, "%s", "the body is no JSON object");
    }
    json_t *values = json_object_get(root, "values"), *was = json_object_get(root, "was");
    json_t *want = json_object_get(root, "want"), *draft = json_object_get(root, "draft");
    bool ok = true;
    if (!is_texts(values, false))
        ok = refuse(why, "%s", "'values' is no object of at most 64 texts by path");
    else if (was && !is_texts(was, true))
        ok = refuse(why, "%s", "'was' is no object of texts or null by path");
    else if (want && !is_list_of_texts(want))
        ok = refuse(why, "%s", "'want' is no list of at most 64 views");
    else if (draft && !json_is_boolean(draft))
        ok = refuse(why, "%s", "'draft' is neither true nor false");
    if (ok)
        *request = (struct tw_serve_request){json_incref(values), json_incref(was),
                                             json_incref(want), json_is_true(draft)};
    json_decref(root);
    return ok;
}

void tw_serve_request_release(struct tw_serve_request *request)
{
    json_decref(request->values);
    json_decref(request->was);
    json_decref(request->want);
    *request = (struct tw_serve_request){.values = NULL};
}

bool tw_serve_accepts(const json_t *rows, const json_t *values, char why[200])
{
    const char *path;
    json_t *value;
    json_object_foreach((json_t *)values, path, value)
    {
        const json_t *row = json_object_get(rows, path);
        if (!row)
            return refuse(why, "there is no value '%.100s'", path);
        if (json_is_true(json_object_get(row, "fixed")))
            return refuse(why, "'%.100s' is an alias or a formula of the file: edit it there",
                          path);
        if (!tw_serve_is_scalar(json_string_value(value)))
            return refuse(why, "'%.100s' is set to neither a number nor a word of at most 40 bytes",
                          path);
    }
    return true;
}

/* ---- the text ---- */

static int32_t list_patches(const json_t *values, const json_t *rows, const char *prefix,
                            struct tw_value_patch *patches)
{
    const size_t skip = strlen(prefix);
    int32_t count = 0;
    const char *path;
    json_t *value;
    json_object_foreach((json_t *)values, path, value)
    {
        if (strncmp(path, prefix, skip) != 0)
            continue;
        const json_t *list = json_object_get(json_object_get(rows, path), "list");
        patches[count++] = (struct tw_value_patch){.path = path + skip,
                                                   .value = json_string_value(value),
                                                   .initial = json_string_value(list)};
    }
    return count;
}

enum tw_status tw_serve_patch(const struct tw_bytes *text, const json_t *values, const json_t *rows,
                              const char *prefix, struct tw_bytes *out, json_t *misfits,
                              struct tw_error *err)
{
    struct tw_value_patch *patches = calloc(json_object_size(values) + 1, sizeof *patches);
    if (!patches)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    const int32_t count = list_patches(values, rows, prefix, patches);
    enum tw_status status =
        tw_recipe_patch((const char *)text->at, text->length, patches, count, out, err);
    for (int32_t i = 0; status == TW_OK && misfits && i < count; i++)
        if (patches[i].misfits)
            json_array_append_new(misfits, json_sprintf("%s%s", prefix, patches[i].path));
    free(patches);
    return status;
}
