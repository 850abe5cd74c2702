/* SPDX-License-Identifier: MIT */
/* Prints an inspection as text and JSON. Names and texts in a file are untrusted input, so both are
 * sanitised. */
#include "base/text/json.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/commands/inspect.h"
#include "console/documents.h"

#include <string.h>

static void row(FILE *out, const char *name, const char *text)
{
    fputs("  ", out);
    tw_text_write(out, name, TW_TEXT_TERMINAL);
    fprintf(out, "%*s", (int)(strlen(name) < 17 ? 18 - strlen(name) : 1), "");
    tw_text_write(out, text, TW_TEXT_TERMINAL);
    fputs("\n", out);
}

static void number_row(FILE *out, const char *name, double number)
{
    char text[32];
    tw_number_print_digits(text, sizeof text, 9, number);
    row(out, name, text);
}

/* Prints a row such as "-240 m to 400 m". */
static void print_range(FILE *out, const char *name, double low, double high, const char *unit)
{
    char from[32], to[32], text[100];
    tw_number_print_digits(from, sizeof from, 9, low);
    tw_number_print_digits(to, sizeof to, 9, high);
    snprintf(text, sizeof text, "%s%s to %s%s", from, unit, to, unit);
    row(out, name, text);
}

static double height_of(const struct tw_inspection *inspection, double level)
{
    return inspection->low + level * (inspection->high - inspection->low);
}

/* Prints the range of heights that a file's levels encode, and the heights that its cells reach. */
static void print_heights(FILE *out, const struct tw_inspection *inspection)
{
    const struct tw_sidecar_facts *sidecar = &inspection->sidecar;
    const struct tw_result_facts *result = &inspection->result;
    bool measured = inspection->has_sidecar && sidecar->height_m > 0 && !sidecar->mask;
    double metres = measured ? sidecar->height_m : 1;
    const char *unit = metres == 1 ? "" : " m";
    print_range(out, "levels stand for", inspection->low * metres, inspection->high * metres, unit);
    print_range(out, sidecar->mask ? "shares" : "heights",
                height_of(inspection, result->least) * metres,
                height_of(inspection, result->greatest) * metres, unit);
}

static void print_place(FILE *out, const struct tw_georeference *place)
{
    row(out, "system", place->system[0] ? place->system : "not said");
    number_row(out, "west", place->west);
    number_row(out, "north", place->north);
    if (place->cell_x == place->cell_y) {
        number_row(out, "cell", place->cell_x);
        return;
    }
    number_row(out, "cell, west-east", place->cell_x);
    number_row(out, "cell, north-south", place->cell_y);
}

static void print_sidecar(FILE *out, const struct tw_inspection *inspection)
{
    const struct tw_sidecar_facts *sidecar = &inspection->sidecar;
    if (sidecar->cell_m > 0)
        number_row(out, "metres a cell", sidecar->cell_m);
    if (sidecar->recipe[0])
        row(out, "recipe", sidecar->recipe);
    if (sidecar->preset[0])
        row(out, "for", sidecar->preset);
}

void tw_inspect_print(FILE *out, const char *file, const struct tw_inspection *inspection)
{
    const struct tw_result_facts *result = &inspection->result;
    char size[64];
    tw_text_write(out, file, TW_TEXT_TERMINAL);
    fprintf(out, ": %s, %llu bytes\n", inspection->format, (unsigned long long)inspection->bytes);
    if (inspection->value.data) {
        snprintf(size, sizeof size, "%d x %d", (int)result->width, (int)result->height);
        row(out, "type", result->type);
        row(out, "size", size);
    }
    if (result->ranged) {
        number_row(out, "least", result->least);
        number_row(out, "greatest", result->greatest);
        number_row(out, "mean", result->mean);
    }
    for (int32_t i = 0; i < inspection->facts.count; i++)
        row(out, inspection->facts.at[i].name, inspection->facts.at[i].value);
    row(out, "sha256", result->sha256);
    for (int i = 0; i < inspection->notes.count; i++)
        row(out, inspection->notes.at[i].name, inspection->notes.at[i].text);
    if (inspection->has_place)
        print_place(out, &inspection->place);
    if (inspection->has_sidecar)
        row(out, "sidecar", inspection->sidecar.path);
    if (inspection->ranged && result->ranged)
        print_heights(out, inspection);
    if (inspection->has_sidecar)
        print_sidecar(out, inspection);
    if (inspection->mismatch)
        row(out, "DIFFERS", inspection->mismatch);
}

