/* SPDX-License-Identifier: Apache-2.0 */
/* What it calls depends on its arguments, and on -DPLANTED, in ways that the suite knows. */
#include <stdlib.h>
#include <string.h>

#define CALLED __attribute__((noinline, noclone))
#define KEEP   __asm__ volatile("")

CALLED void leaf(void)
{
	KEEP;
}

CALLED void parse(int nr)
{
	for (int i = 0; i < nr; i++)
		leaf();
	KEEP;
}

#ifdef PLANTED
CALLED void check(void)
{
	leaf();
	KEEP;
}
#endif

CALLED void old_way(void)
{
	leaf();
	KEEP;
}

CALLED void new_way(void)
{
	parse(2);
	leaf();
	KEEP;
}

CALLED void step(void)
{
	parse(1);
	KEEP;
}

CALLED void store(int is_new)
{
	parse(4);
	if (is_new)
		new_way();
	else
		old_way();
#ifdef PLANTED
	check();
#endif
	parse(3);
	KEEP;
}

CALLED int deep(int n)
{
	int ret = n ? deep(n - 1) : 0;
	KEEP;
	return ret + 1;
}

/* planted same|way|loop|deep|many NUMBER */
int main(int argc, char **argv)
{
	const char *what = argv[1];
	int nr = argc > 2 ? atoi(argv[2]) : 3;

	parse(3);
	for (int i = 0; !strcmp(what, "loop") && i < nr; i++)
		step();
	for (int i = 0; !strcmp(what, "many") && i < nr; i++)
		parse(i % 1000 == 77 ? 2 : i % 10);
	if (!strcmp(what, "deep"))
		deep(nr);
	store(!strcmp(what, "way"));
	parse(5);
	return 0;
}
