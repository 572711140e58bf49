/* SPDX-License-Identifier: MIT
 *
 * stream.h - text for which functions want a FILE. */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include <stdio.h>

#include "base/text.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* What is written goes behind what t holds. NULL: memory is short. */
FILE *arne__text_stream(text_buffer *t);
/* false: memory was short somewhere; t is the caller's to free either way */
bool arne__text_stream_close(FILE *f, text_buffer *t);

#pragma GCC visibility pop
#endif
