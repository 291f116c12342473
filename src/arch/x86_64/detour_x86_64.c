/* SPDX-License-Identifier: Apache-2.0 */
/*
 * detour_x86_64.c - emits detours, for processes whose %gs is the program's own.
 *
 * What a stub reads by %gs elsewhere, the detour finds by %fs, in the agent's table of threads.
 *
 *   stub:   jmp detour       was: mov %gs:self,%rdx
 *   back:   ...              rdx is the strand
 *   detour: ...              not in the table: the agent is asked, or there are no counters
 *           jmp back
 *
 * As in a stub: all registers are live, arithmetic flags and memory below rsp may be used.
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

#include "arch/x86_64/stub_bytes_x86_64.h"
#include "base/little.h"
#include "capture/agent/abi.h"
#include "capture/agent/stub_x86_64.h"

enum {
	READ_SIZE = CALL_LOADED - CALL_RETRY, /* of an instruction that reads %gs */
	LAST = DETOUR_SIZE - JUMP_SIZE,	      /* jmp back once more, where the agent finds it */
};

_Static_assert(sizeof(counts_detour_bytes) <= LAST, "a detour has room for both");
_Static_assert(sizeof(no_counts_bytes) == READ_SIZE, "it takes the place of a read");

void make_detour_x86_64(const struct fc_strand_read *read, uint64_t stub, uint64_t at,
			uint64_t table, uint8_t *ret)
{
	uint64_t back = stub + read->off + READ_SIZE;
	memset(ret, OP_INT3, DETOUR_SIZE);
	if (read->is_counts) {
		memcpy(ret, counts_detour_bytes, sizeof(counts_detour_bytes));
		fc_put_64(ret + COUNTS_DETOUR_TABLE, table);
		make_jump_x86_64(at + COUNTS_DETOUR_BACK, back, ret + COUNTS_DETOUR_BACK);
	} else {
		memcpy(ret, strand_detour_bytes, sizeof(strand_detour_bytes));
		fc_put_64(ret + STRAND_DETOUR_TABLE, table);
		fc_put_32(ret + STRAND_DETOUR_AGENT,
			  (uint32_t)(stub + read->agent_off - (at + STRAND_DETOUR_BACK)));
		make_jump_x86_64(at + STRAND_DETOUR_BACK, back, ret + STRAND_DETOUR_BACK);
	}
	make_jump_x86_64(at + LAST, back, ret + LAST);
}

size_t drop_strand_read_x86_64(const struct fc_strand_read *read, uint64_t stub,
			       uint64_t detour, uint8_t *ret)
{
	if (detour) {
		make_jump_x86_64(stub + read->off, detour, ret);
		return JUMP_SIZE;
	}
	if (read->is_counts) {
		memcpy(ret, no_counts_bytes, sizeof(no_counts_bytes));
		return sizeof(no_counts_bytes);
	}
	make_jump_x86_64(read->off, read->agent_off, ret);
	return JUMP_SIZE;
}
