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

/* Has a mark of this format any text? */
bool fc_redact_concerns(const struct fc_value_format *format);
/* Is the function's result masked, by a format of its exit: what it calls handles the secret, too. */
bool fc_redact_is_secretive(const struct fc_value_format *exit);
/*
 * Take secrets out of a mark's words, and mark where they were (FCA_GOT_MASKED); hides_all: all texts
 * and bytes. Returns how many words are left: no more than there were.
 */
uint32_t fc_redact(const struct fc_masks *masks, const struct fc_types *types,
		   const struct fc_value_format *format, bool hides_all, uint64_t *words,
		   uint32_t nr);

#endif
