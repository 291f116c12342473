/* SPDX-License-Identifier: Apache-2.0 */
/* facts.c - parses the packets that hold no records. */
#include "trace/facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/sort.h"
#include "trace/record.h"

#define TIME_SHIFT_MAX 32

void fc_facts_init(struct fc_facts *facts)
{
	*facts = (struct fc_facts){ .zstd = ZSTD_createDCtx() };
}

void fc_facts_deinit(struct fc_facts *facts)
{
	ZSTD_freeDCtx(facts->zstd);
	fc_vec_each (&facts->modules, module)
		free((void *)module->funcs);
	fc_vec_free(&facts->modules);
	fc_vec_free(&facts->args);
	fc_vec_free(&facts->maps);
	fc_vec_free(&facts->lives);
	fc_vec_free(&facts->hooks);
	fc_vec_free(&facts->counted);
	fc_vec_free(&facts->marks);
	fc_vec_free(&facts->values);
	fc_off_funcs_deinit(&facts->off_funcs);
	fc_vec_free(&facts->names);
	fc_vec_each (&facts->kept, payload)
		free(*payload);
	fc_vec_free(&facts->kept);
	fc_vec_each (&facts->made, name)
		free(*name);
	fc_vec_free(&facts->made);
	free(facts->funcs);
}

int fc_facts_payload(struct fc_facts *facts, const struct fc_packet *packet,
		     struct fc_slice *ret)
{
	struct fc_bytes raw = { 0 };
	int err = 0;
	if (packet->flags & FC_PACKET_ZSTD)
		err = fc_inflate(facts->zstd, packet->stored, packet->stored_len,
				 packet->raw_len, &raw);
	else /* texts of it are kept, and a file that is mapped may change */
		fc_bytes_copy(&raw, packet->stored, packet->stored_len);
	if (err) {
		fc_bytes_free(&raw);
		return err;
	}
	fc_vec_push(&facts->kept, raw.at);
	*ret = fc_slice_of(raw.at, raw.nr);
	return 0;
}

/* Before 1.3 only the command line tells: --loss=ring, or what fctrace dump writes for one. */
static bool is_flight_by(const char *options)
{
	return strstr(options, "=ring") || strstr(options, " ring") ||
	       !strncmp(options, "fctrace dump ", strlen("fctrace dump "));
}

static int take_session(struct fc_facts *facts, struct fc_slice *slice)
{
	uint64_t time_shift = fc_slice_varint(slice);
	struct fc_clock clock = { 0 };
	clock.tsc0 = fc_slice_varint(slice);
	clock.mono0_ns = fc_slice_varint(slice);
	clock.real0_ns = fc_slice_varint(slice);
	clock.tsc1 = fc_slice_varint(slice);
	clock.mono1_ns = fc_slice_varint(slice);
	const char *machine = fc_slice_string(slice);
	const char *options = fc_slice_string(slice);
	uint64_t argc = fc_slice_varint(slice);
	if (slice->is_bad || time_shift > TIME_SHIFT_MAX || argc > fc_slice_left(slice))
		return -EBADMSG;

	facts->args.nr = 0;
	for (uint64_t i = 0; i < argc; i++)
		fc_vec_push(&facts->args, fc_slice_string(slice));
	bool has_flags = fc_slice_left(slice);
	uint64_t flags = has_flags ? fc_slice_varint(slice) : 0;
	if (slice->is_bad)
		return -EBADMSG;
	facts->time_shift = (unsigned)time_shift;
	facts->clock = clock;
	facts->machine = machine;
	facts->options = options;
	facts->is_flight = has_flags ? flags & FC_SESSION_FLIGHT : is_flight_by(options);
	return 0;
}

static int take_clock(struct fc_facts *facts, struct fc_slice *slice)
{
	uint64_t tsc = fc_slice_varint(slice);
	uint64_t mono_ns = fc_slice_varint(slice);
	if (slice->is_bad)
		return -EBADMSG;
	fc_clock_set_second(&facts->clock, tsc, mono_ns);
	return 0;
}

/* ---- modules ---- */

