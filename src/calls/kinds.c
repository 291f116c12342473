/* SPDX-License-Identifier: Apache-2.0 */
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
	};
	return life > 0 && (size_t)life < NR(words) ? words[life] : NULL;
}

const char *fc_mark_word(int mark)
{
	static const char *const words[] = {
		[FC_MARK_LOST] = "lost",
		[FC_MARK_FORK] = "fork",
		[FC_MARK_RESUME] = "resume",
		[FC_MARK_WAITED] = "waited",
	};
	return mark > 0 && (size_t)mark < NR(words) ? words[mark] : NULL;
}
