/* SPDX-License-Identifier: Apache-2.0 */
/* cleanup.h - memory and descriptors that clean themselves up at the end of a scope. */
#ifndef FC_BASE_CLEANUP_H
#define FC_BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void fc_cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void fc_cleanup_close(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void fc_cleanup_fclose(FILE **f)
{
	if (*f)
		fclose(*f);
}

#define fc_auto_free   __attribute__((cleanup(fc_cleanup_free)))
#define fc_auto_close  __attribute__((cleanup(fc_cleanup_close)))
#define fc_auto_fclose __attribute__((cleanup(fc_cleanup_fclose)))

/* Hand a pointer on: the variable no longer owns it. */
#define fc_take(p)                                                                             \
	({                                                                                     \
		__typeof__(p) taken_ = (p);                                                    \
		(p) = NULL;                                                                    \
		taken_;                                                                        \
	})

#endif
