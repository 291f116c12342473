/* SPDX-License-Identifier: Apache-2.0 */
/* reader.c - opens a file, finds its packets by the index or by a scan, and checks them. */
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/progress.h"
#include "trace/decode.h"
#include "trace/inside.h"

/* ---- trouble ---- */

static void say_unknown(const struct fc_reader *r, char *ret, size_t size)
{
	unsigned long long nr = r->unknown.nr, mark = r->unknown.mark,
			   record = r->unknown.record;
	char marks[64] = "a mark";
	if (nr > 1)
		snprintf(marks, sizeof(marks), "%llu marks", nr);
	if (nr)
		snprintf(ret, size,
			 "has %s that this version does not know (%skind %llu, record %llu of "
			 "strand %u): %s; a later fctrace reads more",
			 marks, nr > 1 ? "the first: " : "", mark, record, r->unknown.strand,
			 r->unknown.is_end ? "what follows in the same packet is left out"
					   : "passed over");
}

static void say_trouble(struct fc_reader *r)
{
	char cut[256] = "", damage[256] = "", unknown[256] = "";
	unsigned long long tail = r->tail_bytes;
	if (!r->is_complete && tail)
		snprintf(cut, sizeof(cut),
			 "is cut off: its last %llu bytes are a piece of a packet, the "
			 "%zu "
			 "packets before are whole",
			 tail, r->nr_packets);
	else if (!r->is_complete)
		snprintf(cut, sizeof(cut),
			 "has no end (fctrace was killed, or is still recording): it "
			 "holds "
			 "%zu whole packets",
			 r->nr_packets);
	else if (tail)
		snprintf(cut, sizeof(cut), "has %llu bytes behind its end that are no trace",
			 tail);
	if (r->nr_damaged)
		snprintf(damage, sizeof(damage),
			 "is damaged in %zu place%s, the first at byte %llu: what was "
			 "there is "
			 "left out",
			 r->nr_damaged, r->nr_damaged == 1 ? "" : "s",
			 (unsigned long long)r->damaged_off);
	say_unknown(r, unknown, sizeof(unknown));
	free(r->trouble);
	r->trouble = NULL;
	if (cut[0] || damage[0] || unknown[0])
		r->trouble = fc_asprintf(
			"%s %s%s%s%s%s", r->name, cut, cut[0] && damage[0] ? "; it " : "",
			damage, (cut[0] || damage[0]) && unknown[0] ? "; it " : "", unknown);
}

static void note_damage(struct fc_reader *r, uint64_t off)
{
	if (!r->nr_damaged || off < r->damaged_off)
		r->damaged_off = off;
	r->nr_damaged++;
}

void fc_reader_damaged(struct fc_reader *r, struct fc_events_ref *ref)
{
	if (ref->is_damaged)
		return;
	ref->is_damaged = true;
	note_damage(r, ref->off);
	say_trouble(r);
}

void fc_reader_unknown(struct fc_reader *r, struct fc_events_ref *ref,
		       const struct fc_unknown_marks *unknown)
{
	if (ref->has_unknown)
		return;
	ref->has_unknown = true;
	if (!r->unknown.nr) {
		r->unknown.mark = unknown->mark;
		r->unknown.record = ref->head.ordinal + unknown->record + 1;
		r->unknown.strand = ref->head.strand;
	}
	r->unknown.nr += unknown->nr;
	r->unknown.is_end |= unknown->is_end;
	ref->is_damaged |= unknown->is_end;
	say_trouble(r);
}

int fc_reader_events(const struct fc_reader *r, struct fc_events_ref *ref,
		     struct fc_packet *ret)
{
	__atomic_store_n(&ref->is_read, true, __ATOMIC_RELAXED);
	int err = fc_packet_at(r->image, r->size, ref->off, ret);
	return err || ret->kind != FC_PACKET_EVENTS ? -EBADMSG : 0;
}

void fc_reader_watch(struct fc_reader *r, struct fc_progress *progress)
{
	r->progress = progress;
}

