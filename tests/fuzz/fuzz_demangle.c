/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_demangle.c - any bytes are safe as a function's name: shown in every form, and soon. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_name(const char *name)
{
	for (int form = FC_DEMANGLE_SIMPLE; form <= FC_DEMANGLE_NO; form++) {
		char *text = fc_demangle(name, form);
		if (text && (!text[0] || form == FC_DEMANGLE_NO))
			abort();
		free(text);
	}
}

/* Most mutations would break the head: it is put before them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const heads[] = { "", "_Z", "_ZN", "_R", "_RNv" };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		char *name = fc_asprintf("%s%.*s", heads[i], (int)size, (const char *)data);
		try_name(name);
		free(name);
	}
	return 0;
}
