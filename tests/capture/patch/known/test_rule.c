/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are special by their name, and those that only look so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* after those it needs */
#include <cmocka.h>

#include "capture/patch/known/rule.h"

static void expect_kind(const char *name, enum fc_rule_kind kind)
{
	const struct fc_rule *rule = fc_rule_find(name);
	if (!rule || rule->kind != kind)
		fail_msg("%s: %s", name, rule ? rule->why : "an ordinary function");
	assert_non_null(rule->why);
}

static void expect_ordinary(const char *name)
{
	const struct fc_rule *rule = fc_rule_find(name);
	if (rule)
		fail_msg("%s is taken for %s", name, rule->glob);
}

#define EACH(check, ...)                                                                       \
	do {                                                                                   \
		static const char *const names_[] = { __VA_ARGS__ };                           \
		for (size_t i_ = 0; i_ < sizeof(names_) / sizeof(names_[0]); i_++)             \
			check(names_[i_]);                                                     \
	} while (0)

static void is_skipped(const char *name)
{
	expect_kind(name, FC_RULE_SKIP);
}

static void is_entry_only(const char *name)
{
	expect_kind(name, FC_RULE_ENTRY_ONLY);
}

static void is_context(const char *name)
{
	expect_kind(name, FC_RULE_CONTEXT);
}

static void is_unwinder(const char *name)
{
	expect_kind(name, FC_RULE_UNWIND);
}

static void leaves_callers(const char *name)
{
	expect_kind(name, FC_RULE_RAISE);
}

static void code_without_a_plain_call_is_skipped(void **state)
{
	EACH(is_skipped, "_start", "_dl_start", "_dl_start_user", "_dlstart", "__restore_rt",
	     "_dl_runtime_resolve_xsavec", "_dl_runtime_profile_avx512", "_dl_tlsdesc_return",
	     "_dl_tlsdesc_dynamic", "__tls_get_addr", "__tls_get_addr_slow", "mcount",
	     "_mcount", "__fentry__", "__morestack", "__morestack_non_split",
	     "__x86_indirect_thunk_rax", "__x86_return_thunk", "__start_context");
}

static void what_needs_its_return_address_is_entry_only(void **state)
{
	EACH(is_entry_only, "setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "vfork", "__vfork",
	     "getcontext", "setcontext", "makecontext", "clone", "__clone", "clone3", "dlopen",
	     "__dlopen", "dlmopen", "dlsym", "dlvsym", "__libc_dlopen_mode", "dl_iterate_phdr",
	     "_Unwind_SetIP", "_Unwind_GetIP", "_Unwind_Find_FDE");
}

static void what_keeps_its_return_address_is_hooked_in_any_case(void **state)
{
	EACH(is_context, "swapcontext", "__swapcontext");
}

static void where_exceptions_land_is_hooked_in_any_case(void **state)
{
	(void)state;
	expect_kind("__cxa_begin_catch", FC_RULE_LANDED);
}

static void what_walks_the_stack_sees_true_addresses(void **state)
{
	EACH(is_unwinder, "_Unwind_Backtrace", "unw_backtrace", "_ULx86_64_step",
	     "_Ux86_64_step", "_Ux86_64_getcontext", "__unw_step");
	EACH(leaves_callers, "_Unwind_RaiseException", "_Unwind_Resume",
	     "_Unwind_Resume_or_Rethrow");
	expect_kind("_Unwind_ForcedUnwind", FC_RULE_FORCE);
	expect_kind("make_continuation", FC_RULE_SLICE);
	expect_kind("longjmp", FC_RULE_JUMP);
	expect_kind("__longjmp_chk", FC_RULE_JUMP);
}

static void the_loaders_notice_is_the_agents(void **state)
{
	expect_kind("_dl_debug_state", FC_RULE_DL);
	expect_kind("dl_debug_state", FC_RULE_DL);
}

static void names_that_only_look_so_are_ordinary(void **state)
{
	EACH(expect_ordinary, "", "_", "main", "_startup", "_start2", "start", "x_start",
	     "__start", "my_setjmp", "setjmp2", "longjmp2", "siglongjmp", "_longjmp_unwind",
	     "dlopen_something", "dlopen_doit", "dlclose", "dlerror", "dlsym_doit", "dladdr",
	     "cloned", "clone_node", "_ZN4Node5cloneEv", "vforked", "fork", "mcount2",
	     "_Unwind", "xUnwind_Resume", "_dl_debug_state2", "_dl_open", "_dl_catch_exception",
	     "__tls_get_add", "__restore_rt2", "contexts", "malloc", "__libc_start_main",
	     "__x86_indirect", "_dl_runtime", "_dl_tlsdesc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_without_a_plain_call_is_skipped),
		cmocka_unit_test(what_needs_its_return_address_is_entry_only),
		cmocka_unit_test(what_keeps_its_return_address_is_hooked_in_any_case),
		cmocka_unit_test(where_exceptions_land_is_hooked_in_any_case),
		cmocka_unit_test(what_walks_the_stack_sees_true_addresses),
		cmocka_unit_test(the_loaders_notice_is_the_agents),
		cmocka_unit_test(names_that_only_look_so_are_ordinary),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
