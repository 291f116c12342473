/* SPDX-License-Identifier: Apache-2.0 */
/* raws.c - events are read where their format says, held, and sorted by time. */
#include "capture/kernel/raws.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "capture/kernel/address_probes.h"
#include "capture/kernel/end_probes.h"
#include "capture/kernel/eventformat.h"
#include "capture/kernel/func_probes.h"
#include "capture/kernel/function_graph.h"
#include "capture/kernel/path_probes.h"

/* Fields that all events have, two of each kind, and words of some: an array, a text, or first to last. */
enum { TYPE, PID, NUMBER, VALUE, WORDS, LAST, NR_FIELDS };

struct layout {
	int id; /* 0: there is none of this kind */
	struct fc_event_field field[NR_FIELDS];
};

static const struct {
	const char *system, *event, *number, *value, *words, *last;
} events[FC_RAW_NR] = {
	[FC_RAW_CALL] = { "raw_syscalls", "sys_enter", "id", NULL, "args", NULL },
	[FC_RAW_RESULT] = { "raw_syscalls", "sys_exit", "id", "ret", NULL, NULL },
	[FC_RAW_ENTRY] = { "ftrace", "funcgraph_entry", "func", "depth", FC_FUNCTION_GRAPH_ARGS,
			   NULL },
	[FC_RAW_EXIT] = { "ftrace", "funcgraph_exit", "func", "depth", FC_FUNCTION_GRAPH_RESULT,
			  NULL },
	[FC_RAW_ARGS] = { NULL, FC_FUNC_PROBES_ARGS, FC_PROBE_ENTERED, NULL,
			  FC_FUNC_PROBES_FIRST, FC_FUNC_PROBES_LAST },
	[FC_RAW_RETURN] = { NULL, FC_FUNC_PROBES_RESULT, FC_PROBE_RETURNED, FC_FUNC_PROBES_RET,
			    NULL, NULL },
	[FC_RAW_SWITCH] = { "sched", "sched_switch", "prev_state", "next_pid", "prev_comm",
			    NULL },
	[FC_RAW_WAKING] = { "sched", "sched_waking", "pid", "common_flags", NULL, NULL },
	[FC_RAW_PATH] = { NULL, FC_PATH_PROBES_EVENT, FC_PATH_PROBES_STRUCT,
			  FC_PATH_PROBES_POINTER, FC_PATH_PROBES_NAME, NULL },
	[FC_RAW_ADDRESS] = { NULL, FC_ADDRESS_PROBES_EVENT, FC_ADDRESS_PROBES_SIZE, NULL,
			     FC_ADDRESS_PROBES_BYTES, NULL },
	[FC_RAW_END] = { NULL, FC_END_PROBES_EVENT, FC_END_PROBES_WHAT, FC_END_PROBES_VALUE,
			 NULL, NULL },
	[FC_RAW_STACK] = { "ftrace", "kernel_stack", "size", NULL, "caller", NULL },
	[FC_RAW_BORN] = { "task", "task_newtask", "pid", "clone_flags", NULL, NULL },
	[FC_RAW_EXEC] = { "sched", "sched_process_exec", "pid", NULL, "filename", NULL },
};

struct fc_raws {
	struct layout layouts[FC_RAW_NR];
	FC_VEC(struct fc_raw) list;
	FC_VEC(uint64_t) words;
};

/* Those of functions are not in each kernel, nor always wanted. */
static const char *words_wanted(enum fc_raw_kind kind, unsigned kinds)
{
	bool is_out = (kind == FC_RAW_ENTRY && !(kinds & FC_RAWS_OWN_ARGS)) ||
		      (kind == FC_RAW_EXIT && !(kinds & FC_RAWS_OWN_RESULTS));
	return is_out ? NULL : events[kind].words;
}

