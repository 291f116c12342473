/* SPDX-License-Identifier: Apache-2.0 */
/* sockopt.c - names options of sockets and formats their values, as the kernel's headers have them. */
#include "values/sockopt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The kernel's uapi/linux/in.h, in6.h, socket.h. */
enum { LEVEL_IP = 0, LEVEL_SOCKET = 1, LEVEL_TCP = 6, LEVEL_IPV6 = 41 };

enum what {
	A_NUMBER = 0, /* of 32 bits */
	A_LINGER,
	A_TIME,
	A_CRED,
	BYTES,
};

struct sockopt {
	uint16_t level, number;
	uint8_t what;
	const char *name;
};

static const struct sockopt sockopts[] = {
	/* asm-generic/socket.h */
	{ LEVEL_SOCKET, 1, A_NUMBER, "SO_DEBUG" },
	{ LEVEL_SOCKET, 2, A_NUMBER, "SO_REUSEADDR" },
	{ LEVEL_SOCKET, 3, A_NUMBER, "SO_TYPE" },
	{ LEVEL_SOCKET, 4, A_NUMBER, "SO_ERROR" },
	{ LEVEL_SOCKET, 5, A_NUMBER, "SO_DONTROUTE" },
	{ LEVEL_SOCKET, 6, A_NUMBER, "SO_BROADCAST" },
	{ LEVEL_SOCKET, 7, A_NUMBER, "SO_SNDBUF" },
	{ LEVEL_SOCKET, 8, A_NUMBER, "SO_RCVBUF" },
	{ LEVEL_SOCKET, 9, A_NUMBER, "SO_KEEPALIVE" },
	{ LEVEL_SOCKET, 10, A_NUMBER, "SO_OOBINLINE" },
	{ LEVEL_SOCKET, 11, A_NUMBER, "SO_NO_CHECK" },
	{ LEVEL_SOCKET, 12, A_NUMBER, "SO_PRIORITY" },
	{ LEVEL_SOCKET, 13, A_LINGER, "SO_LINGER" },
	{ LEVEL_SOCKET, 15, A_NUMBER, "SO_REUSEPORT" },
	{ LEVEL_SOCKET, 16, A_NUMBER, "SO_PASSCRED" },
	{ LEVEL_SOCKET, 17, A_CRED, "SO_PEERCRED" },
	{ LEVEL_SOCKET, 18, A_NUMBER, "SO_RCVLOWAT" },
	{ LEVEL_SOCKET, 19, A_NUMBER, "SO_SNDLOWAT" },
	{ LEVEL_SOCKET, 20, A_TIME, "SO_RCVTIMEO" },
	{ LEVEL_SOCKET, 21, A_TIME, "SO_SNDTIMEO" },
	{ LEVEL_SOCKET, 25, BYTES, "SO_BINDTODEVICE" },
	{ LEVEL_SOCKET, 26, BYTES, "SO_ATTACH_FILTER" },
	{ LEVEL_SOCKET, 27, A_NUMBER, "SO_DETACH_FILTER" },
	{ LEVEL_SOCKET, 28, BYTES, "SO_PEERNAME" },
	{ LEVEL_SOCKET, 29, A_NUMBER, "SO_TIMESTAMP" },
	{ LEVEL_SOCKET, 30, A_NUMBER, "SO_ACCEPTCONN" },
	{ LEVEL_SOCKET, 31, BYTES, "SO_PEERSEC" },
	{ LEVEL_SOCKET, 32, A_NUMBER, "SO_SNDBUFFORCE" },
	{ LEVEL_SOCKET, 33, A_NUMBER, "SO_RCVBUFFORCE" },
	{ LEVEL_SOCKET, 34, A_NUMBER, "SO_PASSSEC" },
	{ LEVEL_SOCKET, 35, A_NUMBER, "SO_TIMESTAMPNS" },
	{ LEVEL_SOCKET, 36, A_NUMBER, "SO_MARK" },
	{ LEVEL_SOCKET, 37, A_NUMBER, "SO_TIMESTAMPING" },
	{ LEVEL_SOCKET, 38, A_NUMBER, "SO_PROTOCOL" },
	{ LEVEL_SOCKET, 39, A_NUMBER, "SO_DOMAIN" },
	{ LEVEL_SOCKET, 40, A_NUMBER, "SO_RXQ_OVFL" },
	{ LEVEL_SOCKET, 41, A_NUMBER, "SO_WIFI_STATUS" },
	{ LEVEL_SOCKET, 42, A_NUMBER, "SO_PEEK_OFF" },
	{ LEVEL_SOCKET, 43, A_NUMBER, "SO_NOFCS" },
	{ LEVEL_SOCKET, 44, A_NUMBER, "SO_LOCK_FILTER" },
	{ LEVEL_SOCKET, 45, A_NUMBER, "SO_SELECT_ERR_QUEUE" },
	{ LEVEL_SOCKET, 46, A_NUMBER, "SO_BUSY_POLL" },
	{ LEVEL_SOCKET, 47, BYTES, "SO_MAX_PACING_RATE" },
	{ LEVEL_SOCKET, 49, A_NUMBER, "SO_INCOMING_CPU" },
	{ LEVEL_SOCKET, 50, A_NUMBER, "SO_ATTACH_BPF" },
	{ LEVEL_SOCKET, 56, A_NUMBER, "SO_INCOMING_NAPI_ID" },
	{ LEVEL_SOCKET, 57, BYTES, "SO_COOKIE" },
	{ LEVEL_SOCKET, 59, BYTES, "SO_PEERGROUPS" },
	{ LEVEL_SOCKET, 60, A_NUMBER, "SO_ZEROCOPY" },
	{ LEVEL_SOCKET, 61, BYTES, "SO_TXTIME" },
	{ LEVEL_SOCKET, 62, BYTES, "SO_BINDTOIFINDEX" },
	{ LEVEL_SOCKET, 77, A_NUMBER, "SO_PEERPIDFD" },
	/* linux/tcp.h */
	{ LEVEL_TCP, 1, A_NUMBER, "TCP_NODELAY" },
	{ LEVEL_TCP, 2, A_NUMBER, "TCP_MAXSEG" },
	{ LEVEL_TCP, 3, A_NUMBER, "TCP_CORK" },
	{ LEVEL_TCP, 4, A_NUMBER, "TCP_KEEPIDLE" },
	{ LEVEL_TCP, 5, A_NUMBER, "TCP_KEEPINTVL" },
	{ LEVEL_TCP, 6, A_NUMBER, "TCP_KEEPCNT" },
	{ LEVEL_TCP, 7, A_NUMBER, "TCP_SYNCNT" },
	{ LEVEL_TCP, 8, A_NUMBER, "TCP_LINGER2" },
	{ LEVEL_TCP, 9, A_NUMBER, "TCP_DEFER_ACCEPT" },
	{ LEVEL_TCP, 10, A_NUMBER, "TCP_WINDOW_CLAMP" },
	{ LEVEL_TCP, 11, BYTES, "TCP_INFO" },
	{ LEVEL_TCP, 12, A_NUMBER, "TCP_QUICKACK" },
	{ LEVEL_TCP, 13, BYTES, "TCP_CONGESTION" },
	{ LEVEL_TCP, 14, BYTES, "TCP_MD5SIG" },
	{ LEVEL_TCP, 18, A_NUMBER, "TCP_USER_TIMEOUT" },
	{ LEVEL_TCP, 19, A_NUMBER, "TCP_REPAIR" },
	{ LEVEL_TCP, 23, A_NUMBER, "TCP_FASTOPEN" },
	{ LEVEL_TCP, 24, A_NUMBER, "TCP_TIMESTAMP" },
	{ LEVEL_TCP, 25, A_NUMBER, "TCP_NOTSENT_LOWAT" },
	{ LEVEL_TCP, 30, A_NUMBER, "TCP_FASTOPEN_CONNECT" },
	{ LEVEL_TCP, 31, BYTES, "TCP_ULP" },
	{ LEVEL_TCP, 36, A_NUMBER, "TCP_INQ" },
	/* linux/in.h */
	{ LEVEL_IP, 1, A_NUMBER, "IP_TOS" },
	{ LEVEL_IP, 2, A_NUMBER, "IP_TTL" },
	{ LEVEL_IP, 3, A_NUMBER, "IP_HDRINCL" },
	{ LEVEL_IP, 8, A_NUMBER, "IP_PKTINFO" },
	{ LEVEL_IP, 10, A_NUMBER, "IP_MTU_DISCOVER" },
	{ LEVEL_IP, 11, A_NUMBER, "IP_RECVERR" },
	{ LEVEL_IP, 12, A_NUMBER, "IP_RECVTTL" },
	{ LEVEL_IP, 13, A_NUMBER, "IP_RECVTOS" },
	{ LEVEL_IP, 14, A_NUMBER, "IP_MTU" },
	{ LEVEL_IP, 15, A_NUMBER, "IP_FREEBIND" },
	{ LEVEL_IP, 19, A_NUMBER, "IP_TRANSPARENT" },
	{ LEVEL_IP, 24, A_NUMBER, "IP_BIND_ADDRESS_NO_PORT" },
	{ LEVEL_IP, 32, BYTES, "IP_MULTICAST_IF" },
	{ LEVEL_IP, 33, A_NUMBER, "IP_MULTICAST_TTL" },
	{ LEVEL_IP, 34, A_NUMBER, "IP_MULTICAST_LOOP" },
	{ LEVEL_IP, 35, BYTES, "IP_ADD_MEMBERSHIP" },
	{ LEVEL_IP, 36, BYTES, "IP_DROP_MEMBERSHIP" },
	/* linux/in6.h */
	{ LEVEL_IPV6, 16, A_NUMBER, "IPV6_UNICAST_HOPS" },
	{ LEVEL_IPV6, 17, A_NUMBER, "IPV6_MULTICAST_IF" },
	{ LEVEL_IPV6, 18, A_NUMBER, "IPV6_MULTICAST_HOPS" },
	{ LEVEL_IPV6, 19, A_NUMBER, "IPV6_MULTICAST_LOOP" },
	{ LEVEL_IPV6, 20, BYTES, "IPV6_ADD_MEMBERSHIP" },
	{ LEVEL_IPV6, 23, A_NUMBER, "IPV6_MTU_DISCOVER" },
	{ LEVEL_IPV6, 24, A_NUMBER, "IPV6_MTU" },
	{ LEVEL_IPV6, 25, A_NUMBER, "IPV6_RECVERR" },
	{ LEVEL_IPV6, 26, A_NUMBER, "IPV6_V6ONLY" },
	{ LEVEL_IPV6, 49, A_NUMBER, "IPV6_RECVPKTINFO" },
	{ LEVEL_IPV6, 66, A_NUMBER, "IPV6_RECVTCLASS" },
	{ LEVEL_IPV6, 67, A_NUMBER, "IPV6_TCLASS" },
};

