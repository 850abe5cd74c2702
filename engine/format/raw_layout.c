/* SPDX-License-Identifier: MIT */
/* Sidecars are untrusted input: nothing that contradicts the file's length is taken from one. */
#include "format/raw_layout.h"

#include "base/os/file.h"
#include "base/text/number.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEIGHT_MAX 1e9 /* as `range:` allows */

/* Suggests "1009 x 1009 cells would fit" if the file can be a square. */
static void suggest_square(uint64_t cells, struct tw_error *err)
{
    uint64_t side = 0, bit = (uint64_t)1 << 16;
    for (; bit > 0; bit >>= 1)
        if ((side + bit) * (side + bit) <= cells)
            side += bit;
    if (err && side >= 1 && side <= TW_SIDE_MAX && side * side == cells)
        snprintf(err->hint, sizeof err->hint, "%" PRIu64 " x %" PRIu64 " cells would fit", side,
                 side);
}

static enum tw_status refuse_size(const char *name, const struct tw_raw_layout *layout,
                                  const struct tw_raw_given *given, uint64_t length,
                                  struct tw_error *err)
{
    const char *what = layout->width >= 1    ? "its height"
                       : layout->height >= 1 ? "its width"
                                             : "its size";
    tw_error_set(err, TW_INPUT,
                 "%s has %" PRIu64 " bytes and no header: %s is missing; expected a sidecar that "
                 "says it%s%s",
                 name, length, what, given->how ? ", or " : "", given->how ? given->how : "");
    suggest_square(length / ((uint64_t)layout->bits / 8), err);
    return TW_INPUT;
}

static enum tw_status check_length(const char *name, const struct tw_raw_layout *layout,
                                   const char *source, uint64_t length, struct tw_error *err)
{
    uint64_t expected =
        (uint64_t)layout->width * (uint64_t)layout->height * ((uint64_t)layout->bits / 8);
    if (length == expected)
        return TW_OK;
    tw_error_set(err, TW_INPUT,
                 "%s has %" PRIu64 " bytes; %d x %d cells of %d bits%s%s%s have %" PRIu64, name,
                 length, (int)layout->width, (int)layout->height, layout->bits, source ? " (" : "",
                 source ? source : "", source ? ")" : "", expected);
    suggest_square(length / ((uint64_t)layout->bits / 8), err);
    return TW_INPUT;
}

/* Returns a path's name without its folders. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Takes the heights that levels, or floats of 0 and 1, mean. */
static enum tw_status take_range(const struct tw_sidecar_facts *sidecar,
                                 struct tw_raw_layout *layout, struct tw_error *err)
{
    if (sidecar->ranged && !(sidecar->low >= -HEIGHT_MAX && sidecar->high <= HEIGHT_MAX &&
                             (float)sidecar->low < (float)sidecar->high))
        return tw_error_set(err, TW_INPUT, "%s says range %.9g to %.9g; allowed -1e9 to 1e9",
                            last_part(sidecar->path), sidecar->low, sidecar->high);
    if (layout->bits == 32) {
        layout->high = tw_sidecar_height_of_1(sidecar);
        layout->ranged = layout->high != 1;
    } else if (sidecar->ranged) {
        layout->low = (float)sidecar->low;
        layout->high = (float)sidecar->high;
        layout->ranged = layout->width > 0 || layout->low != 0 || layout->high != 1;
    }
    return TW_OK;
}

static enum tw_status take_sidecar(const struct tw_sidecar_facts *sidecar,
                                   struct tw_raw_layout *layout, struct tw_error *err)
{
    if (sidecar->bits > 0 && sidecar->bits != layout->bits)
        return tw_error_set(err, TW_INPUT, "%s says bpp %d; expected %d, as the file's ending says",
                            last_part(sidecar->path), sidecar->bits, layout->bits);
    layout->flip = sidecar->flipped;
    return take_range(sidecar, layout, err);
}

