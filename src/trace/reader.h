/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader.h - a trace file read back (docs/format.md).
 *
 * Any file is safe to open: each packet is checked (bounds, checksum) before it is used;
 * damaged ones are left out and said.
 */
#ifndef FC_TRACE_READER_H
#define FC_TRACE_READER_H

#include "trace/clock.h"
#include "trace/event.h"
#include "trace/func_ref.h"
#include "trace/off_funcs.h"
#include "trace/source.h"

struct fc_reader;

/*
 * -ENOENT, -EACCES…: cannot be opened. -ENODATA: empty. -EBADMSG: not a trace, or damaged
 * before its session packet. -EPROTONOSUPPORT: of a later version. Each with a sentence.
 * A trace that was cut or damaged further on opens, and fc_reader_trouble() tells.
 */
int fc_reader_open(const char *path, struct fc_reader **ret);
/* The same for size bytes that stay the caller's and outlive the reader. */
int fc_reader_open_memory(const void *bytes, size_t size, const char *name,
			  struct fc_reader **ret);
void fc_reader_close(struct fc_reader *reader);

/* The file's, as it was opened. */
const char *fc_reader_name(const struct fc_reader *reader);

struct fc_totals {
	uint64_t calls;	  /* ENTRY + TAIL + ENTRY_ONLY records */
	uint64_t records; /* marks among them */
	uint64_t marks;
	uint64_t lost;		   /* records lost, exactly */
	uint64_t waits, waited_ns; /* of the program, for room in a ring: all strands */
	uint64_t bytes;		   /* size of the file */
	uint64_t hooked, entry_only, skipped; /* functions, over all modules */
	uint64_t duration_ns; /* from the session's start to the last thing known */
	bool is_complete;     /* has its end packet */
	int wait_status;      /* of the first program; -1 when not complete */
};

/* Totals of marks take packets to read that opening passes over: one thread asks first. */
void fc_reader_totals(struct fc_reader *reader, struct fc_totals *ret);
/* The totals that need no pass over the trace. */
uint64_t fc_reader_duration_ns(struct fc_reader *reader);
uint64_t fc_reader_nr_calls(const struct fc_reader *reader);

/*
 * One sentence on what is missing ("t.data is cut off…"), or NULL: all is there. Opening
 * looks at the index, not at every packet of events; what a cursor or fc_reader_verify()
 * finds damaged is told here afterwards. It lasts until the trace is read again.
 */
const char *fc_reader_trouble(const struct fc_reader *reader);

/*
 * What was wanted is read. If that was all events, those packets are looked at, too, that only
 * sums and searches need: a trace that was read whole is checked whole.
 */
void fc_reader_check_rest(struct fc_reader *reader);

/* Look at every packet now. 0, or -EBADMSG with the trouble as sentence. */
int fc_reader_verify(struct fc_reader *reader);

const struct fc_clock *fc_reader_clock(const struct fc_reader *reader);
int fc_reader_argc(const struct fc_reader *reader);
const char *fc_reader_arg(const struct fc_reader *reader, int i);
const char *fc_reader_options(const struct fc_reader *reader);
/* A flight recorder's: what was open before the newest records is told by RESUME marks. */
bool fc_reader_is_flight(const struct fc_reader *reader);
const char *fc_reader_machine(const struct fc_reader *reader); /* "Linux 6.1.0 x86_64, CPU…" */

/*
 * Packets that are decoded from now on are told to progress, in records; NULL: to nobody. It outlives
 * the reader.
 */
struct fc_progress;
void fc_reader_watch(struct fc_reader *reader, struct fc_progress *progress);

/* Modules 0..nr-1 in the order they were told; id = index + 1. */
size_t fc_reader_nr_modules(const struct fc_reader *reader);
const struct fc_module_info *fc_reader_module(const struct fc_reader *reader, size_t i);

/* O(1). The strings live as long as the reader. */
struct fc_func_ref fc_reader_func(const struct fc_reader *reader, uint32_t id);
uint32_t fc_reader_max_func(const struct fc_reader *reader); /* ids are 1..max */
/* Those that stand for time off the CPU; NULL: none does. */
const struct fc_off_funcs *fc_reader_off_funcs(const struct fc_reader *reader);

/* Lives (processes, threads, sentences) in order of time. */
size_t fc_reader_nr_lives(const struct fc_reader *reader);
const struct fc_life_info *fc_reader_life(const struct fc_reader *reader, size_t i);

/*
 * What was planned for a file became of it where it was mapped. It was not where a program has made
 * something else of its code, or where there was no place for stubs.
 */
