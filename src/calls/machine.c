/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.c - pairs the records of one strand's packets into calls, without an order of time.
 */
#include "calls/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/mark.h"
#include "trace/off_funcs.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define DEEPEST (16u << 20) /* as a decoder takes it */

void fc_machine_init(struct fc_machine *m, const struct fc_reader *reader,
		     const struct fc_ends *ends, const uint32_t *group,
		     struct fc_call_sink *sink)
{
	*m = (struct fc_machine){
		.reader = reader,
		.ends = ends,
		.off_funcs = fc_reader_off_funcs(reader),
		.sink = sink,
		.group = group,
		.shift = fc_reader_time_shift(reader),
	};
	fc_decoder_init(&m->dec);
}

void fc_machine_deinit(struct fc_machine *m)
{
	fc_decoder_deinit(&m->dec);
	fc_vec_free(&m->floor_leaves);
	fc_vec_free(&m->laid);
	fc_frames_free(m->frames);
	free(m->nr_open);
}

struct fc_frame *fc_frames_grow(struct fc_frame *frames, size_t *room, size_t want)
{
	enum { FIRST = 64 };
	struct fc_frame *base = frames ? frames - 1 : NULL;

	if (want <= *room)
		return frames;
	*room = *room ? *room : FIRST;
	while (want > *room)
		*room *= 2;
	base = fc_realloc(base, (1 + *room) * sizeof(*base));
	base[0] = (struct fc_frame){ 0 };
	return base + 1;
}

void fc_frames_free(struct fc_frame *frames)
{
	if (frames)
		free(frames - 1);
}

static void make_room(struct fc_machine *m, size_t nr)
{
	m->frames = fc_frames_grow(m->frames, &m->room, m->nr + nr);
}

static inline uint32_t key_of(const struct fc_machine *m, uint32_t func)
{
	return m->group ? m->group[func] : func;
}

static void make_groups(struct fc_machine *m, uint32_t key)
{
	size_t nr = m->nr_groups ? m->nr_groups : 1024;
	while (nr <= key)
		nr *= 2;
	m->nr_open = fc_realloc(m->nr_open, nr * sizeof(*m->nr_open));
	memset(m->nr_open + m->nr_groups, 0, (nr - m->nr_groups) * sizeof(*m->nr_open));
	m->nr_groups = nr;
}

static void push(struct fc_machine *m, uint32_t func, uint64_t begin_tsc, uint8_t flags)
{
	uint32_t key = key_of(m, func);
	if (key >= m->nr_groups)
		make_groups(m, key);
	bool is_recursive = m->nr_open[key]++ > 0;

	m->frames[m->nr++] = (struct fc_frame){
		.begin_tsc = begin_tsc,
		.func = func,
		.flags = flags | (is_recursive ? FC_FRAME_RECURSIVE : 0) |
			 (fc_off_funcs_has(m->off_funcs, func) ? FC_FRAME_OFF_CPU : 0),
	};
}

void fc_machine_clear(struct fc_machine *m)
{
	while (m->nr)
		m->nr_open[key_of(m, m->frames[--m->nr].func)]--;
	m->nr_floor = 0;
	m->floor_leaves.nr = 0;
	m->laid.nr = 0;
}

/* ---- leaving ---- */

/*
 * Of the few whose begin is not their own. All others find both false and leave them so: to
 * write both each time just before they are read made each call cost half as much again.
 */
static __attribute__((noinline)) void tell_taken_over(uint8_t flags, struct fc_call_sink *sink,
						      struct fc_call *call)
{
	call->is_inherited = flags & FC_FRAME_INHERITED;
	call->is_resumed = flags & FC_FRAME_RESUMED;
	sink->leave(sink, call);
	call->is_inherited = call->is_resumed = false;
}

/* The call ended, its times are known: what it waited, and the frame around it. */
static inline void leave_waits(struct fc_frame *frame, struct fc_call *call)
{
	call->is_off_cpu = frame->flags & FC_FRAME_OFF_CPU;
	fc_waited_end(frame->waited, call);
	fc_waited_add(&frame[-1].waited, call);
}

