/* SPDX-License-Identifier: Apache-2.0 */
/* rule.h - functions that are special by their name: skipped, entry only, or the agent's own. */
#ifndef FC_CAPTURE_PATCH_KNOWN_RULE_H
#define FC_CAPTURE_PATCH_KNOWN_RULE_H

#include "trace/source.h"

enum fc_rule_kind {
	FC_RULE_SKIP,
	FC_RULE_ENTRY_ONLY,
	FC_RULE_CONTEXT, /* the same, hooked in any case: it keeps its return address */
	FC_RULE_LANDED,	 /* an ordinary function, hooked in any case: an unwinder has landed */
	FC_RULE_UNWIND,
	FC_RULE_RAISE,
	FC_RULE_FORCE,
	FC_RULE_JUMP,
	FC_RULE_SLICE, /* copies its callers' frames away */
	FC_RULE_COME,  /* and that calls this one on the stack that it has gone over to */
	FC_RULE_DL,
	FC_RULE_FILTER,
	FC_RULE_TRACE,
	FC_RULE_LEND, /* a sanitizer's, which has its own threads traced */
	FC_RULE_RIGHTS,
	FC_RULE_WRITE,
	FC_RULE_LIMIT, /* may limit how much memory is mapped */
	FC_RULE_LOCK,
	FC_RULE_CALLER, /* it is told where its caller returns to */
};

struct fc_rule {
	const char *glob;
	enum fc_rule_kind kind;
	const char *why;
};

/* NULL: an ordinary function. */
const struct fc_rule *fc_rule_find(const char *name);

#endif
