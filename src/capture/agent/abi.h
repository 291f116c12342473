/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abi.h - the treaty between the controller, the stubs and the agent in the target.
 *
 *   agent image (code, then data)     arena: memfd, shared with controller and children
 *   +--------+-------------------+    +---------+-------------------+--------+-----
 *   | header | code | fca_config |    | control | ring 0 | counters | ring 1 | ...
 *   +--------+-------------------+    +---------+-------------------+--------+-----
 *
 *   strand (private memory, one a stack)
 *                                      | %gs points here
 *   ------------------+----------------+------------------------+--------------------------
 *    truth,           | kept over fork | wiped on fork: cursor, | shadow stack, grows up
 *    grows downwards  | shadow, self   | limit, low             |
 *   ------------------+----------------+------------------------+--------------------------
 *
 * This header knows no libc: the agent has none.
 */
#ifndef FC_CAPTURE_AGENT_ABI_H
#define FC_CAPTURE_AGENT_ABI_H

#ifndef __ASSEMBLER__
#include <asm/unistd.h>
#include <stdint.h>
#endif

/* Changes with everything here: what another version left in a process is not touched. */
#define FCA_MAGIC 0x62636649 /* "Ifcb" */

/* Bytes of the pages that strands are made of: struct fc_arch has the same. */
#define FCA_PAGE 4096

/*
 * Offsets from a strand's address, which is where its second page begins. %gs is that
 * address, and the word before it too: a stub reads it once, since a signal handler on
 * another stack may leave another strand in %gs.
 */
#define FCA_STRAND_ROOM	  -32 /* down to here its stack is certainly its own */
#define FCA_STRAND_THREAD -24 /* %fs of the thread that used it last */
#define FCA_STRAND_SHADOW -16 /* address of the top entry of the shadow stack */
#define FCA_STRAND_SELF	  -8  /* address of the strand itself */
#define FCA_STRAND_CURSOR 0   /* address of the ring's next free word */
#define FCA_STRAND_LIMIT  8   /* cursor at which the agent must be asked */
#define FCA_STRAND_LOW	  16  /* lowest stack address that is known to be this strand's */
#define FCA_STRAND_COUNTS 24  /* address of its counters, one for each function; 0: none */
#define FCA_STRAND_MARKED 88  /* words written behind the heads of marks */
#define FCA_STRAND_OFF	  32  /* a byte: record nothing; its limit is below its cursor then */

#define FCA_STRAND_HIGH (-FCA_PAGE + 32) /* first address above its stack */

/* What the agent's C code and a door need of a stack is less (tests/capture/agent/depth.py counts it). */
#define FCA_ROOM 3840

/*
 * The agent's own stacks, for where there is no such room. From the upper end of one: the stack
 * pointer of who called the agent there.
 */
#define FCA_NR_STACKS  32
#define FCA_STACK_SIZE FCA_PAGE
#define FCA_STACK_SP   -8

#define FCA_CONFIG_QUIET    8 /* offset of is_quiet in struct fca_config */
#define FCA_CONFIG_FOUND_BY 12
#define FCA_CONFIG_CLOSING  16
#define FCA_CONFIG_WORD	    20 /* offset of thread_word */

#define FCA_KEEPER_DIED 0x40000000 /* FUTEX_OWNER_DIED: in struct fca_arena's keeper */

/* Pointers at the start of each stub pool, 8 bytes each, by which its stubs reach the agent. */
#define FCA_POOL_ENTRY	    0
#define FCA_POOL_EXIT	    1
#define FCA_POOL_ENTRY_ONLY 2
#define FCA_POOL_UNWIND	    3
#define FCA_POOL_DL	    4
#define FCA_POOL_FILTER	    5
#define FCA_POOL_GO	    6
#define FCA_POOL_LEDGER	    7 /* not a pointer: uint32_t offset and number of its patches */
#define FCA_POOL_COUNT	    8
#define FCA_POOL_EDGE	    9
#define FCA_POOL_VALUES	    10	/* of a call, before its entry is recorded */
#define FCA_POOL_RESULT	    11	/* before its exit is */
#define FCA_POOL_HEAD	    128 /* bytes */

