/* SPDX-License-Identifier: Apache-2.0 */
/* x86_64.h - the parts of the x86-64 port, for each other. Bare opcodes live here. */
#ifndef FC_ARCH_X86_64_H
#define FC_ARCH_X86_64_H

#include "arch/arch.h"

enum {
	OP_CALL_REL32 = 0xe8,
	OP_JMP_REL32 = 0xe9,
	OP_JMP_REL8 = 0xeb,
	OP_JCC_REL8 = 0x70,   /* to 0x7f: condition in the low 4 bits */
	CC_BE = 6,	      /* the condition "below or equal" */
	OP_LOOP_FIRST = 0xe0, /* loopne loope loop jrcxz, to 0xe3 */
	OP_0F = 0x0f,
	OP_0F_JCC_REL32 = 0x80, /* after 0f; to 0x8f */
	OP_PUSHF = 0x9c,
	OP_PUSH_IMM32 = 0x68,
	OP_GROUP5 = 0xff,     /* /2 call, /3 call far, /4 jmp, /5 jmp far, by modrm.reg */
	OP_0F_GROUP15 = 0xae, /* after 0f; with f3 and /3: wrgsbase */
	PREFIX_OPERAND_SIZE = 0x66,
	PREFIX_LOCK = 0xf0,
	PREFIX_F2 = 0xf2,
	PREFIX_F3 = 0xf3,
	PREFIX_REX = 0x40, /* to 0x4f */
	OP_INT3 = 0xcc,
	OP_NOP = 0x90,
	OP_0F_NOP = 0x1f,     /* after 0f */
	OP_0F_UD2 = 0x0b,     /* after 0f */
	OP_0F_SYSCALL = 0x05, /* after 0f */
	OP_TEST_EAX = 0xa9,
	OP_RET = 0xc3,
	OP_RET_IMM16 = 0xc2,
	OP_RETF = 0xcb,
	OP_RETF_IMM16 = 0xca,
	OP_IRET = 0xcf,
	OP_HLT = 0xf4,
	OP_XBEGIN = 0xc7, /* with modrm f8 */
	JUMP_SIZE = 5,
	NEAR_JUMP_SIZE = 2,
	LONG_JUMP_SIZE = 14,
};

const char *window_x86_64(const uint8_t *code, size_t room, uint64_t vaddr, uint64_t next,
			  uint8_t jump_size, uint8_t need, struct fc_window *ret);
size_t go_stack_check_x86_64(const uint8_t *code, size_t room);
bool is_padding_x86_64(const uint8_t *code, size_t size, size_t room);
bool is_plt_x86_64(const uint8_t *code, size_t room, uint64_t size);
bool errno_place_x86_64(const uint8_t *code, size_t room, uint64_t vaddr,
			struct fc_errno_place *ret);
bool is_sigreturn_x86_64(const uint8_t *code, size_t room);
bool is_nops_x86_64(const uint8_t *code, size_t size);
bool is_trap_x86_64(const uint8_t *code);
size_t insn_len_x86_64(const uint8_t *code, size_t room, bool *is_branch);
unsigned traits_x86_64(const uint8_t *code);
enum fc_slot_use slot_use_x86_64(const uint8_t *code, size_t size);
enum fc_insn_kind insn_kind_x86_64(const uint8_t *code, size_t room, size_t *len,
				   uint64_t *table);
void syscalls_x86_64(const uint8_t *code, size_t size, uint64_t vaddr,
		     void (*fn)(void *ctx, struct fc_syscall_insn insn), void *ctx);
bool starts_function_x86_64(const uint8_t *code, size_t room);
bool returns_elsewhere_x86_64(const uint8_t *code, size_t room);
bool may_run_again_x86_64(const uint8_t *code, size_t size, uint64_t *raise);
bool is_call_x86_64(const uint8_t *bytes, size_t size, uint64_t vaddr, uint64_t *to);
uint64_t main_of_x86_64(const uint8_t *code, size_t size, uint64_t vaddr);

/* Where each instruction came to lie, from the body's start. */
struct moved {
	struct fc_move at[FC_MAX_MOVES];
	size_t nr;
};

/*
 * Write the window's instructions anew for address taddr (the body); a way back to the
 * code behind the window closes them. Returns the size, 0 when an operand is out of reach.
 */
size_t move_window_x86_64(const struct fc_stub *stub, uint64_t taddr, uint8_t *ret,
			  struct moved *moved);

size_t stub_size_x86_64(enum fc_stub_kind kind, const struct fc_window *window, bool can_count);
size_t values_size_x86_64(const struct fca_fetches *fetches, bool is_exit);
size_t values_off_x86_64(const uint8_t stub[FC_STUB_BEGIN]);
size_t make_switch_x86_64(const uint8_t stub[FC_STUB_BEGIN], bool is_on,
			  uint8_t ret[FC_MAX_SWITCH]);