static const struct sockopt *find(int64_t level, int64_t number)
{
	for (size_t i = 0; i < sizeof(sockopts) / sizeof(sockopts[0]); i++)
		if (sockopts[i].level == level && sockopts[i].number == number)
			return &sockopts[i];
	return NULL;
}

bool fc_sockopt_params(const struct fc_types *types, uint32_t func,
		       struct fc_sockopt_params *ret)
{
	const char *tag = fc_types_tagged(types, func, "option");
	struct fc_sockopt_params *at = ret;
	if (!tag || sscanf(tag, "option(%u,%u,%u)", &at->level, &at->name, &at->value) != 3)
		return false;
	at->level--;
	at->name--;
	at->value--;
	return true;
}

const char *fc_sockopt_name(int64_t level, int64_t option)
{
	const struct sockopt *known = find(level, option);
	return known ? known->name : NULL;
}

static int64_t number(const uint8_t *at)
{
	int32_t ret;
	memcpy(&ret, at, sizeof(ret));
	return ret;
}

static int64_t word(const uint8_t *at)
{
	int64_t ret;
	memcpy(&ret, at, sizeof(ret));
	return ret;
}

bool fc_sockopt_value(int64_t level, int64_t option, const uint8_t *at, size_t nr, char *ret,
		      size_t size)
{
	enum { NUMBER = 4, LINGER = 8, CRED = 12, TIME = 16, SECOND = 4, THIRD = 8 };
	const struct sockopt *known = find(level, option);
	uint8_t what = known ? known->what : A_NUMBER;
	if (what == A_NUMBER && nr == NUMBER)
		snprintf(ret, size, "[%" PRId64 "]", number(at));
	else if (what == A_LINGER && nr == LINGER)
		snprintf(ret, size, "{.l_onoff = %" PRId64 ", .l_linger = %" PRId64 "}",
			 number(at), number(at + SECOND));
	else if (what == A_CRED && nr == CRED)
		snprintf(ret, size,
			 "{.pid = %" PRId64 ", .uid = %" PRIu32 ", .gid = %" PRIu32 "}",
			 number(at), (uint32_t)number(at + SECOND),
			 (uint32_t)number(at + THIRD));
	else if (what == A_TIME && nr == TIME)
		snprintf(ret, size, "{.tv_sec = %" PRId64 ", .tv_usec = %" PRId64 "}", word(at),
			 word(at + THIRD));
	else
		return false;
	return true;
}
