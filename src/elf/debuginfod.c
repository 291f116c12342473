/* SPDX-License-Identifier: Apache-2.0 */
/* debuginfod.c - asks libdebuginfod for a debug file. */
#include "elf/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * elfutils' library, by the interface of debuginfod_find_debuginfo(3). It is loaded when it is
 * needed: with libcurl and all that belongs to it, that takes 6 ms.
 */
static struct {
	void *(*begin)(void);
	int (*find)(void *client, const unsigned char *build_id, int len, char **path);
	void (*end)(void *client);
} library;

static void load(void)
{
	void *handle = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	if (!handle)
		return;
	library.begin = (void *(*)(void))dlsym(handle, "debuginfod_begin");
	library.find = (int (*)(void *, const unsigned char *, int, char **))dlsym(
		handle, "debuginfod_find_debuginfo");
	library.end = (void (*)(void *))dlsym(handle, "debuginfod_end");
}

int fc_debuginfod_fetch(const char *build_id)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const char *urls = getenv("DEBUGINFOD_URLS");
	if (!urls || !urls[0] || !build_id[0])
		return -ENOENT;
	pthread_once(&once, load);
	void *client = library.begin && library.find && library.end ? library.begin() : NULL;
	if (!client)
		return -ENOSYS;
	/* A length of 0 says that the build-id is in hex. */
	int fd = library.find(client, (const unsigned char *)build_id, 0, NULL);
	library.end(client);
	return fd;
}
