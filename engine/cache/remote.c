/* SPDX-License-Identifier: MIT */
/* Bounds the time that a server may cost a run. A request is charged its duration, less the time
 * that computing the result would have taken if it arrives. A pending request is given up once the
 * charges and its own duration reach the bound, however much it promises to save, since it may
 * never finish; only the time in which a fast network would have moved the bytes received so far
 * does not count. Sending runs in parallel with computing and is charged only once the run waits
 * for it. So the bound holds whatever a server does. */
#include "cache/remote_private.h"

#include "base/memory/options.h"
#include "cache/credentials.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

enum { FAILURES_MAX = 3 /* in a row */, CONNECT_SECONDS = 1, PATIENT_SECONDS = 10 };

/* ---- warnings ---- */

static void note(struct tw_remote_trouble *trouble, const char *before, const char *why)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&trouble->step, &none, 1))
        return;
    snprintf(trouble->text, sizeof trouble->text, "%s: %s", before, why);
    atomic_store(&trouble->step, 2);
}

void tw_remote_leave(struct tw_remote *remote, const char *why)
{
    note(&remote->left, "the remote cache is left alone from here on", why);
    atomic_store(&remote->is_left, true);
}

static void stop_sending(struct tw_remote *remote, const char *why)
{
    note(&remote->full, "nothing more is sent to the remote cache", why);
    atomic_store(&remote->is_full, true);
}

static bool take(struct tw_remote_trouble *trouble, struct tw_error *warning)
{
    int there = 2;
    if (!atomic_compare_exchange_strong(&trouble->step, &there, 3))
        return false;
    tw_error_set(warning, TW_OK, "%s", trouble->text);
    return true;
}

bool tw_remote_take_trouble(struct tw_remote *remote, struct tw_error *warning)
{
    if (take(&remote->full, warning))
        return true;
    if (!take(&remote->left, warning))
        return false;
    int dropped = atomic_load(&remote->dropped);
    if (dropped > 0)
        snprintf(warning->hint, sizeof warning->hint,
                 "%d results were not sent; thalweg cache push does that", dropped);
    return true;
}

/* ---- time and failures ---- */

void tw_remote_count(struct tw_remote *remote, enum tw_remote_tally tally, uint64_t number)
{
    atomic_fetch_add(&remote->tallies[tally], number);
}

static bool is_over(const struct tw_remote_waiting *waiting)
{
    struct tw_remote *remote = waiting->remote;
    double moved = (double)waiting->request->received / TW_REMOTE_BYTES_A_SECOND;
    uint64_t since = waiting->start;
    if (waiting->sending)
        since = atomic_load(&remote->drained);
    if (remote->patient || since == 0)
        return false;
    uint64_t lost = atomic_load(&remote->lost) + (uv_hrtime() - since);
    return lost > remote->bound + (uint64_t)(1e9 * moved);
}

static bool give_up(void *context)
{
    const struct tw_remote_waiting *waiting = context;
    const atomic_bool *stop = waiting->remote->stop;
    const volatile int *cancel = waiting->remote->cancel;
    return atomic_load(&waiting->remote->is_left) || (stop && atomic_load(stop)) ||
           (cancel && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0) || is_over(waiting);
}

void tw_remote_charge(struct tw_remote_waiting *waiting, uint64_t saved)
{
    struct tw_remote *remote = waiting->remote;
    uint64_t took = uv_hrtime() - waiting->start;
    if (took > saved)
        atomic_fetch_add(&remote->lost, took - saved);
    if (!remote->patient && atomic_load(&remote->lost) > remote->bound)
        tw_remote_leave(remote, "it cost this run all the time that --cache-wait allows");
}

static void refuse(struct tw_remote *remote, const struct tw_http_request *request)
{
    enum { TOO_LARGE = 413 };
    unsigned long long size = request->parts[0].size + request->length;
    if (request->method == TW_HTTP_GET) {
        tw_remote_leave(remote, request->problem);
    } else if (request->method == TW_HTTP_PUT && request->status == TOO_LARGE) {
        if (size < atomic_load(&remote->size_max))
            atomic_store(&remote->size_max, size);
        note(&remote->full, "large results are not sent to the remote cache", request->problem);
    } else if (request->method == TW_HTTP_PUT) {
        stop_sending(remote, request->problem);
    }
}

static void fail(struct tw_remote *remote, const struct tw_http_request *request)
{
    tw_remote_count(remote, TW_REMOTE_FAILURES, 1);
    if (atomic_fetch_add(&remote->failures, 1) + 1 >= FAILURES_MAX)
        tw_remote_leave(remote, request->problem);
}

/* Recognises the answer of servers that compare names with SHA-256: bazel-remote sends 500, others
 * 400. */
bool tw_remote_refuses_name(const struct tw_http_request *request)
{
    return request->status == 400 || request->status == 500;
}

