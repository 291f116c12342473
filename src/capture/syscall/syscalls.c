/* SPDX-License-Identifier: Apache-2.0 */
/* syscalls.c - system calls as functions of a module: their numbers, names, and values as marks. */
#include "capture/syscall/syscalls.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "arch/arch.h"
#include "base/vec.h"
#include "trace/record.h"
#include "capture/syscall/outside.h"
#include "values/copy.h"
#include "values/failure.h"
#include "values/fetches.h"
#include "values/formats.h"
#include "values/places.h"
#include "values/pointees.h"
#include "values/proto/known.h"
#include "values/sockaddr.h"
#include "values/stub_fetches.h"
#include "values/writer.h"

static const struct {
	uint32_t number;
	const char *name;
} names[] = {
#include "syscall_names.h"
};

enum {
	NR_NAMES = sizeof(names) / sizeof(names[0]),
	NR_FUNCS = NR_NAMES + 1, /* the last is for numbers without a name */
	MAX_NUMBER = 4096,
	/*
	 * What a signal has interrupted, and the kernel makes again if no handler runs: include/linux/
	 * errno.h. The program sees EINTR, or nothing.
	 */
	ERESTARTSYS = 512,
	ERESTART_RESTARTBLOCK = 516,
	WORD = 8,
};

struct call {
	uint32_t id; /* of its function */
	uint8_t nr_args;
	uint8_t result_size; /* 0: it has none */
	bool is_wanted;
	uint8_t nr_paths, path[FC_PATH_PARAMS];
	bool has_address;		  /* of a socket, which the kernel takes */
	bool is_fetched;		  /* with fc_syscalls_opts.fetch, and by these: */
	struct fca_fetches *entry, *exit; /* NULL: there is nothing to fetch */
	uint8_t nr_regs,
		reg[FC_OUTSIDE_REGS]; /* of the arguments, and the last of the result */
};

struct fc_syscalls {
	struct fc_syscalls_opts with;
	struct fc_func_info funcs[NR_FUNCS];
	struct call calls[NR_FUNCS];
	uint16_t by_number[MAX_NUMBER]; /* which of these */
	struct fc_module_info module;
	void *bytes;
};

/* ---- what they are given and return ---- */

static uint8_t size_of(const struct fc_types *types, uint32_t type)
{
	uint64_t size = type ? fc_types_size(types, type) : 0;
	return size && size < WORD ? (uint8_t)size : WORD;
}

static struct fc_format_part value_part(uint32_t param, uint8_t size)
{
	return (struct fc_format_part){
		.fetch = { .how = FCA_FETCH_VALUE, .size = size },
		.param = (uint16_t)param,
	};
}

/* What the kernel takes of it is told as the call ends: it may have to be read from a disk first. */
static struct fc_format_part path_part(const struct call *call, uint32_t i)
{
	return (struct fc_format_part){
		.fetch = { .how = FCA_FETCH_STRING,
			   .size = (uint16_t)(FC_PATH_ROOM / call->nr_paths) },
		.param = call->path[i],
		.level = 1,
	};
}

static bool is_address(const struct fc_types *types, uint32_t func, uint32_t param)
{
	struct fc_pointee to;
	return fc_pointee_find(types, fc_param_type(types, func, param), &to) && to.is_const &&
	       fc_sockaddr_is(types, to.type);
}

/* The same holds for it. There is one at most. */
static bool find_address_part(const struct fc_types *types, uint32_t func,
			      struct fc_format_part *ret)
{
	for (uint32_t i = 0; i < fc_param_nr(types, func); i++)
		if (is_address(types, func, i)) {
			*ret = (struct fc_format_part){
				.fetch = { .how = FCA_FETCH_BYTES, .size = FC_ADDRESS_ROOM },
				.param = (uint16_t)i,
				.level = 1,
			};
			return true;
		}
	return false;
}

static void add_entry(struct fc_formats *formats, struct call *call, uint32_t func)
{
	const struct fc_types *types = fc_formats_types(formats);
	struct fc_format_part parts[FC_SYSCALL_ARGS];
	uint32_t nr = fc_param_nr(types, func);
	call->nr_args = (uint8_t)(nr < FC_SYSCALL_ARGS ? nr : FC_SYSCALL_ARGS);
	for (uint32_t i = 0; i < call->nr_args; i++)
		parts[i] = value_part(i, size_of(types, fc_param_type(types, func, i)));
	if (nr)
		fc_formats_add(formats, fca_format(call->id, false), func, parts,
			       call->nr_args);
}

