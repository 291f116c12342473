/* SPDX-License-Identifier: Apache-2.0 */
/* reasons.c - counts functions by how they are hooked and why not. */
#include "cmd/run/reasons.h"

#include <stdlib.h>
#include <string.h>

#include "calls/kinds.h"

void fc_reasons_add(struct fc_reasons *reasons, int how, const char *why, size_t nr)
{
	fc_vec_each (&reasons->list, reason)
		if (reason->how == how && !strcmp(reason->why, why)) {
			reason->nr += nr;
			return;
		}
	fc_vec_push(&reasons->list, (struct fc_reason){ how, why, nr });
}

void fc_reasons_json(const struct fc_reasons *reasons, struct fc_json *json)
{
	fc_json_open(json, "reasons", '[');
	fc_vec_each (&reasons->list, reason) {
		fc_json_open(json, NULL, '{');
		fc_json_string(json, "how", fc_how_word(reason->how));
		fc_json_string(json, "why", reason->why);
		fc_json_number(json, "functions", reason->nr);
		fc_json_close(json, '{');
	}
	fc_json_close(json, '[');
}

void fc_reasons_deinit(struct fc_reasons *reasons)
{
	fc_vec_free(&reasons->list);
}
