/* SPDX-License-Identifier: Apache-2.0 */
/* demangling.h - --demangle: how functions of C++ and Rust are named, in all that is shown. */
#ifndef FC_CMD_OPTIONS_DEMANGLING_H
#define FC_CMD_OPTIONS_DEMANGLING_H

#include "base/demangle.h"
#include "cmd/options/option.h"

extern const struct fc_option fc_option_demangle;

/* The form that --demangle asked for. */
enum fc_demangle fc_demangle_asked(void);

#endif
