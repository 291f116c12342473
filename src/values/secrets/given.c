/* SPDX-License-Identifier: Apache-2.0 */
/* given.c - secrets are kept with the call that was given them, and looked for in bytes and addresses. */
#include "values/secrets/given.h"

#include <string.h>

#include "base/memory.h"

enum {
	LEAST = 4, /* bytes by which a piece of a secret is known */
	MOST_SECRETS = 256,
	MOST_CALLS = 1 << 16,
	MOST_PARAMS = 64,
};

static struct fc_given_call *last_call(const struct fc_given *given)
{
	return given->calls.nr ? &given->calls.at[given->calls.nr - 1] : NULL;
}

static void drop_last(struct fc_given *given)
{
	size_t first = last_call(given)->first;
	while (given->secrets.nr > first)
		free(given->secrets.at[--given->secrets.nr].bytes);
	given->calls.nr--;
}

void fc_given_deinit(struct fc_given *given)
{
	while (given->calls.nr)
		drop_last(given);
	fc_vec_free(&given->calls);
	fc_vec_free(&given->secrets);
}

void fc_given_begin(struct fc_given *given, uint64_t depth, uint32_t func)
{
	const struct fc_given_call *last = last_call(given);
	if (last && last->is_coming && last->depth == depth && last->func == func)
		drop_last(given); /* whose entry was lost */
	struct fc_given_call call = {
		.depth = depth, .func = func, .is_coming = true, .first = given->secrets.nr
	};
	if (given->calls.nr < MOST_CALLS)
		fc_vec_push(&given->calls, call);
	else
		last_call(given)->is_unknown = true;
}

/* Is it what an outer call has already? */
static bool is_known(const struct fc_given *given, const struct fc_given_secret *secret)
{
	fc_vec_each (&given->secrets, its)
		if (its->at == secret->at && its->size == secret->size &&
		    its->nr == secret->nr && !memcmp(its->bytes, secret->bytes, secret->nr))
			return true;
	return false;
}

static void keep(struct fc_given *given, uint64_t at, uint64_t size, const char *bytes,
		 size_t nr)
{
	struct fc_given_secret secret = { at, size, (uint32_t)nr, (char *)bytes };
	if (is_known(given, &secret))
		return;
	if (given->secrets.nr == MOST_SECRETS) {
		last_call(given)->is_unknown = true;
		return;
	}
	secret.bytes = fc_memdup(bytes, nr);
	fc_vec_push(&given->secrets, secret);
}

/* Is it what is not zero of a pointer in a struct, rather than a text? Others may have the same. */
static bool is_pointer(const char *bytes, size_t begin, size_t end)
{
	enum { WORD = 8, UPPER = 6 };
	bool is_text = true;
	for (size_t i = begin; i < end; i++)
		is_text &= bytes[i] >= ' ' && bytes[i] <= '~';
	return !is_text && begin / WORD == end / WORD && end % WORD == UPPER;
}

void fc_given_add(struct fc_given *given, uint64_t at, uint64_t size, const char *bytes,
		  uint32_t nr, bool is_text)
{
	if (at && size)
		keep(given, at, size, "", 0);
	for (size_t i = 0; i < nr;) {
		size_t end = i + strnlen(bytes + i, nr - i);
		bool is_one =
			is_text ? end > i : end - i >= LEAST && !is_pointer(bytes, i, end);
		if (is_one)
			keep(given, 0, 0, bytes + i, end - i);
		i = end + 1;
	}
}

void fc_given_add_unknown(struct fc_given *given)
{
	last_call(given)->is_unknown = true;
}

void fc_given_add_param(struct fc_given *given, uint32_t param)
{
	if (param < MOST_PARAMS)
		last_call(given)->params |= 1ull << param;
	else
		last_call(given)->is_unknown = true;
}

