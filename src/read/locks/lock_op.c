/* SPDX-License-Identifier: Apache-2.0 */
/* lock_op.c - the table of functions that take locks, release them, wait and signal. */
#include "read/locks/lock_op.h"

#include <stddef.h>
#include <string.h>

#include "trace/source.h"

static const struct fc_lock_op ops[] = {
	{ "pthread_mutex_lock", FC_LOCK_MUTEX, FC_LOCK_TAKE },
	{ "pthread_mutex_timedlock", FC_LOCK_MUTEX, FC_LOCK_TAKE, .may_fail = true },
	{ "pthread_mutex_clocklock", FC_LOCK_MUTEX, FC_LOCK_TAKE, .may_fail = true },
	{ "pthread_mutex_trylock", FC_LOCK_MUTEX, FC_LOCK_TRY, .may_fail = true },
	{ "pthread_mutex_unlock", FC_LOCK_MUTEX, FC_LOCK_RELEASE },
	{ "pthread_rwlock_rdlock", FC_LOCK_RWLOCK, FC_LOCK_TAKE, .is_shared = true },
	{ "pthread_rwlock_timedrdlock", FC_LOCK_RWLOCK, FC_LOCK_TAKE, true, true },
	{ "pthread_rwlock_clockrdlock", FC_LOCK_RWLOCK, FC_LOCK_TAKE, true, true },
	{ "pthread_rwlock_tryrdlock", FC_LOCK_RWLOCK, FC_LOCK_TRY, true, true },
	{ "pthread_rwlock_wrlock", FC_LOCK_RWLOCK, FC_LOCK_TAKE },
	{ "pthread_rwlock_timedwrlock", FC_LOCK_RWLOCK, FC_LOCK_TAKE, .may_fail = true },
	{ "pthread_rwlock_clockwrlock", FC_LOCK_RWLOCK, FC_LOCK_TAKE, .may_fail = true },
	{ "pthread_rwlock_trywrlock", FC_LOCK_RWLOCK, FC_LOCK_TRY, .may_fail = true },
	{ "pthread_rwlock_unlock", FC_LOCK_RWLOCK, FC_LOCK_RELEASE },
	{ "pthread_spin_lock", FC_LOCK_SPIN, FC_LOCK_TAKE },
	{ "pthread_spin_trylock", FC_LOCK_SPIN, FC_LOCK_TRY, .may_fail = true },
	{ "pthread_spin_unlock", FC_LOCK_SPIN, FC_LOCK_RELEASE },
	{ "pthread_cond_wait", FC_LOCK_COND, FC_LOCK_WAIT, .has_mutex = true },
	{ "pthread_cond_timedwait", FC_LOCK_COND, FC_LOCK_WAIT, .has_mutex = true },
	{ "pthread_cond_clockwait", FC_LOCK_COND, FC_LOCK_WAIT, .has_mutex = true },
	{ "pthread_cond_signal", FC_LOCK_COND, FC_LOCK_WAKE_ONE },
	{ "pthread_cond_broadcast", FC_LOCK_COND, FC_LOCK_WAKE_ALL },
	{ "sem_wait", FC_LOCK_SEM, FC_LOCK_WAIT },
	{ "sem_timedwait", FC_LOCK_SEM, FC_LOCK_WAIT, .may_fail = true },
	{ "sem_clockwait", FC_LOCK_SEM, FC_LOCK_WAIT, .may_fail = true },
	{ "sem_post", FC_LOCK_SEM, FC_LOCK_WAKE_ONE },
	{ "pthread_barrier_wait", FC_LOCK_BARRIER, FC_LOCK_MEET },
	{ "pthread_join", FC_LOCK_FUTEX, FC_LOCK_JOIN },
	{ "pthread_timedjoin_np", FC_LOCK_FUTEX, FC_LOCK_JOIN },
	{ "pthread_clockjoin_np", FC_LOCK_FUTEX, FC_LOCK_JOIN },
	{ "thrd_join", FC_LOCK_FUTEX, FC_LOCK_JOIN },
};

static const struct fc_lock_op futex = { "futex", FC_LOCK_FUTEX, FC_LOCK_CALL };
static const struct fc_lock_op asleep = { "asleep", FC_LOCK_FUTEX, FC_LOCK_OFF };

const struct fc_lock_op *fc_lock_op_find(struct fc_name name)
{
	const char *symbol = name.symbol ? name.symbol : name.name;

	if (!strcmp(name.module, FC_SYSCALL_MODULE))
		return strcmp(symbol, futex.name) ? NULL : &futex;
	if (!strcmp(name.module, FC_OFF_CPU_MODULE))
		return strcmp(symbol, asleep.name) ? NULL : &asleep;
	if (name.module[0] == '[') /* no file: the kernel */
		return NULL;
	symbol += strspn(symbol, "_");
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (!strcmp(ops[i].name, symbol))
			return &ops[i];
	return NULL;
}

const char *fc_lock_op_name(size_t i)
{
	return i < sizeof(ops) / sizeof(ops[0]) ? ops[i].name : NULL;
}

static const struct {
	const char *word;
	uint32_t size; /* glibc on x86-64, bits/pthreadtypes-arch.h; musl's are no larger */
	bool has_holder;
} kinds[FC_NR_LOCKS] = {
	[FC_LOCK_FUTEX] = { "futex", 4, false },
	[FC_LOCK_MUTEX] = { "mutex", 40, true },
	[FC_LOCK_RWLOCK] = { "rwlock", 56, true },
	[FC_LOCK_SPIN] = { "spin lock", 4, true },
	[FC_LOCK_COND] = { "condition", 48, false },
	[FC_LOCK_SEM] = { "semaphore", 32, false },
	[FC_LOCK_BARRIER] = { "barrier", 32, false },
};

const char *fc_lock_word(enum fc_lock_kind kind)
{
	return kinds[kind].word;
}

uint32_t fc_lock_size(enum fc_lock_kind kind)
{
	return kinds[kind].size;
}

bool fc_lock_has_holder(enum fc_lock_kind kind)
{
	return kinds[kind].has_holder;
}

static bool begins(const char *text, const char *const *with)
{
	for (; *with; with++)
		if (!strncmp(text, *with, strlen(*with)))
			return true;
	return false;
}

bool fc_lock_is_runtime(struct fc_name name)
{
	static const char *const modules[] = { "[",	     "libc.",	   "libc-",
					       "libpthread", "libstdc++.", "libc++.",
					       "ld-linux",   "ld-musl",	   NULL };
	/* Of C++'s namespaces (Itanium ABI, 5.1.2: St is std), and of Rust's, as older compilers write them. */
	static const char *const symbols[] = { "_ZSt",	  "_ZNSt",    "_ZNKSt", "_ZN9__gnu_cxx",
					       "_ZN3std", "_ZN4core", NULL };
	static const char *const names[] = { "std::", "<std::", "core::", "<core::", NULL };
	const char *symbol = name.symbol ? name.symbol : name.name;

	return !name.module[0] || begins(name.module, modules) || begins(symbol, symbols) ||
	       begins(name.name, names) || strstr(symbol, "__gthread_");
}
