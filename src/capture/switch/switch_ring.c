/* SPDX-License-Identifier: Apache-2.0 */
/* switch_ring.c - one thread's event and its ring: opened, read, given back. */
#include "capture/switch/switch_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/fail.h"

/* For records of 24 bytes, which are read some 10 ms apart: how many pages, up to so many threads. */
static const struct {
	size_t pages, nr;
} sizes[] = { { 64, 16 }, { 8, 128 }, { 2, SIZE_MAX } };
enum { NR_SIZES = sizeof(sizes) / sizeof(sizes[0]) };

/* As attr.sample_id_all has the kernel write it behind each record. */
struct sample_id {
	uint32_t pid, tid;
	uint64_t ns;
};

struct record {
	struct perf_event_header header;
	union {
		struct sample_id of; /* PERF_RECORD_SWITCH */
		struct {
			uint64_t id, nr;
			struct sample_id of;
		} lost; /* PERF_RECORD_LOST */
		struct {
			uint32_t pid, ppid, tid, ptid;
			uint64_t ns;
			struct sample_id of;
		} life; /* PERF_RECORD_EXIT, PERF_RECORD_FORK */
	};
};

static int say_refused(int err)
{
	if (err == EACCES || err == EPERM)
		return fc_fail(
			err,
			"perf_event_open is not permitted (kernel.perf_event_paranoid above "
			"2, or a container that forbids it): ask for "
			"kernel.perf_event_paranoid=2, or run fctrace as root");
	return fc_fail(err, "perf_event_open: %s", strerror(err));
}

static int say_unmapped(int err)
{
	if (err == EPERM)
		return fc_fail(err, "there are too many threads for the memory that "
				    "kernel.perf_event_mlock_kb and ulimit -l permit");
	return fc_fail(err, "cannot map what perf_event_open gave: %s", strerror(err));
}

static int map_ring(int fd, size_t data_size, struct fc_switch_ring *ret)
{
	void *map = mmap(NULL, fc_arch_here->page_size + data_size, PROT_READ | PROT_WRITE,
			 MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return errno;
	*ret = (struct fc_switch_ring){ map, data_size };
	return 0;
}

int fc_switch_ring_open(int tid, size_t nr, struct fc_switch_ring *ret)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_DUMMY,
					.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
					.sample_id_all = 1,
					.exclude_kernel = 1,
					.context_switch = 1,
					.task = 1,
					.use_clockid = 1,
					.clockid = CLOCK_MONOTONIC_RAW };
	int fd = (int)syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return say_refused(errno);
	int err = EPERM;
	for (size_t i = 0; i < NR_SIZES && err == EPERM; i++)
		if (nr < sizes[i].nr)
			err = map_ring(fd, sizes[i].pages * fc_arch_here->page_size, ret);
	close(fd); /* the mapping holds the event */
	return err ? say_unmapped(err) : 0;
}

void fc_switch_ring_close(struct fc_switch_ring *ring)
{
	if (ring->map)
		munmap(ring->map, fc_arch_here->page_size + ring->data_size);
	*ring = (struct fc_switch_ring){ 0 };
}

/* size bytes at a place of the ring, whose end goes on at its begin. */
static void copy(const struct fc_switch_ring *ring, uint64_t at, void *ret, size_t size)
{
	const char *data = (const char *)ring->map + fc_arch_here->page_size;
	size_t first = ring->data_size - at % ring->data_size;
	if (first > size)
		first = size;
	memcpy(ret, data + at % ring->data_size, first);
	memcpy((char *)ret + first, data, size - first);
}

static bool is_switch(const struct record *record, struct fc_switch *ret)
{
	uint16_t misc = record->header.misc;
	switch (record->header.type) {
	case PERF_RECORD_SWITCH:
		ret->kind = !(misc & PERF_RECORD_MISC_SWITCH_OUT)	 ? FC_SWITCH_IN
			    : misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? FC_SWITCH_PREEMPTED
									 : FC_SWITCH_OUT;
		ret->tid = (int)record->of.tid;
		ret->ns = record->of.ns;
		return true;
	case PERF_RECORD_LOST:
		ret->kind = FC_SWITCH_LOST;
		ret->nr = record->lost.nr;
		ret->tid = (int)record->lost.of.tid;
		ret->ns = record->lost.of.ns;
		return true;
	case PERF_RECORD_EXIT:
		ret->kind = FC_SWITCH_GONE;
		ret->tid = (int)record->life.tid;
		ret->ns = record->life.ns;
		return true;
	default:
		return false;
	}
}

bool fc_switch_ring_is_empty(const struct fc_switch_ring *ring)
{
	const volatile struct perf_event_mmap_page *page = ring->map;
	return page->data_head == page->data_tail;
}

bool fc_switch_ring_next(struct fc_switch_ring *ring, struct fc_switch *ret)
{
	volatile struct perf_event_mmap_page *page = ring->map;
	if (!page)
		return false;
	uint64_t head = page->data_head, at = page->data_tail;
	atomic_thread_fence(
		memory_order_acquire); /* as the kernel's documentation of data_head */
	bool is_any = false;
	while (!is_any && at < head) {
		struct record record = { 0 };
		copy(ring, at, &record.header, sizeof(record.header));
		size_t size = record.header.size;
		if (size < sizeof(record.header))
			break;
		copy(ring, at, &record, size < sizeof(record) ? size : sizeof(record));
		at += size;
		*ret = (struct fc_switch){ 0 };
		is_any = is_switch(&record, ret);
	}
	atomic_thread_fence(memory_order_release);
	page->data_tail = at;
	return is_any;
}