bool fc_given_enter(struct fc_given *given, const struct fc_given_entry *entry)
{
	uint64_t told = entry->depth + entry->by_tail;
	bool is_known = !entry->has_any, is_all = true;
	for (size_t i = given->calls.nr; i && given->calls.at[i - 1].depth >= entry->depth;
	     i--) {
		struct fc_given_call *call = &given->calls.at[i - 1];
		if (call->func != entry->func || (call->is_coming && call->depth != told))
			continue;
		if (call->is_coming)
			call->begin_tsc = entry->tsc;
		call->is_coming = false;
		call->depth = entry->depth;
		is_known = true;
		is_all &= !call->is_unknown;
	}
	return is_known && is_all;
}

void fc_given_leave(struct fc_given *given, uint64_t depth)
{
	const struct fc_given_call *last;
	while ((last = last_call(given)) && last->depth > depth &&
	       !(last->is_coming && last->depth == depth + 1))
		drop_last(given);
}

static void copy_call(struct fc_given *given, const struct fc_given *from, size_t i)
{
	struct fc_given_call call = from->calls.at[i];
	size_t end = i + 1 < from->calls.nr ? from->calls.at[i + 1].first : from->secrets.nr;
	size_t first = call.first;
	call.first = given->secrets.nr;
	fc_vec_push(&given->calls, call);
	for (size_t k = first; k < end; k++) {
		const struct fc_given_secret *secret = &from->secrets.at[k];
		keep(given, secret->at, secret->size, secret->bytes, secret->nr);
	}
}

/* Of a call that began later it is not known whether another was in its place. */
static bool is_of(const struct fc_given_call *call, uint64_t tsc)
{
	return !call->is_coming && call->begin_tsc <= tsc;
}

void fc_given_inherit(struct fc_given *given, const struct fc_given *from, uint64_t tsc)
{
	struct fc_given all = { 0 };
	size_t i = 0, k = 0;
	while (i < given->calls.nr || k < from->calls.nr) {
		bool is_own = k == from->calls.nr ||
			      (i < given->calls.nr &&
			       given->calls.at[i].depth <= from->calls.at[k].depth);
		if (is_own || is_of(&from->calls.at[k], tsc))
			copy_call(&all, is_own ? given : from, is_own ? i : k);
		i += is_own;
		k += !is_own;
	}
	fc_given_deinit(given);
	*given = all;
}

/* Does a secret lie over the bytes from here (less than 0: it begins in front of them)? */
static bool lies_at(const struct fc_given_secret *secret, const char *bytes, size_t nr,
		    int64_t from)
{
	size_t in_secret = from < 0 ? (size_t)-from : 0, begin = from < 0 ? 0 : (size_t)from;
	size_t left = secret->nr - in_secret, size = left < nr - begin ? left : nr - begin;
	bool is_long = size >= LEAST || (secret->nr < LEAST && size == nr && nr == secret->nr);
	return is_long && bytes[begin] == secret->bytes[in_secret] &&
	       !memcmp(bytes + begin, secret->bytes + in_secret, size);
}

size_t fc_given_find(const struct fc_given *given, const char *bytes, size_t nr)
{
	size_t ret = nr;
	fc_vec_each (&given->secrets, secret) {
		if (!secret->nr)
			continue;
		for (int64_t from = 1 - (int64_t)secret->nr; from < (int64_t)ret; from++)
			if (lies_at(secret, bytes, nr, from)) {
				ret = from < 0 ? 0 : (size_t)from;
				break;
			}
	}
	return ret;
}

bool fc_given_has_address(const struct fc_given *given, uint64_t at)
{
	fc_vec_each (&given->secrets, secret)
		if (at - secret->at < secret->size)
			return true;
	return false;
}

bool fc_given_has_param(const struct fc_given *given, uint64_t depth, uint32_t func,
			uint32_t param)
{
	for (size_t i = given->calls.nr; i && given->calls.at[i - 1].depth >= depth; i--) {
		const struct fc_given_call *call = &given->calls.at[i - 1];
		if (call->depth == depth && call->func == func && !call->is_coming &&
		    param < MOST_PARAMS && call->params >> param & 1)
			return true;
	}
	return false;
}