bool fc_reader_was_mapped(const struct fc_reader *reader, const struct fc_module_info *module);

/* Where modules were mapped, in the order of the trace. */
size_t fc_reader_nr_maps(const struct fc_reader *reader);
const struct fc_map_info *fc_reader_map(const struct fc_reader *reader, size_t i);

/* Functions whose calls were told in another way from some time on, in the order it was told. */
size_t fc_reader_nr_hooks(const struct fc_reader *reader);
const struct fc_hook_info *fc_reader_hook(const struct fc_reader *reader, size_t i);
/* Calls of a function that were only counted. */
uint64_t fc_reader_counted(const struct fc_reader *reader, uint32_t func);

/* Tables of what fetched values mean (values/formats.h), in the order they were told. */
size_t fc_reader_nr_values(const struct fc_reader *reader);
const void *fc_reader_values(const struct fc_reader *reader, size_t i, size_t *size);

size_t fc_reader_nr_strands(const struct fc_reader *reader);
const struct fc_strand_info *fc_reader_strand(const struct fc_reader *reader, size_t i);
/* Has it gone on in other threads than its first, which is the one of fc_reader_strand()? */
bool fc_reader_strand_has_moved(const struct fc_reader *reader, size_t i);
/* May there be events of this thread in it? Of one that has moved not each is. */
bool fc_reader_strand_may_be(const struct fc_reader *reader, size_t i, int tid);

/* The same sums as in fc_totals, of one strand. */
struct fc_strand_totals {
	uint64_t calls, records, marks, lost, waits, waited_ns;
};

void fc_reader_strand_totals(struct fc_reader *reader, size_t i, struct fc_strand_totals *ret);

/* Which part of a trace to read. Zeroed: all. */
struct fc_choice {
	uint64_t from_tsc;
	int pid, tid;	 /* 0: any; of a strand that has moved there all events are told */
	uint32_t strand; /* its id; 0: any */
};

/* All of that is read from here on, up to to_tsc (0: to the end): who watches is told how much it is. */
void fc_reader_begin_pass(const struct fc_reader *reader, const struct fc_choice *choice,
			  uint64_t to_tsc);

/*
 * Events of all strands merged by time (ties: by strand), from the first or from a time on.
 * Memory is bound by the number of strands that are live at a time, not by the trace.
 *
 * Besides what was recorded there is a FC_MARK_END where a strand ended, and where a
 * damaged packet is passed over a FC_MARK_LOST with the records missing here, followed by
 * FC_ENTRY records of the calls that are open after it. fc_totals counts neither.
 */
struct fc_cursor;
/*
 * Of the strands that are chosen, from the packets that hold its from_tsc: each that has packets
 * before begins with a FC_MARK_BEGIN, then FC_ENTRY records, at their true times, of the calls (the
 * innermost 1024) that were open then. Strands that had ended are left out.
 */
struct fc_cursor *fc_cursor_create(struct fc_reader *reader, const struct fc_choice *choice);
/*
 * A time from which on there are at least nr records of what is chosen, begun no later than
 * to_tsc, or the choice's from_tsc, if there are fewer. From the index alone.
 */
uint64_t fc_reader_last_from(const struct fc_reader *reader, const struct fc_choice *choice,
			     uint64_t to_tsc, uint64_t nr);
/* A cursor for strand 0..nr-1 alone, from one of its packets (see peek.h) on; begins as that above. */
struct fc_cursor *fc_cursor_create_strand(struct fc_reader *reader, size_t strand,
					  size_t packet);
/* At first: nobody is to be told of FC_MARK_VALUES, which is faster. */
void fc_cursor_skip_values(struct fc_cursor *cursor);
void fc_cursor_destroy(struct fc_cursor *cursor);
/*
 * 0 at the end, 1 with *ret filled. Damaged packets are passed over, and marks of a later version
 * (see trouble).
 */
int fc_cursor_next(struct fc_cursor *cursor, struct fc_event *ret);
/*
 * The next ones, up to nr of them and up to the next mark: as that above and much faster. 0 at
 * the end. fc_cursor_place() is not told.
 */
size_t fc_cursor_run(struct fc_cursor *cursor, struct fc_event *ret, size_t nr);

/* The place of the last event. */
struct fc_cursor_place {
	size_t packets; /* of its strand, up to and with its own */
	bool is_record; /* false: told because of a gap, or because the cursor begins here */
};
struct fc_cursor_place fc_cursor_place(const struct fc_cursor *cursor);

#endif
