/* SPDX-License-Identifier: Apache-2.0 */
/* Vector registers that the kernel has saved for a handler are known; what is beside them is not taken for such. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include <cmocka.h>

#include "arch/arch.h"

enum { BEFORE = 1024, SIZE = 16384, XMM = 160, SW = 464, STATE_SIZE = 480 };

static uint8_t bytes[SIZE];
static uint64_t begin;

static void keep_frame(int sig, siginfo_t *info, void *ctx)
{
	const uint8_t *saved = (const uint8_t *)((ucontext_t *)ctx)->uc_mcontext.fpregs;
	uint32_t size;
	memcpy(&size, saved + STATE_SIZE, sizeof(size));
	begin = (uint64_t)(uintptr_t)saved - BEFORE;
	memcpy(bytes + BEFORE, saved, 512);
	if (size > 512 && size < SIZE - BEFORE - 8)
		memcpy(bytes + BEFORE, saved, size + sizeof(uint32_t));
}

static bool is_saved(size_t off)
{
	return fc_arch_x86_64.thread->is_saved_vector(begin, bytes, SIZE, BEFORE + off);
}

static void registers_of_a_signals_frame_are_known(void **state)
{
	struct sigaction action = { .sa_sigaction = keep_frame, .sa_flags = SA_SIGINFO };
	uint32_t magic, size;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	memcpy(&magic, bytes + BEFORE + SW, sizeof(magic));
	memcpy(&size, bytes + BEFORE + STATE_SIZE, sizeof(size));
	if (magic != 0x46505853)
		skip(); /* a CPU without XSAVE */
	assert_true(is_saved(XMM));
	assert_true(is_saved(XMM + 15 * 16));
	assert_true(is_saved(size - 8));
	assert_false(is_saved(XMM - 8));
	assert_false(is_saved(size + 8));
	assert_false(is_saved(-(size_t)BEFORE));

	/* It does not lie there as a whole. */
	assert_false(fc_arch_x86_64.thread->is_saved_vector(begin, bytes, BEFORE + size,
							    BEFORE + XMM));
	bytes[BEFORE + size] ^= 1;
	assert_false(is_saved(XMM));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_of_a_signals_frame_are_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
