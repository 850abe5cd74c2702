/* SPDX-License-Identifier: MIT */
/* Identifies a file, of this engine or any other program, by its bytes and, if they do not suffice,
 * by its sidecar or by what the caller knows. */
#ifndef TW_ENGINE_GATE_INSPECT_H
#define TW_ENGINE_GATE_INSPECT_H

#include "gate/snapshot.h"

#include "format/notes.h"
#include "format/sidecar.h"

/* What the caller knows of a file without a header; 0: take it from the sidecar. */
struct tw_inspect_request {
    int32_t width, height;
    bool big_endian, is_signed;
    int32_t band; /* of a file of several maps, from 1; 0: its only one */
    bool ranged;  /* levels represent heights from `low` to `high` */
    double low, high;
    const char *how; /* how to pass these values, for messages; NULL: the caller cannot */
};

struct tw_inspection {
    struct tw_arena arena;
    const char *format; /* png, r16, lock, sidecar, ... */
    uint64_t bytes;
    struct tw_result_facts result; /* described as in a lock */
    struct tw_value value;         /* of a map or picture, decoded; otherwise no data */
    struct tw_facts facts;         /* of any other file, in order: vertices, rows, ... */
    struct tw_notes notes;         /* provenance in the file itself */
    struct tw_sidecar_facts sidecar;
    bool has_sidecar;
    struct tw_georeference place; /* position of the map, if the file has it */
    bool has_place;
    /* Heights at level 0 and the top level: from the request, else from the sidecar. */
    bool ranged;
    double low, high;
    double height_of_1;   /* height of a float of 1: 1, unless a file in metres says otherwise */
    const char *mismatch; /* what its sidecar or its own notes contradict; NULL: nothing */
};

/* TW_INPUT if the file is damaged, of an unknown format, or of unknown size. Call
 * tw_inspection_release() in any case. */
enum tw_status tw_inspect(const char *path, const struct tw_inspect_request *request,
                          struct tw_inspection *inspection, struct tw_error *err);
void tw_inspection_release(struct tw_inspection *inspection);

/* inspect_text.c: describes JSON, CSV, OBJ, GLB and lock files, which hold no map. TW_INPUT with
 * `format` NULL for any other file. */
enum tw_status tw_inspect_text(const char *path, const unsigned char *data, size_t length,
                               struct tw_inspection *inspection, struct tw_error *err);
/* Adds a fact. */
void tw_inspect_say(struct tw_inspection *inspection, const char *name, const char *format, ...)
    TW_PRINTF(3, 4);

#endif
