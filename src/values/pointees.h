/* SPDX-License-Identifier: Apache-2.0 */
/* pointees.h - what the pointers lead to that stand in what is fetched of a call. */
#ifndef FC_VALUES_POINTEES_H
#define FC_VALUES_POINTEES_H

#include "values/wanted.h"

/* The type that a pointer leads to, and how much of it. */
struct fc_pointee {
	uint32_t type; /* behind typedefs and qualifiers; 0: void, or not known */
	bool is_const, is_char, is_compound;
	bool is_text;	    /* a pointer to a char; */
	bool is_const_text; /* which is const */
	bool is_sequence;   /* values/sequence.h */
	uint64_t size;
};

/* False: it is no pointer to data. */
bool fc_pointee_find(const struct fc_types *types, uint32_t pointer, struct fc_pointee *ret);
/* All that is told of it; false: nothing is worth to be fetched. */
bool fc_pointee_make(struct fca_fetch *fetch, const struct fc_pointee *to,
		     const struct fc_fetch_opts *opts);
/* The same of many, of which the fetch says how many there are at its count. */
void fc_pointee_make_array(struct fca_fetch *fetch, uint64_t unit, bool is_compound,
			   const struct fc_fetch_opts *opts);
/* As texts up to NULL: "argv". */
void fc_pointee_make_list(struct fca_fetch *fetch);

/*
 * Add to a plan, in which the values are and what they lead to themselves, what stands behind those:
 * strings and lists of C++ and Rust, and texts behind pointers to pointers; and the pointers of
 * structs, as deep as is asked for, but for those that are masked by their names. What is nearer
 * comes first, since a list has an end.
 */
void fc_pointees_follow(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			struct fc_fetch_plan *plan, bool is_exit);
/*
 * "pieces(read,2)": is what the struct iovec of this parameter lead to read by the call; "written": has it
 * written there as many bytes as it returns?
 */
bool fc_pointee_has_pieces(const struct fc_fetch_func *func, uint32_t param, bool is_written);
/* Is it a "struct msghdr", with the address of who is sent it, or has sent it? */
bool fc_pointee_has_name(const struct fc_types *types, const struct fc_pointee *to);

#endif
