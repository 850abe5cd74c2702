/* SPDX-License-Identifier: MIT */
/* thalweg judge: writes a page on which people choose between unnamed pictures, and ranks variants
 * by what they chose. */
#include "base/os/file.h"
#include "base/os/links.h"
#include "base/text/json.h"
#include "base/text/stream.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/commands/judge.h"
#include "cli/options.h"
#include "console/answer.h"
#include "console/documents.h"
#include "console/experiment_file.h"
#include "console/output_file.h"
#include "console/stop.h"
#include "report/judge/page.h"
#include "study/experiment_run.h"
#include "study/levels.h"
#include "study/matching.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

enum { VIEW_WIDTH = 400 }; /* pixels: two fit side by side, and 200 fit one file */

struct judging {
    const struct tw_settings *settings;
    struct tw_load_options load;
    struct tw_run_options run;
    struct tw_experiment *experiment;
    struct tw_overwrite_guard guard;
    bool reported; /* a fault of the experiment */
    bool failed;   /* the pictures of some seed */
};

static void on_diagnostic(void *context, bool fault, const struct tw_error *error,
                          const char *source_line)
{
    struct judging *j = context;
    j->reported |= fault;
    tw_console_diagnostic(NULL, fault, error, source_line);
}

/* ---- the page ---- */

/* Reports a seed whose pictures failed; the page shows the other pairs. */
static void on_failed(void *context, uint64_t seed, const struct tw_error *error)
{
    struct judging *j = context;
    struct tw_error shown = *error;
    snprintf(shown.hint, sizeof shown.hint, "pairs of seed %" PRIu64 " are left out", seed);
    tw_console_error(&shown);
    j->failed = true;
}

static bool has_pictures(const struct tw_gallery *g)
{
    for (int32_t i = 0; i < g->seed_count * g->variants.count; i++)
        if (g->plates[i].view.at || g->plates[i].shade.at)
            return true;
    return false;
}

/* Counts the pairs that have pictures. */
static int32_t count_pairs(const struct tw_judge_pairs *pairs, const struct tw_gallery *g)
{
    int32_t count = 0;
    for (int32_t i = 0; i < pairs->count; i++)
        count += !g->failed[pairs->at[i].seed];
    return count;
}

static enum tw_status draw_pictures(struct judging *j, const struct tw_judge_pairs *pairs,
                                    struct tw_gallery *g, struct tw_error *err)
{
    const struct tw_gallery_run run = {.experiment = j->experiment,
                                       .load = &j->load,
                                       .run = &j->run,
                                       .view_width = VIEW_WIDTH,
                                       .failed = on_failed,
                                       .context = j};
    g->variants.count = j->experiment->variant_count;
    for (int32_t v = 0; v < g->variants.count; v++)
        g->variants.at[v] = v;
    g->seed_count = pairs->seeds;
    for (int32_t s = 0; s < pairs->seeds; s++)
        g->seeds[s] = tw_experiment_seed(j->experiment, s);
    enum tw_status status = tw_gallery_fill(&run, g, err);
    if (status == TW_OK && !has_pictures(g))
        status = tw_error_set(err, TW_RECIPE,
                              "there is nothing to look at: expected an output that "
                              "is a height map, or picture: in the experiment");
    return status;
}

static void report_page(const struct judging *j, size_t length, int32_t pairs)
{
    const char *page = j->settings->html;
    tw_answer_set(TW_DOCUMENT(judge, .experiment = j->experiment->file, .page = page,
                              .pairs = json_integer(pairs)));
    if (j->settings->json || j->settings->quiet || tw_console_is_stdout(page))
        return;
    tw_text_write(stdout, page, TW_TEXT_TERMINAL);
    printf(" (%zu bytes): %d pairs\n", length, (int)pairs);
}

static enum tw_status write_page(struct judging *j, const struct tw_judge_pairs *pairs,
                                 const struct tw_gallery *g, struct tw_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = tw_stream_open(&text, &length);
    if (!out)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    const struct tw_judge_page page = {pairs, g, j->settings->draw.value, j->settings->pairs};
    tw_judge_page(out, &page);
    enum tw_status status =
        tw_stream_close(out) == 0 ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
    const struct tw_bytes bytes = {.at = (unsigned char *)text, .length = length};
    if (status == TW_OK)
        status = tw_console_write_output(&j->guard, j->settings->html, &bytes, err);
    free(text);
    if (status == TW_OK)
        report_page(j, length, count_pairs(pairs, g));
    return status;
}

/* Guards the files that the pictures depend on, so that the page cannot overwrite them. */
static enum tw_status guard_files(struct judging *j, struct tw_error *err)
{
    const struct tw_experiment *e = j->experiment;
    enum tw_status status = tw_overwrite_guard_add(&j->guard, e->file, "the experiment", err);
    for (int32_t v = 0; status == TW_OK && v < e->variant_count; v++) {
        struct tw_recipe *recipe = NULL;
        status = tw_experiment_recipe(e, v, tw_experiment_seed(e, 0), &j->load, &recipe, err);
        if (status == TW_OK)
            status = tw_overwrite_guard_add_readings(&j->guard, recipe, err);
        tw_recipe_release(recipe);
    }
    return status == TW_OK ? tw_console_claim_outputs(&j->guard, j->settings, err) : status;
}

