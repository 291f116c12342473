/* SPDX-License-Identifier: Apache-2.0 */
/* sigframe_x86_64.h - frames that the kernel puts on a stack for signals, and what they lead to. */
#ifndef FC_CAPTURE_AGENT_SIGFRAME_X86_64_H
#define FC_CAPTURE_AGENT_SIGFRAME_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's struct rt_sigframe (arch/x86/include/asm/sigframe.h), as far as asked. */
struct sigframe {
	uint64_t restorer;
	uint64_t uc_flags, uc_link, ss_sp, ss_flags, ss_size;
	uint64_t r8_to_r15[8], rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t err, trapno, oldmask, cr2, fpstate, reserved[8], sigmask;
	uint32_t signo; /* of its siginfo, which is only written for handlers with SA_SIGINFO */
};

/* Wherever it stands. */
static inline bool is_signal(const struct sigframe *f)
{
	enum { ALWAYS_SET = 1 << 1 /* of eflags */, USER_CS = 0x33, MAX_UC_FLAGS = 7 };
	return f->cs == USER_CS && !f->gs && !f->fs && f->eflags & ALWAYS_SET &&
	       f->uc_flags <= MAX_UC_FLAGS && !f->uc_link && !(f->fpstate & 63);
}

/* Does such a frame stand at an address, of which this is a copy, or itself? Each word of a stack may be its begin. */
static inline bool sigframe_is(const struct sigframe *f, uint64_t at)
{
	enum { MAX_FPSTATE = 16 * 1024 }; /* above the frame, and what may lie between */
	return is_signal(f) && f->fpstate - at < MAX_FPSTATE;
}

/*
 * glibc's handler of SIGCANCEL calls an unwinder in order to end the thread: also where the
 * unwinder has no name, and so is not known to be one that does not return.
 */
bool sigframe_is_cancel(const struct sigframe *f);
/* An instruction's fault, or one that was signalled earlier: the kernel keeps the last. */
bool sigframe_is_fault(const struct sigframe *f);
/* What a stub or a detour has saved below slot: rax, rcx, rdx. */
void sigframe_take_back(struct sigframe *f, uint64_t slot);

/*
 * size bytes, whole words, of where a signal's frame leads to. If what looks like one is a dead one's bytes, that
 * need not be there any more: then it is nobody's, and what is made of it does not matter. In quiet the kernel may
 * not be asked. False: they are not there.
 */
bool copy_from(uint64_t at, void *ret, uint64_t size);
void copy_to(uint64_t at, const void *from, uint64_t size);
/* A word there. 0: there is none. */
uint64_t word_at(uint64_t at);
void set_word_at(uint64_t at, uint64_t word);

#endif
