/* SPDX-License-Identifier: Apache-2.0 */
/* lane.c - imports the records of a thread, with the times when it was off the CPU. */
#include "read/import/lane.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"

#define LOOK_AHEAD (4u << 20) /* records, for the names of calls that a child inherited */

static size_t session_of(const struct fc_uf_lane *lane)
{
	return lane->turn < lane->task->turns.nr ? lane->task->turns.at[lane->turn].session
						 : FC_UF_NONE;
}

static bool is_code(void *ctx, uint64_t addr, uint64_t ns)
{
	const struct fc_uf_lane *lane = ctx;

	return fc_uf_spaces_is_mapped(lane->road->spaces, session_of(lane), addr, ns);
}

static int func_at(struct fc_uf_lane *lane, uint64_t addr, uint64_t ns, uint32_t *ret)
{
	return fc_uf_spaces_func(lane->road->spaces, session_of(lane), lane->task->pid, addr,
				 ns, ret);
}

/*
 * What is told to begin or end at a record's own time ends the call that this record opens: begins
 * are told a moment before, and no record of theirs is told to be earlier.
 */
static uint64_t before(uint64_t ns)
{
	return ns ? ns - 1 : 0;
}

static int tell_life(struct fc_uf_lane *lane, enum fc_life life, uint64_t ns, const char *text)
{
	struct fc_life_info info = {
		.life = life,
		.pid = lane->task->pid,
		.tid = life == FC_LIFE_EXIT ? lane->task->pid : lane->task->tid,
		.other = life == FC_LIFE_START ? lane->task->ppid : 0,
		.status = life == FC_LIFE_EXIT ? lane->road->wait_status : 0,
		.tsc = ns,
		.text = text
	};

	return lane->road->tap->life(lane->road->tap, &info);
}

/* ---- turns ---- */

static void begin_strand(struct fc_uf_lane *lane, uint64_t ns)
{
	struct fc_strand_info info = { lane->road->next_strand++, lane->task->pid,
				       lane->task->tid };

	fc_uf_strand_begin(&lane->strand, lane->road->tap, &info, ns);
	lane->is_entered = false;
}

static int tell_exec(struct fc_uf_lane *lane, uint64_t ns)
{
	size_t session = session_of(lane);

	if (session == FC_UF_NONE || lane->task->tid != lane->task->pid)
		return 0;
	return tell_life(lane, FC_LIFE_EXEC, ns, lane->road->tasks->sessions.at[session].exe);
}

static int begin(struct fc_uf_lane *lane)
{
	const struct fc_uf_task *task = lane->task;
	int err = tell_life(lane, task->tid == task->pid ? FC_LIFE_START : FC_LIFE_THREAD_START,
			    before(task->ns), "");

	if (!err && !task->ppid)
		err = tell_exec(lane, before(task->ns));
	lane->is_begun = true;
	lane->records.is_code = is_code;
	lane->records.ctx = lane;
	begin_strand(lane, task->ns);
	return err;
}

/* The thread ran another program by then: its calls of the one before are over. */
static int take_turns(struct fc_uf_lane *lane, uint64_t ns)
{
	int err = 0;

	while (!err && lane->turn + 1 < lane->task->turns.nr &&
	       lane->task->turns.at[lane->turn + 1].ns <= ns) {
		uint64_t turn_ns = lane->task->turns.at[++lane->turn].ns;
		err = fc_uf_strand_end(&lane->strand, before(turn_ns));
		if (!err)
			err = tell_exec(lane, before(turn_ns));
		begin_strand(lane, turn_ns);
	}
	return err;
}

/* ---- calls that were open before the first record ---- */

/*
 * The records to come say which these were, when they return: their addresses, by depth; 0 where
 * they do not.
 */
static void look_ahead(const struct fc_uf_lane *lane, uint64_t *addrs, uint32_t nr)
{
	struct fc_uf_records ahead = lane->records;
	struct fc_uf_record record = lane->next;
	uint64_t end_ns = lane->turn + 1 < lane->task->turns.nr
				  ? lane->task->turns.at[lane->turn + 1].ns
				  : UINT64_MAX;
	uint32_t level = nr;

	/* Read again what was not used. */
	ahead.off -= ahead.nr - ahead.at;
	ahead.buf = NULL;
	ahead.at = ahead.nr = 0;
	for (uint32_t i = 0; level && i < LOOK_AHEAD && record.ns < end_ns; i++) {
		bool is_call = record.type == FC_UF_ENTRY || record.type == FC_UF_EXIT;
		if (is_call && record.depth < level) {
			level = record.depth;
			if (record.type == FC_UF_EXIT)
				addrs[level] = record.addr;
		}
		if (!fc_uf_records_next(&ahead, &record))
			break;
	}
	free(ahead.buf);
}

/*
 * What the parent had open at the fork: what it has now, or it has returned already. func is the
 * innermost of the nr calls that the child has open.
 */
static const struct fc_uf_frame *stack_of_parent(const struct fc_uf_lane *lane, uint32_t func,
						 uint32_t nr)
{
	const struct fc_uf_task *task =
		lane->task->ppid ? fc_uf_tasks_find(lane->road->tasks, lane->task->ppid) : NULL;
	const struct fc_uf_lane *parent =
		task ? &lane->road->lanes[task - lane->road->tasks->tasks.at] : NULL;

	if (!parent || lane->turn)
		return NULL;
	if (parent->strand.opens.nr >= nr && parent->strand.opens.at[nr - 1].func == func)
		return parent->strand.opens.at;
	if (parent->forked.nr == nr && parent->forked.at[nr - 1].func == func)
		return parent->forked.at;
	return NULL;
}

