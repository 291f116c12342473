/* SPDX-License-Identifier: Apache-2.0 */
/* facts.h - what a trace tells beside events: session, modules, names, maps, lives. */
#ifndef FC_TRACE_FACTS_H
#define FC_TRACE_FACTS_H

#include "base/vec.h"
#include "trace/clock.h"
#include "trace/func_ref.h"
#include "trace/off_funcs.h"
#include "trace/packet.h"
#include "trace/postscript.h"
#include "trace/source.h"

/* The sums of a strand's marks, from rows of MARKS. */
struct fc_told_marks {
	uint32_t strand;
	uint64_t nr, waits, waited_ticks;
};

/* The contents of a VALUES packet. */
struct fc_told_values {
	const void *bytes;
	size_t size;
};

struct fc_facts {
	ZSTD_DCtx *zstd;
	unsigned time_shift;
	struct fc_clock clock;
	const char *machine, *options;
	bool is_flight;
	FC_VEC(const char *) args;
	FC_VEC(struct fc_module_info) modules;
	FC_VEC(struct fc_map_info) maps;
	FC_VEC(struct fc_life_info) lives;
	FC_VEC(struct fc_hook_info) hooks;
	FC_VEC(uint64_t) counted; /* by function id */
	FC_VEC(struct fc_told_marks) marks;
	FC_VEC(struct fc_told_values) values;
	struct fc_func_ref *funcs; /* by id, made at the end; without names for unknown ids */
	uint32_t max_func;
	struct fc_off_funcs off_funcs;	   /* made at the end */
	FC_VEC(struct fc_told_name) names; /* in order of the file */
	FC_VEC(uint8_t *) kept;		   /* inflated payloads, where the strings are */
	FC_VEC(char *) made;		   /* names that the trace doesn't tell */
};

void fc_facts_init(struct fc_facts *facts);
void fc_facts_deinit(struct fc_facts *facts);

/* The payload before compression; lives as long as facts and image. */
int fc_facts_payload(struct fc_facts *facts, const struct fc_packet *packet,
		     struct fc_slice *ret);

/*
 * Take what a packet of any kind but EVENTS and END tells; unknown kinds tell nothing.
 * -EBADMSG without a sentence when its payload is not sound; nothing of it is kept then.
 */
int fc_facts_take(struct fc_facts *facts, const struct fc_packet *packet);

/* All packets were taken: sort the lives, make the table of functions. */
void fc_facts_finish(struct fc_facts *facts);

#endif
