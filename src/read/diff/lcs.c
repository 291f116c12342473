/* SPDX-License-Identifier: Apache-2.0 */
/* lcs.c - finds a longest common subsequence of two rows of numbers. */
#include "read/diff/lcs.h"

#include <stdlib.h>

#include "base/memory.h"

/*
 * Diagonal k holds the points with i - j = k. x[k] is how far one gets on it with d steps that
 * are not common; after each d the diagonals -d, -d + 2 ... d are noted, for the way back.
 */
struct search {
	const uint64_t *a, *b;
	long nr_a, nr_b;
	long *x; /* x[0] is diagonal 0 */
	FC_VEC(int32_t) notes;
};

static void note_step(struct search *search, long d)
{
	fc_vec_reserve(&search->notes, (size_t)d + 1);
	for (long k = -d; k <= d; k += 2)
		search->notes.at[search->notes.nr++] = (int32_t)search->x[k];
}

/* The furthest point on diagonal k after d steps. */
static long noted(const struct search *search, long d, long k)
{
	return search->notes.at[d * (d + 1) / 2 + (k + d) / 2];
}

static bool comes_from_above(const struct search *search, long d, long k)
{
	return k == -d || (k != d && noted(search, d - 1, k - 1) < noted(search, d - 1, k + 1));
}

static long slide(const struct search *search, long x, long k)
{
	while (x < search->nr_a && x - k < search->nr_b && search->a[x] == search->b[x - k])
		x++;
	return x;
}

/* Is the point within both rows? */
static bool is_inside(const struct search *search, long x, long k)
{
	return x <= search->nr_a && x - k >= 0 && x - k <= search->nr_b;
}

/* One more step on each diagonal. True, with *end the diagonal: the end of both is reached. */
static bool advance(struct search *search, long d, long *end)
{
	long *x = search->x;
	bool is_end = false;

	for (long k = -d; k <= d; k += 2) {
		bool is_above = k == -d || (k != d && x[k - 1] < x[k + 1]);
		long at = d ? (is_above ? x[k + 1] : x[k - 1] + 1) : 0;
		x[k] = slide(search, at, k);
		if (x[k] == search->nr_a && x[k] - k == search->nr_b) {
			*end = k;
			is_end = true;
		}
	}
	note_step(search, d);
	return is_end;
}

/* The diagonal on which most of both rows is behind. */
static long furthest(const struct search *search, long d)
{
	long best = -1, ret = 0;

	for (long k = -d; k <= d; k += 2) {
		if (!is_inside(search, search->x[k], k))
			continue;
		if (2 * search->x[k] - k > best) {
			best = 2 * search->x[k] - k;
			ret = k;
		}
	}
	return ret;
}

static void push_front(struct fc_commons *found, long i, long j, long nr)
{
	if (nr > 0)
		fc_vec_push(found, (struct fc_common){ (size_t)i, (size_t)j, (size_t)nr });
}

/* The way to x on diagonal k, last step first. */
static void go_back(const struct search *search, long d, long k, struct fc_commons *found)
{
	long x = noted(search, d, k);

	for (; d > 0; d--) {
		bool is_above = comes_from_above(search, d, k);
		long from = is_above ? noted(search, d - 1, k + 1)
				     : noted(search, d - 1, k - 1) + 1;
		push_front(found, from, from - k, x - from);
		k += is_above ? 1 : -1;
		x = noted(search, d - 1, k);
	}
	push_front(found, 0, -k, x);
}

static void append_turned(const struct fc_commons *found, size_t i, size_t j,
			  struct fc_commons *ret)
{
	for (size_t n = found->nr; n-- > 0;) {
		struct fc_common common = found->at[n];
		common.i += i;
		common.j += j;
		fc_vec_push(ret, common);
	}
}

/* From there on, as far as the effort goes. Returns whether that was the end of both rows. */
static bool search_from(struct search *search, size_t *i, size_t *j, size_t effort,
			struct fc_commons *ret)
{
	struct fc_commons found = { 0 };
	long d = 0, k = 0;
	bool is_end = false;

	search->notes.nr = 0;
	while (!(is_end = advance(search, d, &k)) && d < (long)effort)
		d++;
	if (!is_end)
		k = furthest(search, d);
	long x = search->x[k];
	go_back(search, d, k, &found);
	append_turned(&found, *i, *j, ret);
	*i += (size_t)x;
	*j += (size_t)(x - k);
	fc_vec_free(&found);
	return is_end;
}

bool fc_lcs(const uint64_t *a, size_t nr_a, const uint64_t *b, size_t nr_b, size_t effort,
	    struct fc_commons *ret)
{
	size_t i = 0, j = 0;
	size_t most = nr_a + nr_b;
	bool is_exact = true;

	if (effort > most)
		effort = most;
	long *room = fc_alloc((2 * effort + 3) * sizeof(*room));
	struct search search = { .x = room + effort + 1 };
	while (i < nr_a && j < nr_b) {
		search.a = a + i;
		search.b = b + j;
		search.nr_a = (long)(nr_a - i);
		search.nr_b = (long)(nr_b - j);
		if (search_from(&search, &i, &j, effort, ret))
			break;
		is_exact = false;
	}
	fc_vec_free(&search.notes);
	free(room);
	return is_exact;
}
