/* SPDX-License-Identifier: Apache-2.0 */
/* twins.c - pairs the files of two builds, then the functions in them by name. */
#include "read/diff/twins.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/vec.h"
#include "read/diff/subtree.h"

/* A file of either side or both. */
struct file {
	const char *names[2]; /* NULL: that side has none */
	const char *builds[2];
	bool is_mixed; /* the traces of a side are of different builds */
	char *any;     /* what functions without a name are called if the builds differ */
};

/* A function of one trace. name NULL: by its place. */
struct entry {
	size_t file;
	const char *name;
	uint64_t vaddr;
	size_t trace; /* of all, those of the first side first */
	uint32_t func;
};

struct numbers {
	uint32_t *at; /* by function id */
	uint32_t max;
};

struct fc_twins {
	FC_VEC(struct file) files;
	FC_VEC(struct fc_twin) twins; /* by number - FC_WHAT_FIRST; the first: unknown ids */
	struct numbers *numbers;      /* by trace */
	size_t nr[2];		      /* traces */
};

/* The next character that is no part of a version. */
static const char *skip_version(const char *p)
{
	return p + strspn(p, "0123456789.-_");
}

bool fc_twins_is_version(const char *a, const char *b)
{
	for (a = skip_version(a), b = skip_version(b); *a && *a == *b;
	     a = skip_version(a + 1), b = skip_version(b + 1))
		;
	return !*a && !*b;
}

/* ---- files ---- */

static struct file *file_of(struct fc_twins *twins, int side, const char *name)
{
	for (size_t i = 0; i < twins->files.nr; i++) {
		const char *own = twins->files.at[i].names[side];
		if (own && !strcmp(own, name))
			return &twins->files.at[i];
	}
	return NULL;
}

/* is_first: of its side's traces. */
static void add_files(struct fc_twins *twins, struct fc_reader *reader, int side, bool is_first)
{
	for (size_t i = 0; i < fc_reader_nr_modules(reader); i++) {
		const struct fc_module_info *module = fc_reader_module(reader, i);
		const char *name = fc_base_name(module->path);
		const char *build = module->build_id ? module->build_id : "";
		struct file *file = file_of(twins, side, name);
		if (file) {
			file->is_mixed |= !is_first && strcmp(file->builds[side], build);
			continue;
		}
		file = side ? file_of(twins, 0, name) : NULL;
		if (!file) {
			fc_vec_push(&twins->files, (struct file){ .any = NULL });
			file = &twins->files.at[twins->files.nr - 1];
		}
		file->names[side] = name;
		file->builds[side] = build;
	}
}

static void join(struct fc_twins *twins, struct file *first, const struct file *second)
{
	first->names[1] = second->names[1];
	first->builds[1] = second->builds[1];
	first->is_mixed |= second->is_mixed;
	size_t i = (size_t)(second - twins->files.at);
	memmove(&twins->files.at[i], &twins->files.at[i + 1],
		(twins->files.nr - i - 1) * sizeof(struct file));
	twins->files.nr--;
}

/* The only file of that side alone with such a name, else NULL. */
static struct file *only_version(const struct fc_twins *twins, int side, const char *name)
{
	struct file *found = NULL;

	fc_vec_each (&twins->files, file) {
		if (!file->names[side] || file->names[!side] ||
		    !fc_twins_is_version(file->names[side], name))
			continue;
		if (found)
			return NULL;
		found = file;
	}
	return found;
}

static void join_versions(struct fc_twins *twins)
{
	for (size_t i = 0; i < twins->files.nr; i++) {
		struct file *file = &twins->files.at[i];
		if (file->names[1])
			continue;
		struct file *other = only_version(twins, 1, file->names[0]);
		if (other && only_version(twins, 0, other->names[1]) == file)
			join(twins, file, other);
	}
}

/* What was run first: its name, "" if it is not known. */
static const char *program_of(struct fc_reader *reader)
{
	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++) {
		const struct fc_life_info *life = fc_reader_life(reader, i);
		if (life->life == FC_LIFE_EXEC)
			return fc_base_name(life->text);
	}
	return "";
}

static void join_programs(struct fc_twins *twins, struct fc_reader *first,
			  struct fc_reader *second)
{
	struct file *a = file_of(twins, 0, program_of(first));
	struct file *b = file_of(twins, 1, program_of(second));

	if (a && b && a != b && !a->names[1] && !b->names[0])
		join(twins, a, b);
}

static void name_unnamed(struct fc_twins *twins)
{
	fc_vec_each (&twins->files, file) {
		const char *name = file->names[0] ? file->names[0] : file->names[1];
		bool is_both = file->names[0] && file->names[1];
		if (file->is_mixed ||
		    (is_both && strcmp(file->builds[0], file->builds[1]) != 0))
			file->any = fc_asprintf("%s+?", name);
	}
}

/* ---- functions ---- */

