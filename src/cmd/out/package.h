/* SPDX-License-Identifier: Apache-2.0 */
/* package.h - the package that has the debug file of an installed file. */
#ifndef FC_CMD_OUT_PACKAGE_H
#define FC_CMD_OUT_PACKAGE_H

/*
 * As in "git-dbgsym", for /usr/bin/git. NULL: no package of dpkg's has the file, or there is no dpkg.
 * The caller's to free.
 */
char *fc_debug_package(const char *path);

#endif
