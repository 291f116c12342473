/* SPDX-License-Identifier: Apache-2.0 */
/* guard.c - handles SIGBUS by mapping zeros where a file ended. */
#include "base/guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

/*
 * A row of all mappings, which a handler can walk at any time: what is in it once stays, to be
 * used again.
 */
struct guarded {
	struct guarded *next;
	uintptr_t at; /* 0: free */
	size_t size;
	bool is_torn;
};

static struct guarded *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before;

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t pages_of(size_t size)
{
	return (size + page_size() - 1) / page_size() * page_size();
}

static struct guarded *find(uintptr_t at)
{
	struct guarded *guarded = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
	for (; guarded; guarded = guarded->next) {
		uintptr_t begin = __atomic_load_n(&guarded->at, __ATOMIC_ACQUIRE);
		if (begin && at >= begin && at - begin < guarded->size)
			return guarded;
	}
	return NULL;
}

/* All from there on: a file that ends before this place has nothing behind it either. */
bool fc_guard_mend(const void *fault)
{
	struct guarded *guarded = find((uintptr_t)fault);
	int err = errno;
	if (!guarded)
		return false;
	uintptr_t page = (uintptr_t)fault & ~(uintptr_t)(page_size() - 1);
	size_t left = guarded->at + guarded->size - page;
	void *zeros = mmap((void *)page, left, PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
	__atomic_store_n(&guarded->is_torn, true, __ATOMIC_RELEASE);
	errno = err;
	return zeros != MAP_FAILED;
}

/* What is not ours is for whoever was asked before, or ends the program as it does. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	if (info->si_code > 0 && fc_guard_mend(info->si_addr))
		return;
	sigaction(SIGBUS, &before, NULL);
	if (info->si_code <= 0) /* sent: it does not come again by itself */
		raise(sig);
}

/*
 * Somebody may have put another handler there since. Where it is ignored, a program that is run
 * here is to find it so. Under the lock.
 */
static void catch_faults(void)
{
	struct sigaction now;
	struct sigaction action = { .sa_sigaction = on_fault,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };
	sigaction(SIGBUS, NULL, &now);
	if (now.sa_handler == SIG_IGN || now.sa_sigaction == on_fault)
		return;
	before = now;
	sigaction(SIGBUS, &action, NULL);
}

void fc_guard_unblock(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGBUS);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void note(void *at, size_t size)
{
	pthread_mutex_lock(&lock);
	catch_faults();
	struct guarded *guarded = first;
	while (guarded && guarded->at)
		guarded = guarded->next;
	if (!guarded) {
		guarded = fc_alloc(sizeof(*guarded));
		guarded->next = first;
		__atomic_store_n(&first, guarded, __ATOMIC_RELEASE);
	}
	guarded->size = size;
	guarded->is_torn = false;
	__atomic_store_n(&guarded->at, (uintptr_t)at, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
}

static void *reserve(size_t size)
{
	if (size > SIZE_MAX / 2) {
		errno = EFBIG;
		return NULL;
	}
	void *at = mmap(NULL, pages_of(size) + page_size(), PROT_READ,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at == MAP_FAILED ? NULL : at;
}

void *fc_guard_make(size_t size)
{
	return reserve(size);
}

/* Only what is opened counts as memory. */
int fc_guard_open(void *at, size_t off, size_t size)
{
	size_t begin = off / page_size() * page_size(), end = pages_of(off + size);
	return mprotect((char *)at + begin, end - begin, PROT_READ | PROT_WRITE) ? -errno : 0;
}

void fc_guard_seal(void *at, size_t size)
{
	mprotect(at, pages_of(size) + page_size(), PROT_READ);
}

void *fc_guard_map(int fd, size_t size)
{
	void *at = reserve(size);
	if (!at || !size)
		return at;
	if (mmap(at, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) {
		int err = errno;
		munmap(at, pages_of(size) + page_size());
		errno = err;
		return NULL;
	}
	note(at, size);
	return at;
}

void fc_guard_unmap(void *at, size_t size)
{
	if (!at)
		return;
	pthread_mutex_lock(&lock);
	struct guarded *guarded = find((uintptr_t)at);
	if (guarded)
		__atomic_store_n(&guarded->at, 0, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
	munmap(at, pages_of(size) + page_size());
}

bool fc_guard_is_torn(const void *at)
{
	const struct guarded *guarded = find((uintptr_t)at);
	return guarded && __atomic_load_n(&guarded->is_torn, __ATOMIC_ACQUIRE);
}
