/* SPDX-License-Identifier: Apache-2.0 */
/* sockaddr.c - formats socket addresses. */
#include "values/sockaddr.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/little.h"
#include "values/type.h"

/* Bytes from the begin of one, as Linux has them. */
enum {
	FAMILY = 2, /* its size */
	PORT = 2,
	ADDRESS = 4,
	ADDRESS_6 = 8,
	SCOPE_6 = 24,
	PATH = 2,
	DATA = 2,
};

bool fc_sockaddr_is(const struct fc_types *types, uint32_t type)
{
	struct fc_type what = fc_type_at(types, type);
	return what.kind == FC_TYPE_STRUCT && !strcmp(what.name, "sockaddr");
}

__attribute__((format(printf, 2, 3))) static void add(struct fc_sockaddr *ret,
						      const char *format, ...)
{
	size_t nr = strlen(ret->words);
	va_list ap;
	va_start(ap, format);
	vsnprintf(ret->words + nr, sizeof(ret->words) - nr, format, ap);
	va_end(ap);
}

static void add_port(struct fc_sockaddr *ret, const char *prefix, const uint8_t *at, size_t nr)
{
	if (nr < PORT + 2)
		add(ret, ", ...");
	else
		add(ret, ", .%s_port = htons(%u)", prefix, at[PORT] << 8 | at[PORT + 1]);
}

static void add_address(struct fc_sockaddr *ret, const char *prefix, int family,
			const uint8_t *at, bool is_there)
{
	char address[INET6_ADDRSTRLEN];
	if (is_there && inet_ntop(family, at, address, sizeof(address)))
		add(ret, ", .%s_addr = \"%s\"", prefix, address);
	else
		add(ret, ", ...");
}

static void add_other(struct fc_sockaddr *ret, unsigned family, size_t nr)
{
	static const struct {
		unsigned family;
		const char *name;
	} names[] = {
		{ AF_UNSPEC, "AF_UNSPEC" }, { AF_NETLINK, "AF_NETLINK" },
		{ AF_PACKET, "AF_PACKET" }, { AF_VSOCK, "AF_VSOCK" },
		{ AF_ALG, "AF_ALG" },	    { AF_BLUETOOTH, "AF_BLUETOOTH" },
		{ AF_CAN, "AF_CAN" },
	};
	const char *name = NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].family == family)
			name = names[i].name;
	if (name)
		add(ret, ".sa_family = %s", name);
	else
		add(ret, ".sa_family = %u", family);
	if (nr <= DATA)
		return;
	add(ret, ", .sa_data = ");
	ret->text = DATA;
}

void fc_sockaddr_read(const uint8_t *at, size_t nr, struct fc_sockaddr *ret)
{
	*ret = (struct fc_sockaddr){ 0 };
	if (nr < FAMILY) {
		add(ret, "...");
		return;
	}
	switch (fc_get_16(at)) {
	case AF_INET:
		add(ret, ".sin_family = AF_INET");
		add_port(ret, "sin", at, nr);
		add_address(ret, "sin", AF_INET, at + ADDRESS, nr >= ADDRESS + 4);
		break;
	case AF_INET6:
		add(ret, ".sin6_family = AF_INET6");
		add_port(ret, "sin6", at, nr);
		add_address(ret, "sin6", AF_INET6, at + ADDRESS_6, nr >= ADDRESS_6 + 16);
		if (nr >= SCOPE_6 + 4 && fc_get_32(at + SCOPE_6))
			add(ret, ", .sin6_scope_id = %u", fc_get_32(at + SCOPE_6));
		break;
	case AF_UNIX:
		add(ret, ".sun_family = AF_UNIX");
		if (nr <= PATH)
			break;
		add(ret, ", .sun_path = ");
		ret->text = PATH;
		break;
	default:
		add_other(ret, fc_get_16(at), nr);
		break;
	}
}
