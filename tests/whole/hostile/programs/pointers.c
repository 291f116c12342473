/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointers - is there a word in what is shared that is an address of the controller's?
 *
 * What is shared holds addresses of this process. By chance one of them is mapped in the controller,
 * too: such a word tells nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/agent/abi.h"

enum { MOST = 4096 };

struct maps {
	int nr;
	uint64_t lo[MOST], hi[MOST];
};

static struct maps shared, own, controllers;

static void read_maps(const char *path, const char *name, struct maps *ret)
{
	char line[512];
	FILE *file = fopen(path, "r");
	while (file && ret->nr < MOST && fgets(line, sizeof(line), file))
		if ((!name || strstr(line, name)) &&
		    sscanf(line, "%lx-%lx", &ret->lo[ret->nr], &ret->hi[ret->nr]) == 2)
			ret->nr++;
	if (file)
		fclose(file);
}

static int is_in(const struct maps *maps, uint64_t word)
{
	for (int i = 0; i < maps->nr; i++)
		if (word >= maps->lo[i] && word < maps->hi[i])
			return 1;
	return 0;
}

int main(void)
{
	char path[64];
	int nr_found = 0;
	read_maps("/proc/self/maps", "memfd:fctrace", &shared);
	read_maps("/proc/self/maps", NULL, &own);
	snprintf(path, sizeof(path), "/proc/%d/maps", getppid());
	read_maps(path, NULL, &controllers);
	if (!shared.nr || !controllers.nr)
		return 3;
	const uint64_t *words = (const uint64_t *)shared.lo[0];
	for (int i = 0; i < FCA_ARENA_HEAD / 8; i++)
		nr_found += is_in(&controllers, words[i]) && !is_in(&own, words[i]);
	printf("%d of %d\n", nr_found, controllers.nr);
	return 0;
}
