/* SPDX-License-Identifier: Apache-2.0 */
/* raws.c - events are read where their format says, held, and sorted by time. */
#include "capture/kernel/raws.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "capture/kernel/eventformat.h"
#include "capture/kernel/return_probes.h"

/* Fields that all events have, and two of each kind. */
enum { TYPE, PID, NUMBER, VALUE, NR_FIELDS };

struct layout {
	int id;
	struct fc_event_field field[NR_FIELDS];
};

static const struct {
	const char *system, *event, *number, *value;
} events[FC_RAW_NR] = {
	[FC_RAW_CALL] = { "raw_syscalls", "sys_enter", "id", "args" },
	[FC_RAW_RESULT] = { "raw_syscalls", "sys_exit", "id", "ret" },
	[FC_RAW_ENTRY] = { "ftrace", "funcgraph_entry", "func", "depth" },
	[FC_RAW_EXIT] = { "ftrace", "funcgraph_exit", "func", "depth" },
	[FC_RAW_RETURN] = { NULL, FC_RETURN_PROBES_EVENT, FC_RETURN_PROBES_FUNC,
			    FC_RETURN_PROBES_RESULT },
};

struct fc_raws {
	struct layout layouts[FC_RAW_NR];
	enum fc_raw_kind nr_kinds; /* that there are */
	FC_VEC(struct fc_raw) list;
	FC_VEC(uint64_t) args; /* FC_SYSCALL_ARGS of each call */
};

int fc_raws_create(const char *folder, bool with_functions, const char *probes,
		   struct fc_raws **ret)
{
	struct fc_raws *raws = fc_alloc(sizeof(*raws));
	int err = 0;
	raws->nr_kinds = !with_functions ? FC_RAW_ENTRY : probes ? FC_RAW_NR : FC_RAW_RETURN;
	for (enum fc_raw_kind i = 0; !err && i < raws->nr_kinds; i++) {
		struct layout *layout = &raws->layouts[i];
		layout->field[TYPE].name = "common_type";
		layout->field[PID].name = "common_pid";
		layout->field[NUMBER].name = events[i].number;
		layout->field[VALUE].name = events[i].value;
		const char *system = events[i].system ? events[i].system : probes;
		err = fc_event_format_find(folder, system, events[i].event, layout->field,
					   NR_FIELDS, &layout->id);
	}
	if (err)
		fc_raws_destroy(raws);
	else
		*ret = raws;
	return err;
}

void fc_raws_destroy(struct fc_raws *raws)
{
	if (!raws)
		return;
	fc_vec_free(&raws->list);
	fc_vec_free(&raws->args);
	free(raws);
}

size_t fc_raws_nr(const struct fc_raws *raws)
{
	return raws->list.nr;
}

static void add_args(struct fc_raws *raws, const struct layout *layout, const void *event,
		     size_t size)
{
	fc_vec_reserve(&raws->args, FC_SYSCALL_ARGS);
	for (size_t i = 0; i < FC_SYSCALL_ARGS; i++)
		raws->args.at[raws->args.nr++] =
			fc_event_field_read(&layout->field[VALUE], event, size, i);
}

void fc_raws_add(void *ctx, uint64_t tsc, const void *event, size_t size)
{
	struct fc_raws *raws = ctx;
	int id = (int)fc_event_field_read(&raws->layouts[0].field[TYPE], event, size, 0);
	enum fc_raw_kind kind = 0;
	while (kind < raws->nr_kinds && raws->layouts[kind].id != id)
		kind++;
	if (kind == raws->nr_kinds)
		return;
	const struct layout *layout = &raws->layouts[kind];
	struct fc_raw raw = {
		.tsc = tsc,
		.number = fc_event_field_read(&layout->field[NUMBER], event, size, 0),
		.tid = (int)fc_event_field_read(&layout->field[PID], event, size, 0),
		.order = (uint32_t)raws->list.nr,
		.kind = kind,
		.args = (uint32_t)(raws->args.nr / FC_SYSCALL_ARGS),
	};
	if (kind == FC_RAW_CALL)
		add_args(raws, layout, event, size);
	else
		raw.value = (int64_t)fc_event_field_read(&layout->field[VALUE], event, size, 0);
	fc_vec_push(&raws->list, raw);
}

static int by_time(const void *a, const void *b)
{
	const struct fc_raw *x = a, *y = b;
	return fc_order(x->tsc, y->tsc) ?: fc_order(x->order, y->order);
}

/* The first nr have been told. */
static void drop(struct fc_raws *raws, size_t nr)
{
	FC_VEC(uint64_t) args = { 0 };
	raws->list.nr -= nr;
	memmove(raws->list.at, raws->list.at + nr, raws->list.nr * sizeof(*raws->list.at));
	for (size_t i = 0; i < raws->list.nr; i++) {
		struct fc_raw *raw = &raws->list.at[i];
		raw->order = (uint32_t)i;
		if (raw->kind != FC_RAW_CALL)
			continue;
		const uint64_t *from = raws->args.at + (size_t)raw->args * FC_SYSCALL_ARGS;
		raw->args = (uint32_t)(args.nr / FC_SYSCALL_ARGS);
		for (size_t arg = 0; arg < FC_SYSCALL_ARGS; arg++)
			fc_vec_push(&args, from[arg]);
	}
	if (args.nr)
		memcpy(raws->args.at, args.at, args.nr * sizeof(*args.at));
	raws->args.nr = args.nr;
	fc_vec_free(&args);
}

void fc_raws_tell(struct fc_raws *raws, uint64_t until,
		  void (*take)(void *ctx, const struct fc_raw *raw, const uint64_t *args),
		  void *ctx)
{
	size_t nr = 0;
	if (raws->list.nr)
		qsort(raws->list.at, raws->list.nr, sizeof(*raws->list.at), by_time);
	for (; nr < raws->list.nr && raws->list.at[nr].tsc < until; nr++) {
		const struct fc_raw *raw = &raws->list.at[nr];
		take(ctx, raw,
		     raw->kind == FC_RAW_CALL
			     ? raws->args.at + (size_t)raw->args * FC_SYSCALL_ARGS
			     : NULL);
	}
	if (nr)
		drop(raws, nr);
}
