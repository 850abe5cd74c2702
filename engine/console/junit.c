/* SPDX-License-Identifier: MIT */
/* Prints cases and their faults as JUnit XML, in the form that Jenkins, GitLab and GitHub's
 * reporters read: one suite per call, a case per recipe, export, output or assertion. A difference
 * becomes a <failure>, any other fault an <error>. */

#include "base/text/text.h"
#include "console/answer.h"

#include <string.h>

/* Replaces control characters, which XML cannot represent, with tw_text_write(). */
static void put(FILE *out, const char *text) { tw_text_write(out, text, TW_TEXT_HTML); }

static bool counts_for(const struct tw_findings *findings, int32_t i, int32_t under)
{
    return findings->at[i].fault && tw_finding_case(findings, &findings->at[i]) == under;
}

static void put_place(FILE *out, const struct tw_error *error)
{
    if (error->file[0])
        put(out, error->file);
    if (error->file[0] && error->line > 0)
        fprintf(out, ":%d:%d", (int)error->line, (int)error->column);
    fputs(error->file[0] ? ": " : "", out);
    put(out, error->path);
    fputs(error->path[0] ? ": " : "", out);
}

/* Writes each line of a message by itself, since hints may have several. */
static void put_lines(FILE *out, const char *text)
{
    char line[1024];
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        put(out, line);
        fputs("\n", out);
    }
}

static void put_fault(FILE *out, const struct tw_error *error)
{
    const char *tag = error->status == TW_DIFFERENCE ? "failure" : "error";
    fprintf(out, "      <%s type=\"%s\" message=\"", tag, tw_status_text(error->status));
    put(out, error->message);
    fputs("\">", out);
    put_place(out, error);
    put_lines(out, error->message);
    put_lines(out, error->hint);
    fprintf(out, "</%s>\n", tag);
}

static void put_case(FILE *out, const char *group, const char *name,
                     const struct tw_findings *findings, int32_t under)
{
    const struct tw_case *at = under >= 0 ? &findings->cases[under] : NULL;
    fputs("    <testcase classname=\"", out);
    put(out, group);
    fputs("\" name=\"", out);
    put(out, name);
    if (at && at->timed)
        fprintf(out, "\" time=\"%.3f", at->seconds);
    fputs("\">\n", out);
    for (int32_t i = 0; i < findings->count; i++)
        if (counts_for(findings, i, under))
            put_fault(out, &findings->at[i].error);
    if (at && at->failure) {
        fprintf(out, "      <failure type=\"%s\" message=\"", tw_status_text(TW_DIFFERENCE));
        put(out, at->failure);
        fputs("\"/>\n", out);
    } else if (at && at->skipped) {
        fputs("      <skipped/>\n", out);
    }
    fputs("    </testcase>\n", out);
}

/* Counts cases with an <error>, and cases with only a <failure>. */
struct counts {
    int32_t tests, failures, errors, skipped;
    double seconds;
};

static void count_case(const struct tw_findings *findings, int32_t under, struct counts *counts)
{
    const struct tw_case *at = under >= 0 ? &findings->cases[under] : NULL;
    bool failure = at && at->failure, error = false;
    for (int32_t i = 0; i < findings->count; i++) {
        bool difference = findings->at[i].error.status == TW_DIFFERENCE;
        failure |= counts_for(findings, i, under) && difference;
        error |= counts_for(findings, i, under) && !difference;
    }
    counts->tests++;
    counts->seconds += at ? at->seconds : 0;
    counts->errors += error;
    counts->failures += failure && !error;
    counts->skipped += at && at->skipped && !failure && !error;
}

static void put_warnings(FILE *out, const struct tw_findings *findings)
{
    fputs("    <system-err>", out);
    for (int32_t i = 0; i < findings->count; i++)
        if (!findings->at[i].fault) {
            put_place(out, &findings->at[i].error);
            fputs("warning: ", out);
            put_lines(out, findings->at[i].error.message);
        }
    fputs("</system-err>\n", out);
}

/* Returns true if the command needs a case of its own: for faults outside of any case, or if the
 * call has no case. */
static bool has_own_case(const struct tw_findings *findings)
{
    bool own = findings->case_count == 0;
    for (int32_t i = 0; i < findings->count; i++)
        own |= counts_for(findings, i, -1);
    return own;
}

static void put_counts(FILE *out, const struct counts *counts)
{
    fprintf(out, " tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
            (int)counts->tests, (int)counts->failures, (int)counts->errors, (int)counts->skipped,
            counts->seconds);
}

void tw_junit_print(FILE *out, const char *command, const struct tw_findings *findings)
{
    struct counts counts = {0};
    bool own = has_own_case(findings);
    for (int32_t i = own ? -1 : 0; i < findings->case_count; i++)
        count_case(findings, i, &counts);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"thalweg\"", out);
    put_counts(out, &counts);
    fprintf(out, "  <testsuite name=\"thalweg %s\"", command);
    put_counts(out, &counts);
    if (own)
        put_case(out, "thalweg", command, findings, -1);
    for (int32_t i = 0; i < findings->case_count; i++)
        put_case(out, findings->cases[i].group, findings->cases[i].name, findings, i);
    put_warnings(out, findings);
    fputs("  </testsuite>\n</testsuites>\n", out);
}
