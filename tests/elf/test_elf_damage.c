/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are cut, flipped or something else: one sentence and no crash. */
#include "elf/test_elf.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "elf/code.h"
#include "elf/func.h"
#include "elf/image.h"
#include "elf/symtab.h"

static int make_program(void **state)
{
	if (enter_work_dir(state) < 0)
		return -1;
	write_text("p.c", program_c);
	run("gcc -O2 -s p.c -o small && gcc -O2 p.c -o whole");
	return 0;
}

static void touch(const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		(void)((const volatile uint8_t *)bytes)[i];
}

/* Touch every byte that the file claims to have. */
static void use(const struct fc_elf *elf)
{
	uint64_t vaddr;

	for (size_t i = 0; i < elf->nr_funcs; i++) {
		const struct fc_func *func = &elf->funcs[i];
		if (func->name)
			touch(func->name, strlen(func->name) + 1);
		const uint8_t *at = fc_elf_bytes(elf, func->vaddr, func->size);
		assert_non_null(at);
		touch(at, func->size);
	}
	size_t nr;
	const struct fc_code_range *ranges = fc_elf_code(elf, &nr);
	for (size_t i = 0; i < nr; i++)
		assert_non_null(fc_elf_bytes(elf, ranges[i].vaddr, ranges[i].size));
	fc_elf_symbol(elf, "main", &vaddr);
}

