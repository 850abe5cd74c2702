/* SPDX-License-Identifier: MIT */
/* Octaves of lattice noise, row by row: Perlin's gradient noise (Perlin 2002), value noise on the
 * same lattice, and simplex noise. Every basis lies in -1..1. All octaves are one noise, each seen
 * from a random place of its own, so that their lattice points do not coincide; octaves that need
 * not wrap are rotated too. Random numbers are addressed by lattice point, so a larger map shows
 * the same noise in more detail. */
#ifndef TW_NODES_NOISE_KERNELS_OCTAVES_H
#define TW_NODES_NOISE_KERNELS_OCTAVES_H

#include <thalweg/node.h>

enum tw_basis { TW_BASIS_PERLIN, TW_BASIS_SIMPLEX, TW_BASIS_VALUE };

/* One octave in some columns of row y of the task. */
struct tw_noise_row {
    int32_t octave, x, y, count;
    const float *at;
};
/* Receives rows, for every cell in the order of the octaves. Rows run on all workers. */
typedef void tw_noise_sink(void *context, const struct tw_noise_row *row);

struct tw_octaves {
    enum tw_basis basis;
    int32_t count;
    float frequency;  /* lattice cells of octave 0 along the map's longer side */
    float lacunarity; /* from one octave's frequency to the next */
    float turn;       /* degrees from one octave's lattice to the next, besides its own angle; only
                         without `tile` */
    bool tile;        /* wraps: lattice cells a side are rounded to whole numbers; not simplex */
    tw_noise_sink *sink;
    void *context;
};

/* Most lattice cells a side of the last octave. */
#define TW_OCTAVES_FINEST 65536
/* For a descriptor's `check`; `count` is the name of the parameter that holds the number of
 * octaves. */
struct tw_rule tw_octaves_check(const struct tw_octaves *octaves, const char *count);
/* The scratch that a run of so many octaves takes. */
void tw_octaves_forecast(struct tw_forecast *f, int32_t octaves);
/* TW_CANCELLED when the task is. */
enum tw_status tw_octaves_run(struct tw_task *task, const struct tw_octaves *octaves);

#endif
