/* SPDX-License-Identifier: Apache-2.0 */
/* Mangled names: what they tell of parameters, and what they do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "values/mangled.h"
#include "values/types_private.h"

/* "i5" a general register, "v17" a vector register, "s8" the stack; "?" not told; in order. */
static void describe(const struct fc_signature *signature, char *ret)
{
	static const char kinds[] = {
		[FC_PIECE_INT] = 'i', [FC_PIECE_VECTOR] = 'v', [FC_PIECE_STACK] = 's'
	};
	*ret = 0;
	for (uint32_t i = 0; i < signature->nr; i++) {
		const struct fc_location *place = &signature->param[i];
		const struct fc_piece *piece = &place->piece[0];
		int where = piece->kind == FC_PIECE_STACK ? piece->off : piece->reg;
		if (place->nr)
			sprintf(ret + strlen(ret), "%s%s%c%d", i ? " " : "",
				place->is_address ? "*" : "", kinds[piece->kind], where);
		else
			strcat(ret, i ? " ?" : "?");
	}
}

enum { PLAIN = 1, COMPLETE = 2 };

static void expect(const char *symbol, int facts, const char *places)
{
	struct fc_mangled_facts its = { facts & PLAIN, facts & COMPLETE };
	struct fc_types *types = fc_types_create();
	struct fc_signature signature;
	char found[1024];
	bool is_told = fc_mangled_read(&fc_arch_x86_64, symbol, &its, types, &signature);
	describe(&signature, found);
	if (strcmp(found, places))
		print_message("%s: \"%s\"\n", symbol, found);
	assert_string_equal(found, places);
	assert_int_equal(is_told, places[0] != 0);
	fc_types_destroy(types);
}

/* It may be in memory: then its address comes first. Vector registers do not care. */
static void a_result_that_is_not_told_hides_integers(void **state)
{
	expect("_Z1fiPKcd", 0, "? ? v17");
	expect("_Z1fiPKcd", PLAIN, "i5 i4 v17");
	expect("_Z1fi", 0, "");
	expect("_Z1fv", PLAIN, "");
	expect("_ZSt1fi", PLAIN, "i5");
}

static void templates_tell_their_result(void **state)
{
	expect("_Z3addIiET_S0_S0_", 0, "i5 i4");
	expect("_Z3addIdEvT_PS0_i", 0, "v17 i5 i4");
	expect("_Z3addIiEPT_S0_", 0, "i5");
	expect("_Z3addIi3fooET0_T_", 0, "");
	expect("_Z3addI3fooEvT_i", 0, "");
	expect("_ZN1a3addIiEEvT_", 0, "");
}

static void members_have_a_this_or_not(void **state)
{
	expect("_ZN1a1bEid", PLAIN, "? v17");
	expect("_ZNK1a1bEid", PLAIN, "i5 i4 v17");
	expect("_ZNK1a1bEid", 0, "? ? v17");
	expect("_ZNO1a1bEi", PLAIN, "i5 i4");
	expect("_ZNSt6vectorIiSaIiEE9push_backEOi", PLAIN, "");
	expect("_ZNKSt6vectorIiSaIiEE2atEm", PLAIN, "i5 i4");
}

static void constructors_may_be_given_a_table(void **state)
{
	expect("_ZN1aC1Eid", 0, "i5 i4 v17");
	expect("_ZN1aC2Eid", 0, "i5 ? v17");
	expect("_ZN1aC2Eid", COMPLETE, "i5 i4 v17");
	expect("_ZN1aD0Ev", 0, "i5");
	expect("_ZN1aD2Ev", 0, "i5");
}

/* It may be of any size, in registers of any kind. */
static void behind_a_class_nothing_is_told(void **state)
{
	expect("_Z1fi3food", PLAIN, "i5 ? ?");
	expect("_Z1fdN1a1bEd", 0, "v17 ? ?");
	expect("_Z1fRK3fooP3bari", PLAIN, "i5 i4 i1");
	expect("_Z1fiM1aFvvEi", PLAIN, "i5 ? ?");
}

static void what_has_no_register_is_on_the_stack(void **state)
{
	expect("_Z1filxjmstehabcwn", PLAIN, "i5 i4 i1 i2 i8 i9 s8 s24 s40 s48 s56 s64 s72 s88");
	expect("_Z1feng", PLAIN, "s8 i5 ?");
}

static void strings_are_those_of_libstdcxx(void **state)
{
	expect("_Z1fNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKS4_i", PLAIN,
	       "*i5 i4 i1");
	expect("_Z1fSsi", PLAIN, "");
	expect("_Z1fRKSsi", PLAIN, "i5 i4");
}