/* Bytes of the code that takes these values without the agent, at most; 0: it cannot. */
size_t capture_size_x86_64(const struct fca_fetches *fetches, bool is_exit);
/*
 * Write it at this place of the stub; what asks the agent is to follow. Returns its size, or 0;
 * *tried is that of struct fca_fetches.
 */
size_t emit_capture_x86_64(const struct fc_stub *stub, bool is_exit, size_t at, uint8_t *ret,
			   uint16_t *tried);
/* What a probe's arguments take on the stack, with a word for rax. */
static inline uint32_t probe_room_x86_64(const struct fc_stub *stub)
{
	return (stub->nr_operands + 1u) * 8;
}
size_t probe_operands_x86_64(const char *args, const struct fc_symbol_finder *finder,
			     struct fc_sdt_operand ret[FC_MAX_SDT_OPERANDS]);
void place_operand_x86_64(const struct fc_sdt_operand *operand, uint8_t i,
			  struct fc_location *ret);
/* The code that puts a probe's arguments on the stack. Returns its size; SIZE_MAX: one is out of reach. */
size_t emit_gathering_x86_64(const struct fc_stub *stub, uint64_t taddr, uint8_t *ret);
/* Bytes that an instruction there takes which does nothing; 0: it does something. */
size_t nop_size_x86_64(const uint8_t *code, size_t room);
bool is_computed_x86_64(const uint8_t *code, size_t room);
size_t entry_off_x86_64(enum fc_stub_kind kind);
size_t emit_stub_x86_64(const struct fc_stub *stub, uint8_t *ret);
size_t moves_x86_64(const struct fc_stub *stub, struct fc_move ret[FC_MAX_MOVES]);
extern const uint32_t places_x86_64[FCA_NR_PLACES];

extern const uint8_t reg_words_x86_64[FC_NR_REGS];
void breakpoint_x86_64(uint64_t taddr, struct fc_user_word ret[FC_BREAK_WORDS]);
bool is_interrupted_x86_64(const uint64_t *words, size_t nr, size_t i, uint64_t *sp);
bool is_saved_vector_x86_64(uint64_t taddr, const uint8_t *bytes, size_t size, size_t off);
void to_native_mode_x86_64(struct fc_regs *regs);
size_t make_cave_x86_64(const struct fc_regs *regs, bool again, const struct fc_last_call *last,
			uint64_t taddr, uint8_t ret[FC_CAVE_SIZE]);
bool is_door_x86_64(const uint8_t code[FC_DOOR_SIZE]);
uint64_t door_goes_on_x86_64(const struct fc_regs *regs);
void leave_door_x86_64(struct fc_regs *regs, const uint64_t saved[FC_DOOR_SAVED]);
void strand_call_x86_64(uint64_t base, uint64_t *nr, uint64_t arg[6]);
uint32_t found_without_x86_64(uint64_t hwcap2);

bool can_fetch_x86_64(const struct fc_piece *piece);
bool returns_narrow_x86_64(const uint8_t *code, size_t size);
uint32_t widest_vector_x86_64(const uint8_t *code, size_t size);
void reg_uses_x86_64(const uint8_t *code, size_t size, struct fc_reg_uses *ret);
bool named_x86_64(const char *name, struct fc_piece *ret);
void locate_x86_64(const struct fc_shape *result, const struct fc_shape *params, size_t nr,
		   struct fc_location *ret_result, struct fc_location *ret_params);

void scan_x86_64(const uint8_t *code, size_t size, uint64_t vaddr,
		 const struct fc_targets *targets,
		 void (*fn)(void *ctx, struct fc_branch branch), void *ctx);

void refs_x86_64(const uint8_t *code, size_t size, uint64_t vaddr, bool is_fixed,
		 const struct fc_targets *targets,
		 void (*fn)(void *ctx, uint64_t from, uint64_t to), void *ctx);
void stack_loads_x86_64(const uint8_t *code, size_t size, uint64_t vaddr,
			void (*fn)(void *ctx, uint64_t vaddr), void *ctx);

bool notes_place_x86_64(const uint8_t *code, size_t size, size_t *at);
bool moves_frames_x86_64(const uint8_t *code, size_t size, size_t *at);
bool takes_register_x86_64(const uint8_t *code, size_t size, const char *names,
			   size_t names_size);

void make_jump_x86_64(uint64_t from, uint64_t to, uint8_t *ret);
size_t strand_reads_x86_64(enum fc_stub_kind kind, const uint8_t *stub, size_t size,
			   struct fc_strand_read ret[FC_MAX_STRAND_READS]);
void make_detour_x86_64(const struct fc_strand_read *read, uint64_t stub, uint64_t at,
			uint64_t table, uint8_t *ret);
size_t drop_strand_read_x86_64(const struct fc_strand_read *read, uint64_t stub,
			       uint64_t detour, uint8_t *ret);
void make_near_jump_x86_64(uint64_t from, uint64_t to, uint8_t *ret);
void make_long_jump_x86_64(uint64_t to, uint8_t *ret);
void pun_x86_64(uint64_t from, const uint8_t *code, uint8_t nr_free, uint64_t *first,
		uint64_t *last);

#endif
