/* SPDX-License-Identifier: MIT */
#include "support/code.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

void *code_load(const char *folder)
{
    char path[256], command[640];
    snprintf(command, sizeof command,
             "cc -std=c11 -O0 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC -o %s/all.so %s/all.c -lm", folder, folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/all.so", folder);
    void *library = dlopen(path, RTLD_NOW);
    assert_non_null(library);
    return library;
}

void code_drop(void *library, const char *folder)
{
    char command[300];
    dlclose(library);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}