/* A fresh file that goes by the name of ./damaged. */
static int open_bytes(const uint8_t *bytes, size_t size, struct fc_elf **ret)
{
	fc_auto_close int fd = memfd_create("damaged", MFD_CLOEXEC);
	char path[64];
	assert_int_equal(write(fd, bytes, size), size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fc_fail_clear();
	*ret = NULL;
	return fc_elf_open(path, "./damaged", ret);
}

/* The readers alone, on bytes that end at an unmapped page. */
static void try_edge(const uint8_t *bytes, size_t size)
{
	size_t mapped = (size + 4095) & ~(size_t)4095;
	uint8_t *map = mmap(NULL, mapped + 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(mprotect(map + mapped, 4096, PROT_NONE), 0);
	uint8_t *edge = map + mapped - size;
	memcpy(edge, bytes, size);

	struct fc_image image;
	struct fc_symtab symtab = { 0 };
	struct fc_code code;
	struct fc_funcs funcs;
	if (fc_image_init(&image, edge, size, "edge") == 0) {
		fc_symtab_read(&symtab, &image);
		fc_symtab_find(&symtab, "main");
		fc_code_init(&code, &image);
		fc_funcs_init(&funcs, &image, &symtab, &code);
		fc_funcs_deinit(&funcs);
		fc_code_deinit(&code);
		fc_symtab_deinit(&symtab);
		fc_image_deinit(&image);
	}
	munmap(map, mapped + 4096);
}

static bool try_bytes(const uint8_t *bytes, size_t size)
{
	struct fc_elf *elf;
	try_edge(bytes, size);
	int ret = open_bytes(bytes, size, &elf);
	if (ret == 0) {
		use(elf);
		fc_elf_close(elf);
		return true;
	}
	assert_int_equal(ret, -ENOEXEC);
	assert_ptr_equal(strstr(fc_fail_text(), "./damaged "), fc_fail_text());
	return false;
}

static void a_file_cut_anywhere_is_refused(void **state)
{
	size_t size;
	fc_auto_free uint8_t *bytes = read_file("small", &size);
	assert_true(try_bytes(bytes, size));
	for (size_t cut = 0; cut < size; cut += 16)
		assert_false(try_bytes(bytes, cut));
	for (size_t cut = 0; cut < 100; cut++)
		assert_false(try_bytes(bytes, cut));
}

static void flip_some(uint8_t *bytes, size_t size)
{
	for (int k = rand() % 8; k >= 0; k--)
		bytes[rand() % size] ^= 1 << rand() % 8;
}

static void flip_in(uint8_t *bytes, size_t from, size_t size)
{
	for (int k = rand() % 4; k >= 0; k--)
		bytes[from + rand() % size] = rand();
}

/* The same 4000 damages each time; half of them where they hurt most. */
static void flipped_bytes_do_no_harm(void **state)
{
	static const char *const names[] = { "small", "whole" };
	srand(1);
	for (size_t n = 0; n < 2; n++) {
		size_t size, nr_opened = 0;
		fc_auto_free uint8_t *bytes = read_file(names[n], &size);
		fc_auto_free uint8_t *copy = fc_alloc(size);
		Elf64_Ehdr ehdr;
		memcpy(&ehdr, bytes, sizeof(ehdr));
		for (int round = 0; round < 2000; round++) {
			memcpy(copy, bytes, size);
			if (round % 4 == 0)
				flip_in(copy, 0, sizeof(ehdr) + ehdr.e_phnum * 56);
			else if (round % 4 == 1)
				flip_in(copy, ehdr.e_shoff, ehdr.e_shnum * 64);
			else
				flip_some(copy, size);
			nr_opened += try_bytes(copy, size);
		}
		assert_in_range(nr_opened, 100, 1999);
	}
}

static void check_sentence(const uint8_t *bytes, size_t size, const char *expected)
{
	struct fc_elf *elf;
	assert_int_equal(open_bytes(bytes, size, &elf), -ENOEXEC);
	assert_string_equal(fc_fail_text(), expected);
}

static void each_damage_has_its_sentence(void **state)
{
	size_t size;
	fc_auto_free uint8_t *bytes = read_file("small", &size);
	Elf64_Ehdr good, bad;
	memcpy(&good, bytes, sizeof(good));

	check_sentence((const uint8_t *)"#!/bin/sh\n", 10, "./damaged is not an ELF file");
	check_sentence(bytes, 0, "./damaged is not an ELF file: it is empty");
	check_sentence(bytes, 40, "./damaged is damaged: it ends after 40 bytes");

	bad = good;
	bad.e_ident[EI_CLASS] = ELFCLASS32;
	memcpy(bytes, &bad, sizeof(bad));
	check_sentence(bytes, size,
		       "./damaged is a 32-bit program; fctrace traces 64-bit ones");

	bad = good;
	bad.e_ident[EI_DATA] = ELFDATA2MSB;
	memcpy(bytes, &bad, sizeof(bad));
	check_sentence(bytes, size,
		       "./damaged is a big-endian program; fctrace traces little-endian ones");

	bad = good;
	bad.e_type = ET_CORE;
	memcpy(bytes, &bad, sizeof(bad));
	check_sentence(bytes, size, "./damaged is a core dump, not a program");

	bad = good;
	bad.e_shoff = size - 12 * 64 - 5;
	memcpy(bytes, &bad, sizeof(bad));
	check_sentence(bytes, size,
		       "./damaged is damaged: section header 12 lies outside the file");

	bad = good;
	bad.e_phoff = size;
	memcpy(bytes, &bad, sizeof(bad));
	check_sentence(bytes, size,
		       "./damaged is damaged: program header 0 lies outside the file");

	bad = good;
	bad.e_phentsize = 32;
	memcpy(bytes, &bad, sizeof(bad));
	check_sentence(bytes, size,
		       "./damaged is damaged: a program header has 32 bytes, expected 56");
}

static void what_is_no_file_is_told(void **state)
{
	struct fc_elf *elf;
	assert_int_equal(fc_elf_open("nowhere", "nowhere", &elf), -ENOENT);
	assert_string_equal(fc_fail_text(), "cannot open nowhere: No such file or directory");
	assert_int_equal(fc_elf_open("/tmp", "/tmp", &elf), -EISDIR);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(fc_elf_open("fifo", "fifo", &elf), -ENOEXEC);
	run("gcc -c p.c -o p.o");
	assert_int_equal(fc_elf_open("p.o", "p.o", &elf), -ENOEXEC);
	assert_string_equal(fc_fail_text(), "p.o is an object file; link it first");
}

/* In a container's root the file has one path for us and another one for the user. */
static void the_shown_path_is_kept(void **state)
{
	struct fc_elf *elf;
	assert_int_equal(fc_elf_open("./small", "/inside/small", &elf), 0);
	assert_string_equal(elf->path, "/inside/small");
	fc_elf_close(elf);
	fc_elf_close(NULL);
}

/* Between any two looks; where it is another's (root's is mapped), it was copied before. */
static void a_file_that_becomes_shorter_is_told_or_was_copied(void **state)
{
	struct fc_elf *elf;
	run("cp whole shrinking");
	assert_int_equal(fc_elf_open_headers("shrinking", "shrinking", &elf), 0);
	assert_int_equal(truncate("shrinking", 100), 0);
	fc_elf_read(elf);
	for (size_t i = 0; i < elf->nr_funcs; i++)
		if (elf->funcs[i].name)
			touch(elf->funcs[i].name, strlen(elf->funcs[i].name) + 1);
	touch(elf->image, elf->image_size);
	if (geteuid()) {
		assert_int_equal(fc_elf_check(elf), 0);
	} else {
		assert_int_equal(fc_elf_check(elf), -ENODATA);
		assert_string_equal(fc_fail_text(),
				    "shrinking became shorter while it was read");
	}
	fc_elf_close(elf);
}

/* What others write into a file after it was opened is not seen, unless they are root. */
static void a_copy_stays_what_it_was(void **state)
{
	uint64_t before, after;
	struct fc_elf *elf;
	if (geteuid())
		skip();
	run("cp whole changing && chown 65534 changing");
	assert_int_equal(fc_elf_open("changing", "changing", &elf), 0);
	assert_int_equal(fc_elf_symbol(elf, "main", &before), 0);
	run("tr '\\0' x < whole > changing");
	assert_int_equal(fc_elf_symbol(elf, "main", &after), 0);
	assert_int_equal(before, after);
	assert_int_equal(fc_elf_check(elf), 0);
	fc_elf_close(elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_cut_anywhere_is_refused),
		cmocka_unit_test(flipped_bytes_do_no_harm),
		cmocka_unit_test(each_damage_has_its_sentence),
		cmocka_unit_test(what_is_no_file_is_told),
		cmocka_unit_test(the_shown_path_is_kept),
		cmocka_unit_test(a_file_that_becomes_shorter_is_told_or_was_copied),
		cmocka_unit_test(a_copy_stays_what_it_was),
	};
	return cmocka_run_group_tests(tests, make_program, leave_work_dir);
}
