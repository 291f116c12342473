/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/keeper.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "base/memory.h"

/*
 * The kernel finds the word of a list's entry at one distance for all: so entries and words lie in
 * pages by turns.
 *
 *	| entry 0 | word 0 | entry 1 | word 1 | ...
 *	  private   shared
 */
enum {
	NR_SLOTS = 2048, /* ROBUST_LIST_LIMIT, <linux/futex.h>: the kernel follows no more */
};

struct fc_keeper {
	struct robust_list_head head, *old;
	size_t old_size;
	char *slots;
	bool is_taken[NR_SLOTS];
};

static struct robust_list *entry_of(const struct fc_keeper *keeper, int slot)
{
	return (struct robust_list *)(keeper->slots +
				      (size_t)slot * 2 * fc_arch_here->page_size);
}

static void *word_page(const struct fc_keeper *keeper, int slot)
{
	return keeper->slots + (size_t)slot * 2 * fc_arch_here->page_size +
	       fc_arch_here->page_size;
}

static size_t slots_size(void)
{
	return (size_t)NR_SLOTS * 2 * fc_arch_here->page_size;
}

static int map_slots(struct fc_keeper *keeper)
{
	char *at = mmap(NULL, slots_size(), PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return fc_fail(errno, "cannot map memory: %s", strerror(errno));
	keeper->slots = at;
	return 0;
}

int fc_keeper_create(struct fc_keeper **ret)
{
	struct fc_keeper *keeper = fc_alloc(sizeof(*keeper));
	int err = map_slots(keeper);
	if (err) {
		free(keeper);
		return err;
	}
	keeper->head.list.next = &keeper->head.list;
	keeper->head.futex_offset = fc_arch_here->page_size;
	syscall(SYS_get_robust_list, 0, &keeper->old, &keeper->old_size);
	if (syscall(SYS_set_robust_list, &keeper->head, sizeof(keeper->head))) {
		err = fc_fail(errno, "cannot keep a list of robust futexes: %s",
			      strerror(errno));
		munmap(keeper->slots, slots_size());
		free(keeper);
		return err;
	}
	*ret = keeper;
	return 0;
}

void fc_keeper_destroy(struct fc_keeper *keeper)
{
	if (!keeper)
		return;
	for (int i = 0; i < NR_SLOTS; i++)
		fc_keeper_drop(keeper, i);
	syscall(SYS_set_robust_list, keeper->old, keeper->old_size);
	munmap(keeper->slots, slots_size());
	free(keeper);
}

static int free_slot(const struct fc_keeper *keeper)
{
	for (int i = 0; i < NR_SLOTS; i++)
		if (!keeper->is_taken[i])
			return i;
	return fc_fail(EMFILE, "more than %d programs at once", NR_SLOTS);
}

int fc_keeper_take(struct fc_keeper *keeper, int fd)
{
	int slot = free_slot(keeper);
	if (slot < 0)
		return slot;
	struct robust_list *entry = entry_of(keeper, slot);
	uint32_t *word = mmap(word_page(keeper, slot), fc_arch_here->page_size,
			      PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	if (word == MAP_FAILED ||
	    mprotect(entry, fc_arch_here->page_size, PROT_READ | PROT_WRITE))
		return fc_fail(errno, "cannot map shared memory: %s", strerror(errno));
	keeper->is_taken[slot] = true;
	__atomic_store_n(word, (uint32_t)gettid(), __ATOMIC_SEQ_CST);
	/* The entry is whole before the list leads to it: this thread may be killed here. */
	entry->next = keeper->head.list.next;
	__atomic_store_n(&keeper->head.list.next, entry, __ATOMIC_SEQ_CST);
	return slot;
}

static void unlink_entry(struct fc_keeper *keeper, const struct robust_list *entry)
{
	struct robust_list *at = &keeper->head.list;
	while (at->next != entry)
		at = at->next;
	__atomic_store_n(&at->next, entry->next, __ATOMIC_SEQ_CST);
}

void fc_keeper_drop(struct fc_keeper *keeper, int slot)
{
	if (slot < 0 || !keeper->is_taken[slot])
		return;
	uint32_t *word = word_page(keeper, slot);
	__atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
	unlink_entry(keeper, entry_of(keeper, slot));
	mmap(word, fc_arch_here->page_size, PROT_NONE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	keeper->is_taken[slot] = false;
}