enum tw_http_outcome tw_remote_perform(struct tw_remote_waiting *waiting,
                                       struct tw_http_request *request)
{
    struct tw_remote *remote = waiting->remote;
    request->give_up = give_up;
    request->context = waiting;
    waiting->request = request;
    waiting->start = uv_hrtime();
    waiting->sending = request->method != TW_HTTP_GET;
    tw_remote_count(remote, TW_REMOTE_REQUESTS, 1);
    enum tw_http_outcome outcome = tw_http_perform(remote->http, request);
    tw_remote_count(remote, TW_REMOTE_BYTES_IN, request->received);
    tw_remote_count(remote, TW_REMOTE_BYTES_OUT, request->sent);
    if (outcome == TW_HTTP_DONE || outcome == TW_HTTP_ABSENT)
        atomic_store(&remote->failures, 0);
    else if (waiting->name_may_be_refused && tw_remote_refuses_name(request))
        ;
    else if (outcome == TW_HTTP_REFUSED)
        refuse(remote, request);
    else if (outcome == TW_HTTP_FAILED)
        fail(remote, request);
    else if (is_over(waiting))
        tw_remote_leave(remote, "it cost this run all the time that --cache-wait allows");
    return outcome;
}

/* ---- life ---- */

enum tw_status tw_remote_open(const struct tw_remote_options *given, struct tw_remote **remote,
                              struct tw_error *err)
{
    const double usual = 2, most = 1e9; /* seconds */
    struct tw_remote_options own, *options = &own;
    if (tw_options_take(given, &own, sizeof own, "tw_remote_options", err) != TW_OK)
        return TW_USAGE;
    double wait = options->wait > 0 ? options->wait : usual;
    char *token = NULL;
    struct tw_remote *created = calloc(1, sizeof *created);
    *remote = NULL;
    if (!created)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status =
        options->secret_file
            ? tw_credentials_read_secret(options->secret_file, &created->secret, err)
            : tw_error_set(err, TW_USAGE, "a remote cache needs a file with the team's secret");
    if (status == TW_OK && options->token_file)
        status = tw_credentials_read_token(options->token_file, &token, err);
    const struct tw_http_options http = {.url = options->url,
                                         .authorization = token,
                                         .connect_seconds =
                                             options->patient ? PATIENT_SECONDS : CONNECT_SECONDS,
                                         .stall_seconds = options->patient ? PATIENT_SECONDS : 0};
    if (status == TW_OK)
        status = tw_http_open(&http, &created->http, err);
    free(token);
    if (status != TW_OK) {
        tw_remote_release(created);
        return status;
    }
    created->patient = options->patient;
    created->cancel = options->cancel;
    created->bound = (uint64_t)(1e9 * (wait < most ? wait : most));
    atomic_init(&created->size_max, UINT64_MAX);
    atomic_init(&created->is_full, options->read_only);
    *remote = created;
    return TW_OK;
}

void tw_remote_release(struct tw_remote *remote)
{
    if (remote)
        tw_http_close(remote->http);
    free(remote);
}

const struct tw_secret *tw_remote_secret(const struct tw_remote *remote) { return &remote->secret; }

void tw_remote_begin(struct tw_remote *remote, const atomic_bool *stop)
{
    remote->stop = stop;
    atomic_store(&remote->lost, 0);
    atomic_store(&remote->drained, 0);
}

void tw_remote_drain(struct tw_remote *remote)
{
    unsigned long long none = 0;
    (void)atomic_compare_exchange_strong(&remote->drained, &none, uv_hrtime());
}

bool tw_remote_answers(const struct tw_remote *remote) { return !atomic_load(&remote->is_left); }

bool tw_remote_takes(const struct tw_remote *remote)
{
    return tw_remote_answers(remote) && !atomic_load(&remote->is_full);
}

void tw_remote_drop(struct tw_remote *remote, int32_t results)
{
    atomic_fetch_add(&remote->dropped, results);
}

struct tw_remote_counts tw_remote_counts(const struct tw_remote *remote)
{
    const atomic_ullong *at = remote->tallies;
    return (struct tw_remote_counts){.requests = atomic_load(&at[TW_REMOTE_REQUESTS]),
                                     .hits = atomic_load(&at[TW_REMOTE_HITS]),
                                     .misses = atomic_load(&at[TW_REMOTE_MISSES]),
                                     .damaged = atomic_load(&at[TW_REMOTE_DAMAGED]),
                                     .sent = atomic_load(&at[TW_REMOTE_SENT]),
                                     .present = atomic_load(&at[TW_REMOTE_PRESENT]),
                                     .failures = atomic_load(&at[TW_REMOTE_FAILURES]),
                                     .bytes_in = atomic_load(&at[TW_REMOTE_BYTES_IN]),
                                     .bytes_out = atomic_load(&at[TW_REMOTE_BYTES_OUT]),
                                     .left = !tw_remote_answers(remote)};
}

struct tw_tier_counts tw_remote_take_counts(struct tw_remote *remote)
{
    const struct tw_remote_counts before = remote->taken, all = tw_remote_counts(remote);
    remote->taken = all;
    return (struct tw_tier_counts){.requests = all.requests - before.requests,
                                   .hits = all.hits - before.hits,
                                   .misses = all.misses - before.misses,
                                   .bytes_in = all.bytes_in - before.bytes_in,
                                   .bytes_out = all.bytes_out - before.bytes_out};
}