static void add_exit(struct fc_formats *formats, struct call *call, uint32_t func)
{
	const struct fc_types *types = fc_formats_types(formats);
	uint32_t result = fc_param_type(types, func, FC_PARAM_RESULT), nr = 2;
	if (!result)
		return;
	call->result_size = size_of(types, result);
	struct fc_format_part parts[2 + FC_PATH_PARAMS + 1] = {
		value_part(FC_PARAM_RESULT, call->result_size),
		{ .fetch = { .how = FCA_FETCH_ERROR, .size = sizeof(int) },
		  .param = FC_PARAM_RESULT,
		  .level = FC_LEVEL_ERRNO },
	};
	for (uint32_t i = 0; i < call->nr_paths; i++)
		parts[nr++] = path_part(call, i);
	call->has_address = find_address_part(types, func, &parts[nr]);
	nr += call->has_address;
	fc_formats_add(formats, fca_format(call->id, true), func, parts, nr);
}

/* As a function of C: where its arguments and its result are, it says by the registers of one. */
static void find_regs(struct call *call, const struct fc_value_places *places)
{
	call->nr_regs = 0;
	for (uint32_t i = 0; i < call->nr_args && i < places->nr; i++)
		call->reg[call->nr_regs++] = places->param[i].piece[0].reg;
	call->reg[call->nr_regs++] = places->result.piece[0].reg;
}

/* func in known, and as in the formats. */
static void add_fetches(struct fc_formats *formats, struct call *call,
			const struct fc_fetch_opts *opts, const struct fc_types *known,
			uint32_t func, uint32_t own)
{
	struct fc_signature signature = { .func = func };
	struct fc_value_places places;
	fc_value_places_find(fc_arch_here, known, &signature, &places);
	struct fc_fetch_func what = { .types = known,
				      .type = func,
				      .param = places.param,
				      .nr = places.nr,
				      .result = places.result,
				      .error.is_known = true };
	uint32_t nr = fc_param_nr(known, func);
	call->nr_args = (uint8_t)(nr < FC_SYSCALL_ARGS ? nr : FC_SYSCALL_ARGS);
	find_regs(call, &places);
	struct fc_fetch_plan entry, exit;
	uint32_t entry_key = fca_format(call->id, false), exit_key = fca_format(call->id, true);
	fc_fetch_plan_entry(&what, opts, &entry);
	fc_fetch_plan_exit(&what, opts, &entry, &exit);
	call->is_fetched = true;
	call->entry = fc_fetch_plan_make(&entry, entry_key);
	call->exit = fc_fetch_plan_make(&exit, exit_key);
	if (entry.nr)
		fc_formats_add(formats, entry_key, own, entry.part, entry.nr);
	if (exit.nr)
		fc_formats_add(formats, exit_key, own, exit.part, exit.nr);
}

static void find_values_of(struct fc_syscalls *syscalls, size_t i, struct fc_formats *formats,
			   struct fc_type_copy *copy, const struct fc_types *known)
{
	const struct fc_fetch_opts *fetch = syscalls->with.fetch;
	struct call *call = &syscalls->calls[i];
	uint32_t func = fc_types_find_func(known, syscalls->funcs[i].name);
	if (!func)
		return;
	uint32_t own = fc_type_copy_take(copy, func, fetch && fetch->depth ? fetch->depth : 1);
	call->nr_paths = (uint8_t)fc_paths_params(syscalls->funcs[i].name, call->path);
	if (fetch && i < NR_NAMES) {
		add_fetches(formats, call, fetch, known, func, own);
		return;
	}
	add_entry(formats, call, own);
	add_exit(formats, call, own);
}

static void find_values(struct fc_syscalls *syscalls)
{
	const struct fc_types *known = fc_known_types(FC_SYSCALL_MODULE);
	struct fc_types *types = fc_types_create();
	struct fc_formats *formats = fc_formats_create(types);
	struct fc_type_copy copy;
	fc_type_copy_init(&copy, known, types);
	for (size_t i = 0; i < NR_FUNCS; i++)
		find_values_of(syscalls, i, formats, &copy, known);
	fc_type_copy_deinit(&copy);
	syscalls->bytes = fc_formats_bytes(formats, &syscalls->module.values_size);
	syscalls->module.values = syscalls->bytes;
	fc_formats_destroy(formats);
}

