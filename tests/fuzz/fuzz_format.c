/* SPDX-License-Identifier: MIT */
/* A first line with the ending of a file's name, then the file: any bytes are a value of sound size
 * or refused with a message, and what was read can be written in every format that holds its type.
 * Formats that are added come here by themselves; a few files of theirs belong into the corpus. */
#include "fuzz.h"

#include "format/format.h"
#include "node/param.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENDING_MAX = 8 };

/* With the defaults of the format's options. */
static void encode(const struct tw_format *format, const struct tw_value *value)
{
    struct tw_bytes bytes = {0};
    struct tw_error error = {0};
    void *options = calloc(format->options_size + 1, 1);
    if (!options)
        return;
    if (format->options)
        tw_param_defaults(format->options, options);
    const struct tw_encoding encoding = {.values = &value,
                                         .count = 1,
                                         .range = {.low = 0, .high = 1, .fit = true, .clip = true},
                                         .options = options};
    if (tw_format_encode(format, encoding, &bytes, &error) != TW_OK && !error.message[0])
        abort();
    free(bytes.at);
    free(options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char name[ENDING_MAX + 8] = "file.";
    struct tw_value value = {0};
    struct tw_error error = {0};
    const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
    size_t length = line ? (size_t)(line - data) : 0;
    if (!line || length > ENDING_MAX)
        return 0;
    memcpy(name + strlen(name), data, length);
    uint8_t *file = malloc(size); /* of its own: sanitizers see reads beyond it */
    if (!file)
        return 0;
    memcpy(file, line + 1, size - length - 1);
    enum tw_status status = tw_format_decode(file, size - length - 1, name, &value, &error);
    free(file);
    if (status == TW_OK ? !value.data || value.width < 1 || value.height < 1
                        : value.data || !error.message[0])
        abort();
    for (const struct tw_format *const *f = tw_formats; status == TW_OK && *f; f++)
        if ((*f)->encode && (*f)->types & TW_TYPE_BIT(value.type))
            encode(*f, &value);
    tw_field_clear(&value);
    return 0;
}
