/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch.h - the contract of a port. Pure: bytes and addresses in, bytes out; nothing here
 * reads or writes a target, so every machine's code is compiled and tested on every host.
 *
 * Stage 0  is_plt, is_sigreturn, is_nops  functions are found
 * Stage 1  window, make_jump, scan        functions can be planned
 * Stage 2  emit_stub, pool_head           functions can be hooked
 * Stage 6  locate                         arguments and results are found
 * Stage 7  operands, place, nop_size      static probes can be hooked
 */
#ifndef FC_ARCH_ARCH_H
#define FC_ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/location.h"
#include "arch/sdt_operand.h"
#include "arch/regs.h"
#include "arch/targets.h"
#include "capture/agent/abi.h"
#include "capture/agent/fetch.h"

/* The first bytes of a function that a jump replaces. */
struct fc_window {
	uint64_t vaddr;	    /* where the jump goes: behind an endbr64 */
	uint8_t jump_size;  /* bytes that are overwritten, from vaddr on */
	uint8_t size;	    /* of the whole instructions that move into the stub */
	uint8_t moved_size; /* upper bound of what these become there */
	bool ends;	    /* the last one does not fall through */
};

struct fc_stub {
	enum fc_stub_kind kind;
	uint32_t func;	     /* function id */
	const uint8_t *code; /* the window's original bytes */
	struct fc_window window;
	bool is_gate;	/* strands are off but while it is open: enum fca_place */
	bool loops;	/* the function jumps to its own start, from behind the window */
	uint8_t watch;	/* which of the watches + 1; 0: none (FCA_WATCH_SHIFT) */
	bool can_count; /* it can be switched to only counting calls */
	/* What is fetched at the entry and at the exit of one that records; NULL: nothing. */
	const struct fca_fetches *values, *result;
	/* Of a static probe: its arguments. They are fetched from the stack, where the stub has put them. */
	const struct fc_sdt_operand *operands;
	uint8_t nr_operands;
	uint64_t bias;	     /* address in the target = vaddr + bias */
	uint64_t taddr;	     /* where the stub goes */
	uint64_t pool_taddr; /* its pool's head (capture/agent/abi.h: FCA_POOL_HEAD) */
};

/* An instruction of a window and its copy: offsets from the window's and the stub's start. */
struct fc_move {
	uint8_t from;
	uint16_t to;
};

enum { FC_MAX_MOVES = 32 };

enum { FC_STUB_BEGIN = 16 }; /* bytes that tell what more a stub has */
enum { FC_MAX_SWITCH = 4 };  /* bytes that switch it on or off */

/* Where a stub reads %gs: a strand, or its counters; and where it asks the agent instead. */
struct fc_strand_read {
	uint16_t off, agent_off;
	bool is_counts;
};

enum { FC_MAX_STRAND_READS = 5 };

/* What a function does with the word that holds its return address. */
enum fc_slot_use {
	FC_SLOT_PLAIN = 0, /* returns by it, as far as can be seen */
	FC_SLOT_READ,
	FC_SLOT_WALKED, /* and those of its callers, from frame to frame */
	FC_SLOT_LEFT,	/* goes over to another stack from where it stood */
};

enum fc_insn_kind {
	FC_INSN_NONE, /* no instruction */
	FC_INSN_PLAIN,
	FC_INSN_CALL,	/* the one at the end of a function does not return */
	FC_INSN_END,	/* nothing runs on behind it: a return, a jump */
	FC_INSN_FILLER, /* between functions */
};

/* Registers as bits, by DWARF's numbers. */
struct fc_reg_uses {
	uint64_t read; /* before they are written; not what is only pushed or cleared */
	uint64_t written;
	size_t size; /* bytes of code that this is about */
};

enum fc_branch_kind {
	FC_BRANCH_CALL,
	FC_BRANCH_JUMP,
	FC_BRANCH_IF,	   /* conditional */
	FC_BRANCH_LANDING, /* an unwinder's, to a landing pad: no instruction */
};

struct fc_branch {
	uint64_t from, end, to; /* vaddr; from may be the middle of an instruction */
	enum fc_branch_kind kind;
};

enum fc_syscall_way {
	FC_SYSCALL_NONE = 0,
	FC_SYSCALL_NATIVE,
	FC_SYSCALL_COMPAT, /* as programs of the machine's 32-bit predecessor do, with its numbers */
};

struct fc_syscall_insn {
	uint64_t vaddr;
	enum fc_syscall_way way;
	bool is_known; /* the number */
	uint64_t number;
};

