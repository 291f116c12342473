/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ehframe.h - the FDEs of .eh_frame: where code starts, and how it is entered.
 *
 * A reader of its own: fctrace reads the frames of every module at every start and needs
 * only the first row of each, which libdw's dwarf_next_cfi() leaves to be decoded anyway.
 */
#ifndef FC_ELF_EHFRAME_H
#define FC_ELF_EHFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_image;

struct fc_fde {
	uint64_t vaddr, size;
	bool is_signal;		 /* augmentation 'S': vaddr is one byte before the trampoline */
	bool has_return_address; /* false: "undefined" from the first byte on (_start) */
	bool is_entry; /* first row: CFA and return address as after a call, nothing saved
			*/
	uint64_t lsda; /* where its landing pads are listed; 0: it has none */
};

struct fc_cie {
	const uint8_t *at; /* where it was read from: the key of this cache of one */
	bool is_usable;
	bool has_augmentation_size, is_signal;
	uint8_t pointer_encoding, lsda_encoding;
	int64_t data_align;
	uint64_t return_column;
	const uint8_t *code, *code_end; /* initial instructions */
};

struct fc_ehframe {
	uint16_t machine;
	const uint8_t *start, *at, *end;
	uint64_t vaddr; /* of start */
	struct fc_cie cie;
};

/* Find .eh_frame by section, else by PT_GNU_EH_FRAME. False if there is none. */
bool fc_ehframe_init(struct fc_ehframe *frames, const struct fc_image *image);

/* The next FDE in file order; false at the end, or where the frames are damaged. */
bool fc_ehframe_next(struct fc_ehframe *frames, struct fc_fde *ret);

/*
 * Call fn for each landing pad in the size bytes at fde->lsda: where an unwinder enters the
 * function. A table that is damaged ends early.
 */
void fc_ehframe_landings(const struct fc_fde *fde, const uint8_t *lsda, size_t size,
			 void (*fn)(void *ctx, uint64_t vaddr), void *ctx);

#endif
