/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/dispatch.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>

#include "capture/target/status.h"

/* <linux/ptrace.h>, since Linux 6.4; it does not go together with <sys/ptrace.h>. */
#define SET_CONFIG 0x4210
#define GET_CONFIG 0x4211

bool fc_dispatch_read(int tid, struct fc_dispatch *ret)
{
	*ret = (struct fc_dispatch){ 0 };
	return !ptrace(GET_CONFIG, tid, sizeof(*ret), ret);
}

bool fc_dispatch_is_on(int tid)
{
	struct fc_dispatch dispatch;
	return fc_dispatch_read(tid, &dispatch) && dispatch.mode;
}

bool fc_dispatch_is_coming(int tid)
{
	struct fc_status status;
	return fc_dispatch_is_on(tid) && fc_status_read(tid, &status) &&
	       status.pending >> (SIGSYS - 1) & 1;
}

int fc_dispatch_write(int tid, const struct fc_dispatch *dispatch)
{
	return ptrace(SET_CONFIG, tid, sizeof(*dispatch), dispatch) ? -errno : 0;
}
