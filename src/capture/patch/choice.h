/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choice.h - which patches of a pool are in place when some of its functions are not to be
 * hooked for a while.
 *
 * Patches may lie on each other's ground: a hop in the bytes that a neighbour's jump has
 * made free, a pun over a neighbour's first bytes. Who lends stays hooked as long as who
 * borrows; hops in padding stay in any case.
 */
#ifndef FC_CAPTURE_PATCH_CHOICE_H
#define FC_CAPTURE_PATCH_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/agent/abi.h"

/* Is it a function's own first bytes that are written over, not a hop's place or pages? */
static inline bool fc_patch_is_site(const struct fca_patch *patch)
{
	return patch->size && patch->window;
}

/* Of a static probe: it is in the program's data. */
static inline bool fc_patch_is_semaphore(const struct fca_patch *patch)
{
	return patch->size && !patch->window && patch->kind == FC_STUB_PROBE;
}

/* Where the function is that the patch belongs to: its site's address. */
static inline uint64_t fc_patch_site(const struct fca_patch *patch)
{
	return patch->taddr + (patch->window ? 0 : (int64_t)patch->from);
}

/*
 * May the function run without its hook while others have theirs? Not if the agent must know
 * of its calls (unwinders, longjmp, ld.so's notice…), nor if it looks at its return address:
 * a hooked function may jump to it. all_entry_only: no function of its file has an exit.
 */
bool fc_patch_may_go(const struct fca_patch *site, bool all_entry_only);

/*
 * patches: of one ledger, those with a size by taddr. on[i] says of each site whether it is
 * wanted; afterwards, of each patch, whether it is to be there. far_size: of a jump to a stub.
 */
void fc_choose_patches(const struct fca_patch *patches, size_t nr, uint8_t far_size, bool *on);

/* The site in whose window taddr lies, or nr. */
size_t fc_patch_around(const struct fca_patch *patches, size_t nr, uint64_t taddr);

#endif
