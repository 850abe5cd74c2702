/* SPDX-License-Identifier: MIT */
#include "base/text/shell_word.h"

#include <string.h>

void tw_shell_word_write(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,";
    if (word[0] && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputs("'", out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : ((char[]){*word, 0}), out);
    fputs("'", out);
}
