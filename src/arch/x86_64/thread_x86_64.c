/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_x86_64.c - a stopped thread: its registers, its stack, and how it is made to do something.
 */
#include <string.h>

#include "arch/x86_64/x86_64.h"
#include "base/little.h"
#include "capture/agent/abi.h"

/* The kernel's struct user_regs_struct (arch/x86/include/asm/user_64.h). */
enum {
	R15,
	R14,
	R13,
	R12,
	RBP,
	RBX,
	R11,
	R10,
	R9,
	R8,
	RAX,
	RCX,
	RDX,
	RSI,
	RDI,
	ORIG_RAX,
	RIP,
	CS,
	EFLAGS,
	RSP,
	SS,
	FS_BASE,
	GS_BASE,
};

const uint8_t reg_words_x86_64[FC_NR_REGS] = {
	[FC_REG_IP] = RIP,	   [FC_REG_SP] = RSP,	     [FC_REG_RESULT] = RAX,
	[FC_REG_NR] = RAX,	   [FC_REG_CALL] = ORIG_RAX, [FC_REG_ARG] = RDI,
	[FC_REG_ARG + 1] = RSI,	   [FC_REG_ARG + 2] = RDX,   [FC_REG_ARG + 3] = R10,
	[FC_REG_ARG + 4] = R8,	   [FC_REG_ARG + 5] = R9,    [FC_REG_STRAND] = GS_BASE,
	[FC_REG_THREAD] = FS_BASE,
};

/* The selectors of the kernel's code segments for programs (arch/x86/include/asm/segment.h). */
enum { USER_CS = 0x33 /* 64-bit code; others hold 32-bit code, 0x23 mostly */ };

/* SDM 3B, 18.2: register 0 for execution, one byte; it is on by a bit of register 7. */
void breakpoint_x86_64(uint64_t taddr, struct fc_user_word ret[FC_BREAK_WORDS])
{
	enum { DEBUG_0 = 848, DEBUG_7 = DEBUG_0 + 7 * 8, ENABLE_0 = 1 }; /* struct user */
	struct fc_user_word place = { DEBUG_0, taddr },
			    enable = { DEBUG_7, taddr ? ENABLE_0 : 0 };
	ret[0] = taddr ? place : enable;
	ret[1] = taddr ? enable : place;
}

/* The kernel's struct rt_sigframe (arch/x86/include/asm/sigframe.h). */
bool is_interrupted_x86_64(const uint64_t *words, size_t nr, size_t i, uint64_t *sp)
{
	enum { FRAME_SP = -1, FRAME_FLAGS = 1, FRAME_SEGMENTS = 2, FRAME_WORDS = 22 };
	enum { FLAG_ALWAYS = 2, FLAGS_MOST = 1 << 22 };
	if (i < FRAME_WORDS || i + FRAME_SEGMENTS >= nr)
		return false;
	uint64_t flags = words[i + FRAME_FLAGS];
	*sp = words[i + FRAME_SP];
	return (words[i + FRAME_SEGMENTS] & 0xffff) == USER_CS && flags & FLAG_ALWAYS &&
	       flags < FLAGS_MOST;
}

/*
 * The kernel's asm/sigcontext.h: struct _fpstate_64, of which bytes from 464 on are struct _fpx_sw_bytes, and
 * behind it all of the registers' state FP_XSTATE_MAGIC2.
 *
 *	0         160       416    464     576            xstate_size
 *	| x87 ... | xmm ... | 0 .. | sw .. | header, ymm .. | magic2
 */
bool is_saved_vector_x86_64(uint64_t taddr, const uint8_t *bytes, size_t size, size_t off)
{
	enum { ALIGN = 64, XMM = 160, SW = 464, SW_SIZE = 480, LEAST = 576, MOST = 16384 };
	enum { MAGIC1 = 0x46505853, MAGIC2 = 0x46505845 };
	size_t first = (size_t)(-taddr & (ALIGN - 1));
	for (size_t at = first; at + LEAST <= size && at + XMM <= off; at += ALIGN) {
		uint32_t state_size = fc_get_32(bytes + at + SW_SIZE);
		if (fc_get_32(bytes + at + SW) != MAGIC1 || state_size < LEAST ||
		    state_size > MOST || state_size + sizeof(uint32_t) > size - at)
			continue;
		if (off < at + state_size && fc_get_32(bytes + at + state_size) == MAGIC2)
			return true;
	}
	return false;
}

/* ---- the cave ---- */

static uint8_t *put_code(uint8_t *at, const char *code, size_t size)
{
	memcpy(at, code, size);
	return at + size;
}

static uint8_t *put_word(uint8_t *at, uint64_t word)
{
	fc_put_64(at, word);
	return at + sizeof(word);
}

#define PUT(at, code)		  ((at) = put_code(at, code, sizeof(code) - 1))
#define PUT_MOV(at, opcode, word) (PUT(at, opcode), (at) = put_word(at, word))

