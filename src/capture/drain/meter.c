/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/meter.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/record.h"

static bool is_call(uint64_t word)
{
	switch (fc_record_kind(word)) {
	case FC_ENTRY:
	case FC_TAIL:
	case FC_ENTRY_ONLY:
		return true;
	default:
		return false;
	}
}

static int count_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			 const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct fc_meter *meter = (struct fc_meter *)tap;
	struct fc_tap *next = meter->pass.next;
	for (size_t i = 0; i < nr_words; i += 1 + fc_record_words(words[i])) {
		uint32_t func = fc_record_func(words[i]);
		if (is_call(words[i]) && func < meter->nr)
			__atomic_store_n(&meter->calls[func], meter->calls[func] + 1,
					 __ATOMIC_RELAXED);
	}
	return next->records(next, strand, words, nr_words, now_tsc);
}

void fc_meter_init(struct fc_meter *meter, uint32_t nr, struct fc_tap *next)
{
	fc_pass_init(&meter->pass, next);
	meter->pass.tap.records = count_records;
	meter->calls = fc_alloc((size_t)nr * sizeof(uint64_t));
	meter->nr = nr;
}

void fc_meter_deinit(struct fc_meter *meter)
{
	free(meter->calls);
	meter->calls = NULL;
}
