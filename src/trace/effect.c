/* SPDX-License-Identifier: Apache-2.0 */
/* effect.c - the effect of each kind of record on the open calls. */
#include "trace/effect.h"

#include "trace/mark.h"

/* So many calls are open behind a gap. */
static void reach(struct fc_effect *effect, uint64_t depth)
{
	uint64_t most = depth < FC_UNKNOWN_MAX ? depth : FC_UNKNOWN_MAX;

	if (depth < effect->stay)
		effect->stay = depth;
	else if (most > effect->stay)
		effect->unknown = most - effect->stay;
}

struct fc_effect fc_effect_of_mark(const struct fc_event *mark, uint64_t depth)
{
	struct fc_effect effect = { .stay = depth, .left = FC_LEFT_LOST };

	switch (mark->mark) {
	case FC_MARK_LOST: /* without a second word nothing is known of the open calls */
		if (fc_event_word(mark, 1))
			reach(&effect, fc_event_word(mark, 1) - 1);
		break;
	case FC_MARK_RESUME:
		effect.stay = 0;
		break;
	case FC_MARK_BEGIN:
		if (fc_event_word(mark, 0) > depth)
			reach(&effect, fc_event_word(mark, 0));
		break;
	case FC_MARK_END:
		effect.stay = 0;
		effect.left = FC_LEFT_END;
		break;
	default:
		break;
	}
	return effect;
}

static struct fc_announced announce(const struct fc_event *mark)
{
	uint64_t count = fc_event_word(mark, 1);

	switch (mark->mark) {
	case FC_MARK_FORK:
		return (struct fc_announced){ count ? count - 1 : UINT64_MAX, FC_SINCE_FORK };
	case FC_MARK_RESUME:
		return (struct fc_announced){ count ? count - 1 : UINT64_MAX, FC_SINCE_KEPT };
	case FC_MARK_BEGIN:
		return (struct fc_announced){ count, FC_SINCE_READ };
	default:
		return (struct fc_announced){ 0 };
	}
}

enum fc_since fc_announced_other(struct fc_announced *announced, const struct fc_event *event)
{
	/* A forked child may have to wait while it tells what it inherited. */
	if (event->kind == FC_MARK && fc_mark_is_aside(event->mark))
		return FC_SINCE_ITSELF;
	if (event->kind == FC_MARK) {
		*announced = announce(event);
		return FC_SINCE_ITSELF;
	}
	/* Only who reads on from midway tells chains of tail calls anew. */
	bool is_one = event->kind == FC_ENTRY ||
		      (event->kind == FC_TAIL && announced->since == FC_SINCE_READ);
	if (!is_one) {
		announced->nr = 0;
		return FC_SINCE_ITSELF;
	}
	announced->nr--;
	return (enum fc_since)announced->since;
}
