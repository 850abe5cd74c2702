/* SPDX-License-Identifier: MIT */
#include "console/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_findings all = {.under_way = -1};

void tw_findings_clear(void)
{
    for (int32_t i = 0; i < all.case_count; i++) {
        free(all.cases[i].group);
        free(all.cases[i].name);
        free(all.cases[i].failure);
    }
    free(all.cases);
    free(all.at);
    all = (struct tw_findings){.under_way = -1};
}

const struct tw_findings *tw_findings_get(void) { return &all; }

/* Reserves space for one more item. Returns NULL without memory and leaves the list unchanged. */
static void *reserve(void *list, int32_t count, int32_t *capacity, size_t size)
{
    if (count < *capacity)
        return list;
    int32_t wider = *capacity ? 2 * *capacity : 16;
    void *moved = wider > *capacity ? realloc(list, (size_t)wider * size) : NULL;
    if (moved)
        *capacity = wider;
    return moved;
}

void tw_findings_add(bool fault, const struct tw_error *error)
{
    struct tw_finding *list = reserve(all.at, all.count, &all.capacity, sizeof *list);
    if (!list) {
        all.incomplete = true;
        return;
    }
    all.at = list;
    list[all.count++] = (struct tw_finding){fault, all.under_way, *error};
}

static char *print_text(const char *format, va_list arguments)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    return strdup(text);
}

void tw_case_begin(const char *group, const char *format, ...)
{
    struct tw_case *list = reserve(all.cases, all.case_count, &all.case_capacity, sizeof *list);
    va_list arguments;
    all.under_way = -1;
    if (!list) {
        all.incomplete = true;
        return;
    }
    va_start(arguments, format);
    struct tw_case created = {.group = strdup(group), .name = print_text(format, arguments)};
    va_end(arguments);
    all.cases = list;
    if (created.group && created.name) {
        all.under_way = all.case_count;
        list[all.case_count++] = created;
        return;
    }
    free(created.group);
    free(created.name);
    all.incomplete = true;
}

bool tw_case_exists(const char *group, const char *name)
{
    for (int32_t i = 0; i < all.case_count; i++)
        if (strcmp(all.cases[i].group, group) == 0 && strcmp(all.cases[i].name, name) == 0)
            return true;
    return false;
}

void tw_case_end(void) { all.under_way = -1; }

void tw_case_fail(const char *format, ...)
{
    va_list arguments;
    if (all.under_way < 0)
        return;
    struct tw_case *at = &all.cases[all.under_way];
    va_start(arguments, format);
    free(at->failure);
    at->failure = print_text(format, arguments);
    va_end(arguments);
    all.incomplete |= !at->failure;
}

void tw_case_skip(void)
{
    if (all.under_way >= 0)
        all.cases[all.under_way].skipped = true;
}

int32_t tw_finding_case(const struct tw_findings *findings, const struct tw_finding *finding)
{
    if (finding->under >= 0)
        return finding->under;
    for (int32_t i = 0; finding->error.file[0] && i < findings->case_count; i++)
        if (strcmp(findings->cases[i].group, finding->error.file) == 0)
            return i;
    return -1;
}

void tw_case_time(const char *group, double seconds)
{
    for (int32_t i = 0; i < all.case_count; i++)
        if (strcmp(all.cases[i].group, group) == 0) {
            all.cases[i].seconds = seconds;
            all.cases[i].timed = true;
            return;
        }
}
