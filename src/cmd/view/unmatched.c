/* SPDX-License-Identifier: Apache-2.0 */
/* unmatched.c - prints that no function matches, and which names are most like it. */
#include "cmd/view/unmatched.h"

#include "base/cleanup.h"
#include "calls/nearest_function.h"
#include "cmd/out/say.h"
#include "cmd/view/reading.h"

void fc_unmatched_say(const char *option, const char *glob, struct fc_reader *reader)
{
	struct fc_namer namer = fc_reading_namer(reader);
	fc_auto_free char *hint =
		fc_nearest_function_hint(glob, &namer, "fctrace report shows their names");
	fc_say("%s %s: no function that matches was called%s", option, glob, hint);
}