enum fc_trait {
	FC_TRAIT_PUSHES_FLAGS = 1 << 0,
	FC_TRAIT_RETURNS = 1 << 1,
	FC_TRAIT_SYSTEM_CALL = 1 << 2,
};

/*
 * A cave: code by which a borrowed thread makes a call and then restores itself, and what that
 * needs. These words are at its end on each machine (user/remote.h has the picture).
 */
enum {
	FC_CAVE_SIZE = 224,
	FC_CAVE_NEWS = FC_CAVE_SIZE - 24, /* not read by the code */
	FC_CAVE_MASK = FC_CAVE_SIZE - 16, /* the signal mask as found */
	FC_CAVE_IP = FC_CAVE_SIZE - 8,	  /* where the thread was */
	FC_CAVE_SAME = 14,		  /* bytes before the first that depend on the thread */
};

/* A system call with all its arguments. */
struct fc_last_call {
	uint64_t nr, arg[5];
};

/* A word of what PTRACE_POKEUSER writes. */
struct fc_user_word {
	uint64_t off, value;
};

enum {
	FC_BREAK_WORDS = 2,
	FC_DOOR_SIZE = 8,  /* bytes by which a door of the agent is known */
	FC_DOOR_SAVED = 3, /* words that a stub has saved when it comes to one */
};

/*
 * What a machine's code says, as bytes. For all of it: room and size are bytes that can be read, and no byte behind
 * these is.
 */
struct fc_arch_code {
	/*
	 * The size of the check for room on its stack that a function of Go's begins with, from
	 * its start to where there is room; 0: it checks none, or in a way not known.
	 */
	size_t (*go_stack_check)(const uint8_t *code, size_t room);

	/* Is this filler between functions? */
	bool (*is_padding)(const uint8_t *code, size_t size, size_t room);

	/* Is it a PLT of size bytes, where nothing else tells? room: bytes that can be read. */
	bool (*is_plt)(const uint8_t *code, size_t room, uint64_t size);

	/* What the C library's __errno_location() says, by its code. False: not known. */
	bool (*errno_place)(const uint8_t *code, size_t room, uint64_t vaddr,
			    struct fc_errno_place *ret);

	/* Is it what a signal handler returns to? */
	bool (*is_sigreturn)(const uint8_t *code, size_t room);

	/* Does an assembler fill so many bytes like this, and is it nothing but no-ops? */
	bool (*is_nops)(const uint8_t *code, size_t size);

	/* Is there an instruction of trap_size bytes that always faults? NULL: it is not known. */
	bool (*is_trap)(const uint8_t *code);
	uint8_t trap_size;

	/*
	 * Every byte of code that could start a direct branch to one of the targets; misses
	 * none, but some start inside an instruction. fn is called for each.
	 */
	void (*scan)(const uint8_t *code, size_t size, uint64_t vaddr,
		     const struct fc_targets *targets,
		     void (*fn)(void *ctx, struct fc_branch branch), void *ctx);

	/*
	 * Every operand in code that may take the address of one of the targets, relative to
	 * itself, or absolute where is_fixed says that the file is not moved. Misses none that a
	 * compiler makes for a small code model. fn is called with where it is, and the target.
	 */
	void (*refs)(const uint8_t *code, size_t size, uint64_t vaddr, bool is_fixed,
		     const struct fc_targets *targets,
		     void (*fn)(void *ctx, uint64_t from, uint64_t to), void *ctx);

	/* Where in code the stack pointer may be taken from memory: a jump out of calls. */
	void (*stack_loads)(const uint8_t *code, size_t size, uint64_t vaddr,
			    void (*fn)(void *ctx, uint64_t vaddr), void *ctx);

	/* Length of the instruction at code, 0 if it is none; is it a direct branch? */
	size_t (*insn_len)(const uint8_t *code, size_t room, bool *is_branch);

	/* What a stepper must know of an instruction: enum fc_trait; 8 bytes of code at least. */
	unsigned (*traits)(const uint8_t *code);

	/*
	 * The instruction at code; *len is 1 if there is none. table: NULL, or for the address of
	 * the table that it takes the i-th address from, as a switch does; 0: none.
	 */
	enum fc_insn_kind (*insn_kind)(const uint8_t *code, size_t room, size_t *len,
				       uint64_t *table);

	/*
	 * The instructions of a function's code that make system calls: fn is called for each, in their order.
	 * Is its number known: whichever way leads there, by direct branches of this code, it is the same?
	 */
	void (*syscalls)(const uint8_t *code, size_t size, uint64_t vaddr,
			 void (*fn)(void *ctx, struct fc_syscall_insn insn), void *ctx);

