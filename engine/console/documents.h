/* SPDX-License-Identifier: MIT */
/* The JSON documents that commands print: document_fields.h has their fields. A writer fills the
 * struct of a part; the JSON Schema and the tables of docs/json.md follow from the rows. After
 * errors (exit codes beyond 1) a document may contain the frame only. */
#ifndef TW_ENGINE_CONSOLE_DOCUMENTS_H
#define TW_ENGINE_CONSOLE_DOCUMENTS_H

#include "console/document_fields.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum tw_document_kind {
    TW_DOCUMENT_TEXT,
    TW_DOCUMENT_INTEGER,
    TW_DOCUMENT_NUMBER,
    TW_DOCUMENT_BOOLEAN,
    TW_DOCUMENT_JSON
};

struct tw_document_field {
    const char *name; /* ends with '?' if the field may be missing */
    const char *type, *help;
    enum tw_document_kind kind;
    size_t offset; /* in the part's struct */
};
/* Length of a field's name without '?' and '_', which are no part of it. */
size_t tw_document_name_length(const struct tw_document_field *field);
/* An object: a whole document, whose name is its format, or a part that other rows refer to. */
struct tw_document_part {
    const char *name, *help;
    const struct tw_document_field *fields; /* last row: a NULL name */
};

/* In the order of the tables; the last one has a NULL name. */
extern const struct tw_document_part tw_document_parts[];

#define TW_DOCUMENT_C_TEXT const char *
#define TW_DOCUMENT_C_INTEGER int64_t
#define TW_DOCUMENT_C_NUMBER double
#define TW_DOCUMENT_C_BOOLEAN bool
#define TW_DOCUMENT_C_JSON json_t *
#define TW_DOCUMENT_MEMBER(tag, name, kind, type, help) TW_DOCUMENT_C_##kind name;
/* Declares struct tw_<tag>_fields and the rows of the same name. */
#define TW_DOCUMENT_PART(tag, LIST)                                                                \
    struct tw_##tag##_fields {                                                                     \
        LIST(TW_DOCUMENT_MEMBER, TW_DOCUMENT_MEMBER, tag)                                          \
    };                                                                                             \
    extern const struct tw_document_field tw_##tag##_fields[];

TW_DOCUMENT_LISTS(TW_DOCUMENT_PART)

/* Builds an object of a part's fields, as in TW_DOCUMENT(cause, .name = name, .before = before). */
#define TW_DOCUMENT(tag, ...)                                                                      \
    tw_document_object(tw_##tag##_fields, &(struct tw_##tag##_fields){__VA_ARGS__})

/* Builds an object of a part's struct, in the order of the rows, and takes the references to its
 * JSON. A NULL text becomes null where the type allows that. A NULL member that may be missing is
 * left out; any other means that memory ran out. Returns NULL then. */
json_t *tw_document_object(const struct tw_document_field *fields, const void *values);
/* Returns the text, or null for NULL. */
json_t *tw_document_text(const char *text);
json_t *tw_document_size(int32_t width, int32_t height);

/* Builds the JSON Schema (draft-07) of all documents; NULL without memory. */
json_t *tw_documents_schema(void);
/* Prints the tables in Markdown. */
void tw_documents_markdown(FILE *out);

#endif
