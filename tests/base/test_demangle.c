/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ and Rust functions: what people see of a symbol. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/demangle.h"
#include "base/memory.h"

struct name {
	const char *symbol, *full, *simple;
};

static const struct name names[] = {
	{ "_ZNSt6vectorIiSaIiEE9push_backEOi",
	  "std::vector<int, std::allocator<int> >::push_back(int&&)",
	  "std::vector::push_back" },
	{ "_Z3absd", "abs(double)", "abs" },
	/* The return type of a template is part of its full name only. */
	{ "_Z4pickIiET_S0_", "int pick<int>(int)", "pick" },
	{ "_Z3tfpIiEPFvcET_", "void (*tfp<int>(int))(char)", "tfp" },
	/* Operators keep their brackets. */
	{ "_ZNK1AltIiEEbT_", "bool A::operator< <int>(int) const", "A::operator<" },
	{ "_ZN1AlsIdEET_S1_", "double A::operator<< <double>(double)", "A::operator<<" },
	{ "_ZNK1AclEi", "A::operator()(int) const", "A::operator()" },
	{ "_ZNKR1AixEi", "A::operator[](int) const &", "A::operator[]" },
	{ "_ZN1AptEv", "A::operator->()", "A::operator->" },
	{ "_ZNK1AcvSt6vectorIiSaIiEEEv",
	  "A::operator std::vector<int, std::allocator<int> >() const",
	  "A::operator std::vector" },
	{ "_ZN12_GLOBAL__N_14anonEi", "(anonymous namespace)::anon(int)",
	  "(anonymous namespace)::anon" },
	/* What lies within a function. */
	{ "_ZZ2tmIiEvT_ENKUliE_clEi", "tm<int>(int)::{lambda(int)#1}::operator()(int) const",
	  "tm::{lambda()#1}::operator()" },
	{ "_ZThn8_N1B1fEv", "non-virtual thunk to B::f()", "non-virtual thunk to B::f" },
	{ "_ZGVZ2tmIiEvT_E1x", "guard variable for tm<int>(int)::x",
	  "guard variable for tm::x" },
	{ "_Z3fooi.cold", "foo(int) [clone .cold]", "foo [clone .cold]" },
	{ "_Z3absB5cxx11v", "abs[abi:cxx11]()", "abs" },
	/* "Less than" between template arguments is no bracket. */
	{ "_Z1fILb1EEv1AIXgtLi2ELi1EEE", "void f<true>(A<((2)>(1))>)", "f" },
	/* Rust: the older names, and those of version 0. */
	{ "_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE",
	  "core::fmt::Formatter::write_str", "core::fmt::Formatter::write_str" },
	{ "_ZN58_$LT$alloc..string..String$u20$as$u20$core..fmt..Debug$GT$"
	  "3fmt17h0123456789abcdefE",
	  "<alloc::string::String as core::fmt::Debug>::fmt",
	  "<alloc::string::String as core::fmt::Debug>::fmt" },
	{ "_RINvCs6GmmlP4bgsG_1r3genINtB2_1SINtNtCslNYArtu3iFV_5alloc3vec3VeclEEEB2_",
	  "r::gen::<r::S<alloc::vec::Vec<i32>>>", "r::gen" },
	{ "_RINvMs5_NtNtCsjrHSEGnQ3l9_3std2io5errorNtB6_5Error3newReEBa_",
	  "<std::io::error::Error>::new::<&str>", "<std::io::error::Error>::new" },
	{ "_RNvNtCs6GmmlP4bgsG_1ru9gre_6ka8iu8lnge_loa", "r::größe::länge", "r::größe::länge" },
};

static void same(const char *symbol, enum fc_demangle form, const char *expected)
{
	fc_auto_free char *name = fc_demangle(symbol, form);

	if (expected && name)
		assert_string_equal(name, expected);
	else if (name || expected)
		fail_msg("%s: %s instead of %s", symbol, name ? name : "(none)",
			 expected ? expected : "(none)");
}

static void symbols_are_shown_as_people_write_them(void **state)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		same(names[i].symbol, FC_DEMANGLE_FULL, names[i].full);
		same(names[i].symbol, FC_DEMANGLE_SIMPLE, names[i].simple);
		same(names[i].symbol, FC_DEMANGLE_NO, NULL);
	}
}

static void what_is_not_mangled_stays(void **state)
{
	static const char *const plain[] = { "",   "_",	     "main",	   "_Z",
					     "_R", "_ZN3fo", "_ZN3fooE\1", "i" };

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		for (int form = FC_DEMANGLE_SIMPLE; form <= FC_DEMANGLE_NO; form++)
			same(plain[i], form, NULL);
}

static char *repeated(const char *head, const char *unit, size_t nr, const char *tail)
{
	char *text = fc_alloc(strlen(head) + nr * strlen(unit) + strlen(tail) + 1);
	char *at = stpcpy(text, head);
	while (nr--)
		at = stpcpy(at, unit);
	stpcpy(at, tail);
	return text;
}

static void deep_names_do_not_eat_the_stack(void **state)
{
	static const struct {
		const char *head, *unit, *tail;
	} deep[] = {
		{ "_Z1f", "P", "i" },	     { "_Z1f", "1AI", "i" }, { "_Z1f", "FPF", "i" },
		{ "_Z1fX", "sr", "1a" },     { "_Z1fI", "J", "" },   { "_RNvC", "NvC", "1a1b" },
		{ "_RINvC1a1b", "T", "E" },  { "_RMC0", "R", "e" },  { "_Z", "Z", "1fE" },
		{ "_Z1fDT", "cvi", "fp_E" }, { "_RI", "I", "C1a" },  { "_ZN", "1a", "E" },
	};

	for (size_t i = 0; i < sizeof(deep) / sizeof(deep[0]); i++) {
		for (size_t nr = 1; nr <= 1000000; nr *= 10) {
			fc_auto_free char *symbol =
				repeated(deep[i].head, deep[i].unit, nr, deep[i].tail);
			free(fc_demangle(symbol, FC_DEMANGLE_FULL));
			free(fc_demangle(symbol, FC_DEMANGLE_SIMPLE));
		}
	}
}

/* pair<pair<...>, pair<...> >, each the one before twice: 2^30 in a few characters. */
static void a_name_that_would_fill_memory_stays_as_it_is(void **state)
{
	char *symbol = fc_strdup("_Z1fSt4pairIiiE");

	for (int i = 0; i < 30; i++) {
		char *longer = fc_asprintf("%sS_IS%c_S%c_E", symbol,
					   "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i],
					   "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
		free(symbol);
		symbol = longer;
		fc_auto_free char *full = fc_demangle(symbol, FC_DEMANGLE_FULL);
		fc_auto_free char *simple = fc_demangle(symbol, FC_DEMANGLE_SIMPLE);
		assert_true(!full || strlen(full) <= 4096);
		assert_true(i > 3 || (full && simple));
		if (simple)
			assert_string_equal(simple, "f");
	}
	same(symbol, FC_DEMANGLE_FULL, NULL);
	free(symbol);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_shown_as_people_write_them),
		cmocka_unit_test(what_is_not_mangled_stays),
		cmocka_unit_test(deep_names_do_not_eat_the_stack),
		cmocka_unit_test(a_name_that_would_fill_memory_stays_as_it_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
