/* SPDX-License-Identifier: Apache-2.0 */
/* values_options.c - the options -a, -A, -R and those that go with them. */
#include "cmd/options/values_options.h"

#include <errno.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "calls/wanted.h"
#include "base/fail.h"
#include "read/locks/lock_op.h"
#include "values/condition/condition.h"
#include "values/copy.h"
#include "values/proto/known.h"
#include "values/proto/protos.h"
#include "values/spec.h"

const struct fc_option fc_option_all_values = { 'a', "values", NULL,
						"arguments and results, where they are known",
						FC_FLAG(all_values) };

/* "GLOB", or with what the user says of them: "GLOB@arg1/s". */
static int add_spec(const char *arg, bool is_result, char ***globs, struct fc_specs *specs)
{
	struct fc_value_spec spec;
	if (arg[fc_condition_glob_size(arg)])
		return fc_fail(
			EINVAL,
			"%s: what is recorded knows no condition; which calls, is asked by "
			"-F '%s'",
			arg, arg);
	int err = fc_value_spec_read(fc_arch_here, arg, is_result, &spec);
	if (err)
		return err;
	err = fc_globs_add(globs, spec.glob);
	if (err) {
		fc_value_spec_deinit(&spec);
		return err;
	}
	specs->at = fc_realloc(specs->at, (specs->nr + 1) * sizeof(*specs->at));
	specs->at[specs->nr++] = spec;
	return 0;
}

static int add_args(struct fc_settings *settings, const char *arg)
{
	return add_spec(arg, false, &settings->args, &settings->arg_specs);
}

static int add_results(struct fc_settings *settings, const char *arg)
{
	return add_spec(arg, true, &settings->results, &settings->result_specs);
}

const struct fc_option fc_option_args = {
	'A', "args", "GLOB[@SPECS]",
	"arguments of functions that match, as declared, or as @arg1/s,arg2/x16,fparg1 says",
	add_args
};

const struct fc_option fc_option_results = {
	'R', "results", "GLOB[@SPEC]",
	"results of functions that match, as declared, or as @retval/i32 says", add_results
};

/* strace's -S sorts its table. */
static int set_string_size(struct fc_settings *settings, const char *arg)
{
	static const struct fc_option size = { .what = "a size" };

	if (*arg >= 'a' && *arg <= 'z')
		return fc_fail(
			EINVAL,
			"%s: not a size: so many bytes of a string are recorded; to sort "
			"the table of -c: -s KEYS",
			arg);
	return fc_put_count(&size, &settings->string_size, arg);
}

const struct fc_option fc_option_string_size = {
	'S', "string-size", "N", "bytes of a string, or of a buffer, that are recorded (32)",
	set_string_size
};

const struct fc_option fc_option_value_depth = { 0, "depth-of-values", "N",
						 "how far pointers are followed: 0 to 6 (1)",
						 FC_COUNT(value_depth, "a depth") };

const struct fc_option fc_option_paths = { 'y', "paths", NULL,
					   "show where file descriptors lead: 3</etc/passwd>",
					   FC_FLAG(paths) };

const struct fc_option fc_option_long = {
	0, "long", NULL, "each argument on a line by itself, with its type and its name",
	FC_FLAG(long_values)
};

static int add_failed(struct fc_settings *settings, const char *arg)
{
	settings->all_failed = settings->only_failed;
	settings->only_failed = true;
	return 0;
}

const struct fc_option fc_option_failed = {
	'Z', "failed", NULL,
	"only calls that fail, by their results, and what called them; of failures like one "
	"before, or inside a library, the tree only counts how many (-ZZ: each is shown)",
	add_failed
};

const struct fc_option fc_option_mask = {
	0, "mask", "GLOB", "do not record values of such names, nor what they lead to",
	FC_GLOBS(masks)
};

const struct fc_option fc_option_unmask = { 0, "unmask", NULL,
					    "also record what is named like passwords and keys",
					    FC_FLAG(unmask) };

static int add_proto(struct fc_settings *settings, const char *arg)
{
	struct fc_types *types;
	int err = fc_protos_open(arg, &types);
	if (err)
		return err == -EINVAL ? err : -EINVAL;
	size_t size = (settings->nr_protos + 1) * sizeof(*settings->protos);
	settings->protos = fc_realloc(settings->protos, size);
	settings->protos[settings->nr_protos++] = types;
	return 0;
}

/* Of a static program nobody else says that its pthread_mutex_lock() is the C library's. */
static int add_locks(struct fc_settings *settings, const char *arg)
{
	const struct fc_types *known = fc_known_types("libc.so.6");
	struct fc_type_copy copy;
	const char *name;

	if (settings->lock_types)
		return 0;
	struct fc_types *types = fc_types_create();
	fc_type_copy_init(&copy, known, types);
	for (size_t i = 0; (name = fc_lock_op_name(i)); i++) {
		uint32_t func = fc_types_find_func(known, name);
		fc_globs_push(&settings->more_args, name);
		fc_globs_push(&settings->more_results, name);
		if (func)
			fc_type_copy_take(&copy, func, 1);
	}
	fc_type_copy_deinit(&copy);
	settings->lock_types = types;
	return 0;
}

const struct fc_option fc_option_locks = {
	0, "locks", NULL,
	"arguments and results of the functions that take locks, wait and signal, for "
	"`fctrace report --locks`",
	add_locks
};

const struct fc_option fc_option_probes = { 'U', "probe", "PROVIDER:NAME",
					    "static probes (SDT, USDT) that match, as in "
					    "'python:function__*', with their arguments",
					    FC_GLOBS(probes) };

const struct fc_option fc_option_no_functions = { 0, "no-functions", NULL,
						  "trace none of the program's functions: what "
						  "-U, --syscalls, --waits or -k ask for alone",
						  FC_FLAG(no_functions) };

const struct fc_option fc_option_proto = {
	0, "proto", "FILE",
	"read the types of arguments and results from these declarations in C", add_proto
};
