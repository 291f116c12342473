/* SPDX-License-Identifier: Apache-2.0 */
/*
 * taken.h - what the kernel has taken out of the program's memory for an open system call, as whoever sees
 * it do so tells: names of files, and the address of a socket.
 */
#ifndef FC_CAPTURE_SYSCALL_TAKEN_H
#define FC_CAPTURE_SYSCALL_TAKEN_H

#include <stdint.h>

#include "capture/syscall/paths.h"

enum { FC_ADDRESS_ROOM = 128 }; /* bytes of any address: sizeof(struct sockaddr_storage) */

/* Zeroed: nothing. */
struct fc_taken {
	struct fc_paths paths;
	uint16_t address_size; /* bytes of it; 0: none is known */
	uint8_t address[FC_ADDRESS_ROOM];
};

#endif