/*
 * Where %gs is the program's own, strands are found by %fs, and each read of %gs in a stub is a
 * jump to its detour. Detours are in pools of their own, whose first pointer is 0. A table of
 * FCA_NR_THREADS strands is in the agent's data.
 */
#define FCA_NR_THREADS_LOG2 16
#define FCA_NR_THREADS	    (1u << FCA_NR_THREADS_LOG2)
#define FCA_THREAD_FACTOR   0x9e3779b1

/*
 * At FCA_PLACE_LOOPS of a stub with an exit: a byte, of which bit 0 is set if the function jumps
 * to its own start. Above it: which of struct fca_config's watches its calls are under + 1; 0:
 * none. A stub that is watched comes to the agent at each entry and exit, which record in its
 * place.
 */
#define FCA_WATCH_SHIFT 1
#define FCA_MAX_WATCHES 100
/*
 * In the place of a watch: its thread is recorded from there on, or no more. A gate that turns it on says so by a value
 * of its own, as its stub comes to the agent like a gate's in any case.
 */
#define FCA_SWITCH_ON_GATE 0x7d
#define FCA_SWITCH_ON	   0x7e
#define FCA_SWITCH_OFF	   0x7f

#define FCA_SHADOW_SIZE (128u << 20) /* bytes of address space; only what is used is backed */
/* An attic has as many bytes, and what can be written where no more can be opened later. */
#define FCA_SHADOW_AT_ONCE(shadow_size)                                                        \
	((shadow_size) < (16u << 20) ? (shadow_size) : (16u << 20))
#define FCA_SHADOW_BEGIN (64u << 10) /* of these may be written from the beginning */
#define FCA_STRAND_HEAD	 8192	     /* bytes of a strand below its shadow stack */
/*
 * Of a strand: a word for each entry of its shadow stack (unwinding.c, disarm()), its head, and the
 * shadow stack. What may be written is one mapping but for the wiped page: mappings are scarce
 * (vm.max_map_count), and a program may have thousands of threads.
 */
#define FCA_STRAND_BELOW(shadow_size) ((shadow_size) / 2)
#define FCA_STRAND_BYTES(shadow_size)                                                          \
	(FCA_STRAND_BELOW(shadow_size) + FCA_STRAND_HEAD + (shadow_size))
#define FCA_STRAND_MAPS	  4
#define FCA_NR_HOPS	  64 /* of one module; ledgers tell of those before */
#define FCA_MAX_POOLS	  1024
#define FCA_MAX_FIXED	  1024
#define FCA_MAX_RINGS	  16384 /* of an arena: see fca_nr_rings() */
#define FCA_MAX_STRANDS	  16384
#define FCA_NR_COUNTERS	  (1u << 19) /* of each ring, when calls are counted */
#define FCA_NR_DESKS	  16
#define FCA_NR_SPARES	  8
#define FCA_NR_HELD	  8
#define FCA_SEGMENT_WORDS 8192 /* the agent is asked at least this often */
#define FCA_KEPT_WORDS	  64

/*
 * When calls are counted by caller, a table of edges lies where the counters would be, a
 * struct fca_edges. The lowest bits of an edge's calls are its function's id.
 */
#define FCA_EDGES_HEAD	 4096	    /* bytes before the first */
#define FCA_NR_EDGES	 (1u << 18) /* places where an edge is looked for first */
#define FCA_EDGES_TAIL	 256	    /* more places, behind the last of them */
#define FCA_EDGE_CALLS	 24	    /* bits of the id */
#define FCA_EDGE_IS_MANY (1u << 23) /* a bit of the id: it counts 2^39 calls at once */
#define FCA_EDGES_WORDS	 (FCA_EDGES_HEAD / 8 + (FCA_NR_EDGES + FCA_EDGES_TAIL) * 2)
#define FCA_EDGES_PAGES	 ((FCA_NR_EDGES + FCA_EDGES_TAIL) / 256)

/*
 * System calls that the agent makes, and those that the controller has a thread make, are told from
 * the program's own in a trace of the kernel: by the upper half of a word of which the kernel takes
 * the lower half, or nothing.
 *
 *	gettid(-, -, -, -, -, OWN | 0)   mmap(addr, len, prot, flags, OWN | fd, off)
 */
