/* SPDX-License-Identifier: Apache-2.0 */
/* A ledger is read from a program's memory, where anything may stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/hook/ledger.h"

enum { POOL = 0x10000, AT = 0x200 };

/* Is a pool's ledger of this one entry taken for true? */
static bool is_taken(struct fca_patch entry, struct fca_patch *ret)
{
	int fd = memfd_create("memory", MFD_CLOEXEC);
	uint32_t head[2] = { AT, 1 };
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, head, sizeof(head), POOL + FCA_POOL_LEDGER * 8),
			 sizeof(head));
	assert_int_equal(pwrite(fd, &entry, sizeof(entry), POOL + AT), sizeof(entry));
	struct fc_ledger ledger;
	bool is_read = fc_ledger_read(fd, POOL, &ledger);
	assert_int_equal(ledger.is_damaged, !is_read);
	if (is_read)
		*ret = ledger.patches[0];
	fc_ledger_deinit(&ledger);
	close(fd);
	return is_read;
}

static struct fca_patch site(void)
{
	return (struct fca_patch){
		.taddr = 0x400000, .stub = 0x100, .size = 5, .window = 7, .undo = FCA_UNDO_LATE
	};
}

static void each_kind_of_stub_is_read_as_it_was_written(void **state)
{
	for (int kind = 0; kind < FC_STUB_NR_KINDS; kind++)
		for (int order = 0; order < FC_PATCH_NR_ORDERS; order++) {
			struct fca_patch entry = site(), found;
			entry.kind = (uint16_t)kind;
			entry.order = (uint32_t)order;
			assert_true(is_taken(entry, &found));
			assert_int_equal(found.kind, kind);
			assert_int_equal(found.order, order);
			assert_int_equal(found.undo, FCA_UNDO_LATE);
			assert_int_equal(found.size, 5);
			assert_int_equal(found.window, 7);
			assert_int_equal(found.stub, 0x100);
		}
}

static void a_kind_that_is_none_is_damage(void **state)
{
	struct fca_patch entry = site(), found;
	for (entry.kind = FC_STUB_NR_KINDS; entry.kind; entry.kind++)
		assert_false(is_taken(entry, &found));
}

static void a_stub_behind_the_pools_code_is_damage(void **state)
{
	struct fca_patch entry = site(), found;
	entry.stub = AT;
	assert_false(is_taken(entry, &found));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_stub_is_read_as_it_was_written),
		cmocka_unit_test(a_kind_that_is_none_is_damage),
		cmocka_unit_test(a_stub_behind_the_pools_code_is_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
