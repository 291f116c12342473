/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recopied.h - code that a program has copied from its file onto memory of no file, at the same
 * place: for huge pages, as node and databases do.
 */
#ifndef FC_CAPTURE_MODULE_RECOPIED_H
#define FC_CAPTURE_MODULE_RECOPIED_H

#include "capture/target/maps.h"

/*
 * Where code lies in memory of no file, beside the rest of a file, and is what the file has there:
 * let its mapping look as if it were the file's.
 */
void fc_recopied_find(int pid, int mem_fd, struct fc_maps *maps);

/* The same of a mapping of which it is known already which file's it was. */
void fc_recopied_is(struct fc_maps *maps, uint64_t start, uint64_t ino,
		    const struct fc_elf *elf, uint64_t bias);

#endif
