/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.h - the stack machine of call.h for packets of one strand, as fast as they can be
 * decoded; it can begin in the middle of a strand, where some calls are open.
 *
 *            floor: open before the first packet          pushed since
 *     frame  main   serve   read_line                     parse   next_char
 *
 * The sink is told of calls that were pushed since, when they end. What is done to the floor is
 * kept in floor_leaves, for who knows these calls from their begin on.
 */
#ifndef FC_CALLS_MACHINE_H
#define FC_CALLS_MACHINE_H

#include "base/vec.h"
#include "calls/call.h"
#include "calls/ends.h"
#include "calls/waited.h"
#include "trace/packets.h"

enum {
	FC_FRAME_RECURSIVE = 1,
	FC_FRAME_INHERITED = 2,
	FC_FRAME_RESUMED = 4,
	FC_FRAME_OFF_CPU = 8,
};

/* An open call. func 0: it was entered within a gap. */
struct fc_frame {
	uint64_t begin_tsc;
	uint64_t child_ticks;
	struct fc_waited waited;
	uint32_t func;
	uint8_t flags;
};

/* Room for want frames, and one of zeros in front of the first; frames may be NULL. */
struct fc_frame *fc_frames_grow(struct fc_frame *frames, size_t *room, size_t want);
void fc_frames_free(struct fc_frame *frames);

struct fc_floor_leave {
	uint64_t end_tsc;
	uint64_t child_ticks;	 /* of what it called since the floor was laid */
	struct fc_waited waited; /* so is this */
	uint8_t left;
};

struct fc_machine {
	const struct fc_reader *reader;
	const struct fc_ends *ends;
	const struct fc_off_funcs *off_funcs; /* NULL: nothing stands for time off the CPU */
	struct fc_call_sink *sink;
	const uint32_t *group; /* by function id, for all there can be; NULL: itself */

	struct fc_frame *frames; /* one before the first, which is none; then the outermost */
	size_t nr, room;
	size_t nr_floor;
	FC_VEC(struct fc_frame) laid;		    /* the floor as it was laid */
	FC_VEC(struct fc_floor_leave) floor_leaves; /* the innermost first */
	uint32_t *nr_open;			    /* by group: calls among the frames */
	size_t nr_groups;			    /* that there is room for */
	struct fc_announced announced;
	/*
	 * How many calls the packets' own records leave open, which is what their returns are of:
	 * fewer than frames behind a gap, more behind an end.
	 */
	size_t nr_told;

	struct fc_decoder dec;
	uint32_t next; /* record of the packet */
	unsigned shift;
	uint64_t now, limit, stop;	   /* ticks; stop: of the limit and the next end */
	const struct fc_strand_info *info; /* of the strand */
	uint64_t next_end;
	struct fc_call call; /* what the sink is told, filled in as far as it stays the same */
};

void fc_machine_init(struct fc_machine *machine, const struct fc_reader *reader,
		     const struct fc_ends *ends, const uint32_t *group,
		     struct fc_call_sink *sink);
void fc_machine_deinit(struct fc_machine *machine);

/*
 * Run packets first to first + nr of strand i (of fc_reader_nr_strands()). The floor is what
 * the first packet says was open before. -EBADMSG: a packet is damaged, or does not tell all
 * that is open; the sink has been told too much then.
 */
int fc_machine_run(struct fc_machine *machine, size_t i, size_t first, size_t nr);
/* Forget the frames, once they were taken over. */
void fc_machine_clear(struct fc_machine *machine);

/* An open call ended: tell the sink, and the frame around it. */
void fc_frame_leave(struct fc_frame *frame, struct fc_call_sink *sink, struct fc_call *call,
		    uint64_t tsc, enum fc_left left);

#endif
