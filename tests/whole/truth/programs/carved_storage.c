/* SPDX-License-Identifier: Apache-2.0 */
/* carved, with much local storage. */
#define HAS_STORAGE
#include "carved.c"
