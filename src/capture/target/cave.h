/* SPDX-License-Identifier: Apache-2.0 */
/* cave.h - executable bytes of a process that are of no use to it. */
#ifndef FC_CAPTURE_TARGET_CAVE_H
#define FC_CAPTURE_TARGET_CAVE_H

#include <stdint.h>

/*
 * FC_CAVE_SIZE bytes: at the end of the kernel's vdso, or behind the code of a file in its
 * last page. -ENOSPC with a sentence: there are none.
 */
int fc_cave_find(int pid, int mem_fd, uint64_t *ret);

/* One that a killed controller had no time to restore; a thread may be in it. 0: none. */
uint64_t fc_cave_left(int pid, int mem_fd);

#endif
