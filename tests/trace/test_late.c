/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that a source learns of when their module was told already. */
#include "trace/test_trace.h"

#include "calls/names.h"

static const struct fc_func_info first[] = {
	{ .name = "main",
	  .vaddr = 0x1000,
	  .size = 16,
	  .id = 1,
	  .how = FC_HOW_HOOKED,
	  .why = "jmp5" },
	{ .name = "tiny",
	  .vaddr = 0x3000,
	  .size = 1,
	  .how = FC_HOW_SKIPPED,
	  .why = "too short" },
};
static const struct fc_func_info other[] = {
	{ .name = "helps",
	  .vaddr = 0x500,
	  .size = 8,
	  .id = 2,
	  .how = FC_HOW_HOOKED,
	  .why = "jmp5" },
};
static const struct fc_func_info late[] = {
	{ .name = "made_now",
	  .vaddr = 0x4000,
	  .size = 32,
	  .id = 3,
	  .how = FC_HOW_HOOKED,
	  .why = "jmp5" },
	{ .name = "made_between",
	  .vaddr = 0x2000,
	  .size = 32,
	  .id = 4,
	  .how = FC_HOW_ENTRY_ONLY,
	  .why = "tail" },
};
static const struct fc_func_info later[] = {
	{ .vaddr = 0x2800, .size = 4, .id = 5, .how = FC_HOW_HOOKED, .why = "jmp5" },
};

static const struct fc_module_info told[] = {
	{ 1, "/bin/program", "1234", first, 2 },
	{ 2, "/lib/other.so", "", other, 1 },
	{ 1, "/bin/program", "1234", late, 2 },
	{ 1, "/bin/program", "1234", later, 1 },
};

enum { NR_TOLD = sizeof(told) / sizeof(told[0]) };

static void call(struct stream *s, struct fc_tap *tap, uint32_t func)
{
	stream_add(s, FC_ENTRY, func);
	stream_return(s);
	assert_int_equal(stream_send(s, tap, SIZE_MAX), 0);
}

/* Each is called as soon as it is told. */
static void write_trace(const char *path)
{
	static const uint32_t called[NR_TOLD] = { 1, 2, 3, 5 };
	struct stream stream = stream_of(1, 7, 7);
	struct fc_writer *writer = trace_create(path);
	struct fc_tap *tap = fc_writer_tap(writer);
	for (int i = 0; i < NR_TOLD; i++) {
		assert_int_equal(tap->module(tap, &told[i]), 0);
		call(&stream, tap, called[i]);
	}
	assert_int_equal(trace_close(writer, 0), 0);
	stream_free(&stream);
}

static void they_are_functions_of_their_module(void **state)
{
	static const uint64_t vaddrs[] = { 0x1000, 0x2000, 0x2800, 0x3000, 0x4000 };
	write_trace(in_dir("late"));
	struct fc_reader *reader = trace_open(in_dir("late"));
	assert_int_equal(fc_reader_verify(reader), 0);
	assert_int_equal(fc_reader_nr_modules(reader), 2);
	const struct fc_module_info *module = fc_reader_module(reader, 0);
	assert_int_equal(module->id, 1);
	assert_string_equal(module->path, "/bin/program");
	assert_int_equal(module->nr_funcs, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(module->funcs[i].vaddr, vaddrs[i]);
	assert_string_equal(fc_reader_module(reader, 1)->path, "/lib/other.so");
	assert_int_equal(fc_reader_module(reader, 1)->nr_funcs, 1);

	assert_string_equal(fc_reader_func(reader, 3).name, "made_now");
	assert_string_equal(fc_reader_func(reader, 5).name, "program+0x2800");
	for (uint32_t id = 1; id <= 5; id++)
		assert_ptr_equal(fc_reader_func(reader, id).of,
				 fc_reader_module(reader, id == 2));
	struct fc_totals totals;
	fc_reader_totals(reader, &totals);
	assert_int_equal(totals.hooked, 4);
	assert_int_equal(totals.entry_only, 1);
	assert_int_equal(totals.skipped, 1);
	fc_reader_close(reader);
}

/* Who reads along has their names, too. */
static void they_have_names_at_once(void **state)
{
	struct fc_names *names = fc_names_create(FC_DEMANGLE_SIMPLE);
	struct fc_namer namer = fc_names_namer(names);
	for (int i = 0; i < NR_TOLD; i++)
		fc_names_add(names, &told[i]);
	assert_string_equal(namer.name_of(namer.ctx, 1).name, "main");
	assert_string_equal(namer.name_of(namer.ctx, 4).name, "made_between");
	assert_string_equal(namer.name_of(namer.ctx, 4).module, "program");
	fc_names_destroy(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_functions_of_their_module),
		cmocka_unit_test(they_have_names_at_once),
	};
	return cmocka_run_group_tests_name("trace: functions told late", tests, dir_make,
					   dir_remove);
}