static uint8_t *put_call(uint8_t *at, const struct fc_last_call *call)
{
	PUT_MOV(at, "\x48\xb8", call->nr);     /* mov $nr, %rax */
	PUT_MOV(at, "\x48\xbf", call->arg[0]); /* mov $..., %rdi and so on */
	PUT_MOV(at, "\x48\xbe", call->arg[1]);
	PUT_MOV(at, "\x48\xba", call->arg[2]);
	PUT_MOV(at, "\x49\xba", call->arg[3]);
	PUT_MOV(at, "\x49\xb8", call->arg[4]);
	PUT(at, "\x0f\x05");
	return at;
}

/* Into 32-bit code only a far jump leads: its operand is the address (4 bytes) and the selector. */
static void put_jump_back(uint8_t *at, const uint64_t *r, uint64_t ip, uint8_t *cave)
{
	bool is_far = r[CS] != USER_CS;
	if (is_far)
		PUT(at, "\xff\x2d"); /* ljmp *ip(%rip) */
	else
		PUT(at, "\xff\x25"); /* jmp *ip(%rip) */
	fc_put_32(at, (uint32_t)(cave + FC_CAVE_IP - (at + 4)));
	fc_put_64(cave + FC_CAVE_IP, is_far ? (uint32_t)ip | r[CS] << 32 : ip);
}

size_t make_cave_x86_64(const struct fc_regs *regs, bool again, const struct fc_last_call *last,
			uint64_t taddr, uint8_t ret[FC_CAVE_SIZE])
{
	enum { SYSCALL_SIZE = 2 };
	const uint64_t *r = regs->word;
	uint8_t *at = ret;
	PUT(at, "\x0f\x05");			       /* syscall: what is asked */
	PUT(at, "\xb8\x0e\0\0\0");		       /* mov $14, %eax: rt_sigprocmask */
	PUT(at, "\xbf\x02\0\0\0");		       /* mov $2, %edi: SIG_SETMASK */
	PUT_MOV(at, "\x48\xbe", taddr + FC_CAVE_MASK); /* mov $mask, %rsi */
	PUT(at, "\xba\0\0\0\0");		       /* mov $0, %edx */
	PUT(at, "\x41\xba\x08\0\0\0");		       /* mov $8, %r10d */
	PUT(at, "\x0f\x05");			       /* syscall */
	if (last)
		at = put_call(at, last);
	size_t last_at = (size_t)(at - ret) - SYSCALL_SIZE;
	PUT_MOV(at, "\x48\xb8", again ? r[ORIG_RAX] : r[RAX]);
	PUT_MOV(at, "\x48\xb9", r[RCX]);
	PUT_MOV(at, "\x48\xba", r[RDX]);
	PUT_MOV(at, "\x48\xbe", r[RSI]);
	PUT_MOV(at, "\x48\xbf", r[RDI]);
	PUT_MOV(at, "\x49\xb8", r[R8]);
	PUT_MOV(at, "\x49\xb9", r[R9]);
	PUT_MOV(at, "\x49\xba", r[R10]);
	PUT_MOV(at, "\x49\xbb", r[R11]);
	put_jump_back(at, r, r[RIP] - (again ? SYSCALL_SIZE : 0), ret);
	return last_at;
}

void to_native_mode_x86_64(struct fc_regs *regs)
{
	regs->word[CS] = USER_CS;
}

/* ---- at a door of the agent ---- */

/* mov %rax,-8(%rsp), the word below what the stub has saved */
bool is_door_x86_64(const uint8_t code[FC_DOOR_SIZE])
{
	static const uint8_t mov_rax[] = { 0x48, 0x89, 0x44, 0x24, 0xf8 };
	_Static_assert(sizeof(mov_rax) <= FC_DOOR_SIZE, "it is there");
	return !memcmp(code, mov_rax, sizeof(mov_rax));
}

uint64_t door_goes_on_x86_64(const struct fc_regs *regs)
{
	return regs->word[RAX];
}

void leave_door_x86_64(struct fc_regs *regs, const uint64_t saved[FC_DOOR_SAVED])
{
	regs->word[RDX] = saved[0];
	regs->word[RCX] = saved[1];
	regs->word[RAX] = saved[2];
	regs->word[RSP] += FC_DOOR_SAVED * sizeof(*saved);
}

/* arch_prctl(ARCH_SET_GS, base) */
void strand_call_x86_64(uint64_t base, uint64_t *nr, uint64_t arg[6])
{
	enum { ARCH_PRCTL = 158, ARCH_SET_GS = 0x1001 };
	*nr = ARCH_PRCTL;
	memset(arg, 0, 6 * sizeof(*arg));
	arg[0] = ARCH_SET_GS;
	arg[1] = base;
}

uint32_t found_without_x86_64(uint64_t hwcap2)
{
	enum { FSGSBASE = 2 }; /* <asm/hwcap2.h> */
	return hwcap2 & FSGSBASE ? FCA_BY_THREAD : FCA_BY_TID;
}
