/* SPDX-License-Identifier: MIT */
#include "cli/commands/compare_progress.h"

#include "base/text/shell_word.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SETTING_BYTES = 4200 }; /* a parameter and its text */

/* "40 s", "3 min", "2 h" */
static void print_time(double seconds, char text[24])
{
    if (seconds < 90)
        snprintf(text, 24, "%.0f s", seconds);
    else if (seconds < 90 * 60.0)
        snprintf(text, 24, "%.0f min", seconds / 60);
    else
        snprintf(text, 24, "%.1f h", seconds / 3600);
}

void tw_compare_line_clear(struct tw_compare_line *line)
{
    if (line->text[0])
        fputs("\r\033[K", stderr);
    line->text[0] = 0;
}

/* Elsewhere than on a terminal only what is a further tenth. */
static void show(struct tw_compare_line *line, double share, const char *text)
{
    if (tw_cli_shows_progress()) {
        if (line->text[0] && strcmp(text, line->text) == 0)
            return;
        fprintf(stderr, "\r\033[K%s", text);
        snprintf(line->text, sizeof line->text, "%s", text);
    } else if ((int32_t)(10 * share) > line->tenth) {
        line->tenth = (int32_t)(10 * share);
        fprintf(stderr, "%s\n", text);
    }
}

void tw_compare_line_show_tasks(struct tw_compare_line *line,
                                const struct tw_batch_progress *progress)
{
    double share = (double)progress->done / progress->count;
    char left[24], words[40] = "", text[sizeof line->text];
    if (progress->left >= 0 && progress->done < progress->count) {
        print_time(progress->left, left);
        snprintf(words, sizeof words, ", about %s left", left);
    }
    snprintf(text, sizeof text, "%3d %% %d of %d tasks done, %d running, %d waiting%s",
             (int)(100 * share), (int)progress->done, (int)progress->count, (int)progress->running,
             (int)progress->waiting, words);
    show(line, share, text);
}

void tw_compare_line_show(struct tw_compare_line *line, const struct tw_compare_progress *progress)
{
    double share = (progress->done + progress->share) / progress->count;
    char left[24] = "", words[40] = "";
    if (progress->left >= 0 && progress->done < progress->count) {
        print_time(progress->left, left);
        snprintf(words, sizeof words, ", about %s left", left);
    }
    char text[sizeof line->text];
    snprintf(text, sizeof text, "%3d %% seed %" PRIu64 "%s", (int)(100 * share), progress->seed,
             words);
    show(line, share, text);
}

void tw_compare_command(FILE *out, const struct tw_variant *variant, uint64_t seed,
                        const char *cells)
{
    fputs("thalweg run ", out);
    tw_shell_word_write(out, variant->recipe);
    fprintf(out, " --seed %" PRIu64 "%s%s", seed, cells[0] ? " --size " : "", cells);
    for (int32_t i = 0; i < variant->setting_count; i++) {
        char word[SETTING_BYTES];
        snprintf(word, sizeof word, "%s=%s", variant->settings[i].name, variant->settings[i].text);
        fputs(" -s ", out);
        tw_shell_word_write(out, word);
    }
    if (variant->nodes)
        fputs(", with the variant's nodes in the recipe", out);
}
