/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/choice.h"

#include "arch/arch.h"
#include "arch/stub_row.h"
#include "base/bisect.h"
#include "capture/patch/plan.h"

bool fc_patch_may_go(const struct fca_patch *site, bool all_entry_only)
{
	const struct fc_stub_row *row = fc_stub_row(site->kind);
	switch ((enum fc_stub_shape)row->shape) {
	case FC_SHAPE_CALL:
	case FC_SHAPE_PROBE:
		return site->undo == FCA_UNDO_FIRST;
	case FC_SHAPE_COUNT:
	case FC_SHAPE_EDGE:
		return site->undo == FCA_UNDO_FIRST || all_entry_only;
	case FC_SHAPE_ENTRY:
		break;
	}
	return row->records && all_entry_only;
}

/* Pages that were mapped for puns stand behind the patches. */
static size_t nr_written(const struct fca_patch *patches, size_t nr)
{
	while (nr && !patches[nr - 1].size)
		nr--;
	return nr;
}

size_t fc_patch_around(const struct fca_patch *patches, size_t nr, uint64_t taddr)
{
	size_t low = fc_bisect(patches, nr_written(patches, nr), patch, patch->taddr <= taddr);
	while (low && !patches[low - 1].window)
		low--;
	if (low && taddr - patches[low - 1].taddr < patches[low - 1].window)
		return low - 1;
	return nr;
}

/* Site i stays, and what it stands on. */
static bool keep(bool *on, size_t i)
{
	bool is_new = !on[i];
	on[i] = true;
	return is_new;
}

/* Does the hop's function still jump to it? */
static bool is_used(const struct fca_patch *patches, size_t nr, const bool *on, size_t hop)
{
	size_t site = fc_patch_around(patches, nr, fc_patch_site(&patches[hop]));
	return site < nr && on[site];
}

/* The last bytes of a pun's jump are the first ones of what follows. */
static bool keep_under_pun(const struct fca_patch *patches, size_t nr, uint8_t far_size,
			   bool *on, size_t pun)
{
	bool is_new = false;
	uint64_t end = patches[pun].taddr + far_size;
	for (size_t i = pun + 1; i < nr && patches[i].size && patches[i].taddr < end; i++) {
		size_t site =
			patches[i].window ? i : fc_patch_around(patches, nr, patches[i].taddr);
		is_new |= site < nr && keep(on, site);
	}
	return is_new;
}

/* One round; true: something more is to stay. */
static bool keep_lenders(const struct fca_patch *patches, size_t nr, uint8_t far_size, bool *on)
{
	bool is_new = false;
	for (size_t i = 0; i < nr && patches[i].size; i++) {
		size_t lender =
			patches[i].window ? nr : fc_patch_around(patches, nr, patches[i].taddr);
		if (lender < nr && !on[lender] && is_used(patches, nr, on, i))
			is_new |= keep(on, lender);
		if (patches[i].order == FC_PATCH_PUN && on[i])
			is_new |= keep_under_pun(patches, nr, far_size, on, i);
	}
	return is_new;
}

void fc_choose_patches(const struct fca_patch *patches, size_t nr, uint8_t far_size, bool *on)
{
	while (keep_lenders(patches, nr, far_size, on))
		;
	for (size_t i = 0; i < nr; i++) {
		if (patches[i].window)
			continue;
		size_t lender =
			patches[i].size ? fc_patch_around(patches, nr, patches[i].taddr) : nr;
		on[i] = lender == nr || on[lender];
	}
}