static int take_hows(struct fc_slice *slice, struct fc_func_info *funcs, size_t nr)
{
	fc_auto_vec FC_VEC(const char *) whys = { 0 };
	uint64_t nr_whys = fc_slice_varint(slice);
	if (nr_whys > fc_slice_left(slice))
		return -EBADMSG;
	for (uint64_t i = 0; i < nr_whys; i++)
		fc_vec_push(&whys, fc_slice_string(slice));

	bool is_bad = false;
	for (size_t i = 0; i < nr; i++) {
		uint64_t how = fc_slice_varint(slice);
		funcs[i].how = how & 3;
		funcs[i].why = how >> 2 < whys.nr ? whys.at[how >> 2] : "";
		is_bad |= how >> 2 >= whys.nr;
	}
	return is_bad || slice->is_bad ? -EBADMSG : 0;
}

static int take_funcs(struct fc_slice *slice, struct fc_func_info *funcs, size_t nr)
{
	if (take_hows(slice, funcs, nr))
		return -EBADMSG;
	uint64_t vaddr = 0, id = 0;
	for (size_t i = 0; i < nr; i++)
		funcs[i].vaddr = vaddr += (uint64_t)fc_slice_signed(slice);
	for (size_t i = 0; i < nr; i++)
		funcs[i].size = fc_slice_varint(slice);
	for (size_t i = 0; i < nr; i++) {
		if (!fc_how_is_recorded(funcs[i].how))
			continue;
		id += (uint64_t)fc_slice_signed(slice);
		if (id > FC_FUNC_MAX)
			return -EBADMSG;
		funcs[i].id = (uint32_t)id;
	}
	for (size_t i = 0; i < nr; i++) {
		if (fc_how_is_recorded(funcs[i].how))
			continue;
		const char *name = fc_slice_string(slice);
		funcs[i].name = *name ? name : NULL;
	}
	return slice->is_bad ? -EBADMSG : 0;
}

static int take_module(struct fc_facts *facts, struct fc_slice *slice)
{
	struct fc_module_info info = { .id = (uint32_t)fc_slice_varint(slice) };
	info.path = fc_slice_string(slice);
	info.build_id = fc_slice_string(slice);
	uint64_t nr = fc_slice_varint(slice);
	/* Each function takes four bytes at least. */
	if (slice->is_bad || nr > fc_slice_left(slice) / 4)
		return -EBADMSG;

	struct fc_func_info *funcs = fc_alloc(nr * sizeof(*funcs));
	if (take_funcs(slice, funcs, nr)) {
		free(funcs);
		return -EBADMSG;
	}
	info.funcs = funcs;
	info.nr_funcs = nr;
	fc_vec_push(&facts->modules, info);
	return 0;
}

static void take_name(struct fc_facts *facts, struct fc_slice *slice)
{
	uint64_t id = fc_slice_varint(slice);
	struct fc_told_name told = { .id = (uint32_t)id, .name = fc_slice_string(slice) };
	slice->is_bad |= !id || id > FC_FUNC_MAX;
	fc_vec_push(&facts->names, told);
}

static void take_map(struct fc_facts *facts, struct fc_slice *slice)
{
	struct fc_map_info map = { .module_id = (uint32_t)fc_slice_varint(slice) };
	map.pid = (int)fc_slice_signed(slice);
	map.taddr = fc_slice_varint(slice);
	map.tsc = fc_slice_varint(slice);
	fc_vec_push(&facts->maps, map);
}

static void take_life(struct fc_facts *facts, struct fc_slice *slice)
{
	struct fc_life_info life = { .life = (int)fc_slice_signed(slice) };
	life.pid = (int)fc_slice_signed(slice);
	life.tid = (int)fc_slice_signed(slice);
	life.other = (int)fc_slice_signed(slice);
	life.status = (int)fc_slice_signed(slice);
	life.tsc = fc_slice_varint(slice);
	life.text = fc_slice_string(slice);
	fc_vec_push(&facts->lives, life);
}

static void take_hook(struct fc_facts *facts, struct fc_slice *slice)
{
	struct fc_hook_info hook = { .func = (uint32_t)fc_slice_varint(slice) };
	hook.state = (int)fc_slice_varint(slice);
	hook.tsc = fc_slice_varint(slice);
	fc_vec_push(&facts->hooks, hook);
}

static void take_mark(struct fc_facts *facts, struct fc_slice *slice)
{
	struct fc_told_marks told = { .strand = (uint32_t)fc_slice_varint(slice) };
	told.nr = fc_slice_varint(slice);
	told.waits = fc_slice_varint(slice);
	told.waited_ticks = fc_slice_varint(slice);
	fc_vec_push(&facts->marks, told);
}