static enum tw_status make_page(struct judging *j, struct tw_error *err)
{
    struct tw_judge_pairs pairs = {0};
    struct tw_gallery gallery = {.seed_count = 0};
    enum tw_status status = guard_files(j, err);
    if (status == TW_OK)
        status = tw_judge_pairs_draw(j->experiment, j->settings->pairs, j->settings->draw.value,
                                     &pairs, err);
    if (status == TW_OK)
        status = draw_pictures(j, &pairs, &gallery, err);
    if (status == TW_OK)
        status = write_page(j, &pairs, &gallery, err);
    tw_gallery_release(&gallery);
    tw_judge_pairs_release(&pairs);
    return status;
}

/* ---- answers ---- */

/* Measures only the seeds up to the last that an answer concerns. */
static enum tw_status measure(const struct judging *j, const struct tw_judgement *answers,
                              struct tw_comparison *c, struct tw_error *err)
{
    const struct tw_compare_request request = {.load = &j->load, .run = &j->run};
    int32_t seen = 0;
    for (int32_t i = 0; i < answers->count; i++)
        seen = answers->seeds[i] + 1 > seen ? answers->seeds[i] + 1 : seen;
    j->experiment->seed_count = seen > 0 ? seen : 1;
    enum tw_status status = tw_comparison_create(j->experiment, c, err);
    return status == TW_OK ? tw_compare_run(&request, c, err) : status;
}

/* Rejects a file given twice: counting its answers twice would narrow the intervals. */
static enum tw_status check_answers(const struct judging *j, struct tw_error *err)
{
    const char *const *files = (const char *const *)j->settings->answers.at;
    struct tw_file_id ids[TW_OPTION_REPEATS_MAX];
    for (int32_t i = 0; i < j->settings->answers.count; i++) {
        enum tw_status status = tw_file_identify(files[i], true, &ids[i], err);
        if (status != TW_OK)
            return status;
        for (int32_t k = 0; ids[i].exists && k < i; k++)
            if (ids[k].device == ids[i].device && ids[k].inode == ids[i].inode)
                return tw_error_set(err, TW_INPUT, "%s: these answers were read already, as %s",
                                    files[i], files[k]);
    }
    return TW_OK;
}

static enum tw_status rank(struct judging *j, struct tw_error *err)
{
    struct tw_judgement answers = {.experiment = j->experiment};
    struct tw_comparison c = {0};
    enum tw_status status = check_answers(j, err);
    for (int32_t i = 0; status == TW_OK && i < j->settings->answers.count; i++) {
        const char *file = j->settings->answers.at[i];
        status = j->settings->untrusted ? tw_links_check(file, err) : TW_OK;
        if (status == TW_OK)
            status = tw_judge_read(file, &answers, err);
    }
    if (status == TW_OK)
        status = measure(j, &answers, &c, err);
    if (status == TW_OK)
        status = tw_judge_find(&answers, &c, err);
    if (status == TW_OK && j->settings->json)
        tw_judge_json(&answers);
    else if (status == TW_OK)
        tw_judge_text(stdout, &answers);
    tw_comparison_release(&c);
    tw_judge_release(&answers);
    return status;
}

static enum tw_status check(const struct tw_experiment *e, struct tw_error *err)
{
    if (e->variant_count >= 2 && e->variant_count <= TW_JUDGE_VARIANTS_MAX)
        return TW_OK;
    return tw_error_set(err, TW_RECIPE, "%s has %d variants; judge expects 2 to %d", e->file,
                        (int)e->variant_count, TW_JUDGE_VARIANTS_MAX);
}

int tw_cmd_judge(const struct tw_settings *settings, char **operands)
{
    struct judging j = {.settings = settings,
                        .load = tw_console_load_options(settings),
                        .run = tw_console_run_options(settings)};
    struct tw_error error = {.status = TW_OK};
    if (!tw_stdin_check("judge", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    j.load.diagnostic = on_diagnostic;
    j.load.context = &j;
    struct tw_experiment *loaded = NULL, level;
    tw_stop_catch();
    enum tw_status status =
        tw_console_experiment_load(settings, operands[0], &j.load, &loaded, &error);
    if (status == TW_OK) /* people judge what is compared */
        status = tw_compare_match(
            loaded, &(struct tw_compare_request){.load = &j.load, .run = &j.run}, &error);
    int32_t first;
    if (loaded && settings->level > loaded->level_count) {
        int code = tw_console_usage("--level is %d, but %s has %d", (int)settings->level,
                                    loaded->file, (int)loaded->level_count);
        tw_experiment_release(loaded);
        return code;
    }
    if (loaded) { /* people judge one level: one size, one value of each crossed parameter */
        int32_t chosen = settings->level > 0 ? settings->level : loaded->level_count;
        level = tw_experiment_part(loaded, chosen - 1, &first);
        j.experiment = &level;
    }
    j.load.diagnostic = NULL;
    if (status == TW_OK)
        status = check(j.experiment, &error);
    if (status == TW_OK)
        status = settings->answers.count > 0 ? rank(&j, &error) : make_page(&j, &error);
    tw_overwrite_guard_release(&j.guard);
    tw_experiment_release(loaded);
    if (status == TW_CANCELLED)
        return tw_stop_exit_code();
    if (status == TW_OK && j.failed)
        return tw_status_exit_code(TW_NODE);
    if (status != TW_OK && !j.reported)
        loaded ? tw_console_error(&error) : tw_console_file_error(operands[0], &error);
    return tw_status_exit_code(status);
}
