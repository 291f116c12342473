/* SPDX-License-Identifier: Apache-2.0 */
/* app.c - small services for the views: messages, the current view, thread and range. */
#include "show/tui/app.h"

#include <stdarg.h>
#include <stdio.h>

void fc_app_say(struct fc_app *app, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(app->message, sizeof(app->message), fmt, ap);
	va_end(ap);
}

void fc_app_show(struct fc_app *app, int view)
{
	app->show(app, view);
}

void fc_app_set_thread(struct fc_app *app, int tid)
{
	app->set_thread(app, tid);
}

struct fc_range fc_app_range(const struct fc_app *app)
{
	const struct fc_jumps *jumps = &app->jumps;
	return jumps->nr_zooms ? jumps->zooms[jumps->nr_zooms - 1] : (struct fc_range){ 0 };
}

bool fc_app_draw_wait(const struct fc_errand *errand, int row)
{
	char text[FC_ROW_ROOM];

	if (!fc_errand_is_done(errand))
		snprintf(text, sizeof(text), "  reading all calls%s: %.0f %%",
			 fc_errand_range(errand)->to_tsc || fc_errand_range(errand)->from_tsc
				 ? " of this part"
				 : "",
			 100 * fc_errand_progress(errand));
	else if (fc_errand_trouble(errand))
		snprintf(text, sizeof(text), "  %s", fc_errand_trouble(errand));
	else
		return false;
	fc_screen_put(row, 0, fc_screen_width(), FC_LOOK_PLAIN, text);
	return true;
}
