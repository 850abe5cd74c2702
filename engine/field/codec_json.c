/* SPDX-License-Identifier: MIT */
/* A record as an object, a list as an array of objects, several values as an object of those. */
#include "base/json.h"
#include "field/format.h"

static json_t *record_json(const struct tw_value *value)
{
    json_t *object = json_object();
    for (int32_t i = 0; object && i < value->width; i++)
        if (json_object_set_new(object, tw_entries(value)[i].name,
                                json_real(tw_entries(value)[i].number)) != 0) {
            json_decref(object);
            return NULL;
        }
    return object;
}

static json_t *member_json(const struct tw_element_member *member, const unsigned char *element)
{
    const void *at = element + member->offset;
    switch (member->kind) {
    case TW_MEMBER_F32:
        return json_real((double)*(const float *)at);
    case TW_MEMBER_F64:
        return json_real(*(const double *)at);
    case TW_MEMBER_I32:
        return json_integer(*(const int32_t *)at);
    case TW_MEMBER_U32:
        return json_integer(*(const uint32_t *)at);
    case TW_MEMBER_U16:
        return json_integer(*(const uint16_t *)at);
    case TW_MEMBER_U8:
        return json_integer(*(const uint8_t *)at);
    case TW_MEMBER_TEXT:
        return json_string(at);
    }
    return NULL;
}

/* NULL without memory, as the next two. */
static json_t *element_json(const struct tw_type_row *type, const unsigned char *element)
{
    json_t *object = json_object();
    for (const struct tw_element_member *m = type->members; object && m->name; m++)
        if (json_object_set_new(object, m->name, member_json(m, element)) != 0) {
            json_decref(object);
            return NULL;
        }
    return object;
}

static json_t *list_json(const struct tw_value *value)
{
    const struct tw_type_row *type = tw_type(value->type);
    const unsigned char *element = value->data;
    json_t *list = json_array();
    for (int32_t i = 0; list && i < value->width; i++, element += type->size)
        if (json_array_append_new(list, element_json(type, element)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *value_json(const struct tw_value *value)
{
    return value->type == TW_RECORD ? record_json(value) : list_json(value);
}

static json_t *several_json(const struct tw_encoding *encoding)
{
    json_t *object = json_object();
    for (int32_t i = 0; object && i < encoding->count; i++)
        if (json_object_set_new(object, encoding->names[i], value_json(encoding->values[i])) != 0) {
            json_decref(object);
            return NULL;
        }
    return object;
}

static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    json_t *root = encoding->several ? several_json(encoding) : value_json(encoding->values[0]);
    enum tw_status status = tw_json_print(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17), out, err);
    return status == TW_OK ? tw_bytes_append(out, "\n", 1, err) : status;
}

extern const struct tw_format tw_format_json;
const struct tw_format tw_format_json = {
    .ending = ".json",
    .help = "a record is a flat object, a list an array of objects; several become one object "
            "by their names",
    .types = TW_LISTS,
    .several = TW_LISTS,
    .encode = encode,
};
