/* SPDX-License-Identifier: Apache-2.0 */
/* given.h - a call of a function f, by its declaration and the words that were fetched. */
#ifndef FC_TEST_GIVEN_H
#define FC_TEST_GIVEN_H

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "values/fetches.h"
#include "values/places.h"
#include "values/proto/protos.h"
#include "values/recorded.h"

enum { FUNC = 7, MOST = 40 };

/* What is known of a function f, and what was fetched of one call. */
struct call {
	struct fc_values *values;
	uint64_t args[MOST], result[MOST];
	uint32_t nr_args, nr_result;
};

static inline void begin(struct call *call, const char *text, const char *const masks[])
{
	struct fc_types *types = NULL;
	*call = (struct call){ .values = fc_values_create() };
	if (fc_protos_read("t.h", text, strlen(text), &types))
		abort();
	struct fc_fetch_opts opts = { .string_size = 32,
				      .depth = 1,
				      .masks = { (char **)masks, true } };
	struct fc_signature signature = { .func = fc_types_find_func(types, "f") };
	struct fc_value_places places;
	struct fc_fetch_plan entry, exit;
	size_t size;
	fc_value_places_find(&fc_arch_x86_64, types, &signature, &places);
	struct fc_fetch_func what = { types, signature.func, places.param, places.nr,
				      places.result };
	fc_fetch_plan_entry(&what, &opts, &entry);
	fc_fetch_plan_exit(&what, &opts, &entry, &exit);
	struct fc_formats *formats = fc_formats_create(types);
	fc_formats_add(formats, fca_format(FUNC, false), signature.func, entry.part, entry.nr);
	fc_formats_add(formats, fca_format(FUNC, true), signature.func, exit.part, exit.nr);
	void *bytes = fc_formats_bytes(formats, &size);
	if (fc_values_add(call->values, bytes, size))
		abort();
	free(bytes);
	fc_formats_destroy(formats);
	call->args[call->nr_args++] = fca_format(FUNC, false);
	call->result[call->nr_result++] = fca_format(FUNC, true);
}

static inline void give(struct call *call, uint64_t word)
{
	call->args[call->nr_args++] = word;
}

/* What was behind a pointer: so many bytes. */
static inline void give_behind(struct call *call, const void *bytes, uint64_t nr,
			       uint64_t flags)
{
	give(call, nr | flags);
	memcpy(call->args + call->nr_args, bytes, nr);
	call->nr_args += (uint32_t)(nr + 7) / 8;
}

static inline void end(struct call *call)
{
	fc_values_destroy(call->values);
}

#endif
