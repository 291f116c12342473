/* SPDX-License-Identifier: Apache-2.0 */
/* header.h - what uftrace's file info says of a recording. */
#ifndef FC_READ_IMPORT_HEADER_H
#define FC_READ_IMPORT_HEADER_H

#include "base/vec.h"
#include "read/import/folder.h"

struct fc_uf_header {
	uint64_t features;
	bool has_status;
	int wait_status;     /* of the first program, if it is told */
	uint64_t elapsed_ns; /* 0: not known */
	uint64_t ended_ns;   /* since 1970, to the second; 0: not known */
	char *exe;	     /* "" when not known */
	char *command;	     /* uftrace's own, as typed */
	char *machine;
};

enum {
	FC_UF_SESSIONS = 1 << 1, /* features: there is a file that tells of tasks */
	FC_UF_KERNEL = 1 << 2,
	FC_UF_SCHED = 1 << 8,
};

/*
 * -ENOENT: no such file, so not a folder of uftrace; -EBADMSG: not its format;
 * -EPROTONOSUPPORT: a version or a machine whose data cannot be read. With a sentence.
 */
int fc_uf_header_read(const struct fc_folder *folder, struct fc_uf_header *ret);
void fc_uf_header_deinit(struct fc_uf_header *header);

#endif
