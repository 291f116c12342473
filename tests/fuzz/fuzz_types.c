/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a table of types. What is taken can be asked for all that it has; it is the same
 * after its bytes have been loaded again.
 */
#include <bpf/btf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "values/types.h"
#include "values/types_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

/* One of every kind, to begin with. */
static struct fc_types *make_table(void)
{
	struct fc_types *types = fc_types_create();
	uint32_t integer = fc_types_number(types, "int", 4, FC_NUMBER_SIGNED);
	uint32_t real = fc_types_float(types, "double", 8);
	uint32_t chars = fc_types_pointer(
		types,
		fc_types_const(types, fc_types_number(types, "char", 1, FC_NUMBER_CHAR)));
	uint32_t array = fc_types_array(types, integer, 3);
	uint32_t node = fc_types_pointer(types, fc_types_forward(types, "node", false));
	const struct fc_enumerator some[] = { { "A", 0 }, { "B", -1 } };
	const struct fc_enumerator wide[] = { { "C", INT64_MAX } };
	uint32_t flags = fc_types_enum(types, "flags", 4, true, some, 2);
	const struct fc_member members[] = {
		{ "next", node, 0, 0 },	    { "low", integer, 64, 3 },
		{ "high", integer, 67, 9 }, { "values", array, 96, 0 },
		{ "real", real, 192, 0 },   { "", flags, 256, 0 },
	};
	uint32_t its = fc_types_struct(types, "node", false, 40, 8, members, 6);
	const struct fc_param params[] = { { "node", fc_types_typedef(types, "t", its) },
					   { "", chars } };
	uint32_t proto = fc_types_proto(types, integer, params, 2, true);

	fc_types_tag(types, fc_types_func(types, "f", proto), "format(printf,2,3)");
	fc_types_tag(types, fc_types_enum(types, "", 8, false, wide, 1), "flag_enum");
	fc_types_struct(types, "both", true, 8, 8, members, 1);
	return types;
}

static void ask(const struct fc_types *types)
{
	const struct btf *btf = fc_types_btf(types);

	for (uint32_t id = 0; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		/* To look for a name moves them. */
		char *name = fc_strdup(btf__name_by_offset(btf, type->name_off));
		bool is_func = btf_kind(type) == BTF_KIND_FUNC && *name;
		uint32_t align = fc_types_align(types, id);

		require(!(align & (align - 1)));
		require(fc_types_resolve(types, id) < btf__type_cnt(btf));
		fc_types_size(types, id);
		fc_types_tagged(types, id, "format");
		require(!is_func || fc_types_find_func(types, name));
		fc_types_find_tag(types, name);
		fc_types_find_typedef(types, name);
		free(name);
	}
}

static size_t copy_table(uint8_t *data, size_t most)
{
	struct fc_types *types = make_table();
	size_t size;
	const void *bytes = fc_types_bytes(types, &size);

	size = size < most ? size : most;
	memcpy(data, bytes, size);
	fc_types_destroy(types);
	return size;
}

/*
 * Most bytes are no table: it begins with one that fctrace made, and its head fits its parts, and
 * the text after it ends.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	struct btf_header head;

	if (size < sizeof(head) + 2)
		return copy_table(data, most);
	size = LLVMFuzzerMutate(data, size, most);
	if (seed % 4 == 0 || size < sizeof(head) + 2)
		return size;
	memcpy(&head, data, sizeof(head));
	uint32_t rest = (uint32_t)(size - sizeof(head));
	head = (struct btf_header){ .magic = 0xeb9f,
				    .version = 1,
				    .hdr_len = sizeof(head),
				    .type_len = head.type_len % (rest - 1) / 4 * 4 };
	head.str_off = head.type_len;
	head.str_len = rest - head.type_len;
	memcpy(data, &head, sizeof(head));
	data[sizeof(head) + head.str_off] = 0;
	data[size - 1] = 0;
	return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fc_types *types, *again;
	size_t nr, nr_again;

	if (!size) { /* libFuzzer begins with this: a table that fctrace made */
		types = make_table();
	} else if (fc_types_load(bytes, size, &types)) {
		return 0;
	}
	ask(types);
	const void *its = fc_types_bytes(types, &nr);
	require(fc_types_load(its, nr, &again) == 0);
	const void *others = fc_types_bytes(again, &nr_again);
	require(nr == nr_again && !memcmp(its, others, nr));
	ask(again);
	fc_types_destroy(again);
	fc_types_destroy(types);
	return 0;
}
