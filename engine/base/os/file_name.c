/* SPDX-License-Identifier: MIT */
#include "base/os/file_name.h"

#include "base/os/file.h"

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

bool tw_file_name_check_relative(const char *path, struct tw_file_name_fault *fault)
{
    return tw_file_is_absolute(path) || tw_file_name_check(path, fault);
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

/* Letters whose two cases have as many bytes in UTF-8: every one from first to last, or every
 * second, folds by adding `add` (Unicode 14, CaseFolding.txt, simple foldings below U+10000). */
static const struct folding {
    uint16_t first, last;
    int32_t step, add;
} foldings[] = {
    {0x00B5, 0x00B5, 1, 775},    {0x00C0, 0x00D6, 1, 32},     {0x00D8, 0x00DE, 1, 32},
    {0x0100, 0x012E, 2, 1},      {0x0132, 0x0136, 2, 1},      {0x0139, 0x0147, 2, 1},
    {0x014A, 0x0176, 2, 1},      {0x0178, 0x0178, 1, -121},   {0x0179, 0x017D, 2, 1},
    {0x0181, 0x0181, 1, 210},    {0x0182, 0x0184, 2, 1},      {0x0186, 0x0186, 1, 206},
    {0x0187, 0x0187, 1, 1},      {0x0189, 0x018A, 1, 205},    {0x018B, 0x018B, 1, 1},
    {0x018E, 0x018E, 1, 79},     {0x018F, 0x018F, 1, 202},    {0x0190, 0x0190, 1, 203},
    {0x0191, 0x0191, 1, 1},      {0x0193, 0x0193, 1, 205},    {0x0194, 0x0194, 1, 207},
    {0x0196, 0x0196, 1, 211},    {0x0197, 0x0197, 1, 209},    {0x0198, 0x0198, 1, 1},
    {0x019C, 0x019C, 1, 211},    {0x019D, 0x019D, 1, 213},    {0x019F, 0x019F, 1, 214},
    {0x01A0, 0x01A4, 2, 1},      {0x01A6, 0x01A6, 1, 218},    {0x01A7, 0x01A7, 1, 1},
    {0x01A9, 0x01A9, 1, 218},    {0x01AC, 0x01AC, 1, 1},      {0x01AE, 0x01AE, 1, 218},
    {0x01AF, 0x01AF, 1, 1},      {0x01B1, 0x01B2, 1, 217},    {0x01B3, 0x01B5, 2, 1},
    {0x01B7, 0x01B7, 1, 219},    {0x01B8, 0x01B8, 1, 1},      {0x01BC, 0x01BC, 1, 1},
    {0x01C4, 0x01C4, 1, 2},      {0x01C5, 0x01C5, 1, 1},      {0x01C7, 0x01C7, 1, 2},
    {0x01C8, 0x01C8, 1, 1},      {0x01CA, 0x01CA, 1, 2},      {0x01CB, 0x01DB, 2, 1},
    {0x01DE, 0x01EE, 2, 1},      {0x01F1, 0x01F1, 1, 2},      {0x01F2, 0x01F4, 2, 1},
    {0x01F6, 0x01F6, 1, -97},    {0x01F7, 0x01F7, 1, -56},    {0x01F8, 0x021E, 2, 1},
    {0x0220, 0x0220, 1, -130},   {0x0222, 0x0232, 2, 1},      {0x023B, 0x023B, 1, 1},
    {0x023D, 0x023D, 1, -163},   {0x0241, 0x0241, 1, 1},      {0x0243, 0x0243, 1, -195},
    {0x0244, 0x0244, 1, 69},     {0x0245, 0x0245, 1, 71},     {0x0246, 0x024E, 2, 1},
    {0x0345, 0x0345, 1, 116},    {0x0370, 0x0372, 2, 1},      {0x0376, 0x0376, 1, 1},
    {0x037F, 0x037F, 1, 116},    {0x0386, 0x0386, 1, 38},     {0x0388, 0x038A, 1, 37},
    {0x038C, 0x038C, 1, 64},     {0x038E, 0x038F, 1, 63},     {0x0391, 0x03A1, 1, 32},
    {0x03A3, 0x03AB, 1, 32},     {0x03C2, 0x03C2, 1, 1},      {0x03CF, 0x03CF, 1, 8},
    {0x03D0, 0x03D0, 1, -30},    {0x03D1, 0x03D1, 1, -25},    {0x03D5, 0x03D5, 1, -15},
    {0x03D6, 0x03D6, 1, -22},    {0x03D8, 0x03EE, 2, 1},      {0x03F0, 0x03F0, 1, -54},
    {0x03F1, 0x03F1, 1, -48},    {0x03F4, 0x03F4, 1, -60},    {0x03F5, 0x03F5, 1, -64},
    {0x03F7, 0x03F7, 1, 1},      {0x03F9, 0x03F9, 1, -7},     {0x03FA, 0x03FA, 1, 1},
    {0x03FD, 0x03FF, 1, -130},   {0x0400, 0x040F, 1, 80},     {0x0410, 0x042F, 1, 32},
    {0x0460, 0x0480, 2, 1},      {0x048A, 0x04BE, 2, 1},      {0x04C0, 0x04C0, 1, 15},
    {0x04C1, 0x04CD, 2, 1},      {0x04D0, 0x052E, 2, 1},      {0x0531, 0x0556, 1, 48},
    {0x10A0, 0x10C5, 1, 7264},   {0x10C7, 0x10C7, 1, 7264},   {0x10CD, 0x10CD, 1, 7264},
    {0x13F8, 0x13FD, 1, -8},     {0x1C88, 0x1C88, 1, 35267},  {0x1C90, 0x1CBA, 1, -3008},
    {0x1CBD, 0x1CBF, 1, -3008},  {0x1E00, 0x1E94, 2, 1},      {0x1E9B, 0x1E9B, 1, -58},
    {0x1EA0, 0x1EFE, 2, 1},      {0x1F08, 0x1F0F, 1, -8},     {0x1F18, 0x1F1D, 1, -8},
    {0x1F28, 0x1F2F, 1, -8},     {0x1F38, 0x1F3F, 1, -8},     {0x1F48, 0x1F4D, 1, -8},
    {0x1F59, 0x1F5F, 2, -8},     {0x1F68, 0x1F6F, 1, -8},     {0x1F88, 0x1F8F, 1, -8},
    {0x1F98, 0x1F9F, 1, -8},     {0x1FA8, 0x1FAF, 1, -8},     {0x1FB8, 0x1FB9, 1, -8},
    {0x1FBA, 0x1FBB, 1, -74},    {0x1FBC, 0x1FBC, 1, -9},     {0x1FC8, 0x1FCB, 1, -86},
    {0x1FCC, 0x1FCC, 1, -9},     {0x1FD8, 0x1FD9, 1, -8},     {0x1FDA, 0x1FDB, 1, -100},
    {0x1FE8, 0x1FE9, 1, -8},     {0x1FEA, 0x1FEB, 1, -112},   {0x1FEC, 0x1FEC, 1, -7},
    {0x1FF8, 0x1FF9, 1, -128},   {0x1FFA, 0x1FFB, 1, -126},   {0x1FFC, 0x1FFC, 1, -9},
    {0x2132, 0x2132, 1, 28},     {0x2160, 0x216F, 1, 16},     {0x2183, 0x2183, 1, 1},
    {0x24B6, 0x24CF, 1, 26},     {0x2C00, 0x2C2F, 1, 48},     {0x2C60, 0x2C60, 1, 1},
    {0x2C63, 0x2C63, 1, -3814},  {0x2C67, 0x2C6B, 2, 1},      {0x2C72, 0x2C72, 1, 1},
    {0x2C75, 0x2C75, 1, 1},      {0x2C80, 0x2CE2, 2, 1},      {0x2CEB, 0x2CED, 2, 1},
    {0x2CF2, 0x2CF2, 1, 1},      {0xA640, 0xA66C, 2, 1},      {0xA680, 0xA69A, 2, 1},
    {0xA722, 0xA72E, 2, 1},      {0xA732, 0xA76E, 2, 1},      {0xA779, 0xA77B, 2, 1},
    {0xA77D, 0xA77D, 1, -35332}, {0xA77E, 0xA786, 2, 1},      {0xA78B, 0xA78B, 1, 1},
    {0xA790, 0xA792, 2, 1},      {0xA796, 0xA7A8, 2, 1},      {0xA7B3, 0xA7B3, 1, 928},
    {0xA7B4, 0xA7C2, 2, 1},      {0xA7C4, 0xA7C4, 1, -48},    {0xA7C6, 0xA7C6, 1, -35384},
    {0xA7C7, 0xA7C9, 2, 1},      {0xA7D0, 0xA7D0, 1, 1},      {0xA7D6, 0xA7D8, 2, 1},
    {0xA7F5, 0xA7F5, 1, 1},      {0xAB70, 0xABBF, 1, -38864}, {0xFF21, 0xFF3A, 1, 32},
};

static uint32_t fold_letter(uint32_t code)
{
    for (size_t i = 0; i < sizeof foldings / sizeof *foldings; i++) {
        const struct folding *row = &foldings[i];
        if (code >= row->first && code <= row->last &&
            (code - row->first) % (uint32_t)row->step == 0)
            return code + (uint32_t)row->add;
    }
    return code;
}

/* Folds a letter of two or three bytes in place, if there is one. Returns how many bytes it has. */
static size_t fold_letter_at(unsigned char *at)
{
    const size_t length = at[0] >= 0xC0 && at[0] < 0xE0 ? 2 : at[0] >= 0xE0 && at[0] < 0xF0 ? 3 : 1;
    uint32_t code = at[0] & (length == 2 ? 0x1FU : 0x0FU);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 1;
        code = code << 6 | (at[i] & 0x3FU);
    }
    if (length == 1)
        return 1;
    code = fold_letter(code);
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        at[i] = (unsigned char)(0x80 | (code & 0x3F));
    at[0] = (unsigned char)((length == 2 ? 0xC0 : 0xE0) | code);
    return length;
}

void tw_file_name_fold(char *path)
{
    for (unsigned char *at = (unsigned char *)path; *at; at += fold_letter_at(at))
        *at = (unsigned char)lower((char)*at);
}
