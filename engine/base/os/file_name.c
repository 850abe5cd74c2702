/* SPDX-License-Identifier: MIT */
#include "base/os/file_name.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- refused names ---- */

static char lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c); }

static bool equals(const char *name, size_t length, const char *word)
{
    size_t at = 0;
    while (at < length && word[at] && lower(name[at]) == word[at])
        at++;
    return at == length && !word[at];
}

/* Accepts a digit, or superscript 1, 2 or 3 in UTF-8, which Windows treats as digits in device
 * names. */
static bool is_number(const char *at, size_t length)
{
    return (length == 1 && *at >= '0' && *at <= '9') ||
           (length == 2 &&
            (equals(at, 2, "\xC2\xB9") || equals(at, 2, "\xC2\xB2") || equals(at, 2, "\xC2\xB3")));
}

/* Returns the length of the device name in a part of a path; 0: none. Suffixes and spaces before
 * them do not count. */
static size_t device_of(const char *part, size_t length)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    const char *dot = memchr(part, '.', length);
    size_t base = dot ? (size_t)(dot - part) : length;
    while (base > 0 && part[base - 1] == ' ')
        base--;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (equals(part, base, devices[i]))
            return base;
    bool numbered = base > 3 && (equals(part, 3, "com") || equals(part, 3, "lpt"));
    return numbered && is_number(part + 3, base - 3) ? base : 0;
}

static bool is_refused(char c)
{
    return (unsigned char)c < ' ' || c == 0x7F || strchr("<>:\"|?*\\", c);
}

static bool refuse_character(const char *path, size_t at, struct tw_file_name_fault *fault)
{
    char shown[24];
    bool control = (unsigned char)path[at] < ' ' || path[at] == 0x7F;
    snprintf(shown, sizeof shown, control ? "control character %d" : "'%c'", path[at]);
    snprintf(fault->message, sizeof fault->message,
             "with %s; expected no control character and none of < > : \" | ? * \\, which names of "
             "Windows do not have",
             shown);
    fault->at = at;
    return false;
}

static bool check_part(const char *path, size_t from, size_t length,
                       struct tw_file_name_fault *fault)
{
    const char *part = path + from;
    for (size_t i = 0; i < length; i++)
        if (is_refused(part[i]))
            return refuse_character(path, from + i, fault);
    if (length == 0 || equals(part, length, ".") || equals(part, length, ".."))
        return true;
    size_t device = device_of(part, length);
    fault->at = from;
    if (device > 0) {
        snprintf(fault->message, sizeof fault->message,
                 "where '%.*s' is a device on Windows, with any ending; expected another name",
                 (int)device, part);
        return false;
    }
    fault->at = from + length - 1;
    if (part[length - 1] != ' ' && part[length - 1] != '.')
        return true;
    snprintf(fault->message, sizeof fault->message,
             "with '%c' at the end of a name, which Windows drops; expected another end",
             part[length - 1]);
    return false;
}

bool tw_file_name_check(const char *path, struct tw_file_name_fault *fault)
{
    for (size_t at = 0, length;; at += length + 1) {
        length = strcspn(path + at, "/");
        if (!check_part(path, at, length, fault))
            return false;
        if (!path[at + length])
            return true;
    }
}

void tw_file_name_clean(char *name)
{
    struct tw_file_name_fault fault;
    for (char *at = name; (at = strchr(at, '/'));)
        *at = '_';
    while (!tw_file_name_check(name, &fault))
        name[fault.at] = '_';
}

/* ---- case ---- */

/* Two-byte letters of UTF-8: every one from first to last, or every second, folds by adding `add`
 * (Unicode 15, CaseFolding.txt, simple foldings). */
static const struct folding {
    uint16_t first, last, step;
    int16_t add;
} foldings[] = {
    {0x00C0, 0x00D6, 1, 32},   {0x00D8, 0x00DE, 1, 32}, {0x0100, 0x012E, 2, 1},
    {0x0132, 0x0136, 2, 1},    {0x0139, 0x0147, 2, 1},  {0x014A, 0x0176, 2, 1},
    {0x0178, 0x0178, 1, -121}, {0x0179, 0x017D, 2, 1},  {0x01A0, 0x01A4, 2, 1},
    {0x01AF, 0x01AF, 1, 1},    {0x01CD, 0x01DB, 2, 1},  {0x01DE, 0x01EE, 2, 1},
    {0x01F8, 0x021E, 2, 1},    {0x0222, 0x0232, 2, 1},  {0x0386, 0x0386, 1, 38},
    {0x0388, 0x038A, 1, 37},   {0x038C, 0x038C, 1, 64}, {0x038E, 0x038F, 1, 63},
    {0x0391, 0x03A1, 1, 32},   {0x03A3, 0x03AB, 1, 32}, {0x03C2, 0x03C2, 1, 1},
    {0x0400, 0x040F, 1, 80},   {0x0410, 0x042F, 1, 32}, {0x0460, 0x0480, 2, 1},
    {0x048A, 0x04BE, 2, 1},    {0x04C1, 0x04CD, 2, 1},  {0x04D0, 0x052E, 2, 1},
    {0x0531, 0x0556, 1, 48},
};

static uint16_t fold_letter(uint16_t code)
{
    for (size_t i = 0; i < sizeof foldings / sizeof *foldings; i++) {
        const struct folding *row = &foldings[i];
        if (code >= row->first && code <= row->last && (code - row->first) % row->step == 0)
            return (uint16_t)(code + row->add);
    }
    return code;
}

void tw_file_name_fold(char *path)
{
    for (unsigned char *at = (unsigned char *)path; *at; at++) {
        *at = (unsigned char)lower((char)*at);
        if (at[0] == 0xE1 && at[1] >= 0xB8 && at[1] <= 0xBB && (at[2] & 0xC0) == 0x80) {
            at += 2; /* U+1E00 to U+1EFF: pairs, including Vietnamese */
            *at |= at[-1] == 0xBA && *at >= 0x96 && *at <= 0x9F ? 0 : 1;
            continue;
        }
        if ((at[0] & 0xE0) != 0xC0 || (at[1] & 0xC0) != 0x80)
            continue;
        uint16_t code = fold_letter((uint16_t)((at[0] & 0x1F) << 6 | (at[1] & 0x3F)));
        at[0] = (unsigned char)(0xC0 | code >> 6);
        at[1] = (unsigned char)(0x80 | (code & 0x3F));
        at++;
    }
}
