/* SPDX-License-Identifier: Apache-2.0 */
/* writer.c - encodes records into packets, and writes names when they are first used. */
#include "trace/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "trace/encode.h"
#include "trace/file.h"
#include "trace/roster.h"

#define STEPS_A_BYTE  8 /* of the clock, told by a byte of the column of times */
#define QUANTUM_NS    4 /* a time in the file is at most so much before the true one */
#define AGE_NS	      1000000000u  /* records wait no longer in memory */
#define CLOCK_LAST_NS 10000000000u /* the longest time between two CLOCK packets */
#define RATE_NS	      50000	   /* enough to know the TSC's rate to one in a thousand */
#define ROSTER_MIN    16	   /* packets: fewer are soon looked through */
#define TEXT_MAX      (64u << 10)  /* bytes of lives or maps that are held back */

struct strand {
	struct fc_encoder enc;
	uint64_t since_tsc; /* when the first record of the packet came */
	bool is_active;	    /* is in writer->active */
};

struct fc_writer {
	struct fc_tap tap;

	FC_VEC(struct strand *) strands; /* by id */
	FC_VEC(struct strand *) active;	 /* those with records to be written */
	struct fc_seen seen;
	struct fc_roster *roster; /* of packets written last */
	ZSTD_CCtx *zstd;
	struct fc_bytes payload;
	unsigned time_shift;
	uint64_t age_ticks;
	struct fc_writer_sums sums;
	struct fc_file *file;
	FC_VEC(char *) names;	     /* by function id; NULL: has none */
	struct fc_bytes maps, lives; /* told, but not written yet */
	FC_VEC(uint64_t) counted;    /* by function id: calls that were told to be counted */
	FC_VEC(bool) is_named;	     /* by function id: beside those that are seen */
	struct fc_clock clock;
	bool is_clock_told;
	uint64_t clock_due_tsc, clock_step;
};

static struct fc_writer *writer_of(struct fc_tap *tap)
{
	return (struct fc_writer *)tap;
}

/* This machine, by uname and /proc/cpuinfo. */
static char *machine_text(void)
{
	struct utsname uts;
	if (uname(&uts))
		return fc_strdup("unknown");
	char cpu[256] = "";
	fc_auto_fclose FILE *f = fopen("/proc/cpuinfo", "re");
	char line[512];
	while (f && !cpu[0] && fgets(line, sizeof(line), f))
		sscanf(line, "model name : %255[^\n]", cpu);
	return fc_asprintf("%s %s %s%s%s", uts.sysname, uts.release, uts.machine,
			   cpu[0] ? ", " : "", cpu);
}

/* A clock with its second pair: the session's, or one looked at for a moment. */
static struct fc_clock clock_with_rate(const struct fc_clock *session)
{
	if (session->tsc1 > session->tsc0 && session->mono1_ns > session->mono0_ns)
		return *session;
	struct fc_clock own;
	fc_clock_start(&own);
	do
		fc_clock_calibrate(&own);
	while (own.mono1_ns - own.mono0_ns < RATE_NS);

	struct fc_clock clock = *session;
	clock.tsc1 = clock.tsc0 + (own.tsc1 - own.tsc0);
	clock.mono1_ns = clock.mono0_ns + (own.mono1_ns - own.mono0_ns);
	return clock;
}

static uint64_t ticks_of(const struct fc_clock *clock, uint64_t ns)
{
	return (uint64_t)((unsigned __int128)ns * (clock->tsc1 - clock->tsc0) /
			  (clock->mono1_ns - clock->mono0_ns));
}

/*
 * The largest shift that makes a quantum of at most QUANTUM_NS; and by whose quanta the clock
 * goes on, for the same time is always told by the same number then. By 26 ticks, in quanta
 *
 *   of 8    3 3 3 4 3 3 4 3      of 2    13 13 13 13 13 13 13 13
 *
 * But a byte has to tell STEPS_A_BYTE: where calls take longer two bytes cost more than that.
 */
