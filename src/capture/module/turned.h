/* SPDX-License-Identifier: Apache-2.0 */
/* turned.h - functions at whose calls the recording of their thread begins or ends (--on, --off-at). */
#ifndef FC_CAPTURE_MODULE_TURNED_H
#define FC_CAPTURE_MODULE_TURNED_H

#include "base/vec.h"
#include "capture/opts.h"
#include "capture/patch/plan.h"

/* The plan of the file at path learns which of its functions do. Before fc_under_prune(). */
void fc_turned_find(const struct fc_turns *turns, struct fc_plan *plan, const char *path);

/* The globs, of these, that a function which has a hook matched. */
typedef FC_VEC(const char *) fc_turned_globs;

/* Its functions have ids now: which globs did they match? */
void fc_turned_note(const struct fc_turns *turns, const struct fc_plan *plan, const char *path,
		    fc_turned_globs *matched);
bool fc_turned_has_matched(const fc_turned_globs *matched, const char *glob);

#endif
