/* SPDX-License-Identifier: Apache-2.0 */
/* sound.h - is a table of types, made by anybody, safe to be followed? */
#ifndef FC_VALUES_SOUND_H
#define FC_VALUES_SOUND_H

#include <stddef.h>

/*
 * -EBADMSG with a sentence: it is not, see fc_types_load(). libbpf 1.1 itself looks at little
 * more than the lengths.
 */
int fc_types_check(const void *bytes, size_t size);

#endif
