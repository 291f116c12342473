/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/standing.h"

#include <errno.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "capture/target/registers.h"
#include "capture/target/status.h"

int fc_standing_add(struct fc_standing *standing, int tid)
{
	struct fc_regs regs;
	struct fc_status status;
	if (fc_registers_read(tid, &regs))
		return fc_fail(ESRCH, "thread %d is gone", tid);
	/* It is there, and must be known to be, even if no file can be opened. */
	bool is_known = fc_status_read(tid, &status);
	fc_vec_push(&standing->threads, (struct fc_stand){
						.tid = tid,
						.own_tid = is_known ? status.own_tid : -1,
						.ip = fc_regs_get(&regs, FC_REG_IP),
						.sp = fc_regs_get(&regs, FC_REG_SP),
					});
	return 0;
}

void fc_standing_deinit(struct fc_standing *standing)
{
	fc_vec_free(&standing->threads);
}
