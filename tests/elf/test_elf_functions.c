/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions an ELF file has: compared with what readelf says, an independent
 * witness. */
#include "elf/test_elf.h"

#include <elf.h>

#include "elf/ehframe.h"
#include "elf/image.h"

/* Real files of a Debian system; one that is not there is left out. */
static const char *const real_files[] = {
	"/bin/bash",
	"/usr/bin/python3.11",
	"/lib/x86_64-linux-gnu/libc.so.6",
	"/lib/x86_64-linux-gnu/libcrypto.so.3",
	"/lib64/ld-linux-x86-64.so.2",
	"/usr/lib/gcc/x86_64-linux-gnu/12/cc1",
};

static const char *const made_files[] = { "pie",	"nopie",  "static",
					  "static-pie", "lib.so", "clang" };

static bool has_clang(void)
{
	return system("clang --version >/dev/null 2>&1") == 0;
}

static int make_programs(void **state)
{
	if (enter_work_dir(state) < 0)
		return -1;
	write_text("p.c", program_c);
	run("gcc -O2 -pie p.c -o pie");
	run("gcc -O2 -no-pie p.c -o nopie");
	run("gcc -O2 -static p.c -o static");
	run("gcc -O2 -static-pie p.c -o static-pie");
	run("gcc -O2 -shared -fPIC p.c -o lib.so");
	if (has_clang())
		run("clang -O2 p.c -o clang");
	return 0;
}

static void each_file(void (*check)(const char *path))
{
	for (size_t i = 0; i < sizeof(made_files) / sizeof(made_files[0]); i++)
		if (access(made_files[i], R_OK) == 0)
			check(made_files[i]);
	for (size_t i = 0; i < sizeof(real_files) / sizeof(real_files[0]); i++)
		if (access(real_files[i], R_OK) == 0)
			check(real_files[i]);
}

/* readelf -sW: "  12: 0000000000001139  42 FUNC  GLOBAL DEFAULT  14 name". */
static void compare_symbols(const char *path)
{
	struct fc_elf *elf = open_elf(path);
	char command[512], line[8192], type[32], section[32];
	unsigned long vaddr;
	size_t nr = 0;
	snprintf(command, sizeof(command), "readelf -sW %s", path);
	FILE *f = popen(command, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, " %*d: %lx %*s %31s %*s %*s %31s", &vaddr, type, section) !=
			    3 ||
		    (strcmp(type, "FUNC") && strcmp(type, "IFUNC")) || section[0] < '0' ||
		    section[0] > '9')
			continue;
		nr++;
		const struct fc_func *func = func_at(elf, vaddr);
		if (!func || !func->name || !(func->flags & FC_FUNC_SYMBOL))
			fail_msg("%s: not found: %s", path, line);
		if (strcmp(type, "IFUNC") == 0)
			assert_true(func->flags & FC_FUNC_IFUNC);
	}
	assert_int_equal(pclose(f), 0);
	assert_true(nr > 0);
	fc_elf_close(elf);
}

static void each_function_symbol_of_readelf_is_found(void **state)
{
	each_file(compare_symbols);
}

static size_t count_fdes(const struct fc_elf *elf)
{
	struct fc_image image;
	struct fc_ehframe frames;
	struct fc_fde fde;
	size_t nr = 0;
	assert_int_equal(fc_image_init(&image, elf->image, elf->image_size, "file"), 0);
	assert_true(fc_ehframe_init(&frames, &image));
	while (fc_ehframe_next(&frames, &fde))
		nr++;
	fc_image_deinit(&image);
	return nr;
}

/* "0000001c 0000000000000014 00000000 FDE cie=00000000
 * pc=0000000000001050..0000000000001072" */
static void compare_fdes(const char *path)
{
	struct fc_elf *elf = open_elf(path);
	char command[512], line[1024];
	unsigned long start, end;
	size_t nr = 0;
	snprintf(command, sizeof(command),
		 "readelf --debug-dump=frames -wN %s 2>/dev/null | grep -a 'FDE cie='", path);
	FILE *f = popen(command, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		const char *pc = strstr(line, "pc=");
		assert_non_null(pc);
		assert_int_equal(sscanf(pc, "pc=%lx..%lx", &start, &end), 2);
		nr++;
		const struct fc_func *func = func_at(elf, start);
		if (func && func->name == NULL && func->size != end - start)
			fail_msg("%s: %#lx has %lu bytes, readelf says %lu", path, start,
				 (unsigned long)func->size, end - start);
	}
	pclose(f);
	assert_int_equal(count_fdes(elf), nr);
	assert_true(elf->has_eh_frame);
	fc_elf_close(elf);
}

