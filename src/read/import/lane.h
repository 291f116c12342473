/* SPDX-License-Identifier: Apache-2.0 */
/* lane.h - a thread of a recording on its way into the trace: its records, turns and stack. */
#ifndef FC_READ_IMPORT_LANE_H
#define FC_READ_IMPORT_LANE_H

#include "read/import/addresses.h"
#include "read/import/stack.h"

/* The state that all lanes share. */
struct fc_uf_road {
	const struct fc_folder *folder;
	const struct fc_uf_tasks *tasks;
	struct fc_uf_spaces *spaces;
	struct fc_tap *tap;
	uint64_t first_ns, end_ns; /* of the recording, with room */
	uint32_t next_strand;
	int first_pid; /* whose status is known, or 0 */
	int wait_status;
	struct fc_uf_lane *lanes; /* by place of the task */

	/* What was passed over, of the lanes that ended. */
	uint64_t nr_records, nr_values, nr_events, nr_unmatched, nr_disorder, bad_bytes;
	size_t nr_threads, nr_bad_files;
	int bad_tid; /* of the first of these */
};

struct fc_uf_lane {
	struct fc_uf_road *road;
	const struct fc_uf_task *task;
	size_t turn;
	struct fc_uf_records records;
	struct fc_uf_strand strand;
	struct fc_uf_record next;
	FC_VEC(struct fc_uf_frame) forked; /* what was open at the last return of fork() */
	bool is_begun, has_next, is_over;
	bool is_entered; /* a call or return was seen since the turn began */
	uint64_t end_ns; /* when the thread exited, if that is known */
	/* Of the process that this one leads. */
	size_t nr_threads; /* not ended */
	uint64_t process_end_ns;
};

/* When it has something to do. */
uint64_t fc_uf_lane_ns(const struct fc_uf_lane *lane);

/*
 * Do what there is up to that time, at least one step. 0, or what the tap says; is_over is set
 * behind its last record. Its calls are open until it is ended.
 */
int fc_uf_lane_run(struct fc_uf_lane *lane, uint64_t until_ns);

/* No more is known of any lane: its thread ends when it exited, or with its last record. */
int fc_uf_lane_end(struct fc_uf_lane *lane);
void fc_uf_lane_deinit(struct fc_uf_lane *lane);

#endif
