/* SPDX-License-Identifier: Apache-2.0 */
/* test_elf.h - programs made on the spot, and what other tools say about them. */
#ifndef FC_TEST_ELF_H
#define FC_TEST_ELF_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after those it needs */
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "elf/elf.h"

/* The folder that programs are made in: the current one of the test. */
static char work_dir[] = "/tmp/fctrace-test-elf-XXXXXX";

static inline int enter_work_dir(void **state)
{
	return mkdtemp(work_dir) ? chdir(work_dir) : -1;
}

static inline int leave_work_dir(void **state)
{
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", work_dir);
	return system(command);
}

/* Run a shell command that must succeed. */
__attribute__((format(printf, 1, 2))) static inline void run(const char *fmt, ...)
{
	char command[4096];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	if (system(command) != 0)
		fail_msg("this failed: %s", command);
}

static inline void write_file(const char *path, const void *bytes, size_t size)
{
	fc_auto_fclose FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
}

static inline void write_text(const char *path, const char *text)
{
	write_file(path, text, strlen(text));
}

/* The whole file, malloc()ed. */
static inline uint8_t *read_file(const char *path, size_t *size)
{
	fc_auto_fclose FILE *f = fopen(path, "r");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*size = ftell(f);
	rewind(f);
	uint8_t *bytes = fc_alloc(*size);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	return bytes;
}

static inline struct fc_elf *open_elf(const char *path)
{
	struct fc_elf *elf = NULL;
	if (fc_elf_open(path, path, &elf) < 0)
		fail_msg("%s", fc_fail_text());
	return elf;
}

static inline const struct fc_func *func_at(const struct fc_elf *elf, uint64_t vaddr)
{
	size_t low = 0, high = elf->nr_funcs;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (elf->funcs[mid].vaddr == vaddr)
			return &elf->funcs[mid];
		if (elf->funcs[mid].vaddr < vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static inline const struct fc_func *func_named(const struct fc_elf *elf, const char *name)
{
	for (size_t i = 0; i < elf->nr_funcs; i++)
		if (elf->funcs[i].name && strcmp(elf->funcs[i].name, name) == 0)
			return &elf->funcs[i];
	return NULL;
}

/* A program with what C and assembly make of functions. */
static const char program_c[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"int counter;\n"
	"__attribute__((noinline)) static int leaf(int x) { return x * 3 + counter; }\n"
	"__attribute__((noinline)) int middle(int x) { return leaf(x) + leaf(x + 1); }\n"
	"int alias_of_middle(int) __attribute__((alias(\"middle\")));\n"
	"__attribute__((cold, noinline)) void chilly(void) { puts(\"chilly\"); }\n"
	"__attribute__((noinline)) int rare(int x) { if (x > 100) { chilly(); abort(); "
	"}\n"
	"	return middle(x); }\n"
	"int main(int argc, char **argv) { printf(\"%d\\n\", rare(argc));\n"
	"	if (argc > 3) chilly();\n"
	"	return 0; }\n";

#endif
