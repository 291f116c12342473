/* SPDX-License-Identifier: Apache-2.0 */
/* What a signal's frame looks like: of what is on a stack anything may be one, or look like it. */
#include "capture/agent/sigframe_x86_64.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/kernel_copy.h"
#include "capture/agent/base/machine.h"

_Static_assert(offsetof(struct sigframe, rip) == 8 + 40 + 128, "as the kernel has it");
_Static_assert(offsetof(struct sigframe, signo) == 8 + 304, "as the kernel has it");

bool sigframe_is_cancel(const struct sigframe *f)
{
	enum { SIGCANCEL = 32 };
	return f->signo == SIGCANCEL;
}

bool sigframe_is_fault(const struct sigframe *f)
{
	return f->trapno != 0;
}

bool copy_from(uint64_t at, void *ret, uint64_t size)
{
	struct piece local = { (uint64_t)ret, size }, remote = { at, size };
	if (!agent_config.is_quiet)
		return syscall6(NR_process_vm_readv, syscall1(NR_gettid, 0), (long)&local, 1,
				(long)&remote, 1, 0) == (long)size;
	for (uint64_t i = 0; i < size / 8; i++)
		((uint64_t *)ret)[i] = ((const volatile uint64_t *)at)[i];
	return true;
}

void copy_to(uint64_t at, const void *from, uint64_t size)
{
	struct piece local = { (uint64_t)from, size }, remote = { at, size };
	if (!agent_config.is_quiet) {
		syscall6(NR_process_vm_writev, syscall1(NR_gettid, 0), (long)&local, 1,
			 (long)&remote, 1, 0);
		return;
	}
	for (uint64_t i = 0; i < size / 8; i++)
		((volatile uint64_t *)at)[i] = ((const uint64_t *)from)[i];
}

uint64_t word_at(uint64_t at)
{
	uint64_t word;
	return copy_from(at, &word, sizeof(word)) ? word : 0;
}

void set_word_at(uint64_t at, uint64_t word)
{
	copy_to(at, &word, sizeof(word));
}

void sigframe_take_back(struct sigframe *f, uint64_t slot)
{
	enum { RDX, RCX, RAX, NR };
	uint64_t saved[NR];
	if (!copy_from(slot - sizeof(saved), saved, sizeof(saved)))
		return;
	f->rax = saved[RAX];
	f->rcx = saved[RCX];
	f->rdx = saved[RDX];
}
