/* SPDX-License-Identifier: Apache-2.0 */
/* A call writes its return address to memory, where it stays: the slot is that word's address. */
#include "capture/agent/base/kernel_copy.h"
#include "capture/agent/base/site.h"
#include "capture/agent/strand/load.h"
#include "capture/agent/strand/slot.h"

bool slot_get(const struct strand *s, uint64_t from, uint64_t slot, uint64_t *ret)
{
	return load_word(s, from, slot, ret);
}

uint64_t slot_get_surely(uint64_t slot)
{
	return *(const volatile uint64_t *)slot;
}

bool slot_peek(uint64_t slot, uint64_t *ret)
{
	return peek_word(slot, ret);
}

void slot_set(const struct strand *s, uint64_t from, uint64_t slot, uint64_t address)
{
	store_word(s, from, slot, address);
}

bool slot_is_armed(const struct strand *s, uint64_t from, uint64_t slot, uint64_t *site)
{
	return load_word(s, from, slot, site) && agent_is_site(*site);
}