/* ---- which are wanted ---- */

static bool is_match(const char *glob, const char *name)
{
	return !fnmatch(glob, name, 0) ||
	       (!strncmp(glob, "sys_", 4) && !fnmatch(glob + 4, name, 0));
}

static bool is_any(char *const *globs, const char *name)
{
	for (; globs && *globs; globs++)
		if (is_match(*globs, name))
			return true;
	return false;
}

const char *fc_syscall_name(uint64_t number)
{
	for (size_t i = 0; i < NR_NAMES; i++)
		if (names[i].number == number)
			return names[i].name;
	return NULL;
}

static int check_glob(const char *glob)
{
	struct fc_nearest nearest;
	for (size_t i = 0; i < NR_NAMES; i++)
		if (is_match(glob, names[i].name))
			return 0;
	fc_nearest_begin(&nearest, glob, strlen(glob));
	for (size_t i = 0; i < NR_NAMES; i++)
		fc_nearest_offer(&nearest, names[i].name, strlen(names[i].name));
	fc_auto_free char *hint = fc_nearest_hint(&nearest, "", "see man 2 syscalls");
	return fc_fail(EINVAL, "--syscalls=%s: no system call has this name%s", glob, hint);
}

int fc_syscalls_check(char *const *only)
{
	int err = 0;
	for (; only && *only && !err; only++)
		err = check_glob(*only);
	return err;
}

/* ---- its life ---- */

struct fc_syscalls *fc_syscalls_create(struct fc_numbers *numbers,
				       const struct fc_syscalls_opts *opts)
{
	struct fc_syscalls *syscalls = fc_alloc(sizeof(*syscalls));
	char *const *only = opts->only;
	syscalls->with = *opts;
	for (size_t i = 0; i < MAX_NUMBER; i++)
		syscalls->by_number[i] = NR_NAMES;
	for (size_t i = 0; i < NR_FUNCS; i++) {
		bool has_name = i < NR_NAMES;
		if (has_name && names[i].number < MAX_NUMBER)
			syscalls->by_number[names[i].number] = (uint16_t)i;
		syscalls->calls[i].id = ++numbers->funcs;
		syscalls->calls[i].is_wanted =
			!only || (has_name && is_any(only, names[i].name));
		syscalls->funcs[i] = (struct fc_func_info){
			.name = has_name ? names[i].name : "syscall",
			.vaddr = i,
			.size = 1,
			.id = syscalls->calls[i].id,
			.how = FC_HOW_HOOKED,
			.why = opts->by,
		};
	}
	syscalls->module = (struct fc_module_info){
		.id = ++numbers->modules,
		.path = FC_SYSCALL_MODULE,
		.build_id = "",
		.funcs = syscalls->funcs,
		.nr_funcs = NR_FUNCS,
	};
	find_values(syscalls);
	return syscalls;
}

void fc_syscalls_destroy(struct fc_syscalls *syscalls)
{
	if (!syscalls)
		return;
	for (size_t i = 0; i < NR_FUNCS; i++) {
		free(syscalls->calls[i].entry);
		free(syscalls->calls[i].exit);
	}
	free(syscalls->bytes);
	free(syscalls);
}

const struct fc_module_info *fc_syscalls_module(const struct fc_syscalls *syscalls)
{
	return &syscalls->module;
}

/* ---- calls ---- */

static const struct call *find(const struct fc_syscalls *syscalls, uint64_t number)
{
	size_t i = number < MAX_NUMBER ? syscalls->by_number[number] : NR_NAMES;
	return &syscalls->calls[i];
}

bool fc_syscalls_wants(const struct fc_syscalls *syscalls, uint64_t number)
{
	return find(syscalls, number)->is_wanted;
}

size_t fc_syscalls_enter(const struct fc_syscalls *syscalls, uint64_t tsc, uint64_t number,
			 const uint64_t arg[FC_SYSCALL_ARGS], uint64_t ret[FC_SYSCALL_WORDS])
{
	const struct call *call = find(syscalls, number);
	bool is_named = call != &syscalls->calls[NR_NAMES];
	size_t nr = 0;
	if (call->nr_args) {
		struct fc_value_writer writer = fc_value_writer(ret, call->id, false);
		for (uint8_t i = 0; i < call->nr_args; i++)
			fc_value_add(&writer, is_named ? arg[i] : i ? arg[i - 1] : number);
		nr = fc_value_end(&writer, tsc);
	}
	ret[nr++] = fc_record(tsc, call->id, FC_ENTRY);
	return nr;
}

