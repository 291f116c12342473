/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/module/tell.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/clock.h"

void fc_tell_life(struct fc_tap *tap, int what, int pid, int tid, int other, int status,
		  const char *text)
{
	tap->life(tap, &(struct fc_life_info){
			       .life = what,
			       .pid = pid,
			       .tid = tid,
			       .other = other,
			       .status = status,
			       .tsc = fc_clock_tsc(),
			       .text = text ? text : "",
		       });
}

void fc_tell_map(struct fc_tap *tap, uint32_t module_id, int pid, uint64_t bias, uint64_t tsc)
{
	tap->map(tap, &(struct fc_map_info){
			      .module_id = module_id, .pid = pid, .taddr = bias, .tsc = tsc });
}

bool fc_tell_note(struct fc_said *said, struct fc_tap *tap, int pid, const char *sentence)
{
	fc_vec_each (&said->sentences, before)
		if (!strcmp(*before, sentence))
			return false;
	fc_vec_push(&said->sentences, fc_strdup(sentence));
	fc_tell_life(tap, FC_LIFE_SAY, pid, 0, 0, 0, sentence);
	return true;
}

void fc_tell_user(struct fc_said *said, const struct fc_user_opts *opts, struct fc_tap *tap,
		  int pid, const char *sentence)
{
	if (fc_tell_note(said, tap, pid, sentence))
		opts->say(opts->ctx, sentence);
}

void fc_said_deinit(struct fc_said *said)
{
	fc_vec_each (&said->sentences, sentence)
		free(*sentence);
	fc_vec_free(&said->sentences);
}
