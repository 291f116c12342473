/* SPDX-License-Identifier: Apache-2.0 */
/* pages.h - copies of pages that do not change: of loaded files, where these may not be written. */
#ifndef FC_CAPTURE_AGENT_BASE_PAGES_H
#define FC_CAPTURE_AGENT_BASE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A copy of what is at an address, up to its page's end, if that is of a loaded file and does not
 * change. NULL: it is none, or no copy can be had now. What was read of it counts if pages_has() it
 * then.
 */
const uint8_t *pages_find(int pid, uint64_t at);
bool pages_has(uint64_t at);
/* Files are about to be loaded or unloaded: the controller tells anew what does not change. */
void pages_forget(void);
/* From start to end may be written from now on. */
void pages_written(uint64_t start, uint64_t end);

#endif
