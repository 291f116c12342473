/* SPDX-License-Identifier: Apache-2.0 */
/* Bit-fields of packed structs, some as wide as their types. */
struct __attribute__((packed)) mixed {
	unsigned char a : 1;
	unsigned long b : 48;
	int c : 6;
	signed char wide : 8;
	unsigned char wide_too : 8;
	unsigned long d : 48;
	int e;
};

__attribute__((noinline)) int take(const struct mixed *mixed)
{
	__asm__ volatile("" ::: "memory");
	return mixed->c;
}

int main(void)
{
	static struct mixed mixed = { 1, 194183003023092, 31, -106, 200, 235857288749380, -5 };
	return take(&mixed) - 31;
}
