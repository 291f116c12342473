/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: a sleep that somebody left in. */
#include "work.h"

ALONE void retry_later(void)
{
	usleep(700000);
}

ALONE unsigned send_report(unsigned x)
{
	x = spin(x, 10000);
	retry_later();
	return x;
}

int main(void)
{
	printf("%u\n", send_report(7));
	return 0;
}
