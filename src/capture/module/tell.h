/* SPDX-License-Identifier: Apache-2.0 */
/* tell.h - what a session tells beside its calls: what becomes of processes, and sentences. */
#ifndef FC_CAPTURE_MODULE_TELL_H
#define FC_CAPTURE_MODULE_TELL_H

#include "base/vec.h"
#include "capture/opts.h"

/* It happens now: as struct fc_life_info. text may be NULL: there is none. */
void fc_tell_life(struct fc_tap *tap, int what, int pid, int tid, int other, int status,
		  const char *text);

/* A module was mapped into process pid at tsc: bias is what to add to a vaddr of it. */
void fc_tell_map(struct fc_tap *tap, uint32_t module_id, int pid, uint64_t bias, uint64_t tsc);

/* What a session has said: each sentence once. Zeroed: nothing. */
struct fc_said {
	FC_VEC(char *) sentences;
};

/* Tell the trace alone. True: it was not said before. */
bool fc_tell_note(struct fc_said *said, struct fc_tap *tap, int pid, const char *sentence);
/* Tell the user and the trace. */
void fc_tell_user(struct fc_said *said, const struct fc_user_opts *opts, struct fc_tap *tap,
		  int pid, const char *sentence);
void fc_said_deinit(struct fc_said *said);

#endif