/* Rows up to the packet's end; all or none. */
static int take_rows(struct fc_facts *facts, struct fc_slice *slice,
		     void (*take)(struct fc_facts *facts, struct fc_slice *slice))
{
	const struct fc_facts before = *facts;
	while (fc_slice_left(slice) && !slice->is_bad)
		take(facts, slice);
	if (!slice->is_bad)
		return 0;
	facts->names.nr = before.names.nr;
	facts->maps.nr = before.maps.nr;
	facts->lives.nr = before.lives.nr;
	facts->hooks.nr = before.hooks.nr;
	facts->marks.nr = before.marks.nr;
	return -EBADMSG;
}

/* Checked whole before anything is added. */
static int take_counts(struct fc_facts *facts, struct fc_slice *slice)
{
	struct fc_slice check = *slice;
	uint64_t func = 0;
	fc_slice_varint(&check); /* until when */
	while (fc_slice_left(&check)) {
		func += fc_slice_varint(&check);
		fc_slice_varint(&check);
		if (check.is_bad || !func || func > FC_FUNC_MAX)
			return -EBADMSG;
	}
	func = 0;
	fc_slice_varint(slice);
	while (fc_slice_left(slice)) {
		func += fc_slice_varint(slice);
		*fc_vec_make(&facts->counted, func) += fc_slice_varint(slice);
	}
	return 0;
}

/* Looked at by who shows them. */
static int take_values(struct fc_facts *facts, struct fc_slice *slice)
{
	size_t size = fc_slice_left(slice);
	fc_vec_push(&facts->values, (struct fc_told_values){ slice->at, size });
	return 0;
}

int fc_facts_take(struct fc_facts *facts, const struct fc_packet *packet)
{
	static const struct {
		int (*all)(struct fc_facts *facts, struct fc_slice *slice);
		void (*row)(struct fc_facts *facts, struct fc_slice *slice); /* or of rows */
	} takes[] = {
		[FC_PACKET_SESSION] = { .all = take_session },
		[FC_PACKET_MODULES] = { .all = take_module },
		[FC_PACKET_NAMES] = { .row = take_name },
		[FC_PACKET_MAPS] = { .row = take_map },
		[FC_PACKET_LIFE] = { .row = take_life },
		[FC_PACKET_CLOCK] = { .all = take_clock },
		[FC_PACKET_HOOKS] = { .row = take_hook },
		[FC_PACKET_COUNTS] = { .all = take_counts },
		[FC_PACKET_MARKS] = { .row = take_mark },
		[FC_PACKET_VALUES] = { .all = take_values },
	};
	uint8_t kind = packet->kind;
	if (kind >= sizeof(takes) / sizeof(takes[0]) || (!takes[kind].all && !takes[kind].row))
		return 0;
	struct fc_slice slice;
	int ret = fc_facts_payload(facts, packet, &slice);
	if (ret)
		return ret;
	return takes[kind].all ? takes[kind].all(facts, &slice)
			       : take_rows(facts, &slice, takes[kind].row);
}

/* ---- modules that were told more than once ---- */

/* A place in modules: by id, then as they were told. */
static int compare_places(const void *a, const void *b, void *ctx)
{
	const size_t *x = a, *y = b;
	const struct fc_module_info *modules = ctx;
	uint32_t p = modules[*x].id, q = modules[*y].id;
	return p != q ? (p > q) - (p < q) : (*x > *y) - (*x < *y);
}

/* The first of nr modules gets the functions of all; the others have no path any more. */
static void merge_modules(struct fc_module_info *modules, const size_t *places, size_t nr)
{
	size_t nr_funcs = 0, at = 0;
	for (size_t i = 0; i < nr; i++)
		nr_funcs += modules[places[i]].nr_funcs;
	struct fc_func_info *funcs = fc_alloc(nr_funcs * sizeof(*funcs));
	for (size_t i = 0; i < nr; i++) {
		struct fc_module_info *module = &modules[places[i]];
		for (size_t k = 0; k < module->nr_funcs; k++)
			funcs[at++] = module->funcs[k];
		free((void *)module->funcs);
		if (i)
			module->path = NULL;
	}
	fc_sort_by(funcs, nr_funcs, vaddr);
	modules[places[0]].funcs = funcs;
	modules[places[0]].nr_funcs = nr_funcs;
}

