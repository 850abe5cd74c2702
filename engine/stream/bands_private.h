/* SPDX-License-Identifier: MIT */
/* Windows and files of a run in bands. Rows are counted from the map's first; on a torus they go on
 * above it and below the last, where a row has the number of the one that it repeats, plus or minus
 * the map's height. */
#ifndef TW_ENGINE_STREAM_BANDS_PRIVATE_H
#define TW_ENGINE_STREAM_BANDS_PRIVATE_H

#include "stream/bands.h"

#include "base/os/file_sink.h"
#include "format/row_file.h"

/* What a node holds of its outputs. */
struct tw_window {
    bool used;          /* a needed node, not one that is computed within another's group */
    bool wraps;         /* its neighbourhoods go on beyond the map's borders */
    int32_t reach;      /* rows above and below that it looks at; 0: none */
    int64_t begin, end; /* rows that it computes: the map's, and what a torus needs beyond */
    int32_t lead;       /* by how many rows it is ahead of the band */
    int32_t capacity;   /* rows */
    int64_t top, done;  /* rows that it holds: top to done - 1 */
    struct tw_value values[TW_PORTS_MAX]; /* of `capacity` rows; data NULL where unused */
    struct tw_band_stream *stream; /* rows of a file: its block is of the whole map, and lacks
                                      memory where it is not filled yet or nobody looks again */
    uint64_t nanoseconds;
};

/* A file, or the digest of an output. */
struct tw_band_sink {
    struct tw_goal *goal;
    struct tw_source source;
    struct tw_value map; /* type and size */
    const struct tw_value *value;
    struct tw_digest_state digest; /* of an output */
    struct tw_encoding encoding;
    const struct tw_band_sink *described; /* a sidecar: the file that it is about */
    bool digested;                        /* a sidecar or a note needs the next: */
    struct tw_sha256 content;             /* of what a reader gets, when all is written */
    struct tw_row_file file;
    struct tw_file_sink out;
    enum tw_status status;
    struct tw_error error;
};

struct tw_bands {
    int32_t rows; /* of a band */
    uint64_t bytes;
    struct tw_window *windows; /* by node */
    unsigned char *spare;      /* what a node with a neighbourhood computes */
    size_t spare_bytes;
    struct tw_band_sink *sinks; /* by goal */
    struct tw_workers workers;  /* that files may share */
    atomic_int permille;
    const struct tw_node *failed;
    enum tw_status status;
    struct tw_error error;
};

/* The rows that `node` reads from its sources; a fused group's, of all its members. */
typedef void tw_band_source_fn(void *context, struct tw_source source);
void tw_bands_each_source(const struct tw_run *run, int32_t root, tw_band_source_fn *fn,
                          void *context);
/* The row below the last that node i has computed when the band ends above row `y`. */
int64_t tw_window_target(const struct tw_window *window, int32_t y, int32_t height);
/* Rows `from` to `to` - 1 of what a window holds of output `port`. */
struct tw_value tw_window_rows(const struct tw_window *window, int port, int64_t from, int64_t to);
/* The period of the torus that a row is in: 0 for the map itself. */
int64_t tw_bands_period(int64_t row, int32_t height);

/* bands_layout.c: windows, their sizes, and the height of a band. TW_LIMIT when they do not fit. */
enum tw_status tw_bands_lay_out(struct tw_run *run, struct tw_bands *bands, int32_t rows,
                                struct tw_error *err);
/* bands_compute.c: rows `from` to `to` - 1 of node i, whose sources hold what it looks at. */
enum tw_status tw_bands_compute(struct tw_run *run, int32_t i, int64_t from, int64_t to);

/* bands_source.c: a node that reads a file runs beside all others, row by row, as far as it was
 * asked to. NULL: it can be done so; else why not, in words. */
const char *tw_band_stream_lacks(const struct tw_run *run, const struct tw_node *node);
enum tw_status tw_band_stream_start(struct tw_run *run, int32_t i, struct tw_error *err);
/* Waits for the rows before `to`, and lets the file be read so many rows further. */
enum tw_status tw_band_stream_take(struct tw_run *run, int32_t i, int64_t to);
/* Nobody looks at rows before `first` again. */
void tw_band_stream_drop(struct tw_window *window, int64_t first);
/* Ends it, whole or not. */
void tw_band_stream_release(struct tw_window *window);

/* bands_files.c. Why an export cannot be written by rows, in words; NULL: it can. */
const char *tw_band_sink_lacks(const struct tw_run *run, const struct tw_goal *goal);
/* What its file holds between two bands. */
uint64_t tw_band_sink_bytes(const struct tw_run *run, const struct tw_goal *goal);
enum tw_status tw_band_sinks_open(struct tw_run *run, struct tw_error *err);
/* Rows `from` to `to` - 1 of the map, which the windows hold. */
enum tw_status tw_band_sinks_add(struct tw_run *run, int32_t from, int32_t to,
                                 struct tw_error *err);
/* All files get their names, or, after a failure, none of those that are left. */
enum tw_status tw_band_sinks_finish(struct tw_run *run, struct tw_error *err);
void tw_band_sinks_release(struct tw_run *run);

#endif
