/* SPDX-License-Identifier: Apache-2.0 */
/*
 *   head | row of each function | reasons, each with its NUL | names, each with its NUL
 *
 * Names that are in the mapped file are told by their place there. Rows are as in memory: they
 * are read by the fctrace that wrote them.
 */
#include "capture/patch/saved.h"

#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/memory.h"
#include "capture/patch/plan_private.h"

enum { NO_REASON = 0, MAX_REASONS = 255 };

struct head {
	uint64_t image_size;
	uint32_t nr, reasons_size, names_size;
	uint8_t engine, tables; /* reasons */
	uint8_t takes_register;
	uint8_t kind_of_plan; /* struct fc_plan_opts */
};

enum row_bits {
	IS_HOOKED = 1 << 0,
	LOOPS = 1 << 1,
	LENDS = 1 << 2,	   /* moves more than its own jump needs, for a neighbour's */
	IN_IMAGE = 1 << 3, /* its name */
};

struct row {
	uint64_t vaddr, size;
	uint32_t name; /* 1 + offset; 0: none */
	int16_t hop;
	uint16_t site; /* its kind */
	uint8_t how, why, planned_how, planned_why;
	uint8_t kind, stack_check, jump_size, bits;
};

static uint8_t kind_of(const struct fc_plan_opts *opts)
{
	return opts->exported_only | opts->control_only << 1;
}

/* Reasons are few, and the same one is the same pointer. */
struct reasons {
	const char *at[MAX_REASONS];
	size_t nr;
};

/* 1 + its number; MAX_REASONS: there are too many. */
static uint8_t number_of(struct reasons *reasons, const char *why)
{
	size_t i = 0;
	while (why && i < reasons->nr && reasons->at[i] != why)
		i++;
	if (!why)
		return NO_REASON;
	if (i == reasons->nr && i < MAX_REASONS - 1)
		reasons->at[reasons->nr++] = why;
	return i + 1;
}

struct saving {
	const struct fc_plan *plan;
	struct reasons reasons;
	FC_VEC(char) names;
};

static void add_name(struct saving *saving, const char *name, struct row *row)
{
	const struct fc_elf *elf = saving->plan->elf;
	if (!name)
		return;
	uint64_t off = (uintptr_t)name - (uintptr_t)elf->image;
	if (off < elf->image_size && off < UINT32_MAX) {
		row->name = 1 + off;
		row->bits |= IN_IMAGE;
		return;
	}
	row->name = 1 + saving->names.nr;
	do
		fc_vec_push(&saving->names, *name);
	while (*name++);
}

static uint8_t need_of(const struct fc_plan *plan, bool lends, uint8_t jump_size)
{
	return lends ? 2 * plan->arch->jumps->far_size : jump_size;
}

static bool is_same_window(const struct fc_window *a, const struct fc_window *b)
{
	return a->vaddr == b->vaddr && a->jump_size == b->jump_size && a->size == b->size &&
	       a->moved_size == b->moved_size && a->ends == b->ends;
}

static bool lends(const struct fc_plan *plan, size_t i)
{
	const struct fc_window *own = &plan->planned[i].site.window;
	struct fc_window window;
	return fc_plan_window(plan, i, own->jump_size, own->jump_size, &window) ||
	       !is_same_window(own, &window);
}

static struct row row_of(struct saving *saving, size_t i)
{
	const struct fc_plan *plan = saving->plan;
	const struct fc_planned *p = &plan->planned[i];
	const struct fc_func_info *info = &plan->infos[i];
	struct row row = {
		.vaddr = info->vaddr,
		.size = info->size,
		.how = info->how,
		.why = number_of(&saving->reasons, info->why),
		.planned_how = p->how,
		.planned_why = number_of(&saving->reasons, p->why),
		.kind = p->kind,
		.stack_check = p->stack_check,
	};
	add_name(saving, info->name, &row);
	if (!p->is_hooked)
		return row;
	row.site = p->site.kind;
	row.jump_size = p->site.window.jump_size;
	row.hop = p->site.hop;
	row.bits |= IS_HOOKED | (p->loops ? LOOPS : 0) | (lends(plan, i) ? LENDS : 0);
	return row;
}

static void append(struct fc_saved *saved, const void *bytes, size_t size)
{
	if (!size)
		return;
	fc_vec_reserve(&saved->list, size);
	memcpy(saved->list.at + saved->list.nr, bytes, size);
	saved->list.nr += size;
}

