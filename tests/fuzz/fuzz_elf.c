/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an ELF file, and planned: start it with a small program as the corpus. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "capture/patch/plan.h"
#include "elf/code.h"
#include "elf/dynamic.h"
#include "elf/elf.h"
#include "elf/func.h"
#include "elf/image.h"
#include "elf/symbolfile.h"
#include "elf/symtab.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check(const struct fc_elf *elf)
{
	size_t nr;
	const struct fc_code_range *ranges = fc_elf_code(elf, &nr);
	for (size_t i = 0; i < nr; i++)
		require(fc_elf_bytes(elf, ranges[i].vaddr, ranges[i].size));
	for (size_t i = 0; i < elf->nr_funcs; i++) {
		const struct fc_func *func = &elf->funcs[i];
		require(i == 0 || elf->funcs[i - 1].vaddr < func->vaddr);
		require(fc_elf_bytes(elf, func->vaddr, func->size));
		uint64_t vaddr;
		require(!func->name || fc_elf_symbol(elf, func->name, &vaddr) == 0);
	}
}

static bool asks_probe(void *ctx, const struct fc_elf *elf, const char *name)
{
	return *name;
}

static void make_plan(const struct fc_elf *elf)
{
	static const struct fc_plan_opts all = { .asks_probe = asks_probe };
	struct fc_stubs_opts opts = { .bias = 0x10000, .pool_taddr = 0x10000000 };
	struct fc_stubs stubs;
	struct fc_plan *plan;
	uint64_t first, last;

	if (fc_plan_create(elf, &all, &plan) < 0)
		return;
	fc_plan_number(plan, 1);
	fc_plan_build(plan, &opts, &stubs);
	for (size_t i = stubs.nr_puns; i--;) {
		uint8_t hop[FC_HOP_MAX];
		fc_stubs_pun_range(&stubs, i, &first, &last);
		require(fc_stubs_place_pun(&stubs, i, first, hop) <= FC_HOP_MAX);
	}
	fc_stubs_add_ledger(&stubs, NULL, 0); /* with the semaphores of probes */
	for (size_t i = 0; i < stubs.nr_patches; i++) {
		fc_stubs_moved_to(&stubs, stubs.patches[i].taddr + 1);
		require(!i || stubs.patches[i - 1].taddr + stubs.patches[i - 1].size <=
				      stubs.patches[i].taddr);
	}
	fc_stubs_deinit(&stubs);
	fc_plan_destroy(plan);
}

/* The readers alone, on memory whose end the sanitizer guards to the byte. */
static void read_memory(const uint8_t *bytes, size_t size)
{
	struct fc_image image;
	struct fc_symtab symtab = { 0 };
	struct fc_code code;
	struct fc_funcs funcs;
	struct fc_dynamic dynamic;
	char build_id[41];

	if (fc_image_init(&image, bytes, size, "input") < 0)
		return;
	fc_image_build_id(&image, build_id);
	fc_dynamic_read(&image, &dynamic);
	fc_symtab_read(&symtab, &image);
	fc_symtab_find(&symtab, "main");
	fc_code_init(&code, &image);
	fc_funcs_init(&funcs, &image, &symtab, &code);
	fc_funcs_deinit(&funcs);
	fc_code_deinit(&code);
	fc_symtab_deinit(&symtab);
	fc_image_deinit(&image);
}

/* As a debug file of which names are taken. */
static void take_names(int fd)
{
	struct fc_symbolfile *file;
	if (fc_symbolfile_open_fd(fd, "input", &file) < 0)
		return;
	for (uint64_t vaddr = 0; vaddr < 0x4000; vaddr += 4)
		free(fc_symbolfile_name(file, vaddr));
	free(fc_symbolfile_name(file, UINT64_MAX));
	fc_symbolfile_close(file);
}

/* The whole way, through a file. */
static void open_file(const uint8_t *bytes, size_t size)
{
	fc_auto_close int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[64];
	struct fc_elf *elf;
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		return;
	take_names(fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fc_elf_open(path, "input", &elf) < 0)
		return;
	check(elf);
	make_plan(elf);
	fc_elf_close(elf);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	read_memory(bytes, size);
	open_file(bytes, size);
	return 0;
}
