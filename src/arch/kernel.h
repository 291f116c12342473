/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - what the kernel's tracing calls things on this machine. */
#ifndef FC_ARCH_KERNEL_H
#define FC_ARCH_KERNEL_H

#include <linux/audit.h>

/*
 * Its own system calls (PTRACE_GET_SYSCALL_INFO: arch); its trace_clock that is fc_arch_clock(); what stands in front of the function that is a system
 * call; globs of the functions that an interrupt enters, with a comma behind each.
 */
#if defined(__x86_64__)
#define FC_ARCH_SYSCALLS       AUDIT_ARCH_X86_64
#define FC_ARCH_TRACE_CLOCK    "x86-tsc"
#define FC_ARCH_SYSCALL_PREFIX "__x64_"
#define FC_ARCH_INTERRUPTS     "__sysvec_*", "fred_sysvec_*", "__common_interrupt",
#elif defined(__aarch64__)
#define FC_ARCH_SYSCALLS       AUDIT_ARCH_AARCH64
#define FC_ARCH_TRACE_CLOCK    "mono"
#define FC_ARCH_SYSCALL_PREFIX "__arm64_"
#define FC_ARCH_INTERRUPTS     "generic_handle_arch_irq", "do_interrupt_handler",
#else
#define FC_ARCH_SYSCALLS       AUDIT_ARCH_RISCV64
#define FC_ARCH_TRACE_CLOCK    "mono"
#define FC_ARCH_SYSCALL_PREFIX "__riscv_"
#define FC_ARCH_INTERRUPTS     "generic_handle_arch_irq",
#endif

#endif
