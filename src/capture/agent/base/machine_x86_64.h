/* SPDX-License-Identifier: Apache-2.0 */
/* machine_x86_64.h - what the agent needs of its machine: system calls, clock, %gs, frames. */
#ifndef FC_CAPTURE_AGENT_BASE_MACHINE_X86_64_H
#define FC_CAPTURE_AGENT_BASE_MACHINE_X86_64_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/abi.h"
#include "capture/agent/stub_x86_64.h"

enum {
	NR_mmap = 9,
	NR_mprotect = 10,
	NR_munmap = 11,
	NR_rt_sigprocmask = 14,
	NR_readlink = 89,
	NR_madvise = 28,
	NR_getpid = 39,
	NR_ptrace = 101,
	NR_setuid = 105,
	NR_setgid = 106,
	NR_getppid = 110,
	NR_setreuid = 113,
	NR_setregid = 114,
	NR_setgroups = 116,
	NR_setresuid = 117,
	NR_setresgid = 119,
	NR_setfsuid = 122,
	NR_setfsgid = 123,
	NR_capset = 126,
	NR_munlock = 150,
	NR_mlockall = 151,
	NR_mlock2 = 325,
	NR_setrlimit = 160,
	NR_prlimit64 = 302,
	NR_prctl = 157,
	NR_chroot = 161,
	NR_arch_prctl = 158,
	NR_gettid = 186,
	NR_sigaltstack = 131,
	NR_futex = 202,
	NR_exit_group = 231,
	NR_tgkill = 234,
	NR_process_vm_readv = 310,
	NR_process_vm_writev = 311,
	NR_unshare = 272,
	NR_setns = 308,
	NR_pkey_mprotect = 329,
	NR_landlock_restrict_self = 446,
	NR_seccomp = 317,
	NR_write = 1,
};

enum {
	PROT_READ_WRITE = 3,
	MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x4022,
};

