/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/desks.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/hook/space_private.h"

uint64_t fc_desk_at(const struct fc_space *space, int i)
{
	return FC_CONFIG(space, desks) + i * sizeof(struct fca_desk);
}

bool fc_desks_read(const struct fc_space *space, struct fca_desk *ret)
{
	return !fc_remote_read(space->mem_fd, fc_desk_at(space, 0), ret,
			       FCA_NR_DESKS * sizeof(*ret));
}

bool fc_desk_is_open(const struct fca_desk *desk)
{
	return desk->owner && desk->asked && desk->done != desk->asked;
}

void fc_desks_ring(const struct fc_space *space)
{
	uint32_t *told = &space->arena->at->told;
	__atomic_fetch_add(told, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, told, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void write_word(const struct fc_space *space, uint64_t taddr, uint32_t word)
{
	fc_remote_write(space->mem_fd, taddr, &word, sizeof(word));
}

void fc_desk_answer(const struct fc_space *space, uint64_t taddr, const struct fca_desk *desk,
		    bool is_gone)
{
	write_word(space, taddr + offsetof(struct fca_desk, done), desk->asked);
	if (is_gone) {
		write_word(space, taddr + offsetof(struct fca_desk, asked), 0);
		write_word(space, taddr + offsetof(struct fca_desk, owner), 0);
	}
	fc_desks_ring(space);
}

void fc_desks_decline(const struct fc_space *space)
{
	struct fca_desk desks[FCA_NR_DESKS];
	if (!fc_desks_read(space, desks))
		return;
	for (int i = 0; i < FCA_NR_DESKS; i++)
		if (fc_desk_is_open(&desks[i]))
			fc_desk_answer(space, fc_desk_at(space, i), &desks[i], false);
}
