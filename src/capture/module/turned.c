/* SPDX-License-Identifier: Apache-2.0 */
/* turned.c - finds the functions that --on and --off-at name. */
#include "capture/module/turned.h"

#include "capture/agent/abi.h"
#include "capture/module/under.h"

struct finding {
	const struct fc_turns *turns;
	const char *path;
};

/* What both name turns it on: --off-at '*' is then about all others. */
static uint8_t turn_of(void *ctx, const struct fc_func_info *func)
{
	const struct finding *finding = ctx;
	if (fc_under_is_named(finding->turns->on, finding->path, func))
		return FCA_SWITCH_ON;
	if (fc_under_is_named(finding->turns->off_at, finding->path, func))
		return FCA_SWITCH_OFF;
	return 0;
}

void fc_turned_find(const struct fc_turns *turns, struct fc_plan *plan, const char *path)
{
	struct finding finding = { turns, path };
	if (turns->on || turns->off_at)
		fc_plan_turn(plan, turn_of, &finding);
}

bool fc_turned_has_matched(const fc_turned_globs *matched, const char *glob)
{
	for (size_t i = 0; i < matched->nr; i++)
		if (matched->at[i] == glob)
			return true;
	return false;
}

static void note(char **globs, const struct fc_plan *plan, const char *path,
		 fc_turned_globs *matched)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(plan, &nr);
	for (; globs && *globs; globs++) {
		char *only[] = { *globs, NULL };
		size_t i = fc_turned_has_matched(matched, *globs) ? nr : 0;
		while (i < nr && !(fc_plan_is_turned(plan, i) &&
				   fc_under_is_named(only, path, &funcs[i])))
			i++;
		if (i < nr)
			fc_vec_push(matched, *globs);
	}
}

void fc_turned_note(const struct fc_turns *turns, const struct fc_plan *plan, const char *path,
		    fc_turned_globs *matched)
{
	note(turns->on, plan, path, matched);
	note(turns->off_at, plan, path, matched);
}
