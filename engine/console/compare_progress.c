/* SPDX-License-Identifier: MIT */
#include "console/compare_progress.h"

#include "base/text/shell_word.h"
#include "console/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SETTING_BYTES = 4200 }; /* room for a parameter and its value */

/* Formats a duration as "40 s", "3 min" or "2 h". */
static void print_time(double seconds, char text[24])
{
    if (seconds < 90)
        snprintf(text, 24, "%.0f s", seconds);
    else if (seconds < 90 * 60.0)
        snprintf(text, 24, "%.0f min", seconds / 60);
    else
        snprintf(text, 24, "%.1f h", seconds / 3600);
}

void tw_compare_words_left(double seconds, char words[40])
{
    char left[24];
    words[0] = 0;
    if (seconds < 0)
        return;
    print_time(seconds, left);
    snprintf(words, 40, ", about %s left", left);
}

void tw_compare_line_clear(struct tw_compare_line *line)
{
    if (line->text[0])
        tw_terminal_clear_progress();
    line->text[0] = 0;
}

void tw_compare_line_put(struct tw_compare_line *line, double share, const char *text)
{
    if (tw_terminal_shows_progress()) {
        if (line->text[0] && strcmp(text, line->text) == 0)
            return;
        fprintf(stderr, TW_TERMINAL_REWRITE "%s", text);
        snprintf(line->text, sizeof line->text, "%s", text);
    } else if ((int32_t)(10 * share) > line->tenth) {
        line->tenth = (int32_t)(10 * share);
        fprintf(stderr, "%s\n", text);
    }
}

void tw_compare_line_show(struct tw_compare_line *line, const struct tw_compare_progress *progress)
{
    double share = (progress->done + progress->share) / progress->count;
    char words[40], text[sizeof line->text];
    tw_compare_words_left(progress->done < progress->count ? progress->left : -1, words);
    snprintf(text, sizeof text, "%3d %% seed %" PRIu64 "%s", (int)(100 * share), progress->seed,
             words);
    tw_compare_line_put(line, share, text);
}

void tw_compare_command(FILE *out, const struct tw_variant *variant, const char *seed,
                        const char *cells)
{
    fputs("thalweg run ", out);
    tw_shell_word_write(out, variant->recipe);
    fprintf(out, " --seed %s%s%s", seed, cells[0] ? " --size " : "", cells);
    for (int32_t i = 0; i < variant->setting_count; i++) {
        char word[SETTING_BYTES];
        snprintf(word, sizeof word, "%s=%s", variant->settings[i].name, variant->settings[i].text);
        fputs(" -s ", out);
        tw_shell_word_write(out, word);
    }
    if (variant->nodes)
        fputs(", with the variant's nodes in the recipe", out);
}
