/* SPDX-License-Identifier: Apache-2.0 */
/* passed.c - static probes with arguments of each size and kind; prints what each is given, as fctrace should. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sdt.h>

struct item {
	int8_t byte;
	int16_t half;
	int32_t word;
	int64_t wide;
	const char *text;
};

static volatile int sink;
static double table[4] = { 0.5, 1.5, 2.5, 3.5 };

/* A leaf with variables in the red zone. */
__attribute__((noinline)) static int leaf(int a, int b)
{
	volatile int here[8] = { a, b, a + b, a - b, 4, 5, 6, 7 };
	STAP_PROBE2(test, leaf, here[2], b);
	return here[0] + here[1] + here[2] + here[3] + here[4] + here[5] + here[6] + here[7];
}

/* The probe is behind a comparison that the next branch uses, and in a loop. */
__attribute__((noinline)) static int sum(const int *values, int nr)
{
	int all = 0;
	for (int i = 0; i < nr; i++) {
		STAP_PROBE3(test, round, i, values[i], all);
		if (values[i] & 1)
			all += values[i];
		else
			all -= i;
	}
	return all;
}

__attribute__((noinline)) static void fields(const struct item *item, int i)
{
	STAP_PROBE4(test, fields, item->byte, item->half, item->word, item->wide);
	STAP_PROBE1(test, none_signed, (uint8_t)item->byte);
	STAP_PROBE1(test, number, -7);
	STAP_PROBE(test, empty);
	STAP_PROBE1(test, text, item->text);
	sink += i;
}

__attribute__((noinline)) static long many(long a, long b, long c, long d, long e, long f,
					   long g, long h)
{
	STAP_PROBE12(test, many, a, b, c, d, e, f, g, h, a + b, c + d, e + f, g + h);
	return a + b + c + d + e + f + g + h;
}

/* The cases of a switch, each with a probe at its start. */
__attribute__((noinline)) static int choose(int which)
{
	int ret = 0;
	switch (which) {
	case 0:
		STAP_PROBE1(test, zero, which);
		ret = 5;
		/* fall through */
	case 1:
		STAP_PROBE1(test, one, which);
		ret += 6;
		break;
	case 2:
		STAP_PROBE1(test, two, which);
		/* fall through */
	case 3:
		ret += 7;
		break;
	case 4:
		STAP_PROBE1(test, four, which);
		ret += 8;
		/* fall through */
	case 5:
		ret += sink;
		break;
	default:
		ret = -1;
	}
	return ret;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 3, values[4] = { 3, 4, 8, 9 };
	for (int i = 0; i < nr; i++) {
		struct item item = { (int8_t)-i, (int16_t)(-1000 * i), 100000 * i,
				     -(INT64_C(1) << 40) * i, "a text" };
		int got = leaf(i, 2 * i);
		printf("leaf %d %d\n", 3 * i, 2 * i);
		int all = sum(values, 4);
		for (int k = 0, so_far = 0; k < 4; k++) {
			printf("round %d %d %d\n", k, values[k], so_far);
			so_far += values[k] & 1 ? values[k] : -k;
		}
		fields(&item, i);
		printf("fields %d %d %d %lld\n", item.byte, item.half, item.word,
		       (long long)item.wide);
		printf("none_signed %d\nnumber -7\nempty\ntext %p\n", (uint8_t)item.byte,
		       (void *)item.text);
		long sums = many(i, 2, 3, -4, 5, 6, 7, 8);
		printf("many %d 2 3 -4 5 6 7 8 %d -1 11 15\n", i, i + 2);
		int chosen = 0;
		for (int k = 0; k < 7; k++)
			chosen += choose(k);
		printf("zero 0\none 0\none 1\ntwo 2\nfour 4\n");
		fprintf(stderr, "%d %d %ld %d %g\n", got, all, sums, chosen, table[i % 4]);
	}
	return 7;
}
