/* SPDX-License-Identifier: Apache-2.0 */
/* area.h - memory of the program that the fetches of a call ask for, and what they give. */
#ifndef FC_CAPTURE_AGENT_VALUES_AREA_H
#define FC_CAPTURE_AGENT_VALUES_AREA_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/fetch.h"

struct agent_frame;
struct kept;

/* Memory to be read, and where what it gives will stand among the words. */
struct area {
	uint64_t at;
	uint16_t size;
	uint16_t more;	 /* bytes behind these, which are read and told in pieces */
	uint8_t head;	 /* the word that says how much */
	uint8_t fetch;	 /* which fetch it is of */
	bool is_limited; /* more than this is not asked for */
	bool is_cut;	 /* there is more than is asked for */
};

/* The fetches of one call's entry or exit, while they are carried out. */
struct fetching {
	const struct fca_fetches *fetches;
	const struct agent_frame *frame;
	uint64_t slot;		 /* where the stack pointer was at entry */
	const struct kept *kept; /* of an exit; NULL: nothing was kept */
	uint64_t stack_end;	 /* from the slot to there all is there for certain */
	bool has_failed;	 /* errno says so: the call has written nothing */
	int pid;
	uint32_t nr_words, nr_areas, nr_read; /* of the areas */
	uint8_t first[FCA_MAX_FETCHES];	      /* word of each fetch; 0: it was not done */
	struct area area[FCA_MAX_MEMORY];
	uint64_t word[FCA_VALUE_WORDS];
};

static inline uint8_t *area_bytes(struct fetching *f, const struct area *area)
{
	return (uint8_t *)&f->word[area->head + 1];
}

/* So many bytes were read: what of them is given. */
void area_note_got(struct fetching *f, const struct area *area, uint32_t got);
/* From this stack, where that is proven to be there. False: it is, or goes on, elsewhere. */
bool area_read_own_stack(struct fetching *f, const struct area *area);
/* From a loaded file, if that does not change. A string may end before what it was looked for in. */
bool area_read_fixed(struct fetching *f, const struct area *area);
/* One area by itself: what of it is there, as the kernel copies it. Not in quiet. */
void area_read_alone(struct fetching *f, const struct area *area);
/* All that were added and not read yet. */
void areas_read(struct fetching *f);

#endif
