/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addresses.h - from an address in a session to a function of the trace.
 *
 * A session's map file is read, and a file's symbols, when the first address in it is asked
 * for. Modules are told to the tap then, and when a process has them mapped.
 */
#ifndef FC_READ_IMPORT_ADDRESSES_H
#define FC_READ_IMPORT_ADDRESSES_H

#include "read/import/tasks.h"
#include "trace/source.h"

struct fc_uf_spaces;

struct fc_uf_spaces_opts {
	const struct fc_folder *folder;
	const struct fc_uf_tasks *tasks;
	struct fc_tap *tap;
	/* Something cannot be named as it should: a sentence. */
	void (*say)(void *ctx, const char *sentence);
	void *ctx;
};

struct fc_uf_spaces *fc_uf_spaces_create(const struct fc_uf_spaces_opts *opts);
void fc_uf_spaces_destroy(struct fc_uf_spaces *spaces);

/* Is a file mapped at addr at that time, as far as it is known? */
bool fc_uf_spaces_is_mapped(struct fc_uf_spaces *spaces, size_t session, uint64_t addr,
			    uint64_t ns);

/*
 * The function at addr, in a session that pid runs at that time; where nothing is known of it, a
 * function that is named by the address.
 */
int fc_uf_spaces_func(struct fc_uf_spaces *spaces, size_t session, int pid, uint64_t addr,
		      uint64_t ns, uint32_t *ret);

/* Is it called as fork() is? Its callers are those that a child inherits. */
bool fc_uf_spaces_forks(const struct fc_uf_spaces *spaces, uint32_t func);

/* Functions of the kernel that no address stands for; *ret is the first's, the others follow. */
int fc_uf_spaces_words(struct fc_uf_spaces *spaces, const char *const *names, size_t nr,
		       uint32_t *ret);

#endif
