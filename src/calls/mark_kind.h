/* SPDX-License-Identifier: Apache-2.0 */
/* mark_kind.h - what a mark of include/fctrace.h is, by the name of its probe. */
#ifndef FC_CALLS_MARK_KIND_H
#define FC_CALLS_MARK_KIND_H

enum fc_mark_kind {
	FC_MARK_IS_NONE = 0, /* no mark, or one without a further meaning */
	FC_MARK_IS_BEGIN,    /* of a span */
	FC_MARK_IS_END,
	FC_MARK_IS_COUNTER,
};

/* *name: what its author called it. */
enum fc_mark_kind fc_mark_kind_of(const char *probe, const char **name);

#endif
