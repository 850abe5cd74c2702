/* SPDX-License-Identifier: MIT */
#include "cli/compare/outputs.h"

#include "base/text/stream.h"
#include "cli/compare/compare.h"
#include "report/pictures/pair_picture.h"
#include "study/levels.h"

#include <stdlib.h>

struct text {
    char *at;
    size_t length;
};

static enum tw_status finish(const struct tw_compare_outputs *o, const char *path, FILE *out,
                             struct text *text, enum tw_status status, struct tw_error *err)
{
    if (tw_stream_close(out) != 0 && status == TW_OK)
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    const struct tw_bytes bytes = {.at = (unsigned char *)text->at, .length = text->length};
    if (status == TW_OK)
        status = tw_console_write_output(o->guard, path, &bytes, err);
    free(text->at);
    return status;
}

static enum tw_status write_page(const struct tw_compare_outputs *o, const struct tw_comparison *c,
                                 enum tw_status *drawn, struct tw_error *err)
{
    const struct tw_option_seed *further = &o->settings->picture_seed;
    const struct tw_compare_report report = {
        .load = &o->load, .run = o->run, .further = further->given ? &further->value : NULL};
    struct text text = {0};
    if (!o->settings->html)
        return TW_OK;
    FILE *out = tw_stream_open(&text.at, &text.length);
    if (!out)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_compare_report(out, c, &report, drawn, err);
    return finish(o, o->settings->html, out, &text, status, err);
}

static enum tw_status write_front(const struct tw_compare_outputs *o, const struct tw_comparison *c,
                                  struct tw_error *err)
{
    struct text text = {0};
    if (!o->settings->csv_front)
        return TW_OK;
    FILE *out = tw_stream_open(&text.at, &text.length);
    if (!out)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_compare_fronts_csv(out, c, err);
    return finish(o, o->settings->csv_front, out, &text, status, err);
}

static enum tw_status write_picture(const struct tw_compare_outputs *o,
                                    const struct tw_comparison *c, struct tw_error *err)
{
    struct tw_experiment own;
    const struct tw_comparison last = tw_comparison_level(c, c->experiment->level_count - 1, &own);
    const struct tw_gallery_run run = {
        .experiment = &own, .load = &o->load, .run = o->run, .view_width = TW_GALLERY_SIDE};
    struct tw_pair_shown shown;
    struct tw_bytes png = {0};
    if (!o->settings->picture || c->signal)
        return TW_OK;
    if (!tw_pair_choose(&last, &shown))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_pair_draw(&run, &shown, &png, err);
    if (status == TW_OK)
        status = tw_console_write_output(o->guard, o->settings->picture, &png, err);
    free(png.at);
    return status;
}

enum tw_status tw_compare_write_outputs(const struct tw_compare_outputs *outputs,
                                        const struct tw_comparison *c, enum tw_status *drawn,
                                        struct tw_error *err)
{
    struct tw_compare_outputs own = *outputs;
    own.load.diagnostic = NULL; /* the variants' runs have reported everything */
    enum tw_status status = write_front(&own, c, err);
    if (status == TW_OK)
        status = write_picture(&own, c, err);
    return status == TW_OK ? write_page(&own, c, drawn, err) : status;
}
