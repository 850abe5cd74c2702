/* SPDX-License-Identifier: MIT */
/* Windows and files of a run in bands. Rows count from the map's first. On a torus, rows above and
 * below the map repeat it: such a row has the number of the row it repeats, plus or minus the map's
 * height. */
#ifndef TW_ENGINE_STREAM_BANDS_PRIVATE_H
#define TW_ENGINE_STREAM_BANDS_PRIVATE_H

#include "stream/bands.h"

#include "base/os/file_sink.h"
#include "format/row_file.h"

/* The rows of a node's outputs that are in memory. */
struct tw_window {
    bool used;          /* false for nodes computed within another's fused group */
    bool wraps;         /* its neighbourhoods continue across the map's borders */
    int32_t reach;      /* rows that it reads above and below; 0: none */
    int64_t begin, end; /* rows that it computes: the map's, and those that a torus needs beyond */
    int32_t lead;       /* rows that it runs ahead of the band */
    int32_t capacity;   /* rows */
    int64_t top, done;  /* rows in memory: top to done - 1 */
    struct tw_value values[TW_PORTS_MAX]; /* of `capacity` rows; data NULL where unused */
    struct tw_band_stream *stream; /* rows of a file. Its block has the whole map's size, with
                                      memory only for rows that are filled and still needed */
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
    const struct tw_band_sink *described; /* for a sidecar: the file that it describes */
    bool digested;                        /* a sidecar or a note needs the next member: */
    struct tw_sha256 content;             /* digest of what a reader gets, once all is written */
    struct tw_row_file file;
    struct tw_file_sink out;
    enum tw_status status;
    struct tw_error error;
};

struct tw_bands {
    int32_t rows; /* rows of a band */
    uint64_t bytes;
    struct tw_window *windows; /* by node */
    unsigned char *spare;      /* where nodes with a neighbourhood compute */
    size_t spare_bytes;
    struct tw_band_sink *sinks; /* by goal */
    struct tw_workers workers;  /* that files may share */
    atomic_int permille;
    const struct tw_node *failed;
    enum tw_status status;
    struct tw_error error;
};

/* Called with each source that `node`, or any member of its fused group, reads. */
typedef void tw_band_source_fn(void *context, struct tw_source source);
void tw_bands_each_source(const struct tw_run *run, int32_t root, tw_band_source_fn *fn,
                          void *context);
/* One past the last row that node i has computed when the band ends above row `y`. */
int64_t tw_window_target(const struct tw_window *window, int32_t y, int32_t height);
/* Rows `from` to `to` - 1 of output `port` in a window. */
struct tw_value tw_window_rows(const struct tw_window *window, int port, int64_t from, int64_t to);
/* The period of the torus that contains a row; 0 is the map itself. */
int64_t tw_bands_period(int64_t row, int32_t height);

/* bands_layout.c: sizes the windows and the band. TW_LIMIT when they do not fit. */
enum tw_status tw_bands_lay_out(struct tw_run *run, struct tw_bands *bands, int32_t rows,
                                struct tw_error *err);
/* bands_compute.c: computes rows `from` to `to` - 1 of node i; its sources hold the rows that it
 * reads. */
enum tw_status tw_bands_compute(struct tw_run *run, int32_t i, int64_t from, int64_t to);

/* bands_source.c: runs a node that reads a file on its own thread, row by row, as far as rows were
 * requested. Returns NULL if that is possible, otherwise why not, in words. */
const char *tw_band_stream_lacks(const struct tw_run *run, const struct tw_node *node);
enum tw_status tw_band_stream_start(struct tw_run *run, int32_t i, struct tw_error *err);
/* Waits for the rows before `to`, and lets the thread read as many rows ahead as it may. */
enum tw_status tw_band_stream_take(struct tw_run *run, int32_t i, int64_t to);
/* Frees the rows before `first`, which are no longer read. */
void tw_band_stream_drop(struct tw_window *window, int64_t first);
/* Ends the thread, even if rows are left. */
void tw_band_stream_release(struct tw_window *window);

/* bands_files.c: why an export cannot be written by rows, in words; NULL: it can. */
const char *tw_band_sink_lacks(const struct tw_run *run, const struct tw_goal *goal);
/* Bytes that the export's file holds between two bands. */
uint64_t tw_band_sink_bytes(const struct tw_run *run, const struct tw_goal *goal);
enum tw_status tw_band_sinks_open(struct tw_run *run, struct tw_error *err);
/* Adds rows `from` to `to` - 1 of the map, which the windows hold. */
enum tw_status tw_band_sinks_add(struct tw_run *run, int32_t from, int32_t to,
                                 struct tw_error *err);
/* Gives all files their names; after a failure, gives none of the remaining ones theirs. */
enum tw_status tw_band_sinks_finish(struct tw_run *run, struct tw_error *err);
void tw_band_sinks_release(struct tw_run *run);

#endif
