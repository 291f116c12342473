/* SPDX-License-Identifier: Apache-2.0 */
/* What is named like a secret: nothing of it is shown, neither of a call's begin nor of its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "values/fetches.h"
#include "values/places.h"
#include "values/proto/protos.h"

static struct fc_types *read_text(const char *text)
{
	struct fc_types *types = NULL;
	assert_int_equal(fc_protos_read("t.h", text, strlen(text), &types), 0);
	return types;
}

struct plans {
	struct fc_fetch_plan entry, exit;
};

/* Of the function f. */
static struct plans plans_of(const char *text, struct fc_masks masks)
{
	struct fc_types *types = read_text(text);
	struct fc_fetch_opts opts = { .string_size = 32, .depth = 2, .masks = masks };
	struct fc_signature signature = { .func = fc_types_find_func(types, "f") };
	struct fc_value_places places;
	struct plans ret;
	assert_true(signature.func);
	fc_value_places_find(&fc_arch_x86_64, types, &signature, &places);
	struct fc_fetch_func what = { types, signature.func, places.param, places.nr,
				      places.result };
	fc_fetch_plan_entry(&what, &opts, &ret.entry);
	fc_fetch_plan_exit(&what, &opts, &ret.entry, &ret.exit);
	fc_types_destroy(types);
	return ret;
}

/* Parts of a parameter that fetch anything that is shown. */
static unsigned nr_fetched(const struct fc_fetch_plan *plan, uint16_t param)
{
	unsigned ret = 0;
	for (uint32_t i = 0; i < plan->nr; i++)
		ret += plan->part[i].param == param && !plan->part[i].is_hidden &&
		       !fc_format_is_masked(&plan->part[i]);
	return ret;
}

static bool is_hidden(const char *text, uint16_t param, struct fc_masks masks)
{
	struct plans plans = plans_of(text, masks);
	return !nr_fetched(&plans.entry, param) && !nr_fetched(&plans.exit, param);
}

static void names_of_secrets_hide_texts(void **state)
{
	struct fc_masks masks = { 0 };
	assert_true(is_hidden("void f(const char *password);", 0, masks));
	assert_true(is_hidden("void f(char *__PassWd);", 0, masks));
	assert_true(is_hidden("void f(char *new_secret, int n);", 0, masks));
	assert_true(is_hidden("void f(char *pwd)"
			      " __attribute__((access(write_only, 1)));",
			      0, masks));
	assert_false(is_hidden("void f(char *new_secret, int n);", 1, masks));
	assert_false(is_hidden("void f(const char *word);", 0, masks));
	(void)state;
}

static void numbers_are_no_secrets(void **state)
{
	struct fc_masks masks = { 0 };
	assert_false(is_hidden("void f(int password_len);", 0, masks));
	assert_false(is_hidden("void f(double secret);", 0, masks));
	(void)state;
}

static void keys_are_texts_and_bytes(void **state)
{
	struct fc_masks masks = { 0 };
	assert_true(is_hidden("void f(const unsigned char *key);", 0, masks));
	assert_true(is_hidden("void f(unsigned char session_key[32]);", 0, masks));
	assert_true(is_hidden("void f(const unsigned char *enckey);", 0, masks));
	assert_true(is_hidden("void f(const char *key);", 0, masks));
	assert_false(is_hidden("void f(const char *monkey);", 0, masks));
	assert_false(is_hidden("void f(const char *key_name);", 0, masks));
	assert_false(is_hidden("void f(struct object *key);", 0, masks));
	assert_false(is_hidden("void f(const void *key);", 0, masks));
	(void)state;
}

/* A parser has tokens, and a board has pins. */
static void words_of_other_meanings_hide_texts(void **state)
{
	static const char *const names[] = {
		"token",   "user_token",    "csrfToken",  "tokens",	 "pin",
		"userPin", "new_pin",	    "psk",	  "wifi_psk",	 "passcode",
		"otp",	   "cookie",	    "cookies",	  "dsn",	 "pg_dsn",
		"bearer",  "authorization", "credential", "pw",		 "userPassword",
		"pass1",   "dbpass",	    "user_pass",  "clientSecret"
	};
	struct fc_masks masks = { 0 };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char text[128];
		snprintf(text, sizeof(text), "void f(const char *%s);", names[i]);
		if (!is_hidden(text, 0, masks))
			fail_msg("%s is shown", names[i]);
		snprintf(text, sizeof(text), "void f(int %s);", names[i]);
		assert_false(is_hidden(text, 0, masks));
	}
	assert_true(is_hidden("void f(const char *const *tokens);", 0, masks));
	assert_false(is_hidden("struct t { int kind; }; void f(struct t *token);", 0, masks));
	assert_false(is_hidden("void f(const int *pin);", 0, masks));
	assert_false(is_hidden("void f(const char *spinning);", 0, masks));
	(void)state;
}

static void results_of_who_asks_are_secrets(void **state)
{
	struct fc_masks masks = { 0 };
	struct fc_types *types = read_text("char *getpass(const char *prompt);");
	uint32_t func = fc_types_find_func(types, "getpass");
	assert_true(fc_mask_hides(&masks, types, "getpass",
				  fc_param_type(types, func, FC_PARAM_RESULT)));
	fc_types_destroy(types);
	(void)state;
}

static void structs_may_hold_secrets(void **state)
{
	struct fc_masks masks = { 0 };
#define LOGIN "struct in { char password[8]; }; struct login { int id; struct in in; };"
	assert_true(is_hidden(LOGIN "void f(const struct login *login);", 0, masks));
	assert_true(is_hidden(LOGIN "void f(struct login login);", 0, masks));
	assert_true(is_hidden(LOGIN "struct login *f(void);", FC_PARAM_RESULT, masks));
	assert_true(is_hidden("struct a { struct { char *p; } secret; }; void f(struct a *a);",
			      0, masks));
	assert_false(is_hidden("struct a { char *password; }; void f(const struct a *a);", 0,
			       masks));
#undef LOGIN
	(void)state;
}

static void results_have_their_functions_name(void **state)
{
	struct fc_masks masks = { .globs = (char *[]){ "f", NULL } };
	assert_true(is_hidden("char *f(int n);", FC_PARAM_RESULT, masks));
	assert_true(is_hidden("int f(int n);", FC_PARAM_RESULT, masks));
	assert_false(is_hidden("int f(int n);", 0, masks));
	(void)state;
}

static void what_is_asked_for_counts(void **state)
{
	struct fc_masks mine = { .globs = (char *[]){ "to*", "size", NULL },
				 .is_unmasked = true };
	const char *text = "void f(char *buf, int size, const char *token, char *password)"
			   " __attribute__((access(write_only, 1, 2)));";
	assert_true(is_hidden(text, 2, mine));
	assert_true(is_hidden(text, 1, mine)); /* also where it says how large a buffer is */
	assert_false(is_hidden(text, 3, mine));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_secrets_hide_texts),
		cmocka_unit_test(numbers_are_no_secrets),
		cmocka_unit_test(keys_are_texts_and_bytes),
		cmocka_unit_test(words_of_other_meanings_hide_texts),
		cmocka_unit_test(results_of_who_asks_are_secrets),
		cmocka_unit_test(structs_may_hold_secrets),
		cmocka_unit_test(results_have_their_functions_name),
		cmocka_unit_test(what_is_asked_for_counts),
	};
	return cmocka_run_group_tests_name("values: masks", tests, NULL, NULL);
}
