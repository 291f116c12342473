/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/restartable.h"

#include <linux/rseq.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ptrace.h>

#include "capture/target/target_bytes.h"

/* <linux/ptrace.h>, since Linux 5.13; it does not go together with <sys/ptrace.h>. */
#define GET_CONFIG 0x420f

/* struct ptrace_rseq_configuration */
struct config {
	uint64_t area;
	uint32_t size, signature, flags, pad;
};

static bool is_read(int tid, uint64_t taddr, void *ret, size_t size)
{
	return fc_target_bytes(tid, taddr, ret, size) == size;
}

uint64_t fc_restartable_abort(int tid, uint64_t ip)
{
	struct config config = { 0 };
	struct rseq_cs sequence;
	uint64_t taddr;
	if (ptrace(GET_CONFIG, tid, sizeof(config), &config) <= 0 || !config.area ||
	    !is_read(tid, config.area + offsetof(struct rseq, rseq_cs), &taddr,
		     sizeof(taddr)) ||
	    !taddr || !is_read(tid, taddr, &sequence, sizeof(sequence)))
		return ip;
	bool is_in = ip - sequence.start_ip < sequence.post_commit_offset;
	return is_in ? sequence.abort_ip : ip;
}