#define FCA_OWN_CALL 0x66637472

#ifndef __ASSEMBLER__

/* In the id of an unwinder's stub, in place of a record's kind: what becomes of its callers. */
enum fca_unwind {
	FCA_UNWIND_WALKS = 0,	/* nothing: it looks and returns */
	FCA_UNWIND_RAISES,	/* it may leave them, or return when none catches */
	FCA_UNWIND_FORCES,	/* it leaves them */
	FCA_UNWIND_JUMPS,	/* no unwinder, but longjmp: it leaves those below its target */
	FCA_UNWIND_JUMPS_LATER, /* the same; if it restores the signal mask, it calls first */
	FCA_UNWIND_SLICES, /* it copies its callers' frames away, and goes over to others */
	FCA_UNWIND_COMES,  /* so it has: now it brings these back */
};

/* How the strand of a thread is found. */
enum fca_found_by {
	FCA_BY_REGISTER = 0, /* the strand's register (%gs) points to it */
	FCA_BY_THREAD, /* that is the program's: by the thread's pointer (%fs), each thread's own */
	FCA_BY_TID, /* the same where that cannot be read: each call asks the agent */
};

/*
 * Without FSGSBASE: may a thread's pointer be read from the word that it points to, %fs:0? The ABI
 * of thread-local storage has it there (psABI, ELF TLS, variant II), but a thread that has no
 * such storage, as before libc has made it, would die of the read.
 */
enum fca_thread_word {
	FCA_WORD_UNKNOWN = 0, /* nobody has looked yet */
	FCA_WORD_READABLE, /* it may: the agent has found it, and each new thread is looked at */
	FCA_WORD_NEVER,	   /* some thread has none */
};

/* Why records are lost, of those that are counted in struct fca_arena's lost_by. */
enum fca_lost {
	FCA_LOST_FULL = 0, /* --loss=drop: there was no room in the ring */
	FCA_LOST_QUIET,	   /* no system call may be made, and one was needed */
	FCA_LOST_BLIND,	   /* the clock may not be read */
	FCA_LOST_NO_RING,  /* none was free, or no memory for a strand */
	FCA_LOST_DEEP,	   /* the shadow stack has no room */
	FCA_NR_LOST,
};

/* What a stub of the filter's door watches, in the low bits of its function's id. */
enum fca_watch {
	FCA_WATCH_FILTER = 0, /* prctl, syscall: system calls may end */
	FCA_WATCH_TRACE,      /* ptrace */
	FCA_WATCH_LEND,	      /* a sanitizer's: its threads get a tracer of its own */
	FCA_WATCH_RIGHTS,     /* setuid and its like: its process may have other rights then */
	FCA_WATCH_WRITE,      /* mprotect: code may be written */
	FCA_WATCH_LIMIT,      /* setrlimit, prlimit: memory may be limited */
	FCA_WATCH_LOCK,	  /* mlockall: what is mapped is limited; madvise: it may be dropped */
	FCA_WATCH_CALLER, /* a profiler's: an argument is where its caller returns to */
};

/* First bytes of the agent image; offsets are from the image's start. */
struct fca_header {
	uint32_t magic;
	uint32_t config; /* struct fca_config, start of the writable part */
	uint32_t entry, exit, entry_only, unwind, dl; /* for the pools' pointers */
	uint32_t root;		      /* the strand that %gs points to before the first hook */
	uint32_t size;		      /* of the whole image with its zeroed data */
	uint32_t strands, nr_strands; /* struct fca_strand *[FCA_MAX_STRANDS], uint32_t */
	uint32_t filter, go, count, edge; /* for the pools' pointers */
	uint32_t threads;		  /* uint64_t[FCA_NR_THREADS]: addresses of strands */
	uint32_t wiped;			  /* a page that a forked child begins with zeroed */
	uint32_t wait, wait_end; /* the code by which threads wait while it is closing */
	uint32_t values, result; /* for the pools' pointers */
	uint32_t stacks;	 /* FCA_NR_STACKS of FCA_STACK_SIZE bytes */
};

