/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearest.h - which names are most like a word that is none of them: "did you mean report?"
 *
 *	fc_nearest_begin(&nearest, "reprot", 6);
 *	for (each name)
 *		fc_nearest_offer(&nearest, name, strlen(name));
 *	fc_auto_free char *hint = fc_nearest_hint(&nearest, "", "see fctrace --help");
 *
 * A name is near if few letters differ, if one of its beginnings is so, or if the word is in it. Case
 * means nothing.
 */
#ifndef FC_BASE_NEAREST_H
#define FC_BASE_NEAREST_H

#include <stddef.h>

enum { FC_NEAREST_MOST = 3 };

struct fc_nearest {
	char *word;
	struct fc_near {
		char *name;
		unsigned far; /* 0: the same, but for the case */
	} at[FC_NEAREST_MOST];
	size_t nr;
};

void fc_nearest_begin(struct fc_nearest *nearest, const char *word, size_t len);
void fc_nearest_offer(struct fc_nearest *nearest, const char *name, size_t len);
/* What is compared, and what is shown of it if it is near. */
void fc_nearest_offer_as(struct fc_nearest *nearest, const char *name, size_t len,
			 const char *shown);
/* The words of a list, with commas, bars or blanks between them. */
void fc_nearest_offer_list(struct fc_nearest *nearest, const char *names);
/*
 * "; did you mean --a, --b or --c? See fctrace --help", where before is "--" and rest "see fctrace
 * --help"; "; see fctrace --help" if none is near. rest "": only the question, or nothing. The caller's
 * to free. Frees what nearest holds.
 */
char *fc_nearest_hint(struct fc_nearest *nearest, const char *before, const char *rest);

#endif
