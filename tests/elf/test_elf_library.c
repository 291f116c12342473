/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries of a program, found without running it: ldd, which runs ld.so, is the witness. */
#include "elf/test_elf.h"

#include "elf/library.h"

static struct fc_libraries libraries_of(const char *path)
{
	struct fc_libraries ret;
	struct fc_elf *elf = open_elf(path);
	fc_libraries_find(elf, &ret);
	fc_elf_close(elf);
	return ret;
}

static const struct fc_library *named(const struct fc_libraries *libraries, const char *name)
{
	fc_vec_each (&libraries->list, library)
		if (!strcmp(library->name, name))
			return library;
	return NULL;
}

/* "	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x...)" */
static void compare_with_ldd(const char *path)
{
	char line[4096], name[512], found[2048];
	struct fc_libraries libraries = libraries_of(path);
	size_t nr = 0;
	snprintf(line, sizeof(line), "ldd %s 2>/dev/null", path);
	FILE *ldd = popen(line, "r");
	assert_non_null(ldd);
	while (fgets(line, sizeof(line), ldd)) {
		if (sscanf(line, " %511s => %2047s (", name, found) != 2)
			continue;
		const struct fc_library *library = named(&libraries, name);
		if (!library || !library->path || strcmp(library->path, found))
			fail_msg("%s: %s is at %s, not at %s", path, name, found,
				 library && library->path ? library->path : "(not found)");
		nr++;
	}
	pclose(ldd);
	const struct fc_library *linker = named(&libraries, "ld-linux-x86-64.so.2");
	assert_int_equal(libraries.list.nr, nr + (linker != NULL));
	fc_libraries_deinit(&libraries);
}

static void ldd_finds_the_same(void **state)
{
	static const char *const files[] = { "/bin/bash", "/usr/bin/git", "/usr/bin/python3.11",
					     "/usr/bin/gdb", "/usr/bin/cmake" };
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!access(files[i], R_OK))
			compare_with_ldd(files[i]);
}

static void a_library_beside_the_program_is_found_and_what_it_needs_too(void **state)
{
	write_text("inner.c", "int inner(void) { return 1; }\n");
	write_text("outer.c", "int inner(void);\nint outer(void) { return inner(); }\n");
	write_text("main.c", "int outer(void);\nint main(void) { return outer(); }\n");
	run("mkdir -p lib && gcc -shared -fPIC inner.c -o lib/libinner.so && "
	    "gcc -shared -fPIC outer.c -o lib/libouter.so -Llib -linner "
	    "-Wl,-rpath,'$ORIGIN' && "
	    "gcc main.c -o main -Llib -louter -Wl,-rpath-link,lib -Wl,-rpath,'$ORIGIN/lib'");
	struct fc_libraries libraries = libraries_of("main");
	const struct fc_library *outer = named(&libraries, "libouter.so");
	const struct fc_library *inner = named(&libraries, "libinner.so");
	assert_true(outer && outer->path && inner && inner->path);
	assert_string_equal(strrchr(outer->path, '/'), "/libouter.so");
	fc_libraries_deinit(&libraries);

	run("rm lib/libinner.so");
	libraries = libraries_of("main");
	inner = named(&libraries, "libinner.so");
	assert_non_null(inner);
	assert_null(inner->path);
	fc_libraries_deinit(&libraries);
}

static void a_static_program_needs_none(void **state)
{
	write_text("empty.c", "int main(void) { return 0; }\n");
	run("gcc -static empty.c -o empty");
	struct fc_libraries libraries = libraries_of("empty");
	assert_int_equal(libraries.list.nr, 0);
	fc_libraries_deinit(&libraries);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ldd_finds_the_same),
		cmocka_unit_test(a_library_beside_the_program_is_found_and_what_it_needs_too),
		cmocka_unit_test(a_static_program_needs_none),
	};
	return cmocka_run_group_tests(tests, enter_work_dir, leave_work_dir);
}
