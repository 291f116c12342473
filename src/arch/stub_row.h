/* SPDX-License-Identifier: Apache-2.0 */
/* stub_row.h - what each kind of stub is: a row of a table for each of enum fc_stub_kind. */
#ifndef FC_ARCH_STUB_ROW_H
#define FC_ARCH_STUB_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/abi.h"

enum fc_stub_shape {
	FC_SHAPE_CALL = 0, /* an entry and an exit: it returns to the stub */
	FC_SHAPE_ENTRY,	   /* an entry only */
	FC_SHAPE_PROBE,	   /* the same, called by what stands where a probe was */
	FC_SHAPE_COUNT,
	FC_SHAPE_EDGE,
};

struct fc_stub_row {
	uint8_t shape; /* enum fc_stub_shape: which code it has */
	uint8_t door;  /* of an entry: through which pointer of its pool it goes to the agent */
	uint8_t tells; /* what it tells the agent there: enum fca_unwind, enum fca_watch */
	uint8_t undo;  /* enum fca_undo: when its hook is taken out */
	bool records;  /* it records its calls itself; else the agent does, or nobody */
	bool has_switch;  /* it can be off, and stay where it is */
	bool is_counted;  /* where calls are only counted, a stub that counts stands for it */
	bool is_unwinder; /* it reads the return addresses of its callers */
	bool meets_stubs; /* it comes upon return addresses that stubs have replaced: it must be hooked */
};

/* Of a kind that there is not: of one that does nothing. */
const struct fc_stub_row *fc_stub_row(enum fc_stub_kind kind);

#endif
