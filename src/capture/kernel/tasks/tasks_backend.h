/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tasks_backend.h - no program at all: the kernel's well alone, of kernel threads or of all threads
 * of the machine.
 *
 *	well (capture/kernel/kernel.h) --> tasks --> the tap
 *
 * Nobody is traced over ptrace, and nothing is changed in any process.
 */
#ifndef FC_CAPTURE_KERNEL_TASKS_TASKS_BACKEND_H
#define FC_CAPTURE_KERNEL_TASKS_TASKS_BACKEND_H

#include "capture/backend.h"

/*
 * run() has no argv, and leaves *wait_status alone; opts->wells are one of FC_KERNEL_THREADS with
 * opts->kthreads, else of FC_KERNEL_ALL. It goes on until SIGINT, SIGQUIT, SIGTERM or SIGHUP comes,
 * opts->for_ns is over, the last one of opts->kthreads has ended, or the tap fails. A fc_kthreads_check() of these
 * comes before.
 */
extern const struct fc_backend fc_tasks_backend;

#endif