static void each_fde_of_readelf_is_read(void **state)
{
	each_file(compare_fdes);
}

static void check_order(const char *path)
{
	struct fc_elf *elf = open_elf(path);
	assert_true(elf->nr_funcs > 0);
	for (size_t i = 0; i < elf->nr_funcs; i++) {
		const struct fc_func *func = &elf->funcs[i];
		assert_true(i == 0 || elf->funcs[i - 1].vaddr < func->vaddr);
		assert_non_null(fc_elf_bytes(elf, func->vaddr, func->size ? func->size : 1));
		assert_true(func->flags & (FC_FUNC_SYMBOL | FC_FUNC_FDE));
		assert_true(!(func->flags & FC_FUNC_SYMBOL) == !func->name);
		assert_true(func->flags < FC_FUNC_CHOSEN << 1 &&
			    !(func->flags & FC_FUNC_FOUND));
	}
	fc_elf_close(elf);
}

static void functions_are_sorted_and_lie_in_the_file(void **state)
{
	each_file(check_order);
}

static void check_code(const char *path)
{
	struct fc_elf *elf = open_elf(path);
	size_t nr;
	const struct fc_code_range *ranges = fc_elf_code(elf, &nr);
	assert_in_range(nr, 1, 64);
	for (size_t i = 0; i < nr; i++)
		assert_non_null(fc_elf_bytes(elf, ranges[i].vaddr, ranges[i].size));
	for (size_t i = 0; i < elf->nr_funcs; i++) {
		const struct fc_func *func = &elf->funcs[i];
		bool is_in = fc_elf_is_linkage(elf, func->vaddr);
		for (size_t k = 0; k < nr && !is_in; k++)
			is_in = func->vaddr >= ranges[k].vaddr &&
				func->vaddr + func->size <= ranges[k].vaddr + ranges[k].size;
		if (!is_in)
			fail_msg("%s: function at %#lx is outside of code", path,
				 (unsigned long)func->vaddr);
	}
	fc_elf_close(elf);
}

static void no_function_lies_outside_code(void **state)
{
	each_file(check_code);
}

static void a_program_says_what_it_is(void **state)
{
	struct fc_elf *elf = open_elf("pie");
	assert_int_equal(elf->machine, EM_X86_64);
	assert_int_equal(elf->type, ET_DYN);
	assert_string_equal(elf->interp, "/lib64/ld-linux-x86-64.so.2");
	assert_int_equal(strlen(elf->build_id), 40);
	assert_false(elf->is_stripped);
	assert_false(elf->has_textrel);
	assert_int_equal(elf->entry, func_named(elf, "_start")->vaddr);
	assert_true(func_named(elf, "_start")->flags & FC_FUNC_NO_RETURN_ADDRESS);
	fc_elf_close(elf);

	elf = open_elf("static");
	assert_int_equal(elf->type, ET_EXEC);
	assert_null(elf->interp);
	fc_elf_close(elf);
}

static void cold_parts_are_parts_and_cold_functions_are_not(void **state)
{
	struct fc_elf *elf = open_elf("pie");
	const struct fc_func *cold = func_named(elf, "rare.cold");
	assert_non_null(cold);
	assert_true(cold->flags & FC_FUNC_PART);
	assert_false(func_named(elf, "rare")->flags & FC_FUNC_PART);
	assert_false(func_named(elf, "chilly")->flags & FC_FUNC_PART);
	fc_elf_close(elf);
}

static void of_aliases_the_shorter_name_is_taken(void **state)
{
	struct fc_elf *elf = open_elf("lib.so");
	const struct fc_func *func = func_named(elf, "middle");
	uint64_t vaddr;
	assert_non_null(func);
	assert_true(func->flags & FC_FUNC_EXPORTED);
	assert_null(func_named(elf, "alias_of_middle"));
	assert_int_equal(fc_elf_symbol(elf, "alias_of_middle", &vaddr), 0);
	assert_int_equal(vaddr, func->vaddr);
	assert_false(func_named(elf, "leaf")->flags & FC_FUNC_EXPORTED);
	fc_elf_close(elf);
}