/* has_waits: something stands for time off the CPU. Else call's waits are zero, and stay so. */
static inline __attribute__((always_inline)) void tell_leave(struct fc_frame *frame,
							     struct fc_call_sink *sink,
							     struct fc_call *call, uint64_t tsc,
							     uint64_t ticks, bool has_waits)
{
	uint64_t child_ticks = frame->child_ticks;
	uint8_t flags = frame->flags;

	if (unlikely(!frame->func)) {
		if (has_waits)
			frame[-1].waited.ticks +=
				frame->waited.ticks < ticks ? frame->waited.ticks : ticks;
		return;
	}
	call->func = frame->func;
	call->caller = frame[-1].func;
	call->begin_tsc = frame->begin_tsc;
	call->end_tsc = tsc;
	call->self_ticks = ticks > child_ticks ? ticks - child_ticks : 0;
	if (has_waits)
		leave_waits(frame, call);
	call->is_recursive = flags & FC_FRAME_RECURSIVE;
	if (unlikely(flags & (FC_FRAME_INHERITED | FC_FRAME_RESUMED)))
		tell_taken_over(flags, sink, call);
	else
		sink->leave(sink, call);
}

void fc_frame_leave(struct fc_frame *frame, struct fc_call_sink *sink, struct fc_call *call,
		    uint64_t tsc, enum fc_left left)
{
	uint64_t end = tsc > frame->begin_tsc ? tsc : frame->begin_tsc;
	uint64_t ticks = end - frame->begin_tsc;

	frame[-1].child_ticks += ticks;
	call->left = left;
	tell_leave(frame, sink, call, end, ticks, true);
	call->left = FC_LEFT_RETURN;
}

static void leave(struct fc_machine *m, uint64_t tsc, enum fc_left left)
{
	struct fc_frame *frame = &m->frames[--m->nr];

	m->nr_open[key_of(m, frame->func)]--;
	if (m->nr < m->nr_floor) {
		struct fc_floor_leave floor = { tsc, frame->child_ticks, frame->waited, left };
		fc_vec_push(&m->floor_leaves, floor);
		m->nr_floor--;
		return;
	}
	m->call.depth = (uint32_t)m->nr;
	fc_frame_leave(frame, m->sink, &m->call, tsc, left);
}

static void leave_to(struct fc_machine *m, uint64_t depth, uint64_t tsc, enum fc_left left)
{
	while (m->nr > depth)
		leave(m, tsc, left);
}

/* ---- records that are not common, one by one ---- */

static inline uint8_t flags_of(enum fc_since since)
{
	return since == FC_SINCE_FORK	? FC_FRAME_INHERITED
	       : since == FC_SINCE_KEPT ? FC_FRAME_RESUMED
					: 0;
}

/*
 * What any record does to the frames, among which there is room for one more. Those that are told
 * by the packets are counted apart.
 */
static inline __attribute__((always_inline)) void apply(struct fc_machine *m,
							const struct fc_event *event)
{
	enum fc_since since = fc_announced_next(&m->announced, event);
	struct fc_effect told = fc_effect_of(event, m->nr_told);
	struct fc_effect effect = fc_effect_of(event, m->nr);

	m->nr_told = fc_effect_known(&told);
	leave_to(m, effect.stay, m->now, effect.left);
	if (event->kind == FC_MARK && fc_mark_word(event->mark))
		m->sink->event(m->sink, event);
	if (effect.unknown)
		make_room(m, effect.unknown);
	for (; effect.unknown; effect.unknown--)
		push(m, 0, m->now, 0);
	if (effect.entered)
		push(m, event->func <= FC_FUNC_MAX ? event->func : 0, m->now, flags_of(since));
	if (effect.entered == FC_ENTERED_UNSEEN)
		leave(m, m->now, FC_LEFT_UNSEEN);
}

/* One that is unknown is for a cursor, which tells. */
__attribute__((noinline)) static int mark(struct fc_machine *m)
{
	struct fc_event event = {
		.tsc = m->now,
		.strand = m->call.strand,
		.pid = m->call.pid,
		.tid = m->call.tid,
	};

	if (fc_decoder_mark(&m->dec, m->next, &event) != 1)
		return -EBADMSG;
	apply(m, &event);
	return 0;
}

