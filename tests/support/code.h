/* SPDX-License-Identifier: MIT
 *
 * code.h - generated code as a library: all.c in a folder compiled and loaded, both gone afterwards. */
#ifndef SUPPORT_CODE_H
#define SUPPORT_CODE_H

void *code_load(const char *folder); /* for dlsym; any failure fails the test */
void code_drop(void *library, const char *folder);

#endif
