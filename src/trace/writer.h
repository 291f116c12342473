/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writer.h - the tap that writes a trace file (docs/format.md): packets, names, index.
 *
 * The first error (disk full, file vanished) is kept; everything written before it stays a
 * readable trace, later calls do nothing and return that error.
 */
#ifndef FC_TRACE_WRITER_H
#define FC_TRACE_WRITER_H

#include "trace/clock.h"
#include "trace/source.h"

struct fc_session {
	int argc;
	char *const *argv;   /* of the traced program */
	const char *options; /* fctrace's own options, as typed */
	bool is_flight;	     /* a flight recorder's: the newest records only */
	struct fc_clock clock;
	/*
	 * The records are not of this moment: times are kept to the tick, the clock is the one
	 * given, with both pairs, and machine is where they were made.
	 */
	bool is_told;
	const char *machine;
};

struct fc_writer;

/* The sums of a trace when it is closed. */
struct fc_writer_sums {
	uint64_t nr_lost; /* records that LOST marks told of */
	uint64_t nr_calls;
	uint64_t bytes;			 /* of the file, but for its end */
	uint64_t nr_waits, waited_ticks; /* for room in a ring, all strands together */
	uint64_t nr_nameless;		 /* functions with records, of which no name is known */
};

/*
 * Create path (an earlier regular file there becomes path.old; a pipe, a device or a
 * symbolic link is written to as it is) and write the session packet.
 * -errno with a sentence: cannot be created or written.
 */
int fc_writer_create(const char *path, const struct fc_session *session,
		     struct fc_writer **ret);

/* The tap to give to a source. Lives as long as the writer. */
struct fc_tap *fc_writer_tap(struct fc_writer *writer);

/*
 * fn sees the calls that the trace leaves open so far, of each strand from the outermost on;
 * begin_tsc is exact to a quantum. For the drain thread.
 */
void fc_writer_each_open(const struct fc_writer *writer,
			 void (*fn)(void *ctx, const struct fc_strand_info *strand,
				    uint32_t func, uint64_t begin_tsc),
			 void *ctx);

/*
 * Write what is buffered, the end packet with the index, and close. wait_status is the
 * first program's, as waitpid() gives it; clock has its second pair. Neither thread uses
 * the tap any more. Returns the first error of the writer's life, with its sentence.
 */
int fc_writer_close(struct fc_writer *writer, int wait_status, const struct fc_clock *clock,
		    struct fc_writer_sums *sums);

/* No strand has told of anything: nothing would be lost by fc_writer_discard(). */
bool fc_writer_is_empty(const struct fc_writer *writer);

/* Instead of fc_writer_close(): leave no file, and the earlier one where it was. */
void fc_writer_discard(struct fc_writer *writer);

#endif
