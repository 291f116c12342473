/* SPDX-License-Identifier: Apache-2.0 */
/* failures.c - decides which failed calls -Z shows, and counts the others. */
#include "calls/failures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/memory.h"
#include "base/pairs.h"
#include "base/vec.h"
#include "values/recorded.h"

enum {
	MOST_KEYS = 1 << 20,   /* beyond, all are shown */
	MOST_PROBES = 3,       /* names that a function finds no file of, for one caller... */
	BURST_TICKS = 1 << 28, /* ...each within about 0.1 s of the one before */
};

/* About a second: somebody who tries again then wants to see it again. */
#define REPEAT_TICKS (UINT64_C(1) << 31)

enum why { NEW, REPEAT, PROBE, INSIDE };

/* Files that a function was asked for, one after the other, and that are not there. */
struct burst {
	uint32_t nr;
	uint64_t last_tsc;
};

struct fc_failures {
	const struct fc_values *values;
	const struct fc_namer *namer;
	struct fc_pairs seen;	     /* hashes of what a failure is known by */
	FC_VEC(uint64_t) last_tsc;   /* of each of these */
	struct fc_pairs probers;     /* callers and functions */
	FC_VEC(struct burst) bursts; /* of each of these */
	FC_VEC(uint64_t) left_out;   /* by function */
	struct fc_failures_sums sums;
};

static struct fc_name name_of(const struct fc_failures *failures, uint32_t func)
{
	return failures->namer->name_of(failures->namer->ctx, func);
}

/* C11, 7.1.3: an underscore and another one, or a capital letter. _Z and _R begin mangled names. */
static bool is_reserved(const char *name)
{
	return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z')) &&
	       name[1] != 'Z' && name[1] != 'R';
}

/* Functions of the kernel are in a module in brackets; so are system calls. */
static bool is_of_kernel(struct fc_name name)
{
	return name.module[0] == '[' && strcmp(name.module, FC_SYSCALL_MODULE) != 0;
}

static bool is_inside(const struct fc_failures *failures, const struct fc_call *call)
{
	struct fc_name name = name_of(failures, call->func);
	return call->caller && is_reserved(name.name) && name.module[0] != '[' &&
	       !strcmp(name.module, name_of(failures, call->caller).module);
}

static uint64_t with_texts(const struct fc_failures *failures, const struct fc_call *call,
			   uint64_t hash)
{
	enum { NR_ARGS = 6 };
	const struct fc_call_values *values = call->values;
	struct fc_value_words args = fc_call_args(values);
	struct fc_value_found found;

	for (uint32_t i = 0; i < NR_ARGS; i++) {
		struct fc_value_bytes text;
		if (!fc_values_find(failures->values, args, fc_call_result(values), i, &found))
			continue;
		if (fc_value_string(found.types, found.type, &found.shown.value,
				    &found.shown.links, &text) &&
		    text.is_there)
			hash = fc_fnv_bytes(fc_fnv(hash, i), text.at, text.nr);
	}
	return hash;
}

static uint64_t key_of(const struct fc_failures *failures, const struct fc_call *call, int err)
{
	struct fc_value_words args = fc_call_args(call->values);
	uint64_t hash = fc_fnv(fc_fnv(FC_FNV_BEGIN, call->func), call->caller);
	struct fc_value_found found;

	if (err)
		hash = fc_fnv(hash, (uint64_t)err);
	else if (fc_values_find(failures->values, args, fc_call_result(call->values),
				FC_PARAM_RESULT, &found))
		hash = fc_fnv(hash, fc_value_number(&found.shown.value, sizeof(uint64_t)));
	return with_texts(failures, call, hash);
}

static bool is_probe(struct fc_failures *failures, const struct fc_call *call, int err)
{
	if (err != ENOENT && err != ENOTDIR)
		return false;
	uint32_t number =
		fc_pairs_number(&failures->probers, fc_pair(call->caller, call->func));
	struct burst *burst = fc_vec_make(&failures->bursts, number - 1);
	bool goes_on = call->end_tsc - burst->last_tsc < BURST_TICKS;
	burst->nr = goes_on ? burst->nr + 1 : 1;
	burst->last_tsc = call->end_tsc;
	return burst->nr > MOST_PROBES;
}

/* Has it failed like that just now? */
static bool is_repeat(struct fc_failures *failures, const struct fc_call *call, uint64_t key)
{
	uint32_t number = fc_pairs_find(&failures->seen, key);
	bool is_new = !number && failures->seen.keys.nr < MOST_KEYS;

	if (is_new) {
		number = fc_pairs_add(&failures->seen, key);
		fc_vec_push(&failures->last_tsc, 0);
	}
	if (!number)
		return false;
	uint64_t *last = &failures->last_tsc.at[number - 1];
	bool is_soon = call->end_tsc - *last < REPEAT_TICKS;
	*last = call->end_tsc;
	return !is_new && is_soon;
}

static enum why judge(struct fc_failures *failures, const struct fc_call *call)
{
	int err = 0;

	if (is_inside(failures, call))
		return INSIDE;
	if (!fc_values_errno(failures->values, fc_call_result(call->values), &err))
		err = 0;
	if (is_repeat(failures, call, key_of(failures, call, err)))
		return REPEAT;
	return is_probe(failures, call, err) ? PROBE : NEW;
}

static void count(struct fc_failures *failures, uint32_t func, enum why why)
{
	struct fc_failures_sums *sums = &failures->sums;

	uint64_t nr = ++*fc_vec_make(&failures->left_out, func);
	if (nr > sums->nr_most) {
		sums->nr_most = nr;
		sums->most_func = func;
	}
	sums->nr_repeats += why == REPEAT;
	sums->nr_probes += why == PROBE;
	sums->nr_inside += why == INSIDE;
}

bool fc_failures_take(struct fc_failures *failures, const struct fc_call *call, bool is_shown)
{
	if (is_of_kernel(name_of(failures, call->func)))
		return true;
	enum why why = judge(failures, call);
	if (why == NEW || is_shown)
		return true;
	count(failures, call->func, why);
	return false;
}

struct fc_failures_sums fc_failures_sums(const struct fc_failures *failures)
{
	return failures ? failures->sums : (struct fc_failures_sums){ 0 };
}

struct fc_failures *fc_failures_create(const struct fc_values *values,
				       const struct fc_namer *namer)
{
	struct fc_failures *failures = fc_alloc(sizeof(*failures));
	failures->values = values;
	failures->namer = namer;
	return failures;
}

void fc_failures_destroy(struct fc_failures *failures)
{
	if (!failures)
		return;
	fc_pairs_deinit(&failures->seen);
	fc_vec_free(&failures->last_tsc);
	fc_pairs_deinit(&failures->probers);
	fc_vec_free(&failures->bursts);
	fc_vec_free(&failures->left_out);
	free(failures);
}