static void symbols_are_found_by_name(void **state)
{
	struct fc_elf *elf = open_elf("pie");
	uint64_t vaddr;
	assert_int_equal(fc_elf_symbol(elf, "main", &vaddr), 0);
	assert_int_equal(vaddr, func_named(elf, "main")->vaddr);
	assert_int_equal(fc_elf_symbol(elf, "counter", &vaddr), 0);
	assert_null(func_at(elf, vaddr));
	assert_int_equal(fc_elf_symbol(elf, "no_such_thing", &vaddr), -ENOENT);
	assert_int_equal(fc_elf_symbol(elf, "puts", &vaddr), -ENOENT);
	fc_elf_close(elf);
}

static void of_two_versions_the_default_is_found(void **state)
{
	write_text("v.c", "__asm__(\".symver old_f, f@V1\\n.symver new_f, f@@V2\");\n"
			  "int old_f(void) { return 1; }\n"
			  "int new_f(void) { return 2; }\n");
	write_text("v.map", "V1 { local: old_f; new_f; };\nV2 { global: f; } V1;\n");
	run("gcc -O2 -shared -fPIC v.c -Wl,--version-script=v.map -o v.so");
	struct fc_elf *elf = open_elf("v.so");
	uint64_t f, newer;
	assert_int_equal(fc_elf_symbol(elf, "f", &f), 0);
	assert_int_equal(fc_elf_symbol(elf, "new_f", &newer), 0);
	assert_int_equal(f, newer);
	assert_string_equal(func_at(elf, f)->name, "f");
	fc_elf_close(elf);

	run("strip v.so");
	elf = open_elf("v.so");
	assert_int_equal(fc_elf_symbol(elf, "f", &f), 0);
	assert_int_equal(f, newer);
	fc_elf_close(elf);
}

static void a_stripped_program_keeps_the_functions_that_have_an_fde(void **state)
{
	run("strip -o stripped static");
	struct fc_elf *whole = open_elf("static"), *stripped = open_elf("stripped");
	size_t nr = 0;
	assert_true(stripped->is_stripped);
	for (size_t i = 0; i < whole->nr_funcs; i++) {
		const struct fc_func *func = &whole->funcs[i];
		if (!(func->flags & FC_FUNC_FDE))
			continue;
		const struct fc_func *same = func_at(stripped, func->vaddr);
		if (!same)
			fail_msg("%s at %#lx is lost", func->name, (unsigned long)func->vaddr);
		nr++;
		assert_int_equal(same->flags & FC_FUNC_SIGNAL, func->flags & FC_FUNC_SIGNAL);
	}
	assert_true(nr > 500);
	fc_elf_close(whole);
	fc_elf_close(stripped);
}

static void the_signal_trampoline_is_known_with_and_without_its_name(void **state)
{
	struct fc_elf *whole = open_elf("static"), *stripped = open_elf("stripped");
	const struct fc_func *func = func_named(whole, "__restore_rt");
	assert_non_null(func);
	assert_true(func->flags & FC_FUNC_SIGNAL);
	assert_true(func_at(stripped, func->vaddr)->flags & FC_FUNC_SIGNAL);
	assert_null(func_at(whole, func->vaddr - 1));
	assert_null(func_at(stripped, func->vaddr - 1));
	fc_elf_close(whole);
	fc_elf_close(stripped);
}

static void drop_section_table(const char *from, const char *to)
{
	size_t size;
	fc_auto_free uint8_t *bytes = read_file(from, &size);
	Elf64_Ehdr ehdr;
	memcpy(&ehdr, bytes, sizeof(ehdr));
	ehdr.e_shoff = ehdr.e_shnum = ehdr.e_shstrndx = 0;
	memcpy(bytes, &ehdr, sizeof(ehdr));
	write_file(to, bytes, size);
}

/* By program headers alone: FDEs through .eh_frame_hdr, .dynsym through PT_DYNAMIC. */
static void compare_without_sections(const char *path)
{
	if (strcmp(path, "static") == 0)
		return; /* ld gives it no .eh_frame_hdr: nothing leads to its FDEs */
	run("strip -o with %s", path);
	drop_section_table("with", "without");
	struct fc_elf *with = open_elf("with"), *without = open_elf("without");
	size_t nr_linkage = 0;
	for (size_t i = 0; i < with->nr_funcs; i++) {
		const struct fc_func *func = &with->funcs[i];
		const struct fc_func *same = func_at(without, func->vaddr);
		if (!same)
			fail_msg("%s: %s at %#lx is lost", path, func->name,
				 (unsigned long)func->vaddr);
		assert_int_equal(same->flags, func->flags);
		assert_int_equal(same->size, func->size);
		if (func->name)
			assert_string_equal(same->name, func->name);
		nr_linkage += fc_elf_is_linkage(without, func->vaddr);
	}
	assert_int_equal(without->nr_funcs, with->nr_funcs);
	assert_true(nr_linkage <= 2); /* _init, _fini */
	assert_string_equal(without->build_id, with->build_id);
	fc_elf_close(with);
	fc_elf_close(without);
}

