/* SPDX-License-Identifier: MIT */
#include "console/remote.h"

#include "console/diagnostic.h"
#include "console/stop.h"

struct tw_remote_options tw_console_remote_options(const struct tw_settings *settings)
{
    return (struct tw_remote_options){.url = settings->cache_url,
                                      .read_only = settings->cache_mode == TW_CACHE_READ,
                                      .secret_file = settings->cache_secret_file,
                                      .token_file = settings->cache_token_file,
                                      .wait = settings->cache_wait,
                                      .cancel = tw_stop_flag()};
}

static int open_remote(const struct tw_settings *settings, bool patient, struct tw_remote **remote)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_remote_options options = tw_console_remote_options(settings);
    options.patient = patient;
    if (!patient && settings->cache_wait <= 0)
        return tw_console_usage("--cache-wait is 0; expected more, or --cache-mode off");
    if (!settings->cache_secret_file)
        return tw_console_usage(
            "--cache-url needs --cache-secret-file: a file with 128 hexadecimal "
            "digits that the team shares, as openssl rand -hex 64 prints them");
    enum tw_status status = tw_remote_open(&options, remote, &error);
    return status == TW_OK ? 0 : tw_console_error(&error);
}

int tw_console_open_remote(enum tw_command_bits command, struct tw_settings *settings)
{
    enum {
        RUNS = TW_FOR_RUN | TW_FOR_SERVE | TW_FOR_COMPARE | TW_FOR_JUDGE | TW_FOR_LOCK |
               TW_FOR_VERIFY | TW_FOR_DIFF
    };
    settings->remote = NULL;
    if (!(command & RUNS) || !settings->cache_url || settings->no_cache ||
        settings->cache_mode == TW_CACHE_OFF)
        return 0;
    return open_remote(settings, false, &settings->remote);
}

int tw_console_open_patient_remote(const struct tw_settings *settings, struct tw_remote **remote)
{
    *remote = NULL;
    if (!settings->cache_url)
        return tw_console_usage("push and pull need --cache-url or THALWEG_CACHE_URL");
    if (settings->cache_mode == TW_CACHE_OFF)
        return tw_console_usage("push and pull do nothing with --cache-mode off");
    return open_remote(settings, true, remote);
}

void tw_console_close_remote(struct tw_settings *settings)
{
    struct tw_error warning;
    if (!settings->remote)
        return;
    while (tw_remote_take_trouble(settings->remote, &warning))
        tw_console_diagnostic(NULL, false, &warning, NULL);
    tw_remote_release(settings->remote);
    settings->remote = NULL;
}
