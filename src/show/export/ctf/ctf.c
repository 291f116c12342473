/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf.c - the Common Trace Format, 1.8 (diamon.org/ctf): a folder of streams (ctf_streams.h) and
 * the metadata that describes them (ctf_metadata.h).
 *
 * Events of calls are 64 bits, all of one shape, with the function's number, which the metadata
 * has a name for. What a call was given and returned is an event of its own before it ends.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/little.h"
#include "base/memory.h"
#include "calls/call_text.h"
#include "calls/kinds.h"
#include "show/export/ctf/ctf_metadata.h"
#include "show/export/ctf/ctf_streams.h"
#include "show/export/format.h"
#include "show/export/quoted.h"
#include "trace/mark.h"

struct ctf {
	struct fc_exporter exporter;
	struct fc_export_opts opts;
	struct fc_value_text args, result; /* of one call */
	struct fc_ctf_folder folder;
	struct fc_ctf_streams streams;
	FC_VEC(bool) used; /* functions, by id */
};

static struct ctf *ctf_of(struct fc_call_sink *sink)
{
	return (struct ctf *)sink;
}

/* ---- calls ---- */

static inline void put_word(char *at, unsigned id, uint64_t ns, uint32_t func)
{
	uint64_t low = ns & ((1ull << FC_CTF_TIME_BITS) - 1);

	fc_put_64(at, id | low << FC_CTF_ID_BITS |
			      (uint64_t)func << (FC_CTF_ID_BITS + FC_CTF_TIME_BITS));
}

static inline void put_call(struct ctf *ctf, const struct fc_call *call, unsigned id,
			    uint64_t tsc)
{
	uint64_t ns = fc_clock_ns(ctf->opts.clock, tsc);
	struct fc_ctf_stream *stream =
		fc_ctf_stream_of(&ctf->streams, call->strand, call->pid, call->tid, ns);
	char *at = fc_ctf_event_room(&ctf->streams, stream, &ns, sizeof(uint64_t));

	put_word(at, id, ns, call->func);
	stream->len += sizeof(uint64_t);
}

static void ctf_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct ctf *ctf = ctf_of(sink);
	unsigned id = FC_CTF_ENTER;

	if (call->is_inherited || call->is_resumed)
		id = FC_CTF_OPEN;
	else if (call->left == FC_LEFT_UNSEEN)
		id = FC_CTF_CALL;
	*fc_vec_make(&ctf->used, call->func) = true;
	put_call(ctf, call, id, call->begin_tsc);
}

static char *put_text(char *at, const char *text)
{
	size_t left = strlen(text), nr;
	const char *piece;

	while (left) {
		size_t taken = fc_utf8_take(text, left, &piece, &nr);
		memcpy(at, piece, nr);
		at += nr;
		text += taken;
		left -= taken;
	}
	*at++ = '\0';
	return at;
}

/*
 * What is aligned in an event's fields aligns them all: they begin at a word, with the function in 23
 * bits, and end with one.
 */
static void put_values(struct ctf *ctf, const struct fc_call *call)
{
	const struct fc_values *values = ctf->opts.values;
	uint64_t known = fc_call_args_text(values, call->values, &ctf->args);
	known |= (uint64_t)fc_call_result_text(values, call->values, &ctf->result) << 1;
	if (!known)
		return;

	uint64_t ns = fc_clock_ns(ctf->opts.clock, call->end_tsc);
	struct fc_ctf_stream *stream =
		fc_ctf_stream_of(&ctf->streams, call->strand, call->pid, call->tid, ns);
	/* A byte that is no text becomes three. */
	size_t most = 5 * sizeof(uint64_t) + 3 * (ctf->args.nr + ctf->result.nr);
	char *begin = fc_ctf_event_room(&ctf->streams, stream, &ns, most), *at = begin;
	put_word(at, FC_CTF_VALUES, ns, 0);
	fc_put_32(at + sizeof(uint64_t), call->func);
	at = put_text(at + sizeof(uint64_t) + 3, ctf->args.at);
	at = put_text(at, ctf->result.at);
	while ((at - begin) % sizeof(uint64_t))
		*at++ = 0;
	at = fc_put_64(at, known);
	stream->len += (size_t)(at - begin);
}

