/* SPDX-License-Identifier: MIT */
/* A sample tells between which bounds a place most likely lies, and one look at all numbers keeps
 * what lies there, by Floyd and Rivest's idea. Among those, or all where the sample misleads, the
 * place is found by twelve bits at a time, the highest first: count the numbers of each digit, keep
 * those of the digit in which it lies. */
#include "measure/kernels/order_statistics.h"

#include "measure/kernels/double_key.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { BITS = 12, DIGITS = 1 << BITS, KEY_BITS = 64, FEW = 48 };
enum { SAMPLE = 2048, MANY = 8 * SAMPLE };

static void sort_few(double *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        double v = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > v; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = v;
    }
}

/* The next digit of the key after `done` bits. */
static unsigned digit_of(double v, int done)
{
    return (unsigned)(tw_double_key(v) << done >> (KEY_BITS - BITS));
}

/* The digit of the number at `place` in order, which becomes its place among those of the digit. */
static unsigned find_digit(const double *numbers, size_t count, int done, size_t *place)
{
    size_t digits[DIGITS] = {0};
    unsigned digit = 0;
    for (size_t i = 0; i < count; i++)
        digits[digit_of(numbers[i], done)]++;
    for (; *place >= digits[digit]; digit++)
        *place -= digits[digit];
    return digit;
}

/* Keeps the numbers of the digit; *above becomes the least number beyond them, if there is one. */
static size_t keep_digit(const double *from, size_t count, int done, unsigned digit, double *to,
                         double *above)
{
    double least = DBL_MAX;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        double v = from[i];
        unsigned own = digit_of(v, done);
        double beyond = own > digit ? v : DBL_MAX;
        least = beyond < least ? beyond : least;
        to[kept] = v;
        kept += own == digit;
    }
    *above = least < DBL_MAX ? least : *above;
    return kept;
}

/* The number at `place` in order, and the next. `work` may be the numbers, which it changes. */
static void select_two(const double *numbers, size_t count, size_t place, double *work,
                       struct tw_order_place *found)
{
    double above = DBL_MAX;
    int done = 0;
    for (; count > FEW && done < KEY_BITS; done += BITS) {
        unsigned digit = find_digit(numbers, count, done, &place);
        count = keep_digit(numbers, count, done, digit, work, &above);
        numbers = work;
    }
    for (size_t i = 0; numbers != work && i < count; i++)
        work[i] = numbers[i];
    if (done < KEY_BITS) /* else all are one number */
        sort_few(work, count);
    found->low = work[place];
    found->high = place + 1 < count ? work[place + 1] : above < DBL_MAX ? above : found->low;
}

/* ---- bounds ---- */

struct bounds {
    double low, high;
    size_t below, kept; /* numbers */
};

/* Somewhere in the i-th part of the numbers: those of a map at even distances may lie in one of its
 * columns. */
static size_t place_of_sample(size_t i, size_t count)
{
    const uint64_t hash = (uint32_t)i * 0x9E3779B1u;
    return (i * count + (size_t)(hash * count >> 32)) / SAMPLE;
}

/* Four deviations of the share that a sample has below the place. */
static struct bounds bounds_of(const double *numbers, size_t count, double p)
{
    double sample[SAMPLE];
    struct tw_order_place at;
    const double spread = 4 * sqrt(p * (1 - p) / SAMPLE), last = SAMPLE - 1;
    const double low = (p - spread) * last - 2, high = (p + spread) * last + 2;
    struct bounds bounds = {.low = -DBL_MAX, .high = DBL_MAX};
    for (int side = 0; side < 2; side++) {
        const double place = side ? high : low;
        if (place < 0 || place > last)
            continue;
        for (size_t i = 0; i < SAMPLE; i++)
            sample[i] = numbers[place_of_sample(i, count)];
        select_two(sample, SAMPLE, (size_t)place, sample, &at);
        *(side ? &bounds.high : &bounds.low) = at.low;
    }
    return bounds;
}

/* Keeps, for each place, the numbers within its bounds, in its third of the work memory. */
static void keep_between(const double *numbers, size_t count, struct bounds b[TW_QUANTILES],
                         double *work)
{
    const size_t room = count / TW_QUANTILES - 1;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < TW_QUANTILES; k++) {
            const double v = numbers[i];
            work[(size_t)k * (room + 1) + b[k].kept] = v;
            b[k].below += v < b[k].low;
            b[k].kept += (v >= b[k].low) & (v <= b[k].high) & (b[k].kept < room);
        }
}

void tw_order_find(const double *numbers, size_t count, const double p[TW_QUANTILES], double *work,
                   struct tw_order_place places[TW_QUANTILES])
{
    const size_t room = count / TW_QUANTILES;
    struct bounds b[TW_QUANTILES] = {{.below = 0}};
    bool missed[TW_QUANTILES] = {count < MANY, count < MANY, count < MANY};
    for (int k = 0; k < TW_QUANTILES && count >= MANY; k++)
        b[k] = bounds_of(numbers, count, p[k]);
    if (count >= MANY)
        keep_between(numbers, count, b, work);
    for (int k = 0; k < TW_QUANTILES; k++) {
        const double at = p[k] * (double)(count - 1);
        const size_t place = (size_t)at, next = place + 1 < count ? place + 1 : place;
        places[k].share = at - (double)place;
        missed[k] |= b[k].kept + 1 >= room || place < b[k].below || next >= b[k].below + b[k].kept;
        double *own = work + (size_t)k * room;
        if (!missed[k])
            select_two(own, b[k].kept, place - b[k].below, own, &places[k]);
    }
    for (int k = 0; k < TW_QUANTILES; k++)
        if (missed[k])
            select_two(numbers, count, (size_t)(p[k] * (double)(count - 1)), work, &places[k]);
}
