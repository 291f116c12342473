/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - what a process runs, for those who name it. */
#ifndef FC_EXPORT_PROGRAM_H
#define FC_EXPORT_PROGRAM_H

#include "trace/reader.h"

/*
 * The base name of the program that pid ran at that time: what it executed last, else what its
 * parent ran. "" if that is not known. Lives as long as the reader.
 */
const char *fc_program_of(const struct fc_reader *reader, int pid, uint64_t tsc);

#endif
