/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_options.h - what is traced of the kernel beneath a program. */
#ifndef FC_CMD_OPTIONS_KERNEL_OPTIONS_H
#define FC_CMD_OPTIONS_KERNEL_OPTIONS_H

#include "cmd/options/option.h"

#define FC_OPTIONS_KERNEL                                                                      \
	&fc_option_syscalls, &fc_option_kernel, &fc_option_kernel_depth,                       \
		&fc_option_kernel_only, &fc_option_kernel_except, &fc_option_kernel_from,      \
		&fc_option_kernel_args, &fc_option_kernel_results, &fc_option_waits,           \
		&fc_option_kernel_no_waits, &fc_option_kernel_threads,                         \
		&fc_option_kernel_all_tasks

extern const struct fc_option fc_option_syscalls, fc_option_kernel, fc_option_kernel_depth,
	fc_option_kernel_only, fc_option_kernel_except, fc_option_kernel_from,
	fc_option_kernel_args, fc_option_kernel_results, fc_option_waits,
	fc_option_kernel_no_waits, fc_option_kernel_threads, fc_option_kernel_all_tasks;

#endif
