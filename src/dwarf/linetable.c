/* SPDX-License-Identifier: Apache-2.0 */
/* linetable.c - finds the line of an address, and asks the jail for lines of a file once. */
#include "dwarf/linetable.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/vec.h"
#include "dwarf/answer.h"
#include "dwarf/debuginfo.h"
#include "dwarf/libdw.h"
#include "dwarf/types/texts.h"

struct place {
	uint64_t vaddr;
	uint32_t line; /* 0: not known; FC_DWARF_UNREAD: not asked for yet */
	uint32_t path; /* of paths */
};

/* Addresses go to the child, an answer comes back (answer.h). */
struct fc_linetable {
	struct fc_debuginfo info;
	FC_VEC(struct place) expected; /* by vaddr */
	struct fc_texts paths;
};

/* ---- the child ---- */

static void answer_all(const void *ctx)
{
	const struct fc_debuginfo *info = ctx;
	struct fc_dwarf_lines *lines =
		fc_dwarf_lines_open(info->told, info->common, &info->size);
	struct fc_dwarf_question question;
	struct fc_dwarf_answer answer;
	ssize_t size;

	while ((size = read(0, &question, sizeof(question))) > 0) {
		fc_dwarf_lines_find(lines, &question, (size_t)size / sizeof(uint64_t), &answer);
		if (write(0, &answer, fc_dwarf_answer_size(&answer)) < 0)
			return;
	}
}

/* False: it does not answer any more. */
static bool ask_child(struct fc_linetable *table, const struct fc_dwarf_question *question,
		      size_t nr, struct fc_dwarf_answer *ret)
{
	ssize_t size = fc_debuginfo_ask(&table->info, question, nr * sizeof(uint64_t), ret,
					sizeof(*ret));

	if (size > 0 && fc_dwarf_answer_check(ret, (size_t)size, nr))
		return true;
	if (size > 0)
		fc_debuginfo_distrust(&table->info);
	return false;
}

/* ---- open and close ---- */

int fc_linetable_open(const char *path, const char *build_id, struct fc_linetable **ret)
{
	struct fc_linetable *table = fc_alloc(sizeof(*table));
	int err = fc_debuginfo_open(&table->info, path, build_id, FC_DWARF_LINES);

	if (!err)
		err = fc_debuginfo_start(&table->info, path, answer_all, &table->info);
	if (err)
		fc_linetable_close(table);
	else
		*ret = table;
	return err;
}

void fc_linetable_close(struct fc_linetable *table)
{
	if (!table)
		return;
	fc_debuginfo_close(&table->info);
	fc_vec_free(&table->expected);
	fc_texts_deinit(&table->paths);
	free(table);
}

const char *fc_linetable_wrong(const struct fc_linetable *table)
{
	return fc_debuginfo_wrong(&table->info);
}

/* ---- find ---- */

void fc_linetable_expect(struct fc_linetable *table, const uint64_t *vaddrs, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&table->expected, (struct place){ vaddrs[i], FC_DWARF_UNREAD, 0 });
	fc_sort_by(table->expected.at, nr, vaddr);
}

static void take_answer(struct fc_linetable *table, struct place *const *places, size_t nr,
			const struct fc_dwarf_answer *answer)
{
	fc_debuginfo_note(&table->info, answer->wrong);
	for (size_t i = 0; i < nr; i++) {
		struct fc_dwarf_line line = answer->lines[i];
		bool is_line = line.line && line.line != FC_DWARF_UNREAD;
		places[i]->line = line.line;
		places[i]->path =
			is_line ? fc_texts_add(&table->paths, answer->paths + line.path) : 0;
	}
}

/* The first place, and those near behind it of which nothing is known yet. */
static size_t choose(struct fc_linetable *table, struct place *first, struct place **ret)
{
	enum { NEAR = 4 * FC_DWARF_ASKED };
	size_t nr = 0, total = table->expected.nr;
	size_t at = fc_bisect(table->expected.at, total, place, place->vaddr <= first->vaddr);
	size_t end = total - at > NEAR ? at + NEAR : total;

	ret[nr++] = first;
	for (; at < end && nr < FC_DWARF_ASKED; at++)
		if (table->expected.at[at].line == FC_DWARF_UNREAD)
			ret[nr++] = &table->expected.at[at];
	return nr;
}

static void look_up(struct fc_linetable *table, struct place *place)
{
	struct place *places[FC_DWARF_ASKED];
	struct fc_dwarf_question question;
	struct fc_dwarf_answer answer;
	size_t nr = choose(table, place, places);

	for (size_t i = 0; i < nr; i++)
		question.vaddrs[i] = places[i]->vaddr;
	place->line = 0;
	if (ask_child(table, &question, nr, &answer))
		take_answer(table, places, nr, &answer);
}

bool fc_linetable_find(struct fc_linetable *table, uint64_t vaddr, const char **file, int *line)
{
	size_t at =
		fc_bisect(table->expected.at, table->expected.nr, place, place->vaddr < vaddr);
	bool is_expected = at < table->expected.nr && table->expected.at[at].vaddr == vaddr;
	struct place other = { vaddr, FC_DWARF_UNREAD, 0 };
	struct place *place = is_expected ? &table->expected.at[at] : &other;

	*file = NULL;
	if (place->line == FC_DWARF_UNREAD)
		look_up(table, place);
	if (!place->line)
		return false;
	*file = fc_texts_get(&table->paths, place->path);
	*line = (int)place->line;
	return true;
}