static int find(struct layout *layout, enum fc_raw_kind kind, unsigned kinds,
		const char *folder, const char *probes)
{
	const char *system = events[kind].system ? events[kind].system : probes;
	layout->field[TYPE].name = "common_type";
	layout->field[PID].name = "common_pid";
	layout->field[NUMBER].name = events[kind].number;
	layout->field[VALUE].name = events[kind].value;
	layout->field[WORDS].name = words_wanted(kind, kinds);
	layout->field[LAST].name = events[kind].last;
	int err = fc_event_format_find(folder, system, events[kind].event, layout->field,
				       NR_FIELDS, &layout->id);
	if (!err && events[kind].last)
		layout->field[WORDS].size = layout->field[LAST].off + layout->field[LAST].size -
					    layout->field[WORDS].off;
	/* As many as there are: the format tells none. */
	if (!err && kind == FC_RAW_ENTRY && layout->field[WORDS].name)
		layout->field[WORDS].size = FC_KERNEL_ARGS * sizeof(uint64_t);
	return err;
}

int fc_raws_create(const char *folder, unsigned kinds, const char *probes, struct fc_raws **ret)
{
	struct fc_raws *raws = fc_alloc(sizeof(*raws));
	int err = 0;
	for (enum fc_raw_kind i = 0; !err && i < FC_RAW_NR; i++)
		if (kinds & 1u << i)
			err = find(&raws->layouts[i], i, kinds, folder, probes);
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
	fc_vec_free(&raws->words);
	free(raws);
}

size_t fc_raws_nr(const struct fc_raws *raws)
{
	return raws->list.nr;
}

static uint32_t add_array(struct fc_raws *raws, const struct fc_event_field *field,
			  const void *event, size_t size, uint32_t nr)
{
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&raws->words, fc_event_field_read(field, event, size, i));
	return nr;
}

/* So many bytes of it, and a zero. */
static uint32_t add_text(struct fc_raws *raws, const char *text, size_t length)
{
	uint64_t words[FC_RAW_TEXT / sizeof(uint64_t)] = { 0 };
	length = length < FC_RAW_TEXT ? length : FC_RAW_TEXT - 1;
	size_t nr = length / sizeof(uint64_t) + 1;
	if (length)
		memcpy(words, text, length);
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&raws->words, words[i]);
	return (uint32_t)nr;
}

static uint32_t add_words(struct fc_raws *raws, enum fc_raw_kind kind,
			  const struct fc_event_field *field, const void *event, size_t size)
{
	static_assert((int)FC_SYSCALL_ARGS == (int)FC_KERNEL_ARGS, "both have as many");
	size_t length = 0;
	if (kind == FC_RAW_ENTRY && size < field->off + field->size)
		return 0;
	if (kind == FC_RAW_CALL || kind == FC_RAW_ARGS || kind == FC_RAW_ENTRY)
		return add_array(raws, field, event, size, FC_SYSCALL_ARGS);
	if (kind == FC_RAW_EXIT)
		return add_array(raws, field, event, size, 1);
	if (kind == FC_RAW_ADDRESS)
		return add_array(raws, field, event, size, FC_ADDRESS_ROOM / sizeof(uint64_t));
	const char *text = kind == FC_RAW_PATH || kind == FC_RAW_EXEC
				   ? fc_event_field_text(field, event, size, &length)
				   : fc_event_field_chars(field, event, size, &length);
	return add_text(raws, text, length);
}

/* The kernel writes it right behind the waking, into the same buffer. */
static void add_stack(struct fc_raws *raws, const struct fc_raw *stack,
		      const struct fc_event_field *field, const void *event, size_t size)
{
	enum { MOST = 24, WORD = 8, SOON = 1 << 24 };
	struct fc_raw *waking = raws->list.nr ? &raws->list.at[raws->list.nr - 1] : NULL;
	size_t nr = field->off < size ? (size - field->off) / WORD : 0;
	if (!waking || waking->kind != FC_RAW_WAKING || waking->nr_words ||
	    stack->tid != waking->tid || stack->tsc - waking->tsc > SOON)
		return;
	nr = nr < stack->number ? nr : stack->number;
	nr = nr < MOST ? nr : MOST;
	waking->words = (uint32_t)raws->words.nr;
	waking->nr_words = (uint32_t)nr + 1;
	fc_vec_push(&raws->words, nr);
	for (size_t i = 0; i < nr; i++) {
		struct fc_event_field caller = { .off = field->off + i * WORD, .size = WORD };
		fc_vec_push(&raws->words, fc_event_field_read(&caller, event, size, 0));
	}
}

