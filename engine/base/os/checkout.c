/* SPDX-License-Identifier: MIT */
#include "base/os/checkout.h"

#include "base/os/file.h"
#include "base/os/posix.h"
#include "base/os/process.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool tw_checkout_is_read_only(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           (info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
}

/* ---- the command ---- */

static const char blanks[] = " \t\n";

/* Appends a word with every {file} replaced, and the zero that ends it. */
static bool add_word(struct tw_bytes *text, const char *word, size_t length, const char *path)
{
    const size_t mark = strlen(TW_CHECKOUT_FILE);
    enum tw_status status = TW_OK;
    for (size_t at = 0; status == TW_OK && at < length;) {
        bool is_file = length - at >= mark && memcmp(word + at, TW_CHECKOUT_FILE, mark) == 0;
        status = is_file ? tw_bytes_append(text, path, strlen(path), NULL)
                         : tw_bytes_append(text, word + at, 1, NULL);
        at += is_file ? mark : 1;
    }
    return status == TW_OK && tw_bytes_append(text, "", 1, NULL) == TW_OK;
}

/* Returns the length of a word in quotes, which may have blanks, with both quotes; 0 for others. */
static size_t quoted_length(const char *word)
{
    const char *end = word[0] == '"' || word[0] == '\'' ? strchr(word + 1, word[0]) : NULL;
    return end && (!end[1] || strchr(blanks, end[1])) ? (size_t)(end - word) + 1 : 0;
}

/* Appends all words of the command. Returns their number; 0 if memory runs out. */
static size_t split(const char *command, const char *path, struct tw_bytes *text)
{
    size_t count = 0;
    for (const char *at = command; *(at += strspn(at, blanks)); count++) {
        const size_t quoted = quoted_length(at), length = quoted ? quoted : strcspn(at, blanks);
        const size_t quote = quoted ? 1 : 0;
        if (!add_word(text, at + quote, length - 2 * quote, path))
            return 0;
        at += length;
    }
    return count;
}

/* Returns an argument for each word of `text`, and NULL; NULL without memory. */
static const char **list_words(const struct tw_bytes *text, size_t count)
{
    const char **words = calloc(count + 1, sizeof *words), *at = (const char *)text->at;
    for (size_t i = 0; words && i < count; i++, at += strlen(at) + 1)
        words[i] = at;
    return words;
}

/* What the command printed as one line: blanks and other signs below a space become one space. */
static void flatten(const struct tw_bytes *output, char *line, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < output->length && used + 1 < size; i++) {
        bool blank = isspace(output->at[i]) || iscntrl(output->at[i]);
        if (!blank)
            line[used++] = (char)output->at[i];
        else if (used > 0 && line[used - 1] != ' ')
            line[used++] = ' ';
    }
    while (used > 0 && line[used - 1] == ' ')
        used--;
    line[used] = 0;
}

static enum tw_status judge(int code, const char *program, const char *path,
                            const struct tw_bytes *output, struct tw_error *err)
{
    char said[200];
    flatten(output, said, sizeof said);
    const char *colon = said[0] ? ": " : "";
    if (code == -1)
        return tw_error_set(err, TW_IO, "%.120s is read-only: --checkout cannot run '%.60s'%s",
                            path, program, tw_process_refusal(program));
    if (code != 0)
        return tw_error_set(err, TW_IO,
                            "%.120s is read-only: --checkout's '%.60s' ended with exit status "
                            "%d%s%s",
                            path, program, code, colon, said);
    if (tw_checkout_is_read_only(path))
        return tw_error_set(err, TW_IO, "%.120s is still read-only after --checkout's '%.60s'%s%s",
                            path, program, colon, said);
    return TW_OK;
}

static enum tw_status run(const char *command, const char *path, struct tw_error *err)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    struct tw_bytes text = {0}, output = {0};
    char shown[4096 + 2];
    /* a program must not take the name for an option */
    snprintf(shown, sizeof shown, "%s%s", path[0] == '-' ? "./" : "", path);
    const size_t count = split(command, shown, &text);
    const char **words = count > 0 ? list_words(&text, count) : NULL;
    enum tw_status status = TW_OK;
    if (words) {
        (void)pthread_mutex_lock(&turn);
        int code = tw_process_ask(words, &output);
        (void)pthread_mutex_unlock(&turn);
        status = judge(code, words[0], path, &output, err);
    } else {
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    }
    free(words);
    free(text.at);
    free(output.at);
    return status;
}

enum tw_status tw_checkout_take(const struct tw_checkout *checkout, const char *path,
                                struct tw_error *err)
{
    if (!checkout || !tw_checkout_is_read_only(path))
        return TW_OK;
    if (checkout->command)
        return run(checkout->command, path, err);
    tw_error_set(err, TW_DIFFERENCE, "%.*s would change, but is read-only: it is left alone",
                 TW_FILE_NAME_SHOWN, path);
    if (err)
        snprintf(err->hint, sizeof err->hint,
                 "make it writable, or let a command do it: --checkout 'p4 edit {file}'");
    return TW_DIFFERENCE;
}
