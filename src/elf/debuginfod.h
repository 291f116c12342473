/* SPDX-License-Identifier: Apache-2.0 */
/* debuginfod.h - debug files from the servers that DEBUGINFOD_URLS names. */
#ifndef FC_ELF_DEBUGINFOD_H
#define FC_ELF_DEBUGINFOD_H

/*
 * A descriptor of the debug file for that build-id (in hex); negative: there is none. Without that
 * variable nobody is asked.
 */
int fc_debuginfod_fetch(const char *build_id);

#endif
