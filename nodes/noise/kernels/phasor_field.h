/* SPDX-License-Identifier: MIT */
/* The complex field of phasor noise: waves of one frequency from random kernels on a grid that
 * wraps, each with a direction and a phase of its own. Random numbers are addressed by cell of that
 * grid, so a larger map shows the same noise in more detail. */
#ifndef TW_NODES_NOISE_KERNELS_PHASOR_FIELD_H
#define TW_NODES_NOISE_KERNELS_PHASOR_FIELD_H

#include <thalweg/node.h>

struct tw_phasor {
    double frequency;                /* waves along the map's longer side */
    double azimuth;                  /* where they travel, degrees clockwise from north */
    double spread;                   /* degrees either way, of the kernels' own directions */
    const struct tw_vector *vectors; /* of the task's size, for the azimuth; may be NULL */
};

/* Real and imaginary part of every cell. TW_CANCELLED when the task is, TW_MEMORY without scratch.
 */
enum tw_status tw_phasor_field(struct tw_task *task, const struct tw_phasor *phasor, float *real,
                               float *imaginary);
/* The scratch that it takes. */
void tw_phasor_forecast(struct tw_forecast *f, double frequency);

#endif