static int other(struct fc_machine *m)
{
	struct fc_slice *others = &m->dec.column[FC_COLUMN_OTHERS];
	struct fc_slice *funcs = &m->dec.column[FC_COLUMN_FUNCS];
	if (!fc_slice_left(others))
		return -EBADMSG;
	uint8_t kind = *others->at++;
	if (kind == FC_MARK)
		return mark(m);

	uint32_t func = (uint32_t)fc_slice_varint(funcs);
	switch (kind) {
	case FC_EXIT:
		apply(m, &(struct fc_event){ .kind = FC_EXIT, .func = func });
		break;
	case FC_ENTRY_ONLY:
		apply(m, &(struct fc_event){ .kind = FC_ENTRY_ONLY, .func = func });
		break;
	case FC_POP:
		apply(m, &(struct fc_event){ .kind = FC_POP, .func = func });
		break;
	default:
		return -EBADMSG;
	}
	return funcs->is_bad ? -EBADMSG : 0;
}

/* The thread or its process ended: what was open ends then. */
static int pass_ends(struct fc_machine *m)
{
	if (m->now > m->limit)
		return -EBADMSG;
	while (m->next_end < m->now) {
		leave_to(m, 0, m->next_end, FC_LEFT_END);
		m->announced.nr = 0;
		m->next_end = fc_ends_next(m->ends, m->info, m->next_end + 1);
	}
	m->stop = m->limit < m->next_end ? m->limit : m->next_end;
	return 0;
}

static unsigned code_of(const struct fc_machine *m)
{
	return m->dec.column[FC_COLUMN_KINDS].at[m->next / 4] >> m->next % 4 * 2 & 3;
}

/* One record of any kind. */
static int step(struct fc_machine *m)
{
	struct fc_slice *times = &m->dec.column[FC_COLUMN_TIMES];
	struct fc_slice *funcs = &m->dec.column[FC_COLUMN_FUNCS];
	unsigned code = code_of(m);
	uint64_t delta = fc_slice_varint(times);

	m->next++;
	m->now += delta << m->shift;
	if (times->is_bad || delta > UINT64_MAX >> m->shift || m->now < delta)
		return -EBADMSG;
	if (m->now > m->stop && pass_ends(m))
		return -EBADMSG;
	switch (code) {
	case FC_CODE_RETURN:
		if (!m->nr_told)
			return -EBADMSG;
		apply(m, &(struct fc_event){ .kind = FC_EXIT });
		break;
	case FC_CODE_ENTRY:
		apply(m, &(struct fc_event){ .kind = FC_ENTRY,
					     .func = (uint32_t)fc_slice_varint(funcs) });
		break;
	case FC_CODE_TAIL:
		apply(m, &(struct fc_event){ .kind = FC_TAIL,
					     .func = (uint32_t)fc_slice_varint(funcs) });
		break;
	default:
		return other(m);
	}
	return funcs->is_bad ? -EBADMSG : 0;
}

/* ---- the common ones, in a row ---- */

/*
 * Entries, returns and tail calls, and values, which nobody is told here, up to a record of another
 * kind or one that needs a closer look, and to the packet's end.
 */