static unsigned time_shift_of(const struct fc_clock *clock)
{
	uint64_t ticks = ticks_of(clock, QUANTUM_NS * 1000);
	unsigned shift = 0;
	while (shift < 16 && (2000ull << shift) <= ticks)
		shift++;
	unsigned whole = clock->step ? (unsigned)__builtin_ctz(clock->step) : shift;
	bool is_told = whole < shift && (clock->step >> whole) * STEPS_A_BYTE <= 127;
	return is_told ? whole : shift;
}

static int write_session(struct fc_writer *w, const struct fc_session *session)
{
	fc_auto_free char *machine =
		session->is_told ? fc_strdup(session->machine) : machine_text();
	fc_auto_bytes struct fc_bytes payload = { 0 };
	fc_bytes_varint(&payload, w->time_shift);
	fc_bytes_varint(&payload, w->clock.tsc0);
	fc_bytes_varint(&payload, w->clock.mono0_ns);
	fc_bytes_varint(&payload, w->clock.real0_ns);
	fc_bytes_varint(&payload, w->clock.tsc1);
	fc_bytes_varint(&payload, w->clock.mono1_ns);
	fc_bytes_string(&payload, machine);
	fc_bytes_string(&payload, session->options);
	fc_bytes_varint(&payload, (uint64_t)session->argc);
	for (int i = 0; i < session->argc; i++)
		fc_bytes_string(&payload, session->argv[i]);
	fc_bytes_varint(&payload, session->is_flight ? FC_SESSION_FLIGHT : 0);
	return fc_file_append(w->file, FC_PACKET_SESSION, &payload, NULL);
}

/* ---- modules and names ---- */

static void names_keep(struct fc_writer *w, const struct fc_module_info *info)
{
	for (size_t i = 0; i < info->nr_funcs; i++) {
		const struct fc_func_info *func = &info->funcs[i];
		if (!func->id || func->id > FC_FUNC_MAX || !func->name)
			continue;
		char **name = fc_vec_make(&w->names, func->id);
		free(*name);
		*name = fc_strdup(func->name);
	}
}

/* The distinct reasons: few, so a function tells the number of its own. */
struct whys {
	FC_VEC(const char *) text;
};

static size_t why_number(struct whys *whys, const char *why)
{
	for (size_t i = 0; i < whys->text.nr; i++)
		if (whys->text.at[i] == why || !strcmp(whys->text.at[i], why))
			return i;
	fc_vec_push(&whys->text, why);
	return whys->text.nr - 1;
}

static void put_hows(struct fc_bytes *payload, const struct fc_module_info *info)
{
	struct whys whys = { 0 };
	fc_auto_bytes struct fc_bytes hows = { 0 };
	for (size_t i = 0; i < info->nr_funcs; i++) {
		const struct fc_func_info *func = &info->funcs[i];
		size_t why = why_number(&whys, func->why ? func->why : "");
		fc_bytes_varint(&hows, why << 2 | func->how);
	}
	fc_bytes_varint(payload, whys.text.nr);
	fc_vec_each (&whys.text, text)
		fc_bytes_string(payload, *text);
	fc_bytes_copy(payload, hows.at, hows.nr);
	fc_vec_free(&whys.text);
}

/* Names of functions that can't be seen are told here, the others when they are seen. */
static void put_module(struct fc_bytes *payload, const struct fc_module_info *info)
{
	fc_bytes_varint(payload, info->id);
	fc_bytes_string(payload, info->path);
	fc_bytes_string(payload, info->build_id);
	fc_bytes_varint(payload, info->nr_funcs);
	put_hows(payload, info);

	uint64_t vaddr = 0, id = 0;
	for (size_t i = 0; i < info->nr_funcs; i++) {
		fc_bytes_signed(payload, (int64_t)(info->funcs[i].vaddr - vaddr));
		vaddr = info->funcs[i].vaddr;
	}
	for (size_t i = 0; i < info->nr_funcs; i++)
		fc_bytes_varint(payload, info->funcs[i].size);
	for (size_t i = 0; i < info->nr_funcs; i++) {
		if (!fc_how_is_recorded(info->funcs[i].how))
			continue;
		fc_bytes_signed(payload, (int64_t)info->funcs[i].id - (int64_t)id);
		id = info->funcs[i].id;
	}
	for (size_t i = 0; i < info->nr_funcs; i++)
		if (!fc_how_is_recorded(info->funcs[i].how))
			fc_bytes_string(payload, info->funcs[i].name);
}