void fc_syscalls_take(const struct fc_syscalls *syscalls, uint64_t number,
		      const uint64_t arg[FC_SYSCALL_ARGS], struct fc_taken *taken)
{
	const struct call *call = find(syscalls, number);
	uint64_t pointer[FC_PATH_PARAMS];
	for (unsigned i = 0; i < call->nr_paths; i++)
		pointer[i] = arg[call->path[i]];
	fc_paths_begin(&taken->paths, pointer, call->nr_paths);
	taken->address_size = 0;
}

static bool is_error(int64_t result)
{
	return result < 0 && result > -FC_ERRORS;
}

static uint32_t error_of(int64_t result)
{
	bool is_again = result <= -ERESTARTSYS && result >= -ERESTART_RESTARTBLOCK;
	return is_again ? EINTR : (uint32_t)-result;
}

size_t fc_syscalls_leave(const struct fc_syscalls *syscalls, uint64_t tsc, uint64_t number,
			 int64_t result, const struct fc_taken *taken,
			 uint64_t ret[FC_SYSCALL_WORDS])
{
	const struct call *call = find(syscalls, number);
	bool has_failed = is_error(result);
	size_t nr = 0;
	if (call->result_size) {
		struct fc_value_writer writer = fc_value_writer(ret, call->id, true);
		fc_value_add(&writer, has_failed ? (uint64_t)-1 : (uint64_t)result);
		fc_value_add_error(&writer, has_failed ? error_of(result) : 0);
		for (unsigned i = 0; i < call->nr_paths; i++)
			fc_value_add_text(&writer, taken->paths.text[i],
					  FC_PATH_ROOM / call->nr_paths);
		if (call->has_address)
			fc_value_add_bytes(&writer, taken->address, taken->address_size);
		nr = fc_value_end(&writer, tsc);
	}
	ret[nr++] = fc_record(tsc, call->id, FC_EXIT);
	return nr;
}

/* ---- of a thread that stands still ---- */

static struct fc_outside_call outside_of(const struct call *call,
					 const struct fc_syscall_stop *stop)
{
	struct fc_outside_call ret = { .tid = stop->tid,
				       .nr_regs = call->nr_regs,
				       .kept = call->entry ? call->entry->kept : NULL,
				       .behind = stop->kept };
	memcpy(ret.reg, call->reg, sizeof(ret.reg));
	memcpy(ret.value, stop->arg, call->nr_args * sizeof(stop->arg[0]));
	return ret;
}

size_t fc_syscalls_enter_stop(const struct fc_syscalls *syscalls, struct fc_syscall_stop *stop,
			      uint64_t ret[FC_SYSCALL_STOP_WORDS])
{
	const struct call *call = find(syscalls, stop->number);
	if (!call->is_fetched)
		return fc_syscalls_enter(syscalls, stop->tsc, stop->number, stop->arg, ret);
	struct fc_outside_call from = outside_of(call, stop);
	size_t nr = 0;
	if (call->entry) {
		fc_outside_keep(&from, call->entry, stop->kept);
		nr = fc_outside_tell(&from, call->entry, stop->tsc, ret);
	}
	ret[nr++] = fc_record(stop->tsc, call->id, FC_ENTRY);
	return nr;
}

size_t fc_syscalls_leave_stop(const struct fc_syscalls *syscalls,
			      const struct fc_syscall_stop *stop,
			      uint64_t ret[FC_SYSCALL_STOP_WORDS])
{
	static const struct fc_taken none;
	const struct call *call = find(syscalls, stop->number);
	if (!call->is_fetched)
		return fc_syscalls_leave(syscalls, stop->tsc, stop->number, stop->result, &none,
					 ret);
	struct fc_outside_call from = outside_of(call, stop);
	bool has_failed = is_error(stop->result);
	from.error = has_failed ? error_of(stop->result) : 0;
	from.value[call->nr_regs - 1] = has_failed ? UINT64_MAX : (uint64_t)stop->result;
	size_t nr = call->exit ? fc_outside_tell(&from, call->exit, stop->tsc, ret) : 0;
	ret[nr++] = fc_record(stop->tsc, call->id, FC_EXIT);
	return nr;
}
