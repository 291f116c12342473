/* SPDX-License-Identifier: Apache-2.0 */
/* reasons.h - how many functions are hooked how, or not, and why: of info and list --summary. */
#ifndef FC_CMD_RUN_REASONS_H
#define FC_CMD_RUN_REASONS_H

#include <stddef.h>

#include "base/vec.h"
#include "cmd/out/json.h"

struct fc_reason {
	int how;	 /* enum fc_how */
	const char *why; /* a tactic, or what is against one; not owned */
	size_t nr;	 /* functions */
};

struct fc_reasons {
	FC_VEC(struct fc_reason) list;
};

void fc_reasons_add(struct fc_reasons *reasons, int how, const char *why, size_t nr);
/* An array "reasons" of objects. */
void fc_reasons_json(const struct fc_reasons *reasons, struct fc_json *json);
void fc_reasons_deinit(struct fc_reasons *reasons);

#endif