struct fca_shadow {
	uint64_t ret;  /* where the call really returns to; while disarmed: the stub's site */
	uint64_t slot; /* address of the return address on the stack */
};

/*
 * An entry's ret: its call is recorded, the slot holds the true return address, and the function
 * may come to its stub once more, which goes on with this call. No address that a program or a pool
 * has.
 */
#define FCA_SHADOW_RESTARTED(stub) (~(stub))

struct fca_pool {
	uint64_t lo, hi;
};

/*
 * The ledger of a pool: what was written over the module's code for it, so that the target
 * can be made as it was by a controller that knows nothing of it. size 0: nothing was written,
 * but pages were mapped from taddr on.
 */
enum fca_undo {
	FCA_UNDO_FIRST = 0,
	/* Looks at its return address: a function with a site there may still jump to it. */
	FCA_UNDO_LATE,
	/* An unwinder's: a stack that has sites may still be unwound. */
	FCA_UNDO_LAST,
};

#define FCA_MAX_PATCH 5 /* bytes: of the longest jump that is written; at most 15 */

struct __attribute__((packed)) fca_patch { /* large programs have many of these */
	uint64_t taddr;
	uint32_t stub : 28; /* its offset in the pool; of mapped pages, how often FCA_PAGE */
	uint32_t order : 2; /* undone in descending order */
	uint32_t undo : 2;  /* enum fca_undo */
	uint16_t size : 4;
	uint16_t kind : 5; /* of its stub: enum fc_stub_kind */
	uint16_t
		window : 7; /* bytes of whole instructions that moved into the stub; a hop's: 0 */
	int16_t from;	    /* a hop's: where the near jump to it is, relative to taddr */
	uint8_t old[FCA_MAX_PATCH], new[FCA_MAX_PATCH];
};

/* What the controller may know of a strand: its first page begins with this. */
struct fca_strand {
	uint64_t shadow_base; /* address of the floor entry; the next is the outermost call's */
	uint64_t shadow_end;  /* nearer than shadow_size, if memory was given back */
	uint64_t attic; /* address of FCA_SHADOW_AT_ONCE() bytes of struct fca_shadow, or 0 */
	uint64_t low, high;  /* slots of this stack are in between */
	uint64_t ring;	     /* address of its struct fca_ring; 0: none */
	uint32_t generation; /* the ring's when it was claimed; another: its thread is dead */
	int32_t pid, tid;    /* as the target sees them; tid 0: not in use */
};

enum fca_letter {
	FCA_LETTER_OBJECTS = 0, /* objects were loaded: controller, look */
	FCA_LETTER_GIVE_UP =
		1,	     /* let go of process arg[0], 0: of the sender: it gets a tracer */
	FCA_LETTER_LEND = 3, /* a tracer of its own comes to all threads of the sender */
	FCA_LETTER_RIGHTS = 4, /* the sender's rights are about to change */
	FCA_LETTER_WRITE = 5,  /* code from arg[0] up to arg[1] is about to be made writable */
	FCA_LETTER_FILTER = 6, /* the sender is about to install a seccomp filter */
	FCA_LETTER_NAME = 8,   /* the sender gives itself a name, of 16 bytes in arg */
	FCA_LETTER_DROP = 7,   /* what was written over code in such a range may be dropped */
	FCA_LETTER_DUMP = 2,   /* arg[0]: FCA_DUMP_WATCH_SHIFT; arg[1]: it took so many ticks */
};

/* Of FCA_LETTER_DUMP: which function was called, under which of the watches + 1. */
#define FCA_DUMP_WATCH_SHIFT 32

/*
 * Where a thread writes a letter and gets its answer: in memory of its process alone, which the
 * controller reads and writes through /proc. So nobody but the controller can give commands to
 * a process, and each word has one writer.
 *
 *	agent                           controller
 *	what, arg; asked = n   ------>
 *	                       <------  taken = n: wait, however long it takes
 *	                       <------  nr, call; command = k: make this system call
 *	result; answered = k   ------>
 *	                       <------  done = n: go on
 *
 * The agent takes a letter back by asked = 0; is it taken by then, it waits for its end.
 */
