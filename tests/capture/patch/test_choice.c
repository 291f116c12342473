/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are unhooked while their neighbours' jumps stand on their ground. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "capture/patch/choice.h"
#include "capture/patch/plan.h"

enum { FAR = 5 };

static struct fca_patch site(uint64_t taddr, uint8_t size, uint8_t window, uint8_t order)
{
	return (struct fca_patch){
		.taddr = taddr, .size = size, .window = window, .order = order
	};
}

static struct fca_patch hop(uint64_t taddr, int16_t from)
{
	return (struct fca_patch){
		.taddr = taddr, .size = FAR, .from = from, .order = FC_PATCH_HOP
	};
}

static void each_goes_by_itself(void **state)
{
	struct fca_patch patches[] = { site(0x1000, 5, 6, FC_PATCH_JUMP),
				       site(0x1020, 5, 5, FC_PATCH_JUMP) };
	bool on[] = { false, true };

	fc_choose_patches(patches, 2, FAR, on);
	assert_false(on[0]);
	assert_true(on[1]);
}

/* near jump at 0x1000 -> hop at 0x1010, in padding */
static void a_hop_in_padding_stays(void **state)
{
	struct fca_patch patches[] = { site(0x1000, 2, 3, FC_PATCH_NEAR), hop(0x1010, -0x10) };
	bool on[] = { false, false };

	assert_int_equal(fc_patch_site(&patches[1]), 0x1000);
	fc_choose_patches(patches, 2, FAR, on);
	assert_false(on[0]);
	assert_true(on[1]);
}

/* near jump at 0x1000 -> hop at 0x1015, in the window of 0x1010 */
static void who_lends_stays_as_long_as_who_borrows(void **state)
{
	struct fca_patch patches[] = { site(0x1000, 2, 3, FC_PATCH_NEAR),
				       site(0x1010, 5, 11, FC_PATCH_JUMP), hop(0x1015, -0x15) };
	bool borrower[] = { true, false, false };
	bool lender[] = { false, true, false };
	bool none[] = { false, false, true };

	assert_int_equal(fc_patch_around(patches, 3, 0x1015), 1);
	assert_int_equal(fc_patch_around(patches, 3, 0x101b), 3);
	fc_choose_patches(patches, 3, FAR, borrower);
	assert_true(borrower[0] && borrower[1] && borrower[2]);
	fc_choose_patches(patches, 3, FAR, lender);
	assert_true(!lender[0] && lender[1] && lender[2]);
	fc_choose_patches(patches, 3, FAR, none);
	assert_true(!none[0] && !none[1] && !none[2]);
}

/* The last bytes of the pun's jump are those that begin the patch at 0x1001. */
static void what_a_pun_leads_over_stays_with_it(void **state)
{
	struct fca_patch patches[] = { site(0x1000, 1, 1, FC_PATCH_PUN),
				       site(0x1001, 5, 5, FC_PATCH_JUMP),
				       site(0x1008, 5, 5, FC_PATCH_JUMP),
				       { .taddr = 0x700000 } };
	bool with[] = { true, false, false, false };
	bool without[] = { false, false, false, false };

	fc_choose_patches(patches, 4, FAR, with);
	assert_true(with[0] && with[1] && !with[2]);
	fc_choose_patches(patches, 4, FAR, without);
	assert_true(!without[0] && !without[1] && !without[2]);
}

static void what_the_agent_must_know_of_stays(void **state)
{
	static const enum fc_stub_kind needed[] = {
		FC_STUB_UNWIND, FC_STUB_RAISE,	FC_STUB_FORCE, FC_STUB_JUMP,
		FC_STUB_DL,	FC_STUB_FILTER, FC_STUB_TRACE, FC_STUB_JUMP_LATER,
		FC_STUB_WRITE,	FC_STUB_CALLER, FC_STUB_SLICE, FC_STUB_COME,
		FC_STUB_LIMIT,	FC_STUB_LOCK
	};
	struct fca_patch patch = site(0x1000, 5, 5, FC_PATCH_JUMP);

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		patch.kind = needed[i];
		assert_false(fc_patch_may_go(&patch, false));
		assert_false(fc_patch_may_go(&patch, true));
	}
	patch.kind = FC_STUB_CALL;
	assert_true(fc_patch_may_go(&patch, false));
	static const enum fc_stub_kind counted[] = { FC_STUB_COUNT, FC_STUB_EDGE };
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		patch.kind = counted[i];
		patch.undo = FCA_UNDO_FIRST;
		assert_true(fc_patch_may_go(&patch, false));
		patch.undo = FCA_UNDO_LATE;
		assert_false(fc_patch_may_go(&patch, false));
	}
	/* A hooked function may jump to it, and it looks at its return address. */
	patch.kind = FC_STUB_ENTRY_ONLY;
	assert_false(fc_patch_may_go(&patch, false));
	assert_true(fc_patch_may_go(&patch, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_goes_by_itself),
		cmocka_unit_test(a_hop_in_padding_stays),
		cmocka_unit_test(who_lends_stays_as_long_as_who_borrows),
		cmocka_unit_test(what_a_pun_leads_over_stays_with_it),
		cmocka_unit_test(what_the_agent_must_know_of_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
