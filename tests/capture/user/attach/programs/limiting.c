/* SPDX-License-Identifier: Apache-2.0 */
/* At a word it limits its address space, and has room for what it needs. */
#include <sys/mman.h>
#include <sys/resource.h>

#include "attached.h"

enum { LIMIT = 1 << 30, NEEDED = 256 << 20 };

NOINLINE static const char *limit(void)
{
	struct rlimit limit = { LIMIT, LIMIT };
	CHECK(!setrlimit(RLIMIT_AS, &limit));
	void *at = mmap(NULL, NEEDED, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return at == MAP_FAILED ? "no memory" : "memory";
}

int main(void)
{
	char word[32];
	puts("ready");
	fflush(stdout);
	while (fgets(word, sizeof(word), stdin)) {
		puts(limit());
		fflush(stdout);
	}
	puts("ok 1");
	return 0;
}
