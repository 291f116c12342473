/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text: those that are too large say so by errno, and the largest one is none of them. */
#include <errno.h>
#include <stdlib.h>

static volatile int sink;

__attribute__((noipa)) void in_range(void)
{
	char *end;
	errno = ENOENT; /* of what was before */
	sink = strtol("9223372036854775807", &end, 10) > 0;
	sink = strtol("-9223372036854775808", NULL, 10) > 0;
	sink = strtoul("18446744073709551615", NULL, 10) > 0;
	sink = strtol("-1", NULL, 10) > 0;
	sink = strtod("inf", NULL) > 0;
	sink = strtof("1.5", NULL) > 0;
}

__attribute__((noipa)) void beyond(void)
{
	char *end;
	errno = 0;
	sink = strtol("9223372036854775808", &end, 10) > 0;
	sink = strtoll("-9223372036854775809", NULL, 10) > 0;
	sink = strtoul("18446744073709551616", NULL, 10) > 0;
	sink = strtod("1e999", NULL) > 0;
	sink = strtof("-1e99", NULL) > 0;
}

int main(void)
{
	in_range();
	beyond();
	return 0;
}
