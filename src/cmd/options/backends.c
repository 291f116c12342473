/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/backends.h"

#include "capture/step/step.h"
#include "capture/user/user.h"
#include "cmd/options/parse.h"

/* The first is used if nobody asks. --help and the man pages name them, too. */
static const struct fc_backend *const backends[] = { &fc_user_backend, &fc_step_backend };

enum { NR_BACKENDS = sizeof(backends) / sizeof(backends[0]) };

int fc_backend_find(const char *name, const struct fc_backend **ret)
{
	const char *names[NR_BACKENDS + 1] = { NULL };
	int at = 0;

	for (int i = 0; i < NR_BACKENDS; i++)
		names[i] = backends[i]->name;
	int err = fc_parse_word(name, names, &at);
	*ret = backends[at];
	return err;
}

const struct fc_backend *fc_backend_first(void)
{
	return backends[0];
}