int fc_plan_save(const struct fc_plan *plan, struct fc_saved *ret)
{
	struct saving saving = { .plan = plan };
	struct head head = {
		.image_size = plan->elf->image_size,
		.nr = plan->nr,
		.engine = number_of(&saving.reasons, plan->engine),
		.tables = number_of(&saving.reasons, plan->tables),
		.takes_register = plan->takes_register,
		.kind_of_plan = kind_of(&plan->opts),
	};
	size_t at = ret->list.nr;
	append(ret, &head, sizeof(head));
	fc_vec_reserve(&ret->list, plan->nr * sizeof(struct row) + 1);
	for (size_t i = 0; i < plan->nr; i++) {
		struct row row = row_of(&saving, i);
		append(ret, &row, sizeof(row));
	}
	size_t reasons_at = ret->list.nr;
	for (size_t i = 0; i < saving.reasons.nr; i++)
		append(ret, saving.reasons.at[i], strlen(saving.reasons.at[i]) + 1);
	head.reasons_size = ret->list.nr - reasons_at;
	head.names_size = saving.names.nr;
	append(ret, saving.names.at, saving.names.nr);
	memcpy(ret->list.at + at, &head, sizeof(head));
	bool is_unfit = plan->is_cut || plan->nr > UINT32_MAX ||
			saving.names.nr >= UINT32_MAX || saving.reasons.nr == MAX_REASONS - 1;
	fc_vec_free(&saving.names);
	return is_unfit ? -E2BIG : 0;
}

/* What is read from, all sizes checked. */
struct loading {
	struct fc_plan *plan;
	struct head head;
	const uint8_t *rows;
	const char *texts; /* reasons, then names; the last byte of both is 0 */
	const char *reasons[MAX_REASONS + 1];
	size_t nr_reasons;
	size_t last_nul; /* of the image: each name in it that begins before has an end */
	bool is_bad;	 /* set by several threads */
};

static bool find_reasons(struct loading *l)
{
	const char *at = l->texts, *end = at + l->head.reasons_size;
	for (l->nr_reasons = 1; at < end; at += strlen(at) + 1) {
		if (l->nr_reasons > MAX_REASONS)
			return false;
		l->reasons[l->nr_reasons++] = at;
	}
	return l->head.engine < l->nr_reasons && l->head.tables < l->nr_reasons;
}

static bool find_name(const struct loading *l, const struct row *row, const char **ret)
{
	const struct fc_elf *elf = l->plan->elf;
	*ret = NULL;
	if (!row->name)
		return true;
	bool is_in_image = row->bits & IN_IMAGE;
	*ret = (is_in_image ? (const char *)elf->image : l->texts + l->head.reasons_size) +
	       row->name - 1;
	return is_in_image ? row->name - 1 <= l->last_nul : row->name <= l->head.names_size;
}

static bool is_sound_site(const struct fc_arch *arch, const struct row *row)
{
	bool is_near = row->site == FC_SITE_NEAR, is_far = row->site == FC_SITE_FAR;
	return row->site < FC_SITE_NR_KINDS && is_near == (row->hop != 0) && row->jump_size &&
	       row->jump_size <= arch->jumps->far_size &&
	       (!is_near || row->jump_size == arch->jumps->near_size) &&
	       (!is_far || row->jump_size == arch->jumps->far_size);
}

/* The values that other code takes for granted. */
static bool is_sound(const struct loading *l, const struct row *row)
{
	bool is_hooked = row->bits & IS_HOOKED;
	return row->how <= FC_HOW_PART && row->planned_how <= FC_HOW_PART &&
	       row->why < l->nr_reasons && row->why != NO_REASON &&
	       row->planned_why < l->nr_reasons && row->kind < FC_STUB_COUNT &&
	       (is_hooked ? is_sound_site(l->plan->arch, row)
			  : !fc_how_is_recorded(row->how) && !row->site && !row->hop);
}

static bool load_row(struct loading *l, size_t i)
{
	struct fc_plan *plan = l->plan;
	struct fc_planned *p = &plan->planned[i];
	struct row row;
	memcpy(&row, l->rows + i * sizeof(row), sizeof(row));
	plan->infos[i] =
		(struct fc_func_info){ .vaddr = row.vaddr, .size = row.size, .how = row.how };
	if (!is_sound(l, &row) || !find_name(l, &row, &plan->infos[i].name))
		return false;
	plan->infos[i].why = l->reasons[row.why];
	*p = (struct fc_planned){
		.kind = row.kind,
		.how = row.planned_how,
		.why = l->reasons[row.planned_why],
		.stack_check = row.stack_check,
		.loops = row.bits & LOOPS,
		.is_hooked = row.bits & IS_HOOKED,
		.site = { .kind = row.site, .hop = row.hop },
	};
	return true;
}