/* ---- JSON ---- */

static json_t *notes_json(const struct tw_inspection *inspection)
{
    json_t *object = json_object();
    for (int i = 0; i < inspection->notes.count; i++)
        json_object_set_new(object, inspection->notes.at[i].name,
                            tw_json_text(inspection->notes.at[i].text));
    return object;
}

static json_t *facts_json(const struct tw_inspection *inspection)
{
    json_t *object = json_object();
    for (int32_t i = 0; i < inspection->facts.count; i++)
        json_object_set_new(object, inspection->facts.at[i].name,
                            tw_json_text(inspection->facts.at[i].value));
    return object;
}

static json_t *sidecar_json(const struct tw_inspection *inspection)
{
    const struct tw_sidecar_facts *sidecar = &inspection->sidecar;
    return inspection->has_sidecar
               ? TW_DOCUMENT(inspect_sidecar, .file = sidecar->path, .recipe = sidecar->recipe,
                             .cell_m = sidecar->cell_m, .height_m = sidecar->height_m,
                             .sea_m = sidecar->sea_m)
               : json_null();
}

static json_t *place_json(const struct tw_inspection *inspection)
{
    const struct tw_georeference *place = &inspection->place;
    if (!inspection->has_place)
        return json_null();
    return TW_DOCUMENT(georeference, .west = place->west, .north = place->north,
                       .cell_x = place->cell_x, .cell_y = place->cell_y,
                       .system = place->system[0] ? place->system : NULL);
}

/* Returns the range of heights that the levels encode, and the heights that the cells reach; null
 * if the file has no range. */
static json_t *heights_json(const struct tw_inspection *inspection)
{
    const struct tw_result_facts *result = &inspection->result;
    if (!inspection->ranged || !result->ranged)
        return json_null();
    return TW_DOCUMENT(heights, .range = json_pack("[f, f]", inspection->low, inspection->high),
                       .least = height_of(inspection, result->least),
                       .greatest = height_of(inspection, result->greatest),
                       .mean = height_of(inspection, result->mean));
}

json_t *tw_inspect_json(const char *file, const struct tw_inspection *inspection)
{
    const struct tw_result_facts *result = &inspection->result;
    json_t *object = TW_DOCUMENT(inspect_file, .file = file, .format = inspection->format,
                                 .bytes = json_integer((json_int_t)inspection->bytes),
                                 .type = result->type ? result->type : inspection->format,
                                 .sha256 = result->sha256, .facts = facts_json(inspection),
                                 .notes = notes_json(inspection));
    struct tw_inspect_range_fields range = {.size = NULL};
    json_object_update_new(object, TW_DOCUMENT(inspect_beside, .sidecar = sidecar_json(inspection),
                                               .differs = tw_document_text(inspection->mismatch)));
    json_object_update_new(object,
                           TW_DOCUMENT(inspect_place, .georeference = place_json(inspection),
                                       .heights = heights_json(inspection)));
    if (inspection->value.data)
        range.size = tw_document_size(result->width, result->height);
    if (result->ranged) {
        range.least = json_real(result->least);
        range.greatest = json_real(result->greatest);
        range.mean = json_real(result->mean);
    }
    json_object_update_new(object, tw_document_object(tw_inspect_range_fields, &range));
    return object;
}