static inline long syscall6(long nr, long a, long b, long c, long d, long e, long f)
{
	uint64_t arg[6] = { (uint64_t)a, (uint64_t)b, (uint64_t)c,
			    (uint64_t)d, (uint64_t)e, (uint64_t)f };
	fca_own_call((uint64_t)nr, arg);
	uint64_t fourth = arg[3], fifth = arg[4], sixth = arg[5];
	register uint64_t r10 __asm__("r10") = fourth;
	register uint64_t r8 __asm__("r8") = fifth;
	register uint64_t r9 __asm__("r9") = sixth;
	long ret;
	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(arg[0]), "S"(arg[1]), "d"(arg[2]), "r"(r10), "r"(r8),
			   "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

#define syscall1(nr, a)		 syscall6(nr, (long)(a), 0, 0, 0, 0, 0)
#define syscall2(nr, a, b)	 syscall6(nr, (long)(a), (long)(b), 0, 0, 0, 0)
#define syscall3(nr, a, b, c)	 syscall6(nr, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define syscall4(nr, a, b, c, d) syscall6(nr, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

static inline uint64_t read_clock(void)
{
	uint32_t lo, hi;
	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
}

static inline uint64_t read_strand(void) /* FCA_STRAND_SELF */
{
	uint64_t v;
	__asm__ volatile("mov %%gs:-8, %0" : "=r"(v));
	return v;
}

static inline void write_strand_fast(uint64_t base) /* needs FSGSBASE */
{
	__asm__ volatile("wrgsbase %0" : : "r"(base));
}

/* The same for all stacks of a thread, and different for each thread that libc made. */
static inline uint64_t read_thread(void) /* needs FSGSBASE */
{
	uint64_t base;
	__asm__ volatile("rdfsbase %0" : "=r"(base));
	return base;
}

/* The same as libc keeps it: where there is none, reading it is a fault (enum fca_thread_word). */
static inline uint64_t read_thread_word(void)
{
	uint64_t base;
	__asm__ volatile("mov %%fs:0, %0" : "=r"(base));
	return base;
}

/* The same without FSGSBASE, by a system call; 0: not known. */
static inline uint64_t ask_thread(void)
{
	uint64_t base = 0;
	return syscall2(NR_arch_prctl, 0x1003 /* ARCH_GET_FS */, (long)&base) ? 0 : base;
}

/* Is the pointer guard of glibc there? Where %fs leads is a word at least (x86-64 psABI 6.2). */
static inline bool has_guard(uint64_t fs)
{
	enum { GUARD_END = 0x38 };
	return fs && fs % FCA_PAGE <= FCA_PAGE - GUARD_END;
}

/* glibc's PTR_DEMANGLE (sysdeps/unix/sysv/linux/x86_64/pointer_guard.h), if has_guard(). */
static inline uint64_t demangle(uint64_t pointer)
{
	__asm__("rorq $17, %0\n\txorq %%fs:0x30, %0" : "+r"(pointer) : : "cc");
	return pointer;
}

static inline void pause_cpu(void)
{
	__asm__ volatile("pause");
}

static inline void write_strand(uint64_t base)
{
	syscall2(NR_arch_prctl, 0x1001 /* ARCH_SET_GS */, base);
}

/* Atomic against signals of this thread only: no lock prefix. */
static inline int cas_local(uint64_t *at, uint64_t old, uint64_t new)
{
	uint8_t ok;
	__asm__ volatile("cmpxchgq %3, %1\n\tsete %0"
			 : "=q"(ok), "+m"(*at), "+a"(old)
			 : "r"(new)
			 : "memory", "cc");
	return ok;
}

/* The same. */
static inline void count_local(uint64_t *at)
{
	__asm__ volatile("incq %0" : "+m"(*at) : : "cc");
}

/* Is this stub, of those that record, switched off? */
static inline bool is_switched_off(uint64_t stub)
{
	return *(const uint8_t *)stub == SWITCH_OFF;
}

/* Which watch + 1 the stub of an entry is under; 0: none. */
static inline uint32_t watch_of_entry_only(uint64_t stub)
{
	bool is_watched = *(const uint8_t *)(stub + ONLY_LIMIT) == ONLY_WATCHED;
	return is_watched ? *(const uint8_t *)(stub + ONLY_WATCH) : 0;
}

/* As the stub and agent_x86_64.S leave it on a stack, lowest address first. */
struct agent_frame {
	uint64_t *slot; /* of the return address: the frame need not lie on the same stack */
	uint64_t r11, r10, r9, r8, rdi, rsi;
	uint64_t go; /* where to go on */
	uint64_t rdx, rcx, rax;
};

/* And below that, on the program's stack. */
struct agent_saved {
	uint64_t r15, r14, r13, r12, rbx, rbp;
	struct agent_frame frame;
};

/* The stack pointer as it was at the call's first instruction: whoever called it, its slot is above. */
static inline uint64_t frame_slot(const struct agent_frame *frame)
{
	return (uint64_t)frame->slot;
}

/* Where the call returns to, or has returned to: a site, if one was put there. */
static inline uint64_t frame_return(const struct agent_frame *frame)
{
	return *frame->slot;
}

static inline void frame_set_return(const struct agent_frame *frame, uint64_t address)
{
	*frame->slot = address;
}

/* Does this stub, which has an exit, fetch a result there? It jumps to the code that does so. */
static inline bool stub_has_result(uint64_t stub)
{
	enum { JMP = 0xe9 };
	return *(const uint8_t *)(stub + CALL_AGAIN) == JMP;
}

/* Argument i, of the first four, of the function that was called. */
static inline uint64_t frame_arg(const struct agent_frame *frame, int i)
{
	return i == 0 ? frame->rdi : i == 1 ? frame->rsi : i == 2 ? frame->rdx : frame->rcx;
}

/* Of the first two. */
static inline void frame_set_arg(struct agent_frame *frame, int i, uint64_t value)
{
	*(i ? &frame->rsi : &frame->rdi) = value;
}

/* What general register reg (DWARF's number: x86-64 psABI 3.6.2) held; 0: it is not saved. */
static inline uint64_t frame_reg(const struct agent_frame *frame, uint32_t reg)
{
	switch (reg) {
	case 0:
		return frame->rax;
	case 1:
		return frame->rdx;
	case 2:
		return frame->rcx;
	case 4:
		return frame->rsi;
	case 5:
		return frame->rdi;
	case 8:
		return frame->r8;
	case 9:
		return frame->r9;
	case 10:
		return frame->r10;
	case 11:
		return frame->r11;
	default:
		return 0;
	}
}

/*
 * Vector register reg (DWARF's number), as it is now: the agent uses none. size bytes of it are
 * asked for; who asks for more than 16 has a type that only a CPU with AVX can pass.
 */
static inline void store_vector(uint32_t reg, uint32_t size, uint64_t ret[8])
{
	enum { XMM0 = 17, XMM = 16, YMM = 32 };
#define STORE(number)                                                                          \
	case XMM0 + number:                                                                    \
		if (size <= XMM)                                                               \
			__asm__ volatile("movups %%xmm" #number ", (%0)"                       \
					 :                                                     \
					 : "r"(ret)                                            \
					 : "memory");                                          \
		else if (size <= YMM)                                                          \
			__asm__ volatile("vmovups %%ymm" #number ", (%0)"                      \
					 :                                                     \
					 : "r"(ret)                                            \
					 : "memory");                                          \
		else                                                                           \
			__asm__ volatile("vmovups %%zmm" #number ", (%0)"                      \
					 :                                                     \
					 : "r"(ret)                                            \
					 : "memory");                                          \
		break
	switch (reg) {
		STORE(0);
		STORE(1);
		STORE(2);
		STORE(3);
		STORE(4);
		STORE(5);
		STORE(6);
		STORE(7);
	}
#undef STORE
}

/* Register reg (DWARF's number) of the x87 stack: 80 bits. Nothing of the x87 changes. */
static inline void store_extended(uint32_t reg, uint64_t ret[2])
{
	__attribute__((aligned(16))) uint64_t image[64]; /* Intel SDM, FXSAVE64 */
	enum { DWARF_ST0 = 33, ST0 = 4, WORDS = 2, NR = 8 };
	uint32_t i = (reg - DWARF_ST0) % NR;
	__asm__ volatile("fxsave64 %0" : "=m"(image));
	ret[0] = image[ST0 + i * WORDS];
	ret[1] = image[ST0 + i * WORDS + 1] & 0xffff;
}

/*
 * Words of a jmp_buf: glibc's, with the stack pointer mangled or not, and musl's have it at the same
 * place. Behind the registers glibc says whether the signal mask was saved.
 */
enum { JUMP_SP = 6, JUMP_HAS_MASK = 8, JUMP_WORDS = 9 };

#endif
