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

#endif
