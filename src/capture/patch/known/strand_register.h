/* SPDX-License-Identifier: Apache-2.0 */
/* strand_register.h - does the code of a file want the register for itself by which stubs find their strand? */
#ifndef FC_CAPTURE_PATCH_KNOWN_STRAND_REGISTER_H
#define FC_CAPTURE_PATCH_KNOWN_STRAND_REGISTER_H

#include <stdbool.h>

struct fc_elf;

/*
 * May any code that is mapped from it set that register? It may be data that looks like that. Of other
 * machines: false. Needs no more than the headers.
 */
bool fc_takes_register(const struct fc_elf *elf);

#endif
