/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_conditions.c - any text as a condition, asked of any words of a call's marks. What is wrong
 * with it is said; what it says of a call it says again.
 */
#include <errno.h>
#include <string.h>

#include "../values/given.h"
#include "base/fail.h"
#include "values/condition/condition.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char declared[] =
	"enum how { FIRST, LAST = -2 }; enum __attribute__((flag_enum)) fl { R = 1, W = 2 };"
	"struct s { int a; char name[8]; unsigned low : 4; long wide : 61; struct { float in; "
	"}; "
	"struct s *next; };"
	"long f(int a, const char *s, struct s *p, double d, enum fl flags, enum how how, int "
	"*out, "
	"const struct s *q, long double wide);";

static void ask(const struct fc_condition *condition, struct call *call, uint32_t nr)
{
	struct fc_value_words args = { call->args, nr }, result = { call->result, nr };
	bool is_so = fc_condition_holds(condition, call->values, args, result);
	if (is_so != fc_condition_holds(condition, call->values, args, result))
		abort();
	fc_condition_waits(condition, call->values, FUNC, args);
	fc_fail_clear();
	if (fc_condition_check(condition, call->values, args, result) == -EINVAL &&
	    !*fc_fail_text())
		abort();
}

/* A text, its zero, then the words behind those that say whose they are. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct call call;
	struct fc_condition *condition;
	const uint8_t *zero = size ? memchr(bytes, 0, size) : NULL;
	if (!zero)
		return 0;
	if (!call.values)
		begin(&call, declared, NULL);
	size_t left = size - (size_t)(zero + 1 - bytes), room = sizeof(call.args) - 8;
	memset(call.args + 1, 0, room);
	memcpy(call.args + 1, zero + 1, left < room ? left : room);
	memcpy(call.result + 1, call.args + 1, room);
	fc_fail_clear();
	if (fc_condition_read((const char *)bytes, &condition)) {
		if (!*fc_fail_text() || condition)
			abort();
		return 0;
	}
	for (uint32_t nr = 0; condition && nr <= MOST; nr += 5)
		ask(condition, &call, nr);
	fc_condition_destroy(condition);
	return 0;
}
