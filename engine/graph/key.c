/* SPDX-License-Identifier: MIT */
/* Canonical text of a node and its SHA-256, by libcrypto: the only file that knows it. */
#define OPENSSL_SUPPRESS_DEPRECATED /* the plain functions: they allocate nothing and cannot fail  \
                                     */
#include "graph/key.h"

#include "node/param.h"

#include <inttypes.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FORMAT = 1 }; /* rises when the meaning of a line changes */

struct text {
    char *at;
    size_t length, capacity;
};

static bool add(struct text *text, const char *name, const char *value)
{
    size_t wanted = text->length + strlen(name) + strlen(value) + 3;
    if (wanted > text->capacity) {
        char *at = realloc(text->at, wanted * 2);
        if (!at)
            return false;
        text->at = at;
        text->capacity = wanted * 2;
    }
    text->length += (size_t)snprintf(text->at + text->length, text->capacity - text->length,
                                     "%s %s\n", name, value);
    return true;
}

void tw_key_hex(const unsigned char *at, size_t length, char *hex)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        hex[2 * i] = digits[at[i] >> 4];
        hex[2 * i + 1] = digits[at[i] & 15];
    }
    hex[2 * length] = 0;
}

/* The shortest decimal that reads back as the same number. */
static void print_double(char *text, size_t size, double value)
{
    int digits = 8;
    do
        snprintf(text, size, "%.*g", ++digits, value);
    while (digits < 17 && strtod(text, NULL) != value);
}

static bool add_world(struct text *text, const struct tw_world *world)
{
    char side[32], height[32], sea[32], all[100];
    print_double(side, sizeof side, world->side_m);
    print_double(height, sizeof height, world->height_m);
    print_double(sea, sizeof sea, world->sea_level);
    snprintf(all, sizeof all, "%s %s %s", side, height, sea);
    return add(text, "world", all);
}

static bool add_digest(struct text *text, const char *name, const struct tw_digest *digest)
{
    char hex[2 * sizeof digest->at + 1];
    tw_key_hex(digest->at, sizeof digest->at, hex);
    return add(text, name, hex);
}

/* A table may be long: its digest stands for it. */
static bool add_table(struct text *text, const struct tw_param *row, const void *params)
{
    const struct tw_table *table =
        (const struct tw_table *)((const unsigned char *)params + row->offset);
    size_t count = (size_t)table->rows * (size_t)table->columns;
    struct tw_digest digest = tw_key_bytes(table->at, count * sizeof *table->at);
    return add_digest(text, row->name, &digest);
}

static bool add_params(struct text *text, const struct tw_node *node)
{
    char value[512];
    for (const struct tw_param *row = node->type->params; row && row->name; row++) {
        if (row->kind == TW_KIND_FILE)
            continue; /* contents count, not names */
        if (row->kind == TW_KIND_TABLE) {
            if (!add_table(text, row, node->params))
                return false;
            continue;
        }
        tw_param_print(row, node->params, value, sizeof value);
        if (!add(text, row->name, value))
            return false;
    }
    return true;
}

static bool add_inputs(struct text *text, const struct tw_node *node,
                       const struct tw_stamp *const *inputs)
{
    for (int port = 0; port < node->input_count; port++) {
        if (node->inputs[port].node < 0)
            continue;
        char name[64];
        snprintf(name, sizeof name, "input.%s", tw_input_port(node, port)->name);
        if (!add_digest(text, name, &inputs[port]->digest))
            return false;
    }
    return true;
}

char *tw_key_text(const struct tw_recipe *recipe, const struct tw_node *node,
                  const struct tw_stamp *const *inputs, const struct tw_digest *file)
{
    struct text text = {NULL, 0, 0};
    char number[64];
    snprintf(number, sizeof number, "%d", FORMAT);
    bool good = add(&text, "format", number) && add(&text, "type", node->type->name);
    snprintf(number, sizeof number, "%d", (int)node->type->version);
    good = good && add(&text, "version", number);
    snprintf(number, sizeof number, "%d %d", (int)recipe->width, (int)recipe->height);
    good = good && add(&text, "size", number);
    snprintf(number, sizeof number, "%" PRIu64, node->seed_key);
    good = good && (!node->type->random || add(&text, "seed", number));
    good = good && (!node->type->physical || add_world(&text, &recipe->world));
    good = good && (!node->type->bordered || add(&text, "borders", tw_borders_name(node->borders)));
    good = good && add_params(&text, node);
    good = good && (!file || add_digest(&text, "file", file));
    good = good && add_inputs(&text, node, inputs);
    if (good)
        return text.at;
    free(text.at);
    return NULL;
}

struct tw_key tw_key_of(const char *text, size_t length)
{
    struct tw_key key;
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, text, length);
    SHA256_Final(key.at, &context);
    return key;
}

struct tw_digest tw_key_bytes(const void *data, size_t length)
{
    struct tw_digest digest;
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(data, length));
    memcpy(digest.at, &canonical, sizeof digest.at);
    return digest;
}