/* Threads 0 of all CPUs are told apart where something of theirs is told. */
static int find_tid(const struct fc_event_field *field, enum fc_raw_kind kind, int cpu,
		    const void *event, size_t size)
{
	int tid = (int)fc_event_field_read(field, event, size, 0);
	bool is_any = kind == FC_RAW_SWITCH || kind == FC_RAW_WAKING || kind == FC_RAW_STACK;
	return tid || is_any ? tid : FC_RAW_IDLE - cpu;
}

void fc_raws_add(void *ctx, int cpu, uint64_t tsc, const void *event, size_t size)
{
	struct fc_raws *raws = ctx;
	int id = (int)fc_event_field_read(&raws->layouts[0].field[TYPE], event, size, 0);
	enum fc_raw_kind kind = 0;
	while (kind < FC_RAW_NR && raws->layouts[kind].id != id)
		kind++;
	if (kind == FC_RAW_NR || !id)
		return;
	const struct fc_event_field *field = raws->layouts[kind].field;
	struct fc_raw raw = {
		.tsc = tsc,
		.number = fc_event_field_read(&field[NUMBER], event, size, 0),
		.value = (int64_t)fc_event_field_read(&field[VALUE], event, size, 0),
		.tid = find_tid(&field[PID], kind, cpu, event, size),
		.order = (uint32_t)raws->list.nr,
		.kind = kind,
		.words = (uint32_t)raws->words.nr,
	};
	if (kind == FC_RAW_STACK) {
		add_stack(raws, &raw, &field[WORDS], event, size);
		return;
	}
	if (field[WORDS].name)
		raw.nr_words = add_words(raws, kind, &field[WORDS], event, size);
	fc_vec_push(&raws->list, raw);
}

static const uint64_t *words_of(const struct fc_raws *raws, const struct fc_raw *raw)
{
	return raw->nr_words ? raws->words.at + raw->words : NULL;
}

static int by_time(const void *a, const void *b)
{
	const struct fc_raw *x = a, *y = b;
	return fc_order(x->tsc, y->tsc) ?: fc_order(x->order, y->order);
}

/* The first nr have been told. */
static void drop(struct fc_raws *raws, size_t nr)
{
	FC_VEC(uint64_t) kept = { 0 };
	raws->list.nr -= nr;
	memmove(raws->list.at, raws->list.at + nr, raws->list.nr * sizeof(*raws->list.at));
	for (size_t i = 0; i < raws->list.nr; i++) {
		struct fc_raw *raw = &raws->list.at[i];
		const uint64_t *words = words_of(raws, raw);
		raw->order = (uint32_t)i;
		raw->words = (uint32_t)kept.nr;
		for (size_t k = 0; k < raw->nr_words; k++)
			fc_vec_push(&kept, words[k]);
	}
	if (kept.nr)
		memcpy(raws->words.at, kept.at, kept.nr * sizeof(*kept.at));
	raws->words.nr = kept.nr;
	fc_vec_free(&kept);
}

void fc_raws_tell(struct fc_raws *raws, uint64_t until,
		  void (*take)(void *ctx, const struct fc_raw *raw, const uint64_t *words),
		  void *ctx)
{
	size_t nr = 0;
	if (raws->list.nr)
		qsort(raws->list.at, raws->list.nr, sizeof(*raws->list.at), by_time);
	for (; nr < raws->list.nr && raws->list.at[nr].tsc < until; nr++)
		take(ctx, &raws->list.at[nr], words_of(raws, &raws->list.at[nr]));
	if (nr)
		drop(raws, nr);
}
