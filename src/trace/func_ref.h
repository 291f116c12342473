/* SPDX-License-Identifier: Apache-2.0 */
/* func_ref.h - a function of a trace: its name, and where it is. */
#ifndef FC_TRACE_FUNC_REF_H
#define FC_TRACE_FUNC_REF_H

#include "trace/source.h"

struct fc_func_ref {
	const char *name; /* never NULL: symbol, or "module+0xoffset"; "?" for an unknown id */
	const char *module;		 /* base name of its file */
	const struct fc_func_info *info; /* NULL for an unknown id */
	const struct fc_module_info *of; /* NULL for an unknown id */
};

#endif