static int tap_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	struct fc_writer *w = writer_of(tap);
	fc_auto_bytes struct fc_bytes payload = { 0 };
	put_module(&payload, info);

	names_keep(w, info);
	int ret = fc_file_append(w->file, FC_PACKET_MODULES, &payload, NULL);
	if (!ret && info->values) {
		payload.nr = 0;
		fc_bytes_copy(&payload, info->values, info->values_size);
		ret = fc_file_append(w->file, FC_PACKET_VALUES, &payload, NULL);
	}
	return ret;
}

/* The names of functions seen since the last time. */
static int write_names(struct fc_writer *w)
{
	if (!w->seen.fresh.nr)
		return 0;
	fc_auto_bytes struct fc_bytes payload = { 0 };
	fc_vec_each (&w->seen.fresh, id) {
		const char *name = *id < w->names.nr ? w->names.at[*id] : NULL;
		w->sums.nr_nameless += !name;
		if (!name)
			continue;
		fc_bytes_varint(&payload, *id);
		fc_bytes_string(&payload, name);
	}
	w->seen.fresh.nr = 0;
	return payload.nr ? fc_file_append(w->file, FC_PACKET_NAMES, &payload, NULL) : 0;
}

/* ---- maps, lives, clock: gathered, written at the next tick ---- */

static int write_gathered(struct fc_writer *w, enum fc_packet_kind kind, struct fc_bytes *bytes)
{
	if (!bytes->nr)
		return fc_file_error(w->file);
	int ret = fc_file_append(w->file, kind, bytes, NULL);
	bytes->nr = 0;
	return ret;
}

static int tap_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	struct fc_writer *w = writer_of(tap);
	fc_bytes_varint(&w->maps, info->module_id);
	fc_bytes_signed(&w->maps, info->pid);
	fc_bytes_varint(&w->maps, info->taddr);
	fc_bytes_varint(&w->maps, info->tsc);
	return w->maps.nr < TEXT_MAX ? fc_file_error(w->file)
				     : write_gathered(w, FC_PACKET_MAPS, &w->maps);
}

static int tap_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	struct fc_writer *w = writer_of(tap);
	fc_bytes_signed(&w->lives, info->life);
	fc_bytes_signed(&w->lives, info->pid);
	fc_bytes_signed(&w->lives, info->tid);
	fc_bytes_signed(&w->lives, info->other);
	fc_bytes_signed(&w->lives, info->status);
	fc_bytes_varint(&w->lives, info->tsc);
	fc_bytes_string(&w->lives, info->text);
	return w->lives.nr < TEXT_MAX ? fc_file_error(w->file)
				      : write_gathered(w, FC_PACKET_LIFE, &w->lives);
}

/* Functions that are only counted are not seen in records: their names are told here. */
static void put_name(struct fc_writer *w, uint32_t func, struct fc_bytes *names)
{
	bool *is_named = fc_vec_make(&w->is_named, func);

	if (*is_named || func >= w->names.nr || !w->names.at[func])
		return;
	*is_named = true;
	fc_bytes_varint(names, func);
	fc_bytes_string(names, w->names.at[func]);
}

static int append_with_names(struct fc_writer *w, enum fc_packet_kind kind,
			     const struct fc_bytes *names, const struct fc_bytes *payload)
{
	int ret = names->nr ? fc_file_append(w->file, FC_PACKET_NAMES, names, NULL) : 0;
	return ret ? ret : fc_file_append(w->file, kind, payload, NULL);
}

