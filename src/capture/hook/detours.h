/* SPDX-License-Identifier: Apache-2.0 */
/*
 * detours.h - a program that wants %gs for itself gets it: its stubs find strands another way.
 *
 * All code of a loaded file is looked at before it runs, hooked or not. If any of it may set
 * %gs, each read of %gs in a stub becomes a jump to a detour, which goes by %fs (enum
 * fca_found_by). From then on fctrace neither reads nor writes %gs in that process.
 */
#ifndef FC_CAPTURE_HOOK_DETOURS_H
#define FC_CAPTURE_HOOK_DETOURS_H

#include "capture/hook/space.h"
#include "capture/target/maps.h"
#include "capture/target/remote.h"

/* Does any of these mapped files set %gs? */
bool fc_space_takes_register(struct fc_space *space, const struct fc_map *maps, size_t nr);

/* How strands are found in a program that sets %gs: enum fca_found_by. */
uint32_t fc_space_way_without_register(void);

/* The program sets %gs: if each of its calls will ask the agent, say so, once a session. */
void fc_space_say_slow(struct fc_space *space);

/* What a new agent is told of the threads that are held: enum fca_thread_word. */
uint32_t fc_space_thread_word(const struct fc_space *space);

/* In a new agent, or as the other ways end: no thread has a strand. */
int fc_space_clear_threads(const struct fc_space *space);

/*
 * Stubs of a pool that no patch leads to yet, of size bytes of address space, read %gs no more.
 * -errno with a sentence.
 */
int fc_space_detour(struct fc_space *space, struct fc_caller *caller, struct fc_maps *maps,
		    uint64_t pool, size_t size);

/*
 * The program's %gs is its own from now on. All its threads are held for a moment, but for
 * what caller does. -errno with a sentence.
 */
int fc_space_yield_register(struct fc_space *space, struct fc_caller *caller,
			    struct fc_maps *maps);

#endif
