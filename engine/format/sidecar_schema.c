/* SPDX-License-Identifier: MIT */
/* The JSON Schema of sidecars, which sidecar.c writes. Further members may follow in later versions
 * of the program; one that changes its meaning changes the number in `schema`. */
#include "base/text/json.h"
#include "format/sidecar.h"

#include <string.h>

static const char schema[] =
    "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"title\": \"Thalweg "
    "sidecar\", \"type\": \"object\", \"required\": [\"schema\", \"file\", \"format\", "
    "\"type\", \"width\", \"height\", \"sha256\", \"recipe\", \"engine\"], "
    "\"additionalProperties\": true, \"properties\": {\"schema\": {\"const\": "
    "\"thalweg.sidecar/1\"}, \"file\": {\"type\": \"string\", \"description\": \"the file "
    "that is described, beside this one\"}, \"format\": {\"type\": \"string\", "
    "\"description\": \"its ending without the dot\"}, \"type\": {\"type\": \"string\", "
    "\"description\": \"of the values: heightmap, mask, image...\"}, \"width\": {\"type\": "
    "\"integer\", \"description\": \"cells from west to east; a list's elements\"}, "
    "\"height\": {\"type\": \"integer\", \"description\": \"cells from north to south; 1 "
    "for a list\"}, \"bpp\": {\"type\": \"integer\", \"description\": \"bits a cell, for a "
    "file without a header\"}, \"samples\": {\"type\": \"string\", \"description\": \"what "
    "the bits of a cell are, where the file does not say\"}, \"rows\": {\"enum\": [\"north "
    "to south\", \"south to north\"]}, \"masks\": {\"type\": \"array\", \"description\": "
    "\"the masks in this file\", \"items\": {\"type\": \"object\", \"required\": [\"id\", "
    "\"mask\"], \"additionalProperties\": false, \"properties\": {\"id\": {\"type\": "
    "\"integer\", \"description\": \"place among all masks of the export, from 0; of a "
    "control map the texture\"}, \"mask\": {\"type\": \"string\", \"description\": \"its "
    "name in the recipe\"}, \"channel\": {\"enum\": [\"R\", \"G\", \"B\", \"A\"]}}}}, "
    "\"masks_in_all\": {\"type\": \"integer\", \"description\": \"masks of the export, "
    "which may have several files\"}, \"holes\": {\"type\": \"string\", \"description\": "
    "\"the mask of holes in a control map\"}}}";

/* The other members. */
static const char more[] =
    "{\"range\": {\"type\": \"object\", \"description\": \"of levels\", \"required\": "
    "[\"low\", \"high\", \"clip\"], \"additionalProperties\": false, \"properties\": "
    "{\"low\": {\"type\": \"number\", \"description\": \"height of level 0\"}, \"high\": "
    "{\"type\": \"number\", \"description\": \"height of the greatest level\"}, \"clip\": "
    "{\"type\": \"boolean\", \"description\": \"heights outside were clipped\"}, \"low_m\": "
    "{\"type\": \"number\", \"description\": \"low in metres\"}, \"high_m\": {\"type\": "
    "\"number\", \"description\": \"high in metres\"}}}, \"metres_of_1\": {\"type\": "
    "\"number\", \"description\": \"metres that a float of 1 is\"}, \"sea_level\": "
    "{\"type\": \"number\", \"description\": \"height of the sea, as in the recipe\"}, "
    "\"metres\": {\"type\": \"object\", \"required\": [\"cell\", \"width\", \"height\", "
    "\"height_of_1\", \"sea\"], \"additionalProperties\": false, \"properties\": {\"cell\": "
    "{\"type\": \"number\", \"description\": \"side of a cell\"}, \"width\": {\"type\": "
    "\"number\", \"description\": \"side of the file's map\"}, \"height\": {\"type\": "
    "\"number\", \"description\": \"its other side\"}, \"height_of_1\": {\"type\": "
    "\"number\", \"description\": \"height of 1\"}, \"sea\": {\"type\": \"number\", "
    "\"description\": \"height of the sea\"}}}, \"place\": {\"type\": \"object\", "
    "\"required\": [\"epsg\", \"west\", \"north\"], \"additionalProperties\": false, "
    "\"properties\": {\"epsg\": {\"type\": \"integer\", \"description\": \"code of the "
    "system\"}, \"west\": {\"type\": \"number\", \"description\": \"of the north-west "
    "corner\"}, \"north\": {\"type\": \"number\", \"description\": \"of the north-west "
    "corner\"}}}, \"tile\": {\"type\": \"object\", \"required\": [\"place\", \"of\", "
    "\"first_cell\", \"map\"], \"additionalProperties\": false, \"properties\": {\"place\": "
    "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}, \"minItems\": 2, "
    "\"maxItems\": 2, \"description\": \"column and row, from 0 in the north-west\"}, "
    "\"of\": {\"type\": \"array\", \"items\": {\"type\": \"integer\"}, \"minItems\": 2, "
    "\"maxItems\": 2, \"description\": \"columns and rows of tiles\"}, \"first_cell\": "
    "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}, \"minItems\": 2, "
    "\"maxItems\": 2, \"description\": \"of the whole map\"}, \"map\": {\"type\": "
    "\"array\", \"items\": {\"type\": \"integer\"}, \"minItems\": 2, \"maxItems\": 2, "
    "\"description\": \"cells of the whole map\"}}}, \"mesh\": {\"type\": \"object\", "
    "\"required\": [\"vertices\", \"levels\"], \"additionalProperties\": false, "
    "\"properties\": {\"vertices\": {\"type\": \"integer\"}, \"levels\": {\"type\": "
    "\"array\", \"description\": \"levels of detail, the finest first\", \"minItems\": 1,"
    " \"items\": {\"type\": \"object\", \"required\": [\"triangles\", \"error_m\"], "
    "\"additionalProperties\": false, \"properties\": {\"triangles\": {\"type\": "
    "\"integer\", \"description\": \"those of the skirt included\"}, \"error_m\": "
    "{\"type\": \"number\", \"description\": \"metres that simplification moved the "
    "surface by; 0: not simplified\"}}}}}}, \"sha256\": {\"type\": \"string\", "
    "\"description\": \"of the values that a reader gets, as in a lock\"}, \"recipe\": "
    "{\"type\": \"object\", \"required\": [\"name\", \"seed\"], \"additionalProperties\": "
    "false, \"properties\": {\"name\": {\"type\": \"string\", \"description\": \"its file "
    "name\"}, \"seed\": {\"type\": \"string\", \"description\": \"64 bits, more than many "
    "readers of JSON keep in a number\"}}}, \"engine\": {\"type\": \"string\", "
    "\"description\": \"program and version\"}, \"for\": {\"type\": \"string\", "
    "\"description\": \"the engine in for:\"}, \"type_in\": {\"type\": \"object\", "
    "\"description\": \"what the engine asks for, by the names of its dialogs\", "
    "\"additionalProperties\": {\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"string\"}, "
    "{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 2, "
    "\"maxItems\": 2}]}}}";

json_t *tw_sidecar_schema(void)
{
    json_t *root = NULL, *others = NULL;
    (void)tw_json_load(schema, strlen(schema), 0, &root, NULL); /* NULL: out of memory */
    (void)tw_json_load(more, strlen(more), 0, &others, NULL);
    if (json_object_update(json_object_get(root, "properties"), others) != 0) {
        json_decref(root);
        root = NULL;
    }
    json_decref(others);
    return root;
}
