/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blackbox.h - the tap of --loss=ring: keeps what a trace holds besides records, and writes a
 * whole trace each time that a dump is asked for: FILE, FILE.2, FILE.3...
 *
 *	modules, maps, lives --> kept --.
 *	rings --pour()------------------+--> [sieve] --> writer --> FILE.n
 */
#ifndef FC_CMD_RUN_BLACKBOX_H
#define FC_CMD_RUN_BLACKBOX_H

#include "cmd/options/options.h"
#include "trace/writer.h"

struct fc_blackbox;

/* settings and session must outlive it. -errno with a sentence: path cannot be written. */
int fc_blackbox_create(const struct fc_settings *settings, const struct fc_session *session,
		       const char *path, struct fc_blackbox **ret);
void fc_blackbox_destroy(struct fc_blackbox *box);

struct fc_tap *fc_blackbox_tap(struct fc_blackbox *box);

/* Could each dump be written? What could not was said. */
bool fc_blackbox_has_failed(const struct fc_blackbox *box);

#endif