enum tw_status tw_raw_layout_settle(const struct tw_format *format, const char *name,
                                    const struct tw_raw_given *given,
                                    const struct tw_sidecar_facts *sidecar, uint64_t length,
                                    struct tw_raw_layout *layout, struct tw_error *err)
{
    struct tw_raw_layout found = {.width = given->layout.width,
                                  .height = given->layout.height,
                                  .bits = format->bare_bits,
                                  .numbers =
                                      given->layout.is_signed ? TW_RAW_SIGNED : TW_RAW_BY_BITS,
                                  .big_endian = given->layout.big_endian};
    bool sized = found.width >= 1 && found.height >= 1;
    if (sidecar && found.width < 1)
        found.width = sidecar->width;
    if (sidecar && found.height < 1)
        found.height = sidecar->height;
    enum tw_status status = sidecar ? take_sidecar(sidecar, &found, err) : TW_OK;
    found.flip |= given->layout.flip;
    if (status == TW_OK && (found.width < 1 || found.height < 1))
        status = refuse_size(name, &found, given, length, err);
    if (status == TW_OK)
        status = check_length(name, &found, sidecar && !sized ? last_part(sidecar->path) : NULL,
                              length, err);
    if (status == TW_OK)
        *layout = found;
    return status;
}

enum { HEADER_MAX = 65536 };

enum tw_status tw_raw_layout_describe(const struct tw_format *format, const char *name,
                                      const struct tw_raw_given *given, const char *header,
                                      uint64_t length, struct tw_raw_layout *layout,
                                      struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t size = 0;
    char *text = NULL;
    enum tw_status status = header[0] ? tw_file_read(header, HEADER_MAX, &data, &size, err) : TW_OK;
    if (status == TW_OK && header[0]) {
        text = calloc(size + 1, 1);
        if (text)
            memcpy(text, data, size);
        else
            status = tw_error_set(err, TW_MEMORY, "out of memory");
    }
    const struct tw_bare_file file = {name, length, text, given->layout.band};
    if (status == TW_OK)
        status = format->describe(&file, layout, err);
    free(text);
    free(data);
    return status;
}

/* Sets *there to false if a file does not exist or may not be read; TW_IO if the disk does not say
 * which. `path` becomes the path of an existing file. */
static enum tw_status resolve(const struct tw_raw_place *place, const char *name, char *path,
                              bool *there, struct tw_error *err)
{
    struct tw_error why;
    struct tw_file_id id;
    char joined[4096];
    const bool bare = tw_file_is_absolute(name);
    enum tw_status status = tw_file_resolve(place->folder, name, place->allow, path, &why);
    *there = status == TW_OK;
    if (status != TW_IO)
        return TW_OK;
    snprintf(joined, sizeof joined, "%s%s%s", bare ? "" : place->folder,
             bare || !place->folder[0] ? "" : "/", name);
    status = tw_file_identify(joined, true, &id, err);
    if (status != TW_OK || !id.exists)
        return status;
    if (err)
        *err = why;
    return TW_IO;
}

/* Tries both names of a sidecar (sidecar.h). */
static enum tw_status find_sidecar(const struct tw_raw_place *place, char *path, bool *found,
                                   struct tw_error *err)
{
    const char *ending = tw_format_ending(place->name);
    size_t stem = (size_t)(ending[0] ? ending - place->name : (ptrdiff_t)strlen(place->name));
    char name[4096];
    enum tw_status status = TW_OK;
    *found = false;
    if (snprintf(name, sizeof name, "%s.json", place->name) < (int)sizeof name)
        status = resolve(place, name, path, found, err);
    if (status == TW_OK && *found)
        status = tw_sidecar_is_of(path, place->name, true, found, err);
    if (status != TW_OK || *found)
        return status;
    if (snprintf(name, sizeof name, "%.*s.json", (int)stem, place->name) < (int)sizeof name)
        status = resolve(place, name, path, found, err);
    return status == TW_OK && *found ? tw_sidecar_is_of(path, place->name, false, found, err)
                                     : status;
}

/* Finds the header file beside a file: the name with the other ending, in small or large letters.
 */
