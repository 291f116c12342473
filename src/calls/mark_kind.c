/* SPDX-License-Identifier: Apache-2.0 */
#include "calls/mark_kind.h"

#include <stddef.h>
#include <string.h>

enum fc_mark_kind fc_mark_kind_of(const char *probe, const char **name)
{
	static const struct {
		const char *provider;
		enum fc_mark_kind kind;
	} kinds[] = {
		{ "fctrace_begin:", FC_MARK_IS_BEGIN },
		{ "fctrace_end:", FC_MARK_IS_END },
		{ "fctrace_counter:", FC_MARK_IS_COUNTER },
	};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t size = strlen(kinds[i].provider);
		if (strncmp(probe, kinds[i].provider, size))
			continue;
		*name = probe + size;
		return kinds[i].kind;
	}
	*name = probe;
	return FC_MARK_IS_NONE;
}
