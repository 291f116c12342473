/* SPDX-License-Identifier: Apache-2.0 */
/* shown.c - demangles a symbol when it is first shown, and keeps the name; without a lock. */
#include "calls/shown.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "trace/record.h"

#define ROOM	 ((size_t)64 << 20)
#define PER_PAGE 4096
#define NR_PAGES (FC_FUNC_MAX / PER_PAGE + 1)

struct text {
	struct text *next;
	char name[];
};

struct page {
	const char *names[PER_PAGE]; /* NULL: not asked for yet */
};

struct fc_shown {
	enum fc_demangle form;
	struct page *pages[NR_PAGES];
	struct text *texts;
	size_t nr_bytes;
};

struct fc_shown *fc_shown_create(enum fc_demangle form)
{
	struct fc_shown *shown = fc_alloc(sizeof(*shown));
	shown->form = form;
	return shown;
}

void fc_shown_destroy(struct fc_shown *shown)
{
	if (!shown)
		return;
	for (size_t i = 0; i < NR_PAGES; i++)
		free(shown->pages[i]);
	for (struct text *text = shown->texts, *next; text; text = next) {
		next = text->next;
		free(text);
	}
	free(shown);
}

static struct page *page_of(struct fc_shown *shown, uint32_t func)
{
	struct page **place = &shown->pages[func / PER_PAGE];
	struct page *page = __atomic_load_n(place, __ATOMIC_ACQUIRE);

	if (page)
		return page;
	struct page *made = fc_alloc(sizeof(*made));
	if (__atomic_compare_exchange_n(place, &page, made, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return made;
	free(made); /* another thread was faster */
	return page;
}

/* Keep a copy of name until the end. */
static const char *keep(struct fc_shown *shown, const char *name)
{
	size_t size = strlen(name) + 1;

	if (__atomic_add_fetch(&shown->nr_bytes, sizeof(struct text) + size, __ATOMIC_RELAXED) >
	    ROOM)
		return NULL;
	struct text *text = fc_alloc(sizeof(*text) + size);
	memcpy(text->name, name, size);
	text->next = __atomic_load_n(&shown->texts, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&shown->texts, &text->next, text, true,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return text->name;
}

/* Two threads may make the same name at a time: the first one's stands. */
static const char *make(struct fc_shown *shown, const char **place, const char *symbol)
{
	fc_auto_free char *name = fc_demangle(symbol, shown->form);
	const char *kept = name ? keep(shown, name) : NULL, *old = NULL;

	kept = kept ? kept : symbol;
	if (__atomic_compare_exchange_n(place, &old, kept, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return kept;
	return old;
}

const char *fc_shown_get(struct fc_shown *shown, uint32_t func, const char *symbol)
{
	if (!fc_is_mangled(symbol) || shown->form == FC_DEMANGLE_NO || func > FC_FUNC_MAX)
		return symbol;
	const char **place = &page_of(shown, func)->names[func % PER_PAGE];
	const char *name = __atomic_load_n(place, __ATOMIC_ACQUIRE);
	return name ? name : make(shown, place, symbol);
}
