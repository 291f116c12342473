/* SPDX-License-Identifier: Apache-2.0 */
/* sockaddr.h - addresses of sockets, as their families lay them out. */
#ifndef FC_VALUES_SOCKADDR_H
#define FC_VALUES_SOCKADDR_H

#include "values/types.h"

/* ".sin_family = AF_INET, .sin_port = htons(80), .sin_addr = "127.0.0.1"" */
struct fc_sockaddr {
	char words[160];
	size_t text; /* the address' byte from which on a text follows these words; 0: none does */
};

/* Is it "struct sockaddr", which stands for all of them? */
bool fc_sockaddr_is(const struct fc_types *types, uint32_t type);
/* Read a socket address from nr bytes; what is missing is "...". */
void fc_sockaddr_read(const uint8_t *at, size_t nr, struct fc_sockaddr *ret);

#endif
