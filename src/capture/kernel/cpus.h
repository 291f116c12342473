/* SPDX-License-Identifier: Apache-2.0 */
/* cpus.h - what an instance of tracefs has recorded, taken from the buffer of each CPU. */
#ifndef FC_CAPTURE_KERNEL_CPUS_H
#define FC_CAPTURE_KERNEL_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_cpus;

/* Of an instance's folder; buffers by the size of the machine's memory. -errno with a sentence. */
int fc_cpus_open(const char *folder, struct fc_cpus **ret);
void fc_cpus_close(struct fc_cpus *cpus);

/*
 * Each event that there is now, CPU by CPU: take(ctx, which CPU, when, its bytes, how many). Returns up to when
 * all has been taken: now_tsc, or earlier if there was too much for one go.
 */
uint64_t fc_cpus_take(struct fc_cpus *cpus, uint64_t now_tsc,
		      void (*take)(void *ctx, int cpu, uint64_t tsc, const void *event,
				   size_t size),
		      void *ctx);

/* Events that the kernel had no room for, by its own count, as far as that was looked at. */
uint64_t fc_cpus_lost(const struct fc_cpus *cpus);
/* Look at it now. */
void fc_cpus_count_lost(struct fc_cpus *cpus);
/* "CPU 0: 12, CPU 3: 7"; the caller frees it. */
char *fc_cpus_lost_text(const struct fc_cpus *cpus);

#endif
