/* SPDX-License-Identifier: MIT */
/* A wildcard that fails is retried one place further; only the last one ever needs that, so the
 * time is at most the product of the lengths. */
#include "base/text/glob.h"

#include <stdint.h>
#include <string.h>

#define WILDCARDS "*?["

/* A part of a path: a folder's or file's name. */
struct part {
    const char *at;
    size_t length;
};

static struct part part_at(const char *at) { return (struct part){at, strcspn(at, "/")}; }

/* Returns what follows the part and its slash. */
static const char *after(struct part part)
{
    return part.at + part.length + (part.at[part.length] == '/');
}

static bool is_folders(struct part part)
{
    return part.length == 2 && memcmp(part.at, "**", 2) == 0;
}

/* Matches one character against the set at `pattern`, "[a-z]" or "[!a-z]"; returns the length of
 * the set, 0 if it does not end. */
static size_t match_set(const char *pattern, size_t length, char c, bool *matches)
{
    size_t i = 1;
    bool negated = i < length && (pattern[i] == '!' || pattern[i] == '^');
    i += negated;
    *matches = false;
    for (size_t first = i; i < length && (pattern[i] != ']' || i == first); i++) {
        char low = pattern[i], high = low;
        if (i + 2 < length && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
            high = pattern[i + 2];
            i += 2;
        }
        *matches |=
            (unsigned char)low <= (unsigned char)c && (unsigned char)c <= (unsigned char)high;
    }
    *matches ^= negated;
    return i < length ? i + 1 : 0;
}

/* Matches one character; returns the length of what matched it in the pattern, 0 for nothing. */
static size_t match_one(struct part pattern, size_t at, char c)
{
    bool matches = false;
    if (at >= pattern.length)
        return 0;
    if (pattern.at[at] == '?')
        return 1;
    size_t set =
        pattern.at[at] == '[' ? match_set(pattern.at + at, pattern.length - at, c, &matches) : 0;
    if (set > 0)
        return matches ? set : 0;
    return pattern.at[at] == c;
}

static bool matches_name(struct part pattern, struct part name)
{
    size_t p = 0, n = 0, star = SIZE_MAX, resume = 0;
    if (name.length > 0 && name.at[0] == '.' && (pattern.length == 0 || pattern.at[0] != '.'))
        return false;
    while (n < name.length) {
        size_t taken = 0;
        if (p < pattern.length && pattern.at[p] == '*') {
            star = p++;
            resume = n;
        } else if ((taken = match_one(pattern, p, name.at[n])) > 0) {
            p += taken;
            n++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.length && pattern.at[p] == '*')
        p++;
    return p == pattern.length;
}

bool tw_glob_matches(const char *pattern, const char *path)
{
    const char *folders = NULL, *resume = NULL; /* after the last `**`, and where it is retried */
    while (*path) {
        struct part wanted = part_at(pattern), name = part_at(path);
        if (*pattern && is_folders(wanted)) {
            folders = pattern = after(wanted);
            resume = path;
            if (!*folders) /* a final `**` takes the files below, too */
                return path[0] != '.' && !strstr(path, "/.");
        } else if (*pattern && matches_name(wanted, name)) {
            pattern = after(wanted);
            path = after(name);
        } else if (folders && resume[0] != '.') {
            pattern = folders;
            path = resume = after(part_at(resume));
        } else {
            return false;
        }
    }
    return !*pattern;
}

bool tw_glob_covers(const char *pattern, const char *path)
{
    char folder[4096];
    if (tw_glob_matches(pattern, path))
        return true;
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        size_t length = (size_t)(slash - path);
        if (length >= sizeof folder)
            return false;
        memcpy(folder, path, length);
        folder[length] = 0;
        if (tw_glob_matches(pattern, folder))
            return true;
    }
    return false;
}

size_t tw_glob_fixed(const char *pattern)
{
    size_t length = strcspn(pattern, WILDCARDS);
    while (length > 0 && pattern[length - 1] != '/')
        length--;
    return length;
}

bool tw_glob_is_one(const char *pattern) { return pattern[strcspn(pattern, WILDCARDS)] != 0; }
