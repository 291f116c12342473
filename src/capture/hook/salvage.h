/* SPDX-License-Identifier: Apache-2.0 */
/*
 * salvage.h - what a flight recorder holds, read from a process that it is in, with a
 * controller or without: nothing is stopped, nothing is changed.
 *
 *   /proc/PID/maps --> arena --> agent, pools --> ledgers --> ids of functions --> their files
 *                        '-----> rings --recall--> records
 */
#ifndef FC_CAPTURE_HOOK_SALVAGE_H
#define FC_CAPTURE_HOOK_SALVAGE_H

#include "trace/source.h"

struct fc_salvage;

/*
 * -ESRCH, -EPERM, -ENOENT (there is nothing of fctrace in it), -EINVAL (its records are not
 * kept: no --loss=ring)… with a sentence.
 */
int fc_salvage_open(int pid, struct fc_salvage **ret);
void fc_salvage_close(struct fc_salvage *salvage);

/* When the first record was written that is there; 0: there is none. */
uint64_t fc_salvage_first_tsc(const struct fc_salvage *salvage);

/* Tell the tap of modules, maps and lives, then let it dump the records, because of `why`. */
int fc_salvage_dump(struct fc_salvage *salvage, const char *why, struct fc_tap *tap);

#endif
