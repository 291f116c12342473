/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen_guard.h - whether the terminal can be used, and that it is left as it was found: by signals,
 * by a crash, by exit() from anywhere.
 */
#ifndef FC_TUI_SCREEN_GUARD_H
#define FC_TUI_SCREEN_GUARD_H

/* -ENOTTY, -ENOTSUP with a sentence: see screen.h. */
int fc_guard_check(void);

/* Its settings, before anything is done to it. */
void fc_guard_save(void);
/* From here on it is brought back, and signals that end the program are only noted. */
void fc_guard_guard(void);
/* It was brought back. */
void fc_guard_unguard(void);

/* The signal that was noted; 0: none. */
int fc_guard_signal(void);
/* Nobody is there any more: as if SIGHUP had come. */
void fc_guard_hang_up(void);

#endif