	/* Does it begin as functions do that a compiler made, and hardly anything else? */
	bool (*starts_function)(const uint8_t *code, size_t room);

	/*
	 * Is the instruction there one that pushes an address to return to it? No compiler of C or
	 * Pascal makes that; in code with such returns no return address may be replaced.
	 */
	bool (*returns_elsewhere)(const uint8_t *code, size_t room);

	/*
	 * Is it a call that ends behind these bytes, at vaddr? *to: where it leads, 0 if it takes
	 * that from a register or memory.
	 */
	bool (*is_call)(const uint8_t *bytes, size_t size, uint64_t vaddr, uint64_t *to);

	/* What the C library's start-up code at vaddr passes on as main; 0: it is other code. */
	uint64_t (*main_of)(const uint8_t *code, size_t size, uint64_t vaddr);

	/*
	 * May this code set %gs? names: what it calls in other modules, among others, each with
	 * its NUL.
	 */
	bool (*takes_register)(const uint8_t *code, size_t size, const char *names,
			       size_t names_size);

	/*
	 * From *at on: where code goes over to frames that it has copied away before, or is about
	 * to bring back. True: *at is then behind that.
	 */
	bool (*moves_frames)(const uint8_t *code, size_t size, size_t *at);
	/* The same, of code that notes where it stands, for a jump back to there: __builtin_setjmp(). */
	bool (*notes_place)(const uint8_t *code, size_t size, size_t *at);

	/* What becomes of the word that holds a function's return address? */
	enum fc_slot_use (*slot_use)(const uint8_t *code, size_t size);
};

/* Windows, and the jumps that are written over them. */
struct fc_arch_jumps {
	/*
	 * A far jump takes far_size bytes; a near one near_size, and reaches near_reach bytes
	 * from its end.
	 */
	uint8_t far_size, near_size, near_reach;
	uint8_t long_size;		      /* of a jump to anywhere */
	uint64_t far_reach;		      /* bytes, with room for what may lie between */
	const char *far_tactic, *near_tactic; /* how a trace names them */

	/*
	 * The window at a function that starts at vaddr: at least need bytes move, of which the
	 * first jump_size (far or near) are overwritten. code holds room bytes from vaddr on,
	 * to the end of its section; next is the vaddr of the next function, 0 none. NULL, or
	 * the reason why it is not possible.
	 */
	const char *(*window)(const uint8_t *code, size_t room, uint64_t vaddr, uint64_t next,
			      uint8_t jump_size, uint8_t need, struct fc_window *ret);

	/* The far_size or near_size bytes that jump from from to to. */
	void (*make_jump)(uint64_t from, uint64_t to, uint8_t *ret);
	void (*make_near_jump)(uint64_t from, uint64_t to, uint8_t *ret);
	void (*make_long_jump)(uint64_t to, uint8_t *ret);

	/*
	 * Where can a far jump at from lead of which only the first nr_free bytes are written?
	 * code: the far_size bytes there; its others stay. To all of [first, last].
	 */
	void (*pun)(uint64_t from, const uint8_t *code, uint8_t nr_free, uint64_t *first,
		    uint64_t *last);
};

/* Who knows where the symbols of a file are. */
struct fc_symbol_finder {
	bool (*find)(void *ctx, const char *name, uint64_t *ret);
	void *ctx;
};

/* Static probes (elf/probes.h). */
struct fc_arch_probe {
	/* The arguments that a note tells of. Returns how many. */
	size_t (*operands)(const char *args, const struct fc_symbol_finder *finder,
			   struct fc_sdt_operand ret[FC_MAX_SDT_OPERANDS]);

	/* Where a door of the agent's sees argument i. */
	void (*place)(const struct fc_sdt_operand *operand, uint8_t i, struct fc_location *ret);

	/* Bytes that an instruction there takes which does nothing; 0: it does something. */
	size_t (*nop_size)(const uint8_t *code, size_t room);

	/* Is there a jump that takes from a register or memory where it leads? */
	bool (*is_computed)(const uint8_t *code, size_t room);
};

/* Stubs: made as bytes, for a place; and what is written over them later. */
struct fc_arch_stub {
	const uint32_t *places; /* [FCA_NR_PLACES] */

	/* Upper bound of the size of a stub. */
	size_t (*stub_size)(enum fc_stub_kind kind, const struct fc_window *window,
			    bool can_count);

	/* And of what it gets more when values are asked for, at its entry or at its exit. */
	size_t (*values_size)(const struct fca_fetches *fetches, bool is_exit);
	/* Where its code for values begins at the entry, by a stub's first bytes; 0: it has none. */
	size_t (*values_off)(const uint8_t stub[FC_STUB_BEGIN]);