static bool is_in_pass(const struct fc_reader *r, const struct fc_events_ref *ref,
		       const struct fc_choice *choice, uint64_t to_tsc)
{
	const struct fc_events_head *head = &ref->head;
	unsigned shift = r->facts.time_shift;
	return !ref->is_damaged && head->end >= choice->from_tsc >> shift &&
	       (!to_tsc || head->begin <= to_tsc >> shift) &&
	       (!choice->strand || head->strand == choice->strand) &&
	       (!choice->pid || head->pid == choice->pid) &&
	       (!choice->tid || head->tid == choice->tid || head->has_moved);
}

void fc_reader_begin_pass(const struct fc_reader *r, const struct fc_choice *choice,
			  uint64_t to_tsc)
{
	uint64_t nr = 0;
	if (!r->progress)
		return;
	fc_vec_each (&r->events, ref)
		nr += is_in_pass(r, ref, choice, to_tsc) ? ref->head.nr_records : 0;
	fc_progress_restart(r->progress, r->name, nr);
}

const char *fc_reader_trouble(const struct fc_reader *r)
{
	return r->is_mapped && fc_guard_is_torn(r->image) ? r->torn : r->trouble;
}

/* ---- the way to the packets: by the index, else by a scan ---- */

static int take_end(struct fc_reader *r, struct fc_slice *slice)
{
	int64_t status = fc_slice_signed(slice);
	uint64_t tsc = fc_slice_varint(slice);
	uint64_t mono_ns = fc_slice_varint(slice);
	if (slice->is_bad)
		return -EBADMSG;
	fc_clock_set_second(&r->facts.clock, tsc, mono_ns);
	r->is_complete = true;
	r->wait_status = (int)status;
	return 0;
}

static struct fc_events_ref *events_push(struct fc_reader *r, uint64_t off, uint32_t seq)
{
	fc_vec_push(&r->events, (struct fc_events_ref){ .off = off, .seq = seq });
	return &r->events.at[r->events.nr - 1];
}

/*
 * Rows of a long index fill tens of MB, from front to back: in large pages, where there are such,
 * that takes half the time.
 */
static void events_reserve(struct fc_reader *r, uint64_t nr)
{
	enum { LARGE = 2u << 20 };
	if (!nr)
		return;
	fc_vec_reserve(&r->events, nr);
	uintptr_t from = ((uintptr_t)r->events.at + LARGE - 1) / LARGE * LARGE;
	uintptr_t to = (uintptr_t)(r->events.at + nr) / LARGE * LARGE;
	if (from < to)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
}

/* A packet that is not of events, as the index tells of it. */
struct row {
	uint8_t kind;
	uint64_t off;
};

#define EVENTS_ROW_MIN 14 /* bytes: so many numbers */

struct rows {
	uint64_t nr_packets;
	FC_VEC(struct row) others; /* than those of events, which are in reader->events */
};

/*
 * Decode the rows behind the totals. -EBADMSG without a sentence: they are not sound, or do
 * not add up to the totals.
 */
static int read_rows(struct fc_reader *r, struct fc_slice *slice, struct rows *rows)
{
	uint64_t records = fc_slice_varint(slice);
	uint64_t calls = fc_slice_varint(slice);
	uint64_t lost = fc_slice_varint(slice);
	uint64_t off = 0;
	rows->nr_packets = fc_slice_varint(slice);
	if (slice->is_bad || rows->nr_packets > r->size / FC_PACKET_HEAD)
		return -EBADMSG;

	uint64_t most = fc_slice_left(slice) / EVENTS_ROW_MIN;
	events_reserve(r, rows->nr_packets < most ? rows->nr_packets : most);
	for (uint64_t i = 0; i < rows->nr_packets; i++) {
		uint8_t kind;
		if (fc_index_row_get(slice, &kind, &off) || off >= r->size)
			return -EBADMSG;
		if (kind != FC_PACKET_EVENTS) {
			fc_vec_push(&rows->others, (struct row){ kind, off });
			continue;
		}
		struct fc_events_ref *ref = events_push(r, off, (uint32_t)i);
		if (fc_events_head_get(slice, &ref->head))
			return -EBADMSG;
		records -= ref->head.nr_records;
		calls -= ref->head.nr_calls;
		lost -= ref->head.lost;
	}
	return records || calls || lost ? -EBADMSG : 0;
}

static void take_at(struct fc_reader *r, uint8_t kind, uint64_t off)
{
	struct fc_packet packet;
	if (fc_packet_at(r->image, r->size, off, &packet) || packet.kind != kind ||
	    fc_facts_take(&r->facts, &packet)) {
		r->nr_packets--;
		note_damage(r, off);
	}
}