static int tap_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	struct fc_writer *w = writer_of(tap);
	fc_auto_bytes struct fc_bytes names = { 0 }, payload = { 0 };
	for (size_t i = 0; i < nr; i++) {
		put_name(w, info[i].func, &names);
		fc_bytes_varint(&payload, info[i].func);
		fc_bytes_varint(&payload, (uint64_t)info[i].state);
		fc_bytes_varint(&payload, info[i].tsc);
	}
	return append_with_names(w, FC_PACKET_HOOKS, &names, &payload);
}

static int tap_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	struct fc_writer *w = writer_of(tap);
	fc_auto_bytes struct fc_bytes names = { 0 }, payload = { 0 };
	uint32_t last = 0;
	fc_bytes_varint(&payload, tsc);
	for (uint32_t func = 1; func < nr; func++) {
		uint64_t *counted = fc_vec_make(&w->counted, func);
		if (calls[func] <= *counted)
			continue;
		put_name(w, func, &names);
		fc_bytes_varint(&payload, func - last);
		fc_bytes_varint(&payload, calls[func] - *counted);
		*counted = calls[func];
		last = func;
	}
	return append_with_names(w, FC_PACKET_COUNTS, &names, &payload);
}

/*
 * The clock's second pair, so that a trace without its end has a time line: soon at
 * first, then after twice the time, since the pair gets more exact with its distance.
 */
static int write_clock(struct fc_writer *w, uint64_t now_tsc)
{
	if (w->is_clock_told || now_tsc < w->clock_due_tsc)
		return 0;
	if (w->clock_step < ticks_of(&w->clock, CLOCK_LAST_NS))
		w->clock_step *= 2;
	w->clock_due_tsc = now_tsc + w->clock_step;
	fc_clock_calibrate(&w->clock);

	fc_auto_bytes struct fc_bytes payload = { 0 };
	fc_bytes_varint(&payload, w->clock.tsc1);
	fc_bytes_varint(&payload, w->clock.mono1_ns);
	return fc_file_append(w->file, FC_PACKET_CLOCK, &payload, NULL);
}

/* ---- records ---- */

static struct strand *strand_get(struct fc_writer *w, const struct fc_strand_info *info)
{
	struct strand **at = fc_vec_make(&w->strands, info->id);

	if (!*at) {
		*at = fc_alloc(sizeof(**at));
		fc_encoder_init(&(*at)->enc, w->time_shift, &w->seen, info);
	}
	return *at;
}

static void strand_free(struct strand *strand)
{
	if (!strand)
		return;
	fc_encoder_deinit(&strand->enc);
	free(strand);
}

/* How many marks there are among the records of a packet, and what waits they tell. */
static int write_marks(struct fc_writer *w, const struct fc_events_head *head)
{
	fc_auto_bytes struct fc_bytes payload = { 0 };
	fc_bytes_varint(&payload, head->strand);
	fc_bytes_varint(&payload, head->nr_marks);
	fc_bytes_varint(&payload, head->nr_waits);
	fc_bytes_varint(&payload, head->waited_ticks);
	return fc_file_append(w->file, FC_PACKET_MARKS, &payload, NULL);
}

static void sum_up(struct fc_writer *w, const struct fc_events_head *head)
{
	w->sums.nr_lost += head->lost;
	w->sums.nr_calls += head->nr_calls;
	w->sums.nr_waits += head->nr_waits;
	w->sums.waited_ticks += head->waited_ticks;
}

static int write_roster(struct fc_writer *w)
{
	fc_auto_bytes struct fc_bytes payload = { 0 };
	fc_roster_finish(w->roster, &payload);
	return fc_file_append(w->file, FC_PACKET_FUNCS, &payload, NULL);
}

