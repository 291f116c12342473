/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.c - the distance between two words, and the names with the least. */
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Words that are longer are compared up to here. */
enum { LONGEST = 64 };
/* Of two ways to be near, with the same number of wrong letters, the first is nearer. */
enum { WHOLE, BEGINNING, WITHIN, NR_WAYS };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

struct distances {
	unsigned whole;
	unsigned beginning; /* to that beginning of the name that is nearest */
};

/*
 * Letters that are to be put in, taken out, replaced or swapped with their neighbour, so that one
 * word becomes the other (the optimal string alignment distance): row i is that of the word's first
 * i letters to each beginning of the name.
 */
static struct distances measure(const char *word, size_t len, const char *name, size_t name_len)
{
	unsigned rows[3][LONGEST + 1];
	unsigned *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= name_len; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= len; i++) {
		unsigned *oldest = before;
		before = last;
		last = row;
		row = oldest;
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= name_len; j++) {
			unsigned changed =
				last[j - 1] + (is_same(word[i - 1], name[j - 1]) ? 0 : 1);
			row[j] = least(changed, least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && is_same(word[i - 1], name[j - 2]) &&
			    is_same(word[i - 2], name[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	struct distances ret = { row[name_len], row[name_len] };
	for (size_t j = 0; j <= name_len; j++)
		ret.beginning = least(ret.beginning, row[j]);
	return ret;
}

/* So many letters may be wrong: of a short word one, of a letter none. */
static unsigned most_wrong(size_t len)
{
	return len < 2 ? 0 : len < 6 ? 1 : (unsigned)(len / 3);
}

/* False: it is not near. */
static bool judge(const char *word, size_t len, const char *name, size_t name_len,
		  unsigned *ret)
{
	enum { TELLING = 3 }; /* fewer letters begin too many names */
	unsigned most = most_wrong(len);
	struct distances far = measure(word, len, name, name_len);

	if (far.whole <= most) {
		*ret = far.whole * NR_WAYS + WHOLE;
		return true;
	}
	if (len < TELLING)
		return false;
	if (far.beginning <= most) {
		*ret = far.beginning * NR_WAYS + BEGINNING;
		return true;
	}
	*ret = WITHIN;
	return false;
}

static bool holds(const char *name, size_t len, const char *word)
{
	size_t word_len = strlen(word);

	for (size_t i = 0; word_len > 2 && i + word_len <= len; i++)
		if (!strncasecmp(name + i, word, word_len))
			return true;
	return false;
}

static void keep(struct fc_nearest *nearest, const char *shown, unsigned far)
{
	size_t i = nearest->nr;

	for (size_t k = 0; k < nearest->nr; k++)
		if (!strcmp(nearest->at[k].name, shown))
			return;
	while (i && nearest->at[i - 1].far > far)
		i--;
	if (i == FC_NEAREST_MOST)
		return;
	if (nearest->nr == FC_NEAREST_MOST)
		free(nearest->at[--nearest->nr].name);
	memmove(&nearest->at[i + 1], &nearest->at[i], (nearest->nr - i) * sizeof(*nearest->at));
	nearest->at[i] = (struct fc_near){ fc_strdup(shown), far };
	nearest->nr++;
}

void fc_nearest_begin(struct fc_nearest *nearest, const char *word, size_t len)
{
	*nearest = (struct fc_nearest){ .word = fc_asprintf("%.*s", (int)len, word) };
}

void fc_nearest_offer_as(struct fc_nearest *nearest, const char *name, size_t len,
			 const char *shown)
{
	size_t word_len = strlen(nearest->word);
	unsigned far = WITHIN;
	bool is_near = judge(nearest->word, word_len < LONGEST ? word_len : LONGEST, name,
			     len < LONGEST ? len : LONGEST, &far);

	if (len && word_len && (is_near || holds(name, len, nearest->word)))
		keep(nearest, shown, far);
}

void fc_nearest_offer(struct fc_nearest *nearest, const char *name, size_t len)
{
	char *shown = fc_asprintf("%.*s", (int)len, name);

	fc_nearest_offer_as(nearest, name, len, shown);
	free(shown);
}

void fc_nearest_offer_list(struct fc_nearest *nearest, const char *names)
{
	static const char between[] = ",| ";

	for (names += strspn(names, between); *names; names += strspn(names, between)) {
		size_t len = strcspn(names, between);
		fc_nearest_offer(nearest, names, len);
		names += len;
	}
}

/* Those that are further away than the first are not shown, unless no letter of either is wrong. */
static size_t nr_shown(const struct fc_nearest *nearest)
{
	size_t nr = 0;

	while (nr < nearest->nr &&
	       (nearest->at[nr].far < NR_WAYS || nearest->at[nr].far == nearest->at[0].far))
		nr++;
	return nr;
}

/* A sentence of its own: of words, not of a command, the first has a capital letter. */
static void append_sentence(char **text, const char *rest)
{
	bool is_command = !strncmp(rest, "fctrace", 7);

	if (*rest)
		fc_append(text, " %c%s", is_command ? *rest : toupper((unsigned char)*rest),
			  rest + 1);
}

char *fc_nearest_hint(struct fc_nearest *nearest, const char *before, const char *rest)
{
	size_t nr = nr_shown(nearest);
	char *ret = NULL;

	for (size_t i = 0; i < nr; i++)
		fc_append(&ret, "%s%s%s",
			  !i	       ? "; did you mean "
			  : i + 1 < nr ? ", "
				       : " or ",
			  before, nearest->at[i].name);
	fc_append(&ret, "%s", nr ? "?" : "");
	if (nr)
		append_sentence(&ret, rest);
	else if (*rest)
		fc_append(&ret, "; %s", rest);
	for (size_t i = 0; i < nearest->nr; i++)
		free(nearest->at[i].name);
	free(nearest->word);
	return ret;
}
