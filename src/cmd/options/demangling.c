/* SPDX-License-Identifier: Apache-2.0 */
/* demangling.c - the option --demangle. */
#include "cmd/options/demangling.h"

#include "cmd/options/parse.h"

static enum fc_demangle asked = FC_DEMANGLE_SIMPLE;

static int set_demangle(struct fc_settings *settings, const char *arg)
{
	static const enum fc_demangle forms[] = { FC_DEMANGLE_FULL, FC_DEMANGLE_SIMPLE,
						  FC_DEMANGLE_NO };
	uint32_t i = 0;
	int err = fc_parse_word(arg, fc_option_demangle.arg, &i);
	asked = forms[i];
	return err;
}

const struct fc_option fc_option_demangle = {
	0, "demangle", "full|simple|no",
	"names of C++ and Rust: with parameters and template arguments, without (default), or "
	"as in the file",
	set_demangle
};

enum fc_demangle fc_demangle_asked(void)
{
	return asked;
}
