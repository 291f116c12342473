/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c - the words for how calls end, for strands, hooks and what happens to processes. */
#include "calls/kinds.h"

#include <stddef.h>

#include "trace/source.h"

#define NR(words) (sizeof(words) / sizeof((words)[0]))

const char *fc_left_word(int left)
{
	static const char *const words[] = {
		[FC_LEFT_RETURN] = "return", [FC_LEFT_TAIL] = "tail",
		[FC_LEFT_POP] = "pop",	     [FC_LEFT_LOST] = "lost",
		[FC_LEFT_END] = "end",	     [FC_LEFT_UNSEEN] = "unseen",
	};
	return words[left];
}

const char *fc_strand_word(int kind)
{
	static const char *const words[] = {
		[FC_STRAND_THREAD] = "thread",	 [FC_STRAND_SIGNAL] = "signal",
		[FC_STRAND_CONTEXT] = "context", [FC_STRAND_GO] = "goroutines",
		[FC_STRAND_KERNEL] = "kernel",
	};
	return kind >= 0 && (size_t)kind < NR(words) ? words[kind] : "unknown";
}

const char *fc_how_word(int how)
{
	static const char *const words[] = {
		[FC_HOW_SKIPPED] = "skipped",
		[FC_HOW_HOOKED] = "hooked",
		[FC_HOW_ENTRY_ONLY] = "entry only",
		[FC_HOW_PART] = "part",
	};
	return words[how & 3];
}

const char *fc_life_word(int life)
{
	static const char *const words[] = {
		[FC_LIFE_START] = "start",
		[FC_LIFE_EXEC] = "exec",
		[FC_LIFE_EXIT] = "exit",
		[FC_LIFE_THREAD_START] = "thread start",
		[FC_LIFE_THREAD_EXIT] = "thread exit",
		[FC_LIFE_SAY] = "said",
		[FC_LIFE_NOTE] = "note",
		[FC_LIFE_NAME] = "thread name",
		[FC_LIFE_SIGNAL] = "signal",
	};
	return life > 0 && (size_t)life < NR(words) ? words[life] : NULL;
}
