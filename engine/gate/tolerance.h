/* SPDX-License-Identifier: MIT */
/* How far an output may be from its lock, as `height: {most: 0.5 m, mean: 0.01 m}` says it. */
#ifndef TW_ENGINE_GATE_TOLERANCE_H
#define TW_ENGINE_GATE_TOLERANCE_H

#include "gate/map_difference.h"
#include "graph/load/yaml.h"

struct tw_tolerance_limit {
    double at;   /* not negative; INFINITY: none */
    bool metres; /* else in the map's own values */
};

struct tw_tolerance {
    const char *output;
    struct tw_tolerance_limit most, mean;
};

/* Reads {most: 0.5 m, mean: 0.01 m}; reports faults and returns false. `what` is its name in
 * messages. */
bool tw_tolerance_read(struct tw_arena *arena, struct tw_fault_log *log, const struct tw_yaml *yaml,
                       const char *what, struct tw_tolerance *tolerance);
/* Writes a limit as it is read: "0.5 m". */
void tw_tolerance_print_limit(char *text, size_t size, struct tw_tolerance_limit limit);
/* Returns true if a limit is given. */
bool tw_tolerance_has(struct tw_tolerance_limit limit);
/* Returns true if the difference of two maps stays within the tolerance; `metres` is what a height
 * of 1 is in metres. */
bool tw_tolerance_holds(const struct tw_tolerance *tolerance, const struct tw_map_difference *d,
                        double metres);

#endif
