/* SPDX-License-Identifier: Apache-2.0 */
/*
 * address_probes.h - addresses of sockets that system calls are given: the kernel copies each into memory of
 * its own, and then asks its security modules about it (security/security.c).
 *
 *	connect(3, 0x7ffd1c2b4a90, 16)
 *	   security_socket_connect(sock, { AF_INET, 127.0.0.1:80 }, 16)
 */
#ifndef FC_CAPTURE_KERNEL_ADDRESS_PROBES_H
#define FC_CAPTURE_KERNEL_ADDRESS_PROBES_H

#include "capture/kernel/probe_event.h"

#define FC_ADDRESS_PROBES_EVENT "address"
/* Its fields: how many bytes it has, and these, with what stands behind them. */
#define FC_ADDRESS_PROBES_SIZE	"size"
#define FC_ADDRESS_PROBES_BYTES "bytes"

/* As event. -errno with a sentence: there is none then. */
int fc_address_probes_add(const struct fc_probe_event *event);

#endif
