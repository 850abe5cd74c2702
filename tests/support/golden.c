/* SPDX-License-Identifier: MIT */
#include "support/golden.h"

#include "support/harness.h"

#include "base/os/file.h"
#include "base/text/stream.h"

#include <stdlib.h>
#include <string.h>

void golden_begin(struct golden *golden, const char *path)
{
    const char *update = getenv("THALWEG_UPDATE_GOLDEN");
    *golden = (struct golden){.path = path};
    if (update && update[0]) {
        assert_null(getenv("THALWEG_NODE")); /* the other nodes' lines would be lost */
        golden->update = tw_stream_open(&golden->text, &golden->length);
        assert_non_null(golden->update);
    }
}

static bool is_in(const char *path, const char *line)
{
    char read[400];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(read, sizeof read, file))
        found = strcmp(read, line) == 0;
    if (file)
        fclose(file);
    return found;
}

static int lines_of(const char *path)
{
    char read[400];
    int lines = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(read, sizeof read, file))
        lines++;
    if (file)
        fclose(file);
    return lines;
}

void golden_line(struct golden *golden, const char *line)
{
    golden->compared++;
    if (golden->update) {
        fputs(line, golden->update);
    } else if (!is_in(golden->path, line)) {
        print_error("not in %s: %s", golden->path, line);
        golden->missing++;
    }
}

void golden_end(struct golden *golden)
{
    struct tw_error error;
    if (golden->missing > 0)
        fail_msg("%d lines are not in %s; THALWEG_UPDATE_GOLDEN=1 writes it anew", golden->missing,
                 golden->path);
    if (!golden->update) {
        if (!getenv("THALWEG_NODE"))
            assert_int_equal(lines_of(golden->path), golden->compared);
        return;
    }
    assert_int_equal(tw_stream_close(golden->update), 0);
    if (tw_file_write(golden->path, golden->text, golden->length, &error) != TW_OK)
        fail_msg("%s", error.message);
    free(golden->text);
}
