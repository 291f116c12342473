/* SPDX-License-Identifier: Apache-2.0 */
/* reply.h - what server.c answers to a request, and client.c expects. */
#ifndef REPLY_H
#define REPLY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LENGTH_MAX = 4096, REPLY_MAX = LENGTH_MAX + 64 };

__attribute__((noinline)) static uint32_t next_number(uint32_t n)
{
	__asm__ volatile("");
	return n * 1664525u + 1013904223u;
}

/* Bytes of the reply. */
__attribute__((noinline)) static size_t make_reply(char text[REPLY_MAX], uint32_t seed,
						   size_t length)
{
	char body[LENGTH_MAX];
	uint32_t sum = 0;
	for (size_t i = 0; i < length; i++) {
		seed = next_number(seed);
		body[i] = (char)('a' + (seed >> 24) % 26);
		sum = sum * 31 + (uint32_t)body[i];
	}
	int head = sprintf(text, "%u %zu\n", sum, length);
	for (size_t i = 0; i < length; i++)
		text[head + i] = body[i];
	return head + length;
}

#endif
