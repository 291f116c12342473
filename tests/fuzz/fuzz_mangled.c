/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_mangled.c - any bytes as the name of a C++ function. What it tells is a function of a sound table
 * of types, with a place or none for each parameter.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "values/mangled.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void read_with(const char *symbol, bool has_plain_result, bool is_complete)
{
	struct fc_mangled_facts facts = { has_plain_result, is_complete };
	struct fc_types *types = fc_types_create(), *again;
	struct fc_signature signature;
	size_t nr;

	if (fc_mangled_read(&fc_arch_x86_64, symbol, &facts, types, &signature)) {
		require(signature.func && signature.nr && signature.nr <= FC_MAX_PARAMS);
		for (uint32_t i = 0; i < signature.nr; i++)
			require(signature.param[i].nr <= FC_MAX_PIECES &&
				!(signature.param[i].nr && signature.param[i].is_absent));
		const void *table = fc_types_bytes(types, &nr);
		require(!fc_types_load(table, nr, &again));
		fc_types_destroy(again);
	} else {
		require(!signature.func);
	}
	fc_types_destroy(types);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *symbol = fc_alloc(size + 3);
	memcpy(symbol, "_Z", 2);
	memcpy(symbol + 2, bytes, size);
	read_with(symbol, false, false);
	read_with(symbol, true, true);
	free(symbol);
	return 0;
}
