/* SPDX-License-Identifier: MIT
 *
 * about.h - the file beside another one, open: for those who put both into their places together. */
#ifndef LOG_ABOUT_H
#define LOG_ABOUT_H

#include "arne/log.h"
#include "base/whole.h"

/* Writes it into *w, which arne__whole_close_all is due to close; *name, from malloc, must outlive it. Leaves both alone where
 * the file ends in .json itself. */
arne_status arne__about_open(const arne_about *a, const char *path, whole_file *w, char **name, arne_error *error);

#endif
