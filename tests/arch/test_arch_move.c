/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows and moved instructions, before and after: tests/arch/x86_64/NAME.in.S is a
 * function, NAME.out.S what its window must become in a stub. Their second line says what they
 * show; the comments of the first also say where they are and what is expected:
 *
 *   // func 0x401000 body 0x501000    addresses of the two
 *   // data 0x404000                  a symbol for both
 *   // next 0x401010                  where the next function starts; without: nowhere
 *   // window 4 7 ends                the window: its offset, its size, nothing falls through
 *   // refused REASON                 there is none
 *   // far                            emit_stub() finds that something is out of reach
 */
#include "arch/test_arch.h"

struct pair {
	char shows[128], refused[128];
	uint64_t func, body, data, next;
	unsigned int off, size;
	bool ends, is_far;
};

static void read_head(const char *path, struct pair *ret)
{
	*ret = (struct pair){ 0 };
	char line[256];
	unsigned long func, body, data, next;
	fc_auto_fclose FILE *f = fopen(path, "r");
	assert_non_null(f);
	for (int nr = 0; fgets(line, sizeof(line), f) && !strncmp(line, "// ", 3); nr++) {
		const char *text = line + 3;
		line[strcspn(line, "\n")] = 0;
		if (nr < 2) /* the licence, then what it shows */
			snprintf(ret->shows, sizeof(ret->shows), "%.100s", text);
		else if (sscanf(text, "func %lx body %lx", &func, &body) == 2)
			ret->func = func, ret->body = body;
		else if (sscanf(text, "data %lx", &data) == 1)
			ret->data = data;
		else if (sscanf(text, "next %lx", &next) == 1)
			ret->next = next;
		else if (sscanf(text, "window %u %u", &ret->off, &ret->size) == 2)
			ret->ends = strstr(text, "ends");
		else if (!strncmp(text, "refused ", 8))
			snprintf(ret->refused, sizeof(ret->refused), "%.100s", text + 8);
		else if (!strcmp(text, "far"))
			ret->is_far = true;
		else
			fail_msg("%s: what is '%s'?", path, text);
	}
}

/* The bytes of a source at an address. */
static uint8_t *linked(const char *path, uint64_t vaddr, uint64_t data, size_t *size)
{
	run("gcc -c '%s' -o part.o && ld -e 0 -Ttext=%#lx --defsym=data=%#lx --no-relax "
	    "--build-id=none -o part part.o 2>ld.err || { cat ld.err >&2; false; }",
	    path, (unsigned long)vaddr, (unsigned long)data);
	return text_of("part", size);
}

static size_t emit_body(const struct pair *pair, const struct fc_window *window,
			const uint8_t *code, uint8_t *body)
{
	enum { BIAS = 0x10000 }; /* the file's addresses are not the target's */
	uint8_t stub_bytes[1024];
	uint64_t taddr = pair->body - arch->stub->places[FCA_PLACE_BODY];
	struct fc_stub stub = {
		.kind = FC_STUB_CALL,
		.func = 1,
		.code = code + pair->off,
		.window = *window,
		.bias = BIAS,
		.taddr = taddr,
		.pool_taddr = taddr - 0x1000,
	};
	stub.window.vaddr -= BIAS;
	size_t size = arch->stub->emit_stub(&stub, stub_bytes);
	if (!size)
		return 0;
	assert_true(size <= arch->stub->stub_size(FC_STUB_CALL, window, false));
	size -= arch->stub->places[FCA_PLACE_BODY];
	memcpy(body, stub_bytes + arch->stub->places[FCA_PLACE_BODY], size);
	return size;
}

static void fail_bytes(const char *name, const uint8_t *ours, size_t nr_ours,
		       const uint8_t *theirs, size_t nr_theirs)
{
	fputs("# ours:", stderr);
	for (size_t i = 0; i < nr_ours; i++)
		fprintf(stderr, " %02x", ours[i]);
	fputs("\n# theirs:", stderr);
	for (size_t i = 0; i < nr_theirs; i++)
		fprintf(stderr, " %02x", theirs[i]);
	fail_msg("\n%s.out.S is not what %s.in.S becomes", name, name);
}

static void check_pair(const char *path)
{
	const char *slash = strrchr(path, '/');
	char name[64], out_path[PATH_MAX];
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(slash + 1, "."), slash + 1);
	snprintf(out_path, sizeof(out_path), "%.*s/%s.out.S", (int)(slash - path), path, name);

	struct pair pair;
	read_head(path, &pair);
	size_t room, nr_theirs;
	fc_auto_free uint8_t *code = linked(path, pair.func, pair.data, &room);
	struct fc_window window;
	const char *why = window_at(code, room, pair.func, pair.next, &window);
	if (strcmp(why ? why : "", pair.refused))
		fail_msg("%s (%s): refused: '%s', expected '%s'", name, pair.shows,
			 why ? why : "", pair.refused);
	if (why)
		return;
	if (window.vaddr != pair.func + pair.off || window.size != pair.size ||
	    window.ends != pair.ends)
		fail_msg("%s: window at +%d, %d bytes%s", name, (int)(window.vaddr - pair.func),
			 window.size, window.ends ? ", ends" : "");

	uint8_t ours[256];
	size_t nr_ours = emit_body(&pair, &window, code, ours);
	assert_int_equal(!nr_ours, pair.is_far);
	if (pair.is_far)
		return;
	fc_auto_free uint8_t *theirs = linked(out_path, pair.body, pair.data, &nr_theirs);
	if (nr_ours != nr_theirs || memcmp(ours, theirs, nr_ours))
		fail_bytes(name, ours, nr_ours, theirs, nr_theirs);
}

