/* SPDX-License-Identifier: Apache-2.0 */
/*
 * path_probes.h - names of files that system calls are given: the kernel copies each into a struct
 * filename (include/linux/fs.h), whose pointer the function returns that does so.
 *
 *	openat(AT_FDCWD, 0x55d0c8a4e0c4, O_RDONLY)
 *	   getname_flags(0x55d0c8a4e0c4) = { .name = "/etc/passwd", .uptr = 0x55d0c8a4e0c4 }
 */
#ifndef FC_CAPTURE_KERNEL_PATH_PROBES_H
#define FC_CAPTURE_KERNEL_PATH_PROBES_H

#include "capture/kernel/probe_event.h"

#define FC_PATH_PROBES_EVENT "path"
/* Its fields: what was returned, the name, and where the kernel keeps it the program's pointer. */
#define FC_PATH_PROBES_STRUCT  "filename"
#define FC_PATH_PROBES_NAME    "name"
#define FC_PATH_PROBES_POINTER "uptr"

/* As event. -errno with a sentence: there is none then. */
int fc_path_probes_add(const struct fc_probe_event *event);

#endif
