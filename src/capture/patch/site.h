/* SPDX-License-Identifier: Apache-2.0 */
/*
 * site.h - where a function is hooked: the bytes of it that lead to its stub, and the kinds that
 * there are of these.
 *
 *          off                      on
 *   far    f:  55 48 89 e5 41 54    f:  e9 .. .. .. .. 54    jmp stub
 *   near   f:  31 c0 c3             f:  eb 21 c3             jmp hop, and there: jmp stub
 *   pun    f:  c3, then 48 89 f8    f:  e9, then 48 89 f8    jmp to where these say: jmp stub
 *
 * All these move a prologue: the instructions that lose bytes, the window, run in the stub.
 *
 * A stub takes the return address from where a call leaves it (fc_arch_call_frame()). So a site
 * is where the function has not touched its stack yet; one elsewhere wants stubs of its own
 * (enum fc_stub_kind).
 */
#ifndef FC_CAPTURE_PATCH_SITE_H
#define FC_CAPTURE_PATCH_SITE_H

#include "arch/arch.h"

struct fc_branches;
struct fc_plan;
struct fc_stubs;

enum fc_site_kind {
	FC_SITE_FAR = 0,
	FC_SITE_NEAR,
	FC_SITE_PUN,
	FC_SITE_NR_KINDS,
};

struct fc_site {
	struct fc_window window; /* its first jump_size bytes are written over */
	int16_t hop;		 /* of a near one: from the window to its hop */
	uint8_t kind;		 /* enum fc_site_kind, where it is hooked */
};

/* The vaddr of what a near jump leads to; 0: it is another kind. */
static inline uint64_t fc_site_hop(const struct fc_site *site)
{
	return site->hop ? site->window.vaddr + (int64_t)site->hop : 0;
}

/* What a kind does. i: as fc_plan_funcs(). */
struct fc_site_ops {
	/*
	 * Hook function i at such a site (fc_plan_hook()); NULL, or why it has none. Looks at no
	 * other function's: several threads plan at once. May be NULL, as may the next one.
	 */
	const char *(*find)(struct fc_plan *plan, size_t i);

	/* Hook those that are refused by now, when all branches are known. */
	void (*find_among)(struct fc_plan *plan, struct fc_branches *branches);

	uint8_t nr_patches; /* and pages of hops, at most */

	/*
	 * Add the patches that lead from the site to the stub (fc_stubs_add_patch()): bytes when
	 * it is off, as they are in the file, and bytes when it is on.
	 */
	void (*add_patches)(struct fc_stubs *stubs, size_t i, uint64_t stub_taddr);
};

extern const struct fc_site_ops fc_site_far, fc_site_near, fc_site_pun;

/* Of each kind, in the order in which they are tried. */
extern const struct fc_site_ops *const fc_site_ops[FC_SITE_NR_KINDS];

#endif
