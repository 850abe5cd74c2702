/* SPDX-License-Identifier: MIT */
/* Encoding shared by all formats: codecs and the list of them (format.c) call this file, which
 * calls codecs only through a row. */
#include "format/format.h"

#include <float.h>
#include <math.h>
#include <string.h>

const struct tw_param tw_range_options[] = {
    TW_PARAM_BOOL(struct tw_range, clip, false, "cut heights outside the range"),
    TW_PARAM_END,
};

const char *tw_format_ending(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
    return dot ? dot : "";
}

static bool is_stopped(const struct tw_encoding *encoding)
{
    return encoding->stop && atomic_load_explicit(encoding->stop, memory_order_relaxed);
}

enum tw_status tw_codec_poll(const struct tw_encoding *encoding, struct tw_error *err)
{
    return is_stopped(encoding) ? tw_error_set(err, TW_CANCELLED, "stopped") : TW_OK;
}

/* Extends the range of flat values by 1. If stopped, it covers the first rows only; the encoding
 * then ends anyway. */
void tw_format_settle_range(struct tw_encoding *encoding)
{
    struct tw_range *range = &encoding->range;
    bool first = true;
    if (!range->fit)
        return;
    range->fit = false;
    for (int32_t v = 0; v < encoding->count; v++) {
        const struct tw_value *value = encoding->values[v];
        const float *cells = tw_floats(value);
        if (!(TW_TYPE_BIT(value->type) & TW_HEIGHTS))
            continue;
        for (int32_t y = 0; y < value->height && !is_stopped(encoding); y++)
            for (int32_t x = 0; x < value->width; x++, first = false) {
                const double height = (double)*cells++;
                range->low = first || height < range->low ? height : range->low;
                range->high = first || height > range->high ? height : range->high;
            }
    }
    if (range->low == range->high)
        range->high = range->low + 1;
}

enum tw_status tw_codec_check_scaled(const struct tw_encoding *encoding, double unit, double more,
                                     struct tw_error *err)
{
    const struct tw_value *value = encoding->values[0];
    const float *cells = tw_floats(value);
    enum tw_status status = TW_OK;
    for (int32_t y = 0; y < value->height && (status = tw_codec_poll(encoding, err)) == TW_OK; y++)
        for (int32_t x = 0; x < value->width; x++, cells++)
            if (fabs((double)*cells) * unit + more > (double)FLT_MAX)
                return tw_error_set(err, TW_NODE,
                                    "a height of %.9g times %.9g m does not fit into the file's "
                                    "floats; expected less, or another height_m: of world:",
                                    (double)*cells, unit);
    return status;
}

float tw_codec_unit(const struct tw_encoding *encoding, bool metres)
{
    return metres && encoding->world ? (float)encoding->world->height_m : 1;
}

enum tw_status tw_format_check(const struct tw_format *format, struct tw_error *err)
{
    if (!format->lacks)
        return TW_OK;
    return tw_error_set(err, TW_LIMIT,
                        "this build has no %s files, since %s was not there when it was built",
                        format->ending, format->lacks);
}

enum tw_status tw_format_encode(const struct tw_format *format, struct tw_encoding encoding,
                                struct tw_bytes *out, struct tw_error *err)
{
    const struct tw_value *value = encoding.values[0];
    enum tw_status status = tw_format_check(format, err);
    if (status != TW_OK)
        return status;
    if (format->holds && !format->holds(value->width, value->height, encoding.options, err))
        return TW_NODE;
    tw_format_settle_range(&encoding);
    return format->encode(&encoding, out, err);
}

uint64_t tw_format_bytes(const struct tw_format *format, const struct tw_encoding *encoding,
                         int32_t threads)
{
    return format->bytes ? format->bytes(encoding, threads) : 0;
}
