/* SPDX-License-Identifier: Apache-2.0 */
/* ending.h - signals that ask to end: they are noted, and seen to when it is time. */
#ifndef FC_BASE_ENDING_H
#define FC_BASE_ENDING_H

/* From here on they are only noted; and as they were by default. */
void fc_ending_catch(void);
void fc_ending_leave(void);

/* The signal that was noted; 0: none. */
int fc_ending_signal(void);
/* Nobody is there any more: as if SIGHUP had come. */
void fc_ending_hang_up(void);

#endif
