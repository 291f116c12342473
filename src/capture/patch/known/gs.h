/* SPDX-License-Identifier: Apache-2.0 */
/* gs.h - does the code of a file want %gs for itself, by which stubs find their strand? */
#ifndef FC_CAPTURE_PATCH_KNOWN_GS_H
#define FC_CAPTURE_PATCH_KNOWN_GS_H

#include <stdbool.h>

struct fc_elf;

/*
 * May any code that is mapped from it set %gs? It may be data that looks like that. Of other
 * machines: false. Needs no more than the headers.
 */
bool fc_sets_gs(const struct fc_elf *elf);

#endif