struct fca_desk {
	uint32_t owner; /* thread, as its process sees it; 0: free */
	uint32_t asked; /* the letter's number; 0: none */
	uint32_t what;	/* enum fca_letter */
	uint32_t answered;
	uint64_t arg[2];
	int64_t result;
	uint32_t last; /* number of the letter before */

	uint32_t taken; /* here the controller's words begin */
	uint32_t done;
	uint32_t command; /* 0: call is being written */
	uint64_t nr, call[6];
};

/* What a stub does. The number is in a ledger. */
enum fc_stub_kind {
	FC_STUB_CALL = 0,   /* entry and exit */
	FC_STUB_ENTRY_ONLY, /* entry; the return address stays as it is */
	FC_STUB_UNWIND,	    /* entry only, and the agent puts true return addresses back */
	FC_STUB_RAISE,	    /* the same, of one that may leave its callers */
	FC_STUB_FORCE,	    /* the same, of one that does not return */
	FC_STUB_JUMP,	    /* longjmp's: the agent reads where it goes */
	FC_STUB_JUMP_LATER, /* the same, of one that makes calls before */
	FC_STUB_SLICE,	    /* entry only, of one that copies frames of its stack away */
	FC_STUB_COME,	    /* what that calls on the stack that it has gone over to */
	FC_STUB_DL,	    /* ld.so's notice that objects were loaded: no record */
	FC_STUB_FILTER,	    /* entry only, and the agent looks whether system calls end */
	FC_STUB_TRACE,	    /* entry only, and the agent looks who is to be traced */
	FC_STUB_LEND,	    /* entry only, of one that has its threads traced by itself */
	FC_STUB_RIGHTS,	    /* entry only, and the agent asks for rings that are its own */
	FC_STUB_WRITE,	    /* entry only, and the agent looks whether code is to be written */
	FC_STUB_LIMIT, /* entry only, and the agent gives back memory that it does not use */
	FC_STUB_LOCK, /* the same, of mlockall; of madvise it looks whether hooks are dropped */
	FC_STUB_CALLER, /* entry only, and the agent passes true return addresses on */
	FC_STUB_GO,	/* entry only, on a goroutine's stack */
	FC_STUB_PROBE,	/* of a static probe: no entry, but a place in a function */
	/* What no plan asks for: others stand before. */
	FC_STUB_COUNT, /* no record: the call is counted */
	FC_STUB_EDGE,  /* the same, by caller */
	FC_STUB_NR_KINDS,
};

/*
 * Places in stubs, from a stub's start, that both sides use whatever the machine. A gate's byte is
 * 0, another one's is not: where there are gates, strands are off but while one is open, and a
 * gate's calls and returns come to the agent.
 */
enum fca_place {
	FCA_PLACE_EXIT =
		0,	 /* of a stub with an exit: where its function returns to, the site */
	FCA_PLACE_RETRY, /* where the entry is tried again: values, if any, were fetched */
	FCA_PLACE_AGAIN, /* the same of the exit */
	FCA_PLACE_BEGIN, /* all is done but to go to the body */
	FCA_PLACE_BODY,	 /* the function's first instructions */
	FCA_PLACE_ID,	 /* 32 bits: func << 3 | kind */
	FCA_PLACE_LOOPS, /* a byte: see FCA_WATCH_SHIFT */
	FCA_PLACE_GATE,	 /* a byte */
	FCA_PLACE_OTHER_BODY, /* the same of stubs without an exit */
	FCA_PLACE_OTHER_ID,
	FCA_PLACE_OTHER_GATE,
	FCA_PLACE_COUNT_BODY, /* of one that only counts */
	FCA_PLACE_COUNT,      /* 32 bits: its counter's offset */
	FCA_PLACE_EDGE_BODY,  /* of one that counts by caller */
	FCA_PLACE_EDGE_ID,    /* 32 bits: its function's id */
	FCA_PLACE_FETCHES,    /* from where a stub goes on that came with values */
	FCA_NR_PLACES,
};