/*
 * There may be one of marks beside each one of events: who asks for totals reads them. Rosters
 * are read by who looks for a function.
 */
static void take_other(struct fc_reader *r, const struct row *row)
{
	if (row->kind == FC_PACKET_MARKS)
		fc_vec_push(&r->marks, row->off);
	else if (row->kind == FC_PACKET_FUNCS)
		fc_vec_push(&r->rosters, row->off);
	else
		take_at(r, row->kind, row->off);
}

static int take_index(struct fc_reader *r, struct fc_slice *slice)
{
	struct rows rows = { 0 };
	int ret = read_rows(r, slice, &rows);
	if (ret)
		r->events.nr = 0;
	else
		r->nr_packets = rows.nr_packets;
	if (!ret)
		fc_vec_each (&rows.others, row)
			take_other(r, row);
	fc_vec_free(&rows.others);
	return ret;
}

/* -EBADMSG without a sentence, and nothing taken: there is no sound index. */
static int read_by_index(struct fc_reader *r)
{
	uint64_t off = fc_file_trailer_get(r->image, r->size);
	struct fc_packet packet;
	struct fc_slice slice;
	if (!off || fc_packet_at(r->image, r->size, off, &packet) ||
	    packet.kind != FC_PACKET_END ||
	    fc_packet_end(&packet) + FC_FILE_TRAILER != r->size ||
	    fc_facts_payload(&r->facts, &packet, &slice))
		return -EBADMSG;

	struct fc_slice index_slice = slice;
	fc_slice_signed(&index_slice); /* as take_end() will */
	fc_slice_varint(&index_slice);
	fc_slice_varint(&index_slice);
	if (take_index(r, &index_slice))
		return -EBADMSG;
	return take_end(r, &slice);
}

static int take_packet(struct fc_reader *r, const struct fc_packet *packet)
{
	struct fc_slice slice;
	struct fc_events_head head;
	switch (packet->kind) {
	case FC_PACKET_EVENTS:
		slice = fc_slice_of(packet->stored, packet->stored_len);
		if (fc_events_head_get(&slice, &head))
			return -EBADMSG;
		events_push(r, packet->off, packet->seq)->head = head;
		return 0;
	case FC_PACKET_FUNCS:
		fc_vec_push(&r->rosters, packet->off);
		return 0;
	case FC_PACKET_END:
		if (fc_facts_payload(&r->facts, packet, &slice))
			return -EBADMSG;
		return take_end(r, &slice);
	default:
		return fc_facts_take(&r->facts, packet);
	}
}

static uint64_t behind(const struct fc_reader *r, const struct fc_packet *packet)
{
	uint64_t off = fc_packet_end(packet);
	if (packet->kind == FC_PACKET_END && r->size - off >= FC_FILE_TRAILER &&
	    fc_file_trailer_get(r->image, off + FC_FILE_TRAILER) == packet->off)
		off += FC_FILE_TRAILER;
	return off;
}

static void read_by_scan(struct fc_reader *r)
{
	uint64_t off = FC_FILE_HEAD, bad = 0; /* where damage began, 0: nowhere */
	while (off < r->size) {
		struct fc_packet packet;
		if (fc_packet_at(r->image, r->size, off, &packet)) {
			bad = bad ? bad : off;
			off = fc_packet_search(r->image, r->size, off + 1);
			continue;
		}
		if (bad)
			note_damage(r, bad);
		bad = 0;
		if (take_packet(r, &packet))
			note_damage(r, off);
		else
			r->nr_packets++;
		off = behind(r, &packet);
	}
	r->tail_bytes = bad ? r->size - bad : 0;
}

/* ---- sums of marks ---- */

static int compare_ids(const void *id, const void *strand)
{
	uint32_t a = *(const uint32_t *)id, b = ((const struct fc_strand_ref *)strand)->info.id;
	return a < b ? -1 : a > b;
}

