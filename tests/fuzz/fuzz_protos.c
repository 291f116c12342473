/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_protos.c - any text as a file of C declarations. What is read is a sound table of types, also
 * when it goes through a file.
 */
#include <stdlib.h>

#include "values/proto/protos.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fc_types *types, *again;
	size_t nr;
	if (fc_protos_read("fuzz.h", (const char *)bytes, size, &types))
		return 0;
	const void *table = fc_types_bytes(types, &nr);
	if (fc_types_load(table, nr, &again))
		abort();
	fc_types_destroy(again);
	fc_types_destroy(types);
	return 0;
}