static void each_pair_agrees(void **state)
{
	if (!has_assembler())
		skip();
	char pattern[PATH_MAX + 64];
	glob_t found;
	snprintf(pattern, sizeof(pattern), "%s/tests/arch/x86_64/*.in.S", source_dir);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_true(found.gl_pathc > 30);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_pair(found.gl_pathv[i]);
	globfree(&found);
}

static void a_jump_leads_where_it_should(void **state)
{
	static const struct {
		uint64_t from, to;
		uint8_t bytes[5];
	} jumps[] = {
		{ 0x1000, 0x2000, { 0xe9, 0xfb, 0x0f, 0x00, 0x00 } },
		{ 0x2000, 0x1000, { 0xe9, 0xfb, 0xef, 0xff, 0xff } },
		{ 0x7f0080000000, 0x7f0000000005, { 0xe9, 0x00, 0x00, 0x00, 0x80 } },
		{ 0x7f0000000000, 0x7f0080000004, { 0xe9, 0xff, 0xff, 0xff, 0x7f } },
	};
	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		uint8_t ours[5];
		arch->jumps->make_jump(jumps[i].from, jumps[i].to, ours);
		assert_memory_equal(ours, jumps[i].bytes, 5);
	}
}

static void a_pun_leads_where_the_bytes_that_stay_say(void **state)
{
	static const struct {
		uint64_t from;
		uint8_t code[5], nr_free;
		uint64_t first, last;
	} puns[] = {
		{ 0x401000, { 0xc3, 0x78, 0x56, 0x34, 0x12 }, 1, 0x1274667d, 0x1274667d },
		{ 0x401000, { 0x99, 0xc3, 0x56, 0x34, 0x12 }, 2, 0x12746605, 0x12746704 },
		{ 0x401000, { 0, 0, 0, 0x34, 0x12 }, 3, 0x12741005, 0x12751004 },
		{ 0x401000, { 0, 0, 0, 0, 0x12 }, 4, 0x12401005, 0x13401004 },
		{ 0x7f0000000000, { 0, 1, 0, 0, 0x80 }, 1, 0x7eff80000006, 0x7eff80000006 },
		{ 0x7f0000000000,
		  { 0, 0xff, 0xff, 0xff, 0xff },
		  4,
		  0x7effff000005,
		  0x7f0000000004 },
	};
	for (size_t i = 0; i < sizeof(puns) / sizeof(puns[0]); i++) {
		uint64_t first, last;
		uint8_t jump[5];
		size_t nr_free = puns[i].nr_free;
		arch->jumps->pun(puns[i].from, puns[i].code, nr_free, &first, &last);
		assert_int_equal(first, puns[i].first);
		assert_int_equal(last, puns[i].last);
		arch->jumps->make_jump(puns[i].from, first, jump);
		assert_memory_equal(jump + nr_free, puns[i].code + nr_free, 5 - nr_free);
		arch->jumps->make_jump(puns[i].from, last, jump);
		assert_memory_equal(jump + nr_free, puns[i].code + nr_free, 5 - nr_free);
	}
}

static void a_long_jump_leads_anywhere(void **state)
{
	static const uint8_t golden[] = { 0xff, 0x25, 0,    0,	  0,	0,    0xf0,
					  0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12 };
	uint8_t ours[sizeof(golden)];
	assert_int_equal(arch->jumps->long_size, sizeof(golden));
	arch->jumps->make_long_jump(0x123456789abcdef0, ours);
	assert_memory_equal(ours, golden, sizeof(golden));
}

/* What the window looks at ends with its room: this is what a parser's fuzzer would find. */
static void no_byte_behind_the_room_is_read(void **state)
{
	srand(1);
	for (int i = 0; i < 200000; i++) {
		size_t room = rand() % 24;
		uint8_t *code = malloc(room ? room : 1);
		for (size_t b = 0; b < room; b++)
			code[b] = rand() % 4 ? rand() : "\xe8\xf3\x0f\x48"[rand() % 4];
		struct fc_window window;
		if (!window_at(code, room, 0x1000, 0, &window)) {
			assert_true(window.vaddr - 0x1000 + window.jump_size <= room);
			assert_true(window.vaddr - 0x1000 + window.size <= room);
			assert_true(window.size >= window.jump_size || window.ends);
			uint8_t stub_bytes[1024];
			struct fc_stub stub = {
				.code = code + (window.vaddr - 0x1000),
				.window = window,
				.bias = 0x7f0000000000,
				.taddr = 0x7f0000100000,
				.pool_taddr = 0x7f0000100000,
			};
			assert_true(arch->stub->emit_stub(&stub, stub_bytes) <=
				    arch->stub->stub_size(FC_STUB_CALL, &window, false));
		}
		arch->code->slot_use(code, room);
		free(code);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_pair_agrees),
		cmocka_unit_test(a_jump_leads_where_it_should),
		cmocka_unit_test(a_pun_leads_where_the_bytes_that_stay_say),
		cmocka_unit_test(a_long_jump_leads_anywhere),
		cmocka_unit_test(no_byte_behind_the_room_is_read),
	};
	return cmocka_run_group_tests(tests, enter_arch_dir, leave_work_dir);
}