/* Rows of a strand whose events are all damaged tell of nothing that is there. */
static void tell_marks(struct fc_reader *r)
{
	if (r->has_marks)
		return;
	r->has_marks = true;
	fc_vec_each (&r->marks, off)
		take_at(r, FC_PACKET_MARKS, *off);
	if (r->marks.nr)
		say_trouble(r);
	fc_vec_each (&r->facts.marks, told) {
		struct fc_strand_ref *strand =
			r->strands.nr ? bsearch(&told->strand, r->strands.at, r->strands.nr,
						sizeof(*strand), compare_ids)
				      : NULL;
		if (!strand)
			continue;
		strand->marks.nr += told->nr;
		strand->marks.waits += told->waits;
		strand->marks.waited_ticks += told->waited_ticks;
	}
}

/* ---- open and close ---- */

/* The session packet, which comes first: without it there is no time and no meaning. */
static int check_session(struct fc_reader *r)
{
	struct fc_packet packet;
	if (fc_packet_at(r->image, r->size, FC_FILE_HEAD, &packet) ||
	    packet.kind != FC_PACKET_SESSION || fc_facts_take(&r->facts, &packet))
		return fc_fail(EBADMSG,
			       "%s is cut off or damaged in its first packet, without which "
			       "nothing of it can be read",
			       r->name);
	return 0;
}

static int reader_load(struct fc_reader *r)
{
	int ret = fc_file_head_check(r->image, r->size, r->name);
	if (!ret)
		ret = check_session(r);
	if (ret)
		return ret;
	r->wait_status = -1;
	if (read_by_index(r))
		read_by_scan(r);
	fc_facts_finish(&r->facts);
	fc_reader_find_strands(r);
	say_trouble(r);
	return 0;
}

static struct fc_reader *reader_create(const char *name)
{
	struct fc_reader *r = fc_alloc(sizeof(*r));
	r->name = fc_strdup(name);
	r->torn = fc_asprintf("%s became shorter while it was read: what was there is left out",
			      name);
	fc_facts_init(&r->facts);
	return r;
}

static int open_image(struct fc_reader *r, struct fc_reader **ret)
{
	int err = reader_load(r);
	if (err && r->is_mapped && fc_guard_is_torn(r->image))
		err = fc_fail(EBADMSG, "%s became shorter while it was read", r->name);
	if (err) {
		fc_reader_close(r);
		return err;
	}
	*ret = r;
	return 0;
}

int fc_reader_open_memory(const void *bytes, size_t size, const char *name,
			  struct fc_reader **ret)
{
	struct fc_reader *r = reader_create(name);
	r->image = bytes;
	r->size = size;
	return open_image(r, ret);
}

static const char *what_else(mode_t mode)
{
	if (S_ISFIFO(mode) || S_ISSOCK(mode))
		return "a pipe: save it to a file first";
	if (S_ISDIR(mode))
		return "a directory";
	return "a device";
}

static int open_regular(const char *path, size_t *size)
{
	struct stat st;
	int fd = fc_foreign_open(AT_FDCWD, path, &st);
	if (fd == -EINVAL || fd == -EISDIR)
		return fc_fail(EBADMSG, "%s is no trace file but %s", path,
			       what_else(st.st_mode));
	if (fd < 0)
		return fc_fail(-fd, "cannot open the trace %s: %s%s", path, fc_foreign_why(fd),
			       fd == -EACCES ? " (a trace is for who recorded it; its owner "
					       "may change that by chmod or chown)"
					     : "");
	*size = (size_t)st.st_size;
	return fd;
}

int fc_reader_open(const char *path, struct fc_reader **ret)
{
	size_t size = 0;
	fc_auto_close int fd = open_regular(path, &size);
	if (fd < 0)
		return fd;

	struct fc_reader *r = reader_create(path);
	r->size = size;
	if (size) {
		void *at = fc_guard_map(fd, size);
		if (!at) {
			int err = errno;
			fc_reader_close(r);
			return fc_fail(err, "cannot map the trace %s: %s", path, strerror(err));
		}
		r->image = at;
		r->is_mapped = true;
	}
	return open_image(r, ret);
}

void fc_reader_close(struct fc_reader *r)
{
	if (!r)
		return;
	if (r->is_mapped)
		fc_guard_unmap((void *)r->image, r->size);
	fc_facts_deinit(&r->facts);
	fc_vec_free(&r->events);
	fc_vec_free(&r->order);
	fc_vec_free(&r->strands);
	fc_vec_free(&r->marks);
	fc_vec_free(&r->rosters);
	free(r->trouble);
	free(r->torn);
	free(r->name);
	free(r);
}

