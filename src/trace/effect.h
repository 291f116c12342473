/* SPDX-License-Identifier: Apache-2.0 */
/*
 * effect.h - what a record does to the calls that are open in its strand: the one place that
 * says so, for who writes, reads or makes records.
 *
 *     open before    main serve parse scan        POP, 2 stay open
 *     stay           main serve                   parse and scan were left by FC_LEFT_POP
 *     entered                                     none
 *
 * What is common in a loop that must be fast (an entry, a return) may be done there by hand; all
 * else goes through here.
 */
#ifndef FC_TRACE_EFFECT_H
#define FC_TRACE_EFFECT_H

#include "trace/event.h"

/* How a call ended. */
enum fc_left {
	FC_LEFT_RETURN = 0,
	FC_LEFT_TAIL, /* by a tail jump to the call that follows at the same depth */
	FC_LEFT_POP,  /* by longjmp, exception, cancellation; end_tsc is when it was noticed */
	FC_LEFT_LOST, /* its end is among lost records */
	FC_LEFT_END,  /* still open when its strand or the trace ended */
	FC_LEFT_UNSEEN, /* entry only: the end is not observed */
};

/* What the record's function enters. */
enum fc_entered {
	FC_ENTERED_NONE = 0,
	FC_ENTERED_CALL,
	FC_ENTERED_TAIL,   /* a call in place of the innermost, which left by FC_LEFT_TAIL: the
			      chain that they are in returns by its first function */
	FC_ENTERED_UNSEEN, /* a call that is over at once for all that is seen */
};

struct fc_effect {
	uint64_t stay;	  /* so many of the open calls, the outermost, stay open… */
	uint64_t unknown; /* …and so many were entered in a gap: they are open, and no more is
			     known of them */
	uint8_t left;	  /* how those that do not stay were left: enum fc_left */
	uint8_t entered;  /* enum fc_entered */
};

/* No more unknown calls are believed: a damaged word must not eat all memory. */
#define FC_UNKNOWN_MAX (1u << 20)

/* The effect of a mark when depth calls are open. An unknown mark has none. */
struct fc_effect fc_effect_of_mark(const struct fc_event *mark, uint64_t depth);

/* How a record of this kind, which is no mark, leaves calls. */
static inline enum fc_left fc_left_by(uint8_t kind)
{
	return kind == FC_TAIL ? FC_LEFT_TAIL : kind == FC_POP ? FC_LEFT_POP : FC_LEFT_RETURN;
}

/* The effect of any record. If it is no mark, only kind and func matter. */
static inline struct fc_effect fc_effect_of(const struct fc_event *event, uint64_t depth)
{
	struct fc_effect effect = { .stay = depth, .left = (uint8_t)fc_left_by(event->kind) };

	switch (event->kind) {
	case FC_ENTRY:
		effect.entered = FC_ENTERED_CALL;
		break;
	case FC_EXIT: /* of no open call: it was entered before anything was recorded */
		effect.stay = depth - (depth > 0);
		break;
	case FC_TAIL:
		effect.stay = depth - (depth > 0);
		effect.entered = depth ? FC_ENTERED_TAIL : FC_ENTERED_CALL;
		break;
	case FC_ENTRY_ONLY:
		effect.entered = FC_ENTERED_UNSEEN;
		break;
	case FC_POP:
		effect.stay = event->func < depth ? event->func : depth;
		break;
	case FC_MARK:
		return fc_effect_of_mark(event, depth);
	default:
		break;
	}
	return effect;
}

/* The open calls behind it of which something is known. */
static inline uint64_t fc_effect_known(const struct fc_effect *effect)
{
	return effect->stay +
	       (effect->entered == FC_ENTERED_CALL || effect->entered == FC_ENTERED_TAIL);
}

/* The open calls behind it. */
static inline uint64_t fc_effect_depth(const struct fc_effect *effect)
{
	return fc_effect_known(effect) + effect->unknown;
}

/* Since when a call is open whose record was announced by a mark. */
enum fc_since {
	FC_SINCE_ITSELF = 0, /* it is entered here */
	FC_SINCE_FORK,	     /* open since before the fork */
	FC_SINCE_KEPT,	     /* open since before what was kept: its begin is not known */
	FC_SINCE_READ,	     /* open since before reading began */
};

/* Records that are still to come of calls that a mark announced. Zeroed: none. */
struct fc_announced {
	uint64_t nr; /* UINT64_MAX: entries as long as they follow */
	uint8_t since;
};

/* The same as fc_announced_next(), for marks and where records are announced. */
enum fc_since fc_announced_other(struct fc_announced *announced, const struct fc_event *event);

/* This is the strand's next record. If it enters a call: since when is that open? */
static inline enum fc_since fc_announced_next(struct fc_announced *announced,
					      const struct fc_event *event)
{
	if (event->kind != FC_MARK && !announced->nr)
		return FC_SINCE_ITSELF;
	return fc_announced_other(announced, event);
}

#endif
