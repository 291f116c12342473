/* SPDX-License-Identifier: Apache-2.0 */
/* found.h - what is found in an ELF file: functions, segments, ranges of code. */
#ifndef FC_ELF_FOUND_H
#define FC_ELF_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FC_FUNC_SYMBOL = 1 << 0,   /* has a name from a symbol table */
	FC_FUNC_EXPORTED = 1 << 1, /* defined in .dynsym, callable by other modules */
	FC_FUNC_FDE = 1 << 2,	   /* an FDE starts here */
	FC_FUNC_PART = 1 << 3, /* entered by a jump, not by a call: .cold by name, or its first
				  CFI row is not (CFA = rsp+8, nothing saved) */
	FC_FUNC_SIGNAL = 1 << 4, /* FDE augmentation 'S': a signal return trampoline */
	FC_FUNC_IFUNC = 1 << 5,	 /* STT_GNU_IFUNC: this is the resolver */
	FC_FUNC_NO_RETURN_ADDRESS = 1 << 6, /* FDE says: return address undefined (_start) */
	FC_FUNC_FOUND = 1 << 7, /* neither symbol nor FDE: code or data leads here (patch/) */
	FC_FUNC_API = 1 << 8,	/* exported to anybody: not only under a version that is private
				 to the parts of a library (GLIBC_PRIVATE) */
	FC_FUNC_PROBE = 1 << 10, /* no function, but a static probe (probes.h) */
	FC_FUNC_CHOSEN = 1 << 9, /* an implementation that a resolver may choose: its name is
				    the indirect function's */
};

struct fc_func {
	uint64_t vaddr;
	uint64_t size;	  /* of the symbol, else of the FDE; 0 unknown */
	const char *name; /* NULL: none. Of aliases: the exported, else the shortest */
	uint32_t flags;
};

struct fc_segment {
	uint64_t vaddr, off, filesz, memsz;
	bool is_exec, is_write;
};

struct fc_code_range {
	uint64_t vaddr, size;
};

#endif