/* No answer depends on one that is damaged: once it is told, it is forgotten. */
static void verify_rosters(struct fc_reader *r)
{
	size_t nr = 0;
	fc_vec_each (&r->rosters, off) {
		if (fc_reader_roster_is_sound(r, *off)) {
			r->rosters.at[nr++] = *off;
			continue;
		}
		r->nr_packets--;
		note_damage(r, *off);
	}
	if (nr < r->rosters.nr)
		say_trouble(r);
	r->rosters.nr = nr;
}

void fc_reader_check_rest(struct fc_reader *r)
{
	fc_vec_each (&r->events, ref)
		if (!ref->is_read)
			return;
	tell_marks(r);
	verify_rosters(r);
}

int fc_reader_verify(struct fc_reader *r)
{
	fc_vec_each (&r->events, ref) {
		struct fc_packet packet;
		if (fc_reader_events(r, ref, &packet))
			fc_reader_damaged(r, ref);
	}
	fc_reader_check_rest(r);
	return r->trouble ? fc_fail(EBADMSG, "%s", r->trouble) : 0;
}

/* ---- what it tells ---- */

void fc_reader_strand_totals(struct fc_reader *r, size_t i, struct fc_strand_totals *ret)
{
	tell_marks(r);
	*ret = (struct fc_strand_totals){ 0 };
	if (i >= r->strands.nr)
		return;
	const struct fc_strand_ref *strand = &r->strands.at[i];
	for (size_t k = 0; k < strand->nr; k++) {
		const struct fc_events_ref *ref = fc_reader_ref(r, strand->first + k);
		if (ref->is_damaged)
			continue;
		ret->records += ref->head.nr_records;
		ret->calls += ref->head.nr_calls;
		ret->lost += ref->head.lost;
	}
	/* The marks of damaged packets are counted, their records are not. */
	ret->marks = strand->marks.nr < ret->records ? strand->marks.nr : ret->records;
	ret->waits = strand->marks.waits;
	ret->waited_ns = fc_clock_duration_ns(&r->facts.clock, strand->marks.waited_ticks);
}

static void sum_strands(struct fc_reader *r, struct fc_totals *ret)
{
	for (size_t i = 0; i < r->strands.nr; i++) {
		struct fc_strand_totals sum;
		fc_reader_strand_totals(r, i, &sum);
		ret->records += sum.records;
		ret->marks += sum.marks;
		ret->calls += sum.calls;
		ret->lost += sum.lost;
		ret->waits += sum.waits;
		ret->waited_ns += sum.waited_ns;
	}
}

static void sum_funcs(struct fc_reader *r, struct fc_totals *ret)
{
	fc_vec_each (&r->facts.modules, module) {
		bool is_there = fc_reader_was_mapped(r, module);
		for (size_t i = 0; i < module->nr_funcs; i++) {
			uint8_t how = module->funcs[i].how;
			if (!is_there && fc_how_is_recorded(how))
				how = FC_HOW_SKIPPED;
			ret->hooked += how == FC_HOW_HOOKED;
			ret->entry_only += how == FC_HOW_ENTRY_ONLY;
			ret->skipped += how == FC_HOW_SKIPPED;
		}
	}
}

/* The latest time that events or lives tell; without them, that of the clock. */
static uint64_t last_tsc(struct fc_reader *r)
{
	uint64_t last = 0;
	fc_vec_each (&r->events, ref) {
		uint64_t end = ref->head.end << r->facts.time_shift;
		last = end > last && !ref->is_damaged ? end : last;
	}
	fc_vec_each (&r->facts.lives, life)
		last = life->tsc > last ? life->tsc : last;
	return last ? last : r->facts.clock.tsc1;
}

uint64_t fc_reader_duration_ns(struct fc_reader *r)
{
	return fc_clock_ns(&r->facts.clock, last_tsc(r));
}

uint64_t fc_reader_nr_calls(const struct fc_reader *r)
{
	uint64_t nr = 0;
	fc_vec_each (&r->events, ref)
		nr += ref->is_damaged ? 0 : ref->head.nr_calls;
	return nr;
}

