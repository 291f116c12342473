/* SPDX-License-Identifier: Apache-2.0 */
/* An arena becomes two while threads are held anywhere in the agent. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/drain/drain.h"

static int hear_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	return 0;
}

static int hear_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand,
			   uint64_t tsc)
{
	return 0;
}

static int hear_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	return 0;
}

static bool is_own(void *ctx, int pid)
{
	return true;
}

static int make_memory(void)
{
	int fd = memfd_create("fctrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_true(fd >= 0);
	return fd;
}

/*
 * A thread takes a ring, makes its memory accessible, and only then tells how many there are. Held
 * in between it goes on in the new arena: that is to have as many, accessible, and this one taken.
 */
static void a_ring_that_is_being_claimed_comes_along(void **state)
{
	enum { FIRST = 1, LAST = 5 };
	struct fc_tap tap = { .records = hear_records,
			      .strand_end = hear_strand_end,
			      .tick = hear_tick };
	struct fc_numbers numbers = { 0 };
	struct fc_drain *drain;
	struct fc_arena *old, *new;
	uint64_t lost_by[FCA_NR_LOST] = { 0 };
	uint32_t nr_rings = 0;
	int fd = make_memory(), other = make_memory();
	assert_int_equal(fc_drain_start(&tap, &numbers, 64 * 1024, 0, NULL, &drain), 0);
	assert_int_equal(fc_drain_add(drain, fd, false, 0, &old), 0);
	old->at->rings[FIRST].state = old->at->rings[LAST].state = FCA_RING_CLAIMED;
	old->at->nr_rings = FIRST + 1;
	assert_int_equal(fc_drain_split(drain, old, other, is_own, NULL, &new, &nr_rings), 0);
	fc_drain_end_split(drain, old, new, is_own, NULL, true);
	assert_int_equal(nr_rings, LAST + 1);
	assert_int_equal(new->at->rings[FIRST].state, FCA_RING_CLAIMED);
	assert_int_equal(new->at->rings[LAST].state, FCA_RING_CLAIMED);
	fc_drain_release(drain, old);
	fc_drain_release(drain, new);
	assert_int_equal(fc_drain_stop(drain, lost_by), 0);
	close(fd);
	close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ring_that_is_being_claimed_comes_along),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
