/* SPDX-License-Identifier: Apache-2.0 */
/*
 * area.c - reads the memory that the fetches of a call ask for.
 *
 * What is behind a pointer is never read by a load that may fault: nobody may be there any more
 * who would catch that. This stack, from the call's own slot up to where it is proven to be (load.c),
 * cannot vanish; all else is copied by the kernel, which tells what cannot be read. In quiet that may
 * not be asked, and nothing is read there.
 */
#include "capture/agent/values/area.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/kernel_copy.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/pages.h"
#include "capture/agent/values/bytes.h"

/* got bytes were read, of which nr are in front of the end. */
static void note_end(struct fetching *f, const struct area *area, uint32_t got, uint32_t nr)
{
	uint64_t *head = &f->word[area->head];
	bool has_end = fca_ends_with(&f->fetches->fetch[area->fetch]);
	if (has_end && nr == area->size && (!area->is_limited || area->more))
		*head |= FCA_GOT_MORE;
	if (area->size && (has_end ? nr == got && got < area->size : got < area->size))
		*head |= got ? FCA_GOT_MORE : FCA_GOT_NONE;
	*head |= nr;
}

void area_note_got(struct fetching *f, const struct area *area, uint32_t got)
{
	uint32_t unit = fca_ends_with(&f->fetches->fetch[area->fetch]);
	note_end(f, area, got, unit ? find_end(area_bytes(f, area), got, unit) : got);
}

/* Where a descriptor leads, as "/proc/thread-self/fd/3" tells it: threads may have their own ones. */
static void read_descriptor(struct fetching *f, const struct area *area)
{
	static const char folder[] = "/proc/thread-self/fd/";
	char path[sizeof(folder) + 10], *at = path + sizeof(path) - 1;
	uint32_t number = (uint32_t)area->at;
	*at = 0;
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	at -= sizeof(folder) - 1;
	for (uint32_t i = 0; i < sizeof(folder) - 1; i++)
		at[i] = folder[i];
	long got = syscall3(NR_readlink, at, area_bytes(f, area), area->size);
	bool is_cut = got == area->size;
	f->word[area->head] |= got <= 0 ? FCA_GOT_NONE : is_cut ? FCA_GOT_MORE : 0;
	f->word[area->head] |= got <= 0 ? 0 : (uint64_t)got - is_cut;
}

/* From this stack, where that is proven to be there. False: it is, or goes on, elsewhere. */
bool area_read_own_stack(struct fetching *f, const struct area *area)
{
	bool is_string = fca_ends_with(&f->fetches->fetch[area->fetch]) == 1;
	uint64_t begin = f->slot, room = f->stack_end - area->at;
	if (area->at < begin || area->at >= f->stack_end)
		return false;
	uint32_t size = area->size < room ? area->size : (uint32_t)room;
	uint32_t nr = copy_bytes(area_bytes(f, area), area->at, size, is_string);
	if (size < area->size && (!is_string || nr == size) && !agent_config.is_quiet)
		return false;
	if (is_string)
		note_end(f, area, size, nr);
	else
		area_note_got(f, area, size);
	return true;
}

/* From a loaded file, if that does not change. A string may end before what it was looked for in. */
bool area_read_fixed(struct fetching *f, const struct area *area)
{
	uint32_t page = (uint32_t)(FCA_PAGE - area->at % FCA_PAGE);
	uint32_t size = area->size < page ? area->size : page;
	bool is_string = fca_ends_with(&f->fetches->fetch[area->fetch]) == 1;
	const uint8_t *from = pages_find(f->pid, area->at);
	if (!from)
		return false;
	uint32_t nr = copy_bytes(area_bytes(f, area), (uint64_t)from, size, is_string);
	if (!pages_has(area->at) || (size < area->size && (!is_string || nr == size)))
		return false;
	if (is_string)
		note_end(f, area, size, nr);
	else
		area_note_got(f, area, size);
	return true;
}

static long copy(int pid, const struct piece *to, const struct piece *from, uint32_t nr)
{
	return kernel_copy(NR_process_vm_readv, pid, to, from, nr);
}

/* One area by itself: what of it is there. A string is read page by page. */
void area_read_alone(struct fetching *f, const struct area *area)
{
	uint32_t got = 0;
	while (got < area->size) {
		uint64_t at = area->at + got, page = FCA_PAGE - at % FCA_PAGE;
		uint64_t size = area->size - got < page ? area->size - got : page;
		struct piece to = { (uint64_t)area_bytes(f, area) + got, size },
			     from = { at, size };
		if (copy(f->pid, &to, &from, 1) != (long)size)
			break;
		got += (uint32_t)size;
	}
	area_note_got(f, area, got);
}

/* The areas that are known by now: what is not on this stack by one copy of the kernel's, if all of
 * it is there. */
void areas_read(struct fetching *f)
{
	struct piece to[FCA_MAX_MEMORY], from[FCA_MAX_MEMORY];
	uint8_t which[FCA_MAX_MEMORY];
	uint64_t all = 0;
	uint32_t nr = 0;
	for (uint32_t i = f->nr_read; i < f->nr_areas; i++) {
		const struct area *area = &f->area[i];
		if (!area->size)
			continue;
		if (f->fetches->fetch[area->fetch].how == FCA_FETCH_DESCRIPTOR) {
			read_descriptor(f, area);
			continue;
		}
		if (area_read_own_stack(f, area) || area_read_fixed(f, area))
			continue;
		if (agent_config.is_quiet || area->at < FCA_PAGE) {
			area_note_got(f, area, 0);
			continue;
		}
		to[nr] = (struct piece){ (uint64_t)area_bytes(f, area), area->size };
		from[nr] = (struct piece){ area->at, area->size };
		all += area->size;
		which[nr++] = (uint8_t)i;
	}
	bool is_all = nr && copy(f->pid, to, from, nr) == (long)all;
	for (uint32_t i = 0; i < nr; i++) {
		const struct area *area = &f->area[which[i]];
		if (is_all)
			area_note_got(f, area, area->size);
		else
			area_read_alone(f, area);
	}
	f->nr_read = f->nr_areas;
}
