// SPDX-License-Identifier: Apache-2.0
// Strings and lists of C++, passed and returned in all ways. It prints its own calls.
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#define CALLED	 __attribute__((noinline, used))
#define SAY(...) printf(__VA_ARGS__), fflush(stdout)
#define KEEP	 asm volatile("" ::: "memory")

CALLED int by_value(std::string s)
{
	KEEP;
	return (int)s.size();
}
CALLED int by_reference(const std::string &s)
{
	KEEP;
	return (int)s.size();
}
CALLED int by_pointer(const std::string *s)
{
	KEEP;
	return (int)s->size();
}
CALLED int views(std::string_view s, int n)
{
	KEEP;
	return (int)s.size() + n;
}
CALLED int numbers(const std::vector<int> &v)
{
	KEEP;
	return (int)v.size();
}
CALLED int texts(const std::vector<std::string> &v)
{
	KEEP;
	return (int)v.size();
}
CALLED int flags(const std::vector<bool> &v)
{
	KEEP;
	return (int)v.size();
}
CALLED void written(std::string &s)
{
	**(char **)&s = 'W';
	KEEP;
}
CALLED int taken(std::string &&s)
{
	**(char **)&s = 'T';
	KEEP;
	return 1;
}
CALLED int looked(const std::string *s, const std::vector<int> *v)
{
	KEEP;
	return s && v;
}
CALLED int logs_in(const std::string &user, const std::string &password)
{
	KEEP;
	return (int)(user.size() - password.size());
}
CALLED int letter(const char &c, char &&d)
{
	KEEP;
	return c + d;
}
CALLED int points(const char *const &s)
{
	KEEP;
	return !!s;
}

struct named {
	int number;
	std::string name;
	__attribute__((noinline, used)) int length(const std::string &more) const;
	__attribute__((noinline, used)) int rename(const std::string &to);
};
int named::length(const std::string &more) const
{
	KEEP;
	return (int)(name.size() + more.size());
}
int named::rename(const std::string &to)
{
	KEEP;
	return (int)to.size() + number;
}

CALLED std::string made(int n)
{
	return std::string((size_t)n, 'x');
}
CALLED std::vector<double> listed(int n)
{
	return std::vector<double>((size_t)n, 0.5);
}

int main()
{
	std::string little = "little", large = "one that is on the heap, and long", none;
	std::vector<int> few{ 1, -2, 3 }, many(1000, 7), nothing;
	std::vector<std::string> two{ little, large };

	SAY("letter('l', 'Q') = 189\n"), letter(little[0], 'Q');
	SAY("by_value(\"little\") = 6\n"), by_value(little);
	SAY("by_value(\"one that is on the heap, and lon\"...) = 33\n"), by_value(large);
	SAY("by_reference(\"little\") = 6\n"), by_reference(little);
	SAY("by_reference(\"one that is on the heap, and lon\"...) = 33\n"),
		by_reference(large);
	SAY("by_reference(\"\") = 0\n"), by_reference(none);
	SAY("by_reference(\"a\\000b\") = 3\n"), by_reference(std::string("a\0b", 3));
	SAY("by_pointer(\"little\") = 6\n"), by_pointer(&little);
	SAY("views(\"tl\", 3) = 5\n"),
		views(std::string_view(little).substr(3, 2).data() ? std::string_view("tl")
								   : "",
		      3);
	SAY("views(\"\", 0) = 0\n"), views(std::string_view(), 0);
	SAY("numbers(vector(3) {1, -2, 3}) = 3\n"), numbers(few);
	SAY("numbers(vector(1000) {7, 7, 7, 7, 7, 7, 7, 7, ...}) = 1000\n"), numbers(many);
	SAY("numbers(vector(0) {}) = 0\n"), numbers(nothing);
	SAY("texts(vector(2) {\"little\", \"one that is on the heap, and lon\"...}) = 2\n"),
		texts(two);
	SAY("written(\"Written\")\n");
	std::string out = "written";
	written(out);
	SAY("taken(\"taken\") = 1\n"), taken(std::string("taken"));
	SAY("logs_in(\"anna\", <masked>) = -2\n"), logs_in("anna", "secret");
	const char *plain = "plain";
	SAY("points([\"plain\"]) = 1\n"), points(plain);
	struct named x = { 4, "wide" };
	SAY("named::length({.number = 4, .name = \"wide\"}, \"little\") = 10\n"),
		x.length(little);
	SAY("named::rename(0xPOINTER, \"little\") = 10\n"), x.rename(little);
	SAY("made(3) = \"xxx\"\n"), made(3);
	SAY("made(33) = \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"...\n"), made(33);
	SAY("listed(2) = vector(2) {0.5, 0.5}\n"), listed(2);

	/* What is none: its fields are shown. */
	struct {
		const void *at;
		size_t size;
		char rest[16];
	} bad[] = {
		{ (void *)16, 5, "" },
		{ (void *)0x7fffffffe000, 5, "" },
		{ nullptr, 5, "" },
		{ "text", ~(size_t)0, "" },
	};
	struct {
		const void *at, *end, *room;
	} worse[] = {
		{ (void *)16, (void *)32, nullptr },
		{ (void *)32, (void *)16, nullptr },
		{ nullptr, (void *)-1, nullptr },
		{ &few[0], (char *)&few[0] + 6, nullptr },
	};
	asm volatile("" : : "r"(bad), "r"(worse) : "memory");
	for (int i = 0; i < 4; i++)
		looked((std::string *)&bad[i], (std::vector<int> *)&worse[i]);
	return 0;
}
