/* SPDX-License-Identifier: MIT */
#include "support/page.h"

#include "support/harness.h"

#include <stdio.h>
#include <string.h>

static void leave_pictures_out(char *text)
{
    char *to = text;
    for (bool inside = false; *text; text++) {
        if (!inside || *text == '"')
            *to++ = *text;
        inside = inside ? *text != '"' : strncmp(text, ",iVBOR", 6) == 0;
    }
    *to = 0;
}

void page_read(const char *file, char *page, size_t size)
{
    FILE *from = fopen(file, "r");
    assert_non_null(from);
    size_t length = fread(page, 1, size - 1, from);
    page[length] = 0;
    assert_true(length < size - 1);
    fclose(from);
    leave_pictures_out(page);
}
