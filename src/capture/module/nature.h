/* SPDX-License-Identifier: Apache-2.0 */
/* nature.h - what a file is to the process that runs it, as its headers tell. */
#ifndef FC_CAPTURE_MODULE_NATURE_H
#define FC_CAPTURE_MODULE_NATURE_H

#include <stdbool.h>

struct fc_elf;

struct fc_nature {
	bool is_program; /* no library: the kernel or ld.so starts it */
	bool is_loader;	 /* ld.so */
	bool is_static;	 /* it needs no ld.so, and is none */
	bool translates; /* its CPU does not run the code of the program that it maps: it reads it */
};

struct fc_nature fc_nature_of(const struct fc_elf *elf);
/* Of a file that is no ELF file: nothing of all that. */
struct fc_nature fc_nature_read(const char *open_path);

#endif
