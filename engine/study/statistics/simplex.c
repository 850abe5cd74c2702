/* SPDX-License-Identifier: MIT */
#include "study/statistics/simplex.h"

#include <thalweg/kernel.h>

#define SIZE 0.3       /* edge of a new simplex */
#define SMALLEST 0.002 /* restarts below this size */
enum { CALLS = 50 };   /* per trial, at most: where nearly all points are known */

struct vertex {
    double at[TW_SIMPLEX_DIMENSIONS_MAX];
    struct tw_loss loss;
};

struct search {
    const struct tw_simplex_request *request;
    struct vertex vertices[TW_SIMPLEX_DIMENSIONS_MAX + 1]; /* the best first */
    int32_t n, used;
    int32_t start; /* number of the simplex */
    int64_t calls;
    bool enough;
    struct tw_error *err;
};

static bool is_over(const struct search *s)
{
    return s->enough || s->used >= s->request->trials ||
           s->calls >= (int64_t)CALLS * s->request->trials;
}

static enum tw_status evaluate(struct search *s, struct vertex *v)
{
    for (int32_t i = 0; i < s->n; i++)
        v->at[i] = v->at[i] < 0 ? 0 : v->at[i] > 1 ? 1 : v->at[i];
    struct tw_simplex_answer answer = {.enough = false};
    enum tw_status status =
        s->request->evaluate(s->request->context, s->start, v->at, &answer, s->err);
    s->calls++;
    s->used += !answer.known;
    v->loss = answer.loss;
    s->enough = answer.enough;
    return status;
}

/* Sorts by loss; among equals the earlier stays first. */
static void sort(struct search *s)
{
    for (int32_t i = 1; i <= s->n; i++)
        for (int32_t k = i; k > 0 && tw_loss_is_less(s->vertices[k].loss, s->vertices[k - 1].loss);
             k--) {
            struct vertex kept = s->vertices[k];
            s->vertices[k] = s->vertices[k - 1];
            s->vertices[k - 1] = kept;
        }
}

/* Starts around the centre, later around random points; edges point inwards. */
static enum tw_status start(struct search *s)
{
    enum tw_status status = TW_OK;
    struct vertex first = {.loss = {0}};
    for (int32_t i = 0; i < s->n; i++)
        first.at[i] =
            s->start == 0
                ? 0.5
                : (double)tw_uniform(
                      tw_random(s->request->seed, (uint32_t)s->start, (uint32_t)i, 0, 0).at[0]);
    for (int32_t v = 0; status == TW_OK && v <= s->n && !is_over(s); v++) {
        s->vertices[v] = first;
        if (v > 0)
            s->vertices[v].at[v - 1] += first.at[v - 1] > 0.5 ? -SIZE : SIZE;
        status = evaluate(s, &s->vertices[v]);
    }
    return status;
}

static double extent(const struct search *s)
{
    double most = 0;
    for (int32_t v = 1; v <= s->n; v++)
        for (int32_t i = 0; i < s->n; i++) {
            double distance = fabs(s->vertices[v].at[i] - s->vertices[0].at[i]);
            most = distance > most ? distance : most;
        }
    return most;
}

/* The point at `factor` times the way from the centroid of all but the worst vertex to the worst.
 */
static struct vertex point_along(const struct search *s, double factor)
{
    struct vertex made = {.loss = {0}};
    for (int32_t i = 0; i < s->n; i++) {
        double centre = 0;
        for (int32_t v = 0; v < s->n; v++)
            centre += s->vertices[v].at[i] / s->n;
        made.at[i] = centre + factor * (s->vertices[s->n].at[i] - centre);
    }
    return made;
}

static enum tw_status shrink(struct search *s)
{
    enum tw_status status = TW_OK;
    for (int32_t v = 1; status == TW_OK && v <= s->n && !is_over(s); v++) {
        for (int32_t i = 0; i < s->n; i++)
            s->vertices[v].at[i] = (s->vertices[v].at[i] + s->vertices[0].at[i]) / 2;
        status = evaluate(s, &s->vertices[v]);
    }
    return status;
}

/* Reflects; expands if that is the best so far, contracts if it is the worst, otherwise shrinks. */
static enum tw_status step(struct search *s)
{
    struct vertex *worst = &s->vertices[s->n], reflected = point_along(s, -1), next;
    enum tw_status status = evaluate(s, &reflected);
    if (status != TW_OK)
        return status;
    bool best = tw_loss_is_less(reflected.loss, s->vertices[0].loss);
    if ((!best && tw_loss_is_less(reflected.loss, s->vertices[s->n - 1].loss)) || is_over(s)) {
        *worst = reflected;
        return TW_OK;
    }
    bool outside = tw_loss_is_less(reflected.loss, worst->loss);
    next = point_along(s, best ? -2 : outside ? -0.5 : 0.5);
    status = evaluate(s, &next);
    if (best)
        *worst = tw_loss_is_less(next.loss, reflected.loss) ? next : reflected;
    else if (tw_loss_is_less(next.loss, outside ? reflected.loss : worst->loss))
        *worst = next;
    else if (status == TW_OK)
        status = shrink(s);
    return status;
}

/* Whether the simplex has had its share of the trials; the last has the rest. */
static bool has_had_its_share(const struct search *s)
{
    const struct tw_simplex_request *r = s->request;
    return s->start + 1 < r->starts &&
           s->used >= (int32_t)((int64_t)r->trials * (s->start + 1) / r->starts);
}

enum tw_status tw_simplex_minimise(const struct tw_simplex_request *request, struct tw_error *err)
{
    struct search s = {.request = request, .n = request->dimensions, .err = err};
    enum tw_status status = TW_OK;
    for (; status == TW_OK && !is_over(&s); s.start++) {
        status = start(&s);
        sort(&s);
        while (status == TW_OK && !is_over(&s) && !has_had_its_share(&s) && extent(&s) > SMALLEST) {
            status = step(&s);
            sort(&s);
        }
    }
    return status;
}
