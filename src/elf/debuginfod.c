/* SPDX-License-Identifier: Apache-2.0 */
/* debuginfod.c - asks libdebuginfod for a debug file. */
#include "elf/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/vec.h"

/*
 * elfutils' library, by the interface of debuginfod_find_debuginfo(3). It is loaded when it is
 * needed: with libcurl and all that belongs to it, that takes 6 ms.
 */
typedef int progress(void *client, long done, long all);

static struct {
	void *(*begin)(void);
	int (*find)(void *client, const unsigned char *build_id, int len, char **path);
	void (*set_progress)(void *client, progress *fn);
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
	library.set_progress =
		(void (*)(void *, progress *))dlsym(handle, "debuginfod_set_progressfn");
	library.end = (void (*)(void *))dlsym(handle, "debuginfod_end");
}

/* One file at a time is fetched. */
static struct {
	pthread_mutex_t lock;
	const struct fc_fetching *who; /* NULL: nobody may be asked */
	FC_VEC(char *) asked;	       /* build-ids that no server has */
	bool is_over;		       /* no server is asked any more */

	const char *what;
	time_t begin_s;
	long done;
	bool has_begun; /* bytes of it came */
} fetching = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool fc_debuginfod_has_servers(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	return urls && urls[0];
}

void fc_debuginfod_allow(const struct fc_fetching *who)
{
	pthread_mutex_lock(&fetching.lock);
	fetching.who = who;
	pthread_mutex_unlock(&fetching.lock);
}

bool fc_debuginfod_may_ask(void)
{
	pthread_mutex_lock(&fetching.lock);
	bool ret = fetching.who && !fetching.is_over && fc_debuginfod_has_servers();
	pthread_mutex_unlock(&fetching.lock);
	return ret;
}

static time_t now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static long patience_s(void)
{
	const char *text = getenv("DEBUGINFOD_TIMEOUT");
	long asked = text ? strtol(text, NULL, 10) : 0;
	return asked > 0 ? asked : FC_FETCH_WAIT_S;
}

static bool give_up(const char *why)
{
	fetching.is_over = true;
	if (why && fetching.who->give_up)
		fetching.who->give_up(why);
	return true;
}

static bool give_up_on(int err)
{
	fc_auto_free char *in_time = fc_asprintf("no answer in %ld s", patience_s());
	fc_auto_free char *why = fc_asprintf("cannot ask the servers of DEBUGINFOD_URLS (%s)",
					     err == ETIME ? in_time : strerror(err));
	return give_up(why);
}

/*
 * Until it knows which server has the file, the library counts its own rounds, one a call, in place of
 * bytes. Of a file that comes too slowly it gives up by itself (DEBUGINFOD_TIMEOUT).
 */
static int look(void *client, long done, long all)
{
	if (fetching.is_over)
		return true;
	if (all > 0 || done > fetching.done + 1)
		fetching.has_begun = true;
	fetching.done = done;
	if (!fetching.has_begun && now_s() - fetching.begin_s >= patience_s())
		return give_up_on(ETIME);
	bool is_enough = fetching.who->look &&
			 fetching.who->look(fetching.what,
					    fetching.has_begun && done > 0 ? (uint64_t)done : 0,
					    all > 0 ? (uint64_t)all : 0);
	return is_enough && give_up(NULL);
}

static int ask(const char *build_id, char **path)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, load);
	bool is_usable = library.begin && library.find && library.set_progress && library.end;
	void *client = is_usable ? library.begin() : NULL;
	if (!client) {
		give_up("libdebuginfod, which asks DEBUGINFOD_URLS, is not installed");
		return -ENOSYS;
	}
	library.set_progress(client, look);
	/* A length of 0 says that the build-id is in hex. */
	int fd = library.find(client, (const unsigned char *)build_id, 0, path);
	library.end(client);
	if (fd < 0 && fd != -ENOENT && !fetching.is_over)
		give_up_on(-fd);
	return fd;
}

static bool is_asked(const char *build_id)
{
	fc_vec_each (&fetching.asked, id)
		if (!strcmp(*id, build_id))
			return true;
	return false;
}

static int fetch(const char *build_id, const char *what, char **path)
{
	if (!fetching.who || fetching.is_over || is_asked(build_id))
		return -ENOENT;
	fetching.what = what;
	fetching.begin_s = now_s();
	fetching.done = 0;
	fetching.has_begun = false;
	if (fetching.who->begin)
		fetching.who->begin(what);
	int fd = ask(build_id, path);
	if (fetching.who->end)
		fetching.who->end();
	if (fd < 0)
		fc_vec_push(&fetching.asked, fc_strdup(build_id));
	return fd;
}

int fc_debuginfod_fetch(const char *build_id, const char *what, char **path)
{
	if (!fc_debuginfod_has_servers() || !build_id[0])
		return -ENOENT;
	pthread_mutex_lock(&fetching.lock);
	int fd = fetch(build_id, what, path);
	pthread_mutex_unlock(&fetching.lock);
	return fd;
}

/* As the library finds it: debuginfod_find_debuginfo(3), CACHE. */
static char *cache(void)
{
	const char *own = getenv("DEBUGINFOD_CACHE_PATH"), *xdg = getenv("XDG_CACHE_HOME"),
		   *home = getenv("HOME");
	struct stat st;
	if (own && own[0])
		return fc_strdup(own);
	fc_auto_free char *older =
		home && home[0] ? fc_asprintf("%s/.debuginfod_client_cache", home) : NULL;
	if (older && !stat(older, &st))
		return fc_take(older);
	if (xdg && xdg[0])
		return fc_asprintf("%s/debuginfod_client", xdg);
	return home && home[0] ? fc_asprintf("%s/.cache/debuginfod_client", home) : NULL;
}

char *fc_debuginfod_kept(const char *build_id)
{
	fc_auto_free char *folder = fc_debuginfod_has_servers() && build_id[0] ? cache() : NULL;
	return folder ? fc_asprintf("%s/%s/debuginfo", folder, build_id) : NULL;
}