static void keep_forked(struct fc_uf_lane *lane, uint32_t func)
{
	if (!fc_uf_spaces_forks(lane->road->spaces, func))
		return;
	lane->forked.nr = 0;
	fc_vec_each (&lane->strand.opens, open)
		fc_vec_push(&lane->forked, *open);
}

static int inherit(struct fc_uf_lane *lane)
{
	uint32_t nr = lane->next.depth + (lane->next.type == FC_UF_EXIT);
	FC_VEC(struct fc_uf_frame) frames = { 0 };
	uint32_t innermost;

	lane->is_entered = true;
	if (!nr || lane->strand.lost)
		return 0;
	uint64_t *addrs = fc_alloc(nr * sizeof(*addrs));
	look_ahead(lane, addrs, nr);
	int err = func_at(lane, lane->next.addr, lane->next.ns, &innermost);
	const struct fc_uf_frame *parents = stack_of_parent(lane, innermost, nr);
	for (uint32_t i = 0; i < nr && !err; i++) {
		struct fc_uf_frame frame = { 0, i };
		if (addrs[i])
			err = func_at(lane, addrs[i], lane->next.ns, &frame.func);
		else if (parents)
			frame.func = parents[i].func;
		if (frame.func)
			fc_vec_push(&frames, frame);
		else
			frames.nr = 0; /* what is around an unknown one cannot be told */
	}
	free(addrs);
	if (!err && frames.nr)
		err = fc_uf_strand_inherit(&lane->strand, lane->turn ? 0 : lane->task->ppid,
					   frames.at, frames.nr, lane->next.ns);
	fc_vec_free(&frames);
	return err;
}

/* ---- records ---- */

static int import_record(struct fc_uf_lane *lane)
{
	const struct fc_uf_record *record = &lane->next;
	uint32_t func = 0;
	int err = take_turns(lane, record->ns);

	lane->road->nr_records++;
	if (record->type == FC_UF_EVENT) {
		lane->road->nr_events++;
		return err;
	}
	if (!err && record->type != FC_UF_LOST) {
		if (!lane->is_entered)
			err = inherit(lane);
		if (!err)
			err = func_at(lane, record->addr, record->ns, &func);
		if (!err && record->type == FC_UF_EXIT)
			keep_forked(lane, func);
	}
	return err ? err : fc_uf_strand_add(&lane->strand, record, func);
}

static int read_next(struct fc_uf_lane *lane)
{
	lane->has_next = fc_uf_records_next(&lane->records, &lane->next);
	return 0;
}

static void sum_up(struct fc_uf_lane *lane)
{
	struct fc_uf_road *road = lane->road;

	road->nr_threads++;
	road->nr_values += lane->records.nr_values;
	road->nr_unmatched += lane->strand.nr_unmatched;
	road->nr_disorder += lane->strand.nr_disorder;
	road->bad_bytes += lane->records.bad_bytes;
	if (!lane->records.bad_bytes)
		return;
	if (!road->nr_bad_files++)
		road->bad_tid = lane->task->tid;
}

uint64_t fc_uf_lane_ns(const struct fc_uf_lane *lane)
{
	if (!lane->is_begun)
		return lane->task->ns;
	return lane->next.type == FC_UF_LOST ? lane->strand.last_ns : lane->next.ns;
}

int fc_uf_lane_run(struct fc_uf_lane *lane, uint64_t until_ns)
{
	int err = 0;

	if (!lane->is_begun) {
		err = begin(lane);
		return err ? err : read_next(lane);
	}
	do {
		if (!lane->has_next) {
			lane->is_over = true;
			return fc_uf_strand_flush(&lane->strand);
		}
		err = import_record(lane);
		if (!err)
			err = read_next(lane);
	} while (!err && (!lane->has_next || fc_uf_lane_ns(lane) <= until_ns));
	return err;
}

int fc_uf_lane_end(struct fc_uf_lane *lane)
{
	const struct fc_uf_task *leader = fc_uf_tasks_find(lane->road->tasks, lane->task->pid);
	struct fc_uf_lane *of_process =
		leader ? &lane->road->lanes[leader - lane->road->tasks->tasks.at] : lane;
	int err = take_turns(lane, UINT64_MAX);

	if (!err)
		err = fc_uf_strand_end(&lane->strand, lane->end_ns);
	uint64_t end_ns = lane->strand.last_ns;
	if (!err && lane->task->tid != lane->task->pid)
		err = tell_life(lane, FC_LIFE_THREAD_EXIT, end_ns, "");
	/* The process ends with its last thread. */
	if (of_process->process_end_ns < end_ns)
		of_process->process_end_ns = end_ns;
	if (!err && !--of_process->nr_threads && lane->task->pid == lane->road->first_pid)
		err = tell_life(lane, FC_LIFE_EXIT, of_process->process_end_ns, "");
	sum_up(lane);
	fc_uf_lane_deinit(lane);
	return err;
}

void fc_uf_lane_deinit(struct fc_uf_lane *lane)
{
	fc_uf_records_close(&lane->records);
	fc_uf_strand_deinit(&lane->strand);
	fc_vec_free(&lane->forked);
}
