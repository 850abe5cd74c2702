/* SPDX-License-Identifier: MIT */
#include "cache/credentials.h"

#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 8192 };

/* Reads the only line of a private file, without its line end. */
static enum tw_status read_line(const char *path, char **line, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    enum tw_status status = tw_file_read_private(path, FILE_MAX, &data, &length, err);
    if (status != TW_OK)
        return status;
    while (length > 0 && (data[length - 1] == '\n' || data[length - 1] == '\r'))
        length--;
    data[length] = 0;
    for (size_t i = 0; i < length; i++)
        if (data[i] < ' ' || data[i] > '~') {
            free(data);
            tw_error_set(err, TW_INPUT, "%s is not a line of plain characters", path);
            return TW_INPUT;
        }
    *line = (char *)data;
    return TW_OK;
}

static int digit(char letter)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = letter ? strchr(digits, letter) : NULL;
    return at ? (int)(at - digits) % 16 : -1;
}

enum tw_status tw_credentials_read_secret(const char *path, struct tw_secret *secret,
                                          struct tw_error *err)
{
    char *line = NULL;
    enum tw_status status = read_line(path, &line, err);
    if (status != TW_OK)
        return status;
    bool ok = strlen(line) == 2 * sizeof secret->at;
    for (size_t i = 0; ok && i < sizeof secret->at; i++) {
        int high = digit(line[2 * i]), low = digit(line[2 * i + 1]);
        ok = high >= 0 && low >= 0;
        secret->at[i] = ok ? (unsigned char)(16 * high + low) : 0;
    }
    free(line);
    if (ok)
        return TW_OK;
    tw_error_set(err, TW_INPUT, "%s is not a secret; expected 128 hexadecimal digits", path);
    if (err)
        snprintf(err->hint, sizeof err->hint, "openssl rand -hex 64 prints a new one");
    return TW_INPUT;
}

enum tw_status tw_credentials_read_token(const char *path, char **header, struct tw_error *err)
{
    char *line = NULL;
    enum tw_status status = read_line(path, &line, err);
    if (status != TW_OK)
        return status;
    if (!line[0] || line[0] == ' ') {
        free(line);
        return tw_error_set(err, TW_INPUT, "%s has no token in its first line", path);
    }
    size_t size = strlen(line) + sizeof "Bearer ";
    *header = malloc(size);
    if (*header)
        snprintf(*header, size, "%s%s", strchr(line, ' ') ? "" : "Bearer ", line);
    free(line);
    return *header ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}
