/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_findings.c - any bytes as what the process has found out about functions that reads debug
 * information: it may have been taken over. What passes is functions of a sound table, each place
 * of a parameter one that there is.
 */
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "dwarf/findings.h"
#include "values/types.h"
#include "values/types_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_place(const struct fc_location *location)
{
	const struct fc_call_frame *frame = fc_arch_call_frame(62);
	require(location->nr <= FC_MAX_PIECES && (!location->nr || !location->is_absent));
	for (uint8_t i = 0; i < location->nr; i++) {
		const struct fc_piece *piece = &location->piece[i];
		require(piece->kind <= FC_PIECE_STACK && piece->size <= 1 << 20);
		require(piece->kind != FC_PIECE_INT || piece->reg < frame->nr_ints);
		require(piece->kind != FC_PIECE_STACK || piece->off >= frame->cfa_off);
	}
}

static void check_function(const struct fc_findings *findings, size_t i)
{
	const struct btf *btf = fc_types_btf(findings->types);
	struct fc_signature signature;
	fc_findings_get(findings, i, &signature);
	if (!signature.func)
		return;
	const struct btf_type *func = btf__type_by_id(btf, signature.func);
	require(func && btf_is_func(func));
	const struct btf_type *proto = btf__type_by_id(btf, func->type);
	require(proto && btf_is_func_proto(proto));
	require(signature.nr <= FC_MAX_PARAMS && signature.nr <= btf_vlen(proto));
	for (uint32_t n = 0; n < signature.nr; n++)
		check_place(&signature.param[n]);
}

static void check(const uint8_t *bytes, size_t size, size_t nr)
{
	struct fc_findings findings = { 0 };
	if (fc_findings_load(bytes, size, nr, fc_arch_call_frame(62), &findings)) {
		require(fc_fail_text()[0] && !findings.types);
		return;
	}
	require(findings.wrong < FC_DWARF_NR_WRONG);
	struct fc_found_split split;
	const uint8_t *at = findings.splits;
	while (fc_findings_next_split(&findings, &at, &split))
		require(split.name[0] && strlen(split.name) < FC_FOUND_PATH &&
			strlen(split.dir) < FC_FOUND_PATH && at <= bytes + size);
	require(at == bytes + size);
	for (size_t i = 0; i < nr; i++)
		check_function(&findings, i);
	fc_types_destroy(findings.types);
}

/* With a head that says where its parts are, and the head of a table. */
static void put_right(uint8_t *bytes, size_t size)
{
	struct fc_found_head head;
	struct btf_header types = { .magic = BTF_MAGIC,
				    .version = BTF_VERSION,
				    .hdr_len = sizeof(types) };
	if (size < sizeof(head))
		return;
	memcpy(&head, bytes, sizeof(head));
	head.wrong %= FC_DWARF_NR_WRONG;
	head.nr_functions %= 8;
	head.nr_places %= 16;
	head.splits_size %= 64;
	size_t before = sizeof(head) + head.nr_functions * sizeof(struct fc_found_function) +
			head.nr_places * sizeof(struct fc_found_place);
	if (size < before + sizeof(types) + head.splits_size)
		return;
	size -= head.splits_size;
	head.types_size = (uint32_t)(size - before);
	uint32_t left = head.types_size - (uint32_t)sizeof(types);
	types.type_len = left - left / 4;
	types.type_len -= types.type_len % 4;
	types.str_off = types.type_len;
	types.str_len = left - types.type_len;
	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + before, &types, sizeof(types));
	if (types.str_len)
		bytes[size - 1] = bytes[size - types.str_len] = 0;
}

/* The buffer ends where the bytes do: what reads on is told by the sanitizer. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fc_found_head head = { 0 };
	fc_auto_free uint8_t *at = fc_alloc(size + !size);
	memcpy(at, bytes, size);
	if (size >= sizeof(head))
		memcpy(&head, bytes, sizeof(head));
	check(at, size, head.nr_functions);
	put_right(at, size);
	if (size >= sizeof(head))
		memcpy(&head, at, sizeof(head));
	check(at, size, head.nr_functions);
	return 0;
}
