/* SPDX-License-Identifier: MIT */
#include "support/web_process.h"

#include "support/command.h"
#include "support/harness.h"
#include "support/web_server.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t process; /* 0: none */

static void serve(int pipe)
{
    struct web_server server;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    web_start(&server);
    if (write(pipe, &server.port, sizeof server.port) != (ssize_t)sizeof server.port)
        _exit(1);
    for (;;)
        pause();
}

static void write_secret(void)
{
    char text[129];
    for (int i = 0; i < 128; i++)
        text[i] = "0123456789abcdef"[i % 16];
    text[128] = '\n';
    command_write("secret", text, sizeof text);
    assert_int_equal(chmod("secret", S_IRUSR | S_IWUSR), 0);
}

void web_process_start(void)
{
    int ends[2], port = 0;
    char url[64];
    web_process_stop();
    write_secret();
    assert_int_equal(pipe(ends), 0);
    process = fork();
    assert_true(process >= 0);
    if (process == 0)
        serve(ends[1]);
    assert_int_equal(read(ends[0], &port, sizeof port), sizeof port);
    close(ends[0]);
    close(ends[1]);
    snprintf(url, sizeof url, "http://127.0.0.1:%d", port);
    setenv("THALWEG_CACHE_URL", url, 1);
    setenv("THALWEG_CACHE_SECRET_FILE", "secret", 1);
    setenv("THALWEG_CACHE_WAIT", "60", 1);
}

void web_process_stop(void)
{
    unsetenv("THALWEG_CACHE_URL");
    unsetenv("THALWEG_CACHE_SECRET_FILE");
    unsetenv("THALWEG_CACHE_WAIT");
    if (process == 0)
        return;
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    process = 0;
}