static bool are_told_once(const struct fc_facts *facts)
{
	for (size_t i = 1; i < facts->modules.nr; i++)
		if (facts->modules.at[i].id <= facts->modules.at[i - 1].id)
			return false;
	return true;
}

static void join_modules(struct fc_facts *facts)
{
	struct fc_module_info *modules = facts->modules.at;
	size_t nr = facts->modules.nr, kept = 0;
	if (are_told_once(facts))
		return;
	fc_auto_free size_t *places = fc_alloc(nr * sizeof(*places));
	for (size_t i = 0; i < nr; i++)
		places[i] = i;
	qsort_r(places, nr, sizeof(*places), compare_places, modules);
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && modules[places[end]].id == modules[places[i]].id;)
			end++;
		if (end - i > 1)
			merge_modules(modules, places + i, end - i);
	}
	for (size_t i = 0; i < nr; i++)
		if (modules[i].path)
			modules[kept++] = modules[i];
	facts->modules.nr = kept;
}

/* ---- the table of functions ---- */

static uint32_t max_id(struct fc_facts *facts)
{
	uint32_t max = 0;
	fc_vec_each (&facts->modules, module)
		for (size_t i = 0; i < module->nr_funcs; i++)
			max = module->funcs[i].id > max ? module->funcs[i].id : max;
	fc_vec_each (&facts->names, name)
		max = name->id > max ? name->id : max;
	return max;
}

static void refer_module(struct fc_facts *facts, const struct fc_module_info *module)
{
	for (size_t i = 0; i < module->nr_funcs; i++) {
		const struct fc_func_info *func = &module->funcs[i];
		if (!func->id)
			continue;
		struct fc_func_ref *ref = &facts->funcs[func->id];
		ref->module = fc_base_name(module->path);
		ref->info = func;
		ref->of = module;
	}
}

static void name_func(struct fc_facts *facts, uint32_t id, const char *name)
{
	struct fc_func_ref *ref = &facts->funcs[id];
	ref->name = name;
	if (ref->info)
		((struct fc_func_info *)ref->info)->name = name; /* ours, in module->funcs */
}

/* Functions without a symbol, or never called, so that their name was not told. */
static void name_rest(struct fc_facts *facts, const struct fc_module_info *module)
{
	for (size_t i = 0; i < module->nr_funcs; i++) {
		const struct fc_func_info *func = &module->funcs[i];
		struct fc_func_ref *ref = &facts->funcs[func->id];
		if (!func->id || ref->name)
			continue;
		char *made =
			fc_asprintf("%s+0x%llx", ref->module, (unsigned long long)func->vaddr);
		fc_vec_push(&facts->made, made);
		ref->name = made;
	}
}

struct dated {
	struct fc_life_info life;
	size_t nr; /* in the file: keeps the order of what has the same time */
};

static int by_time(const void *a, const void *b)
{
	const struct dated *x = a, *y = b;
	if (x->life.tsc != y->life.tsc)
		return x->life.tsc < y->life.tsc ? -1 : 1;
	return x->nr < y->nr ? -1 : 1;
}

static void sort_lives(struct fc_facts *facts)
{
	size_t nr = facts->lives.nr;
	fc_auto_free struct dated *dated = fc_alloc(nr * sizeof(*dated));
	for (size_t i = 0; i < nr; i++)
		dated[i] = (struct dated){ facts->lives.at[i], i };
	qsort(dated, nr, sizeof(*dated), by_time);
	for (size_t i = 0; i < nr; i++)
		facts->lives.at[i] = dated[i].life;
}

void fc_facts_finish(struct fc_facts *facts)
{
	sort_lives(facts);
	join_modules(facts);
	facts->max_func = max_id(facts);
	facts->funcs = fc_alloc((facts->max_func + 1) * sizeof(*facts->funcs));
	fc_vec_each (&facts->modules, module) {
		refer_module(facts, module);
		fc_off_funcs_add(&facts->off_funcs, module);
	}
	fc_vec_each (&facts->names, name)
		name_func(facts, name->id, name->name);
	fc_vec_each (&facts->modules, module)
		name_rest(facts, module);
}