static inline __attribute__((always_inline)) void run_as(struct fc_machine *m, bool has_waits)
{
	const uint8_t *kinds = m->dec.column[FC_COLUMN_KINDS].at;
	struct fc_slice *times = &m->dec.column[FC_COLUMN_TIMES];
	struct fc_slice *funcs = &m->dec.column[FC_COLUMN_FUNCS];
	const uint8_t *time_at = times->at, *time_end = times->end;
	const uint8_t *func_at = funcs->at, *func_end = funcs->end;
	struct fc_frame *top = m->frames + m->nr; /* the next one's place */
	struct fc_frame *bottom = m->frames;
	size_t untold = m->nr > m->nr_told ? m->nr - m->nr_told : 0;
	struct fc_frame *floor = bottom + (untold > m->nr_floor ? untold : m->nr_floor);
	const uint32_t *group = m->group;
	uint32_t *nr_open = m->nr_open;
	size_t nr_groups = m->nr_groups;
	struct fc_call_sink *sink = m->sink;
	struct fc_call *call = &m->call;
	const struct fc_off_funcs *off_funcs = m->off_funcs;
	uint64_t now = m->now, stop = m->stop;
	unsigned shift = m->shift;
	uint32_t i = m->next, nr = m->dec.head.nr_records;

	for (; i < nr; i++) {
		unsigned code = kinds[i / 4] >> i % 4 * 2 & 3;
		const uint8_t *next_time = time_at;
		uint32_t delta, func;
		if (unlikely(!fc_varint_take_small(&next_time, time_end, &delta)))
			break;
		uint64_t then = now + ((uint64_t)delta << shift);
		if (unlikely(then > stop))
			break;
		if (code == FC_CODE_ENTRY) {
			const uint8_t *next_func = func_at;
			if (unlikely(!fc_varint_take_small(&next_func, func_end, &func)))
				break;
			uint32_t key = group ? group[func] : func;
			if (unlikely(key >= nr_groups))
				break;
			func_at = next_func;
			top->begin_tsc = then;
			top->child_ticks = 0;
			top->func = func;
			top->flags = nr_open[key]++ > 0;
			top->waited = (struct fc_waited){ 0 };
			if (has_waits && fc_off_funcs_has(off_funcs, func))
				top->flags |= FC_FRAME_OFF_CPU;
			top++;
		} else if (code == FC_CODE_RETURN) {
			if (unlikely(top == floor))
				break;
			top--;
			nr_open[group ? group[top->func] : top->func]--;
			uint64_t ticks = then - top->begin_tsc;
			top[-1].child_ticks += ticks;
			call->depth = (uint32_t)(top - bottom);
			tell_leave(top, sink, call, then, ticks, has_waits);
		} else if (code != FC_CODE_OTHER || !fc_decoder_pass_values(&m->dec)) {
			break;
		}
		time_at = next_time;
		now = then;
	}
	times->at = time_at;
	funcs->at = func_at;
	m->nr_told += (size_t)(top - bottom) - m->nr;
	m->nr = (size_t)(top - bottom);
	m->now = now;
	m->next = i;
}

/* Who asks for each call whether it waited takes longer: most traces tell of no waits. */
static __attribute__((noinline)) void run(struct fc_machine *m)
{
	run_as(m, false);
}

static __attribute__((noinline)) void run_waits(struct fc_machine *m)
{
	run_as(m, true);
}

static int run_packet(struct fc_machine *m, size_t i, size_t k)
{
	const struct fc_events_head *head = &m->dec.head;

	m->next = 0;
	m->now = head->begin << m->shift;
	m->limit = head->end << m->shift;
	m->stop = m->limit < m->next_end ? m->limit : m->next_end;
	while (m->next < head->nr_records) {
		/* Each record opens one call at most. */
		make_room(m, head->nr_records - m->next);
		if (!m->announced.nr && m->off_funcs)
			run_waits(m);
		else if (!m->announced.nr)
			run(m);
		if (m->next < head->nr_records && step(m))
			return -EBADMSG;
		if (m->nr > DEEPEST || m->nr_told > DEEPEST)
			return -EBADMSG;
	}
	fc_reader_packet_used(m->reader, i, k);
	return 0;
}

static int lay_floor(struct fc_machine *m)
{
	struct fc_opens opens = { 0 };
	int ret = fc_decoder_opens(&m->dec, &opens);

	if (!ret && opens.calls.nr != m->dec.head.depth)
		ret = -EBADMSG;
	make_room(m, opens.calls.nr);
	fc_vec_each (&opens.calls, open)
		push(m, open->func <= FC_FUNC_MAX ? open->func : 0, open->begin << m->shift, 0);
	m->nr_floor = m->nr_told = m->nr;
	for (size_t i = 0; i < m->nr; i++)
		fc_vec_push(&m->laid, m->frames[i]);
	fc_vec_free(&opens.calls);
	return ret;
}

int fc_machine_run(struct fc_machine *m, size_t i, size_t first, size_t nr)
{
	const struct fc_strand_info *strand = fc_reader_strand(m->reader, i);
	uint64_t begin = fc_reader_packet(m->reader, i, first)->begin << m->shift;
	int ret = 0;

	fc_machine_clear(m);
	m->announced.nr = 0;
	m->nr_told = 0;
	m->info = strand;
	m->next_end = fc_ends_next(m->ends, strand, begin);
	m->call = (struct fc_call){
		.strand = strand->id,
		.pid = strand->pid,
		.tid = strand->tid,
	};
	for (size_t k = first; k < first + nr && !ret; k++) {
		ret = fc_decoder_load_packet(&m->dec, m->reader, i, k);
		if (!ret && k == first && k)
			ret = lay_floor(m);
		if (!ret)
			ret = run_packet(m, i, k);
	}
	return ret;
}
