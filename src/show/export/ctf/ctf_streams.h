/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_streams.h - the streams of a CTF trace: a file each, of packets, each of one strand.
 *
 *	calls-1   | main strand        packet | packet | packet ... (its thread ended) | strand 9 ...
 *	calls-2   | strand 2   packet | packet ...
 *
 * Time goes forward in a stream, so a strand has one for itself while it lives; when its thread
 * has ended, another goes on there. A packet is gathered in memory: much for one of few
 * streams, less where there are many.
 *
 * A packet in bytes, all little-endian:
 *
 *	 0  magic           8  time of its begin    40  number in its stream   56  pid
 *	 4  stream class   16  time of its end      48  records lost in the    60  tid
 *	                   24  bits                     stream up to its end   64  strand
 *	                   32  the same                                        72  events
 *
 * An event of calls is a word: id in 4 bits, the low 37 bits of its time in ns, function in 23.
 */
#ifndef FC_SHOW_EXPORT_CTF_CTF_STREAMS_H
#define FC_SHOW_EXPORT_CTF_CTF_STREAMS_H

#include "base/vec.h"
#include "calls/strands.h"
#include "show/export/ctf/ctf_folder.h"

#define FC_CTF_ID_BITS	 4
#define FC_CTF_TIME_BITS 37
#define FC_CTF_HEAD	 72 /* bytes of a packet before its events */

/* Longer times would not be times any more for who adds them to a date. */
#define FC_CTF_TIME_MAX (1ull << 61)

struct fc_ctf_stream {
	char *data; /* the packet in the making */
	size_t len, room;
	uint64_t begin_ns, last_ns;
	uint64_t nr_packets, nr_lost;
	uint32_t file;
	uint32_t strand; /* 0: that of the processes, or none now */
	int pid, tid;
};

struct fc_ctf_streams {
	struct fc_ctf_folder *folder;
	FC_VEC(struct fc_ctf_stream *) all;
	FC_VEC(struct fc_ctf_stream *) live; /* that have a strand */
	FC_VEC(struct fc_ctf_stream *) idle;
	struct fc_strands strands; /* of struct fc_ctf_stream * */
	struct fc_ctf_stream processes;
};

void fc_ctf_streams_init(struct fc_ctf_streams *streams, struct fc_ctf_folder *folder);
void fc_ctf_streams_deinit(struct fc_ctf_streams *streams);

struct fc_ctf_stream *fc_ctf_stream_make(struct fc_ctf_streams *streams, uint32_t strand,
					 int pid, int tid, uint64_t ns);
/* Write the packet that is in the making, if it holds anything or is_forced. */
void fc_ctf_stream_flush(struct fc_ctf_streams *streams, struct fc_ctf_stream *stream,
			 bool is_forced);
/* Make room for len bytes. */
void fc_ctf_stream_grow(struct fc_ctf_streams *streams, struct fc_ctf_stream *stream,
			size_t len);
/* The thread's strands, or with tid 0 those of all the process' threads, have ended. */
void fc_ctf_streams_end(struct fc_ctf_streams *streams, int pid, int tid);
void fc_ctf_streams_flush(struct fc_ctf_streams *streams);

/* The stream of a strand, for an event at ns. */
static inline struct fc_ctf_stream *
fc_ctf_stream_of(struct fc_ctf_streams *streams, uint32_t strand, int pid, int tid, uint64_t ns)
{
	struct fc_ctf_stream **stream = fc_strands_find(&streams->strands, strand);
	return stream ? *stream : fc_ctf_stream_make(streams, strand, pid, tid, ns);
}

/* Room for an event of len bytes at *ns, which becomes no earlier than the event before. */
static inline char *fc_ctf_event_room(struct fc_ctf_streams *streams,
				      struct fc_ctf_stream *stream, uint64_t *ns, size_t len)
{
	if (*ns > FC_CTF_TIME_MAX)
		*ns = FC_CTF_TIME_MAX;
	if (*ns < stream->last_ns)
		*ns = stream->last_ns;
	/* The low bits of a time tell it only if they have not gone round since the last. */
	if ((*ns - stream->last_ns) >> FC_CTF_TIME_BITS)
		fc_ctf_stream_flush(streams, stream, false);
	if (stream->len + len > stream->room)
		fc_ctf_stream_grow(streams, stream, len);
	if (stream->len == FC_CTF_HEAD)
		stream->begin_ns = *ns;
	stream->last_ns = *ns;
	return stream->data + stream->len;
}

#endif