	/* Where in a stub of this kind what leads to it goes. */
	size_t (*entry_off)(enum fc_stub_kind kind);

	/* Write a stub; returns its size, or 0 when an operand cannot reach from there. */
	size_t (*emit_stub)(const struct fc_stub *stub, uint8_t *ret);

	/*
	 * Where in the stub the window's instructions are, in order, the first of them too. The
	 * end of the window is among them when a thread can stand there that will go back into
	 * the window: behind a system call that the kernel may restart. Returns how many.
	 */
	size_t (*moves)(const struct fc_stub *stub, struct fc_move ret[FC_MAX_MOVES]);

	/*
	 * The switch of a stub that records: on, its first instruction does nothing; off, that is a
	 * jump to the body, or to where the call is only counted. By the stub's first bytes what is
	 * written over them; returns how many bytes: a thread that is about to execute them sees
	 * those before, or these, and nothing in between.
	 */
	size_t (*make_switch)(const uint8_t stub[FC_STUB_BEGIN], bool is_on,
			      uint8_t ret[FC_MAX_SWITCH]);

	/* Where the stub of size bytes, at most, reads %gs. Returns how often. */
	size_t (*strand_reads)(enum fc_stub_kind kind, const uint8_t *stub, size_t size,
			       struct fc_strand_read ret[FC_MAX_STRAND_READS]);

	/*
	 * For a program that has %gs for itself. The detour_size bytes at at by which a stub finds
	 * in the table of threads what it would read; and what is written over the read: a jump to
	 * the detour, or (0) what asks the agent in any case. Returns how many bytes.
	 */
	uint8_t detour_size;
	void (*make_detour)(const struct fc_strand_read *read, uint64_t stub, uint64_t at,
			    uint64_t table, uint8_t *ret);
	size_t (*drop_strand_read)(const struct fc_strand_read *read, uint64_t stub,
				   uint64_t detour, uint8_t *ret);

	/*
	 * These instructions have run, at the start of a stub or of a body: may they run again, as
	 * if they had not, when the stack pointer is higher by *raise?
	 */
	bool (*may_run_again)(const uint8_t *code, size_t size, uint64_t *raise);
};

/* A thread in a ptrace stop, on a machine of this kind. */
struct fc_arch_thread {
	uint16_t regs_size;	  /* bytes of its registers: struct fc_regs */
	const uint8_t *reg_words; /* [FC_NR_REGS]: where each is */
	bool has_user_area;	  /* PTRACE_POKEUSER writes the same words, each alone */
	uint64_t trap_flag;	  /* set in the flags that a stepped thread saves */

	/* What makes it stop before the instruction at taddr, in order; 0: nowhere any more. */
	void (*breakpoint)(uint64_t taddr, struct fc_user_word ret[FC_BREAK_WORDS]);

	/* Bytes below the stack pointer that may be in use. */
	uint8_t red_zone;

	/* Bytes by which a return raises the stack pointer: the word of the return address. */
	uint8_t slot_size;

	/*
	 * Is word i, of nr of a stack, the place of the next instruction in a signal's frame? *sp:
	 * the stack pointer there. Frames of handlers that have ended may look so, too.
	 */
	bool (*is_interrupted)(const uint64_t *words, size_t nr, size_t i, uint64_t *sp);

	/*
	 * Are the bytes at off, of so many from taddr on, among the vector registers that the kernel has
	 * saved in a signal's frame, which lies there as a whole?
	 */
	bool (*is_saved_vector)(uint64_t taddr, const uint8_t *bytes, size_t size, size_t off);

	/*
	 * The code of a cave at taddr, and its FC_CAVE_IP; the other bytes are not written. again:
	 * the system call that the thread was in is to be made again. last: one more that the thread
	 * makes before it goes on; NULL: none. Returns where in the cave that is made.
	 */
	size_t (*make_cave)(const struct fc_regs *regs, bool again,
			    const struct fc_last_call *last, uint64_t taddr,
			    uint8_t ret[FC_CAVE_SIZE]);

	/*
	 * It is to run the machine's own code, such as a cave, with these registers: it may stand in
	 * code of another mode (a 64-bit program's 32-bit code), where the same bytes mean something
	 * else. The cave leads back to that mode.
	 */
	void (*to_native_mode)(struct fc_regs *regs);