/* The agent's own data: private to a process, copied by fork. Written by the controller. */
struct fca_config {
	uint64_t arena; /* address of struct fca_arena in the target */
	/*
	 * A seccomp filter may kill for any system call: the agent makes none any more. What
	 * strands need was mapped before. How many were asked for, less those that were refused.
	 */
	uint32_t is_quiet;
	uint32_t found_by; /* enum fca_found_by */
	uint32_t
		is_closing; /* who comes to the agent waits at its beginning: others leave it */
	uint32_t thread_word;		/* enum fca_thread_word */
	uint64_t ring_words;		/* a power of two */
	uint64_t nr_rings;		/* that are mapped here, at most FCA_MAX_RINGS */
	uint64_t max_strands;		/* at most FCA_MAX_STRANDS */
	uint64_t shadow_size;		/* bytes, at most FCA_SHADOW_SIZE */
	uint64_t new_shadow_size;	/* of strands from now on: at most shadow_size */
	uint64_t stack_low, stack_high; /* where only the main stack can be */
	uint64_t stack_mapped;		/* so far down it was mapped at the injection */
	uint64_t r_state;		/* address of r_debug.r_state, 0 unknown */
	uint32_t place[FCA_NR_PLACES];	/* of struct fc_arch */
	uint32_t nr_counters;	/* FCA_NR_COUNTERS, FCA_EDGES_WORDS; 0: nothing is counted */
	uint32_t is_edges;	/* calls are counted by caller; nothing is recorded */
	uint32_t is_count_only; /* nothing is recorded */
	uint32_t has_gates;	/* only what is called while a gate is open is recorded */
	uint32_t
		begins_off; /* a thread is not recorded before a function turns it on (FCA_SWITCH_ON) */
	/* --dump-on: calls of so many ticks are told of when they return; 0: all, at the entry. */
	uint64_t watch_ticks[FCA_MAX_WATCHES];
	uint64_t watch_nth[FCA_MAX_WATCHES]; /* of these calls only this one; 0: each */
	uint8_t watch_next[FCA_MAX_WATCHES]; /* another of the same functions + 1; 0: none */
	char memory_name[8];		     /* of the memfd, for who makes one */
	int32_t pid;			     /* at the injection, as the process sees it */
	uint32_t number; /* which process it is; 0: it has the pid that the controller sees */
	uint32_t has_fast_registers; /* these registers can be used without a system call */
	uint32_t is_blind;	     /* the program forbade itself to read the clock */
	/*
	 * The thread whose filter the controller has counted and may yet tell of that it was
	 * refused, as its process sees it; 0: none, or an agent has taken it off the count.
	 */
	uint32_t filter_by;
	uint32_t refused; /* so it was: the controller's word */
	uint32_t is_lent; /* to another tracer: nobody answers letters */
	/* Another process has limited its address space: what the agent is to heed; 0: nothing. */
	uint64_t told_limit;
	uint32_t
		is_whole; /* 0: hooks are being written, and a part of them alone may do harm */
	/* The agent's: a bit for each site whose calls attics got. */
	uint64_t kept[FCA_KEPT_WORDS];
	uint64_t waste; /* the agent's: nr_counters for calls that nobody asked for; 0: none */
	uint64_t spares[FCA_NR_SPARES]; /* memory for strands, mapped and zero; 0: none */
	struct fca_desk desks[FCA_NR_DESKS];
	struct fca_pool hops[FCA_NR_HOPS]; /* pages mapped for hops, the last ones; 0: none */
	/*
	 * Memory of loaded files that does not change, in ascending order, if values are asked for:
	 * pages.c. The turn is odd while the controller writes these.
	 */
	uint32_t fixed_turn, nr_fixed;
	struct fca_pool fixed[FCA_MAX_FIXED];
	uint32_t nr_pools;
	uint32_t
		nr_mapped; /* so many of these are there for certain; one behind them is about to be mapped */
	struct fca_pool pools[FCA_MAX_POOLS];
};

/* Which bit of struct fca_config's kept is a site's: several may have the same. */
static inline uint32_t fca_kept_bit(uint64_t site)
{
	return (uint32_t)(site * 0x9e3779b97f4a7c15ull >> 32) % (FCA_KEPT_WORDS * 64);
}

