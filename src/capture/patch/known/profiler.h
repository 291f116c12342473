/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profiler.h - code that compilers have each function call to tell who called it: gcc -pg,
 * -finstrument-functions. What it is told must be a true return address.
 */
#ifndef FC_CAPTURE_PATCH_KNOWN_PROFILER_H
#define FC_CAPTURE_PATCH_KNOWN_PROFILER_H

#include "arch/arch.h"
#include "elf/elf.h"

/* What mcount in this file passes its callers' return addresses to, which has no name where it is
   stripped: an address in that function. 0: there is none. */
uint64_t fc_profiler_find(const struct fc_elf *elf, const struct fc_arch *arch);

/* Are there functions in it that read their return address only to tell it to __cyg_profile_func_*? */
bool fc_profiler_is_called(const struct fc_elf *elf);

#endif
