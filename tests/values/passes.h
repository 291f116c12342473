/* SPDX-License-Identifier: Apache-2.0 */
enum color { RED, GREEN = 5, BLUE = -1 };
enum rights { R = 4, W = 2, X = 1 } __attribute__((flag_enum));
struct pair {
	int a;
	const char *text;
};
struct bits {
	unsigned low : 3;
	int high : 5;
	char letters[6];
};

int ints(signed char a, unsigned char b, short c, unsigned short d, int e, unsigned f);
long longs(long a, unsigned long b, _Bool c, char d);
double floats(float a, double b, int c);
float mixed(int a, float b, long c, double d, char e, double f);
long many(int a, int b, int c, int d, int e, int f, short g, long h, char i);
const char *text(const char *a, char *b);
enum color enums(enum color a, enum rights b);
void *pointers(void *a, const int *b, const struct pair *c, int (*d)(void));
void nothing(const struct bits *a);
int written(int *to, const int *from, unsigned long nr)
	__attribute__((access(write_only, 1, 3))) __attribute__((access(read_only, 2, 3)));
unsigned long fills(char *to, unsigned long size) __attribute__((access(write_only, 1, 2)));
int down(int n);
