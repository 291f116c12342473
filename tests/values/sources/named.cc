/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of C++ without debug information: their names tell some of what they are passed. */
#include <string>

#define HERE __attribute__((noipa))

volatile long sink;

namespace inner
{
HERE int count(int a, const char *b, double c, float d)
{
	sink = a;
	return b[0] + a + (int)(c + d);
}
} // namespace inner

struct shape {
	int width;
	std::string name;

	shape(int w, const char *n, bool is_large);
	~shape();
	int area(int k) const;
	std::string label(int k) const;
	static int made(int n);
};

HERE shape::shape(int w, const char *n, bool is_large) : width(w), name(n)
{
	sink = is_large;
}

HERE shape::~shape()
{
	sink = 0;
}

HERE int shape::area(int k) const
{
	sink = k;
	return width * k;
}

HERE std::string shape::label(int k) const
{
	sink = k;
	return name;
}

HERE int shape::made(int n)
{
	sink = n;
	return n + 1;
}

enum colour { RED, GREEN };

HERE int behind(unsigned char c, const std::string &s, colour e, int after)
{
	sink = after;
	return c + (int)s.size() + e;
}

HERE int plain(unsigned long u, const int &r, short *p, bool b, long double e, char16_t w)
{
	sink = b;
	return (int)(u + (unsigned)r + (unsigned)*p + (unsigned)e + w);
}

HERE std::string in_memory(int a, float f)
{
	sink = a;
	return std::to_string(f);
}

template <class T> HERE T added(T a, const T *b, unsigned c)
{
	sink = c;
	return a + *b;
}

struct base {
	int v;
};

struct derived : virtual base {
	derived(int a, int b);
};

HERE derived::derived(int a, int b)
{
	v = a;
	sink = b;
}

struct most : derived {
	most();
};

HERE most::most() : derived(4, 5)
{
	sink = 1;
}

int main()
{
	const std::string text = "text";
	int r = 17;
	short p = 3;
	long one = 1;
	double half = 0.5;

	inner::count(3, "abc", 2.5, 1.5F);
	{
		shape it(4, "square", true);
		it.area(6);
		it.label(9);
	}
	shape::made(11);
	behind('g', text, GREEN, 99);
	plain(1000, r, &p, true, 2.75L, u'x');
	in_memory(3, 1.25F);
	added(41L, &one, 5);
	added(1.5, &half, 6);
	derived alone(1, 2);
	most all;
	return alone.v + all.v != 5;
}