/* Add the functions of packet seq to the roster. Readers search packets that no roster covers. */
static int add_to_roster(struct fc_writer *w, uint32_t seq, const struct fc_encoder *enc)
{
	_Static_assert(2 * FC_TOUCHED_MAX <= FC_ROSTER_FUNCS, "an empty roster has room");
	int ret = 0;
	if (enc->has_touched_many)
		return 0;
	if (!fc_roster_has_room(w->roster, enc->touched.nr))
		ret = write_roster(w);
	fc_roster_add(w->roster, seq, enc->touched.at, enc->touched.nr);
	return ret;
}

/* Write the packet of a strand, the names it needs before it. */
static int strand_flush(struct fc_writer *w, struct strand *strand)
{
	struct fc_events_head head;
	fc_encoder_finish(&strand->enc, w->zstd, &w->payload, &head);
	sum_up(w, &head);

	int ret = write_names(w);
	uint32_t seq = fc_file_next_seq(w->file);
	if (!ret)
		ret = fc_file_append(w->file, FC_PACKET_EVENTS, &w->payload, &head);
	if (!ret && head.nr_marks)
		ret = write_marks(w, &head);
	if (!ret)
		ret = add_to_roster(w, seq, &strand->enc);
	return ret;
}

static void strand_wait(struct fc_writer *w, struct strand *strand, uint64_t now_tsc)
{
	strand->since_tsc = now_tsc;
	if (!strand->is_active)
		fc_vec_push(&w->active, strand);
	strand->is_active = true;
}

static int tap_records(struct fc_tap *tap, const struct fc_strand_info *info,
		       const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct fc_writer *w = writer_of(tap);
	int ret = fc_file_error(w->file);
	if (ret || !nr_words)
		return ret;

	struct strand *strand = strand_get(w, info);
	fc_encoder_move(&strand->enc, info, words[0], now_tsc);
	while (!ret && nr_words) {
		bool was_empty = fc_encoder_is_empty(&strand->enc);
		size_t taken = fc_encoder_add(&strand->enc, words, nr_words, now_tsc);
		words += taken;
		nr_words -= taken;
		if (fc_encoder_is_full(&strand->enc))
			ret = strand_flush(w, strand);
		else if (was_empty)
			strand_wait(w, strand, now_tsc);
	}
	return ret;
}

static void active_remove(struct fc_writer *w, struct strand *strand)
{
	for (size_t i = 0; strand->is_active && i < w->active.nr; i++) {
		if (w->active.at[i] == strand) {
			w->active.at[i] = w->active.at[--w->active.nr];
			strand->is_active = false;
		}
	}
}

static int tap_strand_end(struct fc_tap *tap, const struct fc_strand_info *info, uint64_t tsc)
{
	struct fc_writer *w = writer_of(tap);
	if (info->id >= w->strands.nr || !w->strands.at[info->id])
		return fc_file_error(w->file); /* it never had a record */

	struct strand *strand = w->strands.at[info->id];
	fc_encoder_end(&strand->enc, tsc);
	int ret = strand_flush(w, strand);
	active_remove(w, strand);
	w->strands.at[info->id] = NULL;
	strand_free(strand);
	return ret;
}

/* Write what has waited long enough; a strand without records gives its memory back. */
static int flush_old(struct fc_writer *w, uint64_t now_tsc)
{
	int ret = 0;
	for (size_t i = 0; i < w->active.nr;) {
		struct strand *strand = w->active.at[i];
		bool is_empty = fc_encoder_is_empty(&strand->enc);
		if (!is_empty && now_tsc < strand->since_tsc + w->age_ticks) {
			i++;
			continue;
		}
		if (!is_empty)
			ret = strand_flush(w, strand);
		if (ret)
			return ret;
		fc_encoder_rest(&strand->enc);
		strand->is_active = false;
		w->active.at[i] = w->active.at[--w->active.nr];
	}
	return 0;
}

static int tap_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	struct fc_writer *w = writer_of(tap);
	int ret = flush_old(w, now_tsc);

	if (!ret)
		ret = write_gathered(w, FC_PACKET_MAPS, &w->maps);
	if (!ret)
		ret = write_gathered(w, FC_PACKET_LIFE, &w->lives);
	if (!ret)
		ret = write_clock(w, now_tsc);
	return ret;
}

