/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of which nobody knows anything: stripped, and without a declaration. */
#include <stdio.h>

#define HERE __attribute__((noipa))

HERE long mixed(const char *text, short number, double real, long c, long d, long e, long f,
		int seven, float narrow)
{
	__asm__ volatile("nop;nop;nop;nop;nop");
	return number + seven + (long)(real + narrow) + c + d + e + f + text[0];
}

HERE float extended(char letter, long double number)
{
	__asm__ volatile("nop;nop;nop;nop;nop");
	return (float)((long double)letter + number);
}

HERE const char *word(unsigned mode, const unsigned char *bytes)
{
	__asm__ volatile("nop;nop;nop;nop;nop");
	return mode ? (const char *)bytes : NULL;
}

int main(void)
{
	mixed("text", -5, 2.5, 1, 2, 3, 4, 77, 1.25F);
	extended('a', 3.75L);
	word(0755, (const unsigned char *)"bytes");
	word(0, NULL);
	return 0;
}