static void a_file_without_section_table_shows_the_same_functions(void **state)
{
	each_file(compare_without_sections);
}

/* What a library exports for its own parts, by an alias of no private version or by one. */
static void private_versions_are_told_apart(void **state)
{
	write_text("parts.c", "__asm__(\".symver both, shared@@V1\");\n"
			      "int open_f(void) { return 1; }\n"
			      "int own_f(void) { return 2; }\n"
			      "int both(void) { return 3; }\n");
	write_text("parts.map",
		   "V1 { global: open_f; };\n"
		   "V_PRIVATE { global: own_f; both; } V1;\nV2 { local: *; } V_PRIVATE;\n");
	run("gcc -O2 -shared -fPIC parts.c -Wl,--version-script=parts.map -o parts.so");
	drop_section_table("parts.so", "parts-bare.so");
	const char *const files[] = { "parts.so", "parts-bare.so" };
	for (size_t i = 0; i < 2; i++) {
		struct fc_elf *elf = open_elf(files[i]);
		const uint32_t both = FC_FUNC_EXPORTED | FC_FUNC_API;
		assert_int_equal(func_named(elf, "open_f")->flags & both, both);
		assert_int_equal(func_named(elf, "own_f")->flags & both, FC_FUNC_EXPORTED);
		assert_int_equal(func_named(elf, "shared")->flags & both, both);
		fc_elf_close(elf);
	}
}

static void separate_debug_files_are_found_by_debuglink(void **state)
{
	run("gcc -O2 -g -Wl,--build-id=none p.c -o linked && mkdir -p .debug");
	run("objcopy --only-keep-debug linked .debug/linked.dbg && strip linked");
	run("cd .debug && objcopy --add-gnu-debuglink=linked.dbg ../linked");
	struct fc_elf *elf = open_elf("linked");
	assert_false(elf->is_stripped);
	assert_non_null(func_named(elf, "leaf"));
	assert_null(fc_elf_bytes(elf, 0xfffffffffffffff0, 16));
	fc_elf_close(elf);

	/* Another file of that name is not taken: its CRC is not the one in the link. */
	run("echo >>.debug/linked.dbg");
	elf = open_elf("linked");
	assert_true(elf->is_stripped);
	assert_null(func_named(elf, "leaf"));
	fc_elf_close(elf);
}

static void a_debug_file_is_no_program(void **state)
{
	struct fc_elf *elf;
	run("gcc -O2 -g p.c -o pd && objcopy --only-keep-debug pd pd.dbg");
	assert_int_equal(fc_elf_open("pd.dbg", "pd.dbg", &elf), -ENOEXEC);
}

static void the_debug_data_of_fedora_is_read(void **state)
{
	if (system("xz --version >/dev/null 2>&1") != 0)
		skip();
	run("gcc -O2 p.c -o mini");
	run("objcopy -S --keep-symbol=leaf mini mini.inner && xz -k mini.inner");
	run("strip mini && objcopy --add-section .gnu_debugdata=mini.inner.xz mini");
	struct fc_elf *elf = open_elf("mini");
	assert_false(elf->is_stripped);
	assert_non_null(func_named(elf, "leaf"));
	fc_elf_close(elf);
}

static const char assembly[] =
	"	.text\n"
	"	.globl whole, typeless, second_door\n"
	"	.type whole, @function\n"
	"whole:	.cfi_startproc\n" /* two FDEs, one function */
	"	nop\n"
	"	.cfi_endproc\n"
	"	.cfi_startproc\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size whole, .-whole\n"
	"	.p2align 4\n"
	"typeless:\n" /* a function: global */
	"	nop\n"
	"label:	ret\n" /* none: local, no type, no FDE */
	"	.p2align 4\n"
	"hidden_asm:\n" /* a function: it has an FDE */
	"	.cfi_startproc\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.p2align 4\n"
	"	.cfi_startproc\n" /* a function without a name, entered by a call */
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 6, -16\n"
	"	pop %rbp\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.p2align 4\n"
	"	.cfi_startproc\n" /* a part: saved rbp from its first byte on */
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 6, -16\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	ret\n"
	"	.cfi_startproc\n" /* an FDE that starts in the padding before its function
				   */
	"	.p2align 4\n"
	"	.type padded, @function\n"
	"padded: ret\n"
	"	.cfi_endproc\n"
	"	.size padded, .-padded\n"
	"	.section .note.GNU-stack,\"\",@progbits\n";

