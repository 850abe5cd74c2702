/* SPDX-License-Identifier: MIT */
/* What differs between recipes and their locks: index.html, a page without scripts that has an
 * index, differences first, and small pictures; and, for each map, before, now and difference as
 * PNG files, to which the small ones lead. */
#ifndef TW_ENGINE_REPORT_GATE_PAGE_H
#define TW_ENGINE_REPORT_GATE_PAGE_H

#include "gate/item.h"

struct tw_gate_page {
    const char *folder;                     /* that page and pictures go to */
    const struct tw_overwrite_guard *guard; /* of files that must stay */
    const struct tw_gate_item *items;
    int32_t count;
    bool embeds; /* whole pictures instead of small ones are in the page */
};

/* Before maps are computed: TW_PATH when the page, or a picture of an output, would replace a
 * guarded file. */
enum tw_status tw_gate_page_check(const struct tw_gate_page *of, struct tw_error *err);
/* Writes page and pictures, or nothing where one of them would replace a guarded file. */
enum tw_status tw_gate_page_write(const struct tw_gate_page *of, struct tw_error *err);

#endif
