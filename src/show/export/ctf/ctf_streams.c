/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_streams.c - fills packets, and gives streams of ended threads to new ones. */
#include "show/export/ctf/ctf_streams.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "base/memory.h"

#define MAGIC 0xc1fc1fc1u

/* Bytes of a packet: the least and the most; and of all packets in the making, about. */
enum { PACKET_MIN = 4096, PACKET_MAX = 256 * 1024, ALL_PACKETS = 32 * 1024 * 1024 };

void fc_ctf_streams_init(struct fc_ctf_streams *streams, struct fc_ctf_folder *folder)
{
	*streams = (struct fc_ctf_streams){ .folder = folder };
	streams->strands.size = sizeof(struct fc_ctf_stream *);
	streams->processes.len = FC_CTF_HEAD;
}

void fc_ctf_streams_deinit(struct fc_ctf_streams *streams)
{
	fc_vec_each (&streams->all, stream) {
		free((*stream)->data);
		free(*stream);
	}
	free(streams->processes.data);
	fc_vec_free(&streams->all);
	fc_vec_free(&streams->live);
	fc_vec_free(&streams->idle);
	fc_strands_deinit(&streams->strands);
}

static void put_head(struct fc_ctf_stream *stream)
{
	char *at = stream->data;

	fc_put_32(at, MAGIC);
	fc_put_32(at + 4, stream->file ? 0 : 1);
	fc_put_64(at + 8, stream->begin_ns);
	fc_put_64(at + 16, stream->last_ns);
	fc_put_64(at + 24, stream->len * 8);
	fc_put_64(at + 32, stream->len * 8);
	fc_put_64(at + 40, stream->nr_packets++);
	fc_put_64(at + 48, stream->nr_lost);
	fc_put_32(at + 56, (uint32_t)stream->pid);
	fc_put_32(at + 60, (uint32_t)stream->tid);
	fc_put_64(at + 64, stream->strand);
}

static void resize(struct fc_ctf_stream *stream, size_t room)
{
	stream->data = fc_realloc(stream->data, room);
	stream->room = room;
}

void fc_ctf_stream_flush(struct fc_ctf_streams *streams, struct fc_ctf_stream *stream,
			 bool is_forced)
{
	if (stream->len == FC_CTF_HEAD && !is_forced)
		return;
	if (!stream->room)
		resize(stream, PACKET_MIN);
	if (stream->len == FC_CTF_HEAD)
		stream->begin_ns = stream->last_ns;
	put_head(stream);
	fc_ctf_folder_append(streams->folder, stream->file, stream->data, stream->len);
	stream->len = FC_CTF_HEAD;
}

static size_t limit_of(const struct fc_ctf_streams *streams)
{
	size_t share = ALL_PACKETS / (streams->all.nr + 1);

	return share < PACKET_MIN ? PACKET_MIN : share > PACKET_MAX ? PACKET_MAX : share;
}

void fc_ctf_stream_grow(struct fc_ctf_streams *streams, struct fc_ctf_stream *stream,
			size_t len)
{
	size_t room = stream->room ? 2 * stream->room : PACKET_MIN;

	if (room > limit_of(streams))
		fc_ctf_stream_flush(streams, stream, false);
	else
		resize(stream, room);
	/* An event that is longer than a packet may be has one for itself. */
	if (stream->len + len > stream->room)
		resize(stream, stream->len + len);
}

/* One that nothing comes after at this time; or a new one. */
static struct fc_ctf_stream *find_idle(struct fc_ctf_streams *streams, uint64_t ns)
{
	for (size_t i = streams->idle.nr; i-- > 0;) {
		struct fc_ctf_stream *stream = streams->idle.at[i];
		if (stream->last_ns > ns)
			continue;
		streams->idle.at[i] = streams->idle.at[--streams->idle.nr];
		return stream;
	}
	struct fc_ctf_stream *stream = fc_alloc(sizeof(*stream));
	fc_vec_push(&streams->all, stream);
	stream->len = FC_CTF_HEAD;
	stream->file = (uint32_t)streams->all.nr;
	return stream;
}

struct fc_ctf_stream *fc_ctf_stream_make(struct fc_ctf_streams *streams, uint32_t strand,
					 int pid, int tid, uint64_t ns)
{
	struct fc_ctf_stream **place = fc_strands_make(&streams->strands, strand);

	assert(place); /* who makes calls of events knows no strand beyond FC_STRAND_MAX */
	struct fc_ctf_stream *stream = find_idle(streams, ns);
	stream->strand = strand;
	stream->pid = pid;
	stream->tid = tid;
	fc_vec_push(&streams->live, stream);
	*place = stream;
	return stream;
}

static void set_idle(struct fc_ctf_streams *streams, size_t i)
{
	struct fc_ctf_stream *stream = streams->live.at[i];

	fc_ctf_stream_flush(streams, stream, false);
	fc_strands_drop(&streams->strands, stream->strand);
	stream->strand = 0;
	free(stream->data);
	stream->data = NULL;
	stream->room = 0;
	streams->live.at[i] = streams->live.at[--streams->live.nr];
	fc_vec_push(&streams->idle, stream);
}

void fc_ctf_streams_end(struct fc_ctf_streams *streams, int pid, int tid)
{
	for (size_t i = streams->live.nr; i-- > 0;) {
		const struct fc_ctf_stream *stream = streams->live.at[i];
		if (stream->pid == pid && (!tid || stream->tid == tid))
			set_idle(streams, i);
	}
}

void fc_ctf_streams_flush(struct fc_ctf_streams *streams)
{
	fc_vec_each (&streams->live, stream)
		fc_ctf_stream_flush(streams, *stream, false);
	fc_ctf_stream_flush(streams, &streams->processes, false);
}
