/* SPDX-License-Identifier: Apache-2.0 */
/*
 * only.h - what -F asks for: functions by a glob, and where it has a condition, only those of their
 * calls of which it is true.
 *
 *	main      open@if:size > 1M
 */
#ifndef FC_CALLS_ONLY_H
#define FC_CALLS_ONLY_H

#include "calls/call.h"
#include "calls/names.h"

struct fc_values;

/* Does func match? Asked once a function id and remembered. */
typedef bool (*fc_filter_match)(void *ctx, uint32_t func, const char *glob);

struct fc_only;
/* texts: "GLOB" or "GLOB@if:CONDITION" that were checked, NULL-terminated or NULL; values may be NULL. */
struct fc_only *fc_only_create(char **texts, const struct fc_values *values,
			       fc_filter_match match, void *ctx);
void fc_only_destroy(struct fc_only *only);

bool fc_only_has_conditions(const struct fc_only *only);

/* Is func asked for, whatever its calls are given? */
bool fc_only_has(struct fc_only *only, uint32_t func);
/* A call begins: must it end before it is known whether it is asked for? */
bool fc_only_waits(struct fc_only *only, const struct fc_call *call);
/* Is it asked for, by what is known of it? values: as at its end, if that is known. */
bool fc_only_holds(struct fc_only *only, uint32_t func, const struct fc_call_values *values);

/* Did a call up to now match the glob of text i? */
bool fc_only_has_matched(const struct fc_only *only, size_t i);
/* Which functions are called most like its glob, as fc_nearest_hint(); namer NULL: nobody knows. */
char *fc_only_nearest(const struct fc_only *only, size_t i, const struct fc_namer *namer,
		      const char *rest);
/* Why no call can have been what text i asks for: a sentence, or NULL: one can. */
const char *fc_only_trouble(const struct fc_only *only, size_t i);

#endif