/* Rows of neighbours are needed here: a window may not reach the next function. */
static bool load_window(struct loading *l, size_t i)
{
	struct fc_plan *plan = l->plan;
	struct fc_planned *p = &plan->planned[i];
	struct fc_window *window = &p->site.window;
	struct row row;
	memcpy(&row, l->rows + i * sizeof(row), sizeof(row));
	if (i && plan->infos[i - 1].vaddr >= row.vaddr)
		return false;
	if (!p->is_hooked)
		return true;
	if (fc_plan_window(plan, i, row.jump_size,
			   need_of(plan, row.bits & LENDS, row.jump_size), window) ||
	    !fc_elf_bytes(plan->elf, window->vaddr, window->size) ||
	    !fc_elf_bytes(plan->elf, window->vaddr, window->jump_size) ||
	    (p->site.kind == FC_SITE_PUN &&
	     !fc_elf_bytes(plan->elf, window->vaddr, plan->arch->jumps->far_size)))
		return false;
	return !row.hop ||
	       fc_elf_bytes(plan->elf, fc_site_hop(&p->site), plan->arch->jumps->far_size);
}

enum { PORTION = 2048 };

static void load_portion(struct loading *l, size_t nr,
			 bool (*load)(struct loading *l, size_t i))
{
	bool is_good = true;
	for (size_t i = nr * PORTION; is_good && i < l->plan->nr && i < (nr + 1) * PORTION; i++)
		is_good = load(l, i);
	if (!is_good)
		__atomic_store_n(&l->is_bad, true, __ATOMIC_RELAXED);
}

static void load_rows(void *ctx, size_t nr)
{
	load_portion(ctx, nr, load_row);
}

static void load_windows(void *ctx, size_t nr)
{
	load_portion(ctx, nr, load_window);
}

static bool check_sizes(struct loading *l, const uint8_t *bytes, size_t size)
{
	struct head *head = &l->head;
	if (size < sizeof(*head))
		return false;
	memcpy(head, bytes, sizeof(*head));
	uint64_t rows_size = (uint64_t)head->nr * sizeof(struct row);
	uint64_t texts_size = (uint64_t)head->reasons_size + head->names_size;
	l->rows = bytes + sizeof(*head);
	return size - sizeof(*head) == rows_size + texts_size && head->nr &&
	       head->reasons_size &&
	       !bytes[sizeof(*head) + rows_size + head->reasons_size - 1] && !bytes[size - 1];
}

static bool load(struct loading *l)
{
	struct fc_plan *plan = l->plan;
	const struct fc_elf *elf = plan->elf;
	size_t texts_size = (size_t)l->head.reasons_size + l->head.names_size;
	size_t nr_portions = (l->head.nr + PORTION - 1) / PORTION;
	const uint8_t *last = memrchr(elf->image, 0, elf->image_size);
	plan->texts = fc_alloc(texts_size);
	memcpy(plan->texts, l->rows + l->head.nr * sizeof(struct row), texts_size);
	l->texts = plan->texts;
	l->last_nul = last ? last - elf->image : 0;
	if (!last || !find_reasons(l))
		return false;
	plan->nr = l->head.nr;
	plan->engine = l->reasons[l->head.engine];
	plan->tables = l->reasons[l->head.tables];
	plan->takes_register = l->head.takes_register;
	plan->infos = fc_alloc(plan->nr * sizeof(*plan->infos));
	plan->planned = fc_alloc(plan->nr * sizeof(*plan->planned));
	fc_crew_each(nr_portions, load_rows, l);
	if (!l->is_bad)
		fc_crew_each(nr_portions, load_windows, l);
	return !l->is_bad;
}

int fc_plan_load(const struct fc_elf *elf, const struct fc_plan_opts *opts,
		 const uint8_t *bytes, size_t size, struct fc_plan **ret)
{
	struct loading l = { 0 };
	const struct fc_arch *arch = fc_arch_find(elf->machine);
	if (!arch || !arch->jumps || !check_sizes(&l, bytes, size) ||
	    l.head.image_size != elf->image_size || l.head.kind_of_plan != kind_of(opts))
		return -EBADMSG;
	l.plan = fc_plan_new(elf, arch, opts);
	if (!load(&l)) {
		fc_plan_destroy(l.plan);
		return -EBADMSG;
	}
	*ret = l.plan;
	return 0;
}
