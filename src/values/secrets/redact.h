/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact.h - secrets that are named by a text when they are passed, and not by the program's source:
 *
 *	setenv("DB_PASSWORD", "...", 1)    putenv("API_KEY=...")    main(2, {"prog", "--token", "..."})
 *	write(5, "Authorization: ...", 40)   connect_to("postgres://me:...@host/db")
 */
#ifndef FC_VALUES_SECRETS_REDACT_H
#define FC_VALUES_SECRETS_REDACT_H

#include "values/formats.h"
#include "values/masks.h"
#include "values/secrets/given.h"

enum { FC_REDACT_END = 320 }; /* a name, or what stands in front of a password in a URL */

/* Has a mark of this format any text, or anything that is hidden? */
bool fc_redact_concerns(const struct fc_value_format *format);
/* Has it one so long that it may go on in marks of its own? */
bool fc_redact_may_go_on(const struct fc_value_format *format);
/* Has it what is only there to know secrets by? */
bool fc_redact_hides(const struct fc_value_format *format);
/* Is the function's result masked, by a format of its exit: what it calls handles the secret, too. */
bool fc_redact_is_secretive(const struct fc_value_format *exit);
/* What is known of a strand's last mark, whose texts may go on behind it. All zeroes: there was none. */
struct fc_redact_rest {
	uint32_t key;
	uint32_t nr;
	struct fc_redact_text {
		uint8_t head,
			head_now; /* the word with its length: as it came, as it is told */
		bool is_masked;	  /* what follows is a secret */
		uint32_t nr;	  /* bytes that came */
		size_t nr_end;
		char end[FC_REDACT_END]; /* of these, the last ones of the last line */
	} text[FCA_MAX_MEMORY];
};

/* Where a mark stands. */
struct fc_redact_place {
	const struct fc_masks *masks;
	bool hides_all; /* all texts and bytes are secrets */
	uint64_t depth; /* open calls */
	struct fc_given
		*given; /* what they were given; what an entry's mark has of secrets is added */
	struct fc_redact_rest *rest; /* see below; NULL: no text may go on */
};

/*
 * Take secrets out of a mark's words, and mark where they were (FCA_GOT_MASKED). Returns how many words
 * are left: no more than there were. place->rest is set to what fc_redact_piece() needs to know of it.
 */
uint32_t fc_redact(const struct fc_redact_place *place, const struct fc_types *types,
		   const struct fc_value_format *format, uint64_t *words, uint32_t nr);
/* The same of a mark that says how a text of the last one goes on (FC_MARK_MORE). */
uint32_t fc_redact_piece(const struct fc_redact_place *place, uint64_t *words, uint32_t nr);

#endif
