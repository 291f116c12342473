/* SPDX-License-Identifier: Apache-2.0 */
/* address_probes.c - one event of the three functions that hear of an address before it is used. */
#include "capture/kernel/address_probes.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>

#include "base/fail.h"
#include "capture/syscall/taken.h"

#define FETCH(size, at)                                                                        \
	FC_ADDRESS_PROBES_SIZE "=" size ":s32 " FC_ADDRESS_PROBES_BYTES "=" at ":u64[16]"

static_assert(FC_ADDRESS_ROOM == 16 * 8, "as many words as are fetched");

static const struct {
	const char *function, *fetch;
} rows[] = {
	{ "security_socket_connect", FETCH("$arg3", "+0($arg2)") },
	{ "security_socket_bind", FETCH("$arg3", "+0($arg2)") },
	/* A struct msghdr (include/linux/socket.h) begins with its pointer and its size; 0: it has none. */
	{ "security_socket_sendmsg", FETCH("+8($arg2)", "+0(+0($arg2))") },
};

int fc_address_probes_add(const struct fc_probe_event *event)
{
	size_t nr_added = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		nr_added += !fc_probe_event_add_entry(event, rows[i].function, rows[i].fetch);
	if (!nr_added)
		return fc_fail(ENOENT, "the kernel cannot be probed where it takes them: %s",
			       fc_fail_text());
	return fc_probe_event_turn_on(event);
}
