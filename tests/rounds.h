/* SPDX-License-Identifier: Apache-2.0 */
/* How often a test goes round: few times in `make check`, many in `make check-long`. */
#ifndef TESTS_ROUNDS_H
#define TESTS_ROUNDS_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool is_long_form(void)
{
	const char *text = getenv("FCTRACE_LONG");
	return text && *text;
}

static inline int rounds(int few, int many)
{
	return is_long_form() ? many : few;
}

#endif