static void others_are_none(void **state)
{
	static const char *const symbols[] = {
		"",
		"main",
		"_Z",
		"_Z1f",
		"_ZL1fi",
		"_Z1fi.isra.0",
		"_ZTV1a",
		"_ZThn8_N1a1bEi",
		"_ZZ4mainENKUlvE_clEv",
		"_ZN12_GLOBAL__N_11fEi",
		"_ZN1acviEv",
		"_RNvC1a1b",
		"_Z1f\xff\xff",
		"_ZN1a1bE17h0123456789abcdefE",
	};
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		expect(symbols[i], PLAIN | COMPLETE, "");
}

/* A recursion for each letter, and arguments that stand for themselves. */
static void names_that_mean_harm_are_harmless(void **state)
{
	char symbol[1024] = "_Z1f";
	memset(symbol + 4, 'P', 1000);
	strcat(symbol, "i");
	expect(symbol, PLAIN, "i5");
	expect("_Z1fIT_EvT_", PLAIN, "");
	expect("_Z1fIPT_EvT_", PLAIN, "i5");
}

static void a_function_called_like_a_secret_is_given_one(void **state)
{
	static const struct {
		const char *symbol, *name;
	} cases[] = { { "_ZNK1a11setPasswordEPKci", "setPassword" },
		      { "_ZNK1a7setNameEPKci", "" } };
	for (size_t i = 0; i < 2; i++) {
		struct fc_mangled_facts facts = { true, true };
		struct fc_types *types = fc_types_create();
		struct fc_signature signature;
		assert_true(fc_mangled_read(&fc_arch_x86_64, cases[i].symbol, &facts, types,
					    &signature));
		const struct btf *btf = fc_types_btf(types);
		const struct btf_type *func = btf__type_by_id(btf, signature.func);
		const struct btf_param *params = btf_params(btf__type_by_id(btf, func->type));
		assert_string_equal(btf__name_by_offset(btf, params[1].name_off),
				    cases[i].name);
		assert_string_equal(btf__name_by_offset(btf, params[2].name_off), "");
		fc_types_destroy(types);
	}
}

static bool is_narrow(const char *code, size_t size)
{
	return fc_arch_x86_64.abi->returns_narrow((const uint8_t *)code, size);
}

static void code_tells_that_a_result_is_a_number(void **state)
{
#define IS(bytes) is_narrow(bytes, sizeof(bytes) - 1)
	assert_true(IS("\x31\xc0\xc3"));		     /* xor %eax,%eax; ret */
	assert_true(IS("\xb8\x01\x00\x00\x00\x5b\xc3"));     /* mov $1,%eax; pop %rbx; ret */
	assert_true(IS("\x8b\x45\xfc\xc9\xc3"));	     /* mov -4(%rbp),%eax; leave; ret */
	assert_true(IS("\x0f\xb6\xc0\x48\x83\xc4\x08\xc3")); /* movzbl; add $8,%rsp; ret */
	assert_false(IS("\x48\x31\xc0\xc3"));		     /* xor %rax,%rax; ret */
	assert_false(IS("\x48\x89\xf8\xc3"));		     /* mov %rdi,%rax; ret */
	assert_false(IS("\x41\xb8\x01\x00\x00\x00\xc3"));    /* mov $1,%r8d; ret */
	assert_false(IS("\x31\xc0\x58\xc3"));		     /* xor %eax,%eax; pop %rax; ret */
	assert_false(IS("\x31\xc0\x48\x89\xd8\xc3"));	     /* xor; mov %rbx,%rax; ret */
	assert_false(IS("\x83\xf8\x01\xc3"));		     /* cmp $1,%eax; ret */
	assert_false(IS("\x66\xb8\x01\x00\xc3"));	     /* mov $1,%ax; ret */
	assert_false(IS("\xc3"));
	assert_false(IS("\x31"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_that_is_not_told_hides_integers),
		cmocka_unit_test(templates_tell_their_result),
		cmocka_unit_test(members_have_a_this_or_not),
		cmocka_unit_test(constructors_may_be_given_a_table),
		cmocka_unit_test(behind_a_class_nothing_is_told),
		cmocka_unit_test(what_has_no_register_is_on_the_stack),
		cmocka_unit_test(strings_are_those_of_libstdcxx),
		cmocka_unit_test(others_are_none),
		cmocka_unit_test(names_that_mean_harm_are_harmless),
		cmocka_unit_test(a_function_called_like_a_secret_is_given_one),
		cmocka_unit_test(code_tells_that_a_result_is_a_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
