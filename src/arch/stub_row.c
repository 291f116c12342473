/* SPDX-License-Identifier: Apache-2.0 */
/* stub_row.c - the table of kinds of stubs. */
#include "arch/stub_row.h"

#define ENTRY	.shape = FC_SHAPE_ENTRY
#define UNWINDS ENTRY, .door = FCA_POOL_UNWIND
#define WATCHED ENTRY, .door = FCA_POOL_FILTER, .undo = FCA_UNDO_LATE

static const struct fc_stub_row rows[FC_STUB_NR_KINDS] = {
	[FC_STUB_CALL] = { .shape = FC_SHAPE_CALL,
			   .records = true,
			   .has_switch = true,
			   .is_counted = true },
	[FC_STUB_ENTRY_ONLY] = { ENTRY, .door = FCA_POOL_ENTRY_ONLY, .undo = FCA_UNDO_LATE,
				 .records = true, .has_switch = true, .is_counted = true },
	[FC_STUB_GO] = { ENTRY, .door = FCA_POOL_GO, .records = true, .has_switch = true,
			 .is_counted = true },
	[FC_STUB_PROBE] = { .shape = FC_SHAPE_PROBE,
			    .door = FCA_POOL_ENTRY_ONLY,
			    .records = true,
			    .has_switch = true },

	[FC_STUB_UNWIND] = { UNWINDS, .tells = FCA_UNWIND_WALKS, .undo = FCA_UNDO_LAST,
			     .is_unwinder = true, .meets_stubs = true },
	[FC_STUB_RAISE] = { UNWINDS, .tells = FCA_UNWIND_RAISES, .undo = FCA_UNDO_LAST,
			    .is_unwinder = true, .meets_stubs = true },
	[FC_STUB_FORCE] = { UNWINDS, .tells = FCA_UNWIND_FORCES, .undo = FCA_UNDO_LAST,
			    .is_unwinder = true, .meets_stubs = true },
	[FC_STUB_SLICE] = { UNWINDS, .tells = FCA_UNWIND_SLICES, .undo = FCA_UNDO_LAST,
			    .meets_stubs = true },
	[FC_STUB_COME] = { UNWINDS, .tells = FCA_UNWIND_COMES, .undo = FCA_UNDO_LAST,
			   .meets_stubs = true },
	[FC_STUB_JUMP] = { UNWINDS, .tells = FCA_UNWIND_JUMPS, .is_counted = true },
	[FC_STUB_JUMP_LATER] = { UNWINDS, .tells = FCA_UNWIND_JUMPS_LATER, .is_counted = true },

	[FC_STUB_DL] = { ENTRY, .door = FCA_POOL_DL },
	[FC_STUB_FILTER] = { WATCHED, .tells = FCA_WATCH_FILTER },
	[FC_STUB_TRACE] = { WATCHED, .tells = FCA_WATCH_TRACE },
	[FC_STUB_LEND] = { WATCHED, .tells = FCA_WATCH_LEND },
	[FC_STUB_RIGHTS] = { WATCHED, .tells = FCA_WATCH_RIGHTS },
	[FC_STUB_WRITE] = { WATCHED, .tells = FCA_WATCH_WRITE },
	[FC_STUB_LIMIT] = { WATCHED, .tells = FCA_WATCH_LIMIT },
	[FC_STUB_LOCK] = { WATCHED, .tells = FCA_WATCH_LOCK },
	[FC_STUB_CALLER] = { WATCHED, .tells = FCA_WATCH_CALLER },

	[FC_STUB_COUNT] = { .shape = FC_SHAPE_COUNT },
	[FC_STUB_EDGE] = { .shape = FC_SHAPE_EDGE },
};

const struct fc_stub_row *fc_stub_row(enum fc_stub_kind kind)
{
	static const struct fc_stub_row none = { ENTRY };
	return kind < FC_STUB_NR_KINDS ? &rows[kind] : &none;
}
