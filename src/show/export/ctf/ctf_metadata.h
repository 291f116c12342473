/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_metadata.h - what the events and packets of a CTF trace look like, said in TSDL. */
#ifndef FC_SHOW_EXPORT_CTF_CTF_METADATA_H
#define FC_SHOW_EXPORT_CTF_CTF_METADATA_H

#include <stdbool.h>

#include "base/stream.h"
#include "base/vec.h"
#include "calls/names.h"
#include "trace/reader.h"

/* The events of calls, by id. */
enum fc_ctf_event {
	FC_CTF_ENTER,
	FC_CTF_LEAVE,		     /* FC_CTF_LEAVE + enum fc_left, but for FC_LEFT_UNSEEN */
	FC_CTF_CALL = 6,	     /* entry only: its end is not observed */
	FC_CTF_OPEN = 7,	     /* was open when its strand begins: not entered here */
	FC_CTF_MARK = 8,	     /* FC_CTF_MARK + enum fc_mark: with a value */
	FC_CTF_VALUES = FC_CTF_MARK, /* no mark is 0: what the innermost call was given */
};

void fc_ctf_put_metadata(struct fc_stream *out, const struct fc_reader *reader,
			 struct fc_namer namer, const bool *is_used, size_t nr_used);

#endif
