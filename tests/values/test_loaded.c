/* SPDX-License-Identifier: Apache-2.0 */
/* A table of types is the same once it has been loaded from its bytes. */
#include <errno.h>
#include <linux/btf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after those it needs */
#include <cmocka.h>

#include "base/fail.h"
#include "base/memory.h"
#include "values/types.h"

/* The bytes end where their memory does. */
static struct fc_types *load(struct fc_types *types)
{
	struct fc_types *ret = NULL;
	size_t size;
	const void *bytes = fc_types_bytes(types, &size);
	void *copy = fc_memdup(bytes, size);

	fc_types_destroy(types);
	assert_int_equal(fc_types_load(copy, size, &ret), 0);
	free(copy);
	return ret;
}

/* Many names: where they are kept moves while they are added. */
static void each_name_is_found(void **state)
{
	enum { NR = 3000 };
	struct fc_types *types = fc_types_create();
	uint32_t ids[NR], integer = fc_types_number(types, "int", 4, FC_NUMBER_SIGNED);
	char name[64];

	for (int i = 0; i < NR; i++) {
		snprintf(name, sizeof(name), "name_of_a_type_%d", i);
		ids[i] = i % 2 ? fc_types_typedef(types, name, integer)
			       : fc_types_struct(types, name, false, 8, 4, NULL, 0);
	}
	types = load(types);
	for (int i = 0; i < NR; i++) {
		snprintf(name, sizeof(name), "name_of_a_type_%d", i);
		assert_int_equal(i % 2 ? fc_types_find_typedef(types, name)
				       : fc_types_find_tag(types, name),
				 ids[i]);
	}
	fc_types_destroy(types);
}

/* What a name leads to is looked for by a name of the table itself. */
static void a_forward_becomes_what_it_names(void **state)
{
	struct fc_types *types = fc_types_create();
	uint32_t forward = fc_types_forward(types, "node", false);
	uint32_t other = fc_types_forward(types, "other", false);
	uint32_t node = fc_types_struct(types, "node", false, 8, 8, NULL, 0);

	assert_int_equal(fc_types_resolve(types, forward), node);
	types = load(types);
	assert_int_equal(fc_types_resolve(types, forward), node);
	assert_int_equal(fc_types_resolve(types, other), other);
	fc_types_destroy(types);
}

static uint32_t struct_of(struct fc_types *types, const char *name, uint32_t size,
			  uint32_t align, uint32_t member, size_t nr)
{
	struct fc_member members[2] = { { "a", member, 0, 0 }, { "b", member, size * 4, 0 } };
	return fc_types_struct(types, name, false, size, align, members, nr);
}

static void sizes_and_alignments_are_known(void **state)
{
	struct fc_types *types = fc_types_create();
	uint32_t integer = fc_types_number(types, "int", 4, FC_NUMBER_SIGNED);
	uint32_t plain = struct_of(types, "plain", 8, 4, integer, 2);
	uint32_t packed = struct_of(types, "packed", 6, 1, integer, 1);
	uint32_t aligned = struct_of(types, "aligned", 32, 4, integer, 2);
	uint32_t array = fc_types_array(types, plain, 5);
	uint32_t later = fc_types_typedef(types, "later", fc_types_const(types, array));

	fc_types_tag(types, aligned, "aligned(32)");
	types = load(types);
	assert_int_equal(fc_types_align(types, plain), 4);
	assert_int_equal(fc_types_align(types, packed), 1);
	assert_int_equal(fc_types_align(types, aligned), 32);
	assert_int_equal(fc_types_size(types, later), 40);
	assert_int_equal(fc_types_align(types, later), 4);
	assert_string_equal(fc_types_tagged(types, aligned, "aligned"), "aligned(32)");
	fc_types_destroy(types);
}

/* Without memory of what was measured, this would take 2 to the 50th steps. */
static void many_within_each_other_take_no_time(void **state)
{
	struct fc_types *types = fc_types_create();
	uint32_t id = fc_types_struct(types, "", false, 0, 1, NULL, 0);

	for (int i = 0; i < 50; i++)
		id = struct_of(types, "", 0, 1, id, 2);
	types = load(types);
	assert_int_equal(fc_types_size(types, id), 0);
	fc_types_destroy(types);
}

/* To read each of them would take hours. */
static void one_long_name_of_many_types_is_refused(void **state)
{
	enum { NR = 300000, NAME = 1 << 20 };
	struct btf_header head = { .magic = BTF_MAGIC,
				   .version = BTF_VERSION,
				   .hdr_len = sizeof(head),
				   .type_len = NR * sizeof(struct btf_type),
				   .str_off = NR * sizeof(struct btf_type),
				   .str_len = NAME };
	size_t size = sizeof(head) + head.type_len + head.str_len;
	uint8_t *bytes = fc_alloc(size);
	struct btf_type *types = (void *)(bytes + sizeof(head));
	struct fc_types *ret = NULL;

	memcpy(bytes, &head, sizeof(head));
	for (int i = 0; i < NR; i++)
		types[i] = (struct btf_type){ .name_off = 1, .info = BTF_KIND_TYPEDEF << 24 };
	memset(bytes + size - NAME + 1, 'x', NAME - 2);
	assert_int_equal(fc_types_load(bytes, size, &ret), -EBADMSG);
	assert_non_null(strstr(fc_fail_text(), "names are too long"));
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_name_is_found),
		cmocka_unit_test(a_forward_becomes_what_it_names),
		cmocka_unit_test(sizes_and_alignments_are_known),
		cmocka_unit_test(one_long_name_of_many_types_is_refused),
		cmocka_unit_test(many_within_each_other_take_no_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