/* ---- the writer's life ---- */

static void writer_destroy(struct fc_writer *w)
{
	fc_vec_each (&w->strands, strand)
		strand_free(*strand);
	fc_vec_free(&w->strands);
	fc_vec_free(&w->active);
	fc_seen_deinit(&w->seen);
	fc_roster_destroy(w->roster);
	fc_vec_each (&w->names, name)
		free(*name);
	fc_vec_free(&w->names);
	fc_vec_free(&w->counted);
	fc_vec_free(&w->is_named);
	fc_bytes_free(&w->maps);
	fc_bytes_free(&w->lives);
	fc_bytes_free(&w->payload);
	ZSTD_freeCCtx(w->zstd);
	free(w);
}

int fc_writer_create(const char *path, const struct fc_session *session, struct fc_writer **ret)
{
	struct fc_file *file;
	int err = fc_file_create(path, &file);
	if (err)
		return err;

	struct fc_writer *w = fc_alloc(sizeof(*w));
	w->tap = (struct fc_tap){
		.module = tap_module,
		.map = tap_map,
		.life = tap_life,
		.records = tap_records,
		.strand_end = tap_strand_end,
		.tick = tap_tick,
		.hooks = tap_hooks,
		.counts = tap_counts,
	};
	w->file = file;
	w->clock = clock_with_rate(&session->clock);
	w->is_clock_told = session->is_told;
	w->time_shift = session->is_told ? 0 : time_shift_of(&w->clock);
	w->age_ticks = ticks_of(&w->clock, AGE_NS);
	w->clock_step = w->age_ticks / 200;
	fc_seen_init(&w->seen);
	w->roster = fc_roster_create();
	w->zstd = fc_events_zstd();

	err = write_session(w, session);
	if (err) {
		fc_file_discard(file);
		writer_destroy(w);
		return err;
	}
	*ret = w;
	return 0;
}

struct fc_tap *fc_writer_tap(struct fc_writer *writer)
{
	return &writer->tap;
}

void fc_writer_each_open(const struct fc_writer *writer,
			 void (*fn)(void *ctx, const struct fc_strand_info *strand,
				    uint32_t func, uint64_t begin_tsc),
			 void *ctx)
{
	for (size_t i = 0; i < writer->strands.nr; i++) {
		const struct fc_encoder *enc =
			writer->strands.at[i] ? &writer->strands.at[i]->enc : NULL;
		for (size_t k = 0; enc && k < enc->depth; k++)
			fn(ctx,
			   &(struct fc_strand_info){ .id = enc->head.strand,
						     .pid = enc->head.pid,
						     .tid = enc->tid,
						     .kind = enc->head.kind },
			   enc->opens[k].func, enc->opens[k].begin << enc->time_shift);
	}
}

int fc_writer_close(struct fc_writer *w, int wait_status, const struct fc_clock *clock,
		    struct fc_writer_sums *sums)
{
	int ret = 0;
	fc_vec_each (&w->strands, strand)
		if (!ret && *strand && !fc_encoder_is_empty(&(*strand)->enc))
			ret = strand_flush(w, *strand);
	if (!ret)
		ret = write_gathered(w, FC_PACKET_MAPS, &w->maps);
	if (!ret)
		ret = write_gathered(w, FC_PACKET_LIFE, &w->lives);
	if (!ret && fc_roster_nr_packets(w->roster) >= ROSTER_MIN)
		write_roster(w);

	*sums = w->sums;
	sums->bytes = fc_file_size(w->file);
	ret = fc_file_close(w->file, wait_status, clock);
	writer_destroy(w);
	return ret;
}

bool fc_writer_is_empty(const struct fc_writer *writer)
{
	return !writer->strands.nr;
}

void fc_writer_discard(struct fc_writer *writer)
{
	fc_file_discard(writer->file);
	writer_destroy(writer);
}