enum fca_ring_state {
	FCA_RING_FREE = 0,
	FCA_RING_CLAIMED = 1, /* being filled in by the agent */
	FCA_RING_USED = 2,
};

struct fca_ring {
	uint32_t state;	  /* enum fca_ring_state */
	int32_t pid, tid; /* as its process sees them; the thread that has the strand now... */
	uint32_t number;  /* ...which is that of struct fca_config; 0: as the controller, too */
	uint32_t generation; /* counts up when freed: a strand sees that its ring is gone */
	uint32_t kind;	     /* enum fc_strand_kind */
	int32_t first_tid;   /* the thread that claimed it */
	int32_t told_tid;    /* the one that its last records are of */
	uint32_t has_moved;  /* another has gone on: there are FC_MARK_MOVED */
	uint64_t tail;	     /* words consumed, by the controller */
	uint64_t lost;	     /* records dropped, by the agent */
	uint64_t lost_told;  /* of these, told in FC_MARK_LOST */
	uint32_t gate;	     /* futex: counts up with tail */
	uint32_t waiting;    /* the agent waits at the gate */
	/*
	 * Words that interrupted writers reserved and may yet write, though the tail has passed
	 * them: the agent steps over them. fca_held(); 0: none. By the controller, before the tail.
	 */
	uint64_t held[FCA_NR_HELD];
};

/* Words of a ring from a place on. */
static inline uint64_t fca_held(uint64_t place, uint64_t nr)
{
	return nr << 32 | (uint32_t)place;
}

static inline uint64_t fca_held_place(uint64_t held)
{
	return (uint32_t)held;
}

static inline uint64_t fca_held_nr(uint64_t held)
{
	return held >> 32;
}

/*
 * A ring that nobody drains is a row of segments. When the last one is full the first is begun
 * anew, and so on: what was written last is there, whoever has died. Each can be read alone:
 *
 *   | head: seq, records before, time, open calls | record | record | ... | 0 | 0 |
 */
struct fca_segment {
	uint64_t seq;	  /* 1 for the strand's first; written last, 0: not whole */
	uint64_t before;  /* records of this strand in earlier ones */
	uint64_t tsc;	  /* when it was begun: no record in it is older */
	uint32_t depth;	  /* calls that were open then... */
	uint32_t nr_told; /* ...and of how many of them func tells */
	uint64_t sum;	  /* of all else in the head */
	uint32_t func[];  /* the innermost first; 0: not known */
};

#define FCA_SEGMENT_HEAD 5 /* words before func */

static inline uint64_t fca_segment_words(uint64_t ring_words)
{
	uint64_t words = ring_words / 16;
	return words < FCA_SEGMENT_WORDS ? words : FCA_SEGMENT_WORDS;
}

/* A sixteenth of a segment may be its head. */
static inline uint32_t fca_segment_told_max(uint64_t segment_words)
{
	return (uint32_t)(segment_words / 16 - FCA_SEGMENT_HEAD) * 2;
}

/* Words of a head that tells of so many calls. */
static inline uint64_t fca_segment_head(uint32_t nr_told)
{
	return FCA_SEGMENT_HEAD + (nr_told + 1ull) / 2;
}

static inline uint64_t fca_segment_sum(const struct fca_segment *segment, uint64_t seq)
{
	uint64_t sum = seq * 31 + segment->before;
	sum = sum * 31 + segment->tsc;
	sum = sum * 31 + segment->depth;
	sum = sum * 31 + segment->nr_told;
	for (uint32_t i = 0; i < segment->nr_told; i++)
		sum = sum * 31 + segment->func[i];
	return sum;
}

