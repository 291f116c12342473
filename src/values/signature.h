/* SPDX-License-Identifier: Apache-2.0 */
/* signature.h - what is known about the parameters and the result of one function. */
#ifndef FC_VALUES_SIGNATURE_H
#define FC_VALUES_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

#include "arch/location.h"

enum { FC_MAX_PARAMS = 64 }; /* more are not told */

/*
 * Names and types are those of a function (BTF_KIND_FUNC) in a table of types (values/types.h).
 * Where the places are not known otherwise, the rules of the machine's ABI tell them.
 */
struct fc_signature {
	uint32_t func; /* 0: nothing is known */
	uint32_t
		nr; /* parameters, without "...", if anything is told of their places; else 0 */
	/* Where each is at entry: what is told nowhere and is not absent is as the ABI says. */
	struct fc_location param[FC_MAX_PARAMS];
	/*
	 * Of a function that may return nothing: registers, as bits by DWARF's numbers, that are read
	 * where it returns to, or all. Its result is told where these hold all of it.
	 */
	uint64_t results_read;
	/* Its code, to see what it does with its arguments; NULL: not known. */
	const uint8_t *code;
	size_t code_size;
};

#endif