void fc_reader_totals(struct fc_reader *r, struct fc_totals *ret)
{
	*ret = (struct fc_totals){
		.bytes = r->size,
		.duration_ns = fc_reader_duration_ns(r),
		.is_complete = r->is_complete,
		.wait_status = r->wait_status,
	};
	sum_strands(r, ret);
	sum_funcs(r, ret);
}

const char *fc_reader_name(const struct fc_reader *r)
{
	return r->name;
}

const struct fc_clock *fc_reader_clock(const struct fc_reader *r)
{
	return &r->facts.clock;
}

int fc_reader_argc(const struct fc_reader *r)
{
	return (int)r->facts.args.nr;
}

const char *fc_reader_arg(const struct fc_reader *r, int i)
{
	return i >= 0 && (size_t)i < r->facts.args.nr ? r->facts.args.at[i] : NULL;
}

const char *fc_reader_options(const struct fc_reader *r)
{
	return r->facts.options;
}

bool fc_reader_is_flight(const struct fc_reader *r)
{
	return r->facts.is_flight;
}

const char *fc_reader_machine(const struct fc_reader *r)
{
	return r->facts.machine;
}

size_t fc_reader_nr_modules(const struct fc_reader *r)
{
	return r->facts.modules.nr;
}

const struct fc_module_info *fc_reader_module(const struct fc_reader *r, size_t i)
{
	return i < r->facts.modules.nr ? &r->facts.modules.at[i] : NULL;
}

struct fc_func_ref fc_reader_func(const struct fc_reader *r, uint32_t id)
{
	struct fc_func_ref ref = { 0 };
	if (id && id <= r->facts.max_func)
		ref = r->facts.funcs[id];
	ref.name = ref.name ? ref.name : "?";
	ref.module = ref.module ? ref.module : "?";
	return ref;
}

uint32_t fc_reader_max_func(const struct fc_reader *r)
{
	return r->facts.max_func;
}

const struct fc_off_funcs *fc_reader_off_funcs(const struct fc_reader *r)
{
	return r->facts.off_funcs.is.nr ? &r->facts.off_funcs : NULL;
}

size_t fc_reader_nr_lives(const struct fc_reader *r)
{
	return r->facts.lives.nr;
}

const struct fc_life_info *fc_reader_life(const struct fc_reader *r, size_t i)
{
	return i < r->facts.lives.nr ? &r->facts.lives.at[i] : NULL;
}

size_t fc_reader_nr_maps(const struct fc_reader *r)
{
	return r->facts.maps.nr;
}

bool fc_reader_was_mapped(const struct fc_reader *r, const struct fc_module_info *module)
{
	fc_vec_each (&r->facts.maps, map)
		if (map->module_id == module->id)
			return true;
	/* The kernel is not mapped, and other tools' recordings tell of no maps. */
	return !r->facts.maps.nr || module->path[0] != '/';
}

const struct fc_map_info *fc_reader_map(const struct fc_reader *r, size_t i)
{
	return i < r->facts.maps.nr ? &r->facts.maps.at[i] : NULL;
}

size_t fc_reader_nr_hooks(const struct fc_reader *r)
{
	return r->facts.hooks.nr;
}

const struct fc_hook_info *fc_reader_hook(const struct fc_reader *r, size_t i)
{
	return i < r->facts.hooks.nr ? &r->facts.hooks.at[i] : NULL;
}

uint64_t fc_reader_counted(const struct fc_reader *r, uint32_t func)
{
	return func < r->facts.counted.nr ? r->facts.counted.at[func] : 0;
}

size_t fc_reader_nr_values(const struct fc_reader *r)
{
	return r->facts.values.nr;
}

const void *fc_reader_values(const struct fc_reader *r, size_t i, size_t *size)
{
	*size = r->facts.values.at[i].size;
	return r->facts.values.at[i].bytes;
}

size_t fc_reader_nr_strands(const struct fc_reader *r)
{
	return r->strands.nr;
}

bool fc_reader_strand_may_be(const struct fc_reader *r, size_t i, int tid)
{
	return fc_strand_ref_may_be(&r->strands.at[i], tid);
}

bool fc_reader_strand_has_moved(const struct fc_reader *r, size_t i)
{
	return r->strands.at[i].has_moved;
}

const struct fc_strand_info *fc_reader_strand(const struct fc_reader *r, size_t i)
{
	return i < r->strands.nr ? &r->strands.at[i].info : NULL;
}
