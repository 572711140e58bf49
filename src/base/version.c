/* SPDX-License-Identifier: MIT
 *
 * version.c - the version of this library, which is that of the project in CMakeLists.txt. */
#include "arne/arne.h"

const char *arne_version(void) { return ARNE_PROJECT_VERSION; }