	/*
	 * Is it a door of the agent's that has done nothing yet? Then: where its stub goes on,
	 * and the registers as they were when the stub was come to. saved: at the stack pointer.
	 */
	bool (*is_door)(const uint8_t code[FC_DOOR_SIZE]);
	uint64_t (*door_goes_on)(const struct fc_regs *regs);
	void (*leave_door)(struct fc_regs *regs, const uint64_t saved[FC_DOOR_SAVED]);

	/* The system call by which a thread says where its strand is. */
	void (*strand_call)(uint64_t strand, uint64_t *nr, uint64_t arg[6]);

	/* enum fca_found_by: where a program wants the strand's register for itself. */
	uint32_t (*found_without)(uint64_t hwcap2);
	/* As messages call that register, and what lets programs set it without a system call. */
	const char *strand_register, *fast_registers;
};

/* Where values are, by the rules of the machine's ABI. */
struct fc_arch_abi {
	/* Does a door of the agent's see what is in this register, or on the stack? */
	bool (*can_fetch)(const struct fc_piece *piece);

	/*
	 * Can it be seen that the function returns a number of at most 32 bits? Then its result is
	 * not in memory, whose address its caller would pass. False says nothing.
	 */
	bool (*returns_narrow)(const uint8_t *code, size_t size);

	/*
	 * What code does with registers as it goes straight on, up to a call, a jump, a return, or
	 * bytes that are no instruction; a branch that may be taken is not.
	 */
	void (*reg_uses)(const uint8_t *code, size_t size, struct fc_reg_uses *ret);

	uint64_t arg_regs; /* general registers that may pass arguments, as bits of those */

	/* Bytes of the largest vector that code has in a register; 0: of none. */
	uint32_t (*widest_vector)(const uint8_t *code, size_t size);

	/* The kind and number of a register that may hold an argument: "rdi". False: none is. */
	bool (*named)(const char *name, struct fc_piece *ret);
	const char *all_named; /* those that it knows, for people */

	/*
	 * Where the nr parameters of a function of C or C++ are at its entry, and its result at its
	 * return, by the rules of the machine's ABI. Those passed for "..." may be among them, as
	 * they are promoted. A result of size 0 is none.
	 */
	void (*locate)(const struct fc_shape *result, const struct fc_shape *params, size_t nr,
		       struct fc_location *ret_result, struct fc_location *ret_params);
};

/*
 * A port, by its stages (docs/howto-port.md): each is whole, or NULL, which means "not yet". A stage needs those before
 * it, but for the last one, which is for values; no port is without the first one. What is optional in one says so.
 */
struct fc_arch {
	const char *name;
	uint16_t elf_machine; /* EM_… */
	const char *triplet;  /* of Debian's folders of libraries */

	/* Address space. Pages of a process begin and end at multiples of page_size. */
	uint64_t page_size;
	uint64_t end;	      /* of what a process may have */
	uint64_t pools_below; /* the end of where stubs are put */

	const struct fc_arch_code *code;
	const struct fc_arch_jumps *jumps;
	const struct fc_arch_stub *stub;
	const struct fc_arch_thread *thread;
	const struct fc_arch_abi *abi;
	const struct fc_arch_probe *probe; /* NULL: probes cannot be hooked */
};

/* What a call leaves: the CFA and the return address. Registers are DWARF's numbers. */
struct fc_call_frame {
	uint16_t elf_machine;
	uint8_t sp;
	int8_t cfa_off, return_off; /* return_off from the CFA; 0: in its register */
	uint8_t nr_ints;	    /* general registers, from 0 on */
	uint8_t first_vector, nr_vectors;
	uint32_t kept; /* a bit for each general one that keeps its value, and passes none */
};

/* Also of machines without a port. NULL: not known. */
const struct fc_call_frame *fc_arch_call_frame(uint16_t elf_machine);

/* NULL: no port. */
const struct fc_arch *fc_arch_find(uint16_t elf_machine);

/* The machines that there are ports to, one by one; NULL: no more. */
const struct fc_arch *fc_arch_at(size_t i);

/* Stage i of a port, from 0 on: what it is for, and whether it is there. NULL: there are no more. */
const char *fc_arch_stage(const struct fc_arch *arch, size_t i, bool *is_there);

extern const struct fc_arch fc_arch_x86_64;

/* The machine that this program is built for, and whose programs it can trace. NULL: no port. */
extern const struct fc_arch *const fc_arch_here;

/* The page of fc_arch_here that an address is in, and the first that begins there or behind. */
static inline uint64_t fc_page_down(uint64_t taddr)
{
	return taddr & ~(fc_arch_here->page_size - 1);
}

static inline uint64_t fc_page_up(uint64_t taddr)
{
	return fc_page_down(taddr + fc_arch_here->page_size - 1);
}

#endif
