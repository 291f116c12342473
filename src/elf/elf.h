/* SPDX-License-Identifier: Apache-2.0 */
/*
 * elf.h - one ELF file: its segments, its functions, where they come from.
 *
 * Functions are found in .symtab, .dynsym, .gnu_debugdata, separate debug files (build-id,
 * debuglink; debuginfod when DEBUGINFOD_URLS is set and may be asked) and, where these are silent, in the
 * FDE starts of .eh_frame, which stripped programs keep.
 */
#ifndef FC_ELF_ELF_H
#define FC_ELF_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/found.h"
#include "elf/probes.h"

struct fc_elf {
	char *path; /* as shown to the user */
	char *reached_by; /* the same, if it leads to the file; else one that does, while its process lives */
	char build_id[41]; /* hex of the first 20 bytes, "" if none */
	uint16_t machine;  /* EM_… */
	uint16_t type;	   /* ET_EXEC, ET_DYN */
	uint64_t entry;
	char *interp; /* PT_INTERP, NULL: static or a library */
	bool has_eh_frame;
	bool has_textrel; /* its code is relocated */
	uint64_t
		relocated; /* it is not, but this word, and code is writable meanwhile; 0: none */
	bool is_go;	   /* has code of Go's compiler */
	bool is_stripped;	     /* no .symtab, here or in a debug file */
	struct fc_segment *segments; /* PT_LOAD, by vaddr */
	size_t nr_segments;
	struct fc_func *funcs; /* sorted by vaddr, one an address, executable segments only */
	size_t nr_funcs;
	const uint8_t *image; /* the file (content.h) */
	size_t image_size;
	int64_t mtime_ns;  /* when it was last written */
	uint64_t identity; /* which file it is, if others than root can write it; else 0 */
	char *unread;	   /* what of it was not read, and why: a sentence, or NULL */
	void *priv;
};

/*
 * Open and read a file; shown is the path to show, open_path the one to open (they differ
 * for targets in a chroot or container). -ENOEXEC with a sentence: not an ELF file, of another
 * class or byte order, damaged, too large. Other machines open: the caller looks at ->machine.
 */
int fc_elf_open(const char *open_path, const char *shown, struct fc_elf **ret);
/* The same, but it has no functions yet: for what the headers tell. Then read them, once. */
int fc_elf_open_headers(const char *open_path, const char *shown, struct fc_elf **ret);
void fc_elf_read(struct fc_elf *elf);
/* Are the bytes still there that it was read from? -ENODATA with a sentence. */
int fc_elf_check(const struct fc_elf *elf);
/* funcs and symbols are not needed any more; the names in them stay. */
void fc_elf_forget(struct fc_elf *elf);
void fc_elf_close(struct fc_elf *elf);

/*
 * What the functions depend on beside the file, before they are read: a number that changes with
 * the debug files there are for it. False: that is not known without asking a server.
 */
bool fc_elf_debug_stamp(const struct fc_elf *elf, uint64_t *ret);

/*
 * vaddr of a symbol (function or object), exported or not, of a debug file too if functions were
 * read and not forgotten. -ENOENT without a sentence.
 */
int fc_elf_symbol(const struct fc_elf *elf, const char *name, uint64_t *ret);

/*
 * Its static probes, by vaddr, then by name; none if it has no notes of such. The first time they are read.
 * And how many of these notes say nothing that can be used.
 */
const struct fc_probe *fc_elf_probes(const struct fc_elf *elf, size_t *nr);
size_t fc_elf_damaged_probes(const struct fc_elf *elf);

/*
 * The i-th library it needs; NULL: there are no more. Where its own are: RUNPATH or RPATH. What
 * others that need it call it: NULL, it is no library.
 */
const char *fc_elf_needed(const struct fc_elf *elf, size_t i);
const char *fc_elf_run_path(const struct fc_elf *elf);
const char *fc_elf_soname(const struct fc_elf *elf);

/*
 * The names of all dynamic symbols, imported ones too, and of versions: each with its NUL. NULL:
 * none.
 */
const char *fc_elf_dynamic_names(const struct fc_elf *elf, size_t *size);

/* The file's bytes at vaddr: NULL if fewer than size are there. */
const uint8_t *fc_elf_bytes(const struct fc_elf *elf, uint64_t vaddr, size_t size);
/* All that the file has of a segment that is executed, filesz bytes; NULL: it is none. */
const uint8_t *fc_elf_segment_code(const struct fc_elf *elf, const struct fc_segment *segment);

/*
 * vaddr of size unused bytes, 16-aligned, behind the code in the last page of an executable
 * segment: mapped with it, but no part of the program. 0: there is none.
 */
uint64_t fc_elf_slack(const struct fc_elf *elf, size_t size);

bool fc_elf_has_section(const struct fc_elf *elf, const char *name);

/* Is vaddr in a section that holds no functions (.plt*, .init, .fini)? */
bool fc_elf_is_linkage(const struct fc_elf *elf, uint64_t vaddr);

/*
 * The ranges of code (executable sections, or whole executable segments when there is no
 * section table), for scans of all code: *nr of them, in order.
 */
const struct fc_code_range *fc_elf_code(const struct fc_elf *elf, size_t *nr);

/*
 * The same of the sections of data that are mapped from the file, relocations too, but not its
 * unwind information: how many there are; fills up to room. 0 if that is not known: no section
 * table, or packed relocations.
 */
size_t fc_elf_data(const struct fc_elf *elf, struct fc_code_range *ranges, size_t room);

/* Call fn for each address at which unwinders enter a function, to clean up or to catch. */
void fc_elf_landings(const struct fc_elf *elf, void (*fn)(void *ctx, uint64_t vaddr),
		     void *ctx);

#endif