static int compare_entries(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;

	if (left->file != right->file)
		return fc_order(left->file, right->file);
	if (!left->name || !right->name) {
		if (left->name || right->name)
			return left->name ? 1 : -1;
		return fc_order(left->vaddr, right->vaddr);
	}
	return strcmp(left->name, right->name);
}

static int compare_all(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;
	int ret = compare_entries(a, b);

	if (ret)
		return ret;
	return fc_order(left->trace, right->trace) ?: fc_order(left->func, right->func);
}

struct entries {
	struct entry *at;
	size_t nr, room;
};

static void add_entries(struct fc_twins *twins, struct fc_reader *reader, size_t trace,
			struct entries *entries)
{
	int side = trace >= twins->nr[0];

	for (size_t i = 0; i < fc_reader_nr_modules(reader); i++) {
		const struct fc_module_info *module = fc_reader_module(reader, i);
		struct entry entry = { .trace = trace };
		entry.file = (size_t)(file_of(twins, side, fc_base_name(module->path)) -
				      twins->files.at);
		for (size_t k = 0; k < module->nr_funcs; k++) {
			const struct fc_func_info *func = &module->funcs[k];
			if (!func->id || func->id > twins->numbers[trace].max)
				continue;
			entry.name = func->name;
			entry.vaddr = twins->files.at[entry.file].any ? 0 : func->vaddr;
			entry.func = func->id;
			fc_vec_push(entries, entry);
		}
	}
}

static bool is_first_of(const struct fc_twins *twins, int side, size_t trace)
{
	return trace == (side ? twins->nr[0] : 0);
}

static void give_numbers(struct fc_twins *twins, const struct entries *entries)
{
	for (size_t i = 0; i < entries->nr; i++) {
		const struct entry *entry = &entries->at[i];
		const char *any = entry->name ? NULL : twins->files.at[entry->file].any;
		if (!i || compare_entries(entry - 1, entry))
			fc_vec_push(&twins->twins, (struct fc_twin){ .any = any });
		struct fc_twin *twin = &twins->twins.at[twins->twins.nr - 1];
		for (int side = 0; side < 2; side++)
			if (is_first_of(twins, side, entry->trace) && !twin->func[side])
				twin->func[side] = entry->func;
		twins->numbers[entry->trace].at[entry->func] =
			FC_WHAT_FIRST + (uint32_t)twins->twins.nr - 1;
	}
}

static void add_numbers(struct fc_twins *twins, struct fc_reader *reader, size_t trace,
			struct entries *entries)
{
	struct numbers *numbers = &twins->numbers[trace];

	numbers->max = fc_reader_max_func(reader);
	numbers->at = fc_alloc(((size_t)numbers->max + 1) * sizeof(*numbers->at));
	add_entries(twins, reader, trace, entries);
}

struct fc_twins *fc_twins_create(const struct fc_twins_side sides[2])
{
	struct fc_twins *twins = fc_alloc(sizeof(*twins));
	struct entries entries = { 0 };
	size_t trace = 0;

	fc_vec_push(&twins->twins, (struct fc_twin){ .any = NULL });
	for (int side = 0; side < 2; side++) {
		twins->nr[side] = sides[side].nr;
		for (size_t i = 0; i < sides[side].nr; i++)
			add_files(twins, sides[side].readers[i], side, !i);
	}
	twins->numbers = fc_alloc((twins->nr[0] + twins->nr[1]) * sizeof(*twins->numbers));
	join_versions(twins);
	join_programs(twins, sides[0].readers[0], sides[1].readers[0]);
	name_unnamed(twins);
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < sides[side].nr; i++)
			add_numbers(twins, sides[side].readers[i], trace++, &entries);
	fc_vec_sort(&entries, compare_all);
	give_numbers(twins, &entries);
	fc_vec_free(&entries);
	return twins;
}

void fc_twins_destroy(struct fc_twins *twins)
{
	if (!twins)
		return;
	fc_vec_each (&twins->files, file)
		free(file->any);
	fc_vec_free(&twins->files);
	fc_vec_free(&twins->twins);
	for (size_t i = 0; i < twins->nr[0] + twins->nr[1]; i++)
		free(twins->numbers[i].at);
	free(twins->numbers);
	free(twins);
}

uint32_t fc_twins_number(const struct fc_twins *twins, int side, size_t run, uint32_t func)
{
	const struct numbers *numbers = &twins->numbers[side ? twins->nr[0] + run : run];
	uint32_t number = func <= numbers->max ? numbers->at[func] : 0;
	return number ? number : FC_WHAT_FIRST;
}

uint32_t fc_twins_end(const struct fc_twins *twins)
{
	return FC_WHAT_FIRST + (uint32_t)twins->twins.nr;
}

const struct fc_twin *fc_twins_get(const struct fc_twins *twins, uint32_t number)
{
	if (number < FC_WHAT_FIRST || number >= fc_twins_end(twins))
		return NULL;
	return &twins->twins.at[number - FC_WHAT_FIRST];
}