static enum tw_status find_header(const struct tw_format *format, const struct tw_raw_place *place,
                                  char *path, struct tw_error *err)
{
    const char *ending = tw_format_ending(place->name);
    const int stem = (int)(ending - place->name);
    char name[4096], upper[16];
    bool found = false;
    enum tw_status status = TW_OK;
    size_t i = 0;
    for (; format->header_ending[i] && i + 1 < sizeof upper; i++)
        upper[i] = (char)toupper((unsigned char)format->header_ending[i]);
    upper[i] = 0;
    const char *const endings[] = {format->header_ending, upper};
    for (int k = 0; k < 2 && status == TW_OK && !found; k++)
        if (snprintf(name, sizeof name, "%.*s%s", stem, place->name, endings[k]) < (int)sizeof name)
            status = resolve(place, name, path, &found, err);
    if (!found)
        path[0] = 0;
    return status;
}

enum tw_status tw_raw_layout_find(const struct tw_format *format, const struct tw_raw_place *place,
                                  const struct tw_raw_given *given, uint64_t length,
                                  struct tw_raw_layout *layout, char *sidecar, struct tw_error *err)
{
    bool found = false;
    if (format && format->describe) {
        sidecar[0] = 0;
        enum tw_status known =
            format->header_ending ? find_header(format, place, sidecar, err) : TW_OK;
        return known == TW_OK ? tw_raw_layout_describe(format, place->name, given, sidecar, length,
                                                       layout, err)
                              : known;
    }
    struct tw_sidecar_facts *facts = calloc(1, sizeof *facts);
    if (!facts)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = find_sidecar(place, sidecar, &found, err);
    if (status == TW_OK && found)
        status = tw_sidecar_read(sidecar, facts, err);
    if (!found)
        sidecar[0] = 0;
    *layout = (struct tw_raw_layout){.bits = facts->ranged ? 16 : 32};
    if (status == TW_OK && format)
        status = tw_raw_layout_settle(format, place->name, given, found ? facts : NULL, length,
                                      layout, err);
    else if (status == TW_OK && found)
        status = take_range(facts, layout, err);
    free(facts);
    return status;
}

void tw_raw_layout_scale(const struct tw_raw_layout *layout, struct tw_file_facts *facts)
{
    if (!layout->ranged)
        return;
    facts->scale = TW_SCALE_KNOWN;
    facts->low = layout->low;
    facts->high = layout->high;
}

/* Prints what only a header file or the recipe gives. */
static void print_rest(const struct tw_raw_layout *layout, char text[TW_RAW_LAYOUT_TEXT])
{
    static const char *const numbers[] = {"", "signed", "unsigned", "floats"};
    const struct tw_file_place *place = &layout->place;
    size_t used = strlen(text);
    if (layout->numbers != TW_RAW_BY_BITS)
        used += (size_t)snprintf(text + used, TW_RAW_LAYOUT_TEXT - used,
                                 ", %s of %d bits, rows %" PRIu64 " from %" PRIu64,
                                 numbers[layout->numbers], layout->bits, tw_raw_row_bytes(layout),
                                 layout->skip);
    if (layout->has_no_data)
        used += (size_t)snprintf(text + used, TW_RAW_LAYOUT_TEXT - used, ", no data %.17g",
                                 layout->no_data);
    if (place->known)
        snprintf(text + used, TW_RAW_LAYOUT_TEXT - used, ", at %.17g %.17g, cells %.17g %.17g%s",
                 place->west, place->north, place->cell_x, place->cell_y,
                 place->metres == 0 ? " degrees" : "");
}

void tw_raw_layout_print(const struct tw_raw_layout *layout, char text[TW_RAW_LAYOUT_TEXT])
{
    char low[32], high[32];
    text[0] = 0;
    if (layout->width > 0)
        snprintf(text, TW_RAW_LAYOUT_TEXT, "%d x %d, rows from %s%s%s", (int)layout->width,
                 (int)layout->height, layout->flip ? "south to north" : "north to south",
                 layout->big_endian ? ", big-endian" : "", layout->ranged ? ", " : "");
    print_rest(layout, text);
    const int used = (int)strlen(text);
    if (!layout->ranged)
        return;
    tw_number_print_float(low, sizeof low, layout->low);
    tw_number_print_float(high, sizeof high, layout->high);
    if (layout->bits == 32)
        snprintf(text + used, (size_t)(TW_RAW_LAYOUT_TEXT - used), "1 is a height of %s", high);
    else
        snprintf(text + used, (size_t)(TW_RAW_LAYOUT_TEXT - used), "levels from %s to %s", low,
                 high);
}