/* Start of the memfd. */
struct fca_arena {
	uint32_t
		keeper; /* the controller's thread; FCA_KEEPER_DIED: it has died. First (keeper.c) */
	uint32_t bell; /* futex: the controller sleeps here */
	uint32_t asleep;
	uint32_t is_drop;   /* --loss=drop */
	uint32_t is_off;    /* record nothing for now */
	int32_t only_pid;   /* --no-follow: other processes record nothing; 0: all do */
	uint32_t nr_rings;  /* high-water mark */
	uint32_t nr_claims; /* times that a ring came into use: the drain looks for it */
	uint32_t nr_freed;  /* times that one became free: who found none looks again */
	uint32_t free_ring; /* the next one is looked for from here on */
	uint64_t no_ring;   /* records dropped because no ring was free, or no strand */
	uint64_t lost_by[FCA_NR_LOST]; /* records, no_ring and the rings' lost */
	uint32_t nr_unseen; /* times that objects were loaded and no letter could be sent */
	uint32_t is_ring;   /* --loss=ring: nobody drains, rings are made of segments */
	uint32_t no_dumps;  /* watched calls need not be told of any more */
	uint64_t watch_calls[FCA_MAX_WATCHES]; /* so far, of those with a watch_nth */
	uint64_t agent;	    /* address of the agent's image in every target of the arena */
	uint32_t is_shared; /* several processes may have it */
	uint32_t letters;   /* counts up when a letter is written, to a desk */
	uint32_t answers;   /* futex: counts up when a command was carried out */
	uint32_t told;	    /* futex: counts up when the controller has written to a desk */
	struct fca_ring rings[FCA_MAX_RINGS];
};

#define FCA_ARENA_HEAD 0x240000 /* bytes before ring 0 */

/* How often one caller's place called one function. */
struct fca_edge {
	uint64_t ret;	/* where the calls returned to; 0: a free place */
	uint64_t calls; /* << FCA_EDGE_CALLS | the function's id; 0: not to be counted */
};

struct fca_edges {
	uint64_t lost; /* calls that found no place */
	uint64_t nr;
	uint64_t pages[FCA_EDGES_PAGES / 64 + 1]; /* a bit for each 256 places: one is taken */
	uint64_t unused[FCA_EDGES_HEAD / 8 - 2 - FCA_EDGES_PAGES / 64 - 1];
	struct fca_edge at[FCA_NR_EDGES + FCA_EDGES_TAIL]; /* the last stays free */
};

/* Calls of one function from many places, and of many from one, are to be far apart. */
static inline uint32_t fca_edge_scatter(uint32_t func)
{
	return func * 0x9e3779b1u; /* 2^32 / the golden ratio */
}

/* Where an edge is to be looked for, and if another is there, behind it. */
static inline uint32_t fca_edge_index(uint64_t ret, uint32_t func)
{
	return (((uint32_t)ret ^ fca_edge_scatter(func)) >> 2) & (FCA_NR_EDGES - 1);
}

/* How many rings an arena has: as many as fit into 16 GiB, or some of those that are large. */
static inline uint64_t fca_nr_rings(uint64_t ring_words, uint64_t nr_counters)
{
	const uint64_t room = 16ull << 30, least = 1024;
	uint64_t nr = room / ((ring_words + nr_counters) * 8);
	return nr < least ? least : nr < FCA_MAX_RINGS ? nr : FCA_MAX_RINGS;
}

/* Where a thread's strand is told, by its %fs: stacks of threads lie apart by like distances. */
static inline uint32_t fca_thread_index(uint64_t fs)
{
	return (uint32_t)(fs >> 12) * FCA_THREAD_FACTOR >> (32 - FCA_NR_THREADS_LOG2);
}

/* Where ring i begins, from the arena's start; its counters are behind it. */
static inline uint64_t fca_ring_at(uint64_t i, uint64_t ring_words, uint64_t nr_counters)
{
	return FCA_ARENA_HEAD + i * (ring_words + nr_counters) * 8;
}

/* Which argument that is. */
static inline int fca_own_arg(uint64_t nr)
{
	enum { PID = 0, FD = 4, LAST = 5 };
	if (nr == __NR_mmap)
		return FD;
	return nr == __NR_process_vm_readv || nr == __NR_process_vm_writev ? PID : LAST;
}

static inline void fca_own_call(uint64_t nr, uint64_t arg[6])
{
	int i = fca_own_arg(nr);
	arg[i] = (uint32_t)arg[i] | (uint64_t)FCA_OWN_CALL << 32;
}

static inline int fca_is_own_call(uint64_t nr, const uint64_t arg[6])
{
	return arg[fca_own_arg(nr)] >> 32 == FCA_OWN_CALL;
}

#endif
#endif