static void ctf_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	if (call->values)
		put_values(ctf_of(sink), call);
	if (call->left != FC_LEFT_UNSEEN)
		put_call(ctf_of(sink), call, FC_CTF_LEAVE + call->left, call->end_tsc);
}

/* ---- marks ---- */

/* A word more, for the value. */
static void put_mark(struct ctf *ctf, struct fc_ctf_stream *stream, unsigned mark, uint64_t ns,
		     uint64_t value)
{
	char *at = fc_ctf_event_room(&ctf->streams, stream, &ns, 2 * sizeof(uint64_t));

	put_word(at, FC_CTF_MARK + mark, ns, 0);
	fc_put_64(at + sizeof(uint64_t), value);
	stream->len += 2 * sizeof(uint64_t);
}

/*
 * A reader takes the records that a packet says were lost for lost since the end of the one
 * before: so the gap has a packet of its own, and one before it.
 */
static void put_lost(struct ctf *ctf, struct fc_ctf_stream *stream, uint64_t ns, uint64_t nr)
{
	if (ns > stream->last_ns && !stream->nr_packets && stream->len == FC_CTF_HEAD)
		stream->last_ns = ns < FC_CTF_TIME_MAX ? ns : FC_CTF_TIME_MAX;
	fc_ctf_stream_flush(&ctf->streams, stream, !stream->nr_packets);
	stream->nr_lost += nr;
	put_mark(ctf, stream, FC_MARK_LOST, ns, nr);
	fc_ctf_stream_flush(&ctf->streams, stream, false);
}

static void ctf_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct ctf *ctf = ctf_of(sink);
	uint64_t ns = fc_clock_ns(ctf->opts.clock, event->tsc);

	if (!fc_mark_word(event->mark))
		return;
	struct fc_ctf_stream *stream =
		fc_ctf_stream_of(&ctf->streams, event->strand, event->pid, event->tid, ns);
	if (event->mark == FC_MARK_LOST)
		put_lost(ctf, stream, ns, fc_mark_lost(event));
	else
		put_mark(ctf, stream, event->mark, ns,
			 fc_mark_shown_value(event, ctf->opts.clock));
}

/* ---- processes and threads ---- */

/* The fields of an event of a process, as ctf_metadata.c lists them. */
struct fields {
	int numbers[3];
	size_t nr_numbers;
	bool has_text;
};

static struct fields fields_of(const struct fc_life_info *life)
{
	bool by_signal = WIFSIGNALED(life->status);

	switch (life->life) {
	case FC_LIFE_START:
		return (struct fields){ { life->pid, life->other }, 2, false };
	case FC_LIFE_EXIT:
		return (struct fields){ { life->pid, by_signal ? 0 : WEXITSTATUS(life->status),
					  by_signal ? WTERMSIG(life->status) : 0 },
					3,
					false };
	case FC_LIFE_THREAD_START:
	case FC_LIFE_THREAD_EXIT:
		return (struct fields){ { life->pid, life->tid }, 2, false };
	case FC_LIFE_NAME:
		return (struct fields){ { life->pid, life->tid }, 2, true };
	case FC_LIFE_SIGNAL:
		return (struct fields){ { life->pid, life->tid, life->status }, 3, true };
	default:
		return (struct fields){ { life->pid }, 1, true };
	}
}

static void put_life(struct ctf *ctf, const struct fc_life_info *life)
{
	struct fc_ctf_stream *stream = &ctf->streams.processes;
	struct fields fields = fields_of(life);
	uint64_t ns = fc_clock_ns(ctf->opts.clock, life->tsc);
	/* A byte that is no text becomes three. */
	size_t most = 32 + 3 * strlen(life->text);
	char *at = fc_ctf_event_room(&ctf->streams, stream, &ns, most);

	at = fc_put_32(at, (uint32_t)life->life);
	at = fc_put_32(at, (uint32_t)ns);
	at = fc_put_32(at, (uint32_t)(ns >> 32));
	for (size_t i = 0; i < fields.nr_numbers; i++)
		at = fc_put_32(at, (uint32_t)fields.numbers[i]);
	if (fields.has_text)
		at = put_text(at, life->text);
	stream->len = (size_t)(at - stream->data);
}

