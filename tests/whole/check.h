/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - what programs share that check themselves: they end with 1 and a line where they are wrong. */
#ifndef TESTS_WHOLE_CHECK_H
#define TESTS_WHOLE_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                    \
	do {                                                                \
		if (!(condition)) {                                         \
			printf("wrong: line %d: %s\n", __LINE__, #condition); \
			exit(1);                                            \
		}                                                           \
	} while (0)

#endif