static void assembly_has_functions_only_where_somebody_says_so(void **state)
{
	write_text("a.S", assembly);
	run("gcc -shared -nostdlib a.S -o a.so");
	struct fc_elf *elf = open_elf("a.so");
	uint64_t start = func_named(elf, "whole")->vaddr;
	assert_null(func_at(elf, start + 1));
	assert_string_equal(func_at(elf, start + 16)->name, "typeless");
	assert_null(func_named(elf, "label"));
	assert_true(func_named(elf, "hidden_asm")->flags & FC_FUNC_FDE);
	assert_int_equal(func_at(elf, start + 48)->flags, FC_FUNC_FDE);
	assert_null(func_at(elf, start + 48)->name);
	assert_int_equal(func_at(elf, start + 64)->flags, FC_FUNC_FDE | FC_FUNC_PART);
	assert_int_equal(func_named(elf, "padded")->vaddr, start + 80);
	assert_true(func_named(elf, "padded")->flags & FC_FUNC_FDE);
	assert_int_equal(elf->nr_funcs, 6);
	fc_elf_close(elf);
}

static void ifuncs_are_told(void **state)
{
	write_text("i.c", "static int one(void) { return 1; }\n"
			  "static void *pick(void) { return one; }\n"
			  "int chosen(void) __attribute__((ifunc(\"pick\")));\n");
	run("gcc -O2 -shared -fPIC i.c -o i.so");
	struct fc_elf *elf = open_elf("i.so");
	size_t nr = 0;
	for (size_t i = 0; i < elf->nr_funcs; i++)
		nr += (elf->funcs[i].flags & FC_FUNC_IFUNC) != 0;
	assert_int_equal(nr, 1);
	fc_elf_close(elf);
}

/* Whoever chooses, and by whatever way; a function that is public itself keeps its name. */
static void implementations_are_named_as_the_functions_they_implement(void **state)
{
	write_text("m.c", "static int one(void) { return 1; }\n"
			  "static int two(void) { return 2; }\n"
			  "static int other(void) { return 3; }\n"
			  "int known(void) { return 4; }\n"
			  "static __attribute__((noinline)) void *ask(int n)\n"
			  "{ return n ? two : other; }\n"
			  "extern volatile int how; volatile int how;\n"
			  "void *pick(void) { return how ? one : how == 2 ? known : two; }\n"
			  "void *pass(void) { return ask(how); }\n"
			  "int a_longer_name(void) __attribute__((ifunc(\"pass\")));\n"
			  "int function(void) __attribute__((ifunc(\"pick\")));\n");
	run("gcc -O1 -shared -fPIC -fvisibility=protected m.c -o m.so && strip m.so");
	struct fc_elf *elf = open_elf("m.so");
	size_t nr = 0, nr_longer = 0;
	for (size_t i = 0; i < elf->nr_funcs; i++) {
		const struct fc_func *func = &elf->funcs[i];
		if (!(func->flags & FC_FUNC_CHOSEN))
			continue;
		assert_true(func->flags & FC_FUNC_API);
		nr += !strcmp(func->name, "function");
		nr_longer += !strcmp(func->name, "a_longer_name");
	}
	assert_int_equal(nr, 2);
	assert_int_equal(nr_longer, 1);
	assert_false(func_named(elf, "known")->flags & FC_FUNC_IFUNC);
	assert_true(func_named(elf, "function")->flags & (FC_FUNC_IFUNC | FC_FUNC_CHOSEN));
	fc_elf_close(elf);
}

static void strchr_and_memcmp_are_called_so(void **state)
{
	static const char *const names[] = { "strchr", "strrchr", "memcmp", "memcpy",
					     "strlen", "stpcpy",  "time",   "strcasecmp" };
	if (access("/lib/x86_64-linux-gnu/libc.so.6", R_OK))
		skip();
	struct fc_elf *elf = open_elf("/lib/x86_64-linux-gnu/libc.so.6");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t nr = 0;
		for (size_t k = 0; k < elf->nr_funcs; k++)
			nr += elf->funcs[k].flags & FC_FUNC_CHOSEN &&
			      !strcmp(elf->funcs[k].name, names[i]);
		if (!nr)
			fail_msg("no implementation of %s", names[i]);
	}
	fc_elf_close(elf);
}

