/* SPDX-License-Identifier: MIT */
/* What a file is: one of ours or of others', by its bytes and, where these do not say, by its
 * sidecar or by what the caller knows. */
#ifndef TW_ENGINE_GATE_INSPECT_H
#define TW_ENGINE_GATE_INSPECT_H

#include "gate/snapshot.h"

#include "format/notes.h"
#include "format/sidecar.h"

/* What a file without a header cannot say; 0 for what the sidecar says. */
struct tw_inspect_request {
    int32_t width, height;
    bool big_endian;
    bool ranged; /* levels stand for heights from `low` to `high` */
    double low, high;
    const char *how; /* the caller takes them, for messages; NULL: it does not */
};

struct tw_inspection {
    struct tw_arena arena;
    const char *format; /* png, r16, lock, sidecar, ... */
    uint64_t bytes;
    struct tw_result_facts result; /* as a lock describes the file */
    struct tw_value value;         /* of a map or picture, decoded; else without data */
    struct tw_facts facts;         /* of anything else: vertices, rows, ... in order */
    struct tw_notes notes;         /* provenance in the file itself */
    struct tw_sidecar_facts sidecar;
    bool has_sidecar;
    struct tw_georeference place; /* where the map lies, where the file says so */
    bool has_place;
    /* What levels 0 and the greatest stand for: as asked, else as the sidecar says. */
    bool ranged;
    double low, high;
    double height_of_1;   /* what a float of 1 stands for: 1 but in a file in metres that says so */
    const char *mismatch; /* what its sidecar or its own notes say otherwise; NULL: nothing */
};

/* TW_INPUT when it is damaged, of an unknown format, or of unknown size. tw_inspection_release() in
 * any case. */
enum tw_status tw_inspect(const char *path, const struct tw_inspect_request *request,
                          struct tw_inspection *inspection, struct tw_error *err);
void tw_inspection_release(struct tw_inspection *inspection);

/* inspect_text.c: JSON, CSV, OBJ, GLB and locks: facts of a file that holds no map. TW_INPUT with
 * `format` NULL when it is none of these. */
enum tw_status tw_inspect_text(const char *path, const unsigned char *data, size_t length,
                               struct tw_inspection *inspection, struct tw_error *err);
/* Adds a fact. */
void tw_inspect_say(struct tw_inspection *inspection, const char *name, const char *format, ...)
    TW_PRINTF(3, 4);

#endif
