/* SPDX-License-Identifier: Apache-2.0 */
/* fail.h - what went wrong, in one sentence that goes up with the errno. */
#ifndef FC_BASE_FAIL_H
#define FC_BASE_FAIL_H

#include <stdarg.h>

/*
 * Leave a sentence where the facts are and return -err (err > 0).
 * The sentence belongs to the calling thread and replaces the one before it.
 */
__attribute__((format(printf, 2, 3))) int fc_fail(int err, const char *fmt, ...);

/* -EINVAL: "TEXT: column N: ...", where at is within what somebody has typed. */
__attribute__((format(printf, 3, 0))) int fc_fail_at(const char *text, const char *at,
						     const char *fmt, va_list ap);

/* On the way up: put "what we were doing: " before the sentence; returns ret unchanged. */
__attribute__((format(printf, 2, 3))) int fc_fail_while(int ret, const char *fmt, ...);

/* The sentence of this thread, or "" if none was left. */
const char *fc_fail_text(void);

/* Forget the sentence (an error that was handled). */
void fc_fail_clear(void);

#endif
