/* SPDX-License-Identifier: MIT */
/* An experiment: variants of a recipe, the seeds they share, the measures, and the assertions.
 * Facts only; experiment_run.h runs it. */
#ifndef TW_ENGINE_STUDY_EXPERIMENT_H
#define TW_ENGINE_STUDY_EXPERIMENT_H

#include "base/text/expression.h"
#include "study/match.h"
#include "study/sensitivity.h"
#include "study/tune.h"

#define TW_VARIANTS_MAX 10000
#define TW_VARIANT_NAME_MAX 1000 /* bytes */
#define TW_MEASURES_MAX 1000
#define TW_BOUNDS_MAX 100000
#define TW_SEEDS_MAX 10000000
#define TW_TIMES_MAX 1000

struct tw_variant {
    const char *name;
    const char *recipe;                /* a path that can be opened */
    const struct tw_setting *settings; /* parameters; in a matrix those of its axes, in order */
    int32_t setting_count;
    int32_t side;                /* cells, set by a level; 0: the experiment's */
    bool in_matrix;              /* a combination of the matrix */
    const struct tw_yaml *nodes; /* replacements; NULL: none */
    struct tw_place place;
};

/* A level of the factors that variants are crossed with (levels.h). */
struct tw_factor_level {
    int32_t side;                      /* cells; 0: sizes: is not a factor */
    const struct tw_setting *settings; /* of crossed:, one per parameter */
    int32_t setting_count;
};

/* A field of a record output, a property of a map output (map_measure.h), or a formula over earlier
 * measures. */
struct tw_measure {
    const char *name;                    /* score.game */
    const char *output, *field;          /* NULL for a formula and for "seconds" */
    const struct tw_expression *formula; /* its inputs are measures; NULL for other measures */
    struct tw_place place;
    int goal;     /* 1: more is better, -1: less is better, 0: unspecified */
    double until; /* run seeds until every paired difference has an interval this narrow; 0: no such
                     limit */
};

/* A measure of front:, and what better is. */
struct tw_front_goal {
    int32_t measure;
    int direction; /* 1: more, -1: less */
};

static inline bool tw_measure_is_seconds(const struct tw_measure *measure)
{
    return !measure->output && !measure->formula;
}

enum tw_statistic { TW_MEAN, TW_DEVIATION, TW_LEAST, TW_GREATEST, TW_STATISTICS };
extern const char *const tw_statistic_names[TW_STATISTICS];

/* assert: an interval that must contain a statistic of one variant or (-1) of all. */
struct tw_bound {
    int32_t variant, measure;
    enum tw_statistic statistic;
    double min, max;
    struct tw_place place;
    struct tw_bound *next;
};

struct tw_experiment {
    struct tw_arena arena;
    const char *file, *about;
    const char *recipe; /* of variants that name none, and of trials; a path that can be opened */
    int32_t width, height; /* 0: as in the recipe */
    uint64_t first_seed;
    const uint64_t *seeds; /* an explicit list; NULL: consecutive ones from first_seed */
    int32_t seed_count;
    struct tw_variant *variants;
    int32_t variant_count;  /* of all levels */
    int32_t level_variants; /* variants of a level: those that the file names */
    struct tw_factor_level *levels;
    int32_t level_count;     /* at least 1 */
    int32_t first_run;       /* of a level: the number of its first variant among those of all */
    int32_t pairs_elsewhere; /* of a level: comparisons of the other levels */
    int32_t run_count;       /* variants, followed by those of the sensitivity plan, which are not
                                compared; 0 if parameters are only tuned */
    int32_t variant_capacity;
    struct tw_axis *axes; /* of matrix:, in the file's order */
    int32_t axis_count;
    struct tw_sensitivity sensitivity;
    struct tw_tune tune;
    struct tw_match match;
    struct tw_measure *measures;
    int32_t measure_count;
    struct tw_front_goal front[2];
    int32_t front_count; /* 2; 0: no front */
    bool adjusts;        /* comparisons are made at equal values of the measure `covariate` too */
    int32_t covariate;
    int32_t baseline; /* index of a variant in its level; -1: none */
    struct tw_bound *bounds;
    int32_t bound_count;
    int32_t times;       /* separate runs of each variant to time it; 0: none */
    const char *picture; /* output that pages show; NULL: the first height map */
    struct tw_place picture_place;
};

static inline uint64_t tw_experiment_seed(const struct tw_experiment *e, int32_t i)
{
    return e->seeds ? e->seeds[i] : e->first_seed + (uint64_t)i;
}

/* The variant that another is compared with: the baseline of its level; -1: none. */
static inline int32_t tw_experiment_baseline(const struct tw_experiment *e, int32_t variant)
{
    bool crossed = e->baseline >= 0 && e->level_count > 1 && variant < e->variant_count;
    return !crossed ? e->baseline : variant - variant % e->level_variants + e->baseline;
}

/* Whether a variant is compared with a baseline. */
static inline bool tw_is_compared(const struct tw_experiment *e, int32_t variant)
{
    return e->baseline >= 0 && variant != tw_experiment_baseline(e, variant);
}

/* Text of a parameter that the variant sets; NULL if it does not set it. */
const char *tw_variant_value(const struct tw_variant *variant, const char *parameter);

/* Reports all faults of the file through options->diagnostic. */
enum tw_status tw_experiment_load(const char *path, const struct tw_load_options *options,
                                  struct tw_experiment **experiment, struct tw_error *err);
/* Loads an experiment from a text; `name` replaces a file's path in messages and for relative
 * paths. */
enum tw_status tw_experiment_parse(const char *text, size_t length, const char *name,
                                   const struct tw_load_options *options,
                                   struct tw_experiment **experiment, struct tw_error *err);
void tw_experiment_release(struct tw_experiment *experiment);

/* Sets the place of a fault in the experiment's file; `err` may be NULL. */
enum tw_status tw_experiment_fault_at(const struct tw_experiment *experiment, struct tw_place place,
                                      struct tw_error *err);

/* Loads the variant's recipe with one of the seeds; checks that it has the measured and shown
 * outputs. */
enum tw_status tw_experiment_recipe(const struct tw_experiment *experiment, int32_t variant,
                                    uint64_t seed, const struct tw_load_options *options,
                                    struct tw_recipe **recipe, struct tw_error *err);

#endif
