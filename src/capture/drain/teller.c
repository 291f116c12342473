/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/teller.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/clock.h"

enum { LOOK_NS = 20 * 1000 * 1000 };

struct fc_teller {
	struct fc_drain *drain;
	struct fc_tap *tap;
	uint64_t *counted; /* by function id */
	uint64_t every_ns, next_tell_ns, next_ns;
};

struct fc_teller *fc_teller_create(struct fc_drain *drain, uint32_t nr_counters,
				   struct fc_tap *tap, uint64_t every_ns)
{
	struct fc_teller *teller = fc_alloc(sizeof(*teller));

	teller->drain = drain;
	teller->tap = tap;
	teller->every_ns = every_ns;
	teller->counted = fc_alloc((size_t)nr_counters * sizeof(*teller->counted));
	return teller;
}

void fc_teller_destroy(struct fc_teller *teller)
{
	if (!teller)
		return;
	free(teller->counted);
	free(teller);
}

uint64_t fc_teller_next_ns(const struct fc_teller *teller)
{
	return teller->next_ns;
}

/* Times are kept in step: what came late does not make all that follow late. */
static uint64_t following(uint64_t last_ns, uint64_t every_ns, uint64_t now)
{
	return now - last_ns < 2 * every_ns ? last_ns + every_ns : now + every_ns;
}

void fc_teller_look(struct fc_teller *teller)
{
	uint64_t now = fc_clock_mono_ns();

	teller->next_ns = now + LOOK_NS;
	if (now < teller->next_tell_ns)
		return;
	teller->next_tell_ns = following(teller->next_tell_ns, teller->every_ns, now);
	uint32_t nr = fc_drain_counts(teller->drain, teller->counted);
	teller->tap->counts(teller->tap, fc_clock_tsc(), teller->counted, nr);
}
