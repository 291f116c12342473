/* SPDX-License-Identifier: Apache-2.0 */
/*
 * debuginfod.h - debug files from the servers that DEBUGINFOD_URLS names, by elfutils' library, and
 * those that it has kept.
 *
 * Nobody is asked until somebody says so: to wait for a server while a program is held would hold it
 * for long.
 */
#ifndef FC_ELF_DEBUGINFOD_H
#define FC_ELF_DEBUGINFOD_H

#include <stdbool.h>
#include <stdint.h>

enum { FC_FETCH_WAIT_S = 30 }; /* for the first byte, unless DEBUGINFOD_TIMEOUT says how long */

/* Who waits while a file is fetched. Each may be NULL. */
struct fc_fetching {
	void (*begin)(const char *what); /* of which file it is */
	/* Now and then; all 0: it is not known how many bytes. True: fetch nothing more. */
	bool (*look)(const char *what, uint64_t done, uint64_t all);
	void (*end)(void);
	void (*give_up)(const char *why); /* a sentence: no server is asked any more */
};

/* From now on servers may be asked, NULL: not any more. It outlives that. */
void fc_debuginfod_allow(const struct fc_fetching *fetching);
/* May a server be asked, and is there one? */
bool fc_debuginfod_may_ask(void);
/* Does DEBUGINFOD_URLS name any? */
bool fc_debuginfod_has_servers(void);

/*
 * A descriptor of the debug file for that build-id (in hex), which is the file at *path, if that is
 * known: the caller's to free. Negative: there is none, or nobody may be asked. No server is asked
 * twice for the same.
 */
int fc_debuginfod_fetch(const char *build_id, const char *what, char **path);

/*
 * Where the library keeps that debug file once it was fetched; NULL: it keeps none, as there are no
 * servers. The caller's to free.
 */
char *fc_debuginfod_kept(const char *build_id);

#endif
