/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request.h - what `fctrace ctl` asks of a running fctrace: words, each ended by a NUL, in one
 * message. The answer is a message too: the digit of its exit status, then a text.
 */
#ifndef FC_CAPTURE_USER_REQUEST_H
#define FC_CAPTURE_USER_REQUEST_H

#include <stddef.h>

enum {
	FC_REQUEST_MAX = 32 << 10, /* bytes */
	FC_REQUEST_WORDS = 512,
	FC_ANSWER_MAX = 64 << 10,
};

struct fc_request {
	char *bytes;
	const char *words[FC_REQUEST_WORDS + 1]; /* NULL-terminated; the first is the command */
	size_t nr;
};

/* -EINVAL with a sentence: it is none. The bytes are copied. */
int fc_request_parse(const char *bytes, size_t size, struct fc_request *ret);
void fc_request_deinit(struct fc_request *request);

#endif
