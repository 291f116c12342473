/* SPDX-License-Identifier: Apache-2.0 */
/* path.h - names of files. */
#ifndef FC_BASE_PATH_H
#define FC_BASE_PATH_H

#include <string.h>

/*
 * What stands behind the last slash; a path that ends with one as it is, and so is what is no path:
 * "[kworker/0:1]".
 */
static inline const char *fc_base_name(const char *path)
{
	const char *slash = *path == '[' ? NULL : strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

/* A memfd's own name; that of another file as it is. */
static inline const char *fc_memfd_name(const char *name)
{
	static const char memfd[] = "memfd:";
	return strncmp(name, memfd, sizeof(memfd) - 1) ? name : name + sizeof(memfd) - 1;
}

#endif