static void text_relocations_are_told(void **state)
{
	write_text("t.S", "	.text\n	.globl f\nf:	movabs $f, %rax\n	ret\n"
			  "	.section .note.GNU-stack,\"\",@progbits\n");
	run("gcc -shared -nostdlib -Wl,-z,notext t.S -o t.so 2>/dev/null");
	struct fc_elf *elf = open_elf("t.so");
	assert_true(elf->has_textrel);
	fc_elf_close(elf);
}

/* As -mrecord-mcount leaves them, in each form that a linker writes. */
static void tables_beside_code_are_no_text_relocations(void **state)
{
	static const char *const ways[] = { "-Wl,-z,separate-code", "-Wl,-z,noseparate-code",
					    "-Wl,-z,separate-code,-z,pack-relative-relocs" };
	write_text("b.S", "	.text\n	.globl f\nf:	ret\n"
			  "	.section sites,\"a\"\n	.balign 8\n"
			  "	.quad .Lhere\n	.quad .Lhere\n"
			  "	.text\n.Lhere:	ret\n"
			  "	.section .note.GNU-stack,\"\",@progbits\n");
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		char command[200];
		snprintf(command, sizeof(command),
			 "gcc -shared -nostdlib -Wl,-z,notext %s b.S -o b.so 2>/dev/null",
			 ways[i]);
		run("%s", command);
		struct fc_elf *elf = open_elf("b.so");
		assert_false(elf->has_textrel);
		assert_true(elf->relocated);
		fc_elf_close(elf);
	}
}

static void plt_entries_are_linkage_and_no_functions(void **state)
{
	struct fc_elf *elf = open_elf("pie");
	struct fc_image image;
	assert_int_equal(fc_image_init(&image, elf->image, elf->image_size, "pie"), 0);
	const struct fc_section *plt = fc_image_section(&image, ".plt");
	assert_non_null(plt);
	for (uint64_t off = 0; off < plt->size; off++) {
		assert_true(fc_elf_is_linkage(elf, plt->vaddr + off));
		assert_null(func_at(elf, plt->vaddr + off));
	}
	assert_false(fc_elf_is_linkage(elf, func_named(elf, "main")->vaddr));
	assert_true(fc_elf_is_linkage(elf, func_named(elf, "_init")->vaddr));
	fc_image_deinit(&image);
	fc_elf_close(elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_function_symbol_of_readelf_is_found),
		cmocka_unit_test(each_fde_of_readelf_is_read),
		cmocka_unit_test(functions_are_sorted_and_lie_in_the_file),
		cmocka_unit_test(no_function_lies_outside_code),
		cmocka_unit_test(a_program_says_what_it_is),
		cmocka_unit_test(cold_parts_are_parts_and_cold_functions_are_not),
		cmocka_unit_test(of_aliases_the_shorter_name_is_taken),
		cmocka_unit_test(symbols_are_found_by_name),
		cmocka_unit_test(of_two_versions_the_default_is_found),
		cmocka_unit_test(private_versions_are_told_apart),
		cmocka_unit_test(a_stripped_program_keeps_the_functions_that_have_an_fde),
		cmocka_unit_test(the_signal_trampoline_is_known_with_and_without_its_name),
		cmocka_unit_test(a_file_without_section_table_shows_the_same_functions),
		cmocka_unit_test(separate_debug_files_are_found_by_debuglink),
		cmocka_unit_test(a_debug_file_is_no_program),
		cmocka_unit_test(the_debug_data_of_fedora_is_read),
		cmocka_unit_test(assembly_has_functions_only_where_somebody_says_so),
		cmocka_unit_test(ifuncs_are_told),
		cmocka_unit_test(implementations_are_named_as_the_functions_they_implement),
		cmocka_unit_test(strchr_and_memcmp_are_called_so),
		cmocka_unit_test(text_relocations_are_told),
		cmocka_unit_test(tables_beside_code_are_no_text_relocations),
		cmocka_unit_test(plt_entries_are_linkage_and_no_functions),
	};
	return cmocka_run_group_tests(tests, make_programs, leave_work_dir);
}
