/* SPDX-License-Identifier: Apache-2.0 */
/* Letters to the controller, and waiting. */
#include "agent/strand.h"

enum {
	FUTEX_WAIT = 0, /* shared: the arena is another process' too */
	FUTEX_WAKE = 1,
	PATIENCE = 100, /* waits of 100 ms for an answer to begin */
};

/* Quiet: wait awake. The controller's thread needs a core, so each round is a long one. */
static void spin(const uint32_t *at, uint32_t value)
{
	for (int i = 0; i < 100000 && __atomic_load_n(at, __ATOMIC_ACQUIRE) == value; i++)
		pause_cpu();
}

void futex_wait(uint32_t *at, uint32_t value, uint32_t ms)
{
	if (agent_config.is_quiet) {
		spin(at, value);
		return;
	}
	struct {
		int64_t s, ns;
	} limit = { ms / 1000, ms % 1000 * 1000000ll };
	syscall4(NR_futex, at, FUTEX_WAIT, value, &limit);
}

void futex_wake(uint32_t *at)
{
	if (!agent_config.is_quiet) /* else the drain looks by itself, 10 ms later at most */
		syscall3(NR_futex, at, FUTEX_WAKE, 1);
}

/* The kernel marks the controller's word when the controller dies (user/keeper.c). */
bool agent_is_alone(const struct fca_arena *arena)
{
	uint32_t owner = __atomic_load_n(&arena->keeper, __ATOMIC_RELAXED);
	return !owner || owner & FCA_KEEPER_DIED;
}

void agent_ring_bell(struct fca_arena *arena)
{
	__atomic_fetch_add(&arena->bell, 1, __ATOMIC_SEQ_CST);
	futex_wake(&arena->bell);
}

static struct fca_mail *claim(struct fca_arena *arena)
{
	for (int i = 0; i < FCA_NR_MAILS; i++) {
		uint32_t state = FCA_MAIL_FREE;
		if (__atomic_compare_exchange_n(&arena->mails[i].state, &state,
						FCA_MAIL_CLAIMED, 0, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return &arena->mails[i];
	}
	return NULL;
}

static void set_state(struct fca_arena *arena, struct fca_mail *mail, uint32_t state)
{
	__atomic_store_n(&mail->state, state, __ATOMIC_RELEASE);
	futex_wake(&mail->state);
	if (state == FCA_MAIL_ASK)
		agent_ring_bell(arena);
}

/* False: the controller has begun after all. */
static bool take_back(struct fca_mail *mail)
{
	uint32_t state = FCA_MAIL_ASK;
	return __atomic_compare_exchange_n(&mail->state, &state, FCA_MAIL_FREE, 0,
					   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Make the system calls that the controller asks for, until it is done. */
static void serve(struct fca_arena *arena, struct fca_mail *mail)
{
	int patience = PATIENCE;
	while (!agent_is_alone(arena)) {
		uint32_t state = __atomic_load_n(&mail->state, __ATOMIC_ACQUIRE);
		if (state == FCA_MAIL_DONE)
			break;
		if (state == FCA_MAIL_COMMAND) {
			mail->result =
				syscall6(mail->nr, mail->arg[0], mail->arg[1], mail->arg[2],
					 mail->arg[3], mail->arg[4], mail->arg[5]);
			set_state(arena, mail, FCA_MAIL_RESULT);
			continue;
		}
		if (state == FCA_MAIL_ASK && !patience-- && take_back(mail))
			return;
		futex_wait(&mail->state, state, 100);
	}
	__atomic_store_n(&mail->state, FCA_MAIL_FREE, __ATOMIC_RELEASE);
}

/*
 * Tell the controller what has happened, and serve it until it is done with that.
 * No signal comes in between: its handler might jump out of here for good.
 */
void mail_send(struct fca_arena *arena, enum fca_mail_what what, uint64_t arg, uint64_t more)
{
	uint64_t mask = signals_block();
	struct fca_mail *mail = claim(arena);
	if (mail) {
		mail->pid = syscall1(NR_getpid, 0);
		mail->tid = syscall1(NR_gettid, 0);
		mail->what = what;
		mail->arg[0] = arg;
		mail->arg[1] = more;
		set_state(arena, mail, FCA_MAIL_ASK);
		serve(arena, mail);
	}
	signals_restore(mask);
}
