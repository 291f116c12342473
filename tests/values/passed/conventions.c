/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are not called as the machine's ABI says, which the debug information may not tell. */
#define N __attribute__((noinline))
#define USE(what) __asm__ volatile("" ::"r"(what) : "memory")
struct pair {
	long a, b;
};
struct small {
	float a, b;
};

__attribute__((ms_abi)) N int win(int a, double b, const char *s, int d)
{
	USE(&a);
	return a + d + s[0] + (int)b;
}

__attribute__((ms_abi)) N long fifth(int a, int b, int c, int d, long e)
{
	USE(&e);
	return a + b + c + d + e;
}

__attribute__((ms_abi)) N struct small winpair(struct pair p)
{
	USE(&p);
	return (struct small){ (float)p.a, (float)p.b };
}

#ifdef __clang__
__attribute__((regcall)) int regcall(int a, struct pair p, double b) __asm__("regcall");
__attribute__((regcall)) N int regcall(int a, struct pair p, double b)
{
	USE(&a);
	return a + (int)p.a + (int)b;
}

/* LLVM 14 restores rax as well: it returns nothing. */
__attribute__((preserve_most)) N void preserve(int a, double b)
{
	USE(&a);
	USE(&b);
}
#endif

N int plain(int a, double b)
{
	USE(&a);
	return a + (int)b;
}

int main(void)
{
	int sum = win(1, 2.5, "three", 4) + (int)fifth(1, 2, 3, 4, 5);
	sum += (int)winpair((struct pair){ 1, 2 }).a + plain(3, 4.5);
#ifdef __clang__
	sum += regcall(1, (struct pair){ 2, 3 }, 4.5);
	preserve(5, 6.5);
#endif
	return sum == 0;
}
