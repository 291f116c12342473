/* SPDX-License-Identifier: Apache-2.0 */
/* test_arch.h - bytes that an assembler makes of tests/arch/x86_64, to compare with ours. */
#ifndef FC_TEST_ARCH_H
#define FC_TEST_ARCH_H

#include <elf.h>
#include <glob.h>
#include <limits.h>

#include "elf/test_elf.h"

#include "arch/arch.h"
#include "capture/agent/abi.h"
#include "trace/record.h"

static const struct fc_arch *const arch = &fc_arch_x86_64;

static char source_dir[PATH_MAX]; /* the repository; tests run in its tests/ */

static inline int enter_arch_dir(void **state)
{
	if (!realpath("..", source_dir))
		return -1;
	return enter_work_dir(state);
}

static inline bool has_assembler(void)
{
	return system("{ gcc --version && as --version && ld --version && objcopy --version && "
		      "nm --version; } >/dev/null 2>&1") == 0;
}

/* A file of tests/arch/x86_64, assembled (its C preprocessor lines too); not linked. */
static inline void assemble(const char *name, const char *object)
{
	run("gcc -c -I'%s/src' '%s/tests/arch/x86_64/%s' -o %s", source_dir, source_dir, name,
	    object);
}

/* The bytes of .text, malloc()ed. */
static inline uint8_t *text_of(const char *object, size_t *size)
{
	run("objcopy -O binary -j .text %s text.bin", object);
	return read_file("text.bin", size);
}

/* The value of a symbol; is_there: NULL if it must be there. */
static inline uint64_t symbol_of(const char *object, const char *name, bool *is_there)
{
	char command[256], line[256], found[64];
	unsigned long value = 0, ret = 0;
	bool is_found = false;
	snprintf(command, sizeof(command), "nm %s", object);
	FILE *nm = popen(command, "r");
	assert_non_null(nm);
	while (fgets(line, sizeof(line), nm))
		if (sscanf(line, "%lx %*c %63s", &value, found) == 2 && !strcmp(found, name)) {
			is_found = true;
			ret = value;
		}
	pclose(nm);
	if (is_there)
		*is_there = is_found;
	else if (!is_found)
		fail_msg("%s has no symbol %s", object, name);
	return ret;
}

static inline const char *window_at(const uint8_t *code, size_t room, uint64_t vaddr,
				    uint64_t next, struct fc_window *ret)
{
	return arch->jumps->window(code, room, vaddr, next, arch->jumps->far_size, arch->jumps->far_size, ret);
}

#endif