static void ctf_life(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	struct ctf *ctf = ctf_of(&exporter->sink);

	if (!fc_life_word(life->life))
		return;
	put_life(ctf, life);
	if (life->life == FC_LIFE_EXIT || life->life == FC_LIFE_EXEC)
		fc_ctf_streams_end(&ctf->streams, life->pid, 0);
	else if (life->life == FC_LIFE_THREAD_EXIT)
		fc_ctf_streams_end(&ctf->streams, life->pid, life->tid);
}

/* ---- begin and end ---- */

static bool ctf_has_failed(const struct fc_exporter *exporter)
{
	return ((const struct ctf *)exporter)->folder.err != 0;
}

static int write_metadata(void *ctx, const void *data, size_t len)
{
	struct fc_ctf_folder *folder = ctx;

	fc_ctf_folder_append_metadata(folder, data, len);
	return folder->err;
}

/* With the names of functions that are used. */
static void put_metadata(struct ctf *ctf, const bool *is_used, size_t nr_used)
{
	struct fc_stream out;

	fc_stream_init(&out, write_metadata, &ctf->folder);
	fc_ctf_put_metadata(&out, ctf->opts.reader, ctf->opts.namer, is_used, nr_used);
	fc_stream_flush(&out);
	fc_stream_deinit(&out);
	fc_ctf_folder_place_metadata(&ctf->folder);
}

/* Whatever may come: for who reads what is left if this is broken off. */
static void put_first_metadata(struct ctf *ctf)
{
	size_t nr = (size_t)fc_reader_max_func(ctf->opts.reader) + 1;
	fc_auto_free bool *is_known = fc_alloc(nr * sizeof(*is_known));

	for (size_t func = 1; func < nr; func++)
		is_known[func] = fc_reader_func(ctf->opts.reader, (uint32_t)func).info;
	put_metadata(ctf, is_known, nr);
}

static int ctf_end(struct fc_exporter *exporter)
{
	struct ctf *ctf = ctf_of(&exporter->sink);

	fc_ctf_streams_flush(&ctf->streams);
	put_metadata(ctf, ctf->used.at, ctf->used.nr);
	if (!ctf->folder.err)
		ctf->folder.is_used = true; /* a trace without calls, too */
	return fc_ctf_folder_finish(&ctf->folder);
}

static void ctf_destroy(struct fc_exporter *exporter)
{
	struct ctf *ctf = ctf_of(&exporter->sink);

	fc_ctf_streams_deinit(&ctf->streams);
	fc_ctf_folder_close(&ctf->folder);
	fc_vec_free(&ctf->used);
	free(ctf);
}

static struct fc_exporter *ctf_create(const struct fc_export_opts *opts)
{
	struct ctf *ctf = fc_alloc(sizeof(*ctf));

	ctf->exporter = (struct fc_exporter){
		.sink = { ctf_enter, ctf_leave, ctf_event, fc_sink_skip_finish },
		.life = ctf_life,
		.has_failed = ctf_has_failed,
		.end = ctf_end,
		.destroy = ctf_destroy,
	};
	ctf->opts = *opts;
	fc_ctf_streams_init(&ctf->streams, &ctf->folder);
	if (!fc_ctf_folder_open(&ctf->folder, opts->folder)) {
		put_first_metadata(ctf);
		return &ctf->exporter;
	}
	ctf_destroy(&ctf->exporter);
	return NULL;
}

const struct fc_format fc_format_ctf = {
	.name = "ctf",
	.suffix = "ctf",
	.about = "CTF 1.8, a folder: babeltrace2, Trace Compass",
	.is_folder = true,
	.create = ctf_create,
};
